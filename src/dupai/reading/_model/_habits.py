"""Habits of players: how their actions differ from the model's, learned from their decisions with a normal prior."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from hashlib import blake2b
from secrets import token_bytes
from typing import NamedTuple
from weakref import WeakValueDictionary

import msgspec
import numpy as np

from dupai.base.arrays import F32, F64, AnyArray, Bool
from dupai.base.files import saved_state
from dupai.cards import CLASS_SIZE, COMBO_CARDS, COMBO_CLASS, COMBOS
from dupai.equity import win_rates
from dupai.history.stats import UNNAMED, real_name
from dupai.reading._features._kernels.boards import percentiles_kernel
from dupai.reading._model._kernels.habits import habits_kernel, lesson_kernel
from dupai.reading._model._tempering import Tempering
from dupai.reading.populations import UNKNOWN
from dupai.rules import STREETS
from dupai.spots import BIG_BLIND, SMALL_BLIND, Spot

#: Kinds of decision before the flop, and as many after it.
DECISION_KINDS = 6
#: The native columns that each shift moves: folds, all raises, raises of about the pot and more. (In limit games, which
#: have three columns, the last moves nothing.)
MOVES = np.array([[1, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 1, 1, 1, 1]], np.float64)


class Stage(NamedTuple):
    """Prior standard deviations of a player's shifts, in logits, before the flop or after it.

    Attributes:
        features: number of features of a hand that a shift depends on, the constant included.
        constant, slope: of the part for one kind of decision: of the constant, and of each other feature.
        shared, shared_slope: of the part that all kinds of decision share.
    """

    features: int
    constant: float
    slope: float
    shared: float
    shared_slope: float

    @property
    def size(self) -> int:
        """Number of coefficients at one kind of decision: one for each of :data:`MOVES` and feature, and a last one for
        how much more the hand matters."""
        return len(MOVES) * self.features + 1

    def deviations(self) -> F64:
        """``float64[2, size]``: prior standard deviation of each coefficient: of the part for one kind of decision, and
        of the part that all kinds share."""
        deviations = np.empty((2, self.size))
        for row, constant, slope, hand in (
            (0, self.constant, self.slope, OWN_HAND_DEVIATION),
            (1, self.shared, self.shared_slope, HAND_DEVIATION),
        ):
            deviations[row] = slope
            deviations[row, : -1 : self.features] = constant
            deviations[row, -1] = hand
        return deviations


#: Prior standard deviation of how much more the hand matters to a player than to the population: of the part that all
#: kinds of decision share, and of the part for one kind, which is next to nothing.
HAND_DEVIATION, OWN_HAND_DEVIATION = 0.15, 1e-4
#: Before and after the flop. These deviations were chosen on ten professionals (``docs/results/reader-model.md``).
HABIT_STAGES = (Stage(7, 1.0, 0.1, 0.7, 0.2), Stage(4, 0.4, 0.075, 0.4, 0.15))


class HabitTrust(NamedTuple):
    """Weights of what is observed of a player.

    Attributes:
        belief: weight of a hand: 1 if the model were true.
        half_life: hands of the player after which an observation counts half.
        unseen, unseen_hand: weight of hands that were not shown for slopes, and for how much the hand matters. Such
            hands repeat what the model assumes of them, and alone they mislead.
        shown: shown hands after which half of these two weights counts.
    """

    belief: float
    half_life: float
    unseen: float
    unseen_hand: float
    shown: float


class HabitPrior(NamedTuple):
    """The normal prior of a population's coefficients.

    Attributes:
        mean: by stage ``float64[KINDS + 1, size]``: of the part for each kind of decision, last of the shared part.
        precision: by stage ``float64[2, size, size]``: the inverse covariance of the part for one kind, the same for
            all, and of the shared part.
        trust: weights of what is observed.
    """

    mean: tuple[F64, ...]
    precision: tuple[F64, ...]
    trust: HabitTrust


#: The prior without data on a population: mean 0, independent coefficients.
PLAIN_PRIOR = HabitPrior(
    tuple(np.zeros((DECISION_KINDS + 1, stage.size)) for stage in HABIT_STAGES),
    tuple(np.stack([np.diag(row**-2.0) for row in stage.deviations()]) for stage in HABIT_STAGES),
    HabitTrust(belief=0.25, half_life=1000.0, unseen=0.5, unseen_hand=0.25, shown=10.0),
)
#: The weights with a prior that was learned from players. Both sets were chosen on the ten professionals, too.
LEARNED_TRUST = HabitTrust(belief=0.1, half_life=1000.0, unseen=0.8, unseen_hand=0.4, shown=3.0)


def habit_prior(mean: Sequence[F64], precision: Sequence[F64]) -> HabitPrior:
    """A prior that was learned from players.

    Raises:
        ValueError: the arrays are not those of :class:`HabitPrior`.
    """
    for arrays, expected in ((mean, PLAIN_PRIOR.mean), (precision, PLAIN_PRIOR.precision)):
        if [x.shape for x in arrays] != [x.shape for x in expected] or not all(np.isfinite(x).all() for x in arrays):
            raise ValueError
    return HabitPrior(tuple(mean), tuple(precision), LEARNED_TRUST)


#: What :meth:`_Person.saved` gives.
_Saved = tuple[int, int, list[float], list[bytes], list[bytes], list[bytes]]
#: Multiples of the prior's deviations (and mean). Each player's actions decide between them; they were chosen on ten
#: professionals (``docs/results/reader-model.md``).
SCALES = (0.08, 0.28, 1.0)
_SQUARES = np.square(SCALES)[:, None, None, None]
#: Version of what :meth:`Habits.save` writes: raised whenever traits or priors change.
_VERSION = 4


class Traits(NamedTuple):
    """The features of hands that habits depend on.

    Attributes:
        values: ``float64[kinds of hands, features]``; the first is 1, the others have mean 0 over hands.
        share: ``float64[kinds of hands]``: share of each kind among the possible hands.
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
    by_combo = [ranks[:, 0] == ranks[:, 1], suits[:, 0] == suits[:, 1], high, high - low <= 2]
    pair, suited, high, near = (
        _deviations(np.bincount(COMBO_CLASS, trait.astype(np.float64), minlength=len(share)) / CLASS_SIZE, share)
        for trait in by_combo
    )
    return Traits(np.stack([np.ones(len(share)), strength, pair, suited, strength**2 - 1, high, near], axis=1), share)


