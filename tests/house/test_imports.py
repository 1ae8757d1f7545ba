"""What the floors ``reading`` and ``training`` must not load."""

from __future__ import annotations

import subprocess
import sys

import pytest

TRAINING = ["torch", "onnx", "onnxruntime", "ray", "matplotlib", "pyarrow", "duckdb", "dupai.cfr", "dupai.agents"]


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import dupai.reading", [*TRAINING, "dupai.training", "numba"]),
        ("import dupai.training", [*TRAINING, "numba"]),
        ("from dupai.reading import load_reader, watch; load_reader('model')", [*TRAINING, "dupai.training"]),
        ("from dupai.training import TrainSettings, score_readers, train_cnn, train_reader", TRAINING),
    ],
)
def test_what_is_not_loaded(code: str, unwanted: list[str]) -> None:
    """Readers at the table load no training code, and nothing loads torch before a training begins."""
    code += f"; import sys; print(*[m for m in {unwanted} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.split() == []
