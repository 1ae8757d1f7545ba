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
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from dupai.base import ConfigError, DupaiError, HistoryError, NotationError, RulesError
from dupai.base.text import read_toml, whole_number
from dupai.cards import NO_CARD, card, card_text, cards_text
from dupai.notation._chips import format_chips, parse_chips
from dupai.notation._facts import marked_steps
from dupai.rules import BOARD_CARDS, Action, GameSpec, HandRecord, HandState

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def usual_first_player(players: int, blinds: tuple[int, ...]) -> tuple[int, ...]:
    """Position that acts first on each street as the blinds imply: after the largest blind (the last of equal ones, as
    in PokerKit), later left of the button."""
    if players == 2:
        return (1, 0, 0, 0)
    posted = max(range(players), key=lambda i: (blinds[i], i)) if any(blinds) else 1
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
    n = record.spec.players
    words = [f"d dh p{i + 1} {_cards(two)}" for i, two in enumerate(record.hole)]
    board = (*record.board, *(NO_CARD,) * (5 - len(record.board)))
    folded, showdown = set(), False
    deals: list[str] = []
    for step, idle in marked_steps(record):
        if step.kind == "street":
            opened = board[BOARD_CARDS[step.street - 1] : BOARD_CARDS[step.street]]
            deals.append(f"d db {_cards(opened)}")
        elif step.is_action:
            words += deals
            deals = []
            # PHH knows no check of a player alone.
            if not idle:
                word = {"fold": "f", "check": "cc", "call": "cc"}.get(step.kind, f"cbr {step.bet}")
                words.append(f"p{step.position + 1} {word}")
        if step.kind == "fold":
            folded.add(step.position)
        showdown |= step.kind in ("show", "muck")
    for i in range(n):
        live = showdown and i not in folded
        if record.shown[i] if record.shown else live:
            words.append(f"p{i + 1} sm {_cards(record.hole[i])}")
        elif live:
            words.append(f"p{i + 1} sm")
    return words + deals


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
        "min_bet": None if limit else spec.smallest_bet,
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


def write_phhs(records: Iterable[HandRecord]) -> Iterator[str]:
    """The text of a ``.phhs`` file, one string per hand: tables ``[1]``, ``[2]``, ...

    Raises:
        NotationError, RulesError: as :func:`format_phh`.
    """
    for number, record in enumerate(records, 1):
        yield f"[{number}]\n{format_phh(record)}\n"


# reading -------------------------------------------------------------------------------------------------------------

_TABLE = re.compile(r"\[\s*(\"?)([A-Za-z0-9_-]+)\1\s*\]\s*(?:#.*)?\Z")
#: A line that JSON reads as TOML would: a number, true or false, a plain string, a list of such on one line.
_SIMPLE = re.compile(r"([A-Za-z0-9_-]+)\s*=\s*(-?\d[\d.]*|true|false|\"[^\"\\]*\"|\[[^\]\[']*\])\s*\Z")
_JSON = msgspec.json.Decoder(float_hook=TomlFloat)
_VARIANTS = {"NT": "no-limit", "FT": "limit"}
#: More chips than any game has.
_MAX_CHIPS = 10**15
#: Numbers of seats that a store has room for.
_MAX_SEATS = 128
#: Fields that a record holds under its own names; all others are kept in ``HandRecord.about``.
_KNOWN = {
    *("variant", "ante_trimming_status", "antes", "blinds_or_straddles", "small_bet", "big_bet", "min_bet"),
    *("starting_stacks", "actions", "hand", "seats", "players", "finishing_stacks"),
    *("_section", "_comment", "_rake", "_mucked", "_hero", "_odd_chips", "_min_raise", "_bet_sizes", "_max_raises"),
    *("_first_player", "_game_stacks"),
}


class PhhTable(NamedTuple):
    """One table of a ``.phhs``: its ``name`` (empty in a ``.phh``), first ``line``, and ``fields``."""

    name: str
    line: int
    fields: dict[str, Any]


