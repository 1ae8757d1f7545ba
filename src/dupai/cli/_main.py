"""The commands, put together; and every error that a user can cause as one line with exit code 2."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

import typer
from typer import Option

from dupai.arena import FORMATS
from dupai.base import DupaiError, announce_compilation, with_examples
from dupai.base.text import nearest, visible
from dupai.cli._common import guarded_output
from dupai.cli._shared import Group

#: The commands in the order in which a newcomer needs them: place (``module:name``) and summary.
_COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("_run:run", "Watch eight agents play a match; replay any of its hands."),
    "play": ("_play:play", "Play against agents in the terminal."),
    "web": ("_web:web", "The table in the browser: play, replay, review, solve."),
    "equity": ("_equity:equity", "The share of the pot that hands and ranges win."),
    "range": ("_equity:range_", "Read a range in any form, and write it in another."),
    "advise": ("_agents:advise", "What an agent would do in a spot, and why."),
    "agents": ("_agents:app", "List the agents with their options; check one."),
    **{name: ("_playing:format_command", entry.summary) for name, entry in FORMATS.items()},
    "results": ("_results:app", "Show the runs in a file of --results."),
    "engine": ("_engine:engine", "Play and analyse for another program, in lines of JSON."),
    "acpc": ("_acpc:app", "The ACPC protocol live: join a dealer, deal, run programs."),
    "verify-deal": ("_engine:verify_deal", "Check a deal at the browser's table."),
    "read": ("_read:app", "Read a recorded hand; score hand readers."),
    "readers": ("_read:readers", "List the hand readers, with their options."),
    "train": ("_train:app", "Train hand readers on recorded hands."),
    "history": ("_history:app", "Recorded hands: check, keep, convert, count."),
    "solve": ("_solve:app", "The equilibrium of a heads-up spot after the flop."),
    "pushfold": ("_cfr:pushfold", "All-in and calling ranges with short stacks."),
    "cfr": ("_cfr:cfr", "Solve a small game by regret minimisation."),
    "reproduce": ("_reproduce:reproduce", "Run papers' experiments, their figures beside ours."),
    "bench": ("_bench:bench", "Measure our kernels against their peers."),
    "build-tables": ("_doctor:build_tables", "Build the tables that are too large to ship (seconds)."),
    "doctor": ("_doctor:doctor", "Show what this installation has."),
}
_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@cache
def _load(name: str) -> Any:
    place, summary = _COMMANDS[name]
    module, _, attribute = place.partition(":")
    made = getattr(import_module(f"dupai.cli.{module}"), attribute)
    if isinstance(made, typer.Typer):
        holder = typer.Typer(cls=Group, rich_markup_mode=None, add_completion=False)
        holder.add_typer(made, name=name, short_help=summary)
        holder.callback()(lambda: None)
        return typer.main.get_group(holder).commands[name]
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.command(name, short_help=summary)(made(name) if name in FORMATS else made)
    return typer.main.get_command(single)


class _Commands(Mapping[str, Any]):
    """The commands by name, each loaded when it is asked for: the list of them imports none."""

    def __getitem__(self, name: str) -> Any:
        return _load(name)

    def __contains__(self, name: object) -> bool:
        return name in _COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(_COMMANDS)

    def __len__(self) -> int:
        return len(_COMMANDS)


class _Root(Group):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_COMMANDS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # The parser would leave silently.
            sys.stderr.write("dupai: interrupted\n")
            raise typer.Exit(130) from None
        except BrokenPipeError:
            # The parser would leave with exit code 1; see _main.
            _silence()
            raise typer.Exit from None


app = typer.Typer(
    name="dupai",
    cls=_Root,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=_CONTEXT,
    help="Texas Hold'em: read hands, adapt to opponents, and prove how good a player is.",
)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: bool = Option(False, "--version", help="Print the version and leave.", is_eager=True),
) -> None:
    if version:
        from dupai.base import __version__

        typer.echo(f"dupai {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


#: What is expected where the parser wants an integer.
_WHOLE = "expected a whole number, as 1000"


def _one_line(error: Exception) -> str:
    """A usage error of the parser as one line with the nearest name."""
    text = " ".join(error.format_message().split())  # type: ignore[attr-defined]
    text = text.replace("Input should be a valid integer, unable to parse string as an integer", _WHOLE)
    context = getattr(error, "ctx", None)
    if "No such command" in text and context is not None and "Did you mean" not in text:
        names = [*getattr(context.command, "commands", {}), *getattr(context.command, "more_names", tuple)()]
        asked = text.split("'")[1] if "'" in text else ""
        text = f"unknown command {asked!r}: {nearest(asked, names)}"
    where = f" (see '{context.command_path} --help')" if context is not None else ""
    return text + where


def _silence() -> None:
    """Send nothing more to standard output, including what it still holds."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns the exit code (0 done, 2 the user's mistake, 130 interrupted)."""
    announce_compilation()
    with guarded_output():
        return _main(argv)


