"""The whole metric in plain Python: a dictionary of hands, cases found by playing the hand through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from dupai.cards import CATEGORIES, COMBO_CARDS, NO_CARD, category, strength
from dupai.reading import Reader
from dupai.rules import FOLD, HandRecord, HandState

Hand = frozenset[int]


class Case(NamedTuple):
    hand: int
    position: int
    street: int
    folded: bool
    view: str
    bits: float
    covers: tuple[float, float, float]
    tops: tuple[bool, bool, bool]


def _class(hand: Hand, board: Sequence[int]) -> str:
    ranks = sorted((c % 13 for c in hand), reverse=True)
    if not board:
        kind = "pair" if ranks[0] == ranks[1] else "high card"
        pair = ranks[0]
    else:
        everything = [*hand, *board]
        kind = CATEGORIES[category(strength(everything))]
        counts = [c % 13 for c in everything]
        pair = max((r for r in counts if counts.count(r) == 2), default=-1)
    if kind == "high card":
        return "unpaired high" if ranks[0] >= 8 else "unpaired low"
    if kind == "pair":
        return "pair high" if pair >= 8 else "pair low"
    return kind


def _score(
    p: dict[Hand, float], truth: Hand, board: Sequence[int]
) -> tuple[float, tuple[float, ...], tuple[bool, ...]]:
    total = sum(p.values())
    p = {h: x / total for h, x in p.items()}
    mine = p[truth]
    bits = max(math.log2(len(p) * mine), -20.0) if mine > 0 else -20.0
    same = {h for h in p if math.isclose(p[h], mine, rel_tol=1e-9)}
    above = sum(x for h, x in p.items() if x > mine and h not in same)
    equal = sum(p[h] for h in same)
    covers = tuple(min(max((q - above) / equal, 0.0), 1.0) if equal else 0.0 for q in (0.5, 0.8, 0.95))
    shares: dict[str, float] = {}
    for h, x in p.items():
        kind = _class(h, board)
        shares[kind] = shares.get(kind, 0.0) + x
    own = shares[_class(truth, board)]
    larger = sum(s > own * (1 + 1e-9) for s in shares.values())
    return bits, covers, tuple(larger < z for z in (1, 2, 3))


def cases(record: HandRecord, number: int, reader: Reader) -> list[Case]:
    """Every case of a hand, observer's and seat's view."""
    n = record.spec.players
    known: list[Hand | None] = []
    for i in range(n):
        two = record.hole[i] if NO_CARD not in record.hole[i] or not record.mucked else record.mucked[i]
        known.append(None if NO_CARD in two else frozenset(two))
    # Who decided something on which street, and after how many actions it was over.
    decided: dict[int, dict[int, bool]] = {}
    over: dict[int, int] = {}
    state = record.at(0)
    for k, action in enumerate(record.actions):
        legal, street, actor = state.legal, state.street, state.actor
        over[street] = k + 1
        if legal.to_call > 0 or legal.max_to > 0 or action.kind == FOLD:
            decided.setdefault(street, {})[actor] = action.kind == FOLD
        state.follow(action)
    out = []
    for street, who in sorted(decided.items()):
        board = list(record.board[: (0, 3, 4, 5)[street]])
        for villain, folded in sorted(who.items()):
            truth = known[villain]
            if truth is None:
                continue
            neighbours = [j for j in ((villain + k) % n for k in range(1, n)) if known[j] is not None]
            for viewer in (None, *neighbours[:1]):
                hole = [None if j != viewer else tuple(known[j] or ()) for j in range(n)]
                table = HandState(record.spec, hole, board, record.stacks, record.seats or None, record.hand)
                for action in record.actions[: over[street]]:
                    table.follow(action)
                seat = table.seats[villain]
                read = reader.read(table.view(viewer), [seat])[seat].p.tolist()
                seen = {*board, *(() if viewer is None else known[viewer] or ())}
                p = {
                    frozenset((int(a), int(b))): read[h]
                    for h, (a, b) in enumerate(COMBO_CARDS.tolist())
                    if not {a, b} & seen
                }
                bits, covers, tops = _score(p, truth, board)
                view = "observer" if viewer is None else "seat"
                out.append(Case(number, villain, street, folded, view, bits, covers, tops))  # type: ignore[arg-type]
    return out
