"""How much more the hand matters than networks trained with dropout say: before the flop chosen by validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dupai.reading import Network, populations
from dupai.training._model._cases import few_of_each, find_cases
from dupai.training._model._data import Corpus
from dupai.training._model._decisions import Decisions, PreflopReadings
from dupai.training._model._recipe import Recipe

#: What is tried, the fewest cases of a population that choose, the most that are looked at.
_TRIED = (1.0, 1.1, 1.2, 1.3, 1.4)
_FEWEST, _MOST = 300, 1500


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
    index = few_of_each(cases.group, np.flatnonzero((cases.part == 1) & ~cases.folded), _MOST, rng)
    out = {}
    for g in np.intersect1d(cases.group[index], groups).tolist():
        mine = index[cases.group[index] == g]
        if len(mine) < _FEWEST:
            continue
        bits = []
        for gain in _TRIED:
            reading = PreflopReadings(networks.get(g, networks[-1]), corpus, decisions, gain)
            found = reading(cases.hand[mine], cases.position[mine])
            true = found[np.arange(len(mine)), cases.combo[mine]]
            bits.append(np.log2(0.99 * true + 0.01 / found.shape[1]).mean())
        best = int(np.argmax(bits))
        if best:
            out[g] = (_TRIED[best], 1.0)
    return out


def with_recipes(gains: Mapping[int, tuple[float, float]], recipe: Recipe) -> dict[int, tuple[float, float]]:
    """Gains before the flop, and those after it that the recipe says."""
    after = {populations.number(name): gain for name, gain in recipe.gains.items()}
    return {g: (gains.get(g, (1.0, 1.0))[0], after.get(g, 1.0)) for g in sorted({*gains, *after})}
