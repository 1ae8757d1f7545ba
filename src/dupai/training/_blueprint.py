"""Blueprints, solved for so many minutes and written as one compact file."""

from __future__ import annotations

import math
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from dupai.base import ConfigError, Estimate, NoProgress, Progress
from dupai.base.files import from_plain, open_whole, read_toml_file
from dupai.base.text import nearest
from dupai.cfr import blueprint
from dupai.rules import GameSpec, load_game
from dupai.training._settings import BlueprintSettings
from dupai.training._sources import check_target
from dupai.training._stopped import look_up, stoppable

if TYPE_CHECKING:
    from dupai.jobs import Backend

GAMES_FILE = Path(__file__).with_name("blueprints.toml")
#: Seconds between two savings.
_SAVE_SECONDS = 15.0
#: Passes of a response, boards of the measurement at the end, and boards on which actions before the flop are valued.
_RESPONSE, _BOARDS, _VALUED = 600, 300, 1000
#: Buckets of a street at most: the number of a bucket is an int16.
MAX_BUCKETS = 32_767


class BlueprintGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game to solve, as ``blueprints.toml`` has them: a game of the house, the stacks, buckets on flop, turn and
    river, and the bets."""

    game: str
    buckets: tuple[int, int, int]
    menu: Any = None
    big_blinds: float | None = None

    def __post_init__(self) -> None:
        for i, k in enumerate(self.buckets):
            if not 1 <= k <= MAX_BUCKETS:
                raise ConfigError(f"buckets[{i}] = {k}: expected 1 to {MAX_BUCKETS}", key="buckets")
        if self.big_blinds is not None and not (math.isfinite(self.big_blinds) and self.big_blinds > 0):
            raise ConfigError(f"big_blinds = {self.big_blinds}: expected a finite number above 0", key="big_blinds")

    @property
    def spec(self) -> GameSpec:
        spec = load_game(self.game)
        if self.big_blinds is None:
            return spec
        chips = round(self.big_blinds * max(spec.blinds))
        return msgspec.structs.replace(spec, stacks=(chips,) * spec.players)


class TrainedBlueprint(msgspec.Struct, kw_only=True):
    """The result: the file, its size in bytes, its card (:class:`~dupai.cfr.blueprint.BlueprintCard`), and what
    learned responses win from it inside the abstraction, mbb/hand (None: not measured)."""

    file: str
    bytes: int
    card: Any
    gained: Estimate | None = None


def blueprint_games(path: Path = GAMES_FILE) -> dict[str, BlueprintGame]:
    """The games of a TOML file by name (default: those of the house).

    Raises:
        FileError: it cannot be read or is not that.
    """
    games: dict[str, BlueprintGame] = from_plain(
        read_toml_file(path, "recipe"), dict[str, BlueprintGame], f"games {str(path)!r}", path
    )
    return games


@stoppable
def train_blueprint(
    game: str,
    out: Path,
    settings: BlueprintSettings | None = None,
    *,
    games: Path | None = None,
    resume: bool = False,
    backend: Backend | str | None = None,
    progress: Progress | None = None,
) -> TrainedBlueprint:
    """Solve a game in an abstraction and write the strategy: heads-up by :class:`~dupai.cfr.blueprint.BlueprintSolver`,
    with more players by :class:`~dupai.cfr.blueprint.TableSolver`.

    The solver is saved beside ``out`` every 15 seconds (with a backend after every stage of 120 seconds) and when
    ``progress`` is cancelled (the function then returns None); with ``resume`` the same call continues from there.

    Args:
        game: a name in ``games``, a TOML file (default: the games of the house).
        backend: heads-up: ``settings.jobs`` solvers at once, in processes or on a cluster, whose strategies are
            averaged (:class:`~dupai.cfr.blueprint.JointSolver`); None: one solver in this process, in as many threads.

    Raises:
        ConfigError: there is no such game or backend, or one for a table. FileError: a file cannot be read or written,
            or is of other settings.
    """
    known = blueprint_games(GAMES_FILE if games is None else games)
    if game not in known:
        raise ConfigError(f"game {game!r}: {nearest(game, known)}", key="game")
    return _trained(game, known[game], out, settings or BlueprintSettings(), resume, backend, progress or NoProgress())


def _trained(
    name: str, game: BlueprintGame, out: Path, settings: BlueprintSettings, resume: bool, backend: Backend | str | None,
    look: Progress,
) -> TrainedBlueprint:  # fmt: skip
    from dupai.jobs import make_backend

    check_target(out)
    menu: blueprint.BetMenu = from_plain(game.menu or {}, blueprint.BetMenu, f"menu of {name!r}")
    spec = game.spec
    blueprint.check_blueprint_game(spec)
    if backend is not None and spec.players > 2:
        raise ConfigError(f"backend {backend!r} for {spec.players} players: expected local, on one core", key="backend")
    place = make_backend(backend, settings.jobs) if isinstance(backend, str) else backend
    buckets = blueprint.learn_buckets(game.buckets, settings.seed, look)
    look_up(look)
    if spec.players == 2 and place is not None:
        solver: blueprint.BlueprintSolver | blueprint.TableSolver = blueprint.JointSolver(
            spec, menu, buckets, settings.seed, settings.jobs, place
        )
    elif spec.players == 2:
        solver = blueprint.BlueprintSolver(spec, menu, buckets, settings.seed, settings.jobs)
    else:
        solver = blueprint.TableSolver(spec, menu, buckets, settings.seed)
    work = out.with_name(f"{out.name}.work")
    if resume and work.exists():
        solver.load(work)
    limit = 60 * settings.minutes
    while solver.passes < settings.passes and solver.seconds < limit:
        until = min(limit, solver.seconds + _SAVE_SECONDS)
        shown = _Minutes(look, solver, limit)
        if isinstance(solver, blueprint.JointSolver):
            solver.go_on(settings.passes, min(limit, solver.seconds + solver.stage), shown)
        else:
            solver.solve(settings.passes, shown, lambda until=until: solver.seconds >= until)  # type: ignore[misc]
        with open_whole(work, "wb") as file:
            solver.save(file)
        look_up(look)
    measured = solver.measure(_RESPONSE, _BOARDS, look) if settings.measure else None
    look_up(look)
    cores = "one core" if settings.jobs == 1 or spec.players > 2 else f"{settings.jobs} cores"
    if backend is not None:
        cores = f"{cores}, a solver on each, averaged"
    card = blueprint.BlueprintCard(
        name=name, game=spec, menu=menu, buckets=buckets.counts, nodes=solver.nodes,
        entries=solver.entries, passes=solver.passes, seconds=round(solver.seconds, 1), seed=settings.seed,
        tremble=solver.tremble if isinstance(solver, blueprint.BlueprintSolver) else 0.0,
        machine=f"{cores} of {platform.machine()}", measured=measured,
    )  # fmt: skip
    arrays, openings = solver.arrays(), None
    if settings.measure and spec.players == 2:
        plan = blueprint.StoredBlueprint(card, buckets, arrays["chances"])
        openings = plan.opening_values(_VALUED, jobs=settings.jobs, progress=look)
        look_up(look)
    # It refuses a file that could not be read; the solver's own then stays.
    size = blueprint.save_blueprint(out, arrays, card, openings)
    work.unlink(missing_ok=True)
    return TrainedBlueprint(
        file=str(out),
        bytes=size,
        card=msgspec.to_builtins(card),
        gained=None if measured is None else measured.exploitability,
    )


class _Minutes(NoProgress):
    """Shows the time that is spent: nobody knows how many boards it will be."""

    def __init__(self, look: Progress, solver: blueprint.BlueprintSolver | blueprint.TableSolver, limit: float) -> None:
        self._look, self._solver, self._limit = look, solver, limit

    @property
    def cancelled(self) -> bool:
        return self._look.cancelled

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self._look.report(min(self._solver.seconds, self._limit), self._limit, f"{done:,.0f} boards")
