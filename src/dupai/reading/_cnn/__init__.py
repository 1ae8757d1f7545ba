"""The convolutional opponent model: encodings, the factored network in NumPy, and the action model made of them.

Source: Gao, Xu, Wang, Bai, Cao, "System architecture of Texas Hold'em based on experience", CAAI Transactions on
Intelligent Systems (2020).
"""

from dupai.reading._cnn._file import CnnWeights as CnnWeights, load_cnn as load_cnn
from dupai.reading._cnn._model import CnnModel as CnnModel, CnnReader as CnnReader
