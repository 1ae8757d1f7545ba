"""Every command of README and docs/ as it can be run, and why some are not."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from dupai.base import example
from dupai.cli import app, main
from support.shared_data import SHARED

ROOT = Path(__file__).parents[2]
GENERATED = {"_build", "api", "commands"}
PAGES = [
    ROOT / "README.md",
    *sorted(p for p in (ROOT / "docs").rglob("*.md") if not GENERATED & set(p.relative_to(ROOT / "docs").parts)),
]
#: Words that stand for something else: a line with one is a form, not a command.
_FORM = re.compile(
    r"(?:^|[\s=(:/])(?:A|B|S|N|P|R|G|IN|OUT|FILE|FILES|DIR|FOLDER|LOG|HAND|NAME|AGENT|READER|STORE|PAPER|SETS|MATCH|HOST|"
    r"PORT|GAME|ADDRESS|SPOT\.toml|SPEC|COMMAND|TABLE|BOARDS|LIST|RUN|HASH|\w+\.\.\.|\.\.\.)(?=$|[\s,.:=/)])|\[|\||\.\.\.|…|<|\*"
)
#: Commands that wait for somebody, or use what only their page's reader has.
ELSEWHERE = re.compile(
    r"acpc (?:join|bridge|deal (?!.*ann=))|dupai (?:play|web|engine)\b|acpc:|scout|model=cnn|cnn:file|ray|\.solve\b|"
    r"train |b100\.npz|NEW OLD"
)
#: Commands of hours.
HOURS = re.compile(r"--full|reproduce(?! fold --quick --jobs| \w+ --list)|bench|400000|--matches [1-9]\d\d")
#: Commands that take no time beyond what their kernels need to compile.
QUICK = re.compile(
    r"equity|--help|example:|agents$|doctor|readers$|advise --(?:state|agent (?:rules|expert))|kuhn|--list"
)
#: Commands of many seconds though they look quick.
NOT_QUICK = re.compile(r"score|flop|--compile")


#: Commands that are only named, though they could run as they stand.
NAMED = {
    f"dupai {name}" for name in ("match", "ladder", "tournament", "exploit", "pushfold", "match --luck-reduced")
} | {"dupai read matches/seed-7"}


class Command(NamedTuple):
    """A command and the page that it stands on."""

    page: str
    text: str


def commands() -> list[Command]:
    """All commands of all pages, each once: lines of fences (continued ones joined) and code in backticks."""
    found: dict[str, Command] = {}
    for page in PAGES:
        text, name = page.read_text(encoding="utf-8"), str(page.relative_to(ROOT))
        lines: list[str] = []
        for block in re.findall(r"^```(?:sh|console|text)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            joined = re.sub(r"\\\n\s*|\n {4,}(?=\S)", " ", block)
            lines += re.findall(r"^(?:\$ )?(dupai [^\n]*)", joined, re.MULTILINE)
        inline = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        lines += [" ".join(code.split()) for code in re.findall(r"`(dupai [^`]+)`", inline)]
        for line in lines:
            command = re.sub(r"\s+#\s.*|\s+&$", "", line).strip()
            found.setdefault(command, Command(name, command))
    return [c for c in found.values() if not re.match(r"dupai [\w-]+: ", c.text)]


def is_form(text: str) -> bool:
    """Whether it shows the form of a command, or only names one, instead of one to run."""
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "''", text)
    if _FORM.search(bare) or text in NAMED:
        return True
    node: Any = typer.main.get_command(app)
    words = shlex.split(text)[1:]
    while getattr(node, "commands", None) and words and words[0] in node.commands:
        node = node.commands[words.pop(0)]
    if "--help" in words or text == "dupai agents" or (getattr(node, "usual", None) and words):
        return False
    try:
        node.make_context("dupai", words)
    except Exception:  # noqa: BLE001 - an argument is missing: the text names the command
        return True
    return bool(getattr(node, "commands", None))


def kind(command: Command) -> str:
    """``quick``, ``long``, or why it is not run: ``form``, ``record`` (how a results page was made), ``hours``,
    ``elsewhere``."""
    text = command.text
    if is_form(text):
        return "form"
    if command.page.startswith("docs/results/"):
        return "record"
    for name, pattern in (("elsewhere", ELSEWHERE), ("hours", HOURS)):
        if pattern.search(text):
            return name
    return "quick" if QUICK.search(text) and not NOT_QUICK.search(text) else "long"


def logs(text: str) -> list[str]:
    """Names of real logs in a command."""
    return re.findall(r"[\w.-]+\.xz", text)


def run(command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a command in an empty folder and return what it printed on standard output.

    Real logs that it names are linked into the folder; the test is skipped where they are not there.
    """
    monkeypatch.chdir(folder)
    for name in logs(command.text):
        real = next(iter(sorted(SHARED.glob(f"data/**/{name}"))), None)
        if real is None:
            pytest.skip(f"{name} is not there: set DUPAI_SHARED to the folder that has data/ with the shared logs")
        (folder / name).symlink_to(real)
    (folder / "river.toml").write_text(example("river").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.delenv("COLUMNS", raising=False)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(shlex.split(command.text)[1:])
    assert code == 0, f"{command.page}: {command.text}: exit code {code}: {err.getvalue()[-500:]}"
    return out.getvalue()


def widest(text: str) -> str:
    """The widest line of a text, but for words that cannot be broken."""
    lines = [line.rstrip() for line in text.splitlines() if " " in line.strip()]
    return max(lines, key=len, default="")
