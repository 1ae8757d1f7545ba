"""The command line: argument parsing and printing, nothing else."""

from dupai.cli._main import app, entry, main

__all__ = ["app", "entry", "main"]
