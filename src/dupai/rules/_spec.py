"""GameSpec: the game that is played, checked once."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cached_property
from typing import TypedDict, Unpack

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from dupai.base import ConfigError
from dupai.base.arrays import AnyArray
from dupai.base.text import closest
from dupai.rules._layout import EXACT_SPLIT, MAX_PLAYERS, SPEC_DTYPE, STREETS, UNLIMITED

_BETTING = ("no-limit", "limit", "pot-limit")
_RULES = ("casino", "acpc")
#: The fields of :data:`SPEC_DTYPE`, all of eight bytes: packing them is faster than giving NumPy numbers one by one.
_FIELDS = struct.Struct(f"{SPEC_DTYPE.itemsize // 8}q")
#: Keeps every payoff (ten stacks in 1/2520 chips) far inside int64.
_MAX_STACK = 10**12


def _one_of(key: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        near = closest(str(value), choices)
        hint = f"; did you mean {near!r}?" if near else ""
        raise ConfigError(f"{key} = {value!r}: expected one of {', '.join(map(repr, choices))}{hint}", key=key)


def _ints(key: str, values: Sequence[int], length: int, per: str, low: int, high: int) -> tuple[int, ...]:
    if len(values) != length:
        raise ConfigError(f"{key} has {len(values)} values: expected {length}, one per {per}", key=key)
    if set(map(type, values)) == {int} and low <= min(values) and max(values) <= high:
        return tuple(values)
    for i, v in enumerate(values):
        if isinstance(v, bool) or not isinstance(v, int | np.integer):
            raise ConfigError(f"{key}[{i}] = {v!r}: expected a whole number of chips", key=key)
        if not low <= v <= high:
            raise ConfigError(f"{key}[{i}] = {v}: expected {low} to {high}", key=key)
    return tuple(int(v) for v in values)


def _first_in(blinds: Sequence[int], players: int) -> int:
    """The first to act before the flop: the button heads-up, else the position after the largest blind or straddle (the
    last of equal ones)."""
    if players == 2:
        return 1
    return (max(range(players), key=lambda i: (blinds[i], i)) + 1) % players if any(blinds) else 0


#: Chips by position or street.
Chips = Sequence[int]
#: One number for all positions, or one for each.
Stacks = int | Chips


class _Rules(TypedDict, total=False):
    """Settings of :class:`GameSpec` that few games change."""

    odd_chips: str
    min_raise: str
    max_raises: Sequence[int]
    first_player: Sequence[int]
    min_bet: int


class GameSpec(msgspec.Struct, frozen=True, dict=True):
    """A game of Texas hold'em. Tuples are by position (ACPC numbering) or by street; chips are whole numbers.

    Attributes:
        players: 2 to 10.
        betting: ``"no-limit"``, ``"limit"`` or ``"pot-limit"``.
        blinds: Live blinds by position (straddles and ACPC antes too); the largest is the big blind.
        stacks: Nominal starting stacks by position; a hand may be dealt with others.
        antes: Dead chips that each position posts before its blind (default none). They are not part of any bet, so
            no raise total counts them.
        bet_sizes: Limit: the fixed raise on each street.
        max_raises: Most bets and raises on each street, blinds not counted (default limit 3 4 4 4, else no cap).
        first_player: Position that acts first on each street (default: the one after the last blind, then 0 0 0).
        odd_chips: ``"casino"``: an odd chip goes to the first winner clockwise from the button, one each;
            ``"acpc"``: pots split exactly, in 1/2520 chips.
        min_raise: ``"casino"``: a raise is at least the last full one and a short all-in does not reopen the betting
            (limit: an all-in of less than half a bet does not, is completed rather than raised, and does not count
            towards the cap); ``"acpc"``: as the ACPC reference dealer (every all-in reopens; the last player able to
            act is asked even with nothing left to decide; at most 64 actions a round).
        min_bet: Smallest bet and raise where this is not the big blind: 2 under a straddle of 4 that leaves the later
            streets as they are. Not set in all other games and in limit games; :attr:`smallest_bet` always holds it.

    Raises:
        ConfigError: a setting that makes no sense; names the key.
    """

    players: int
    betting: str
    blinds: tuple[int, ...]
    stacks: tuple[int, ...]
    antes: tuple[int, ...] = ()
    bet_sizes: tuple[int, ...] = ()
    max_raises: tuple[int, ...] = ()
    first_player: tuple[int, ...] = ()
    odd_chips: str = "casino"
    min_raise: str = "casino"
    min_bet: int | UnsetType = UNSET

    def __post_init__(self) -> None:
        n = self.players
        if isinstance(n, bool) or not isinstance(n, int) or not 2 <= n <= MAX_PLAYERS:
            raise ConfigError(f"players = {n!r}: expected 2 to {MAX_PLAYERS}", key="players")
        _one_of("betting", self.betting, _BETTING)
        _one_of("odd_chips", self.odd_chips, _RULES)
        _one_of("min_raise", self.min_raise, _RULES)
        limit = self.betting == "limit"
        sizes = self.bet_sizes or (() if limit else (0,) * STREETS)
        caps = self.max_raises or ((3, 4, 4, 4) if limit else (UNLIMITED,) * STREETS)
        put = msgspec.structs.force_setattr
        put(self, "stacks", _ints("stacks", self.stacks, n, "position", 1, _MAX_STACK))
        put(self, "blinds", _ints("blinds", self.blinds, n, "position", 0, _MAX_STACK))
        put(self, "antes", _ints("antes", self.antes or (0,) * n, n, "position", 0, _MAX_STACK))
        put(self, "bet_sizes", _ints("bet_sizes", sizes, STREETS, "street", int(limit), _MAX_STACK))
        put(self, "max_raises", _ints("max_raises", caps, STREETS, "street", 0, UNLIMITED))
        # The blinds are checked by now: their number too.
        first = self.first_player or (_first_in(self.blinds, n), 0, 0, 0)
        put(self, "first_player", _ints("first_player", first, STREETS, "street", 0, n - 1))
        for i, (stack, blind) in enumerate(zip(self.stacks, self.blinds, strict=True)):
            if stack < blind:
                raise ConfigError(
                    f"stacks[{i}] = {stack} is below the blind of that position, blinds[{i}] = {blind}", key="stacks"
                )
        min_bet = self.min_bet
        if min_bet is not UNSET:
            if limit:
                raise ConfigError(f"min_bet = {min_bet!r}: limit games have bet_sizes", key="min_bet")
            if isinstance(min_bet, bool) or not isinstance(min_bet, int) or not 1 <= min_bet <= _MAX_STACK:
                raise ConfigError(f"min_bet = {min_bet!r}: expected 1 to {_MAX_STACK}", key="min_bet")
            put(self, "min_bet", UNSET if min_bet == max(self.big_blind, 1) else min_bet)

    @classmethod
    def no_limit(
        cls, players: int, blinds: Chips = (50, 100), stack: Stacks = 20_000, ante: Stacks = 0, **rules: Unpack[_Rules]
    ) -> GameSpec:
        """No-limit hold'em.

        Args:
            players: 2 to 10.
            blinds: (small, big), heads-up too, where the button posts the small one. Longer ones (straddles) go by
                position, and the position after the last one acts first.
            stack: one number for all positions, or one for each.
            ante: the same.
            rules: ``odd_chips``, ``min_raise``, ``max_raises``, ``first_player`` and ``min_bet`` as in
                :class:`GameSpec`.
        """
        return cls._make("no-limit", players, blinds, stack, ante, (), rules)

    @classmethod
    def limit(
        cls,
        players: int,
        blinds: Chips = (5, 10),
        bet_sizes: Chips = (10, 10, 20, 20),
        stack: Stacks = 1_000,
        ante: Stacks = 0,
        **rules: Unpack[_Rules],
    ) -> GameSpec:
        """Limit hold'em; ``bet_sizes`` by street, the rest as for :meth:`no_limit`."""
        return cls._make("limit", players, blinds, stack, ante, bet_sizes, rules)

    @classmethod
    def pot_limit(
        cls, players: int, blinds: Chips = (50, 100), stack: Stacks = 20_000, ante: Stacks = 0, **rules: Unpack[_Rules]
    ) -> GameSpec:
        """Pot-limit hold'em (antes count in the pot); arguments as for :meth:`no_limit`."""
        return cls._make("pot-limit", players, blinds, stack, ante, (), rules)

    @classmethod
    def _make(
        cls, betting: str, players: int, blinds: Chips, stack: Stacks, ante: Stacks, bet_sizes: Chips, rules: _Rules
    ) -> GameSpec:
        n = players if isinstance(players, int) and 2 <= players <= MAX_PLAYERS else 0
        posted = tuple(blinds)
        if not 2 <= len(posted) <= max(n, 2):
            raise ConfigError(
                f"blinds = {posted}: expected small and big blind, at most one blind per position", key="blinds"
            )
        if n == 2:
            posted = posted[::-1]
        stacks, antes = (tuple(x) if isinstance(x, Sequence) else (x,) * n for x in (stack, ante))
        blinds = posted + (0,) * (n - len(posted))
        return cls(players, betting, blinds, stacks, antes, tuple(bet_sizes), **rules)  # type: ignore[arg-type]

    @property
    def split(self) -> int:
        """Payoff units per chip: 1 under the casino odd-chip rule, 2520 under the ACPC rule."""
        return EXACT_SPLIT if self.odd_chips == "acpc" else 1

    @property
    def big_blind(self) -> int:
        """The largest blind, 0 when there is none."""
        return max(self.blinds)

    @property
    def smallest_bet(self) -> int:
        """Chips of the smallest bet of a no-limit or pot-limit game: ``min_bet``, else the big blind, at least 1."""
        return max(self.big_blind, 1) if self.min_bet is UNSET else self.min_bet

    @property
    def button(self) -> int:
        """Position of the button: the last one."""
        return self.players - 1

    @cached_property
    def array(self) -> AnyArray:
        """The spec for kernels: ``SPEC_DTYPE[1]``; do not write to it."""
        rest = (0,) * (MAX_PLAYERS - self.players)
        numbers = (
            *(*self.stacks, *rest, *self.blinds, *rest, *self.antes, *rest),
            *(*self.bet_sizes, *self.max_raises, *self.first_player),
            *(self.players, _BETTING.index(self.betting), self.big_blind, self.smallest_bet),
            *(int(self.min_raise == "acpc"), self.split),
        )
        return np.frombuffer(bytearray(_FIELDS.pack(*numbers)), SPEC_DTYPE)  # the fields in their order
