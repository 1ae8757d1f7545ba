"""Views as they are sent to another process: a tenth of the time that it takes to pickle one."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from dupai.rules._actions import Action
from dupai.rules._layout import STATE_DTYPE
from dupai.rules._spec import GameSpec
from dupai.rules._state import View

_PLAIN = ("seats", "hand", "actor", "street", "_legal", "position")


#: The game that this process was sent last.
_spec: Any = None


class SentView(msgspec.Struct, array_like=True):
    """A view; the game only where it is new."""

    spec: GameSpec | None
    state: bytes
    actions: list[tuple[int, int, int, int]]
    plain: tuple[tuple[int, ...], int, int, int, tuple[int, int, int, int], int | None]

    @classmethod
    def of(cls, view: View, spec: GameSpec | None) -> SentView:
        """The message for a process that was sent the game ``spec`` last."""
        actions = [(street, position, *action) for street, position, action in view.actions]
        plain: Any = tuple([getattr(view, key) for key in _PLAIN])
        return cls(None if view.spec is spec else view.spec, view.state.tobytes(), actions, plain)

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
