"""Which results pages were measured with older code: each ends with a mark, the modules behind it and their digest.

``python docs/make/stale_pages.py`` lists the pages whose code has changed since (``make docs`` does so, too);
``python docs/make/stale_pages.py --mark NAME...`` renews the marks of pages that were just measured again.
"""

from __future__ import annotations

import hashlib
import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Modules (files or folders below ``src/dupai``) and the digest of their code.
_MARK = re.compile(r"<!-- measured with (?P<modules>.+?): (?P<digest>[0-9a-f]{16}) -->")
#: Tokens that say nothing of what a program does.
_ASIDE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
#: No pages of figures.
UNMARKED = {"index.md"}


def code_text(source: bytes) -> str:
    """A module's code without comments, docstrings and spaces."""
    words, begins = [], True
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if not (token.type in _ASIDE or (begins and token.type == tokenize.STRING)):
            words.append("".join(token.string.split()))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins = token.type in _ASIDE
    return " ".join(words)


def module_files(module: str, package: Path) -> list[Path]:
    """The files of a module: itself, or all in the folder but machine code and caches."""
    place = package / module
    if place.is_file():
        return [place]
    files = (path for path in place.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path for path in files if path.suffix not in (".pack", ".xz", ".pyc"))


def code_digest(modules: Iterable[str], package: Path) -> str:
    """The digest of what modules do: of their code, and of the data files beside it.

    Raises:
        SystemExit: a module has no files.
    """
    state = hashlib.blake2b(digest_size=8)
    for module in modules:
        files = module_files(module, package)
        if not files:
            raise SystemExit(f"{module}: there is no such module below {package}")
        for path in files:
            data = path.read_bytes()
            state.update(code_text(data).encode() if path.suffix == ".py" else data)
    return state.hexdigest()


def mark(modules: Iterable[str], package: Path = ROOT / "src/dupai") -> str:
    """The mark of a page that is measured now."""
    modules = list(modules)
    return f"<!-- measured with {', '.join(modules)}: {code_digest(modules, package)} -->"


def page_mark(text: str) -> tuple[list[str], str] | None:
    """The modules and the digest of a page; None: it has no mark."""
    match = _MARK.search(text)
    return match and (match["modules"].split(", "), match["digest"])


def stale_pages(root: Path = ROOT) -> Iterator[tuple[str, list[str]]]:
    """Names of the pages whose code has changed since they were measured, and the modules."""
    for path in sorted((root / "docs/results").glob("*.md")):
        marked = page_mark(path.read_text(encoding="utf-8"))
        if marked and code_digest(marked[0], root / "src/dupai") != marked[1]:
            yield path.stem, marked[0]


def renew(name: str, root: Path = ROOT) -> None:
    """Give a page that was measured again the mark of today's code."""
    path = root / f"docs/results/{name}.md"
    text = path.read_text(encoding="utf-8")
    marked = page_mark(text)
    if marked is None:
        raise SystemExit(f"{path}: has no mark: expected a line <!-- measured with MODULE, ...: DIGEST -->")
    path.write_text(_MARK.sub(lambda _: mark(marked[0], root / "src/dupai"), text), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--mark"]:
        for page in sys.argv[2:]:
            renew(page)
    elif stale := list(stale_pages()):
        print("results pages whose code has changed since they were measured:")
        for page, names in stale:
            print(f"  {page} ({', '.join(names)})")
