"""Keys: secret sources of cards and random streams, in place of a seed that can be guessed."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

from dupai.base._errors import ConfigError


def checked_key(key: str, drawn: bool) -> str:
    """The key; where it is empty, 32 bytes from the system as 64 hexadecimal digits, if one is to be ``drawn``.

    Raises:
        ConfigError: it is something else than 64 hexadecimal digits.
    """
    if key and not re.fullmatch("[0-9a-f]{64}", key):
        raise ConfigError(f"key = {key[:80]!r}: expected 64 hexadecimal digits", key="key")
    return key or (secrets.token_hex(32) if drawn else "")


def source_of(played: Any) -> int | bytes:
    """The first argument of :class:`~dupai.base.Rng`: the ``key`` of what was played where there is one, else its
    ``seed``."""
    return bytes.fromhex(played.key) if played.key else int(played.seed)


def key_hash(key: str) -> str:
    """The SHA-256 of a key, which is published before the first deal."""
    return hashlib.sha256(bytes.fromhex(key)).hexdigest()
