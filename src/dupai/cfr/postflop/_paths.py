"""Find a node by its path: ``check/bet 75%/call/Ah/check``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dupai.base import ConfigError, NotationError
from dupai.base.text import whole_number
from dupai.cards import card, card_text
from dupai.cards.kernels import CARD_PERMUTED, SUIT_PERMUTATIONS
from dupai.cfr.postflop._boards import Board
from dupai.cfr.postflop._spot import STREETS, SolveSpot, parse_sizes
from dupai.cfr.postflop._tree import CHANCE, IP, Forest, action_amount

_NUMBERED = re.compile(r"(bet|raise|donk|allin|all-in)?\s*(\d+)")
_SIZED = re.compile(r"(bet|raise|donk)?\s*([\d.]+[%x])")
_BY_TEXT = {tuple(row): k for k, row in enumerate(SUIT_PERMUTATIONS.tolist())}


class Place(NamedTuple):
    """A node on a board: street from the start of the spot, node of the forest, number of the board, and the renaming
    of suits (row of ``SUIT_PERMUTATIONS``) that turns the solved board into the requested one."""

    level: int
    node: int
    board: int
    renaming: int = 0


def find_action(spot: SolveSpot, forest: Forest, node: int, text: str) -> int:
    """The child of a node that a text names: ``check``, ``bet 150``, ``bet 75%``, ``raise 3x``, ``150``, ``allin``.

    Raises:
        ConfigError: there is no such action (lists the legal ones).
    """
    actions = forest.actions(node)
    words = " ".join(text.lower().split())
    plain = {"x": "check", "k": "check", "c": "call", "f": "fold", "a": "allin", "all-in": "allin"}.get(words, words)
    for i, action in enumerate(actions):
        if plain == str(action) or (plain == action.kind and plain in ("fold", "check", "call", "allin")):
            return i
    bets = [i for i, a in enumerate(actions) if a.amount]
    if m := _NUMBERED.fullmatch(words):
        amount = whole_number(m[2])
        for i in bets:
            if actions[i].amount == amount:
                return i
    elif (m := _SIZED.fullmatch(words)) and bets:
        size = parse_sizes(m[2], "raise")[0]
        amount = action_amount(spot, forest, node, size)
        near = min(bets, key=lambda i: abs(actions[i].amount - amount))
        if abs(actions[near].amount - amount) <= 1:
            return near
    elif plain in ("bet", "raise") and len(bets) == 1:
        return bets[0]
    expected = " or ".join(map(str, actions))
    raise ConfigError(f"{text!r} is not legal here: expected {expected}", key="path", text=text)


def find_places(
    spot: SolveSpot, forests: Sequence[Forest], boards: Sequence[Sequence[Board]], path: str
) -> Iterator[Place]:
    """The node that a path leads to; with ``*`` for a card, one on each board.

    Raises:
        ConfigError: the path leads nowhere (says where it ends). NotationError: a part is not a card.
    """
    tokens = [t.strip() for t in path.split("/") if t.strip()]
    yield from _walk(spot, forests, boards, tokens, 0, Place(0, forests[0].roots[0], 0))


def _walk(
    spot: SolveSpot,
    forests: Sequence[Forest],
    boards: Sequence[Sequence[Board]],
    tokens: list[str],
    done: int,
    at: Place,
) -> Iterator[Place]:
    while done < len(tokens):
        forest = forests[at.level]
        token = tokens[done]
        before = "/".join(tokens[:done]) or "the start"
        kind = forest.kind[at.node]
        if kind == CHANCE:
            if at.level + 1 >= len(forests):
                raise ConfigError(f"{'/'.join(tokens)!r}: the solved part ends at {before}", key="path")
            below = forests[at.level + 1].roots[forest.tree[at.node]]
            for number, renaming in _boards_for(boards, at, token, spot):
                yield from _walk(spot, forests, boards, tokens, done + 1, Place(at.level + 1, below, number, renaming))
            return
        if kind > IP:
            raise ConfigError(f"{'/'.join(tokens)!r}: the hand is over at {before}", key="path")
        try:
            child = find_action(spot, forest, at.node, token)
        except ConfigError as error:
            message = f"{'/'.join(tokens)!r} leads nowhere at {before}: {error}"
            raise ConfigError(message, key="path", text=token) from error
        at = at._replace(node=forest.first[at.node] + child)
        done += 1
    yield at


def path_card(token: str) -> int:
    """The card that a part of a path names, as ``Th``, ``tH``, ``10h`` or ``T♥``.

    Raises:
        NotationError: it names none.
    """
    token = token.strip()
    return card(token[:1].upper() + token[1:].lower())


def _boards_for(boards: Sequence[Sequence[Board]], at: Place, token: str, spot: SolveSpot) -> Iterator[tuple[int, int]]:
    """The boards below that a card leads to, each with its renaming."""
    first, count = boards[at.level][at.board].kids
    below = boards[at.level + 1]
    if token == "*":
        for number in range(first, first + count):
            yield number, at.renaming
        return
    try:
        requested = path_card(token)
    except NotationError as error:
        street = STREETS[len(spot.board) - 2 + at.level]
        raise NotationError(f"{token!r} is not a card for the {street}: {error}", text=token) from error
    # the card in the names of the solved board
    solved = CARD_PERMUTED[at.renaming].tolist().index(requested)
    for number in range(first, first + count):
        board = below[number]
        for k in board.permutations:
            if CARD_PERMUTED[k][board.cards[-1]] == solved:
                both = SUIT_PERMUTATIONS[at.renaming][SUIT_PERMUTATIONS[k]]
                yield number, _BY_TEXT[tuple(both.tolist())]
                return
    raise ConfigError(f"{card_text(requested)} cannot come: it is on the board or dead", key="path", text=token)
