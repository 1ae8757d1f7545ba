"""The shipped population made once more from the shared logs: the same file, byte for byte."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dupai.history._tracker._fit import main
from dupai.history._tracker._population import FILE

SHARED = Path(os.environ.get("DUPAI_SHARED") or Path(__file__).parents[2].parent / "shared")


@pytest.mark.slow
def test_the_shipped_population_is_what_the_command_makes(tmp_path: Path) -> None:
    folder = SHARED / "data"
    if not folder.exists():
        pytest.skip(f"{folder} is not there: set DUPAI_SHARED to the folder that has data/ with the shared logs")
    assert main([str(folder), str(tmp_path / "population.json")]) == 0
    assert (tmp_path / "population.json").read_bytes() == FILE.read_bytes()
