"""What the screen of ``dupai run`` shows before the first hand: a recorded match while kernels compile elsewhere."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any, Protocol

from rich.text import Text

from dupai.base import NoProgress, notify
from dupai.cli._scene import Scene, read_recording
from dupai.cli._screen import frame
from dupai.jobs import KERNEL_GROUPS, are_compiled, compile_kernels

if TYPE_CHECKING:
    from rich.live import Live

#: Seconds between two looks at the progress.
_LOOK = 0.1
#: Columns of the progress bar.
_BAR = 20


class Stoppable(Protocol):
    """What knows whether the user has asked to stop, and sets all ``events`` then."""

    stopped: threading.Event
    events: list[threading.Event]


class _Abandoned(Exception):
    """The work is not wanted any more."""


class _Compiling(NoProgress):
    """Compiles the listed kernels in worker processes, driven by a thread; abandoned at once when told so."""

    def __init__(self, needed: str) -> None:
        self._needed = needed
        self.group, self.done, self.total = "", 0.0, 0.0
        self.ready = {group: threading.Event() for group in KERNEL_GROUPS}
        self._abandoned = False
        self.thread = threading.Thread(target=self._run, name="kernels", daemon=True)

    def _run(self) -> None:
        patient = False
        try:
            for self.group in KERNEL_GROUPS:
                if not are_compiled(self.group):
                    compile_kernels(self.group, jobs=os.cpu_count() or 1, progress=self, patient=patient)
                self.ready[self.group].set()
                patient = patient or self.group == self._needed
        except _Abandoned:
            return
        except Exception as error:  # noqa: BLE001 - kernels are then compiled where they are used
            notify(f"dupai: kernels are compiled where they are used: {type(error).__name__}: {error}")
        finally:
            for event in self.ready.values():
                event.set()

    def report(self, done: float, total: float | None, note: str = "") -> None:
        if self._abandoned:
            raise _Abandoned
        self.done, self.total = done, total or 0.0

    def abandon(self) -> None:
        """End the workers."""
        self._abandoned = True
        self.thread.join(5)


class Opening:
    """The time before the first hand.

    Args:
        live: where it is drawn.
        pulse: knows whether the user wants to stop.
    """

    def __init__(self, live: Live, pulse: Stoppable) -> None:
        self._live = live
        self._stopped, self._events = pulse.stopped, pulse.events
        self._compiling: _Compiling | None = None
        self._loading: threading.Thread | None = None
        self._status = "starting"

    def __enter__(self) -> Opening:
        return self

    def __exit__(self, *error: Any) -> None:
        if self._compiling is not None:
            self._compiling.abandon()
        if self._loading is not None:
            # Compiled code that is being loaded while the process ends may crash it.
            self._loading.join(1.5)

    def show(
        self,
        prepare: Callable[[], None],
        rehearse: Callable[[bool], None],
        play_first: Callable[[int, threading.Event, Callable[[], Text]], None],
        needed: str,
    ) -> bool:
        """Show the recorded match, then the small table, while other threads and processes get ready.

        Args:
            prepare: makes the match.
            rehearse: loads what the small table (True) or the match (False) needs.
            play_first: plays the small table until the event is set; takes a number for its seed and a last line.
            needed: the group of kernels that the match needs.

        Returns:
            False when the user asked to stop.

        Raises:
            Exception: what ``prepare`` or ``rehearse`` raised.
        """
        errors: list[BaseException] = []
        first = threading.Event()
        cold = not are_compiled(needed)
        if not all(map(are_compiled, KERNEL_GROUPS)):
            self._compiling = _Compiling(needed)
            self._compiling.thread.start()
        over = threading.Event()
        self._events.append(over)

        def work() -> None:
            try:
                prepare()
                if cold and self._compiling is not None:
                    self._compiling.ready["first"].wait()
                    if needed != "first" and not self._stopped.is_set():
                        rehearse(True)
                        first.set()
                    self._compiling.ready[needed].wait()
                self._status = "loading"
                if not self._stopped.is_set():
                    rehearse(False)
            except BaseException as error:  # noqa: BLE001 - raised again below
                errors.append(error)
            finally:
                over.set()

        self._loading = threading.Thread(target=work, name="loading", daemon=True)
        self._loading.start()
        self._show_recording(read_recording() if cold else [], lambda: first.is_set() or over.is_set())
        number = 1
        while not over.is_set() and not self._stopped.is_set():
            play_first(number, over, lambda: _labelled("small table, not saved", self._progress()))
            number += 1
        if errors:
            raise errors[0]
        return not self._stopped.is_set()

    def footer(self) -> Text:
        """How far the kernels of other commands are; nothing when they are done."""
        work = self._compiling
        if work is None or not work.total or not work.thread.is_alive():
            return Text()
        return Text(f"compiling kernels of other commands: {work.done:,.0f} of {work.total:,.0f}", style="dim")

    def _progress(self) -> str:
        work = self._compiling
        if work is None or not work.total or self._status == "loading":
            return self._status
        filled = int(_BAR * work.done / work.total)
        # The bar comes last: a narrow screen cuts it.
        bar = "█" * filled + "░" * (_BAR - filled)
        return f"compiling kernels, once: {work.done:,.0f} of {work.total:,.0f}  {bar}"

    def _show_recording(self, scenes: Sequence[Scene], ready: Callable[[], bool]) -> None:
        for scene in cycle(scenes or [None]):
            until = time.monotonic() + (1.0 if scene is None else scene.seconds)
            while (left := until - time.monotonic()) > 0:
                if ready() or self._stopped.is_set():
                    return
                self._draw(scene)
                self._stopped.wait(min(left, _LOOK))

    def _draw(self, scene: Scene | None) -> None:
        if scene is None:
            picture = Text(f"dupai: {self._progress()}", style="dim")
        else:
            footer = _labelled("recorded match", self._progress())
            picture = Text("\n").join(frame(scene, self._live.console.width, footer))
        self._live.update(picture, refresh=True)


def _labelled(label: str, words: str) -> Text:
    line = Text()
    line.append(f" {label} ", style="bold black on yellow")
    line.append(f"  {words}")
    return line
