"""Write the list of kernels, and the pack of their machine code: ``make kernels``. Takes minutes; ``python
docs/make/kernel_list.py pack`` makes only machine code anew, of modules that changed.

It runs what they are for with an empty cache, for processors of x86-64-v3, and notes every kernel that is compiled:
its types, the seconds, and the kernels that it needs. ``jobs/kernels.json`` is the list, in the order in which two
workers should begin them; it serves where the pack does not fit. ``base/kernels-cp311-linux.pack`` (by the Python that
runs this) is the machine code.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.caching import IndexDataCacheFile
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps

from dupai.base import _pack
from dupai.base._jit import _cache_dir as cache_folder

LIST = Path(__file__).parents[2] / "src" / "dupai" / "jobs" / "kernels.json"
#: What builds the table of win rates, and with which kernel.
TABLE, TABLE_KERNEL = "dupai.equity:load_win_rate_table", "dupai.equity._kernels.table:fill_kernel"


def table() -> None:
    from dupai.arena.tournament import play_tournament_match, tournament_tasks
    from dupai.cli._live import Gains
    from dupai.cli._run import DEFAULT_EIGHT, DEFAULT_READER, seated_names

    for seed in (1, 2):
        task = tournament_tasks(DEFAULT_EIGHT, hands=12, matches=1, seed=seed)[0]
        play_tournament_match(task, None, Gains(task, seated_names(task), DEFAULT_READER))


def commands() -> None:
    import dupai

    dupai.equity(["AcAd", "KhKs"])
    dupai.equity(["AcAd", "KhKs"], board="2c7dTh")
    dupai.equity(["AsKs", "QQ+,AK", "random"], board="2c7dTh", target_error=0.01)
    dupai.equity(["AsKs", "QQ+,AK", "random", "22+"], target_error=0.05)
    dupai.win_rate("AsKs", "2c7dTh")
    dupai.win_rate("AsKs")
    dupai.win_rates("2c7dTh5s", "TT+,AQ+")
    dupai.outs("6h5c", "7d8sKcAh")
    dupai.describe("AsAdKh4d4h9c2s")
    dupai.play("rules", "style:TA", hands=20)
    run_commands(
        ["equity", "AsKs", "QQ+,AK"],
        ["equity", "AsKs", "QQ+,AK", "--board", "2c7dTh"],
        ["advise", "--agent", "fold", "--state", "heads-up, button with AsKd"],
        ["advise", "--state", "3 players, button, AhQh; folds to me"],
        ["match", "rules", "style:LA", "--duplicate", "--hands", "20"],
        ["match", "rules", "style:LA", "--luck-reduced", "--hands", "20"],
        ["match", "rules", "style:LA", "caller", "--luck-reduced", "--hands", "20"],
        ["match", "persona:pros", "style:LA", "rules", "caller", "fold", "raiser", "--luck-reduced", "--hands", "10"],
        ["ladder", "rules", "style:LA", "fold", "--hands", "20"],
        ["read", "example:match", "--hand", "23"],
        ["read", "score", "fold", "markov", "--data", "example:match", "--part", "all"],
        ["history", "stats", "example:match"],
        ["solve", "example:turn", "--max-iterations", "20"],
        ["solve", "example:river", "--max-iterations", "20"],
        ["solve", "example:flop", "--max-iterations", "2"],
    )


def agents() -> None:
    """Every agent at a table of two and of six, and what is read from files."""
    import dupai
    from dupai.agents import agent_infos
    from dupai.base import EXAMPLES, DupaiError

    specs = [f"{info.name}:{preset}" for info in agent_infos() for preset in info.presets]
    for spec in [info.name for info in agent_infos() if info.origin == "dupai"] + specs:
        for others in (["rules"], ["rules", "caller", "style:TA", "persona:pros", "fold"]):
            try:
                dupai.play(spec, *others, hands=10, seed=1)
            except DupaiError as error:
                print(spec, error, file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        files = [str(path) for path in sorted(EXAMPLES.iterdir()) if path.stem in ("match", "hands", "site")]
        run_commands(["history", "import", *files, "--store", f"{folder}/store"])


def run_commands(*commands: list[str]) -> None:
    from dupai.cli import main

    for words in commands:
        print(words[:2], main(words), file=sys.stderr)


GROUPS = {"table": table, "commands": commands, "agents": agents}


class Recorder(event.Listener):
    """Notes what is compiled: kernel, types, seconds without those of the kernels compiled within."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._open: list[list[float]] = []

    def on_start(self, event: Any) -> None:
        self._open.append([time.process_time(), 0.0])

    def on_end(self, event: Any) -> None:
        start, inner = self._open.pop()
        seconds = time.process_time() - start
        kernel = event.data["dispatcher"].py_func
        if self._open:
            self._open[-1][1] += seconds
        if kernel.__module__.startswith("dupai"):
            self.rows.append([f"{kernel.__module__}:{kernel.__qualname__}", list(event.data["args"]), seconds - inner])


def called(name: str) -> list[str]:
    """The kernels that a kernel calls."""
    module, _, attribute = name.partition(":")
    function = getattr(import_module(module), attribute).py_func
    names = (function.__globals__.get(word) for word in function.__code__.co_names)
    kernels = [k.py_func for k in names if isinstance(k, CPUDispatcher)]
    return [f"{k.__module__}:{k.__qualname__}" for k in kernels]


def record(group: str, file: Path) -> None:
    """Run a group and write what was compiled."""
    from dupai.jobs._signatures import Signatures

    recorder, signatures = Recorder(), Signatures()
    event.register("numba:compile", recorder)
    GROUPS[group]()
    rows = [[name, list(map(signatures.write, call)), seconds] for name, call, seconds in recorder.rows]
    file.write_text(json.dumps([signatures.records, rows]))


