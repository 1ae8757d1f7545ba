"""Rows of ``dupai bench solve``: postflop spots to 0.3 % of the pot, everything included, and their memory.

The spots and the peer's figures are those of ``tests/golden/solve_spots.json`` (postflop-solver, Rust, float32, on two
Xeon cores; it is not run here, so no ratio is given). Goals are for a core on which eval7 does 2.6 M evaluations/s and
are scaled by what it does in the same rounds.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from dupai.bench._row import REFERENCE_EVAL7, Row, eval7_round, interleave
from dupai.cfr import SolveSpot, SpotNode, SpotSolver, solve_spot

_OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
_IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
_FLOP_OOP = (
    "QQ:0.5,JJ:0.75,TT-22,AKo:0.25,AQs,AQo:0.75,AJs,AJo:0.75,ATs,ATo:0.75,A9s-A2s,KQ,KJ,KTs,KTo:0.5,K9s-K5s,K4s:0.5,"
    "K3s:0.5,K2s:0.5,QJ,QTs-Q7s,JTs,JTo:0.5,J9s,J8s,T9s,T8s,T7s,98s,97s,96s,87s,86s,76s,75s,65s,64s,54s,53s,43s"
)
_FLOP_IP = (
    "AA-TT,99:0.75,88:0.75,77:0.5,66:0.25,55:0.25,AK,AQs,AQo:0.75,AJs,AJo:0.5,ATs:0.75,A6s:0.25,A5s:0.75,A4s:0.75,"
    "A3s:0.5,A2s:0.5,KQs,KQo:0.5,KJs,KTs:0.75,K5s:0.25,K4s:0.25,QJs:0.75,QTs:0.75,Q9s:0.5,JTs:0.75,J9s:0.75,J8s:0.75,"
    "T9s:0.75,T8s:0.75,T7s:0.75,98s:0.75,97s:0.75,96s:0.5,87s:0.75,86s:0.5,85s:0.5,76s:0.75,75s:0.5,65s:0.75,64s:0.5,"
    "54s:0.75,53s:0.5,43s:0.5"
)
#: Share of the pot that may be left to exploit.
TARGET = 0.003


def reference_spots() -> dict[str, SolveSpot]:
    """The three spots that the figures are for."""
    money = {"pot": 200, "stack": 900, "add_allin": 1.5, "force_allin": 0.15}
    return {
        "river": SolveSpot.from_dict(
            {"board": "Td9d6hQc2s", "oop": _OOP, "ip": _IP, "sizes": {"bet": "33%,75%,150%", "raise": "60%,120%"}}
            | money
        ),
        "turn": SolveSpot.from_dict(
            {"board": "Td9d6hQc", "oop": _OOP, "ip": _IP, "sizes": {"bet": "50%,100%", "raise": "60%"}} | money
        ),
        "flop": SolveSpot.from_dict(
            {
                "board": "QsJh2h",
                "oop": _FLOP_OOP,
                "ip": _FLOP_IP,
                "pot": 50,
                "stack": 200,
                "add_allin": 0.5,
                "force_allin": 0.15,
                "sizes": {"bet": "50%", "raise": "60%"},
            }
        ),
    }


#: spot, threads, 16-bit, unit, units a second, goal, the peer's figure (with its checks), rounds
_TIMES: tuple[tuple[str, int, bool, str, float, float, float, int], ...] = (
    ("river", 1, False, "ms", 1e3, 4.5, 7.3, 21),
    ("turn", 1, False, "ms", 1e3, 650, 1504, 5),
    ("turn", 2, False, "ms", 1e3, 350, 1478, 5),
    ("turn", 1, True, "ms", 1e3, math.inf, 1552, 3),
    ("flop", 1, False, "s", 1.0, 24, 42.8, 1),
    ("flop", 2, False, "s", 1.0, 13, 23.6, 1),
    ("flop", 2, True, "s", 1.0, math.inf, 25.1, 1),
)
#: MB of the peer for float32 and 16 bits
_MEMORY = {"river": (0.3, 0.2), "turn": (14.1, 7.5), "flop": (448.1, 233.1)}


def _solved(spot: SolveSpot, threads: int, half: bool) -> Callable[[], float]:
    def once() -> float:
        start = time.perf_counter()
        solver = solve_spot(spot, target=TARGET, threads=threads, half=half)
        spent = time.perf_counter() - start
        solver.close()
        if solver.curve[-1].exploitability > TARGET * spot.pot:
            raise AssertionError("the target was not reached")
        return spent

    return once


def _set_up() -> float:
    """Seconds to set up a river with every hand on both sides."""
    spot = SolveSpot.from_dict(
        {"board": "Td9d6hQc2s", "oop": "random", "ip": "random", "pot": 100, "stack": 300,
         "sizes": {"bet": "75%, a", "raise": "60%"}, "add_allin": 1.0}
    )  # fmt: skip
    start = time.perf_counter()
    SpotSolver(spot)
    return time.perf_counter() - start


def rows() -> list[Row]:
    """Times with set-up and exploitability checks, set-up alone, memory, and how far from the reference EVs we are.

    Raises:
        ConfigError: eval7 is not installed.
    """
    eval7 = eval7_round()
    spots = reference_spots()
    found = []
    for name, threads, half, unit, per_second, most, peer, rounds in _TIMES:
        ours = _solved(spots[name], threads, half)
        mine, theirs, _ = interleave(ours, eval7, rounds=rounds) if name != "flop" else (ours(), eval7(), 0.0)
        limit = most * REFERENCE_EVAL7 / theirs
        found.append(
            Row(
                name=f"{name} to 0.3 %, {threads} thread{'s' * (threads > 1)}{', 16 bits' * half}",
                value=mine * per_second,
                unit=unit,
                peer="postflop-solver, stated",
                peer_value=peer,
                goal=None if math.isinf(limit) else f"<= {limit:.3g}",
                ok=None if math.isinf(limit) else mine * per_second <= limit,
            )
        )
    mine, theirs, _ = interleave(_set_up, eval7, rounds=9)
    limit = 5 * REFERENCE_EVAL7 / theirs
    found.append(
        Row(
            name="set-up, river 1081 x 1081",
            value=mine * 1e3,
            unit="ms",
            goal=f"<= {limit:.3g}",
            ok=mine * 1e3 <= limit,
        )
    )
    for name, peers in _MEMORY.items():
        for half, limit in zip((False, True), peers, strict=True):
            solver = SpotSolver(spots[name], half=half)
            stored = sum(a.nbytes for level in solver.levels for a in (*level.regrets, *level.sums)) / 1e6
            found.append(
                Row(
                    name=f"memory of strategies, {name}{', 16 bits' * half}",
                    value=stored,
                    unit="MB",
                    peer="postflop-solver, stated",
                    peer_value=limit,
                    goal=f"<= {limit:g}",
                    ok=stored <= limit,
                )
            )
    solver = solve_spot(spots["river"], target=0.0002, max_iterations=5000)
    off = abs(SpotNode(solver).mean(SpotNode(solver).ev, 0) - 92.43533)
    found.append(Row(name="EV of the river off the reference", value=off, unit="chips", goal="<= 0.08", ok=off <= 0.08))
    return found
