"""``markov``: the hidden Markov model over hand classes that the FOLD paper compares with (its figure 7).

Hidden states are the eleven classes of the current best hand, one set a street (four before the flop); what is seen on
each street is the understood action. The board is not looked at: that is what the paper's reader does better.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from dupai.base import ConfigError, Option
from dupai.base.arrays import F64, AnyArray
from dupai.base.files import array_of, file_faults, place_of, read_arrays
from dupai.reading._filter import asked_positions, legal_hands
from dupai.reading._fold._constants import game_kind
from dupai.reading._protocol import LearnsNothing
from dupai.reading._reading import HAND_CLASSES, Reading, hand_classes
from dupai.rules import BOARD_CARDS, View
from dupai.spots import DID_BET, DID_CALL, DID_CHECK, DID_FOLD, NOTHING, raise_size, spot_rows

#: The shipped tables: `dupai train markov` on the training part of the shared logs.
FILE = Path(__file__).parent / "markov.npz"
KINDS = ("hu", "6max", "limit")
#: What is seen of a player on a street. ``small`` and ``large``: below or from 0.6 of the pot; before the flop the
#: first raise and the second, ``again`` the third and later ones. ``nothing``: the player had no decision.
MARKOV_SYMBOLS = ("nothing", "fold", "check", "call", "small", "large", "again")
_NOTHING, _FOLD, _CHECK, _CALL, _SMALL, _LARGE, _AGAIN = range(7)
#: Which of a street's actions stands for it: the most aggressive one, and a fold ends it.
_FORCE = (0, 9, 1, 2, 3, 4, 5)
_CLASSES = len(HAND_CLASSES)


def symbol(row: AnyArray) -> int:
    """What was done at a decision (``SPOT_DTYPE[1]``)."""
    did, street = int(row["did"][0]), int(row["street"][0])
    if did < DID_BET:
        return {DID_FOLD: _FOLD, DID_CHECK: _CHECK, DID_CALL: _CALL}[did]
    if street == 0:
        return (_SMALL, _LARGE, _AGAIN)[min(int(row["raises"][0]), 2)]
    return _SMALL if raise_size(row, int(row["to"][0])) < 0.6 else _LARGE


def symbols_of(rows: AnyArray, position: int, streets: int) -> tuple[int, ...]:
    """What is seen of a position on the first ``streets`` streets."""
    symbols = [_NOTHING] * streets
    for i in np.flatnonzero((rows["position"] == position) & (rows["did"] != NOTHING) & (rows["street"] < streets)):
        street = int(rows["street"][i])
        seen = symbol(rows[i : i + 1])
        if _FORCE[seen] >= _FORCE[symbols[street]]:
            symbols[street] = seen
    return tuple(symbols)


class Markov(NamedTuple):
    """The tables: ``start float64[11]``, ``step float64[3, 11, 11]`` from street to street, ``emit float64[4, 11, 7]``.
    Rows sum to 1; classes that a street does not have are 0 in ``start`` and ``step``."""

    start: F64
    step: F64
    emit: F64

    def filtered(self, symbols: Sequence[int]) -> F64:
        """``float64[11]``: probability of each class on the street of the last symbol, given all so far."""
        p = self.start * self.emit[0, :, symbols[0]]
        for k, seen in enumerate(symbols[1:]):
            p = (p / p.sum()) @ self.step[k] * self.emit[k + 1, :, seen]
        return np.asarray(p / p.sum())


@cache
def load_markov(path: str | os.PathLike[str] = FILE) -> dict[str, Markov]:
    """Tables by kind of game (:data:`KINDS`).

    Raises:
        FileError: the file cannot be read or holds no tables.
    """
    arrays = read_arrays(path, "Markov model")
    with file_faults(place_of("Markov model", path), path):
        kinds = sorted({key.split(" ")[0] for key in arrays})
        shapes = {"start": (_CLASSES,), "step": (3, _CLASSES, _CLASSES), "emit": (4, _CLASSES, len(MARKOV_SYMBOLS))}
        return {
            kind: Markov(*(array_of(arrays, f"{kind} {name}", shape, np.float64) for name, shape in shapes.items()))
            for kind in kinds
        }


class MarkovReader(LearnsNothing):
    """The hidden Markov model over eleven hand classes that the FOLD paper compares with.

    The class is predicted from the actions alone and then spread over the hands of the class.
    """

    def __init__(
        self,
        tables: Annotated[str, Option("file of other tables (dupai train markov)", file=True)] = "",
        kind: Annotated[str, Option("kind of game whose table is used: auto, hu, 6max or limit")] = "auto",
    ) -> None:
        self.tables = load_markov(tables or FILE)
        if kind != "auto" and kind not in self.tables:
            raise ConfigError(f"kind={kind!r}: expected auto or one of {', '.join(self.tables)}")
        self.kind = kind

    def class_shares(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, F64]:
        """``float64[11]`` by seat: probability of each class, as predicted, before it is spread over hands."""
        rows = spot_rows(view)
        street = next(k for k in range(4) if BOARD_CARDS[k] == len(view.board))
        kind = game_kind(view.spec) if self.kind == "auto" else self.kind
        if kind not in self.tables:
            raise ConfigError(f"there is no Markov table for {kind} games: expected {', '.join(self.tables)}")
        return {
            view.seats[i]: self.tables[kind].filtered(symbols_of(rows, i, street + 1))
            for i in asked_positions(view, seats)
        }

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        readings = {}
        classes = hand_classes(tuple(view.board)).astype(np.int64)
        predicted = self.class_shares(view, seats)
        for i in asked_positions(view, seats):
            legal = legal_hands(view, i)
            shares = predicted[view.seats[i]]
            in_class = np.bincount(classes[legal], minlength=_CLASSES)
            w = np.zeros(len(classes))
            w[legal] = (shares / np.maximum(in_class, 1))[classes[legal]]
            readings[view.seats[i]] = Reading(w)
        return readings
