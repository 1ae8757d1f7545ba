"""What the ``fold`` agent learns of each opponent while it plays, besides its reader: how often they give up to a bet,
and how far the reader can be trusted with them."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from dupai.base.arrays import F64
from dupai.cards import NO_CARD, combo
from dupai.reading import Reader, Reading
from dupai.rules import HandRecord
from dupai.spots import DID_BET, DID_FOLD, DID_RAISE, spot_rows

#: Kinds of spots: before the flop with others still in, before the flop against one player, flop,
#: turn, river.
SEVERAL, ALONE, FLOP, TURN, RIVER = range(5)
#: How often an unknown player folds to a bet or raise there, and how often they raise.
USUAL = (0.60, 0.30, 0.30, 0.28, 0.28)
USUAL_RAISES = (0.08, 0.20, 0.15, 0.15, 0.12)
#: How often an unknown player bets or raises: before the flop, after it.
USUAL_AGGRESSION = (0.25, 0.35)


def kind_of(street: int, live: int) -> int:
    """The kind of a spot by street and players still in."""
    return street + ALONE if street else (ALONE if live == 2 else SEVERAL)


Counts = dict[int, list[list[int]]]


class Responses:
    """Players' habits by seat, shrunk towards those of an unknown player: folds and raises when they face a bet, by
    kind of spot, and how aggressive they are before and after the flop.

    Args:
        strength: how many observed opportunities the usual frequency counts for.

    Attributes:
        counts: everything counted, by seat: answers to bets by kind of spot (opportunities, folds, raises), and bets
            before and after the flop (opportunities, bets).
    """

    def __init__(self, strength: float) -> None:
        self.strength = strength
        self.counts: tuple[Counts, Counts] = ({}, {})

    def observe(self, record: HandRecord) -> None:
        """Count what everybody did in a finished hand where somebody had bet."""
        rows, (answers, bets) = spot_rows(record), self.counts
        names = ("position", "street", "live", "to_call", "raises", "max_to", "did")
        for position, street, live, to_call, raises, max_to, did in zip(
            *(rows[name].tolist() for name in names), strict=True
        ):
            seat = record.seats[position] if record.seats else position
            raised = did in (DID_BET, DID_RAISE)
            if max_to > 0:
                done = bets.setdefault(seat, [[0, 0], [0, 0]])[street > 0]
                done[0] += 1
                done[1] += raised
            if to_call > 0 and raises > 0:
                one = answers.setdefault(seat, [[0, 0, 0] for _ in USUAL])[kind_of(street, live)]
                one[0] += 1
                one[1] += did == DID_FOLD
                one[2] += raised

    def folds(self, seat: int, kind: int) -> float:
        """How often the player of a seat folds in spots of a kind."""
        n, folded, _ = self.counts[0][seat][kind] if seat in self.counts[0] else (0, 0, 0)
        return (folded + self.strength * USUAL[kind]) / (n + self.strength)

    def raises(self, seat: int, kind: int) -> float:
        """How often the player of a seat raises a bet in spots of a kind."""
        n, _, raised = self.counts[0][seat][kind] if seat in self.counts[0] else (0, 0, 0)
        return (raised + self.strength * USUAL_RAISES[kind]) / (n + self.strength)

    def aggression(self, seat: int, street: int) -> float:
        """How much more often than usual the player of a seat bets or raises, before or after the flop."""
        n, raised = self.counts[1][seat][street > 0] if seat in self.counts[1] else (0, 0)
        usual = USUAL_AGGRESSION[street > 0]
        return (raised + 2 * self.strength * usual) / (n + 2 * self.strength) - usual

    def all_fold(self, kind: int, seats: list[int]) -> float:
        """The chance that all of ``seats`` give up to a bet or raise now, taken as independent."""
        return math.prod(self.folds(seat, kind) for seat in seats)

    def any_raises(self, kind: int, seats: list[int]) -> float:
        """The chance that one of ``seats`` raises a bet or raise made now, taken as independent."""
        return 1.0 - math.prod(1.0 - self.raises(seat, kind) for seat in seats)


#: Powers that a reading is raised to: 0 knows nothing, 1 is the reader's own, above that it is surer still.
POWERS = np.array([0.0, 0.25, 0.5, 0.75, 1.0, 1.5])
#: Prior probability of each. Readers that multiply likelihoods of actions tend to be too sure, hence the weight
#: below 1.
PRIOR = np.array([0.04, 0.08, 0.18, 0.25, 0.35, 0.10])


class Trust:
    """How sure to be of a reader, by opponent: a Bayesian average over powers of the reading.

    Raising a reading to a power below 1 makes it less sure, above 1 surer. Each power's chance is multiplied, whenever
    a hand of the player is shown, by the probability that the reading so raised gave that hand.
    """

    def __init__(self) -> None:
        self._logs: dict[int, F64] = {}

    @property
    def logs(self) -> dict[int, list[float]]:
        """Log-likelihood of each of :data:`POWERS` over the shown hands, by seat."""
        return {seat: logs.tolist() for seat, logs in self._logs.items()}

    @logs.setter
    def logs(self, logs: dict[int, list[float]]) -> None:
        self._logs = {seat: np.array(one, np.float64) for seat, one in logs.items()}

    def weights(self, seat: int) -> F64:
        """``float64[6]``: the chance of each of :data:`POWERS` for the player of a seat, sums to 1."""
        logs = self._logs.get(seat)
        if logs is None:
            return PRIOR
        w = np.asarray(PRIOR * np.exp(logs - logs.max()))
        return np.asarray(w / w.sum())

    def shown(self, seat: int, reading: Reading, hand: int) -> None:
        """The player of a seat held combo ``hand`` where ``reading`` was the reader's."""
        powers = _powers(reading)
        seen = np.log(np.maximum(powers[:, hand], 1e-9))
        self._logs[seat] = self._logs.get(seat, np.zeros(len(POWERS))) + seen

    def applied(self, seat: int, reading: Reading) -> Reading:
        """The reading as far as it is trusted."""
        return Reading(self.weights(seat) @ _powers(reading))

    def observe(self, record: HandRecord, reader: Reader) -> None:
        """Score ``reader``, which does not know the hand yet, on the hands that a finished hand has shown to its
        ``hero``, except the hero's own."""
        hero = record.hero
        shown = [i for i, two in enumerate(record.hole) if NO_CARD not in two and i != hero]
        if not shown:
            return
        hidden = tuple((NO_CARD, NO_CARD) if i in shown else two for i, two in enumerate(record.hole))
        state = msgspec.structs.replace(record, hole=hidden).at()
        asked = [state.seats[i] for i in shown]
        for (seat, reading), i in zip(reader.read(state.view(hero), asked).items(), shown, strict=True):
            self.shown(seat, reading, combo(*record.hole[i]))


def _powers(reading: Reading) -> F64:
    """``float64[6, 1326]``: the reading raised to each of :data:`POWERS` (made of roots, which are faster than
    logarithms), rows sum to 1."""
    p, half = reading.p, np.sqrt(reading.p)
    quarter = np.sqrt(half)
    powers = np.array([p > 0, quarter, half, half * quarter, p, half * p])
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
