"""Training a network on samples: batches, checkpoints, early stopping."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, FileError, Progress, __version__
from dupai.base.arrays import AnyArray as Array
from dupai.base.files import whole_path
from dupai.reading.cnn import check_cnn_encoding
from dupai.reading.features import HAND_SIZE
from dupai.training._cnn._samples import NODE_SIZE, Samples
from dupai.training._cnn._scores import softmax_legal
from dupai.training._settings import CnnSettings
from dupai.training._stopped import look_up
from dupai.training._torch import add_layers

_READ = 4096


class Inputs:
    """The inputs of samples as tensors: the paper's matrices are made as they are needed, hand features once."""

    def __init__(self, torch: Any, samples: Samples, encoding: str, information: str, progress: Progress) -> None:
        self._torch, self._samples, self._encoding = torch, samples, encoding
        self._leaks = check_cnn_encoding(encoding, information)
        self.columns = samples.columns(encoding)
        self.legal = samples.legal(encoding)
        self._hands = samples.hands(progress) if encoding == "rich" else None

    def __call__(self, which: Array, device: str) -> tuple[Any, ...]:
        put = self._torch.from_numpy
        if self._hands is None:
            return (put(self._samples.matrices(which, self._leaks)).to(device),)
        hands = self._hands[which].astype(np.float32)
        return put(hands).to(device), put(self._samples.nodes(which)).to(device)


def predict(torch: Any, net: Any, inputs: Inputs, which: Array, device: str, *, masked: bool = True) -> Array:
    """``float32[n, k]``: chances of every column at some samples, over the legal ones if ``masked``."""
    net.eval()
    parts = []
    with torch.no_grad():
        for begin in range(0, len(which), _READ):
            some = which[begin : begin + _READ]
            logits = net(*inputs(some, device)).cpu().numpy()
            parts.append(softmax_legal(logits, inputs.legal[some] if masked else None))
    return np.concatenate(parts)


def loss_of(torch: Any, net: Any, inputs: Inputs, some: Array, device: str, *, masked: bool = True) -> Any:
    """Cross-entropy of a batch."""
    logits = net(*inputs(some, device))
    if masked:
        logits = logits.masked_fill(~torch.from_numpy(inputs.legal[some]).to(device), -1e4)
    return torch.nn.functional.cross_entropy(logits, torch.from_numpy(inputs.columns[some]).to(device))


class Fitted(msgspec.Struct):
    """A trained network: its arrays at the best epoch, that epoch (from 1), and log-losses by epoch."""

    arrays: dict[str, Any]
    best: int
    history: list[dict[str, float]]


class _State:
    """Everything that a stopped training continues from."""

    def __init__(self, torch: Any, net: Any, optimiser: Any, key: str) -> None:
        self.torch, self.net, self.optimiser, self.key = torch, net, optimiser, key
        self.step = 0
        self.running = 0.0
        self.history: list[dict[str, float]] = []
        self.best: dict[str, Any] = {}

    def save(self, path: Path) -> None:
        fields = {name: getattr(self, name) for name in ("key", "step", "running", "history", "best")}
        states = {"net": self.net.state_dict(), "optimiser": self.optimiser.state_dict()}
        # The units that are left out are drawn where the network is.
        cuda = self.torch.cuda.get_rng_state_all() if self._uses_cuda else []
        with whole_path(path) as part:
            self.torch.save(fields | states | {"random": self.torch.get_rng_state(), "cuda": cuda}, part)

    @property
    def _uses_cuda(self) -> bool:
        return any(parameter.is_cuda for parameter in self.net.parameters())

    def load(self, path: Path, device: str) -> None:
        """Continue from a file.

        Raises:
            FileError: it is no checkpoint, or one of another training.
        """
        try:
            saved = self.torch.load(path, map_location=device, weights_only=True)
            if saved["key"] == self.key:
                self._take(saved)
                return
        # torch raises whatever it likes for a file that is not its own
        except Exception as error:  # noqa: BLE001
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            reason = f"it lacks {reason}" if isinstance(error, KeyError) else reason
            raise FileError(f"{path}: not a checkpoint that can be read ({reason})", path=path) from None
        raise FileError(
            f"{path}: a training of other data or settings: train without --resume to start again", path=path
        )

    def _take(self, saved: dict[str, Any]) -> None:
        self.net.load_state_dict(saved["net"])
        self.optimiser.load_state_dict(saved["optimiser"])
        for name in ("step", "running", "history", "best"):
            setattr(self, name, saved[name])
        self.torch.set_rng_state(saved["random"].cpu())
        if saved["cuda"]:
            self.torch.cuda.set_rng_state_all([state.cpu() for state in saved["cuda"]])


