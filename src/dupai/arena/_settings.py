"""Settings of matches and tournaments as they stand in TOML files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TypeVar

import msgspec

from dupai.arena._results import Level
from dupai.base import ConfigError, nearest
from dupai.rules import FaultRule


class MatchSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``dupai match --config FILE``: keys as the options of the command (see :func:`dupai.arena.play_match`).
    ``deals`` names a file, from the folder of the TOML file."""

    agents: tuple[str, ...] = ()
    hands: int | None = None
    duplicate: bool = False
    permutations: bool = False
    matches: int = 1
    seed: int = 1
    game: str | None = None
    blinds: tuple[int, int] | None = None
    stack: int | None = None
    deals: str | None = None
    luck_reduced: bool = False
    curve: int | None = None
    faults: FaultRule = "forfeit"
    seconds_per_action: float | None = None
    seconds_per_match: float | None = None


class Schedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``dupai tournament --schedule FILE``: levels and prizes."""

    levels: tuple[Level, ...] = ()
    payouts: tuple[float, ...] = ()


class TournamentSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``dupai tournament --config FILE``: keys as the options of the command, and those of a schedule."""

    agents: tuple[str, ...] = ()
    hands: int = 600
    blinds: tuple[int, int] = (20, 40)
    stack: int = 2000
    rebuys: int = 1
    matches: int = 100
    seed: int = 1
    levels: tuple[Level, ...] = ()
    payouts: tuple[float, ...] = ()
    faults: FaultRule = "forfeit"
    seconds_per_action: float | None = None
    seconds_per_match: float | None = None


S = TypeVar("S", bound=msgspec.Struct)


def load_settings(file: str | os.PathLike[str], kind: type[S]) -> S:
    """Settings from a TOML file.

    Raises:
        ConfigError: it cannot be read, is no TOML, or has a key or value that makes no sense; names it.
    """
    try:
        return msgspec.toml.decode(Path(file).read_bytes(), type=kind)
    except OSError as error:
        raise ConfigError(f"configuration {str(file)!r} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        said = str(error)
        unknown = re.search(r"unknown field `(.*?)`", said)
        if unknown is not None:
            keys = [*kind.__struct_fields__, *Level.__struct_fields__]
            hint = nearest(unknown[1], keys, f"expected {', '.join(kind.__struct_fields__)}")
            said = f"unknown key {unknown[1]!r}: {hint}"
        raise ConfigError(f"configuration {str(file)!r}: {said}") from None
