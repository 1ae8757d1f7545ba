"""Where cards and random streams come from a key: at a table with an agent of another package.

An agent that tries small seeds against the state of its own stream deals every hand itself. The state of a stream
from a key is a keyed hash, so it tells nothing about another stream.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from dupai.agents import foreign_package
from dupai.base import checked_key, key_hash, notify
from dupai.base.specs import spec_names

if TYPE_CHECKING:
    from dupai.arena._entrants import Entrant


def key_for(entrants: Iterable[Entrant], key: str = "") -> str:
    """The key of a match: ``key`` if there is one, a fresh one where a program of somebody else decides or reads, else
    none. A factory is the caller's own.

    Raises:
        ConfigError: the key is not 64 hexadecimal digits.
    """
    specs = [e.spec for e in entrants if e.factory is None]
    return checked_key(key, any(foreign_package(s) or "acpc" in spec_names(s) for s in specs))


def announce_key(played: Any) -> None:
    """Tell the user of a command the hash of the key, where cards come from one."""
    if played.key:
        notify(f"dupai: cards come from a secret key with SHA-256 {key_hash(played.key)}, not from the seed")
