"""What is to be solved: board, ranges, money and the sizes that each side may bet."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from dupai.base import ConfigError, NotationError
from dupai.cards import COMBO_MASK, cards, cards_text, mask_of
from dupai.ranges import Range
from dupai.rules import STREET_NAMES
from dupai.spots import BetSize

STREETS = STREET_NAMES[1:]
PLAYERS = ("oop", "ip")

#: Most chips in a spot, so that sums stay exact.
_MOST = 10**9


class SolveSpot(msgspec.Struct, frozen=True, kw_only=True):
    """A heads-up postflop spot: player 0 is out of position (``oop``), player 1 in position (``ip``).

    Chips are whole numbers. ``stack`` is what can still be bet (of the shorter stack, where two are given). ``sizes``
    is looked up from the narrow to the wide: ``sizes.river.oop.bet``, ``sizes.river.bet``, ``sizes.oop.bet``,
    ``sizes.bet``; a donk bet (out of position, into the player who bet or raised last on the street before) falls back
    to ``bet``. Sizes are texts as ``"33%, 75%, 2.5x, 120c, e, 2e, 3e150%, a"``: percent of the pot (a raise: of the pot
    after calling), multiples of the bet faced, chips, geometric over the streets left or so many, all-in.

    An all-in is *added* when it is at most ``add_allin`` of the pot, a size becomes all-in (*force*) when what would
    be left is at most ``force_allin`` of the pot after a call, and of sizes closer than ``merge`` the larger is kept.
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
    #: cards that are known to be in nobody's hand and will not come (shown by a player who folded, say)
    dead: tuple[int, ...] = ()
    #: allow sizes that never lead to an all-in (else an error, as it is nearly always a slip)
    shallow: bool = False

    @property
    def ranges(self) -> tuple[Range, Range]:
        return self.oop, self.ip

    @property
    def gone(self) -> tuple[int, ...]:
        """Cards that no hand holds: board and dead ones."""
        return (*self.board, *self.dead)

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> SolveSpot:
        """A spot from plain data, checked.

        Raises:
            ConfigError, NotationError: what is wrong, in one line that names the key.
        """
        return _checked(dict(given))

    def to_dict(self) -> dict[str, Any]:
        """Plain data that :meth:`from_dict` takes."""
        sizes = {
            street: {
                who: {kind: sizes_text(some) for kind, some in by.items()}
                for who, by in zip(PLAYERS, pair, strict=True)
            }
            for street, pair in self.sizes.items()
        }
        out: dict[str, Any] = {
            "board": cards_text(self.board),
            "oop": str(self.oop),
            "ip": str(self.ip),
            "pot": self.pot,
            "stack": self.stack,
            "rake": self.rake,
            "add_allin": self.add_allin,
            "force_allin": self.force_allin,
            "merge": self.merge,
            "raise_cap": self.raise_cap,
            "shallow": self.shallow,
            "sizes": sizes,
        }
        if self.dead:
            out["dead"] = cards_text(self.dead)
        if math.isfinite(self.rake_cap):
            out["rake_cap"] = self.rake_cap
        return out


_KEYS = {
    "board", "oop", "ip", "pot", "stack", "rake", "rake_cap", "sizes", "add_allin", "force_allin", "merge", "raise_cap",
    "shallow", "dead",
}  # fmt: skip
_KINDS = ("pot", "times", "chips", "geometric", "allin")
_EXPECTED = "expected sizes as '75%', '2.5x' (raises), '120c', 'e', '2e', '3e150%' or 'a', separated by commas"


def parse_sizes(text: str, key: str = "sizes") -> tuple[BetSize, ...]:
    """Sizes from text; empty text is no size.

    Raises:
        ConfigError: something is not a size (quotes it, names the key).
    """
    found = []
    for token in text.replace(",", " ").lower().split():
        size = BetSize.parse(token)
        if size is None or size.kind not in _KINDS:
            raise ConfigError(f"{key}: {token!r} is not a size: {_EXPECTED}")
        if size.kind in ("pot", "times", "chips") and size.x <= (1 if size.kind == "times" else 0):
            raise ConfigError(f"{key}: size {token!r} is too small: expected more than {int(size.kind == 'times')}")
        if size.kind == "times" and not key.endswith("raise"):
            raise ConfigError(f"{key}: {token!r} is a multiple of a bet faced: only raises have one")
        found.append(size)
    return tuple(found)


def sizes_text(sizes: tuple[BetSize, ...]) -> str:
    """Text that :func:`parse_sizes` reads as the same sizes."""
    return ", ".join(map(str, sizes))


def _number(given: dict[str, Any], key: str, default: float, low: float, high: float, what: str) -> float:
    x = given.get(key, default)
    if isinstance(x, bool) or not isinstance(x, int | float) or not low <= x <= high:
        raise ConfigError(f"{key} = {x!r}: expected {what}")
    return float(x)


def _chips(given: dict[str, Any], key: str) -> int:
    if key not in given:
        raise ConfigError(f"spot has no {key!r}: expected a whole number of chips")
    x = given[key]
    if key == "stack" and isinstance(x, list | tuple):
        if len(x) != 2:
            raise ConfigError(f"stack = {x!r}: expected one number, or two (out of position, in position)")
        return min(_chips({"stack": v}, "stack") for v in x)
    if isinstance(x, bool) or not isinstance(x, int) or not 0 < x <= _MOST:
        raise ConfigError(f"{key} = {x!r}: expected a whole number of chips, 1 to {_MOST}")
    return x


