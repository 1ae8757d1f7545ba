"""The command line: argument parsing and printing, nothing else."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.cli._main import app as app, entry as entry, main as main
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
