"""Hands that an approximate equilibrium plays against itself, to begin the training of limit networks with."""

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
from dupai.training._stopped import Stopped, look_up, report

GAME = "holdem.limit.3p"
#: Hands after the flop fall into so many parts by win rate against the best 40 % of starting hands, each of these into
#: so many by how much the win rate still moves (flop, turn, river).
PARTS = ((20, 4), (20, 4), (40, 1))
#: Columns of those two among the features of a hand.
_RATE, _SPREAD = 1, 3
#: Boards that the borders of the parts are taken from, and boards in a step of the work.
_BORDERS, _CHUNK = 200, 25
#: Deals after which the solver is kept.
_KEPT = 1_000_000
_ACTIONS = (Action.fold(), Action.call(), None)


class SelfPlaySettings(msgspec.Struct, frozen=True, kw_only=True):
    """How to solve and play.

    Attributes:
        hands: how many are played.
        iterations: deals of the solver, each walked once for every player.
        boards: different boards that these deals have.
        seed: of everything drawn.
    """

    hands: int = 40_000
    iterations: int = 20_000_000
    boards: int = 3000
    seed: int = 1


class SelfPlayed(msgspec.Struct, kw_only=True):
    """What was played: the file, hands, information sets of the solver, share of decisions in sets that it had never
    met, first actions of the button (shares of fold, call, raise), shares of hands that saw a flop and a showdown, and
    seconds."""

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
        seed: of the boards that the borders are taken from.
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
            for k in np.unique(part).tolist():  # rates tie, so parts can be empty
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
        """The same of many boards, ``uint8[n, 3, 1326]``."""
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
    """Solve three-player limit hold'em approximately (:class:`~dupai.cfr.LimitSolver`) and write hands that the
    result plays against itself to ``out``, an ACPC log with all cards (packed where the name ends in ``.xz``).

    The solver is kept beside ``out`` every million deals and when ``progress`` is cancelled (then None is returned);
    with ``resume`` the same call goes on from there, to the same hands.

    Raises:
        FileError: there is no folder for ``out``, it cannot be written, or what was kept is of other settings.
    """
    try:
        return _played(Path(out), settings or SelfPlaySettings(), resume, progress or NoProgress())
    except Stopped:
        return None
    except OSError as error:
        raise FileError(f"{out}: cannot be written: {error.strerror or error}", path=out) from None


def _played(target: Path, given: SelfPlaySettings, resume: bool, look: Progress) -> SelfPlayed:
    from dupai.cfr import LimitSolver  # nobody else who reads hands needs a solver

    if not target.parent.is_dir():
        raise FileError(f"{target}: there is no such folder as {target.parent}", path=target)
    if target.is_dir():
        raise FileError(f"{target} is a folder: expected the name of a log to write", path=target)
    began = time.time()
    spec = load_game(GAME)
    buckets = Buckets(given.seed)
    boards = random_boards(given.boards, Rng(given.seed, 1))
    solver = LimitSolver(spec, boards, buckets.of_all(boards, look), given.seed)
    kept = target.with_name(f"{target.name}.solver.npz")
    if resume and kept.exists():
        solver.load(kept)
        if solver.iterations > given.iterations:
            raise ConfigError(f"{kept} has {solver.iterations:,} deals: expected at most {given.iterations:,}")
    while solver.iterations < given.iterations:
        solver.solve(min(solver.iterations + _KEPT, given.iterations), look, given.iterations)
        with open_whole(kept, "wb") as file:
            solver.save(file)
        look_up(look)
    lines: list[str] = []
    told = np.zeros(7)
    for first in range(0, given.hands, _CHUNK):
        n = min(_CHUNK, given.hands - first)
        these = random_boards(n, Rng(given.seed, 2, first))
        played = solver.play(these, np.stack([buckets.of(b) for b in these]), given.seed + 1 + first)
        for k in range(n):
            lines += write_acpc([_record(spec, played.hole[k], these[k], played.did[k], first + k, told)])
        told[:2] += played.decisions, played.strange
        told[2:5] += (played.did[:, :1] == np.arange(3)).sum(axis=0)
        report(look, first + n, given.hands, "hands")
    header = f"# name/game/hands/seed self-play {GAME}.game {given.hands} {given.seed}"
    text = "\n".join([header, *lines, ""]).encode()
    write_whole(target, lzma.compress(text) if target.suffix == ".xz" else text)
    kept.unlink(missing_ok=True)
    opening = dict(zip(("fold", "call", "raise"), (told[2:5] / given.hands).tolist(), strict=True))
    return SelfPlayed(
        file=str(target),
        hands=given.hands,
        iterations=solver.iterations,
        sets=solver.sets,
        strange=float(told[1] / told[0]),
        opening=opening,
        flops=float(told[5] / given.hands),
        showdowns=float(told[6] / given.hands),
        seconds=time.time() - began,
    )


def _record(spec: GameSpec, hole: Array, board: Array, did: Array, number: int, told: Array) -> Any:
    """A hand played by the rules; counted in ``told`` whether it saw a flop and a showdown."""
    state = HandState(spec, hole.tolist(), board.tolist(), hand=number)
    for code in did[did >= 0].tolist():
        state.apply(_ACTIONS[code] or Action.raise_to(state.legal.min_to))
    told[5] += state.street > 0
    told[6] += state.showdown
    return state.record(["self-play"] * 3)