def board_traits(rate: AnyArray, spread: AnyArray, share: F64) -> Traits:
    """Traits of the kinds of hands on a board: 1, strength (percentile of ``rate``, in deviations), its square, and
    ``spread`` in deviations (0 on the river).

    Args:
        rate: win rate of each kind of hand against the best 40 % of starting hands.
        spread: standard deviation of the win rate over the cards to come.
        share: share of each kind among the hands, 0 where the board blocks it.
    """
    live = share / share.sum()
    strength = _strength(rate, live)
    spread = _deviations(spread.astype(np.float64), live)
    return Traits(np.stack([np.ones(len(rate)), strength, strength**2 - 1, spread], axis=1), live)


def _deviations(values: F64, share: F64) -> F64:
    """Standard deviations of each value above the mean; 0 where all values are equal."""
    differences = values - values @ share
    deviation = np.sqrt(differences**2 @ share)
    return np.asarray(differences / deviation if deviation > 1e-4 else np.zeros_like(differences))


def _strength(values: AnyArray, share: F64) -> F64:
    """The percentile of each value, in standard deviations above the mean."""
    percentiles = np.empty(len(values))
    percentiles_kernel(values, share, np.argsort(values, kind="stable"), percentiles)
    return np.asarray((percentiles - 0.5) * np.sqrt(12))


class Decision(namedtuple("Decision", "kind column logits legal traits hand_kind range")):
    """A decision from which a player's habits are learned.

    Attributes:
        kind: the kind of decision, :meth:`Habits.kind`.
        column: the native column of the action taken.
        logits: ``float32[kinds of hands, columns]``: the model's, for any player.
        legal: ``bool[columns]``.
        traits: of the kinds of hands.
        hand_kind: ``int64[1326]``: the kind of each hand.
        range: ``float64[1326]``: the player's range before the action, sums to 1.
    """


