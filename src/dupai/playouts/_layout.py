"""What play-outs work on, as kernels take it.

A *deal* is everybody's hole cards and the board. A *lane* is one hand in play: a deal, played after one of the actions
that are compared. Lanes of a deal see the same cards and the same dice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: Rows of decisions that a lane has room for.
ROWS = 96
#: Nobody raises any more once fewer rows than this are left: as many checks and calls as a hand can still need.
SPARE = 44


class Deals(NamedTuple):
    """Cards, and what is worked out once for each hand in them.

    Attributes:
        hole: ``uint8[deals, 10, 2]``; 255 for who is not in the hand.
        combo: ``int64[deals, 10]``: the same as combos.
        board: ``uint8[deals, 5]``.
        features: ``float32[deals, 3, 10, 70]``: of the hands after the flop, by street.
        spread: ``float32[deals, 2, 2]``: mean and deviation of the win rates' spread on flop and turn.
        known: ``bool[deals, 3, 10]``: which features are there.
        rivers: ``float64[52, 1326, 7]``: columns of all hands by the river's card, where all deals share the turn; else
            no rows.
        counted: ``bool[52]``: which rivers are there.
    """

    hole: np.ndarray
    combo: np.ndarray
    board: np.ndarray
    features: np.ndarray
    spread: np.ndarray
    known: np.ndarray
    rivers: np.ndarray
    counted: np.ndarray


class Lanes(NamedTuple):
    """Hands in play.

    Attributes:
        state: ``STATE_DTYPE[lanes]``. track: ``TRACK_DTYPE[lanes]``. rows: ``SPOT_DTYPE[lanes, ROWS]``.
        done: ``int64[lanes]``: how many rows each has.
        acted: ``int64[lanes, 10]``: how often each position has acted since the play-out began.
        deal: ``int64[lanes]``.
        payoffs: ``int64[lanes, 10]``: of finished hands, in 1/split chips.
    """

    state: np.ndarray
    track: np.ndarray
    rows: np.ndarray
    done: np.ndarray
    acted: np.ndarray
    deal: np.ndarray
    payoffs: np.ndarray


class Ways(NamedTuple):
    """How the positions play, beyond the networks of their populations.

    Attributes:
        group: ``int64[10]``: the population.
        shift: ``float64[10, 47, 9]``: what is added to logits in each situation.
        sizes: ``float64[10, 6, 6, k]``: fractions of the pot by size situation and native size, equally likely.
        many: ``int64[10, 6, 6]``: how many of them.
        adds: ``float64[10, 12, 7, 9]``: what the traits of a hand add to logits at each kind of decision (habits).
        personal: ``bool[10]``: whether there are any.
        preflop: ``float64[169, 7]``: the traits of starting hands.
    """

    group: np.ndarray
    shift: np.ndarray
    sizes: np.ndarray
    many: np.ndarray
    adds: np.ndarray
    personal: np.ndarray
    preflop: np.ndarray


class Round(NamedTuple):
    """The decisions that are due, lane by lane in the order of ``lane``; only the first rows count.

    Attributes:
        lane: ``int64[n]``, sorted by network.
        public: ``float32[n, 96]``. legal: ``bool[n, 9]``.
        hand: ``float32[n, 70]``: features of the hand after the flop.
        start: ``int64[n]``: class of the hand, for decisions before the flop.
        logits: ``float32[n, 9]``.
    """

    lane: np.ndarray
    public: np.ndarray
    legal: np.ndarray
    hand: np.ndarray
    start: np.ndarray
    logits: np.ndarray


class Faced(NamedTuple):
    """Decisions that matter to one player, street by street, and what the value networks see of them.

    Attributes:
        x: ``float32[n, 204]``.
        sure: ``float64[n, 9]``: what actions are worth whose value is sure, in pots; nan for others.
        chance: ``float64[n, 9]``. column: ``int64[n]``: the class that is drawn.
        pot: ``float64[n]``. lane: ``int64[n]``.
    """

    x: np.ndarray
    sure: np.ndarray
    chance: np.ndarray
    column: np.ndarray
    pot: np.ndarray
    lane: np.ndarray
