"""Poker Hand History files: one hand as a TOML table, many in a ``.phhs``.

Source: Kim, "Recording and Describing Poker Hands" (IEEE CoG 2024), and PokerKit, which reads what is written here.
Fields of our own begin with an underscore and hold what the standard cannot: the odd-chip and minimum-raise rules,
raise caps, the section of a log, the game's nominal stacks, the player who recorded the hand, cards published after it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, time

from dupai.base import NotationError
from dupai.cards import NO_CARD, card_text, cards_text
from dupai.notation._chips import format_chips
from dupai.rules import BOARD_CARDS, FOLD, RAISE, GameSpec, HandRecord, HandState

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def usual_first_player(players: int, blinds: tuple[int, ...]) -> tuple[int, ...]:
    """Position that acts first on each street as the blinds imply: after the last blind, later left of the button."""
    if players == 2:
        return (1, 0, 0, 0)
    posted = max((i for i, b in enumerate(blinds) if b), default=1)
    return ((posted + 1) % players, 0, 0, 0)


def _quoted(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    # A JSON string is a TOML basic string, but for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _list(values: Iterable[object]) -> str:
    return "[" + ", ".join(map(str, values)) + "]"


def _cards(cards: Iterable[int]) -> str:
    return "".join("??" if c == NO_CARD else card_text(c) for c in cards)


def phh_actions(record: HandRecord) -> list[str]:
    """The ``actions`` of a record in PHH words: deals, actions, then hands shown or mucked, and the rest of the board.

    Raises:
        RulesError: the record does not replay.
    """
    spec = record.spec
    words = [f"d dh p{i + 1} {_cards(two)}" for i, two in enumerate(record.hole)]
    state = HandState(spec, record.hole, record.board, record.stacks, record.seats or None, record.hand)
    board = (*record.board, *(NO_CARD,) * (5 - len(record.board)))
    street = 0
    before = (0,) * spec.players
    # People fold where they could check, and so do agents that forfeit a hand. The ACPC dealer allows no such fold.
    free_fold = spec.min_raise == "casino"

    def deal(last: int) -> None:
        nonlocal street, before
        while street < last:
            street += 1
            words.append(f"d db {_cards(board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]])}")
            before = state.contributions

    for action in record.actions:
        deal(state.street)
        actor = state.actor
        player = f"p{actor + 1}"
        if action.kind == FOLD:
            words.append(f"{player} f")
        elif action.kind == RAISE:
            words.append(f"{player} cbr {state.check(action).to - before[actor]}")
        elif state.to_call or int(state.state["able"][0]) > 1:
            # The ACPC dealer also asks the last player who can act when there is nothing left to decide; PHH does not.
            words.append(f"{player} cc")
        state.apply(action, free_fold=free_fold)
    shown = record.shown or (state.showdown,) * spec.players
    for i, folded in enumerate(state.folded):
        if shown[i] and not (folded and not record.shown):
            words.append(f"p{i + 1} sm {_cards(record.hole[i])}")
        elif state.showdown and not folded:
            words.append(f"p{i + 1} sm")
    if state.finished:
        deal(state.street)
    return words


def format_phh(record: HandRecord) -> str:
    """One hand as a PHH document (without the ``[1]`` of a ``.phhs``), lines ending with a line end.

    ``finishing_stacks`` are the payoffs added to the stacks; fractions of a chip are decimals, as in ACPC logs.

    Raises:
        NotationError: pot-limit, which PHH has no word for.
        RulesError: the record does not replay.
    """
    spec = record.spec
    n = spec.players
    limit = spec.betting == "limit"
    if spec.betting == "pot-limit":
        raise NotationError("PHH has no variant for pot-limit hold'em: expected a no-limit or limit hand")
    # Heads-up PHH (and PokerKit) reverses blinds and antes: the button's come first.
    blinds, antes = (spec.blinds[::-1], spec.antes[::-1]) if n == 2 else (spec.blinds, spec.antes)
    finish = (format_chips(s * spec.split + p, spec.split) for s, p in zip(record.stacks, record.payoffs, strict=True))
    fields: dict[str, object] = {
        "variant": _quoted("FT" if limit else "NT"),
        # Trimmed antes are equal ones, matched like bets; an ante that one player posts for all is dead money.
        "ante_trimming_status": "true" if len(set(spec.antes)) == 1 else "false",
        "antes": _list(antes),
        "blinds_or_straddles": _list(blinds),
        "small_bet": spec.bet_sizes[0] if limit else None,
        "big_bet": spec.bet_sizes[-1] if limit else None,
        "min_bet": None if limit else spec.big_blind,
        "starting_stacks": _list(record.stacks),
        "actions": _list(map(_quoted, phh_actions(record))),
        "hand": None if any(key == "hand" for key, _ in record.about) else record.hand,
        "seats": _list(s + 1 for s in record.seats) if record.seats else None,
        "players": _list(map(_quoted, record.names)) if record.names else None,
        "finishing_stacks": _list(finish),
        **_own_fields(record, spec, limit),
    }
    lines = [f"{key} = {value}" for key, value in fields.items() if value is not None]
    return "\n".join(lines + [f"{_toml_key(key)} = {value}" for key, value in record.about]) + "\n"


def _own_fields(record: HandRecord, spec: GameSpec, limit: bool) -> dict[str, object]:
    """Our own fields of a hand; None: the hand does not need it."""
    sizes = spec.bet_sizes
    usual_sizes = (sizes[0],) * 2 + (sizes[-1],) * 2 if limit else sizes
    plain = GameSpec(spec.players, spec.betting, spec.blinds, spec.stacks, bet_sizes=sizes if limit else ())
    usual_first = usual_first_player(spec.players, spec.blinds)
    mucked = (_quoted(cards_text([c for c in two if c != NO_CARD])) for two in record.mucked)
    return {
        "_game_stacks": _list(spec.stacks) if record.stacks != spec.stacks else None,
        "_odd_chips": _quoted(spec.odd_chips) if spec.odd_chips != "casino" else None,
        "_min_raise": _quoted(spec.min_raise) if spec.min_raise != "casino" else None,
        "_bet_sizes": _list(sizes) if limit and sizes != usual_sizes else None,
        "_max_raises": _list(spec.max_raises) if spec.max_raises != plain.max_raises else None,
        "_first_player": _list(spec.first_player) if spec.first_player != usual_first else None,
        "_section": _quoted(record.section) if record.section else None,
        "_comment": _quoted(record.comment) if record.comment else None,
        "_rake": format_chips(record.rake, spec.split) if record.rake else None,
        "_mucked": _list(mucked) if record.mucked else None,
        "_hero": None if record.hero is None else record.hero + 1,
    }


def _toml_key(key: str) -> str:
    return key if _BARE.match(key) else _quoted(key)


def toml_text(value: object) -> str:
    """A value that ``tomllib`` gave (floats as :class:`TomlFloat`) as TOML text."""
    if isinstance(value, TomlFloat):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        return _list(map(toml_text, value))
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_key(k)} = {toml_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, int):
        return str(value)
    assert isinstance(value, date | time)
    return value.isoformat()


class TomlFloat(str):
    """A TOML number with a fraction, as written: amounts never become floats."""

    __slots__ = ()


def write_phhs(records: Iterable[HandRecord], *, first: int = 1) -> Iterator[str]:
    """The text of a ``.phhs`` file, one string per hand: tables ``[1]``, ``[2]``, ... from ``first`` on.

    Raises:
        NotationError, RulesError: as :func:`format_phh`.
    """
    for number, record in enumerate(records, first):
        yield f"[{number}]\n{format_phh(record)}\n"