def make_step(optimiser: Any, loss: Any, rate: float) -> float:
    """One step of the optimiser at a learning rate; returns the loss."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    return float(loss.detach())


def falling(done: int, total: int) -> float:
    """The share of the highest learning rate after ``done`` of ``total`` steps: half a cosine, from 1 to 0."""
    return 0.5 * (1 + math.cos(math.pi * done / total))


def best_epoch(history: list[dict[str, float]]) -> int:
    """The epoch (from 0) with the least validation log-loss, -1 before the first."""
    return min(range(len(history)), key=lambda e: history[e]["validation"], default=-1)


#: Seconds between two checkpoints within an epoch.
CHECKPOINT_SECONDS = 15.0


def fit(
    torch: Any,
    samples: Samples,
    inputs: Inputs,
    settings: CnnSettings,
    checkpoint: Path,
    *,
    data: Sequence[str],
    resume: bool,
    progress: Progress,
    log: Callable[[str], None],
) -> tuple[Any, Fitted]:
    """Train until the validation log-loss no longer falls, or for ``settings.epochs``.

    A checkpoint is written every :data:`CHECKPOINT_SECONDS`, after every epoch and when ``progress`` is cancelled; with
    ``resume`` training goes on from it to the same result as if it had never been stopped. A checkpoint of other
    ``data`` (the digests of the files) is refused.

    Raises:
        Stopped: ``progress`` was cancelled.
        ConfigError: the data has no training or no validation part, or the checkpoint is of another training.
    """
    train, valid = samples.of("train"), samples.of("validation")
    for name, some in (("training", train), ("validation", valid), ("test", samples.of("test"))):
        if not len(some):
            raise ConfigError(
                f"the data has no {name} part: matches, persons or blocks of hands are split as wholes, and there are "
                "too few of them; give more --data or a larger --share"
            )
    device, batch = settings.device, min(settings.batch, len(train))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        net = make_net(torch, settings.encoding, inputs.legal.shape[1]).to(device)
        optimiser = torch.optim.AdamW(net.parameters(), lr=settings.rate, weight_decay=1e-4)
        key = msgspec.json.encode((settings, len(samples), samples.corpus.sources, data, __version__)).decode()
        state = _State(torch, net, optimiser, key)
        if resume and checkpoint.exists():
            state.load(checkpoint, device)
            log(f"goes on after step {state.step}")
        per_epoch = len(train) // batch
        total = settings.epochs * per_epoch
        warm = max(1, min(200, total // 10))
        due = time.monotonic() + CHECKPOINT_SECONDS
        while state.step < total and len(state.history) - 1 - best_epoch(state.history) < settings.patience:
            epoch, at = divmod(state.step, per_epoch)
            order = np.random.default_rng((settings.seed, epoch)).permutation(train)
            net.train()
            for b in range(at, per_epoch):
                if progress.cancelled or time.monotonic() >= due:
                    state.save(checkpoint)
                    look_up(progress)
                    due = time.monotonic() + CHECKPOINT_SECONDS
                rate = settings.rate * min((state.step + 1) / warm, falling(state.step, total))
                loss = loss_of(torch, net, inputs, order[b * batch : (b + 1) * batch], device)
                state.running += make_step(optimiser, loss, rate)
                state.step += 1
                progress.report(state.step, total, f"epoch {epoch + 1}, log-loss {state.running / (b + 1):.4f}")
            predicted = predict(torch, net, inputs, valid, device)
            chance = predicted[np.arange(len(valid)), inputs.columns[valid]]
            losses = {
                "train": state.running / per_epoch,
                "validation": float(-np.log(np.maximum(chance, 1e-6)).mean()),
                "accuracy": float((predicted.argmax(axis=1) == inputs.columns[valid]).mean()),
            }
            state.history.append(losses)
            state.running = 0.0
            if best_epoch(state.history) == epoch:
                state.best = {k: v.detach().cpu().clone() for k, v in net.state_dict().items()}
            state.save(checkpoint)
            log(
                f"epoch {epoch + 1}: log-loss {losses['train']:.4f}, validation {losses['validation']:.4f}, "
                f"accuracy {losses['accuracy']:.4f}"
            )
        net.load_state_dict(state.best)
    arrays = {k: v.numpy() for k, v in state.best.items()}
    return net, Fitted(arrays, best_epoch(state.history) + 1, state.history)


def fit_logistic(torch: Any, samples: Samples, hands: Array, columns: Array, legal: Array, seed: int,
                 progress: Progress) -> Array:  # fmt: skip
    """Multinomial logistic regression on the hand-made features (hand and decision); chances ``[test, k]``."""
    train, test = samples.of("train"), samples.of("test")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made = samples.nodes(train[:1])
        net = torch.nn.Linear(hands.shape[1] + made.shape[1], legal.shape[1])
        optimiser = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=1e-4)
        epochs, batch = 8, min(1024, len(train))
        per_epoch = len(train) // batch

        def logits(some: Array) -> Any:
            x = np.concatenate((hands[some].astype(np.float32), samples.nodes(some)), axis=1)
            return net(torch.from_numpy(x)).masked_fill(~torch.from_numpy(legal[some]), -1e4)

        for epoch in range(epochs):
            order = np.random.default_rng((seed, epoch)).permutation(train)
            for b in range(per_epoch):
                if progress.cancelled:
                    look_up(progress)
                some = order[b * batch : (b + 1) * batch]
                loss = torch.nn.functional.cross_entropy(logits(some), torch.from_numpy(columns[some]))
                make_step(optimiser, loss, 1e-2 * falling(epoch * per_epoch + b, epochs * per_epoch))
            progress.report(epoch + 1, epochs, "logistic regression")
        with torch.no_grad():
            parts = [logits(test[i : i + _READ]).numpy() for i in range(0, len(test), _READ)]
    return softmax_legal(np.concatenate(parts), legal[test])


#: Maps of the two convolutions and units of the dense layer: the paper does not say; these train on a CPU.
PAPER_SHAPE = (8, 16, 64)
#: Units of the card trunk, of what it gives to the head, of the node's encoder, and of the head.
RICH_SHAPE = (96, 64, 96, 48)


def paper_net(torch: Any, columns: int, shape: tuple[int, int, int] = PAPER_SHAPE) -> Any:
    """The paper's network: two convolutions of 5x5 with 2x2 max-pooling each, a dense layer, half of it dropped out;
    ``net(float32[n, 1, 20, 20]) -> logits [n, columns]``."""
    nn = torch.nn
    first, second, dense = shape
    return nn.Sequential(
        nn.Conv2d(1, first, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(first, second, 5, padding=2),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(second * 25, dense),
        nn.ReLU(),
        nn.Dropout(0.5),
        nn.Linear(dense, columns),
    )


def rich_net(torch: Any, columns: int, shape: tuple[int, int, int, int] = RICH_SHAPE, dropout: float = 0.1) -> Any:
    """The factored network: a card trunk (hand on board) and an action head (decision), joined by gate and shift;
    ``net(hands [n, 70], nodes [n, 105]) -> logits [n, columns]``. :mod:`dupai.reading._cnn._file` is the same in
    NumPy."""
    nn = torch.nn
    trunk, width, encoder, head = shape

    class Net(nn.Module):  # type: ignore[misc,name-defined]
        def __init__(self) -> None:
            super().__init__()
            add_layers(torch, self, card1=(HAND_SIZE, trunk), card2=(trunk, width))
            add_layers(torch, self, node1=(NODE_SIZE, encoder), node2=(encoder, encoder))
            add_layers(torch, self, shift=(encoder, width), gate=(encoder, width), head=(width, head))
            add_layers(torch, self, False, head_node=(encoder, head))
            add_layers(torch, self, out=(head, columns))
            add_layers(torch, self, False, out_node=(encoder, columns))
            self.drop = nn.Dropout(dropout)
            nn.init.zeros_(self.gate.weight)
            nn.init.zeros_(self.gate.bias)

        def forward(self, hands: Any, nodes: Any) -> Any:
            cards = self.card2(torch.relu(self.card1(hands)))
            e = torch.relu(self.node1(nodes))
            e = self.drop(torch.relu(self.node2(e)))
            h = torch.relu(cards * (1 + self.gate(e)) + self.shift(e))
            h = torch.relu(self.head(self.drop(h)) + self.head_node(e))
            return self.out(h) + self.out_node(e)

    return Net()


def make_net(torch: Any, encoding: str, columns: int) -> Any:
    """The network that reads an encoding."""
    return paper_net(torch, columns) if encoding == "paper" else rich_net(torch, columns)
