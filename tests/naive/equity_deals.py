"""Equity by dealing everything out, with eval7 as the judge of hands: slow and obvious."""

import random
from collections.abc import Sequence
from itertools import combinations, product

import eval7
import numpy as np

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [r + s for s in SUITS for r in RANKS]
_CARD = {c: eval7.Card(c) for c in DECK}


def split(text: str) -> tuple[str, ...]:
    """``split("AsKd") == ("As", "Kd")``."""
    return tuple(text[i : i + 2] for i in range(0, len(text), 2))


def best(cards: Sequence[str]) -> int:
    """eval7's value of five to seven cards."""
    return int(eval7.evaluate([_CARD[c] for c in cards]))


def equity_by_dealing(
    ranges: Sequence[dict[str, float]], board: str = "", dead: str = ""
) -> tuple[list[float], list[float], int]:
    """Equity and win of each player, and the number of deals: every joint hand, every runout.

    ``ranges``: for each player text of a hand -> its weight.
    """
    out = set(split(board)) | set(split(dead))
    equity = [0.0] * len(ranges)
    win = [0.0] * len(ranges)
    total, deals = 0.0, 0
    for joint in product(*(r.items() for r in ranges)):
        held = [c for hand, _ in joint for c in split(hand)]
        weight = float(np.prod([w for _, w in joint]))
        if weight == 0 or len(set(held)) < len(held) or out & set(held):
            continue
        rest = [c for c in DECK if c not in out and c not in held]
        for runout in combinations(rest, 5 - len(split(board))):
            full = (*split(board), *runout)
            values = [best((*split(hand), *full)) for hand, _ in joint]
            top = max(values)
            for p, v in enumerate(values):
                if v == top:
                    equity[p] += weight / values.count(top)
                    win[p] += weight * (values.count(top) == 1)
            total += weight
            deals += 1
    return [e / total for e in equity], [w / total for w in win], deals


def in_turn(ranges: Sequence[dict[str, float]]) -> dict[tuple[str, ...], float]:
    """The *wrong* way to draw: players one after the other, each from what the ones before leave."""
    found: dict[tuple[str, ...], float] = {(): 1.0}
    for r in ranges:
        then: dict[tuple[str, ...], float] = {}
        for hands, p in found.items():
            held = {c for h in hands for c in split(h)}
            free = {h: w for h, w in r.items() if not held & set(split(h))}
            for h, w in free.items():
                then[(*hands, h)] = p * w / sum(free.values())
        found = then
    total = sum(found.values())  # below 1 where somebody is left without a hand
    return {k: v / total for k, v in found.items()}


def jointly(ranges: Sequence[dict[str, float]]) -> dict[tuple[str, ...], float]:
    """The right way: probability of every joint deal, proportional to the product of its weights."""
    found = {}
    for joint in product(*(r.items() for r in ranges)):
        held = [c for hand, _ in joint for c in split(hand)]
        if len(set(held)) == len(held):
            found[tuple(h for h, _ in joint)] = float(np.prod([w for _, w in joint]))
    total = sum(found.values())
    return {k: v / total for k, v in found.items()}


def multiway_by_dealing(hand: str, board: str, opponents: int, deals: int) -> tuple[float, float]:
    """Mean of 1 / (number sharing the best hand) if ours is best, and its standard error; Python's own shuffling."""
    source = random.Random(1)
    known = (*split(hand), *split(board))
    rest = [c for c in DECK if c not in known]
    missing = 5 - len(split(board))
    scores = []
    for _ in range(deals):
        drawn = source.sample(rest, missing + 2 * opponents)
        full = (*split(board), *drawn[:missing])
        mine = best((*split(hand), *full))
        his = [best((*drawn[i : i + 2], *full)) for i in range(missing, len(drawn), 2)]
        scores.append(0.0 if max(his) > mine else 1 / (1 + his.count(mine)))
    return float(np.mean(scores)), float(np.std(scores) / np.sqrt(deals))
