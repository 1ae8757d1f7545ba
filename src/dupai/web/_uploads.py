"""Uploads are read in a process of their own: a text that takes long keeps nobody waiting, and nobody is waited for who
has gone."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import sys
import time
from collections.abc import Iterator

import msgspec

from dupai.base import HistoryError, NoProgress
from dupai.history import decoded, text_records
from dupai.history.stats import Seen, again_line
from dupai.rules import HandRecord
from dupai.web import _messages as m

#: Hands of a file or an upload that are kept; rejects that are listed; seconds in which an upload is read, and after
#: which its process is ended.
MAX_HANDS, MAX_REJECTS, SECONDS, UPLOAD_SECONDS = 20_000, 20, 20.0, 30.0
#: Hands of a line that the process writes; bytes of one.
_LINE_HANDS, _LINE_BYTES = 50, 16_000_000


class _Part(msgspec.Struct):
    """A line of the process: hands, and at last what was rejected and why there is no hand."""

    hands: list[HandRecord] = []
    rejects: list[m.Reject] = []
    error: str = ""


async def read_upload(data: bytes) -> tuple[list[HandRecord], list[m.Reject]]:
    """The hands of a text, and what could not be read.

    Raises:
        HistoryError: it is no text, or holds no hand that can be read.
    """
    folders = os.pathsep.join(path or os.getcwd() for path in sys.path)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "from dupai.web._uploads import main; main()", env={**os.environ, "PYTHONPATH": folders},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_LINE_BYTES, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    records: list[HandRecord] = []
    part = _Part(error="the upload cannot be read")
    try:
        with contextlib.suppress(ConnectionError):
            process.stdin.write(data)
            await process.stdin.drain()
            process.stdin.close()
        while line := await process.stdout.readline():
            part = msgspec.json.decode(line, type=_Part)
            records += part.hands
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if part.error:
        raise HistoryError(part.error)
    return records, part.rejects


class _Clock(NoProgress):
    """Ends the hands when the time is over."""

    def __init__(self) -> None:
        self._end = time.monotonic() + SECONDS

    @property
    def cancelled(self) -> bool:
        return time.monotonic() > self._end


def parts(data: bytes) -> Iterator[_Part]:
    """A text in parts; the last one says what could not be read."""
    rejects: list[m.Reject] = []
    last, clock, seen, count = _Part(rejects=rejects), _Clock(), Seen(), 0

    def rejected(line: int, reason: str) -> None:
        if len(rejects) < MAX_REJECTS:
            rejects.append(m.Reject(line, reason[:300]))

    try:
        records = text_records(decoded(data), rejected=rejected, progress=clock, seen=seen)
        while count <= MAX_HANDS and (batch := list(itertools.islice(records, _LINE_HANDS))):
            yield _Part(batch[: MAX_HANDS - count])
            count += len(batch)
        rest = f"more than {MAX_HANDS:,} hands" if count > MAX_HANDS else f"not read within {SECONDS:g} s"
        if count > MAX_HANDS or (count and clock.cancelled):
            rejects[MAX_REJECTS - 1 :] = [m.Reject(0, f"{rest}: the rest is left out")]
        if seen.again:
            rejects[MAX_REJECTS - 1 :] = [m.Reject(0, again_line(seen.again))]
        if not count:
            reason = f": line {rejects[0].line}: {rejects[0].reason}" if rejects else ""
            last.error = f"there is no hand in it that can be read (PHH, ACPC or a poker site's text){reason}"
    except Exception as error:  # noqa: BLE001 - a text of a stranger
        last.error = f"the upload cannot be read: {error}"
    yield last


def main() -> None:
    """The process: a text on standard input, lines of hands on standard output."""
    if hasattr(os, "nice"):
        os.nice(5)
    for part in parts(sys.stdin.buffer.read()):
        sys.stdout.buffer.write(msgspec.json.encode(part) + b"\n")
