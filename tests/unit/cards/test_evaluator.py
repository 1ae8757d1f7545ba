"""The evaluator: the paper's examples, every hand counted by category, a naive twin, words, refusals."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from math import comb

import numba
import numpy as np
import numpy.typing as npt
import pytest

from dupai import cards as c
from dupai.base import NotationError, Rng
from dupai.cards import kernels as ck
from naive.cards_evaluator import best_value, nibbles
from tools import evaluator_tables

#: High card ... straight flush: counts of all five-card and of all seven-card hands.
FIVE = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]
SEVEN = [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584]


def random_hands(n: int, sizes: tuple[int, ...] = (5, 6, 7), seed: int = 1) -> list[tuple[int, ...]]:
    rng = Rng(seed)
    deck = list(range(52))
    hands = []
    for k in range(n):
        rng.shuffle(deck)
        hands.append(tuple(deck[: sizes[k % len(sizes)]]))
    return hands


#: Hands where a rule is easily got wrong.
EDGES = (
    "Ac2d3h4s5c",  # the wheel is a straight to the five
    "Ac2d3h4s6c",  # and four of it is none
    "QcKdAh2s3c",  # no straight goes round the corner
    "Ac2c3c4c5c6d7h",  # a steel wheel beats the longer straight
    "As2s3s4s5s6sKd",  # six to a straight flush with the ace below
    "2c3c4c5c6cAcKc",  # a straight flush inside a higher flush
    "9c8c7c6cThJdQs",  # a straight and four to a flush
    "2c4c6c8cTcQcAc",  # seven of a suit
    "2c4c6c8cTcQcAd",  # six of a suit
    "KcKdKhQsQcQd2h",  # two sets of three are a full house
    "KcKdKhQsQcJdJh",  # three and two pairs
    "KcKdQhQsJcJd2h",  # three pairs, kicker from the rest
    "KcKdQhQsJcJdAh",  # three pairs, the kicker is the ace
    "3c3d2h2s4c4d2c",  # full house from two pairs and three deuces
    "9c9d9h9sAcAdAh",  # four of a kind with three aces
    "9c9d9h9s2c2d3h",
    "2c2d2h2s3c3d3h",
    "AcAdKhQsJc9d8h",
    "AcKdQhJsTc9d8h",
    "2c3d4h5s7c",  # the weakest of all
    "TcJcQcKcAc",  # the strongest
)


@pytest.mark.parametrize(
    ("hand", "value"), [("AHQD4SKH8C", 0x000CBA62), ("4DJD3D4CAD", 0x0012C910), ("7C6C5C4C3D", 0x00450000)]
)
def test_hand_values_of_the_paper(hand: str, value: int) -> None:
    assert c.hand_value(c.strength(hand)) == value


def test_every_five_card_hand_by_category_and_every_strength_occurs() -> None:
    hands = np.fromiter(combinations(range(52), 5), dtype=np.dtype((np.uint8, 5)), count=comb(52, 5))
    strengths = c.strengths(np.bitwise_or.reduce(c.CARD_MASK[hands], axis=1))
    often = np.bincount(strengths, minlength=c.STRENGTHS + 1)
    assert often[0] == 0
    assert (often[1:] > 0).all()
    assert len(often) == c.STRENGTHS + 1
    values = c.hand_value_table()
    assert (np.diff(values.astype(np.int64)) > 0).all()
    assert np.bincount(values[strengths] >> 20).tolist() == FIVE


def test_every_seven_card_hand_by_category() -> None:
    counts = np.zeros(9, np.int64)
    ck.category_counts_kernel(0, 46, counts)
    assert counts.sum() == comb(52, 7) == 133_784_560
    assert counts.tolist() == SEVEN


def test_every_seven_card_hand_by_strength() -> None:
    counts = np.zeros(c.STRENGTHS + 1, np.int64)
    ck.strength_counts_kernel(0, 46, counts)
    assert np.bincount(c.hand_value_table() >> 20, weights=counts).tolist() == SEVEN
    # Known: 4,824 of the strengths occur with seven cards; the worst is 9-8-7-5-4, the best a royal flush.
    assert (counts > 0).sum() == 4_824
    assert np.flatnonzero(counts)[0] == c.strength("9c8d7h5s4c") == c.strength("9c8d7h5s4c3d2h")
    assert counts[c.STRENGTHS] == 4 * comb(47, 2)


def test_key_and_mask_agree_on_every_seven_card_hand() -> None:
    key_strength, mask_strength = ck.key_strength_kernel, ck.strength_kernel
    card_key, card_mask, combo_key, combo_mask, empty = (
        ck.CARD_KEY,
        c.CARD_MASK,
        ck.COMBO_KEY,
        c.COMBO_MASK,
        ck.EMPTY_KEY,
    )

    @numba.njit
    def differing(first: int, last: int, seen: npt.NDArray[np.bool_]) -> tuple[int, int]:
        bad = 0
        hands = 0
        for i in range(first, last):
            for j in range(i + 1, 52):
                for k in range(j + 1, 52):
                    for m in range(k + 1, 52):
                        for n in range(m + 1, 52):
                            key = empty + card_key[i] + card_key[j] + card_key[k] + card_key[m] + card_key[n]
                            mask = card_mask[i] | card_mask[j] | card_mask[k] | card_mask[m] | card_mask[n]
                            # Combos in order: all those of two cards below the lowest of the five.
                            for combo in range(i * (i - 1) // 2):
                                s = mask_strength(mask | combo_mask[combo])
                                bad += s != key_strength(key + combo_key[combo], mask | combo_mask[combo])
                                seen[s] = True
                                hands += 1
        return bad, hands

    seen = np.zeros(c.STRENGTHS + 1, np.bool_)
    assert differing(2, 48, seen) == (0, comb(52, 7))
    assert seen.sum() == 4_824


def test_naive_twin() -> None:
    hands = random_hands(1500) + [c.cards(text) for text in EDGES]
    masks = np.array([c.mask_of(h) for h in hands], np.uint64)
    batch = c.strengths(masks)
    for hand, mask, strength in zip(hands, masks.tolist(), batch.tolist(), strict=True):
        value = best_value(hand)
        assert c.hand_value(strength) == nibbles(value), c.cards_text(hand)
        assert c.strength(mask) == c.strength(c.cards_text(hand)) == c.strength(hand) == strength
        key = np.uint64((int(ck.EMPTY_KEY) + sum(int(ck.CARD_KEY[k]) for k in hand)) % 2**64)
        assert ck.key_strength_kernel(key, np.uint64(mask)) == strength
        assert c.category(strength) == value[0]


def test_order_of_the_edges() -> None:
    assert c.strength("2c3d4h5s7c") == 1
    assert c.strength("TcJcQcKcAc") == c.STRENGTHS == 7462
    assert c.strength("Ac2d3h4s5c") < c.strength("2d3h4s5c6c")
    assert c.strength("Ac2d3h4s5c") > c.strength("AcAdAhKsQc")
    assert c.strength("AsKd2c7dThQhJs") == c.strength("AhKh2c7dThQhJs")


def test_keys_of_combos_are_sums() -> None:
    for combo in (0, 1, 700, 1325):
        a, b = (int(x) for x in c.COMBO_CARDS[combo])
        assert int(ck.COMBO_KEY[combo]) == (int(ck.CARD_KEY[a]) + int(ck.CARD_KEY[b])) % 2**64


def test_batches_of_any_shape_and_length() -> None:
    hands = random_hands(10_000, (7,), seed=5)
    masks = np.array([c.mask_of(h) for h in hands], np.uint64)
    all_at_once = c.strengths(masks)
    assert all_at_once.dtype == np.uint16
    assert (c.strengths(masks.reshape(100, 100)) == all_at_once.reshape(100, 100)).all()
    assert (c.strengths(masks[::3]) == all_at_once[::3]).all()
    for n in (0, 1, 2, 4095, 4096, 4097, 8191):
        assert (c.strengths(masks[:n]) == all_at_once[:n]).all()
    out = np.empty(10_000, np.uint16)
    assert c.strengths(masks, out) is out
    assert (out == all_at_once).all()
    assert all_at_once[:50].tolist() == [c.strength(m) for m in masks[:50].tolist()]


def test_unfit_batches_are_refused() -> None:
    good = np.full(9000, c.mask_of(range(7)), np.uint64)
    for place in (0, 4095, 4096, 8999):
        for wrong, said in (
            (c.mask_of((0, 14, 28, 42)), "hand '2c3d4h5s' has 4 cards: expected five to seven"),
            (c.mask_of(range(8)), "has 8 cards"),
            (0, "hand '' has 0 cards"),
            (1 << 13 | c.mask_of(range(7)), "has bits that are no cards"),
            (1 << 63 | c.mask_of(range(6)), "has bits that are no cards"),
        ):
            masks = good.copy()
            masks[place] = wrong
            with pytest.raises(NotationError, match=said):
                c.strengths(masks)
    with pytest.raises(NotationError, match=r"out is int32\[9000\]: expected a contiguous uint16\[9000\]"):
        c.strengths(good, np.empty(9000, np.int32))  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="expected a contiguous"):
        c.strengths(good, np.empty(18_000, np.uint16)[::2])


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("AsAs2c3d4h", "card As stands twice in 'AsAs2c3d4h'"),
        ("As1s2c3d4h", "'1s' in 'As1s2c3d4h' is not a card"),
        ("AsKs2c3d", "hand '2c3dKsAs' has 4 cards: expected five to seven"),
        ("AsKs2c3d4h5h6h7h", "has 8 cards"),
        ((1, 1, 2, 3, 4), "card 3c stands twice"),
        ((1, 2, 3, 4, 99), "99 is not a card"),
        ((1, 2, 3, 4, 255), "255 is not a card"),
        (1 << 60, "hand 'As' has 1 cards"),
        (-1, "has bits that are no cards"),
        (1 << 70, "has bits that are no cards"),
    ],
)
def test_what_is_no_hand_is_refused_in_one_line(hand: int | str | tuple[int, ...], said: str) -> None:
    with pytest.raises(NotationError, match=said) as error:
        c.strength(hand)
    assert "\n" not in str(error.value)


def test_a_numpy_mask_is_a_mask() -> None:
    mask = c.mask_of(c.cards("AhQd4sKh8c"))
    assert c.strength(np.uint64(mask)) == c.strength(mask) == c.strength("AhQd4sKh8c")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("AhQd4sKh8c", "high card, ace, king queen eight four kickers"),
        ("4dJd3d4cAd", "pair, fours, ace jack three kickers"),
        ("AsAd4c4dKs2h3c", "two pair, aces and fours, king kicker"),
        ("6s6d6hKcQd", "three of a kind, sixes, king queen kickers"),
        ("9s8d7h6c5d", "straight, nine high"),
        ("As2d3h4c5d", "straight, five high"),
        ("KsQs8s4s3s", "flush, king high, queen eight four three kickers"),
        ("6s6d6h2c2d", "full house, sixes over deuces"),
        ("2s2d2h2cAd", "four of a kind, deuces, ace kicker"),
        ("9s8s7s6s5s", "straight flush, nine high"),
        ("As2s3s4s5s", "straight flush, five high"),
        ("AdKdQdJdTd", "royal flush"),
    ],
)
def test_words(hand: str, words: str) -> None:
    assert c.describe(hand) == c.describe(c.cards(hand)) == c.describe(c.strength(hand)) == words


def test_every_strength_has_words_of_its_own() -> None:
    words = [c.describe(s) for s in range(1, c.STRENGTHS + 1)]
    assert len(set(words)) == c.STRENGTHS
    for s, text in enumerate(words, start=1):
        assert text.startswith("royal flush" if s == c.STRENGTHS else c.CATEGORIES[c.category(s)])


@pytest.mark.parametrize("wrong", [0, -1, 7463, 1 << 40])
def test_what_is_no_strength_is_refused(wrong: int) -> None:
    for function in (c.hand_value, c.category, c.describe):
        with pytest.raises(NotationError, match=f"{wrong} is not a strength: expected 1 to 7462"):
            function(wrong)


def test_the_shipped_tables_are_what_the_build_makes() -> None:
    with np.load(evaluator_tables.TABLE_FILE) as shipped:
        made = evaluator_tables.build()
        assert sorted(shipped) == sorted(made)
        for name, table in made.items():
            assert shipped[name].dtype == table.dtype
            assert (shipped[name] == table).all(), name


_TWIN = """
import numpy as np
from dupai import cards as c
from dupai.cards import kernels as ck
from dupai.base import Rng
rng, deck, masks = Rng(3), list(range(52)), []
for k in range(150):
    rng.shuffle(deck)
    masks.append(c.mask_of(deck[: 5 + k % 3]))
counts = np.zeros(9, np.int64)
ck.category_counts_kernel(43, 46, counts)
by_strength = np.zeros(c.STRENGTHS + 1, np.int64)
ck.strength_counts_kernel(43, 46, by_strength)
keys = [np.uint64((int(ck.EMPTY_KEY) + sum(int(ck.CARD_KEY[k]) for k in c.cards_of(m))) % 2**64) for m in masks]
print(c.strengths(np.array(masks, np.uint64)).tolist())
print([c.strength(m) for m in masks[:9]], [int(ck.key_strength_kernel(k, np.uint64(m))) for k, m in zip(keys, masks)])
print(counts.tolist(), np.flatnonzero(by_strength), [int(ck.canonical_kernel(a, b)) for a, b in zip(masks, masks[1:])])
print([int(ck.board_number_kernel(4, *c.cards_of(m)[:4])) for m in masks])
print([int(ck.permuted_kernel(m, k % 24)) for k, m in enumerate(masks)])
"""


def test_interpreted_kernels_answer_the_same() -> None:
    said = []
    for off in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": off}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", _TWIN], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1]
