"""Locks: what a player is known to do at a node, exactly or within bounds."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError
from dupai.cards import COMBOS
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import Action
from dupai.ranges import Range

F32 = npt.NDArray[np.float32]


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """A player's strategy at one node of the tree, fixed or bounded.

    ``path`` leads to the node (see :class:`dupai.cfr.postflop.Node`); ``*`` stands for every card that may come.
    ``strategy`` fixes it: for each action a frequency, a range in notation (its weights are the frequencies of its
    hands) or ``float[1326]``; every hand's frequencies are scaled to a sum of 1, and a hand that no action names takes
    the first one (fold or check). ``lower`` and ``upper`` bound the frequency of actions, the same for all hands, and
    leave the rest to the solver.
    """

    path: str
    strategy: Mapping[str, Any] | None = None
    lower: Mapping[str, float] = msgspec.field(default_factory=dict)
    upper: Mapping[str, float] = msgspec.field(default_factory=dict)

    @classmethod
    def from_dict(cls, given: Any) -> Lock:
        """A lock from plain data (a table of a spot file).

        Raises:
            ConfigError: a key is missing or unknown.
        """
        if not isinstance(given, dict) or not isinstance(given.get("path"), str):
            raise ConfigError(f"lock {given!r}: expected a table with path and strategy, or lower and upper")
        unknown = sorted(set(given) - {"path", "strategy", "lower", "upper"})
        if unknown:
            raise ConfigError(f"unknown key {unknown[0]!r} in lock at {given['path']!r}")
        for key in ("strategy", "lower", "upper"):
            if not isinstance(given.get(key, {}), dict):
                raise ConfigError(f"lock at {given['path']!r}: {key} is no table of actions")
        return cls(**given)

    @property
    def one_for_all_suits(self) -> bool:
        """Whether renaming suits cannot change the lock: no single card in its path, no single hand in its strategy."""
        cards = any(len(t) == 2 and t[1:] in "cdhs" for t in self.path.split("/"))
        return not cards and all(isinstance(v, int | float) for v in (self.strategy or {}).values())


def load_spot(path: str | Path) -> tuple[SolveSpot, tuple[Lock, ...]]:
    """A spot file with the locks that it holds (its tables ``[[lock]]``).

    Raises:
        ConfigError: the file cannot be read, is not TOML, or a key makes no sense. NotationError: not cards or a range.
    """
    try:
        given = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"spot {str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"spot {str(path)!r} is not TOML: {error}") from error
    locks = given.pop("lock", [])
    if not isinstance(locks, list):
        raise ConfigError(f"spot {str(path)!r}: lock is no list: expected tables [[lock]]")
    return SolveSpot.from_dict(given), tuple(Lock.from_dict(lock) for lock in locks)


def fixed_strategy(lock: Lock, actions: tuple[Action, ...], order: Mapping[str, int]) -> F32:
    """``float32[actions, 1326]`` of a fixed lock; ``order`` finds an action by the names used in the lock.

    Raises:
        ConfigError: a frequency is not a number of 0 or more.
    """
    out = np.zeros((len(actions), COMBOS), np.float64)
    assert lock.strategy is not None
    for name, value in lock.strategy.items():
        row = Range(value).weights if isinstance(value, str) else np.asarray(value, dtype=np.float64)
        if row.shape not in ((), (COMBOS,)) or not np.isfinite(row).all() or (row < 0).any():
            shown = repr(value) if row.shape == () else f"{name!r} of {list(row.shape)} numbers"
            raise ConfigError(
                f"lock at {lock.path!r}: {shown} is no frequency: expected 0 to 1, a range, or {COMBOS} of them"
            )
        out[order[name]] += row
    total = out.sum(axis=0)
    out[0] += total == 0
    out /= np.where(total == 0, 1.0, total)
    return out.astype(np.float32)


def corners(lock: Lock, actions: tuple[Action, ...], order: Mapping[str, int]) -> F32:
    """``float32[corners, actions]``: the extreme strategies within the bounds of a lock.

    Raises:
        ConfigError: the bounds are no frequencies or contradict each other.
    """
    low = np.zeros(len(actions))
    high = np.ones(len(actions))
    for bounds, to in ((lock.lower, low), (lock.upper, high)):
        for name, value in bounds.items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
                raise ConfigError(f"lock at {lock.path!r}: bound {value!r} of {name!r}: expected 0 to 1")
            to[order[name]] = value
    if (low > high + 1e-12).any() or low.sum() > 1 + 1e-9 or high.sum() < 1 - 1e-9:
        raise ConfigError(f"lock at {lock.path!r}: no frequencies keep within the bounds lower and upper")
    found = set()
    for last in range(len(actions)):
        others = [a for a in range(len(actions)) if a != last]
        for ends in itertools.product(*((low[a], high[a]) for a in others)):
            rest = 1 - sum(ends)
            if low[last] - 1e-9 <= rest <= high[last] + 1e-9:
                corner = np.zeros(len(actions))
                corner[others] = ends
                corner[last] = rest
                found.add(tuple(np.round(corner, 9)))
    return np.array(sorted(found), np.float32)
