"""Self-play of an approximate equilibrium: the first training hands of limit networks."""

from __future__ import annotations

import lzma
import time
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import AnyArray as Array, ConfigError, FileError, NoProgress, Progress, Rng, open_whole, write_whole
from dupai.cards import COMBO_MASK, COMBOS, board_array, mask_of
from dupai.equity import load_win_rate_table
from dupai.notation import write_acpc
from dupai.reading import HAND_SIZE, hand_features_kernel, top_ranges
from dupai.rules import Action, GameSpec, HandState, load_game
from dupai.training._settings import SelfPlaySettings
from dupai.training._stopped import Stopped, look_up, report

GAME = "holdem.limit.3p"
#: Number of classes after the flop by win rate against the best 40 % of starting hands, and number of classes within
#: each by the spread of the win rate on later cards (flop, turn, river).
PARTS = ((20, 4), (20, 4), (40, 1))
#: Columns of those two among the features of a hand.
_RATE, _SPREAD = 1, 3
#: Boards that the class borders are estimated from, and boards in one step of the work.
_BORDERS, _CHUNK = 200, 25
#: Seconds between two saves of the solver, and deals before the first one.
_SAVE_SECONDS, _FIRST = 15.0, 100_000
_ACTIONS = (Action.fold(), Action.call(), None)


class SelfPlayed(msgspec.Struct, kw_only=True):
    """The result: the file, the number of hands, the solver's information sets, the share of decisions in sets that it
    never met, the button's first actions (shares of fold, call, raise), the shares of hands that reached a flop and a
    showdown, and seconds."""

    file: str
    hands: int
    iterations: int
    sets: int
    strange: float
    opening: dict[str, float]
    flops: float
    showdowns: float
    seconds: float


class Buckets:
    """The bucket of every hand on every board.

    Args:
        seed: of the boards that the class borders are estimated from.
    """

    def __init__(self, seed: int) -> None:
        self._table = load_win_rate_table(False)
        seen: list[list[Array]] = [[], [], []]
        for board in random_boards(_BORDERS, Rng(seed, 0)):
            free = (COMBO_MASK & np.uint64(mask_of(board))) == 0
            for street, one in enumerate(self._features(board)):
                seen[street].append(one[free])
        self._rates, self._spreads = [], []
        for street, (parts, finer) in enumerate(PARTS):
            rate, spread = np.concatenate(seen[street]).T
            borders = np.quantile(rate, np.arange(1, parts) / parts)
            part = np.searchsorted(borders, rate)
            self._rates.append(borders)
            finest = np.zeros((parts, finer - 1))
            for k in np.unique(part).tolist():  # win rates tie, so a class can be empty
                finest[k] = np.quantile(spread[part == k], np.arange(1, finer) / finer)
            self._spreads.append(finest)

    def _features(self, board: Array) -> Array:
        """``float32[3, 1326, 2]``: win rate and spread on flop, turn and river."""
        out = np.empty((3, COMBOS, 2), np.float32)
        features = np.empty((COMBOS, HAND_SIZE), np.float32)
        for street, n in enumerate((3, 4, 5)):
            hand_features_kernel(self._table, board_array(board[:n]), n, top_ranges(), features)
            out[street] = features[:, [_RATE, _SPREAD]]
        return out

    def of(self, board: Array) -> Array:
        """``uint8[3, 1326]``: the bucket of each hand on the flop, the turn and the river of a board ``uint8[5]``."""
        out = np.empty((3, COMBOS), np.uint8)
        for street, one in enumerate(self._features(board)):
            part = np.searchsorted(self._rates[street], one[:, 0])
            finer = (one[:, 1:] > self._spreads[street][part]).sum(axis=1)
            out[street] = part * PARTS[street][1] + finer
        return out

    def of_all(self, boards: Array, look: Progress) -> Array:
        """:meth:`of` for many boards, ``uint8[n, 3, 1326]``."""
        out = np.empty((len(boards), 3, COMBOS), np.uint8)
        for i, board in enumerate(boards):
            out[i] = self.of(board)
            report(look, i + 1, len(boards), "buckets of boards")
        return out


def random_boards(n: int, rng: Rng) -> Array:
    """``uint8[n, 5]``."""
    deck = np.arange(52)
    out = np.empty((n, 5), np.uint8)
    for i in range(n):
        for k in range(5):
            j = k + rng.below(52 - k)
            deck[k], deck[j] = deck[j], deck[k]
        out[i] = deck[:5]
    return out


