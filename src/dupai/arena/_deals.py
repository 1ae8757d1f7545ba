"""Fixed deals from a file: the same cards for every match that is played over them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from dupai.base import ConfigError, NotationError
from dupai.rules import GameSpec, HandState


def load_deals(file: str | os.PathLike[str]) -> tuple[str, ...]:
    """The deals of a text file, one a line: hole cards by position and the whole board as ACPC writes them,
    ``AsKd|7h7c/2c3d4h/5s/6d``. Lines of an ACPC log give their cards; empty lines and ``#`` comments are skipped.

    Raises:
        ConfigError: it cannot be read or holds no deal.
    """
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ConfigError(f"deals {str(file)!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"deals {str(file)!r} is not text: expected a line of cards a deal") from None
    deals = []
    for line in map(str.strip, lines):
        if not line or line.startswith(("#", "SCORE")):
            continue
        fields = line.split(":")
        deals.append(fields[3] if fields[0] == "STATE" and len(fields) > 3 else line)
    if not deals:
        raise ConfigError(f"deals {str(file)!r} holds no deal: expected lines such as AsKd|7h7c/2c3d4h/5s/6d")
    return tuple(deals)


def state_of_deal(spec: GameSpec, text: str, seats: Sequence[int] | None = None, hand: int = 0) -> HandState:
    """A hand with the cards of ``text``.

    Raises:
        NotationError: it is not the cards of so many players and a whole board.
        RulesError: a card twice.
    """
    holes, *streets = text.split("/")
    hole = holes.split("|")
    board = "".join(streets)
    if len(hole) != spec.players or any(len(h) != 4 for h in hole) or len(board) != 10:
        raise NotationError(f"cards {text!r}: expected {spec.players} hands of two cards and a board of five")
    return HandState(spec, hole=hole, board=board, seats=seats, hand=hand)
