"""Slow, obvious twins of the swarm's kernels."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import combinations

from dupai.base import Rng
from dupai.cards import strength
from dupai.rules import FOLD, RAISE, HandRecord


def shift(share: float, steep: float) -> float:
    """e(E; d) = (1/d) ln((exp(d) - exp(d E)) / (exp(d E) - 1)), with eighty digits."""
    with localcontext() as ctx:
        ctx.prec = 80
        d, e = Decimal(steep), Decimal(share)
        return float((((d.exp() - (d * e).exp()) / ((d * e).exp() - 1)).ln()) / d)


def risk(rate: float, share: float, steep: float) -> float:
    """Eq. 2."""
    with localcontext() as ctx:
        ctx.prec = 80
        z = -Decimal(steep) * (Decimal(rate) - Decimal(shift(share, steep)))
        return float(1 - 1 / (1 + z.exp()))


def policy(rate: float, x: list[float], facing: bool, can_raise: bool) -> tuple[float, float, float]:
    """Eq. 1: fold, call, raise."""
    if facing:
        risk_call, risk_raise = risk(rate, x[0], x[2]), risk(rate, x[1], x[2])
        fold, call, bet = risk_call, risk_raise - risk_call, 1 - risk_raise
    else:
        risk_raise = risk(rate, x[3], x[4])
        fold, call, bet = 0.0, risk_raise, 1 - risk_raise
    return (fold, call, bet) if can_raise else (fold, call + bet, 0.0)


class Swarm:
    """BR-PSO as the paper's section 2.3 says it, with lists. ``weights(t)`` gives w, c1, c2."""

    def __init__(self, points: list[list[float]], replace: bool, rng: Rng, bounds, limits) -> None:
        self.x = [list(p) for p in points]
        self.v = [[0.0] * len(p) for p in points]
        self.history: list[list[tuple[float, list[float]]]] = [[] for _ in points]
        self.replace, self.rng, self.bounds, self.limits = replace, rng, bounds, limits

    def best(self, i: int) -> tuple[float, list[float]]:
        found = self.history[i][0]
        for fitness, x in self.history[i][1:]:
            if fitness > found[0]:
                found = (fitness, x)
        return found

    def update(self, fitness: list[float], weights: tuple[float, float, float]) -> None:
        m = len(self.x)
        earlier = [max([0.0] + [f for f, _ in self.history[i]]) for i in range(m)]
        for i in range(m):
            self.history[i].append((fitness[i], list(self.x[i])))
        ranked = sorted(range(m), key=lambda i: -self.best(i)[0])
        positive = [i for i in ranked if self.best(i)[0] > 0]
        local = []
        for i in range(m):
            if self.replace and positive and i not in positive:
                local.append(self.best(positive[:3][self.rng.below(len(positive[:3]))])[1])
            else:
                local.append(self.best(i)[1])
        if self.replace and positive:
            potential = [i for i in positive if earlier[i] > 0]
            elite = [i for i in potential if fitness[i] > 0]
            chosen = (elite or potential or positive)[:3]
            top = [sum(local[i][k] for i in chosen) / len(chosen) for k in range(len(self.x[0]))]
        else:
            top = self.best(ranked[0])[1]
        self.top = list(top)
        w, c1, c2 = weights
        for i in range(m):
            for k in range(len(self.x[i])):
                r1, r2 = self.rng.uniform(), self.rng.uniform()
                pull = c1 * r1 * (local[i][k] - self.x[i][k]) + c2 * r2 * (top[k] - self.x[i][k])
                v = min(max(w * self.v[i][k] + pull, -self.limits[k]), self.limits[k])
                self.v[i][k] = v
                low, high = self.bounds[k]
                self.x[i][k] = min(max(self.x[i][k] + v, low), high)
            for k in range(0, len(self.x[i]), 5):
                self.x[i][k + 1] = min(self.x[i][k + 1], self.x[i][k])


def dynamic_weights(part: float) -> tuple[float, float, float]:
    """w 0.95 to 0.675, c1 2.5 to 0.5, c2 0.5 to 2.5 over the run (sine-cosine)."""
    s, c = math.sin((1 - part) * math.pi / 2), math.cos((1 - part) * math.pi / 2)
    return 0.675 + 0.275 * s, 2 * s + 0.5, 2 * c + 0.5


def counts(record: HandRecord, own: int) -> list[float]:
    """What is counted of the opponents in a hand."""
    found = [0.0] * 7
    asked = set()
    for n, action in enumerate(record.actions):
        state = record.at(n)
        p = state.actor
        if p == own:
            continue
        faces = state.to_call > 0
        if state.street == 0:
            if faces and p not in asked:
                asked.add(p)
                found[0] += 1
                found[1] += action.kind == FOLD
                found[2] += action.kind == RAISE
        else:
            found[3] += faces
            found[4] += faces and action.kind == FOLD
            found[5] += 1
            found[6] += action.kind == RAISE
    return found


def equity(a, b, board) -> float:
    """Chance of a against b, ties half, over all run-outs."""
    deck = [c for c in range(52) if c not in (*a, *b, *board)]
    won = boards = 0
    for rest in combinations(deck, 5 - len(board)):
        x, y = strength((*a, *board, *rest)), strength((*b, *board, *rest))
        won += 2 if x > y else x == y
        boards += 1
    return won / (2 * boards)