def play_itself(
    out: str | Path, settings: SelfPlaySettings | None = None, *, resume: bool = False, progress: Progress | None = None
) -> SelfPlayed | None:
    """Solve three-player limit hold'em approximately (:class:`~dupai.cfr.LimitSolver`) and let the solution play
    against itself. The hands go to ``out``, an ACPC log with all cards (compressed if its name ends in ``.xz``).

    The solver's state is saved beside ``out`` every few seconds and when ``progress`` is cancelled (the function then
    returns None). With ``resume`` the same call continues from there and plays the same hands.

    Raises:
        FileError: the folder of ``out`` is missing, ``out`` cannot be written, or the saved state has other settings.
    """
    try:
        return _played(Path(out), settings or SelfPlaySettings(), resume, progress or NoProgress())
    except Stopped:
        return None
    except OSError as error:
        raise FileError(f"{out}: cannot be written: {error.strerror or error}", path=out) from None


def _played(target: Path, settings: SelfPlaySettings, resume: bool, look: Progress) -> SelfPlayed:
    from dupai.cfr import LimitSolver  # imported here: other readers of hands need no solver

    if not target.parent.is_dir():
        raise FileError(f"{target}: there is no such folder as {target.parent}", path=target)
    if target.is_dir():
        raise FileError(f"{target} is a folder: expected the name of a log to write", path=target)
    began = time.monotonic()
    spec = load_game(GAME)
    buckets = Buckets(settings.seed)
    boards = random_boards(settings.boards, Rng(settings.seed, 1))
    solver = LimitSolver(spec, boards, buckets.of_all(boards, look), settings.seed)
    solver_file = target.with_name(f"{target.name}.solver.npz")
    if resume and solver_file.exists():
        solver.load(solver_file)
        if solver.iterations > settings.iterations:
            raise ConfigError(
                f"{solver_file} has {solver.iterations:,} deals: expected at most {settings.iterations:,}"
            )
    deals = _FIRST
    while solver.iterations < settings.iterations:
        before, started = solver.iterations, time.monotonic()
        solver.solve(min(before + deals, settings.iterations), look, settings.iterations)
        deals = int((solver.iterations - before) * _SAVE_SECONDS / (time.monotonic() - started)) + 1
        with open_whole(solver_file, "wb") as file:
            solver.save(file)
        look_up(look)
    lines: list[str] = []
    totals = np.zeros(7)
    for first in range(0, settings.hands, _CHUNK):
        n = min(_CHUNK, settings.hands - first)
        these = random_boards(n, Rng(settings.seed, 2, first))
        played = solver.play(these, np.stack([buckets.of(b) for b in these]), settings.seed + 1 + first)
        for k in range(n):
            lines += write_acpc([_record(spec, played.hole[k], these[k], played.did[k], first + k, totals)])
        totals[:2] += played.decisions, played.strange
        totals[2:5] += (played.did[:, :1] == np.arange(3)).sum(axis=0)
        report(look, first + n, settings.hands, "hands")
    header = f"# name/game/hands/seed self-play {GAME}.game {settings.hands} {settings.seed}"
    text = "\n".join([header, *lines, ""]).encode()
    write_whole(target, lzma.compress(text) if target.suffix == ".xz" else text)
    solver_file.unlink(missing_ok=True)
    opening = dict(zip(("fold", "call", "raise"), (totals[2:5] / settings.hands).tolist(), strict=True))
    return SelfPlayed(
        file=str(target),
        hands=settings.hands,
        iterations=solver.iterations,
        sets=solver.sets,
        strange=float(totals[1] / totals[0]),
        opening=opening,
        flops=float(totals[5] / settings.hands),
        showdowns=float(totals[6] / settings.hands),
        seconds=time.monotonic() - began,
    )


def _record(spec: GameSpec, hole: Array, board: Array, did: Array, number: int, totals: Array) -> Any:
    """Replay a hand by the rules; ``totals`` counts whether it reached a flop and a showdown."""
    state = HandState(spec, hole.tolist(), board.tolist(), hand=number)
    for code in did[did >= 0].tolist():
        state.apply(_ACTIONS[code] or Action.raise_to(state.legal.min_to))
    totals[5] += state.street > 0
    totals[6] += state.showdown
    return state.record(["self-play"] * 3)
