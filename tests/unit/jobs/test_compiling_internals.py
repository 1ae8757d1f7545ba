"""The list of kernels that are compiled ahead: it fits the code, and what it compiles is not compiled again."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba import types

import dupai.jobs._compiling as compiling
from dupai.base import FileError, NoProgress, Rng, _pack, _unpacking
from dupai.base.files import lock_file
from dupai.cli import main
from dupai.cli._common import console
from dupai.cli._run import _compile_first, _Pulse
from dupai.jobs import KERNEL_GROUPS, are_compiled, compile_in_background, compile_kernels, listed_kernels
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
    assert are_compiled("table")
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
    # Code for another processor does not come with the package.
    environment = {**os.environ, "DUPAI_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_CPU_NAME": "x86-64-v2"}
    subprocess.run([sys.executable, str(script)], check=True, env=environment, timeout=300)


def test_a_kernel_that_cannot_be_compiled_is_left_to_its_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("dupai.base._notice.enabled", True)
    broken = compiling.ListedKernel("dupai.base._kernels:no_such_kernel", "table", (("int64",),), ())
    monkeypatch.setattr(compiling, "listed_kernels", lambda: compiling.KernelList((), (broken,)))
    assert compile_kernels("table") == (0, 1)
    assert not are_compiled("table")
    assert "no_such_kernel is compiled where it is used: AttributeError" in capsys.readouterr().err


def test_nothing_is_compiled_when_it_was_cancelled() -> None:
    class Cancelled(NoProgress):
        @property
        def cancelled(self) -> bool:
            return True

    assert compile_kernels("table", progress=Cancelled())[0] == 0


def test_doctor_compiles_what_is_listed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    known = listed_kernels()
    one = next(k for k in known.kernels if k.name.endswith(":next_below"))
    two = [compiling.ListedKernel(one.name, group, one.calls, ()) for group in ("table", "commands")]
    monkeypatch.setattr(compiling, "listed_kernels", lambda: compiling.KernelList(known.records, tuple(two)))
    assert main(["doctor", "--compile", "--json"]) == 0
    assert all(map(are_compiled, KERNEL_GROUPS))
    kernels = json.loads(capsys.readouterr().out)["kernels"]
    assert kernels["compiled"] + kernels["packed"] > 0


def test_what_gains_from_this_processor_is_compiled_once_in_the_background(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun: list[Any] = []
    compiled: set[str] = set()
    monkeypatch.setattr(compiling.subprocess, "Popen", lambda *given, **more: begun.append("process"))
    monkeypatch.setattr(compiling, "compile_kernels", begun.append)
    monkeypatch.setattr(compiling, "has_machine_code", lambda name, own: name in compiled)
    monkeypatch.setattr(compiling, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(os, "nice", lambda by: 19)
    monkeypatch.setattr("sys.stderr", SimpleNamespace(isatty=lambda: True))
    compile_in_background()
    assert begun == []  # as conftest.py says
    monkeypatch.delenv("DUPAI_BACKGROUND")
    compile_in_background()
    with (tmp_path / "compiling.lock").open("a") as file:
        assert lock_file(file, "compiling.lock")
        compiling.compile_own_width()
    assert begun == ["process"]
    compiling.compile_own_width()
    compiled |= {f"dupai.{name}" for name in compiling._OWN_WIDTH}
    compiling.compile_own_width()
    compile_in_background()
    assert begun == ["process", compiling.OWN_WIDTH]


def test_plain_lines_count_kernels(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    known = listed_kernels()
    few = tuple(
        compiling.ListedKernel(k.name, "table", k.calls, ()) for k in known.kernels if k.name.endswith(":next_below")
    )
    monkeypatch.setattr(compiling, "listed_kernels", lambda: compiling.KernelList(known.records, few))
    monkeypatch.setattr("dupai.jobs.are_compiled", lambda group: False)
    _compile_first(console(), _Pulse())
    assert capsys.readouterr().out.startswith(f"compiling kernels, once: 0 of {len(few)}\n")


def wait_for_the_rest() -> None:
    for thread in threading.enumerate():
        if thread.name == "machine code":
            thread.join()


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A pack of two folders, for a machine that can use it."""
    monkeypatch.setattr(_pack, "FILE", tmp_path / "some.pack")
    monkeypatch.setattr(_pack, "runs_here", lambda: True)
    _pack.manifest.cache_clear()
    _pack._linking.cache_clear()
    _pack.write_pack({"one": {"a.nbi": b"index", "../a.nbc": b"code"}, "two": {"b.nbi": b"more"}}, [b"bits" * 9])
    yield tmp_path
    _pack.manifest.cache_clear()
    _pack._linking.cache_clear()