def _main(argv: list[str] | None) -> int:
    try:
        words = [with_examples(word) for word in (sys.argv[1:] if argv is None else argv)]
        result: Any = app(args=words, prog_name="dupai", standalone_mode=False)
        # Buffered output may fail to go out: report it here, not at the exit.
        sys.stdout.flush()
    except DupaiError as error:
        sys.stdout.flush()
        sys.stderr.write(f"dupai: {visible(str(error), line=True)}\n")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("dupai: interrupted\n")
        return 130
    except BrokenPipeError:
        # The reader of our output went away (as `| head` does): not an error of ours.
        _silence()
        return 0
    except typer.Exit as leave:
        return int(leave.exit_code)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        _silence()
        sys.stderr.write(f"dupai: the output cannot be written: {error.strerror}\n")
        return 2
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            # A group of commands without a command prints its help.
            sys.stdout.write(f"{error.format_message()}\n")  # type: ignore[attr-defined]
            return 0
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            sys.stderr.write(f"dupai: {visible(_one_line(error), line=True)}\n")
            return 2
        raise
    return result if isinstance(result, int) else 0


#: What a signal raised while compiling code called back from C, where exceptions are lost.
_lost: list[type[BaseException]] = []
#: Seconds until it is raised again.
_AGAIN = 0.05


class Terminated(BaseException):
    """SIGTERM has come. No ``SystemExit``: an agent may raise that, which is a fault of the agent."""


def _terminated(number: int, frame: Any) -> NoReturn:
    """SIGTERM ends the program as an exception does, so that workers and what they share are cleaned up."""
    raise Terminated


def _keep_signals() -> None:
    """Raise the exception of a signal again, in a moment, where it came while C code called Python and was lost."""
    before = sys.unraisablehook

    def hook(unraisable: Any) -> None:
        if not isinstance(unraisable.exc_value, (KeyboardInterrupt, Terminated)):
            before(unraisable)
            return
        _lost.append(type(unraisable.exc_value))
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)

    def again(number: int, frame: Any) -> NoReturn:
        kind = _lost[-1]
        _lost.clear()
        raise kind

    signal.signal(signal.SIGALRM, again)
    sys.unraisablehook = hook


def entry() -> None:
    """The console script."""
    # Products of small matrices (in the trained reader): a second thread costs more than it gains, and far more where
    # other processes use the cores.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        # What the terminal cannot write (± in ASCII) becomes a question mark.
        sys.stdout.reconfigure(errors="replace")
    try:
        signal.signal(signal.SIGTERM, _terminated)
        if hasattr(signal, "setitimer"):
            _keep_signals()
        code = main()
    except KeyboardInterrupt:
        sys.stderr.write("dupai: interrupted\n")
        code = 128 + signal.SIGINT
    except Terminated:
        code = 128 + signal.SIGTERM
    except Exception:
        # What C code called was cut short by a signal, and failed for that.
        if not _lost:
            raise
        if _lost[-1] is KeyboardInterrupt:
            sys.stderr.write("dupai: interrupted\n")
        code = 128 + (signal.SIGTERM if _lost[-1] is Terminated else signal.SIGINT)
    if _lost:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
    sys.exit(code)
