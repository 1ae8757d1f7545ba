"""Every number of the default model: those that the paper prints, and those that it leaves open."""

from __future__ import annotations

import gzip
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dupai.base import FileError, write_whole
from dupai.history import Population
from dupai.rules import GameSpec


class WinRateInterval(NamedTuple):
    """The win rates that go with an action, and the baseline from which eq. 6 measures those outside."""

    low: float
    high: float
    baseline: float


class FoldConstants(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of DFModel.

    Printed in the paper: the call interval with its baseline, 0.513 (figure 2, read as the baseline of checking), 0.75
    (figure 2, read as the boundary between half pot and pot), theta = 50. All others are chosen: intervals follow each
    other as figure 2 draws them (fold < check < call < half pot < pot), baselines lie in the middle of what a
    player plausibly holds.

    Attributes:
        fold, check, call, half, pot: after the flop, on the win rate against a uniform hand; ``pot`` is a full pot or
            more and, in the default reading, three quarters too.
        half_below, three_quarter, pot_above: the same ladder where three quarters of the pot is an action of its own.
        front, middle, rear, blinds: share of starting hands with which each class of position enters (eq. 5).
        heads_up_button, heads_up_big_blind: the same with two players.
        limit_raise: the one size of a limit game, with what half pot and pot own together; its lower baseline says that
            weaker hands belong to it than to a bet of the pot (a limit bet is often less than a third of the pot).
        three_bet, four_bet: share of starting hands raised once more after one raise, after two or more.
        limp_without: best share of starting hands that is not limped but raised.
        preflop_baseline: where the baseline of a pre-flop interval lies in it (0 low end, 1 high end).
        theta: relative probability inside an interval, and the most outside it.
        uniform: share of the uniform distribution in every reading.
        trust: share of a player's actions that moves their intervals (1: all of it; 0: no adaptation).
    """

    fold: WinRateInterval = WinRateInterval(0.0, 0.50, 0.40)
    check: WinRateInterval = WinRateInterval(0.0, 0.57, 0.513)
    call: WinRateInterval = WinRateInterval(0.57, 0.68, 0.61)
    half: WinRateInterval = WinRateInterval(0.68, 0.75, 0.715)
    pot: WinRateInterval = WinRateInterval(0.75, 1.0, 0.85)
    half_below: WinRateInterval = WinRateInterval(0.68, 0.73, 0.705)
    three_quarter: WinRateInterval = WinRateInterval(0.73, 0.77, 0.75)
    pot_above: WinRateInterval = WinRateInterval(0.77, 1.0, 0.86)
    front: float = 0.15
    middle: float = 0.20
    rear: float = 0.35
    blinds: float = 0.30
    heads_up_button: float = 0.80
    heads_up_big_blind: float = 0.60
    limit_raise: WinRateInterval = WinRateInterval(0.68, 1.0, 0.75)
    three_bet: float = 0.07
    four_bet: float = 0.03
    limp_without: float = 0.05
    preflop_baseline: float = 0.5
    theta: float = 50.0
    uniform: float = 0.0
    trust: float = 1.0


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
        write_whole(path, gzip.compress(msgspec.json.encode(self), 9, mtime=0))


@cache
def load_fold(path: str | os.PathLike[str] = FILE) -> FoldFile:
    """What :meth:`FoldFile.save` wrote.

    Raises:
        FileError: the file cannot be read or holds no constants.
    """
    try:
        return msgspec.json.decode(gzip.decompress(Path(path).read_bytes()), type=FoldFile)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise FileError(f"{path}: holds no constants of the reader fold: {error}", path=path) from None
