"""What an opponent did when facing raises, beside what the model of this opponent expected."""

from __future__ import annotations

from bisect import bisect

import msgspec

from dupai.rules import RAISE, HandState

#: Bounds between the classes of raises, in pots after the call.
_BOUNDS = (0.9, 2.0)
_CLASSES = len(_BOUNDS) + 1
#: Raises until half of what was seen beside the model counts, and the weight that a raise keeps after the next one of
#: its class: the model learns, too.
_PRIOR, _FADE = 4.0, 0.95


def _none() -> list[float]:
    return [0.0] * (3 * _CLASSES)


class Answers(msgspec.Struct, array_like=True):
    """How often an opponent folded to raises beside the model, by situation (an open, another
    raise before the flop, one after it) and class of size.

    Attributes:
        faced: raises, older ones with less weight.
        surplus: folds to them less the sum of the model's probabilities of a fold.
    """

    faced: list[float] = msgspec.field(default_factory=_none)
    surplus: list[float] = msgspec.field(default_factory=_none)

    def count(self, before: HandState, size: float, folded: bool, expected: float) -> None:
        """Count the answer to a raise of ``size`` pots in a state, which the model expected to be a fold so often."""
        k = _class(before, size)
        self.faced[k] = _FADE * self.faced[k] + 1
        self.surplus[k] = _FADE * self.surplus[k] + folded - expected

    def correction(self, before: HandState, size: float) -> float:
        """What is to be added to the model's probability of a fold to a raise of ``size`` pots in a state."""
        k = _class(before, size)
        return self.surplus[k] / (self.faced[k] + _PRIOR)


def _class(before: HandState, size: float) -> int:
    situation = 2 if before.street else int(any(action.kind == RAISE for _, _, action in before.actions))
    return situation * _CLASSES + bisect(_BOUNDS, size)
