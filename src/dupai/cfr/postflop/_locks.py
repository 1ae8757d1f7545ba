"""Locks: strategies that a player is known to have at a node, exactly or within bounds."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, FileError
from dupai.base.arrays import F32, F64, I16
from dupai.base.files import read_text, read_toml_file
from dupai.base.text import readable
from dupai.cards import COMBOS, combo_text
from dupai.cfr.postflop._brown import spot_of_brown
from dupai.cfr.postflop._paths import path_card
from dupai.cfr.postflop._spot import SolveSpot
from dupai.cfr.postflop._tree import Action
from dupai.ranges import Range

#: Rounding that the frequencies of a lock may have in their sum.
_SUM_ERROR = 1e-3


class Lock(msgspec.Struct, frozen=True, kw_only=True):
    """A player's strategy at one node of the tree, fixed or bounded.

    ``path`` leads to the node (see :class:`dupai.cfr.SpotNode`); ``*`` stands for every card that can come.
    ``strategy`` fixes it: for each action a frequency, a range in notation (its weights are the frequencies of its
    hands) or ``float[1326]``. A hand's frequencies may not add up to more than 1, and are scaled to that sum; a hand
    that no action names takes the first action (fold or check). ``lower`` and ``upper`` bound the frequency of actions
    in the same three ways (a hand outside a range has the bound 0; an action not named is free) and leave the rest to
    the solver.
    """

    path: str
    strategy: Mapping[str, Any] | None = None
    lower: Mapping[str, Any] = msgspec.field(default_factory=dict)
    upper: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Any) -> Lock:
        """Make a lock from plain data (a table of a spot file).

        Raises:
            ConfigError: a key is missing or unknown.
        """
        if not isinstance(data, dict) or not isinstance(data.get("path"), str):
            raise ConfigError(f"lock {data!r}: expected a table with path and strategy, or lower and upper", key="lock")
        for key, value in data.items():
            if key not in cls.__struct_fields__:
                raise ConfigError(f"unknown key {key!r} in lock at {data['path']!r}", key=key)
            if key != "path" and not isinstance(value, dict):
                raise ConfigError(f"lock at {data['path']!r}: {key} is not a table of actions", key=key)
        return cls(**data)

    @property
    def one_for_all_suits(self) -> bool:
        """Whether renaming suits cannot change the lock: its path names no card, its strategy no hand."""
        cards = any(readable(path_card, token) for token in self.path.split("/"))
        values = [v for table in (self.strategy or {}, self.lower, self.upper) for v in table.values()]
        return not cards and all(isinstance(v, int | float) for v in values)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that :meth:`from_dict` takes."""

        tables = {"strategy": self.strategy, "lower": self.lower or None, "upper": self.upper or None}
        plain = {
            key: {k: v if isinstance(v, str | int | float) else np.asarray(v).tolist() for k, v in table.items()}
            for key, table in tables.items()
            if table is not None
        }
        return {"path": self.path, **plain}


def load_spot(path: str | Path) -> tuple[SolveSpot, tuple[Lock, ...]]:
    """Read a spot file and the locks in it (its tables ``[[lock]]``), or a river sub-game as JSON (``.json``).

    Raises:
        FileError: the file cannot be read or is not TOML. NotationError: a value is not cards or a range.
        ConfigError: a key makes no sense.
    """
    if str(path).lower().endswith(".json"):
        return SolveSpot.from_dict(spot_of_brown(_json(path))), ()
    data = read_toml_file(path, "spot")
    locks = data.pop("lock", [])
    if not isinstance(locks, list):
        message = f"spot {str(path)!r}: lock is not a list: expected tables [[lock]]"
        raise ConfigError(message, key="lock", path=path)
    return SolveSpot.from_dict(data), tuple(Lock.from_dict(lock) for lock in locks)


def _json(path: str | Path) -> dict[str, Any]:
    try:
        data = json.loads(read_text(path, "spot"))
    except ValueError as error:
        raise FileError(f"spot {str(path)!r} is not JSON: {error}", path=path) from None
    if not isinstance(data, dict):
        raise ConfigError(f"spot {str(path)!r}: expected a JSON object with board, pot, stack, players", path=path)
    return data


