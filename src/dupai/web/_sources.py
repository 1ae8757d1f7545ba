"""Where hands can be opened from: examples, files and stores that the server's owner named, uploads, tables. A browser
names them by an id; no text of a browser becomes a path."""

from __future__ import annotations

import itertools
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dupai.base import DupaiError, HistoryError, example
from dupai.base.text import visible
from dupai.history import Store, file_records
from dupai.history.stats import record_batches, store_batches
from dupai.notation import Reason
from dupai.rules import HandRecord
from dupai.web import _messages as m
from dupai.web._http import Gone
from dupai.web._uploads import MAX_HANDS

#: Uploads kept at a time.
MAX_UPLOADS = 20
_EXAMPLES = ("match", "hands", "site")


class Listed:
    """Hands in memory, in the order of their source."""

    def __init__(self, records: Sequence[HandRecord]) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def some(self, first: int, count: int) -> list[HandRecord]:
        """Hands ``first`` and on."""
        return list(self._records[first : first + count])

    def batches(self) -> Any:
        """All of them, for statistics."""
        return record_batches(self._records)


class Stored:
    """The hands of a store, with the methods of :class:`Listed`; queries come one at a time."""

    def __init__(self, path: Path) -> None:
        self._store = Store(path)
        self._lock = threading.Lock()
        with self._lock:
            self._ids = [row[0] for row in self._store.rows("select hand_id from hands order by hand_id")]

    def __len__(self) -> int:
        return len(self._ids)

    def some(self, first: int, count: int) -> list[HandRecord]:
        with self._lock:
            return list(self._store.records(self._ids[first : first + count]))

    def batches(self) -> Any:
        return store_batches(self._store)


#: The hands of one source.
Hands = Listed | Stored


class Sources:
    """All sources but tables.

    Args:
        paths: files and stores of the server's owner.

    Raises:
        FileError: one of them is not there.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._places: dict[str, tuple[str, Reason, Path]] = {
            f"example:{name}": ("example", Reason(f"example_{name}"), example(name)) for name in _EXAMPLES
        }
        for number, text in enumerate(paths, 1):
            path = Path(text)
            if path.is_dir():
                Store(path)
            elif not path.is_file():
                raise HistoryError(f"--source {text!r}: there is no such file or store", path=path)
            kind = "store" if path.is_dir() else "file"
            self._places[f"{kind}:{number}"] = kind, Reason("text", text=visible(path.name, line=True)), path
        self._known: dict[str, Hands] = {}
        self._uploads: OrderedDict[str, tuple[str, Hands]] = OrderedDict()
        self._lock = threading.Lock()

    def infos(self) -> list[m.SourceInfo]:
        """What a browser may open; uploads are known to who made them alone."""
        return [
            m.SourceInfo(id, kind, title, len(self._known[id]) if id in self._known else None)  # type: ignore[arg-type]
            for id, (kind, title, _) in self._places.items()
        ]

    def hands(self, id: str) -> Hands:
        """The hands of a source.

        Raises:
            Gone: there is no such source, or the upload is forgotten.
        """
        with self._lock:
            if id in self._uploads:
                self._uploads.move_to_end(id)
                return self._uploads[id][1]
        if id not in self._places:
            raise Gone("there is no such source (uploads are forgotten when others need the room)")
        with self._lock:
            if id not in self._known:
                kind, title, path = self._places[id]
                records = None if kind == "store" else _first(path)
                if records is not None and len(records) > MAX_HANDS:
                    del records[MAX_HANDS:]
                    self._places[id] = kind, Reason("first_hands", {"of": title.text, "hands": MAX_HANDS}), path
                self._known[id] = Stored(path) if records is None else Listed(records)
        return self._known[id]

    def keep(self, records: Sequence[HandRecord], rejects: Sequence[m.Reject]) -> m.Uploaded:
        """Keep the hands of an upload in memory."""
        id = f"upload:{secrets.token_urlsafe(12)}"
        with self._lock:
            self._uploads[id] = "upload", Listed(records)
            while len(self._uploads) > MAX_UPLOADS:
                self._uploads.popitem(last=False)
        return m.Uploaded(id, len(records), tuple(rejects))


def _first(path: Path) -> list[HandRecord]:
    """The hands of a file that are kept, and one more where it has more."""

    def rejected(line: int, reason: str) -> None:
        pass

    try:
        return list(itertools.islice(file_records(path, rejected=rejected), MAX_HANDS + 1))
    except DupaiError as error:
        raise HistoryError(f"{visible(path.name, line=True)}: {error}") from None
