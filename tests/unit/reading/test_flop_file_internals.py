"""The file of flops in the cache folder: written once, mapped afterwards, and replaced when damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupai.reading._features import _boards


def test_a_damaged_file_of_flops_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_boards, "cache_root", lambda: tmp_path)
    columns = _boards._unpacked_columns()
    np.testing.assert_array_equal(_boards._flops(), columns)
    (file,) = (tmp_path / "tables").iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:1000] + b"??" + whole[1002:])
    np.testing.assert_array_equal(_boards._flops(), columns)
    assert not file.exists()
    np.testing.assert_array_equal(_boards._flops(), columns)
    assert file.read_bytes() == whole
