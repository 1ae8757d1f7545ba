"""Cards, combos, the 169 starting-hand classes, suit isomorphism and hand evaluation.

Kernels and the tables that only they read are in :mod:`dupai.cards.kernels`. ``strength`` and ``strengths``, which need
them, are loaded on first use, so that importing this package does not load numba.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.cards._hands import (
        CATEGORIES as CATEGORIES,
        STRENGTHS as STRENGTHS,
        category as category,
        describe as describe,
        hand_value as hand_value,
        hand_value_table as hand_value_table,
    )
    from dupai.cards._strength import strength as strength, strengths as strengths
    from dupai.cards._suits import BoardClasses as BoardClasses, board_classes as board_classes, canonical as canonical
    from dupai.cards._tables import (
        CARD_MASK as CARD_MASK,
        CLASS_SIZE as CLASS_SIZE,
        CLASS_TEXT as CLASS_TEXT,
        CLASSES as CLASSES,
        COMBO_CARDS as COMBO_CARDS,
        COMBO_CLASS as COMBO_CLASS,
        COMBO_INDEX as COMBO_INDEX,
        COMBO_MASK as COMBO_MASK,
        COMBOS as COMBOS,
        board_array as board_array,
        cards_of as cards_of,
        class_index as class_index,
        class_text as class_text,
        combo as combo,
        combo_text as combo_text,
        mask_of as mask_of,
    )
    from dupai.cards._text import (
        CARDS as CARDS,
        NO_CARD as NO_CARD,
        RANKS as RANKS,
        SUITS as SUITS,
        card as card,
        card_text as card_text,
        cards as cards,
        cards_text as cards_text,
        suit_letters as suit_letters,
    )
    from dupai.cards._values import (
        Board as Board,
        Card as Card,
        Hand as Hand,
        as_cards as as_cards,
        combo_index as combo_index,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
