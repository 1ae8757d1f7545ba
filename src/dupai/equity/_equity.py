"""Equity of hands and ranges against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, Rng
from dupai.base.text import nearest, quoted
from dupai.equity._exact import exact_equity, exact_way
from dupai.equity._monte_carlo import monte_carlo_equity
from dupai.equity._result import EquityResult
from dupai.equity._setup import HandOrRange, make_setup
from dupai.equity._winrates import Cards

_METHODS = ("auto", "exact", "monte-carlo")
#: Standard error at which Monte Carlo stops by default: a twentieth of a percent.
TARGET_ERROR = 5e-4
#: ``auto`` counts exactly what takes less than about this many seconds.
_PATIENCE = 1.0


def equity(
    hands: Sequence[HandOrRange],
    board: Cards = None,
    dead: Cards = None,
    method: str = "auto",
    samples: int | None = None,
    target_error: float | None = None,
    rng: Rng | int | None = None,
    progress: Progress | None = None,
) -> EquityResult:
    """Share of the pot that each of 2 to 10 players wins if all cards are dealt out.

    Each player holds a hand or a weighted range; the hands that are dealt together have a probability proportional to
    the product of their weights, whatever the order of the players.

    Args:
        hands: for each player range notation (``"AsKs"``, ``"QQ+, AK"``), a :class:`~dupai.ranges.Range`, a
            :class:`~dupai.cards.Hand` or two cards, or 1326 weights in [0, 1] by combo index (a reading; rounded to
            ``float32``).
        board: 0, 3, 4 or 5 cards, as text (``"2c7dTh"``), a :class:`~dupai.cards.Board` or numbers.
        dead: cards that are out of the deck, in the same forms.
        method: ``"exact"`` counts every deal; ``"monte-carlo"`` deals at random; ``"auto"`` counts exactly if that
            takes less than about a second and ``samples`` is None.
        samples: Monte Carlo: trials to make. With ``"auto"`` it asks for Monte Carlo.
        target_error: Monte Carlo: stop when every player's standard error is at most this; 0.0005 if neither this nor
            ``samples`` is given. With both, whichever comes first.
        rng: Monte Carlo: random numbers, or the seed for them; None: seed 0, so that the same call gives the same
            answer.
        progress: receives a report at least every 100 ms; once it is cancelled, the result covers the work so far.

    Raises:
        NotationError: text that is not a hand, a range or cards; a card that stands twice.
        ConfigError: a number of players other than 2 to 10, a range that board and dead cards empty, hands that
            cannot be dealt together, an unknown method, samples or target_error not positive or with ``"exact"``.
    """
    _check_options(method, samples, target_error, rng)
    setup = make_setup(hands, board, dead)
    watch = progress or NoProgress()
    if method == "auto":
        way = exact_way(setup) if samples is None else None
        if way is not None and way.seconds <= _PATIENCE:
            return exact_equity(setup, way, watch)
    elif method == "exact":
        return exact_equity(setup, exact_way(setup), watch)
    if samples is None and target_error is None:
        target_error = TARGET_ERROR
    generator = rng if isinstance(rng, Rng) else Rng(0 if rng is None else rng)
    return monte_carlo_equity(setup, samples, target_error, generator, watch)


def _check_options(method: str, samples: int | None, target_error: float | None, rng: Rng | int | None) -> None:
    if not isinstance(method, str) or method not in _METHODS:
        raise ConfigError(f"method: unknown method {method!r}: {nearest(str(method), _METHODS)}", key="method")
    for key, value, kinds, expected in (
        ("samples", samples, (int, np.integer), "a number of trials"),
        ("target_error", target_error, (int, float, np.integer, np.floating), "a number"),
        ("rng", rng, (Rng, int, np.integer), "an Rng, or a seed"),
    ):
        if value is not None and (not isinstance(value, kinds) or isinstance(value, bool)):
            raise ConfigError(f"{key}: {quoted(value)}: expected {expected}", key=key)
    if isinstance(rng, int | np.integer) and rng < 0:
        raise ConfigError(f"rng: {rng}: expected a seed of at least 0", key="rng")
    if samples is not None and samples < 1:
        raise ConfigError(f"samples: {samples} is not a positive number of trials", key="samples")
    if target_error is not None and not (0.0 < target_error < math.inf):
        raise ConfigError(f"target_error: {target_error} is not a positive number", key="target_error")
    if method == "exact" and (samples is not None or target_error is not None):
        option = "samples" if samples is not None else "target_error"
        raise ConfigError(
            f"{option}: an exact count takes no {option}: leave it out or use method 'monte-carlo'", key=option
        )
