"""What the linter of layers does not see: circles between modules, and layers broken by names in strings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import dupai

ROOT = Path(dupai.__file__).parent
SOURCES = {".".join(("dupai", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__"): path
           for path in ROOT.rglob("*.py")}  # fmt: skip
#: Lowest first; `agents` and `training` stand side by side.
FLOORS = (
    "base", "jobs", "cards", "ranges", "equity", "rules", "spots", "games", "stats", "notation", "history", "cfr",
    "reading", "playouts", "training", "agents", "env", "acpc", "arena", "experiments", "engine", "bench", "web", "cli",
)  # fmt: skip


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _statements(node: ast.AST, doors: bool) -> Iterator[ast.ImportFrom | ast.Import]:
    """Imports below a node, those inside functions too; of doors those that they hand on, else none for types alone."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom | ast.Import):
            yield child
        elif not (_for_types(child) and not doors):
            yield from _statements(child, doors)


def _targets(statement: ast.ImportFrom | ast.Import, doors: dict[str, dict[str, str]]) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
        return
    module = statement.module or ""
    for alias in statement.names:
        below = f"{module}.{alias.name}"
        yield doors.get(module, {}).get(alias.name, below if below in SOURCES else module)


def _imports() -> dict[str, set[str]]:
    """By module the modules that it imports; a name from a door leads to the module that it comes from."""
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in SOURCES.items()}
    doors = {
        name: {
            alias.asname or alias.name: statement.module or ""
            for statement in _statements(tree, doors=True)
            if isinstance(statement, ast.ImportFrom)
            for alias in statement.names
        }
        for name, tree in trees.items()
        if "lazy_exports(__name__)" in SOURCES[name].read_text(encoding="utf-8") and name != "dupai.base._lazy"
    }
    return {
        name: {
            target
            for statement in _statements(tree, doors=False)
            for target in _targets(statement, doors)
            if target in SOURCES and target != name
        }
        for name, tree in trees.items()
        if name not in doors
    }


def _circles(imports: dict[str, set[str]]) -> list[str]:
    """What can be reached from itself."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        todo = list(imports[start])
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo.extend(imports.get(name, ()))
        return seen

    return sorted(name for name in imports if name in reached(name))


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert _circles(_imports()) == []


def test_no_packages_of_a_floor_import_each_other_in_a_circle() -> None:
    def package(module: str) -> str:
        # Kernels of a floor are collected in one package, and each module of it stands for itself.
        parts = module.split(".")
        return ".".join(parts[: 4 if parts[2:3] == ["_kernels"] else 3])

    between: dict[str, set[str]] = {}
    for name, targets in _imports().items():
        between.setdefault(package(name), set()).update(map(package, targets))
    assert _circles({name: targets - {name} for name, targets in between.items()}) == []


def test_names_in_strings_obey_the_layers_too() -> None:
    upwards = []
    for name, path in SOURCES.items():
        floor = name.split(".")[1] if "." in name else "cli"
        if floor not in FLOORS:
            continue
        upwards += [
            (name, place)
            for place, other in re.findall(r"[\"'](dupai\.(\w+)[\w.]*:\w+)[\"']", path.read_text(encoding="utf-8"))
            if FLOORS.index(other) > FLOORS.index(floor)
        ]
    assert upwards == []


def test_the_floors_are_all_there() -> None:
    assert set(FLOORS) == {path.parent.name for path in ROOT.glob("*/__init__.py")}
