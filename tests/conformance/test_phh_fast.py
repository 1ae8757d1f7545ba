"""The byte scanner for PHH on the shared sets: what it reads is what the careful reader reads, row by row."""

import lzma

import pytest

from naive.history_phh import both, left_over
from support.shared_data import shared_data

#: Name, and the most tables that may be left to the careful reader (mismatches, half-known cards).
PHH_SETS = {
    "bovada-6max-2019": 0,
    "pokerstars-nl50-9max-2021": 0,
    "pokerstars-zoom-6max-2018": 0,
    "absolute-1000nl-ante-6max-2009": 7,
    "live-holdem-phh": 1,
}


def start_of(name, hands, folder):
    """The first ``hands`` tables of a set (None: all) as a file of its own."""
    path = shared_data(f"{name}/{name}.phhs.xz")
    with lzma.open(path, "rt", encoding="utf-8") as file:
        text = file.read()
    if hands is not None:
        text = "\n[".join(text.split("\n[")[:hands]) + "\n"
    new = folder / f"{name}.phhs"
    new.write_text(text, encoding="utf-8")
    return new


def same_rows(name, hands, folder, monkeypatch):
    path = start_of(name, hands, folder)
    quick, careful = both(path, folder, monkeypatch)
    assert quick == careful
    left = left_over(path)
    assert len(left) <= PHH_SETS[name], [(e.line, e.error) for e in left[:5]]
    return quick[0]["hands"]


@pytest.mark.parametrize("name", list(PHH_SETS))
def test_scanner_and_careful_reader_read_alike(name, tmp_path, monkeypatch):
    """The first 800 hands; all of them: tests/slow/test_phh_fast_all.py."""
    assert same_rows(name, 800, tmp_path, monkeypatch) >= 13
