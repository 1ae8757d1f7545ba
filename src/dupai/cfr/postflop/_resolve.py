"""Solve a part of a spot again, from one node, with the ranges and values that a first solution gives there.

There are four ways to treat the opponent of the player who solves again. *Unsafe*: the opponent's range is fixed
(fast, but the opponent may have reached the node with another one). *Safe* (CFR-D, Burch, Johanson & Bowling 2014,
AAAI, section 4): before the subgame the opponent chooses for each hand between playing it and taking the value that it
had. A strategy that makes the opponent indifferent costs no more than the first solution did. *Maxmargin* (Moravčík et
al. 2016, AAAI, section 4): the opponent chooses the hand that gains most over those values, so the solver makes the
least margin as large as possible. *Weighted* (ours): as safe, but hands count by the range that the opponent is thought
to have, together with some weight for all others, and a share of that range plays in any case. Where no strategy keeps
every hand at its value, as after a coarser solution, max-margin lets all hands gain as much as the one that gains most;
here the hands that the opponent is likely to hold gain little, and unlikely ones more. For the share that plays, a
little safety is given up.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import F64, I16, ConfigError, Progress
from dupai.cards import COMBOS
from dupai.cfr.postflop._boards import VALUES_ALIKE, tells_suits_apart
from dupai.cfr.postflop._kernels import passes
from dupai.cfr.postflop._node import SpotNode, hand_values
from dupai.cfr.postflop._parts import last_useful
from dupai.cfr.postflop._solver import SpotSolver
from dupai.cfr.postflop._spot import PLAYERS, SolveSpot
from dupai.ranges import Range

SAFE_METHODS = ("safe", "maxmargin", "weighted")
METHODS = ("unsafe", *SAFE_METHODS)
#: Weighted: the share of the range that plays in any case, and the weight of all hands together, spread evenly, beside
#: that of the range where hands choose. A share, not a floor by hand: a thousand small floors outweigh a narrow range.
_FORCED, _EVENLY = 0.2, 0.5


class Subgame(NamedTuple):
    """Result of :func:`resolve_subgame`.

    Attributes:
        solver: the subgame, solved; its paths begin at the node.
        player: the player who solved again. hands: combos of the opponent.
        values: what each of the opponent's hands was worth, in chips won less half the starting pot, summed over the
            player's reach (nan: unknown). best: the same for the opponent's best response to the new strategy.
    """

    solver: SpotSolver
    player: int
    hands: I16
    values: F64
    best: F64

    @property
    def margins(self) -> F64:
        """How much each hand of the opponent loses against the new strategy (chips a hand met); if none is below 0, the
        re-solve is safe."""
        q = 1 - self.player
        met = self.solver.meets[q]
        margins: F64 = (self.values - self.best) / np.where(met > 1e-12, met, np.nan)
        return margins


class _Choice:
    def __init__(self, player: int, values: F64, possible: F64) -> None:
        self.player = player
        self._values = values
        self._possible = possible
        self._regrets = np.zeros(len(values))
        self._play = np.zeros(len(values))
        self._share: F64 = np.zeros(len(values))


class SafeGadget(_Choice):
    """Each hand either plays or takes its value."""

    def reach(self) -> F64:
        plays, takes = np.maximum(self._play, 0), np.maximum(self._regrets, 0)
        total = plays + takes
        self._share = np.where(total > 0, plays / np.where(total > 0, total, 1), 0.5)
        return self._share * self._possible

    def update(self, values: F64, alpha: float) -> None:
        mixed = self._share * values + (1 - self._share) * self._values
        for regrets, value in ((self._play, values), (self._regrets, self._values)):
            regrets *= np.where(regrets > 0, alpha, 0.5)
            regrets += value - mixed


class WeightedGadget(SafeGadget):
    """Each hand plays or takes its value, and counts by its weight in the opponent's range and an even share of
    ``_EVENLY``; ``_FORCED`` of the range plays in any case, as do hands without a value."""

    def __init__(self, player: int, values: F64, possible: F64, weights: F64) -> None:
        super().__init__(player, values, possible)
        self._range = weights / max(float(weights.max()), 1e-300)
        self._choosing = self._range + _EVENLY * float(self._range.sum()) / max(float(possible.sum()), 1.0)

    def reach(self) -> F64:
        chosen = super().reach()
        plays = _FORCED * self._range + (1 - _FORCED) * self._choosing * chosen
        return np.where(self._possible > 0, plays, self._range)


class MaxmarginGadget(_Choice):
    """The opponent chooses the hand that gains most over its value."""

    def reach(self) -> F64:
        gains = np.maximum(self._regrets, 0)
        total = float(gains.sum())
        self._share = gains / total if total > 0 else self._possible / self._possible.sum()
        # all hands together keep their weight, so that regrets keep their size
        return self._share * float(self._possible.sum())

    def update(self, values: F64, alpha: float) -> None:
        gain = np.where(self._possible > 0, values - self._values, -np.inf)
        finite = np.where(np.isfinite(gain), gain, 0.0)
        mixed = float(self._share @ finite)
        self._regrets *= np.where(self._regrets > 0, alpha, 0.5)
        self._regrets += np.where(self._possible > 0, finite - mixed, 0.0)


def resolve_subgame(
    solver: SpotSolver,
    path: str,
    *,
    method: str = "safe",
    player: int | None = None,
    spot: SolveSpot | None = None,
    ranges: tuple[npt.ArrayLike, npt.ArrayLike] | None = None,
    values: npt.ArrayLike | None = None,
    target: float = 0.003,
    iterations: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Subgame:
    """Solve the subgame at a node again for one player.

    Args:
        solver: the first solution. path: the node.
        method: ``unsafe``, ``safe``, ``maxmargin`` or ``weighted``.
        player: the player who solves again (None: the one who acts there).
        spot: another spot to take sizes from (None: the same sizes); its board, ranges and money are not used.
        ranges: ``float[1326]`` reach of both players there (None: from the first solution). Their scale does not
            matter. Hands of the opponent that meet none in the first solution have no value there: they are not
            protected.
        values: ``float[1326]`` value of each of the opponent's hands there, in chips of the pot as in
            :attr:`SpotNode.ev` (None: what the opponent's best response to the first solution wins).
        target: stop at this exploitability (unsafe). iterations: for the others (None: 1000).

    Raises:
        ConfigError: no such node, method or player, no hand reaches the node, or the solution has locks (what is locked
            there would be free here).
    """
    if method not in METHODS:
        message = f"unknown method {method!r}: expected one of {', '.join(METHODS)}"
        raise ConfigError(message, key="method", text=method)
    if player not in (None, 0, 1):
        raise ConfigError(f"player = {player!r}: expected 0 (out of position), 1 or None", key="player")
    if solver.locks:
        raise ConfigError("a solution with locks cannot be solved again from a node: what is locked would be free")
    node = SpotNode(solver, path)
    if node.player is None:
        raise ConfigError(f"{path!r}: nobody acts there, so there is nothing to solve", key="path")
    me = node.player if player is None else player
    level = solver.levels[node.place.level]
    state = level.forest.states[node.place.node]
    weights = [np.asarray(w, np.float64) for w in (ranges or node.weights)]
    for p in range(2):
        if weights[p].shape != (COMBOS,) or not np.isfinite(weights[p]).all() or (weights[p] < 0).any():
            raise ConfigError(f"ranges[{p}]: expected {COMBOS} finite weights of 0 or more", key="ranges")
        if weights[p].max() <= 0:
            raise ConfigError(f"{path!r}: {PLAYERS[p]} never gets there")
    first = solver.spot
    oop, ip = (Range(np.minimum(w / max(1.0, w.max()), 1)) for w in weights)
    subgame = msgspec.structs.replace(
        spot or first, board=node.board, oop=oop, ip=ip, pot=first.pot, stack=first.stack, rake=first.rake,
        rake_cap=first.rake_cap, dead=first.dead, shallow=True,
    )  # fmt: skip
    other = 1 - me
    pot_values = None if values is None else np.asarray(values, np.float64)
    if pot_values is not None and pot_values.shape != (COMBOS,):
        raise ConfigError(f"values: expected {COMBOS} numbers, finite for the opponent's hands", key="values")
    alike = pot_values is None or not tells_suits_apart(subgame, [pot_values], VALUES_ALIKE * first.pot)
    sub = SpotSolver(subgame, threads=threads, start=state, symmetric=alike)
    hands = sub.hands[other]
    if pot_values is None:
        # the opponent's best response to the player's first strategy (the average strategy wins a little less)
        worth = hand_values(solver, node.place, other, respond=True)[hands] * sub.meets[other]
    else:
        if not np.isfinite(pot_values[hands]).all():
            raise ConfigError(f"values: expected {COMBOS} numbers, finite for the opponent's hands", key="values")
        worth = (pot_values[hands] - solver.spot.pot / 2 - node.paid[other]) * sub.meets[other]
    if method != "unsafe":
        put_gadget(sub, method, other, worth)
        _run(sub, iterations or 1000, progress)
        sub._set_root_reach(other, sub.weights[other])
    elif iterations is not None:
        _run(sub, iterations, progress)
    else:
        sub.run(target, progress=progress)
    best = sub.root_values(other, passes.RESPOND)
    return Subgame(sub, me, hands, worth, best)


def put_gadget(solver: SpotSolver, method: str, player: int, worth: F64) -> bool:
    """Let a player choose before the subgame, by one of the safe methods.

    Args:
        worth: what each of the player's hands can take instead, summed over the other's reach (nan: unknown).

    Returns:
        Whether any hand has a value; else nothing is put in.

    Raises:
        ConfigError: no such method.
    """
    if method not in SAFE_METHODS:
        message = f"unknown method {method!r}: expected one of {', '.join(SAFE_METHODS)}"
        raise ConfigError(message, key="method", text=method)
    known = np.isfinite(worth) & (solver.meets[player] > 0)
    if not known.any():
        return False
    given = player, np.where(known, worth, 0.0), known.astype(np.float64)
    if method == "weighted":
        solver._gadget = WeightedGadget(*given, solver.weights[player])
    else:
        solver._gadget = (SafeGadget if method == "safe" else MaxmarginGadget)(*given)
    return True


def _run(solver: SpotSolver, iterations: int, progress: Progress | None) -> None:
    iterations = last_useful(solver.iterations, iterations)
    while solver.iterations < iterations and not (progress is not None and progress.cancelled):
        solver.iterate(min(10, iterations - solver.iterations))
        if progress is not None:
            progress.report(solver.iterations, iterations)
