"""Compiling kernels ahead of their first use, in worker processes.

``kernels.json`` lists the kernels that commands and agents use, with the types they are called with, callees first. It
is written by ``make kernels``, with the pack of their machine code; where that fits this machine nothing is compiled.
A kernel that is missing there is compiled on its first use, as ever.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dupai.base import NoProgress, Progress, cache_root, notify
from dupai.base.files import lock_file
from dupai.base.machine_code import compile_for_this_processor, has_machine_code
from dupai.jobs._backend import Pulse
from dupai.jobs._share import stream

LIST = Path(__file__).parent / "kernels.json"
#: The groups of the list, in the order in which they are compiled: the table of eight of ``dupai run``, the commands
#: that the README names, and the other agents.
KERNEL_GROUPS = ("table", "commands", "agents")
#: The name of a further group: kernels that gain from a processor's own width, compiled again for this very one.
OWN_WIDTH = "own width"
_OWN_WIDTH = (
    "cards._kernels.batch:strengths_kernel",
    "cfr.postflop._kernels.passes:pass_kernel",
    "equity._kernels.monte_carlo:best_kernel",
    "equity._kernels.monte_carlo:multiway_win_rate_kernel",
)
#: Seconds until a program that has just been started is taken to be idle.
_CALM_SECONDS = 30


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


def are_compiled(group: str) -> bool:
    """Whether machine code of a group of the list lies in the cache folder or comes with the pack."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        return True
    return all(
        has_machine_code(kernel.name) for kernel in listed_kernels().kernels if kernel.group == group and kernel.calls
    )


def compile_kernels(
    group: str, *, jobs: int = 1, progress: Progress | None = None, patient: bool = False
) -> tuple[int, int]:
    """Compile the listed kernels of a group into the cache folder, in ``jobs`` worker processes.

    Args:
        group: one of :data:`KERNEL_GROUPS`, or :data:`OWN_WIDTH`.
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
            _Task(number, kernel, known.records, patient, Path(folder), group == OWN_WIDTH)
            for number, kernel in enumerate(known.kernels)
            if kernel.group == group or (group == OWN_WIDTH and kernel.name.removeprefix("dupai.") in _OWN_WIDTH)
        ]
        compiled = 0
        for number, (fine, failure) in stream(_compile, tasks, backend="processes", jobs=jobs, progress=progress):
            compiled += fine
            if failure:
                notify(f"dupai: {tasks[number].kernel.name} is compiled where it is used: {failure}")
    return compiled, len(tasks)


def compile_in_background() -> None:
    """Compile :data:`OWN_WIDTH` in a process of its own with the lowest priority, for programs that start later; for
    commands that a person looks at. Nothing is done where that is compiled or under way, or with
    ``DUPAI_BACKGROUND=off``."""
    wanted = sys.stderr.isatty() and os.environ.get("DUPAI_BACKGROUND") != "off"
    if wanted and not all(has_machine_code(f"dupai.{name}", own=True) for name in _OWN_WIDTH):
        code = f"import time; time.sleep({_CALM_SECONDS}); import dupai.jobs._compiling as c; c.compile_own_width()"
        streams: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        subprocess.Popen([sys.executable, "-c", code], start_new_session=True, **streams)


def compile_own_width() -> None:
    """In that process: compile, unless another one does."""
    if hasattr(os, "nice"):
        os.nice(19)
    path = cache_root() / "compiling.lock"
    with path.open("a") as file:
        if lock_file(file, path) and not all(has_machine_code(f"dupai.{name}", own=True) for name in _OWN_WIDTH):
            compile_kernels(OWN_WIDTH)


class _Task(NamedTuple):
    """A kernel by its number in the list; ``done``: the folder with a file for each number that is done; ``again``:
    for this very processor, though it may have come with the pack."""

    number: int
    kernel: ListedKernel
    records: Sequence[Any]
    patient: bool
    done: Path
    again: bool


def _compile(task: _Task, pulse: Pulse) -> tuple[bool, str]:
    """Compile one kernel for all its calls: whether it is compiled, and what went wrong (the command that needs the
    kernel meets it again)."""
    from dupai.jobs._signatures import Signatures

    if task.patient and hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, 10)
    if task.again:
        compile_for_this_processor()
    module, _, name = task.kernel.name.partition(":")
    try:
        function = getattr(import_module(module), name)
        # They are compiled by other workers right now: doing it here as well would take the time twice.
        while not task.again and not all((task.done / str(need)).exists() for need in task.kernel.needs):
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
