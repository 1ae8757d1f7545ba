"""A tournament match worked out again from its hand records alone, the plain way."""

from __future__ import annotations

from collections.abc import Sequence

from dupai.rules import HandRecord


def replayed(
    records: Sequence[HandRecord], players: int, stack: int, rebuys: int, hands: int
) -> dict[int, tuple[float, int, int, int, int]]:
    """By chair: rank, hands survived, chips left, rebuys used, sum of squared changes. Checks the course on its way."""
    money = dict.fromkeys(range(players), stack * (1 + rebuys))
    front = dict.fromkeys(range(players), stack)
    used = dict.fromkeys(range(players), 0)
    squares = dict.fromkeys(range(players), 0)
    gone: dict[int, tuple[int, int]] = {}
    button = -1
    for number, record in enumerate(records, 1):
        assert record.hand == number
        live = [c for c in range(players) if c not in gone]
        assert sorted(record.seats) == live
        assert list(record.stacks) == [front[c] for c in record.seats]
        expected = min((c for c in live if c > button), default=min(live))
        button = record.seats[-1]
        assert button == expected
        after = sorted(live, key=lambda c: (c <= button, c))
        assert list(record.seats) == after
        blinds = {c: b for c, b in zip(record.seats, record.spec.blinds, strict=True) if b}
        small = button if len(live) == 2 else after[0]
        big = next(c for c in after if c != small)
        assert blinds == {small: 20, big: 40}
        assert sum(record.payoffs) == 0
        for chair, before, won in zip(record.seats, record.stacks, record.payoffs, strict=True):
            money[chair] += won
            squares[chair] += won * won
            front[chair] = before + won
            if front[chair] == 0:
                if used[chair] < rebuys:
                    used[chair] += 1
                    front[chair] = stack
                else:
                    gone[chair] = (number, before)
    assert len(records) == hands or len(gone) == players - 1

    def better(a: int, b: int) -> int:
        """1 if a ranks before b, 0 if equal, -1 otherwise."""
        if a in gone and b in gone:
            mine, other = gone[a], gone[b]
        elif a in gone or b in gone:
            return 1 if b in gone else -1
        else:
            mine, other = (0, money[a]), (0, money[b])
        return (mine > other) - (mine < other)

    table = {}
    for c in range(players):
        order = [better(c, other) for other in range(players) if other != c]
        rank = 1 + order.count(-1) + order.count(0) / 2
        survived = gone[c][0] if c in gone else hands
        table[c] = (rank, survived, money[c], used[c], squares[c])
    return table
