"""TypeScript types of the messages, made from the structs.

``python tools/page_messages.py`` writes them to ``page/src/messages.ts``; a test holds that file against the structs.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from dupai.base.files import write_whole
from dupai.notation import Reason
from dupai.web import _messages
from dupai.web._messages import _study, _tables

#: The file of the page that is generated.
TYPES_FILE = Path(__file__).parents[1] / "src" / "dupai" / "web" / "page" / "src" / "messages.ts"
_HEAD = "// Made by `python tools/page_messages.py` from src/dupai/web/_messages. Do not edit.\n"
_PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null"}
_UNIONS = ("Request", "Event")


def typescript() -> str:
    """All messages as TypeScript: an interface for each struct, a union for each direction of the socket."""
    structs = [
        kind
        for module in (_tables, _study)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__module__ == module.__name__
    ]
    parts = [_HEAD, *map(_interface, [Reason, *structs])]
    for name in _UNIONS:
        members = " | ".join(kind.__name__ for kind in typing.get_args(getattr(_messages, name)))
        parts.append(f"export type {name} = {members};\n")
    return "\n".join(parts)


def _interface(struct: Any) -> str:
    hints = typing.get_type_hints(struct)
    # What the page sends may leave out what has a default; what it gets is always whole.
    config = struct.__struct_config__
    sent = config.forbid_unknown_fields or config.omit_defaults or struct.__name__ == "RangeText"
    about = " ".join((inspect.getdoc(struct) or "").split("\n\n")[0].split())
    lines = [f"/** {about} */", f"export interface {struct.__name__} {{"]
    if config.tag is not None:
        lines.append(f'  {config.tag_field}: "{config.tag}";')
    for field in msgspec.structs.fields(struct):
        optional = "?" if sent and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_type(hints[field.name])};")
    return "\n".join([*lines, "}\n"])


def _type(kind: Any) -> str:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(map(_type, arguments)))
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin is tuple and arguments[-1] is Ellipsis:
        inner = _type(arguments[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_type(one) for one in arguments)}]"
    if origin in (dict, Mapping):
        return f"Record<{_type(arguments[0])}, {_type(arguments[1])}>"
    return str(kind.__name__)


if __name__ == "__main__":
    write_whole(TYPES_FILE, typescript().encode())
    print(TYPES_FILE)
