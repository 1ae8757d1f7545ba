"""Makes the swarm's library of counter-policies: ``python tools/swarm_library.py FILE`` (minutes)."""

from __future__ import annotations

import sys

import numpy as np

from dupai.agents.swarm import Swarm
from dupai.base.arrays import F64
from dupai.base.files import whole_path
from dupai.experiments._brpso._config import STYLES
from dupai.experiments._brpso._lane import FastLane
from dupai.experiments._brpso._search import best_fixed_policy, value_of

#: Seed of the searches; experiments use others.
SEED = 20240501
#: Hands by which opponents' rates are measured.
_LOOK = 100_000


def rates_of(opponent: str, first: F64, hands: int, seed: int) -> F64:
    """The rates of an opponent while the policy ``first`` is played against them: ``float64[4]``."""
    player = Swarm()
    g = player.config[0]
    g["probe"], g["known"], g["first"][: g["numbers"]] = hands + 1, 1, first
    FastLane(player, opponent, seed=seed).play(hands)
    return player.seen_rates()


def build(scale: float = 1.0) -> dict[str, F64]:
    """Search a counter-policy for each style of the paper, and measure the rates of the styles."""
    policies = []
    for name in STYLES:
        best = best_fixed_policy(f"style:{name}", SEED, scale=scale)
        assert best is not None
        policies.append(best.x)
        sys.stderr.write(
            f"{name}: {best.mean:.1f} ± {1.96 * best.se:.1f} (95 %) chips/hand with {np.round(best.x, 4)}\n"
        )
    # The first policy is the one that loses least where it fits worst, in shares of what the best one wins there.
    table = np.array([[value_of(x, f"style:{n}", _LOOK, seed=SEED, match=999)[0] for n in STYLES] for x in policies])
    sys.stderr.write(f"chips/hand of each policy (rows) against each style:\n{np.round(table)}\n")
    first = policies[int(np.argmax((table / table.diagonal()).min(1)))]
    features = np.array([rates_of(f"style:{n}", first, _LOOK, SEED) for n in STYLES])
    sys.stderr.write(f"rates:\n{np.round(features, 3)}\n")
    return {"names": np.array(STYLES), "policies": np.array(policies), "features": features, "first": first}


if __name__ == "__main__":
    with whole_path(sys.argv[1]) as file:
        np.savez(file, **build())  # type: ignore[arg-type]
