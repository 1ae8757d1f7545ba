"""What ``import dupai.reading`` must not load."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("floor", ["dupai.reading", "dupai.training"])
def test_what_is_not_loaded(floor: str) -> None:
    """A reader at the table loads no training code, and nobody loads torch before a training begins."""
    unwanted = ["torch", "onnx", "onnxruntime", "ray", "matplotlib", "pyarrow", "duckdb", "dupai.cfr", "dupai.agents"]
    unwanted += ["dupai.training"] if floor == "dupai.reading" else []
    code = f"import sys, {floor}; print(*[m for m in {unwanted} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.split() == []
