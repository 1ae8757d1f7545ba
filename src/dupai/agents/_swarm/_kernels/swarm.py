"""The swarm's steps: drawing it, playing turns, updating it, watching the opponent.

Throughout ``w`` is the swarm, ``SWARM_DTYPE[1]``, and ``c`` its settings, ``CONFIG_DTYPE[1]``.

Source: Hu, Chen, Yuan, Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas
Hold'em", Control and Decision 39(5), 2024, eq. 4-8.
"""

import numpy as np

from dupai.agents._swarm import _layout as layout
from dupai.agents._swarm._kernels.policy import risk_act_kernel
from dupai.base import kernel, next_below, next_uniform, next_word

#: Particles that a best is borrowed from, and elite particles that the common best is the mean of.
_BEST_OF = 3


@kernel
def _clamped(w, c, i):
    """Keep particle ``i`` inside the bounds, with x2 <= x1."""
    x = w[0]["x"][i]
    g = c[0]
    for k in range(g["numbers"]):
        x[k] = min(max(x[k], g["low"][k]), g["high"][k])
        if k % layout.DIMENSIONS == 1:
            x[k] = min(x[k], x[k - 1])


@kernel
def _begin_generation(w, c):
    """No particle has played a hand of this generation."""
    h = w[0]
    m = c[0]["particles"]
    h["score"][:m] = 0.0
    h["played"][:m] = 0
    h["alive"][:m] = 1
    h["current"] = h["turn"] = h["rung"] = 0


@kernel
def _forget(w, c):
    """No particle has a history, a speed or a hand of this generation."""
    h = w[0]
    m = c[0]["particles"]
    h["fitness"][:m] = 0.0
    h["best_fitness"][:m] = 0.0
    h["tried"][:m] = 0
    h["v"][:m] = 0.0
    h["best"][:m] = h["x"][:m]
    _begin_generation(w, c)


@kernel
def draw_kernel(w, c):
    """Particles drawn uniformly inside the bounds (the larger of two shares is x1), without speed or history."""
    h = w[0]
    g = c[0]
    for i in range(g["particles"]):
        for k in range(g["numbers"]):
            h["x"][i, k] = g["low"][k] + (g["high"][k] - g["low"][k]) * next_uniform(h["rng"])
        for k in range(0, g["numbers"], layout.DIMENSIONS):
            if h["x"][i, k + 1] > h["x"][i, k]:
                x2 = h["x"][i, k + 1]
                h["x"][i, k + 1] = h["x"][i, k]
                h["x"][i, k] = x2
        _clamped(w, c, i)
    _forget(w, c)


@kernel
def around_kernel(w, c, place):
    """Particles around library policy ``place``: the first one is it, the others lie uniformly within ``spread`` of the
    bounds' width, the two steepnesses within that share of themselves. With at least four times as many particles
    as policies, the next ones are the other policies of the library: the choice may have been wrong."""
    h = w[0]
    g = c[0]
    others = g["known"] if g["particles"] >= 4 * g["known"] else np.int64(1)
    for i in range(g["particles"]):
        from_ = (place + i) % g["known"] if i < others else place
        for k in range(g["numbers"]):
            at = g["library"][from_, k]
            wide = at if k % layout.DIMENSIONS == 2 or k % layout.DIMENSIONS == 4 else g["high"][k] - g["low"][k]
            by = 0.0 if i < others else (2.0 * next_uniform(h["rng"]) - 1.0) * g["spread"]
            h["x"][i, k] = at + by * wide
        _clamped(w, c, i)
    _forget(w, c)


@kernel
def ready_kernel(w, c, rng_state):
    """Before the first decision of a match: seed the swarm's own stream from ``rng_state`` and draw it."""
    h = w[0]
    for k in range(4):
        h["rng"][k] = next_word(rng_state)
    h["ready"] = 1
    h["picked"] = -1
    if _probe_hands(c) > 0:
        look_kernel(w, c)
    elif c[0]["frozen"] == 0:
        draw_kernel(w, c)


