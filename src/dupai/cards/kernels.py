"""Hand evaluation and suit permutations in kernels, with the tables they read."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.cards._kernels.enumerate import (
        category_counts_kernel as category_counts_kernel,
        strength_counts_kernel as strength_counts_kernel,
    )
    from dupai.cards._kernels.evaluate import (
        CARD_KEY as CARD_KEY,
        COMBO_KEY as COMBO_KEY,
        EMPTY_KEY as EMPTY_KEY,
        FLUSH_FLAGS as FLUSH_FLAGS,
        FLUSH_STRENGTH as FLUSH_STRENGTH,
        flush_strength_kernel as flush_strength_kernel,
        key_strength_kernel as key_strength_kernel,
        rank_strength_kernel as rank_strength_kernel,
        strength_kernel as strength_kernel,
    )
    from dupai.cards._kernels.suits import (
        board_number_kernel as board_number_kernel,
        canonical_kernel as canonical_kernel,
        permuted_kernel as permuted_kernel,
    )
    from dupai.cards._tables import (
        CARD_PERMUTED as CARD_PERMUTED,
        COMBO_PERMUTED as COMBO_PERMUTED,
        DECK_MASK as DECK_MASK,
        SUIT_PERMUTATIONS as SUIT_PERMUTATIONS,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
