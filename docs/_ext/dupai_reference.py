"""Sphinx extension: the reference pages, written from the code at build time.

* ``reference/api/FLOOR.md``: every public name of a floor's front door, in groups, from its docstring.
* ``reference/commands/COMMAND.md``: every command with its arguments and options, from the command line itself.
* ``reference/reasons.md``: the codes of reasons with their words in every language, from the catalogues.

Docstrings that docutils cannot parse are shown as plain text, so that a docstring never breaks the build.
"""

from __future__ import annotations

import inspect
import io
import re
from importlib import import_module
from pathlib import Path
from types import GenericAlias
from typing import Any

from docutils.core import publish_doctree

#: Top floor first, as in the architecture.
FLOORS = (
    "cli", "web", "engine", "bench", "experiments", "arena", "acpc", "env", "agents", "training", "reading", "cfr",
    "history", "notation", "stats", "games", "spots", "rules", "equity", "ranges", "cards", "jobs", "base",
)  # fmt: skip

_WARNINGS = re.compile(r"\((WARNING|ERROR|SEVERE)/\d\)")


#: Sphinx's own roles and fields mean nothing to docutils alone.
_ROLE = re.compile(r":[a-z:]+:`")


def _parses(lines: list[str]) -> bool:
    """Whether docutils reads these lines without a warning."""
    stream = io.StringIO()
    settings = {"warning_stream": stream, "report_level": 2, "halt_level": 5, "file_insertion_enabled": False}
    publish_doctree(_ROLE.sub("`", "\n".join(lines)), settings_overrides=settings)
    return _WARNINGS.search(stream.getvalue()) is None


