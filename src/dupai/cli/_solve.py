"""``dupai solve``: solve a postflop spot, look into a solution, report over many boards."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from dupai.base import ConfigError, FileError, NotationError
from dupai.base.text import duration, real_number
from dupai.cli._common import BackendOption, JobsOption, check_writable, console, print_json, progress, resolve_jobs
from dupai.cli._shared import Group, JsonOption, answer, leave, table

if TYPE_CHECKING:
    from dupai.cfr import SpotNode as Node, SpotSolver as Solver


class _Group(Group):
    usual = "spot"


app = typer.Typer(
    cls=_Group,
    help="Solve a heads-up postflop spot: 'dupai solve SPOT.toml' (options: 'dupai solve spot --help'); look into the "
    "solution; report over many boards.",
    no_args_is_help=True,
)

_Target = Annotated[str, Option("--target", "-t", help="Stop at this exploitability, in percent of the pot.")]
_Half = Annotated[bool, Option("--half", help="16-bit numbers: half the memory.")]
_Most = Annotated[int, Option("--max-iterations", help="Stop after so many iterations at most.", min=1)]


def _share(text: str) -> float:
    """``0.3%`` as 0.003."""
    number = text.strip()
    share = real_number(number.removesuffix("%")) / 100
    if not number.endswith("%") or not 0 < share < 10:
        raise NotationError(f"--target {text!r}: expected a percentage of the pot as 0.3%", text=text)
    return share


@app.command()
def spot(
    file: Path = Argument(..., metavar="SPOT.toml", help="The spot."),
    target: _Target = "0.3%",
    threads: int = Option(1, "--threads", "-j", help="Number of threads.", min=1),
    half: bool | None = Option(
        None, "--half/--full", help="16-bit or 32-bit numbers. [default: 32, and 16 if the spot does not fit]"
    ),
    save: Path | None = Option(None, "--save", "-o", help="Write the solution to this file."),
    resume: bool = Option(False, "--resume", help="Continue from the file of --save, if it is there."),
    max_iterations: _Most = 2000,
    json: JsonOption = False,
) -> None:
    """Solve a spot. (The word 'spot' may be left out: dupai solve SPOT.toml.)

    Shows exploitability and time left. Ctrl-C stops, keeps the strategy so far (--save writes it, and every 10 seconds
    before) and leaves with exit code 130.

    A spot file: board, oop and ip (ranges), pot, stack; sizes as [sizes] bet = "50%, a", raise = "60%", narrower under
    [sizes.river], [sizes.river.oop]; rake, rake_cap, add_allin, force_allin, merge, raise_cap; dead (cards); locks as
    [[lock]] with path and strategy, or lower and upper. A .json file is a river sub-game of N. Brown's poker_solver.

    JSON keys: iterations, seconds, exploitability_percent, target_reached, memory_bytes, half, ev, curve, root (as in
    'solve show').

    Examples:

      dupai solve river.toml

      dupai solve flop.toml --target 0.5% --threads 2 --save flop.solve

      dupai solve flop.toml --save flop.solve --resume --target 0.1%
    """
    from dupai.cfr import SpotNode, SpotSolver, load_solution, load_spot, save_solution

    share = _share(target)
    if resume and save is None:
        raise ConfigError("--resume continues from the file of --save: name one", key="save")
    if save is not None:
        check_writable("--save", save)
    asked, locks = load_spot(file)
    if resume and save is not None and save.exists():
        solver = load_solution(save, threads=threads)
        if solver.spot != asked or half not in (None, solver.half) or solver.locks != locks:
            raise FileError(
                f"--resume: {str(save)!r} holds another spot than {str(file)!r} (or other locks, or --half)", path=save
            )
    else:
        solver = SpotSolver(asked, threads=threads, half=half, locks=locks)
    with progress("solving") as bar:
        keep = None if save is None else lambda: save_solution(solver, save)
        reached = solver.run(share, max_iterations=max_iterations, progress=bar, save=keep)
        stopped = bar.cancelled
        if keep is not None:
            keep()
    node = SpotNode(solver)
    answer(json, _result(solver, node, reached), lambda: _print_result(solver, node, reached, save))
    leave(complete=reached or not stopped)


def _result(solver: Solver, node: Node, reached: bool) -> dict[str, Any]:
    def percent(exploitability: float) -> float:
        return 100 * exploitability / solver.spot.pot

    curve = [
        {"iterations": c.iterations, "exploitability_percent": percent(c.exploitability), "seconds": c.seconds}
        for c in solver.curve
    ]
    last = curve[-1] if curve else {"seconds": 0.0, "exploitability_percent": None}
    return {
        "iterations": solver.iterations,
        "seconds": last["seconds"],
        "exploitability_percent": last["exploitability_percent"],
        "target_reached": reached,
        "memory_bytes": solver.memory,
        "half": solver.half,
        "ev": dict(zip(("oop", "ip"), solver.evs(), strict=True)),
        "curve": curve,
        "root": node.to_dict(),
    }


def _print_result(solver: Solver, node: Node, reached: bool, saved: Path | None) -> None:

    out = console()
    if not solver.curve:
        out.print("stopped before the first iteration")
        return
    last = solver.curve[-1]
    missed = "" if reached else " (target not reached)"
    out.print(
        f"{solver.iterations} iterations in {duration(last.seconds)}, exploitability "
        f"{100 * last.exploitability / solver.spot.pot:.3g} % of the pot{missed}, memory {solver.memory / 1e6:.3g} MB"
        + ", 16-bit numbers"
        * solver.half
    )
    _print_node(node, grid=True, hands=False)
    if saved is not None:
        out.print(f"written to {saved}: see 'dupai solve show {saved}'")


@app.command()
def show(
    file: Path = Argument(..., metavar="FILE", help="A file of 'dupai solve --save'."),
    path: str = Option("", "--path", "-p", help="The node, as 'check/bet 75%/call/Ah'."),
    hands: bool = Option(False, "--hands", help="A row for each hand."),
    player: str | None = Option(None, help="The player whose hands are listed: oop or ip."),
    solve: bool = Option(False, "--solve", help="Solve from the node on, and show that."),
    target: _Target = "0.3%",
    save: Path | None = Option(None, "--save", "-o", help="With --solve: write that solution to this file."),
    json: JsonOption = False,
    csv: bool = Option(False, "--csv", help="Print the hands of both players as CSV."),
    everything: bool = Option(False, "--all", help="With --json or --csv: all nodes from here until a card comes."),
    link: bool = Option(False, "--link", help="Print the address of the spot in 'dupai web'."),
) -> None:
    """Look into a solution: the grid of the strategy at a node, its actions, EVs, and every hand.

    Where the players hardly ever get (less than 1 in 1,000 deals), strategies and values are not solved, and are marked
    so. --solve solves the game from there on, with the ranges that get there; an action that nearly no hand takes is
    then taken as if all hands took it.

    JSON keys: path, board, pot, kind, reached (share of the deals), solved, player, actions, frequencies, ev, equity,
    hands (oop and ip: hand, weight, solved, equity, ev in chips of the pot, and the frequency of each action). With
    --all a list of such nodes; the CSV then has a column path.

    Examples:

      dupai solve show flop.solve

      dupai solve show flop.solve --path "check/bet 50%/call/Ah" --hands

      dupai solve show flop.solve --path "bet all-in/call/2c" --solve
    """
    from dupai.cfr import SpotNode, load_solution, save_solution, solver_from
    from dupai.cfr.postflop import PLAYERS

    if player is not None and player not in PLAYERS:
        raise ConfigError(f"--player {player!r}: expected oop or ip", key="player")
    if player is not None and not hands:
        raise ConfigError("--player lists hands of one player: expected it with --hands", key="player")
    if json and csv:
        raise ConfigError("--json and --csv: expected one of them")
    if everything and not json and not csv:
        raise ConfigError("--all lists nodes as data: expected --json or --csv with it", key="all")
    if save is not None and not solve:
        raise ConfigError("--save writes what --solve solves: expected it with --solve", key="save")
    node = SpotNode(load_solution(file), path)
    complete = True
    if solve:
        share = _share(target)
        if save is not None:
            check_writable("--save", save)
        solver, notes = solver_from(node)
        with progress("solving") as bar:
            reached = solver.run(share, progress=bar)
            complete = reached or not bar.cancelled
        for note in notes:
            typer.echo(f"note: {note}", err=True)
        if save is not None:
            save_solution(solver, save)
        node = SpotNode(solver)
    if link:
        typer.echo(_link(node.solver))
    elif json:
        print_json([one.to_dict() for one in node.below()] if everything else node.to_dict())
    elif csv:
        typer.echo(node.to_csv(below=everything), nl=False)
    else:
        _print_node(node, grid=not hands, hands=hands, player=None if player is None else PLAYERS.index(player))
    leave(complete=complete)


def _link(solver: Solver) -> str:
    """The address at which the page's form holds a spot, as far as it has room."""
    from urllib.parse import urlencode

    from msgspec.structs import replace

    from dupai.cfr import SolveSpot

    plain = solver.spot.to_dict()
    sizes = next(iter(plain["sizes"].values()))["oop"]
    shown = {key: plain[key] for key in ("board", "oop", "ip", "pot", "stack")}
    held = SolveSpot.from_dict({**shown, "sizes": sizes, "shallow": True})
    if solver.locks or solver.start or held != replace(solver.spot, shallow=True):
        typer.echo("note: the form has no room for all of it (locks, rake, dead cards, sizes by street)", err=True)
    return "http://127.0.0.1:8000/solve?" + urlencode(shown | {key: sizes[key] for key in ("bet", "raise")})