class KnownHabits(NamedTuple):
    """What is known of a player.

    Attributes:
        population: number of their population.
        shown: hands that they have shown.
        mean: by stage ``float64[KINDS + 1, size]``: their coefficients at each kind of decision, last the shared part.
        information: by stage ``float64[KINDS, size, size]``: the evidence beyond the prior. A decision has the same
            information on the part for its kind, on the shared part and on both together.
    """

    population: int
    shown: int
    mean: tuple[F64, ...]
    information: tuple[F64, ...]


class _Person:
    """What is known of a player under each of :data:`SCALES`.

    Attributes:
        population: where they were met first; its prior stays theirs.
        prior: their prior.
        shown: hands that they have shown.
        evidence: ``float64[scales]``: log-likelihood of their actions.
        mean, information: by stage as in :class:`KnownHabits`, with a first axis of scales.
        tempering: the weight of their actions in their reading.
        source: digest of all that this comes from, equal only where the content is; drawn at random where no other
            reader can have learned the same.
    """

    def __init__(self, population: int = UNKNOWN, prior: HabitPrior = PLAIN_PRIOR) -> None:
        self.source = b""
        self.population, self.prior = population, prior
        self.shown = 0
        self.evidence = np.zeros(len(SCALES))
        self.mean = [np.multiply.outer(SCALES, mean) for mean in prior.mean]
        self.information = [np.zeros((len(SCALES), DECISION_KINDS, stage.size, stage.size)) for stage in HABIT_STAGES]
        self.tempering = Tempering()
        self._coefficients: dict[int, F64] = {}

    def coefficients(self, stage: int) -> F64:
        """``float64[KINDS + 1, size]``: the mean over the scales, weighted by how well each predicted the player."""
        if stage not in self._coefficients:
            weights = np.exp(self.evidence - self.evidence.max())
            self._coefficients[stage] = np.tensordot(weights / weights.sum(), self.mean[stage], 1)
        return self._coefficients[stage]

    def changed(self) -> None:
        """Something was learned: the coefficients are worked out anew the next time."""
        self.source = token_bytes(16)
        self._coefficients.clear()

    def copy(self) -> _Person:
        """The same, to learn on."""
        other = copy(self)
        other.evidence, other._coefficients = self.evidence.copy(), {}
        other.mean, other.information = ([x.copy() for x in arrays] for arrays in (self.mean, self.information))
        other.tempering = copy(self.tempering)
        other.tempering.mean = self.tempering.mean.copy()
        return other

    def saved(self) -> _Saved:
        """Everything as plain data, with one triangle of each symmetric matrix."""
        halves = [i[..., *np.triu_indices(i.shape[-1])].tobytes() for i in self.information]
        powers = [self.tempering.mean.tobytes(), self.tempering.information.tobytes()]
        return self.population, self.shown, self.evidence.tolist(), [m.tobytes() for m in self.mean], halves, powers

    @classmethod
    def of(cls, saved: _Saved, priors: Mapping[int, HabitPrior]) -> _Person:
        """The player that :meth:`saved` gave.

        Raises:
            ValueError: the data are not that.
        """
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
        person.source = blake2b(msgspec.msgpack.encode(saved), digest_size=16).digest()
        return person


#: Players whom readers of this process know, by :attr:`_Person.source`.
_known_people: WeakValueDictionary[bytes, _Person] = WeakValueDictionary()