@kernel
def _probe_hands(c):
    """Hands of watching the opponent first; 0 without a library."""
    return c[0]["probe"] if c[0]["known"] > 0 else np.int64(0)


@kernel
def look_kernel(w, c):
    """Begin to watch the opponent: the first policy is played for ``probe`` hands."""
    h = w[0]
    h["probing"] = _probe_hands(c)
    h["seen"][:] = 0.0
    h["recent"][:] = 0.0
    h["looked"] = 0


@kernel
def features_kernel(counts, out):
    """Rates (``float64[4]``) from counts (``float64[7]``): folds and raises at the first bet before the flop, folds to
    bets and bets or raises after it. One pseudo-decision pulls the rates towards one half."""
    out[0] = (counts[layout.OPEN_FOLDS] + 0.5) / (counts[layout.OPENS] + 1.0)
    out[1] = (counts[layout.OPEN_RAISES] + 0.5) / (counts[layout.OPENS] + 1.0)
    out[2] = (counts[layout.FACED_FOLDS] + 0.5) / (counts[layout.FACED] + 1.0)
    out[3] = (counts[layout.LATER_RAISES] + 0.5) / (counts[layout.LATER] + 1.0)


@kernel
def pick_kernel(w, c):
    """The library policy whose opponent is most like what was seen: smallest sum of squared differences of rates, each
    over its sampling variance plus that of three parts in a hundred."""
    h = w[0]
    g = c[0]
    rates = np.empty(layout.FEATURES)
    features_kernel(h["seen"], rates)
    best = np.int64(0)
    least = np.inf
    for j in range(g["known"]):
        far = 0.0
        for k in range(layout.FEATURES):
            n = h["seen"][layout.OPENS if k < 2 else layout.FACED if k == 2 else layout.LATER]
            p = g["features"][j, k]
            d = rates[k] - p
            far += d * d / ((p * (1.0 - p) + 0.01) / (n + 1.0) + 0.001)
        if far < least:
            least = far
            best = np.int64(j)
    return best


@kernel
def position_kernel(w, c, out):
    """The numbers that are played now, into ``out`` (``float64[20]``)."""
    h = w[0]
    for k in range(c[0]["numbers"]):
        out[k] = c[0]["first"][k] if h["probing"] > 0 else h["x"][h["current"], k]


@kernel
def situation_kernel(numbers, street):
    """Where the five numbers for a street begin in a policy of so many ``numbers``."""
    if numbers == 2 * layout.DIMENSIONS:
        return layout.DIMENSIONS * min(street, 1)
    return layout.DIMENSIONS * street if numbers > layout.DIMENSIONS else 0


@kernel
def swarm_act_kernel(table, s, to_call, min_to, max_to, w, c, memo, rng_state):
    """The ``swarm`` agent from view to action (``to * 4 + kind``, or NO_CARDS)."""
    if w[0]["ready"] == 0:
        ready_kernel(w, c, rng_state)
    x = np.empty(layout.MAX_NUMBERS)
    position_kernel(w, c, x)
    at = situation_kernel(c[0]["numbers"], np.int64(s[0]["street"]))
    five = x[at : at + layout.DIMENSIONS]
    return risk_act_kernel(table, s, to_call, min_to, max_to, five, c[0]["size"], c[0]["deals"], memo, rng_state)


@kernel
def _place_of(values, chosen, m):
    """Index of the largest of ``values`` not yet chosen and positive; -1 where there is none."""
    at = np.int64(-1)
    for i in range(m):
        if chosen[i] == 0 and values[i] > 0.0 and (at < 0 or values[i] > values[at]):
            at = np.int64(i)
    return at


