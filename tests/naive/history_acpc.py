"""A hand of an ACPC log worked out slowly and on its own: nothing of dupai is used, showdowns are judged by eval7."""

from __future__ import annotations

import re
from fractions import Fraction

import eval7


class Bad(Exception):
    """The line is not a hand that the game allows."""


def net_results(line, *, blinds, stacks, sizes=None, caps=None):
    """Net results by position (fractions) of one STATE line, from its betting and cards alone.

    ``sizes`` and ``caps`` by round make it a limit game. Raises Bad where the reference dealer would not go along.
    """
    parts = line.split(":", 5)
    if len(parts) != 6 or parts[0] != "STATE":
        raise Bad("fields")
    _, _, betting, cards, results, names = parts
    n = len(blinds)
    if len(results.split("|")) != n or len(names.split("|")) != n:
        raise Bad("positions")
    hole_text, *board_text = cards.split("/")
    hole = [re.findall("..", h) for h in hole_text.split("|")]
    board = [re.findall("..", b) for b in board_text]
    if [len(h) for h in hole] != [2] * n or [len(b) for b in board] != [3, 1, 1][: len(board)]:
        raise Bad("cards")
    out = [c for group in hole + board for c in group]
    if len(set(out)) != len(out) or not all(re.fullmatch("[2-9TJQKA][cdhs]", c) for c in out):
        raise Bad("cards")
    rounds = betting.split("/")
    if len(rounds) != len(board) + 1:
        raise Bad("rounds")
    spent, folded = play(rounds, list(blinds), list(stacks), sizes, caps)
    live = [p for p in range(n) if not folded[p]]
    if len(live) > 1 and len(rounds) != 4:
        raise Bad("showdown without a river")
    return settle(spent, folded, hole, [c for b in board for c in b])


def play(rounds, spent, stacks, sizes, caps):
    n = len(spent)
    blind = max(spent)
    top, least = blind, 2 * blind
    folded = [False] * n
    over = None
    for number, text in enumerate(rounds):
        tokens = re.findall(r"f|c|r\d*", text)
        if "".join(tokens) != text:
            raise Bad("letters")
        able = [p for p in range(n) if not folded[p] and spent[p] < stacks[p]]
        live = n - sum(folded)
        if over is not None:
            if live < 2 or text not in ("", "c" * live):
                raise Bad("after the end")
            continue
        if number:
            least = top + blind
        first = 1 if n == 2 and number == 0 else 2 % n if number == 0 else 0
        turn = next((p % n for p in range(first, first + n) if p % n in able), None)
        waiting = set(able)
        raises = 0
        for acts, token in enumerate(tokens):
            if not waiting or turn is None:
                raise Bad("after the end of the round")
            others = [p for p in range(n) if p != turn and not folded[p] and spent[p] < stacks[p]]
            if token == "f":
                if spent[turn] >= top:
                    raise Bad("fold for free")
                folded[turn] = True
            elif token == "c":
                spent[turn] = min(top, stacks[turn])
            else:
                if (token == "r") != (sizes is not None):
                    raise Bad("size")
                if not others or stacks[turn] <= top or acts + n > 64:
                    raise Bad("no raise")
                if sizes is not None:
                    if raises >= caps[number]:
                        raise Bad("cap")
                    to = min(top + sizes[number], stacks[turn])
                else:
                    to = int(token[1:])
                    if to > stacks[turn] or to <= top or (to < least and to != stacks[turn]):
                        raise Bad("raise")
                least = max(least, 2 * to - top)
                top = spent[turn] = to
                raises += 1
                waiting = set(others)
            waiting.discard(turn)
            if n - sum(folded) == 1:
                waiting = set()
                over = number
            turn = next((p % n for p in range(turn + 1, turn + n) if p % n in waiting), None)
        if waiting:
            raise Bad("not over")
        if n - sum(folded) == 1:
            over = number
        elif sum(not folded[p] and spent[p] < stacks[p] for p in range(n)) < 2 or number == 3:
            over = 3
    if over is None or (n - sum(folded) == 1 and over != len(rounds) - 1):
        raise Bad("not over")
    return spent, folded


def settle(spent, folded, hole, board):
    n = len(spent)
    won = [Fraction(-s) for s in spent]
    live = [p for p in range(n) if not folded[p]]
    score = dict.fromkeys(live, 0)
    if len(live) > 1:
        for p in live:
            score[p] = eval7.evaluate([eval7.Card(c) for c in hole[p] + board])
    below = 0
    for level in [*sorted({spent[p] for p in live}), max(spent)]:
        layer = sum(max(0, min(s, level) - below) for s in spent)
        claim = [p for p in live if spent[p] >= level] or [p for p in live if spent[p] == max(spent[q] for q in live)]
        best = max(score[p] for p in claim)
        winners = [p for p in claim if score[p] == best]
        for p in winners:
            won[p] += Fraction(layer, len(winners))
        below = level
    return won
