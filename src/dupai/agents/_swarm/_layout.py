"""The swarm's state and settings as flat records that kernels and Python share."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Numbers of a policy: x1 = P(call or raise), x2 = P(raise), x3 = steepness where there is a bet to fold to (A);
#: x4 = P(raise), x5 = steepness where checking is free (B).
DIMENSIONS = 5
#: Most numbers of a policy: five for each of its situations (all streets alike; before the flop and after it; each of
#: the four streets).
MAX_NUMBERS = 4 * DIMENSIONS
#: Most particles of a swarm, most policies of a library, most actions of a hand that are looked at.
MAX_PARTICLES = 128
MAX_LIBRARY = 16
MAX_ACTIONS = 512

#: What is counted of the opponents: decisions before the flop facing a bet for the first time, folds and raises among
#: them; decisions facing a bet after the flop, folds among them; all decisions after it, bets and
#: raises among them.
OPENS, OPEN_FOLDS, OPEN_RAISES, FACED, FACED_FOLDS, LATER, LATER_RAISES = range(7)
COUNTS = 7
#: Rates made of the counts, by which a library policy is picked.
FEATURES = 4

#: What a hand's score is: the chips won; with all-ins paid by their equity; and also less what the own cards explain.
CHIPS, ALL_IN, CARDS = 0, 1, 2

_POINT, _PAIR = (np.float64, (MAX_NUMBERS,)), (np.float64, (2,))


def _record(**fields: Any) -> np.dtype[Any]:
    """An aligned record from names and types, or types with shapes."""
    return np.dtype([(k, *t) if isinstance(t, tuple) else (k, t) for k, t in fields.items()], align=True)


#: Settings, array of shape (1,).
#:
#: * ``numbers`` of a policy (5, 10 or 20: so many of each point count);
#: * ``particles`` m; ``hands`` n_f; ``updates`` T of the schedules; ``w``, ``c1``, ``c2`` first and last value;
#:   ``speed`` limit of each number's change (inf: none); ``low``, ``high`` bounds; ``replace``: BR-PSO; ``redraw``:
#:   what happens as long as no particle was ever positive (0: own best, 1: the swarm is drawn anew);
#: * ``size`` and ``deals`` as other agents have them; ``frozen``: particle 0 plays and nothing is learned;
#: * ``clean`` how hands are scored; ``rungs`` of successive halving (0: equal hands); ``probe`` hands of watching the
#:   opponent before a library policy is taken (0: no library); ``spread`` of the swarm around it, as a share of the
#:   bounds; ``window`` hands of one test whether the opponent has changed (0: none), ``alarm`` the z for that;
#: * ``library`` policies, ``features`` of their opponents, ``known`` how many; ``first`` the policy of the probe.
CONFIG_DTYPE = _record(
    **dict.fromkeys(("numbers", "particles", "hands", "updates", "replace", "redraw", "deals"), np.int64),
    **dict.fromkeys(("frozen", "clean", "rungs", "probe", "window", "known"), np.int64),
    **dict.fromkeys(("size", "spread", "alarm"), np.float64),
    **dict.fromkeys(("w", "c1", "c2"), _PAIR),
    **dict.fromkeys(("speed", "low", "high", "first"), _POINT),
    library=(np.float64, (MAX_LIBRARY, MAX_NUMBERS)),
    features=(np.float64, (MAX_LIBRARY, FEATURES)),
)

#: A swarm in the middle of a match, array of shape (1,).
#:
#: * ``ready``: particles have been drawn; ``rng`` its own stream; ``x``, ``v`` positions and speeds; ``score``,
#:   ``played`` of each particle in this generation; ``fitness`` of the last one; ``best``, ``best_fitness`` of its own
#:   history (``tried``: it has one); ``top``: the point that the swarm was drawn to at the last update;
#: * ``current`` particle, ``turn`` hands of its turn so far, ``rung``, ``alive`` in this generation; ``generation``
#:   updates so far;
#: * ``probing``: hands left of watching the opponent; ``picked`` library policy (-1: none); ``restarts``;
#:   ``seen`` counts of the opponents since the last (re)start, ``recent`` those of the open window of ``looked`` hands;
#: * ``total`` hands and ``won`` chips of the match; sums for the control variates (``moments``).
SWARM_DTYPE = _record(
    **dict.fromkeys(("ready", "current", "turn", "rung", "generation", "probing", "picked", "restarts"), np.int64),
    **dict.fromkeys(("looked", "total"), np.int64),
    **dict.fromkeys(("x", "v", "best"), (np.float64, (MAX_PARTICLES, MAX_NUMBERS))),
    **dict.fromkeys(("score", "fitness", "best_fitness"), (np.float64, (MAX_PARTICLES,))),
    **dict.fromkeys(("played", "tried", "alive"), (np.int64, (MAX_PARTICLES,))),
    **dict.fromkeys(("seen", "recent"), (np.float64, (COUNTS,))),
    rng=(np.uint64, (4,)),
    top=_POINT,
    won=np.float64,
    moments=(np.float64, (9,)),
)
