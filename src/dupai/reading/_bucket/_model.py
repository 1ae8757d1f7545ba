"""P(action | bucket, street, facing) of every player, counted over a sliding window of hands."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError, Option
from dupai.base.arrays import F32, F64, I64
from dupai.base.files import saved_state
from dupai.base.specs import check_between
from dupai.cards import COMBOS, NO_CARD, combo
from dupai.reading._bucket import _groups as groups
from dupai.reading._bucket._kernels import SIZE_EDGES
from dupai.reading._filter import Filter, Joint, Uniform, posterior, unblocked
from dupai.rules import BOARD_CARDS, HandRecord
from dupai.spots import MENU_CALL, MENU_FOLD, Menu, Spot, spots

Learn = Literal["all", "shown"]
Strangers = Literal["population", "even"]

_hand_buckets = lru_cache(maxsize=64)(groups.hand_buckets)
_STREETS, _ACTIONS = 4, 3
_RAISE = 2
_MENU = Menu((1.0,))
#: Classes of raises where bets have sizes: to three quarters of the pot, one and a half, more, and all-in.
_SIZED = Menu((0.5, 1.0, 2.0), SIZE_EDGES, all_in=True)
SIZE_CLASSES = len(SIZE_EDGES) + 2
#: Column under which a raise is counted whose class of size was the only legal one: nobody chose it.
_FORCED = _RAISE + SIZE_CLASSES
#: Raises that a stranger has made of each class, on average.
_SIZES_MET = 1.0
#: Decisions that the population counts for against a player's own: over all situations, and in each one.
_OVERALL, _EACH = 8.0, 12.0


class _Counted(NamedTuple):
    """One decision as it was counted: where it stands in the table, and how much of it in each bucket. ``column``: 0
    fold, 1 call, 2 raise; where bets have sizes 2 to 5, by class of size, and 6 where only one class was legal."""

    street: int
    facing: int
    column: int
    shares: F64


class _Player:
    """What has been counted of one player: the hands of the window, oldest first, and their sum."""

    def __init__(self, buckets: int) -> None:
        self.hands: deque[list[_Counted]] = deque()
        self.counts = np.zeros((_STREETS, groups.FACINGS, buckets, _ACTIONS))
        self.raised = np.zeros((2, buckets, SIZE_CLASSES))
        self.table: F64 | None = None
        self.sizes: F64 | None = None

    def add(self, hand: list[_Counted], window: int) -> None:
        self.hands.append(hand)
        self._count(hand, 1.0)
        while len(self.hands) > window:
            self._count(self.hands.popleft(), -1.0)
        self.table = self.sizes = None

    def _count(self, hand: list[_Counted], sign: float) -> None:
        for street, facing, column, shares in hand:
            self.counts[street, facing, :, min(column, _RAISE)] += sign * shares
            if _RAISE <= column < _FORCED and facing >= groups.PRICED:
                self.raised[min(street, 1), :, column - _RAISE] += sign * shares
        if sign < 0:
            np.maximum(self.counts, 0.0, out=self.counts)  # rounding leaves a hair
            np.maximum(self.raised, 0.0, out=self.raised)


#: Number of the layout of a saved window.
_VERSION = 1


class _Saved(msgspec.Struct, frozen=True):
    """A window as bytes hold it: by player the hands, each decision with its shares."""

    version: int
    buckets: int
    players: dict[str, list[list[tuple[int, int, int, list[float]]]]]


class BucketModel:
    """The opponent model of Cao, Liu, "Computer Texas Hold'em based on Monte-Carlo Tree Search" (section 3): a window
    of past hands, hole cards in buckets, and the frequencies of fold, call and raise by bucket and street.

    The paper does not say how hands that nobody saw are counted. Learning from showdowns alone is biased, as folded
    hands are never shown. Here an unseen hand is counted by expectation: in shares of what the player may have held,
    given all their actions in the hand and what is known of them so far (one step of expectation maximisation a hand).

    Args:
        window: hands of a player that are remembered.
        buckets: classes of hands on every street (9: before the flop the groups themselves).
        smoothing: decisions that are added to each bucket, distributed as the player's mean over all buckets.
        learn: ``"all"``: learn from every hand; ``"shown"``: from shown hands only.
        strangers: what is expected of an unseen player in no-limit games. ``"population"``: what the players of the
            shared logs did; ``"even"``: every action alike, as always in limit games.

    Raises:
        ConfigError: an option that makes no sense.
    """

    needs_ranges = False

    def __init__(
        self,
        window: int = 1000,
        buckets: int = groups.STRENGTH_GROUPS,
        smoothing: float = 4.0,
        learn: Learn = "all",
        strangers: Strangers = "population",
    ) -> None:
        check_between("window", window, 1, None)
        check_between("buckets", buckets, 2, 100)
        check_between("smoothing", smoothing, 1e-3, None)
        if learn not in ("all", "shown"):
            raise ConfigError(f"learn={learn!r}: expected 'all' or 'shown'")
        if strangers not in ("population", "even"):
            raise ConfigError(f"strangers={strangers!r}: expected 'population' or 'even'")
        self.window = int(window)
        self.buckets = int(buckets)
        self.smoothing = float(smoothing)
        self.learn = learn
        self.strangers = strangers
        self._names: dict[int, str] = {}
        self._players: dict[str, _Player] = {}
        self._stranger = _Player(self.buckets)

    # asked -----------------------------------------------------------------------------------------------------------

    def hand_buckets(self, board: tuple[int, ...]) -> I64:
        """``int64[1326]``: the bucket of every hand on a board."""
        return _hand_buckets(board, self.buckets)

    def hands(self, seat: int) -> int:
        """How many hands of a player are in the window."""
        return len(self._player(seat).hands)

    def _player(self, seat: int) -> _Player:
        return self._players.get(self._name(seat), self._stranger)

    def table(self, seat: int) -> F64:
        """``float64[4, 11, buckets, 3]``: P(fold, call, raise | street, facing, bucket) of the player in a seat.

        Counts in a bucket are smoothed towards the player's frequencies over all buckets, and these by one decision
        spread evenly. Where the population is known, they are smoothed towards its table instead, moved to what the
        player does more or less often than it (over all situations, then in each one). Nobody folds to nothing.
        """
        player = self._player(seat)
        if player.table is not None:
            return player.table
        counts = player.counts
        even = np.full((groups.FACINGS, _ACTIONS), 1 / 3)
        even[[0, groups.PRICED]] = (0.0, 0.5, 0.5)
        pooled = counts.sum(axis=2) + even
        pooled /= pooled.sum(axis=2, keepdims=True)
        towards = np.repeat(pooled[:, :, None, :], self.buckets, axis=2)
        if self.strangers == "population":
            towards[:, groups.PRICED :] = self._moved(counts[:, groups.PRICED :])
        table = counts + self.smoothing * towards
        table /= table.sum(axis=3, keepdims=True)
        player.table = np.asarray(table)
        return player.table

    def _moved(self, counts: F64) -> F64:
        """The population's table, moved towards the player of these counts."""
        table, met = groups.population(self.buckets)
        table = np.concatenate(
            [
                groups.tilted(table[:, part], met[:, part], counts[:, part], (0, 1, 2), _OVERALL)
                for part in (slice(0, 1), slice(1, None))
            ],
            axis=1,
        )
        return groups.tilted(table, met, counts, (2,), _EACH)

    def sizes(self, seat: int) -> F64:
        """``float64[2, buckets, 4]``: P(class of size | raise, before the flop or after it, bucket) of the player in a
        seat, where bets have sizes: to 0.75 of the pot, to 1.5, more, all-in. Smoothed as :meth:`table` is."""
        player = self._player(seat)
        if player.sizes is None:
            pooled = player.raised.sum(axis=1) + _SIZES_MET
            pooled /= pooled.sum(axis=1, keepdims=True)
            sizes = player.raised + self.smoothing * pooled[:, None, :]
            player.sizes = np.asarray(sizes / sizes.sum(axis=2, keepdims=True))
        return player.sizes

    def menu(self, spot: Spot) -> Menu:
        return _MENU if spot.spec.betting == "limit" else _SIZED

    def probs(self, spot: Spot) -> F32:
        return self._rows(spot)[self.hand_buckets(spot.board)].astype(np.float32)

    def _rows(self, spot: Spot) -> F64:
        """``float64[buckets, 3]`` of a decision, over what is legal; where bets have sizes ``float64[buckets, 6]``."""
        rows: F64 = self.table(spot.seats[spot.position])[spot.street, groups.facing_of(spot)].copy()
        if spot["to_call"] == 0:
            rows[:, MENU_CALL] += rows[:, MENU_FOLD]
            rows[:, MENU_FOLD] = 0.0
        if spot["max_to"] == 0:
            rows[:, MENU_CALL] += rows[:, _RAISE]
            rows[:, _RAISE] = 0.0
        if spot.spec.betting != "limit":
            # The legal classes share the raise's probability: where only the all-in is left, it says nothing of sizes.
            sizes = self.sizes(spot.seats[spot.position])[min(spot.street, 1)] * self.menu(spot).legal(spot)[_RAISE:]
            sizes /= np.maximum(sizes.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
            rows = np.concatenate([rows[:, :_RAISE], rows[:, _RAISE:] * sizes], axis=1)
        return rows

    # learning --------------------------------------------------------------------------------------------------------

    def meet(self, names: Mapping[int, str]) -> None:
        self._names.update(names)

    def _name(self, seat: int) -> str:
        return self._names.get(seat, f"seat {seat}")

    def observe(self, record: HandRecord) -> None:
        # Where nobody knows the board, what is done teaches nothing.
        decisions = [spot for spot in spots(record) if len(spot.board) >= BOARD_CARDS[spot.street]]
        seen = [c for two in record.hole for c in two if c != NO_CARD] + list(record.board)
        seats = record.seats or tuple(range(len(record.hole)))
        for spot in decisions:
            spot.seats = seats
        for position, hole in enumerate(record.hole):
            mine = [spot for spot in decisions if spot.position == position]
            if not mine or (NO_CARD in hole and self.learn == "shown"):
                continue
            if NO_CARD in hole:
                held = self._held(mine, seen)
            else:
                held = np.zeros(COMBOS)
                held[combo(*hole)] = 1.0
            hand = [
                _Counted(
                    spot.street,
                    groups.facing_of(spot),
                    self._column(spot),
                    np.asarray(np.bincount(self.hand_buckets(spot.board), held, self.buckets), np.float64),
                )
                for spot in mine
                if groups.is_counted(spot)
            ]
            name = self._name(seats[position])
            if name not in self._players:
                self._players[name] = _Player(self.buckets)
            self._players[name].add(hand, self.window)

    def _column(self, spot: Spot) -> int:
        """Under what the action taken is counted (see :class:`_Counted`)."""
        menu = self.menu(spot)
        column = menu.place(spot)
        if column >= _RAISE and menu is _SIZED and menu.legal(spot)[_RAISE:].sum() == 1:
            return _FORCED
        return column

    def _held(self, mine: list[Spot], seen: list[int]) -> F64:
        """What a player may have held, given what they did in the hand."""
        held = unblocked(np.full(COMBOS, 1 / COMBOS), seen)
        for spot in mine:
            held = posterior(held, self._rows(spot)[self.hand_buckets(spot.board), self.menu(spot).place(spot)])
        return held

    # keeping ---------------------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The window of every player."""
        players = {
            name: [[(c.street, c.facing, c.column, c.shares.tolist()) for c in hand] for hand in player.hands]
            for name, player in self._players.items()
        }
        return msgspec.msgpack.encode(_Saved(_VERSION, self.buckets, players))

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave (same options).

        Raises:
            ConfigError: it is not that of this model, with as many buckets.
        """
        with saved_state(data, "a saved bucket model"):
            saved = msgspec.msgpack.decode(data, type=_Saved)
            if saved.version != _VERSION:
                raise ValueError
        if saved.buckets != self.buckets:
            raise ConfigError(f"the saved model has {saved.buckets} buckets: expected {self.buckets}, as this one")
        self._players.clear()
        for name, hands in saved.players.items():
            player = self._players[name] = _Player(self.buckets)
            for hand in hands:
                player.add([_Counted(s, f, c, np.array(shares)) for s, f, c, shares in hand], self.window)


class BucketReader(Filter):
    """The MCTS paper's reader: frequencies of actions by strength bucket over a sliding window, and Bayes.

    In limit games it knows nothing about a player before it has seen them play; in no-limit games it expects what the
    players of the shared logs did. Source: Cao, Liu, "Computer Texas Hold'em based on
    Monte-Carlo Tree Search", section 3.
    """

    model: BucketModel

    def __init__(
        self,
        window: Annotated[int, Option("hands of a player that are remembered", 1)] = 1000,
        buckets: Annotated[int, Option("classes of hands on every street", 2, 100)] = groups.STRENGTH_GROUPS,
        smoothing: Annotated[float, Option("decisions a bucket that the mean over all counts for", 0.001)] = 4.0,
        learn: Annotated[Learn, Option("from all hands (unseen ones by expectation), or shown ones only")] = "all",
        strangers: Annotated[
            Strangers, Option("no-limit: what to expect of strangers: what players of the shared logs did, or anything")
        ] = "population",
        uniform: Uniform = 0.03,
        joint: Joint = True,
    ) -> None:
        super().__init__(BucketModel(window, buckets, smoothing, learn, strangers), uniform=uniform, joint=joint)
