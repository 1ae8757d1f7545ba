"""The convolutional opponent model: encodings, the factored network in NumPy, and the action model made of them.

Source: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems (2020).
"""

from dupai.reading._cnn._file import CnnWeights, load_cnn
from dupai.reading._cnn._model import CnnModel
from dupai.reading._cnn._reader import CnnReader

__all__ = ["CnnModel", "CnnReader", "CnnWeights", "load_cnn"]
