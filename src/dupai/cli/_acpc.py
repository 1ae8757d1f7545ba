"""``dupai acpc``: play and deal over the protocol of the Annual Computer Poker Competition."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from typer import Argument, Option

from dupai import acpc
from dupai.base import ConfigError
from dupai.base.text import whole_number
from dupai.cli._settings import takes_settings
from dupai.cli._shared import Group, named_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dupai.acpc import DealConfig, DealResult, MatchFiles

app = typer.Typer(
    name="acpc", cls=Group, no_args_is_help=True, help="The ACPC protocol live: join a dealer, deal, run programs."
)

_LogOption = Annotated[str | None, Option("--log", help="Folder for the log.", metavar="DIR")]
#: The longest clock of a decision: a day.
MAX_SECONDS = 86_400


def _note(line: str) -> None:
    sys.stderr.write(line + "\n")


@app.command()
def join(
    host: str = Argument(..., help="Host of the dealer.", metavar="HOST"),
    port: int = Argument(..., help="Port of our seat.", metavar="PORT", min=1, max=65535),
    agent: str = Argument(..., help="An agent spec, as rules or style:LA.", metavar="AGENT"),
    game: str | None = Option(
        None, help="ACPC .game file or shipped game; default: no-limit for the players of the first state."
    ),
    seconds: float = Option(7.0, help="Clock for one decision; then it checks, or folds to a bet."),
    seed: int | None = Option(None, help="Seed of the agent's random numbers; default: random."),
    quiet: bool = Option(False, "--quiet", "-q", help="Print nothing unless something is wrong."),
) -> None:
    """Play one of our agents through any ACPC dealer, until that closes the connection.

    Exit code 0 when the dealer has ended the match, 2 when it broke the protocol or could not be reached.

    Example:

      dupai acpc join 127.0.0.1 18791 rules --game holdem.nolimit.2p
    """
    from dupai.acpc import join_match

    if not 0 < seconds <= MAX_SECONDS:
        raise ConfigError(f"--seconds {seconds:g}: expected more than 0 and at most {MAX_SECONDS}", key="seconds")
    if seed is not None and not 0 <= seed < 2**63:
        raise ConfigError(f"--seed {seed}: expected 0 to {2**63 - 1}", key="seed")
    result = join_match(host, port, agent, named_game(game), seconds=seconds, seed=seed, note=_note)
    if not quiet:
        late = f", {result.late} decisions late" if result.late else ""
        failed = f", {result.failed} decisions failed" if result.failed else ""
        _note(f"{result.hands} hands, won {result.won / result.split:g} chips{late}{failed}")


def _files(config: DealConfig, folder: str | None, tlog: bool = False, append: bool = False) -> MatchFiles | None:
    """The files that the match keeps in ``folder``."""
    from pathlib import Path

    from dupai.acpc import MatchFiles

    if folder is None:
        if tlog or append:
            raise ConfigError("-T and -a need a folder for the logs: --log DIR", key="log")
        return None
    name = config.title
    if "/" in name or name.startswith("."):
        raise ConfigError(f"--name {name!r}: expected the beginning of a file name", key="name", text=name)
    path = Path(folder)
    return MatchFiles(path / f"{name}.log", path / f"{name}.tlog" if tlog else None, append=append)


def _end(result: DealResult) -> None:
    """Print the key and the score; exit code 1 when the match ended early."""
    if result.key:
        _note(f"the cards came from a secret key: --key {result.key} deals them again")
    if result.ended is not None:
        raise typer.Exit(1)
    # A name that the terminal cannot show does not cost the match its last line.
    code = sys.stdout.encoding or "utf-8"
    sys.stdout.write(result.score.encode(code, "backslashreplace").decode(code) + "\n")


def _say_ports(ports: tuple[int, ...]) -> None:
    sys.stdout.write(" ".join(map(str, ports)) + "\n")
    sys.stdout.flush()


def _ports(text: str | None) -> Sequence[int]:

    if text is None:
        return ()
    ports = [port for p in text.split(",") if (port := whole_number(p.strip(), 65535)) is not None]
    if len(ports) <= text.count(","):
        raise ConfigError(
            f"--ports {text!r}: expected numbers of at most 65535 separated by commas, as 18791,0",
            key="ports",
            text=text,
        )
    return ports


@app.command()
@takes_settings()
def deal(
    *,
    game: str = Argument(..., help="ACPC .game file or the name of a shipped game.", metavar="GAME"),
    players: list[str] = Argument(
        ...,
        help="By seat: NAME waits for a program to connect, NAME=AGENT seats one of our agents.",
        metavar="NAME[=AGENT]",
    ),
    settings: acpc.DealSettings,
    ports: str | None = Option(None, "--ports", "-p", help="By seat, separated by commas; 0 or missing: any free one."),
    host: str = Option("127.0.0.1", help="Address to listen on."),
    log: _LogOption = None,
    tlog: bool = Option(False, "-T/-t", help="Also write NAME.tlog, from which -a resumes the match (-t: do not)."),
    append: bool = Option(False, "--append", "-a", help="Add to the log; with -T: resume an interrupted match."),
    quiet: bool = Option(False, "--quiet", "-q", help="Do not print lines sent and received to stderr."),
) -> None:
    """Deal a match to programs that connect, as the reference dealer does, and to our agents.

    Prints the ports by seat (0 for our agents) before anybody connects, and the SCORE line at the end. Faults go to
    stderr and into the log. A match with -T and -a that was interrupted at any moment resumes with the same command:
    same cards, same log, and the hands played count. Exit code 0 when all hands were played, 1 when the match ended
    early (without a SCORE line).

    Examples:

      dupai acpc deal holdem.nolimit.2p alice bob --hands 1000 --log logs

      dupai acpc deal holdem.nolimit.3p alice bob=rules carol=style:LA -p 18791

      dupai acpc deal holdem.nolimit.2p alice bob --seed 7 --log logs -T -a
    """
    import asyncio

    from dupai.acpc import DealConfig, deal as deal_match
    from dupai.rules import load_game

    seats = [player.partition("=") for player in players]
    names = tuple(seat_name for seat_name, _, _ in seats)
    options = msgspec.structs.asdict(settings)
    config = DealConfig(**options, game=load_game(game), game_name=game, names=names)
    match = deal_match(
        config,
        [agent if equals else None for _, equals, agent in seats],
        host=host,
        ports=_ports(ports),
        files=_files(config, log, tlog, append),
        note=_note,
        chatter=None if quiet else _note,
        listening=_say_ports,
    )
    _end(asyncio.run(match))


@app.command()
@takes_settings(
    *("title", "fixed_button", "illegal", "t_hand", "t_per_hand", "t_version"), hands=1000, start_timeout=60_000
)
def bridge(
    *,
    commands: list[str] = Argument(
        ..., help="Start commands, one a seat; each is run as CMD HOST PORT.", metavar="CMD"
    ),
    game: str = Option("holdem.nolimit.2p", help="ACPC .game file or shipped game."),
    against: str = Option("rules", help="Our agent in every seat without a command."),
    settings: acpc.DealSettings,
    log: _LogOption = None,
) -> None:
    """Start external programs with host and port, as the reference's match script does, and deal to them.

    Seats without a command are played by --against. Output and exit code as for 'deal'; the log is bridge.log. In any
    other command such a program is the agent acpc:cmd="./startme.sh".

    Example:

      dupai acpc bridge ./startme.sh --against style:TA --hands 500 --seed 7
    """
    import asyncio

    from dupai.acpc import DealConfig, deal_programs
    from dupai.rules import load_game

    spec = load_game(game)
    ours = spec.players - len(commands)
    if ours < 0:
        raise ConfigError(f"{len(commands)} commands given: {game} is for {spec.players} players", key="commands")
    seats = [(c, True) for c in commands] + [(against, False)] * ours
    names = tuple(f"program{k + 1}" for k in range(len(commands))) + tuple(f"ours{k + 1}" for k in range(ours))
    options = msgspec.structs.asdict(settings) | {"title": "bridge"}
    config = DealConfig(**options, game=spec, game_name=game, names=names)
    files = _files(config, log)
    _end(asyncio.run(deal_programs(config, seats, files=files, note=_note, listening=_say_ports)))
