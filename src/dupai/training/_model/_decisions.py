"""Features of all decisions of a corpus, and readings before the flop for many players at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dupai.base.arrays import F32, AnyArray as Array
from dupai.cards import CLASS_SIZE, COMBO_CLASS
from dupai.reading import populations
from dupai.reading.features import masked_softmax
from dupai.reading.model import Network, sharpened
from dupai.training._corpus import Corpus, Decisions, few_of_each, find_cases
from dupai.training._model._recipe import Recipe

#: By population, how much more a hand matters than the networks say: before and after the flop.
Gains = Mapping[int, tuple[float, float]]


class PreflopReadings:
    """Readings after the betting before the flop: ``readings(hands, positions) -> float32[n, 1326]``.

    ``gain``: how much more the hand matters than the networks say.
    """

    def __init__(self, networks: Sequence[Network], corpus: Corpus, decisions: Decisions, gain: float = 1.0) -> None:
        self._nets, self._corpus, self._d, self._gain = networks, corpus, decisions, gain
        self._street = np.ascontiguousarray(corpus.rows["street"])
        self._position = np.ascontiguousarray(corpus.rows["position"])
        self._known: dict[tuple[bytes, bytes, int], F32] = {}

    def _log_chances(self, i: int, group: int) -> F32:
        """``float32[169, 9]``, log of the chances of each class of action."""
        key = (self._d.features[i].tobytes(), self._d.legal[i].tobytes(), group)
        if key not in self._known:
            public = self._d.features[i].astype(np.float32)
            mean = sum(net.logits(net.hands(), public, group) for net in self._nets) / len(self._nets)
            sharp = sharpened(np.asarray(mean), self._gain, CLASS_SIZE / len(COMBO_CLASS))
            probabilities = masked_softmax(sharp, self._d.legal[i])
            self._known[key] = np.log(np.maximum(probabilities, np.float32(1e-12)))
        return self._known[key]

    def __call__(self, hands: Array, positions: Array) -> Array:
        out = np.empty((len(hands), len(COMBO_CLASS)), np.float32)
        first, did = self._corpus.first, self._d.did
        for k, (hand, position) in enumerate(zip(hands.tolist(), positions.tolist(), strict=True)):
            logs = np.zeros(169, np.float32)
            group = int(self._corpus.group[hand, position])
            for i in range(first[hand], first[hand + 1]):
                if self._street[i]:
                    break
                if self._position[i] == position and did[i] >= 0:
                    logs += self._log_chances(i, group)[:, did[i]]
            weights = np.exp(logs - logs.max())[COMBO_CLASS]
            out[k] = weights / weights.sum()
        return out


class PopulationReadings:
    """Readings before the flop with networks and a gain for each population; -1 holds those of all others."""

    def __init__(
        self, networks: Mapping[int, Sequence[Network]], gains: Gains, corpus: Corpus, decisions: Decisions
    ) -> None:
        self._group = corpus.group
        self._of = {
            g: PreflopReadings(networks.get(g, networks[-1]), corpus, decisions, gains.get(g, (1.0, 1.0))[0])
            for g in np.unique(corpus.group).tolist()
        }

    def __call__(self, hands: Array, positions: Array) -> Array:
        out = np.empty((len(hands), len(COMBO_CLASS)), np.float32)
        group = self._group[hands, positions]
        for g in np.unique(group).tolist():
            mine = group == g
            out[mine] = self._of[g](hands[mine], positions[mine])
        return out


#: What is tried, the fewest cases of a population that choose, the most that are looked at.
_TRIED = (1.0, 1.1, 1.2, 1.3, 1.4)
_MIN_CASES, _MAX_CASES = 300, 1500


def preflop_gains(
    networks: dict[int, list[Network]], corpus: Corpus, decisions: Decisions, seed: int, groups: Sequence[int]
) -> dict[int, tuple[float, float]]:
    """``{population: (gain before the flop, 1.0)}``, the best by mean bits on the validation part; only where better
    than none.

    Args:
        networks: by population, those of -1 for all others.
        groups: populations that are looked at: of which the validation part was not learned from.
    """
    rng = np.random.default_rng(seed)
    cases = find_cases(corpus, decisions.did, (0,))
    index = few_of_each(cases.group, np.flatnonzero((cases.part == 1) & ~cases.folded), _MAX_CASES, rng)
    out = {}
    for g in np.intersect1d(cases.group[index], groups).tolist():
        mine = index[cases.group[index] == g]
        if len(mine) < _MIN_CASES:
            continue
        bits = []
        for gain in _TRIED:
            reading = PreflopReadings(networks.get(g, networks[-1]), corpus, decisions, gain)
            readings = reading(cases.hand[mine], cases.position[mine])
            true = readings[np.arange(len(mine)), cases.combo[mine]]
            bits.append(np.log2(0.99 * true + 0.01 / readings.shape[1]).mean())
        best = int(np.argmax(bits))
        if best:
            out[g] = (_TRIED[best], 1.0)
    return out


def with_recipes(gains: Gains, recipe: Recipe) -> dict[int, tuple[float, float]]:
    """Gains before the flop, and those after it that the recipe says."""
    after = {populations.number(name): gain for name, gain in recipe.gains.items()}
    return {g: (gains.get(g, (1.0, 1.0))[0], after.get(g, 1.0)) for g in sorted({*gains, *after})}
