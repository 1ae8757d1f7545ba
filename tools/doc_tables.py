"""The tables of two reference pages, written from the schema of the store and the definitions of the statistics.

``python tools/doc_tables.py`` writes them into the pages, between their marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from dupai.base.files import write_whole
from dupai.history._schema import TABLES
from dupai.history._tracker._definitions import DEFINITIONS

_BEGIN, _END = "<!-- tables written by python tools/doc_tables.py -->\n", "<!-- end -->\n"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)


def store_tables() -> str:
    """The columns of the store's tables, for ``hand-store.md``."""
    return "\n".join(
        f"## {name}\n\n"
        + _table(
            ("column", "type", "contents"),
            ((f"`{c.name}`", c.type + (", null" if c.nullable else ""), c.about) for c in columns),
        )
        for name, columns in TABLES.items()
    )


def statistics_table() -> str:
    """The definitions of the statistics, for ``player-statistics.md``."""
    return _table(
        ("name", "statistic", "an opportunity is", "done when the player", "as in"),
        ((f"`{d.name}`", d.title, d.opportunity, d.success, d.source) for d in DEFINITIONS),
    )


def page_with(page: str, tables: str) -> str:
    """The text of a page with these tables between its marks."""
    return re.sub(f"{re.escape(_BEGIN)}.*?{re.escape(_END)}", lambda _: f"{_BEGIN}\n{tables}\n{_END}", page, flags=re.S)


#: The pages by name, with what makes their tables.
PAGES = {"hand-store.md": store_tables, "player-statistics.md": statistics_table}


if __name__ == "__main__":
    for name, tables in PAGES.items():
        path = Path(__file__).parents[1] / "docs" / "reference" / name
        write_whole(path, page_with(path.read_text(encoding="utf-8"), tables()))