def test_the_pack_is_decompressed_while_numba_is_imported_where_there_is_no_machine_code(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_unpacking, "FILE", _pack.FILE)
    monkeypatch.setattr(_unpacking, "cache_root", lambda: packed)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(_unpacking, "_early", [])
    _unpacking._begin()
    begun = _unpacking._early[0]
    assert begun.result(10) and _pack.unpack(packed / "numba" / "one") and not _unpacking._early
    _unpacking._begin()
    assert not _unpacking._early
    wait_for_the_rest()
    shutil.rmtree(packed / "numba")
    _pack.FILE.write_bytes(_pack.FILE.read_bytes()[:-99])
    _unpacking._begin()
    # What is wrong with it is told where it is asked for.
    assert not _pack.unpack(packed / "numba" / "one")


def test_the_first_folder_that_is_asked_for_brings_all(packed: Path) -> None:
    assert not _pack.unpack(packed / "cache" / "three") and not (packed / "cache").exists()
    (packed / "cache" / "two").mkdir(parents=True)
    assert _pack.unpack(packed / "cache" / "one")
    wait_for_the_rest()
    # No name leads out of its folder, and what is there stays.
    assert {p.name: p.read_bytes() for p in (packed / "cache" / "one").iterdir()} == {
        "a.nbi": b"index",
        "a.nbc": b"code",
    }
    assert sorted(p.name for p in (packed / "cache").iterdir()) == ["one", "two"]
    assert not list((packed / "cache" / "two").iterdir())
    facts = _pack.pack_facts()
    assert facts is not None and facts["modules"] == 2


