"""Whole hands by the thousand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dupai.base import ConfigError, NoProgress, Progress
from dupai.base.arrays import I64, U8, AnyArray
from dupai.cards import COMBOS
from dupai.playouts._kernels.rounds import rows_kernel
from dupai.playouts._lockstep import Table, no_cards
from dupai.playouts._players import Player
from dupai.reading.model import ReaderWeights, load_weights
from dupai.rules import MAX_PLAYERS, RAISE, Action, GameSpec, HandRecord, HandState
from dupai.spots import DID_BET, DID_FOLD, SPOT_DTYPE, line_so_far

#: Hands side by side: twice as many are no faster, and need 20 MB more.
_SIDE = 512


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Hands that were played.

    Attributes:
        spec: the game.
        stacks: ``int64[hands, players]``: at the start.
        hole: ``uint8[hands, players, 2]``. board: ``uint8[hands, 5]``: all five cards, open or not.
        rows: ``SPOT_DTYPE[decisions]``: hand after hand.
        first: ``int64[hands + 1]``: where the rows of each hand begin.
        payoffs: ``int64[hands, players]`` in 1/``spec.split`` chips.
    """

    spec: GameSpec
    stacks: I64
    hole: U8
    board: U8
    rows: AnyArray
    first: I64
    payoffs: I64

    def __len__(self) -> int:
        return len(self.board)

    def records(self, names: Sequence[str] = ()) -> Iterator[HandRecord]:
        """The hands as records, with all hole cards; ``names`` by position."""
        for i in range(len(self)):
            rows = self.rows[self.first[i] : self.first[i + 1]]
            done = zip(rows["did"].tolist(), rows["to"].tolist(), strict=True)
            actions = tuple(
                Action.fold() if did == DID_FOLD else Action(RAISE, to) if did >= DID_BET else Action.call()
                for did, to in done
            )
            state = HandState(
                self.spec, self.hole[i].tolist(), self.board[i].tolist(), self.stacks[i].tolist(), hand=i + 1
            )
            for action in actions:
                state.follow(action)
            yield state.record(names or None)


def play_hands(
    spec: GameSpec, who: Sequence[Player], n: int, *, seed: int = 1, stacks: Sequence[int] | I64 | None = None,
    weights: ReaderWeights | None = None, progress: Progress | None = None,
) -> Played:  # fmt: skip
    """Play hands from the deal to the end, every position by an action model (six seats: some 25,000 a second).

    Args:
        spec: the game.
        who: the players by position.
        n: how many hands.
        seed: of cards and dice: the same gives the same hands, whatever ``n`` is.
        stacks: chips by position (default: those of ``spec``), or by hand and position, ``int64[n, players]``.
        weights: of the networks; default: those that ship.
        progress: receives the hands done; when it is cancelled, the hands so far are returned.

    Raises:
        ConfigError: unknown population, too few or too many players or stacks, a pot-limit game.
    """
    watch = progress or NoProgress()
    table = Table(spec, who, weights or load_weights(), min(n, _SIDE), 1)
    given = np.array(HandState(spec).start_stacks if stacks is None else stacks, np.int64)
    if given.shape not in ((spec.players,), (n, spec.players)):
        raise ConfigError(f"stacks of shape {given.shape}: expected {spec.players} by position, for all hands or each")
    start = np.broadcast_to(given, (n, spec.players))
    kinds, kind_of = given[None], np.zeros(n, np.int64)
    if given.ndim == 2:
        kinds, kind_of = np.unique(given, axis=0, return_inverse=True)
    lines = [line_so_far(HandState(spec, stacks=kind)) for kind in kinds.tolist()]
    states, tracks = (np.concatenate([line[k] for line in lines]) for k in (1, 2))
    hole, board = no_cards()
    live = np.arange(MAX_PLAYERS) < spec.players
    parts: list[tuple[U8, U8, I64, I64]] = []
    every = np.empty(0, SPOT_DTYPE)
    for first in range(0, n, _SIDE):
        if watch.cancelled:
            break
        deals = table.deal(first, min(_SIDE, n - first), hole, board, np.zeros((MAX_PLAYERS, COMBOS)), live, seed)
        of = kind_of[first : first + _SIDE]
        lanes, _ = table.play(deals, first, (lines[0][0], states[of], tracks[of]), seed)
        # Grows where it is, so that rows are never there twice.
        before = len(every)
        every.resize(before + lanes.done.sum(), refcheck=False)
        rows_kernel(lanes, every[before:])
        players = spec.players
        parts.append((deals.hole[:, :players].copy(), deals.board.copy(), lanes.done.copy(),
                      lanes.payoffs[:, :players].copy()))  # fmt: skip
        watch.report(min(first + _SIDE, n), n, "hands")
    holes, boards, done, payoffs = (np.concatenate(part) for part in zip(*parts, strict=True))
    begins = np.concatenate([[0], np.cumsum(done)])
    return Played(spec, start[: len(boards)], holes, boards, every, begins, payoffs)
