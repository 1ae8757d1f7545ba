"""A postflop spot: board, ranges, money and the sizes that each side may bet."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from dupai.base import ConfigError, NotationError, TooLarge
from dupai.base.text import nearest, quoted
from dupai.cards import COMBO_MASK, as_cards, cards_text, mask_of
from dupai.ranges import Range
from dupai.rules import STREET_NAMES
from dupai.spots import BetSize

STREETS = STREET_NAMES[1:]
PLAYERS = ("oop", "ip")

#: The most chips in a spot, so that sums stay exact.
_MAX_CHIPS = 10**9


class SolveSpot(msgspec.Struct, frozen=True, kw_only=True):
    """A heads-up postflop spot: player 0 is out of position (``oop``), player 1 in position (``ip``).

    Chips are whole numbers. ``stack`` is what can still be bet (of two stacks the shorter). ``sizes`` is looked up from
    the narrow key to the wide: ``sizes.river.oop.bet``, ``sizes.river.bet``, ``sizes.oop.bet``, ``sizes.bet``; a donk
    bet (out of position, into the player who bet or raised last on the street before) falls back to ``bet``. Sizes are
    texts as ``"33%, 75%, 2.5x, 120c, e, 2e, 3e150%, a"``: percent of the pot (a raise: of the pot after calling),
    multiples of the bet faced, chips, geometric over the remaining or a given number of streets, all-in.

    An all-in is *added* if it is at most ``add_allin`` of the pot. A size becomes all-in (*force*) if at most
    ``force_allin`` of the pot would be left after a call. Of sizes closer than ``merge`` the larger is kept.
    ``raise_cap`` is the most bets and raises on one street (0: no cap); at the cap a player calls or folds.
    """

    board: tuple[int, ...]
    oop: Range
    ip: Range
    pot: int
    stack: int
    rake: float = 0.0
    rake_cap: float = math.inf
    #: bet sizes by (street, player, kind): ``sizes["river"][0]["bet"]``
    sizes: dict[str, tuple[dict[str, tuple[BetSize, ...]], ...]]
    add_allin: float = 0.0
    force_allin: float = 0.0
    merge: float = 0.0
    raise_cap: int = 0
    #: cards known to be in nobody's hand and not to come (shown by a player who folded, say)
    dead: tuple[int, ...] = ()
    #: allow sizes that never lead to an all-in (else an error, because it is nearly always a mistake)
    shallow: bool = False

    @property
    def ranges(self) -> tuple[Range, Range]:
        return self.oop, self.ip

    @property
    def gone(self) -> tuple[int, ...]:
        """Cards that no hand holds: board and dead cards."""
        return (*self.board, *self.dead)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SolveSpot:
        """Make a spot from plain data and check it.

        Raises:
            ConfigError, NotationError: a key is missing, unknown or makes no sense (names the key).
        """
        for key in data:
            if key not in cls.__struct_fields__:
                # Locks stand in the same file, but are no part of the spot.
                hint = nearest(key, sorted((*cls.__struct_fields__, "lock")))
                raise ConfigError(f"unknown key {key!r} in spot: {hint}", key=key)
        for key, expected in _REQUIRED.items():
            if key not in data:
                raise ConfigError(f"spot has no {key!r}: expected {expected}", key=key)
        board, dead = _cards(data, "board"), _cards(data, "dead")
        if not 3 <= len(board) <= 5:
            message = f"board {cards_text(board)!r} has {len(board)} cards: expected 3 (flop), 4 or 5"
            raise ConfigError(message, key="board")
        gone = (*board, *dead)
        mask_of(gone)
        if 48 - len(gone) < 5 - len(board):
            raise ConfigError(f"dead: {len(dead)} dead cards leave too few for the board", key="dead")
        oop, ip = (_range_of(data[key], key, gone) for key in PLAYERS)
        if _collide(oop, ip, gone):
            raise ConfigError(f"no two hands of oop and ip can be dealt together on the board {cards_text(board)}")
        numbers = {key: _number(data, key) for key in _NUMBERS}
        return cls(
            board=board,
            oop=oop,
            ip=ip,
            pot=_chips(data["pot"], "pot"),
            stack=_chips(data["stack"], "stack"),
            sizes=_all_sizes(data.get("sizes", {}), len(board) - 3),
            dead=dead,
            shallow=_flag(data, "shallow"),
            raise_cap=_whole(numbers.pop("raise_cap"), "raise_cap"),
            **numbers,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data that :meth:`from_dict` takes."""
        out: dict[str, Any] = {name: getattr(self, name) for name in self.__struct_fields__}
        out.update(board=cards_text(self.board), oop=str(self.oop), ip=str(self.ip), dead=cards_text(self.dead))
        out["sizes"] = {
            street: {
                player: {kind: sizes_text(sizes) for kind, sizes in kinds.items()}
                for player, kinds in zip(PLAYERS, pair, strict=True)
            }
            for street, pair in self.sizes.items()
        }
        for key in ("dead", "rake_cap"):
            if out[key] in ("", math.inf):
                del out[key]
        return out


