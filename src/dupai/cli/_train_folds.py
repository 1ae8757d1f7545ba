"""``dupai train folds``: cross-validation of the reader model. Its function is long by its options."""

from __future__ import annotations

from pathlib import Path

from typer import Option

from dupai.cli._common import BackendOption, JobsOption, progress, resolve_jobs
from dupai.cli._read import print_report
from dupai.cli._shared import DataOption, DeviceOption, SeedOption, answer, leave
from dupai.cli._train_reader import given_options, note


def folds(
    data: DataOption,
    population: list[str] = Option(..., help="A population to train for and read, as heads-up."),
    out: Path = Option(..., help="Folder for readers, tables and scores of each fold."),
    start: Path | None = Option(None, help="A reader that never saw the population, to train further."),
    recipe: bool = Option(False, "--recipe", help="Train with the recipe of START; default START: the shipped reader."),
    like: str | None = Option(
        None, help="The population whose networks of START are trained further; default: unknown."
    ),
    number: int | None = Option(
        None, "--folds", min=2, help="Folds; default: one for each person, match, session or block."
    ),
    before: int | None = Option(None, min=1, help="Epochs before the flop; default: 3."),
    after: int | None = Option(None, min=1, help="Epochs after the flop; default: 4."),
    networks: int | None = Option(None, min=1, help="Networks averaged after the flop; default: 1."),
    batch: int | None = Option(None, min=1, help="Hands in a step before the flop; default: 512, of large data 1024."),
    dropout: float | None = Option(None, min=0, max=0.9, help="Share of units left out; default: 0.2."),
    rate: float | None = Option(None, min=0.01, help="Multiplier of the learning rate; default: 1."),
    habits: bool = Option(
        False, "--habits", help="Also learn the prior over persons' habits, from the persons of the other folds."
    ),
    cases: int | None = Option(
        None, min=1, help="At most this many players' hands of each fold and file, drawn at random."
    ),
    jobs: JobsOption = 1,
    backend: BackendOption = "local",
    seed: SeedOption = 1,
    device: DeviceOption = "cpu",
    json: bool = Option(False, "--json", help="One JSON document, as 'dupai read score' prints it."),
) -> None:
    """Cross-validation: read every person (match, session, block) with networks that never saw them (needs torch).

    One unit after another is held out: the networks of START are trained further on the hands of all others, for a
    fixed number of epochs, and read the held-out hands. The start table is counted anew each time too. Finished folds
    stay in OUT: after Ctrl-C (exit code 130) the same command continues.

    --recipe judges a reader as it was made: those of its networks that have learned from the population are trained
    again without the held-out hands, by the reader's own recipe, and all others stay as they are. Give the data of all
    populations that these networks learn from.

    --habits looks at every person with all their hands known, and reads each with the prior that the others give. OUT
    then gets a reader.npz: the judged reader (or START) with the prior of all persons outside the test set. The
    networks of an OUT without it are reused.

    Examples:

      dupai train reader --data pros.log.xz --without heads-up --out s.npz

      dupai train folds --data p.xz --population heads-up --start s.npz --out o

      dupai train folds --data p --population shown --recipe --start r --out o
    """
    from dupai.training import FoldSettings, cross_validate

    settings = FoldSettings(
        populations=tuple(population),
        start=None if start is None else str(start),
        recipe=recipe,
        folds=number,
        cases=cases,
        seed=seed,
        device=device,
        **given_options(
            recipe, like=like, before=before, after=after, networks=networks, batch=batch, dropout=dropout, rate=rate
        ),
    )
    with progress("cross-validation") as bar:
        report = cross_validate(
            data, out, settings, habits=habits, backend=backend, jobs=resolve_jobs(jobs), progress=bar, log=note
        )
    if report is None:
        leave(complete=False, note="stopped; the same command continues")
    else:
        answer(json, report, lambda: print_report(report))
