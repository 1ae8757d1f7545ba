"""Networks of the convolutional opponent model: how decisions are encoded, and the files."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from dupai.base import ConfigError, FileError, one_blas_thread, optional_package
from dupai.base.arrays import F32, F64, I64, AnyArray
from dupai.base.files import check_shapes, file_faults, read_arrays
from dupai.cards import COMBO_CARDS
from dupai.equity import win_rates
from dupai.reading._cnn._kernels import CNN_SIDE, LEAK_BOARD, LEAK_CARDS, LEAK_CHIPS, paper_maps_kernel
from dupai.reading._features._columns import FEATURE_VERSION, NATIVE, layer_arrays
from dupai.reading._features._kernels.hands import HAND_SIZE
from dupai.reading._features._kernels.public import ACTION_CLASSES, PUBLIC_SIZE
from dupai.spots import Menu

EncodingName = Literal["paper", "rich"]
ENCODINGS: tuple[EncodingName, ...] = ("paper", "rich")
#: Raised whenever an input changes its meaning: a model file of another version is refused.
CNN_VERSION = 1

#: The paper's five moves; checking and calling share a column, for only one of them is ever possible.
CNN_MOVES = Menu(sizes=(1.0,), all_in=True)
CNN_MENUS: dict[str, Menu] = {"paper": CNN_MOVES, "rich": NATIVE}
#: The move that each column of the finer menu belongs to.
CNN_MOVE_OF = np.array([0, 1, *(2 for _ in NATIVE.sizes), 3])

#: What an input may say that the player did not know.
LEAKS: dict[str, int] = {"cards": LEAK_CARDS, "board": LEAK_BOARD, "chips": LEAK_CHIPS}
HONEST, LITERAL = "honest", "literal"


def leaks_of(information: str) -> int:
    """The bits of ``honest``, ``literal`` (everything that the log says but the action itself) or, to find a leak,
    ``honest+cards``, ``honest+board+chips`` and so on.

    Raises:
        ConfigError: it is none of these.
    """
    if information == LITERAL:
        return sum(LEAKS.values())
    first, *rest = information.split("+")
    if first != HONEST or len(set(rest)) != len(rest) or any(word not in LEAKS for word in rest):
        raise ConfigError(
            f"information {information!r}: expected honest, literal, or honest with any of "
            + ", ".join(f"+{word}" for word in LEAKS)
        )
    return sum(LEAKS[word] for word in rest)


def check_cnn_encoding(encoding: str, information: str) -> int:
    """The leaks of an input that can be made.

    Raises:
        ConfigError: no such encoding or information, or the two do not go together.
    """
    if encoding not in ENCODINGS:
        raise ConfigError(f"encoding {encoding!r}: expected {' or '.join(ENCODINGS)}")
    leaks = leaks_of(information)
    if leaks and encoding != "paper":
        raise ConfigError(
            f"encoding {encoding!r} holds only what the player knows: expected --information honest, "
            "or --encoding paper"
        )
    return leaks


@cache
def start_rates() -> F64:
    """``float64[1326]``: win rates before the flop."""
    rates = win_rates()
    rates.flags.writeable = False
    return rates


#: The networks that ship: ours, and by its word the paper's.
SHIPPED = Path(__file__).with_name("cnn.npz")
PAPER = "paper"
_FORMAT = "dupai cnn"
#: Names and shapes of what a network of each encoding is given.
CNN_INPUTS: dict[str, dict[str, tuple[int, ...]]] = {
    "paper": {"matrices": (1, CNN_SIDE, CNN_SIDE)},
    "rich": {"hands": (HAND_SIZE,), "nodes": (PUBLIC_SIZE + ACTION_CLASSES,)},
}


class CnnAbout(msgspec.Struct, frozen=True, kw_only=True):
    """What a model file says of itself.

    Attributes:
        version: of the encodings.
        features: version of the features of hands and decisions, which the rich encoding reads.
        encoding, information: what the network reads.
        columns: the actions that it predicts.
        card: what it was trained on and how it did.
    """

    version: int
    encoding: str
    information: str
    columns: tuple[str, ...]
    card: dict[str, Any]
    format: str = _FORMAT
    # Files of before it was written were made with the first.
    features: int = 1


#: The paper's network, ready to play: the matrix of a decision without hole cards (``float32[20, 20]``) and hands
#: (``int64[n]``) to logits ``[n, 4]``.
Matrices = Callable[[F32, I64], F32]


class CnnWeights(msgspec.Struct, frozen=True):
    """A trained network: ``network`` for the rich encoding, ``matrices`` for the paper's."""

    about: CnnAbout
    network: FactoredNetwork | None = None
    matrices: Matrices | None = None


def _refused(place: Path, reason: str) -> FileError:
    return FileError(f"{place}: {reason}", path=place)


