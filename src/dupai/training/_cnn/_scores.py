"""How good predicted actions are: accuracy, log-loss and calibration, by street and by action; never accuracy alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from dupai.base import clustered_error
from dupai.base.arrays import F32, AnyArray as Array, Bool
from dupai.rules import STREET_WORDS

#: Bins of the calibration table.
BINS = 10
#: A chance of 0 counts as this in the log-loss.
_MIN_CHANCE = 1e-6


class Bin(msgspec.Struct, frozen=True):
    """Decisions whose most likely action was given a probability in ``[low, low + 0.1)``: how many there are, the mean
    probability, and how often the action was taken."""

    low: float
    decisions: int
    said: float
    taken: float


class ActionScore(msgspec.Struct, frozen=True):
    """One action.

    Attributes:
        decisions, share: how often it was taken.
        said: its mean predicted probability over all decisions; where it is calibrated, equal to ``share``.
        recall: the share of decisions with this action in which it was predicted as the most likely one.
        precision: the share of decisions with this prediction in which it was taken.
        log_loss: mean of -log of its probability where it was taken.
    """

    name: str
    decisions: int
    share: float
    said: float
    recall: float
    precision: float
    log_loss: float


class MeanScores(msgspec.Struct, frozen=True, kw_only=True):
    """Means over some decisions.

    Attributes:
        decisions: how many.
        accuracy: share in which the most likely action was taken; ``accuracy_se`` its standard error, clustered by
            hand.
        log_loss: mean of -log P(action taken), nats; ``log_loss_se`` likewise.
        ece: expected calibration error over :data:`BINS` bins of the most likely action's chance.
        streets: accuracy, log-loss and decisions by street.
    """

    decisions: int
    accuracy: float
    accuracy_se: float
    log_loss: float
    log_loss_se: float
    ece: float
    streets: dict[str, tuple[float, float, int]]


class Scores(MeanScores, frozen=True, kw_only=True):
    """Scores on the decisions of so many ``hands``: ``table``: the bins of calibration; ``actions``: by column."""

    hands: int
    table: tuple[Bin, ...]
    actions: tuple[ActionScore, ...]


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
    loss = -np.log(np.maximum(probs[np.arange(n), did], _MIN_CHANCE))

    def mean(values: Array, some: Array) -> float:
        return float(values[some].mean()) if some.any() else 0.0

    place = np.minimum((top * BINS).astype(np.int64), BINS - 1)
    in_bin = [(b, place == b) for b in range(BINS) if (place == b).any()]
    table = [Bin(b / BINS, int(some.sum()), mean(top, some), mean(right, some)) for b, some in in_bin]
    on_street = [(name, street == s) for s, name in enumerate(STREET_WORDS) if (street == s).any()]
    actions = [
        ActionScore(
            name=name,
            decisions=int((did == c).sum()),
            share=float((did == c).mean()),
            said=float(probs[:, c].mean()),
            recall=mean(best == c, did == c),
            precision=mean(did == c, best == c),
            log_loss=mean(loss, did == c),
        )
        for c, name in enumerate(names)
    ]
    return Scores(
        decisions=n,
        hands=len(np.unique(hand)),
        accuracy=float(right.mean()),
        accuracy_se=clustered_error(right, hand),
        log_loss=float(loss.mean()),
        log_loss_se=clustered_error(loss, hand),
        ece=float(sum(b.decisions / n * abs(b.said - b.taken) for b in table)),
        table=tuple(table),
        streets={name: (mean(right, some), mean(loss, some), int(some.sum())) for name, some in on_street},
        actions=tuple(actions),
    )


def softmax_legal(logits: Array, legal: Bool | None = None) -> F32:
    """Chances from logits ``[n, k]``, over the legal columns where those are given."""
    x = np.asarray(logits, np.float32)
    if legal is not None:
        x = np.where(legal, x, np.float32(-1e9))
    x = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(x / x.sum(axis=1, keepdims=True), np.float32)


def frequencies(did: Array, columns: int, legal: Bool | None, n: int) -> F32:
    """The baseline that knows only how often each action is taken (``did``, of the training part) and, where ``legal``
    (``[n, columns]``) is given, which are possible."""
    counts = np.bincount(did, minlength=columns) + 1.0
    predicted = np.tile(counts / counts.sum(), (n, 1))
    if legal is not None:
        predicted = predicted * legal
    return np.asarray(predicted / predicted.sum(axis=1, keepdims=True), np.float32)


def as_moves(probs: Array, move_of: Array) -> F32:
    """Chances of the finer menu summed into the paper's moves."""
    out = np.zeros((len(probs), int(move_of.max()) + 1), np.float32)
    for column, move in enumerate(move_of):
        out[:, move] += probs[:, column]
    return out


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [" | ".join(head), " | ".join("---" for _ in head), *(" | ".join(row) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def scores_table(scores: Mapping[str, Mapping[str, Any]]) -> str:
    """Accuracy, log-loss and calibration error of several predictions."""
    rows = [
        (
            name,
            f"{100 * s['accuracy']:.2f} ± {196 * s['accuracy_se']:.2f} %",
            f"{s['log_loss']:.4f} ± {1.96 * s['log_loss_se']:.4f}",
            f"{s['ece']:.4f}",
        )
        for name, s in scores.items()
    ]
    return _table(("prediction", "accuracy ± 95 %", "log-loss (nats) ± 95 %", "calibration error"), rows)


def details(scores: Mapping[str, Any]) -> str:
    """Scores by street and by action, and the calibration table."""
    streets = [
        (name, f"{n:,}", f"{100 * accuracy:.2f} %", f"{loss:.4f}")
        for name, (accuracy, loss, n) in scores["streets"].items()
    ]
    actions = [
        (
            a["name"], f"{a['decisions']:,}", f"{100 * a['share']:.2f} %", f"{100 * a['said']:.2f} %",
            f"{100 * a['recall']:.1f} %", f"{100 * a['precision']:.1f} %", f"{a['log_loss']:.3f}",
        )
        for a in scores["actions"]
    ]  # fmt: skip
    bins = [
        (f"{b['low']:.1f}-{b['low'] + 0.1:.1f}", f"{b['decisions']:,}", f"{b['said']:.3f}", f"{b['taken']:.3f}")
        for b in scores["table"]
    ]
    return "\n".join(
        _table(tuple(head.split(", ")), rows)
        for head, rows in (
            ("street, decisions, accuracy, log-loss", streets),
            ("action, decisions, taken, predicted, recall, precision, log-loss", actions),
            ("probability of the likeliest action, decisions, predicted, taken", bins),
        )
    )


def card_text(card: Mapping[str, Any]) -> str:
    """A card as Markdown."""
    parts = [(name, f"{n['hands']:,}", f"{n['decisions']:,}") for name, n in card["parts"].items()]
    data = ", ".join(f"{name} ({hands:,} hands used)" for name, hands in card["data"].items())
    players = card["players"]
    names = ", ".join(players) if len(players) <= 12 else f"{', '.join(players[:6])} and {len(players) - 6} others"
    settings = card["settings"]
    text = [
        f"# Model card: {card['encoding']} encoding, {card['information']} information\n",
        f"Predicts {', '.join(card['columns'])} of: {names}.\n",
        f"- Data: {data}.",
        f"- Split: {card['split']}; trained on the first part, the epoch chosen on the second, scores of the third.",
        f"- {card['parameters']:,} parameters; batch {settings['batch']}, rate {settings['rate']:g}, seed "
        f"{settings['seed']}, {settings['device']}; epoch {card['best_epoch']} of {card['epochs']} is the best; "
        f"{card.get('seconds', 0):.0f} s with reading and scoring.",
        "- Use: predictions of actions and readings of hands heads-up no-limit. Players unlike those above are "
        "predicted worse than this card says; programs that only exploit others are no natural opponents.",
        "",
        _table(("part", "hands", "decisions"), parts),
        "## Test part\n",
        "Intervals are 95 %, clustered by hand.\n",
        scores_table(card["test"]),
        details(card["test"]["network"]),
    ]
    if len(card["test_players"]) > 1:
        told_of = [
            (name, f"{n:,}", f"{100 * a:.2f} %", f"{loss:.4f}", f"{ece:.4f}", f"{100 * b:.2f} %", f"{less:.4f}")
            for name, (n, a, loss, ece, b, less) in card["test_players"].items()
        ]
        head = ("player", "decisions", "accuracy", "log-loss", "calibration error", "frequencies: accuracy", "log-loss")
        text += ["## By player, test part\n", _table(head, told_of)]
    if card["test_moves"]:
        text += ["## The same in the paper's moves (all sizes of raises are one)\n", scores_table(card["test_moves"])]
    return "\n".join(text)
