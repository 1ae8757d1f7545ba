"""The reader's network in torch, and the loop that trains it: single actions first, then the bits of readings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from dupai.base import NoProgress, Progress
from dupai.base.arrays import AnyArray as Array
from dupai.reading import populations
from dupai.reading.features import ACTION_CLASSES
from dupai.training._corpus import few_of_each
from dupai.training._stopped import report
from dupai.training._torch import add_layers

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
            add_layers(torch, self, enc1=(public, encoder), enc2=(encoder, encoder))
            self.group1 = nn.Embedding(groups, encoder)
            self.hand = nn.Embedding(hands, hidden) if by_index else nn.Linear(hands, hidden, bias=False)
            add_layers(torch, self, shift=(encoder, hidden), gate=(encoder, hidden), mid=(hidden, second))
            add_layers(torch, self, False, shift2=(encoder, second))
            add_layers(torch, self, out=(second, classes))
            add_layers(torch, self, False, out_public=(encoder, classes))
            self.drop = nn.Dropout(dropout)
            for zero in (self.group1.weight, self.gate.weight, self.gate.bias):
                nn.init.zeros_(zero)

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


def arrays_of(net: Any) -> dict[str, Array]:
    """The weights of a network by name."""
    return {name: tensor.numpy() for name, tensor in net.state_dict().items()}


def told_apart(arrays: dict[str, Array], groups: Sequence[int]) -> dict[str, Array]:
    """A copy of the network; the weights of populations that it never saw (zero) become the mean of the others."""
    weights = arrays["group1.weight"].copy()
    known = np.any(weights != 0, axis=1)
    if known.any():
        weights[[g for g in groups if not known[g]]] = weights[known].mean(axis=0)
    return arrays | {"group1.weight": weights}


def grown(arrays: dict[str, Array], hidden: int, second: int, rng: np.random.Generator) -> dict[str, Array]:
    """A copy of the network with more units per hand: the new ones see what the old ones see, with weights drawn at
    random, and nothing listens to them yet, so that it says what it said before."""
    had, had_second = arrays["hand.weight"].shape[0], arrays["mid.weight"].shape[0]

    def larger(name: str, shape: tuple[int, ...], share: float) -> Array:
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


#: Bits on the validation part, by population: one number, or one for each street.
Bits = dict[str, list[float]]


class FitSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How one network is fitted.

    Attributes:
        epochs: passes over the cases.
        batch: cases of a step.
        rate: highest learning rate.
        dropout: share of units left out.
        seed: of everything drawn.
        most: cases of each population in a pass, at most.
        only: train on these populations only; None: all.
        hides: whether the population of some decisions is hidden, which trains ``unknown``.
        last: keep the last epoch instead of the best one on the validation part, and judge nothing.
        hidden, second: units per hand of a network after the flop.
    """

    epochs: int
    batch: int
    rate: float
    dropout: float
    seed: int
    most: int = 8000
    only: tuple[int, ...] | None = None
    hides: bool = False
    last: bool = False
    hidden: int = 96
    second: int = 64


class Run(NamedTuple):
    """Where a training runs, and whom it tells."""

    device: str = "cpu"
    look: Progress = NoProgress()
    log: Callable[[str], None] = lambda _: None


#: How much of the loss of a case the loss of its actions given the true hand is (not where only shown hands are known:
#: there actions are chosen by what they led to).
GENERATIVE = 0.5


class Task(Protocol):
    """A network and what it learns from; each kind of network says what acts, reads and judges.

    Attributes:
        name: what it is called in progress bars.
        net: the network, on its device.
        torch, device, rng: torch, its device, and what draws cases; torch's own generator is seeded by ``__init__``.
        hides: whether the population of some decisions is hidden.
        singles: what the warm-up draws from.
        group, judged: population of each case that may be learned from, that may judge.
        pool, valid: cases that are learned from, that judge.
        judges: cases of each population that judge, at most.
        warm: passes over single actions before those over the cases, where the network starts anew.
        slower: what the learning rate is divided by after the warm-up.
        warm_batch: actions of a step of the warm-up.
    """

    name: str
    torch: Any
    device: str
    hides: bool
    net: Any
    rng: np.random.Generator
    singles: Array
    group: Array
    judged: Array
    pool: Array
    valid: Array
    judges: int
    warm: int
    slower: float
    warm_batch: int

    def __init__(self, settings: FitSettings, run: Run) -> None:
        import torch

        torch.manual_seed(settings.seed)
        self.torch, self.device, self.hides = torch, run.device, settings.hides
        self.rng = np.random.default_rng(settings.seed)

    def tensor(self, array: Array) -> Any:
        """An array on the task's device."""
        return self.torch.from_numpy(array).to(self.device)

    def actions(self, some: Array) -> Any:
        """The loss of a step of the warm-up: of single actions given the true hand."""

    def readings(self, some: Array) -> Iterator[Any]:
        """The loss of a step over these cases, in parts that fit into a core's caches (that takes half the time)."""

    def judge(self) -> tuple[float, Bits]:
        """The mean of the bits on the validation part, and the bits."""


