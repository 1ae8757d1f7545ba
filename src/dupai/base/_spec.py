"""Things named by spec strings: agents, readers; their options, and those that other packages bring along.

A spec is ``name`` or ``name:option=value,option=value``; a first value without ``=`` belongs to the first option
(``style:LA``), or names a preset (``fold:paper``). The thing named is a class (or function) whose keyword arguments are
its options: names, types and defaults come from the signature, help and limits from :class:`Option` in
``Annotated[...]``. A class with many options may keep them in a ``msgspec.Struct`` as its attribute ``Options``; the
fields of that structure are then its options (one flat list, however long, because a spec is one). Presets are the
class attribute ``presets``: ``{name: {option: value}}``."""

from __future__ import annotations

import inspect
import math
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from dupai.base._errors import ConfigError, DupaiError, NotationError
from dupai.base._nearest import nearest
from dupai.base._text import number_text, quoted

_T = typing.TypeVar("_T", bound=msgspec.Struct)


class Option(msgspec.Struct, frozen=True):
    """What a signature does not say about an option: put it into ``Annotated[type, Option(...)]``."""

    help: str = ""
    low: float | None = None
    high: float | None = None
    #: For experiments and presets: listings leave it out unless asked for all, specs may name it.
    hidden: bool = False
    #: Its value names a file (or several) or a program: servers refuse it from a browser, but for the default and the
    #: ``words`` that it takes instead.
    file: bool = False
    words: tuple[str, ...] = ()
    #: For options of a command: its short form (``-n``); its name, where that is not the field's; a function that
    #: reads its text, ``read(text, folder)`` (a mapping that it returns sets several fields); its default as text.
    short: str = ""
    name: str = ""
    read: Any = None
    text: str | None = None


class OptionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """One option. ``default`` is None where there is none (then the option must be given).

    ``choices`` are the words that it takes (empty: not a word from a list); ``low`` and ``high`` its limits.
    ``hidden``: it is for experiments. ``file``: it names a file or a program, or is one of ``words``.
    """

    name: str
    type: str
    default: Any
    required: bool
    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    hidden: bool = False
    file: bool = False
    words: tuple[str, ...] = ()


def check_between(key: str, value: float, low: float | None, high: float | None) -> None:
    """Refuse a number outside ``low``..``high`` (None: no limit).

    Raises:
        ConfigError: it is outside, or not a number.
    """
    if (low is not None and not value >= low) or (high is not None and not value <= high):
        limits = f"at least {low:g}" if high is None else f"at most {high:g}" if low is None else f"{low:g} to {high:g}"
        raise ConfigError(f"{key}={number_text(value, 'g')}: expected {limits}", key=key.rpartition(" ")[2])


