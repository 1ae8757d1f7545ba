"""The betting of a spot, built once for all spots that bet alike.

Trees and their tables know no cards, so that spots which differ by cards and ranges only share them: many boards with
the same sizes, a spot solved again with other ranges, the same river met again.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable

from dupai.cfr.postflop._program import Program, make_program, storage_rows
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import Forest, State, build_forests

#: The most nodes that are kept, about a kilobyte each. The smallest limit of a street's nodes is larger, so that a tree
#: that is kept is never one that would be refused.
_CACHE_SIZE = 20_000


class Betting:
    """Forests of a spot, street by street, and their tables. Shared: nobody changes them.

    Attributes:
        forests: one for each street.
        storage: rows of each forest's nodes, as :func:`storage_rows` gives them.
    """

    def __init__(self, forests: list[Forest]) -> None:
        self.forests = forests
        self.storage = [storage_rows(forest) for forest in forests]
        self._programs: list[tuple[Program, ...]] = []

    def __len__(self) -> int:
        return sum(map(len, self.forests))

    def programs(self, spot: SolveSpot) -> list[tuple[Program, ...]]:
        """The programs of both traversers, by street, without coefficients; made on first use."""
        if not self._programs:
            self._programs = [
                tuple(make_program(spot, forest, rows, p) for p in range(2))
                for forest, (rows, _) in zip(self.forests, self.storage, strict=True)
            ]
        return self._programs


_kept: dict[Hashable, Betting] = {}
_lock = threading.Lock()


def _key(spot: SolveSpot, start: State | None) -> Hashable:
    """Everything that trees and payoffs depend on."""
    sizes = tuple(tuple(tuple(kinds.items()) for kinds in pair) for pair in spot.sizes.values())
    money = spot.pot, spot.stack, spot.rake, spot.rake_cap
    rules = spot.add_allin, spot.force_allin, spot.merge, spot.raise_cap, spot.shallow
    return len(spot.board), len(spot.dead), money, rules, tuple(spot.sizes), sizes, start


def kept_betting(spot: SolveSpot, start: State | None) -> Betting | None:
    """The betting of a spot, if one like it was built lately."""
    key = _key(spot, start)
    with _lock:
        betting = _kept.pop(key, None)
        if betting is not None:
            _kept[key] = betting  # the last used stands last
        return betting


def build_betting(spot: SolveSpot, start: State | None, most: list[int]) -> Betting:
    """The betting of a spot, built and kept. ``most``: as for :func:`build_forests`.

    Raises:
        ConfigError: as :func:`build_forests`.
    """
    betting = Betting(build_forests(spot, start, most))
    if len(betting) <= _CACHE_SIZE:
        with _lock:
            _kept[_key(spot, start)] = betting
            nodes = sum(map(len, _kept.values()))
            while nodes > _CACHE_SIZE:
                nodes -= len(_kept.pop(next(iter(_kept))))
    return betting


def forget_betting() -> None:
    """Drop the trees that are kept, so that the next spot is set up as the first one."""
    with _lock:
        _kept.clear()
