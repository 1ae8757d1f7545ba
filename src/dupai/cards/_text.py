"""Cards as integers 0..51 and as text.

``card = suit * 13 + rank``; suits clubs 0, diamonds 1, hearts 2, spades 3; ranks deuce 0 .. ace 12
(the encoding of *Programming Poker AI*).
"""

from __future__ import annotations

from collections.abc import Iterable

from dupai.base import NotationError
from dupai.base.text import quoted

#: Rank letters, deuce first; the index is the rank.
RANKS = "23456789TJQKA"
#: Suit letters; the index is the suit.
SUITS = "cdhs"
#: Number of cards in the deck.
CARDS = 52
#: Marks a card that is not there or not known (in ``uint8`` arrays and in :class:`~dupai.rules.View`).
NO_CARD = 255

_CARD = {r + s: si * 13 + ri for si, s in enumerate(SUITS) for ri, r in enumerate(RANKS)}
_CARD.update({t[0].lower() + t[1]: c for t, c in list(_CARD.items())})
_CARD.update({t[0] + t[1].upper(): c for t, c in list(_CARD.items())})
#: Suit symbols to letters; the marks that choose between text and picture are dropped.
_SYMBOLS = str.maketrans("♣♦♥♠♧♢♡♤", SUITS * 2, "\ufe0e\ufe0f")
_EXPECTED = f"expected a rank of {RANKS} and a suit of {SUITS}, as in 'As'"
_TEXT = tuple(r + s for s in SUITS for r in RANKS)


def suit_letters(text: str) -> str:
    """The text with letters for suit symbols: ``suit_letters("A♠") == "As"``."""
    return text if text.isascii() else text.translate(_SYMBOLS)


def card(text: str) -> int:
    """The card that two characters name: ``card("As") == 51``. Letters of either case; ``10s`` is read as ``Ts``, and
    ``A♠`` as ``As``.

    Raises:
        NotationError: ``text`` is not a card.
    """
    plain = suit_letters(text) if isinstance(text, str) else ""
    c = _CARD.get("T" + plain[2:] if plain.startswith("10") else plain)
    if c is None:
        raise NotationError(f"{quoted(text)} is not a card: {_EXPECTED}", text=text)
    return c


def card_text(card: int) -> str:
    """Two characters for a card: ``card_text(51) == "As"``; an unknown card (255) is ``"??"``."""
    return _TEXT[card] if card != NO_CARD else "??"


def cards(text: str) -> tuple[int, ...]:
    """The cards of a text such as ``"AsKd"``, ``"As Kd"``, ``"2c,7d,Th"`` or ``"A♠K♦"``, in the order written.

    Raises:
        NotationError: something in the text is not a card, or a card stands twice.
    """
    squeezed = suit_letters(text).replace(" ", "").replace(",", "").replace("10", "T")
    if len(squeezed) % 2:
        raise NotationError(f"{text!r} is not a list of cards: expected two characters a card, as in 'AsKd'")
    numbers: list[int] = []
    for i in range(0, len(squeezed), 2):
        piece = squeezed[i : i + 2]
        c = _CARD.get(piece)
        if c is None:
            raise NotationError(f"{piece!r} in {text!r} is not a card: {_EXPECTED}")
        if c in numbers:
            raise NotationError(f"card {_TEXT[c]} stands twice in {text!r}")
        numbers.append(c)
    return tuple(numbers)


def cards_text(cards: Iterable[int]) -> str:
    """Text of several cards without blanks, in the order given: ``cards_text((51, 24)) == "AsKd"``."""
    return "".join(card_text(int(c)) for c in cards)
