"""Rows of ``dupai bench solve``: postflop spots to 0.3 % of the pot, everything included, and their memory.

The spots and the peer's figures are those of ``tests/golden/solve_spots.json`` (postflop-solver, Rust, float32, on two
Xeon cores; it is not run here, so no ratio is given). Goals are for a core on which eval7 does 2.6 M evaluations/s and
are scaled by what it does right before and after each round. With one thread both are timed by the processor's time,
which other programs on the machine hardly change; with two by the clock, which is judged only if other programs left
the cores free (the name gives the processor's time of both threads together as well).
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from dupai.base.files import read_toml_file
from dupai.bench._row import REFERENCE_EVAL7, Goal, Measurement, Row, eval7_round, rate, row
from dupai.cfr import SolveSpot, SpotNode, SpotSolver, load_solution, save_solution, solve_spot
from dupai.cfr.postflop import forget_betting

#: Share of the pot that may be left to exploit.
TARGET = 0.003


def reference_spots() -> dict[str, SolveSpot]:
    """The spots that the figures are for, and ``full_river``, every hand on both sides."""
    spots = read_toml_file(Path(__file__).with_name("spots.toml"), "spot")
    return {name: SolveSpot.from_dict(spot) for name, spot in spots.items()}


#: spot, threads, 16-bit, unit, units a second, goal if any, the peer's figure (with its checks), rounds
_TIMES: tuple[tuple[str, int, bool, str, float, float | None, float, int], ...] = (
    ("river", 1, False, "ms", 1e3, 4.5, 7.3, 21),
    ("turn", 1, False, "ms", 1e3, 650, 1504, 5),
    ("turn", 2, False, "ms", 1e3, 350, 1478, 5),
    ("turn", 1, True, "ms", 1e3, None, 1552, 3),
    ("flop", 1, False, "s", 1.0, 24, 42.8, 1),
    ("flop", 2, False, "s", 1.0, 13, 23.6, 1),
    ("flop", 2, True, "s", 1.0, None, 25.1, 1),
)
#: MB of the peer for float32 and 16 bits
_MEMORY = {"river": (0.3, 0.2), "turn": (14.1, 7.5), "flop": (448.1, 233.1)}


class _Timed(NamedTuple):
    """Medians over rounds: seconds of ours by the clock that counts and by the processor's, goal scale (1: eval7 as
    fast as where the goals are stated), and the share of the time that the main thread waited for a free core."""

    seconds: float
    busy: float
    scale: float
    waited: float


def _waited() -> float:
    """Seconds that this thread has waited for a free core so far; 0 where the system does not say."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _eval7_busy() -> Measurement:
    """eval7's evaluations/s, by the processor's time, over a tenth of a second."""
    once = eval7_round()

    def work() -> int:
        once()
        return 40_000

    return lambda: rate(work, seconds=0.1, clock=time.process_time)


def _timed(work: Callable[[], object], eval7: Measurement, rounds: int, threads: int = 1) -> _Timed:
    """Measure ``work`` in rounds between measurements of eval7; the first round of several is not counted."""
    measured = []
    for _ in range(rounds + (rounds > 1)):
        before = eval7()
        clock, busy, waited = time.perf_counter(), time.process_time(), _waited()
        work()
        clock, busy, waited = time.perf_counter() - clock, time.process_time() - busy, _waited() - waited
        scale = (before + eval7()) / 2 / REFERENCE_EVAL7
        measured.append(_Timed(clock if threads > 1 else busy, busy, scale, waited / clock if threads > 1 else 0.0))
    # The round in the middle, by the scaled time that counts.
    counted = sorted(measured[-rounds:], key=lambda timed: timed.seconds * timed.scale)
    return counted[len(counted) // 2]


def _solve(spot: SolveSpot, threads: int, half: bool) -> None:
    forget_betting()
    solver = solve_spot(spot, target=TARGET, threads=threads, half=half)
    solver.close()
    if solver.curve[-1].exploitability > TARGET * spot.pot:
        raise AssertionError("the target was not reached")


def _read_back(spot: SolveSpot, eval7: Measurement) -> _Timed:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spot.solve"
        solver = SpotSolver(spot)
        solver.iterate(1)
        save_solution(solver, path)

        def read() -> None:
            forget_betting()
            SpotNode(load_solution(path), "check")

        return _timed(read, eval7, 3)


_PEER = "postflop-solver, stated"


def _time_row(name: str, took: _Timed, unit: str, per_second: float, most: float | None, peer: float | None) -> Row:
    goal: Goal = {} if most is None else {"most": most / took.scale}
    figure = row(name, took.seconds * per_second, unit, None if peer is None else _PEER, peer, **goal)
    if figure.ok is False and took.waited > 0.1:
        text = f"{figure.goal}; not judged: {took.waited:.0%} of the time no core was free"
        return msgspec.structs.replace(figure, goal=text, ok=None)
    return figure


def rows() -> list[Row]:
    """Times with set-up and exploitability checks, set-up alone, memory, and the distance to the reference EVs.

    Raises:
        MissingPackage: eval7 is not installed.
    """
    eval7 = _eval7_busy()
    spots = reference_spots()
    figures = []
    for name, threads, half, unit, per_second, most, peer, rounds in _TIMES:
        took = _timed(partial(_solve, spots[name], threads, half), eval7, rounds, threads)
        busy = f", {took.busy * per_second:.3g} {unit} of processor time" if threads > 1 else ""
        title = f"{name} to 0.3 %, {threads} thread{'s' * (threads > 1)}{', 16 bits' * half}{busy}"
        figures.append(_time_row(title, took, unit, per_second, most, peer))

    def set_up() -> None:
        SpotSolver(spots["full_river"])

    def first_set_up() -> None:
        forget_betting()
        set_up()

    first = _timed(first_set_up, eval7, 9)
    figures.append(_time_row("set-up, river 1081 x 1081", first, "ms", 1e3, 5, None))
    again = _timed(set_up, eval7, 9)
    figures.append(_time_row("set-up of that river again", again, "ms", 1e3, None, None))
    read_back = _read_back(spots["flop"], eval7)
    figures.append(_time_row("flop file read, first node shown", read_back, "s", 1.0, 1, None))
    for name, peers in _MEMORY.items():
        for half, limit in zip((False, True), peers, strict=True):
            stored = sum(a.nbytes for a in SpotSolver(spots[name], half=half).arrays()) / 1e6
            title = f"memory of strategies, {name}{', 16 bits' * half}"
            figures.append(row(title, stored, "MB", _PEER, limit, most=limit))
    node = SpotNode(solve_spot(spots["river"], target=0.0002, max_iterations=5000))
    figures.append(row("EV of the river off the reference", abs(node.mean(node.ev, 0) - 92.43533), "chips", most=0.08))
    return figures