class Habits:
    """How players differ from the model of any player, learned from their actions and the hands they showed.

    A network that gets a player's statistics as inputs learns who the player is, and fails on the next one (section 5
    of the reading metric). Here a few coefficients move the logits of folds, of raises and of large raises. At each
    kind of decision they are a constant and slopes over traits of the hand, the sum of a part for this kind and a part
    that all kinds share. One more coefficient makes the hand matter more or less. They have a normal prior
    (:class:`HabitPrior`), and every hand played moves their mean by one step of Newton's method on the log-likelihood
    (online Laplace approximation). For a shown hand that is the likelihood of the actions with this hand. Otherwise it
    is averaged over the hands that the player may have held given all actions, because weak hands are shown less often.
    The information of a hand is Fisher's with the weights of :class:`HabitTrust`, and fades. How far a player may
    differ at all (:data:`SCALES` of the prior) is weighted by how well each scale predicted their actions.

    Args:
        priors: the priors of populations by number; all others have :data:`PLAIN_PRIOR`.
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
        """``float32[kinds of hands, native columns]``: a player's logits, from the model's for any player. A stranger
        has the mean of their population's prior."""
        person = self._people.get(name, self._strangers.get(population))
        if person is None:
            return logits
        coefficients = _at_kind(person.coefficients(kind // DECISION_KINDS), kind)
        shifted = np.empty_like(logits)
        habits_kernel(logits, traits.middle(logits), traits.values, _moves(logits), coefficients, shifted)
        return shifted

    def shifts(self, name: str, population: int = UNKNOWN) -> F64 | None:
        """``float64[12, 7, 9]``: what each trait of a hand adds to the logits of each native column, by kind of
        decision; None where nothing is known. How much more the hand matters is left out: for that the logits of all
        hands are needed."""
        person = self._people.get(name, self._strangers.get(population))
        if person is None:
            return None
        out = np.zeros((2 * DECISION_KINDS, HABIT_STAGES[0].features, MOVES.shape[1]))
        for kind in range(len(out)):
            features = HABIT_STAGES[kind // DECISION_KINDS].features
            numbers = _at_kind(person.coefficients(kind // DECISION_KINDS), kind)[:-1]
            out[kind, :features] = numbers.reshape(len(MOVES), features).T @ MOVES
        return out

    def note(
        self, name: str, decisions: Sequence[Decision], final: F64, held: int | None, population: int = UNKNOWN
    ) -> None:
        """Learn from a player's hand.

        Args:
            name: the player's; without a name nothing is learned.
            decisions: all decisions of the player in this hand.
            final: ``float64[1326]``: the player's range after the last of them, sums to 1.
            held: the combo that they showed; None: they showed none.
            population: number of their population.
        """
        if real_name(name) == UNNAMED or not decisions:
            return
        person = self._person(name, population)
        person.shown += held is not None
        fade = 0.5 ** (1 / person.prior.trust.half_life)
        person.evidence *= fade
        for stage in range(len(HABIT_STAGES)):
            of_stage = [decision for decision in decisions if decision.kind // DECISION_KINDS == stage]
            if of_stage:
                person.information[stage] *= fade
                _learn(person, stage, of_stage, final, held)
        person.changed()

    def powers(self, name: str) -> F64:
        """``float64[4]``: the weight of a player's actions in their reading by street (:class:`Tempering`)."""
        person = self._people.get(name)
        return np.ones(STREETS) if person is None else person.tempering.powers

    def showed(self, name: str, log_chances: F64, legal: Bool, held: int, population: int = UNKNOWN) -> None:
        """Learn these powers from a shown hand: arguments as of :meth:`Tempering.note`."""
        if real_name(name) != UNNAMED:
            person = self._person(name, population)
            person.tempering.note(log_chances, legal, held)
            person.changed()

    def source(self, name: str) -> bytes:
        """The digest of all that the habits of a player come from."""
        return self._people[name].source if name in self._people else b""

    def take_over(self, name: str, hand: bytes) -> bytes | None:
        """Take over what another reader of this process learned of a player from the same hands.

        Args:
            name: the player's.
            hand: digest of the next hand, with all that learning from it depends on.

        Returns:
            None; or, where no reader has, the digest for :meth:`hand_on` once the hand is learned from.
        """
        source = blake2b(self.source(name) + hand, digest_size=16).digest()
        found = _known_people.get(source)
        if found is not None:
            self._people[name] = found
        elif name in self._people:
            # Others may have taken over what is known so far.
            self._people[name] = self._people[name].copy()
        return source if found is None else None

    def hand_on(self, name: str, source: bytes) -> None:
        """Let other readers take over what is known of a player; from now on only :meth:`take_over` changes it."""
        if name in self._people:
            self._people[name].source = source
            _known_people[source] = self._people[name]

    def _person(self, name: str, population: int) -> _Person:
        if name not in self._people:
            self._people[name] = _Person(population, self.priors.get(population, PLAIN_PRIOR))
        return self._people[name]

    def known(self) -> dict[str, KnownHabits]:
        """What is known of each player by name, under the widest of :data:`SCALES`."""
        return {
            name: KnownHabits(
                person.population,
                person.shown,
                tuple(mean[-1] for mean in person.mean),
                tuple(information[-1] for information in person.information),
            )
            for name, person in self._people.items()
        }

    def save(self) -> bytes:
        """What was learned, for :meth:`load`."""
        return msgspec.msgpack.encode((_VERSION, {name: self._people[name].saved() for name in sorted(self._people)}))

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` gave.

        Raises:
            ConfigError: the data are not that, or of another version.
        """
        with saved_state(data, "the habits of players"):
            version, saved = msgspec.msgpack.decode(data, type=tuple[int, dict[str, _Saved]])
            if version != _VERSION:
                raise ValueError
            self._people = {name: _Person.of(person, self.priors) for name, person in saved.items()}


def _learn(person: _Person, number: int, decisions: Sequence[Decision], final: F64, held: int | None) -> None:
    """Move a player's coefficients of one stage by the decisions of a hand, under each scale."""
    stage, trust = HABIT_STAGES[number], person.prior.trust
    mean, information = person.mean[number], person.information[number]
    gradient = np.zeros((len(SCALES), DECISION_KINDS, stage.size))
    weights = np.ones(stage.size)
    if held is None:
        weights[:] = trust.unseen
        weights[-1] = trust.unseen_hand
        weights *= person.shown / (person.shown + trust.shown)
        weights[: -1 : stage.features] = 1.0
    # Symmetric to the last bit, since save() keeps half of it.
    weight = trust.belief * np.outer(weights, weights)
    for decision in decisions:
        likelihood, score, fisher = _lesson(decision, _at_kind(mean, decision.kind), final, held)
        person.evidence += np.log(np.maximum(likelihood, 1e-9))
        gradient[:, decision.kind % DECISION_KINDS] += score * weights
        information[:, decision.kind % DECISION_KINDS] += weight * fisher
    mean += _newton_step(gradient, information, person.prior.precision[number] / _SQUARES)


def _newton_step(gradient: F64, information: F64, prior: F64) -> F64:
    """Newton's step, ``float64[..., KINDS + 1, size]``.

    The parts for the kinds are eliminated from the equations (Schur complement), which leaves those of the shared part.

    Args:
        gradient: ``float64[..., KINDS, size]``; the gradient of the shared part is their sum.
        information: ``float64[..., KINDS, size, size]``.
        prior: ``float64[..., 2, size, size]``: precision of the part for one kind, and of the shared part.
    """
    both = np.concatenate([information, gradient[..., None]], axis=-1)
    solved = np.linalg.solve(information + prior[..., :1, :, :], both)
    remaining = (both - information @ solved).sum(axis=-3)
    shared = np.linalg.solve(remaining[..., :-1] + prior[..., 1, :, :], remaining[..., -1:])
    own = solved[..., -1:] - solved[..., :-1] @ shared[..., None, :, :]
    return np.concatenate([own[..., 0], shared[..., None, :, 0]], axis=-2)


def _lesson(decision: Decision, coefficients: F64, final: F64, held: int | None) -> tuple[F64, F64, F64]:
    """What a decision says of a player's coefficients ``float64[..., size]``: its likelihood under them, the gradient
    of the log, Fisher's information.

    For a shown hand all are of this hand. Otherwise the likelihood is over the range before the action, and the
    gradient over the range given the whole hand.
    """
    logits = decision.logits
    before = after = np.zeros(len(logits))
    if held is None:
        before, after = (
            np.bincount(decision.hand_kind, weights, len(logits)).astype(np.float64)
            for weights in (decision.range, final)
        )
    else:
        before[decision.hand_kind[held]] = 1.0
    *cases, size = coefficients.shape
    likelihood, gradient, information = np.zeros(cases), np.zeros((*cases, size)), np.zeros((*cases, size, size))
    middle, moves = decision.traits.middle(logits), _moves(logits)
    for case in np.ndindex(*cases):
        likelihood[case] = lesson_kernel(
            logits, decision.legal, middle, decision.traits.values, moves, coefficients[case], decision.column, before,
            after, gradient[case], information[case],
        )  # fmt: skip
    return likelihood, gradient, information


def _moves(logits: F32) -> F64:
    """The rows of :data:`MOVES` for the columns of some logits."""
    return np.ascontiguousarray(MOVES[:, : logits.shape[1]])


def _at_kind(mean: F64, kind: int) -> F64:
    """A player's coefficients at a kind of decision: the part for this kind and the shared part."""
    return np.asarray(mean[..., kind % DECISION_KINDS, :] + mean[..., DECISION_KINDS, :])