@app.command()
def report(
    file: Path = Argument(..., metavar="SPOT.toml", help="The spot; its board is replaced."),
    boards: Path = Option(..., "--boards", "-b", help="Text file with a board on each line."),
    out: Path = Option(..., "--out", "-o", help="The CSV file; boards in it are not solved again."),
    target: _Target = "0.3%",
    half: _Half = False,
    max_iterations: _Most = 2000,
    jobs: JobsOption = 1,
    backend: BackendOption = "local",
    json: JsonOption = False,
) -> None:
    """Solve one spot on many boards and summarise: EV, equity and the frequency of each action at the root.

    Ctrl-C keeps the boards that are done; the same command continues. JSON: list of rows as in the CSV file.

    Examples:

      dupai solve report flop.toml --boards flops.txt --out report.csv --jobs 2
    """
    from dupai.cfr import load_spot, read_boards, solve_report

    share = _share(target)
    asked, locks = load_spot(file)
    texts = read_boards(boards, len(asked.board))
    check_writable("--out", out)
    with progress("boards") as bar:
        rows = solve_report(
            asked,
            texts,
            out,
            locks=locks,
            target=share,
            max_iterations=max_iterations,
            half=half,
            jobs=resolve_jobs(jobs),
            backend=backend,
            progress=bar,
        )
    if json:
        print_json([{name: _cell(name, text) for name, text in row.items()} for row in rows])
    else:
        screen = console()
        for name in [k for row in rows[:1] for k in row if k not in ("board", "work", "iterations")]:
            values = [float(row[name]) for row in rows if row.get(name, "") not in ("", "nan")]
            if values:
                mean = sum(values) / len(values)
                screen.print(f"{name:>18}  mean {mean:10.4f}  {min(values):10.4f} to {max(values):.4f}")
        screen.print(f"{len(rows)} of {len(texts)} boards in {out}")
    leave(complete=len(rows) == len(texts))


