"""A program of its own, from the standard library alone: it starts a stranger's process under limits, and ends it with
everything that it has started.

Its arguments: a descriptor for the stranger, bytes of memory, and the stranger's command. It leaves as the stranger
did, or with :data:`CROWDED`; its end of standard input tells it to end now.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

#: Processes that a stranger may have at a time, and the exit code of one that had more.
MAX_PROCESSES, CROWDED = 64, 125
#: Capabilities of root that a stranger may keep: those about files.
_FILES = 0b11111
_SET_DUMPABLE, _CAPBSET_DROP, _SET_CHILD_SUBREAPER, _SET_NO_NEW_PRIVS, _CAP_AMBIENT = 4, 24, 36, 38, 47
#: System calls that have one number on all machines.
_LANDLOCK_CREATE_RULESET, _LANDLOCK_RESTRICT_SELF = 444, 446
_LANDLOCK_SCOPE_SIGNAL = 2


def hide_memory() -> None:
    """Let no other process of this user read the memory of this one (Linux), until it runs another program."""
    if sys.platform == "linux":
        _prctl(_SET_DUMPABLE, 0)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(*map(ctypes.c_ulong, (option, value, 0, 0, 0)))


def _restrict(memory: int) -> None:
    """Limit this process and all that it starts: memory, no core files; on Linux no right over other processes."""
    import resource

    for kind, most in ((resource.RLIMIT_DATA, memory), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(kind)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most if hard < 0 else min(most, hard), hard))
    if sys.platform != "linux":
        return
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        # Where memory runs out all the same, it is this process that goes.
        file.write("1000")
    for capability in range(64):
        if not _FILES >> capability & 1:
            _prctl(_CAPBSET_DROP, capability)
    _prctl(_CAP_AMBIENT, 4)
    _prctl(_SET_NO_NEW_PRIVS, 1)
    libc = ctypes.CDLL(None)
    # From Linux 6.12 on: no signals to processes outside, and none of their memory.
    rules = (ctypes.c_uint64 * 3)(0, 0, _LANDLOCK_SCOPE_SIGNAL)
    ruleset = libc.syscall(_LANDLOCK_CREATE_RULESET, rules, ctypes.c_size_t(24), 0)
    if ruleset >= 0:
        libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0)
        os.close(ruleset)


def _descendants() -> list[int]:
    """The processes below this one (Linux: also those whose parents have ended)."""
    parents: dict[int, int] = {}
    ended: set[int] = set()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
                parents[int(name)] = int(parent)
                if state == b"Z":
                    ended.add(int(name))
    # One that has ended keeps its children until the last of its threads has ended, too.
    below: list[int] = []
    ends = {os.getpid()}
    while ends := {child for child, parent in parents.items() if parent in ends}:
        below += ends - ended
    return below


def _kill_all(stranger: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(stranger, signal.SIGKILL)
    for _ in range(1000):
        if not (below := _descendants()):
            return
        for process in below:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _watch(stranger: int, parent: int, wake: int) -> int:
    """Wait until the stranger has ended, has too many processes, or is not wanted any more: its wait status."""
    took = 0.0
    while True:
        # Looking through all processes takes at most a fiftieth of the time.
        ready, _, _ = select.select([0, wake], [], [], max(0.25, 50 * took))
        before = time.monotonic()
        crowded = len(_descendants()) > MAX_PROCESSES
        took = time.monotonic() - before
        if wake in ready:
            os.read(wake, 512)
        status = None
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                status = ended[1] if ended[0] == stranger else status
        if status is None and (crowded or 0 in ready or os.getppid() != parent):
            status = CROWDED << 8 if crowded else signal.SIGKILL
        if status is not None:
            return status


def main() -> None:
    """Start the command and see to its end."""
    parent = os.getppid()
    descriptor, memory, *command = sys.argv[1:]
    hide_memory()
    if sys.platform == "linux":
        _prctl(_SET_CHILD_SUBREAPER, 1)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(woken)
    stranger = os.fork()
    if not stranger:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _restrict(int(memory))
        os.execv(command[0], command)
    os.close(int(descriptor))
    status = _watch(stranger, parent, wake)
    _kill_all(stranger)
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main()
