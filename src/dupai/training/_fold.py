"""FOLD fitted: the numbers of the same model, found on hands with known cards (``dupai train fold``).

For each kind of game: twelve numbers after the flop (the ends and baselines of the intervals that are not 0 or 1; nine
in limit games, which have one size), the shares of starting hands that the kind uses, theta and the share of the
uniform distribution. Sought is the highest mean of the bits on the four streets, each street weighing the same, over
players still in the hand (the main rows of the metric, observer's view, cards of others taken as unknown, no
adaptation). The search is an evolution strategy that adapts its covariance (Hansen, "The CMA evolution strategy: a
tutorial", 2016, figure 6), in log odds of the numbers.

Fast because of two things: the chance of an action depends on the hand by its win rate alone, so it is tabulated on a
grid of win rates for each sort of decision; and win rates of boards are worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import Any, NamedTuple

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, Rng
from dupai.base.arrays import F64, U16
from dupai.cards import COMBO_MASK, NO_CARD, combo, mask_of
from dupai.reading import FORCE, fold, populations
from dupai.rules import HandRecord
from dupai.spots import NOTHING, Spot, spots
from dupai.training._kernels import fitted_bits_kernel
from dupai.training._population import LEFT_OUT, learn_population
from dupai.training._settings import FoldFitSettings

#: Places of the grid of win rates.
GRID = 1024
_BLOCKED = 65535


#: Players' hands kept for each one wanted: many were folded at once and tell nothing here.
_SPARE = 4
#: An end of an interval (or its baseline) by name; those not named stay 0 or 1.
_PASSIVE = ("fold.1", "fold.2", "check.1", "check.2", "call.0", "call.1", "call.2")
_NO_LIMIT = (*_PASSIVE, "half.0", "half.1", "half.2", "pot.0", "pot.2")
_LIMIT = (*_PASSIVE, "limit_raise.0", "limit_raise.2")
_POSITIONS = {
    "hu": ("heads_up_button", "heads_up_big_blind"),
    "6max": ("front", "middle", "rear", "blinds"),
    "limit": ("rear", "blinds", "heads_up_button", "heads_up_big_blind"),
}
_SHARES = ("three_bet", "four_bet", "limp_without")


class Played(NamedTuple):
    """A player's hand: the board of each street on which they decided something and were still in after it, and the
    decision that stands for the street."""

    truth: int
    streets: tuple[tuple[tuple[int, ...], Spot], ...]


def played(record: HandRecord, position: int) -> Played | None:
    """A player's hand as the fit uses it; None where they were never in at the end of a street on which they decided,
    or cards of the board are not known."""
    best: dict[int, tuple[int, int, Spot]] = {}
    for n, spot in enumerate(spots(record)):
        if spot.position == position and spot["did"] != NOTHING:
            this = FORCE[spot["did"]], n, spot
            best[spot.street] = max(best.get(spot.street, this), this, key=lambda b: b[:2])
    streets = []
    for street in sorted(best):
        force, _, spot = best[street]
        if force == FORCE[0]:
            break
        streets.append((tuple(spot.board), spot))
    if not streets or NO_CARD in record.hole[position]:
        return None
    return Played(combo(*record.hole[position]), tuple(streets))


class Fit:
    """Players' hands of one kind of game, ready to be scored with any constants.

    Args:
        hands: they.
        kind: ``hu``, ``6max`` or ``limit``.

    Raises:
        ConfigError: there are none.
    """

    def __init__(self, hands: Iterable[Played], kind: str) -> None:
        self.kind = kind
        self._spots: dict[tuple[Any, ...], tuple[int, Spot, int]] = {}
        model = fold.DFModel(adapt=False)
        lines: dict[tuple[int, ...], int] = {}
        first, row_of, context, truth, legal, street = [0], [], [], [], [], []
        for hand in hands:
            for board, spot in hand.streets:
                menu = model.menu(spot)
                key = (_sort(spot), tuple(menu.legal(spot).tolist()), menu.place(spot))
                row_of.append(lines.setdefault(board, len(lines)))
                context.append(self._spots.setdefault(key, (len(self._spots), spot, menu.place(spot)))[0])
                legal.append((52 - len(board)) * (51 - len(board)) / 2)
                street.append(spot.street)
            first.append(len(row_of))
            truth.append(hand.truth)
        if not truth:
            raise ConfigError(f"no hands of kind {kind!r} with known cards: nothing to fit the reader fold to")
        self._rows = np.array(first), np.array(row_of), np.array(context), np.stack([_places(b) for b in lines])
        self._truth, self._hands = np.array(truth), np.array(legal, np.float64)
        self.street = np.array(street)
        self._grid = (np.arange(GRID) + 0.5) / GRID

    def bits(self, constants: fold.FoldConstants) -> F64:
        """``float64[m]``: the bits gained on every street of every hand."""
        model = fold.DFModel(constants, adapt=False)
        table = np.empty((len(self._spots), GRID))
        for number, spot, column in self._spots.values():
            menu = model.menu(spot)
            chances = np.empty((GRID, len(menu)), np.float32)
            intervals = np.array(model.intervals(spot), np.float64)
            fold.likelihood_kernel(self._grid, intervals, menu.legal(spot), constants.theta, chances)
            table[number] = chances[:, column]
        out = np.empty(len(self.street))
        first, row_of, context, rates = self._rows
        fitted_bits_kernel(
            first, row_of, context, rates, table, self._truth, self._hands, max(constants.uniform, 1e-9), out
        )
        return out

    def by_street(self, constants: fold.FoldConstants) -> list[float]:
        """Mean bits on each street that there is."""
        bits = self.bits(constants)
        return [float(bits[self.street == k].mean()) for k in range(4) if (self.street == k).any()]

    def names(self) -> list[str]:
        """The numbers that are fitted."""
        after = _LIMIT if self.kind == "limit" else _NO_LIMIT
        return [*after, *_POSITIONS[self.kind], *_SHARES, "uniform", "theta"]


def _sort(spot: Spot) -> tuple[Any, ...]:
    """What the intervals of a decision depend on."""
    if spot.street:
        return True, spot["to_call"] > 0
    return False, spot["to_call"] > 0, min(spot["raises"], 2), _entry(spot)


def _entry(spot: Spot) -> str:
    """Which share of starting hands a decision's position enters with."""
    names = ("front", "middle", "rear", "blinds", "heads_up_button", "heads_up_big_blind")
    marked = fold.FoldConstants.of({name: float(k) for k, name in enumerate(names)})
    return names[int(fold.entry_share(marked, spot))]


