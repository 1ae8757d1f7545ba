"""Sharing out work: the calls that everything above uses, and backends by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from dupai.base import ConfigError, NoProgress, Progress
from dupai.base.text import nearest
from dupai.jobs._backend import Backend, Pulse
from dupai.jobs._keeper import Pieces
from dupai.jobs._local import LocalBackend
from dupai.jobs._processes import ProcessBackend
from dupai.jobs._ray import RayBackend
from dupai.jobs._serial import SerialBackend, SerialPulse

T = TypeVar("T")
R = TypeVar("R")


def make_backend(name: str = "local", jobs: int = 1) -> Backend:
    """A backend by name.

    Args:
        name: ``"serial"``: this process; ``"processes"``: ``jobs`` worker processes; ``"local"``: the one of these
            two that is faster; ``"ray"``: a Ray cluster started on this machine; ``"ray:ADDRESS"``: the Ray cluster
            at this address (``auto`` or ``host:port``).
        jobs: how many tasks run at once (at least 1). A Ray cluster takes as many as it has CPUs; one that is started
            here has ``jobs`` of them if ``jobs`` is above 1.

    Raises:
        ConfigError: there is no such backend, or ``jobs`` is below 1.
    """
    if jobs < 1:
        raise ConfigError(f"jobs = {jobs}: expected at least 1", key="jobs")
    kind, colon, address = name.partition(":")
    if kind == "ray" and bool(colon) == bool(address):
        return RayBackend(address or None, jobs if jobs > 1 and not address else None)
    if name == "serial":
        return SerialBackend()
    if name == "local":
        return LocalBackend(jobs)
    if name == "processes":
        return ProcessBackend(jobs)
    hint = nearest(name, ("local", "serial", "processes", "ray"), "expected local, serial, processes or ray[:ADDRESS]")
    raise ConfigError(f"backend {name!r}: {hint}", key="backend", text=name)


def stream(
    work: Callable[[T, Pulse], R],
    tasks: Sequence[T],
    *,
    backend: Backend | str | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    note: str = "",
    steps: float | None = None,
    keeper: Pieces | None = None,
    keys: Sequence[Any] | None = None,
) -> Iterator[tuple[int, R]]:
    """Do ``work`` on every task and yield ``(index, result)`` as tasks finish; pieces that ``keeper`` has come first.

    Work that is told to stop (by its :class:`Pulse`) returns None or a result whose attribute ``complete`` is False.
    Such results are yielded and not kept. Tasks that were not started when ``progress`` was cancelled are missing,
    and so are those that Ctrl-C interrupted because they did not stop soon.

    Args:
        work: called with a task and a :class:`Pulse`; a function at the top of a module if other processes run it.
        tasks: can be pickled if other processes run them. Optional attributes: ``name`` (for messages), ``size``
            (most steps; see :class:`LocalBackend`), ``checkpoint`` (a :class:`SavePoint`).
        backend: a :class:`Backend` or its name (:func:`make_backend`); None: this process, or ``jobs`` processes.
        jobs: how many tasks run at once, where ``backend`` does not say it.
        progress: receives the number of finished tasks, or of steps where ``steps`` is given; cancelling it stops
            the work.
        note: what the tasks or steps are, for ``progress``.
        steps: how many steps all tasks have.
        keeper: takes finished pieces and gives those of an earlier run.
        keys: the key of each task in ``keeper``; default: its number.

    Raises:
        Exception: the first that work raises.
        WorkerError: the worker of one task died several times.
        ConfigError: there is no such backend, or the work cannot be sent to other processes.
    """
    shown = progress or NoProgress()
    place = make_backend(backend or "local", jobs) if backend is None or isinstance(backend, str) else backend
    names: Sequence[Any] = range(len(tasks)) if keys is None else keys
    todo: list[int] = []
    for index, name in enumerate(names):
        piece = None if keeper is None else keeper.get(name)
        if piece is None:
            todo.append(index)
        else:
            yield index, piece
    before = len(tasks) - len(todo)

    def going() -> bool:
        return not shown.cancelled

    def tick(done: float, counted: int) -> bool:
        text = f"{counted:,} {note}" if counted else note
        if steps is None:
            shown.report(before + done, len(tasks), text)
        else:
            shown.report(counted, steps, text)
        return going()

    if not going() or (before and not tick(0, 0)):
        return
    done = place.run(work, [tasks[i] for i in todo], tick)
    while True:
        try:
            place_in_todo, result = next(done)
        except StopIteration:
            return
        except KeyboardInterrupt:
            # Nobody looked at ``cancelled`` for a while (workers start, an agent thinks): what is done counts all the
            # same.
            if going():
                raise
            return
        index = todo[place_in_todo]
        if keeper is not None and result is not None and getattr(result, "complete", True):
            yield index, keeper.put(names[index], result)
        else:
            yield index, result


def share_out(
    work: Callable[[T, Pulse], R],
    tasks: Sequence[T],
    *,
    progress: Progress | None = None,
    ended: Callable[[T], None] | None = None,
    **options: Any,
) -> list[R]:
    """The results of ``work`` on all tasks, in the order of the tasks.

    Arguments and errors as for :func:`stream`. Tasks that were not started when ``progress`` was cancelled are called
    in this process with a pulse that is cancelled, so that every task has a result; ``work`` should return at once
    then.

    Args:
        ended: called with every task that ran to its end, as soon as it does.
        options: the other arguments of :func:`stream`.
    """
    shown = progress or NoProgress()
    results: dict[int, Any] = {}
    for index, result in stream(work, tasks, progress=shown, **options):
        results[index] = result
        if ended is not None and not shown.cancelled and getattr(result, "complete", True):
            ended(tasks[index])
    stopped = SerialPulse(lambda done, steps: False)
    return [results[i] if i in results else work(task, stopped) for i, task in enumerate(tasks)]
