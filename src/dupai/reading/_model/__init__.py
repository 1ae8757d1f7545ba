"""The trained reader: features, networks, weights that ship, and the action model made of them."""

from dupai.reading._model._model import ModelReader as ModelReader, TrainedModel as TrainedModel
from dupai.reading._model._weights import load_weights as load_weights, save_weights as save_weights
