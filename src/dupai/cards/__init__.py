"""Cards, combos, the 169 starting-hand classes, suit isomorphism and hand evaluation.

The names that need compiled kernels (``strength``, ``strengths``, the keys and what ends in ``_kernel``) are loaded on
first use, so that importing this package does not load numba.
"""

from typing import TYPE_CHECKING

from dupai.base import lazy_exports
from dupai.cards._hands import CATEGORIES, STRENGTHS, category, describe, hand_value, hand_value_table
from dupai.cards._suits import (
    CARD_PERMUTED,
    COMBO_PERMUTED,
    SUIT_PERMUTATIONS,
    BoardClasses,
    Canonical,
    board_classes,
    canonical,
)
from dupai.cards._tables import (
    CARD_MASK,
    CLASS_SIZE,
    CLASS_TEXT,
    CLASSES,
    COMBO_CARDS,
    COMBO_CLASS,
    COMBO_INDEX,
    COMBO_MASK,
    COMBOS,
    DECK_MASK,
    board_array,
    cards_of,
    class_index,
    class_text,
    combo,
    combo_text,
    mask_of,
)
from dupai.cards._text import CARDS, NO_CARD, RANKS, SUITS, card, card_text, cards, cards_text

if TYPE_CHECKING:
    from dupai.cards._kernels.enumerate import category_counts_kernel, strength_counts_kernel
    from dupai.cards._kernels.evaluate import (
        CARD_KEY,
        COMBO_KEY,
        EMPTY_KEY,
        FLUSH_FLAGS,
        FLUSH_STRENGTH,
        flush_strength_kernel,
        key_strength_kernel,
        rank_strength_kernel,
        strength_kernel,
    )
    from dupai.cards._kernels.suits import board_number_kernel, canonical_kernel, permuted_kernel
    from dupai.cards._strength import strength, strengths
    from dupai.cards._zobrist import (
        ZOBRIST_HANDS,
        ZOBRIST_ROW,
        ZobristKeys,
        ZobristTable,
        stored_hands,
        zobrist_collisions,
        zobrist_keys,
    )
else:
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "CARD_KEY": "dupai.cards._kernels.evaluate",
            "COMBO_KEY": "dupai.cards._kernels.evaluate",
            "EMPTY_KEY": "dupai.cards._kernels.evaluate",
            "FLUSH_FLAGS": "dupai.cards._kernels.evaluate",
            "FLUSH_STRENGTH": "dupai.cards._kernels.evaluate",
            "ZOBRIST_HANDS": "dupai.cards._zobrist",
            "ZOBRIST_ROW": "dupai.cards._zobrist",
            "ZobristKeys": "dupai.cards._zobrist",
            "ZobristTable": "dupai.cards._zobrist",
            "board_number_kernel": "dupai.cards._kernels.suits",
            "canonical_kernel": "dupai.cards._kernels.suits",
            "category_counts_kernel": "dupai.cards._kernels.enumerate",
            "flush_strength_kernel": "dupai.cards._kernels.evaluate",
            "key_strength_kernel": "dupai.cards._kernels.evaluate",
            "permuted_kernel": "dupai.cards._kernels.suits",
            "rank_strength_kernel": "dupai.cards._kernels.evaluate",
            "stored_hands": "dupai.cards._zobrist",
            "strength": "dupai.cards._strength",
            "strength_counts_kernel": "dupai.cards._kernels.enumerate",
            "strength_kernel": "dupai.cards._kernels.evaluate",
            "strengths": "dupai.cards._strength",
            "zobrist_collisions": "dupai.cards._zobrist",
            "zobrist_keys": "dupai.cards._zobrist",
        },
    )

__all__ = [
    "CARDS",
    "CARD_KEY",
    "CARD_MASK",
    "CARD_PERMUTED",
    "CATEGORIES",
    "CLASSES",
    "CLASS_SIZE",
    "CLASS_TEXT",
    "COMBOS",
    "COMBO_CARDS",
    "COMBO_CLASS",
    "COMBO_INDEX",
    "COMBO_KEY",
    "COMBO_MASK",
    "COMBO_PERMUTED",
    "DECK_MASK",
    "EMPTY_KEY",
    "FLUSH_FLAGS",
    "FLUSH_STRENGTH",
    "NO_CARD",
    "RANKS",
    "STRENGTHS",
    "SUITS",
    "SUIT_PERMUTATIONS",
    "ZOBRIST_HANDS",
    "ZOBRIST_ROW",
    "BoardClasses",
    "Canonical",
    "ZobristKeys",
    "ZobristTable",
    "board_array",
    "board_classes",
    "board_number_kernel",
    "canonical",
    "canonical_kernel",
    "card",
    "card_text",
    "cards",
    "cards_of",
    "cards_text",
    "category",
    "category_counts_kernel",
    "class_index",
    "class_text",
    "combo",
    "combo_text",
    "describe",
    "flush_strength_kernel",
    "hand_value",
    "hand_value_table",
    "key_strength_kernel",
    "mask_of",
    "permuted_kernel",
    "rank_strength_kernel",
    "stored_hands",
    "strength",
    "strength_counts_kernel",
    "strength_kernel",
    "strengths",
    "zobrist_collisions",
    "zobrist_keys",
]
