"""The registry of formats of play: one line each. The command, the Python call, what a results file holds and
``--json`` follow from it; loading this list loads no format."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from dupai.base import HistoryError
from dupai.base.files import file_faults

if TYPE_CHECKING:
    from dupai.arena._format import Format
    from dupai.arena._store import RunInfo, Store


class FormatEntry(NamedTuple):
    """Where the arena describes a format (``module:NAME``), and what it is in few words."""

    place: str
    summary: str

    def load(self) -> Format[Any, Any]:
        """The format itself."""
        module, _, name = self.place.partition(":")
        format: Format[Any, Any] = getattr(import_module(f"dupai.arena.{module}"), name)
        return format


#: By the name of the command.
FORMATS: dict[str, FormatEntry] = {
    "match": FormatEntry("_match:MATCH", "Who wins how much, stacks reset every hand."),
    "tournament": FormatEntry("_tournament:TOURNAMENT", "Many matches until one player has all chips."),
    "cash": FormatEntry("_cash:CASH", "Cash sessions with rebuys and top-ups."),
    "sprt": FormatEntry("_sprt:SPRT", "Is one agent better than another? Play until it is clear."),
    "ladder": FormatEntry("_ladder:LADDER", "Everyone against everyone, with ratings."),
    "exploit": FormatEntry("_exploit:EXPLOIT", "How far can an agent be exploited? Local best response."),
    "rollout": FormatEntry("_rollout:ROLLOUT", "Where an agent gives chips away: other actions played out."),
}


def load_format(name: str) -> Format[Any, Any]:
    """A format by its name.

    Raises:
        HistoryError: there is none.
    """
    if name not in FORMATS:
        raise HistoryError(f"format {name!r} is not known: expected {', '.join(FORMATS)}", key="kind", text=name)
    return FORMATS[name].load()


def unfinished(store: Store, run: RunInfo) -> Any:
    """The result so far of a run that is not finished, marked as ``partial``; begun units count as far as their last
    checkpoint, where the format counts such. No agents are made."""
    import msgspec

    with file_faults(store.run_place(run.id), store.file):
        format = load_format(run.kind)
        config, entrants, units = _so_far(store, run)
        result = format.summary(config, [units[k] for k in sorted(units)], entrants)
        return msgspec.structs.replace(result, partial=True)


def units_so_far(store: Store, run: RunInfo) -> dict[int, Any]:
    """The units of a run as JSON has them, by number; of one that is not finished, begun ones as in
    :func:`unfinished`."""
    import msgspec

    if run.finished is not None:
        return store.blocks(run.id)
    with file_faults(store.run_place(run.id), store.file):
        units = _so_far(store, run)[2]
    return {k: u.to_builtins() if hasattr(u, "to_builtins") else msgspec.to_builtins(u) for k, u in units.items()}


def _so_far(store: Store, run: RunInfo) -> tuple[Any, tuple[Any, ...], dict[int, Any]]:
    """The config of a run, who takes part, and the units that it has by now."""
    from dataclasses import replace

    import msgspec

    from dupai.arena._entrants import named_entrants

    with file_faults(store.run_place(run.id), store.file):
        format = load_format(run.kind)
        config = msgspec.convert(run.config, format.config)
        entrants = named_entrants(config.agents, config.labels)
        tasks = format.tasks(entrants, config)
        if len(tasks) != run.blocks:
            # Agents that were given as factories are not known by name. Blocks of hands are units of work only where
            # everybody is stateless.
            entrants = tuple(replace(e, stateless=True) for e in entrants)
            tasks = format.tasks(entrants, config)
        units = {k: format.read_unit(data) for k, data in store.blocks(run.id).items()}
        if format.begun is not None:
            begun = {k: data for k, data in store.checkpoints(run.id).items() if k not in units}
            units |= {k: format.begun(tasks[k], data) for k, data in begun.items()}
        return config, entrants, dict(sorted(units.items()))
