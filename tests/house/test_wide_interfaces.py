"""Nothing is too wide: functions of more than 12 parameters and structures of more than 15 fields are grouped."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SRC = Path(__file__).parents[2] / "src" / "dupai"
#: Structures whose fields are one flat list because their outer form is, each with its reason.
WIDE = {
    "MctsOptions": "the options of a spec are one flat list: dupai.base.Option",
    "SwarmOptions": "the options of a spec are one flat list: dupai.base.Option",
    "SavedMatch": "a record of a match: the form of match.json",
    "Manifest": "a record of an import: the form of a store's manifest",
    "ImportReport": "a report: one field for each count that is printed",
    "Journal": "the state of an import: one field for each count that is printed",
    "Leak": "a row of a table: one field for each column",
    "WatchedStreet": "a street of a reading as it is printed: one field for each line",
}


@cache
def parsed() -> list[tuple[str, list[ast.AST]]]:
    return [
        (path.relative_to(SRC).as_posix(), list(ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
        for path in sorted(SRC.rglob("*.py"))
    ]


def trees() -> Iterator[tuple[str, ast.AST]]:
    for path, nodes in parsed():
        for node in nodes:
            yield path, node


def test_functions_take_at_most_12_parameters() -> None:
    # The parameters of a command are its options; its settings are one structure from there on (cli/_shared.py).
    wide = []
    for path, node in trees():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not path.startswith("cli/"):
            arguments = node.args
            if len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs) > 12:
                wide.append(f"{path}: {node.name}")
    assert not wide


def test_structures_have_at_most_15_fields() -> None:
    wide = {}
    for path, node in trees():
        if isinstance(node, ast.ClassDef):
            fields = [line for line in node.body if isinstance(line, ast.AnnAssign)]
            if len(fields) > 15:
                wide[node.name] = path
    assert set(wide) == set(WIDE), wide
