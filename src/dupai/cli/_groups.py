"""Commands that hold commands."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class Group(TyperGroup):
    """Lists its commands with the whole of their first sentence, where the parser's own cuts it off."""

    #: The command that is meant where the first word is none: ``dupai read LOG`` is ``dupai read hand LOG``.
    usual: str | None = None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self.usual is not None and args and args[0] not in self.commands and args[0] not in ("-h", "--help"):
            args = [self.usual, *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = [(name, self.commands[name].get_short_help_str(1000)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