@cache
def _places(board: tuple[int, ...]) -> U16:
    """``uint16[1326]``: the place of every hand's win rate on the grid."""
    rates = fold.board_rates(board) if board else fold.hand_percentiles()
    free = (COMBO_MASK & np.uint64(mask_of(board))) == 0
    places = np.full(len(rates), _BLOCKED, np.uint16)
    places[free] = np.minimum(rates[free] * GRID, GRID - 1).astype(np.uint16)
    return places


def vector_of(constants: fold.FoldConstants, names: list[str]) -> F64:
    """The numbers as the search moves them: log odds, and for theta its logarithm above 1."""
    numbers, values = [], constants.by_name()
    for name in names:
        field, _, end = name.partition(".")
        x = values[field][int(end)] if end else values[field]
        odds = min(max(x, 0.005), 0.995)
        numbers.append(np.log(x - 1.0) if name == "theta" else np.log(odds / (1 - odds)))
    return np.array(numbers)


def constants_of(vector: F64, names: list[str]) -> fold.FoldConstants:
    """Constants from the search's numbers; an interval whose ends have changed places is turned round."""
    fields, paper = dict[str, Any](), fold.PAPER_CONSTANTS.by_name()
    for name, x in zip(names, np.clip(vector, -12, 12).tolist(), strict=True):
        field, _, end = name.partition(".")
        value: Any = round(1.0 + float(np.exp(x)), 3) if name == "theta" else round(1 / (1 + float(np.exp(-x))), 5)
        if end:
            numbers = list(fields.get(field, paper[field]))
            numbers[int(end)] = value
            value = fold.WinRateInterval(*numbers)
        fields[field] = value
    for field, value in fields.items():
        if isinstance(value, fold.WinRateInterval) and value.low > value.high:
            fields[field] = fold.WinRateInterval(value.high, value.low, value.baseline)
    return fold.FoldConstants.of(fields)


