"""The trained action model: a network's chances of every action with every hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from typing import NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import F32, F64, I64, AnyArray
from dupai.cards import COMBO_CLASS, COMBO_MASK, COMBOS, NO_CARD, board_array, combo, mask_of
from dupai.history.stats import UNNAMED, real_name
from dupai.reading._features._boards import board_table
from dupai.reading._features._columns import LIMIT, NATIVE, masked_softmax
from dupai.reading._features._kernels.hands import HAND_SIZE, alike_kernel, hand_features_kernel
from dupai.reading._features._kernels.public import PUBLIC_SIZE, public_features_kernel
from dupai.reading._filter import posterior, unblocked
from dupai.reading._model._features import range_features
from dupai.reading._model._habits import Decision, Habits, Traits, board_traits, preflop_traits
from dupai.reading._model._kernels.ranges import RANGE_HAND, expand_kernel
from dupai.reading._model._network import Network, sharpened
from dupai.reading._model._weights import ReaderWeights, load_weights
from dupai.reading.populations import NAMES, PEOPLE, has_habits, number as population_number, of as population_of
from dupai.rules import BOARD_CARDS, STREETS, GameSpec, HandRecord
from dupai.spots import NOTHING, Menu, Spot, spots

#: Boards that a process remembers, what networks make of hands on them (1 MB each at most), and decisions whose logits
#: a table does: a hand that was read is learned from, too.
_BOARDS, _OUTPUTS, _DECISIONS = 16, 32, 256
#: An action is held no less likely than this with any hand, where powers are learned from it.
_NEVER = 1e-7


class Kinds(NamedTuple):
    """Hands that a network cannot tell apart: before the flop those of a class, later those with the same features, as
    all that the board blocks.

    Attributes:
        of: ``int64[1326]``: the kind of each hand.
        share: ``float64[kinds]``: share of hands that are of each.
    """

    of: I64
    share: F64


class _Board(NamedTuple):
    """A board: features of each kind of hand on it, the kinds, and their traits."""

    features: F32
    kinds: Kinds
    traits: Traits


class TrainedModel:
    """How players act, by trained networks (``docs/results/reader-model.md``). One for each table.

    Args:
        weights: a trained reader's; default: the one that ships.
        population: name of a population that all players are taken for; default: programs by their names, people by
            the game.
        adapt: whether to learn from observed hands the habits of persons and of programs that the networks do not know,
            and how much their actions count in their readings.
    """

    def __init__(self, weights: ReaderWeights | None = None, population: str | None = None, adapt: bool = True) -> None:
        self.weights = weights or load_weights()
        self.population = None if population is None else population_number(population)
        self.needs_ranges = self.weights.ranges
        self.habits = Habits(self.weights.priors) if adapt else None
        self.names: dict[int, str] = {}

    def menu(self, spot: Spot) -> Menu:
        """The native menu: fold, check or call, six sizes, all-in (limit: one raise)."""
        return LIMIT if spot.spec.betting == "limit" else NATIVE

    def meet(self, names: Mapping[int, str]) -> None:
        """Who sits where; programs are known by name."""
        self.names.update(names)

    def observe(self, record: HandRecord, names: Collection[str] | None = None) -> None:
        """Learn how persons (of ``names``; default: all) differ from their population (:class:`Habits`): what they did,
        and what they showed."""
        if self.habits is None or not record.names:
            return
        seats = record.seats or tuple(range(len(record.names)))
        self.names.update(zip(seats, record.names, strict=True))
        # The viewer does not read themselves.
        persons = {p for p, name in enumerate(record.names) if p != record.hero and self._is_learned(name, record.spec)}
        if names is not None:
            persons = {p for p in persons if record.names[p] in names}
        # Readers of one table learn the same of everybody, so one of them works it out.
        alone = self.needs_ranges or len({record.names[p] for p in persons}) < len(persons)
        sources: dict[int, bytes] = {}
        for p in () if alone else tuple(persons):
            source = self.habits.take_over(record.names[p], self.hand_digest(record, p))
            if source is None:
                persons.remove(p)
            else:
                sources[p] = source
        if not persons:
            return
        ranges = np.full((record.spec.players, COMBOS), 1 / COMBOS)
        done: dict[int, list[Decision]] = {p: [] for p in persons}
        log_chances = {p: np.zeros((STREETS, COMBOS)) for p in persons}
        for spot in spots(record):
            me = spot.position
            if spot["did"] == NOTHING or (me not in persons and not self.needs_ranges):
                continue
            if len(spot.board) < BOARD_CARDS[spot.street]:
                # Nobody knows the board: what is done from here on teaches nothing.
                break
            menu = self.menu(spot)
            spot.ranges = ranges
            spot.seats = seats
            logits, kinds = self._anybody(spot)
            # A copy: before the flop it would be the row of ``ranges`` itself, which goes on to change.
            legal, column, now = menu.legal(spot), menu.place(spot), unblocked(ranges[me].copy(), spot.board)
            # A fold where checking is free says nothing of how the player folds to bets.
            if me in persons and legal[column]:
                traits = self._traits(spot)
                done[me].append(Decision(Habits.kind(spot), column, logits, legal, traits, kinds.of, now))
            chances = masked_softmax(self._as_person(spot, logits), legal)[:, column][kinds.of].astype(np.float64)
            # Not to its power: habits learn from single actions, and learn less so (docs/results/reader-model.md).
            ranges[me] = posterior(now, chances)
            if me in persons:
                log_chances[me][spot.street] += np.log(np.maximum(chances, _NEVER))
        possible = (COMBO_MASK & np.uint64(mask_of(record.board))) == 0
        for me, decisions in done.items():
            name, population = record.names[me], self._population(record.names[me], record.spec)
            cards = record.hole[me] if record.hole else (NO_CARD, NO_CARD)
            held = None if NO_CARD in cards else combo(*cards)
            if held is not None and decisions:
                self.habits.showed(name, log_chances[me], possible, held, population)
            self.habits.note(name, decisions, ranges[me], held, population)
            if me in sources and decisions:
                self.habits.hand_on(name, sources[me])

    def hand_digest(self, record: HandRecord, position: int) -> bytes:
        """Of all that is learned of a player from a hand. The identity of the weights stands for them, since whoever
        holds what was learned holds them, too."""
        hole = record.hole[position] if record.hole else None
        seen = msgspec.structs.replace(record, hole=(), mucked=(), hero=None)
        content = (id(self.weights), self.population, position, hole, seen)
        return blake2b(msgspec.msgpack.encode(content), digest_size=16).digest()

    def power(self, spot: Spot) -> float:
        """The power that the player's actions count with in their reading; 1 for players who are not learned."""
        return float(self.powers(self._name(spot), spot.spec)[spot.street])

    def powers(self, name: str, spec: GameSpec) -> F64:
        """``float64[4]``: the powers of a player by street, see :meth:`power`."""
        if self.habits is None or not self._is_learned(name, spec):
            return np.ones(STREETS)
        return self.habits.powers(name)

    def source(self, name: str, spec: GameSpec) -> tuple[ReaderWeights, int, bytes | None]:
        """All that the probabilities of a player's actions come from, apart from the decisions: equal for models of a
        process that say the same. (A model that looks at ranges has no such thing.)"""
        learned = self.habits is not None and self._is_learned(name, spec)
        return self.weights, self._population(name, spec), self.habits.source(name) if learned else None  # type: ignore[union-attr]

    def save(self) -> bytes:
        """The habits of persons so far."""
        return b"" if self.habits is None else self.habits.save()

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave, with the same options.

        Raises:
            ConfigError: it is not that.
        """
        if self.habits is not None:
            self.habits.load(data)
        elif data:
            raise ConfigError(f"{len(data)} bytes of habits: this reader learns nothing (adapt=off)")

    def _is_learned(self, name: str, spec: GameSpec) -> bool:
        if real_name(name) == UNNAMED:
            return False
        if self.population is not None:
            return self.population in PEOPLE
        return has_habits(name, population_of(name, spec))

    def _population(self, name: str, spec: GameSpec) -> int:
        return population_of(name, spec) if self.population is None else self.population

    def _name(self, spot: Spot) -> str:
        return self.names.get(spot.seats[spot.position], "") if spot.seats else ""

    def group(self, spot: Spot, position: int) -> int:
        """The population of a position."""
        name = self.names.get(spot.seats[position], "") if spot.seats else ""
        return self._population(name, spot.spec)

    def taken_for(self, seat: int, spec: GameSpec) -> tuple[str, F64 | None]:
        """The population that the player of a seat is taken for, and the habits that were learned of them
        (:meth:`Habits.shifts`); None where there are none."""
        name = self.names.get(seat, "")
        population = self._population(name, spec)
        learned = self.habits is not None and self._is_learned(name, spec)
        return NAMES[population], self.habits.shifts(name, population) if learned else None  # type: ignore[union-attr]

    def probs(self, spot: Spot) -> F32:
        """P(column | hole cards), see :class:`~dupai.spots.ActionModel`."""
        probs, of = self.probs_by_kind(spot)
        return probs.take(of, axis=0)

    def probs_by_kind(self, spot: Spot) -> tuple[F32, I64]:
        """``float32[kinds, k]``: :meth:`probs` for each kind of hand once; ``int64[1326]``: the kind of each hand."""
        logits, kinds = self._by_kind(spot)
        return masked_softmax(logits, self.menu(spot).legal(spot)), kinds.of

    def probs_of(self, spot: Spot, hand: int, population: str) -> F32:
        """``float32[k]``: how members of a population act with one ``hand`` (combo index), habits left out.

        The row of :meth:`probs` of a model of that population, in a third of its time: the networks look at one hand.
        """
        legal, group = self.menu(spot).legal(spot), population_number(population)
        if self.needs_ranges or self.weights.gain(spot.street, group) != 1.0:
            logits, kinds = self._anybody(spot, group)
            return np.asarray(masked_softmax(logits[kinds.of[hand]][None], legal)[0])
        public, limit = self._public(spot)
        outputs = []
        for net in self.weights.networks(spot.street, group, limit):
            if spot.street == 0:
                row = net.hands()[COMBO_CLASS[hand]]
            else:
                known = self._board(spot.board)
                row = net.hands(known.features[known.kinds.of[hand]][None])[0]
            outputs.append(net.logits(np.ascontiguousarray(row[None]), public, group))
        mean = np.asarray(sum(outputs) / np.float32(len(outputs)), np.float32)
        return np.asarray(masked_softmax(mean[:, :3] if limit else mean, legal)[0])

    def probs_as(self, spot: Spot, population: str) -> F32:
        """``float32[1326, k]``: how members of a population act with every hand, habits left out."""
        logits, kinds = self._anybody(spot, population_number(population))
        return masked_softmax(logits, self.menu(spot).legal(spot)).take(kinds.of, axis=0)

    def logits(self, spot: Spot) -> F32:
        """``float32[1326, columns of the native menu]``, the mean over the networks, shifted for the person."""
        logits, kinds = self._by_kind(spot)
        return logits[kinds.of]

    def _by_kind(self, spot: Spot) -> tuple[F32, Kinds]:
        """:meth:`logits` for each kind of hand once, and which hands are of which kind."""
        logits, kinds = self._anybody(spot)
        return self._as_person(spot, logits), kinds

    def _as_person(self, spot: Spot, logits: F32) -> F32:
        """The logits of a person, from those of anybody in their place."""
        name = self._name(spot)
        if self.habits is None or not self._is_learned(name, spot.spec):
            return logits
        population = self._population(name, spot.spec)
        return self.habits.shifted(name, Habits.kind(spot), self._traits(spot), logits, population)

    @staticmethod
    def _public(spot: Spot) -> tuple[F32, bool]:
        """``float32[96]``: what everybody sees at a decision; and whether the game is a limit game.

        Raises:
            ConfigError: cards of the board are not known.
        """
        if len(spot.board) < BOARD_CARDS[spot.street]:
            raise ConfigError(f"{spot!r}: {len(spot.board)} cards of the board are known: expected all of them")
        limit = spot.spec.betting == "limit"
        public = np.empty(PUBLIC_SIZE, np.float32)
        board = board_array(spot.board)
        public_features_kernel(spot.rows, len(spot.rows) - 1, int(limit), board, len(spot.board), public)
        return public, limit

    def _anybody(self, spot: Spot, population: int | None = None) -> tuple[F32, Kinds]:
        """The mean of the networks of a population (None: the player's) by kind of hand; not to be changed."""
        group = self.group(spot, spot.position) if population is None else population
        public, limit = self._public(spot)
        nets = self.weights.networks(spot.street, group, limit)
        kinds = _starting() if spot.street == 0 else self._board(spot.board).kinds
        gain = self.weights.gain(spot.street, group)
        if not self.needs_ranges:
            board = _same_board(spot.board) if spot.street else None
            return _known_logits(nets, group, gain, limit, board, public.tobytes()), kinds
        outputs = [net.logits(net.hands(), public, group) for net in nets] if spot.street == 0 else None
        return _mean_logits(outputs or self._postflop(spot, nets, public, group), limit, gain, kinds), kinds

    def _traits(self, spot: Spot) -> Traits:
        """What habits may depend on, of each kind of hand."""
        return preflop_traits() if spot.street == 0 else self._board(spot.board).traits

    def _postflop(self, spot: Spot, nets: tuple[Network, ...], public: F32, group: int) -> list[F32]:
        with_ranges: tuple[F32, F32] | None = None
        outputs = []
        for net in nets:
            hands = _output(net, _same_board(spot.board), self.needs_ranges)
            if net.takes_ranges(HAND_SIZE):
                if with_ranges is None:
                    stored, more = range_features(spot)
                    expanded = np.empty((len(stored), RANGE_HAND), np.float32)
                    expand_kernel(stored, expanded)
                    with_ranges = expanded, np.concatenate((public, more))
                outputs.append(net.logits(hands + net.more(with_ranges[0]), with_ranges[1], group))
            else:
                outputs.append(net.logits(hands, public, group))
        return outputs

    def _board(self, cards: tuple[int, ...]) -> _Board:
        """What is worked out once for each board."""
        return _known_board(_same_board(cards), self.needs_ranges)


@lru_cache(maxsize=_BOARDS)
def _known_board(cards: tuple[int, ...], apart: bool) -> _Board:
    """A board by its cards; ``apart``: every hand is a kind of its own, as ranges differ even for hands that the board
    blocks."""
    features = np.empty((COMBOS, HAND_SIZE), np.float32)
    hand_features_kernel(board_table(), board_array(cards), len(cards), features)
    live = (COMBO_MASK & np.uint64(mask_of(cards))) == 0
    if apart:
        kinds = kinds_of(np.arange(COMBOS))
    else:
        of, first = np.empty((2, COMBOS), np.int64)
        first = first[: alike_kernel(features.view(np.uint64), of, first)]
        kinds, features = kinds_of(of), features[first]
    legal = np.bincount(kinds.of, live).astype(np.float64)
    return _Board(features, kinds, board_traits(features[:, 1], features[:, 3], legal))


@lru_cache(maxsize=_OUTPUTS)
def _output(net: Network, cards: tuple[int, ...], apart: bool) -> F32:
    """What a network makes of the hands of a board, for all its readers in this process."""
    return net.hands(_known_board(cards, apart).features)


@lru_cache(maxsize=_DECISIONS)
def _known_logits(
    nets: tuple[Network, ...], group: int, gain: float, limit: bool, board: tuple[int, ...] | None, public: bytes
) -> F32:
    """The mean of networks that look at no ranges, for all their readers in this process: at a table they all ask the
    same. ``board``: None before the flop."""
    seen = np.frombuffer(public, np.float32)
    kinds = _starting() if board is None else _known_board(board, False).kinds
    hands = (net.hands() if board is None else _output(net, board, False) for net in nets)
    return _mean_logits([net.logits(h, seen, group) for net, h in zip(nets, hands, strict=True)], limit, gain, kinds)


def _mean_logits(outputs: list[F32], limit: bool, gain: float, kinds: Kinds) -> F32:
    mean = np.asarray(sum(outputs) / np.float32(len(outputs)), np.float32)
    return sharpened(np.ascontiguousarray(mean[:, :3]) if limit else mean, gain, kinds.share)


def _same_board(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The board, its flop in order."""
    return (*sorted(cards[:3]), *cards[3:])


@cache
def _starting() -> Kinds:
    return kinds_of(COMBO_CLASS)


def kinds_of(of: AnyArray) -> Kinds:
    """The kinds of hands from the kind of each."""
    return Kinds(np.ascontiguousarray(of, np.int64), np.bincount(of) / len(of))