def fixed_strategy(lock: Lock, actions: tuple[Action, ...], order: Mapping[str, int]) -> F32:
    """``float32[actions, 1326]`` of a fixed lock; ``order`` finds an action by the names used in the lock.

    Raises:
        ConfigError: a frequency is not a number of 0 or more, or those of a hand add up to more than 1.
    """
    out = np.zeros((len(actions), COMBOS), np.float64)
    assert lock.strategy is not None
    for name, value in lock.strategy.items():
        out[order[name]] += _frequencies(lock, name, value)
    total = out.sum(axis=0)
    if (total > 1 + _SUM_ERROR).any():
        hand = int(total.argmax())
        several = all(isinstance(value, int | float) for value in lock.strategy.values())
        parts = " + ".join(f"{name} {out[order[name], hand]:g}" for name in lock.strategy)
        where = "" if several else f" for {combo_text(hand)}"
        raise ConfigError(f"lock at {lock.path!r}: {parts} is {total[hand]:g}{where}: expected at most 1", key="lock")
    out[0] += total == 0
    out /= np.where(total == 0, 1.0, total)
    return out.astype(np.float32)


def corners(lock: Lock, actions: tuple[Action, ...], order: Mapping[str, int], hands: I16) -> F32:
    """``float32[corners, actions, hands]``: the extreme strategies within the bounds of a lock, for each hand. A hand
    with fewer of them than another repeats one.

    Raises:
        ConfigError: the bounds are not frequencies, or contradict each other.
    """
    low = np.zeros((len(actions), len(hands)))
    high = np.ones((len(actions), len(hands)))
    for bounds, to in ((lock.lower, low), (lock.upper, high)):
        for name, value in bounds.items():
            row = _frequencies(lock, name, value)
            if (row > 1).any():
                raise ConfigError(f"lock at {lock.path!r}: bound {_shown(name, value)}: expected 0 to 1")
            to[order[name]] = row if row.ndim == 0 else row[hands]
    wrong = (low > high + 1e-6).any(axis=0) | (low.sum(axis=0) > 1 + 1e-6) | (high.sum(axis=0) < 1 - 1e-6)
    if wrong.any():
        hand = combo_text(int(hands[np.flatnonzero(wrong)[0]]))
        raise ConfigError(f"lock at {lock.path!r}: no frequencies of {hand} keep within the bounds lower and upper")
    if not lock.upper:
        # Each hand takes what it must, and the rest is one action's: no two hands need be alike.
        rest = np.maximum(1 - low.sum(axis=0), 0)
        return np.asarray(low[None] + np.eye(len(actions))[:, :, None] * rest, np.float32)
    kinds, which = np.unique(np.concatenate((low, high)).T, axis=0, return_inverse=True)
    rows = [_corners(kind[: len(actions)], kind[len(actions) :]) for kind in kinds]
    most = max(map(len, rows))
    equal = np.array([row + [row[0]] * (most - len(row)) for row in rows])
    return np.ascontiguousarray(equal[which.reshape(-1)].transpose(1, 2, 0), np.float32)


def _corners(low: F64, high: F64) -> list[tuple[float, ...]]:
    """Frequencies of which all but one are at a bound."""
    points = set()
    for last in range(len(low)):
        others = [a for a in range(len(low)) if a != last]
        for ends in itertools.product(*((low[a], high[a]) for a in others)):
            rest = 1 - sum(ends)
            if low[last] - 1e-6 <= rest <= high[last] + 1e-6:
                corner = np.zeros(len(low))
                corner[others] = ends
                corner[last] = max(rest, 0.0)
                points.add(tuple(np.round(corner, 7).tolist()))
    return sorted(points)


def _frequencies(lock: Lock, name: str, value: Any) -> F64:
    """A frequency, or ``float[1326]`` of them."""
    if isinstance(value, str):
        return Range(value).weights.astype(np.float64)
    try:
        row = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        row = np.array([np.nan, np.nan])
    if isinstance(value, bool) or row.shape not in ((), (COMBOS,)) or not np.isfinite(row).all() or (row < 0).any():
        expected = f"expected 0 to 1, a range, {COMBOS} of them"
        raise ConfigError(f"lock at {lock.path!r}: {_shown(name, value)} is not a frequency: {expected}", key="lock")
    return row


def _shown(name: str, value: Any) -> str:
    return f"{value!r} of {name!r}" if isinstance(value, str | int | float) else f"array given for {name!r}"