def fit_constants(
    fit: Fit, *, rounds: int = 250, seed: int = 1, theta: float = 15.0, progress: Progress | None = None
) -> tuple[fold.FoldConstants, float]:
    """The constants with the highest mean of the streets' bits, and that mean.

    Args:
        fit: the hands.
        rounds: generations of the search.
        seed: of the search.
        theta: where it begins.
        progress: cancelling ends the search with what it has.
    """
    names = fit.names()
    start = vector_of(msgspec.structs.replace(fold.PAPER_CONSTANTS, theta=theta, uniform=0.05), names)

    def value(vector: F64) -> float:
        constants = constants_of(vector, names)
        # Far away nothing changes any more: keep the search where numbers mean something.
        return float(np.mean(fit.by_street(constants))) - 1e-3 * float(np.maximum(np.abs(vector) - 6, 0).sum())

    best, most = evolve(value, start, 0.3, rounds=rounds, seed=seed, progress=progress)
    return constants_of(best, names), most


def evolve(
    value: Callable[[F64], float],
    start: F64,
    step: float,
    *,
    rounds: int,
    seed: int = 1,
    progress: Progress | None = None,
) -> tuple[F64, float]:
    """The highest point found of a function by CMA-ES, and its value.

    Args:
        value: the function of ``float64[n]``.
        start: where the search begins, with steps of size ``step`` in every direction.
        rounds: generations of 4 + 3 log n points.
        seed: of the search.
        progress: cancelling ends the search with what it has.
    """
    look = progress or NoProgress()
    n = len(start)
    rng = np.random.default_rng(seed)
    count = 4 + int(3 * np.log(n))
    weights = np.log(count / 2 + 0.5) - np.log(np.arange(1, count // 2 + 1))
    weights /= weights.sum()
    mass = 1 / (weights**2).sum()
    c_step, c_path = (mass + 2) / (n + mass + 5), (4 + mass / n) / (n + 4 + 2 * mass / n)
    c_one = 2 / ((n + 1.3) ** 2 + mass)
    c_many = min(1 - c_one, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))
    damp = 1 + 2 * max(0.0, ((mass - 1) / (n + 1)) ** 0.5 - 1) + c_step
    usual = n**0.5 * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, cov = start.astype(np.float64), np.eye(n)
    path_step, path = np.zeros(n), np.zeros(n)
    best, most = mean, value(mean)
    for generation in range(rounds):
        look.report(generation, rounds, f"{most:.3f} bits")
        if look.cancelled:
            break
        eigen, axes = np.linalg.eigh(cov)
        scale = np.sqrt(np.maximum(eigen, 1e-14))
        moves = np.array([axes @ (scale * rng.standard_normal(n)) for _ in range(count)])
        values = np.array([value(mean + step * move) for move in moves])
        order = np.argsort(-values)
        if values[order[0]] > most:
            best, most = mean + step * moves[order[0]], float(values[order[0]])
        chosen = moves[order[: len(weights)]]
        move = weights @ chosen
        mean = mean + step * move
        path_step = (1 - c_step) * path_step + (c_step * (2 - c_step) * mass) ** 0.5 * (axes @ (axes.T @ move / scale))
        length = float(np.linalg.norm(path_step))
        calm = length / (1 - (1 - c_step) ** (2 * (generation + 1))) ** 0.5 < (1.4 + 2 / (n + 1)) * usual
        path = (1 - c_path) * path + calm * (c_path * (2 - c_path) * mass) ** 0.5 * move
        cov = (
            (1 - c_one - c_many) * cov
            + c_one * (np.outer(path, path) + (not calm) * c_path * (2 - c_path) * cov)
            + c_many * np.einsum("i,ij,ik->jk", weights, chosen, chosen)
        )
        step *= float(np.exp(c_step / damp * (length / usual - 1)))
    return best, most


class _Sample:
    """Players' hands of every group, drawn at random (reservoir sampling)."""

    def __init__(self, most: int, seed: int) -> None:
        self.most = most
        self._rng, self._seed = Rng(seed), seed
        self._kept: dict[tuple[str, str], list[tuple[HandRecord, int]]] = {}
        self._met: dict[tuple[str, str], int] = {}

    def add(self, record: HandRecord) -> None:
        for position, key in _groups(record):
            pile = self._kept.setdefault(key, [])
            self._met[key] = self._met.get(key, 0) + 1
            if len(pile) < _SPARE * self.most:
                pile.append((record, position))
            elif (at := self._rng.below(self._met[key])) < len(pile):
                pile[at] = record, position

    def by_kind(self) -> dict[str, list[Played]]:
        """For each group up to the number needed of players' hands that were live at the end of a street."""
        by_kind: dict[str, list[Played]] = {}
        for key, pile in sorted(self._kept.items()):
            kind, _ = key
            # The first files filled the front of the pile: without an order drawn anew it would be read first.
            order = np.random.default_rng((self._seed, *" ".join(key).encode())).permutation(len(pile))
            hands = (hand for k in order if (hand := played(*pile[k])) is not None)
            by_kind.setdefault(kind, []).extend(islice(hands, self.most))
        return by_kind


def _groups(record: HandRecord) -> Iterator[tuple[int, tuple[str, str]]]:
    """Positions whose hands are used, with kind of game and group. Where cards of players dealt in are not known, the
    known ones were shown: another sort of hands, left out."""
    if any(NO_CARD in two for two in record.hole):
        return
    for position in range(record.spec.players):
        group = populations.of(record.names[position] if record.names else "", record.spec)
        if group not in populations.EXPLOITERS:
            yield position, (fold.game_kind(record.spec), populations.NAMES[group])


def learn_fold(
    hands: Iterable[tuple[str, HandRecord]],
    settings: FoldFitSettings | None = None,
    *,
    about: dict[str, Any] | None = None,
    progress: Progress | None = None,
) -> fold.FoldFile:
    """Fit the constants for each kind of game, and the populations that players are compared with.

    Args:
        hands: each with its part, ``train`` or ``validation``. Training hands are fitted to, validation hands choose
            between the searches (where there are none, the training hands do).
        about: kept with the result.
        progress: cancelling ends the searches with what they have.

    Raises:
        ConfigError: no training hands with known cards.
    """
    settings = settings or FoldFitSettings()
    samples = {part: _Sample(settings.most, settings.seed) for part in ("train", "validation")}
    other: dict[str, list[HandRecord]] = {}

    def no_limit() -> Iterator[HandRecord]:
        for part, record in hands:
            samples[part].add(record)
            if part != "train" or not LEFT_OUT.isdisjoint(record.names):
                continue
            if record.spec.betting == "no-limit":
                yield record
            else:
                other.setdefault(record.spec.betting, []).append(record)

    records = no_limit()
    first = next(records, None)
    populations = {} if first is None else {"no-limit": learn_population(chain([first], records), {"part": "train"})}
    populations |= {betting: learn_population(those, {"part": "train"}) for betting, those in other.items()}
    chosen: dict[str, fold.FoldConstants] = {}
    bits: dict[str, dict[str, Any]] = {}
    validation = samples["validation"].by_kind()
    for kind, those in samples["train"].by_kind().items():
        if not those:
            continue
        fit = Fit(those, kind)
        judges = validation.get(kind)
        judge = Fit(judges, kind) if judges else fit
        fitted = [
            fit_constants(
                fit, rounds=settings.rounds, seed=settings.seed + k, theta=(15.0, 40.0)[k % 2], progress=progress
            )[0]
            for k in range(settings.searches)
        ]
        best = max(fitted, key=lambda c: float(np.mean(judge.by_street(c))))
        chosen[kind] = msgspec.structs.replace(best, trust=settings.trust)
        tried = {f"search {k + 1}": c for k, c in enumerate(fitted)}
        bits[kind] = {"hands": len(those)}
        scores = [("train", fit, {"fitted": best}), ("validation", judge, tried)]
        for part, scored, by_name in scores if judges else scores[:1]:
            for name, constants in ({"paper": fold.PAPER_CONSTANTS} | by_name).items():
                bits[kind][f"{part} {name}"] = [round(x, 4) for x in scored.by_street(constants)]
    if not chosen:
        raise ConfigError("no hands of the training part with all cards known: nothing to fit the reader fold to")
    return fold.FoldFile(about={**(about or {}), "bits": bits}, constants=chosen, populations=populations)
