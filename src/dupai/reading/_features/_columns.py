"""The version of the features, and the columns that networks predict: native menus and probabilities over them."""

from __future__ import annotations

import numpy as np

from dupai.base.arrays import F32, Bool
from dupai.reading._features._kernels.public import EDGES
from dupai.spots import Menu

#: Raised whenever a feature changes its meaning: weights of another version are refused.
FEATURE_VERSION = 1
#: The actions that the networks tell apart: the sizes stand for what lies between the edges.
NATIVE = Menu(sizes=(0.25, 0.5, 0.75, 1.0, 1.6, 3.0), edges=EDGES, all_in=True)
#: The same in limit games, where a raise is a raise.
LIMIT = Menu(sizes=(1.0,))


def masked_softmax(logits: F32, legal: Bool) -> F32:
    """Probabilities over the legal columns, the others 0."""
    columns = np.flatnonzero(legal)
    x = logits[:, columns]
    x = np.exp(x - x.max(axis=1, keepdims=True))
    out = np.zeros_like(logits)
    out[:, columns] = x / x.sum(axis=1, keepdims=True)
    return out


def layer_arrays(layers: str) -> dict[str, str]:
    """Arrays of linear layers as torch names them; sizes are as :func:`~dupai.base.files.check_shapes` takes them.

    Args:
        layers: ``name sizes, name sizes, ...``; with ``-`` after the sizes a layer has no bias.
    """
    arrays = {}
    for layer in layers.split(", "):
        name, sizes, *plain = layer.split()
        arrays[f"{name}.weight"] = sizes
        if not plain:
            arrays[f"{name}.bias"] = sizes[0]
    return arrays