_REQUIRED = {
    "board": "3 to 5 cards as 'Td 9d 6h'",
    "oop": "a range as 'QQ+, AKs'",
    "ip": "a range as 'QQ+, AKs'",
    "pot": "a whole number of chips",
    "stack": "a whole number of chips",
}
#: Numbers: default, the largest value, and what is expected.
_NUMBERS: dict[str, tuple[float, float, str]] = {
    "rake": (0.0, 0.5, "a share of the pot, 0 to 0.5"),
    "rake_cap": (math.inf, _MAX_CHIPS, "chips, 0 or more"),
    "add_allin": (0.0, 1e9, "a share of the pot, 0 or more"),
    "force_allin": (0.0, 1e9, "a share of the pot, 0 or more"),
    "merge": (0.0, 10.0, "a share of the pot, 0 to 10"),
    "raise_cap": (0, 100, "a whole number, 0 (none) to 100"),
}
_SIZE_KINDS = ("pot", "times", "chips", "geometric", "allin")
_BET_KINDS = ("bet", "raise", "donk")
_EXPECTED = "expected sizes as '75%', '2.5x' (raises), '120c', 'e', '2e', '3e150%' or 'a', separated by commas"


def parse_sizes(text: str, key: str = "sizes") -> tuple[BetSize, ...]:
    """Sizes from text; empty text has none.

    Raises:
        ConfigError: a part is not a size (quotes it, names the key).
    """
    sizes = []
    for token in text.replace(",", " ").lower().split():
        size = BetSize.parse(token)
        least = 0
        if size is None or size.kind not in _SIZE_KINDS:
            raise ConfigError(f"{key}: {token!r} is not a size: {_EXPECTED}", key=key, text=token)
        if size.kind == "times":
            least = 1
            if not key.endswith("raise"):
                message = f"{key}: {token!r} is a multiple of a bet faced: only raises have one"
                raise ConfigError(message, key=key, text=token)
        if size.kind in ("pot", "times", "chips") and size.x <= least:
            message = f"{key}: size {token!r} is too small: expected more than {least}"
            raise ConfigError(message, key=key, text=token)
        sizes.append(size)
    return tuple(sizes)


def sizes_text(sizes: tuple[BetSize, ...]) -> str:
    """Text that :func:`parse_sizes` reads as the same sizes."""
    return ", ".join(map(str, sizes))


def _number(data: dict[str, Any], key: str) -> float:
    default, most, expected = _NUMBERS[key]
    x = data.get(key, default)
    if isinstance(x, bool) or not isinstance(x, int | float) or not (0 <= x <= most or x == default):
        raise ConfigError(f"{key} = {x!r}: expected {expected}", key=key)
    return float(x)


