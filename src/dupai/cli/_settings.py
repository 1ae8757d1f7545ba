"""Options of commands that are made from structs of settings (:func:`dupai.base.specs.fields_of`)."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from functools import wraps
from keyword import iskeyword
from typing import Annotated, Any, Literal

import msgspec
import typer

from dupai.base import ConfigError
from dupai.base.specs import Field, fields_of, settings_of
from dupai.cli._shared import typed


def alternatives(kind: Any) -> tuple[Any, ...]:
    """The types of a union; a type alone where it is none."""
    return typing.get_args(kind) if typing.get_origin(kind) in (typing.Union, types.UnionType) else (kind,)


def parameter_of(field: Field, **changed: Any) -> inspect.Parameter:
    """The parameter of a command that is one field of its settings; ``changed``: other defaults by field."""
    option, kinds = field.option, alternatives(field.type)
    kind: Any = next((k for k in kinds if k in (bool, int, float) and option.read is None), str)
    if any(typing.get_origin(k) is (dict if option.read else tuple) for k in kinds):
        kind = list[str]
    words = next((typing.get_args(k) for k in kinds if typing.get_origin(k) is Literal), ())
    default = changed.get(field.name, field.default)
    if default is msgspec.NODEFAULT:
        default = inspect.Parameter.empty
    elif option.text is not None:
        default = option.text or None
    elif not isinstance(default, bool | int | float | str):
        default, kind = None, kind | None
    name = option.name or field.name
    flag = name.replace("_", "-")
    flags = [f"--{flag}/--no-{flag}" if default is True else f"--{flag}", *option.short.split()]
    info = typer.Option(*flags, help=option.help, metavar=f"<{'|'.join(words)}>" if words else None)
    # No parameter can be called as Python's own words are.
    name += "_" * iskeyword(name)
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info])


def takes_settings(*left_out: str, **changed: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command: in place of its parameter ``settings`` it has the options of that struct.

    Args:
        left_out: fields that are not options of this command.
        changed: other defaults of this command, by field.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        kind = typing.get_type_hints(function)["settings"]
        options = [parameter_of(field, **changed) for field in fields_of(kind) if field.name not in left_out]
        own = inspect.signature(function, eval_str=True).parameters.values()
        parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        for parameter in own:
            plain = parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            parameters += options if parameter.name == "settings" else [plain]

        @wraps(function)
        def command(context: typer.Context, **values: Any) -> None:
            chosen = {option.name.removesuffix("_"): values.pop(option.name) for option in options}
            _refuse_set_aside(kind, typed(context))
            given = settings_of(kind, {name: value for name, value in chosen.items() if value is not None})
            function(settings=msgspec.convert(given, kind), **values)

        command.__annotations__ = {p.name: p.annotation for p in parameters}
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return command

    return decorate


def _refuse_set_aside(kind: type[Any], given: set[str]) -> None:
    """Refuse an option together with one that it sets aside.

    Raises:
        ConfigError: both are on the command line.
    """
    for option, others in getattr(kind, "sets_aside", {}).items():
        both = next((name for name in others if name in given), None)
        if both is not None and option in given:
            raise ConfigError(f"pass either --{option} or --{both}, not both", key=both)
