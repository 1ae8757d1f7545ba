"""From logs to a trained network with its card, and the paper's table: accuracy after so many steps."""

from __future__ import annotations

import io
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base import ConfigError, NoProgress, Progress, optional_package
from dupai.base.arrays import AnyArray
from dupai.base.files import disk_faults, open_whole, write_whole
from dupai.reading import cnn
from dupai.reading.features import FEATURE_VERSION
from dupai.training._cnn._fit import (
    PAPER_SHAPE,
    Fitted,
    Inputs,
    fit,
    fit_logistic,
    loss_of,
    make_step,
    paper_net,
    predict,
)
from dupai.training._cnn._samples import Samples, cnn_samples
from dupai.training._cnn._scores import (
    MeanScores,
    Scores,
    as_moves,
    card_text,
    frequencies,
    score_actions,
    softmax_legal,
)
from dupai.training._settings import CnnSettings
from dupai.training._sources import contents
from dupai.training._stopped import stoppable
from dupai.training._torch import check_torch


class TrainedCnn(msgspec.Struct, kw_only=True):
    """What training gave: the folder, the files in it with their sizes, the card, the seconds it took."""

    folder: str
    files: dict[str, int]
    card: dict[str, Any]
    seconds: float


@stoppable
def train_cnn(
    paths: Sequence[str | Path],
    out: str | Path,
    settings: CnnSettings | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    log: Callable[[str], None] = lambda _: None,
) -> TrainedCnn:
    """Train a network that predicts players' actions and write it to the folder ``out``: ``model.onnx``,
    ``model.npz``, ``card.json``, ``card.md`` and, from which ``resume`` goes on, ``checkpoint.pt``.

    Matches, card seeds and persons are split as wholes, logs without sections by blocks of 100 hands
    (:func:`~dupai.training._split.split_key`, which also says which twins stay together): one part is learned from, one
    chooses the epoch, the scores on the card are of the third. None when ``progress`` was cancelled: the checkpoint is
    kept, and ``resume`` goes on from it.

    Raises:
        HistoryError: the data cannot be read or is of another game.
        ConfigError: torch is not installed or knows no such device; a setting makes no sense; there is nothing to learn
            from; the checkpoint is of another training.
    """
    folder, settings, look = Path(out), settings or CnnSettings(), progress or NoProgress()
    cnn.check_cnn_encoding(settings.encoding, settings.information)
    check_torch(settings.device)
    import torch

    began = time.monotonic()
    with disk_faults(f"{folder}: cannot be written", folder):
        folder.mkdir(parents=True, exist_ok=True)
    samples = cnn_samples(paths, settings.players, settings.share, settings.shares, look)
    counts = samples.counts()
    log(
        f"{', '.join(samples.players[:6])}{', ...' if len(samples.players) > 6 else ''}: "
        + ", ".join(f"{part} {n['decisions']:,} decisions of {n['hands']:,} hands" for part, n in counts.items())
    )
    inputs = Inputs(torch, samples, settings.encoding, settings.information, look)
    net, fitted = fit(
        torch, samples, inputs, settings, folder / "checkpoint.pt", data=contents(paths), resume=resume, progress=look,
        log=log,
    )  # fmt: skip
    card = make_card(torch, net, samples, inputs, settings, fitted, look)
    card["seconds"] = round(time.monotonic() - began, 1)
    about = cnn.CnnAbout(
        version=cnn.CNN_VERSION,
        features=FEATURE_VERSION,
        encoding=settings.encoding,
        information=settings.information,
        columns=cnn.CNN_MENUS[settings.encoding].names,
        card=card,
    )
    save_onnx(torch, folder / "model.onnx", net, about)
    save_npz(folder / "model.npz", fitted.arrays, about)
    write_whole(folder / "card.json", msgspec.json.format(msgspec.json.encode(card)) + b"\n")
    write_whole(folder / "card.md", card_text(card))
    files = {
        name: (folder / name).stat().st_size
        for name in ("model.npz", "model.onnx", "card.json", "card.md")
        if (folder / name).exists()
    }
    return TrainedCnn(folder=str(folder), files=files, card=card, seconds=time.monotonic() - began)


def make_card(
    torch: Any, net: Any, samples: Samples, inputs: Inputs, settings: CnnSettings, fitted: Fitted, look: Progress
) -> dict[str, Any]:
    """What a network was trained on and how it did on the test part, beside what knows less."""
    test = samples.of("test")
    did, legal, hand, street = inputs.columns[test], inputs.legal[test], samples.hand[test], samples.street[test]
    names = cnn.CNN_MENUS[settings.encoding].names
    learned = inputs.columns[samples.of("train")]
    hands = samples.hands(look)
    usual = frequencies(learned, len(names), legal, len(test))
    predicted = {
        "network": predict(torch, net, inputs, test, settings.device),
        "logistic regression": fit_logistic(torch, samples, hands, inputs.columns, inputs.legal, settings.seed, look),
        "frequencies of the legal actions": usual,
        "majority class": frequencies(learned, len(names), None, len(test)),
    }
    scores = {name: score_actions(p, did, hand, street, names) for name, p in predicted.items()}
    moves = {}
    if settings.encoding == "rich":
        moves = {name: score_moves(p, did, hand, street) for name, p in predicted.items()}
    corpus, player = samples.corpus, samples.player[test]
    by_player = {}
    for number, name in enumerate(samples.players):
        some = np.flatnonzero(player == number)
        if len(some) >= 300:
            one, less = (
                score_actions(p[some], did[some], hand[some], street[some], names)
                for p in (predicted["network"], usual)
            )
            by_player[name] = [one.decisions, one.accuracy, one.log_loss, one.ece, less.accuracy, less.log_loss]
    return {
        "encoding": settings.encoding,
        "information": settings.information,
        "columns": list(names),
        "parameters": sum(int(a.size) for a in fitted.arrays.values()),
        "players": list(samples.players),
        "data": {name: int((corpus.source == i).sum()) for i, name in enumerate(corpus.sources)},
        "split": "by match, card seed, person, session or block of 100 hands, never by sample",
        "parts": samples.counts(),
        "settings": msgspec.to_builtins(settings),
        "epochs": len(fitted.history),
        "best_epoch": fitted.best,
        "history": fitted.history,
        "test": msgspec.to_builtins(scores),
        "test_players": by_player,
        "test_moves": msgspec.to_builtins(moves),
    }


