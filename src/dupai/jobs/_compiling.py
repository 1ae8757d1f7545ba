"""Compiling kernels ahead of their first use, in worker processes.

``kernels.json`` lists the kernels that common commands use, with the types they are called with, callees first. It is
written by ``python docs/make/kernel_list.py``. A kernel that is missing there is compiled on its first use, as ever.
"""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dupai.base import FileError, NoProgress, Progress, cache_root, notify
from dupai.base.files import write_whole
from dupai.jobs._backend import Pulse
from dupai.jobs._share import stream

LIST = Path(__file__).parent / "kernels.json"
#: The groups of the list, in the order in which they are compiled: the small table that ``dupai run`` begins with, its
#: table of eight, and the commands that the README names.
KERNEL_GROUPS = ("first", "table", "commands")


class ListedKernel(msgspec.Struct, frozen=True, array_like=True):
    """A kernel as ``module:name``, its group, the argument types of each call, and the numbers of the kernels that must
    be compiled before it. One without calls is a function that builds a table: ``function(True, progress)``.
    """

    name: str
    group: str
    calls: tuple[Any, ...]
    needs: tuple[int, ...]


class KernelList(msgspec.Struct, frozen=True):
    """The list: record types that calls name by number, and the kernels, callees first."""

    records: tuple[Any, ...]
    kernels: tuple[ListedKernel, ...]


def listed_kernels() -> KernelList:
    """The shipped list of kernels."""
    return msgspec.json.decode(LIST.read_bytes(), type=KernelList)


def _stamp(group: str) -> Path:
    """The file that says that a group has been compiled: for this source, these versions and this machine."""
    from importlib.metadata import version

    package = LIST.parent.parent
    h = hashlib.blake2b(digest_size=8)
    for file in sorted(package.rglob("*.py")):
        facts = file.stat()
        h.update(f"{file.relative_to(package)} {facts.st_size} {facts.st_mtime_ns}".encode())
    for fact in (version("numba"), version("numpy"), platform.python_version(), platform.node(), str(package)):
        h.update(fact.encode())
    return cache_root() / "compiled" / f"{group}-{h.hexdigest()}"


def are_compiled(group: str) -> bool:
    """Whether a group of the list has been compiled into the cache folder."""
    return bool(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0") or _stamp(group).exists()


def compile_kernels(
    group: str, *, jobs: int = 1, progress: Progress | None = None, patient: bool = False
) -> tuple[int, int]:
    """Compile the listed kernels of a group into the cache folder, in ``jobs`` worker processes.

    Args:
        group: one of :data:`KERNEL_GROUPS`.
        jobs: worker processes.
        progress: receives the number of kernels done; no more are begun once it is cancelled.
        patient: leave the processor to others.

    Returns:
        How many kernels have been compiled or were there, and how many are listed. Those that are missing failed, or
        ``progress`` was cancelled.
    """
    known = listed_kernels()
    with tempfile.TemporaryDirectory(prefix="dupai-") as folder:
        tasks = [
            _Task(number, kernel, known.records, patient, Path(folder))
            for number, kernel in enumerate(known.kernels)
            if kernel.group == group
        ]
        compiled = 0
        for number, (fine, failure) in stream(_compile, tasks, backend="processes", jobs=jobs, progress=progress):
            compiled += fine
            if failure:
                notify(f"dupai: {tasks[number].kernel.name} is compiled where it is used: {failure}")
    if progress is None or not progress.cancelled:
        # One that failed is compiled where it is used: to try it again each time would gain nothing.
        _sign(group)
    return compiled, len(tasks)


class _Task(NamedTuple):
    """A kernel by its number in the list; ``done``: the folder with a file for each number that is done."""

    number: int
    kernel: ListedKernel
    records: Sequence[Any]
    patient: bool
    done: Path


def _sign(group: str) -> None:
    stamp = _stamp(group)
    try:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        for old in stamp.parent.glob(f"{group}-*"):
            old.unlink(missing_ok=True)
        write_whole(stamp, "")
    except (FileError, OSError) as error:
        notify(f"dupai: kernels are compiled again at the next start: {error}")


def _compile(task: _Task, pulse: Pulse) -> tuple[bool, str]:
    """Compile one kernel for all its calls: whether it is compiled, and what went wrong (the command that needs the
    kernel meets it again)."""
    from dupai.jobs._signatures import Signatures

    if task.patient and hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, 10)
    module, _, name = task.kernel.name.partition(":")
    try:
        function = getattr(import_module(module), name)
        # They are compiled by other workers right now: doing it here as well would take the time twice.
        while not all((task.done / str(need)).exists() for need in task.kernel.needs):
            if pulse.cancelled:
                return False, ""
            time.sleep(0.01)
        if not task.kernel.calls:
            function(True, NoProgress())
        signatures = Signatures(list(task.records))
        for call in task.kernel.calls:
            function.compile(tuple(signatures.read(kind) for kind in call))
    except Exception as error:  # noqa: BLE001 - one kernel that fails must not stop the others
        return False, f"{type(error).__name__}: {error}"
    finally:
        (task.done / str(task.number)).touch()
    return True, ""
