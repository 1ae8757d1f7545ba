"""The argument types of compiled kernels as JSON values, so that another process can compile the same kernels."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numba
import numpy as np

#: Untyped: numba has no stubs.
types: Any = numba.types


class Signatures:
    """Writes types as JSON values and reads them; the record types in :attr:`records` are written once."""

    def __init__(self, records: list[Any] | None = None) -> None:
        #: Descriptions of record types, as NumPy's ``dtype.descr``, and whether they are aligned.
        self.records: list[Any] = [] if records is None else records

    def write(self, kind: Any) -> Any:
        """A type as a JSON value; None for one that is not known here (a function, a class)."""
        if isinstance(kind, types.Record):
            text = _described(numba.np.numpy_support.as_dtype(kind))
            if text not in self.records:
                self.records.append(text)
            return ["record", self.records.index(text)]
        if isinstance(kind, types.NestedArray):
            return ["nested", self.write(kind.dtype), list(kind.shape)]
        if type(kind) is types.Array:
            return ["array", self.write(kind.dtype), kind.ndim, kind.layout, not kind.mutable, kind.aligned]
        if isinstance(kind, types.BaseTuple):
            members = [self.write(member) for member in kind.types]
            named = kind.instance_class if isinstance(kind, types.BaseNamedTuple) else None
            return ["tuple", members, None if named is None else f"{named.__module__}:{named.__qualname__}"]
        if isinstance(kind, types.Omitted) and isinstance(kind.value, bool | int | float | None):
            return ["omitted", kind.value]
        if isinstance(kind, types.Integer | types.Float | types.Boolean) and not isinstance(kind, types.Literal):
            return str(kind)
        return ["none"] if isinstance(kind, types.NoneType) else None

    def read(self, value: Any) -> Any:
        """The type that :meth:`write` wrote."""
        if isinstance(value, str):
            return types.boolean if value == "bool" else getattr(types, value)
        kind, *rest = value
        if kind == "record":
            fields, aligned = self.records[rest[0]]
            return numba.from_dtype(np.dtype([_field(f) for f in fields], align=aligned))
        if kind == "nested":
            return types.NestedArray(self.read(rest[0]), tuple(rest[1]))
        if kind == "array":
            dtype, ndim, layout, readonly, aligned = rest
            return types.Array(self.read(dtype), ndim, layout, readonly=readonly, aligned=aligned)
        if kind == "tuple":
            members = [self.read(member) for member in rest[0]]
            if rest[1] is None:
                return types.Tuple(members)
            module, _, name = rest[1].partition(":")
            cls = getattr(import_module(module), name)
            alike = len(set(members)) == 1
            return types.NamedUniTuple(members[0], len(members), cls) if alike else types.NamedTuple(members, cls)
        return types.none if kind == "none" else types.Omitted(rest[0])


def _described(dtype: np.dtype[Any]) -> Any:
    names = dtype.names or ()
    fields = [[name, dtype[name].base.str, list(dtype[name].shape)] for name in names]
    return [fields, bool(dtype.isalignedstruct)]


def _field(field: Any) -> tuple[str, str, tuple[int, ...]]:
    name, base, shape = field
    return name, base, tuple(shape)
