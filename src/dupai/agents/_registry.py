"""Agents by name: spec strings, their options, and agents that other packages bring along.

A spec is ``name`` or ``name:option=value,option=value``; a first value without ``=`` belongs to the agent's first
option (``style:LA``). An agent is a class (or function) whose keyword arguments are its options: their names, types
and defaults come from its signature, their help, limits from :class:`Option` in ``Annotated[...]``. Other packages
add theirs through the entry-point group ``dupai.agents``, whose names become agent names.
"""

from __future__ import annotations

import difflib
import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from dupai.agents._protocol import Agent
from dupai.base import AgentError, ConfigError, DupaiError, NotationError

#: Entry-point group in which other packages register their agents.
ENTRY_POINTS = "dupai.agents"

_BUILT_IN = {
    "caller": "dupai.agents._simple:Caller",
    "raiser": "dupai.agents._simple:Raiser",
    "random": "dupai.agents._simple:RandomAgent",
    "fixed": "dupai.agents._simple:Fixed",
    "rules": "dupai.agents._rules:RulesAgent",
    "style": "dupai.agents._style:Style",
}


class Option(msgspec.Struct, frozen=True):
    """What the signature of an agent does not say about an option: put it into ``Annotated[type, Option(...)]``."""

    help: str = ""
    low: float | None = None
    high: float | None = None


class OptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One option of an agent. ``default`` is None where there is none (then the option must be given).

    ``choices`` are the words that it takes (empty: not a word from a list); ``low`` and ``high`` its limits.
    """

    name: str
    type: str
    default: Any
    required: bool
    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class AgentInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One agent of the registry.

    Attributes:
        name: what a spec starts with.
        summary: one line.
        options: in the order of its signature; the first takes a value without a name.
        origin: ``dupai`` or the package that brought it.
        stateless, reproducible, players, bettings: as in :class:`BaseAgent`.
        error: why it cannot be loaded; None when it can.
    """

    name: str
    summary: str
    options: tuple[OptionInfo, ...] = ()
    origin: str = "dupai"
    stateless: bool = False
    reproducible: bool = True
    players: tuple[int, int] = (2, 10)
    bettings: tuple[str, ...] = ()
    error: str | None = None


def nearest(word: str, known: Iterable[str]) -> str:
    """``did you mean 'x'?`` if one of ``known`` is close to ``word``, else ``expected one of ...``."""
    names = list(known)
    folded = {n.casefold(): n for n in names}
    near = difflib.get_close_matches(word.casefold(), folded, 1, 0.5)
    return f"did you mean {folded[near[0]]!r}?" if near else f"expected one of {', '.join(names) or '(none)'}"


def split_spec(spec: str) -> tuple[str, str | None, dict[str, str]]:
    """``name``, the value without a name (or None), and the named options of an agent spec, all still text.

    Raises:
        NotationError: the text is not of the form ``name:option=value,option=value``.
    """
    name, colon, rest = spec.strip().partition(":")
    name = name.strip()
    if not name:
        raise NotationError(f"agent {spec!r} has no name: expected name or name:option=value,option=value")
    first: str | None = None
    named: dict[str, str] = {}
    if not colon:
        return name, first, named
    # Commas inside double quotes do not separate, and quotes around a value are not part of it.
    for place, part in enumerate(re.findall(r'(?:"[^"]*"|[^,])+|(?<=,)(?=,|$)|^(?=,|$)', rest)):
        key, equals, value = (t.strip() for t in part.partition("="))
        if len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]
        if not equals and place == 0 and key:
            first = key
            continue
        if not equals or not key or not value:
            raise NotationError(f"agent {spec!r}: {part!r} is not an option: expected option=value")
        if key in named:
            raise NotationError(f"agent {spec!r} gives option {key!r} twice")
        named[key] = value
    return name, first, named


def _external() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda p: p.name):
        if point.name not in _BUILT_IN:
            found.setdefault(point.name, point)
    return found


def agent_names() -> tuple[str, ...]:
    """Names that a spec may start with: ours first, then those of other packages in alphabetical order."""
    return (*_BUILT_IN, *_external())


@cache
def _built_in(name: str) -> Callable[..., Agent]:
    module, _, attribute = _BUILT_IN[name].partition(":")
    factory: Callable[..., Agent] = getattr(import_module(module), attribute)
    return factory


