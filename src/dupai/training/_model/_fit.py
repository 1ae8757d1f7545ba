"""The loop that trains a network: single actions first, then the bits of whole readings."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress
from dupai.reading import populations
from dupai.training._model._cases import few_of_each
from dupai.training._stopped import look_up

Array = npt.NDArray[Any]
#: Bits on the validation part, by population: one number, or one for each street.
Bits = dict[str, list[float]]


class Task(Protocol):
    """A network and what it learns from.

    Attributes:
        what: it is called in progress bars.
        net: the network, on its device.
        rng: draws cases; torch's own generator was seeded by whoever made the network.
        singles: what the warm-up draws from.
        group: population of each case.
        pool: cases that are learned from.
    """

    what: str
    net: Any
    rng: np.random.Generator
    singles: Array
    group: Array
    pool: Array

    def actions(self, some: Array) -> Any:
        """The loss of a step of the warm-up: of single actions given the true hand."""
        ...

    def readings(self, some: Array) -> Iterator[Any]:
        """The loss of a step over these cases, in parts that fit into a core's caches (that takes half the time)."""
        ...

    def judge(self) -> tuple[float, Bits]:
        """The mean of the bits on the validation part, and the bits."""
        ...


def fit(
    task: Task,
    *,
    epochs: int,
    warm: int,
    most: int,
    rates: tuple[float, float],
    batches: tuple[int, int],
    start: dict[str, Any] | None = None,
    last: bool = False,
    progress: Progress | None = None,
    log: Any = print,
) -> tuple[Any, Bits]:
    """Train: the network of the best epoch by :meth:`Task.judge` (0 passes are one, too), and its bits.

    Args:
        epochs: passes over the cases.
        warm: passes over single actions before them, where there is no ``start``.
        most: cases of each population in a pass, at most.
        rates: highest rate of learning, of the warm-up and after it.
        batches: steps are over so many actions in the warm-up and cases after it; fewer where there are few (eighths
            and quarters of all).
        start: weights to go on from.
        last: keep the last epoch, and judge nothing.
    """
    import torch

    look, net = progress or NoProgress(), task.net
    began = time.time()
    if start is not None:
        net.load_state_dict({name: torch.as_tensor(array) for name, array in start.items()})
    elif warm:
        size = max(1, min(batches[0], len(task.singles) // 8))
        steps = len(task.singles) // size
        step = _steps(torch, net, rates[0], warm * steps, None)
        net.train()
        total = 0.0
        for _ in range(warm):
            order = task.rng.permutation(task.singles)
            total = 0.0
            for b in range(steps):
                total += step([task.actions(order[b * size : (b + 1) * size])])
                look.report(0, epochs, task.what)
                look_up(look)
        log(f"warm up {time.time() - began:.0f}s loss {total / max(steps, 1):.4f}")
    best: tuple[float, dict[str, Any], Bits] | None = None

    def judged(epoch: int) -> None:
        nonlocal best
        net.eval()
        score, bits = task.judge()
        told = " ".join(f"{name}=" + "/".join(f"{x:.3f}" for x in row) for name, row in bits.items())
        log(f"epoch {epoch} {time.time() - began:.0f}s mean {score:.4f} {told}")
        if best is None or score > best[0]:
            best = score, {name: x.detach().cpu().clone() for name, x in net.state_dict().items()}, bits

    if not last:
        judged(0)
    used = len(few_of_each(task.group, task.pool, most, task.rng))
    size = max(1, min(batches[1], used // 4))
    steps = used // size
    step = _steps(torch, net, rates[1], epochs * steps, 1.0)
    for epoch in range(epochs):
        net.train()
        order = task.rng.permutation(few_of_each(task.group, task.pool, most, task.rng))
        for b in range(steps):
            step(task.readings(order[b * size : (b + 1) * size]))
            look.report(epoch + b / steps, epochs, task.what)
            look_up(look)
        if not last:
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