def _about(place: Path, text: bytes | str) -> CnnAbout:
    with file_faults(f"{place}: not a network made by 'dupai train cnn'", place):
        about = msgspec.json.decode(text, type=CnnAbout)
        if about.format != _FORMAT:
            raise ValueError(f"format {about.format!r}")
    if about.version != CNN_VERSION or about.encoding not in ENCODINGS:
        raise _refused(
            place,
            f"made for encoding {about.encoding!r} version {about.version}, this program has "
            f"{' and '.join(ENCODINGS)} version {CNN_VERSION}: train it again with 'dupai train cnn'",
        )
    if about.encoding == "rich" and about.features != FEATURE_VERSION:
        raise _refused(
            place,
            f"made for version {about.features} of the features, this program has version {FEATURE_VERSION}: train it "
            "again with 'dupai train cnn'",
        )
    if about.columns != CNN_MENUS[about.encoding].names:
        raise _refused(place, f"made for other actions ({', '.join(about.columns)}): train it again")
    return about


def _load_npz(place: Path) -> CnnWeights:
    arrays = read_arrays(place, "network")
    if "about" not in arrays:
        raise _refused(place, "not the file of a network: it does not say what it is of")
    about = _about(place, arrays.pop("about").tobytes())
    with file_faults(str(place), place):
        if about.encoding == "paper":
            return CnnWeights(about, matrices=PaperNetwork(arrays))
        network = FactoredNetwork(arrays)
    inputs = (HAND_SIZE, PUBLIC_SIZE + ACTION_CLASSES)
    if network.inputs != inputs or network.columns != len(about.columns):
        raise _refused(
            place,
            f"made for another encoding: its inputs are {network.inputs[0]} numbers of a hand and "
            f"{network.inputs[1]} of a decision, expected {inputs[0]} and {inputs[1]}",
        )
    return CnnWeights(about, network=network)


