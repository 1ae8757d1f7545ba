"""``dupai train cnn``: networks that foretell a player's actions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from dupai.cli._common import console, print_json, progress
from dupai.cli._train_reader import data_shares


def cnn(
    data: Annotated[list[Path], Option(help="Log, PHH file or store; may be given several times.")],
    out: Annotated[Path, Option(help="Folder for the network, its card and the checkpoint.")],
    player: Annotated[
        list[str] | None, Option(help="Whom to learn (* and ? match any text); default everybody.")
    ] = None,
    encoding: Annotated[
        str, Option(help="paper: 20x20 matrix, its network; rich: features, the factored network.")
    ] = "rich",
    information: Annotated[
        str, Option(help="honest; literal (the whole log, leaks); or e.g. honest+chips.")
    ] = "honest",
    epochs: Annotated[int, Option(min=1, help="Passes over the training part at most.")] = 12,
    batch: Annotated[int, Option(min=1, help="Decisions of a step.")] = 512,
    rate: Annotated[float, Option(min=1e-6, max=1.0, help="Largest step of the optimiser.")] = 2e-3,
    share: Annotated[
        list[str] | None, Option(help="Share of each file's hands used, or NAME=share for one file.")
    ] = None,
    seed: Annotated[int, Option(min=0, help="Seed of everything drawn.")] = 0,
    device: Annotated[str, Option(help="Where torch computes: cpu or cuda.")] = "cpu",
    resume: Annotated[bool, Option("--resume", help="Go on from the checkpoint in the folder.")] = False,
    json: Annotated[bool, Option("--json", help="Print one JSON document: files, card, seconds.")] = False,
) -> None:
    """Train a network that foretells a player's actions heads-up no-limit (needs torch).

    Matches, card seeds and persons are split as wholes, as 'dupai read score' splits them: one part is learned from,
    one chooses the epoch (training stops when it no longer gets better), the scores are of the third. Read with the
    result as 'cnn:file=OUT'. Ctrl-C stops (exit code 130), and --resume goes on from there.

    Examples:

      dupai train cnn --data match.log.xz --player Hyperborean14 --out hb

      dupai train cnn --data match.log --encoding paper --out paper --epochs 4
    """
    from dupai.training import CnnSettings, train_cnn

    one, shares = data_shares(share or [])
    settings = CnnSettings(
        encoding=encoding, information=information, players=tuple(player or ()), share=one, shares=shares,
        epochs=epochs, batch=batch, rate=rate, seed=seed, device=device,
    )  # fmt: skip
    notes = console(stderr=True)
    with progress("training a network") as bar:
        done = train_cnn(
            data, out, settings, resume=resume, progress=bar, log=lambda text: notes.print(text, soft_wrap=True)
        )
    if done is None:
        notes.print(f"stopped; 'dupai train cnn ... --out {out} --resume' goes on")
        raise typer.Exit(130)
    if json:
        print_json(done)
        return
    screen = console()
    for name, scores in done.card["test"].items():
        screen.print(
            f"{name:<34} accuracy {100 * scores['accuracy']:6.2f} %  log-loss {scores['log_loss']:.4f}  "
            f"calibration error {scores['ece']:.4f}"
        )
    files = ", ".join(f"{name} {size / 1e3:.0f} kB" for name, size in done.files.items())
    screen.print(f"{done.folder}: {files}, trained in {done.seconds:.0f} s", soft_wrap=True)
