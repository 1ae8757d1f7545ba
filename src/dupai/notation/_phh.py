"""Poker Hand History files: one hand as a TOML table, many in a ``.phhs``.

Source: Kim, "Recording and Describing Poker Hands" (IEEE CoG 2024), and PokerKit, which reads what is written here.
Fields of our own begin with an underscore and say what the standard cannot: the odd-chip and minimum-raise rules, raise
caps, the section of a log, the game's nominal stacks, who recorded the hand, cards published after it.
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

#: Raise caps and first players that a PHH variant implies, which need no field of their own.
LIMIT_CAPS = (3, 4, 4, 4)
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def usual_first_player(players: int, blinds: tuple[int, ...]) -> tuple[int, ...]:
    """Who acts first on each street by the blinds alone: after the last one posted, later left of the button."""
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
    out = [f"d dh p{i + 1} {_cards(two)}" for i, two in enumerate(record.hole)]
    state = HandState(spec, record.hole, record.board, record.stacks, record.seats or None, record.hand)
    board = (*record.board, *(NO_CARD,) * (5 - len(record.board)))
    street = 0
    before = (0,) * spec.players
    # People fold with nothing to fold to; so does an agent that forfeits its hand. The ACPC dealer knows no such fold.
    free_fold = spec.min_raise == "casino"

    def deal(last: int) -> None:
        nonlocal street, before
        while street < last:
            street += 1
            out.append(f"d db {_cards(board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]])}")
            before = state.contributions

    for action in record.actions:
        deal(state.street)
        actor = state.actor
        player = f"p{actor + 1}"
        if action.kind == FOLD:
            out.append(f"{player} f")
        elif action.kind == RAISE:
            out.append(f"{player} cbr {state.check(action).to - before[actor]}")
        elif state.to_call or int(state.state["able"][0]) > 1:
            # The ACPC dealer also asks the last player who can act when there is nothing left to decide; PHH does not.
            out.append(f"{player} cc")
        state.apply(action, free_fold=free_fold)
    shown = record.shown or (state.showdown,) * spec.players
    for i, folded in enumerate(state.folded):
        if shown[i] and not (folded and not record.shown):
            out.append(f"p{i + 1} sm {_cards(record.hole[i])}")
        elif state.showdown and not folded:
            out.append(f"p{i + 1} sm")
    if state.finished:
        deal(state.street)
    return out


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
    # Heads-up PHH (and PokerKit) turns blinds and antes round: the button's first.
    blinds, antes = (spec.blinds[::-1], spec.antes[::-1]) if n == 2 else (spec.blinds, spec.antes)
    lines = [
        f"variant = {_quoted('FT' if limit else 'NT')}",
        # Trimmed antes are equal ones, matched like bets; an ante that one player posts for all is dead money.
        f"ante_trimming_status = {'true' if len(set(spec.antes)) == 1 else 'false'}",
        f"antes = {_list(antes)}",
        f"blinds_or_straddles = {_list(blinds)}",
    ]
    if limit:
        lines += [f"small_bet = {spec.bet_sizes[0]}", f"big_bet = {spec.bet_sizes[-1]}"]
    else:
        lines.append(f"min_bet = {spec.big_blind}")
    finish = (format_chips(s * spec.split + p, spec.split) for s, p in zip(record.stacks, record.payoffs, strict=True))
    lines += [
        f"starting_stacks = {_list(record.stacks)}",
        f"actions = {_list(map(_quoted, phh_actions(record)))}",
    ]
    if all(key != "hand" for key, _ in record.about):
        lines.append(f"hand = {record.hand}")
    if record.seats:
        lines.append(f"seats = {_list(s + 1 for s in record.seats)}")
    if record.names:
        lines.append(f"players = {_list(map(_quoted, record.names))}")
    lines.append(f"finishing_stacks = {_list(finish)}")
    lines += _own_fields(record, spec, limit)
    return "\n".join(lines) + "\n"


def _own_fields(record: HandRecord, spec: GameSpec, limit: bool) -> list[str]:
    lines = []
    if record.stacks != spec.stacks:
        lines.append(f"_game_stacks = {_list(spec.stacks)}")
    if spec.odd_chips != "casino":
        lines.append(f"_odd_chips = {_quoted(spec.odd_chips)}")
    if spec.min_raise != "casino":
        lines.append(f"_min_raise = {_quoted(spec.min_raise)}")
    if limit and spec.bet_sizes != (spec.bet_sizes[0],) * 2 + (spec.bet_sizes[-1],) * 2:
        lines.append(f"_bet_sizes = {_list(spec.bet_sizes)}")
    plain = GameSpec(
        players=spec.players,
        betting=spec.betting,
        blinds=spec.blinds,
        stacks=spec.stacks,
        bet_sizes=(spec.bet_sizes if limit else ()),
    )
    if spec.max_raises != plain.max_raises:
        lines.append(f"_max_raises = {_list(spec.max_raises)}")
    if spec.first_player != usual_first_player(spec.players, spec.blinds):
        lines.append(f"_first_player = {_list(spec.first_player)}")
    if record.section:
        lines.append(f"_section = {_quoted(record.section)}")
    if record.comment:
        lines.append(f"_comment = {_quoted(record.comment)}")
    if record.rake:
        lines.append(f"_rake = {format_chips(record.rake, spec.split)}")
    if record.mucked:
        lines.append(
            f"_mucked = {_list(_quoted(cards_text([c for c in two if c != NO_CARD])) for two in record.mucked)}"
        )
    if record.hero is not None:
        lines.append(f"_hero = {record.hero + 1}")
    lines += [f"{key if _BARE.match(key) else _quoted(key)} = {value}" for key, value in record.about]
    return lines


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
        return (
            "{" + ", ".join(f"{k if _BARE.match(k) else _quoted(k)} = {toml_text(v)}" for k, v in value.items()) + "}"
        )
    if isinstance(value, int):
        return str(value)
    assert isinstance(value, date | time)
    return value.isoformat()


class TomlFloat(str):
    """A TOML number with a fraction, as it is written: amounts never become floats."""

    __slots__ = ()


def write_phhs(records: Iterable[HandRecord], *, first: int = 1) -> Iterator[str]:
    """The text of a ``.phhs`` file, one piece a hand: tables ``[1]``, ``[2]``, ... from ``first`` on.

    Raises:
        NotationError, RulesError: as :func:`format_phh`.
    """
    for number, record in enumerate(records, first):
        yield f"[{number}]\n{format_phh(record)}\n"
