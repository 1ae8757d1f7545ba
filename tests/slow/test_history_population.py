"""The shipped population made once more from the shared logs: the same file, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import dupai.history
from support.shared_data import shared_data
from tools.population import main


@pytest.mark.slow
def test_the_shipped_population_is_what_the_command_makes(tmp_path: Path) -> None:
    folder = shared_data()
    (shipped,) = Path(dupai.history.__file__).parent.rglob("population.json")
    assert main([str(folder), str(tmp_path / "population.json")]) == 0
    assert (tmp_path / "population.json").read_bytes() == shipped.read_bytes()
