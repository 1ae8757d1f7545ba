"""A format of play: what one is, and how any of them is played, stopped, kept and taken up again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import msgspec

from dupai.arena._entrants import AgentSource, Entrant, PlayTask, names_of
from dupai.arena._keys import announce_key
from dupai.arena._results import PlayResult
from dupai.arena._settings import PlaySettings, made_settings
from dupai.arena._store import RunLog, Store
from dupai.base import ConfigError, Progress
from dupai.jobs import Backend, Pulse, stream
from dupai.rules import GameSpec

C = TypeVar("C", bound=PlaySettings)
R = TypeVar("R", bound=PlayResult)


@dataclass(frozen=True)
class MatchTask(PlayTask):
    """All it takes to play match number ``match`` of a run."""

    match: int

    @property
    def size(self) -> int:
        """How many hands it takes at most."""
        return int(self.config.hands)

    @property
    def name(self) -> str:
        """The name of the work in messages."""
        return f"match {self.match} of {' v '.join(self.config.labels)}"


@dataclass(frozen=True)
class Format(Generic[C, R]):
    """One format of play.

    Attributes:
        name: of the command, and of runs in a results file.
        settings: what a user sets (:class:`PlaySettings`).
        config: the settings once they are checked, as results carry them.
        result: what it all comes to, with the attribute ``partial``.
        unit: the result of one task: a msgspec struct, or a class with ``to_builtins`` and ``from_builtins``.
        work: plays one task.
        plan: agents and settings, checked: who takes part, and the config.
        tasks: the units of work of a config.
        summary: the result of units, however many of them there are; with the entrants.
        hands: how many hands there are, where progress counts hands; None: it counts units.
        begun: a unit from the checkpoint of its task, for :func:`unfinished`.
        run: plays it as :func:`play_format` does, where that is not enough.
        lines: rows of CSV from the config and the units as JSON has them; the first row is the heading.
    """

    name: str
    settings: type[PlaySettings]
    config: type[C]
    result: type[R]
    unit: Any
    work: Callable[[Any, Pulse], Any]
    plan: Callable[[Sequence[AgentSource], Any], tuple[tuple[Entrant, ...], C]]
    tasks: Callable[[Sequence[Entrant], C], Sequence[Any]]
    summary: Callable[[C, Sequence[Any], Sequence[Entrant]], R]
    lines: Callable[[Mapping[str, Any], Iterable[Any]], Iterable[tuple[Any, ...]]]
    hands: Callable[[C], int] | None = None
    begun: Callable[[Any, bytes], Any] | None = None
    run: Callable[..., R] | None = None

    def read_unit(self, data: Any) -> Any:
        """A unit from what a results file holds."""
        made = getattr(self.unit, "from_builtins", None)
        return msgspec.convert(data, self.unit) if made is None else made(data)

    def log(
        self, store: Store | None, entrants: Sequence[Entrant], config: C, key: str = ""
    ) -> tuple[RunLog | None, C, Sequence[Any]]:
        """The run in a results file, the config with the key of that run, and the tasks with where to save their
        state. The hash of the key is told before anything is dealt.

        Raises:
            ConfigError: the run has another key than the user's ``key`` (empty: they gave none).
        """
        log, tasks = None, self.tasks(entrants, config)
        if store is not None:
            log = store.log(self.name, config, len(tasks), self.read_unit)
            if key and key != log.key:
                raise ConfigError(f"--key: run {log.run} of {store.file!r} has another key: leave out --key", key="key")
            config = msgspec.structs.replace(config, key=log.key)
            tasks = [
                replace(task, checkpoint=log.checkpoint(k)) if getattr(task, "checkpoints", False) else task
                for k, task in enumerate(self.tasks(entrants, config))
            ]
        announce_key(config)
        return log, config, tasks


def play_format(
    format: Format[C, R],
    agents: Sequence[AgentSource],
    settings: PlaySettings | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
    backend: Backend | str | None = None,
    store: Store | None = None,
    **options: Any,
) -> R:
    """Play a format.

    Args:
        agents: specs, or factories that make a new agent each time they are called (every match gets fresh ones).
        settings: of the format.
        jobs: how many worker processes (1: this process). Equal seeds give equal results for any number.
        progress: receives hands or units done; when it is cancelled, the result is of what was played.
        backend: where to play (:func:`dupai.jobs.make_backend`), instead of ``jobs``.
        store: a results file that takes units as they are done, and gives those of the run that it resumes.
        options: fields of the settings.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
        WorkerError: a worker process died again and again.
    """
    place: dict[str, Any] = {"jobs": jobs, "progress": progress, "backend": backend, "store": store}
    if format.run is not None:
        return format.run(agents, settings, **place, **options)
    made = made_settings(format.settings, settings, options)
    return play_planned(format, *format.plan(agents, made), made.key, **place)


def play_planned(
    format: Format[C, R],
    entrants: Sequence[Entrant],
    config: C,
    key: str = "",
    *,
    store: Store | None = None,
    **place: Any,
) -> R:
    """Play a format that is planned, with the ``key`` of its settings; arguments as for :func:`play_format`."""
    log, config, tasks = format.log(store, entrants, config, key)
    steps = None if format.hands is None else format.hands(config)
    played = stream(format.work, tasks, note="hands", steps=steps, keeper=log, **place)
    units = {index: unit for index, unit in played if unit is not None}
    with nullcontext() if log is None else log.summing_up():
        result = format.summary(config, [units[index] for index in sorted(units)], entrants)
    if log is not None and not result.partial:
        log.finish(result)
    return result


def played_with(entrants: Sequence[Entrant], spec: GameSpec, key: str) -> dict[str, Any]:
    """The fields of a config that the agents, the game and the ``key`` of the settings settle."""
    return {**names_of(entrants, key), "game": spec, "blinds": msgspec.UNSET, "stack": msgspec.UNSET}
