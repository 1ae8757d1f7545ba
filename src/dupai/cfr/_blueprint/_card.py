"""What a blueprint says of itself, and the file that it lies in."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from dupai.base import FileError
from dupai.base.arrays import AnyArray
from dupai.base.files import SIZE_LIMITS, open_whole
from dupai.cfr._blueprint._openings import OpeningValues
from dupai.cfr._blueprint._solver import Measured
from dupai.cfr._blueprint._tree import BetMenu
from dupai.rules import GameSpec

BLUEPRINT_VERSION = 1
#: Bytes before an array in the file.
_HEAD = 256


class BlueprintCard(msgspec.Struct, frozen=True, kw_only=True):
    """What a blueprint is and how it was made.

    Attributes:
        game, menu, buckets: the game, its bets, and the buckets by street.
        nodes, entries: decisions of the tree, and probabilities in all.
        passes, seconds, seed, tremble: of the training. machine: where it ran.
        measured: how far it is, as it is played, from an equilibrium inside its abstraction; None: not measured.
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


def raises_fit(card: BlueprintCard, spec: GameSpec) -> bool:
    """Whether a game lets players raise on every street as often as a blueprint's menu and its own game do."""
    rows = (len(street) for street in card.menu.streets)
    return all(min(n, cap) <= most for n, cap, most in zip(rows, card.game.max_raises, spec.max_raises, strict=True))


def save_blueprint(
    path: Path, arrays: dict[str, AnyArray], card: BlueprintCard, openings: OpeningValues | None = None
) -> int:
    """Write a blueprint as a compressed ``.npz``: eight bits a probability. Gives its size in bytes.

    Args:
        arrays: of the solver. openings: what the actions before the flop are worth.

    Raises:
        FileError: the file cannot be written, or is larger than those that are read.
    """
    arrays = arrays | {"card": np.frombuffer(msgspec.json.encode(card), np.uint8)}
    if openings is not None:
        arrays |= openings.arrays()
    size, most = sum(array.nbytes + _HEAD for array in arrays.values()), SIZE_LIMITS["blueprint"]
    if size > most:
        raise FileError(f"{path} would hold {size:,} bytes: expected at most {most:,}, which can be read", path=path)
    with open_whole(path, "wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return path.stat().st_size