def _make_safe(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Show a docstring that docutils cannot parse as a line block of plain text."""
    if any(line.strip() for line in lines) and not _parses(lines):
        escaped = [re.sub(r"([\\*`|_])", r"\\\1", line.replace("``", "")) for line in lines]
        lines[:] = [f"| {line}" if line.strip() else "|" for line in escaped] + [""]


def _is_kernel(value: Any) -> bool:
    return hasattr(value, "py_func")


def _skip_aliases(app: Any, what: str, name: str, obj: Any, skip: bool, options: Any) -> bool | None:
    """Fields of named tuples have no docstring of their own: the class describes them."""
    return True if (getattr(obj, "__doc__", None) or "").startswith("Alias for field number") else None


#: Classes and functions by identity, and the lowest floor that exports them: they are described there.
_HOME: dict[int, str] = {}


def _public(module: Any) -> dict[str, list[str]]:
    """Names of ``__all__`` by kind."""
    groups: dict[str, list[str]] = {"Classes": [], "Functions": [], "Kernels": [], "Data": [], "From other floors": []}
    for name in module.__all__:
        value = getattr(module, name)
        described = hasattr(value, "__module__") and hasattr(value, "__name__") and not isinstance(value, GenericAlias)
        if described and _HOME.setdefault(id(value), module.__name__) != module.__name__:
            groups["From other floors"].append(name)
        elif isinstance(value, GenericAlias):
            groups["Data"].append(name)  # an array type: NumPy's own page describes it
        elif inspect.isclass(value):
            groups["Classes"].append(name)
        elif _is_kernel(value):
            groups["Kernels"].append(name)
        elif callable(value) and hasattr(value, "__module__") and inspect.getdoc(value) and hasattr(value, "__name__"):
            groups["Functions"].append(name)
        else:
            groups["Data"].append(name)
    return groups


def _kernel_lines(module: str, name: str, value: Any) -> list[str]:
    signature = str(inspect.signature(value.py_func)).replace("'", "")
    signature = re.sub(r": Any| -> Any", "", signature)
    lines = (inspect.getdoc(value.py_func) or "").splitlines()
    _make_safe(None, "function", name, value, None, lines)
    return [f".. py:function:: {module}.{name}{signature}", "", *("   " + line for line in lines), ""]


def _data_text(value: Any) -> str:
    text = repr(value) if isinstance(value, (int, float, str, tuple, GenericAlias)) else type(value).__name__
    if type(value).__name__ == "ndarray":
        text = f"{value.dtype} array of shape {value.shape}"
    return text if len(text) <= 90 else text[:87] + "..."


def _floor_page(floor: str) -> str:
    module = import_module(f"dupai.{floor}")
    out = [f"# dupai.{floor}", "", "```{eval-rst}", f".. py:module:: dupai.{floor}", ""]
    lines = (module.__doc__ or "").strip().splitlines()
    lines = inspect.cleandoc("\n".join(lines)).splitlines()
    _make_safe(None, "module", floor, module, None, lines)
    out += [*lines, "", "```", ""]
    for title, names in _public(module).items():
        if not names:
            continue
        out += [f"## {title}", ""]
        if title == "Data":
            out += ["| name | value |", "| --- | --- |"]
            out += [f"| `{n}` | `{_data_text(getattr(module, n)).replace('|', '/')}` |" for n in names]
            out.append("")
            continue
        if title == "From other floors":
            out += [f"* `{n}`: see `{_HOME[id(getattr(module, n))]}`" for n in names] + [""]
            continue
        out.append("```{eval-rst}")
        for name in names:
            if title == "Classes":
                out += [f".. autoclass:: dupai.{floor}.{name}", "   :members:", ""]
            elif title == "Functions":
                out += [f".. autofunction:: dupai.{floor}.{name}", ""]
            else:
                out += _kernel_lines(f"dupai.{floor}", name, getattr(module, name))
        out += ["```", ""]
    return "\n".join(out)


def _command_lines(command: Any, path: str, level: int) -> list[str]:
    """A command as Markdown: what it does, its usage, arguments, options and commands."""
    context = command.context_class(command, info_name=path, max_content_width=100)
    help_text = command.get_help(context)
    out = [f"{'#' * level} {path}", "", "```text", help_text.rstrip(), "```", ""]
    for name, sub in getattr(command, "commands", {}).items():
        out += _command_lines(sub, f"{path} {name}", min(level + 1, 4))
    return out


def _reasons_page() -> str:
    """The closed set of codes by which our agents explain themselves."""
    from dupai.notation import LANGUAGES, load_catalogue

    texts = [load_catalogue(language).reasons for language in LANGUAGES]
    return (
        "# Reasons\n\nAn agent explains a decision by reasons: a code with values (`dupai.notation.Reason`). "
        "These are the codes of our agents, and the words that `dupai.notation.reason_words` makes of them. "
        "`{rate:%}` is the place of a value. An agent of another package may use a code of its own with a plain "
        "`text`, which is then shown in every language.\n\n"
        f"| code | {' | '.join(LANGUAGES)} |\n|{' --- |' * (len(LANGUAGES) + 1)}\n"
        + "".join(f"| `{code}` | {' | '.join(one[code] for one in texts)} |\n" for code in texts[0])
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _write_reference(app: Any) -> None:
    import typer

    from dupai.cli import app as dupai_app

    folder = Path(app.srcdir) / "reference"
    wanted = set()
    floors = [f for f in FLOORS if f not in ("cli", "web")]
    source = Path(import_module("dupai").__file__ or "").parent
    for floor in [f for f in reversed(floors) if (source / f / "__init__.py").exists()]:
        _write(folder / "api" / f"{floor}.md", _floor_page(floor))
        wanted.add(folder / "api" / f"{floor}.md")
    command = typer.main.get_command(dupai_app)
    for name, sub in command.commands.items():  # type: ignore[attr-defined]
        _write(folder / "commands" / f"{name}.md", "\n".join(_command_lines(sub, f"dupai {name}", 1)))
        wanted.add(folder / "commands" / f"{name}.md")
    _write(folder / "reasons.md", _reasons_page())
    for old in [*folder.glob("api/*.md"), *folder.glob("commands/*.md")]:
        if old not in wanted:
            old.unlink()
    _write(
        folder / "api.md",
        "# Python API\n\nOne page for each floor: what its front door exports. The floors above import from those "
        "below.\n\nThe names that most programs need are also in `dupai` itself: `equity`, `win_rate`, `win_rates`, "
        "`outs`, `describe`, `Card`, `Hand`, `Board`, `Range`, `play`.\n\n"
        "```{toctree}\n:maxdepth: 1\n\n"
        + "\n".join(f"api/{f}" for f in floors if (folder / "api" / f"{f}.md") in wanted)
        + "\n```\n",
    )
    summaries = [
        f"| [`{name}`](commands/{name}.md) | {(sub.short_help or sub.get_short_help_str(200)).rstrip('.')} |"
        for name, sub in command.commands.items()  # type: ignore[attr-defined]
    ]
    _write(
        folder / "commands.md",
        "# Commands\n\nThese pages are the `--help` texts of `dupai` itself.\n\n| command | |\n| --- | --- |\n"
        + "\n".join(summaries)
        + "\n\n```{toctree}\n:hidden:\n\n"
        + "\n".join(f"commands/{n}" for n in command.commands)  # type: ignore[attr-defined]
        + "\n```\n",
    )


def setup(app: Any) -> dict[str, Any]:
    app.connect("builder-inited", _write_reference)
    app.connect("autodoc-skip-member", _skip_aliases)
    # after napoleon, which turns Args: and the like into lists
    app.connect("autodoc-process-docstring", _make_safe, priority=900)
    return {"version": "1", "parallel_read_safe": True}
