"""The dealer's two files: the log, and the transaction log from which an interrupted match goes on.

Source: the ACPC dealer protocol 2.0.0 as the reference dealer speaks it. A line of the transaction log is ``ACTION HAND
SENT RECEIVED``, written before the action is sent to anybody. Comments record what the reference does not know: which
players are out of the match, have forfeited a hand or have ended the match.
"""

from __future__ import annotations

import os
import re
import stat
from collections import deque
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from dupai.acpc._lines import shown
from dupai.base import FileError, HistoryError
from dupai.base.files import disk_faults, lock_file

_ACTED = re.compile(r"(f|c|r[0-9]{0,15}) ([0-9]{1,15}) ([0-9]{1,15}\.[0-9]{1,15}) ([0-9]{1,15}\.[0-9]{1,15})")
_BLAMED = re.compile(r"# fault ([0-9]{1,15}|-1) ([0-9]{1,15}) (out|forfeit|end)(?: (.*))?")
#: What comes of a fault, for people.
OUTCOMES = {
    "forfeit": "forfeits the hand: checks or folds to its end",
    "out": "out of the match: checks or folds from there on",
    "end": "the match ends",
}


class Acted(NamedTuple):
    """An action that was played: its text, its hand, and in seconds when it was asked for and when it came."""

    action: str
    hand: int
    sent: float
    received: float

    def __str__(self) -> str:
        return f"{self.action} {self.hand} {self.sent:.6f} {self.received:.6f}"


class Blamed(NamedTuple):
    """A fault: its hand (-1: before the first), seat, what came of it (of :data:`OUTCOMES`), and what it was."""

    hand: int
    seat: int
    outcome: str
    cause: str = ""

    def __str__(self) -> str:
        return f"# fault {self.hand} {self.seat} {self.outcome} {self.cause}".rstrip()


Entry: TypeAlias = Acted | Blamed


class DealFault(msgspec.Struct, frozen=True, kw_only=True):
    """A player's fault: ``hand`` (-1: before the first), its seat and name, what it was, and its consequence."""

    hand: int
    seat: int
    name: str
    cause: str
    result: str

    def __str__(self) -> str:
        where = f"hand {self.hand}" if self.hand >= 0 else "before the first hand"
        return f"{where}: seat {self.seat + 1} ({self.name}) {self.cause}; {self.result}"


def parse_entries(text: str, name: str = "transaction log") -> list[Entry]:
    """The entries of a transaction log; other comments are skipped, and so is a last line without its end.

    Raises:
        HistoryError: a line that is none; names it.
    """
    entries: list[Entry] = []
    for number, line in enumerate(text.split("\n")[:-1], 1):
        if match := _ACTED.fullmatch(line):
            entries.append(Acted(match[1], int(match[2]), float(match[3]), float(match[4])))
        elif match := _BLAMED.fullmatch(line):
            entries.append(Blamed(int(match[1]), int(match[2]), match[3], match[4] or ""))
        elif line and not line.startswith("#"):
            message = f"{name}, line {number}: {shown(line)}: expected ACTION HAND SENT RECEIVED"
            raise HistoryError(message, line=number, text=line)
    return entries


class MatchFiles:
    """The files of one match, from :meth:`open` to :meth:`close`; written line by line.

    Args:
        log: Path of the log; None: there is none.
        transactions: Path of the transaction log; None: there is none.
        append: Add to the files. With a transaction log its match resumes: lines that the log has already are not
            written again.
    """

    def __init__(self, log: Path | None, transactions: Path | None = None, *, append: bool = False) -> None:
        self._paths = (log, transactions)
        self._append = append
        self._files: list[int | None] = [None, None]
        self._there: deque[str] = deque()
        self._held: list[str] = []
        self._header = ""
        #: Of the match that resumes, by the first line of the transaction log; empty: there is none.
        self.key = ""
        if append and transactions is not None and transactions.is_file():
            with transactions.open(errors="replace") as file:
                first = file.readline(100)
            self.key = first[6:-1] if re.fullmatch("# key [0-9a-f]{64}\n", first) else ""

    def open(self, key: str = "") -> list[Entry]:
        """Open, lock and empty the files, or read the match that resumes. A new transaction log begins with ``key``.

        Raises:
            FileError: a file that cannot be written, or that another dealer is writing.
            HistoryError: the file is no transaction log.
        """
        for which, path in enumerate(self._paths):
            if path is not None:
                self._files[which] = _locked(path)
        log, transactions = ("" if f is None else self._kept(f) for f in self._files)
        if self._paths[1] is None:
            return []
        entries = parse_entries(transactions, str(self._paths[1]))
        if key and not transactions and self._files[1] is not None:
            _write(self._files[1], f"# key {key}\n")
        lines = [line for line in log.split("\n") if line]
        self._there = deque(line for line in lines if line[0] != "#")
        self._header = next((line for line in reversed(lines) if line.startswith("# name/game/hands/seed")), "")
        return entries

    def _kept(self, file: int) -> str:
        """The part of a file that stays: all its whole lines, or nothing."""
        text = b""
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return ""  # a device has neither an end nor a length
        if self._append:
            while piece := os.read(file, 1 << 20):
                text += piece
            text = text[: text.rfind(b"\n") + 1]
        os.ftruncate(file, len(text))
        return text.decode("utf-8", "replace")

    def log(self, line: str) -> None:
        """Write a line of the log, unless an interrupted match has left it there.

        Raises:
            HistoryError: the log does not belong to the match that goes on.
            OSError: it cannot be written.
        """
        if self._header and line.startswith("# name/game/hands/seed") and line != self._header:
            raise HistoryError(f"{self._paths[0]} is of another match, {self._header!r}: expected {line!r}")
        if self._there:
            if line[:1] == "#":
                self._held.append(line)
                return
            there = self._there.popleft()
            if there != line:
                raise HistoryError(f"{self._paths[0]} has {there!r}: by the transaction log it should be {line!r}")
            return
        if self._files[0] is not None:
            _write(self._files[0], "".join(f"{text}\n" for text in (*self._held, line)))
        self._held.clear()

    def settled(self) -> None:
        """Everything that the transaction log knows has been logged: nothing else may be in the log.

        Raises:
            HistoryError: something is.
        """
        if self._there:
            raise HistoryError(f"{self._paths[0]} has {self._there[0]!r}, of which {self._paths[1]} knows nothing")

    def transaction(self, entry: Entry) -> None:
        """Write a line of the transaction log.

        Raises:
            OSError: it cannot be written.
        """
        if self._files[1] is not None:
            _write(self._files[1], f"{entry}\n")

    def close(self) -> None:
        """Close the files; the locks go with them."""
        for which, file in enumerate(self._files):
            if file is not None:
                os.close(file)
                self._files[which] = None


def _locked(path: Path) -> int:
    """A file open for reading and appending that no other dealer has open."""
    with disk_faults(f"log {str(path)!r} cannot be written", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
    if not lock_file(file, path):
        os.close(file)
        raise FileError(f"log {str(path)!r} is being written by another dealer", path=path)
    return file


def _write(file: int, text: str) -> None:
    data = text.encode()
    while data:
        data = data[os.write(file, data) :]
