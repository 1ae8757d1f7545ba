"""The list of kernels that are compiled ahead: it fits the code, and what it compiles is not compiled again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numba
import numpy as np
import pytest
from numba import types

import dupai.jobs._compiling as compiling
from dupai.base import NoProgress, Rng
from dupai.cli import main
from dupai.cli._common import console
from dupai.cli._run import _compile_first, _Pulse
from dupai.jobs import KERNEL_GROUPS, are_compiled, compile_kernels, listed_kernels
from dupai.jobs._signatures import Signatures
from dupai.rules import GameSpec, HandState


def test_every_listed_kernel_is_there_and_its_types_are_read() -> None:
    known = listed_kernels()
    signatures = Signatures(list(known.records))
    assert len(known.kernels) > 100
    for kernel in known.kernels:
        module, _, name = kernel.name.partition(":")
        function = getattr(import_module(module), name)
        for call in kernel.calls:
            kinds = [signatures.read(kind) for kind in call]
            assert len(kinds) == len(function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount])
            assert [signatures.write(kind) for kind in kinds] == list(call)


def test_what_a_kernel_calls_comes_before_it() -> None:
    kernels = listed_kernels().kernels
    assert [k.group for k in kernels] == sorted((k.group for k in kernels), key=KERNEL_GROUPS.index)
    assert all(need < number for number, kernel in enumerate(kernels) for need in kernel.needs)


def test_types_come_back_as_they_were() -> None:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 20_000), Rng(1, 0, 0, 0)).state
    readonly = np.zeros(3)
    readonly.flags.writeable = False
    values = (state, readonly, np.zeros((2, 3), np.uint16).T, (1, 2.5), (1, 2), True, np.uint8(3), None)
    kinds = [numba.typeof(value) for value in values] + [types.Omitted(2)]
    signatures = Signatures()
    written = [signatures.write(kind) for kind in kinds]
    assert [Signatures(signatures.records).read(kind) for kind in written] == kinds
    assert signatures.write(types.Dummy("nothing of ours")) is None


ONE = """
import sys
import dupai.jobs._compiling as compiling
from dupai.jobs import are_compiled, compile_kernels, listed_kernels
known = listed_kernels()
one = [k for k in known.kernels if k.name.endswith(":next_below")][0]
if __name__ == "__main__":
    one = compiling.ListedKernel(one.name, "table", one.calls, ())
    compiling.listed_kernels = lambda: compiling.KernelList(known.records, (one,))
    assert not are_compiled("table")
    assert compile_kernels("table", jobs=2) == (1, 1)
    assert are_compiled("table") and not are_compiled("table")
    from numba.core import event
    class Never(event.Listener):
        def on_start(self, event): raise SystemExit("compiled again")
        def on_end(self, event): pass
    event.register("numba:compile", Never())
    from dupai.base import Rng
    assert 0 <= Rng(1).below(5) < 5
"""


def test_a_kernel_of_the_list_is_not_compiled_again(tmp_path: Path) -> None:
    script = tmp_path / "one.py"
    script.write_text(ONE)
    environment = {**os.environ, "DUPAI_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, str(script)], check=True, env=environment, timeout=300)


def test_a_kernel_that_cannot_be_compiled_is_left_to_its_use(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dupai.base._notice.enabled", True)
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path)
    broken = compiling.ListedKernel("dupai.base._kernels:no_such_kernel", "table", (("int64",),), ())
    monkeypatch.setattr(compiling, "listed_kernels", lambda: compiling.KernelList((), (broken,)))
    assert compile_kernels("table") == (0, 1)
    assert are_compiled("table")
    assert "no_such_kernel is compiled where it is used: AttributeError" in capsys.readouterr().err
    monkeypatch.setattr(compiling, "_stamp", lambda group: Path(os.devnull) / group)
    compiling._sign("table")
    assert "kernels are compiled again at the next start" in capsys.readouterr().err


def test_nothing_is_signed_when_it_was_cancelled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Cancelled(NoProgress):
        @property
        def cancelled(self) -> bool:
            return True

    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path)
    assert compile_kernels("table", progress=Cancelled())[0] == 0
    assert not are_compiled("table")


def test_doctor_compiles_what_is_listed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = listed_kernels()
    one = next(k for k in known.kernels if k.name.endswith(":next_below"))
    two = [compiling.ListedKernel(one.name, group, one.calls, ()) for group in ("table", "commands")]
    monkeypatch.setattr(compiling, "listed_kernels", lambda: compiling.KernelList(known.records, tuple(two)))
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path)
    assert main(["doctor", "--compile", "--json"]) == 0
    assert all(map(are_compiled, KERNEL_GROUPS))
    assert json.loads(capsys.readouterr().out)["kernels"]["compiled"] > 0


def test_plain_lines_count_kernels(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = listed_kernels()
    few = tuple(
        compiling.ListedKernel(k.name, "table", k.calls, ()) for k in known.kernels if k.name.endswith(":next_below")
    )
    monkeypatch.setattr(compiling, "listed_kernels", lambda: compiling.KernelList(known.records, few))
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path)
    _compile_first(console(), _Pulse(), "table")
    assert capsys.readouterr().out.startswith(f"compiling kernels, once: 0 of {len(few)}\n")
    assert are_compiled("table") and are_compiled("table") and not are_compiled("commands")
