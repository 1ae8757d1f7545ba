"""``dupai train self-play``: hands that an approximate equilibrium of limit hold'em plays against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from dupai.cli._common import console, print_json, progress


def self_play(
    out: Annotated[Path, Option(help="The log to write; packed if its name ends in .xz.")],
    hands: Annotated[int, Option(min=1, help="Hands to play.")] = 40_000,
    iterations: Annotated[int, Option(min=1, help="Deals of the solver.")] = 20_000_000,
    boards: Annotated[int, Option(min=1, help="Different boards that these deals have.")] = 3000,
    seed: Annotated[int, Option(min=0, help="Seed of everything drawn.")] = 1,
    resume: Annotated[bool, Option("--resume", help="Go on from a solver that was stopped.")] = False,
    json: Annotated[bool, Option("--json", help="One JSON document.")] = False,
) -> None:
    """Solve three-player limit hold'em approximately and write hands that the result plays against itself.

    Programs of which there are few hands are read better by networks that know how an equilibrium plays. Hands of
    alike strength are played alike; the game is solved by sampling, 10,000 to 30,000 deals a second. Ctrl-C (exit code
    130) keeps the solver beside OUT; --resume goes on, to the same hands.

    Examples:

      dupai train self-play --out limit3.log.xz

      dupai train self-play --out l.log --hands 2000 --iterations 500000 --json
    """
    from dupai.training import SelfPlaySettings, play_itself

    settings = SelfPlaySettings(hands=hands, iterations=iterations, boards=boards, seed=seed)
    with progress("self-play") as bar:
        done = play_itself(out, settings, resume=resume, progress=bar)
    if done is None:
        console(stderr=True).print("stopped; the same command with --resume goes on from there")
        raise typer.Exit(130)
    if json:
        print_json(done)
        return
    to = console()
    to.print(f"{done.hands:,} hands in {done.file}, {done.seconds:.0f} s")
    to.print(f"{done.iterations:,} deals, {done.sets:,} information sets")
    opening = ", ".join(f"{what}s {100 * share:.1f} %" for what, share in done.opening.items())
    to.print(f"the button {opening}")
    to.print(f"hands that see a flop {100 * done.flops:.0f} %, a showdown {100 * done.showdowns:.0f} %")
    to.print(f"decisions where the solver had never been {100 * done.strange:.2f} %")
