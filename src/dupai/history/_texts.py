"""Games and free fields of a hand as the text that the store keeps, and back."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

import msgspec

from dupai.rules import GameSpec

#: Values that JSON, TOML and Python write alike: plain strings, and numbers short enough for any reader.
_WORD = re.compile(r"\"[ !#-\[\]-~]*\"\Z|(?:0|-?[1-9][0-9]{0,14})\Z")
_NAMED = {"venue": "venue", "room": "table", "unit": "_unit"}
_READ = {"year", "month", "day", "time", "_time", *_NAMED.values()}


def game_text(spec: GameSpec, stacks: Sequence[int]) -> str:
    """A game as the store keeps it: JSON, without the stacks where they are those of the hand."""
    data = msgspec.to_builtins(spec)
    if spec.stacks == tuple(max(s, b) for s, b in zip(stacks, spec.blinds, strict=True)):
        del data["stacks"]
    return msgspec.json.encode(data).decode()


def game_of(text: str, stacks: Sequence[int]) -> GameSpec:
    """The game that :func:`game_text` wrote, for a hand with these stacks."""
    data = json.loads(text)
    if "stacks" not in data:
        data["stacks"] = [max(s, b) for s, b in zip(stacks, data["blinds"], strict=True)]
    return msgspec.convert(data, GameSpec)


def blind_columns(spec: GameSpec) -> tuple[int, int, int]:
    """Small blind, big blind and ante of a game."""
    return min((b for b in spec.blinds if b), default=0), spec.big_blind, max(spec.antes)


def extra_text(about: Sequence[tuple[str, str]]) -> str | None:
    """``HandRecord.about`` as JSON: plain values as they are, what only TOML can write as ``{"toml": text}``."""
    return msgspec.json.encode({key: _plain(text) for key, text in about}).decode() if about else None


def _plain(text: str) -> Any:
    if _WORD.match(text):
        return text[1:-1] if text[0] == '"' else int(text)
    try:
        value = json.loads(text)
        if json.dumps(value, ensure_ascii=False) == text:
            return value
    except (ValueError, RecursionError):
        pass
    return {"toml": text}


def about_of(text: str | None) -> tuple[tuple[str, str], ...]:
    """What :func:`extra_text` wrote."""
    return tuple(
        (key, value["toml"] if isinstance(value, dict) else json.dumps(value, ensure_ascii=False))
        for key, value in json.loads(text or "{}").items()
    )


def about_columns(about: Sequence[tuple[str, str]]) -> dict[str, str | None]:
    """The columns ``played``, ``venue``, ``room`` and ``unit``, as far as a record has them."""
    fields = {key: _value(text) for key, text in about if key in _READ}
    date = [fields.get(k) for k in ("year", "month", "day")]
    time = fields.get("time", fields.get("_time"))
    parts = []
    if all(isinstance(d, int) for d in date):
        parts.append(f"{date[0]:04}-{date[1]:02}-{date[2]:02}")
    if isinstance(time, str) and time:
        parts.append(time if time[1:2] != ":" else f"0{time}")
    named = {name: str(fields[key]) if key in fields else None for name, key in _NAMED.items()}
    return {"played": "T".join(parts) or None, **named}


def _value(text: str) -> Any:
    if _WORD.match(text):
        return _plain(text)
    value = tomllib.loads(f"x = {text}")["x"]
    return value if isinstance(value, int | str) else str(value)
