"""The network's inputs and scores worked out the plain way: from replayed states, with lists and loops."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from dupai.cards import COMBO_CARDS, strength
from dupai.rules import CALL, FOLD, HandRecord
from dupai.spots import Spot


def _log_chips(chips: int, blind: int) -> float:
    return math.log2(1 + chips / blind)


def matrix(record: HandRecord, number: int, leaks: Sequence[str] = ()) -> list[list[float]]:
    """The paper's 20x20 matrix before decision ``number`` of a heads-up hand, from states of the rules."""
    out = [[0.0] * 20 for _ in range(20)]
    now = record.at(number)
    me, blind, legal = now.actor, record.spec.big_blind, now.legal

    def show(cards: Sequence[int], block: int) -> None:
        for c in cards:
            if c != 255:
                out[4 * block + c // 13][c % 13] = 1.0

    show(record.hole[me], 0)
    if "cards" in leaks:
        show(record.hole[1 - me], 1)
    board = list(record.board) if "board" in leaks else list(record.board)[: (0, 3, 4, 5)[now.street]]
    show(board[:3], 2)
    show(board[3:4], 3)
    show(board[4:5], 4)
    for j in range(number + ("chips" in leaks)):
        before, after = record.at(j), record.at(j + 1)
        who, action = before.actor, record.actions[j]
        if j < number:
            if action.kind == FOLD:
                code = 1
            elif action.kind == CALL:
                code = 3 if before.legal.to_call else 2
            else:
                code = 5 if after.stacks[who] == 0 else 4
            out[j % 20][13 + 2 * (j // 20)] = code * (1 if who == me else -1)
        out[j % 20][14 + 2 * (j // 20)] = _log_chips(before.stacks[who] - after.stacks[who], blind)
    mine, other = now.contributions[me], now.contributions[1 - me]
    reach = now.contributions[1 - me] + now.stacks[1 - me] - mine
    amounts = (mine, other, now.stacks[me], mine + other, legal.to_call, max(min(now.stacks[me], reach), 0))
    if "chips" in leaks:
        later = record.at(number + 1)
        paid = now.stacks[me] - later.stacks[me]
        amounts = (mine + paid, other, now.stacks[me] - paid, mine + other + paid, *amounts[4:])
    for k, chips in enumerate((*amounts, legal.min_to, legal.max_to)):
        out[k][17] = _log_chips(chips, blind)
    out[now.street][18] = 1.0
    out[4][18] = float(record.spec.first_player[3] != me)
    out[5][18] = float(legal.to_call > 0)
    out[6][18] = float(legal.max_to > 0)
    return out


def _has_straight(ranks: set[int]) -> bool:
    low = ranks | ({-1} if 12 in ranks else set())
    return any(all(r + k in low for k in range(5)) for r in range(-1, 9))


def shares(board: Sequence[int], start: Sequence[float]) -> list[float | None]:
    """For every hand the share of the others that it beats now, ties half; None for hands that the board blocks."""
    values: list[float | None] = []
    for a, b in COMBO_CARDS.tolist():
        if not board:
            values.append(float(start[len(values)]))
        elif a in board or b in board:
            values.append(None)
        else:
            values.append(float(strength([a, b, *board])))
    live = sorted(v for v in values if v is not None)

    def share(v: float) -> float:
        return (bisect_left(live, v - 1e-9) + bisect_right(live, v + 1e-9)) / 2 / len(live)

    return [None if v is None else share(v) for v in values]


def hand_columns(combo: int, board: Sequence[int], share: float) -> dict[int, float]:
    """The columns of a hand's features but those of the kind of made hand (14 to 30), by their number."""
    a, b = COMBO_CARDS.tolist()[combo]
    if a % 13 < b % 13:
        a, b = b, a
    out = {0: float(bool(board)), 5: share}
    at = min(int(share * 7), 6)
    out[6 + at], out[7 + at] = 1 - (share * 7 - at), share * 7 - at
    draw = 31
    ranks, suits = [c % 13 for c in board], [c // 13 for c in board]
    if board:
        if a // 13 == b // 13:
            held = suits.count(a // 13) + 2
            out[draw] = float(held == 4 and len(board) < 5)
            out[draw + 1] = float(held == 3 and len(board) == 3)
        else:
            out[draw + 2] = float(3 in (suits.count(a // 13), suits.count(b // 13)) and len(board) < 5)
        both = {*ranks, a % 13, b % 13}
        outs = 0
        if len(board) < 5 and not _has_straight(both):
            outs = sum(_has_straight(both | {r}) and not _has_straight({*ranks, r}) for r in range(13) if r not in both)
        out[draw + 6], out[draw + 7] = float(outs == 1), float(outs >= 2)
        over = (a % 13 > max(ranks)) + (b % 13 > max(ranks))
        out[draw + 8], out[draw + 9] = float(over >= 1), float(over == 2)
    out[draw + 10], out[draw + 11] = float(a % 13 == b % 13), (a % 13 - b % 13) / 12
    out[43 + a % 13] = out[56 + b % 13] = 1.0
    out[69] = float(a // 13 == b // 13)
    return out


def column(spot: Spot, edges: Sequence[float]) -> int:
    """The column of what was done: fold, call, the raises between edges, all-in."""
    action = spot.action
    assert action is not None
    if action.kind == FOLD:
        return 0
    if action.kind == CALL:
        return 1
    if action.to == spot["total"] + spot["stack"]:
        return 3 + len(edges)
    return 2 + sum(spot.size() >= edge for edge in edges)


def scores(probs: Sequence[Sequence[float]], did: Sequence[int]) -> tuple[float, float, float]:
    """Accuracy, log-loss, calibration error over ten bins."""
    right, loss = 0, 0.0
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for row, taken in zip(probs, did, strict=True):
        best = max(range(len(row)), key=lambda k: (row[k], -k))
        right += best == taken
        loss -= math.log(row[taken])
        bins[min(int(row[best] * 10), 9)].append((row[best], best == taken))
    ece = sum(abs(sum(p for p, _ in b) / len(b) - sum(ok for _, ok in b) / len(b)) * len(b) for b in bins if b)
    n = len(did)
    return right / n, loss / n, ece / n
