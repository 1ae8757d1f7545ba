"""Example data that ships with the package: a match, hands, spots and a range, each by its name."""

from __future__ import annotations

import re
from pathlib import Path

from dupai.base._errors import ConfigError
from dupai.base._nearest import nearest

#: The folder of the files.
EXAMPLES = Path(__file__).parents[1] / "example_data"
_NAMED = re.compile(r"(?:^|(?<=[@=]))example:([\w-]*)$")


def example(name: str) -> Path:
    """The file of an example.

    Args:
        name: ``match`` (a log of 60 hands between six agents), ``hands`` (20 of them as PHH), ``site`` (the same as a
            poker site writes them), ``river``, ``turn``, ``flop`` (spots to solve), ``button`` (a range) or
            ``fold`` (the worked hand of FOLD's paper).

    Raises:
        ConfigError: there is no such example.
    """
    files = {path.stem: path for path in sorted(EXAMPLES.iterdir()) if path.suffix != ".py"}
    if name not in files:
        raise ConfigError(f"example:{name}: {nearest(name, files)}", key="example", text=name)
    return files[name]


def with_examples(word: str) -> str:
    """A word of the command line with the file in place of ``example:NAME``.

    Raises:
        ConfigError: there is no such example.
    """
    return _NAMED.sub(lambda match: str(example(match[1])), word)