def read_phh_tables(lines: Iterable[str]) -> Iterator[PhhTable | NotationError]:
    """The tables of a ``.phhs`` (or the one of a ``.phh``) in order; an error in place of one that is not TOML.

    The error's ``line`` is that of the table.
    """
    name, start = "", 1
    texts: list[str] = []
    fields: dict[str, Any] = {}
    plain = True

    def tables() -> Iterator[PhhTable | NotationError]:
        """The table that ends here, if it has any fields."""
        try:
            if texts:
                toml = fields if plain else read_toml("\n".join(texts), parse_float=TomlFloat)
                yield PhhTable(name, start, toml)
        except NotationError as error:
            yield NotationError(f"the table [{name}] is not TOML: {error}", line=start)

    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("[") and (header := _TABLE.match(text)):
            yield from tables()
            name, start, texts, fields, plain = header[2], number, [], {}, True
            continue
        if not text or text.startswith("#"):
            continue
        if not texts and not name:
            start = number
        texts.append(text)
        if plain:
            simple = _SIMPLE.match(text)
            try:
                plain = simple is not None and simple[1] not in fields
                if simple is not None and plain:
                    fields[simple[1]] = _JSON.decode(simple[2])
            except msgspec.DecodeError:
                plain = False
    yield from tables()


def _field(fields: dict[str, Any], key: str, kind: type, default: Any = None) -> Any:
    value = fields.get(key, default)
    if value is None:
        raise NotationError(f"{key} is missing", key=key)
    too_large = isinstance(value, int) and abs(value) > _MAX_CHIPS
    if not isinstance(value, kind) or isinstance(value, bool) or too_large:
        expected = {list: "a list", str: "text", int: "a whole number"}[kind]
        raise NotationError(f"{key} = {_short(value)}: expected {expected}", key=key)
    return value


def _chips_list(fields: dict[str, Any], key: str, length: int | None = None) -> tuple[int, ...]:
    values = _field(fields, key, list)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _MAX_CHIPS:
            raise NotationError(f"{key} = {_short(values)}: expected whole numbers of chips", key=key)
    if length is not None and len(values) != length:
        raise NotationError(f"{key} has {len(values)} values: expected {length}, one per player")
    return tuple(values)


def _short(value: object) -> str:
    text = str(value) if isinstance(value, list) else repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


@lru_cache(maxsize=4096)
def _spec(**settings: Any) -> GameSpec:
    return GameSpec(**settings)


def _game(fields: dict[str, Any], stacks: tuple[int, ...]) -> GameSpec:
    n = len(stacks)
    variant = _field(fields, "variant", str)
    if variant not in _VARIANTS:
        raise NotationError(f"variant = {variant!r}: expected 'NT' or 'FT' (no-limit and fixed-limit hold'em)")
    limit = variant == "FT"
    blinds, antes = _chips_list(fields, "blinds_or_straddles", n), _chips_list(fields, "antes", n)
    if n == 2:
        blinds, antes = blinds[::-1], antes[::-1]
    sizes: tuple[int, ...] = ()
    if limit:
        small, big = _field(fields, "small_bet", int), _field(fields, "big_bet", int)
        sizes = _chips_list(fields, "_bet_sizes") if fields.get("_bet_sizes") else (small, small, big, big)
    # Hands without blinds were once written with the big blind, 0.
    smallest = UNSET if limit or _field(fields, "min_bet", int) == max(blinds) else fields["min_bet"]

    def own(key: str, default: tuple[int, ...] = ()) -> tuple[int, ...]:
        return _chips_list(fields, key) if fields.get(key) else default

    try:
        return _spec(
            players=n,
            betting=_VARIANTS[variant],
            blinds=blinds,
            antes=antes,
            # A hand may be dealt with less than the blind; a game's nominal stacks may not.
            stacks=own("_game_stacks", tuple(max(s, b) for s, b in zip(stacks, blinds, strict=True))),
            bet_sizes=sizes,
            max_raises=own("_max_raises"),
            first_player=own("_first_player", usual_first_player(n, blinds)),
            odd_chips=_field(fields, "_odd_chips", str, "casino"),
            min_raise=_field(fields, "_min_raise", str, "casino"),
            min_bet=smallest,
        )
    except ConfigError as error:
        raise NotationError(str(error), key=error.key) from None


def _two(text: str, where: str) -> tuple[int, ...]:
    if len(text) % 2:
        raise NotationError(f"{where!r}: {text!r} is not a list of cards")
    return tuple(NO_CARD if text[k : k + 2] == "??" else card(text[k : k + 2]) for k in range(0, len(text), 2))


