"""The convolutional network: its file, its features and the model that reads with it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading._cnn._file import (
        CNN_INPUTS as CNN_INPUTS,
        CNN_MENUS as CNN_MENUS,
        CNN_MOVE_OF as CNN_MOVE_OF,
        CNN_MOVES as CNN_MOVES,
        CNN_VERSION as CNN_VERSION,
        CnnAbout as CnnAbout,
        CnnWeights as CnnWeights,
        check_cnn_encoding as check_cnn_encoding,
        load_cnn as load_cnn,
        start_rates as start_rates,
    )
    from dupai.reading._cnn._kernels import (
        CNN_SIDE as CNN_SIDE,
        matrices_kernel as matrices_kernel,
        sample_features_kernel as sample_features_kernel,
    )
    from dupai.reading._cnn._model import CnnModel as CnnModel
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
