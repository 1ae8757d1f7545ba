"""The situation to compute: players' ranges, board and dead cards, checked."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NotationError
from dupai.base.arrays import F64, I16, U64
from dupai.base.text import quoted
from dupai.cards import CARDS, COMBO_CARDS, COMBO_MASK, COMBOS, Hand, as_cards, card_text, cards_text, mask_of
from dupai.equity._winrates import Cards
from dupai.ranges import Range

#: A player's hand or range: notation, a range, the two cards of one hand, or 1326 weights in [0, 1] (a reading).
HandOrRange = str | Range | Hand | Sequence[int | str] | npt.NDArray[np.floating]

PLAYERS = range(2, 11)
#: Hands that the search for a joint deal tries before it gives up, a second or two.
_SEARCHED = 30_000


class Setup(NamedTuple):
    """A checked situation.

    ``names``: the players' ranges as written; ``combos``: for each player the combos that board and dead cards leave
    (``int16[m]``), ``weights`` theirs (``float64[m]``, positive). ``board``, ``dead``: cards; ``gone``: mask of both.
    """

    names: tuple[str, ...]
    combos: tuple[I16, ...]
    weights: tuple[F64, ...]
    board: tuple[int, ...]
    dead: tuple[int, ...]
    gone: int

    @property
    def live(self) -> int:
        """How many cards are neither on the board nor dead."""
        return CARDS - len(self.board) - len(self.dead)


def _size(hand: object) -> int:
    """How many elements a sequence or what NumPy takes for an array has; 0 for other things."""
    try:
        return len(hand if isinstance(hand, Sized) else np.asarray(hand))
    except TypeError:
        return 0


@lru_cache(256)
def _parsed(text: str) -> Range:
    return Range(text)


def _range(hand: HandOrRange, player: int) -> tuple[str, Range]:
    if isinstance(hand, Range):
        return str(hand), hand
    if isinstance(hand, str):
        return hand.strip(), _parsed(hand)
    size = 0 if isinstance(hand, bytes | dict | set) else _size(hand)
    if size == 2:
        two = as_cards(hand, f"player {player}")
        return cards_text(two), Range(cards_text(two))
    if size == COMBOS:
        range_ = Range(hand)
        return f"{len(range_)} weighted hands", range_
    raise ConfigError(
        f"player {player}: {quoted(hand)} is not a hand: expected notation, a Range, two cards or {COMBOS} weights"
    )


def make_setup(hands: Sequence[HandOrRange], board: Cards, dead: Cards) -> Setup:
    """Check and combine the arguments of :func:`dupai.equity.equity`.

    Raises:
        NotationError: text that is not cards or a range; a card twice.
        ConfigError: not 2 to 10 players, not 0, 3, 4 or 5 board cards, a range of which nothing is left, too few cards.
    """
    if isinstance(hands, str | Range | Hand):
        raise ConfigError(f"hands: {str(hands)!r} is one hand: expected a list of 2 to 10 hands or ranges", key="hands")
    if not isinstance(hands, list | tuple | np.ndarray):
        raise ConfigError(f"hands: {quoted(hands)} is no list: expected 2 to 10 hands or ranges", key="hands")
    if len(hands) not in PLAYERS:
        raise ConfigError(
            f"hands: {len(hands)} player{'s' * (len(hands) != 1)}: expected 2 to 10 hands or ranges", key="hands"
        )
    on_board = as_cards(board, "board")
    out = as_cards(dead, "dead")
    if len(on_board) not in (0, 3, 4, 5):
        raise ConfigError(
            f"board: {cards_text(on_board)!r} holds {len(on_board)} cards: expected 0, 3, 4 or 5", key="board"
        )
    for c in out:
        if c in on_board:
            raise NotationError(f"card {card_text(c)} is both on the board and dead")
    gone = mask_of((*on_board, *out))
    names, combos, weights = [], [], []
    for player, hand in enumerate(hands, 1):
        name, range_ = _range(hand, player)
        left, weight, cards = range_.entries
        if cards & gone:
            fits = COMBO_MASK[left] & np.uint64(gone) == 0
            left, weight = left[fits], weight[fits]
            left.flags.writeable = weight.flags.writeable = False  # as those of the range: one type for the kernels
        if not len(left):
            raise _nothing_left(name, range_, player, on_board, out)
        names.append(name)
        combos.append(left)
        weights.append(weight)
    setup = Setup(tuple(names), tuple(combos), tuple(weights), on_board, out, gone)
    need = 2 * len(hands) + 5 - len(on_board)
    if setup.live < need:
        raise ConfigError(
            f"dead: {len(out)} dead cards leave {setup.live} in the deck, and {need} are to be dealt", key="dead"
        )
    _check_known(setup)
    return setup


def _nothing_left(
    name: str, range_: Range, player: int, board: tuple[int, ...], dead: tuple[int, ...]
) -> ConfigError | NotationError:
    if len(range_) == 1:
        for c in COMBO_CARDS[int(np.argmax(range_.weights))]:
            if c in board or c in dead:
                where = "on the board" if c in board else "dead"
                return NotationError(f"card {card_text(int(c))} is both in hand {name!r} and {where}")
    where = " and ".join(
        f"{place} {cards_text(held)}" for place, held in (("board", board), ("dead cards", dead)) if held
    )
    short = name if len(name) <= 60 else name[:57] + "..."
    if not where:
        return ConfigError(f"player {player}: range {short!r} holds no hands")
    return ConfigError(f"player {player}: nothing of range {short!r} is left beside {where}")


def _check_known(setup: Setup) -> None:
    """Two players with one known hand each cannot hold the same card."""
    held: dict[int, int] = {}
    for p, combos in enumerate(setup.combos):
        if len(combos) == 1:
            for c in COMBO_CARDS[combos[0]].tolist():
                if c in held:
                    raise NotationError(f"card {card_text(c)} is in the hands of players {held[c] + 1} and {p + 1}")
                held[c] = p


def cannot_be_dealt(setup: Setup) -> ConfigError:
    """The error for ranges that always clash (three players with aces)."""
    return ConfigError(f"hands: {', '.join(setup.names)} cannot be dealt together: some card is always needed twice")


def can_be_dealt(setup: Setup) -> bool | None:
    """Whether all players can hold hands of their ranges at once, by search; None: it would take too long."""
    tried = count(1)
    failed: set[tuple[int, tuple[int, ...]]] = set()

    def search(hands: dict[int, U64], used: int) -> bool:
        """Whether the players of ``hands`` can hold one each of these, which leave the cards ``used`` alone."""
        key = used, tuple(hands)
        if not hands:
            return True
        cards_left = int(np.bitwise_or.reduce(np.concatenate(list(hands.values()))))
        if key in failed or cards_left.bit_count() < 2 * len(hands):
            return False
        first = min(hands, key=lambda p: len(hands[p]))
        for hand in hands[first]:
            if next(tried) > _SEARCHED:
                raise TimeoutError
            left = {p: h[h & hand == 0] for p, h in hands.items() if p != first}
            if search(left, used | int(hand)):
                return True
        failed.add(key)
        return False

    try:
        return search({p: COMBO_MASK[combos] for p, combos in enumerate(setup.combos)}, 0)
    except TimeoutError:
        return None


def not_dealt(setup: Setup, draws: int) -> ConfigError:
    """The error for ranges that ``draws`` random draws did not deal together: what is known about them."""
    possible = can_be_dealt(setup)
    if possible is False:
        return cannot_be_dealt(setup)
    how = "can be dealt together, but seldom" if possible else "can be dealt together seldom or never"
    return ConfigError(
        f"hands: {', '.join(setup.names)} {how}: some card was needed twice in each of {draws:,} random draws; "
        "expected wider ranges, fewer players, or an exact count (method 'exact') of small ranges"
    )
