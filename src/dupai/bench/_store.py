"""How fast logs go into the hand store, in what memory, and how fast it answers."""

from __future__ import annotations

import lzma
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from dupai.bench._history import phh_files, pokerkit_rate, shared_logs, synthetic_log
from dupai.bench._row import Row, machine_scale, row
from dupai.history import Store, import_file
from dupai.rules import load_game

#: Goal for importing logs on one core of the reference machine, in hands a second.
_GOAL = 40_000
#: Goal for the memory of an import of 1,000,000 hands, in MB.
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


def _write_log(path: Path, lines: list[str], hands: int) -> Path:
    """A log of so many hands: the lines again and again, with hand numbers of their own."""
    bodies = [line.rstrip("\n").split(":", 2)[2] for line in lines]
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"STATE:{k}:{bodies[k % len(bodies)]}\n" for k in range(hands))
    return path


def _lines() -> tuple[list[str], str]:
    for name, path in shared_logs():
        with lzma.open(path, "rt", encoding="utf-8") as file:
            return [x for x in islice(file, 30_000) if x.startswith("STATE:")], name
    return synthetic_log(load_game("holdem.nolimit.2p"), 5_000), "random hands"


def _import(log: Path, store: Path) -> tuple[float, float]:
    """Import a file in a process of its own: hands a second, and its peak memory in MB."""
    command = [sys.executable, "-c", _PROGRAM, str(log), str(store)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    hands, seconds, peak = map(float, done.stdout.split())
    return hands / seconds, peak


def rows() -> list[Row]:
    """Import at 100,000 and 1,000,000 hands (own process: rate and peak memory), a query, PHH; PokerKit beside it."""
    goal = _GOAL * machine_scale()
    lines, source = _lines()
    figures: list[Row] = []
    rates = []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        peer = pokerkit_rate(lines[:300])
        import_file(_write_log(place / "warm.log", lines, 100), place / "warm")  # compiles the kernels if need be
        for hands in (100_000, 1_000_000):
            log = _write_log(place / f"{hands}.log", lines, hands)
            rate, peak = _import(log, place / f"store{hands}")
            rates.append(rate)
            title, reader = f"import {hands:,} hands, {source}", "pokerkit's ACPC reader"
            figures += [
                row(title, rate, "hands/s", reader, peer, ratio=rate / peer, least=goal),
                row(f"peak memory of importing {hands:,} hands", peak, "MB", most=_MEMORY),
            ]
            log.unlink()
        figures.append(row("rate at 1,000,000 against 100,000", rates[1] / rates[0], "", least=0.8))
        store = Store(place / "store1000000")
        size = sum(p.stat().st_size for p in store.path.rglob("*.parquet"))
        figures.append(row("store size", size / 1_000_000, "bytes/hand"))
        start = time.perf_counter()
        store.rows(_QUERY)
        seconds = time.perf_counter() - start
        figures.append(row("VPIP of all players over 1,000,000 hands (DuckDB)", seconds, "s"))
        for name, phh in phh_files(place, lines):
            rate, peak = _import(phh, place / f"phh-{name}")
            figures += [
                row(f"import PHH, {name}", rate, "hands/s", least=goal),
                row(f"peak memory of importing PHH, {name}", peak, "MB"),
            ]
    return figures
