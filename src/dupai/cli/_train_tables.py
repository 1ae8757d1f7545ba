"""``dupai train start-table``, ``markov``, ``bucket``, ``fold``: readers counted on, or fitted to, known hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from dupai.base import Progress
from dupai.cli._common import console, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dupai.rules import HandRecord

_DATA = Option("--data", help="Log, PHH file or store; may be given several times.")
_OUT = Option("--out", help="The file to write (.npz).")
_MOST = Option("--most", min=1, help="Training hands taken of each file at most.")
_ALL = Option("--all", help="Use all hands, not only the training part (the split of dupai read score).")


def _parts(data: list[Path], most: int, progress: Progress) -> Iterator[tuple[str, HandRecord]]:
    """Hands with the part that they belong to, of each file until so many training hands are met."""
    from dupai.history import file_records
    from dupai.training import part_of, source_name, split_keys

    for path in data:
        taken = 0
        records = file_records(path, rejected=lambda line, reason: None, progress=progress)
        for key, record in split_keys(records, source_name(path)):
            part = part_of(key)
            yield part, record
            taken += part == "train"
            if taken == most:
                break


def _records(data: list[Path], most: int, every: bool, progress: Progress) -> Iterator[HandRecord]:
    for part, record in _parts(data, most, progress):
        if every or part == "train":
            yield record


def start_table(
    data: Annotated[list[Path], _DATA],
    out: Annotated[Path, _OUT],
    most: Annotated[int, _MOST] = 50_000,
    every: Annotated[bool, _ALL] = False,
) -> None:
    """Count starting hands after the same pre-flop actions: the table of the reader start-table.

    Only the training part of the hands is used (by person, match, session or block of hands). Ctrl-C stops and writes
    nothing (exit code 130).

    Examples:

      dupai train start-table --data bovada.phhs.xz --out start_table.npz
    """
    from dupai.training import learn_start_table

    with progress("counting starting hands") as bar:
        table, hands = learn_start_table(_records(data, most, every, bar))
        if bar.cancelled:
            raise typer.Exit(130)
    table.save(out)
    console().print(f"{out}: {hands:,} known hands, {len(table.counts):,} lines", soft_wrap=True)


def markov(
    data: Annotated[list[Path], _DATA],
    out: Annotated[Path, _OUT],
    most: Annotated[int, _MOST] = 50_000,
    rounds: Annotated[int, Option(min=0, help="Rounds of Baum-Welch over unknown hands.")] = 0,
    every: Annotated[bool, _ALL] = False,
) -> None:
    """Count the hidden Markov model over hand classes: the tables of the reader markov, one for each kind of game.

    Hands with known cards are counted; with --rounds those with unknown cards count too, by Baum-Welch. Ctrl-C stops
    and writes nothing (exit code 130).

    Examples:

      dupai train markov --data bovada.phhs.xz --out markov.npz
    """
    from dupai.reading import game_kind
    from dupai.training import learn_markov, markov_sequences, save_markov

    found: dict[str, list[object]] = {}
    with progress("counting hands") as bar:
        for record in _records(data, most, every, bar):
            found.setdefault(game_kind(record.spec), []).extend(markov_sequences(record))
        if bar.cancelled:
            raise typer.Exit(130)
    save_markov({kind: learn_markov(several, rounds) for kind, several in found.items()}, out)  # type: ignore[arg-type]
    told = ", ".join(f"{kind} {len(several):,}" for kind, several in sorted(found.items()))
    console().print(f"{out}: players' hands: {told}", soft_wrap=True)


def bucket(
    data: Annotated[list[Path], _DATA],
    out: Annotated[Path, _OUT],
    most: Annotated[int, _MOST] = 50_000,
    every: Annotated[bool, _ALL] = False,
) -> None:
    """Count what no-limit players do with which strength of hand: what the reader bucket expects of strangers.

    Hands with all cards known are counted. Ctrl-C stops and writes nothing (exit code 130).

    Examples:

      dupai train bucket --data bovada-6max-2019.phhs.xz --out population.npz
    """
    from dupai.training import count_population, save_population

    with progress("counting decisions") as bar:
        counts, hands = count_population(_records(data, most, every, bar))
        if bar.cancelled:
            raise typer.Exit(130)
    save_population(counts, out)
    console().print(f"{out}: {counts.sum():,.0f} decisions of {hands:,} hands", soft_wrap=True)


def fold(
    data: Annotated[list[Path], _DATA],
    out: Annotated[Path, Option(help="The file to write (.json.gz).")],
    most: Annotated[int, _MOST] = 50_000,
    each: Annotated[int, Option(min=1, help="Players' hands of each group that are fitted to.")] = 1000,
    rounds: Annotated[int, Option(min=1, help="Generations of each search.")] = 250,
    searches: Annotated[int, Option(min=1, help="Searches from different starts.")] = 2,
    trust: Annotated[float, Option(min=0.0, max=1.0, help="Share of a player's habits that moves the numbers.")] = 1.0,
    seed: Annotated[int, Option(min=0, help="Seed of everything drawn.")] = 1,
) -> None:
    """Fit the numbers of the reader fold, and count the populations that it compares players with.

    Numbers are fitted to the training part of the hands (by person, match, session or block of hands), for heads-up,
    larger and limit games apart; the validation part chooses between the searches; the test part is not looked at.
    Read with the result as 'fold:constants=OUT'. Ctrl-C stops and writes nothing (exit code 130).

    Examples:

      dupai train fold --data bovada.phhs.xz --out fold.json.gz
    """
    from dupai.training import learn_fold

    with progress("fitting the reader fold") as bar:
        hands = ((part, record) for part, record in _parts(data, most, bar) if part != "test")
        about = {"files": [path.name for path in data], "most": most, "each": each, "rounds": rounds, "seed": seed}
        found = learn_fold(
            hands, most=each, rounds=rounds, searches=searches, seed=seed, trust=trust, about=about, progress=bar
        )
        if bar.cancelled:
            raise typer.Exit(130)
    found.save(out)
    said = console()
    for kind, bits in found.about["bits"].items():
        for name, values in bits.items():
            if name != "hands":
                said.print(f"{kind:<6} {name:<22} " + " ".join(f"{x:+.3f}" for x in values), soft_wrap=True)
    sizes = ", ".join(f"{bits['hands']:,} {kind}" for kind, bits in found.about["bits"].items())
    said.print(f"{out}: fitted to players' hands: {sizes}", soft_wrap=True)
