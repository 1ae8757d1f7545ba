"""What a run that is not finished comes to so far, from what its results file holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from dupai.agents import agent_info, agent_names
from dupai.arena._cash import CashConfig, CashResult, CashSession, CashTask, cash_result, session_so_far
from dupai.arena._entrants import Entrant
from dupai.arena._ladder import LadderConfig, LadderResult, ladder_result, table_config
from dupai.arena._match import match_tasks
from dupai.arena._match_result import match_result
from dupai.arena._results import MatchConfig, MatchResult, TournamentConfig, TournamentMatch, TournamentResult
from dupai.arena._rollout import RolloutConfig, RolloutMatch, RolloutResult, rollout_result
from dupai.arena._seating import Seating, SeatingTask, seating_so_far
from dupai.arena._sprt import SprtConfig, SprtResult, sprt_result, sprt_tasks
from dupai.arena._store import RunInfo, Store
from dupai.arena._tournament import tournament_result

Result = MatchResult | TournamentResult | LadderResult | SprtResult | CashResult | RolloutResult


def unfinished(store: Store, run: RunInfo) -> Result:
    """The result of a run with what is done of it, marked as ``partial``; units of work that are begun count as far as
    their last checkpoint, where the kind of run counts such. Agents are not made."""
    done = store.blocks(run.id)
    begun = {k: data for k, data in store.checkpoints(run.id).items() if k not in done}
    if run.kind == "tournament":
        config = msgspec.convert(run.config, TournamentConfig)
        found = [msgspec.convert(data, TournamentMatch) for data in done.values()]
        return tournament_result(config, found, _reproducible(config.agents))
    if run.kind == "rollout":
        tried = msgspec.convert(run.config, RolloutConfig)
        played = [msgspec.convert(data, RolloutMatch) for data in done.values()]
        return rollout_result(tried, played, _reproducible(tried.agents))
    if run.kind == "cash":
        cash = msgspec.convert(run.config, CashConfig)
        entrants = _entrants(cash.agents, cash.labels)
        sessions = {k: msgspec.convert(data, CashSession) for k, data in done.items()}
        sessions |= {k: session_so_far(CashTask(entrants, cash, k), data) for k, data in begun.items()}
        return cash_result(cash, [sessions[k] for k in sorted(sessions)], _reproducible(cash.agents))
    if run.kind == "ladder":
        ladder = msgspec.convert(run.config, LadderConfig)
        everybody = _entrants(ladder.agents, ladder.labels)
        if not all(e.stateless for e in everybody):
            everybody = tuple(replace(e, stateless=False) for e in everybody)
        tasks = [
            task
            for t, seats in enumerate(ladder.tables)
            for task in match_tasks([everybody[i] for i in seats], table_config(ladder, t), t)
        ]
        # Tables of stateless agents among others are played in blocks, too: what is written says where it belongs.
        return _partial(ladder_result(ladder, everybody, _played(tasks, done, {})))
    if run.kind == "sprt":
        test = msgspec.convert(run.config, SprtConfig)
        both = _entrants(test.agents, test.labels)
        pairs = _played(sprt_tasks(both, test), done, {})
        return _partial(sprt_result(both, test, list(zip(sorted(done), (s for _, s in pairs), strict=True))))
    match = msgspec.convert(run.config, MatchConfig)
    players = _entrants(match.agents, match.labels)
    return _partial(match_result(players, match, _played(match_tasks(players, match), done, begun)))


R = TypeVar("R", MatchResult, LadderResult, SprtResult)


def _partial(result: R) -> R:
    """A run that is not finished is partial, whatever was played."""
    return msgspec.structs.replace(result, partial=True)


def _entrants(specs: Sequence[str], labels: Sequence[str]) -> tuple[Entrant, ...]:
    found = []
    for spec, label in zip(specs, labels, strict=True):
        name = spec.partition(":")[0].strip()
        info = agent_info(name) if name in agent_names() else None
        found.append(Entrant(label, spec, None, info is not None and info.stateless, info is None or info.reproducible))
    return tuple(found)


def _reproducible(specs: Sequence[str]) -> bool:
    return all(e.reproducible for e in _entrants(specs, specs))


def _played(
    tasks: Sequence[SeatingTask], done: dict[int, Any], begun: dict[int, bytes]
) -> list[tuple[SeatingTask, Seating]]:
    """Seatings with their tasks, in the order of their numbers."""
    played = []
    for number in sorted({*done, *begun}):
        if number in done:
            seating = Seating.from_builtins(done[number])
            task = replace(
                tasks[0],
                config=tasks[0].config,
                rotation=seating.rotation,
                match=seating.match,
                start=seating.start,
                stop=seating.start + len(seating.payoffs),
                table=seating.table,
            )
        else:
            task = tasks[number]
            seating = seating_so_far(task.config, task, begun[number])
        played.append((task, seating))
    return played