def _cell(name: str, text: str) -> str | float | None:
    """A cell of a report as JSON has it: figures are numbers, null where there is none."""
    if name in ("board", "work"):
        return text
    number = float(text or "nan")
    return int(number) if name == "iterations" else number if math.isfinite(number) else None


_FOLD = (74, 120, 176)
_PASSIVE = (86, 155, 92)
_BETS = ((222, 143, 95), (204, 92, 72), (166, 48, 60), (120, 24, 60))


def _colours(node: Node) -> list[tuple[int, int, int]]:
    """Blue folds, green checks and calls, the redder the bigger the bet."""
    bets = iter((*_BETS, *[_BETS[-1]] * len(node.actions)))
    return [_FOLD if a.kind == "fold" else next(bets) if a.amount else _PASSIVE for a in node.actions]


def _print_node(node: Node, *, grid: bool, hands: bool, player: int | None = None) -> None:
    from rich.text import Text

    from dupai.cards import cards_text
    from dupai.cfr.postflop import PLAYERS

    out = console()
    actor = f"{PLAYERS[node.player]} acts" if node.player is not None else node.kind
    out.print(f"{node.path or 'start'}: board {cards_text(node.board)}, pot {node.pot}, {actor}")
    if not node.solved:
        out.print(f"  {node.seldom()}; no strategy or EV here is to be believed. --solve solves from here")
    for p, name in enumerate(PLAYERS):
        ev, equity = node.mean(node.ev, p), 100 * node.mean(node.equity, p)
        out.print(f"  {name:>3}: EV {_figure(ev, '.4g')} chips, equity {_figure(equity, '.2f')} %")
    colours = _colours(node)
    plain = out.color_system is None or out.no_color
    shares = zip(node.actions, node.frequencies(), colours, strict=True)
    for number, (action, share, (red, green, blue)) in enumerate(shares, 1):
        line = Text("  ")
        line.append(f"{number:>2}" if plain else "  ", style=f"on rgb({red},{green},{blue})")
        line.append(f" {action}: {_figure(100 * share, '.1f')} %")
        out.print(line)
    if grid and node.player is not None:
        for row in node.grid():
            line = Text("  ")
            for name, reach, mix in row:
                often = (1 + mix.index(max(mix)) if reach > 1e-6 else "·") if plain else ""
                line.append(f"{name:<3}{often} ", style=_style(reach, mix, colours))
            out.print(line)
        if plain:
            out.print("  each hand with the number of its most frequent action; · is not in the range")
    if hands:
        side, marked = (node.player or 0) if player is None else player, False
        actions = [str(a) for a in node.actions] if side == node.player else []
        view = table("hand", *(f">{title}" for title in ("weight", "equity %", "EV", *actions)))
        for hand in node.hands(side):
            won = "?" if hand["equity"] is None else f"{100 * hand['equity']:.2f}"
            chips = "?" if hand["ev"] is None else f"{hand['ev']:.3f}"
            mark = "" if hand["solved"] or not node.solved else "*"
            marked = marked or bool(mark)
            view.add_row(
                hand["hand"] + mark, f"{hand['weight']:.4f}", won, chips, *(f"{100 * hand[a]:.1f}" for a in actions)
            )
        view.columns[0].no_wrap = True
        out.print(view)
        if marked:
            out.print("* this hand gets here less than 1 in 1,000 times: not solved")


def _figure(value: float, form: str) -> str:
    """A figure; ``?`` where nobody gets there."""
    return "?" if math.isnan(value) else format(value, form)


def _style(reach: float, mix: tuple[float, ...], colours: list[tuple[int, int, int]]) -> str:
    if reach <= 1e-6:
        return "dim"
    shade = min(1.0, 0.35 + 0.65 * reach)
    rgb = [round(shade * sum(m * c[k] for m, c in zip(mix, colours, strict=True))) for k in range(3)]
    return f"white on rgb({rgb[0]},{rgb[1]},{rgb[2]})"