def _load(name: str, spec: str) -> Callable[..., Agent]:
    if name in _BUILT_IN:
        return _built_in(name)
    external = _external()
    if name not in external:
        raise NotationError(f"unknown agent {spec!r}: {nearest(name, agent_names())}")
    point = external[name]
    try:
        factory = point.load()
    except Exception as error:
        # Whatever another package does while it is imported must not take ours down.
        raise ConfigError(
            f"agent {name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    if not callable(factory):
        raise ConfigError(f"agent {name!r} ({point.value}) is not a class or function that makes an agent")
    made: Callable[..., Agent] = factory
    return made


def _options(factory: Callable[..., Any]) -> dict[str, tuple[OptionInfo, Any]]:
    """Options of an agent by name, with the type that their text is read as."""
    target: Any = factory.__init__ if inspect.isclass(factory) else factory
    hints = typing.get_type_hints(target, include_extras=True)
    found: dict[str, tuple[OptionInfo, Any]] = {}
    for parameter in inspect.signature(factory).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            continue
        kind: Any = hints.get(parameter.name, str)
        extra = Option()
        if get_origin(kind) is typing.Annotated:
            kind, *notes = get_args(kind)
            extra = next((n for n in notes if isinstance(n, Option)), extra)
        required = parameter.default is parameter.empty
        literal = next((t for t in _alternatives(kind) if get_origin(t) is Literal), None)
        found[parameter.name] = (
            OptionInfo(
                name=parameter.name,
                type=_type_text(kind),
                default=None if required else parameter.default,
                required=required,
                help=extra.help,
                choices=tuple(str(c) for c in get_args(literal)) if literal is not None else (),
                low=extra.low,
                high=extra.high,
            ),
            kind,
        )
    return found


def _alternatives(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _type_text(kind: Any) -> str:
    words = {bool: "on|off", int: "whole number", float: "number", str: "text", type(None): "none"}
    return " or ".join(
        "|".join(str(c) for c in get_args(t)) if get_origin(t) is Literal else words.get(t, "text")
        for t in _alternatives(kind)
    )


_BOOLS = {"on": True, "yes": True, "true": True, "1": True, "off": False, "no": False, "false": False, "0": False}
_NOT = object()


def _read(text: str, kind: Any) -> Any:
    """``text`` as a value of type ``kind``; ``_NOT`` where it is none."""
    if kind is type(None):
        return None if text.casefold() == "none" else _NOT
    if get_origin(kind) is Literal:
        return next((c for c in get_args(kind) if str(c).casefold() == text.casefold()), _NOT)
    if kind is bool:
        return _BOOLS.get(text.casefold(), _NOT)
    try:
        if kind is int:
            return int(text)
        if kind is float:
            value = float(text)
            return value if math.isfinite(value) else _NOT
    except ValueError:
        return _NOT
    return text


def _value(name: str, info: OptionInfo, kind: Any, text: str) -> Any:
    value = next((v for t in _alternatives(kind) if (v := _read(text, t)) is not _NOT), _NOT)
    if value is _NOT:
        hint = f" ({nearest(text, info.choices)})" if info.choices else ""
        raise ConfigError(f"agent {name!r}: option {info.name}={text!r}: expected {info.type}{hint}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        check_between(f"agent {name!r}: option {info.name}", value, info.low, info.high)
    return value


def check_between(key: str, value: float, low: float | None, high: float | None) -> None:
    """Refuse a number outside ``low``..``high`` (None: no limit).

    Raises:
        ConfigError: it is outside, or not a number.
    """
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        limits = f"at least {low:g}" if high is None else f"at most {high:g}" if low is None else f"{low:g} to {high:g}"
        raise ConfigError(f"{key}={value:g}: expected {limits}")


def make_agent(spec: str) -> Agent:
    """A new agent from its spec string, as ``rules``, ``raiser:size=half``, ``style:LA`` or ``rules:tight=0.2``.

    Raises:
        NotationError: the text is not a spec, or names no known agent (the nearest is given).
        ConfigError: an option is unknown (the nearest is given), its value makes no sense, or the agent of another
            package cannot be loaded.
        AgentError: the agent failed while being made.
    """
    name, first, named = split_spec(spec)
    factory = _load(name, spec)
    options = _options(factory)
    if first is not None:
        if not options:
            raise ConfigError(f"agent {name!r} takes no options, got {first!r}")
        key = next(iter(options))
        if key in named:
            raise NotationError(f"agent {spec!r} gives option {key!r} twice")
        # A word that is no value of the first option may be another option whose value was forgotten.
        if first in options and first not in options[key][0].choices:
            raise NotationError(f"agent {spec!r}: {first!r} is not an option: expected {first}=value")
        named = {key: first, **named}
    for key in named:
        if key not in options:
            hint = nearest(key, options) if options else "it takes none"
            raise ConfigError(f"agent {name!r} has no option {key!r}: {hint}")
    missing = [key for key, (info, _) in options.items() if info.required and key not in named]
    if missing:
        raise ConfigError(f"agent {name!r} needs option {missing[0]!r}, as in {name}:{missing[0]}=...")
    values = {key: _value(name, *options[key], text) for key, text in named.items()}
    try:
        agent = factory(**values)
    except DupaiError:
        raise
    except Exception as error:
        raise AgentError(f"agent {spec!r} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {spec!r} lacks one of start, act, observe, close")
    return agent


def agent_info(name: str) -> AgentInfo:
    """What the registry knows of one agent; one that cannot be loaded has its ``error`` set.

    Raises:
        NotationError: there is no such agent (the nearest is given).
    """
    origin = "dupai"
    if name not in _BUILT_IN:
        point = _external().get(name)
        if point is not None:
            origin = point.dist.name if point.dist is not None else point.value.partition(".")[0]
    try:
        factory = _load(name, name)
    except ConfigError as error:
        return AgentInfo(name=name, summary="cannot be loaded", origin=origin, error=str(error))
    doc = inspect.getdoc(factory) or ""
    return AgentInfo(
        name=name,
        summary=" ".join(doc.split("\n\n")[0].split()).rstrip("."),
        options=tuple(info for info, _ in _options(factory).values()),
        origin=origin,
        stateless=bool(getattr(factory, "stateless", False)),
        reproducible=bool(getattr(factory, "reproducible", True)),
        players=tuple(getattr(factory, "players", (2, 10))),
        bettings=tuple(getattr(factory, "bettings", ("no-limit", "limit", "pot-limit"))),
    )


def agent_infos() -> tuple[AgentInfo, ...]:
    """Every agent that can be named, ours first."""
    return tuple(agent_info(name) for name in agent_names())
