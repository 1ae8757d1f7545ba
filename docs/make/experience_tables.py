"""Print the tables of ``docs/results/experience.md`` from the ``results.json`` files of ``dupai reproduce experience``.

Usage: python docs/make/experience_tables.py FOLDER...
"""

import json
import sys
from pathlib import Path

import msgspec

from dupai.experiments import Section, value_text


def lines(header, rows):
    yield "| " + " | ".join(header) + " |"
    yield "|" + " --- |" * len(header)
    for row in rows:
        yield "| " + " | ".join(value_text(v).replace("|", "/") for v in row) + " |"


for folder in sys.argv[1:]:
    for part in json.loads((Path(folder) / "results.json").read_text(encoding="utf-8"))["parts"]:
        if part["section"] is None:
            continue
        section = msgspec.convert(part["section"], Section)
        print(f"### {part['title']}\n")
        print(
            *lines(
                ("what", "paper", "ours, 95 %", "unit", "agrees", "note"),
                (
                    (r.label, r.paper, r.ours, r.unit, {None: "", True: "yes", False: "no"}[r.agrees], r.why)
                    for r in section.rows
                ),
            ),
            sep="\n",
        )
        for table in section.tables:
            print(f"\n{table.title}:\n")
            print(*lines(table.columns, table.rows), sep="\n")
        print()
