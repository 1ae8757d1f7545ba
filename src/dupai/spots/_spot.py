"""A decision with everything that was public when it was taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dupai.base import RulesError
from dupai.base.arrays import F64, AnyArray
from dupai.rules import BOARD_CARDS, RAISE, STATE_DTYPE, Action, GameSpec, HandRecord, HandState, LogEntry, View
from dupai.spots._kernels import spots_kernel
from dupai.spots._layout import DID_BET, DID_CALL, DID_CHECK, NOTHING, SPOT_DTYPE, TRACK_DTYPE


@dataclass(slots=True, eq=False, repr=False)
class Spot:
    """One decision: its row, the rows before it in the hand, and the board at that time.

    Attributes:
        spec: the game.
        rows: ``SPOT_DTYPE[n + 1]``: the decisions of the hand up to this one, which is the last.
        board: the open cards (0, 3, 4 or 5; fewer where the source does not know them).
        ranges: ``float64[players, 1326]``: the range of every position dealt in, given the public betting before this
            decision; each row is a distribution. None where it has not been computed. A model that uses them sets
            ``needs_ranges``.
        seats: fixed seat of the match by position.
        start_stacks: chips at the start of the hand by position; empty where they are not known.
    """

    spec: GameSpec
    rows: AnyArray
    board: tuple[int, ...]
    ranges: F64 | None = None
    seats: tuple[int, ...] = ()
    start_stacks: tuple[int, ...] = ()

    @property
    def row(self) -> AnyArray:
        """``SPOT_DTYPE[1]``: this decision, for kernels."""
        return self.rows[-1:]

    def __getitem__(self, field: str) -> int:
        """A field of the row as an integer: ``spot["pot"]``."""
        return int(self.rows[field][-1])

    @property
    def position(self) -> int:
        """The position to act."""
        return self["position"]

    @property
    def street(self) -> int:
        """0 before the flop, 1 flop, 2 turn, 3 river."""
        return self["street"]

    @property
    def action(self) -> Action | None:
        """The action that was taken; None while the decision is due."""
        did = self["did"]
        if did == NOTHING:
            return None
        if did >= DID_BET:
            return Action(RAISE, self["to"])
        return Action.call() if did in (DID_CHECK, DID_CALL) else Action.fold()

    @property
    def winnable(self) -> int:
        """Chips of the pot that the player to act can win, as :attr:`dupai.rules.View.winnable`. Where the stacks at
        the start are not known, a blind whose player has not acted counts in full."""
        pot, total, stack = self["pot"], self["total"], self["stack"]
        if self["to_call"] < stack:
            return pot
        before = self.rows[:-1]
        blinds = dict(enumerate(self.spec.blinds))
        for p, start in enumerate(self.start_stacks):
            blinds[p] = min(blinds[p], max(start - self.spec.antes[p], 0))
        blinds[self.position] = 0
        puts = blinds | dict(zip(before["position"].tolist(), before["to"].tolist(), strict=True))
        return pot - sum(max(put - total - stack, 0) for put in puts.values())

    def size(self, to: int | None = None, measure: str = "by") -> float:
        """Size of a bet or raise to a total of ``to`` chips (default: the one that was made) as a fraction of the pot.

        ``"by"``: chips beyond the call over the pot after the call; ``"to"``: all chips put in over the pot before.
        For a bet both are the bet over the pot before it (FOLD, section 1). 0 where the pot is empty.
        """
        return raise_size(self.row, self["to"] if to is None else to, measure)

    def __repr__(self) -> str:
        return f"<Spot street {self.street}, position {self.position}, pot {self['pot']}, to call {self['to_call']}>"


def raise_size(row: AnyArray, to: int, measure: str = "by") -> float:
    """The fraction that :meth:`Spot.size` gives, for row ``SPOT_DTYPE[1]``."""
    pot, call, total = int(row["pot"][0]), int(row["to_call"][0]), int(row["total"][0])
    if measure == "to":
        return (to - total) / pot if pot else 0.0
    return (to - total - call) / (pot + call) if pot + call else 0.0


class _Rows(NamedTuple):
    """The rows of a hand so far with what :func:`spots_kernel` goes on from; the arrays are never changed."""

    log: tuple[LogEntry, ...]
    rows: AnyArray
    state: AnyArray
    track: AnyArray


_NOTHING = _Rows((), np.zeros(0, SPOT_DTYPE), np.zeros(1, STATE_DTYPE), np.zeros(1, TRACK_DTYPE))


def _again(array: AnyArray) -> AnyArray:
    """A copy: NumPy copies structured arrays field by field, which is slow."""
    return np.frombuffer(bytearray(array), array.dtype)


def _played(source: View | HandState | HandRecord, played: Sequence[Action], before: _Rows) -> _Rows:
    """The rows after the actions ``played``, of which those of ``before`` are known."""
    n = len(played)
    rows, state, track = np.zeros(n + 1, SPOT_DTYPE), _again(before.state), _again(before.track)
    rows[: len(before.rows)] = before.rows
    kinds, totals = np.array(played, np.int64).reshape(n, 2).T.copy()
    stacks = np.array(source.stacks if isinstance(source, HandRecord) else source.start_stacks, np.int64)
    m = spots_kernel(source.spec.array, stacks, kinds, totals, state, track, rows, len(before.log))
    if m < 0:
        raise RulesError(f"hand {source.hand}: action {-m} of {n} ({played[-1 - m]}) is not legal where it stands")
    return _Rows((), rows[:m], state, track)


def spot_rows(source: View | HandState | HandRecord, actions: int | None = None) -> AnyArray:
    """Every decision of a hand so far, ``SPOT_DTYPE[n]``, the due one last where the hand is not over. The rows of a
    view or a hand in play are those of the decision before and what has happened since: the hand is gone through once.

    Args:
        source: a view, a hand in play or a record.
        actions: use only the first so many actions.

    Raises:
        RulesError: an action of a record is not legal where it stands.
    """
    if isinstance(source, HandRecord):
        return _played(source, source.actions[:actions], _NOTHING).rows
    log = source.actions[:actions]
    known: _Rows = source.derived.get("spots", _NOTHING)
    same = min(len(log), len(known.log))
    if log[:same] != known.log[:same]:
        known = _NOTHING
    if known is _NOTHING or len(known.log) < len(log):
        known = _played(source, [action for _, _, action in log], known)._replace(log=log)
        source.derived["spots"] = known
    rows = _again(known.rows[: len(log) + 1])
    if len(log) < len(known.log):
        due = rows[-1:]
        due["did"], due["to"], due["paid"], due["all_in"] = NOTHING, 0, 0, 0
    return rows


def line_so_far(source: View | HandState) -> tuple[AnyArray, AnyArray, AnyArray]:
    """What kernels go on from: the rows of the actions so far, ``STATE_DTYPE[1]`` (no cards in it) and
    ``TRACK_DTYPE[1]``; copies."""
    spot_rows(source)
    known: _Rows = source.derived["spots"]
    return _again(known.rows[: len(known.log)]), _again(known.state), _again(known.track)


def spots(source: View | HandState | HandRecord, actions: int | None = None) -> list[Spot]:
    """The decisions of :func:`spot_rows` as objects with their boards, in order.

    Raises:
        RulesError: as :func:`spot_rows`.
    """
    rows = spot_rows(source, actions)
    seats = tuple(source.seats)
    stacks = tuple(source.stacks if isinstance(source, HandRecord) else source.start_stacks)
    board = tuple(source.board)
    return [
        Spot(source.spec, rows[: i + 1], board[: BOARD_CARDS[street]], None, seats, stacks)
        for i, street in enumerate(rows["street"].tolist())
    ]
