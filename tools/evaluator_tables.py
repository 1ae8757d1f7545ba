"""Builds the tables of the evaluator from the rules of poker: ``python tools/evaluator_tables.py``.

Three steps, two seconds:

1. the 7,462 hand values that five cards can have, in the nibble form of *Programming Poker AI*; a *strength* is the
   place of a value in that list, counted from 1;
2. the strength of every multiset of 5, 6 or 7 ranks (73,775, flushes left out) and of every suit lane of five or more
   cards (flushes);
3. a perfect hash from the sum of the ranks' keys to the strength (used by :mod:`dupai.cards._kernels.evaluate`).

The result does not depend on the machine; a test builds it again and compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from dupai.base.arrays import I64, U16, U32
from dupai.base.files import open_whole
from dupai.cards._tables import TABLE_FILE

#: Keys of the ranks, deuce first, such that no two multisets of seven ranks (at most four of each) have the same sum;
#: hence none of five or six either: equal sums there would stay equal with the same ranks added. Each is the smallest
#: number found with that property given those before it, so that sums stay below 2**23. Checked by :func:`build`.
RANK_SUM = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
#: Width of a key, modulo which all sums are taken.
KEY_BITS = 25
#: The low bits of a key are the column, the others the row of the displacement hash.
COLUMN_BITS = 12
#: The key of each rank. 2**23 a card keeps sums of 5, 6 and 7 cards apart; the odd factor (a bijection modulo the
#: width that leaves sums sums) scatters them evenly over the rows and columns of the hash.
RANK_KEY = tuple((s + (1 << 23)) * 27613407 % (1 << KEY_BITS) for s in RANK_SUM)


def _straight_top(lane: int) -> int:
    """Top rank of the best straight in a 13-bit set of ranks; -1 without one. The wheel's top is the five (3)."""
    for top in range(12, 3, -1):
        if lane >> (top - 4) & 0x1F == 0x1F:
            return top
    return 3 if lane & 0x100F == 0x100F else -1


def _pack(category: int, ranks: tuple[int, ...]) -> int:
    value = category
    for r in (*ranks, 0, 0, 0, 0, 0)[:5]:
        value = value << 4 | r
    return value


def _ranks_value(counts: list[int]) -> int:
    """Hand value of 5 to 7 cards without a flush, given how many there are of each rank."""
    lane = sum(1 << r for r in range(13) if counts[r])
    down = range(12, -1, -1)
    most = max(counts)

    def kickers(n: int, *used: int) -> tuple[int, ...]:
        return tuple(r for r in down if counts[r] and r not in used)[:n]

    if most == 4:
        quad = counts.index(4)
        return _pack(7, (quad, *kickers(1, quad)))
    trips = [r for r in down if counts[r] == 3]
    pairs = [r for r in down if counts[r] == 2]
    if trips and len(trips) + len(pairs) > 1:
        return _pack(6, (trips[0], max(trips[1:] + pairs)))
    top = _straight_top(lane)
    if top >= 0:
        return _pack(4, (top,))
    if trips:
        return _pack(3, (trips[0], *kickers(2, trips[0])))
    if len(pairs) > 1:
        return _pack(2, (pairs[0], pairs[1], *kickers(1, pairs[0], pairs[1])))
    if pairs:
        return _pack(1, (pairs[0], *kickers(3, pairs[0])))
    return _pack(0, kickers(5))


def _flush_value(lane: int) -> int:
    """Hand value of a flush: ``lane`` holds the five or more ranks of the suit."""
    top = _straight_top(lane)
    if top >= 0:
        return _pack(8, (top,))
    return _pack(5, tuple(r for r in range(12, -1, -1) if lane >> r & 1)[:5])


def _multisets(cards: int) -> Iterator[list[int]]:
    """Every way to have ``cards`` cards, as counts by rank (none above four)."""
    counts = [0] * 13

    def fill(rank: int, left: int) -> Iterator[list[int]]:
        if rank == 12:
            if left <= 4:
                counts[12] = left
                yield counts
            return
        for n in range(min(4, left) + 1):
            counts[rank] = n
            yield from fill(rank + 1, left - n)

    return fill(0, cards)


def _hash(entries: dict[int, int]) -> tuple[U32, U16]:
    """Displacement hash of key -> strength: ``strength[(row_shift[key >> 12] + key) % 2**32]``.

    Rows go into one array, fullest first, each at the first place where its columns meet only empty entries or
    entries of the same strength. ``row_shift`` already has the row's own ``row << 12`` taken off.
    """
    rows: dict[int, dict[int, int]] = {}
    for key, value in entries.items():
        rows.setdefault(key >> COLUMN_BITS, {})[key & (1 << COLUMN_BITS) - 1] = value
    table = np.zeros(1 << 19, dtype=np.uint16)
    shift = np.zeros(1 << (KEY_BITS - COLUMN_BITS), dtype=np.int64)
    used = 0
    for row, content in sorted(rows.items(), key=lambda item: (-len(item[1]), item[0])):
        columns = np.array(list(content), dtype=np.int64)
        values = np.array(list(content.values()), dtype=np.uint16)
        place = _first_fit(table, columns, values)
        table[columns + place] = values
        shift[row] = place
        used = max(used, place)
    length = used + (1 << COLUMN_BITS)
    whole = (shift - (np.arange(len(shift)) << COLUMN_BITS)) & 0xFFFFFFFF
    return whole.astype(np.uint32), table[:length].copy()


