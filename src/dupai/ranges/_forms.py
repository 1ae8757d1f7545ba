"""The forms in which programs write ranges: numbers, CSV and JSON beside lists of hands; read by their content."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
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
    words = plain.replace(",", " ").split() if plain[:1] in ".0123456789" else []
    if len(words) > 13 and all(map(is_number, words)):
        return _of_numbers(list(map(float, words)))
    if "\n" in plain and (rows := _csv_rows(plain)) is not None:
        return _of_rows(rows), "CSV"
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


def _of_rows(rows: Sequence[Mapping[str, Any]]) -> F32:
    """Weights of rows with a hand or class and a weight each."""
    if len(players := {str(row["player"]) for row in rows if "player" in row}) > 1:
        raise NotationError(f"the text holds several ranges ({', '.join(sorted(players))}): keep the rows of one")
    hands, numbers = [], []
    for row in rows:
        hand, weight = (next((row[n] for n in names if n in row), None) for names in (_HAND_NAMES, _WEIGHT_NAMES))
        text = str(weight).strip().replace(",", ".")
        if hand is None or isinstance(weight, bool) or not is_number(text.removesuffix("%")):
            expected = f"expected {' or '.join(_HAND_NAMES)}, and a number as {' or '.join(_WEIGHT_NAMES)}"
            raise NotationError(f"{short(str(dict(row)))} has no hand and weight: {expected}")
        hands.append(str(hand).strip())
        numbers.append(float(text.removesuffix("%")) / (100 if text.endswith("%") else 1))
    weights = np.zeros(COMBOS, np.float32)
    for hand, number in zip(hands, _scaled(numbers), strict=True):
        weights[combos_of(suit_letters(hand))] = number
    if not weights.any():
        raise NotationError("the range holds no hands: all weights are 0")
    return weights


def _csv_rows(text: str) -> list[dict[str, str]] | None:
    """The rows of a CSV text, with or without a line of names; None if it is not one."""
    lines = text.splitlines()
    mark = next((m for m in ";\t," if m in lines[0]), None) if lines else None
    if mark is None:
        return None
    rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark) if any(row)]
    names = [name.lower() for name in rows[0]]
    if set(names) & set(_HAND_NAMES):
        return [dict(zip(names, row, strict=False)) for row in rows[1:]]
    # "KK,22" are two hands.
    if not all(len(r) == 2 and is_hand(r[0]) and r[1] and not r[1].strip("0123456789.,%e-") for r in rows):
        return None
    return None if any(is_hand(r[1]) for r in rows) else [{"hand": r[0], "weight": r[1]} for r in rows]


def _of_json(document: Any) -> F32:
    """Weights by hand, rows of hand and weight, or numbers; or one of them under a key."""
    if isinstance(document, Mapping) and document:
        if all(re.fullmatch("[2-9TJQKA]{2}[so]?|(?:[2-9TJQKA][cdhs]){2}", key) for key in document):
            rows = ((key, v if isinstance(v, Mapping) else {"weight": v}) for key, v in document.items())
            return _of_rows([{"hand": key, **row} for key, row in rows])
        inner = {key: value for key, value in document.items() if isinstance(value, Mapping | list) and value}
        if len(inner) == 1:
            return _of_json(*inner.values())
        if inner:
            raise NotationError(f"the JSON text holds several parts ({', '.join(map(str, inner))}): give one of them")
    elif isinstance(document, list) and document:
        if all(isinstance(value, int | float) for value in document):
            return _of_numbers(document)[0]
        if all(isinstance(row, Mapping) for row in document):
            return _of_rows(document)
    raise NotationError("no range in the JSON text: expected weights by hand, rows of hand and weight, or numbers")
