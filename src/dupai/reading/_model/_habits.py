"""The habits of persons: what a prior says of them, and what their decisions teach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

import msgspec
import numpy as np

from dupai.base import F32, F64, I64, AnyArray, Bool, ConfigError
from dupai.cards import CLASS_SIZE, COMBO_CARDS, COMBO_CLASS, COMBOS
from dupai.equity import win_rates
from dupai.history import UNNAMED, real_name
from dupai.reading._model._kernels.habits import habits_kernel, lesson_kernel
from dupai.reading._model._kernels.hands import percentiles_kernel
from dupai.reading.populations import UNKNOWN
from dupai.rules import STREETS
from dupai.spots import BIG_BLIND, SMALL_BLIND, Spot

#: Kinds of decision before the flop, and as many after it.
DECISION_KINDS = 6
#: What shifts move, by native column: folding, all raises, and those of about the pot and more. (In limit games, which
#: have three columns, the last moves nothing.)
MOVES = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1, 1, 1]], np.float64)


class Stage(NamedTuple):
    """Before the flop or after it: how far persons may be expected to differ.

    Attributes:
        features: numbers of a hand that a shift may depend on, the constant included.
        constant, slope: standard deviation, in logits, of what is a person's own at one kind of decision: of the
            constant, and of each other feature.
        shared, shared_slope: the same of what is common to all kinds.
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

    def deviations(self) -> F64:
        """``float64[2, size]``: standard deviation of each number before anything is known, of what is a person's own
        at a kind of decision and of what all kinds share (of how much the hand matters that is all)."""
        deviation = np.empty((2, self.size))
        for row, constant, slope, sure in (
            (0, self.constant, self.slope, OWN_SURE),
            (1, self.shared, self.shared_slope, SURE),
        ):
            deviation[row] = slope
            deviation[row, : -1 : self.features] = constant
            deviation[row, -1] = sure
        return deviation


#: Standard deviation of how much more, or less, the hand matters to a person than to the population; next to nothing
#: of it is particular to one kind of decision.
SURE, OWN_SURE = 0.15, 1e-4
#: Before and after the flop. These deviations were chosen on ten professionals (``docs/results/reader-model.md``).
HABIT_STAGES = (Stage(7, 1.0, 0.1, 0.7, 0.2), Stage(4, 0.4, 0.075, 0.4, 0.15))


class HabitTrust(NamedTuple):
    """How far what a person did is believed.

    Attributes:
        belief: how much of what a hand would tell if the model were true is believed.
        half_life: hands of the person after which an observation counts half.
        unseen, unseen_sure: how much of what hands that were not shown say of slopes, and of how much the hand matters,
            is believed: they repeat what the model makes of them, and alone they lead astray.
        shown: hands shown after which half of that counts.
    """

    belief: float
    half_life: float
    unseen: float
    unseen_sure: float
    shown: float


class HabitPrior(NamedTuple):
    """Normal: what persons of a population are like.

    Attributes:
        mean: by stage ``float64[KINDS + 1, size]``: of what is a person's own at each kind of decision, and of what all
            kinds share.
        precision: by stage ``float64[2, size, size]``: the inverse covariance of a person's own, the same at every
            kind, and of what is shared.
        trust: in their actions.
    """

    mean: tuple[F64, ...]
    precision: tuple[F64, ...]
    trust: HabitTrust


#: Of those of whom nothing more is known: mean 0, and no number goes with another.
PLAIN_PRIOR = HabitPrior(
    tuple(np.zeros((DECISION_KINDS + 1, stage.size)) for stage in HABIT_STAGES),
    tuple(np.stack([np.diag(row**-2.0) for row in stage.deviations()]) for stage in HABIT_STAGES),
    HabitTrust(belief=0.25, half_life=1000.0, unseen=0.5, unseen_sure=0.25, shown=10.0),
)
#: With a prior that was learned from persons. Both were chosen on the ten, too.
LEARNED = HabitTrust(belief=0.1, half_life=1000.0, unseen=0.8, unseen_sure=0.4, shown=3.0)


