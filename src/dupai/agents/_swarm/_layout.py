"""The swarm's state and settings as flat records that kernels and Python share."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Numbers of a policy: x1 = P(call or raise), x2 = P(raise), x3 = steepness where there is a bet to fold to (A);
#: x4 = P(raise), x5 = steepness where checking is free (B).
DIMENSIONS = 5
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

#: Settings, array of shape (1,).
#:
#: * ``particles`` m; ``hands`` n_f; ``updates`` T of the schedules; ``w``, ``c1``, ``c2`` first and last value;
#:   ``speed`` limit of each number's change (inf: none); ``low``, ``high`` bounds; ``replace``: BR-PSO; ``redraw``:
#:   what happens while no particle was ever positive (0: own best, 1: the swarm is drawn anew);
#: * ``size`` and ``deals`` as other agents have them; ``frozen``: particle 0 plays and nothing is learned;
#: * ``clean`` how hands are scored; ``rungs`` of successive halving (0: equal hands); ``probe`` hands of looking at the
#:   opponent before a library policy is taken (0: no library); ``spread`` of the swarm around it, as a share of the
#:   bounds; ``window`` hands of one look at whether the opponent has changed (0: none), ``alarm`` the z for that;
#: * ``library`` policies, ``features`` of their opponents, ``known`` how many; ``first`` the policy of the probe.
CONFIG_DTYPE: np.dtype[Any] = np.dtype(
    [
        ("particles", np.int64),
        ("hands", np.int64),
        ("updates", np.int64),
        ("w", np.float64, (2,)),
        ("c1", np.float64, (2,)),
        ("c2", np.float64, (2,)),
        ("speed", np.float64, (DIMENSIONS,)),
        ("low", np.float64, (DIMENSIONS,)),
        ("high", np.float64, (DIMENSIONS,)),
        ("replace", np.int64),
        ("redraw", np.int64),
        ("size", np.float64),
        ("deals", np.int64),
        ("frozen", np.int64),
        ("clean", np.int64),
        ("rungs", np.int64),
        ("probe", np.int64),
        ("spread", np.float64),
        ("window", np.int64),
        ("alarm", np.float64),
        ("known", np.int64),
        ("library", np.float64, (MAX_LIBRARY, DIMENSIONS)),
        ("features", np.float64, (MAX_LIBRARY, FEATURES)),
        ("first", np.float64, (DIMENSIONS,)),
    ],
    align=True,
)

#: A swarm in the middle of a match, array of shape (1,).
#:
#: * ``ready``: particles have been drawn; ``rng`` its own stream; ``x``, ``v`` positions and speeds; ``score``,
#:   ``played`` of each particle in this generation; ``fitness`` of the last one; ``best``, ``best_fitness`` of its own
#:   history (``tried``: it has one); ``top``: the point that the swarm was drawn to at the last update;
#: * ``current`` particle, ``turn`` hands of its turn so far, ``rung``, ``alive`` in this generation; ``generation``
#:   updates so far;
#: * ``probing``: hands that are left of the look at the opponent; ``picked`` library policy (-1: none); ``restarts``;
#:   ``seen`` counts of the opponents since the last (re)start, ``recent`` those of the open window of ``looked`` hands;
#: * ``total`` hands and ``won`` chips of the match; sums for the control variates (``moments``).
SWARM_DTYPE: np.dtype[Any] = np.dtype(
    [
        ("ready", np.int64),
        ("rng", np.uint64, (4,)),
        ("x", np.float64, (MAX_PARTICLES, DIMENSIONS)),
        ("v", np.float64, (MAX_PARTICLES, DIMENSIONS)),
        ("score", np.float64, (MAX_PARTICLES,)),
        ("played", np.int64, (MAX_PARTICLES,)),
        ("fitness", np.float64, (MAX_PARTICLES,)),
        ("best", np.float64, (MAX_PARTICLES, DIMENSIONS)),
        ("best_fitness", np.float64, (MAX_PARTICLES,)),
        ("tried", np.int64, (MAX_PARTICLES,)),
        ("alive", np.int64, (MAX_PARTICLES,)),
        ("top", np.float64, (DIMENSIONS,)),
        ("current", np.int64),
        ("turn", np.int64),
        ("rung", np.int64),
        ("generation", np.int64),
        ("probing", np.int64),
        ("picked", np.int64),
        ("restarts", np.int64),
        ("looked", np.int64),
        ("seen", np.float64, (COUNTS,)),
        ("recent", np.float64, (COUNTS,)),
        ("total", np.int64),
        ("won", np.float64),
        ("moments", np.float64, (9,)),
    ],
    align=True,
)