def checked_options(options: _T) -> _T:
    """``options``, if every number in it keeps to the limits of its :class:`Option`.

    Raises:
        ConfigError: a number is outside its limits (``key`` names the field).
    """
    for info in spec_options(type(options)):
        value = getattr(options, info.name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            check_between(info.name, value, info.low, info.high)
    return options


def split_spec(spec: str, what: str = "agent") -> tuple[str, str | None, dict[str, str]]:
    """``name``, the value without a name (or None), and the named options of a spec, all still text.

    Raises:
        NotationError: the text is not of the form ``name:option=value,option=value``; ``what`` is its word for it.
    """
    if not isinstance(spec, str):
        raise NotationError(f"{what} {quoted(spec)} is no text: expected name or name:option=value,option=value")
    name, colon, rest = spec.strip().partition(":")
    name = name.strip()
    if not name:
        raise NotationError(f"{what} {spec!r} has no name: expected name or name:option=value,option=value")
    first: str | None = None
    named: dict[str, str] = {}
    if not colon:
        return name, first, named
    # Commas inside double quotes do not separate, and quotes around a value are not part of it.
    for place, part in enumerate(re.findall(r'(?:"[^"]*"|[^,])+|(?<=,)(?=,|$)|^(?=,|$)', rest)):
        bare = re.fullmatch(r'\s*"([^"]*)"\s*', part)
        key, equals, value = (bare[1], "", "") if bare else (t.strip() for t in part.partition("="))
        if len(value) > 1 and value[0] == value[-1] == '"':
            value = value[1:-1]
        if not equals and place == 0 and key:
            first = key
            continue
        if not equals or not key or not value:
            raise NotationError(f"{what} {spec!r}: {part!r} is not an option: expected option=value", text=spec)
        if key in named:
            raise NotationError(f"{what} {spec!r} gives option {key!r} twice", key=key, text=spec)
        named[key] = value
    return name, first, named


def spec_names(spec: str) -> Iterator[str]:
    """The name that a spec starts with, then that of every option value read as a spec, however deep; text that is no
    spec ends with its name."""
    texts = [spec]
    while texts:
        text = texts.pop()
        yield text.partition(":")[0].strip()
        with suppress(NotationError):
            _, first, named = split_spec(text)
            texts += [value for value in (first, *named.values()) if value]


@cache
def _points(group: str, find: Callable[..., Iterable[EntryPoint]], path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of a group by name, read once for each search path: it takes longer than to make an agent."""
    return tuple(sorted(find(group=group), key=lambda p: p.name))


@dataclass(eq=False)
class SpecRegistry:
    """The classes that specs may name: built-in ones, loaded on first use, and those of other packages.

    Args:
        what: a word for one of them, for messages.
        group: entry-point group in which other packages register theirs under the entry points' names.
        built_in: ``{name: "module:attribute"}``; these come first and cannot be replaced.
        failure: the error raised when making one fails.
    """

    what: str
    group: str
    built_in: Mapping[str, str]
    failure: type[DupaiError] = ConfigError

    @property
    def _a_what(self) -> str:
        return f"{'an' if self.what[0] in 'aeiou' else 'a'} {self.what}"

    def _external(self) -> dict[str, EntryPoint]:
        points: dict[str, EntryPoint] = {}
        for point in _points(self.group, entry_points, tuple(sys.path)):
            if point.name not in self.built_in:
                points.setdefault(point.name, point)
        return points

    def names(self) -> tuple[str, ...]:
        """Names that a spec may start with: built-in ones first, then those of other packages in alphabetical order."""
        return (*self.built_in, *self._external())

    def load(self, name: str, spec: str = "") -> Callable[..., Any]:
        """The class or function of that name; an error quotes ``spec`` (default: the name).

        Raises:
            NotationError: the name is unknown (the message suggests the nearest).
            ConfigError: the class of another package cannot be loaded.
        """
        what = self.what
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            factory: Callable[..., Any] = getattr(import_module(module), attribute)
            return factory
        external = self._external()
        if name not in external:
            raise NotationError(f"unknown {what} {spec or name!r}: {nearest(name, self.names())}", text=spec or name)
        point = external[name]
        try:
            # What a module prints while it is loaded must not get into the output of a command.
            with redirect_stdout(sys.stderr):
                made = point.load()
        except (Exception, SystemExit) as error:
            # An error in another package must not stop ours.
            raise ConfigError(
                f"{what} {name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}"
            ) from error
        if not callable(made):
            raise ConfigError(f"{what} {name!r} ({point.value}) is not a class or function that makes {self._a_what}")
        checked: Callable[..., Any] = made
        return checked

    def origin(self, name: str) -> str:
        """``dupai``, or the package that registered it."""
        point = None if name in self.built_in else self._external().get(name)
        if point is None:
            return "dupai"
        return point.dist.name if point.dist is not None else point.value.partition(".")[0]

    def packages(self) -> dict[str, str]:
        """The package that brings each name which is not dupai's; names known to this process alone are left out."""
        return {
            name: point.dist.name
            for name, point in self._external().items()
            if point.dist is not None and point.module.partition(".")[0] != "dupai"
        }

    def known(self, name: str) -> tuple[Callable[..., Any] | None, dict[str, Any]]:
        """The class or function of that name, None where it cannot be loaded, and what is known of it by field.

        Raises:
            NotationError: the name is unknown (the message suggests the nearest).
        """
        facts: dict[str, Any] = {"name": name, "origin": self.origin(name)}
        try:
            factory = self.load(name)
        except ConfigError as error:
            return None, {**facts, "summary": "cannot be loaded", "error": str(error)}
        return factory, {**facts, "summary": spec_summary(factory), "options": spec_options(factory)}

    def make(self, spec: str) -> Any:
        """A new one from its spec string.

        Raises:
            NotationError, ConfigError: as :meth:`read`.
            DupaiError: making it failed (of the class ``failure``).
        """
        factory, options = self.read(spec)
        try:
            return factory(**options)
        except DupaiError:
            raise
        except Exception as error:
            raise self.failure(f"{self.what} {spec!r} cannot be made: {type(error).__name__}: {error}") from error

    def read(self, spec: str) -> tuple[Callable[..., Any], dict[str, Any]]:
        """What a spec names, and the options that it sets, by its preset too.

        Raises:
            NotationError: the text is not a spec, or its name is unknown (the message suggests the nearest).
            ConfigError: an option is unknown (the message suggests the nearest), its value makes no sense, or the class
                of another package cannot be loaded.
        """
        what = self.what
        name, first, named = split_spec(spec, what)
        factory = self.load(name, spec)
        options = _options(factory)
        preset: Mapping[str, Any] = {}
        if first is not None and first.casefold() in (presets := spec_presets(factory)):
            preset, first = presets[first.casefold()], None
        if first is not None:
            if not options:
                raise ConfigError(f"{what} {name!r} takes no options, got {first!r}")
            key = next(iter(options))
            if key in named:
                raise NotationError(f"{what} {spec!r} gives option {key!r} twice", key=key, text=spec)
            # A word that is not a value of the first option may be another option without its value.
            if first in options and first not in options[key][0].choices:
                raise NotationError(f"{what} {spec!r}: {first!r} is not an option: expected {first}=value")
            named = {key: first, **named}
        for key in named:
            if key not in options:
                hint = nearest(key, options) if options else "it takes none"
                raise ConfigError(f"{what} {name!r} has no option {key!r}: {hint}", key=key)
        missing = [key for key, (info, _) in options.items() if info.required and key not in (*named, *preset)]
        if missing:
            raise ConfigError(f"{what} {name!r} needs option {missing[0]!r}, as in {name}:{missing[0]}=...")
        values = {key: _value(f"{what} {name!r}", *options[key], text) for key, text in named.items()}
        return factory, {**preset, **values}


def spec_options(factory: Callable[..., Any]) -> tuple[OptionInfo, ...]:
    """The options of a class or function, in the order of its signature; the first takes a value without a name."""
    return tuple(info for info, _ in _options(factory).values())


def spec_presets(factory: Callable[..., Any]) -> Mapping[str, Mapping[str, Any]]:
    """Named sets of option values (``paper``, ...) of a class; a spec takes one as ``name:preset,option=value``."""
    presets: Mapping[str, Mapping[str, Any]] = getattr(factory, "presets", {})
    return presets


def spec_summary(factory: Callable[..., Any]) -> str:
    """The first paragraph of its docstring on one line; that of a base class says nothing about a class without one."""
    own = not inspect.isclass(factory) or vars(factory).get("__doc__")
    doc = (inspect.getdoc(factory) if own else None) or "no description"
    return " ".join(doc.split("\n\n")[0].split()).rstrip(".")


def _options(factory: Callable[..., Any]) -> dict[str, tuple[OptionInfo, Any]]:
    """Options by name, with the type that their text is read as."""
    source: Any = getattr(factory, "Options", factory)
    is_struct = inspect.isclass(source) and issubclass(source, msgspec.Struct)
    target: Any = source.__init__ if inspect.isclass(source) and not is_struct else source
    hints = typing.get_type_hints(target, include_extras=True)
    options: dict[str, tuple[OptionInfo, Any]] = {}
    for parameter in inspect.signature(source).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            continue
        kind: Any = hints.get(parameter.name, str)
        extra = Option()
        if get_origin(kind) is typing.Annotated:
            kind, *notes = get_args(kind)
            extra = next((n for n in notes if isinstance(n, Option)), extra)
        required = parameter.default is parameter.empty
        literal = next((t for t in _alternatives(kind) if get_origin(t) is Literal), None)
        options[parameter.name] = (
            OptionInfo(
                name=parameter.name,
                type=_type_text(kind),
                default=None if required else parameter.default,
                required=required,
                choices=tuple(str(c) for c in get_args(literal)) if literal is not None else (),
                **{field: getattr(extra, field) for field in ("help", "low", "high", "hidden", "file", "words")},
            ),
            kind,
        )
    return options


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


def _value(owner: str, info: OptionInfo, kind: Any, text: str) -> Any:
    value = next((v for t in _alternatives(kind) if (v := _read(text, t)) is not _NOT), _NOT)
    if value is _NOT:
        near = nearest(text, info.choices, "")
        raise ConfigError(f"{owner}: option {info.name}={quoted(text)}: expected {info.type}{near and f' ({near})'}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        check_between(f"{owner}: option {info.name}", value, info.low, info.high)
    return value
