"""What a blueprint says of itself, and the file that it lies in."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from dupai.base import AnyArray, open_whole
from dupai.cfr._blueprint._openings import OpeningValues
from dupai.cfr._blueprint._solver import Measured
from dupai.cfr._blueprint._tree import BetMenu
from dupai.rules import GameSpec

BLUEPRINT_VERSION = 1
#: Actions that a hand takes more rarely are not taken: they stem from the first passes.
RARE = 0.03


class BlueprintCard(msgspec.Struct, frozen=True, kw_only=True):
    """What a blueprint is and how it was made.

    Attributes:
        game, menu, buckets: the game, its bets, and the buckets by street.
        nodes, entries: decisions of the tree, and probabilities in all.
        passes, seconds, seed, tremble: of the training. machine: where it ran.
        measured: how far it is from an equilibrium inside its abstraction; None: not measured.
    """

    version: int = BLUEPRINT_VERSION
    name: str = ""
    game: GameSpec
    menu: BetMenu
    buckets: tuple[int, int, int, int]
    nodes: int
    entries: int
    passes: int
    seconds: float
    seed: int
    tremble: float = 0.0
    machine: str = ""
    measured: Measured | None = None


def save_blueprint(
    path: Path, arrays: dict[str, AnyArray], card: BlueprintCard, openings: OpeningValues | None = None
) -> int:
    """Write a blueprint as a compressed ``.npz``: eight bits a probability. Gives its size in bytes.

    Args:
        arrays: of the solver. openings: what the actions before the flop are worth.

    Raises:
        FileError: the file cannot be written.
    """
    arrays = arrays | {"card": np.frombuffer(msgspec.json.encode(card), np.uint8)}
    if openings is not None:
        arrays |= openings.arrays()
    with open_whole(path, "wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return path.stat().st_size
