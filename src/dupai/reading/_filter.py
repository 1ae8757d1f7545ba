"""The one Bayes filter: a reader from any action model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.cards import COMBO_MASK, COMBOS, NO_CARD, mask_of
from dupai.reading._joint import joint_marginals
from dupai.reading._reading import Reading
from dupai.rules import HandRecord, View
from dupai.spots import NOTHING, ActionModel, Spot, spots

F64 = npt.NDArray[np.float64]


class Prior(Protocol):
    """What a player holds before he has acted."""

    def weights(self, view: View, position: int) -> F64:
        """``float64[1326]``, at least 0, not all 0. Only what stands before the first action may be used."""
        ...


def legal_hands(view: View, position: int) -> npt.NDArray[np.bool_]:
    """``bool[1326]``: the hands that ``position`` can hold as the viewer sees it: no open board card, no seen hole card
    of anybody else."""
    seen = list(view.board)
    for i in range(view.spec.players):
        if i != position:
            seen += [c for c in view.hole_of(i) if c != NO_CARD]
    return np.asarray((COMBO_MASK & np.uint64(mask_of(seen))) == 0)


def asked_positions(view: View, seats: Sequence[int] | None) -> list[int]:
    """Positions of the seats that a reader is asked for (None: all who have not folded, but the viewer).

    Raises:
        ConfigError: a seat was not dealt in, or is the viewer's own.
    """
    if seats is None:
        return [i for i in range(view.spec.players) if i != view.position and not view.folded[i]]
    positions = []
    for seat in seats:
        if seat not in view.seats:
            raise ConfigError(
                f"seat {seat} was not dealt in: expected one of {', '.join(map(str, sorted(view.seats)))}"
            )
        position = view.seats.index(seat)
        if position == view.position:
            raise ConfigError(f"seat {seat} is the viewer's own: its cards are known, there is nothing to read")
        positions.append(position)
    return positions


class _Step(NamedTuple):
    """A decision that has been seen: what was done there, and the chance of it with each hand (None: not asked yet)."""

    position: int
    did: int
    to: int
    board: tuple[int, ...]
    factor: F64 | None

    def is_of(self, spot: Spot) -> bool:
        return (self.position, self.did, self.to, self.board) == (spot.position, spot["did"], spot["to"], spot.board)


class Filter:
    """The reader that an :class:`~dupai.spots.ActionModel` makes: at every decision of a player the weight of each hand
    is multiplied by the chance that this hand would have acted so (FOLD, eq. 9-17).

    What the betting says is public, so it is worked out once for all positions and kept: a later view of the same hand
    goes on from there. The viewer's own cards only take hands out.

    Args:
        model: how players act.
        prior: hands before the first action; default: all equally likely.
        uniform: share of the uniform distribution mixed into every reading: no reader is that sure.
        actions: ``"each"``: every decision counts; ``"strongest"``: of a street only the player's most aggressive one
            (FOLD, section 1).
        joint: whether the readings of all players dealt in are made consistent with each other: nobody holds a card
            that another holds (:func:`joint_marginals`). Folded hands matter too: their cards are not in the deck.

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
            raise ConfigError(f"uniform={uniform}: expected a share of at least 0 and below 1")
        if actions not in ("each", "strongest"):
            raise ConfigError(f"actions={actions!r}: expected 'each' or 'strongest'")
        self.model = model
        self.prior = prior
        self.uniform = uniform
        self.actions = actions
        self.joint = joint
        self._key: object = None
        self._steps: list[_Step] = []
        self._start: F64 = np.empty((0, COMBOS))

    # reading -----------------------------------------------------------------------------------------------------

    def read(self, view: View, seats: Sequence[int] | None = None) -> Mapping[int, Reading]:
        positions = asked_positions(view, seats)
        wanted = positions
        if self.joint:
            wanted = [i for i in range(view.spec.players) if NO_CARD in view.hole_of(i) or i in positions]
        weights = self._weights(view, wanted)
        read = np.zeros_like(weights)
        for i in wanted:
            legal = legal_hands(view, i)
            read[i] = self._mixed(np.where(legal, weights[i], 0.0), legal)
        if self.joint and len(wanted) > 1:
            read[wanted] = joint_marginals(read[wanted])
        return {view.seats[i]: Reading(read[i]) for i in positions}

    def _mixed(self, weights: F64, legal: npt.NDArray[np.bool_]) -> F64:
        total = weights.sum()
        even = legal / legal.sum()
        return np.asarray(even if not total > 0 else (1 - self.uniform) * weights / total + self.uniform * even)

    def weights(self, view: View) -> F64:
        """What the betting alone says of every position, ``float64[players, 1326]``, rows sum to 1; cards are not taken
        out, uniform is not mixed in."""
        return self._weights(view, range(view.spec.players))

    def _weights(self, view: View, wanted: Sequence[int]) -> F64:
        """:meth:`weights` of the ``wanted`` positions; what others did is worked out only if somebody asks for them
        later (nobody asks for the viewer's own hands) or the model looks at everybody's range."""
        told = [spot for spot in spots(view) if spot["did"] != NOTHING]
        self._recall(view, told)
        current = self._start.copy()
        for i, spot in enumerate(told):
            if i == len(self._steps):
                self._steps.append(_Step(spot.position, spot["did"], spot["to"], spot.board, None))
            factor = self._steps[i].factor
            if factor is None:
                if not self.model.needs_ranges and spot.position not in wanted:
                    continue
                if self.model.needs_ranges:
                    spot.ranges = current
                factor = self._factor(spot)
                self._steps[i] = self._steps[i]._replace(factor=factor)
            current[spot.position] = _times(current[spot.position], factor)
        return self._strongest(told) if self.actions == "strongest" else current

    def _factor(self, spot: Spot) -> F64:
        """What a decision says of each hand: the chance that it would have acted so, ``float64[1326]``."""
        return self.model.probs(spot)[:, self.model.menu(spot).place(spot)].astype(np.float64)

    def _recall(self, view: View, told: list[Spot]) -> None:
        """Keep the steps of the last view if this one goes on from there, else begin anew."""
        key = (view.spec, view.start_stacks, view.hand, view.seats)
        if (
            key == self._key
            and len(self._steps) <= len(told)
            and all(step.is_of(spot) for step, spot in zip(self._steps, told, strict=False))
        ):
            return
        self._key, self._steps = key, []
        self._start = np.stack([self._prior(view, i) for i in range(view.spec.players)])

    def _prior(self, view: View, position: int) -> F64:
        if self.prior is None:
            return np.full(COMBOS, 1 / COMBOS)
        w = np.asarray(self.prior.weights(view, position), np.float64)
        return np.asarray(w / w.sum())

    def _strongest(self, told: list[Spot]) -> F64:
        """Only the most aggressive action of each player and street (a later one of the same kind stands for it)."""
        best: dict[tuple[int, int], tuple[int, int]] = {}
        for i, spot in enumerate(told):
            place = (spot.position, spot.street)
            best[place] = max(best.get(place, (-1, -1)), (_FORCE[spot["did"]], i))
        current = self._start.copy()
        for (position, _), (_, i) in best.items():
            factor = self._steps[i].factor
            if factor is not None:
                current[position] = _times(current[position], factor)
        return current

    # learning ----------------------------------------------------------------------------------------------------

    def meet(self, names: Mapping[int, str]) -> None:
        self._key = None
        self.model.meet(names)

    def observe(self, record: HandRecord) -> None:
        self._key = None  # the model may think otherwise now
        self.model.observe(record)

    def save(self) -> bytes:
        """What the model has learned of players so far (nothing for models that do not learn)."""
        keep = getattr(self.model, "save", None)
        return keep() if callable(keep) else b""

    def load(self, data: bytes) -> None:
        """Go on from what :meth:`save` gave, with the same options.

        Raises:
            ConfigError: it is not that of a reader of this kind.
        """
        self._key = None
        take = getattr(self.model, "load", None)
        if callable(take):
            take(data)
        elif data:
            raise ConfigError(f"{len(data)} bytes are not what this reader has learned: it learns nothing")


#: Fold, check, call, bet, raise by how much they say; folding ends the hand and says it all.
_FORCE = (5, 0, 1, 2, 3)


def _times(weights: F64, factor: F64) -> F64:
    product = weights * factor
    total = product.sum()
    # An action that the model holds impossible with every hand teaches nothing.
    return product / total if total > 0 else weights
