"""Measured figures against peers: ``dupai bench NAME`` prints the rows of one of these modules."""

from __future__ import annotations

from importlib import import_module

from dupai.bench._row import (
    REFERENCE_EVAL7,
    Row,
    eval7_rate,
    eval7_round,
    interleave,
    machine_scale,
    rate,
)

_MODULES = {
    "evaluate": "dupai.bench._evaluate",
    "equity": "dupai.bench._equity",
    "engine": "dupai.bench._engine",
    "history": "dupai.bench._history",
    "store": "dupai.bench._store",
    "agents": "dupai.bench._agents",
    "solve": "dupai.bench._solve",
    "tournament": "dupai.bench._tournament",
    "acpc": "dupai.bench._acpc",
    "cfr": "dupai.bench._cfr",
    "fold": "dupai.bench._fold",
    "experience": "dupai.bench._experience",
    "swarm": "dupai.bench._swarm",
    "reading": "dupai.bench._reading",
    "cnn": "dupai.bench._cnn",
    "mcts": "dupai.bench._mcts",
}

#: Names that ``dupai bench`` takes.
BENCHMARKS = tuple(_MODULES)


def run_benchmark(name: str) -> list[Row]:
    """Measure the rows of one benchmark.

    Raises:
        KeyError: there is no such benchmark.
        ConfigError: a peer that it needs is not installed.
    """
    rows: list[Row] = import_module(_MODULES[name]).rows()
    return rows


__all__ = [
    "BENCHMARKS",
    "REFERENCE_EVAL7",
    "Row",
    "eval7_rate",
    "eval7_round",
    "interleave",
    "machine_scale",
    "rate",
    "run_benchmark",
]