def _chips(x: Any, key: str) -> int:
    if key == "stack" and isinstance(x, list | tuple):
        if len(x) != 2:
            message = f"stack = {x!r}: expected one number, or two (out of position, in position)"
            raise ConfigError(message, key=key)
        return min(_chips(v, key) for v in x)
    if isinstance(x, bool) or not isinstance(x, int) or not 0 < x <= _MAX_CHIPS:
        wrong = TooLarge if isinstance(x, int) and x > _MAX_CHIPS else ConfigError
        raise wrong(f"{key} = {x!r}: expected a whole number of chips, 1 to {_MAX_CHIPS}", key=key)
    return x


def _flag(data: dict[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise ConfigError(f"{key} = {value!r}: expected true or false", key=key)
    return value


def _whole(x: float, key: str) -> int:
    if not float(x).is_integer():
        raise ConfigError(f"{key} = {x:g}: expected a whole number", key=key)
    return int(x)


def _range_of(x: Any, key: str, gone: tuple[int, ...]) -> Range:
    try:
        hands = x if isinstance(x, Range) else Range(x)
    except (NotationError, ConfigError) as error:
        raise type(error)(f"{key}: {error}", key=key) from error
    if not hands.without(gone).combos:
        message = f"{key}: no hand of {str(hands)[:60]!r} is possible on the board {cards_text(gone)}"
        raise ConfigError(message, key=key)
    return hands


def _collide(oop: Range, ip: Range, gone: tuple[int, ...]) -> bool:
    """Whether every hand of one range shares a card with every hand of the other."""
    a, b = (COMBO_MASK[hands.without(gone).weights > 0] for hands in (oop, ip))
    return len(a) + len(b) <= 200 and bool((a[:, None] & b[None, :]).all())


def _cards(data: dict[str, Any], key: str) -> tuple[int, ...]:
    value = data.get(key, ())
    if not isinstance(value, str | list | tuple):
        raise ConfigError(f"{key} = {quoted(value)}: expected cards as 'Td 9d 6h'", key=key)
    return as_cards(value, key)


def _all_sizes(data: Any, first: int) -> dict[str, tuple[dict[str, tuple[BetSize, ...]], ...]]:
    """The sizes of each street that will be played, with every fall-back resolved."""
    _check_table(data, "sizes", (*STREETS, *PLAYERS))
    for street in STREETS:
        _check_table(data.get(street, {}), f"sizes.{street}", PLAYERS)
        for player in PLAYERS:
            _check_table(data.get(street, {}).get(player, {}), f"sizes.{street}.{player}", ())
            _check_table(data.get(player, {}), f"sizes.{player}", ())

    def sizes_of(street: str, player: str) -> dict[str, tuple[BetSize, ...]]:
        sizes: dict[str, tuple[BetSize, ...]] = {}
        for kind in _BET_KINDS:
            sizes[kind] = sizes["bet"] if kind == "donk" else ()
            for keys in ((street, player), (street,), (player,), ()):
                table = data
                for key in keys:
                    table = table.get(key, {})
                if kind in table:
                    sizes[kind] = parse_sizes(table[kind], ".".join(("sizes", *keys, kind)))
                    break
        return sizes

    return {street: tuple(sizes_of(street, player) for player in PLAYERS) for street in STREETS[first:]}


def _check_table(data: Any, key: str, inner: tuple[str, ...]) -> None:
    if not isinstance(data, dict):
        raise ConfigError(f"{key} = {data!r}: expected a table with bet, raise, donk", key=key)
    for name, value in data.items():
        if name in _BET_KINDS:
            if not isinstance(value, str):
                raise ConfigError(f"{key}.{name} = {value!r}: {_EXPECTED}", key=f"{key}.{name}")
        elif name not in inner:
            expected = ", ".join((*_BET_KINDS, *inner))
            raise ConfigError(f"unknown key {key}.{name}: expected one of {expected}", key=f"{key}.{name}")
