"""How results show themselves: one line, a table, HTML, plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from html import escape
from importlib import import_module
from os import PathLike, fspath
from typing import Any

import msgspec

from dupai.base._errors import ConfigError
from dupai.base._text import visible


class Printable:
    """A result that prints: a class derives from it and writes :meth:`headline` and, if it has one, :meth:`as_table`.

    ``repr`` is one line, ``str`` adds the table, notebooks show it as HTML, ``to_dict`` gives plain data. What a
    terminal would obey in the text (names, errors of agents) is shown instead.
    """

    __slots__ = ()

    def headline(self) -> str:
        """The result in a few words."""
        raise NotImplementedError

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        """Names of the columns and rows of text; the first column is flush left, the others flush right."""
        return (), []

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data: dictionaries, lists, text, numbers; None for numbers that are not known."""
        if isinstance(self, msgspec.Struct):
            return dict(msgspec.json.decode(msgspec.json.encode(self)))
        return {name: plain(getattr(self, name)) for name in _names_of(self)}

    def records(self) -> list[dict[str, Any]]:
        """The rows of :meth:`to_frame` by column."""
        names, rows = self.as_table()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def to_frame(self) -> Any:
        """:meth:`records` as a data frame of polars, or else of pandas.

        Raises:
            ConfigError: neither is installed.
        """
        for library in ("polars", "pandas"):
            with suppress(ImportError):
                return import_module(library).DataFrame(self.records())
        raise ConfigError("a data frame needs polars or pandas: install one of them, or take records()")

    def __repr__(self) -> str:
        return visible(f"<{type(self).__name__}: {self.headline()}>")

    def __str__(self) -> str:
        names, rows = self.as_table()
        widths = [max(map(len, column)) for column in zip(names, *rows, strict=True)]
        return visible("\n".join([self.headline(), *(_line(row, widths) for row in ((names, *rows) if rows else ()))]))

    def to_html(self) -> str:
        """The headline and the table."""
        names, rows = self.as_table()
        caption = f"<caption style='text-align:left'>{escape(self.headline())}</caption>"
        if not rows:
            return f"<p>{escape(self.headline())}</p>"
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        body = "".join(
            f"<tr>{''.join(f'<td style={_align(k)!r}>{escape(cell)}</td>' for k, cell in enumerate(row))}</tr>"
            for row in rows
        )
        return f"<table>{caption}<tr>{head}</tr>{body}</table>"

    def _repr_html_(self) -> str:
        return self.to_html()


def _align(column: int) -> str:
    return "text-align:right" if column else "text-align:left"


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [cell.rjust(w) if k else cell.ljust(w) for k, (cell, w) in enumerate(zip(row, widths, strict=True))]
    return ("  " + "  ".join(cells)).rstrip()


def _names_of(value: Any) -> tuple[str, ...]:
    """Names of the fields of a struct, data class or named tuple; none of anything else."""
    names = getattr(value, "__struct_fields__", None) or getattr(value, "_fields", None)
    return tuple(names or (field.name for field in fields(value)) if names or is_dataclass(value) else ())


def plain(value: Any) -> Any:
    """A value as plain data: structs, data classes and named tuples become dictionaries, arrays lists, numbers that are
    not finite None, and other things text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, PathLike):
        return fspath(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if names := _names_of(value):
        return {name: plain(getattr(value, name)) for name in names}
    return [plain(item) for item in value] if isinstance(value, tuple | list) else str(value)