def planned(rows: dict[str, dict[str, Any]]) -> list[str]:
    """The order in which two workers begin kernels: those first on which the longest chain of others waits."""
    users: dict[str, list[str]] = {name: [] for name in rows}
    for name, row in rows.items():
        for call in row["needs"]:
            users[call].append(name)

    @cache
    def chain(name: str) -> float:
        return float(rows[name]["seconds"]) + max(map(chain, users[name]), default=0.0)

    done: dict[str, float] = {}
    free, order = [0.0, 0.0], []
    while len(order) < len(rows):
        now = min(free)
        ready = [n for n in rows if n not in order and all(done.get(c, inf) <= now for c in rows[n]["needs"])]
        if not ready:
            free[free.index(now)] = min(t for t in done.values() if t > now)
            continue
        name = max(ready, key=chain)
        order.append(name)
        done[name] = free[free.index(now)] = now + rows[name]["seconds"]
    total = sum(row["seconds"] for row in rows.values())
    print(f"{total:.1f} s of work, {max(done.values(), default=0.0):.1f} s on two workers", file=sys.stderr)
    return order


def keep_fitting(cache: Path) -> None:
    """Begin with the code of modules that did not change, and drop that of the others."""
    known = _pack.manifest()
    if known is None or not known.folders:
        return
    for name in known.folders:
        _pack.unpack(cache / name)
    package = Path(_pack.__file__).parents[1]
    fitting = {Path(cache_folder(path)).name for path in package.rglob("*.py")}
    for folder in list(cache.iterdir()):
        if folder.name not in fitting:
            print("made anew:", folder.name, file=sys.stderr)
            shutil.rmtree(folder)
            continue
        for file in folder.glob("*.nbc"):
            # What is compiled now is linked with it, for other processors than this one, which pass over the pack.
            file.write_bytes(changed(file.read_bytes(), _pack.whole)[0])


def main() -> None:
    if len(sys.argv) == 3:
        record(sys.argv[1], Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "cache"
        if sys.argv[1:] == ["pack"]:
            os.environ["DUPAI_CACHE_DIR"] = str(Path(folder) / "other")
            keep_fitting(kept / "numba")
        target = {"NUMBA_CPU_NAME": _pack.LEVEL, "NUMBA_CPU_FEATURES": ""}
        environment = {**os.environ, **target, "DUPAI_CACHE_DIR": str(kept)}
        for group in GROUPS:
            words = [sys.executable, __file__, group, str(Path(folder) / group)]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)
        if sys.argv[1:] != ["pack"]:
            write_list(Path(folder))
        write_pack(kept / "numba")


def write_pack(cache: Path) -> None:
    """Write the pack from the folders of a cache that holds code for its processors only."""
    folders, linking = {}, []
    for folder in sorted(cache.iterdir()):
        files: dict[str, bytes] = {}
        for index in sorted(folder.glob("*.nbi")):
            head = len(pickle.dumps(numba.__version__, protocol=-1))
            stamp = pickle.loads(index.read_bytes()[head:])[0]
            table = IndexDataCacheFile(str(folder), index.stem, stamp)
            names = {}
            for key, name in table._load_index().items():
                names[key] = name.removesuffix(_pack.PACKED).removesuffix(".nbc") + _pack.PACKED
                files[names[key]], bitcode = changed((folder / name).read_bytes(), _pack.digest)
                linking.append(bitcode)
            table._save_index(names)
            files[index.name] = index.read_bytes()
        folders[folder.name] = files
    _pack.write_pack(folders, linking)
    print(f"wrote {_pack.FILE}: {len(folders)} modules, {_pack.FILE.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


def changed(file: bytes, change: Callable[[bytes], bytes]) -> tuple[bytes, bytes]:
    """A file of machine code with its bitcode changed, and the bitcode."""
    (name, kind, (code, bitcode)), *rest = pickle.loads(file)
    return dumps(((name, kind, (code, change(bitcode))), *rest)), bitcode


def write_list(folder: Path) -> None:
    """Write the list from what :func:`record` noted of each group."""
    from dupai.jobs._signatures import Signatures

    whole_list = Signatures()
    kernels: list[list[Any]] = []
    number: dict[str, int] = {}
    for group in GROUPS:
        records, rows = json.loads((folder / group).read_text())
        part = Signatures(records)
        merged: dict[str, dict[str, Any]] = {}
        for name, call, seconds in rows:
            row = merged.setdefault(name, {"calls": [], "seconds": 0.0, "needs": called(name)})
            if None not in call:
                row["calls"].append([whole_list.write(part.read(kind)) for kind in call])
            row["seconds"] += seconds
        merged = {name: row for name, row in merged.items() if row["calls"]}
        if TABLE_KERNEL in merged:
            merged[TABLE] = {"calls": [], "seconds": 4.0, "needs": [TABLE_KERNEL]}
        place = {name: k for k, name in enumerate(merged)}
        for name, row in merged.items():
            row["needs"] = [n for n in row["needs"] if place.get(n, inf) < place[name]]
        for name in planned(merged):
            needs = [number[n] for n in merged[name]["needs"]]
            number[name] = len(kernels)
            kernels.append([name, group, merged[name]["calls"], needs])
        print(group, len(merged), file=sys.stderr)
    LIST.write_text(json.dumps({"records": whole_list.records, "kernels": kernels}, separators=(",", ":")) + "\n")
    print(f"wrote {LIST}: {len(kernels)} kernels", file=sys.stderr)


if __name__ == "__main__":
    main()
