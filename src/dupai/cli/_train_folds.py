"""``dupai train folds``: cross-validation of the reader model. Its function is long by its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Option

from dupai.cli._common import console, print_json, progress, resolve_jobs
from dupai.cli._read import print_report
from dupai.cli._train_reader import chosen


def folds(
    data: Annotated[list[Path], Option(help="Log, PHH file or store; may be given several times.")],
    population: Annotated[list[str], Option(help="Whom to train for and read, as heads-up.")],
    out: Annotated[Path, Option(help="Folder for readers, tables and scores of each fold.")],
    start: Annotated[Path | None, Option(help="A reader that never saw the population, trained further.")] = None,
    recipe: Annotated[
        bool,
        Option("--recipe", help="Train as START was, by its own recipe; default START: the reader that ships."),
    ] = False,
    like: Annotated[
        str | None,
        Option(help="The population whose networks of START are trained further; default: unknown."),
    ] = None,
    number: Annotated[
        int | None, Option("--folds", min=2, help="Folds; default: every person, match, session or block one.")
    ] = None,
    before: Annotated[int | None, Option(min=1, help="Passes before the flop; default: 3.")] = None,
    after: Annotated[int | None, Option(min=1, help="Passes after the flop; default: 4.")] = None,
    networks: Annotated[int | None, Option(min=1, help="Networks averaged after the flop; default: 1.")] = None,
    batch: Annotated[
        int | None,
        Option(min=1, help="Hands in a step before the flop; default: 512, of many 1024."),
    ] = None,
    dropout: Annotated[float | None, Option(min=0, max=0.9, help="Share of units left out; default: 0.2.")] = None,
    rate: Annotated[
        float | None,
        Option(min=0.01, help="How fast to learn, in multiples of what is usual; default: 1."),
    ] = None,
    habits: Annotated[
        bool, Option("--habits", help="Learn what persons may be like too, from those of the other folds.")
    ] = False,
    cases: Annotated[
        int | None, Option(min=1, help="At most so many players' hands read in each fold and file, at random.")
    ] = None,
    jobs: Annotated[int, Option(help="Folds at once, a process each; 0: one for each core.")] = 1,
    backend: Annotated[
        str, Option(help="local (this process, or --jobs processes), serial, processes or ray (extra cluster).")
    ] = "local",
    seed: Annotated[int, Option(min=0, help="Seed of everything drawn.")] = 1,
    device: Annotated[str, Option(help="Where torch computes: cpu or cuda.")] = "cpu",
    json: Annotated[bool, Option("--json", help="One JSON document, as 'dupai read score' prints it.")] = False,
) -> None:
    """Read every person (match, session, block) with networks that never saw him: cross-validation (needs torch).

    One unit after another is left out: the networks of START are trained further on the hands of all others, for a
    fixed number of passes, and read the hands left out. The start table is counted anew each time too. What is
    finished stands in OUT: after Ctrl-C (exit code 130) the same command goes on from there.

    --recipe judges a reader as it was made: those of its networks that have learned from the population are trained
    again without the hands left out, by the reader's own recipe, and all others stay as they are. Give the data of all
    whom these networks learn from.

    --habits looks at every person with all his hands known, and reads each with what the others taught of how persons
    differ. OUT then gets a reader.npz: the reader that was judged (or START) with what was learned so from all persons
    but those of the test part. The networks of an OUT without it serve.

    Examples:

      dupai train reader --data pros.log.xz --without heads-up --out s.npz

      dupai train folds --data p.xz --population heads-up --start s.npz --out o

      dupai train folds --data p --population shown --recipe --start r --out o
    """
    from dupai.training import FoldSettings, cross_validate

    given = chosen(
        recipe, like=like, before=before, after=after, networks=networks, batch=batch, dropout=dropout, rate=rate
    )
    settings = FoldSettings(
        populations=tuple(population),
        start=None if start is None else str(start),
        recipe=recipe,
        folds=number,
        cases=cases,
        seed=seed,
        device=device,
        **given,
    )
    notes = console(stderr=True)
    with progress("leaving out in turn") as bar:
        report = cross_validate(
            data,
            out,
            settings,
            habits=habits,
            backend=backend,
            jobs=resolve_jobs(jobs),
            progress=bar,
            log=lambda text: notes.print(text),
        )
    if report is None:
        notes.print("stopped; the same command goes on from there")
        raise typer.Exit(130)
    if json:
        print_json(report)
    else:
        print_report(report)
