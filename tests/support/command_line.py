"""The commands of the command line, found from the command line itself, and what they are run on."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from dupai.base import Rng
from dupai.cli import app
from dupai.notation import write_phhs
from dupai.rules import load_game
from naive.history_hands import random_log, random_record

TWO = load_game("holdem.nolimit.2p")
SPOT = 'board = "Td9d6hQc2s"\noop = "AA, KJs"\nip = "QQ, ATs"\npot = 20\nstack = 20\n[sizes]\nbet = "a"\n'


def commands() -> dict[str, Any]:
    """All commands that can be run, by their words ("history verify")."""

    def below(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", None)
        if inner is None:
            yield " ".join(path), command
        for name in inner or ():
            yield from below(inner[name], (*path, name))

    return dict(below(typer.main.get_command(app), ()))


def text_parameters(command: Any) -> list[str]:
    """The parameters of a command that take text or a path, by name."""
    plain = (bool, int, float)
    names = []
    for parameter in command.params:
        kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)
        inner = getattr(kind, "__args__", None) or (kind,)
        if any(one in (str, Path) for one in inner) or not any(one in plain for one in inner):
            names.append(parameter.name)
    return [name for name in names if name not in ("help", "context")]


def write_log(file: Path, hands: int = 12, names: tuple[str, str] = ("Ann", "Bo"), seed: int = 5) -> str:
    """An ACPC log of random hands."""
    header = "# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 12 1"
    file.write_text("\n".join([header, *random_log(TWO, Rng(seed), hands, names=list(names))]) + "\n")
    return str(file)


def write_phh(file: Path, hands: int = 4, names: tuple[str, str] = ("Ann", "Bo")) -> str:
    """A PHH file of random hands."""
    records = [random_record(TWO, Rng(7, k), hand=k + 1, seats=(0, 1), names=list(names)) for k in range(hands)]
    file.write_text("".join(write_phhs(records)), encoding="utf-8")
    return str(file)


def write_text(file: Path, text: str) -> str:
    """A text file."""
    file.write_text(text, encoding="utf-8")
    return str(file)


def strict(text: str) -> Any:
    """One JSON document, without what JSON does not have."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    def number(word: str) -> float:
        value = float(word)
        assert math.isfinite(value), word
        return value

    return json.loads(text, parse_constant=refuse, parse_float=number)


#: A name that would clear the screen, change the title, ring, and turn the text round.
EVIL = "A\x1b[2J\x1b]0;t\x07\x9b1m\u202eb"


SHOWN = r"A\x1b[2J\x1b]0;t\x07\x9b1m\u202eb"
