"""The factored network in NumPy: hands of a board once, then any number of decisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError

F32 = npt.NDArray[np.float32]

#: Arrays of the network, as torch names them.
ARRAYS = (
    *("card1.weight", "card1.bias", "card2.weight", "card2.bias", "node1.weight", "node1.bias", "node2.weight"),
    *("node2.bias", "shift.weight", "shift.bias", "gate.weight", "gate.bias", "head.weight", "head.bias"),
    *("head_node.weight", "out.weight", "out.bias", "out_node.weight"),
)


class FactoredNetwork:
    """A card trunk, worked out once for each board, and an action head, worked out at each decision.

    Raises:
        ConfigError: an array is missing.
    """

    def __init__(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        missing = [name for name in ARRAYS if name not in arrays]
        if missing:
            raise ConfigError(f"the model file lacks the array {missing[0]!r}: it is not a network's, or cut off")
        w = {k: np.ascontiguousarray(np.asarray(v, np.float32).T) for k, v in arrays.items()}
        self._w = w
        self.inputs = (w["card1.weight"].shape[0], w["node1.weight"].shape[0])
        self.columns = w["out.weight"].shape[1]

    def trunk(self, hands: F32) -> F32:
        """What hands on a board become: ``[n, 70] -> [n, width]``."""
        w = self._w
        h = hands @ w["card1.weight"]
        h += w["card1.bias"]
        np.maximum(h, 0, out=h)
        return np.asarray(h @ w["card2.weight"] + w["card2.bias"])

    def head(self, trunk: F32, node: F32) -> F32:
        """Logits ``float32[n, columns]`` of hands (from :meth:`trunk`) at one decision (``node`` ``[105]``), or each at
        a decision of its own (``[n, 105]``)."""
        w = self._w
        e = np.maximum(node @ w["node1.weight"] + w["node1.bias"], 0)
        e = np.maximum(e @ w["node2.weight"] + w["node2.bias"], 0)
        h = trunk * (1 + e @ w["gate.weight"] + w["gate.bias"])
        h += e @ w["shift.weight"] + w["shift.bias"]
        np.maximum(h, 0, out=h)
        h = h @ w["head.weight"]
        h += w["head.bias"] + e @ w["head_node.weight"]
        np.maximum(h, 0, out=h)
        return np.asarray(h @ w["out.weight"] + (w["out.bias"] + e @ w["out_node.weight"]), np.float32)
