"""The forms in which programs write ranges: numbers, CSV and JSON beside lists of hands; read by their content."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dupai.base import NotationError
from dupai.base.arrays import F32, I64
from dupai.cards import CLASSES, COMBO_CARDS, COMBO_CLASS, COMBOS, suit_letters
from dupai.ranges._parse import combos_of, is_hand, is_number, short, token_weights

#: Columns and keys that hold the hand, and those that hold its weight, the surest first.
_HAND_NAMES = ("hand", "combo", "hands", "holding", "cards")
_WEIGHT_NAMES = ("weight", "frequency", "freq", "probability", "range", "reach")


def _solver_order() -> I64:
    """Combo indices in the order of solvers: by the higher card, then the lower one; cards 2c 2d 2h 2s 3c ... As."""
    place = COMBO_CARDS.astype(np.int64) % 13 * 4 + COMBO_CARDS // 13
    return np.lexsort((place.min(axis=1), place.max(axis=1)))


#: Combo indices in the order of 1326 numbers as text, which begins with 2d2c, 2h2c, 2h2d, 2s2c.
SOLVER_ORDER = _solver_order()


def range_weights(text: str) -> tuple[F32, str]:
    """Weights of a range given as text (``float32[1326]`` in [0, 1], by combo index), and its form in words.

    The text is a list of hands, 169 numbers (classes in grid order) or 1326 (combos from 2d2c), CSV, or JSON. In a list
    commas or blanks separate tokens, which apply from left to right: a hand named twice keeps the last weight. A token
    that starts with ``-`` removes its hands. ``ATs+`` raises the kicker (ATs, AJs, AQs, AKs). A weight stands after the
    hand (``AKs:0.5``, ``AKs:50%``, ``AKs@50``), before it (``0.5:AKs``) or around several (``[50]AKs, AQs[/50]``,
    ``40%(AKs)``). ``15%`` is the strongest hands by all-in equity, ``AxKx`` the suited ones, ``AxKy`` the offsuit ones.
    ``-random`` alone is the empty range.

    Raises:
        NotationError: a token is not a hand, a weight is not in [0, 1], or nothing is left.
    """
    plain = text.strip()
    if plain.startswith(("{", "[")):
        try:
            document = json.loads(plain)
        except (ValueError, RecursionError):
            pass
        else:
            return _of_json(document), "JSON"
    words = plain.replace(",", " ").split()
    if len(words) > 13 and all(map(is_number, words)):
        return _of_numbers(list(map(float, words)))
    rows = _rows(plain)
    if rows is not None:
        return _of_pairs(rows), "CSV"
    return token_weights(text)


def _of_numbers(numbers: list[float]) -> tuple[F32, str]:
    if len(numbers) not in (CLASSES, COMBOS):
        raise NotationError(f"a range of {len(numbers)} numbers: expected {CLASSES} (classes) or {COMBOS} (combos)")
    scaled = np.array(_scaled(numbers))
    if len(numbers) == CLASSES:
        return scaled[COMBO_CLASS].astype(np.float32), f"{CLASSES} numbers (AA, AKs, AQs, ...)"
    weights = np.zeros(COMBOS, np.float32)
    weights[SOLVER_ORDER] = scaled
    return weights, f"{COMBOS} numbers (2d2c, 2h2c, 2h2d, ...)"


def _scaled(numbers: Iterable[float]) -> list[float]:
    """Weights in [0, 1]; all of them are percentages if one is above 1."""
    values = list(numbers)
    wrong = next((v for v in values if not 0 <= v <= 100), None)
    if wrong is not None:
        raise NotationError(f"weight {wrong:g} is not between 0 and 1, or 0 and 100 percent")
    return [v / 100 for v in values] if max(values, default=0) > 1 else values


def _of_pairs(pairs: Iterable[tuple[str, float]]) -> F32:
    """Weights of hands given one by one, as classes or combos."""
    rows = list(pairs)
    weights = np.zeros(COMBOS, np.float32)
    for (hand, _), weight in zip(rows, _scaled(w for _, w in rows), strict=True):
        weights[combos_of(suit_letters(hand.strip()))] = weight
    if not weights.any():
        raise NotationError("the range holds no hands: all weights are 0")
    return weights


def _rows(text: str) -> list[tuple[str, float]] | None:
    """Hands and weights of a CSV text, None if it is not one."""
    lines = text.splitlines()
    mark = next((m for m in ";\t," if m in lines[0]), None) if lines else None
    if mark is None:
        return None
    cells = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark) if any(row)]
    names = [name.lower() for name in cells[0]]
    hand = next((names.index(n) for n in _HAND_NAMES if n in names), None)
    if hand is None:
        # "KK,22" are two hands.
        if not all(len(r) == 2 and is_hand(r[0]) and _is_weight(r[1]) and not is_hand(r[1]) for r in cells):
            return None
        return [(row[0], _number(row[1])) for row in cells]
    weight = next((names.index(n) for n in _WEIGHT_NAMES if n in names), None)
    if weight is None:
        raise NotationError(f"a CSV range without weights: expected a column {', '.join(_WEIGHT_NAMES)}; got {names}")
    if "player" in names and len(players := {row[names.index("player")] for row in cells[1:]}) > 1:
        raise NotationError(f"the CSV text holds several ranges ({', '.join(sorted(players))}): keep the rows of one")
    short_row = next((row for row in cells[1:] if len(row) <= max(hand, weight) or not _is_weight(row[weight])), None)
    if short_row is not None:
        raise NotationError(f"the CSV row {short(mark.join(short_row))} has no hand and weight")
    return [(row[hand], _number(row[weight])) for row in cells[1:]]


def _is_weight(cell: str) -> bool:
    return is_number(cell.removesuffix("%").replace(",", "."))


def _number(cell: str) -> float:
    number = float(cell.removesuffix("%").replace(",", "."))
    return number / 100 if cell.endswith("%") else number


def _of_json(document: Any) -> F32:
    """Weights by hand, rows of hand and weight, or numbers; or one of them under a key."""
    if isinstance(document, Mapping):
        if document and all(re.fullmatch("[2-9TJQKA]{2}[so]?|(?:[2-9TJQKA][cdhs]){2}", key) for key in document):
            return _of_pairs((key, _json_weight(value)) for key, value in document.items())
        inner = {key: value for key, value in document.items() if isinstance(value, Mapping | list) and value}
        if len(inner) == 1:
            return _of_json(*inner.values())
        several = f" it holds several parts ({', '.join(map(str, inner))}): give one of them" if inner else ""
        raise NotationError(f"no range in the JSON text: expected weights by hand;{several}".rstrip(";"))
    if isinstance(document, list) and document:
        if all(isinstance(value, int | float) for value in document):
            return _of_numbers(document)[0]
        if all(isinstance(row, Mapping) for row in document):
            return _of_pairs((str(_field(row, _HAND_NAMES)), _json_weight(row)) for row in document)
    raise NotationError("no range in the JSON text: expected weights by hand, rows of hand and weight, or numbers")


def _field(row: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    value = next((row[name] for name in names if name in row), None)
    if value is None:
        raise NotationError(f"a row of the JSON range has none of {', '.join(names)}")
    return value


def _json_weight(value: Any) -> float:
    if isinstance(value, Mapping):
        value = _field(value, _WEIGHT_NAMES)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotationError(f"the weight {short(str(value))} of the JSON range is not a number")
    return float(value)
