"""The paper's table: accuracy after so many steps with so large batches, and where the leak is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress
from dupai.reading import CNN_MOVES, check_cnn_encoding
from dupai.training._cnn._fit import Inputs, loss_of, make_net, make_step, predict
from dupai.training._cnn._samples import Samples
from dupai.training._cnn._scores import score_actions
from dupai.training._model._reader import check_torch

#: Batches of the test that the paper makes.
TEST_BATCHES = 10


#: Fields of :class:`StepScore` that are those of the scores on the test part.
_SCORES = ("accuracy", "accuracy_se", "log_loss", "log_loss_se", "ece", "decisions", "streets")


class StepScore(msgspec.Struct, frozen=True, kw_only=True):
    """The paper's network after some steps, on hands not learned from.

    Attributes:
        information, batch, steps: how it was trained.
        paper_accuracy, paper_samples: as the paper tests: on ten batches of that size.
        accuracy, accuracy_se, log_loss, log_loss_se, ece, decisions: on the whole test part (or ``most`` of it).
        streets: accuracy, log-loss and decisions by street.
    """

    information: str
    batch: int
    steps: int
    paper_accuracy: float
    paper_samples: int
    accuracy: float
    accuracy_se: float
    log_loss: float
    log_loss_se: float
    ece: float
    decisions: int
    streets: dict[str, tuple[float, float, int]]


def cnn_steps(
    samples: Samples,
    information: str,
    batch: int,
    marks: Sequence[int],
    *,
    seed: int = 0,
    most: int = 40_000,
    rate: float = 1e-3,
    progress: Progress | None = None,
) -> list[StepScore] | None:
    """Train the paper's network for ``max(marks)`` steps of Adam and score it at each mark; one run serves all.

    Chances are not confined to legal moves here, as in the paper. None when ``progress`` was cancelled.

    Args:
        samples: the data.
        information: what the input says (:func:`~dupai.reading._cnn._encoding.leaks_of`).
        batch: decisions of a step, drawn without repetition until the training part is used up, then anew.
        marks: steps at which it is scored, rising.
        most: decisions of the test part that are scored.
        rate: Adam's.

    Raises:
        ConfigError: torch is not installed, or the data has no training or no test part.
    """
    check_cnn_encoding("paper", information)
    check_torch("cpu")
    import torch

    look = progress or NoProgress()
    train, test = samples.of("train"), samples.of("test")
    if not len(train) or not len(test):
        raise ConfigError("the data has no training or no test part: expected more matches")
    rng = np.random.default_rng((seed, batch))
    test = np.sort(rng.permutation(test)[:most])
    few = np.sort(rng.permutation(test)[: TEST_BATCHES * batch])
    inputs = Inputs(torch, samples, "paper", information, look)
    done: list[StepScore] = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        net = make_net(torch, "paper", len(CNN_MOVES))
        optimiser = torch.optim.Adam(net.parameters(), lr=rate)
        left = train[:0]
        for step in range(1, max(marks) + 1):
            if look.cancelled:
                return None
            if len(left) < batch:
                left = np.concatenate((left, rng.permutation(train)))
            some, left = left[:batch], left[batch:]
            net.train()
            loss = loss_of(torch, net, inputs, some, "cpu", masked=False)
            make_step(optimiser, loss, rate)
            look.report(step, max(marks), f"{information}, batch {batch}")
            if step in marks:
                done.append(_score(torch, net, samples, inputs, (test, few), (information, batch, step)))
    return done


def _score(
    torch: Any, net: Any, samples: Samples, inputs: Inputs, parts: tuple[Any, Any], how: tuple[str, int, int]
) -> StepScore:
    test, few = parts
    predicted = predict(torch, net, inputs, test, "cpu", masked=False)
    did = inputs.columns[test]
    scores = score_actions(predicted, did, samples.hand[test], samples.street[test], CNN_MOVES.names)
    place = np.searchsorted(test, few)
    information, batch, step = how
    return StepScore(
        information=information,
        batch=batch,
        steps=step,
        paper_accuracy=float((predicted[place].argmax(axis=1) == did[place]).mean()),
        paper_samples=len(few),
        **{name: getattr(scores, name) for name in _SCORES},
    )
