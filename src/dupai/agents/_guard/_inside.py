"""In the process of an agent of another package: functions that are called from the other side, about one agent."""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from dupai.agents._capabilities import Capabilities, capabilities
from dupai.agents._notes import HasNotes
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.agents._registry import make_agent
from dupai.base import Rng
from dupai.notation import Reason
from dupai.rules import Action, HandRecord, SentView
from dupai.spots import ActionDistribution

#: The kinds of fall-back noted since the last answer, and the state of the random numbers.
Noted = Annotated[tuple[Reason, ...], Meta(max_length=50)]
State = Annotated[bytes, Meta(min_length=32, max_length=32)]


class Acted(msgspec.Struct, array_like=True):
    """An action, or what was answered instead in words; whether the view was written to."""

    action: Action | str
    changed: bool
    rng: State
    notes: Noted


class Advised(Advice, frozen=True, kw_only=True):
    """An :class:`Advice`, with the state of the random numbers; a raise between two totals has three numbers."""

    actions: tuple[tuple[int | float, ...], ...]  # type: ignore[assignment]
    rng: State
    notes: Noted


_agent: Any = BaseAgent()
_counts: dict[str, int] = {}


def make(spec: str) -> Capabilities:
    """Make the agent."""
    global _agent, _counts
    _agent, _counts = make_agent(spec), {}
    return capabilities(_agent)


def start(match: MatchInfo) -> None:
    """``Agent.start``, and so on."""
    _agent.start(match)


def begin(seen: SentView) -> None:
    _agent.begin(seen.view())


def act(seen: SentView, state: State) -> Acted:
    view, rng = seen.view(), Rng.from_state(np.frombuffer(state, np.uint64))
    answer, sent = _agent.act(view, rng), None
    if isinstance(answer, Action):
        with suppress(TypeError):
            sent = Action(int(operator.index(answer.kind)), int(operator.index(answer.to)))
    changed = view.state.tobytes() != seen.state
    return Acted(repr(answer)[:200] if sent is None else sent, changed, rng.state.tobytes(), _noted())


def policy(seen: SentView) -> tuple[ActionDistribution, Noted]:
    return _agent.policy(seen.view()), _noted()


def advise(seen: SentView, state: State) -> Advised:
    rng = Rng.from_state(np.frombuffer(state, np.uint64))
    # What is wrong with it is said on the other side, which trusts nothing from here.
    advice = _agent.advise(seen.view(), rng)
    return Advised(**msgspec.structs.asdict(advice), rng=rng.state.tobytes(), notes=_noted())


def observe(record: HandRecord) -> None:
    _agent.observe(record)


def end(record: HandRecord) -> None:
    _agent.end(record)


def save() -> bytes:
    data: bytes = _agent.save()
    return data


def load(data: bytes) -> None:
    _agent.load(data)


def close() -> None:
    _agent.close()


def _noted() -> Noted:
    global _counts
    if not isinstance(_agent, HasNotes):
        return ()
    notes, before = _agent.notes, _counts
    _counts = dict(notes.counts)
    return tuple(notes.last[code] for code, n in notes.counts.items() if n > before.get(code, 0))
