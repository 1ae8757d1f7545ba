"""How rows of the benchmark are measured."""

from __future__ import annotations

from dupai.bench import interleave, rate


def test_measurements_are_interleaved_and_the_first_round_is_not_counted() -> None:
    calls: list[str] = []

    def ours() -> float:
        calls.append("ours")
        return float(len(calls))

    def peer() -> float:
        calls.append("peer")
        return 2.0

    mine, theirs, ratio = interleave(ours, peer, rounds=3)
    assert calls == ["ours", "peer"] * 4
    assert (mine, theirs, ratio) == (5.0, 2.0, 2.5)
    assert rate(lambda: 1000, seconds=0.01) > 1000
