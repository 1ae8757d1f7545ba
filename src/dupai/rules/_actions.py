"""Actions and legal actions."""

from __future__ import annotations

from typing import NamedTuple

from dupai.rules._layout import CALL, FOLD, RAISE


class Action(NamedTuple):
    """A player's action: ``kind`` is ``FOLD``, ``CALL`` (check or call) or ``RAISE`` (bet or raise).

    ``to`` is 0 except for a raise, where it is the player's total of live chips in the pot for the whole hand, blinds
    and earlier streets included, dead antes not (as ACPC writes it). In limit games ``to`` may be left 0: there is only
    one size.
    """

    kind: int
    to: int = 0

    @classmethod
    def fold(cls) -> Action:
        """Fold."""
        return _FOLD

    @classmethod
    def call(cls) -> Action:
        """Check or call."""
        return _CALL

    @classmethod
    def raise_to(cls, to: int) -> Action:
        """Bet or raise to a total of ``to`` chips for the hand."""
        return cls(RAISE, int(to))

    def __str__(self) -> str:
        return "fc"[self.kind] if self.kind < RAISE else f"r{self.to}"


_FOLD = Action(FOLD)
_CALL = Action(CALL)


class Legal(NamedTuple):
    """The actor's legal actions. Calling (or checking) is always legal.

    ``fold``: there is a bet to fold to; ``to_call``: chips that a call costs (0: check); ``min_to``, ``max_to``: the
    smallest and largest total of a raise, both 0 when no raise is allowed.
    """

    fold: bool
    to_call: int
    min_to: int
    max_to: int

    @property
    def can_raise(self) -> bool:
        """Whether any raise is allowed."""
        return self.max_to > 0

    def closest_raise(self, to: float) -> Action:
        """An :class:`Action`: the legal raise whose total is closest to ``to``, or a call when no raise is allowed."""
        if self.max_to <= 0:
            return _CALL
        return Action(RAISE, min(max(round(to), self.min_to), self.max_to))

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, Action):
            return False
        if action.kind == RAISE:
            return 0 < self.min_to <= action.to <= self.max_to
        return action.kind == CALL or (action.kind == FOLD and self.fold)

    def __str__(self) -> str:
        text = ["fold"] if self.fold else []
        text.append(f"call {self.to_call}" if self.to_call else "check")
        if self.max_to:
            verb = "raise to"
            text.append(f"{verb} {self.min_to}" + (f"..{self.max_to}" if self.max_to > self.min_to else ""))
        return ", ".join(text)
