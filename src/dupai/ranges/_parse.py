"""Text to weights."""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dupai.base import NotationError
from dupai.base.arrays import F32
from dupai.cards import COMBO_CLASS, COMBOS, RANKS, card, combo, suit_letters

_Ints = npt.NDArray[np.intp]

_R = f"[{RANKS}]"
# ASCII: otherwise the case of the sign for kelvin and of the long s is ignored too, and neither is K or s.
_CLASS = re.compile(f"({_R})({_R})([so]?)", re.IGNORECASE | re.ASCII)
_COMBO = re.compile(f"({_R}[cdhs])({_R}[cdhs])", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_EXPECTED = "expected hands as 'AsKd', 'AK', 'AKs', 'AKo', 'TT+', 'ATs+', 'JJ-66', 'A5s-A2s', 'T9s-76s' or 'random'"
#: Characters that text editors put in place of a hyphen.
_DASHES = str.maketrans("‐‑‒–—−", "------")

#: A class as written: (higher rank, lower rank, "s" | "o" | ""), ranks 0..12.
_Hand = tuple[int, int, str]


class _NoHand(ValueError):
    """Why a token is not valid."""


def range_weights(text: str) -> F32:
    """Weights of a range given as text: ``float32[1326]`` in [0, 1], by combo index.

    Commas or blanks separate tokens, which apply from left to right: a hand named twice keeps the last weight. A token
    that starts with ``-`` removes its hands. ``ATs+`` raises the kicker (ATs, AJs, AQs, AKs).
    ``-random`` alone is the empty range.

    Raises:
        NotationError: a token is not a hand, a weight is not in [0, 1], or nothing is left.
    """
    weights = np.zeros(COMBOS, dtype=np.float32)
    tokens = suit_letters(text.translate(_DASHES)).replace(",", " ").split()
    if not tokens:
        raise NotationError(f"{text!r} names no hands: {_EXPECTED}")
    for token in tokens:
        if token.startswith("-"):
            body, weight = token[1:], 0.0
            if ":" in body:
                raise _bad(token, text, "a hand that is taken out carries no weight")
        else:
            body, weight = _split_weight(token, text)
        try:
            weights[_lookup(body)] = weight
        except _NoHand as error:
            raise _bad(token, text, str(error)) from None
    if not weights.any() and tokens != ["-random"]:
        raise NotationError(f"range {_short(text)} holds no hands: all of them are taken out or have weight 0")
    return weights


def _short(text: str) -> str:
    return repr(text) if len(text) <= 60 else repr(text[:57] + "...")


def _bad(token: str, text: str, why: str) -> NotationError:
    where = "" if token == text.strip() else f" in {_short(text)}"
    return NotationError(f"{token!r}{where}: {why}", text=token)


def _is_hand(body: str) -> bool:
    plain = body.replace("10", "T").rstrip("+").split("-")[0]
    return bool(_CLASS.fullmatch(plain) or _COMBO.fullmatch(plain) or plain.lower() == "random")


def _split_weight(token: str, text: str) -> tuple[str, float]:
    if ":" not in token:
        return token, 1.0
    left, _, right = token.partition(":")
    # "22:0.5" and "0.5:22" both have a number on either side: the hand decides, and no weight can look like a pair
    body, number = (left, right) if _is_hand(left) else (right, left)
    if not _NUMBER.fullmatch(number):
        raise _bad(token, text, f"{number!r} is not a weight: expected '0.5:AKs' or 'AKs:0.5'")
    weight = float(number)
    if weight > 1.0:
        raise _bad(token, text, f"weight {number} is not between 0 and 1")
    return body, weight


@lru_cache(maxsize=4096)
def _lookup(body: str) -> _Ints:
    """Combo indices of one token without sign and weight; raises :class:`_NoHand`."""
    plain = body.replace("10", "T")
    if plain.lower() == "random":
        return np.arange(COMBOS)
    if m := _COMBO.fullmatch(plain):
        a, b = (card(c[0].upper() + c[1].lower()) for c in m.groups())
        if a == b:
            raise _NoHand("a card cannot be both hole cards")
        return np.array([combo(a, b)])
    if m := _CLASS.fullmatch(plain.removesuffix("+")):
        first = _hand(m)
        return _classes(first, _top(first) if plain.endswith("+") else first)
    low, dash, high = plain.partition("-")
    ends = [_CLASS.fullmatch(x) for x in (low, high)]
    if dash and ends[0] and ends[1]:
        return _classes(_hand(ends[0]), _hand(ends[1]))
    raise _NoHand(f"not a hand: {_EXPECTED}")


def _hand(m: re.Match[str]) -> _Hand:
    x, y = (RANKS.index(r.upper()) for r in m.groups()[:2])
    kind = m[3].lower()
    if x == y and kind:
        raise _NoHand(f"a pair is neither suited nor offsuit: expected {m[0][:2]!r}")
    return max(x, y), min(x, y), kind


def _top(hand: _Hand) -> _Hand:
    """The end of ``hand+``: aces for a pair, else the best kicker below the high card."""
    hi, lo, kind = hand
    return (12, 12, "") if hi == lo else (hi, hi - 1, kind)


def _classes(a: _Hand, b: _Hand) -> _Ints:
    """Combos of a run of classes: pairs, one high card, or one gap between the cards."""
    (ah, al, kind), (bh, bl, other) = a, b
    if (ah == al) != (bh == bl):
        raise _NoHand("a run cannot lead from a pair to two different ranks")
    if kind != other:
        raise _NoHand("both ends of a run must be suited, offsuit or neither")
    if ah == bh:
        run = [(ah, lo) for lo in range(min(al, bl), max(al, bl) + 1)]
    elif ah - al == bh - bl:
        run = [(hi, hi - (ah - al)) for hi in range(min(ah, bh), max(ah, bh) + 1)]
    else:
        raise _NoHand("a run keeps its high card ('A5s-A2s') or its gap ('T9s-76s')")
    grid = [c for hi, lo in run for c in cells(hi, lo, kind)]
    return np.flatnonzero(np.isin(COMBO_CLASS, grid))


def cells(hi: int, lo: int, kind: str) -> list[int]:
    """Class indices of ranks ``hi >= lo``: suited ``"s"``, offsuit ``"o"`` or both ``""``; one for a pair."""
    suited, offsuit = (12 - hi) * 13 + 12 - lo, (12 - lo) * 13 + 12 - hi
    if hi == lo:
        return [suited]
    return [suited] * (kind != "o") + [offsuit] * (kind != "s")
