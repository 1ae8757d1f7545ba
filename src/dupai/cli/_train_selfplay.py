"""``dupai train self-play``: hands that an approximate equilibrium of limit hold'em plays against itself."""

from __future__ import annotations

from pathlib import Path

from typer import Option

from dupai.cli._common import console, print_json, progress
from dupai.cli._shared import JsonOption, SeedOption, leave


def self_play(
    out: Path = Option(..., help="The log to write; compressed if its name ends in .xz."),
    hands: int = Option(40_000, min=1, help="Hands to play."),
    iterations: int = Option(20_000_000, min=1, help="Deals of the solver."),
    boards: int = Option(3000, min=1, help="Number of different boards in these deals."),
    seed: SeedOption = 1,
    resume: bool = Option(False, "--resume", help="Continue from a solver that was stopped."),
    json: JsonOption = False,
) -> None:
    """Solve three-player limit hold'em approximately and write hands that the result plays against itself.

    Networks that know how an equilibrium plays read programs with few recorded hands better. Hands of similar strength
    play the same way; the game is solved by sampling, 10,000 to 30,000 deals a second. Ctrl-C (exit code 130) keeps the
    solver beside OUT; --resume continues, to the same hands.

    Examples:

      dupai train self-play --out limit3.log.xz

      dupai train self-play --out l.log --hands 2000 --iterations 500000 --json
    """
    from dupai.training import SelfPlaySettings, play_itself

    settings = SelfPlaySettings(hands=hands, iterations=iterations, boards=boards, seed=seed)
    with progress("self-play") as bar:
        played = play_itself(out, settings, resume=resume, progress=bar)
    if played is None:
        leave(complete=False, note="stopped; the same command with --resume continues")
    elif json:
        print_json(played)
    else:
        opening = ", ".join(f"{action}s {100 * share:.1f} %" for action, share in played.opening.items())
        console().print(
            f"{played.hands:,} hands in {played.file}, {played.seconds:.0f} s\n"
            f"{played.iterations:,} deals, {played.sets:,} information sets\n"
            f"the button {opening}\n"
            f"hands that see a flop {100 * played.flops:.0f} %, a showdown {100 * played.showdowns:.0f} %\n"
            f"decisions that the solver never visited {100 * played.strange:.2f} %"
        )