def habit_prior(mean: Sequence[F64], precision: Sequence[F64]) -> HabitPrior:
    """One that was learned from persons; ValueError where the numbers are not those of :class:`HabitPrior`."""
    for own, of in ((mean, PLAIN_PRIOR.mean), (precision, PLAIN_PRIOR.precision)):
        if [x.shape for x in own] != [x.shape for x in of] or not all(np.isfinite(x).all() for x in own):
            raise ValueError
    return HabitPrior(tuple(mean), tuple(precision), LEARNED)


#: :meth:`_Person.saved`.
_Saved = tuple[int, int, list[float], list[bytes], list[bytes], list[bytes]]
#: Multiples of the prior's deviations (and mean) between which each person's actions decide; chosen on ten
#: professionals (``docs/results/reader-model.md``).
SCALES = (0.08, 0.28, 1.0)
#: What the numbers of :meth:`Habits.save` mean: another one whenever traits or priors do.
_MEANING = 4


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
    """Traits of the 169 starting-hand classes: 1, strength (percentile of the win rate), pair, suited, strength
    squared, high card, cards at most two ranks apart; each but the square in deviations."""
    share = np.asarray(CLASS_SIZE, np.float64) / COMBOS
    rate = np.bincount(COMBO_CLASS, win_rates(None), minlength=len(share)) / CLASS_SIZE
    strength = _strength(rate, share)
    suits, ranks = COMBO_CARDS // 13, COMBO_CARDS % 13
    low, high = ranks.min(axis=1).astype(np.float64), ranks.max(axis=1).astype(np.float64)
    traits = [ranks[:, 0] == ranks[:, 1], suits[:, 0] == suits[:, 1], high, high - low <= 2]
    pair, suited, high, near = (
        _deviations(np.bincount(COMBO_CLASS, x.astype(np.float64), minlength=len(share)) / CLASS_SIZE, share)
        for x in traits
    )
    return Traits(np.stack([np.ones(len(share)), strength, pair, suited, strength**2 - 1, high, near], axis=1), share)