def fit(task: Task, settings: FitSettings, run: Run, start: dict[str, Any] | None = None) -> tuple[Any, Bits]:
    """Train: the network of the best epoch by :meth:`Task.judge` (0 passes are one, too), and its bits.

    Steps are smaller where there are few actions or cases: at most an eighth and a quarter of all.

    Args:
        task: the network and its cases.
        settings: how it is fitted.
        run: where, and who is told.
        start: weights to continue from; then there is no warm-up.
    """
    torch, look, log, net, epochs = task.torch, run.look, run.log, task.net, settings.epochs
    if not settings.last:
        # With nothing to judge there is nothing to draw.
        task.valid = few_of_each(task.judged, task.valid, task.judges, task.rng)
    began = time.time()
    if start is not None:
        net.load_state_dict({name: torch.as_tensor(array) for name, array in start.items()})
    elif len(task.singles):
        # Where only hands that were shown are known there is nothing to warm up with.
        size = max(1, min(task.warm_batch, len(task.singles) // 8))
        steps = len(task.singles) // size
        step = _steps(torch, net, settings.rate, task.warm * steps, None)
        net.train()
        total = 0.0
        for _ in range(task.warm):
            order = task.rng.permutation(task.singles)
            total = 0.0
            for b in range(steps):
                total += step([task.actions(order[b * size : (b + 1) * size])])
                report(look, 0, epochs, f"{task.name}, {len(task.singles):,} actions")
        log(f"warm up {time.time() - began:.0f}s loss {total / steps:.4f}")
    best: tuple[float, dict[str, Any], Bits] | None = None

    def judged(epoch: int) -> None:
        nonlocal best
        net.eval()
        score, bits = task.judge()
        by_group = " ".join(f"{name}=" + "/".join(f"{x:.3f}" for x in row) for name, row in bits.items())
        log(f"epoch {epoch} {time.time() - began:.0f}s mean {score:.4f} {by_group}")
        if best is None or score > best[0]:
            best = score, {name: x.detach().cpu().clone() for name, x in net.state_dict().items()}, bits

    if not settings.last:
        judged(0)
    used = len(few_of_each(task.group, task.pool, settings.most, task.rng))
    size = max(1, min(settings.batch, used // 4))
    steps = used // size
    step = _steps(torch, net, settings.rate / task.slower, epochs * steps, 1.0)
    for epoch in range(epochs):
        net.train()
        order = task.rng.permutation(few_of_each(task.group, task.pool, settings.most, task.rng))
        for b in range(steps):
            step(task.readings(order[b * size : (b + 1) * size]))
            report(look, epoch + b / steps, epochs, f"{task.name}, {used:,} cases")
        if not settings.last:
            judged(epoch + 1)
    if best is None:
        return net.cpu(), {}
    net.load_state_dict(best[1])
    return net.cpu(), best[2]


def _steps(torch: Any, net: Any, rate: float, steps: int, clip: float | None) -> Any:
    """``step(losses) -> float``: one step of AdamW by the sum of these, the rate rising to ``rate`` and falling over so
    many."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=max(steps, 1) + 10, pct_start=0.1)

    def step(losses: Iterable[Any]) -> float:
        optimiser.zero_grad()
        total = 0.0
        for loss in losses:
            loss.backward()
            total += float(loss.item())
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(net.parameters(), clip)
        optimiser.step()
        schedule.step()
        return total

    return step


#: Share of decisions whose population is hidden in training, where any is: these teach ``unknown``.
_HIDDEN = 0.08


def some_hidden(torch: Any, group: Any) -> Any:
    """Populations of decisions (a tensor), some of them replaced by ``unknown``."""
    hidden = torch.rand(len(group), device=group.device) < _HIDDEN
    return torch.where(hidden, torch.full_like(group, populations.UNKNOWN), group)


def number_type(torch: Any, device: str) -> Any:
    """Numbers that a network's steps are worked out in: bfloat16 on a GPU. Most cores have no instructions for it: they
    take 1.5 times to twice as long as in full precision."""
    return torch.float32 if device == "cpu" else torch.bfloat16


def precision(torch: Any, device: str) -> Any:
    """The context of a network's steps, in :func:`number_type`."""
    return torch.autocast(device, dtype=torch.bfloat16, enabled=number_type(torch, device) is torch.bfloat16)
