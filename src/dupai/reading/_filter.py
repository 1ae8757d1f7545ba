"""The one Bayes filter: a reader from any action model, and readings that respect each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, Option
from dupai.base.arrays import F64, AnyArray, Bool
from dupai.cards import COMBO_CARDS, COMBO_MASK, COMBOS, NO_CARD, mask_of
from dupai.reading._kernels import messages_kernel, pair_mass_kernel, triple_mass_kernel
from dupai.reading._protocol import Saveable, can_save
from dupai.reading._reading import Reading
from dupai.rules import GameSpec, HandRecord, View
from dupai.spots import NOTHING, ActionModel, Spot, spots

#: Rounds of messages for four players and more: what a further round changes is far below a reading's own error.
_ROUNDS = 4
#: Masses below this share of the total are what rounding leaves of 0.
_ROUNDING = 1e-13
#: Options that readers share.
Uniform = Annotated[float, Option("share of the uniform distribution in a reading", 0.0, 0.99)]
Joint = Annotated[bool, Option("whether readings respect that no two players hold the same card")]


def joint_marginals(weights: npt.ArrayLike) -> F64:
    """Marginals of independent readings under the condition that no card is held twice.

    The joint probability of hands ``h_1 .. h_n`` is proportional to the product of ``weights[i, h_i]`` where all 2n
    cards differ, else 0. Exact for up to three players.

    For more, belief propagation: each player's weights are multiplied by the chance that each other player holds
    neither card. What player j says to player i rests on everybody but i. Otherwise i's own cards would come back to i
    and count twice.

    Args:
        weights: ``float64[n, 1326]``, each row of at least 0, not all 0.

    Returns:
        ``float64[n, 1326]``, rows sum to 1.

    Raises:
        ConfigError: a row is all 0, or the hands cannot be dealt together (with four players and more: as far as the
            approximation sees it).
    """
    w = np.ascontiguousarray(weights, np.float64)
    if w.ndim != 2 or w.shape[1] != COMBOS:
        raise ConfigError(f"joint readings: expected weights of shape [n, {COMBOS}], got {list(w.shape)}")
    total = w.sum(axis=1, keepdims=True)
    if not (np.isfinite(total).all() and (total > 0).all() and w.min(initial=0.0) >= 0):
        raise ConfigError("joint readings: every player needs weights of at least 0, not all 0")
    w = np.asarray(w / total)
    n = len(w)
    if n == 1:
        return np.asarray(w)
    if n > 3:
        return _propagated(w)
    out = np.empty_like(w)
    for i in range(n):
        if n == 2:
            pair_mass_kernel(w[1 - i], out[i])
        else:
            triple_mass_kernel(w[(i + 1) % 3], w[(i + 2) % 3], COMBO_CARDS, w[i], out[i])
    out[out < _ROUNDING] = 0.0
    return _normalised(w * out)


def made_consistent(rows: F64, live: Bool, *, apart: bool) -> F64:
    """Readings that respect that no card is held twice.

    Args:
        rows: ``float64[n, 1326]``.
        live: ``bool[n]``: the players who may yet show a hand.
        apart: whether the hands of live players are drawn from the rows, and drawn again where two share a card. Then a
            live player's row respects only the players who are out: the draws see to the rest, and it must not count
            twice.
    """
    if len(rows) < 2:
        return rows
    if not apart:
        return joint_marginals(rows)
    out = rows.copy()
    for i in np.flatnonzero(live):
        chosen = ~live
        chosen[i] = True
        if chosen.sum() > 1:
            out[i] = joint_marginals(rows[chosen])[chosen[:i].sum()]
    return out


def _propagated(w: F64) -> F64:
    """:func:`joint_marginals` for any number of players, approximated; rows of ``w`` sum to 1."""
    free = np.empty_like(w)
    messages_kernel(w, _ROUNDS + 1, _ROUNDING, free)
    return _normalised(w * free)


def _normalised(w: F64) -> F64:
    total = w.sum(axis=1, keepdims=True)
    if not (total > 0).all():
        raise ConfigError("joint readings: these hands cannot be held together, every combination shares a card")
    return np.asarray(w / total)


#: Fold, check, call, bet, raise by how much they say about the hand; a fold ends the hand and says most.
FORCE = (5, 0, 1, 2, 3)


class Prior(Protocol):
    """What a player holds before the first action."""

    def weights(self, view: View, position: int) -> F64:
        """``float64[1326]``, at least 0, not all 0. It may depend only on what stands before the first action."""


def possible_hands(cards: Sequence[int]) -> Bool:
    """``bool[1326]``: the hands that hold none of ``cards``."""
    return np.asarray((COMBO_MASK & np.uint64(mask_of(cards))) == 0)


def legal_hands(view: View, position: int) -> Bool:
    """``bool[1326]``: the hands that ``position`` can hold as the viewer sees it: no open board card, and no hole card
    of anybody else that the viewer sees."""
    others = (view.hole_of(i) for i in range(view.spec.players) if i != position)
    return possible_hands([*view.board, *(c for two in others for c in two if c != NO_CARD)])


def asked_positions(view: View, seats: Sequence[int] | None) -> list[int]:
    """Positions of the seats that a reader is asked for (None: all players who have not folded, except the viewer).

    Raises:
        ConfigError: a seat was not dealt in, or is the viewer's own.
    """
    if seats is None:
        return [i for i in range(view.spec.players) if i != view.position and not view.folded[i]]
    for seat in seats:
        if seat not in view.seats:
            dealt = ", ".join(map(str, sorted(view.seats)))
            raise ConfigError(f"seat {seat} was not dealt in: expected one of {dealt}", key="seats")
        if view.seats.index(seat) == view.position:
            raise ConfigError(
                f"seat {seat} is the viewer's own: its cards are known, there is nothing to read", key="seats"
            )
    return [view.seats.index(seat) for seat in seats]


def posterior(prior: F64, likelihood: AnyArray) -> F64:
    """Bayes' rule over hands (FOLD, eq. 9): the normalised product of ``prior`` and ``likelihood``, both ``[1326]``.

    An action that the model holds impossible with every hand teaches nothing: then the prior comes back unchanged.
    """
    product = prior * likelihood
    total = product.sum()
    return np.asarray(product / total) if total > 0 else prior


def unblocked(weights: F64, cards: Sequence[int]) -> F64:
    """A range without the hands that hold one of ``cards``, normalised; unchanged where nothing would be left."""
    return posterior(weights, possible_hands(cards)) if cards else weights


def mixed(weights: F64, legal: Bool, share: float) -> F64:
    """``weights`` (``float64[1326]``) normalised over the legal hands, with a ``share`` of the uniform distribution
    over these mixed in; uniform where all weights are 0."""
    even = legal / legal.sum()
    weights = np.where(legal, weights, 0.0)
    total = weights.sum()
    return np.asarray((1 - share) * weights / total + share * even if total > 0 else even)


class _Step(NamedTuple):
    """A decision that has been seen: what was done there, and its likelihood by hand (None: not worked out yet)."""

    position: int
    did: int
    to: int
    board: tuple[int, ...]
    likelihood: F64 | None

    def is_of(self, spot: Spot) -> bool:
        return self[:4] == (spot.position, spot["did"], spot["to"], spot.board)


class ReadsTogether:
    """Reads by rows of weights, which respect each other where ``joint``."""

    joint: bool

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        return self._read(view, asked_positions(view, seats))

    def read_apart(self, view: View) -> Mapping[int, Reading]:
        return self._read(view, asked_positions(view, None), apart=True)

    def _read(self, view: View, asked: list[int], *, apart: bool = False) -> Mapping[int, Reading]:
        positions = asked
        if self.joint:
            positions = [i for i in range(view.spec.players) if NO_CARD in view.hole_of(i) or i in asked]
        rows = self._rows(view, positions)
        if self.joint:
            rows = made_consistent(rows, np.isin(positions, asked), apart=apart)
        return {view.seats[i]: Reading(row) for i, row in zip(positions, rows, strict=True) if i in asked}

    def _rows(self, view: View, positions: list[int]) -> F64:
        """``float64[positions, 1326]``: the reading of each by itself."""
        raise NotImplementedError


class Filter(ReadsTogether):
    """The reader that an :class:`~dupai.spots.ActionModel` makes: each decision of a player multiplies the weight of
    every hand by the probability that this hand would have acted so (FOLD, eq. 9-17).

    What the betting says is public, so it is worked out once for all positions and kept: a later view of the same hand
    continues from there. The viewer's own cards only remove hands.

    A filter is :class:`~dupai.reading.Saveable` if its model is (:attr:`saves`).

    Args:
        model: how players act.
        prior: hands before the first action; default: all equally likely.
        uniform: share of the uniform distribution mixed into every reading.
        actions: ``"each"``: every decision counts; ``"strongest"``: only the player's most aggressive action of each
            street (FOLD, section 1).
        joint: whether the readings of all players dealt in are made consistent with each other, so that nobody holds a
            card that another holds (:func:`joint_marginals`). Folded hands matter too: their cards are not in the deck.

    Raises:
        ConfigError: ``uniform`` is not in [0, 1).
    """

    def __init__(
        self,
        model: ActionModel,
        prior: Prior | None = None,
        *,
        uniform: float = 0.01,
        actions: Literal["each", "strongest"] = "each",
        joint: bool = True,
    ) -> None:
        if not 0 <= uniform < 1:
            raise ConfigError(f"uniform={uniform}: expected a share of at least 0 and below 1", key="uniform")
        if actions not in ("each", "strongest"):
            raise ConfigError(f"actions={actions!r}: expected 'each' or 'strongest'", key="actions")
        self.model, self.prior = model, prior
        self.uniform, self.actions, self.joint = uniform, actions, joint
        self._key: object = None
        self._steps: list[_Step] = []
        self._start: F64 = np.empty((0, COMBOS))

    # reading -----------------------------------------------------------------------------------------------------

    def _rows(self, view: View, positions: list[int]) -> F64:
        weights, share = self._weights(view, positions), self.uniform_share(view.spec)
        return np.array([mixed(weights[i], legal_hands(view, i), share) for i in positions])

    def uniform_share(self, spec: GameSpec) -> float:
        """The share of the uniform distribution in readings of a game."""
        return self.uniform

    def weights(self, view: View) -> F64:
        """What the betting alone says about every position, ``float64[players, 1326]``, rows sum to 1. Blocked hands
        are not removed and nothing uniform is mixed in."""
        return self._weights(view, range(view.spec.players))

    def _weights(self, view: View, positions: Sequence[int]) -> F64:
        """:meth:`weights` of some positions. The decisions of others are worked out only when they are asked for
        (nobody asks for the viewer's own hand), or when the model looks at every player's range."""
        decisions = [spot for spot in spots(view) if spot["did"] != NOTHING]
        self._recall(view, decisions)
        current = self._start.copy()
        for i, spot in enumerate(decisions):
            if i == len(self._steps):
                self._steps.append(_Step(spot.position, spot["did"], spot["to"], spot.board, None))
            likelihood = self._steps[i].likelihood
            if likelihood is None:
                if not self.model.needs_ranges and spot.position not in positions:
                    continue
                if self.model.needs_ranges:
                    spot.ranges = current
                likelihood = self._likelihood(spot)
                self._steps[i] = self._steps[i]._replace(likelihood=likelihood)
            current[spot.position] = posterior(current[spot.position], likelihood)
        return self._strongest(decisions) if self.actions == "strongest" else current

    def _likelihood(self, spot: Spot) -> F64:
        """The probability of what was done with each hand, ``float64[1326]``."""
        return self.model.probs(spot)[:, self.model.menu(spot).place(spot)].astype(np.float64)

    def _recall(self, view: View, decisions: list[Spot]) -> None:
        """Keep the steps of the last view if this one continues it, else start again."""
        key = (view.spec, view.start_stacks, view.hand, view.seats)
        if (
            key == self._key
            and len(self._steps) <= len(decisions)
            and all(step.is_of(spot) for step, spot in zip(self._steps, decisions, strict=False))
        ):
            return
        self._key, self._steps = key, []
        self._start = np.full((view.spec.players, COMBOS), 1 / COMBOS)
        if self.prior is not None:
            for i, row in enumerate(self._start):
                weights = np.asarray(self.prior.weights(view, i), np.float64)
                row[:] = weights / weights.sum()

    def _strongest(self, decisions: list[Spot]) -> F64:
        """Only the most aggressive action of each player and street (of several equal ones the last)."""
        best: dict[tuple[int, int], tuple[int, int]] = {}
        for i, spot in enumerate(decisions):
            place = (spot.position, spot.street)
            best[place] = max(best.get(place, (-1, -1)), (FORCE[spot["did"]], i))
        current = self._start.copy()
        for (position, _), (_, i) in best.items():
            likelihood = self._steps[i].likelihood
            if likelihood is not None:
                current[position] = posterior(current[position], likelihood)
        return current

    # learning ----------------------------------------------------------------------------------------------------

    def meet(self, names: Mapping[int, str]) -> None:
        self._key = None
        self.model.meet(names)

    def observe(self, record: HandRecord) -> None:
        self._key = None  # the model may have changed its mind
        self.model.observe(record)

    @property
    def saves(self) -> bool:
        """Whether its model can be saved: what it learns is what its model learns."""
        return can_save(self.model)

    def save(self) -> bytes:
        """What its model has learned."""
        return cast(Saveable, self.model).save()

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` returned, with the same options.

        Raises:
            ConfigError: the data were not saved by a reader of this kind.
        """
        self._key = None
        cast(Saveable, self.model).load(data)
