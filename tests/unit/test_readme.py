"""The README is true: its Python runs, its screen is what the command prints, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dupai.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_python_examples_run_and_say_what_is_claimed() -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    names: dict[str, object] = {}
    lines = [line for line in code.splitlines() if line and not line.startswith("import")]
    exec("import dupai", names)
    values = {line.split("#")[0].strip(): eval(line, names) for line in lines}
    text = {k: str(v) for k, v in values.items()}
    assert text['dupai.describe("AsAdKh4d4h9c2s")'] == "two pair, aces and fours, king kicker"
    assert "81.255" in text['dupai.equity(["AcAd", "KhKs"])']
    assert "mbb/hand" in text['dupai.play("rules", "style:TA", hands=1000)']


@pytest.mark.parametrize("command", re.findall(r"^\$ (dupai equity .*?)(?: +#.*)?$", README, re.MULTILINE))
def test_screens_are_what_the_command_prints(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)[1:]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.strip().splitlines()]
    assert "\n".join(printed) in README


def test_links_lead_to_files() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_command_named_exists(capsys: pytest.CaptureFixture[str]) -> None:
    main([])
    known = set(re.findall(r"^  ([a-z-]+)  ", capsys.readouterr().out, re.MULTILINE))
    named = set(re.findall(r"\bdupai ([a-z-]+)", README))
    assert {"run", "equity", "match"} <= named <= known
