"""The bucket model, written plainly: hand by hand, loop by loop."""

from __future__ import annotations

from dupai.cards import COMBO_CARDS, NO_CARD
from dupai.reading.bucket import BucketModel
from dupai.rules import HandRecord
from dupai.spots import DID_BET, DID_FOLD, spots


def naive_facing(spot) -> int:
    if spot.spec.betting != "limit":
        return 4 + naive_price(spot["to_call"], spot["pot"], spot["raises"], spot.street)
    if spot["to_call"] == 0:
        return 0
    raised = spot["raises"] + (1 if spot.street == 0 else 0)
    if raised >= 2:
        return 3
    # pot before the bet = pot - bet; more than half of it
    if spot.street > 0 and spot["to_call"] > 0.5 * (spot["pot"] - spot["to_call"]):
        return 2
    return 1


def naive_price(call: int, pot: int, raises: int, street: int) -> int:
    """0 nothing, 1 up to 0.4 of the pot before it, 2 0.8, 3 1.3, 4 3, 5 more, 6 a raise after a raise up to 1.3."""
    if call == 0:
        return 0
    if street == 0 and raises == 0:
        return 1
    price = call / (pot - call) if pot > call else float("inf")
    if price > 3:
        return 5
    if price > 1.3:
        return 4
    if raises >= 2:
        return 6
    return 1 if price <= 0.4 else 2 if price <= 0.8 else 3


def naive_table(
    records: list[HandRecord], position_of, window: int, buckets: int, smoothing: float, shown_only: bool, known=None
):
    """``known``: the population's counts as nested lists.

    P(action | street, facing, bucket) of one player as nested lists, from the last ``window`` hands counted; and
    P(class of size | raise, before the flop or after it, bucket).
    """
    model = BucketModel(1, buckets)  # for the buckets of hands only
    hands: list[list] = []
    for record in records:
        position = position_of(record)
        table = _table(hands[-window:], buckets, smoothing, known)
        sizes = _sizes(hands[-window:], buckets, smoothing)
        mine = [s for s in spots(record) if s.position == position]
        if not mine:
            continue
        hole = record.hole[position]
        classes = [naive_sizes(s) for s in mine]
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
                for s, legal in zip(mine, classes, strict=True):
                    bucket = model.hand_buckets(s.board)[i]
                    row = list(table[s.street][naive_facing(s)][bucket])
                    if s["to_call"] == 0:
                        row = [0.0, row[0] + row[1], row[2]]
                    if s["max_to"] == 0:
                        row = [row[0], row[1] + row[2], 0.0]
                    p *= row[_did(s)]
                    if _did(s) == 2 and s.spec.betting != "limit":
                        of = sizes[min(s.street, 1)][bucket]
                        p *= of[naive_size(s)] / sum(of[k] for k in legal)
                held[i] = p
            total = sum(held.values())
            held = {i: p / total for i, p in held.items()}
        counted = []
        for s, legal in zip(mine, classes, strict=True):
            if s["max_to"] > 0 or (s.spec.betting != "limit" and s["to_call"] > 0):
                bucket = model.hand_buckets(s.board)
                shares = [0.0] * buckets
                for i, p in held.items():
                    shares[bucket[i]] += p
                size = naive_size(s) if len(legal) > 1 else None  # the only class is no choice
                counted.append((s.street, naive_facing(s), _did(s), shares, size))
        hands.append(counted)
    last = hands[-window:]
    return _table(last, buckets, smoothing, known), _sizes(last, buckets, smoothing)


def naive_size(spot) -> int | None:
    """Class of a raise where bets have sizes: 0 up to 0.75 of the pot after the call, 1 up to 1.5, 2 more, 3 all-in."""
    if _did(spot) != 2 or spot.spec.betting == "limit":
        return None
    return _class(spot, spot["to"])


def naive_sizes(spot) -> set[int]:
    """The classes that some legal raise falls into."""
    if spot.spec.betting == "limit" or spot["max_to"] == 0:
        return set()
    return {_class(spot, to) for to in range(spot["min_to"], spot["max_to"] + 1)}