@kernel
def _locals(w, c, points):
    """Each particle's local best (eq. 6, 7) into ``points`` (``float64[m, 20]``): its own, or one borrowed."""
    h = w[0]
    m = c[0]["particles"]
    chosen = np.zeros(m, np.int64)
    lenders = np.zeros(_BEST_OF, np.int64)
    n = np.int64(0)
    if c[0]["replace"] != 0:
        for _ in range(_BEST_OF):
            at = _place_of(h["best_fitness"], chosen, m)
            if at >= 0:
                chosen[at] = 1
                lenders[n] = at
                n += 1
    for i in range(m):
        at = np.int64(i)
        if n > 0 and h["best_fitness"][i] <= 0.0:
            at = lenders[next_below(h["rng"], n)]
        points[i] = h["best"][at]


@kernel
def _common(w, c, points, before, top):
    """The common best into ``top``: of BR-PSO (eq. 8) the mean of the local bests of the three best of the elite, else
    of those whose history was positive before (where none was: of those positive now); else, and in standard PSO, the
    best point of all. Whether any was positive."""
    h = w[0]
    m = c[0]["particles"]
    values = np.zeros(m)
    any_elite = False
    any_before = False
    any_positive = False
    for i in range(m):
        if h["best_fitness"][i] > 0.0:
            any_positive = True
        if before[i] > 0.0:
            any_before = True
            if h["fitness"][i] > 0.0:
                any_elite = True
    if c[0]["replace"] == 0 or not any_positive:
        at = 0
        for i in range(1, m):
            if h["best_fitness"][i] > h["best_fitness"][at]:
                at = i
        top[:] = h["best"][at]
        return any_positive
    for i in range(m):
        if (before[i] > 0.0 or not any_before) and (h["fitness"][i] > 0.0 or not any_elite):
            values[i] = h["best_fitness"][i]
    chosen = np.zeros(m, np.int64)
    top[:] = 0.0
    n = 0
    for _ in range(_BEST_OF):
        at = _place_of(values, chosen, m)
        if at >= 0:
            chosen[at] = 1
            n += 1
            top += points[at]
    top /= n
    return any_positive


@kernel
def _between(ends, part):
    """A weight between its ends ``ends[0]`` and ``ends[1]``: along a sine if it falls, a cosine if it rises."""
    quarter = 0.5 * np.pi
    if ends[0] > ends[1]:
        return ends[1] + (ends[0] - ends[1]) * np.sin((1.0 - part) * quarter)
    return ends[0] + (ends[1] - ends[0]) * np.cos((1.0 - part) * quarter)


@kernel
def update_kernel(w, c):
    """One update, when every particle has played: ``v <- w v + c1 r1 (local - x) + c2 r2 (common - x)``, x <- x + v."""
    h = w[0]
    g = c[0]
    m = g["particles"]
    before = np.empty(m)
    for i in range(m):
        before[i] = h["best_fitness"][i] if h["tried"][i] != 0 else 0.0
        f = h["score"][i] / max(h["played"][i], np.int64(1)) * g["hands"]
        h["fitness"][i] = f
        if h["tried"][i] == 0 or f > h["best_fitness"][i]:
            h["best_fitness"][i] = f
            h["tried"][i] = 1
            h["best"][i] = h["x"][i]
    points = np.empty((m, layout.MAX_NUMBERS))
    _locals(w, c, points)
    positive = _common(w, c, points, before, h["top"])
    part = min(np.float64(h["generation"]) / np.float64(max(g["updates"], np.int64(1))), 1.0)
    inertia = _between(g["w"], part)
    own = _between(g["c1"], part)
    common = _between(g["c2"], part)
    h["generation"] += 1
    if g["replace"] != 0 and g["redraw"] != 0 and not positive:
        draw_kernel(w, c)
        return
    for i in range(m):
        for k in range(g["numbers"]):
            x = h["x"][i, k]
            r1 = next_uniform(h["rng"])
            r2 = next_uniform(h["rng"])
            v = inertia * h["v"][i, k] + own * r1 * (points[i, k] - x) + common * r2 * (h["top"][k] - x)
            v = min(max(v, -g["speed"][k]), g["speed"][k])
            h["v"][i, k] = v
            h["x"][i, k] = x + v
        _clamped(w, c, i)
    _begin_generation(w, c)


