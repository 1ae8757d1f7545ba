"""What is known about how persons differ from their population before they have acted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

F64 = npt.NDArray[np.float64]

#: Kinds of decision before the flop, and as many after it.
DECISION_KINDS = 6
#: What shifts move, by native column: folding, all raises, and those of about the pot and more. (In limit games, which
#: have three columns, the last moves nothing.)
MOVES = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1, 1, 1]], np.float64)


class Stage(NamedTuple):
    """Before the flop or after it: how far persons may be expected to differ.

    Attributes:
        features: numbers of a hand that a shift may depend on, the constant included.
        constant, slope: standard deviation, in logits, of what is a person's own at one kind of decision: of the
            constant, and of each other feature.
        shared, shared_slope: the same of what is common to all kinds.
    """

    features: int
    constant: float
    slope: float
    shared: float
    shared_slope: float

    @property
    def size(self) -> int:
        """Numbers that say how a person differs at one kind of decision: a shift for each of :data:`MOVES` and
        feature, and how much more the hand matters."""
        return len(MOVES) * self.features + 1

    def deviations(self) -> F64:
        """``float64[2, size]``: standard deviation of each number before anything is known, of what is a person's own
        at a kind of decision and of what all kinds share (of how much the hand matters that is all)."""
        deviation = np.empty((2, self.size))
        for row, constant, slope, sure in (
            (0, self.constant, self.slope, OWN_SURE),
            (1, self.shared, self.shared_slope, SURE),
        ):
            deviation[row] = slope
            deviation[row, : -1 : self.features] = constant
            deviation[row, -1] = sure
        return deviation


#: Standard deviation of how much more, or less, the hand matters to a person than to the population; next to nothing
#: of it is particular to one kind of decision.
SURE, OWN_SURE = 0.15, 1e-4
#: Before and after the flop. These deviations were chosen on ten professionals (``docs/results/reader-model.md``).
HABIT_STAGES = (Stage(7, 1.0, 0.1, 0.7, 0.2), Stage(4, 0.4, 0.075, 0.4, 0.15))


class HabitTrust(NamedTuple):
    """How far what a person did is believed.

    Attributes:
        belief: how much of what a hand would tell if the model were true is believed.
        half_life: hands of the person after which an observation counts half.
        unseen, unseen_sure: how much of what hands that were not shown say of slopes, and of how much the hand matters,
            is believed: they repeat what the model makes of them, and alone they lead astray.
        shown: hands shown after which half of that counts.
    """

    belief: float
    half_life: float
    unseen: float
    unseen_sure: float
    shown: float


class HabitPrior(NamedTuple):
    """Normal: what persons of a population are like.

    Attributes:
        mean: by stage ``float64[KINDS + 1, size]``: of what is a person's own at each kind of decision, and of what all
            kinds share.
        precision: by stage ``float64[2, size, size]``: the inverse covariance of a person's own, the same at every
            kind, and of what is shared.
        trust: in their actions.
    """

    mean: tuple[F64, ...]
    precision: tuple[F64, ...]
    trust: HabitTrust


#: Of those of whom nothing more is known: mean 0, and no number goes with another.
PLAIN_PRIOR = HabitPrior(
    tuple(np.zeros((DECISION_KINDS + 1, stage.size)) for stage in HABIT_STAGES),
    tuple(np.stack([np.diag(row**-2.0) for row in stage.deviations()]) for stage in HABIT_STAGES),
    HabitTrust(belief=0.25, half_life=1000.0, unseen=0.5, unseen_sure=0.25, shown=10.0),
)
#: With a prior that was learned from persons. Both were chosen on the ten, too.
LEARNED = HabitTrust(belief=0.1, half_life=1000.0, unseen=0.8, unseen_sure=0.4, shown=3.0)


def habit_prior(mean: Sequence[F64], precision: Sequence[F64]) -> HabitPrior:
    """One that was learned from persons; ValueError where the numbers are not those of :class:`HabitPrior`."""
    for own, of in ((mean, PLAIN_PRIOR.mean), (precision, PLAIN_PRIOR.precision)):
        if [x.shape for x in own] != [x.shape for x in of] or not all(np.isfinite(x).all() for x in own):
            raise ValueError
    return HabitPrior(tuple(mean), tuple(precision), LEARNED)
