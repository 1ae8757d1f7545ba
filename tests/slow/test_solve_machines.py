"""The solver's vector kernels on machines with shorter registers: compiled for them and run here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import json
from support.solve_spots import SPOTS, spot_of
from dupai.cfr import SpotSolver, solve_spot
out = {}
solver = SpotSolver(spot_of(SPOTS["river"]["config"])); solver.iterate(2)
out["first"] = [*solver.evs(), solver.exploitability()]
for name in ("river", "turn"):
    for half in (False, True):
        solver = solve_spot(spot_of(SPOTS[name]["config"]), target=0.005, half=half)
        out[f"{name} {half}"] = [*solver.evs(), solver.exploitability()]
print(json.dumps(out))
"""


@pytest.mark.slow
@pytest.mark.parametrize("machine", ["haswell", "x86-64"])
def test_without_long_registers(machine: str, tmp_path: Path) -> None:
    import platform

    if platform.machine() != "x86_64":
        pytest.skip("this machine has no such instructions to begin with")
    found = {}
    for cpu in (machine, None):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        if cpu is not None:
            environment |= {"NUMBA_CPU_NAME": cpu, "NUMBA_CPU_FEATURES": "", "DUPAI_CACHE_DIR": str(tmp_path)}
        run = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True)
        found[cpu] = json.loads(run.stdout)
    assert found[machine]["first"] == pytest.approx(found[None]["first"], abs=1e-2)
    for name, (oop, ip, left) in found[machine].items():
        if name != "first":
            assert oop + ip == pytest.approx(200, abs=1e-2) and left <= 0.005 * 200
            assert oop == pytest.approx(found[None][name][0], abs=2.5)
