"""What persons are like, learned from some whose hands are known: the prior of the next one's habits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from dupai.base import F64, Progress
from dupai.reading import (
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

#: Fewest known hands of a person who is learned from.
FEWEST = 600
#: As many persons as the deviations of the plain prior count for, and as many of mean 0 as are counted beside the
#: others; chosen on ten professionals (``docs/results/reader-model.md``).
_COUNTS, _ZEROS = 15.0, 5.0
_ROUNDS = 8
#: All actions count, however long ago: nothing is hidden, and the person is not about to be read.
_ALL = HabitTrust(belief=1.0, half_life=np.inf, unseen=1.0, unseen_sure=1.0, shown=0.0)
#: Nothing of how much the hand matters is a person's own at one kind of decision.
_OWN_SURE = 1e-8


def known_persons(
    reader: str, records: Iterable[HandRecord], populations: Collection[int], look: Progress
) -> dict[str, KnownHabits]:
    """How persons differ from what a reader that never saw them expects of anybody, all their hands known.

    Args:
        reader: its file.
        records: their hands.
        populations: numbers of those that they may be of.
        look: cancelled: what was looked at so far.
    """
    model = TrainedModel(load_weights(reader))
    # Without a prior of the reader's: what it expects is not to be learned from.
    model.habits = Habits({group: PLAIN_PRIOR._replace(trust=_ALL) for group in populations})
    for record in records:
        model.observe(record)
        if look.cancelled:
            break
    persons = model.habits.known().items()
    return {name: known for name, known in persons if known.shown >= FEWEST and known.population in populations}


def learned_prior(persons: Sequence[KnownHabits]) -> HabitPrior:
    """The prior that persons like these are drawn from: covariances by expectation-maximisation (empirical Bayes; the
    second moments about 0, an inverse-Wishart prior around :data:`PLAIN_PRIOR`), and their mean.

    What is a person's own at one of the six kinds of decision has the same covariance at all six. How much the hand
    matters is shared by all kinds.
    """
    mean, precision = [], []
    for k, stage in enumerate(HABIT_STAGES):
        began = np.linalg.inv(PLAIN_PRIOR.precision[k])
        told = [_likelihood(p.mean[k], p.information[k], PLAIN_PRIOR.precision[k]) for p in persons]
        covariance = began.copy()
        for _ in range(_ROUNDS):
            sums, prior = _COUNTS * began * [[[DECISION_KINDS]], [[1]]], _joint(np.linalg.inv(covariance))
            for information, linear in told:
                spread = np.linalg.inv(information + prior)
                at = (spread @ linear).reshape(DECISION_KINDS + 1, stage.size)
                for kind in range(DECISION_KINDS + 1):
                    mine = slice(kind * stage.size, (kind + 1) * stage.size)
                    sums[int(kind == DECISION_KINDS)] += np.outer(at[kind], at[kind]) + spread[mine, mine]
            covariance = sums / ((_COUNTS + len(told)) * np.array([DECISION_KINDS, 1]))[:, None, None]
        covariance[0, -1] = covariance[0, :, -1] = 0
        covariance[0, -1, -1] = _OWN_SURE
        inverse = np.linalg.inv(covariance)
        precision.append((inverse + inverse.swapaxes(1, 2)) / 2)
        mean.append(sum((p.mean[k] for p in persons), PLAIN_PRIOR.mean[k]) / (len(persons) + _ZEROS))
    return habit_prior(mean, precision)


def _joint(precision: F64) -> F64:
    """For all numbers of a person at once: their own at each kind, and what is shared."""
    size = precision.shape[1]
    out = np.zeros(((DECISION_KINDS + 1) * size,) * 2)
    for kind in range(DECISION_KINDS + 1):
        mine = slice(kind * size, (kind + 1) * size)
        out[mine, mine] = precision[int(kind == DECISION_KINDS)]
    return out


def _likelihood(mean: F64, information: F64, prior: F64) -> tuple[F64, F64]:
    """What a person's hands say about all their numbers at once, the prior taken out: information ``float64[n, n]``,
    and that times the numbers that they point to, ``float64[n]``."""
    size = information.shape[1]
    out = np.zeros(((DECISION_KINDS + 1) * size,) * 2)
    shared = slice(DECISION_KINDS * size, None)
    for kind in range(DECISION_KINDS):
        own = slice(kind * size, (kind + 1) * size)
        out[own, own] = out[own, shared] = out[shared, own] = information[kind]
        out[shared, shared] += information[kind]
    return out, (out + _joint(prior)) @ mean.ravel()


def priors_of(persons: Sequence[KnownHabits]) -> dict[int, HabitPrior]:
    """:func:`learned_prior` by the number of the population, of each of which there are at least two."""
    groups = sorted({p.population for p in persons})
    some = {group: [p for p in persons if p.population == group] for group in groups}
    return {group: learned_prior(several) for group, several in some.items() if len(several) > 1}


def as_arrays(persons: dict[str, KnownHabits]) -> dict[str, Any]:
    """For :func:`of_arrays`, by names of arrays of a file."""
    out: dict[str, Any] = {"names": np.array(list(persons), np.str_)}
    for n, (population, shown, mean, information) in enumerate(persons.values()):
        out[f"{n}/about"] = np.array([population, shown])
        for k in range(len(HABIT_STAGES)):
            out |= {f"{n}/mean/{k}": mean[k], f"{n}/information/{k}": information[k]}
    return out


def of_arrays(arrays: dict[str, Any]) -> dict[str, KnownHabits]:
    """What :func:`as_arrays` made arrays of."""
    out = {}
    for n, name in enumerate(arrays["names"]):
        population, shown = arrays[f"{n}/about"].tolist()
        mean, information = (
            tuple(arrays[f"{n}/{x}/{k}"] for k in range(len(HABIT_STAGES))) for x in ("mean", "information")
        )
        out[str(name)] = KnownHabits(population, shown, mean, information)
    return out
