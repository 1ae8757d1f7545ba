"""The bucket model, written plainly: hand by hand, loop by loop."""

from __future__ import annotations

from dupai.cards import COMBO_CARDS, NO_CARD
from dupai.reading import BucketModel
from dupai.rules import HandRecord
from dupai.spots import DID_BET, DID_FOLD, spots


def naive_facing(spot) -> int:
    if spot["to_call"] == 0:
        return 0
    raised = spot["raises"] + (1 if spot.street == 0 else 0)
    if raised >= 2:
        return 3
    # pot before the bet = pot - bet; more than half of it
    if spot.street > 0 and spot["to_call"] > 0.5 * (spot["pot"] - spot["to_call"]):
        return 2
    return 1


def naive_table(records: list[HandRecord], position_of, window: int, buckets: int, smoothing: float, shown_only: bool):
    """P(action | street, facing, bucket) of one player as nested lists, from the last ``window`` hands counted."""
    model = BucketModel(1, buckets)  # for the buckets of hands only
    hands: list[list] = []
    for record in records:
        position = position_of(record)
        table = _table(hands[-window:], buckets, smoothing)
        mine = [s for s in spots(record) if s.position == position]
        if not mine:
            continue
        hole = record.hole[position]
        seen = {c for two in record.hole for c in two if c != NO_CARD} | set(record.board)
        held = {}
        if NO_CARD not in hole:
            held = {i: 1.0 for i in range(1326) if set(COMBO_CARDS[i].tolist()) == set(hole)}
        elif shown_only:
            continue
        else:
            for i in range(1326):
                if seen & set(COMBO_CARDS[i].tolist()):
                    continue
                p = 1.0
                for s in mine:
                    row = list(table[s.street][naive_facing(s)][model.hand_buckets(s.board)[i]])
                    if s["to_call"] == 0:
                        row = [0.0, row[0] + row[1], row[2]]
                    if s["max_to"] == 0:
                        row = [row[0], row[1] + row[2], 0.0]
                    p *= row[_did(s)]
                held[i] = p
            total = sum(held.values())
            held = {i: p / total for i, p in held.items()}
        counted = []
        for s in mine:
            if s["max_to"] > 0:
                bucket = model.hand_buckets(s.board)
                shares = [0.0] * buckets
                for i, p in held.items():
                    shares[bucket[i]] += p
                counted.append((s.street, naive_facing(s), _did(s), shares))
        hands.append(counted)
    return _table(hands[-window:], buckets, smoothing)


def _did(spot) -> int:
    return 2 if spot["did"] >= DID_BET else 0 if spot["did"] == DID_FOLD else 1


def _table(hands, buckets: int, smoothing: float):
    counts = [[[[0.0] * 3 for _ in range(buckets)] for _ in range(4)] for _ in range(4)]
    for hand in hands:
        for street, facing, did, shares in hand:
            for b in range(buckets):
                counts[street][facing][b][did] += shares[b]
    table = []
    for street in counts:
        table.append([])
        for facing, rows in enumerate(street):
            even = [0.0, 0.5, 0.5] if facing == 0 else [1 / 3] * 3
            pooled = [sum(row[a] for row in rows) + even[a] for a in range(3)]
            pooled = [x / sum(pooled) for x in pooled]
            smoothed = [[row[a] + smoothing * pooled[a] for a in range(3)] for row in rows]
            table[-1].append([[x / sum(row) for x in row] for row in smoothed])
    return table