@kernel
def quota_kernel(c, rung):
    """Hands of a particle's turn on a rung: n_f / 2**rungs on the first, then doubling their total."""
    g = c[0]
    rungs = g["rungs"]
    return max(g["hands"] >> (rungs if rung == 0 else rungs - rung + 1), np.int64(1))


@kernel
def _halve(w, c):
    """Only the better half (by mean score) of the particles left plays on."""
    h = w[0]
    m = c[0]["particles"]
    for _ in range(h["alive"][:m].sum() // 2):
        worst = np.int64(-1)
        least = np.inf
        for i in range(m):
            if h["alive"][i] != 0:
                mean = h["score"][i] / h["played"][i]
                if mean < least:
                    least = mean
                    worst = np.int64(i)
        h["alive"][worst] = 0


@kernel
def turn_kernel(w, c, score):
    """Book the score of a hand to the particle that played it, and see whose turn it is next."""
    h = w[0]
    i = h["current"]
    h["score"][i] += score
    h["played"][i] += 1
    h["turn"] += 1
    if h["turn"] < quota_kernel(c, h["rung"]):
        return
    h["turn"] = 0
    i += 1
    m = c[0]["particles"]
    while i < m and h["alive"][i] == 0:
        i += 1
    if i == m:
        if h["rung"] == c[0]["rungs"]:
            update_kernel(w, c)
            return
        _halve(w, c)
        h["rung"] += 1
        i = np.int64(0)
        while h["alive"][i] == 0:
            i += 1
    h["current"] = i


@kernel
def _far(a, n, b, k):
    """z of the difference of two shares, a of n and b of k (with a continuity correction)."""
    if n < 30.0 or k < 30.0:
        return 0.0
    p = (a + b + 0.5) / (n + k + 1.0)
    gap = abs(a / n - b / k) - 0.5 / n - 0.5 / k
    return max(gap, 0.0) / np.sqrt(p * (1.0 - p) * (1.0 / n + 1.0 / k))


@kernel
def look_again_kernel(w, c):
    """At the end of a window: start anew if the opponent has changed; else the window joins what was seen."""
    h = w[0]
    g = c[0]
    if g["window"] == 0:
        return
    h["looked"] += 1
    if h["looked"] < g["window"]:
        return
    h["looked"] = 0
    a = h["recent"]
    b = h["seen"]
    z = max(
        _far(a[layout.OPEN_FOLDS], a[layout.OPENS], b[layout.OPEN_FOLDS], b[layout.OPENS]),
        _far(a[layout.OPEN_RAISES], a[layout.OPENS], b[layout.OPEN_RAISES], b[layout.OPENS]),
    )
    if z > g["alarm"]:
        h["restarts"] += 1
        h["generation"] = 0
        look_kernel(w, c)
        if _probe_hands(c) == 0:
            draw_kernel(w, c)
        return
    b += a
    a[:] = 0.0


@kernel
def step_kernel(w, c, score, won, counts):
    """A hand is over: ``score`` as the swarm counts it, ``won`` chips, ``counts`` of the opponents (``float64[7]``)."""
    h = w[0]
    h["total"] += 1
    h["won"] += won
    if h["ready"] == 0 or c[0]["frozen"] != 0:
        return
    if h["probing"] > 0:
        for k in range(layout.COUNTS):
            h["seen"][k] += counts[k]
        h["probing"] -= 1
        if h["probing"] == 0:
            h["picked"] = pick_kernel(w, c)
            around_kernel(w, c, h["picked"])
        return
    for k in range(layout.COUNTS):
        h["recent"][k] += counts[k]
    turn_kernel(w, c, score)
    look_again_kernel(w, c)
