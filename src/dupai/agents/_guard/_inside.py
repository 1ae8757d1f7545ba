"""In the process of an agent of another package: functions that are called from the other side, about one agent."""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from dupai.agents._advise import advise as advice_of
from dupai.agents._capabilities import Capabilities, capabilities
from dupai.agents._notes import HasNotes
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.agents._registry import make_agent
from dupai.base import Rng
from dupai.notation import Reason
from dupai.rules import STATE_DTYPE, Action, GameSpec, HandRecord, View
from dupai.spots import ActionDistribution

#: The kinds of fall-back noted since the last answer, and the state of the random numbers.
Noted = Annotated[tuple[Reason, ...], Meta(max_length=50)]
State = Annotated[bytes, Meta(min_length=32, max_length=32)]

_PLAIN = ("seats", "hand", "actor", "street", "_legal", "position")


class Seen(msgspec.Struct, array_like=True):
    """A view (the game only where it is new) and the state of the random numbers."""

    spec: GameSpec | None
    state: bytes
    actions: list[tuple[int, int, int, int]]
    plain: tuple[tuple[int, ...], int, int, int, tuple[int, int, int, int], int | None]
    rng: bytes

    @classmethod
    def of(cls, view: View, spec: GameSpec | None, rng: bytes) -> Seen:
        """The message for a process that was sent the game ``spec`` last."""
        actions = [(street, position, *action) for street, position, action in view.actions]
        plain: Any = tuple([getattr(view, key) for key in _PLAIN])
        return cls(None if view.spec is spec else view.spec, view.state.tobytes(), actions, plain, rng)

    def view(self) -> View:
        """The view, in the other process."""
        global _spec
        view = View.__new__(View)
        view.spec = _spec = self.spec or _spec
        view.derived = {}
        view.state = np.frombuffer(bytearray(self.state), STATE_DTYPE)
        view.actions = tuple([(street, position, Action(kind, to)) for street, position, kind, to in self.actions])
        for key, value in zip(_PLAIN, self.plain, strict=True):
            setattr(view, key, value)
        return view


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
_spec: Any = None


def make(spec: str) -> Capabilities:
    """Make the agent."""
    global _agent, _counts
    _agent, _counts = make_agent(spec), {}
    return capabilities(_agent)


def start(match: MatchInfo) -> None:
    """``Agent.start``, and so on."""
    _agent.start(match)


def begin(seen: Seen) -> None:
    _agent.begin(seen.view())


def act(seen: Seen) -> Acted:
    view, rng = seen.view(), Rng.from_state(np.frombuffer(seen.rng, np.uint64))
    answer, sent = _agent.act(view, rng), None
    if isinstance(answer, Action):
        with suppress(TypeError):
            sent = Action(int(operator.index(answer.kind)), int(operator.index(answer.to)))
    changed = view.state.tobytes() != seen.state
    return Acted(repr(answer)[:200] if sent is None else sent, changed, rng.state.tobytes(), _noted())


def policy(seen: Seen) -> tuple[ActionDistribution, Noted]:
    return _agent.policy(seen.view()), _noted()


def advise(seen: Seen) -> Advised:
    rng = Rng.from_state(np.frombuffer(seen.rng, np.uint64))
    advice = advice_of(_agent, seen.view(), rng)
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
