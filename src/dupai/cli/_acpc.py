"""``dupai acpc``: play and deal over the protocol of the Annual Computer Poker Competition."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument, Option

from dupai.cli._groups import Group
from dupai.rules import FaultRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dupai.acpc import DealConfig, DealResult, MatchFiles

app = typer.Typer(
    name="acpc",
    cls=Group,
    no_args_is_help=True,
    help="The ACPC protocol live: join a dealer, deal, run programs.",
)

_Illegal = Literal["fault", "correct"]


@app.callback()
def _acpc() -> None:
    """The ACPC protocol live: join a dealer, deal, run programs."""


def _note(line: str) -> None:
    sys.stderr.write(line + "\n")


@app.command()
def join(
    host: Annotated[str, Argument(help="Where the dealer listens.", metavar="HOST")],
    port: Annotated[int, Argument(help="The port of our seat.", metavar="PORT", min=1, max=65535)],
    agent: Annotated[str, Argument(help="An agent spec, as rules or style:LA.", metavar="AGENT")],
    game: Annotated[
        str | None,
        Option(help="ACPC .game file or shipped game; default: no-limit for the players of the first state."),
    ] = None,
    seconds: Annotated[float, Option(help="Clock for one decision; then it checks, or folds to a bet.")] = 7.0,
    seed: Annotated[int | None, Option(help="Of the agent's random numbers; default: random.")] = None,
    quiet: Annotated[bool, Option("--quiet", "-q", help="Say nothing unless something is wrong.")] = False,
) -> None:
    """Play one of our agents through any ACPC dealer, until that closes the connection.

    Exit code 0 when the dealer has ended the match, 2 when it broke the protocol or could not be reached.

    Example:

      dupai acpc join 127.0.0.1 18791 rules --game holdem.nolimit.2p
    """
    from dupai.acpc import join_match
    from dupai.rules import load_game

    spec = load_game(game) if game is not None else None
    result = join_match(host, port, agent, spec, seconds=seconds, seed=seed, note=_note)
    if not quiet:
        late = f", {result.late} decisions late" if result.late else ""
        failed = f", {result.failed} decisions failed" if result.failed else ""
        _note(f"{result.hands} hands, won {result.won / result.split:g} chips{late}{failed}")


def _files(config: DealConfig, folder: str | None, tlog: bool = False, append: bool = False) -> MatchFiles | None:
    """The files that the match keeps in ``folder``."""
    from pathlib import Path

    from dupai.acpc import MatchFiles
    from dupai.base import ConfigError

    if folder is None:
        if tlog or append:
            raise ConfigError("-T and -a need a folder for the logs: --log DIR")
        return None
    name = config.title
    if "/" in name or name.startswith("."):
        raise ConfigError(f"--name {name!r}: expected the beginning of a file's name")
    path = Path(folder)
    return MatchFiles(path / f"{name}.log", path / f"{name}.tlog" if tlog else None, append=append)


def _end(result: DealResult) -> None:
    """Print the score; exit code 1 when the match ended early."""
    if result.ended is not None:
        raise typer.Exit(1)
    # A name that the terminal cannot show does not cost the match its last line.
    code = sys.stdout.encoding or "utf-8"
    sys.stdout.write(result.score.encode(code, "backslashreplace").decode(code) + "\n")


def _say_ports(ports: tuple[int, ...]) -> None:
    sys.stdout.write(" ".join(map(str, ports)) + "\n")
    sys.stdout.flush()


def _ports(text: str | None) -> Sequence[int]:
    from dupai.base import ConfigError

    if text is None:
        return ()
    ports = text.split(",")
    if not all(p.strip().isascii() and p.strip().isdigit() and int(p) < 65536 for p in ports):
        raise ConfigError(f"--ports {text!r}: expected numbers of at most 65535 with commas between, as 18791,0")
    return [int(p) for p in ports]


@app.command()
def deal(
    game: Annotated[str, Argument(help="ACPC .game file or the name of a shipped game.", metavar="GAME")],
    players: Annotated[
        list[str],
        Argument(
            help="By seat: NAME waits for a program to connect, NAME=AGENT seats an agent of ours.",
            metavar="NAME[=AGENT]",
        ),
    ],
    hands: Annotated[int, Option(help="Hands to deal.")] = 3000,
    seed: Annotated[int, Option(help="Of the cards: the reference dealer deals the same.")] = 0,
    name: Annotated[str, Option(help="Name of the match and its log.")] = "match",
    ports: Annotated[
        str | None, Option("--ports", "-p", help="By seat, commas between; 0 or missing: any free one.")
    ] = None,
    host: Annotated[str, Option(help="Where to listen.")] = "127.0.0.1",
    log: Annotated[str | None, Option(help="Folder for NAME.log.", metavar="DIR")] = None,
    tlog: Annotated[
        bool, Option("-T/-t", help="With NAME.tlog beside it, from which -a goes on (-t: without).")
    ] = False,
    append: Annotated[
        bool, Option("--append", "-a", help="Add to the log; with -T: go on with an interrupted match.")
    ] = False,
    fixed: Annotated[bool, Option("--fixed", "-f", help="Fixed button: seats do not rotate.")] = False,
    on_fault: Annotated[
        FaultRule,
        Option(help="A player at fault forfeits the hand, folds from there on, or all ends."),
    ] = "forfeit",
    illegal: Annotated[
        _Illegal, Option(help="An illegal action is a fault, or corrected as the reference does.")
    ] = "fault",
    t_response: Annotated[int, Option("--t_response", "--t-response", help="ms for one answer.")] = 600_000,
    t_hand: Annotated[int, Option("--t_hand", "--t-hand", help="ms for one player in one hand.")] = 600_000,
    t_per_hand: Annotated[int, Option("--t_per_hand", "--t-per-hand", help="ms a hand on average.")] = 7_000,
    start_timeout: Annotated[
        int, Option("--start_timeout", "--start-timeout", help="ms to wait for connections; negative: for ever.")
    ] = -1,
    t_version: Annotated[
        int, Option("--t_version", "--t-version", help="ms from a connection to its version line.")
    ] = 10_000,
    quiet: Annotated[bool, Option("--quiet", "-q", help="No lines sent and received on stderr.")] = False,
) -> None:
    """Deal a match to programs that connect, as the reference dealer does, and to agents of ours.

    Prints the ports by seat (0 for agents of ours) before anybody connects, and at the end the SCORE line. Faults go to
    stderr and into the log. A match with -T and -a that was interrupted at any moment goes on with the same command:
    same cards, same log, and what was played counts. Exit code 0 when all hands were played, 1 when the match ended
    early (no SCORE line then).

    Examples:

      dupai acpc deal holdem.nolimit.2p alice bob --hands 1000 --log logs

      dupai acpc deal holdem.nolimit.3p alice bob=rules carol=style:LA -p 18791

      dupai acpc deal holdem.nolimit.2p alice bob --seed 7 --log logs -T -a
    """
    # Long by its options.
    import asyncio

    from dupai.acpc import DealConfig, deal as deal_match
    from dupai.rules import load_game

    named = [p.partition("=") for p in players]
    config = DealConfig(
        game=load_game(game),
        hands=hands,
        seed=seed,
        names=tuple(n for n, _, _ in named),
        title=name,
        game_name=game,
        fixed_button=fixed,
        on_fault=on_fault,
        illegal=illegal,
        t_response=t_response,
        t_hand=t_hand,
        t_per_hand=t_per_hand,
        start_timeout=start_timeout,
        t_version=t_version,
    )
    wanted = _ports(ports)
    agents = [agent if equals else None for _, equals, agent in named]

    _end(
        asyncio.run(
            deal_match(
                config,
                agents,
                host=host,
                ports=wanted,
                files=_files(config, log, tlog, append),
                note=_note,
                chatter=None if quiet else _note,
                listening=_say_ports,
            )
        )
    )


@app.command()
def bridge(
    commands: Annotated[
        list[str], Argument(help="Start commands, one a seat; each is run as CMD HOST PORT.", metavar="CMD")
    ],
    game: Annotated[str, Option(help="ACPC .game file or shipped game.")] = "holdem.nolimit.2p",
    against: Annotated[str, Option(help="Our agent in every seat without a command.")] = "rules",
    hands: Annotated[int, Option(help="Hands to deal.")] = 1000,
    seed: Annotated[int, Option(help="Of the cards.")] = 0,
    log: Annotated[str | None, Option(help="Folder for bridge.log.", metavar="DIR")] = None,
    on_fault: Annotated[
        FaultRule,
        Option(help="A player at fault forfeits the hand, folds from there on, or all ends."),
    ] = "forfeit",
    t_response: Annotated[int, Option("--t_response", "--t-response", help="ms for one answer.")] = 600_000,
    start_timeout: Annotated[
        int, Option("--start_timeout", "--start-timeout", help="ms to wait for the programs.")
    ] = 60_000,
) -> None:
    """Start the programs of others with host and port, as the reference's match script does, and deal to them.

    Seats without a command are played by --against. Output and exit code as for 'deal'. In any other command such a
    program is the agent acpc:cmd="./startme.sh".

    Example:

      dupai acpc bridge ./startme.sh --against style:TA --hands 500 --seed 7
    """
    import asyncio

    from dupai.acpc import DealConfig, deal_programs
    from dupai.base import ConfigError
    from dupai.rules import load_game

    spec = load_game(game)
    ours = spec.players - len(commands)
    if ours < 0:
        raise ConfigError(f"{len(commands)} commands given: {game} is for {spec.players} players")
    seats = [(c, True) for c in commands] + [(against, False)] * ours
    config = DealConfig(
        game=spec,
        hands=hands,
        seed=seed,
        names=tuple(f"program{k + 1}" for k in range(len(commands))) + tuple(f"ours{k + 1}" for k in range(ours)),
        title="bridge",
        game_name=game,
        on_fault=on_fault,
        t_response=t_response,
        start_timeout=start_timeout,
    )
    files = _files(config, log)
    _end(asyncio.run(deal_programs(config, seats, files=files, note=_note, listening=_say_ports)))
