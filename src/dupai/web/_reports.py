"""Reports of ``dupai reproduce``, served as they were written."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

from dupai.base import FileError
from dupai.base.files import file_faults
from dupai.base.text import visible
from dupai.web import _messages as m
from dupai.web._http import Gone

#: The file that a report is in; the largest that is served, in bytes.
_REPORT, _MAX_BYTES = "report.html", 20_000_000
_TITLE, _STYLE = re.compile(r"<title>([^<]{1,200})"), re.compile(r"<style[^>]*>(.*?)</style>", re.DOTALL)
_ATTRIBUTE = re.compile(r'\sstyle="([^"]*)"')


class Reports:
    """The folders of reports that the server's owner named: each may be a report's, or hold such folders.

    Requests name a report by its id in a fresh listing; no path is made from them.

    Raises:
        FileError: one of them is no folder.
    """

    def __init__(self, folders: Sequence[str]) -> None:
        for folder in folders:
            if not Path(folder).is_dir():
                raise FileError(f"--reports {folder!r}: there is no such folder", path=folder)
        self._folders = tuple(map(Path, folders))

    def _files(self) -> dict[str, Path]:
        files = {}
        for number, folder in enumerate(self._folders):
            with file_faults(str(folder)):
                below = sorted(p for p in folder.iterdir() if p.is_dir() and not p.is_symlink())
            for place in (folder, *below):
                file = place / _REPORT
                if file.is_file() and not file.is_symlink():
                    files[str(number) if place == folder else f"{number}-{visible(place.name, line=True)}"] = file
        return files

    def lines(self) -> list[m.ReportLine]:
        """All reports, the last written first."""
        lines = []
        for id, file in self._files().items():
            with file_faults(str(file)):
                written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                with file.open(encoding="utf-8", errors="replace") as text:
                    title = _TITLE.search(text.read(4000))
            name = visible(file.parent.resolve().name, line=True)
            lines.append(m.ReportLine(id, unescape(title[1]) if title else name, name, f"{written:%Y-%m-%d %H:%M}"))
        return sorted(lines, key=lambda line: line.written, reverse=True)

    def page(self, id: str) -> tuple[str, str]:
        """A report and the Content-Security-Policy that it needs.

        Raises:
            Gone: there is no such report.
        """
        file = self._files().get(id)
        if file is None:
            raise Gone("there is no such report")
        with file_faults(str(file)):
            if file.stat().st_size > _MAX_BYTES:
                raise FileError(f"{file.name} is larger than {_MAX_BYTES:,} bytes", path=file)
            text = file.read_text(encoding="utf-8", errors="replace")
        return text, _policy(text)


def _policy(text: str) -> str:
    """No script, nothing fetched, and just the styles that stand in the file."""
    styles = [*_STYLE.findall(text), *map(unescape, _ATTRIBUTE.findall(text))]
    digests = dict.fromkeys(base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in styles)
    allowed = " ".join(("'unsafe-hashes'", *(f"'sha256-{digest}'" for digest in digests))) if digests else "'none'"
    return (
        f"default-src 'none'; style-src {allowed}; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; sandbox"
    )
