"""The tables of docs/results/readers.md from documents of ``dupai read score ... --json``.

Usage: python docs/make/reading_results.py OBSERVER.json [SEAT.json]
"""

from __future__ import annotations

import json
import sys
from typing import Any

STREETS = ("pre-flop", "flop", "turn", "river")
LEFT_OUT = ("Pluribus", "Pluribus table, humans")
#: The trained reader, with and without habits, and its variant for hands that were shown.
MODELS = ("model", "model:adapt=off", "model:population=shown", "model:population=shown,adapt=off")
#: Pairs that are told: the second is what the first is measured against.
PAIRS = (
    ("fold:constants=fitted", "fold"),
    ("fold:constants=fitted", "start-table"),
    ("fold", "fold:adapt=off"),
    ("fold:constants=fitted,trust=1", "fold:constants=fitted"),
    *((model, than) for model in MODELS for than in ("start-table", "fold:constants=fitted")),
)


def bits(row: dict[str, Any] | None, sign: str = "") -> str:
    if row is None or row["bits"] is None:
        return "-"
    text = f"{row['bits']:{sign}.3f}±{row['se']:.3f}"
    if row.get("se_person") is not None:
        text += f" (±{row['se_person']:.3f})"
    return text if sign else f"{text} ({row['cases']})"


def shares(row: dict[str, Any] | None, names: tuple[str, ...]) -> str:
    return "-" if row is None else "/".join(f"{100 * row[name]:.0f}" for name in names)


def of(lines: list[dict[str, Any]], **wanted: str) -> list[dict[str, Any]]:
    return [r for r in lines if all(r[k] == v for k, v in wanted.items())]


def table(report: dict[str, Any], view: str, rows: str) -> list[str]:
    found = of(report["scores"], view=view, rows=rows)
    groups = [g for g in dict.fromkeys(r["group"] for r in found) if g not in LEFT_OUT]
    if rows == "folder":
        groups = [g for g in groups if g == "all sets"]
    lines = [
        f"| group | reader | {' | '.join(STREETS)} | in the 50/80/95 % set | class in top 1/2/3 |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for group in groups:
        for reader in report["readers"]:
            if reader == "uniform":  # 0 by definition
                continue
            at = {r["street"]: r for r in of(found, group=group, reader=reader)}
            if not at:
                continue
            cells = [bits(at.get(s)) for s in STREETS]
            after = at.get("post-flop")
            cells += [shares(after, ("cover50", "cover80", "cover95")), shares(after, ("top1", "top2", "top3"))]
            lines.append(f"| {group} | `{reader}` | {' | '.join(cells)} |")
    return lines


def pairs(report: dict[str, Any], view: str) -> list[str]:
    found = of(report["pairs"], view=view, rows="main")
    lines = [f"| group | difference | {' | '.join(STREETS)} |", "| --- | --- | --- | --- | --- | --- |"]
    for group in dict.fromkeys(r["group"] for r in found):
        for one, other in PAIRS:
            for reader, than, turn in ((one, other, 1), (other, one, -1)):
                at = {
                    r["street"]: {**r, "bits": turn * r["bits"]}
                    for r in of(found, group=group, reader=reader, than=than)
                }
                if at and group not in LEFT_OUT:
                    cells = " | ".join(bits(at.get(s), "+") for s in STREETS)
                    lines.append(f"| {group} | `{one}` - `{other}` | {cells} |")
    return lines


def main(files: list[str]) -> None:
    for file in files:
        with open(file) as opened:
            report = json.load(opened)
        for view in dict.fromkeys(r["view"] for r in report["scores"]):
            print(f"\n**{view}'s view, still in the hand at the end of the street**\n")
            print("\n".join(table(report, view, "main")))
            print(f"\n**{view}'s view, folded on the street**\n")
            print("\n".join(table(report, view, "folder")))
            print(f"\n**{view}'s view, paired differences in bits**\n")
            print("\n".join(pairs(report, view)))


if __name__ == "__main__":
    main(sys.argv[1:])
