"""Whom a stranger plays like: the population is found by how well each predicted what they did."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple
from weakref import WeakValueDictionary

import msgspec
import numpy as np

from dupai.base.arrays import F32, F64
from dupai.base.files import saved_state
from dupai.cards import COMBOS, NO_CARD, combo
from dupai.history.stats import UNNAMED, real_name
from dupai.reading._filter import mixed, possible_hands, posterior, unblocked
from dupai.reading._model._model import TrainedModel
from dupai.reading._model._weights import ReaderWeights
from dupai.reading._start_table import shipped_table, start_weights
from dupai.reading.populations import (
    EXPLOITERS,
    LIMIT,
    NAMES,
    PEOPLE,
    SHOWN,
    UNKNOWN,
    of as population_of,
)
from dupai.rules import BOARD_CARDS, GameSpec, HandRecord, View
from dupai.spots import NOTHING, Menu, Spot, spots

#: The one that names and games give, and the populations that a stranger may play like.
_USUAL = "auto"
_LIKE = tuple(name for n, name in enumerate(NAMES) if n not in (*EXPLOITERS, *LIMIT, SHOWN, UNKNOWN))
#: Players drawn at random (``tools/unknown.py``), and those of whom the starting hand is all that is known: the table
#: of starting hands, later actions saying nothing.
_ANYBODY, _STARTS = NAMES[UNKNOWN], "start-table"
#: Shares of all these before anything is known of a player (that of ``_LIKE`` is divided among them), and the weight of
#: an action and the factor of what was learned at each later hand: chosen on agents and on people
#: (``docs/results/readers.md``).
_SHARES, _OTHERS = {_USUAL: 0.55, _ANYBODY: 0.25, _STARTS: 0.1}, 0.1
_BELIEF, _FADE = 0.5, 0.99
#: The probability of a fold, call or raise by those of whom only the start is known, where hands are compared.
_EVEN = 0.4
#: A population this far behind the best, in nats, is given up; in readings, a part below this share of the
#: largest is left out.
_GIVEN_UP, _MIN_SHARE = 8.0, 0.05
#: No action is held less likely than this; with any one hand, than this.
_MIN_CHANCE, _NEVER = 1e-4, 1e-7


class _Followed(NamedTuple):
    """What a model of a population makes of a player's decisions: the logarithm of the probability of all of them, and
    of their being folds, calls and raises whatever the sizes; the reading after the last (``float64[1326]``)."""

    log_chance: float
    log_kinds: float
    reading: F64


class _Step(NamedTuple):
    """What :class:`_Followed` is worked out from, up to one decision of a player.

    Attributes:
        log_chance, log_kinds: as there.
        range: ``float64[1326]``: what the player holds if the model is true, sums to 1.
        log_reading: ``float64[1326]``: the same by the weight that the actions count with, as logarithms.
    """

    log_chance: float
    log_kinds: float
    range: F64
    log_reading: F64


#: Before the first decision. Steps that readers of this process have worked out, by all that they depend on, the
#: longest unused first; and how many are kept (21 KB each).
_BEFORE = _Step(0.0, 0.0, np.full(COMBOS, 1 / COMBOS), np.zeros(COMBOS))
_known_steps: dict[Hashable, _Step] = {}
_STEPS = 512
_steps_lock = Lock()


class _Gained(dict[str, float]):
    """What each part of the mixture gained by a player's hands. (To plain dicts nothing can refer weakly.)"""


#: What readers of this process found, by the digest of what they found it from.
_known_gains: WeakValueDictionary[bytes, _Gained] = WeakValueDictionary()