class _Player:
    """Plays the ``actions`` of a table on a :class:`HandState`."""

    def __init__(self, spec: GameSpec, stacks: tuple[int, ...], seats: tuple[int, ...] | None, hand: int) -> None:
        self.state = HandState(spec, None, (), stacks, seats, hand)
        self.dealt: list[int] = []
        self.before = (0,) * spec.players
        self.street = 0
        self.shown = [False] * spec.players

    def player(self, word: str, text: str) -> int:
        players = self.state.spec.players
        number = whole_number(word[1:], players) if word[:1] == "p" else None
        if number:
            return number - 1
        raise NotationError(f"{text!r}: {word!r} is not a player: expected p1 to p{players}")

    def settle_checks(self) -> None:
        """The check that only the ACPC rule asks for (see :func:`phh_actions`)."""
        state = self.state
        if not state.finished and not state.to_call and int(state.state["able"][0]) == 1:
            state.apply(Action.call())

    def hold(self, player: int, two: tuple[int, ...], text: str) -> None:
        """The player's hole cards as far as ``text`` says them, which may be less than is known.

        Raises:
            NotationError: others are known already.
        """
        said, known = set(two) - {NO_CARD}, set(self.state.hole[player]) - {NO_CARD}
        if said <= known:
            return
        if not known <= said:
            cards = cards_text([c for c in self.state.hole[player] if c != NO_CARD])
            raise NotationError(f"{text!r}: p{player + 1} holds {cards} by an earlier action")
        self.state.set_hole(player, two)

    def play(self, text: str) -> None:
        """One action.

        Raises:
            NotationError, RulesError: it is not what it should be, or not legal.
        """
        words = text.split("#", 1)[0].split()
        state = self.state
        if words[:2] == ["d", "dh"] and len(words) == 4:
            self.hold(self.player(words[2], text), _two(words[3], text), text)
        elif words[:2] == ["d", "db"] and len(words) == 3:
            self.settle_checks()
            cards = _two(words[2], text)
            if (NO_CARD in cards and set(cards) != {NO_CARD}) or (NO_CARD in self.dealt and NO_CARD not in cards):
                raise NotationError(f"{text!r}: expected all cards of a street, and of those before it, or none")
            self.dealt += cards
            if len(self.dealt) > BOARD_CARDS[state.street]:
                most = BOARD_CARDS[state.street]
                raise NotationError(f"{text!r}: the betting so far opens {most} cards of the board: expected no more")
            state.set_board(self.dealt)
        elif len(words) >= 2 and words[1] == "sm":
            player = self.player(words[0], text)
            two = _two(words[2], text) if len(words) > 2 and words[2] != "-" else ()
            self.hold(player, two, text)
            self.shown[player] |= len(words) > 2
        elif words:
            self.act(words, text)

    def act(self, words: list[str], text: str) -> None:
        state = self.state
        actor = self.player(words[0], text)
        if actor != state.actor:
            now = f"p{state.actor + 1} is to act" if not state.finished else "the hand is over"
            raise NotationError(f"{text!r}: {now}")
        if state.street != self.street:
            self.street, self.before = state.street, state.contributions
        if words[1:] == ["f"]:
            state.follow(Action.fold())
        elif words[1:] == ["cc"]:
            state.apply(Action.call())
        elif len(words) == 3 and words[1] == "cbr" and (size := whole_number(words[2])) is not None:
            state.apply(Action.raise_to(size + self.before[actor]))
        else:
            raise NotationError(f"{text!r} is not an action: expected d dh, d db, f, cc, cbr N or sm")


def _played(fields: dict[str, Any]) -> _Player:
    """The actions of a PHH table, played as far as they go."""
    stacks = _chips_list(fields, "starting_stacks")
    if not 2 <= len(stacks) <= 10:
        raise NotationError(f"starting_stacks has {len(stacks)} values: expected 2 to 10 players")
    spec = _game(fields, stacks)
    hand = fields.get("hand", 0)
    number = hand if isinstance(hand, int) else 0
    if not 0 <= number < 2**63:
        raise NotationError(f"hand = {_short(number)}: expected a number from 0 to {2**63 - 1}")
    seats = tuple(s - 1 for s in _chips_list(fields, "seats", spec.players)) if "seats" in fields else ()
    if any(not 0 <= seat < _MAX_SEATS for seat in seats):
        raise NotationError(f"seats = {[s + 1 for s in seats]}: expected numbers from 1 to {_MAX_SEATS}")
    play = _Player(spec, stacks, seats or None, number)
    for k, text in enumerate(_field(fields, "actions", list)):
        if not isinstance(text, str):
            raise NotationError(f"actions[{k}] = {text!r}: expected text")
        try:
            play.play(text)
        except RulesError as error:
            raise RulesError(f"actions[{k}] = {text!r}: {error}") from None
    return play


def state_of_phh(fields: dict[str, Any]) -> HandState:
    """The hand of one PHH table as far as its actions go: it need not be over.

    Raises:
        NotationError: a field is missing or makes no sense; names it.
        RulesError: an action is not legal where it stands.
    """
    return _played(fields).state


