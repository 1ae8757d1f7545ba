"""The table of docs/results/real-logs.md: hands of each site, how many are read, unproven, and left out by cause.

    python docs/make/site_table.py [FOLDER] [--write]

FOLDER holds a folder of texts for each site (default: ``sites`` of the shared data); ``--write`` puts the table into
the page.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from dupai.history import LogFile, shared_file, text_lines
from dupai.notation import read_sites

PAGE = Path(__file__).parents[1] / "results" / "real-logs.md"
BEGIN, END = "<!-- sites: docs/make/site_table.py -->", "<!-- end of sites -->"


def cause(error: str) -> str:
    """What is wrong with a hand, without names, numbers and place."""
    words = error.partition(": ")[2]
    for pattern, named in (
        (r"([A-Z][\w/+ -]*): not hold'em", r"\1: not hold'em"),
        (r"money: .*|hand \d+: payoffs.*|nobody wins .*", "money that does not add up"),
        (r"an action is missing.*|.*ends before.*|out of turn.*", "an action is missing or out of turn"),
        (r".*(?:would be a call|refused).*", "an amount that the betting does not allow"),
        (r".*is not at the table.*|two players in one seat.*", "a player who is not at the table"),
        (r".*expected 2 to 10 who.*|nobody is in seat.*", "no players"),
        (r".*whole number of.*", "an amount that is no whole number"),
        (r".*cards (?:are )?on the board.*|.*dealt twice.*|.*other cards.*", "damaged cards"),
    ):
        if match := re.fullmatch(pattern, words):
            return match.expand(named)
    return re.sub(r"'[^']*'|\d[\d.,]*", "…", words)


def table(folder: Path) -> list[str]:
    """The lines of the table."""
    rows = ["| site | hands | read | unproven | left out |", "| --- | ---: | ---: | ---: | --- |"]
    total = Counter[str]()
    for site in sorted(p for p in folder.iterdir() if p.is_dir()):
        count, causes = Counter[str](), Counter[str]()
        for path in sorted(site.iterdir()):
            with LogFile(path) as file:
                for hand in read_sites(text_lines(file)):
                    count["hands"] += 1
                    if hand.record is None:
                        causes[cause(hand.error)] += 1
                    else:
                        count["read"] += 1
                        count["unproven"] += not hand.proven
        total += count
        out = "; ".join(f"{n} {what}" for what, n in causes.most_common())
        rows.append(f"| {site.name} | {count['hands']:,} | {count['read']:,} | {count['unproven']:,} | {out} |")
    rows.append(f"| all | {total['hands']:,} | {total['read']:,} | {total['unproven']:,} | |")
    return rows


def main() -> None:
    """Print the table, or write it into the page."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    lines = table(Path(words[0]) if words else shared_file("sites"))
    if "--write" not in sys.argv:
        print("\n".join(lines))
        return
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
