"""README and documentation are true: their Python runs, screens are what commands print, links and commands exist."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from dupai.base import MissingPackage
from dupai.cli import app, main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
#: Pages that are written from the code at build time need no check.
GENERATED = {"_build", "api", "commands", "api.md", "commands.md", "reasons.md"}
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if not GENERATED & set(p.relative_to(ROOT / "docs").parts)),
]
#: Their Python needs nothing but the package: it is run, page by page.
RUN = [ROOT / "docs" / "getting-started.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def test_readme_is_short() -> None:
    assert len(README.split()) <= 900


def test_python_examples_run_and_say_what_is_claimed() -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    names: dict[str, object] = {}
    lines = [line for line in code.splitlines() if line and not line.startswith("import")]
    exec("import dupai", names)
    values = {line.split("#")[0].strip(): eval(line, names) for line in lines}
    text = {k: str(v) for k, v in values.items()}
    assert text['dupai.describe("AsAdKh4d4h9c2s")'] == "two pair, aces and fours, king kicker"
    assert "81.255" in text['dupai.equity(["AcAd", "KhKs"])']
    assert "mbb/hand" in text['dupai.play("rules", "persona:bovada", hands=300)']


@pytest.mark.parametrize("page", [p for p in RUN if "```python\n" in p.read_text(encoding="utf-8")], ids=_name)
def test_python_of_the_guides_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(page), "exec"), names)


@pytest.mark.parametrize(
    ("page", "command"),
    [
        (page, command)
        for page in (ROOT / "README.md", ROOT / "docs" / "getting-started.md")
        for command in re.findall(
            r"^\$ (dupai (?:equity|advise) .*?)(?: +#.*)?$", page.read_text(encoding="utf-8"), re.MULTILINE
        )
    ],
)
def test_screens_are_what_the_command_prints(
    page: Path, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert main(shlex.split(command)[1:]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]
    assert "\n".join(printed) in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_to_files(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    files = [link for link in links if "://" not in link]
    missing = [link for link in files if not (page.parent / link).exists() and not GENERATED & set(Path(link).parts)]
    assert missing == []


def _commands(text: str) -> list[str]:
    """What the page says to run: ``dupai ...`` in fences, continued lines joined, and in backticks."""
    commands = []
    for block in re.findall(r"^```(?:sh|console|text)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        joined = re.sub(r"\\\n\s*|\n {4,}(?=\S)", " ", block)
        commands += re.findall(r"^(?:\$ )?(dupai [^\n]*)", joined, re.MULTILINE)
    inline = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return commands + [" ".join(found.split()) for found in re.findall(r"`(dupai [^`]+)`", inline)]


def _problem(command: str) -> str | None:
    """Why ``dupai`` would not know this command or one of its options."""
    words = re.sub(r"\s#.*", "", command).replace("|", " ").replace("[", " ").replace("]", " ").split()[1:]
    node: Any = typer.main.get_command(app)
    path = "dupai"
    while getattr(node, "commands", None) and words and not words[0].startswith("-"):
        word = words.pop(0).rstrip(",.:;")
        if word not in node.commands:
            usual = getattr(node, "usual", None)  # `dupai read LOG` is short for `dupai read hand LOG`
            if usual is None and word.islower() and word.isalpha():
                return f"{command!r}: {path} has no command {word!r}"
            node = node.commands[usual] if usual else node
            break
        node, path = node.commands[word], f"{path} {word}"
    known = {name for p in node.params for name in (*p.opts, *p.secondary_opts)} | {"--help", "-h", "--version"}
    for word in words:
        option = re.match(r"--[a-z][a-z-]*", word)
        if option and option[0].rstrip("-") not in known:
            return f"{command!r}: {path} has no option {option[0]}"
    return None


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_command_named_exists(page: Path) -> None:
    commands = _commands(page.read_text(encoding="utf-8"))
    assert [problem for problem in map(_problem, commands) if problem] == []


def test_the_readme_names_commands() -> None:
    assert len(_commands(README)) > 10
    assert _problem("dupai nothing") and _problem("dupai match a b --nothing 3")
    assert _problem("dupai match A B --duplicate") is None


def test_pages_named_in_the_code_exist() -> None:
    named = {
        (str(path.relative_to(ROOT)), page)
        for folder in ("src", "tests", "examples", ".ci")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".toml", ".rules", ".md")
        and path != Path(__file__)
        and "node_modules" not in path.parts
        for page in re.findall(r"docs/[\w/-]+\.md", path.read_text(encoding="utf-8"))
    }
    assert [(path, page) for path, page in sorted(named) if not (ROOT / page).exists()] == []


def test_files_named_in_the_pages_exist() -> None:
    named = {
        (_name(page), file)
        for page in PAGES
        for file in re.findall(r"`((?:src|tests|tools|docs|examples)/[\w./-]+\.\w+)`", page.read_text(encoding="utf-8"))
        if not re.search("NAME|FLOOR", file)  # a form
    }
    assert [(page, file) for page, file in sorted(named) if not (ROOT / file).exists()] == []


def _exists(module: str, name: str) -> bool:
    try:
        return hasattr(import_module(module), name)
    except MissingPackage:  # it is there, and needs an extra that is not installed
        return True


def test_python_names_in_the_pages_exist() -> None:
    missing = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        named = set(re.findall(r"\b(dupai(?:\.[a-z]\w*)*)\.([A-Z]\w+)\b", text))
        for module, names in re.findall(r"^from (dupai[\w.]*) import ([\w, ]+)$", text, re.MULTILINE):
            named |= {(module, name.strip()) for name in names.split(",")}
        missing += [f"{_name(page)}: {m}.{n}" for m, n in sorted(named) if not _exists(m, n)]
    assert missing == []


def test_the_architecture_lists_the_floors_of_the_contract() -> None:
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = layers["tool"]["importlinter"]["contracts"][0]["layers"]
    order = [name for layer in contract for name in re.findall(r"dupai\.(\w+)", layer)]
    there = [name for name in order if (ROOT / "src" / "dupai" / name).is_dir()]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == there
