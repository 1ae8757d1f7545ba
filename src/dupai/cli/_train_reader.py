"""``dupai train reader``: the networks of the reader model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from dupai.base import ConfigError
from dupai.cli._common import console, print_json, progress


def reader(
    data: Annotated[list[Path], Option(help="Log, PHH file or store; may be given several times.")],
    out: Annotated[Path, Option(help="The file to write (.npz).")],
    device: Annotated[str, Option(help="Where torch computes: cpu or cuda.")] = "cpu",
    seed: Annotated[int, Option(min=0, help="Seed of everything drawn.")] = 0,
    epochs: Annotated[int | None, Option(min=1, help="Passes over the readings, after a warm-up; default: 8.")] = None,
    networks: Annotated[int | None, Option(min=1, help="Networks trained and averaged; default: 2.")] = None,
    hidden: Annotated[int | None, Option(min=8, help="Units per hand in the networks; default: 160.")] = None,
    recipe: Annotated[
        str | None, Option(help="Which networks, instead of these three: 'standard' or a TOML file.")
    ] = None,
    known: Annotated[
        str | None,
        Option(help="A reader's file, or 'shipped': networks that the recipe makes the same are taken."),
    ] = None,
    share: Annotated[
        list[str] | None, Option(help="Share of each file's hands used, or NAME=share for one file.")
    ] = None,
    ranges: Annotated[
        bool, Option("--ranges/--no-ranges", help="A second stage that looks at all players' ranges.")
    ] = False,
    without: Annotated[
        list[str] | None, Option(help="A population whose hands are not to be seen, as heads-up.")
    ] = None,
    resume: Annotated[bool, Option("--resume", help="Go on with the stages that were finished before.")] = False,
    json: Annotated[bool, Option("--json", help="Print one JSON document: file, bytes, card, seconds.")] = False,
) -> None:
    """Train the networks of the reader model (needs torch).

    Hands are split by person, match, session or block, as 'dupai read score' splits them: one part is learned from, one
    chooses the epoch, the test part is not looked at. Read with the result as 'model:file=OUT'. Finished stages stand
    beside OUT until it is written; Ctrl-C stops (exit code 130), and --resume goes on from the last of them.

    --recipe standard trains networks for every population, after what did best for each, and wants the hands of all
    of them; another recipe is a file of the same form. Where one was changed, --resume trains what that changes, and
    so does --known with a reader of the older recipe: only the hands of what is trained are wanted then.

    Examples:

      dupai train reader --data bovada.phhs.xz --data b.log.xz --out r.npz

      dupai train reader --data lbr.log.xz --out r.npz --share lbr=0.3 --resume
    """
    from dupai.training import TrainSettings, train_reader

    sizes = chosen(recipe is not None, epochs=epochs, networks=networks, hidden=hidden)
    one, shares = data_shares(share or [])
    settings = TrainSettings(
        device=device,
        seed=seed,
        share=one,
        shares=shares,
        without=tuple(without or ()),
        ranges=ranges,
        recipe=recipe,
        known=known,
        **sizes,
    )
    notes = console(stderr=True)
    with progress("training a reader") as bar:
        done = train_reader(data, out, settings, resume=resume, progress=bar, log=lambda text: notes.print(text))
    if done is None:
        notes.print(f"stopped; 'dupai train reader ... --out {out} --resume' goes on")
        raise typer.Exit(130)
    if json:
        print_json(done)
        return
    console().print(f"{done.file}: {done.bytes / 1e6:.2f} MB, trained in {done.seconds:.0f} s", soft_wrap=True)


def chosen(recipe: bool, **options: Any) -> dict[str, Any]:
    """The options that were given (others are None), of which a recipe leaves none to say."""
    given = {name: value for name, value in options.items() if value is not None}
    if recipe and given:
        raise ConfigError(f"--recipe and --{next(iter(given))}: a recipe says what the other would, expected one")
    return given


def data_shares(given: list[str]) -> tuple[float, dict[str, float]]:
    """The share of all files, and of some by name."""
    every, some = 1.0, {}
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 < value <= 1:
            raise ConfigError(f"--share {text!r}: expected a share above 0 and up to 1, or NAME=share")
        if name:
            some[name] = value
        else:
            every = value
    return every, some