class IdentifiedModel:
    """An action model that takes every stranger for a member of the population that predicts them best.

    A trained model of each population, with the habits that it learns of people, predicts every action of a player
    before it learns from the hand, and every hand that they show; the likelihoods multiply (prequential: A. P. Dawid,
    "Statistical theory: the prequential approach", 1984). A :meth:`reading` is the mean over the populations, players
    drawn at random among them, and over the table of starting hands. Players whose name is that of a program that the
    networks know, and those without a name, are taken for what they are. In limit games nothing is compared.

    Args:
        weights: a trained reader's, whose networks look at no ranges.
    """

    needs_ranges = False

    def __init__(self, weights: ReaderWeights) -> None:
        self.weights = weights
        self._models = {_USUAL: TrainedModel(weights)}
        self._names: dict[int, str] = {}
        #: By player: what each part of the mixture gained by their hands, in nats, without populations given up.
        self.gained: dict[str, _Gained] = {}

    def _model(self, population: str) -> TrainedModel:
        if population not in self._models:
            made = self._models[population] = TrainedModel(self.weights, population)
            made.meet(self._names)
        return self._models[population]

    def _parts(self, name: str, spec: GameSpec) -> dict[str, float]:
        """Logarithms of the weights of the mixture's parts for a player, the largest 0."""
        if not is_stranger(name, spec):
            return {_USUAL: 0.0}
        gained = self.gained.get(name) or _nothing_gained(name, spec)
        shares = _SHARES | dict.fromkeys(_LIKE, _OTHERS / (len(_LIKE) - 1))
        weights = {part: math.log(shares[part]) + nats for part, nats in gained.items()}
        best = max(weights.values())
        return {part: weight - best for part, weight in weights.items()}

    def like(self, name: str, spec: GameSpec) -> str:
        """The population that a player is most probably a member of; "unknown": none of those that are known."""
        parts = self._parts(name, spec)
        best = max((part for part in parts if part != _STARTS), key=lambda part: parts[part])
        return NAMES[population_of(name, spec)] if best == _USUAL else best

    def _of(self, spot: Spot) -> TrainedModel:
        name = self._names.get(spot.seats[spot.position], "") if spot.seats else ""
        return self._model_of(name, spot.spec)

    def _model_of(self, name: str, spec: GameSpec) -> TrainedModel:
        like = self.like(name, spec)
        return self._models[_USUAL] if like == NAMES[population_of(name, spec)] else self._model(like)

    def taken_for(self, seat: int, spec: GameSpec) -> tuple[str, F64 | None]:
        """As :meth:`TrainedModel.taken_for`."""
        return self._model_of(self._names.get(seat, ""), spec).taken_for(seat, spec)

    def menu(self, spot: Spot) -> Menu:
        """The native menu of the trained model."""
        return self._models[_USUAL].menu(spot)

    def probs(self, spot: Spot) -> F32:
        """P(column | hole cards), see :class:`~dupai.spots.ActionModel`."""
        return self._of(spot).probs(spot)

    def power(self, spot: Spot) -> float:
        """The power that the player's actions count with in their reading."""
        return self._of(spot).power(spot)

    def meet(self, names: Mapping[int, str]) -> None:
        self._names.update(names)
        for model in self._models.values():
            model.meet(names)

    def observe(self, record: HandRecord) -> None:
        """Compare the populations by what strangers did, then let each learn their habits."""
        seats = record.seats or tuple(range(len(record.names)))
        self.meet(dict(zip(seats, record.names, strict=False)))
        for position, name in enumerate(record.names):
            if position != record.hero and is_stranger(name, record.spec):
                self._compare_once(record, position, name)
        for population, model in self._models.items():
            kept = [name for name in record.names if population in self.gained.get(name, ())]
            model.observe(record, None if population == _USUAL else kept)

    def _compare_once(self, record: HandRecord, position: int, name: str) -> None:
        """:meth:`_compare`, unless another reader of this process has done so from the same hands."""
        models = {p: self._model(p) for p in self._parts(name, record.spec) if p != _STARTS}
        hand = self._models[_USUAL].hand_digest(record, position)
        known = [(p, model.habits.source(name)) for p, model in models.items() if model.habits is not None]
        source = blake2b(msgspec.msgpack.encode((self.gained.get(name), known, hand)), digest_size=16).digest()
        found = _known_gains.get(source)
        if found is None:
            self._compare(record, position, name)
            if name in self.gained:
                _known_gains[source] = self.gained[name]
        else:
            self.gained[name] = found

    def _compare(self, record: HandRecord, position: int, name: str) -> None:
        gained = self.gained.get(name) or _nothing_gained(name, record.spec)
        parts = self._parts(name, record.spec)
        done = [spot for spot in spots(record) if spot.position == position and spot["did"] != NOTHING]
        known = [spot for spot in done if len(spot.board) >= BOARD_CARDS[spot.street]]
        if not known:
            return  # Nothing was done, or nobody knows the board.
        for spot in known:
            spot.seats = record.seats or tuple(range(record.spec.players))
        followed, chances = self._followed(name, known, parts)
        weights = np.array([parts[p] for p in followed])
        kinds = np.logaddexp.reduce(weights + [one.log_kinds for one in followed.values()])
        # Those of whom only the start is known fold, call or raise as often as anybody might.
        even = len(known) * math.log(_EVEN) - float(kinds - np.logaddexp.reduce(weights))
        gain = {p: _BELIEF * (chance + (even if p == _STARTS else 0.0)) for p, chance in chances.items()}
        two = record.hole[position] if record.hole else (NO_CARD, NO_CARD)
        legal = possible_hands(record.board)
        if NO_CARD not in two and len(known) == len(done):
            for part, reading in self._readings(name, record, position, followed, list(parts)).items():
                gain[part] += math.log(max(float(mixed(reading, legal, 0.01)[combo(*two)] * legal.sum()), _MIN_CHANCE))
        best = max(gain[part] for part in gain)
        gained = {part: _FADE * nats + gain[part] - best for part, nats in gained.items()}
        most = max(gained.values())
        self.gained[name] = _Gained({p: g - most for p, g in gained.items() if p not in _LIKE or most - g < _GIVEN_UP})

    def _followed(
        self, name: str, decisions: Sequence[Spot], parts: Mapping[str, float]
    ) -> tuple[dict[str, _Followed], dict[str, float]]:
        """What each population's model makes of a player's decisions, and by part of the mixture the logarithm of the
        probability of these: the start table is given that of all populations together."""
        followed = {p: _follow(self._model(p), decisions, name) for p in parts if p != _STARTS}
        weights = np.array([parts[p] for p in followed])
        chances = weights + [one.log_chance for one in followed.values()]
        rest = float(np.logaddexp.reduce(chances) - np.logaddexp.reduce(weights))
        return followed, {part: followed[part].log_chance if part in followed else rest for part in parts}

    def _readings(
        self, name: str, line: View | HandRecord, position: int, followed: Mapping[str, _Followed], parts: Sequence[str]
    ) -> dict[str, F64]:
        """``float64[1326]`` for each part of the mixture: what the actions so far say of a player's hand."""
        readings = {part: one.reading for part, one in followed.items()}
        if _STARTS in parts:
            readings[_STARTS] = start_weights(shipped_table(), population_of(name, line.spec), line, position)
        return {part: readings[part] for part in parts}

    def reading(self, view: View, position: int, name: str) -> F64:
        """``float64[1326]``: what the actions so far say of a stranger's hand, the mean over the parts of the mixture;
        hands that open cards block count nothing. Actions that end with an all-in before the flop speak for no part
        over the people who play such a game."""
        parts = {p: w for p, w in self._parts(name, view.spec).items() if w > math.log(_MIN_SHARE) or p == _USUAL}
        decisions = [spot for spot in spots(view) if spot.position == position and spot["did"] != NOTHING]
        followed, chances = self._followed(name, decisions, parts)
        if decisions and _moves_all_in(decisions[-1]):
            # How often people move all-in depends on stacks and games more than on whom they play like.
            chances = {part: min(chance, chances[_USUAL]) for part, chance in chances.items()}
        weights = np.array([weight + chances[part] for part, weight in parts.items()])
        weights = np.exp(weights - weights.max())
        legal, out = possible_hands(view.board), np.zeros(COMBOS)
        rows = self._readings(name, view, position, followed, list(parts)).values()
        # Not as one product: its last digits depend on where the arrays lie.
        for weight, row in zip(weights / weights.sum(), rows, strict=True):
            out += weight * mixed(row, legal, 0.0)
        return out

    def save(self) -> bytes:
        """The comparison and the habits so far."""
        return msgspec.msgpack.encode((self.gained, {p: model.save() for p, model in self._models.items()}))

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave, with the same options.

        Raises:
            ConfigError: it is not that.
        """
        with saved_state(data, "a comparison of populations"):
            gained, habits = msgspec.msgpack.decode(data, type=tuple[dict[str, dict[str, float]], dict[str, bytes]])
            parts = {part for of in gained.values() for part in of}
            if not parts <= {*_SHARES, *_LIKE} or not set(habits) <= {_USUAL, _ANYBODY, *_LIKE}:
                raise ValueError
        self.gained = {name: _Gained(one) for name, one in gained.items()}
        for population, part in habits.items():
            if part:
                self._model(population).load(part)


def is_stranger(name: str, spec: GameSpec) -> bool:
    """Whether it is open whom a player plays like."""
    return spec.betting != "limit" and real_name(name) != UNNAMED and population_of(name, spec) in PEOPLE


def _moves_all_in(spot: Spot) -> bool:
    """Whether a player puts in, before the flop, all that they and a live opponent can still match."""
    return spot.street == 0 and 0 < spot["effective"] <= spot["paid"]


def _nothing_gained(name: str, spec: GameSpec) -> dict[str, float]:
    usual = NAMES[population_of(name, spec)]
    return dict.fromkeys((*_SHARES, *(population for population in _LIKE if population != usual)), 0.0)


def _follow(model: TrainedModel, decisions: Sequence[Spot], name: str) -> _Followed:
    step = _BEFORE
    for spot in decisions:
        source = (model.source(name, spot.spec), spot.spec, spot.rows.tobytes(), spot.board)
        with _steps_lock:
            known = _known_steps.pop(source, None)
        step = known or _after(step, model, spot, name)
        with _steps_lock:
            _known_steps[source] = step
            if len(_known_steps) > _STEPS:
                del _known_steps[next(iter(_known_steps))]
    return _Followed(step.log_chance, step.log_kinds, np.exp(step.log_reading - step.log_reading.max()))


def _after(step: _Step, model: TrainedModel, spot: Spot, name: str) -> _Step:
    """The step that a player's next decision leads to."""
    (probs, of), column = model.probs_by_kind(spot), model.menu(spot).place(spot)
    by_kind = probs[:, column].astype(np.float64)
    now, chances = unblocked(step.range, spot.board), by_kind[of]
    alike = probs[:, 2:].sum(axis=1, dtype=np.float64)[of] if column >= 2 else chances
    power = model.powers(name, spot.spec)[spot.street]
    return _Step(
        step.log_chance + math.log(max(float((now * chances).sum()), _MIN_CHANCE)),
        step.log_kinds + math.log(max(float((now * alike).sum()), _MIN_CHANCE)),
        posterior(now, chances),
        step.log_reading + (power * np.log(np.maximum(by_kind, _NEVER)))[of],
    )
