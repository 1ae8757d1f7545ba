"""Makes the library of counter-policies: ``python -m dupai.agents._swarm._build`` (minutes)."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import numpy as np

from dupai.agents._style import THRESHOLDS
from dupai.agents._swarm._agent import Swarm
from dupai.agents._swarm._kernels.swarm import features_kernel
from dupai.agents._swarm._lane import FastLane
from dupai.agents._swarm._layout import FEATURES
from dupai.agents._swarm._library import FILE, Library
from dupai.agents._swarm._options import F64
from dupai.agents._swarm._search import best_fixed_policy, value_of

#: Seed of the searches; experiments use others.
SEED = 20240501
#: Hands by which opponents' rates are measured.
_LOOK = 100_000


def rates_of(opponent: str, first: F64, hands: int, seed: int) -> F64:
    """What an opponent looks like while the policy ``first`` is played: ``float64[4]``."""
    player = Swarm()
    g = player.config[0]
    g["probe"], g["known"], g["first"] = hands + 1, 1, first
    FastLane(player, opponent, seed=seed).play(hands)
    rates = np.zeros(FEATURES)
    features_kernel(player.swarm[0]["seen"], rates)
    return rates


def build(scale: float = 1.0) -> Library:
    """Search a counter-policy for each style of the paper, and see what the styles look like."""
    names = tuple(THRESHOLDS)
    policies = []
    for name in names:
        found = best_fixed_policy(f"style:{name}", SEED, scale=scale)
        assert found is not None
        policies.append(found.x)
        sys.stderr.write(f"{name}: {found.mean:.1f} ± {1.96 * found.se:.1f} chips/hand with {np.round(found.x, 4)}\n")
    # The first policy is the one that loses least where it fits worst, in shares of what the best one wins there.
    table = np.array([[value_of(x, f"style:{n}", _LOOK, seed=SEED, match=999)[0] for n in names] for x in policies])
    sys.stderr.write(f"chips/hand of each policy (rows) against each style:\n{np.round(table)}\n")
    first = policies[int(np.argmax((table / table.diagonal()).min(1)))]
    features = np.array([rates_of(f"style:{n}", first, _LOOK, SEED) for n in names])
    sys.stderr.write(f"rates:\n{np.round(features, 3)}\n")
    return Library(names, np.array(policies), features, first)


def write(library: Library, path: Path = FILE) -> None:
    """Write it whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".library-", suffix=".npz")
    os.close(handle)
    try:
        np.savez(
            name,
            names=np.array(library.names),
            policies=library.policies,
            features=library.features,
            first=library.first,
        )
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


if __name__ == "__main__":
    write(build())
