"""The prior of a person's habits, estimated from persons whose hands are known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from dupai.base import Progress
from dupai.base.arrays import F64
from dupai.reading.model import (
    DECISION_KINDS,
    HABIT_STAGES,
    PLAIN_PRIOR,
    HabitPrior,
    Habits,
    HabitTrust,
    KnownHabits,
    TrainedModel,
    habit_prior,
    load_weights,
)
from dupai.rules import HandRecord

#: Least number of known hands of a person to learn from.
FEWEST = 600
#: How many persons the deviations of the plain prior count for, and how many persons of mean 0 are added to the
#: others. Chosen on ten professionals (``docs/results/reader-model.md``).
_COUNTS, _ZEROS = 15.0, 5.0
_ROUNDS = 8
#: Old actions count as much as new ones: nothing is hidden, and nobody is about to be read.
_ALL = HabitTrust(belief=1.0, half_life=np.inf, unseen=1.0, unseen_hand=1.0, shown=0.0)
#: How much the hand matters is one number of a person, the same at all kinds of decisions.
_OWN_HAND_VARIANCE = 1e-8


def known_persons(
    reader: str, records: Iterable[HandRecord], populations: Collection[int], look: Progress
) -> dict[str, KnownHabits]:
    """How persons whose hands are all known differ from the expectation of a reader that never saw them.

    Args:
        reader: the reader's file.
        records: the persons' hands.
        populations: numbers of the populations to consider.
        look: cancelling it returns the result so far.
    """
    model = TrainedModel(load_weights(reader))
    # Without the reader's own prior, which would count twice.
    model.habits = Habits({group: PLAIN_PRIOR._replace(trust=_ALL) for group in populations})
    for record in records:
        model.observe(record)
        if look.cancelled:
            break
    persons = model.habits.known().items()
    return {name: known for name, known in persons if known.shown >= FEWEST and known.population in populations}


def learned_prior(persons: Sequence[KnownHabits]) -> HabitPrior:
    """The prior of persons like these (empirical Bayes): its mean, and its covariances by expectation-maximisation
    (second moments about 0, with an inverse-Wishart prior around :data:`PLAIN_PRIOR`).

    The numbers that a person has at each of the six kinds of decision share one covariance. How much the hand matters
    is one number for all kinds.
    """
    mean, precision = [], []
    for k, stage in enumerate(HABIT_STAGES):
        began = np.linalg.inv(PLAIN_PRIOR.precision[k])
        likelihoods = [_likelihood(p.mean[k], p.information[k], PLAIN_PRIOR.precision[k]) for p in persons]
        covariance = began.copy()
        for _ in range(_ROUNDS):
            sums, prior = _COUNTS * began * [[[DECISION_KINDS]], [[1]]], _joint(np.linalg.inv(covariance))
            for information, linear in likelihoods:
                spread = np.linalg.inv(information + prior)
                at = (spread @ linear).reshape(DECISION_KINDS + 1, stage.size)
                for kind in range(DECISION_KINDS + 1):
                    mine = slice(kind * stage.size, (kind + 1) * stage.size)
                    sums[int(kind == DECISION_KINDS)] += np.outer(at[kind], at[kind]) + spread[mine, mine]
            covariance = sums / ((_COUNTS + len(likelihoods)) * np.array([DECISION_KINDS, 1]))[:, None, None]
        covariance[0, -1] = covariance[0, :, -1] = 0
        covariance[0, -1, -1] = _OWN_HAND_VARIANCE
        inverse = np.linalg.inv(covariance)
        precision.append((inverse + inverse.swapaxes(1, 2)) / 2)
        mean.append(sum((p.mean[k] for p in persons), PLAIN_PRIOR.mean[k]) / (len(persons) + _ZEROS))
    return habit_prior(mean, precision)


def _joint(precision: F64) -> F64:
    """The prior covariance of all numbers of a person: those of each kind of decision and the shared ones."""
    size = precision.shape[1]
    out = np.zeros(((DECISION_KINDS + 1) * size,) * 2)
    for kind in range(DECISION_KINDS + 1):
        mine = slice(kind * size, (kind + 1) * size)
        out[mine, mine] = precision[int(kind == DECISION_KINDS)]
    return out


def _likelihood(mean: F64, information: F64, prior: F64) -> tuple[F64, F64]:
    """The likelihood of a person's numbers, without the prior: the information matrix ``float64[n, n]``, and its
    product with the most likely numbers, ``float64[n]``."""
    size = information.shape[1]
    out = np.zeros(((DECISION_KINDS + 1) * size,) * 2)
    shared = slice(DECISION_KINDS * size, None)
    for kind in range(DECISION_KINDS):
        own = slice(kind * size, (kind + 1) * size)
        out[own, own] = out[own, shared] = out[shared, own] = information[kind]
        out[shared, shared] += information[kind]
    return out, (out + _joint(prior)) @ mean.ravel()


def priors_of(persons: Sequence[KnownHabits]) -> dict[int, HabitPrior]:
    """:func:`learned_prior` by number of the population, for populations with at least two persons."""
    groups = sorted({p.population for p in persons})
    some = {group: [p for p in persons if p.population == group] for group in groups}
    return {group: learned_prior(several) for group, several in some.items() if len(several) > 1}


def as_arrays(persons: dict[str, KnownHabits]) -> dict[str, Any]:
    """The arrays by their names in a file, for :func:`of_arrays`."""
    out: dict[str, Any] = {"names": np.array(list(persons), np.str_)}
    for n, (population, shown, mean, information) in enumerate(persons.values()):
        out[f"{n}/about"] = np.array([population, shown])
        for k in range(len(HABIT_STAGES)):
            out |= {f"{n}/mean/{k}": mean[k], f"{n}/information/{k}": information[k]}
    return out


def of_arrays(arrays: dict[str, Any]) -> dict[str, KnownHabits]:
    """The inverse of :func:`as_arrays`."""
    out = {}
    for n, name in enumerate(arrays["names"]):
        population, shown = arrays[f"{n}/about"].tolist()
        mean, information = (
            tuple(arrays[f"{n}/{x}/{k}"] for k in range(len(HABIT_STAGES))) for x in ("mean", "information")
        )
        out[str(name)] = KnownHabits(population, shown, mean, information)
    return out
