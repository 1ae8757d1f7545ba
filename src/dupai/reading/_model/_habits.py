"""How one person differs from the population: shrunken frequencies that shift the odds of folding and raising."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.history import UNNAMED, real_name
from dupai.spots import BIG_BLIND, SMALL_BLIND, Spot

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

_Three = tuple[float, float, float]
#: Name, kind of decision, what he did and what was expected of him.
_Kept = tuple[str, int, _Three, _Three]
#: Decisions of the population that a person's own have to outweigh.
PSEUDO = 25.0


class Habits:
    """What persons did against what the model expected of them, by kind of decision.

    A person's statistics as inputs of a network teach it who he is, and it fails on the next one (section 5 of the
    reading metric). Here they only move the odds of fold, call and raise, the same for every hand, until the model's
    expectation over the player's range meets his frequencies, shrunk towards the population by :data:`PSEUDO`
    decisions.
    """

    def __init__(self, pseudo: float = PSEUDO) -> None:
        self.pseudo = pseudo
        self._did: dict[tuple[str, int], F64] = {}
        self._expected: dict[tuple[str, int], F64] = {}

    @staticmethod
    def kind(spot: Spot) -> int:
        """The kind of a decision: before the flop by raises so far and whether the player is in the blinds, later by
        street and whether there is a bet to call."""
        if spot.street == 0:
            blinds = spot["position_class"] in (SMALL_BLIND, BIG_BLIND)
            return min(spot["raises"], 2) + 3 * int(blinds)
        return 6 + 2 * (spot.street - 1) + int(spot["to_call"] > 0)

    def shift(self, name: str, spot: Spot, columns: int) -> F32 | None:
        """What to add to the logits of ``columns`` native actions for a person; None where nothing is known."""
        key = (name, self.kind(spot))
        if real_name(name) == UNNAMED or key not in self._expected:
            return None
        did, expected = self._did[key], self._expected[key]
        prior = self.pseudo * expected / expected.sum()
        delta = np.log((did + prior + 1e-9) / (expected + prior + 1e-9))
        out = np.empty(columns, np.float32)
        out[:2], out[2:] = delta[:2], delta[2]
        return out

    def note(self, name: str, spot: Spot, chances: npt.NDArray[Any], column: int) -> None:
        """A person chose ``column`` where the model, over his range, expected ``chances`` of the native columns."""
        if real_name(name) == UNNAMED:
            return
        key = (name, self.kind(spot))
        one = np.zeros(3)
        one[min(column, 2)] = 1
        expected = np.array([chances[0], chances[1], chances[2:].sum()], np.float64)
        self._did[key] = self._did.get(key, 0) + one
        self._expected[key] = self._expected.get(key, 0) + expected

    def save(self) -> bytes:
        """What was counted, for :meth:`load`."""
        kept = [
            (name, kind, did.tolist(), self._expected[name, kind].tolist()) for (name, kind), did in self._did.items()
        ]
        return msgspec.msgpack.encode(kept)

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave.

        Raises:
            ConfigError: it is not that.
        """
        try:
            kept = msgspec.msgpack.decode(data, type=list[_Kept])
        except msgspec.DecodeError:
            raise ConfigError(f"{len(data)} bytes are not the habits of players: expected what save() gave") from None
        self._did = {(name, kind): np.array(did) for name, kind, did, _ in kept}
        self._expected = {(name, kind): np.array(expected) for name, kind, _, expected in kept}
