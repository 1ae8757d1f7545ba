"""How good foretold actions are: accuracy, log-loss and calibration, by street and by action; never accuracy alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.rules import STREET_WORDS

F32 = npt.NDArray[np.float32]
Array = npt.NDArray[Any]

#: Bins of the calibration table.
BINS = 10
#: A chance of 0 counts as this in the log-loss.
_LEAST = 1e-6


class Bin(msgspec.Struct, frozen=True):
    """Decisions whose most likely action got a chance in ``[low, low + 0.1)``: how many, the mean chance, how often it
    was taken."""

    low: float
    decisions: int
    said: float
    taken: float


class ActionScore(msgspec.Struct, frozen=True):
    """One column: how often it was taken, the mean chance it got over all decisions (calibrated: the same), the share
    of its decisions in which it was the most likely one (recall), of those in which it was that the share in which it
    was taken (precision), and the mean of -log of its chance where it was taken."""

    name: str
    decisions: int
    share: float
    said: float
    recall: float
    precision: float
    log_loss: float


class Scores(msgspec.Struct, frozen=True, kw_only=True):
    """Scores on some decisions.

    Attributes:
        decisions, hands: how many.
        accuracy: share in which the most likely action was taken; ``accuracy_se`` its standard error, clustered by
            hand.
        log_loss: mean of -log P(action taken), nats; ``log_loss_se`` likewise.
        ece: expected calibration error over :data:`BINS` bins of the most likely action's chance.
        table: the bins.
        streets: accuracy, log-loss and decisions by street.
        actions: by column.
    """

    decisions: int
    hands: int
    accuracy: float
    accuracy_se: float
    log_loss: float
    log_loss_se: float
    ece: float
    table: tuple[Bin, ...]
    streets: dict[str, tuple[float, float, int]]
    actions: tuple[ActionScore, ...]


def _clustered(values: Array, hand: Array) -> float:
    _, place = np.unique(hand, return_inverse=True)
    sums = np.bincount(place, values - values.mean())
    return float(np.sqrt((sums**2).sum()) / len(values))


def score_actions(probs: Array, did: Array, hand: Array, street: Array, names: Sequence[str]) -> Scores:
    """Scores of ``probs`` (``[n, k]``, rows sum to 1) where column ``did[i]`` was taken at decision i.

    Args:
        hand: the hand that each decision stands in: errors are clustered by it.
        street: 0 to 3 for each decision.
        names: of the columns.
    """
    probs = np.asarray(probs, np.float64)
    n = len(did)
    best = probs.argmax(axis=1)
    top = probs[np.arange(n), best]
    right = (best == did).astype(np.float64)
    loss = -np.log(np.maximum(probs[np.arange(n), did], _LEAST))
    place = np.minimum((top * BINS).astype(np.int64), BINS - 1)
    table, ece = [], 0.0
    for b in range(BINS):
        some = place == b
        if some.any():
            said, taken = float(top[some].mean()), float(right[some].mean())
            table.append(Bin(b / BINS, int(some.sum()), said, taken))
            ece += some.sum() / n * abs(said - taken)
    streets = {
        name: (float(right[some].mean()), float(loss[some].mean()), int(some.sum()))
        for s, name in enumerate(STREET_WORDS)
        if (some := street == s).any()
    }
    actions = []
    for c, name in enumerate(names):
        taken_here, chosen = did == c, best == c
        actions.append(
            ActionScore(
                name,
                int(taken_here.sum()),
                float(taken_here.mean()),
                float(probs[:, c].mean()),
                float(chosen[taken_here].mean()) if taken_here.any() else 0.0,
                float(taken_here[chosen].mean()) if chosen.any() else 0.0,
                float(loss[taken_here].mean()) if taken_here.any() else 0.0,
            )
        )
    return Scores(
        decisions=n,
        hands=len(np.unique(hand)),
        accuracy=float(right.mean()),
        accuracy_se=_clustered(right, hand),
        log_loss=float(loss.mean()),
        log_loss_se=_clustered(loss, hand),
        ece=float(ece),
        table=tuple(table),
        streets=streets,
        actions=tuple(actions),
    )


def softmax_legal(logits: Array, legal: npt.NDArray[np.bool_] | None = None) -> F32:
    """Chances from logits ``[n, k]``, over the legal columns where those are given."""
    x = np.asarray(logits, np.float32)
    if legal is not None:
        x = np.where(legal, x, np.float32(-1e9))
    x = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(x / x.sum(axis=1, keepdims=True), np.float32)


def frequencies(did: Array, columns: int, legal: npt.NDArray[np.bool_] | None, n: int) -> F32:
    """The baseline that knows only how often each action is taken (``did``, of the training part) and, where ``legal``
    (``[n, columns]``) is given, which are possible."""
    counts = np.bincount(did, minlength=columns) + 1.0
    said = np.tile(counts / counts.sum(), (n, 1))
    if legal is not None:
        said = said * legal
    return np.asarray(said / said.sum(axis=1, keepdims=True), np.float32)


def as_moves(probs: Array, move_of: Array) -> F32:
    """Chances of the finer menu summed into the paper's moves."""
    out = np.zeros((len(probs), int(move_of.max()) + 1), np.float32)
    for column, move in enumerate(move_of):
        out[:, move] += probs[:, column]
    return out
