"""Provably fair deals: nobody chooses the deck, nobody changes it, and anybody can check both after the hand.

The dealer draws a nonce and publishes its SHA-256. Then each person's program draws a share and sends the SHA-256 of
it. When these are all there, the shares follow. The deck follows from the nonce and the shares: cards are sorted by the
SHA-256 of ``nonce:share:...:card``. After the hand all of it is published. Cards go out in the order of the deck: two
to each position, from the first after the button on, then the five of the board; none are burned.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable, Sequence

import msgspec

from dupai.base import ConfigError, NotationError
from dupai.cards import card_text, cards, cards_text
from dupai.rules import GameSpec, HandState

#: Stands for the share of a person whose program sent none in time.
NO_SHARE = "-"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class SealedDeck(msgspec.Struct, frozen=True):
    """A deck (104 letters) with its nonce (64 hexadecimal digits), both secret until the hand is over.

    ``shares``: name and share of each person in the order of seats; None: the deck does not follow from the nonce, and
    the hash is that of both.
    """

    deck: str
    nonce: str
    shares: tuple[tuple[str, str], ...] | None = None

    @classmethod
    def shuffled(cls, nonce: str = "", shares: Sequence[tuple[str, str]] = ()) -> SealedDeck:
        """The deck of a nonce (default: a fresh one) and of what people add."""
        nonce = nonce or secrets.token_hex(32)
        text = ":".join((nonce, *(share for _, share in shares)))
        order = sorted(range(52), key=lambda card: _sha256(f"{text}:{card_text(card)}"))
        return cls(cards_text(order), nonce, tuple(shares))

    @property
    def hash(self) -> str:
        """What is published before the hand."""
        return _sha256(self.nonce if self.shares is not None else f"{self.nonce}:{self.deck}")

    def deal(self, spec: GameSpec, stacks: Sequence[int], seats: Sequence[int], hand: int) -> HandState:
        """The hand that this deck deals."""
        deck = cards(self.deck)
        n = spec.players
        hole = [deck[2 * p : 2 * p + 2] for p in range(n)]
        return HandState(spec, hole, deck[2 * n : 2 * n + 5], stacks, seats, hand)


class DeckSeal:
    """The nonce of the next deck, and what people add: first the hashes of their shares, then the shares.

    Attributes:
        hash: what is published of the nonce.
        commits, shares: hashes and shares so far, by name.
        names: of the people whose shares count, in the order of seats, from :meth:`close` on; None before.
    """

    def __init__(self) -> None:
        self._nonce = secrets.token_hex(32)
        self.hash = _sha256(self._nonce)
        self.commits: dict[str, str] = {}
        self.shares: dict[str, str] = {}
        self.names: tuple[str, ...] | None = None

    def take(self, name: str, text: str) -> None:
        """Take what a person's program sends; a share without its hash counts for nothing.

        Raises:
            NotationError: it is not 64 hexadecimal digits.
        """
        if not re.fullmatch("[0-9a-f]{64}", text):
            raise NotationError(f"share {text[:80]!r}: expected 64 hexadecimal digits", text=text[:80])
        if self.names is None:
            self.commits.setdefault(name, text)
        elif self.commits.get(name) == _sha256(text):
            self.shares[name] = text

    def close(self, names: Iterable[str]) -> None:
        """Take shares instead of hashes from now on. A person who leaves later still counts: the deck is settled."""
        self.names = tuple(names)
        self.commits = {name: self.commits[name] for name in self.names if name in self.commits}

    def deck(self) -> SealedDeck:
        """The deck, once it is closed."""
        return SealedDeck.shuffled(self._nonce, [(name, self.shares.get(name, NO_SHARE)) for name in self.names or ()])


def verify_deal(hash: str, nonce: str, deck: str, shares: Sequence[str] = ()) -> tuple[int, ...]:
    """The cards of a deck in the order dealt, after a check that they are those sealed by ``hash`` and ``shares``.

    Raises:
        NotationError: the deck is not 52 different cards, or hash or nonce are no hexadecimal digits.
        ConfigError: the hash is that of another deck or nonce, or the shares give another deck.
    """
    for name, text in (("hash", hash), ("nonce", nonce)):
        if not text.strip().isascii() or not text.strip().isalnum():
            raise NotationError(f"{name} {text.strip()[:80]!r}: expected hexadecimal digits", text=text[:80])
    order = cards(deck.strip())
    if len(order) != 52 or len(set(order)) != 52:
        raise NotationError(f"the deck has {len(set(order))} different cards: expected 52", text=deck[:120])
    mixed = SealedDeck.shuffled(nonce.strip(), [("", share) for share in shares])
    whole = SealedDeck(cards_text(order), nonce.strip())
    # A hash of the deck itself would let the dealer choose it whatever people add.
    if hash.strip().lower() not in ((mixed.hash,) if shares else (mixed.hash, whole.hash)):
        raise ConfigError(f"the deal was not kept: this nonce has the hash {mixed.hash}", key="hash")
    if hash.strip().lower() == mixed.hash and mixed.deck != whole.deck:
        raise ConfigError("the deal was not kept: nonce and shares give another deck", key="deck")
    return order