def score_cnn(weights: cnn.CnnWeights, samples: Samples) -> dict[str, Any]:
    """The scores of a factored network's file on the test part of some samples (no torch needed): those of its own
    columns and, as ``"moves"``, those of the paper's moves.

    Raises:
        ConfigError: the file holds the paper's network.
    """
    test = samples.of("test")
    network, hands = weights.network, samples.hands()
    if network is None:
        raise ConfigError("only a factored network is scored so: expected one of the rich encoding")
    parts = [
        network.head(network.trunk(hands[some].astype(np.float32)), samples.nodes(some))
        for some in np.array_split(test, max(len(test) // 4096, 1))
    ]
    did = samples.columns("rich")[test]
    predicted = softmax_legal(np.concatenate(parts), samples.legal("rich")[test])
    hand, street = samples.hand[test], samples.street[test]
    scores: dict[str, Any] = msgspec.to_builtins(
        score_actions(predicted, did, hand, street, cnn.CNN_MENUS["rich"].names)
    )
    return scores | {"moves": msgspec.to_builtins(score_moves(predicted, did, hand, street))}


def score_moves(probs: Any, did: Any, hand: Any, street: Any) -> Scores:
    """The scores of predictions over the finer menu in the paper's moves."""
    return score_actions(as_moves(probs, cnn.CNN_MOVE_OF), cnn.CNN_MOVE_OF[did], hand, street, cnn.CNN_MOVES.names)


def save_npz(path: Path, arrays: dict[str, AnyArray], about: cnn.CnnAbout) -> None:
    """Write the network as float16 arrays, which NumPy plays.

    Raises:
        FileError: the file cannot be written.
    """
    halves: dict[str, Any] = {name: np.asarray(array, np.float16) for name, array in arrays.items()}
    with open_whole(path, "wb") as file:
        np.savez_compressed(file, about=np.frombuffer(msgspec.json.encode(about), np.uint8), **halves)


def save_onnx(torch: Any, path: Path, net: Any, about: cnn.CnnAbout) -> None:
    """Write the network for onnxruntime, with ``about`` in its metadata.

    Raises:
        MissingPackage: onnx is not installed.
        FileError: the file cannot be written.
    """
    onnx = optional_package("onnx", "train", "exporting a network")
    sizes = cnn.CNN_INPUTS[about.encoding]
    inputs, names = tuple(torch.zeros(2, *size) for size in sizes.values()), list(sizes)
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the older exporter is the one that needs no further package
        torch.onnx.export(
            net.cpu().eval(), inputs, buffer, dynamo=False, input_names=names, output_names=["logits"],
            dynamic_axes={name: {0: "n"} for name in (*names, "logits")},
        )  # fmt: skip
    model = onnx.load_from_string(buffer.getvalue())
    onnx.helper.set_model_props(model, {"about": msgspec.json.encode(about).decode()})
    write_whole(path, model.SerializeToString())


#: Batches of the test that the paper makes.
TEST_BATCHES = 10


class StepScore(MeanScores, frozen=True, kw_only=True):
    """The paper's network after some steps, on the whole test part (or ``most`` of it).

    Attributes:
        information, batch, steps: how it was trained.
        paper_accuracy, paper_samples: as the paper tests: on ten batches of that size.
    """

    information: str
    batch: int
    steps: int
    paper_accuracy: float
    paper_samples: int


def cnn_steps(
    samples: Samples,
    information: str,
    batch: int,
    marks: Sequence[int],
    *,
    seed: int = 0,
    most: int = 40_000,
    rate: float = 1e-3,
    shape: tuple[int, int, int] = PAPER_SHAPE,
    progress: Progress | None = None,
) -> list[StepScore] | None:
    """Train the paper's network for ``max(marks)`` steps of Adam and score it at each mark; one run serves all.

    Chances are not confined to legal moves here, as in the paper. None when ``progress`` was cancelled.

    Args:
        samples: the data.
        information: what the input says (:func:`~dupai.reading._cnn._file.leaks_of`).
        batch: decisions of a step, drawn without repetition until the training part is used up, then anew.
        marks: steps at which it is scored, rising.
        most: decisions of the test part that are scored.
        rate: Adam's.
        shape: maps of the two convolutions and units of the dense layer; the paper does not say.

    Raises:
        ConfigError: torch is not installed, or the data has no training or no test part.
    """
    cnn.check_cnn_encoding("paper", information)
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
        net = paper_net(torch, len(cnn.CNN_MOVES), shape)
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
    scores = score_actions(predicted, did, samples.hand[test], samples.street[test], cnn.CNN_MOVES.names)
    place = np.searchsorted(test, few)
    information, batch, step = how
    return StepScore(
        information=information,
        batch=batch,
        steps=step,
        paper_accuracy=float((predicted[place].argmax(axis=1) == did[place]).mean()),
        paper_samples=len(few),
        **{name: getattr(scores, name) for name in MeanScores.__struct_fields__},
    )