def _load_onnx(place: Path) -> CnnWeights:
    onnxruntime = optional_package("onnxruntime", "cnn", f"playing {place}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(place), options, providers=["CPUExecutionProvider"])
    # onnxruntime has an error class for each reason and none above them all
    except Exception as error:  # noqa: BLE001
        raise _refused(place, f"not a network that onnxruntime reads: {str(error).splitlines()[0]}") from None
    about = _about(place, session.get_modelmeta().custom_metadata_map.get("about", "{}"))
    shapes = {one.name: tuple(one.shape[1:]) for one in session.get_inputs()}
    inputs = CNN_INPUTS[about.encoding]
    if shapes != inputs:
        raise _refused(place, f"made for another encoding: its inputs are {shapes}, expected {inputs}")
    if about.encoding == "rich":
        return CnnWeights(about, network=_OnnxNetwork(session, len(about.columns)))

    def logits(public: F32, hands: I64) -> F32:
        return np.asarray(session.run(None, {"matrices": hand_matrices(public, hands)})[0], np.float32)

    return CnnWeights(about, matrices=logits)


@lru_cache(maxsize=4)
def load_cnn(path: str | None = None) -> CnnWeights:
    """Read a trained network: a ``.npz`` or ``.onnx`` file, or the folder that ``dupai train cnn`` wrote; None: the one
    that ships; ``"paper"``: the paper's network, which ships, too.

    Raises:
        FileError: the file cannot be read, is no such network, or is made for another encoding.
        MissingPackage: it is an ``.onnx`` file and onnxruntime is not installed.
    """
    place = SHIPPED if path is None else SHIPPED.with_name("paper.npz") if path == PAPER else Path(path)
    if place.is_dir():
        files = [place / name for name in ("model.npz", "model.onnx") if (place / name).exists()]
        if not files:
            raise _refused(place, "holds neither model.npz nor model.onnx: expected what 'dupai train cnn' wrote")
        place = files[0]
    if not place.exists():
        raise _refused(place, "there is no such file")
    return _load_onnx(place) if place.suffix == ".onnx" else _load_npz(place)


#: Arrays of the network, as torch names them, and their sizes by letter (:func:`~dupai.base.files.check_shapes`).
ARRAYS = layer_arrays(
    "card1 ch, card2 wc, node1 np, node2 mn, shift wm, gate wm, head dw, head_node dm -, out kd, out_node km -"
)

#: Of the paper's network: two convolutions, the dense layer, the moves.
PAPER_ARRAYS = [f"{layer}.{kind}" for layer in (0, 3, 7, 10) for kind in ("weight", "bias")]


class FactoredNetwork:
    """A card trunk, worked out once for each board, and an action head, worked out at each decision.

    Raises:
        ConfigError: an array is missing.
        ValueError: arrays do not fit together.
    """

    def __init__(self, arrays: dict[str, AnyArray]) -> None:
        missing = [name for name in ARRAYS if name not in arrays]
        if missing:
            raise ConfigError(f"the model file lacks the array {missing[0]!r}: it is not a network's, or cut off")
        check_shapes(arrays, ARRAYS)
        w = {k: np.ascontiguousarray(np.asarray(v, np.float32).T) for k, v in arrays.items()}
        self._w = w
        self.inputs = (w["card1.weight"].shape[0], w["node1.weight"].shape[0])
        self.columns = w["out.weight"].shape[1]

    def trunk(self, hands: F32) -> F32:
        """What hands on a board become: ``[n, 70] -> [n, width]``."""
        w = self._w
        with one_blas_thread:
            h = hands @ w["card1.weight"]
            h += w["card1.bias"]
            np.maximum(h, 0, out=h)
            return np.asarray(h @ w["card2.weight"] + w["card2.bias"])

    def head(self, trunk: F32, node: F32) -> F32:
        """Logits ``float32[n, columns]`` of hands (from :meth:`trunk`) at one decision (``node`` ``[105]``), or each at
        a decision of its own (``[n, 105]``)."""
        with one_blas_thread:
            return self._head(trunk, node)

    def _head(self, trunk: F32, node: F32) -> F32:
        w = self._w
        e = np.maximum(node @ w["node1.weight"] + w["node1.bias"], 0)
        e = np.maximum(e @ w["node2.weight"] + w["node2.bias"], 0)
        h = trunk * (1 + e @ w["gate.weight"] + w["gate.bias"])
        h += e @ w["shift.weight"] + w["shift.bias"]
        np.maximum(h, 0, out=h)
        h = h @ w["head.weight"]
        h += w["head.bias"] + e @ w["head_node.weight"]
        np.maximum(h, 0, out=h)
        return np.asarray(h @ w["out.weight"] + (w["out.bias"] + e @ w["out_node.weight"]), np.float32)


def hand_matrices(public: F32, hands: I64) -> F32:
    """The matrix of a decision (``float32[20, 20]``, without hole cards) with each of ``hands`` (``int64[n]``) in it:
    ``float32[n, 1, 20, 20]``."""
    matrices = np.repeat(public[None, None], len(hands), axis=0)
    shown = COMBO_CARDS[hands].astype(np.int64)
    matrices[np.arange(len(hands))[:, None], 0, shown // 13, shown % 13] = 1
    return matrices


class PaperNetwork:
    """The paper's network, called as :data:`Matrices`.

    Raises:
        ConfigError: an array is missing.
        ValueError: arrays do not fit together.
    """

    def __init__(self, arrays: dict[str, AnyArray]) -> None:
        missing = [name for name in PAPER_ARRAYS if name not in arrays]
        if missing:
            raise ConfigError(f"the model file lacks the array {missing[0]!r}: it is not a network's, or cut off")
        w = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
        first, second, dense = w["0.weight"], w["3.weight"], w["7.weight"]
        maps = len(second)
        shapes = {"0.weight": (len(first), 1, 5, 5), "3.weight": (maps, len(first), 5, 5),
                  "7.weight": (len(dense), 25 * maps), "10.weight": (len(CNN_MOVES), len(dense))}  # fmt: skip
        shapes |= {name.replace("weight", "bias"): shape[:1] for name, shape in shapes.items()}
        for name, shape in shapes.items():
            if w[name].shape != shape:
                raise ValueError(f"array {name!r} has the shape {w[name].shape}, expected {shape}")
        # By row, map, column from right to left and new map: sums run over neighbours in memory.
        kernels = [
            np.ascontiguousarray(weights[..., ::-1].transpose(2, 1, 3, 0)).reshape(5, weights.shape[1], -1)
            for weights in (first, second)
        ]
        self._maps = (kernels[0], w["0.bias"], kernels[1], w["3.bias"])
        flat = dense.reshape(-1, maps, 25).transpose(2, 1, 0).reshape(25 * maps, -1)
        self._dense = (np.ascontiguousarray(flat), w["7.bias"], np.ascontiguousarray(w["10.weight"].T), w["10.bias"])

    def __call__(self, public: F32, hands: I64) -> F32:
        out = np.empty((len(hands), 5, 5, len(self._maps[3])), np.float32)
        paper_maps_kernel(public, hands, *self._maps, out)
        dense, dense_bias, last, last_bias = self._dense
        with one_blas_thread:
            units = np.maximum(out.reshape(len(out), len(dense)) @ dense + dense_bias, 0)
            return np.asarray(units @ last + last_bias)


class _OnnxNetwork(FactoredNetwork):
    """The factored network as onnxruntime plays it: trunk and head in one."""

    def __init__(self, session: Any, columns: int) -> None:
        self._session, self.columns = session, columns
        self.inputs = (HAND_SIZE, PUBLIC_SIZE + ACTION_CLASSES)

    def trunk(self, hands: F32) -> F32:
        return hands

    def head(self, trunk: F32, node: F32) -> F32:
        nodes = node if node.ndim == 2 else np.repeat(node[None], len(trunk), axis=0)
        return np.asarray(self._session.run(None, {"hands": trunk, "nodes": nodes})[0], np.float32)
