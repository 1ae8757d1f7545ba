"""Intervals of `history stats` from few hands of real people and of programs: how often they hold what these do in all
other hands."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from support.shared_data import shared_data

SCRIPT = Path(__file__).parents[2] / "tools" / "stats_coverage.py"
#: People with names, on tables of two, six and nine.
FILES = ("deepstack-vs-pros-2016.log.xz", "pluribus-6max-2019.log.xz", "pokerstars-nl50-9max-2021.phhs.xz")


@pytest.mark.slow
def test_intervals_from_few_hands_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPT.parent)
    for name in FILES:
        (tmp_path / name).symlink_to(shared_data(name.split(".")[0]) / name)
    script = importlib.import_module("stats_coverage")
    tables, rates, money = script.study(tmp_path)
    for kind in ("2 players", "6 players", "9 players"):
        for low, high in ((10, 29), (30, 99), (100, 299)):
            held = [c.allowed for c in rates if low <= c.n <= high and tables[c.person] == kind]
            share = sum(held) / len(held)
            print(f"{kind}, {low} to {high} opportunities: {100 * share:.1f} % of {len(held):,}")
            assert 0.92 < share < 0.99, (kind, low)
        held = [c.allowed for c in money if c.n >= 100 and tables[c.person] == kind]
        assert sum(held) / len(held) > 0.92, kind


@pytest.mark.slow
def test_intervals_of_programs_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SCRIPT.parent)
    script = importlib.import_module("stats_coverage")
    played = list(script.program_cases(script.TABLES[script.CHOSEN_ON :], 3_000))
    for low, high in ((30, 99), (100, 299), (300, 1000)):
        now, before = (
            {kind: [getattr(c, which) for k, c in played if k == kind and low <= c.n <= high] for kind, _ in played}
            for which in ("allowed", "before")
        )
        shares = {kind: sum(held) / len(held) for kind, held in now.items() if len(held) >= 100}
        print(f"{low} to {high} opportunities:", {kind: f"{100 * share:.1f} %" for kind, share in shares.items()})
        assert len(shares) >= 2
        assert all(0.91 < share < 0.985 for kind, share in shares.items() if kind != "2 players"), (low, shares)
        # The interval allows for other opponents; here there is one.
        assert shares.get("2 players", 1.0) > 0.95
        assert low > 30 or sum(before["6 players"]) / len(before["6 players"]) < 0.65
