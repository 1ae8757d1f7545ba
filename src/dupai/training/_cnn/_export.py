"""Writing a trained network: ``.npz`` for NumPy, ``.onnx`` for onnxruntime."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import MissingPackage, open_whole, write_whole
from dupai.reading import CNN_INPUTS, CnnAbout


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
