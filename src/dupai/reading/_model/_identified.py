"""Whom a stranger plays like: the population is found by how well each predicted what they did."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec
import numpy as np

from dupai.base.arrays import F32, F64
from dupai.base.files import saved_state
from dupai.cards import COMBOS
from dupai.history.stats import UNNAMED, real_name
from dupai.reading._filter import posterior, unblocked
from dupai.reading._model._model import TrainedModel
from dupai.reading._model._weights import ReaderWeights
from dupai.reading.populations import (
    EXPLOITERS,
    LIMIT,
    NAMES,
    PEOPLE,
    SHOWN,
    UNKNOWN,
    number as population_number,
    of as population_of,
)
from dupai.rules import BOARD_CARDS, GameSpec, HandRecord
from dupai.spots import NOTHING, Menu, Spot, spots

#: The one that names and games give, and the populations that a stranger may play like.
_USUAL = "auto"
_LIKE = tuple(name for n, name in enumerate(NAMES) if n not in (*EXPLOITERS, *LIMIT, SHOWN, UNKNOWN))
#: A population this far behind the best, in nats, is given up.
_GIVEN_UP = 15.0
#: No action is held less likely than this.
_MIN_CHANCE = 1e-4


class IdentifiedModel:
    """An action model that takes every stranger for a member of the population that predicts them best.

    A trained model of each population, with the habits that it learns of people, predicts every action of a player
    before it learns from the hand; the likelihoods multiply (prequential: A. P. Dawid, "Statistical theory: the
    prequential approach", 1984), and the most probable population is taken. Players whose name is that of a program
    that the networks know, and those without a name, are taken for what they are. In limit games nothing is compared.

    Args:
        weights: a trained reader's. adapt: whether habits are learned.
    """

    def __init__(self, weights: ReaderWeights, adapt: bool = True) -> None:
        self._weights, self._adapt = weights, adapt
        self.needs_ranges = weights.ranges
        self._models = {_USUAL: TrainedModel(weights, None, adapt)}
        self._names: dict[int, str] = {}
        #: By player: how far each population is behind the best, in nats; those given up are left out.
        self.behind: dict[str, dict[str, float]] = {}

    def _model(self, population: str) -> TrainedModel:
        if population not in self._models:
            made = self._models[population] = TrainedModel(self._weights, population, self._adapt)
            made.meet(self._names)
        return self._models[population]

    def like(self, name: str) -> str:
        """The population that a player is taken for; ``auto``: the one that name and game give."""
        behind = self.behind.get(name)
        return min(behind, key=lambda population: behind[population]) if behind else _USUAL

    def populations_of(self, name: str, spec: GameSpec) -> dict[str, float]:
        """The probability that a player is a member of each population, by its name; those above 0, which sum to 1.

        What the habits of a person are depends on the population (:meth:`habits_of`).
        """
        usual = NAMES[population_of(name, spec)]
        behind = self.behind.get(name, {_USUAL: 0.0})
        chances = {usual if p == _USUAL else p: math.exp(-b) for p, b in behind.items()}
        total = sum(chances.values())
        return {population: chance / total for population, chance in chances.items()}

    def habits_of(self, name: str, spec: GameSpec, population: str | None = None) -> F64 | None:
        """What was learned of a player, as :meth:`Habits.shifts` gives it, as a member of ``population`` (default: the
        most probable one of :meth:`populations_of`); None: nothing, or nothing is learned of such players."""
        chances = self.populations_of(name, spec)
        population = population or max(chances, key=lambda p: chances[p])
        usual = population == NAMES[population_of(name, spec)]
        model = self._models.get(_USUAL if usual else population)
        if model is None or model.habits is None:
            return None
        return model.habits.shifts(name, population_number(population))

    def _of(self, spot: Spot) -> TrainedModel:
        name = self._names.get(spot.seats[spot.position], "") if spot.seats else ""
        return self._model(self.like(name))

    def taken_for(self, seat: int, spec: GameSpec) -> tuple[str, F64 | None]:
        """As :meth:`TrainedModel.taken_for`."""
        return self._model(self.like(self._names.get(seat, ""))).taken_for(seat, spec)

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
            if position != record.hero and _is_stranger(name, record.spec):
                self._compare(record, position, name)
        kept = {population for behind in self.behind.values() for population in behind}
        for population, model in self._models.items():
            if population == _USUAL or population in kept:
                model.observe(record)

    def _compare(self, record: HandRecord, position: int, name: str) -> None:
        behind = self.behind.get(name)
        if behind is None:
            usual = NAMES[population_of(name, record.spec)]
            behind = {_USUAL: 0.0} | {population: 0.0 for population in _LIKE if population != usual}
        if len(behind) > 1:
            behind = {p: b - _log_chance(self._model(p), record, position) for p, b in behind.items()}
            best = min(behind.values())
            behind = {p: b - best for p, b in behind.items() if b - best < _GIVEN_UP}
        self.behind[name] = behind

    def save(self) -> bytes:
        """The comparison and the habits so far."""
        return msgspec.msgpack.encode((self.behind, {p: model.save() for p, model in self._models.items()}))

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave, with the same options.

        Raises:
            ConfigError: it is not that.
        """
        with saved_state(data, "a comparison of populations"):
            behind, habits = msgspec.msgpack.decode(data, type=tuple[dict[str, dict[str, float]], dict[str, bytes]])
            if not {p for of in behind.values() for p in of} | set(habits) <= {_USUAL, *_LIKE}:
                raise ValueError
        self.behind = behind
        for population, part in habits.items():
            if part:
                self._model(population).load(part)


def _is_stranger(name: str, spec: GameSpec) -> bool:
    """Whether it is open whom a player plays like."""
    return spec.betting != "limit" and real_name(name) != UNNAMED and population_of(name, spec) in PEOPLE


def _log_chance(model: TrainedModel, record: HandRecord, position: int) -> float:
    """The logarithm of the probability of what a player did in a hand, before the model learns from it."""
    seats = record.seats or tuple(range(record.spec.players))
    ranges = np.full((record.spec.players, COMBOS), 1 / COMBOS)
    total = 0.0
    for spot in spots(record):
        me = spot.position
        if len(spot.board) < BOARD_CARDS[spot.street]:
            break  # Nobody knows the board: what is done from here on says nothing.
        if spot["did"] == NOTHING or (me != position and not model.needs_ranges):
            continue
        spot.seats, spot.ranges = seats, ranges
        chances = model.probs(spot)[:, model.menu(spot).place(spot)].astype(np.float64)
        now = unblocked(ranges[me], spot.board)
        if me == position:
            total += math.log(max(float(now @ chances) / max(float(now.sum()), 1e-300), _MIN_CHANCE))
        ranges[me] = posterior(now, chances)
    return total
