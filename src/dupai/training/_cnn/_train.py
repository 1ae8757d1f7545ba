"""From logs to a trained network with its card."""

from __future__ import annotations

import io
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, MissingPackage, NoProgress, Progress, open_whole, write_whole
from dupai.reading import (
    CNN_INPUTS,
    CNN_MENUS,
    CNN_MOVE_OF,
    CNN_MOVES,
    CNN_VERSION,
    CnnAbout,
    CnnWeights,
    check_cnn_encoding,
)
from dupai.training._cnn._fit import CnnSettings, Fitted, Inputs, fit, fit_logistic, predict
from dupai.training._cnn._samples import Samples, cnn_samples
from dupai.training._cnn._scores import Scores, as_moves, card_text, frequencies, score_actions, softmax_legal
from dupai.training._model._reader import check_torch
from dupai.training._stopped import Stopped


class TrainedCnn(msgspec.Struct, kw_only=True):
    """What training gave: the folder, the files in it with their sizes, the card, the seconds it took."""

    folder: str
    files: dict[str, int]
    card: dict[str, Any]
    seconds: float


def train_cnn(
    paths: Sequence[str | Path],
    out: str | Path,
    settings: CnnSettings | None = None,
    *,
    resume: bool = False,
    progress: Progress | None = None,
    log: Callable[[str], None] = lambda _: None,
) -> TrainedCnn | None:
    """Train a network that predicts players' actions and write it to the folder ``out``: ``model.onnx``,
    ``model.npz`` (the factored one), ``card.json`` and ``card.md``; while it trains ``checkpoint.pt``.

    Matches, card seeds and persons are split as wholes (:func:`~dupai.training._split.part_of`): one part is learned
    from, one chooses the epoch, the scores on the card are of the third. None when ``progress`` was cancelled: the
    checkpoint is kept, and ``resume`` goes on from it.

    Raises:
        HistoryError: the data cannot be read or is of another game.
        ConfigError: torch is not installed or knows no such device; a setting makes no sense; there is nothing to learn
            from; the checkpoint is of another training.
    """
    try:
        return _train(paths, Path(out), settings or CnnSettings(), resume, progress or NoProgress(), log)
    except Stopped:
        return None


def _train(
    paths: Sequence[str | Path], folder: Path, settings: CnnSettings, resume: bool, look: Progress,
    log: Callable[[str], None],
) -> TrainedCnn:  # fmt: skip
    check_cnn_encoding(settings.encoding, settings.information)
    check_torch(settings.device)
    import torch

    began = time.monotonic()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error.strerror})") from None
    samples = cnn_samples(paths, settings.players, settings.share, settings.shares, look)
    counts = samples.counts()
    log(
        f"{', '.join(samples.players[:6])}{', ...' if len(samples.players) > 6 else ''}: "
        + ", ".join(f"{part} {n['decisions']:,} decisions of {n['hands']:,} hands" for part, n in counts.items())
    )
    inputs = Inputs(torch, samples, settings.encoding, settings.information, look)
    net, fitted = fit(torch, samples, inputs, settings, folder / "checkpoint.pt", resume=resume, progress=look, log=log)
    card = make_card(torch, net, samples, inputs, settings, fitted, look)
    card["seconds"] = round(time.monotonic() - began, 1)
    about = CnnAbout(
        version=CNN_VERSION,
        encoding=settings.encoding,
        information=settings.information,
        columns=CNN_MENUS[settings.encoding].names,
        card=card,
    )
    save_onnx(torch, folder / "model.onnx", net, about)
    if settings.encoding == "rich":
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
    names = CNN_MENUS[settings.encoding].names
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
        "split": "by match, card seed, person or session, never by sample",
        "parts": samples.counts(),
        "settings": msgspec.to_builtins(settings),
        "epochs": len(fitted.history),
        "best_epoch": fitted.best,
        "history": fitted.history,
        "test": msgspec.to_builtins(scores),
        "test_players": by_player,
        "test_moves": msgspec.to_builtins(moves),
    }


def score_cnn(weights: CnnWeights, samples: Samples) -> dict[str, Any]:
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
    scores: dict[str, Any] = msgspec.to_builtins(score_actions(predicted, did, hand, street, CNN_MENUS["rich"].names))
    return scores | {"moves": msgspec.to_builtins(score_moves(predicted, did, hand, street))}


def score_moves(probs: Any, did: Any, hand: Any, street: Any) -> Scores:
    """The scores of predictions over the finer menu in the paper's moves."""
    return score_actions(as_moves(probs, CNN_MOVE_OF), CNN_MOVE_OF[did], hand, street, CNN_MOVES.names)


def save_npz(path: Path, arrays: dict[str, npt.NDArray[Any]], about: CnnAbout) -> None:
    """Write the factored network as float16 arrays, which NumPy plays.

    Raises:
        FileError: the file cannot be written.
    """
    halves: dict[str, Any] = {name: np.asarray(array, np.float16) for name, array in arrays.items()}
    with open_whole(path, "wb") as file:
        np.savez_compressed(file, about=np.frombuffer(msgspec.json.encode(about), np.uint8), **halves)


def save_onnx(torch: Any, path: Path, net: Any, about: CnnAbout) -> None:
    """Write the network for onnxruntime, with ``about`` in its metadata.

    Raises:
        MissingPackage: onnx is not installed.
        FileError: the file cannot be written.
    """
    try:
        import onnx
    except ImportError:
        raise MissingPackage("onnx", "train", "exporting a network") from None
    sizes = CNN_INPUTS[about.encoding]
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
