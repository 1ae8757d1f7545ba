"""The trained network in NumPy: one decision, all hands."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dupai.base import ConfigError, one_blas_thread
from dupai.base.arrays import F32, I64, AnyArray
from dupai.base.files import check_shapes
from dupai.reading._features._columns import layer_arrays
from dupai.reading._model._kernels.layers import above_kernel, scaled_kernel, shifted_kernel, summed_kernel

#: Arrays of one network, as torch names them, and their sizes by letter (:func:`~dupai.base.files.check_shapes`).
ARRAYS = layer_arrays(
    "enc1 ap, enc2 ba, group1 ga -, hand hf -, shift hb, gate hb, mid mh, shift2 mb -, out km, out_public kb -"
)


class Network:
    """One network: an encoder of what is public, whose output shifts and scales what the hand features become.

    Attributes:
        groups, columns: populations that it knows, and actions that it predicts.
        by_index: hand features are none, there is a row for each of the 169 classes.
        width: units per hand.
        weights: its arrays by name, those of linear layers transposed.
    """

    def __init__(self, arrays: dict[str, AnyArray], by_index: bool) -> None:
        missing = [name for name in ARRAYS if name not in arrays]
        if missing:
            raise ConfigError(f"the model file lacks the array {missing[0]!r}: it is not a reader's, or cut off")
        sizes = check_shapes(arrays, ARRAYS | ({"hand.weight": "fh"} if by_index else {}))
        self.groups, self.columns = sizes["g"], sizes["k"]
        w = {k: np.ascontiguousarray(v, dtype=np.float32) for k, v in arrays.items()}
        self.by_index = by_index
        # Linear layers are kept transposed; rows of embeddings are looked up.
        looked_up = ("group1.weight", "hand.weight") if by_index else ("group1.weight",)
        self.weights = {k: v if k in looked_up else v.T.copy() for k, v in w.items()}
        self._hand = self.weights["hand.weight"]
        self.width = self._hand.shape[1]

    def takes_ranges(self, features: int) -> bool:
        """Whether a hand brings more than its ``features`` on the board."""
        return not self.by_index and self._hand.shape[0] > features

    @property
    def inputs(self) -> tuple[int, int]:
        """Features of a hand and of a decision."""
        return self._hand.shape[0], self.weights["enc1.weight"].shape[0]

    def hands(self, features: F32 | None = None) -> F32:
        """What hand features ``[n, f]`` become, ``[n, width]`` (of the 169 classes where there are none)."""
        if features is None:
            return self._hand
        with one_blas_thread:
            return np.asarray(features @ self._hand[: features.shape[1]])

    def more(self, features: F32) -> F32:
        """What the last features (those of ranges) add to :meth:`hands`."""
        with one_blas_thread:
            return np.asarray(features @ self._hand[-features.shape[1] :])

    def logits(self, hands: F32, public: F32, group: int) -> F32:
        """``float32[n, 9]`` for the hands of :meth:`hands` at one decision."""
        with one_blas_thread:
            return self._logits(hands, public, group)

    def _logits(self, hands: F32, public: F32, group: int) -> F32:
        w = self.weights
        e = np.maximum(public @ w["enc1.weight"] + w["enc1.bias"] + w["group1.weight"][group], 0)
        e = np.maximum(e @ w["enc2.weight"] + w["enc2.bias"], 0)
        h = np.empty_like(hands)
        shifted_kernel(hands, 1 + e @ w["gate.weight"] + w["gate.bias"], e @ w["shift.weight"] + w["shift.bias"], h)
        h = h @ w["mid.weight"]
        above_kernel(h, w["mid.bias"] + e @ w["shift2.weight"])
        h = h @ w["out.weight"]
        h += w["out.bias"] + e @ w["out_public.weight"]
        return np.asarray(h)

    def each(self, hands: F32, public: F32, group: int, of: I64) -> F32:
        """``float32[n, 9]``: the logits of ``n`` decisions, each with one hand.

        Args:
            hands: ``float32[n, width]`` of :meth:`hands`, overwritten.
            public: ``float32[m, 96]``: what everybody sees, each different situation once.
            group: the population.
            of: ``int64[n]``: the situation of each decision.
        """
        w, width = self.weights, self.width
        weights, bias = self._fused
        with one_blas_thread:
            e = public @ w["enc1.weight"]
            above_kernel(e, w["enc1.bias"] + w["group1.weight"][group])
            e = e @ w["enc2.weight"]
            above_kernel(e, w["enc2.bias"])
            e = e @ weights
            e += bias
            scaled_kernel(hands, e, of)
            h = hands @ w["mid.weight"]
            summed_kernel(h, e, of, 2 * width, True)
            out = h @ w["out.weight"]
            summed_kernel(out, e, of, 2 * width + h.shape[1], False)
        return np.asarray(out)

    @cached_property
    def _fused(self) -> tuple[F32, F32]:
        """What the encoder's output adds everywhere, side by side: gain and shift of the hand, middle layer, logits."""
        w = self.weights
        names = ("gate", "shift", "shift2", "out_public")
        parts = [w[f"{name}.weight"] for name in names]
        biases = [1 + w["gate.bias"], w["shift.bias"], w["mid.bias"], w["out.bias"]]
        return np.ascontiguousarray(np.concatenate(parts, axis=1)), np.concatenate(biases).astype(np.float32)


def sharpened(logits: F32, gain: float, weights: AnyArray | None = None) -> F32:
    """Logits in which the hand matters ``gain`` times as much: away from their mean over hands (rows)."""
    if gain == 1.0:
        return logits
    middle = logits.mean(axis=0) if weights is None else (weights @ logits).astype(np.float32)
    return np.asarray(middle + np.float32(gain) * (logits - middle))
