"""The engines of a server, and which specs a browser may name."""

from __future__ import annotations

import asyncio
import re

from dupai.arena import named_files
from dupai.base import ConfigError
from dupai.engine import Engine, EnginePool

#: A value that looks like the name of a file.
_FILE = re.compile(r"\.\w*[A-Za-z]")
#: Agents that decide in about a millisecond.
_QUICK = ("caller", "raiser", "random", "fixed", "rules", "style", "persona", "expert")


def check_spec(spec: str, key: str) -> None:
    """Refuse a spec of a browser that would read a file or connect to another program.

    Raises:
        ConfigError: it is too long, or does such a thing. NotationError: it is no spec.
    """
    if len(spec) > 200:
        raise ConfigError(f"{key} {spec[:40]!r}...: expected at most 200 letters", key=key)
    # The agent acpc waits without any option for a program to connect.
    outside = "acpc" in re.split(r'[:,="]', spec) or next(named_files(spec), None) is not None
    if any(c in spec for c in "/\\~@") or _FILE.search(spec) or outside:
        raise ConfigError(f"{key} {spec!r}: files and other programs cannot be named here", key=key, text=spec)


class Engines:
    """The engines of a server.

    Args:
        jobs: processes for agents that answer at once; half as many (at least one) think about panels, and up to
            four play agents that take their time, so that a slow one keeps nobody else waiting.
    """

    def __init__(self, jobs: int) -> None:
        self.quick = EnginePool(max(jobs, 1))
        self.slow = EnginePool(4)
        self.thinkers = EnginePool(max(jobs // 2, 1))

    def for_agent(self, spec: str) -> Engine:
        """Where an agent shall play."""
        return (self.quick if spec.partition(":")[0] in _QUICK else self.slow).place()

    @staticmethod
    def check_agent(spec: str) -> None:
        """Raises:
        NotationError, ConfigError, AgentError: there is no such agent.
        """
        from dupai.agents import spec_traits, try_agent

        check_spec(spec, "agent")
        spec_traits(spec)
        try_agent(spec)

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(self.quick.close(), self.slow.close(), self.thinkers.close())
