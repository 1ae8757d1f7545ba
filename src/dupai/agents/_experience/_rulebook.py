"""The expert's rules: a text file of rows, checked when it is read.

A row is ``street | position | facing | stack | hand | draw | board | action``; ``#`` begins a comment. Cells name words
of their dimension (several between blanks; ``*`` for any; ``a..b`` for a range). The first row that fits decides.
``hands NAME = ...`` names starting hands, ``least CLASS = ...`` gives the share of all hands that a made hand has to
beat to count as that class. Actions: ``fold``, ``call`` (also checks), ``raise SIZE`` with ``0.66p`` pots after
the call, ``3bb`` to three big blinds, ``3x`` to three times the bet faced, ``min``, ``allin``; each with its
percentage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.agents._experience import _situations as words
from dupai.base import ConfigError, NotationError
from dupai.base.arrays import F32, F64, I16, AnyArray
from dupai.base.files import read_text
from dupai.base.text import nearest
from dupai.cards import CLASSES
from dupai.ranges import Range
from dupai.rules import CALL, FOLD, RAISE, STREET_WORDS, Action
from dupai.spots import ActionDistribution, BetSize, Menu, SizeTable, Spot

#: Stand for the rules that ship: for two players, and before the flop for more.
SHIPPED, RING = "shipped", "ring"

_COLUMNS = ("street", "position", "facing", "stack", "hand", "draw", "board", "action")
#: A raise that puts in more than this share of the effective stack is all-in.
_COMMITTED = 2 / 3


class RuleAction(NamedTuple):
    """``kind`` FOLD, CALL or RAISE with probability ``p``; ``size`` of a raise."""

    kind: int
    size: BetSize
    p: float


class Rule(NamedTuple):
    """A row: its line in the file, its words, what it does."""

    line: int
    text: str
    actions: tuple[RuleAction, ...]


class Rulebook:
    """All rules of a file, and for every situation the one that decides.

    Attributes:
        rules: the rows in order.
        preflop: ``int16``, by :data:`PREFLOP_SHAPE`: number of the rule.
        postflop: ``int16``, by :data:`POSTFLOP_SHAPE`.
        least: ``float[15]`` by :data:`MADE`.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.rules: list[Rule] = []
        self.preflop = np.full(words.PREFLOP_SHAPE, -1, np.int16)
        self.postflop = np.full(words.POSTFLOP_SHAPE, -1, np.int16)
        self._groups: dict[str, npt.NDArray[np.bool_]] = {}
        least = dict.fromkeys(words.MADE, 0.0)
        for number, line in enumerate(text.splitlines(), 1):
            row = line.partition("#")[0].strip()
            if not row:
                continue
            try:
                if named := re.fullmatch(r"hands\s+([a-z][a-z0-9-]*)\s*=\s*(.+)", row):
                    self._groups[named[1]] = self._hands(named[2].replace(",", " ").split())
                elif named := re.fullmatch(r"least\s+(\S+)\s*=\s*(\S+)", row):
                    least[_word(named[1], words.MADE)] = _share(named[2])
                else:
                    self._row(number, row)
            except (ConfigError, NotationError) as error:
                raise ConfigError(f"{name}, line {number}: {error}", text=line, line=number) from None
        self.least = tuple(least[word] for word in words.MADE)
        self._complete()
        flat = [(i, *action) for i, rule in enumerate(self.rules) for action in rule.actions]
        self._rule, self._kind = (np.array([f[k] for f in flat], np.int64) for k in range(2))
        self._sizes = SizeTable([f[2] for f in flat])
        self._p = np.array([f[3] for f in flat], np.float64)
        self._raising: npt.NDArray[np.bool_] = np.asarray(self._kind == RAISE)

    # reading the file ------------------------------------------------------------------------------------------------

    def _row(self, number: int, row: str) -> None:
        cells = [cell.strip() for cell in row.split("|")]
        if len(cells) != len(_COLUMNS):
            raise ConfigError(f"{row!r} has {len(cells)} cells: expected {len(_COLUMNS)}, {' | '.join(_COLUMNS)}")
        streets = _places(cells[0], STREET_WORDS)
        rule = Rule(number, row, _actions(cells[7]))
        self.rules.append(rule)
        positions, stacks = _places(cells[1], words.POSITIONS), _places(cells[3], words.STACKS)
        new = 0
        if 0 in streets:
            hands = self._hands(cells[4].replace(",", " ").split())
            for cell, column in ((cells[5], "draw"), (cells[6], "board")):
                if cell != "*":
                    raise ConfigError(f"{column} {cell!r} in a row for before the flop: expected *")
            facing = _places(cells[2], words.FACING_PREFLOP)
            new += self._put(self.preflop, [positions, facing, stacks, np.flatnonzero(hands).tolist()])
        if later := [street - 1 for street in streets if street > 0]:
            facing, textures = _places(cells[2], words.FACING_POSTFLOP), _places(cells[6], words.TEXTURES)
            made, draws = _places(cells[4], words.MADE), _places(cells[5], words.DRAWS)
            classes = [m * len(words.DRAWS) + d for m in made for d in draws]
            new += self._put(self.postflop, [later, positions, facing, stacks, textures, classes])
        if not new:
            raise ConfigError(f"{row!r} never applies: rows above it answer all of its situations")

    def _put(self, table: I16, axes: Sequence[Sequence[int]]) -> int:
        at = np.ix_(*axes)
        block = table[at]
        free = block < 0
        table[at] = np.where(free, np.int16(len(self.rules) - 1), block)
        return int(free.sum())

    def _hands(self, names: Sequence[str]) -> npt.NDArray[np.bool_]:
        chosen = np.zeros(CLASSES, np.bool_)
        if list(names) == ["*"]:
            return ~chosen
        for word in names:
            if word in self._groups:
                chosen |= self._groups[word]
                continue
            try:
                weights = Range(word).class_weights
            except NotationError:
                known = ", ".join(self._groups) or "none yet"
                expected = f"expected starting hands as 99+ or ATs+, or a named group ({known})"
                raise ConfigError(f"{word!r}: {expected}", text=word) from None
            chosen |= np.asarray(weights) > 0
        return chosen

    def _complete(self) -> None:
        before = (("preflop",), words.POSITIONS, words.FACING_PREFLOP, words.STACKS, words.HANDS)
        classes = [f"{made}, draw {draw}" for made in words.MADE for draw in words.DRAWS]
        after = (
            STREET_WORDS[1:], words.POSITIONS, words.FACING_POSTFLOP, words.STACKS, words.TEXTURES, classes
        )  # fmt: skip
        for table, axes in ((self.preflop[None], before), (self.postflop, after)):
            if len(missing := np.argwhere(table < 0)):
                names = ", ".join(axis[i] for axis, i in zip(axes, missing[0].tolist(), strict=True))
                more = f" (and {len(missing) - 1:,} more situations)" if len(missing) > 1 else ""
                raise ConfigError(f"{self.name}: no row answers {names}{more}: expected one for every situation")

    # asking ----------------------------------------------------------------------------------------------------------

    def columns(self, rows: AnyArray, menu: Menu, legal: npt.NDArray[np.bool_]) -> F32:
        """``float32[n, rules, len(menu)]``: what every rule does at ``n`` decisions, by columns of a menu.

        Args:
            rows: ``SPOT_DTYPE[n]``.
            legal: ``bool[n, len(menu)]``: the columns to use; a raise that falls into another one goes to the nearest
                raise, and is a call where there is none.
        """
        n, k, rules = len(rows), len(menu), len(self.rules)
        column = np.where((self._kind == FOLD) & (rows["to_call"][:, None] > 0), 0, 1)
        at = menu.columns_of_raises(rows, self._totals(rows)[:, self._raising])
        # From any column to the nearest that is used: of the raises, else the call.
        far = np.abs(np.arange(2, k)[:, None] - np.arange(2, k)) + np.where(legal[:, None, 2:], 0, k)
        nearest = np.where(np.any(legal[:, 2:], axis=1, keepdims=True), 2 + far.argmin(axis=2), 1)
        column[:, self._raising] = np.take_along_axis(nearest, at - 2, axis=1)
        cell = (np.arange(n)[:, None] * rules + self._rule) * k + column
        out = np.bincount(cell.reshape(-1), np.broadcast_to(self._p, cell.shape).reshape(-1), n * rules * k)
        return out.reshape(n, rules, k).astype(np.float32)

    def _totals(self, rows: AnyArray) -> F64:
        """``float64[n, actions]``: chips *to* of every action of every rule, as a raise, moved to what is legal."""
        total, low, high, most = (rows[f][:, None] for f in ("total", "min_to", "max_to", "effective"))
        to = self._sizes.totals(rows)
        to = np.where(to - total > _COMMITTED * most, high, to)
        return np.asarray(np.clip(np.rint(to), low, high))

    def actions(self, spot: Spot, rule: int) -> ActionDistribution:
        """What a rule does at a decision, in chips."""
        row = spot.rows[-1]
        totals = self._totals(spot.row)[0]
        points: dict[Action, float] = {}
        for i in np.flatnonzero(self._rule == rule).tolist():
            kind = int(self._kind[i])
            if kind == RAISE and int(row["max_to"]) > 0:
                action = Action.raise_to(int(totals[i]))
            elif kind == FOLD and int(row["to_call"]) > 0:
                action = Action.fold()
            else:
                action = Action.call()
            points[action] = points.get(action, 0.0) + float(self._p[i])
        return ActionDistribution(tuple(points.items()))


