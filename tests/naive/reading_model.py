"""Features of the trained reader, hand by hand, in plain Python: twins of the kernels of ``dupai.reading._model``."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from dupai.cards import strength
from naive.cards_evaluator import best_value

RANKS, SUITS = 13, 4
COMBOS = list(itertools.combinations(range(52), 2))


def rank(card: int) -> int:
    return card % RANKS


def suit(card: int) -> int:
    return card // RANKS


def percentile(values: Sequence[float], weights: Sequence[float], i: int) -> float:
    """Share of the weight below value ``i``, half of what ties with it."""
    below = sum(w for v, w in zip(values, weights, strict=True) if v < values[i] - 1e-9)
    tied = sum(w for v, w in zip(values, weights, strict=True) if abs(v - values[i]) <= 1e-9)
    return (below + tied / 2) / sum(weights)


def river_rate(hand: tuple[int, int], board: Sequence[int], weight: dict[tuple[int, int], float]) -> float:
    """Win rate against a range on the river, hand by hand; 0.5 against nothing."""
    mine = best_value([*hand, *board])
    won = met = 0.0
    for other, w in weight.items():
        if set(other) & {*hand, *board}:
            continue
        theirs = best_value([*other, *board])
        won += w * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
        met += w
    return won / met if met else 0.5


def straights(ranks: set[int]) -> set[int]:
    """The highest ranks of all straights that a set of ranks holds (the ace below the deuce too)."""
    low = {r + 1 for r in ranks} | ({0} if 12 in ranks else set())
    return {top - 1 for top in range(4, 14) if all(top - k in low for k in range(5))}


def kind(hand: tuple[int, int], board: Sequence[int]) -> str:
    """The kind of made hand that a hand's own cards make."""
    cards = [*hand, *board]
    if len(board) == 5 and best_value(cards) == best_value(list(board)):
        return "board"
    count = Counter(map(rank, cards))
    own = set(map(rank, hand))
    on_board = Counter(map(rank, board))
    if any(count[r] == 4 for r in own):
        return "quads"
    threes = [r for r in count if count[r] >= 3]
    pairs = [r for r in count if count[r] >= 2]
    if threes and len(pairs) >= 2 and any(count[r] >= 2 for r in own):
        return "full"
    suits = Counter(map(suit, cards))
    if any(suits[suit(c)] >= 5 for c in hand):
        return "flush"
    if straights(set(count)) and (not straights(set(on_board)) or len(board) == 5):
        return "straight"
    ordered = sorted(on_board, reverse=True)
    second = ordered[1] if len(ordered) > 1 else -1
    if len(own) == 1:
        (r,) = own
        if count[r] == 3:
            return "set"
        return "over" if r > ordered[0] else "between" if r > second else "under"
    hit = [r for r in own if r in on_board]
    if any(on_board[r] == 2 for r in hit):
        return "trips"
    if len(hit) == 2:
        return "two pair"
    if hit:
        kicker = next(r for r in own if r != hit[0])
        if hit[0] == ordered[0]:
            return "top pair, good kicker" if kicker >= 9 else "top pair"
        return "second pair" if hit[0] == second else "low pair"
    return "ace high" if 12 in own else "nothing"


#: In the order of the columns.
KINDS = (
    *("nothing", "ace high", "under", "between", "over", "low pair", "second pair", "top pair"),
    *("top pair, good kicker", "two pair", "trips", "set", "straight", "flush", "full", "quads", "board"),
)


def straight_outs(hand: tuple[int, int], board: Sequence[int]) -> int:
    """Ranks that would make a straight that the board alone would not make with them."""
    on_board = set(map(rank, board))
    both = on_board | set(map(rank, hand))
    if straights(both):
        return 0
    return sum(bool(straights(both | {r})) and not straights(on_board | {r}) for r in set(range(13)) - both)


def rates_by_runout(
    board: Sequence[int], sets: Sequence[set[tuple[int, int]]], hand: tuple[int, int]
) -> list[list[float]]:
    """Win rates of a hand against each set of hands, by full board of a turn or river where the hand is not blocked and
    can meet a hand of the set."""
    deck = [c for c in range(52) if c not in board and c not in hand]
    if len(board) == 5:
        runouts: list[list[int]] = [[]]
    else:
        runouts = [[c] for c in deck]
    found: list[list[float]] = [[] for _ in sets]
    for rest in runouts:
        full = [*board, *rest]
        dead = {*full, *hand}
        mine = strength([*hand, *full])
        theirs = {two: strength([*two, *full]) for held in sets for two in held if not dead & set(two)}
        for held, rates in zip(sets, found, strict=True):
            met = [theirs[two] for two in held if two in theirs]
            if met:
                rates.append(sum(1.0 if mine > v else 0.5 if mine == v else 0.0 for v in met) / len(met))
    return found


def network(w: dict[str, list], hand: Sequence[float], public: Sequence[float], group: int) -> list[float]:  # type: ignore[type-arg]
    """A network for one hand with features, unit by unit; arrays as nested lists by the names that torch gives."""

    def times(name: str, x: Sequence[float]) -> list[float]:
        return [sum(a * b for a, b in zip(row, x, strict=True)) for row in w[f"{name}.weight"]]

    def plus(*parts: Sequence[float]) -> list[float]:
        return [sum(column) for column in zip(*parts, strict=True)]

    def above(x: Sequence[float]) -> list[float]:
        return [max(v, 0.0) for v in x]

    e = above(plus(times("enc1", public), w["enc1.bias"], w["group1.weight"][group]))
    e = above(plus(times("enc2", e), w["enc2.bias"]))
    gain = plus(times("gate", e), w["gate.bias"])
    shift = plus(times("shift", e), w["shift.bias"])
    h = above([x * (1 + g) + s for x, g, s in zip(times("hand", hand), gain, shift, strict=True)])
    h = above(plus(times("mid", h), w["mid.bias"], times("shift2", e)))
    return plus(times("out", h), w["out.bias"], times("out_public", e))
