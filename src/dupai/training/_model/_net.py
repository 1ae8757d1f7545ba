"""The network as torch trains it; :mod:`dupai.reading._model._network` is the same in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dupai.reading import ACTION_CLASSES, populations

#: Units of the encoder of what is public.
ENCODER = 96


def make_net(
    torch: Any, hands: int, public: int, groups: int = len(populations.NAMES), *, hidden: int = 96, second: int = 64,
    dropout: float = 0.2, by_index: bool = False,
) -> Any:  # fmt: skip
    """``net(hand, public, group) -> logits``: ``hand`` float ``[d, k, hands]`` (or, ``by_index``, ``int64[k]`` for
    all decisions alike), ``public`` ``[d, public]``, ``group`` ``int64[d]``; logits ``[d, k, classes]``."""
    nn, encoder, classes = torch.nn, ENCODER, ACTION_CLASSES

    class Net(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.enc1 = nn.Linear(public, encoder)
            self.enc2 = nn.Linear(encoder, encoder)
            self.group1 = nn.Embedding(groups, encoder)
            self.hand = nn.Embedding(hands, hidden) if by_index else nn.Linear(hands, hidden, bias=False)
            self.shift = nn.Linear(encoder, hidden)
            self.gate = nn.Linear(encoder, hidden)
            self.mid = nn.Linear(hidden, second)
            self.shift2 = nn.Linear(encoder, second, bias=False)
            self.out = nn.Linear(second, classes)
            self.out_public = nn.Linear(encoder, classes, bias=False)
            self.drop = nn.Dropout(dropout)
            nn.init.zeros_(self.group1.weight)
            nn.init.zeros_(self.gate.weight)
            nn.init.zeros_(self.gate.bias)

        def forward(self, hand: Any, pub: Any, group: Any) -> Any:
            e = torch.relu(self.enc1(pub) + self.group1(group))
            e = torch.relu(self.enc2(self.drop(e)))
            e = self.drop(e)
            h = self.hand(hand)
            h = torch.relu(h * (1 + self.gate(e)).unsqueeze(1) + self.shift(e).unsqueeze(1))
            h = self._drop_units(h)
            h = torch.relu(self.mid(h) + self.shift2(e).unsqueeze(1))
            h = self._drop_units(h)
            return self.out(h) + self.out_public(e).unsqueeze(1)

        def _drop_units(self, h: Any) -> Any:
            # The same units for all hands of a decision: hands are compared with each other by one network.
            return h * self.drop(torch.ones((h.shape[0], 1, h.shape[2]), dtype=h.dtype, device=h.device))

    return Net()


def arrays_of(net: Any) -> dict[str, npt.NDArray[Any]]:
    """The weights of a network by name."""
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}


def told_apart(arrays: dict[str, npt.NDArray[Any]], groups: Sequence[int]) -> dict[str, npt.NDArray[Any]]:
    """The same network, in which populations that it has not learned from (zero) begin as the mean of the others."""
    told = arrays["group1.weight"].copy()
    known = np.any(told != 0, axis=1)
    if known.any():
        told[[g for g in groups if not known[g]]] = told[known].mean(axis=0)
    return arrays | {"group1.weight": told}


def grown(
    arrays: dict[str, npt.NDArray[Any]], hidden: int, second: int, rng: np.random.Generator
) -> dict[str, npt.NDArray[Any]]:
    """The same network with more units per hand: the new ones see what the old ones see, with weights drawn at random,
    and nothing listens to them yet, so that it says what it said before."""
    had, had_second = arrays["hand.weight"].shape[0], arrays["mid.weight"].shape[0]

    def larger(name: str, shape: tuple[int, ...], share: float) -> npt.NDArray[Any]:
        old = arrays[name]
        new = (share * old.std() * rng.standard_normal(shape)).astype(np.float32)
        new[tuple(slice(n) for n in old.shape)] = old
        return np.asarray(new)

    out = dict(arrays)
    out["hand.weight"] = larger("hand.weight", (hidden, arrays["hand.weight"].shape[1]), 0.7)
    for name, share in (("shift", 0.7), ("gate", 0.1)):
        out[f"{name}.weight"] = larger(f"{name}.weight", (hidden, arrays[f"{name}.weight"].shape[1]), share)
        out[f"{name}.bias"] = larger(f"{name}.bias", (hidden,), 0.0)
    out["mid.weight"] = larger("mid.weight", (second, hidden), 0.5)
    out["mid.weight"][:had_second, had:] = 0.0
    out["mid.bias"] = larger("mid.bias", (second,), 0.0)
    out["shift2.weight"] = larger("shift2.weight", (second, arrays["shift2.weight"].shape[1]), 0.5)
    out["out.weight"] = larger("out.weight", (arrays["out.weight"].shape[0], second), 0.0)
    return out
