"""``dupai train start-table``, ``markov``, ``bucket``, ``fold``: readers counted on, or fitted to, known hands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from dupai.base import Progress
from dupai.cli._common import console, progress
from dupai.cli._shared import DataOption, SeedOption, leave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dupai.rules import HandRecord

_OutOption = Annotated[Path, Option("--out", help="The file to write (.npz).")]
_MostOption = Annotated[int, Option("--most", min=1, help="Training hands taken of each file at most.")]
_AllOption = Annotated[
    bool, Option("--all", help="Use all hands, not only the training set (the split of dupai read score).")
]


def _parts(data: list[Path], most: int, progress: Progress) -> Iterator[tuple[str, HandRecord]]:
    """Hands with the set that they belong to, of each file up to ``most`` training hands."""
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


def start_table(data: DataOption, out: _OutOption, most: _MostOption = 50_000, every: _AllOption = False) -> None:
    """Count starting hands after the same pre-flop actions: the table of the reader start-table.

    Only the training set of the hands is used (by person, match, session or block of hands). Ctrl-C stops and writes
    nothing (exit code 130).

    Examples:

      dupai train start-table --data bovada.phhs.xz --out start_table.npz
    """
    from dupai.training import learn_start_table

    with progress("counting starting hands") as bar:
        table, hands = learn_start_table(_records(data, most, every, bar))
        leave(complete=not bar.cancelled)
    table.save(out)
    console().print(f"{out}: {hands:,} known hands, {len(table.counts):,} lines", soft_wrap=True)


def markov(
    data: DataOption,
    out: _OutOption,
    most: _MostOption = 50_000,
    rounds: int = Option(0, min=0, help="Rounds of Baum-Welch over unknown hands."),
    every: _AllOption = False,
) -> None:
    """Count the hidden Markov model over hand classes: the tables of the reader markov, one for each kind of game.

    Hands with known cards are counted; with --rounds those with unknown cards count too, by Baum-Welch. Ctrl-C stops
    and writes nothing (exit code 130).

    Examples:

      dupai train markov --data bovada.phhs.xz --out markov.npz
    """
    from dupai.reading import game_kind
    from dupai.training import learn_markov, markov_sequences, save_markov

    sequences: dict[str, list[object]] = {}
    with progress("counting hands") as bar:
        for record in _records(data, most, every, bar):
            sequences.setdefault(game_kind(record.spec), []).extend(markov_sequences(record))
        leave(complete=not bar.cancelled)
    save_markov({kind: learn_markov(some, rounds) for kind, some in sequences.items()}, out)  # type: ignore[arg-type]
    counts = ", ".join(f"{kind} {len(some):,}" for kind, some in sorted(sequences.items()))
    console().print(f"{out}: players' hands: {counts}", soft_wrap=True)


def bucket(data: DataOption, out: _OutOption, most: _MostOption = 50_000, every: _AllOption = False) -> None:
    """Count the actions of no-limit players by strength of hand: the prior of the reader bucket for unknown players.

    Hands with all cards known are counted. Ctrl-C stops and writes nothing (exit code 130).

    Examples:

      dupai train bucket --data bovada-6max-2019.phhs.xz --out population.npz
    """
    from dupai.training import count_population, save_population

    with progress("counting decisions") as bar:
        counts, hands = count_population(_records(data, most, every, bar))
        leave(complete=not bar.cancelled)
    save_population(counts, out)
    console().print(f"{out}: {counts.sum():,.0f} decisions of {hands:,} hands", soft_wrap=True)


def fold(
    data: DataOption,
    out: Path = Option(..., help="The file to write (.json.gz)."),
    most: _MostOption = 50_000,
    each: int = Option(1000, min=1, help="Players' hands of each group used in the fit."),
    rounds: int = Option(250, min=1, help="Generations of each search."),
    searches: int = Option(2, min=1, help="Searches from different starts."),
    trust: float = Option(1.0, min=0.0, max=1.0, help="Weight of a player's habits, from 0 to 1."),
    seed: SeedOption = 1,
) -> None:
    """Fit the constants of the reader fold, and count the populations that it compares players with.

    Numbers are fitted to the training set of the hands (by person, match, session or block of hands), separately for
    heads-up, larger and limit games; the validation set chooses between the searches; the test set is not used. Read
    with the result as 'fold:constants=OUT'. Ctrl-C stops and writes nothing (exit code 130).

    Examples:

      dupai train fold --data bovada.phhs.xz --out fold.json.gz
    """
    from dupai.training import learn_fold

    with progress("fitting the reader fold") as bar:
        hands = ((part, record) for part, record in _parts(data, most, bar) if part != "test")
        about = {"files": [path.name for path in data], "most": most, "each": each, "rounds": rounds, "seed": seed}
        fit = learn_fold(
            hands, most=each, rounds=rounds, searches=searches, seed=seed, trust=trust, about=about, progress=bar
        )
        leave(complete=not bar.cancelled)
    fit.save(out)
    screen = console()
    for kind, bits in fit.about["bits"].items():
        for name, values in bits.items():
            if name != "hands":
                screen.print(f"{kind:<6} {name:<22} " + " ".join(f"{x:+.3f}" for x in values), soft_wrap=True)
    sizes = ", ".join(f"{bits['hands']:,} {kind}" for kind, bits in fit.about["bits"].items())
    screen.print(f"{out}: fitted to players' hands: {sizes}", soft_wrap=True)
