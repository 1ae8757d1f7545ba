"""The loop that trains a network: single actions first, then the bits of whole readings."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress
from dupai.reading import populations
from dupai.training._model._data import few_of_each
from dupai.training._stopped import look_up

Array = npt.NDArray[Any]
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
    """A network and what it learns from.

    Attributes:
        name: what it is called in progress bars.
        net: the network, on its device.
        rng: draws cases; torch's own generator was seeded before the network was made.
        singles: what the warm-up draws from.
        group: population of each case.
        pool: cases that are learned from.
        warm: passes over single actions before those over the cases, where the network starts anew.
        slower: what the learning rate is divided by after the warm-up.
        warm_batch: actions of a step of the warm-up.
    """

    name: str
    net: Any
    rng: np.random.Generator
    singles: Array
    group: Array
    pool: Array
    warm: int
    slower: float
    warm_batch: int

    def actions(self, some: Array) -> Any:
        """The loss of a step of the warm-up: of single actions given the true hand."""
        ...

    def readings(self, some: Array) -> Iterator[Any]:
        """The loss of a step over these cases, in parts that fit into a core's caches (that takes half the time)."""
        ...

    def judge(self) -> tuple[float, Bits]:
        """The mean of the bits on the validation part, and the bits."""
        ...


def fit(task: Task, settings: FitSettings, run: Run, start: dict[str, Any] | None = None) -> tuple[Any, Bits]:
    """Train: the network of the best epoch by :meth:`Task.judge` (0 passes are one, too), and its bits.

    Steps are smaller where there are few actions or cases: at most an eighth and a quarter of all.

    Args:
        task: the network and its cases.
        settings: how it is fitted.
        run: where, and who is told.
        start: weights to continue from; then there is no warm-up.
    """
    import torch

    look, log, net, epochs = run.look, run.log, task.net, settings.epochs
    began = time.time()
    if start is not None:
        net.load_state_dict({name: torch.as_tensor(array) for name, array in start.items()})
    else:
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
                look.report(0, epochs, task.name)
                look_up(look)
        log(f"warm up {time.time() - began:.0f}s loss {total / max(steps, 1):.4f}")
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
            look.report(epoch + b / steps, epochs, task.name)
            look_up(look)
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
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 10, pct_start=0.1)

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
