"""Hands side by side: every round all that are not over take one decision, by one product of matrices a layer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F64, I64, U8, AnyArray, Bool
from dupai.cards import COMBOS, NO_CARD
from dupai.playouts._baseline import add_luck, room_for
from dupai.playouts._kernels.baseline import note_kernel
from dupai.playouts._kernels.deals import deal_kernel, scratch_kernel
from dupai.playouts._kernels.rounds import begin_lanes_kernel, choose_kernel, due_kernel, first_kernel, order_kernel
from dupai.playouts._layout import ROWS, Deals, Lanes, Round
from dupai.playouts._players import Player, ways_of
from dupai.playouts._small import networks_of
from dupai.reading import populations
from dupai.reading.features import ACTION_CLASSES, COLUMNS, HAND_SIZE, PUBLIC_SIZE, alike_kernel, board_table
from dupai.reading.model import ReaderWeights
from dupai.rules import MAX_PLAYERS, STATE_DTYPE, GameSpec
from dupai.spots import SPOT_DTYPE, TRACK_DTYPE

#: Decisions before and after the flop that are looked at together: they stay in the processor's cache.
_BATCH = (2048, 512, 512, 512)


class Table:
    """A game with its players and working memory for so many lanes.

    Args:
        spec: the game.
        players: by position.
        weights: of the networks.
        deals: at most so many at a time.
        per_deal: lanes of a deal.
        board: how many cards of the board all deals share.
        me: a position whose payoffs alone count: the luck of decisions is worked out for it (no-limit).

    Raises:
        ConfigError: unknown population, too few players, or networks that look at ranges.
    """

    def __init__(
        self,
        spec: GameSpec,
        players: Sequence[Player],
        weights: ReaderWeights,
        deals: int,
        per_deal: int,
        board: int = 0,
        me: int = -1,
    ) -> None:
        if len(players) != spec.players:
            raise ConfigError(f"{len(players)} players: expected {spec.players}")
        if weights.ranges or spec.betting == "pot-limit":
            what = "networks that look at ranges" if weights.ranges else "pot-limit games"
            raise ConfigError(f"play-outs know no {what}")
        self.spec, self.ways = spec, ways_of(players)
        self._limit = np.int64(spec.betting == "limit")
        groups = set(self.ways.group.tolist())
        small = not self._limit and all(player.small for player in players)
        places = [(street, group) for street in range(4) for group in groups]
        nets = {at: weights.networks(*at, bool(self._limit)) for at in places}
        self._networks = {at: networks_of(nets[at], *at, small) for at in places}
        self._boards = board_table()
        self._scratch = scratch_kernel(self._boards.sets)
        n = deals * per_deal
        self._me, self._faced = me, None if me < 0 or self._limit else room_for(n)
        self._deals = Deals(
            np.empty((deals, MAX_PLAYERS, 2), np.uint8), np.empty((deals, MAX_PLAYERS), np.int64),
            np.empty((deals, 5), np.uint8), np.empty((deals, 3, MAX_PLAYERS, HAND_SIZE), np.float32),
            np.zeros((deals, 2, 2), np.float32), np.empty((deals, 3, MAX_PLAYERS), np.bool_),
            np.empty((52 if board >= 4 else 0, COMBOS, COLUMNS)), np.zeros(52, np.bool_),
        )  # fmt: skip
        self._lanes = Lanes(
            np.zeros(n, STATE_DTYPE), np.zeros(n, TRACK_DTYPE), np.zeros((n, ROWS), SPOT_DTYPE), np.zeros(n, np.int64),
            np.zeros((n, MAX_PLAYERS), np.int64), np.zeros(n, np.int64), np.zeros((n, MAX_PLAYERS), np.int64),
        )  # fmt: skip
        self._round = Round(
            np.empty(n, np.int64), np.empty((n, PUBLIC_SIZE), np.float32), np.empty((n, ACTION_CLASSES), np.bool_),
            np.zeros((n, HAND_SIZE), np.float32), np.zeros(n, np.int64), np.empty((n, ACTION_CLASSES), np.float32),
        )  # fmt: skip
        self._counts = np.zeros(4 * len(populations.NAMES), np.int64)
        self._same, self._first, self._each = np.tile(np.arange(max(_BATCH)), (3, 1))

    def deal(self, first: int, many: int, hole: U8, board: U8, ranges: F64, live: Bool, seed: int) -> Deals:
        """Deal ``many`` hands from number ``first`` on (:func:`~dupai.playouts._kernels.deals.deal_kernel`)."""
        whole = self._deals
        deals = Deals(*(part[:many] for part in whole))._replace(rivers=whole.rivers, counted=whole.counted)
        deal_kernel(deals, first, hole, board, ranges, live, np.uint64(seed))
        return deals

    def play(
        self, deals: Deals, first: int, start: tuple[AnyArray, AnyArray, AnyArray], seed: int,
        actions: tuple[I64, I64] | None = None, wanted: I64 | None = None,
    ) -> tuple[Lanes, F64]:  # fmt: skip
        """Play all lanes to the end, or until the player whose payoffs count has folded.

        Args:
            deals: of :meth:`deal`, whose number ``first`` was.
            start: rows, state and track where the play-outs begin (:func:`dupai.spots.line_so_far`); or rows that all
                deals share, and states and tracks by deal.
            seed: of the dice.
            actions: kinds and totals of the actions to be compared, and ``wanted``: which of them, one lane each.

        Returns:
            The lanes, and ``float64[lanes]``: chips of the payoff that were the luck of decisions.
        """
        many = len(deals.board) * (1 if wanted is None else len(wanted))
        lanes = Lanes(*(part[:many] for part in self._lanes))
        rows, state, track = start
        per_deal = np.int64(many // len(deals.board))
        spec = self.spec.array
        begin_lanes_kernel(lanes, deals, spec, state, track, rows, len(rows), per_deal)
        if actions is not None and wanted is not None:
            first_kernel(lanes, spec, *actions, wanted)
        active, due, faced = np.arange(many), self._round, self._faced
        luck, dice, me = np.zeros(many), np.uint64(seed), self._me
        while n := order_kernel(lanes, active, self.ways.group, self._counts, due.lane, me):
            self._look(lanes, deals, n)
            if faced is not None:
                how = self._boards, self._scratch, spec, self.ways
                add_luck(faced, note_kernel(lanes, deals, *how, dice, first, due, n, me, faced), luck)
            choose_kernel(lanes, deals, spec, self._limit, self.ways, dice, first, due, n)
            active = due.lane[:n].copy()
        if me >= 0:
            out = lanes.state["folded"][:, me] != 0
            lanes.payoffs[out, me] = -spec["split"] * (lanes.state["total"] + lanes.state["ante"])[out, me]
        return lanes, luck

    def _look(self, lanes: Lanes, deals: Deals, n: int) -> None:
        """The logits of the first ``n`` decisions that are due."""
        due, end, spec = self._round, 0, self.spec.array
        for key in np.flatnonzero(self._counts).tolist():
            many = int(self._counts[key])
            street, group = divmod(key, len(populations.NAMES))
            for begin in range(end, end + many, _BATCH[street]):
                stop = min(begin + _BATCH[street], end + many)
                due_kernel(lanes, deals, self._boards, self._scratch, spec, self._limit, due, begin, stop)
                public, logits, of = due.public[begin:stop], due.logits[begin:stop], self._same[: stop - begin]
                if street:
                    of = self._each[: stop - begin]
                else:
                    # Before the flop many hands have come the same way.
                    public = public[self._first[: alike_kernel(public.view(np.uint64), of, self._first)]]
                nets = self._networks[street, group]
                for k, net in enumerate(nets):
                    hands = net.hands(due.hand[begin:stop]) if street else net.hands()[due.start[begin:stop]]
                    out = net.each(hands, public, group, of)
                    if k:
                        logits += out
                    else:
                        logits[:] = out
                logits *= np.float32(1 / len(nets))
            end += many


def no_cards() -> tuple[U8, U8]:
    """Hole cards ``uint8[10, 2]`` and a board ``uint8[5]`` of which nothing is known."""
    return np.full((MAX_PLAYERS, 2), NO_CARD, np.uint8), np.full(5, NO_CARD, np.uint8)
