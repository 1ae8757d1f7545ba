"""Measured figures against peers: ``dupai bench NAME`` prints the rows of one of these modules."""

from __future__ import annotations

from importlib import import_module

from dupai.bench._row import Row, interleave, machine_scale, measured, rate

#: Names that ``dupai bench`` takes; each is a module with a function ``rows``.
BENCHMARKS = (
    "evaluate", "equity", "engine", "history", "store", "agents", "solve", "tournament",
    "analyse", "acpc", "cfr", "blueprint", "fold", "experience", "swarm", "reading", "cnn", "mcts", "playouts",
)  # fmt: skip


def run_benchmark(name: str) -> list[Row]:
    """Measure the rows of one benchmark.

    Raises:
        KeyError: there is no such benchmark.
        MissingPackage: a peer that it needs is not installed.
    """
    if name not in BENCHMARKS:
        raise KeyError(name)
    rows: list[Row] = import_module(f"dupai.bench._{name}").rows()
    return rows


__all__ = ["BENCHMARKS", "Row", "interleave", "machine_scale", "measured", "rate", "run_benchmark"]
