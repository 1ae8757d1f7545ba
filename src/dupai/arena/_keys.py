"""Keys: the source of cards and random streams where an agent of another package sits at the table.

A seed can be guessed: an agent that tries small seeds against the state of its own stream deals every hand itself. A
key is 32 bytes from the system. The state of a stream is a keyed hash, so it tells nothing about another stream.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dupai.base import ConfigError, notify

if TYPE_CHECKING:
    from dupai.arena._entrants import Entrant


def key_for(entrants: Iterable[Entrant], key: str = "") -> str:
    """The key of a match: ``key`` if there is one, a fresh one where an agent of another package plays, else none."""
    return key or (secrets.token_hex(32) if any(e.stranger for e in entrants) else "")


def check_key(key: str) -> None:
    """Refuse a key that is not 64 hexadecimal digits.

    Raises:
        ConfigError: names the key.
    """
    if key and not re.fullmatch("[0-9a-f]{64}", key):
        raise ConfigError(f"key = {key[:80]!r}: expected 64 hexadecimal digits", key="key")


def source_of(played: Any) -> int | bytes:
    """The first argument of :class:`~dupai.base.Rng`: the ``key`` of what was played where there is one, else its
    ``seed``."""
    return bytes.fromhex(played.key) if played.key else int(played.seed)


def key_hash(key: str) -> str:
    """The SHA-256 of a key, which is published before the first deal."""
    return hashlib.sha256(bytes.fromhex(key)).hexdigest()


def announce_key(played: Any) -> None:
    """Tell the user of a command the hash of the key, where cards come from one."""
    if played.key:
        notify(f"dupai: cards come from a secret key with SHA-256 {key_hash(played.key)}, not from the seed")