def _first_fit(table: U16, columns: I64, values: U16, block: int = 65536) -> int:
    """Smallest displacement at which every entry of a row meets an empty entry or one of its own value."""
    for start in range(0, len(table), block):
        good = np.ones(block, dtype=np.bool_)
        for column, value in zip(columns, values, strict=True):
            there = table[start + column : start + column + block]
            good &= (there == 0) | (there == value)
            if not good.any():
                break
        if good.any():
            return start + int(good.argmax())
    raise AssertionError("the table is too small for the hash")


def _by_parity(
    strength: dict[int, int],
) -> tuple[U16, U32, U16]:
    """Strength of 5 to 7 cards without a flush and without quads, by the binary digits of the counts of their ranks.

    ``odd`` is the set of ranks that occur once or three times, ``pair`` of those that occur twice or three times. The
    strength is ``parity_strength[pair_start[pair] + odd_place[odd]]``: the sets ``odd`` stand in order of size, and the
    hands with the same ``pair`` have sizes of ``odd`` that follow each other, so each ``pair`` owns one dense stretch.
    Indices of other hands lie within the array, too.
    """
    size = np.array([bin(lane).count("1") for lane in range(1 << 13)])
    order = np.argsort(size, kind="stable")
    place = np.empty(1 << 13, dtype=np.uint16)
    place[order] = np.arange(1 << 13)
    first = np.searchsorted(size[order], np.arange(9))
    start = np.zeros(1 << 13, dtype=np.uint32)
    # Room before the first stretch, so that no start is negative.
    row: list[int] = [0] * int(first[5])
    for pair in range(1 << 13):
        if size[pair] > 3:
            continue
        least, most = max(0, 5 - 2 * int(size[pair])), 7 - 2 * int(size[pair])
        start[pair] = len(row) - first[least]
        row += [
            strength[_ranks_value([(odd >> r & 1) + 2 * (pair >> r & 1) for r in range(13)])]
            for odd in order[first[least] : first[most + 1]].tolist()
        ]
    return place, start, np.array(row + [0] * (1 << 13), dtype=np.uint16)


def build() -> dict[str, U16 | U32]:
    """All tables, by the names that they have in ``evaluator.npz``.

    * ``value`` ``uint32[7463]``: hand value (nibbles) of each strength; entry 0 is unused;
    * ``lane_key`` ``uint32[8192]``: for each set of ranks in one suit the key of its cards in the top 25 bits, plus 1
      when there are five or more (a flush);
    * ``rank_key`` ``uint32[13]``: the key of a card by its rank, in the top 25 bits;
    * ``row_shift`` ``uint32[8192]``, ``rank_strength`` ``uint16``: the displacement hash;
    * ``flush_strength`` ``uint16[8192]``: strength by the ranks of the flush suit, 0 below five cards;
    * ``odd_place`` ``uint16[8192]``, ``pair_start`` ``uint32[8192]``, ``parity_strength`` ``uint16``: see
      :func:`_by_parity`.
    """
    fives = [_ranks_value(list(c)) for c in _multisets(5)]
    lanes = [sum(1 << r for r in ranks) for ranks in combinations(range(13), 5)]
    values = sorted({*fives, *(_flush_value(lane) for lane in lanes)})
    strength = {v: i + 1 for i, v in enumerate(values)}

    entries: dict[int, int] = {}
    count = 0
    for cards in (5, 6, 7):
        for c in _multisets(cards):
            key = sum(n * k for n, k in zip(c, RANK_KEY, strict=True)) % (1 << KEY_BITS)
            entries[key] = strength[_ranks_value(c)]
            count += 1
    if len(entries) != count:
        raise AssertionError("two multisets of ranks share a key")
    row_shift, rank_strength = _hash(entries)

    odd_place, pair_start, parity_strength = _by_parity(strength)
    lane_key = np.zeros(1 << 13, dtype=np.uint32)
    flush = np.zeros(1 << 13, dtype=np.uint16)
    for lane in range(1 << 13):
        ranks = [r for r in range(13) if lane >> r & 1]
        key = sum(RANK_KEY[r] for r in ranks) % (1 << KEY_BITS)
        lane_key[lane] = key << (32 - KEY_BITS) | (len(ranks) >= 5)
        if len(ranks) >= 5:
            flush[lane] = strength[_flush_value(lane)]
    return {
        "value": np.array([0, *values], dtype=np.uint32),
        "lane_key": lane_key,
        "rank_key": np.array([k << (32 - KEY_BITS) for k in RANK_KEY], dtype=np.uint32),
        "row_shift": row_shift,
        "rank_strength": rank_strength,
        "flush_strength": flush,
        "odd_place": odd_place,
        "pair_start": pair_start,
        "parity_strength": parity_strength,
    }


def main() -> None:
    """Write the tables into the package."""
    with open_whole(TABLE_FILE, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **build())


if __name__ == "__main__":
    main()
