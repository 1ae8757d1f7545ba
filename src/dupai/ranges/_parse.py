"""Text to weights."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dupai.base import NotationError
from dupai.base.arrays import F32
from dupai.cards import CLASS_SIZE, CLASS_TEXT, COMBO_CLASS, COMBOS, RANKS, card, combo, suit_letters

_Ints = npt.NDArray[np.intp]

_R = f"[{RANKS}]"
# ASCII: otherwise the case of the sign for kelvin and of the long s is ignored too, and neither is K or s.
_CLASS = re.compile(f"({_R})({_R})([so]?)", re.IGNORECASE | re.ASCII)
_COMBO = re.compile(f"({_R}[cdhs])({_R}[cdhs])", re.IGNORECASE | re.ASCII)
#: A hand whose suits may be letters from w to z: equal letters are one suit, different letters two suits.
_SUITS = re.compile(f"({_R})([cdhsw-z])({_R})([cdhsw-z])", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(r"(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
_PERCENT = re.compile(f"({_NUMBER.pattern})%", re.IGNORECASE | re.ASCII)
#: A number after @ that is no percentage.
_AT = re.compile(f"@({_NUMBER.pattern})(?![%.\\w])", re.IGNORECASE | re.ASCII)
#: Several tokens with one weight: ``[50]AKs, AQs[/50]``, ``40%(AKs, AQs)`` or ``0.4(AKs)``.
_GROUP = re.compile(r"\[([^\[\]/]*)\]([^\[\]]*)\[/([^\[\]]*)\]|([\d.]{1,20}%?)\(([^()]*)\)")
_EXPECTED = (
    "expected hands as 'AsKd', 'AK', 'AKs', 'AKo', 'TT+', 'ATs+', 'JJ-66', 'A5s-A2s', 'T9s-76s', '15%' or 'random'"
)
#: Characters that text editors put in place of a hyphen.
_DASHES = str.maketrans("‐‑‒–—−", "------")

#: A class as written: (higher rank, lower rank, "s" | "o" | ""), ranks 0..12.
_Hand = tuple[int, int, str]


class _NoHand(ValueError):
    """Why a token is not valid."""


#: Hands from the strongest down, by all-in equity against any hand. The tests compare it with the equity tables.
_STRONGEST_FIRST = (
    "AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s A9o KJo 55 QJs K9s A5s "
    "A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o "
    "A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o "
    "22 Q2s Q5o J5s T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o 95s T3s "
    "76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s T2o 54s 85o 64s 83s 94o 75o "
    "82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s 83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o "
    "32o"
)


def token_weights(text: str) -> tuple[F32, str]:
    """Weights (``float32[1326]``) of a list of hands, and its form, in words.

    Raises:
        NotationError: a token is not a hand, a weight is not in [0, 1], or nothing is left.
    """
    weights = np.zeros(COMBOS, dtype=np.float32)
    plain = suit_letters(text if text.isascii() else text.translate(_DASHES))
    at_scale = 1.0
    if "@" in plain or ":" in plain:
        plain = re.sub(r"([:@])\s+", r"\1", plain)
        at_scale = 0.01 if max(map(float, _AT.findall(plain)), default=0) > 1 else 1.0
    forms: dict[str, None] = {}
    tokens = list(_tokens(plain, text))
    if not tokens:
        raise NotationError(f"{text!r} names no hands: {_EXPECTED}")
    for token, group in tokens:
        if token.startswith("-"):
            body, weight, form = token[1:], 0.0, ""
            if ":" in body or "@" in body:
                raise _bad(token, text, "a hand that is taken out carries no weight")
        else:
            body, weight, form = _split_weight(token, text, at_scale)
            if group is not None:
                if form:
                    raise _bad(token, text, "it has a weight of its own inside a group that has one")
                weight, form = group
        try:
            weights[_lookup(body)] = weight
        except _NoHand as error:
            raise _bad(token, text, str(error)) from None
        forms |= {f"weights as {form}": None} if form else {}
        forms |= {f"{body} by all-in equity": None} if body.endswith("%") else {}
    if not weights.any() and [token for token, _ in tokens] != ["-random"]:
        raise NotationError(f"range {short(text)} holds no hands: all of them are taken out or have weight 0")
    return weights, ", ".join(["hands", *forms])


def _tokens(plain: str, text: str) -> Iterator[tuple[str, tuple[float, str] | None]]:
    """The tokens, each with weight and form of the group around it."""
    at = 0
    for group in _GROUP.finditer(plain) if "[" in plain or "(" in plain else ():
        yield from ((token, None) for token in _split(plain[at : group.start()]))
        at = group.end()
        if group[1] is None:
            percent, number, inside, form = group[4].endswith("%"), group[4].removesuffix("%"), group[5], "40%(AKs)"
        else:
            percent, number, inside, form = True, group[1].strip().removesuffix("%"), group[2], "[50]AKs[/50]"
            if group[3].strip().removesuffix("%") != number:
                raise _bad(group[0], text, f"it begins with {number} and ends with {group[3].strip()!r}")
        weight = _weight(group[0], text, number, 0.01 if percent else 1.0)
        yield from ((token, (weight, form)) for token in _split(inside))
    yield from ((token, None) for token in _split(plain[at:]))


def _split(text: str) -> list[str]:
    return text.replace(",", " ").split()


def short(text: str) -> str:
    """The text in quotes, its beginning if it is long."""
    return repr(text) if len(text) <= 60 else repr(text[:57] + "...")


def _bad(token: str, text: str, why: str) -> NotationError:
    where = "" if token == text.strip() else f" in {short(text)}"
    return NotationError(f"{token!r}{where}: {why}", text=token)


def is_hand(body: str) -> bool:
    """Whether a text begins as a hand or run of hands does."""
    plain = body.replace("10", "T").rstrip("+").split("-")[0]
    return bool(_CLASS.fullmatch(plain) or _SUITS.fullmatch(plain) or plain.lower() == "random")


def _split_weight(token: str, text: str, at_scale: float) -> tuple[str, float, str]:
    """Hand, weight and form of a token; no form where it has no weight."""
    mark = "@" if "@" in token else ":"
    left, there, right = token.partition(mark)
    if not there:
        return token, 1.0, ""
    # "22:0.5" and "0.5:22" both have a number on either side: the hand decides, and no weight can look like a pair
    first = mark == "@" or is_hand(left) or (left.endswith("%") and not is_hand(right))
    body, number = (left, right) if first else (right, left)
    scale = 0.01 if number.endswith("%") else at_scale if mark == "@" else 1.0
    weight = _weight(token, text, number.removesuffix("%"), scale)
    shown = "50%" if number.endswith("%") else "0.5" if scale == 1 else "50"
    return body, weight, f"AKs{mark}{shown}" if first else f"{shown}:AKs"


def _weight(token: str, text: str, number: str, scale: float) -> float:
    if not _NUMBER.fullmatch(number):
        raise _bad(token, text, f"{number!r} is not a weight: expected 'AKs:0.5', '0.5:AKs' or 'AKs:50%'")
    weight = float(number) * scale if scale == 1 else float(number) / 100
    if weight > 1.0:
        most = "0 and 1 (50 percent is 0.5 or 50%)" if scale == 1 else "0 and 100 percent"
        raise _bad(token, text, f"weight {number} is not between {most}")
    return weight


def is_number(text: str) -> bool:
    """Whether a text is a plain number."""
    return bool(_NUMBER.fullmatch(text))


def combos_of(hand: str) -> _Ints:
    """Combo indices of one hand or run of hands without weight.

    Raises:
        NotationError: it is not one.
    """
    try:
        return _lookup(hand)
    except _NoHand as error:
        raise NotationError(f"{short(hand)}: {error}", text=hand) from None


@lru_cache(maxsize=4096)
def _lookup(body: str) -> _Ints:
    """Combo indices of one token without sign and weight; raises :class:`_NoHand`."""
    if m := _PERCENT.fullmatch(body):
        return _strongest(float(m[1]))
    plain = body.replace("10", "T")
    if plain.lower() == "random":
        return np.arange(COMBOS)
    if m := _COMBO.fullmatch(plain):
        a, b = (card(c[0].upper() + c[1].lower()) for c in m.groups())
        if a == b:
            raise _NoHand("a card cannot be both hole cards")
        return np.array([combo(a, b)])
    if m := _SUITS.fullmatch(plain):
        return _pattern(*m.groups())
    if m := _CLASS.fullmatch(plain.removesuffix("+")):
        first = _hand(m)
        return _classes(first, _top(first) if plain.endswith("+") else first)
    low, dash, high = plain.partition("-")
    ends = [_CLASS.fullmatch(x) for x in (low, high)]
    if dash and ends[0] and ends[1]:
        return _classes(_hand(ends[0]), _hand(ends[1]))
    raise _NoHand(f"not a hand: {_EXPECTED}")


def _pattern(rank: str, suit: str, other: str, other_suit: str) -> _Ints:
    """Combos of ``AxKx`` (one suit), ``AxKy`` (two suits) or ``AhKx`` (any king)."""
    suit, other_suit = suit.lower(), other_suit.lower()
    free = "wxyz"
    pairs = [(a, b) for a in "cdhs" for b in "cdhs" if suit in (a, *free) and other_suit in (b, *free)]
    if suit in free and other_suit in free:
        pairs = [(a, b) for a, b in pairs if (a == b) == (suit == other_suit)]
    cards = {(card(rank.upper() + a), card(other.upper() + b)) for a, b in pairs}
    if not (combos := sorted({combo(a, b) for a, b in cards if a != b})):
        raise _NoHand("a card cannot be both hole cards")
    return np.array(combos)


def _strongest(percent: float) -> _Ints:
    """Combos of the strongest hands that make up this share of all, rounded to whole classes."""
    if percent > 100:
        raise _NoHand("a share of all hands is at most 100 %")
    classes = [CLASS_TEXT.index(name) for name in _STRONGEST_FIRST.split()]
    middle = np.cumsum(CLASS_SIZE[classes]) - CLASS_SIZE[classes] / 2
    chosen = np.array(classes)[middle <= percent / 100 * COMBOS]
    return np.flatnonzero(np.isin(COMBO_CLASS, chosen))


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
