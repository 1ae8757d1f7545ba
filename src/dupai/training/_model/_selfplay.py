"""Self-play of an approximate equilibrium: the first training hands of limit networks."""

from __future__ import annotations

import lzma
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from dupai.base import ConfigError, NoProgress, NotCovered, Progress, Rng
from dupai.base.files import disk_faults, open_whole, write_whole
from dupai.cards import combo
from dupai.notation import write_acpc
from dupai.rules import FOLD, RAISE, Action, HandState, load_game
from dupai.spots import spots
from dupai.training._settings import SelfPlaySettings
from dupai.training._sources import check_target
from dupai.training._stopped import look_up, report, stoppable

if TYPE_CHECKING:
    from dupai.cfr.blueprint import TableBlueprint

GAME = "holdem.limit.3p"
#: Card buckets on flop, turn and river.
BUCKETS = (80, 80, 40)
#: Deals of the solver on one board, and hands that are played on one flop, whose buckets take longest.
_DEALS, _HANDS = 96, 4
_SAVE_SECONDS = 15.0


class SelfPlayed(msgspec.Struct, kw_only=True):
    """The result: the file, the number of hands, the solver's deals and the situations that it met, the share of
    decisions in situations that it never met, the button's first actions (shares of fold, call, raise), the shares of
    hands that reached a flop and a showdown, and seconds."""

    file: str
    hands: int
    iterations: int
    situations: int
    strange: float
    opening: dict[str, float]
    flops: float
    showdowns: float
    seconds: float


@stoppable
def play_itself(
    out: str | Path, settings: SelfPlaySettings | None = None, *, resume: bool = False, progress: Progress | None = None
) -> SelfPlayed:
    """Solve three-player limit hold'em approximately (:class:`~dupai.cfr.blueprint.TableSolver`) and let the
    solution play against itself.

    The hands go to ``out``, an ACPC log with all cards (compressed if its name ends in ``.xz``).

    The solver's state is saved beside ``out`` every few seconds and when ``progress`` is cancelled (the function then
    returns None). With ``resume`` the same call continues from there and plays the same hands.

    Raises:
        FileError: the folder of ``out`` is missing, ``out`` cannot be written, or the saved state has other settings.
    """
    with disk_faults(f"{out}: cannot be written", out):
        return _played(Path(out), settings or SelfPlaySettings(), resume, progress or NoProgress())


def _played(target: Path, settings: SelfPlaySettings, resume: bool, look: Progress) -> SelfPlayed:
    # imported here: other readers of hands need no solver
    from dupai.cfr.blueprint import BetMenu, BlueprintCard, TableBlueprint, TableSolver, learn_buckets

    check_target(target, "log")
    began = time.monotonic()
    spec, menu, boards = load_game(GAME), BetMenu(), -(-settings.iterations // _DEALS)
    buckets = learn_buckets(BUCKETS, settings.seed, look)
    look_up(look)
    solver = TableSolver(spec, menu, buckets, settings.seed)
    solver_file = target.with_name(f"{target.name}.solver.npz")
    if resume and solver_file.exists():
        solver.load(solver_file)
        if solver.passes > boards:
            raise ConfigError(f"{solver_file} has {solver.hands:,} deals: expected at most {boards * _DEALS:,}")
    while solver.passes < boards:
        until = solver.seconds + _SAVE_SECONDS
        solver.solve(boards, look, lambda until=until: solver.seconds >= until)  # type: ignore[misc]
        with open_whole(solver_file, "wb") as file:
            solver.save(file)
        look_up(look)
    card = BlueprintCard(
        game=spec, menu=menu, buckets=buckets.counts, nodes=solver.nodes, entries=solver.entries, passes=solver.passes,
        seconds=solver.seconds, seed=settings.seed,
    )  # fmt: skip
    table = _SelfPlay(TableBlueprint(card, buckets, solver.arrays()), settings.seed)
    lines: list[str] = []
    for number in range(settings.hands):
        lines += write_acpc([table.play(number).record(["self-play"] * 3)])
        report(look, number + 1, settings.hands, "hands")
    header = f"# name/game/hands/seed self-play {GAME}.game {settings.hands} {settings.seed}"
    text = "\n".join([header, *lines, ""]).encode()
    write_whole(target, lzma.compress(text) if target.suffix == ".xz" else text)
    solver_file.unlink(missing_ok=True)
    return SelfPlayed(
        file=str(target),
        hands=settings.hands,
        iterations=solver.hands,
        situations=solver.nodes,
        strange=table.strange / table.decisions,
        opening={word: n / settings.hands for word, n in table.opening.items()},
        flops=table.flops / settings.hands,
        showdowns=table.showdowns / settings.hands,
        seconds=time.monotonic() - began,
    )


class _SelfPlay:
    """Hands in which everybody plays one strategy, and what happens in them."""

    def __init__(self, plan: TableBlueprint, seed: int) -> None:
        self._plan, self._seed = plan, seed
        self.decisions, self.strange, self.flops, self.showdowns = 0, 0, 0, 0
        self.opening = {"fold": 0, "call": 0, "raise": 0}

    def play(self, number: int) -> HandState:
        """Play a hand to its end; in situations that the strategy does not know everybody checks or calls."""
        deck = list(range(52))
        # The flop is that of a few hands in a row: the strategy remembers its buckets.
        Rng(self._seed, 2, number // _HANDS).shuffle(deck)
        rest, rng = deck[3:], Rng(self._seed, 3, number)
        rng.shuffle(rest)
        state = HandState(self._plan.card.game, [rest[:2], rest[2:4], rest[4:6]], deck[:3] + rest[6:8], hand=number)
        while not state.finished:
            actor, action = state.actor, Action.call()
            try:
                policy = self._plan.policy(spots(state.view(actor))[-1])
                action = policy.of(combo(*state.hole[actor])).sample(rng)
            except NotCovered:
                self.strange += 1
            if not state.view(actor).actions:
                self.opening["fold" if action.kind == FOLD else "raise" if action.kind == RAISE else "call"] += 1
            self.decisions += 1
            state.apply(action)
        self.flops += state.street > 0
        self.showdowns += state.showdown
        return state
