"""The commands, put together; and every error that a user can cause as one line with exit code 2."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from dupai.base import DupaiError, announce_compilation, nearest
from dupai.cli import (
    _acpc,
    _advise,
    _agents,
    _bench,
    _build_tables,
    _cash,
    _cfr,
    _doctor,
    _equity,
    _history,
    _ladder,
    _match,
    _play,
    _pushfold,
    _read,
    _reproduce,
    _results,
    _run,
    _solve,
    _sprt,
    _tournament,
    _train,
)

app = typer.Typer(
    name="dupai",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Texas Hold'em: read hands, adapt to opponents, and prove how good a player is.",
)

# In the order in which a newcomer needs them.
app.command()(_run.run)
app.command()(_play.play)
app.command()(_equity.equity)
app.command()(_match.match)
app.command()(_tournament.tournament)
app.command()(_cash.cash)
app.command()(_sprt.sprt)
app.command()(_ladder.ladder)
app.add_typer(_results.app, name="results")
app.add_typer(_solve.app, name="solve")
app.command()(_advise.advise)
app.add_typer(_agents.app, name="agents")
app.add_typer(_read.app, name="read")
app.command()(_read.readers)
app.add_typer(_train.app, name="train")
app.add_typer(_acpc.app, name="acpc")
app.add_typer(_history.app, name="history")
app.command()(_reproduce.reproduce)
app.command()(_cfr.cfr)
app.command()(_pushfold.pushfold)
app.command()(_bench.bench)
app.command("build-tables")(_build_tables.build_tables)
app.command()(_doctor.doctor)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and leave.", is_eager=True),
) -> None:
    if version:
        from dupai import __version__

        typer.echo(f"dupai {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _one_line(error: Exception) -> str:
    """A usage error of the parser as one line with the nearest name."""
    said: str = error.format_message()  # type: ignore[attr-defined]
    text = " ".join(said.split())
    context = getattr(error, "ctx", None)
    if "No such command" in text and context is not None and "Did you mean" not in text:
        names = list(getattr(context.command, "commands", {}))
        asked = text.split("'")[1] if "'" in text else ""
        text = f"unknown command {asked!r}: {nearest(asked, names)}"
    where = f" (see '{context.command_path} --help')" if context is not None else ""
    return text + where


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code (0 done, 2 the user's mistake, 130 interrupted)."""
    announce_compilation()
    try:
        result: Any = app(args=argv, prog_name="dupai", standalone_mode=False)
    except DupaiError as error:
        sys.stdout.flush()
        sys.stderr.write(f"dupai: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("dupai: interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader of our output went away (as `| head` does): not an error of ours.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except typer.Exit as leave:
        return int(leave.exit_code)
    except typer.Abort:
        sys.stderr.write("dupai: interrupted\n")
        return 130
    except Exception as error:
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            sys.stderr.write(f"dupai: {_one_line(error)}\n")
            return 2
        raise
    return result if isinstance(result, int) else 0


def entry() -> None:
    """The console script."""
    # Products of small matrices (the trained reader's): a second thread costs more than it brings, and where other
    # processes want the cores many times more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(main())
