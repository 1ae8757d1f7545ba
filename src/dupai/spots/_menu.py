"""Menus: the few actions that a model distinguishes, and the translation of real sizes to them and back."""

from __future__ import annotations

import itertools
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.base.arrays import F32, F64, I64, AnyArray
from dupai.rules import RAISE, Action
from dupai.spots._layout import DID_BET, DID_FOLD, NOTHING
from dupai.spots._sizes import raise_to
from dupai.spots._spot import Spot, raise_size

#: Columns that every menu begins with.
MENU_FOLD, MENU_CALL = 0, 1


class Menu(msgspec.Struct, frozen=True):
    """Fold, check or call, raises by classes of size, and all-in if that is a class of its own.

    Columns: 0 fold, 1 check or call, then one for each of ``sizes``, then the all-in.

    Attributes:
        sizes: the representative of each class of raises as a fraction of the pot, rising.
        edges: the boundaries between the classes, one fewer than ``sizes``; a size on an edge belongs to the class
            above it (FOLD, section 1). Default: half way between the sizes.
        all_in: whether putting in the last chip is a class of its own.
        measure: how sizes are counted: see :meth:`Spot.size`.

    Raises:
        ConfigError: sizes or edges that do not rise, or do not fit each other.
    """

    sizes: tuple[float, ...] = (1.0,)
    edges: tuple[float, ...] = ()
    all_in: bool = False
    measure: Literal["by", "to"] = "by"

    def __post_init__(self) -> None:
        sizes = self.sizes
        if not sizes and not self.all_in:
            raise ConfigError("a menu has no raise: expected at least one size, or the all-in")
        if any(not s > 0 for s in sizes) or list(sizes) != sorted(set(sizes)):
            raise ConfigError(f"menu sizes {sizes}: expected rising fractions of the pot above 0", key="sizes")
        if not self.edges and len(sizes) > 1:
            halves = tuple((a + b) / 2 for a, b in itertools.pairwise(sizes))
            msgspec.structs.force_setattr(self, "edges", halves)
        if len(self.edges) != max(len(sizes) - 1, 0) or list(self.edges) != sorted(set(self.edges)):
            raise ConfigError(
                f"menu edges {self.edges}: expected {max(len(sizes) - 1, 0)} rising ones between the sizes"
            )

    def __len__(self) -> int:
        """Number of columns."""
        return 2 + len(self.sizes) + self.all_in

    @property
    def names(self) -> tuple[str, ...]:
        """A word for each column: ``fold``, ``call``, ``raise 0.5``, ..., ``all-in``."""
        raises = tuple(f"raise {size:g}" for size in self.sizes)
        return ("fold", "call", *raises, *(("all-in",) if self.all_in else ()))

    def column_of_raise(self, spot: Spot, to: int) -> int:
        """The column of a raise to a total of ``to`` chips."""
        if self.all_in and (to >= spot["total"] + spot["stack"] or not self.sizes):
            return len(self) - 1
        return 2 + int(np.searchsorted(self.edges, raise_size(spot.row, to, self.measure), side="right"))

    def columns_of_raises(self, rows: AnyArray, to: F64) -> I64:
        """:meth:`column_of_raise` of many: ``int64[n, k]`` for decisions ``SPOT_DTYPE[n]`` and ``k`` totals at each."""
        total, pot, stack = (rows[name][:, None] for name in ("total", "pot", "stack"))
        call = rows["to_call"][:, None] if self.measure == "by" else 0
        beyond, after = to - total - call, np.broadcast_to(pot + call, to.shape)
        size = np.divide(beyond, after, out=np.zeros(to.shape), where=after > 0)
        columns = 2 + np.searchsorted(self.edges, size, side="right")
        if self.all_in:
            columns = np.where((to >= total + stack) | (not self.sizes), len(self) - 1, columns)
        return np.asarray(columns)

    def column(self, spot: Spot, action: Action) -> int:
        """The column of an action that is legal in the spot."""
        return self.column_of_raise(spot, action.to) if action.kind == RAISE else action.kind

    def place(self, spot: Spot) -> int:
        """The column of the action that was taken in the spot.

        Raises:
            ConfigError: no action has been taken there yet.
        """
        did = spot["did"]
        if did == NOTHING:
            raise ConfigError(f"{spot!r}: the decision is still due, there is no action to place in a menu")
        if did >= DID_BET:
            return self.column_of_raise(spot, spot["to"])
        return MENU_FOLD if did == DID_FOLD else MENU_CALL

    def legal(self, spot: Spot) -> npt.NDArray[np.bool_]:
        """``bool[k]``: which columns a legal action falls into. Folding needs a bet to fold to."""
        legal = np.zeros(len(self), np.bool_)
        legal[MENU_FOLD] = spot["to_call"] > 0
        legal[MENU_CALL] = True
        low, high = spot["min_to"], spot["max_to"]
        if low > 0:
            top = spot["total"] + spot["stack"]
            shoving = self.all_in and high >= top
            # The largest raise that is not the all-in, where that is a class of its own.
            most = min(high, top - 1) if self.all_in else high
            if most >= low and self.sizes:
                first, last = self.column_of_raise(spot, low), self.column_of_raise(spot, most)
                legal[first : last + 1] = True
            if shoving or not self.sizes:
                legal[len(self) - 1] = True  # the one class of raises where there is no other
        return legal

    def action(self, spot: Spot, column: int) -> Action:
        """The action that a legal column stands for: its size in chips, moved to the nearest that is legal.

        Raises:
            ConfigError: no legal action falls into the column.
        """
        if not 0 <= column < len(self) or not self.legal(spot)[column]:
            raise ConfigError(f"column {column} of the menu {self.names}: not possible at {spot!r}")
        if column == MENU_FOLD:
            return Action.fold()
        if column == MENU_CALL:
            return Action.call()
        low, high = spot["min_to"], spot["max_to"]
        if self.all_in and column == len(self) - 1:
            return Action.raise_to(high)
        size = self.sizes[column - 2]
        call = spot["to_call"] if self.measure == "by" else 0
        return Action.raise_to(raise_to(size, spot["total"] + call, spot["pot"] + call, low, high))

    def onto(self, other: Menu, spot: Spot, columns: npt.ArrayLike | None = None) -> F32:
        """``float32[len(self), len(other)]``: where each column of this menu goes in another menu, one 1 in a row.

        ``probs @ menu.onto(other, spot)`` are the probabilities of this menu's columns by the columns of the other. A
        column goes where the action that it stands for falls (:meth:`action`, :meth:`column`). If that column is not
        available, a raise goes to the nearest one that is, or to the call where no raise is. Rows of illegal columns
        are 0.

        Args:
            other: the menu to translate to.
            spot: the decision.
            columns: available columns of the other menu; default: the legal ones.
        """
        available = np.flatnonzero(other.legal(spot)) if columns is None else np.asarray(columns)
        raises = available[available > MENU_CALL]
        into = np.zeros((len(self), len(other)), np.float32)
        for column in np.flatnonzero(self.legal(spot)).tolist():
            to = column if self == other else other.column(spot, self.action(spot, column))
            if to not in available:
                to = int(raises[np.abs(raises - to).argmin()]) if to > MENU_CALL and len(raises) else MENU_CALL
            into[column, to] = 1.0
        return into
