"""The engines of a server, and which specs a browser may name."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from dupai.agents import foreign_package
from dupai.arena import named_files
from dupai.base import ConfigError, NotationError
from dupai.base.specs import spec_names, split_spec
from dupai.base.text import real_number
from dupai.engine import Engine, EnginePool, Known
from dupai.jobs import Nursery
from dupai.web._turns import Turns

#: A value that looks like the name of a file.
_FILE = re.compile(r"\.\w*[A-Za-z]")
#: Agents that decide in about a millisecond.
_QUICK = ("caller", "raiser", "random", "fixed", "rules", "style", "persona", "expert")
#: The largest value from a browser of each option that costs time or memory.
_LIMITS = {
    "simulations": 10_000, "ms": 1_000, "samples": 20_000, "deals": 10_000, "memory": 64, "turn": 64, "river": 240,
    "window": 2_000, "classes": 50, "m": 20, "nf": 1_000, "warm": 1_000, "updates": 1_000, "detect": 1_000,
    "buckets": 20, "expand": 1_000,
}  # fmt: skip
#: Seconds in which an agent of another package is made, and in which an engine stops a request that is given up.
TRY_SECONDS, END_SECONDS = 20.0, 3.0


def check_spec(spec: str, key: str) -> None:
    """Refuse a spec of a browser that would read a file, connect to another program or take long. What it names, in
    any part, is an agent or reader that this server has. Options of other packages are known to engines alone.

    Raises:
        ConfigError: it does such a thing. NotationError: it is no spec.
    """
    if len(spec) > 200:
        raise ConfigError(f"{key} {spec[:40]!r}...: expected at most 200 letters", key=key)
    if not spec.isascii():
        raise ConfigError(f"{key} {spec!r}: expected letters and digits of ASCII", key=key)
    ours = foreign_package(spec) is None
    if any(c in spec for c in "/\\~@") or _FILE.search(spec) or "acpc" in spec_names(spec) or (
        ours and next(named_files(spec), None) is not None
    ):  # fmt: skip
        raise ConfigError(f"{key} {spec!r}: files and other programs cannot be named here", key=key, text=spec)
    for name, value in _costs(spec):
        if value > _LIMITS.get(name, value):
            raise ConfigError(f"{key} {spec!r}: {name}={value:g}: expected at most {_LIMITS[name]} here", key=name)


def _costs(spec: str) -> Iterator[tuple[str, float]]:
    """Options and their numbers in all parts of a spec; a value without a name counts as simulations."""
    with suppress(NotationError):
        _, first, named = split_spec(spec)
        for name, value in {"simulations": first or "", **named}.items():
            yield name, real_number(value)
            yield from _costs(value)


class Engines:
    """The engines of a server.

    Args:
        jobs: processes for agents that answer at once; half as many (at least one) think about panels, and up to
            four play agents that take their time, those of a table in one, so that a slow table keeps nobody else
            waiting. Agents and readers of other packages have two to themselves, with all that thinks about their
            tables.
        nursery: where processes are forked, if they are.
    """

    def __init__(self, jobs: int, nursery: Nursery | None = None) -> None:
        self.quick = EnginePool(max(jobs, 1), nursery=nursery)
        self.slow = EnginePool(4, nursery=nursery)
        self.thinkers = EnginePool(max(jobs // 2, 1), END_SECONDS, nursery)
        self.apart = EnginePool(2, END_SECONDS, nursery, together=False)
        self._turns: dict[Engine, Turns] = defaultdict(lambda: Turns(1))

    def for_agent(self, spec: str) -> EnginePool:
        """Where an agent shall play."""
        if foreign_package(spec) is not None:
            return self.apart
        return self.quick if spec.partition(":")[0] in _QUICK else self.slow

    def for_thoughts(self, *specs: str) -> EnginePool:
        """Where an advisor and a reader shall think."""
        return self.apart if any(map(foreign_package, specs)) else self.thinkers

    def turns(self, engine: Engine) -> Turns:
        """Who waits for an engine that thinks."""
        return self._turns[engine]

    async def check(self, spec: str, kind: str = "agent") -> Known:
        """The agent (or ``kind="reader"``) of a spec, which is made and closed to see that it can play.

        Raises:
            ConfigError, NotationError: it may not be named here.
            EngineError: it cannot be made, or (of another package) not in time.
        """
        check_spec(spec, kind)
        foreign = foreign_package(spec) is not None
        asked = (self.apart if foreign else self.quick).least_busy().ask("check", kind=kind, spec=spec)
        try:
            # Ours may have to be compiled first.
            async with asyncio.timeout(TRY_SECONDS if foreign else None):
                known = msgspec.convert(await asked, Known)
        except TimeoutError:
            raise ConfigError(f"{kind} {spec!r} was not made within {TRY_SECONDS:g} s", key=kind) from None
        if known.files:
            raise ConfigError(f"{kind} {spec!r}: files and other programs cannot be named here", key=kind)
        return known

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(pool.close() for pool in (self.quick, self.slow, self.thinkers, self.apart)))
