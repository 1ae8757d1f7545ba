"""``dupai train reader``: the networks of the reader model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from dupai.base import ConfigError, NotationError
from dupai.cli._common import console, print_json, progress
from dupai.cli._shared import DataOption, DeviceOption, SeedOption, json_keys, leave

ShareOption = Annotated[
    list[str] | None, Option("--share", help="Share of each file's hands to use, or NAME=share for one file.")
]
ResumeOption = Annotated[bool, Option("--resume", help="Continue from the finished stages of a stopped run.")]


def reader(
    data: DataOption,
    out: Path = Option(..., help="The file to write (.npz)."),
    device: DeviceOption = "cpu",
    seed: SeedOption = 0,
    epochs: int | None = Option(None, min=1, help="Epochs over the readings, after a warm-up; default: 8."),
    networks: int | None = Option(None, min=1, help="Networks trained and averaged; default: 2."),
    hidden: int | None = Option(None, min=8, help="Units per hand in the networks; default: 160."),
    recipe: str | None = Option(None, help="'standard' or a TOML file, instead of these three."),
    known: str | None = Option(
        None, help="A reader's file, or 'shipped': networks that the recipe would not change are reused."
    ),
    share: ShareOption = None,
    ranges: bool = Option(False, "--ranges/--no-ranges", help="A second stage that sees the ranges of all players."),
    without: list[str] | None = Option(None, help="A population whose hands are left out, as heads-up."),
    resume: ResumeOption = False,
    json: bool = json_keys("file, bytes, card, seconds"),
) -> None:
    """Train the networks of the reader model (needs torch).

    Hands are split by person, match, session or block, as in 'dupai read score': the networks learn from the training
    set, the validation set chooses the epoch, the test set is not used. Read with the result as 'model:file=OUT'.
    Finished stages stay beside OUT until it is written; Ctrl-C stops (exit code 130), and --resume continues from the
    last of them.

    --recipe standard trains the best known networks for every population and needs the hands of all of them; another
    recipe is a file of the same form. When a recipe has changed, --resume trains only the changed networks, and so does
    --known with a reader of the older recipe: only the hands for these networks are needed then.

    Examples:

      dupai train reader --data bovada.phhs.xz --data b.log.xz --out r.npz

      dupai train reader --data lbr.log.xz --out r.npz --share lbr=0.3 --resume
    """
    from dupai.training import TrainSettings, train_reader

    every, shares = data_shares(share or [])
    settings = TrainSettings(
        device=device,
        seed=seed,
        share=every,
        shares=shares,
        without=tuple(without or ()),
        ranges=ranges,
        recipe=recipe,
        known=known,
        **given_options(recipe is not None, epochs=epochs, networks=networks, hidden=hidden),
    )
    with progress("training a reader") as bar:
        trained = train_reader(data, out, settings, resume=resume, progress=bar, log=note)
    if trained is None:
        leave(complete=False, note=f"stopped; 'dupai train reader ... --out {out} --resume' continues")
    elif json:
        print_json(trained)
    else:
        size, seconds = trained.bytes / 1e6, trained.seconds
        console().print(f"{trained.file}: {size:.2f} MB, trained in {seconds:.0f} s", soft_wrap=True)


def note(text: str) -> None:
    """A line about the training, on standard error."""
    console(stderr=True).print(text, soft_wrap=True)


def given_options(recipe: bool, **options: Any) -> dict[str, Any]:
    """The options that were given (others are None).

    Raises:
        ConfigError: a recipe was given too, which sets all of them.
    """
    given = {name: value for name, value in options.items() if value is not None}
    if recipe and given:
        name = next(iter(given))
        raise ConfigError(f"pass either --recipe or --{name}, not both", key=name)
    return given


def data_shares(texts: list[str]) -> tuple[float, dict[str, float]]:
    """The share of all files, and of some by name.

    Raises:
        NotationError: one is no share.
    """
    every, some = 1.0, {}
    for text in texts:
        name, _, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 < value <= 1:
            raise NotationError(f"--share {text!r}: expected a share above 0 and up to 1, or NAME=share", text=text)
        if name:
            some[name] = value
        else:
            every = value
    return every, some
