"""The trained reader: features, networks, weights that ship, and the action model made of them."""

from dupai.reading._model._model import TrainedModel
from dupai.reading._model._reader import ModelReader
from dupai.reading._model._weights import load_weights, save_weights

__all__ = ["ModelReader", "TrainedModel", "load_weights", "save_weights"]
