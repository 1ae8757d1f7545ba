"""ACPC ``.game`` files."""

from __future__ import annotations

import re
from importlib import resources
from os import PathLike
from pathlib import Path

from dupai.base import ConfigError
from dupai.base.files import read_text
from dupai.base.text import nearest, whole_number
from dupai.rules._layout import STREETS, UNLIMITED
from dupai.rules._spec import GameSpec

#: The cards of Texas hold'em; anything else is another game.
_HOLDEM = {"numRounds": (4,), "numSuits": (4,), "numRanks": (13,), "numHoleCards": (2,), "numBoardCards": (0, 3, 1, 1)}
_KEYS = ("stack", "blind", "raiseSize", "limit", "nolimit", "numPlayers", "firstPlayer", "maxRaises", *_HOLDEM)
#: The reference dealer's default number of raises a round.
_MAX_RAISES = 255


def game_names() -> tuple[str, ...]:
    """Names of the games that ship with the package: ``holdem.nolimit.2p``, ..."""
    files = resources.files("dupai.rules").joinpath("games").iterdir()
    names = [f.name.removesuffix(".game") for f in files if f.name.endswith(".game")]
    return tuple(sorted(names, key=lambda n: (n.rsplit(".", 1)[0], len(n), n)))


def load_game(game: str | PathLike[str], *, files: bool = True) -> GameSpec:
    """Load an ACPC game: the path of a ``.game`` file or the name of a shipped one (``holdem.nolimit.2p``; the names
    of the reference files, ``holdem.nolimit.2p.reverse_blinds.game`` and so on, lead to the same games).

    Positions, blinds and raise caps are those of the file, ``odd_chips`` and ``min_raise`` are ``"acpc"``.

    Args:
        game: the path or the name.
        files: False: the name of a shipped game only, for text that comes from a file and must not open another.

    Raises:
        FileError: the file cannot be read.
        ConfigError: an unknown name (gives the nearest), settings that make no sense, or a game that is not Texas
            hold'em.
    """
    text = str(game)
    path = Path(text)
    try:
        exists = files and path.is_file()
    except (OSError, ValueError):  # text that cannot be a path
        exists = False
    if exists:
        return _parse(read_text(path, "game file"), text)
    names = game_names()
    name = text.removesuffix(".game").removesuffix(".reverse_blinds")
    if name in names and not isinstance(game, PathLike):
        shipped = resources.files("dupai.rules").joinpath("games", f"{name}.game")
        return _parse(shipped.read_text(encoding="utf-8"), name)
    hint = nearest(name, names, f"shipped games: {', '.join(names)}")
    raise ConfigError(f"{text!r} is {'neither a game file nor' if files else 'not'} a shipped game; {hint}")


def _values(rest: str, where: str) -> tuple[int, ...]:
    numbers = []
    for token in rest.lstrip().removeprefix("=").split():
        number = whole_number(token.removeprefix("-"))
        if number is not None:
            numbers.append(-number if token[0] == "-" else number)
        elif token[0].isdigit():
            raise ConfigError(f"{where}: {token!r} is not a whole number", text=token)
        else:
            break
    return tuple(numbers)


def _read(text: str, name: str) -> dict[str, tuple[int, ...]]:
    keys = {k.lower(): k for k in _KEYS}
    settings: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.lower().startswith("end gamedef"):
            break
        m = re.match(r"[A-Za-z]+", line)
        if m and (key := keys.get(m[0].lower())):
            settings[key] = _values(line[m.end() :], f"{name}, line {number}: {key}")
    return settings


def _parse(file: str, name: str) -> GameSpec:
    settings = _read(file, name)
    for key, want in _HOLDEM.items():
        got = settings.get(key, ())
        if got[: len(want)] != want:
            text = " ".join(map(str, got)) or "missing"
            raise ConfigError(
                f"{name}: {key} = {text} is not Texas hold'em (expected {' '.join(map(str, want))})", key=key
            )
    for key in ("numPlayers", "blind", *(() if "nolimit" in settings else ("raiseSize",))):
        if not settings.get(key):
            raise ConfigError(f"{name}: {key} is missing", key=key)
    n = settings["numPlayers"][0]
    if not 2 <= n <= 10:
        raise ConfigError(f"{name}: numPlayers = {n}: expected 2 to 10")
    if "stack" not in settings and n > 4:
        raise ConfigError(f"{name}: stack is missing (games of 5 and more players must give it)")
    stacks = settings.get("stack", (UNLIMITED,) * n)
    for key, values, need in (("stack", stacks, n), ("blind", settings["blind"], n)):
        if len(values) < need:
            raise ConfigError(f"{name}: {key} has {len(values)} values: expected {need}, one per position", key=key)
    limit = "nolimit" not in settings
    if limit and len(settings["raiseSize"]) < STREETS:
        raise ConfigError(f"{name}: raiseSize has {len(settings['raiseSize'])} values: expected {STREETS}")
    first = (*settings.get("firstPlayer", ()), *(1,) * STREETS)[:STREETS]
    if not all(1 <= p <= n for p in first):
        raise ConfigError(f"{name}: firstPlayer = {' '.join(map(str, first))}: expected positions 1 to {n}")
    try:
        return GameSpec(
            players=n,
            betting="limit" if limit else "no-limit",
            blinds=settings["blind"][:n],
            stacks=stacks[:n],
            bet_sizes=settings["raiseSize"][:STREETS] if limit else (),
            max_raises=(*settings.get("maxRaises", ()), *(_MAX_RAISES,) * STREETS)[:STREETS],
            first_player=tuple(p - 1 for p in first),
            odd_chips="acpc",
            min_raise="acpc",
        )
    except ConfigError as e:
        raise ConfigError(f"{name}: {e}") from None