def _word(word: str, known: Sequence[str]) -> str:
    if word not in known:
        raise ConfigError(f"{word!r} is none of the words that belong here: {nearest(word, known)}", text=word)
    return word


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ConfigError(f"{text!r}: expected a share from 0 to 1", text=text)
    return value


def _places(cell: str, known: Sequence[str]) -> list[int]:
    """Indexes of the words of a cell."""
    if cell == "*":
        return list(range(len(known)))
    places: set[int] = set()
    for word in cell.replace(",", " ").split():
        first, dots, last = word.partition("..")
        if dots:
            low, high = known.index(_word(first, known)), known.index(_word(last, known))
            if low > high:
                raise ConfigError(f"{word!r} runs backwards: expected {last}..{first}")
            places.update(range(low, high + 1))
        else:
            places.add(known.index(_word(word, known)))
    if not places:
        raise ConfigError(f"an empty cell: expected * or some of {', '.join(known)}")
    return sorted(places)


def _actions(cell: str) -> tuple[RuleAction, ...]:
    actions = []
    parts = [part.split() for part in cell.split(",")]
    for part in parts:
        p = 1.0 if len(parts) == 1 else -1.0
        if part and part[-1].endswith("%"):
            try:
                p = float(part[-1][:-1]) / 100
            except ValueError:
                raise ConfigError(f"{part[-1]!r}: expected a percentage", text=part[-1]) from None
            part.pop()
        if not p >= 0:
            raise ConfigError(f"action {cell!r}: expected a percentage for every one of its parts", text=cell)
        actions.append(_action(part, cell, p))
    total = sum(action.p for action in actions)
    if not abs(total - 1) <= 1e-9:
        raise ConfigError(f"action {cell!r}: its percentages add up to {100 * total:g}, expected 100", text=cell)
    return tuple(actions)


def _action(part: Sequence[str], cell: str, p: float) -> RuleAction:
    if list(part) in (["fold"], ["call"]):
        return RuleAction(FOLD if part[0] == "fold" else CALL, BetSize("pot"), p)
    if len(part) == 2 and part[0] == "raise":
        size = BetSize.parse(part[1])
        if size is not None and size.kind in SizeTable.KINDS:
            return RuleAction(RAISE, size, p)
    raise ConfigError(f"action {cell!r}: expected fold, call, or raise with 0.66p, 3bb, 3x, min or allin")


@lru_cache(maxsize=8)
def load_rulebook(file: str = SHIPPED) -> Rulebook:
    """The rules of a file, or those that ship.

    Raises:
        FileError: the file cannot be read.
        ConfigError: a row makes no sense (with its line), or a situation has no answer.
    """
    if file in (SHIPPED, RING):
        name = "expert.rules" if file == SHIPPED else "ring.rules"
        return Rulebook(name, files("dupai.agents._experience").joinpath(name).read_text(encoding="utf-8"))
    return Rulebook(file, read_text(file, "rule file"))
