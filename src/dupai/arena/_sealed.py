"""Provably fair deals: the deck is sealed before the hand and can be checked after it.

The dealer shuffles a deck, draws a nonce and publishes ``SHA-256(nonce + ":" + deck)`` before anybody acts. After the
hand it publishes both. Nobody can then say that a card was changed in between. Cards go out in the order of the deck:
two to each position, from the first after the button on, then the five of the board; none are burned.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

import msgspec

from dupai.base import ConfigError, NotationError
from dupai.cards import cards, cards_text
from dupai.rules import GameSpec, HandState


class SealedDeck(msgspec.Struct, frozen=True):
    """A shuffled deck (104 letters) with its nonce (64 hexadecimal digits), both secret until the hand is over."""

    deck: str
    nonce: str

    @classmethod
    def shuffled(cls) -> SealedDeck:
        """A fresh deck, shuffled with the system's random numbers."""
        deck = list(range(52))
        secrets.SystemRandom().shuffle(deck)
        return cls(cards_text(deck), secrets.token_hex(32))

    @property
    def hash(self) -> str:
        """What is published before the hand."""
        return hashlib.sha256(f"{self.nonce}:{self.deck}".encode()).hexdigest()

    def deal(self, spec: GameSpec, stacks: Sequence[int], seats: Sequence[int], hand: int) -> HandState:
        """The hand that this deck deals."""
        deck = cards(self.deck)
        n = spec.players
        hole = [deck[2 * p : 2 * p + 2] for p in range(n)]
        return HandState(spec, hole, deck[2 * n : 2 * n + 5], stacks, seats, hand)


def verify_deal(hash: str, nonce: str, deck: str) -> tuple[int, ...]:
    """The cards of a deck in the order dealt, after a check that they are those sealed by ``hash``.

    Raises:
        NotationError: the deck is not 52 different cards, or hash or nonce are no hexadecimal digits.
        ConfigError: the hash is that of another deck or nonce.
    """
    for name, text in (("hash", hash), ("nonce", nonce)):
        if not text.strip().isascii() or not text.strip().isalnum():
            raise NotationError(f"{name} {text.strip()[:80]!r}: expected hexadecimal digits", text=text[:80])
    order = cards(deck.strip())
    if len(order) != 52 or len(set(order)) != 52:
        raise NotationError(f"the deck has {len(set(order))} different cards: expected 52", text=deck[:120])
    sealed = SealedDeck(cards_text(order), nonce.strip())
    if sealed.hash != hash.strip().lower():
        raise ConfigError(f"the deal was not kept: this deck and nonce have the hash {sealed.hash}", key="hash")
    return order
