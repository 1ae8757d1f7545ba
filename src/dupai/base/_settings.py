"""Options from structs of settings: a field whose type is ``Annotated[type, Option(...)]`` is one option."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from dupai.base._errors import ConfigError
from dupai.base._spec import Option


class Field(NamedTuple):
    """One field of a settings struct that can be set by an option; ``group``: the field of a nested struct."""

    name: str
    type: Any
    default: Any
    option: Option
    group: str = ""


@lru_cache
def fields_of(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a struct that are options: its own, then those that it inherits, then those of structs in it;
    without those that its ``no_options`` names."""
    own: list[Field] = []
    inherited: list[Field] = []
    nested: list[Field] = []
    hints = typing.get_type_hints(kind, include_extras=True)
    parents = {f.name for base in kind.__bases__ if base is not msgspec.Struct for f in msgspec.structs.fields(base)}
    for field in msgspec.structs.fields(kind):
        if field.name in getattr(kind, "no_options", ()):
            continue
        hint = hints[field.name]
        option = next((note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Option)), None)
        if option is not None:
            empty = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else msgspec.NODEFAULT
            default = empty if field.default is msgspec.NODEFAULT else field.default
            row = Field(field.name, typing.get_args(hint)[0], default, option)
            (inherited if field.name in parents else own).append(row)
        elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            nested += [row._replace(group=field.name) for row in fields_of(hint)]
    return (*own, *inherited, *nested)


def settings_of(kind: type[msgspec.Struct], options: Mapping[str, Any], folder: Path | None = None) -> dict[str, Any]:
    """Options by the names of a command or a TOML file as fields of ``kind``: text is read, and fields of structs in it
    are put together.

    Args:
        folder: paths are relative to it.

    Raises:
        ConfigError: a value is not among the words that its option takes.
    """
    rows = {field.option.name or field.name: field for field in fields_of(kind)}
    values: dict[str, Any] = {}
    for name, value in options.items():
        field = rows.get(name)
        if field is None:
            values[name] = value
            continue
        if field.option.read is not None and (isinstance(value, str) or typing.get_origin(field.type) is dict):
            value = field.option.read(value, folder or Path())
        words = typing.get_args(field.type) if typing.get_origin(field.type) is Literal else ()
        if words and value not in words:
            raise ConfigError(
                f"{field.name} = {value!r}: expected one of {', '.join(map(repr, words))}", key=field.name
            )
        if field.group:
            values.setdefault(field.group, {})[field.name] = value
        elif isinstance(value, dict):
            values |= value
        else:
            values[field.name] = value
    return values
