"""What stands in for agents and readers of other packages: entry points, processes, the agent that a check makes."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from dupai.agents import _check, traits_of
from dupai.base import _spec
from dupai.jobs import _outside

#: The folder of the package ``hostile``, for the path of another process.
HOSTILE = Path(__file__).parent / "hostile"


def install(patch: pytest.MonkeyPatch, group: str, named: dict[str, str]) -> None:
    """Lets ``named`` (``module:object`` by name) be the only entry points, in one group (``dupai.agents``)."""
    points = [EntryPoint(name, value, group) for name, value in named.items()]
    patch.setattr(_spec, "entry_points", lambda group: [p for p in points if p.group == group])


def install_hostile(patch: pytest.MonkeyPatch) -> None:
    """Put the package of hostile agents and readers on the path, as if it were installed."""
    patch.syspath_prepend(str(HOSTILE))
    patch.delitem(sys.modules, "hostile", raising=False)


def check_this(patch: pytest.MonkeyPatch, kind: type[Any]) -> None:
    """Let every spec that ``check_agent`` is given name an agent of this class."""
    patch.setattr(_check, "seated_agent", lambda spec: kind())
    patch.setattr(_check, "spec_traits", lambda spec: traits_of(kind))


def end_idle_agents() -> None:
    """End the processes of agents that nobody uses: the next agent gets a new one."""
    _outside.end_idle()
