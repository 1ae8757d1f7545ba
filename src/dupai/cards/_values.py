"""Cards, hands and boards as people meet them: values that print, compare, contain and iterate.

They *are* what the kernels' functions take: a :class:`Card` is its number 0..51, a :class:`Hand` and a :class:`Board`
are tuples of them. :func:`as_cards` and :func:`combo_index` read all forms.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from dupai.base import NotationError
from dupai.base.text import quoted
from dupai.cards._tables import CLASS_TEXT, COMBO_CARDS, COMBO_CLASS, COMBO_INDEX, COMBOS, mask_of
from dupai.cards._text import CARDS, RANKS, card as card_number, card_text, cards as card_numbers

_SIGNS = "♣♦♥♠"
#: Colours of the four-colour deck, by suit.
_COLOURS = ("#2e7d32", "#1565c0", "#c62828", "#222222")
_EXPECTED = "expected text as 'AsKd', or card numbers 0 to 51"


class Card(int):
    """A card. It is the number 0..51 that kernels use (``suit * 13 + rank``), and prints as ``As``.

    ``Card("As") == 51``; cards compare and sort by number.

    Args:
        card: text (``"As"``), a number 0 to 51, or a card.

    Raises:
        NotationError: it is none of these.
    """

    __slots__ = ()

    def __new__(cls, card: str | int) -> Card:
        if isinstance(card, Card):
            return card
        if isinstance(card, str):
            return super().__new__(cls, card_number(card))
        if isinstance(card, bool) or not isinstance(card, int | np.integer) or not 0 <= card < CARDS:
            raise NotationError(f"{quoted(card)} is not a card: expected text as 'As', or a number 0 to {CARDS - 1}")
        return super().__new__(cls, card)

    @property
    def rank(self) -> int:
        """0 (deuce) to 12 (ace)."""
        return int(self) % 13

    @property
    def suit(self) -> int:
        """Clubs 0, diamonds 1, hearts 2, spades 3."""
        return int(self) // 13

    @property
    def sign(self) -> str:
        """With the suit's sign: ``A♠``."""
        return RANKS[self.rank] + _SIGNS[self.suit]

    def __str__(self) -> str:
        return card_text(self)

    def __repr__(self) -> str:
        return f"Card({card_text(self)!r})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def to_html(self) -> str:
        """The card with its suit's sign, in the colours of a four-colour deck."""
        return f'<span style="color:{_COLOURS[self.suit]};font-weight:bold">{self.sign}</span>'

    _repr_html_ = to_html


def as_cards(source: Any, name: str = "cards") -> tuple[int, ...]:
    """Different cards as plain numbers, from any form: text, a :class:`Card`, or an iterable of texts and numbers.

    Args:
        source: the cards; None: none.
        name: what they are, for the error.

    Raises:
        NotationError: something is not a card, or a card stands twice.
    """
    if source is None:
        return ()
    if isinstance(source, str):
        return card_numbers(source)
    if isinstance(source, Card):
        return (int(source),)
    if isinstance(source, bytes) or not isinstance(source, Iterable):
        raise NotationError(f"{name}: {quoted(source)} is not a list of cards: {_EXPECTED}")
    numbers = []
    for item in source:
        if isinstance(item, str):
            numbers.append(card_number(item))
        elif isinstance(item, bool) or not isinstance(item, int | np.integer) or not 0 <= item < CARDS:
            raise NotationError(f"{name}: {quoted(item)} is not a card: {_EXPECTED}")
        else:
            numbers.append(int(item))
    mask_of(numbers)
    return tuple(numbers)


_C = TypeVar("_C", bound="_Cards")


