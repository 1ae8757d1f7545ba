"""What persons are like, learned from some whose hands are known: the prior of the next one's habits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import Progress
from dupai.reading._model._habits import Habits, Known
from dupai.reading._model._model import TrainedModel
from dupai.reading._model._prior import KINDS, PLAIN, STAGES, Prior, Trust, learned
from dupai.reading._model._weights import load_weights
from dupai.rules import HandRecord

F64 = npt.NDArray[np.float64]

#: Fewest known hands of a person who is learned from.
FEWEST = 600
#: As many persons as the deviations of the plain prior count for, and as many of mean 0 as are counted beside the
#: others; chosen on ten professionals (``docs/reader-model.md``).
_COUNTS, _ZEROS = 15.0, 5.0
_ROUNDS = 8
#: All that he did, as long ago as it may be: nothing is hidden, and he is not about to be read.
_ALL = Trust(belief=1.0, half_life=np.inf, unseen=1.0, unseen_sure=1.0, shown=0.0)
#: Nothing of how much the hand matters is a person's own at one kind of decision.
_OWN_SURE = 1e-8


def known_persons(
    reader: str, records: Iterable[HandRecord], populations: Collection[int], look: Progress
) -> dict[str, Known]:
    """How persons differ from what a reader that never saw them expects of anybody, all their hands known.

    Args:
        reader: its file.
        records: their hands.
        populations: numbers of those that they may be of.
        look: cancelled: what was looked at so far.
    """
    model = TrainedModel(load_weights(reader))
    # Without a prior of the reader's: what it expects is not to be learned from.
    model.habits = Habits({group: PLAIN._replace(trust=_ALL) for group in populations})
    for record in records:
        model.observe(record)
        if look.cancelled:
            break
    persons = model.habits.known().items()
    return {name: known for name, known in persons if known.shown >= FEWEST and known.population in populations}


def learned_prior(persons: Sequence[Known]) -> Prior:
    """The prior that persons like these are drawn from: covariances by expectation-maximisation (empirical Bayes; the
    second moments about 0, an inverse-Wishart prior around :data:`PLAIN`), and their mean.

    What is a person's own at one of the six kinds of decision has the same covariance at all six. How much the hand
    matters is shared by all kinds.
    """
    mean, precision = [], []
    for k, stage in enumerate(STAGES):
        began = np.linalg.inv(PLAIN.precision[k])
        told = [_likelihood(p.mean[k], p.information[k], PLAIN.precision[k]) for p in persons]
        covariance = began.copy()
        for _ in range(_ROUNDS):
            sums, prior = _COUNTS * began * [[[KINDS]], [[1]]], _joint(np.linalg.inv(covariance))
            for information, linear in told:
                spread = np.linalg.inv(information + prior)
                at = (spread @ linear).reshape(KINDS + 1, stage.size)
                for kind in range(KINDS + 1):
                    mine = slice(kind * stage.size, (kind + 1) * stage.size)
                    sums[int(kind == KINDS)] += np.outer(at[kind], at[kind]) + spread[mine, mine]
            covariance = sums / ((_COUNTS + len(told)) * np.array([KINDS, 1]))[:, None, None]
        covariance[0, -1] = covariance[0, :, -1] = 0
        covariance[0, -1, -1] = _OWN_SURE
        inverse = np.linalg.inv(covariance)
        precision.append((inverse + inverse.swapaxes(1, 2)) / 2)
        mean.append(sum((p.mean[k] for p in persons), PLAIN.mean[k]) / (len(persons) + _ZEROS))
    return learned(mean, precision)


def _joint(precision: F64) -> F64:
    """Of all numbers of a person at once: his own at each kind, and what is shared."""
    size = precision.shape[1]
    out = np.zeros(((KINDS + 1) * size,) * 2)
    for kind in range(KINDS + 1):
        mine = slice(kind * size, (kind + 1) * size)
        out[mine, mine] = precision[int(kind == KINDS)]
    return out


def _likelihood(mean: F64, information: F64, prior: F64) -> tuple[F64, F64]:
    """What his hands say of all his numbers at once, the prior taken out: information ``float64[n, n]``, and that times
    the numbers that they point to, ``float64[n]``."""
    size = information.shape[1]
    out = np.zeros(((KINDS + 1) * size,) * 2)
    shared = slice(KINDS * size, None)
    for kind in range(KINDS):
        own = slice(kind * size, (kind + 1) * size)
        out[own, own] = out[own, shared] = out[shared, own] = information[kind]
        out[shared, shared] += information[kind]
    return out, (out + _joint(prior)) @ mean.ravel()


def priors_of(persons: Sequence[Known]) -> dict[int, Prior]:
    """:func:`learned_prior` by the number of the population, of each of which there are at least two."""
    groups = sorted({p.population for p in persons})
    some = {group: [p for p in persons if p.population == group] for group in groups}
    return {group: learned_prior(several) for group, several in some.items() if len(several) > 1}


def as_arrays(persons: dict[str, Known]) -> dict[str, Any]:
    """For :func:`of_arrays`, by names of arrays of a file."""
    out: dict[str, Any] = {"names": np.array(list(persons), np.str_)}
    for n, (population, shown, mean, information) in enumerate(persons.values()):
        out[f"{n}/about"] = np.array([population, shown])
        for k in range(len(STAGES)):
            out |= {f"{n}/mean/{k}": mean[k], f"{n}/information/{k}": information[k]}
    return out


def of_arrays(arrays: dict[str, Any]) -> dict[str, Known]:
    """What :func:`as_arrays` made arrays of."""
    out = {}
    for n, name in enumerate(arrays["names"]):
        population, shown = arrays[f"{n}/about"].tolist()
        mean, information = (tuple(arrays[f"{n}/{x}/{k}"] for k in range(len(STAGES))) for x in ("mean", "information"))
        out[str(name)] = Known(population, shown, mean, information)
    return out
