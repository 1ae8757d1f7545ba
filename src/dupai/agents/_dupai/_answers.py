"""What an opponent did when facing raises, beside what the model of this opponent expected."""

from __future__ import annotations

from bisect import bisect

import msgspec

from dupai.rules import RAISE, HandState

#: Bounds between the classes of raises, in pots after the call.
_BOUNDS = (0.9, 2.0)
#: Raises until half of what was seen beside the model counts, and the weight that a raise keeps after the next one of
#: its class: the model learns, too.
_PRIOR, _FADE = 4.0, 0.95


class Answers(msgspec.Struct, array_like=True):
    """How often an opponent folded to raises beside the model, by situation (an open, another raise before the flop,
    one after it) and class of size.

    Attributes:
        counts: by class raises, older ones with less weight, and folds to them less the model's chances of a fold.
    """

    counts: dict[int, tuple[float, float]] = {}

    def count(self, before: HandState, size: float, folded: bool, expected: float) -> None:
        """Count the answer to a raise of ``size`` pots in a state, which the model expected to be a fold so often."""
        k = _class(before, size)
        faced, surplus = self.counts.get(k, (0.0, 0.0))
        self.counts[k] = _FADE * faced + 1, _FADE * surplus + folded - expected

    def correction(self, before: HandState, size: float) -> float:
        """What is to be added to the model's probability of a fold to a raise of ``size`` pots in a state."""
        faced, surplus = self.counts.get(_class(before, size), (0.0, 0.0))
        return surplus / (faced + _PRIOR)


def _class(before: HandState, size: float) -> int:
    situation = 2 if before.street else int(any(action.kind == RAISE for _, _, action in before.actions))
    return situation * (len(_BOUNDS) + 1) + bisect(_BOUNDS, size)
