"""Every number of the default model: those that the paper prints, and those that it leaves open."""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dupai.base.files import file_faults, place_of, read_json_file, write_whole
from dupai.history.stats import Population
from dupai.rules import GameSpec


class WinRateInterval(NamedTuple):
    """The win rates that go with an action, and the baseline from which eq. 6 measures those outside."""

    low: float
    high: float
    baseline: float


class RateIntervals(msgspec.Struct, frozen=True, kw_only=True):
    """The intervals after the flop, on the win rate against a uniform hand.

    Attributes:
        fold, check, call, half, pot: of the actions; ``pot`` is a full pot or more and, in the default reading, three
            quarters too.
        half_below, three_quarter, pot_above: the same ladder where three quarters of the pot is an action of its own.
        limit_raise: the one size of a limit game, with what half pot and pot own together; its lower baseline says that
            weaker hands belong to it than to a bet of the pot (a limit bet is often less than a third of the pot).
    """

    fold: WinRateInterval = WinRateInterval(0.0, 0.50, 0.40)
    check: WinRateInterval = WinRateInterval(0.0, 0.57, 0.513)
    call: WinRateInterval = WinRateInterval(0.57, 0.68, 0.61)
    half: WinRateInterval = WinRateInterval(0.68, 0.75, 0.715)
    pot: WinRateInterval = WinRateInterval(0.75, 1.0, 0.85)
    half_below: WinRateInterval = WinRateInterval(0.68, 0.73, 0.705)
    three_quarter: WinRateInterval = WinRateInterval(0.73, 0.77, 0.75)
    pot_above: WinRateInterval = WinRateInterval(0.77, 1.0, 0.86)
    limit_raise: WinRateInterval = WinRateInterval(0.68, 1.0, 0.75)


class EntryShares(msgspec.Struct, frozen=True, kw_only=True):
    """The shares of starting hands before the flop.

    Attributes:
        front, middle, rear, blinds: share with which each class of position enters (eq. 5).
        heads_up_button, heads_up_big_blind: the same with two players.
        three_bet, four_bet: share raised once more after one raise, after two or more.
        limp_without: best share that is not limped but raised.
        preflop_baseline: where the baseline of a pre-flop interval lies in it (0 low end, 1 high end).
    """

    front: float = 0.15
    middle: float = 0.20
    rear: float = 0.35
    blinds: float = 0.30
    heads_up_button: float = 0.80
    heads_up_big_blind: float = 0.60
    three_bet: float = 0.07
    four_bet: float = 0.03
    limp_without: float = 0.05
    preflop_baseline: float = 0.5


class FoldConstants(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of DFModel.

    Printed in the paper: the call interval with its baseline, 0.513 (figure 2, read as the baseline of checking), 0.75
    (figure 2, read as the boundary between half pot and pot), theta = 50. All others are chosen: intervals follow each
    other as figure 2 draws them (fold < check < call < half pot < pot), baselines lie in the middle of what a
    player plausibly holds.

    Attributes:
        rates: the intervals after the flop.
        shares: the shares of starting hands before it.
        theta: relative probability inside an interval, and the most outside it.
        uniform: share of the uniform distribution in every reading.
        trust: share of a player's actions that moves their intervals (1: all of it; 0: no adaptation).
    """

    rates: RateIntervals = RateIntervals()
    shares: EntryShares = EntryShares()
    theta: float = 50.0
    uniform: float = 0.0
    trust: float = 1.0

    @classmethod
    def of(cls, numbers: Mapping[str, Any]) -> FoldConstants:
        """Constants from all numbers by name, as a file holds them.

        Raises:
            msgspec.ValidationError: a number is of the wrong type.
        """
        return msgspec.convert({**numbers, "rates": numbers, "shares": numbers}, cls)

    def by_name(self) -> dict[str, Any]:
        """All numbers by name: what :meth:`of` takes."""
        rates, shares = msgspec.structs.asdict(self.rates), msgspec.structs.asdict(self.shares)
        return rates | shares | {"theta": self.theta, "uniform": self.uniform, "trust": self.trust}


#: The paper's model.
PAPER_CONSTANTS = FoldConstants()


def game_kind(spec: GameSpec) -> str:
    """Which sort of game it is, where numbers are kept by sort: ``limit``, ``hu`` or ``6max``."""
    if spec.betting == "limit":
        return "limit"
    return "hu" if spec.players == 2 else "6max"


#: The shipped file: ``dupai train fold`` on the training part of the shared logs.
FILE = Path(__file__).parents[1] / "fold.json.gz"


class FoldFile(msgspec.Struct, frozen=True, kw_only=True):
    """Attributes:
    about: what it was made of, and the bits that it gains.
    constants: by kind of game (:func:`game_kind`).
    populations: by betting structure, ``no-limit`` and ``limit``.
    """

    about: dict[str, Any]
    constants: Mapping[str, FoldConstants]
    populations: Mapping[str, Population]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it, whole or not at all.

        Raises:
            FileError: the file cannot be written.
        """
        # No time of day in it: the same content is the same file.
        constants = {kind: numbers.by_name() for kind, numbers in self.constants.items()}
        text = msgspec.json.encode({"about": self.about, "constants": constants, "populations": self.populations})
        write_whole(path, gzip.compress(text, 9, mtime=0))


@cache
def load_fold(path: str | os.PathLike[str] = FILE) -> FoldFile:
    """What :meth:`FoldFile.save` wrote.

    Raises:
        FileError: the file cannot be read or holds no constants.
    """
    kind = "constants of the reader fold"
    data = read_json_file(path, kind, dict[str, Any], unpack=True)
    with file_faults(place_of(kind, path), path):
        data["constants"] = {game: FoldConstants.of(numbers) for game, numbers in data["constants"].items()}
        return msgspec.convert(data, FoldFile)
