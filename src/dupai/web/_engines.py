"""The engines of a server, and which specs a browser may name."""

from __future__ import annotations

import asyncio
import re

from dupai.base import ConfigError, split_spec
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
    if any(c in spec for c in "/\\~@") or _FILE.search(spec) or _names_file(spec):
        raise ConfigError(f"{key} {spec!r}: files and other programs cannot be named here", key=key, text=spec)


def _names_file(spec: str) -> bool:
    """Whether a spec of an agent or a reader, or one that is the value of an option, names a file or a program.

    Raises:
        NotationError: its options are not of the form option=value.
    """
    from dupai.agents import agent_info, agent_names
    from dupai.reading import reader_info, reader_names

    name = spec.partition(":")[0].strip()
    infos = [info(name) for names, info in ((agent_names, agent_info), (reader_names, reader_info)) if name in names()]
    if not infos:
        return False
    _, first, named = split_spec(spec)
    for info in infos:
        given = named
        if first is not None and info.options and first.casefold() not in getattr(info, "presets", ()):
            given = {info.options[0].name: first, **named}
        if any(o.file and given.get(o.name, o.default) not in (o.default, *o.words) for o in info.options):
            return True
    # without any option it waits for a program to connect
    return name == "acpc" or any(_names_file(value) for value in (first, *named.values()) if value)


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
        from dupai.agents import make_agent, spec_traits

        check_spec(spec, "agent")
        spec_traits(spec)
        make_agent(spec).close()

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(self.quick.close(), self.slow.close(), self.thinkers.close())
