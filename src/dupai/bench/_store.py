"""How fast logs go into the hand store, in what memory, and how fast it answers."""

from __future__ import annotations

import lzma
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from dupai.bench._history import _SETS, _pokerkit_rate, _shared_log, phh_files, synthetic_log
from dupai.bench._row import Row, machine_scale
from dupai.history import Store, import_file
from dupai.rules import load_game

#: Hands a second on one core that importing logs is to reach where eval7 does 2.6 M evaluations/s.
_GOAL = 40_000
#: Memory that importing 1,000,000 hands is to stay below, in MB.
_MEMORY = 500

_PROGRAM = """
import sys
from dupai.history import import_file
report = import_file(sys.argv[1], sys.argv[2])
# VmHWM is this process's own peak; ru_maxrss begins with what its parent had when it was forked.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(report.hands, report.seconds, int(peak.split()[1]) / 1024)
"""
_QUERY = """
select player, count(*) hands, avg(put_in) vpip, avg(payoff_bb) from (
    select p.hand_id, p.player, p.payoff_bb,
           bool_or(a.street = 0 and a.kind in ('call', 'raise'))::int put_in
    from players p join actions a using (hand_id, position) group by all
) group by player order by hands desc
"""


def write_log(path: Path, lines: list[str], hands: int) -> None:
    """A log of so many hands: the lines again and again, with hand numbers of their own."""
    bodies = [line.rstrip("\n").split(":", 2)[2] for line in lines]
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"STATE:{k}:{bodies[k % len(bodies)]}\n" for k in range(hands))


def _lines() -> tuple[list[str], str]:
    for name in _SETS:
        path = _shared_log(name)
        if path is not None:
            with lzma.open(path, "rt", encoding="utf-8") as file:
                return [x for x in islice(file, 30_000) if x.startswith("STATE:")], name
    return synthetic_log(load_game("holdem.nolimit.2p"), 5_000), "random hands"


def rows() -> list[Row]:
    """Import at 100,000 and 1,000,000 hands (own process: rate and peak memory), a query, PHH; PokerKit beside it."""
    goal = _GOAL * machine_scale()
    lines, what = _lines()
    found: list[Row] = []
    rates = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        peer = _pokerkit_rate(lines[:300])
        write_log(place / "warm.log", lines, 100)
        import_file(place / "warm.log", place / "warm")  # compiles the kernels where that has not been done
        for hands in (100_000, 1_000_000):
            log = place / f"{hands}.log"
            write_log(log, lines, hands)
            command = [sys.executable, "-c", _PROGRAM, str(log), str(place / f"store{hands}")]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            count, seconds, peak = done.stdout.split()
            rates.append(int(count) / float(seconds))
            found.append(
                Row(
                    name=f"import {hands:,} hands, {what}",
                    value=rates[-1],
                    unit="hands/s",
                    peer="pokerkit's ACPC reader",
                    peer_value=peer,
                    ratio=rates[-1] / peer,
                    goal=f">= {goal:,.0f} hands/s",
                    ok=rates[-1] >= goal,
                )
            )
            memory = f"peak memory of importing {hands:,} hands"
            found.append(
                Row(name=memory, value=float(peak), unit="MB", goal=f"< {_MEMORY} MB", ok=float(peak) < _MEMORY)
            )
            log.unlink()
        growth = rates[1] / rates[0]
        found.append(
            Row(name="rate at 1,000,000 against 100,000", value=growth, unit="", goal=">= 0.8", ok=growth >= 0.8)
        )
        store = Store(place / "store1000000")
        size = sum(p.stat().st_size for p in store.path.rglob("*.parquet"))
        found.append(Row(name="store size", value=size / 1_000_000, unit="bytes/hand"))
        start = time.perf_counter()
        store.rows(_QUERY)
        found.append(
            Row(name="VPIP of all players over 1,000,000 hands (DuckDB)", value=time.perf_counter() - start, unit="s")
        )
        for name, phh in phh_files(place, lines):
            command = [sys.executable, "-c", _PROGRAM, str(phh), str(place / f"phh-{name}")]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            count, seconds, peak = done.stdout.split()
            value = int(count) / float(seconds)
            goal_words = f">= {goal:,.0f} hands/s"
            found.append(
                Row(name=f"import PHH, {name}", value=value, unit="hands/s", goal=goal_words, ok=value >= goal)
            )
            found.append(Row(name=f"peak memory of importing PHH, {name}", value=float(peak), unit="MB"))
    return found