@pytest.mark.parametrize("fault", ["cut", "noise", "empty", "version", "level"])
def test_a_pack_that_does_not_fit_or_is_damaged_is_passed_over(
    packed: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    content = _pack.FILE.read_bytes()
    with monkeypatch.context() as other:
        if fault == "version":
            other.setattr(_pack, "versions", lambda: {"numba": "0.1"})
            _pack.write_pack({"one": {}}, [])
        elif fault == "level":
            other.setattr(_pack, "LEVEL", "x86-64-v9")
            _pack.write_pack({"one": {}}, [])
        else:
            _pack.FILE.write_bytes({"cut": content[:-99], "noise": b"\xff" * 400, "empty": b""}[fault])
    assert not _pack.unpack(packed / "cache" / "one")
    assert not (packed / "cache" / "one").exists()


def test_bitcode_is_found_by_its_digest_and_code_of_another_pack_is_not_used(packed: Path) -> None:
    kept = _pack.digest(b"bits" * 9)
    assert _pack.can_link(kept) and _pack.whole(kept) == b"bits" * 9
    # What was compiled here has its own.
    assert _pack.can_link(b"its own bitcode") and _pack.whole(b"its own bitcode") == b"its own bitcode"
    other = _pack.digest(b"of a pack before")
    assert not _pack.can_link(other)
    _pack._linking.cache_clear()
    _pack.FILE.write_bytes(_pack.FILE.read_bytes()[:-9])
    with pytest.raises(FileError, match=r"some\.pack is damaged: install dupai again"):
        _pack.whole(kept)


def test_code_of_a_pack_that_cannot_be_linked_is_compiled(tmp_path: Path) -> None:
    """Somebody who has installed another pack since has its folders in the cache."""
    code = (
        "import numba.core.event as event\nnames = []\nclass Listener(event.Listener):\n"
        "    def on_start(self, event): names.append(event.data['dispatcher'].py_func.__qualname__)\n"
        "    def on_end(self, event): pass\n"
        "event.register('numba:compile', Listener())\nfrom dupai.base import Rng, _pack\n"
        "import sys\nif len(sys.argv) > 1:\n"
        "    import msgspec\n    other = msgspec.structs.replace(_pack.manifest(), bitcode=frozenset())\n"
        "    _pack.manifest = lambda: other\n"
        "assert 0 <= Rng(1).below(5) < 5\nprint(names)"
    )
    environment = {**os.environ, "DUPAI_CACHE_DIR": str(tmp_path / "cache")}
    said = [
        subprocess.run(
            [sys.executable, "-c", code, *more], env=environment, check=True, capture_output=True, text=True
        ).stdout
        for more in ([], ["another pack"], [])
    ]  # fmt: skip
    if "next_below" in said[0]:
        pytest.skip("there is no pack of these sources for this machine and Python ('make kernels' writes it)")
    assert "next_below" in said[1] and said[2] == "[]\n", "compiled for this processor, and kept"
    # An upgrade: the folder is that of another pack, and this one has it.
    place = next((tmp_path / "cache" / "numba").glob("base-_kernels-*"))
    shutil.rmtree(place)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True)
    whole = {file.name: file.read_bytes() for file in place.iterdir()}
    for file in place.glob("*.packed.nbc"):
        (name, kind, (machine, _)), *rest = pickle.loads(file.read_bytes())
        file.write_bytes(pickle.dumps(((name, kind, (machine, b"8 others")), *rest)))
    done = subprocess.run([sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n" and {file.name: file.read_bytes() for file in place.iterdir()} == whole


def test_a_pack_takes_the_place_of_another(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _pack.unpack(packed / "cache" / "one")
    wait_for_the_rest()
    shutil.rmtree(packed / "cache" / "two")
    (packed / "cache" / "one" / "a.nbc").write_bytes(b"of another pack")
    (packed / "cache" / "one" / "compiled-here.nbc").write_bytes(b"named by the index of the other")
    _pack.renew(packed / "cache")
    _pack.renew.cache_clear()
    assert [p.name for p in (packed / "cache").iterdir()] == ["one"]
    assert {p.name: p.read_bytes() for p in (packed / "cache" / "one").iterdir()} == {"a.nbi": b"index"}
    monkeypatch.setattr(_pack, "PACKED", "a.nbc")
    _pack.renew(packed / "cache")
    _pack.renew.cache_clear()
    assert (packed / "cache" / "one" / "a.nbc").read_bytes() == b"code"
    _pack.FILE.write_bytes(b"damaged")
    _pack.renew(packed / "cache")
    _pack.renew.cache_clear()


FITS = """
from dupai.base._pack import manifest
from dupai.base.machine_code import has_machine_code
from dupai.jobs import listed_kernels
raise SystemExit(0 if manifest() and all(has_machine_code(k.name) for k in listed_kernels().kernels if k.calls) else 3)
"""
#: What somebody meets first, each in a process of its own, with an empty cache.
FIRST_STEPS = (
    *(f"dupai.cli.main({words.split()!r})" for words in (
        "equity AsKs QQ+,AK --board 2c7dTh", "match rules persona:bovada --duplicate --hands 10 --seed 1",
        "read example:match --hand 23", "history stats example:match", "solve example:turn --max-iterations 10",
        "run -n 3 --seed 1 --speed 0", "ladder rules style:LA fold --hands 6 --seed 1",
    )),
    "[dupai.cli.main(['advise', '--state', '3 players, button, AhQh; folds to me'])]",
    "[dupai.play(a.name, 'rules', hands=2, seed=3) for a in dupai.agents.agent_infos() if a.name != 'acpc'"
    " and a.origin == 'dupai']",
)  # fmt: skip


@pytest.mark.parametrize("step", FIRST_STEPS)
def test_the_first_steps_compile_nothing(tmp_path: Path, step: str) -> None:
    environment = {**os.environ, "DUPAI_CACHE_DIR": str(tmp_path / "cache")}
    fits = subprocess.run([sys.executable, "-c", FITS], env=environment, check=False)
    if fits.returncode == 3:
        pytest.skip("there is no pack of these sources for this machine and Python ('make kernels' writes it)")
    code = (
        "import numba.core.event as event\nnames = []\nclass Listener(event.Listener):\n"
        "    def on_start(self, event): names.append(event.data['dispatcher'].py_func.__qualname__)\n"
        "    def on_end(self, event): pass\n"
        "event.register('numba:compile', Listener())\nimport dupai, dupai.agents, dupai.cli\n"
        f"{step}\nraise SystemExit(f'compiled: {{names}}' if names else 0)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert out.returncode == 0, out.stderr[-2000:]


def test_a_kernel_compiled_later_is_linked_with_those_that_were_loaded(tmp_path: Path) -> None:
    """Their bitcode is parsed only then."""
    code = (
        "import numba, numpy as np\nfrom dupai.cards import mask_of\n"
        "from dupai.cards._kernels.evaluate import strength_kernel\n"
        "mask = np.uint64(mask_of(np.array([51, 50, 44, 10, 11, 29, 3])))\nloaded = strength_kernel(mask)\n"
        "@numba.njit\ndef twice(mask): return 2 * strength_kernel(mask)\nassert twice(mask) == 2 * loaded > 0\n"
        "import dupai\nassert dupai.equity(['AcAd', 'KhKs'], board='2c7dTh').equity[0] > 0.8"
    )
    environment = {**os.environ, "DUPAI_CACHE_DIR": str(tmp_path / "cache")}
    for _ in ("from the pack, or compiled", "from the cache folder"):
        out = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
        assert out.returncode == 0, out.stderr[-2000:]
