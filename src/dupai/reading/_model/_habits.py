"""How one person differs from the population: what he did, and the hands that he showed, as a shift of his logits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.cards import CLASS_SIZE, COMBO_CARDS, COMBO_CLASS, COMBOS
from dupai.equity import win_rates
from dupai.history import UNNAMED, real_name
from dupai.reading._model._kernels import habits_kernel, lesson_kernel, percentiles_kernel
from dupai.reading._model._tempering import Tempering
from dupai.rules import STREETS
from dupai.spots import BIG_BLIND, SMALL_BLIND, Spot

F32 = npt.NDArray[np.float32]
F64 = npt.NDArray[np.float64]

#: :meth:`_Person.kept`.
_Kept = tuple[int, list[float], list[bytes], list[bytes], list[bytes]]
#: Kinds of decision before the flop, and as many after it.
KINDS = 6
#: What shifts move, by native column: folding, all raises, and those of about the pot and more. (In limit games, which
#: have three columns, the last moves nothing.)
MOVES = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1, 1, 1]], np.float64)


class Stage(NamedTuple):
    """Before the flop or after it: how far persons may be expected to differ.

    Attributes:
        features: numbers of a hand that a shift may depend on, the constant included.
        constant, slope: standard deviation, in logits, of what is a person's own at one kind of decision: of the
            constant, and of each other feature.
        shared, shared_slope: the same of what he has in common at all kinds.
    """

    features: int
    constant: float
    slope: float
    shared: float
    shared_slope: float

    @property
    def size(self) -> int:
        """Numbers that say how a person differs at one kind of decision: a shift for each of :data:`MOVES` and
        feature, and how much more the hand matters."""
        return len(MOVES) * self.features + 1

    def prior(self) -> F64:
        """``float64[2, size]``: precision of each number before anything is known, of what is a person's own at a kind
        of decision and of what all kinds share (of how much the hand matters that is all)."""
        deviation = np.empty((2, self.size))
        for row, constant, slope, sure in (
            (0, self.constant, self.slope, 1e-4),
            (1, self.shared, self.shared_slope, SURE),
        ):
            deviation[row] = slope
            deviation[row, : -1 : self.features] = constant
            deviation[row, -1] = sure
        return np.asarray(deviation**-2.0)


#: Standard deviation of how much more, or less, the hand matters to a person than to the population.
SURE = 0.15
#: Before and after the flop. These deviations, and what follows, were chosen on ten professionals
#: (``docs/reader-model.md``).
STAGES = (Stage(7, 1.0, 0.1, 0.7, 0.2), Stage(4, 0.4, 0.075, 0.4, 0.15))
#: Multiples of these deviations between which each person's actions decide.
SCALES = (0.08, 0.28, 1.0)
#: How much of what a hand would tell if the model were true is believed.
BELIEF = 0.25
#: Hands of the person after which an observation counts half.
HALF_LIFE = 1000.0
#: How much of what hands that were not shown say of slopes, and of how much the hand matters, is believed: they repeat
#: what the model makes of them, and alone they lead astray. Half of it once so many hands were shown.
UNSEEN, UNSEEN_SURE = 0.5, 0.25
SHOWN_FOR_HALF = 10.0
_FADE = 0.5 ** (1 / HALF_LIFE)
#: What the numbers of :meth:`Habits.save` mean: another one whenever traits or priors do.
_MEANING = 3


class Traits(NamedTuple):
    """What habits may depend on.

    Attributes:
        values: ``float64[kinds of hands, features]``; the first is 1, the others have mean 0 over hands.
        share: ``float64[kinds of hands]``: share of possible hands that are of each.
    """

    values: F64
    share: F64

    def middle(self, logits: F32) -> F64:
        """``float64[columns]``: the mean of logits over hands."""
        return np.asarray(self.share @ logits, np.float64)


@cache
def preflop_traits() -> Traits:
    """Of the 169 starting-hand classes: 1, strength (percentile of the win rate), pair, suited, strength squared, high
    card, cards at most two ranks apart; each but the square in deviations."""
    share = np.asarray(CLASS_SIZE, np.float64) / COMBOS
    rate = np.bincount(COMBO_CLASS, win_rates(None), minlength=len(share)) / CLASS_SIZE
    strength = _strength(rate, share)
    suits, ranks = COMBO_CARDS // 13, COMBO_CARDS % 13
    low, high = ranks.min(axis=1).astype(np.float64), ranks.max(axis=1).astype(np.float64)
    told = [ranks[:, 0] == ranks[:, 1], suits[:, 0] == suits[:, 1], high, high - low <= 2]
    pair, suited, high, near = (
        _deviations(np.bincount(COMBO_CLASS, x.astype(np.float64), minlength=len(share)) / CLASS_SIZE, share)
        for x in told
    )
    return Traits(np.stack([np.ones(len(share)), strength, pair, suited, strength**2 - 1, high, near], axis=1), share)


def board_traits(rate: npt.NDArray[Any], spread: npt.NDArray[Any], share: F64) -> Traits:
    """Of the kinds of hands on a board: 1, strength (percentile of ``rate``, in deviations), its square, and ``spread``
    in deviations (0 on the river).

    Args:
        rate: win rate of each kind of hand against the best 40 % of starting hands.
        spread: deviation of the win rate over the cards to come.
        share: of hands that are of each kind, 0 for those that the board blocks.
    """
    live = share / share.sum()
    strength = _strength(rate, live)
    spread = _deviations(spread.astype(np.float64), live)
    return Traits(np.stack([np.ones(len(rate)), strength, strength**2 - 1, spread], axis=1), live)


def _deviations(values: F64, share: F64) -> F64:
    """How many standard deviations each value is above the mean; 0 where all are alike."""
    off = values - values @ share
    deviation = np.sqrt(off**2 @ share)
    return np.asarray(off / deviation if deviation > 1e-4 else np.zeros_like(off))


def _strength(values: npt.NDArray[Any], share: F64) -> F64:
    """Where each value stands among all: its percentile, in deviations."""
    out = np.empty(len(values))
    percentiles_kernel(values, share, np.argsort(values, kind="stable"), out)
    return np.asarray((out - 0.5) * np.sqrt(12))


class Decision(NamedTuple):
    """A decision that a person is learned from.

    Attributes:
        kind: :meth:`Habits.kind`.
        column: what he chose, a native column.
        logits: ``float32[kinds of hands, columns]``: what is expected of anybody.
        legal: ``bool[columns]``.
        traits: of the kinds of hands.
        of: ``int64[1326]``: the kind of each hand.
        range: ``float64[1326]``: what he might hold before he chose, sums to 1.
    """

    kind: int
    column: int
    logits: F32
    legal: npt.NDArray[np.bool_]
    traits: Traits
    of: npt.NDArray[np.int64]
    range: F64


class _Person:
    """What is known of one, under each of :data:`SCALES`.

    Attributes:
        shown: hands that he has shown.
        evidence: ``float64[scales]``: log-likelihood of what he did.
        mean: by stage ``float64[scales, KINDS + 1, size]``: how his logits differ at each kind of decision, and at all.
        information: by stage ``float64[scales, KINDS, size, size]``: what that rests on beyond the prior. A decision
            tells the same of what is his own at its kind, of what is shared, and of the two together.
        tempering: how far what he does counts.
    """

    def __init__(self) -> None:
        sizes = [stage.size for stage in STAGES]
        self.shown = 0
        self.evidence = np.zeros(len(SCALES))
        self.mean = [np.zeros((len(SCALES), KINDS + 1, n)) for n in sizes]
        self.information = [np.zeros((len(SCALES), KINDS, n, n)) for n in sizes]
        self.tempering = Tempering()
        self._differs: dict[int, F64] = {}

    def differs(self, stage: int) -> F64:
        """The mean over the scales, weighted by what each made of him, ``float64[KINDS + 1, size]``."""
        if stage not in self._differs:
            weight = np.exp(self.evidence - self.evidence.max())
            self._differs[stage] = np.tensordot(weight / weight.sum(), self.mean[stage], 1)
        return self._differs[stage]

    def learned(self) -> None:
        """What is known has changed."""
        self._differs.clear()

    def kept(self) -> _Kept:
        """All of it; of the symmetric matrices one triangle."""
        halves = [i[..., *np.triu_indices(i.shape[-1])].tobytes() for i in self.information]
        powers = [self.tempering.mean.tobytes(), self.tempering.information.tobytes()]
        return self.shown, self.evidence.tolist(), [m.tobytes() for m in self.mean], halves, powers

    @classmethod
    def of(cls, kept: _Kept) -> _Person:
        """From :meth:`kept`; ValueError where it is not that."""
        person = cls()
        person.shown, evidence, means, halves, powers = kept
        person.evidence[:] = evidence
        for mean, information, told, half in zip(person.mean, person.information, means, halves, strict=True):
            mean[:] = np.frombuffer(told).reshape(mean.shape)
            rows, columns = np.triu_indices(mean.shape[-1])
            information[..., rows, columns] = np.frombuffer(half).reshape(*information.shape[:2], -1)
            information[..., columns, rows] = information[..., rows, columns]
        told, about = powers
        person.tempering.mean[:] = np.frombuffer(told)
        person.tempering.information[:] = np.frombuffer(about).reshape(STREETS, STREETS)
        return person


class Habits:
    """What persons did, and with which hands, against what the model expected of them.

    A person's statistics as inputs of a network teach it who he is, and it fails on the next one (section 5 of the
    reading metric). Here they move the logits of folding, of raising and of large raises by a few numbers: at each kind
    of decision a constant and slopes over traits of the hand, part his own there and part shared by all kinds; and one
    number makes the hand matter more or less to him. These have a normal prior (:data:`STAGES`), and every hand that he
    played moves their mean by one step of Newton's method on the log-likelihood (online Laplace approximation; for
    shown hands that of his actions with this hand, else that of his actions averaged over what he may have held by all
    of them, which accounts for weak hands being shown less often). The information that a hand gives is Fisher's, times
    :data:`BELIEF`; it fades with :data:`HALF_LIFE`. How far he may differ at all (:data:`SCALES` of the prior) is told
    by which scale foretold his actions better.
    """

    def __init__(self) -> None:
        self._people: dict[str, _Person] = {}

    @staticmethod
    def kind(spot: Spot) -> int:
        """The kind of a decision: before the flop by raises so far and whether the player is in the blinds, later by
        street and whether there is a bet to call."""
        if spot.street == 0:
            blinds = spot["position_class"] in (SMALL_BLIND, BIG_BLIND)
            return min(spot["raises"], 2) + 3 * int(blinds)
        return KINDS + 2 * (spot.street - 1) + int(spot["to_call"] > 0)

    def shifted(self, name: str, kind: int, traits: Traits, logits: F32) -> F32:
        """The logits of a person from anybody's, ``float32[kinds of hands, native columns]``."""
        person = self._people.get(name)
        if person is None:
            return logits
        told = _at(person.differs(kind // KINDS), kind)
        out = np.empty_like(logits)
        habits_kernel(logits, traits.middle(logits), traits.values, _moves(logits), told, out)
        return out

    def note(self, name: str, decisions: Sequence[Decision], final: F64, held: int | None) -> None:
        """Learn from a person's hand.

        Args:
            name: his; who has none teaches nothing.
            decisions: all of his in this hand.
            final: ``float64[1326]``: what he might hold after the last of them, sums to 1.
            held: the combo that he showed; None: he showed none.
        """
        if real_name(name) == UNNAMED or not decisions:
            return
        person = self._people.setdefault(name, _Person())
        person.shown += held is not None
        person.evidence *= _FADE
        for number in range(len(STAGES)):
            told = [d for d in decisions if d.kind // KINDS == number]
            if told:
                person.information[number] *= _FADE
                for scale in range(len(SCALES)):
                    _learn(person, number, scale, told, final, held)
        person.learned()

    def powers(self, name: str) -> F64:
        """How much what a person did counts in his reading, ``float64[4]`` by street (:class:`Tempering`)."""
        person = self._people.get(name)
        return np.ones(STREETS) if person is None else person.tempering.powers

    def showed(self, name: str, said: F64, legal: npt.NDArray[np.bool_], held: int) -> None:
        """Learn these powers from a hand that he showed: arguments of :meth:`Tempering.note`."""
        if real_name(name) != UNNAMED:
            self._people.setdefault(name, _Person()).tempering.note(said, legal, held)

    def save(self) -> bytes:
        """What was learned, for :meth:`load`."""
        return msgspec.msgpack.encode((_MEANING, {name: person.kept() for name, person in self._people.items()}))

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave.

        Raises:
            ConfigError: it is not that, or that of a version to which the numbers mean something else.
        """
        try:
            meaning, kept = msgspec.msgpack.decode(data, type=tuple[int, dict[str, _Kept]])
            if meaning != _MEANING:
                raise ValueError
            self._people = {name: _Person.of(told) for name, told in kept.items()}
        except (msgspec.DecodeError, ValueError):
            raise ConfigError(f"{len(data)} bytes are not the habits of players: expected what save() gave") from None


def _learn(person: _Person, number: int, scale: int, told: Sequence[Decision], final: F64, held: int | None) -> None:
    """A step for one scale and stage."""
    stage = STAGES[number]
    size = stage.size
    mean, information = person.mean[number][scale], person.information[number][scale]
    gradient = np.zeros((KINDS, size))
    trust = np.ones(size)
    if held is None:
        trust[:] = UNSEEN
        trust[-1] = UNSEEN_SURE
        trust *= person.shown / (person.shown + SHOWN_FOR_HALF)
        trust[: -1 : stage.features] = 1.0
    # Symmetric to the last bit, since half of it is what save() keeps.
    weight = BELIEF * np.outer(trust, trust)
    for d in told:
        likelihood, score, fisher = _lesson(d, _at(mean, d.kind), final, held)
        person.evidence[scale] += np.log(max(likelihood, 1e-9))
        gradient[d.kind % KINDS] += score * trust
        information[d.kind % KINDS] += weight * fisher
    mean += _step(gradient, information, _prior(number, scale))


def _step(gradient: F64, information: F64, prior: F64) -> F64:
    """Newton's step, ``float64[KINDS + 1, size]``: what is a person's own at each kind, taken out of the equations
    (Schur), leaves those of what is shared.

    Args:
        gradient: ``float64[KINDS, size]``, that of the shared numbers is the sum.
        information: ``float64[KINDS, size, size]``.
        prior: ``float64[2, size]``: precision, own and shared.
    """
    both = np.concatenate([information, gradient[:, :, None]], axis=2)
    solved = np.linalg.solve(information + np.diag(prior[0]), both)
    left = (both - information @ solved).sum(axis=0)
    shared = np.linalg.solve(left[:, :-1] + np.diag(prior[1]), left[:, -1])
    own = solved[:, :, -1] - solved[:, :, :-1] @ shared
    return np.concatenate([own, shared[None]])


def _lesson(d: Decision, told: F64, final: F64, held: int | None) -> tuple[float, F64, F64]:
    """Likelihood of a decision under the numbers of a person, gradient of its log, and Fisher's information.

    With the hand that he showed, if he did; else over what he might have held, the gradient over what he may have held
    by the whole hand.
    """
    before = after = np.zeros(len(d.logits))
    if held is None:
        before, after = (np.bincount(d.of, x, len(d.logits)).astype(np.float64) for x in (d.range, final))
    else:
        before[d.of[held]] = 1.0
    gradient, information = np.zeros(len(told)), np.zeros((len(told), len(told)))
    likelihood = lesson_kernel(
        d.logits, d.legal, d.traits.middle(d.logits), d.traits.values, _moves(d.logits), told, d.column, before, after,
        gradient, information,
    )  # fmt: skip
    return likelihood, gradient, information


def _moves(logits: F32) -> F64:
    return np.ascontiguousarray(MOVES[:, : logits.shape[1]])


def _at(mean: F64, kind: int) -> F64:
    """A person's numbers at a kind of decision: his own there, and what all kinds share."""
    return np.asarray(mean[kind % KINDS] + mean[KINDS])


@cache
def _prior(stage: int, scale: int) -> F64:
    return np.asarray(STAGES[stage].prior() / SCALES[scale] ** 2)
