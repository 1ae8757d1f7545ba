"""Write ``docs/results/papers.md`` from the ``results.json`` files of ``dupai reproduce all --quick``.

Usage: python docs/make/papers_page.py FOLDER... > docs/results/papers.md

A folder is one of a paper (``results/fold-quick``). Verdicts are those that the experiments computed; nothing is
written by hand.
"""

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from stale_pages import mark

from dupai.experiments import (
    COMPARED,
    PaperResult,
    PartResult,
    Row,
    Value,
    gaps,
    row_texts,
    run_text,
    value_text,
    verdict_counts,
)

#: What the page measures.
MODULES = (
    *(f"agents/{name}" for name in ("_experience", "_fold", "_mcts", "_rules.py", "_style.py", "_swarm")),
    "reading/_fold",
    "experiments",
)
#: Larger tables are left to the report itself; so are all but the first two of a part.
LONGEST, TABLES = 1_500, 2

INTRO = """# Papers: printed figures beside ours

`dupai reproduce all --quick` makes a report of all papers, and this page is its summary: every printed figure with its
verdict, and the smaller tables. **These are quick runs**: few hands and matches, so intervals are wide, and many
comparisons say *cannot be compared*. `dupai reproduce all --full` plays at the papers' sizes or larger. The pages of
the papers hold larger runs, and the report itself the other tables, the charts and every player with all options.

Verdicts are computed by rule, and two-sided: *agrees* (the printed figure lies in our 95 % interval, or ours rounds to
it; where the paper measured a single run, in the interval of both errors, its own taken to be that of one run of ours),
*ordering agrees* (the value does not, but the order that the paper states is significant), *differs* (with the factor),
*cannot be compared* (something is missing, or our interval holds the printed figure but is wider than it, so that it
says little). The column "from" has the sizes: hands, and seeds, matches or cases. Times depend on the machine and on
what else it does.
"""


def read_results(folders: Iterable[str]) -> list[PaperResult]:
    """The results that runs have left in folders."""
    texts = ((Path(folder) / "results.json").read_text(encoding="utf-8") for folder in folders)
    return [msgspec.convert(json.loads(text, object_hook=_estimate), PaperResult) for text in texts]


def _estimate(fields: dict[str, Any]) -> Any:
    """An estimate as msgspec reads it; the error of a single observation, which JSON has as null, is unknown."""
    if fields.keys() != {"mean", "se", "n"}:
        return fields
    return [*(math.nan if fields[key] is None else fields[key] for key in ("mean", "se")), fields["n"]]


def table_lines(columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    """A table in Markdown."""
    yield "| " + " | ".join(columns) + " |"
    yield "|" + " --- |" * len(columns)
    for row in rows:
        yield "| " + " | ".join(value_text(v).replace("|", r"\|") for v in row) + " |"


def compared(rows: Iterable[Row]) -> Iterator[str]:
    """Printed figures and ours with their verdicts."""
    yield from table_lines(COMPARED, map(row_texts, rows))


def _part(part: PartResult) -> Iterator[str]:
    section = part.section
    if section is None:
        yield f"### {part.title}\n\nNot run: {part.missing or 'nothing of it is done'}.\n"
        return
    tables = ["\n".join(table_lines(t.columns, t.rows)) for t in section.tables]
    short = [(t, text) for t, text in zip(section.tables, tables, strict=True) if len(text) <= LONGEST][:TABLES]
    judged = [row for row in section.rows if row.verdict is not None]
    if not judged and not short:
        return
    yield f"### {part.title}\n"
    if judged:
        yield "\n".join(compared(judged)) + "\n"
    for table, text in short:
        yield f"{table.title}:\n\n{text}\n" + (f"\n{table.note}\n" if table.note else "")


def main(folders: Sequence[str]) -> None:
    results = read_results(folders)
    print(INTRO)
    counts = [(r.title, *(str(n or "") for n in verdict_counts([r]).values())) for r in results]
    print("\n".join(table_lines(("paper", *verdict_counts([])), [one for one in counts if any(one[1:])])) + "\n")
    if missing := gaps(results):
        print("Missing:\n\n" + "\n".join(f"* {line}" for line in missing) + "\n")
    for result in results:
        print(f"## {result.title}\n\n{run_text(result)}\n")
        for part in result.parts:
            for block in _part(part):
                print(block)
    print(mark(MODULES))


if __name__ == "__main__":
    main(sys.argv[1:])
