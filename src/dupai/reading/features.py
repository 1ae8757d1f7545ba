"""Features: what the trained model sees of a decision, of a board and of every hand on it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading._features._boards import board_table as board_table, top_ranges as top_ranges
    from dupai.reading._features._columns import FEATURE_VERSION as FEATURE_VERSION, masked_softmax as masked_softmax
    from dupai.reading._features._kernels.boards import (
        COLUMNS as COLUMNS,
        BoardTable as BoardTable,
        columns_kernel as columns_kernel,
        fill_kernel as fill_kernel,
        river_columns_kernel as river_columns_kernel,
        spread_kernel as spread_kernel,
        table_columns_kernel as table_columns_kernel,
    )
    from dupai.reading._features._kernels.hands import (
        HAND_SIZE as HAND_SIZE,
        alike_kernel as alike_kernel,
        board_counts_kernel as board_counts_kernel,
        features_of_kernel as features_of_kernel,
        hand_features_kernel as hand_features_kernel,
        hand_row_kernel as hand_row_kernel,
    )
    from dupai.reading._features._kernels.public import (
        ACTION_CLASSES as ACTION_CLASSES,
        PUBLIC_SIZE as PUBLIC_SIZE,
        class_of_kernel as class_of_kernel,
        legal_classes_kernel as legal_classes_kernel,
        public_features_kernel as public_features_kernel,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