def _range_of(given: dict[str, Any], key: str, gone: tuple[int, ...]) -> Range:
    if key not in given:
        raise ConfigError(f"spot has no {key!r}: expected a range as 'QQ+, AKs'")
    x = given[key]
    try:
        made = x if isinstance(x, Range) else Range(x)
    except NotationError as error:
        raise NotationError(f"{key}: {error}") from error
    except ConfigError as error:
        raise ConfigError(f"{key}: {error}") from error
    if not made.without(gone).combos:
        raise ConfigError(f"{key}: no hand of {str(made)[:60]!r} is possible on the board {cards_text(gone)}")
    return made


def _collide(oop: Range, ip: Range, gone: tuple[int, ...]) -> bool:
    """Whether every hand of one range shares a card with every hand of the other."""
    a = COMBO_MASK[oop.without(gone).weights > 0]
    b = COMBO_MASK[ip.without(gone).weights > 0]
    if len(a) + len(b) > 200:
        return False
    return not bool(((a[:, None] & b[None, :]) == 0).any())


def _cards(given: dict[str, Any], key: str) -> tuple[int, ...]:
    value = given.get(key, ())
    if isinstance(value, str):
        return cards(value)
    if not isinstance(value, list | tuple) or not all(isinstance(c, int) for c in value):
        raise ConfigError(f"{key} = {value!r}: expected cards as 'Td 9d 6h'")
    return tuple(value)


def _checked(given: dict[str, Any]) -> SolveSpot:
    unknown = sorted(set(given) - _KEYS)
    if unknown:
        raise ConfigError(f"unknown key {unknown[0]!r} in spot: expected one of {', '.join(sorted(_KEYS))}")
    if "board" not in given:
        raise ConfigError("spot has no 'board': expected 3 to 5 cards as 'Td 9d 6h'")
    board = _cards(given, "board")
    mask_of(board)
    if not 3 <= len(board) <= 5:
        raise ConfigError(f"board {cards_text(board)!r} has {len(board)} cards: expected 3 (flop), 4 or 5")
    dead = _cards(given, "dead")
    gone = (*board, *dead)
    mask_of(gone)
    if 48 - len(gone) < 5 - len(board):
        raise ConfigError(f"dead: {len(dead)} dead cards leave too few for the board")
    oop, ip = (_range_of(given, key, gone) for key in PLAYERS)
    if _collide(oop, ip, gone):
        raise ConfigError(f"no two hands of oop and ip can be dealt together on the board {cards_text(board)}")
    rake_cap = given.get("rake_cap", math.inf)
    return SolveSpot(
        board=board,
        oop=oop,
        ip=ip,
        pot=_chips(given, "pot"),
        stack=_chips(given, "stack"),
        rake=_number(given, "rake", 0.0, 0.0, 0.5, "a share of the pot, 0 to 0.5"),
        rake_cap=math.inf
        if rake_cap == math.inf
        else _number(given, "rake_cap", 0.0, 0.0, float(_MOST), "chips, 0 or more"),
        sizes=_all_sizes(given.get("sizes", {}), len(board) - 3),
        add_allin=_number(given, "add_allin", 0.0, 0.0, 1e9, "a share of the pot, 0 or more"),
        force_allin=_number(given, "force_allin", 0.0, 0.0, 1e9, "a share of the pot, 0 or more"),
        merge=_number(given, "merge", 0.0, 0.0, 10.0, "a share of the pot, 0 to 10"),
        raise_cap=int(_number(given, "raise_cap", 0, 0, 100, "a whole number, 0 (none) to 100")),
        dead=dead,
        shallow=given.get("shallow", False) is True,
    )


def _all_sizes(given: Any, first: int) -> dict[str, tuple[dict[str, tuple[BetSize, ...]], ...]]:
    """The sizes of each street that will be played, every fall-back resolved."""
    _tables(given, "sizes", (*STREETS, *PLAYERS))
    for street in STREETS:
        _tables(given.get(street, {}), f"sizes.{street}", PLAYERS)
        for who in PLAYERS:
            _tables(given.get(street, {}).get(who, {}), f"sizes.{street}.{who}", ())
            _tables(given.get(who, {}), f"sizes.{who}", ())
    out = {}
    for street in STREETS[first:]:
        pair = []
        for who in PLAYERS:
            by: dict[str, tuple[BetSize, ...]] = {}
            for kind in ("bet", "raise", "donk"):
                by[kind] = by["bet"] if kind == "donk" else ()
                for at in ((street, who), (street,), (who,), ()):
                    table = given
                    for name in at:
                        table = table.get(name, {})
                    if kind in table:
                        by[kind] = parse_sizes(table[kind], ".".join(("sizes", *at, kind)))
                        break
            pair.append(by)
        out[street] = tuple(pair)
    return out


def _tables(given: Any, key: str, inner: tuple[str, ...]) -> None:
    if not isinstance(given, dict):
        raise ConfigError(f"{key} = {given!r}: expected a table with bet, raise, donk")
    for name, value in given.items():
        if name in ("bet", "raise", "donk"):
            if not isinstance(value, str):
                raise ConfigError(f"{key}.{name} = {value!r}: {_EXPECTED}")
        elif name not in inner:
            raise ConfigError(
                f"unknown key {key}.{name}: expected one of {', '.join(('bet', 'raise', 'donk', *inner))}"
            )