def board_traits(rate: AnyArray, spread: AnyArray, share: F64) -> Traits:
    """Traits of the kinds of hands on a board: 1, strength (percentile of ``rate``, in deviations), its square, and
    ``spread`` in deviations (0 on the river).

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


def _strength(values: AnyArray, share: F64) -> F64:
    """Where each value stands among all: its percentile, in deviations."""
    out = np.empty(len(values))
    percentiles_kernel(values, share, np.argsort(values, kind="stable"), out)
    return np.asarray((out - 0.5) * np.sqrt(12))


class Decision(NamedTuple):
    """A decision that a person is learned from.

    Attributes:
        kind: :meth:`Habits.kind`.
        column: what they chose, a native column.
        logits: ``float32[kinds of hands, columns]``: what is expected of anybody.
        legal: ``bool[columns]``.
        traits: of the kinds of hands.
        of: ``int64[1326]``: the kind of each hand.
        range: ``float64[1326]``: what they might hold before they chose, sums to 1.
    """

    kind: int
    column: int
    logits: F32
    legal: Bool
    traits: Traits
    of: I64
    range: F64


class KnownHabits(NamedTuple):
    """What is known of a person.

    Attributes:
        population: its number.
        shown: hands that they have shown.
        mean: by stage ``float64[KINDS + 1, size]``: how their logits differ at each kind of decision, and at all.
        information: by stage ``float64[KINDS, size, size]``: what that rests on beyond the prior. A decision tells the
            same about what is their own at its kind, about what is shared, and about both together.
    """

    population: int
    shown: int
    mean: tuple[F64, ...]
    information: tuple[F64, ...]


class _Person:
    """What is known of one, under each of :data:`SCALES`.

    Attributes:
        population: where they were met first; its prior stays theirs.
        prior: what was known about them before.
        shown: hands that they have shown.
        evidence: ``float64[scales]``: log-likelihood of their actions.
        mean, information: by stage those of :class:`KnownHabits`, ``float64[scales, ...]``.
        tempering: how much their actions count.
    """

    def __init__(self, population: int = UNKNOWN, prior: HabitPrior = PLAIN_PRIOR) -> None:
        self.population, self.prior = population, prior
        self.shown = 0
        self.evidence = np.zeros(len(SCALES))
        self.mean = [np.multiply.outer(SCALES, mean) for mean in prior.mean]
        self.information = [np.zeros((len(SCALES), DECISION_KINDS, stage.size, stage.size)) for stage in HABIT_STAGES]
        self.tempering = Tempering()
        self._differs: dict[int, F64] = {}

    def differs(self, stage: int) -> F64:
        """The mean over the scales, weighted by how well each predicted them, ``float64[KINDS + 1, size]``."""
        if stage not in self._differs:
            weight = np.exp(self.evidence - self.evidence.max())
            self._differs[stage] = np.tensordot(weight / weight.sum(), self.mean[stage], 1)
        return self._differs[stage]

    def saved(self) -> _Saved:
        """All of it; of the symmetric matrices one triangle."""
        halves = [i[..., *np.triu_indices(i.shape[-1])].tobytes() for i in self.information]
        powers = [self.tempering.mean.tobytes(), self.tempering.information.tobytes()]
        return self.population, self.shown, self.evidence.tolist(), [m.tobytes() for m in self.mean], halves, powers

    @classmethod
    def of(cls, saved: _Saved, priors: Mapping[int, HabitPrior]) -> _Person:
        """From :meth:`kept`; ValueError where it is not that."""
        population, shown, evidence, means, halves, powers = saved
        person = cls(population, priors.get(population, PLAIN_PRIOR))
        person.shown = shown
        person.evidence[:] = evidence
        for mean, information, mean_bytes, half in zip(person.mean, person.information, means, halves, strict=True):
            mean[:] = np.frombuffer(mean_bytes).reshape(mean.shape)
            rows, columns = np.triu_indices(mean.shape[-1])
            information[..., rows, columns] = np.frombuffer(half).reshape(*information.shape[:2], -1)
            information[..., columns, rows] = information[..., rows, columns]
        mean_bytes, information_bytes = powers
        person.tempering.mean[:] = np.frombuffer(mean_bytes)
        person.tempering.information[:] = np.frombuffer(information_bytes).reshape(STREETS, STREETS)
        return person


class Habits:
    """How persons differ from what the model expects of anybody, learned from what they did and the hands they showed.

    A person's statistics as inputs of a network teach it who the person is, and it fails on the next one (section 5 of
    the reading metric). Here a few numbers move the logits of folding, of raising and of large raises. At each kind of
    decision these are a constant and slopes over traits of the hand, partly the person's own there and partly shared by
    all kinds; one more number makes the hand matter more or less. They have a normal prior (:class:`HabitPrior`).
    Every hand played moves their mean by one step of Newton's method on the log-likelihood (online Laplace
    approximation). For shown hands that is the likelihood of the actions with this hand. Otherwise it is averaged over
    what the person may have held given all actions of the hand, which accounts for weak hands being shown less often.
    The information of a hand is Fisher's, as far as it is believed (:class:`HabitTrust`), and fades. How far a person
    may differ at all (:data:`SCALES` of the prior) is weighed by how well each scale predicted their actions.

    Args:
        priors: of persons by the number of their population; all others' is :data:`PLAIN_PRIOR`.
    """

    def __init__(self, priors: Mapping[int, HabitPrior] | None = None) -> None:
        self.priors = priors or {}
        self._people: dict[str, _Person] = {}
        self._strangers = {population: _Person(population, prior) for population, prior in self.priors.items()}

    @staticmethod
    def kind(spot: Spot) -> int:
        """The kind of a decision: before the flop by raises so far and whether the player is in the blinds, later by
        street and whether there is a bet to call."""
        if spot.street == 0:
            blinds = spot["position_class"] in (SMALL_BLIND, BIG_BLIND)
            return min(spot["raises"], 2) + 3 * int(blinds)
        return DECISION_KINDS + 2 * (spot.street - 1) + int(spot["to_call"] > 0)

    def shifted(self, name: str, kind: int, traits: Traits, logits: F32, population: int = UNKNOWN) -> F32:
        """The logits of a person from anybody's, ``float32[kinds of hands, native columns]``. For a stranger:
        what their population's prior expects."""
        person = self._people.get(name, self._strangers.get(population))
        if person is None:
            return logits
        shift = _at(person.differs(kind // DECISION_KINDS), kind)
        out = np.empty_like(logits)
        habits_kernel(logits, traits.middle(logits), traits.values, _moves(logits), shift, out)
        return out

    def note(
        self, name: str, decisions: Sequence[Decision], final: F64, held: int | None, population: int = UNKNOWN
    ) -> None:
        """Learn from a person's hand.

        Args:
            name: the person's; someone without a name teaches nothing.
            decisions: all of theirs in this hand.
            final: ``float64[1326]``: what they might hold after the last of these, sums to 1.
            held: the combo that they showed; None: they showed none.
            population: theirs.
        """
        if real_name(name) == UNNAMED or not decisions:
            return
        person = self._person(name, population)
        person.shown += held is not None
        fade = 0.5 ** (1 / person.prior.trust.half_life)
        person.evidence *= fade
        for number in range(len(HABIT_STAGES)):
            of_stage = [d for d in decisions if d.kind // DECISION_KINDS == number]
            if of_stage:
                person.information[number] *= fade
                for scale in range(len(SCALES)):
                    _learn(person, number, scale, of_stage, final, held)
        person._differs.clear()

    def powers(self, name: str) -> F64:
        """How much a person's actions count in their reading, ``float64[4]`` by street (:class:`Tempering`)."""
        person = self._people.get(name)
        return np.ones(STREETS) if person is None else person.tempering.powers

    def showed(self, name: str, log_chances: F64, legal: Bool, held: int, population: int = UNKNOWN) -> None:
        """Learn these powers from a shown hand: the arguments of :meth:`Tempering.note`, and their population."""
        if real_name(name) != UNNAMED:
            self._person(name, population).tempering.note(log_chances, legal, held)

    def _person(self, name: str, population: int) -> _Person:
        if name not in self._people:
            self._people[name] = _Person(population, self.priors.get(population, PLAIN_PRIOR))
        return self._people[name]

    def known(self) -> dict[str, KnownHabits]:
        """What is known of each, under the widest of :data:`SCALES`."""
        return {
            name: KnownHabits(p.population, p.shown, tuple(m[-1] for m in p.mean), tuple(i[-1] for i in p.information))
            for name, p in self._people.items()
        }

    def save(self) -> bytes:
        """What was learned, for :meth:`load`."""
        return msgspec.msgpack.encode((_MEANING, {name: person.saved() for name, person in self._people.items()}))

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave.

        Raises:
            ConfigError: it is not that, or that of a version to which the numbers mean something else.
        """
        try:
            meaning, saved = msgspec.msgpack.decode(data, type=tuple[int, dict[str, _Saved]])
            if meaning != _MEANING:
                raise ValueError
            self._people = {name: _Person.of(person, self.priors) for name, person in saved.items()}
        except (msgspec.DecodeError, ValueError):
            raise ConfigError(f"{len(data)} bytes are not the habits of players: expected what save() gave") from None


def _learn(
    person: _Person, number: int, scale: int, decisions: Sequence[Decision], final: F64, held: int | None
) -> None:
    """A step for one scale and stage."""
    stage, settings = HABIT_STAGES[number], person.prior.trust
    size = stage.size
    mean, information = person.mean[number][scale], person.information[number][scale]
    gradient = np.zeros((DECISION_KINDS, size))
    trust = np.ones(size)
    if held is None:
        trust[:] = settings.unseen
        trust[-1] = settings.unseen_sure
        trust *= person.shown / (person.shown + settings.shown)
        trust[: -1 : stage.features] = 1.0
    # Symmetric to the last bit, since half of it is what save() keeps.
    weight = settings.belief * np.outer(trust, trust)
    for d in decisions:
        likelihood, score, fisher = _lesson(d, _at(mean, d.kind), final, held)
        person.evidence[scale] += np.log(max(likelihood, 1e-9))
        gradient[d.kind % DECISION_KINDS] += score * trust
        information[d.kind % DECISION_KINDS] += weight * fisher
    mean += _step(gradient, information, person.prior.precision[number] / SCALES[scale] ** 2)


def _step(gradient: F64, information: F64, prior: F64) -> F64:
    """Newton's step, ``float64[KINDS + 1, size]``: what is a person's own at each kind, taken out of the equations
    (Schur), leaves those of what is shared.

    Args:
        gradient: ``float64[KINDS, size]``, that of the shared numbers is the sum.
        information: ``float64[KINDS, size, size]``.
        prior: ``float64[2, size, size]``: precision, own and shared.
    """
    both = np.concatenate([information, gradient[:, :, None]], axis=2)
    solved = np.linalg.solve(information + prior[0], both)
    left = (both - information @ solved).sum(axis=0)
    shared = np.linalg.solve(left[:, :-1] + prior[1], left[:, -1])
    own = solved[:, :, -1] - solved[:, :, :-1] @ shared
    return np.concatenate([own, shared[None]])


def _lesson(d: Decision, shift: F64, final: F64, held: int | None) -> tuple[float, F64, F64]:
    """Likelihood of a decision under the numbers of a person, gradient of its log, and Fisher's information.

    With the hand that they showed, if any; else over what they might have held, and the gradient over what they may
    have held by the whole hand.
    """
    before = after = np.zeros(len(d.logits))
    if held is None:
        before, after = (np.bincount(d.of, x, len(d.logits)).astype(np.float64) for x in (d.range, final))
    else:
        before[d.of[held]] = 1.0
    gradient, information = np.zeros(len(shift)), np.zeros((len(shift), len(shift)))
    likelihood = lesson_kernel(
        d.logits, d.legal, d.traits.middle(d.logits), d.traits.values, _moves(d.logits), shift, d.column, before, after,
        gradient, information,
    )  # fmt: skip
    return likelihood, gradient, information


def _moves(logits: F32) -> F64:
    return np.ascontiguousarray(MOVES[:, : logits.shape[1]])


def _at(mean: F64, kind: int) -> F64:
    """A person's numbers at a kind of decision: their own there, and what all kinds share."""
    return np.asarray(mean[kind % DECISION_KINDS] + mean[DECISION_KINDS])


#: Standard deviation of a street's power before anything is known, and how alike those of two streets are.
DEVIATION, ALIKE = 0.2, 0.7
#: How much of what a shown hand would tell if the model were true is believed.
BELIEF = 0.5
#: Shown hands after which one counts half.
HALF_LIFE = 1000.0
#: Powers that are used.
LEAST, MOST = 0.1, 2.5
_FADE = 0.5 ** (1 / HALF_LIFE)


class Tempering:
    """A power for each street: how much a person's actions there count in their reading; 1: as much as the model says.

    The chances of single actions may all be about right and their product too sure, or not sure enough: what one
    decision leaves out of account is left out at the next one, too. So the powers ``t`` are learned from whole hands:
    with ``L_s(hand)`` the probability of all their actions on street ``s``, the reading of a hand is
    ``prod L_s(hand)^t_s``, normalised, and a shown hand moves ``t`` by one step of Newton's method on the log of its
    share. Only the reading after the last action is learned from: everybody's actions decide who gets to a showdown, so
    that given all of them a shown hand is like any other. On the flop it is not: hands that will be shown are better.

    Attributes:
        mean: ``float64[4]``: how much each power differs from 1.
        information: ``float64[4, 4]``: what that rests on beyond the prior.
    """

    def __init__(self) -> None:
        self.mean = np.zeros(STREETS)
        self.information = np.zeros((STREETS, STREETS))

    @property
    def powers(self) -> F64:
        """``float64[4]``, by street."""
        return np.asarray(np.clip(1 + self.mean, LEAST, MOST))

    def note(self, log_chances: F64, legal: Bool, held: int) -> None:
        """Learn from a shown hand.

        Args:
            log_chances: ``float64[4, 1326]``: log-probability of their actions on each street with each hand (0: none).
            legal: ``bool[1326]``: the hands that they might hold.
            held: the one that they held.
        """
        if not legal[held]:
            return
        relative = log_chances[:, legal] - log_chances[:, [held]]
        share = self.powers @ relative
        share = np.exp(share - share.max())
        share /= share.sum()
        middle = relative @ share
        off = relative - middle[:, None]
        self.information = _FADE * self.information + BELIEF * (off * share) @ off.T
        self.mean += np.linalg.solve(_prior() + self.information, -BELIEF * middle)


@cache
def _prior() -> F64:
    """Precision of the powers before anything is known."""
    alike = ALIKE * np.ones((STREETS, STREETS)) + (1 - ALIKE) * np.eye(STREETS)
    return np.asarray(np.linalg.inv(DEVIATION**2 * alike))