def _class(spot, to: int) -> int:
    if to == spot["total"] + spot["stack"]:
        return 3
    size = (to - spot["total"] - spot["to_call"]) / (spot["pot"] + spot["to_call"])
    return 0 if size < 0.75 else 1 if size < 1.5 else 2


def _sizes(hands, buckets: int, smoothing: float):
    sizes = []
    for after in (0, 1):
        rows = [[0.0] * 4 for _ in range(buckets)]
        for hand in hands:
            for street, _, _, shares, size in hand:
                if size is not None and min(street, 1) == after:
                    for b in range(buckets):
                        rows[b][size] += shares[b]
        mean = [1.0 + sum(row[k] for row in rows) for k in range(4)]
        mean = [x / sum(mean) for x in mean]
        smoothed = [[row[k] + smoothing * mean[k] for k in range(4)] for row in rows]
        sizes.append([[x / sum(row) for x in row] for row in smoothed])
    return sizes


def _did(spot) -> int:
    return 2 if spot["did"] >= DID_BET else 0 if spot["did"] == DID_FOLD else 1


def _table(hands, buckets: int, smoothing: float, known=None):
    counts = [[[[0.0] * 3 for _ in range(buckets)] for _ in range(11)] for _ in range(4)]
    for hand in hands:
        for street, facing, did, shares, _ in hand:
            for b in range(buckets):
                counts[street][facing][b][did] += shares[b]
    table = []
    for street in counts:
        table.append([])
        for facing, rows in enumerate(street):
            even = [0.0, 0.5, 0.5] if facing in (0, 4) else [1 / 3] * 3
            pooled = [sum(row[a] for row in rows) + even[a] for a in range(3)]
            pooled = [x / sum(pooled) for x in pooled]
            table[-1].append([pooled] * buckets)
    if known is not None:
        for (street, facing), rows in naive_moved(known, counts, buckets).items():
            table[street][facing] = rows
    for s, street in enumerate(counts):
        for f, rows in enumerate(street):
            smoothed = [[row[a] + smoothing * table[s][f][b][a] for a in range(3)] for b, row in enumerate(rows)]
            table[s][f] = [[x / sum(row) for x in row] for row in smoothed]
    return table


def naive_moved(known, counts, buckets: int):
    """By street and what is faced: the population's rows, moved to one player: first by all that he faced (nothing to
    call, and something, apart), then in each place. Nine buckets."""
    assert buckets == 9
    rows, met = {}, {}
    for s in range(4):
        for f in range(7):
            even = [0.0, 1.0, 1.0] if f == 0 else [1.0] * 3
            mean = [sum(known[s][f][b][a] for b in range(9)) + even[a] for a in range(3)]
            mean = [x / sum(mean) for x in mean]
            rows[s, 4 + f] = []
            for b in range(9):
                row = [known[s][f][b][a] + 3.0 * mean[a] for a in range(3)]
                rows[s, 4 + f].append([x / sum(row) for x in row])
            met[s, 4 + f] = [sum(known[s][f][b]) + 1.0 for b in range(9)]

    def move(places, weight):
        said, did, expected = [0.0] * 3, [0.0] * 3, [0.0] * 3
        for s, f in places:
            for b in range(9):
                for a in range(3):
                    said[a] += rows[s, f][b][a] * met[s, f][b]
                    did[a] += counts[s][f][b][a]
                    expected[a] += rows[s, f][b][a] * sum(counts[s][f][b])
        total = sum(said)
        for s, f in places:
            for b in range(9):
                row = rows[s, f][b]
                for a in range(3):
                    ours = weight * said[a] / total
                    if expected[a] + ours > 0:
                        row[a] *= (did[a] + ours) / (expected[a] + ours)
                rows[s, f][b] = [x / sum(row) for x in row]

    move([p for p in rows if p[1] == 4], 8.0)
    move([p for p in rows if p[1] > 4], 8.0)
    for place in list(rows):
        move([place], 12.0)
    return rows