def record_of_phh(fields: dict[str, Any]) -> HandRecord:
    """The hand of one PHH table (hold'em, no-limit or limit). Hole cards that it does not say stay unknown.

    Payoffs are ``finishing_stacks`` less ``starting_stacks``; without them those of ``winnings``; without both, what
    the rules give. What is missing from them is the rake.

    Raises:
        NotationError: a field is missing or makes no sense; names it.
        RulesError: an action is not legal where it stands.
    """
    play = _played(fields)
    play.settle_checks()
    state = play.state
    if not state.finished:
        raise NotationError(f"the actions stop before the hand is over: p{state.actor + 1} may {state.legal}")
    n = state.spec.players
    payoffs = _payoffs(fields, state, state.start_stacks)
    names = _field(fields, "players", list, [])
    if names and len(names) != n:
        raise NotationError(f"players has {len(names)} names: expected {n}")
    texts = {key: str(fields.get(f"_{key}", "")) for key in ("section", "comment")}
    return msgspec.structs.replace(
        state.record(list(map(str, names)), payoffs=payoffs, **texts),
        seats=state.seats if "seats" in fields else (),
        shown=tuple(play.shown),
        rake=-sum(payoffs),
        mucked=_mucked(fields, state),
        hero=_hero(fields, n),
        about=tuple(
            (k, toml_text(v)) for k, v in fields.items() if k not in _KNOWN or (k == "hand" and type(v) is not int)
        ),
    )


def _mucked(fields: dict[str, Any], state: HandState) -> tuple[tuple[int, int], ...]:
    """Cards that came out after the hand, never put among the hole cards."""
    texts = _field(fields, "_mucked", list, [])
    if not any(texts):
        return ()
    if len(texts) != state.spec.players:
        raise NotationError(f"_mucked has {len(texts)} hands: expected {state.spec.players}, one per player")
    mucked = []
    owner = {c: i for i, two in enumerate(state.hole) for c in two} | dict.fromkeys(state.board, -1)
    for i, text in enumerate(texts):
        two = _two(str(text), "_mucked") if text else (NO_CARD, NO_CARD)
        if len(two) != 2 or (text and (NO_CARD in two or two[0] == two[1])):
            raise NotationError(f"_mucked = {texts!r}: {text!r} is not two cards")
        if any(owner.setdefault(c, i) != i for c in two if c != NO_CARD):
            raise NotationError(f"_mucked = {texts!r}: {text!r} holds a card that stands elsewhere in the hand")
        mucked.append((two[0], two[1]))
    return tuple(mucked)


def _hero(fields: dict[str, Any], players: int) -> int | None:
    hero = _field(fields, "_hero", int) if "_hero" in fields else None
    if hero is not None and not 1 <= hero <= players:
        raise NotationError(f"_hero = {hero}: expected 1 to {players}")
    return None if hero is None else int(hero) - 1


def _payoffs(fields: dict[str, Any], state: HandState, stacks: tuple[int, ...]) -> tuple[int, ...]:
    split = state.spec.split
    n = len(stacks)
    for key in ("finishing_stacks", "winnings"):
        if key not in fields:
            continue
        values = _field(fields, key, list)
        if len(values) != n:
            raise NotationError(f"{key} has {len(values)} values: expected {n}, one per player")
        chips = [parse_chips(str(v), split) for v in values]
        if key == "finishing_stacks":
            return tuple(c - s * split for c, s in zip(chips, stacks, strict=True))
        put = [a + b for a, b in zip(state.contributions, state.antes, strict=True)]
        rake = parse_chips(str(fields.get("_rake", 0)), split)
        position, uncalled = state.uncalled
        # Sites differ in whether an uncalled bet counts as won: it does where the winnings and the rake are all chips.
        counted = sum(chips) + rake == sum(put) * split
        back = [uncalled if p == position and not counted else 0 for p in range(n)]
        return tuple(c - (p - b) * split for c, p, b in zip(chips, put, back, strict=True))
    return tuple(state.payoffs.tolist())


def read_phh(lines: Iterable[str], *, source: str = "phh", errors: list[str] | None = None) -> Iterator[HandRecord]:
    """The hands of a ``.phh`` or ``.phhs`` as they come. A bad one goes to ``errors`` (one line each) and the rest is
    still read; without a list for them it is raised.

    Raises:
        HistoryError: a bad hand, when ``errors`` is None; names ``source`` and line.
    """
    for table in read_phh_tables(lines):
        try:
            if not isinstance(table, PhhTable):
                raise table
            yield record_of_phh(table.fields)
        except DupaiError as error:
            message = f"{source}:{table.line}: {error}"
            if errors is None:
                raise HistoryError(message) from None
            errors.append(message)