class _Cards(tuple[Card, ...]):
    """Some different cards in an order."""

    __slots__ = ()

    @classmethod
    def _of(cls: type[_C], numbers: Iterable[int]) -> _C:
        return tuple.__new__(cls, map(Card, numbers))

    @property
    def mask(self) -> int:
        """The cards as bits (see :func:`~dupai.cards.mask_of`)."""
        return mask_of(self)

    def __contains__(self, card: object) -> bool:
        """Whether a card (text or number) is among them."""
        return tuple.__contains__(self, card_number(card) if isinstance(card, str) else card)

    def __str__(self) -> str:
        return "".join(map(str, self))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),)

    def to_html(self) -> str:
        """The cards in the colours of a four-colour deck."""
        return " ".join(c.to_html() for c in self)

    _repr_html_ = to_html


class Hand(_Cards):
    """Two hole cards, the higher rank first (then spades before clubs): ``Hand("KdAs") == Hand("AsKd")``.

    A tuple of two :class:`Card`; kernels know it as a *combo*, an index 0..1325 (:attr:`combo`).

    Args:
        hand: text (``"AsKd"``), a combo index, or two cards in any form.

    Raises:
        NotationError: it is not two different cards.
    """

    __slots__ = ()

    def __new__(cls, hand: str | int | Iterable[int | str]) -> Hand:
        if isinstance(hand, Hand):
            return hand
        two = COMBO_CARDS[combo_index(hand)].tolist()
        return cls._of(sorted(two, key=lambda c: (-(c % 13), -c)))

    @property
    def combo(self) -> int:
        """Its index 0..1325 in the one order of combos."""
        return int(COMBO_INDEX[self[0], self[1]])

    @property
    def kind(self) -> str:
        """Its starting-hand class: ``"AKs"``, ``"AKo"``, ``"AA"``."""
        return CLASS_TEXT[int(COMBO_CLASS[self.combo])]

    @property
    def suited(self) -> bool:
        """Whether both cards are of one suit."""
        return self[0].suit == self[1].suit

    @property
    def pair(self) -> bool:
        """Whether both cards are of one rank."""
        return self[0].rank == self[1].rank


class Board(_Cards):
    """The open cards of a hand: none, or a flop, turn or river of 3, 4 or 5, in the order dealt.

    A tuple of :class:`Card`; ``board + "5s"`` deals on.

    Args:
        board: text (``"2c7dTh"``) or cards in any form; None: no cards.

    Raises:
        NotationError: something is not a card, a card stands twice, or there are 1, 2 or more than 5.
    """

    __slots__ = ()

    def __new__(cls, board: str | Iterable[int | str] | None = None) -> Board:
        if isinstance(board, Board):
            return board
        numbers = as_cards(board, "board")
        if len(numbers) not in (0, 3, 4, 5):
            text = "".join(map(card_text, numbers))
            raise NotationError(f"board {text!r} has {len(numbers)} cards: expected 0, 3, 4 or 5", text=text)
        return cls._of(numbers)

    @property
    def street(self) -> int:
        """0 before the flop, 1 flop, 2 turn, 3 river."""
        return max(0, len(self) - 2)

    @property
    def flop(self) -> Board:
        """The first three cards (none before the flop)."""
        return Board(self[:3])

    @property
    def turn(self) -> Card | None:
        """The fourth card."""
        return self[3] if len(self) > 3 else None

    @property
    def river(self) -> Card | None:
        """The fifth card."""
        return self[4] if len(self) > 4 else None

    def __add__(self, more: Any) -> Board:
        return Board((*self, *as_cards(more, "board")))


def combo_index(hand: Any) -> int:
    """Index 0..1325 of two hole cards in any form: text, a :class:`Hand`, two cards, or the index itself.

    Raises:
        NotationError: it is not that.
    """
    if isinstance(hand, int | np.integer) and not isinstance(hand, bool | Card):
        if not 0 <= hand < COMBOS:
            raise NotationError(f"{hand} is not a combo: expected an index 0 to {COMBOS - 1}")
        return int(hand)
    two = as_cards(hand, "hole cards")
    if len(two) != 2:
        raise NotationError(f"{quoted(hand)} holds {len(two)} cards: expected two hole cards, as in 'AsKd'")
    return int(COMBO_INDEX[two[0], two[1]])
