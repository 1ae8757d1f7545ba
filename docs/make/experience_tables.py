"""Print the tables of ``docs/results/experience.md`` from the ``results.json`` files of ``dupai reproduce experience``.

Usage: python docs/make/experience_tables.py FOLDER...
"""

import sys

from papers_page import compared, read_results, table_lines

for result in read_results(sys.argv[1:]):
    for part in result.parts:
        if part.section is None:
            continue
        print(f"### {part.title}\n")
        print(*compared(part.section.rows), sep="\n")
        for table in part.section.tables:
            print(f"\n{table.title}:\n")
            print(*table_lines(table.columns, table.rows), sep="\n")
        print()
