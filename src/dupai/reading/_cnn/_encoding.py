"""What a network is shown, and which actions it tells apart."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.equity import win_rates
from dupai.reading._cnn._kernels import LEAK_BOARD, LEAK_CARDS, LEAK_CHIPS
from dupai.reading._model._model import NATIVE
from dupai.spots import Menu

EncodingName = Literal["paper", "rich"]
ENCODINGS: tuple[EncodingName, ...] = ("paper", "rich")
#: Raised whenever an input changes its meaning: a model file of another version is refused.
CNN_VERSION = 1

#: The paper's five moves; checking and calling share a column, for only one of them is ever possible.
CNN_MOVES = Menu(sizes=(1.0,), all_in=True)
CNN_MENUS: dict[str, Menu] = {"paper": CNN_MOVES, "rich": NATIVE}
#: The move that each column of the finer menu belongs to.
CNN_MOVE_OF = np.array([0, 1, *(2 for _ in NATIVE.sizes), 3])

#: What an input may say that the player did not know.
LEAKS: dict[str, int] = {"cards": LEAK_CARDS, "board": LEAK_BOARD, "chips": LEAK_CHIPS}
HONEST, LITERAL = "honest", "literal"


def leaks_of(information: str) -> int:
    """The bits of ``honest``, ``literal`` (everything that the log says but the action itself) or, to find a leak,
    ``honest+cards``, ``honest+board+chips`` and so on.

    Raises:
        ConfigError: it is none of these.
    """
    if information == LITERAL:
        return sum(LEAKS.values())
    first, *rest = information.split("+")
    if first != HONEST or len(set(rest)) != len(rest) or any(word not in LEAKS for word in rest):
        raise ConfigError(
            f"information {information!r}: expected honest, literal, or honest with any of "
            + ", ".join(f"+{word}" for word in LEAKS)
        )
    return sum(LEAKS[word] for word in rest)


def check_cnn_encoding(encoding: str, information: str) -> int:
    """The leaks of an input that can be made.

    Raises:
        ConfigError: no such encoding or information, or the two do not go together.
    """
    if encoding not in ENCODINGS:
        raise ConfigError(f"encoding {encoding!r}: expected {' or '.join(ENCODINGS)}")
    leaks = leaks_of(information)
    if leaks and encoding != "paper":
        raise ConfigError(
            f"encoding {encoding!r} holds only what the player knows: expected --information honest, "
            "or --encoding paper"
        )
    return leaks


@cache
def start_rates() -> npt.NDArray[np.float64]:
    """``float64[1326]``: win rates before the flop."""
    rates = win_rates()
    rates.flags.writeable = False
    return rates
