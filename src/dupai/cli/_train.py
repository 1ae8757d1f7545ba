"""``dupai train``: the tables, constants and networks of readers, learned from hands with known cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import msgspec
import typer
from typer import Option

from dupai import training
from dupai.base import ConfigError, HistoryError, Progress
from dupai.base.text import duration
from dupai.cli._common import BackendOption, JobsOption, check_writable, console, progress, resolve_jobs, say
from dupai.cli._read import print_report
from dupai.cli._settings import takes_settings
from dupai.cli._shared import Group, JsonOption, answer, json_keys, leave, report_rejected

if TYPE_CHECKING:
    from dupai.rules import HandRecord

app = typer.Typer(cls=Group, help="Learn readers from recorded hands with known hole cards.", no_args_is_help=True)

_DataOption = Annotated[
    list[Path],
    Option(
        "--data",
        help="Log, PHH file or store with known cards; several times: several. In a store either all cards should be "
        "known, or only shown ones.",
    ),
]
_OutOption = Annotated[Path, Option("--out", help="The file to write (.npz).")]
_MostOption = Annotated[int, Option("--most", min=1, help="Training hands taken of each file at most.")]
_AllOption = Annotated[
    bool, Option("--all", help="Use all hands, not only the training set (the split of dupai read score).")
]
_MAX_HANDS = 50_000
_ResumeOption = Annotated[bool, Option("--resume", help="Continue from the finished stages of a stopped run.")]
T = TypeVar("T")


class _Hands:
    """Hands of files, of each up to ``most`` training hands; collects what could not be read.

    Args:
        every: hands of all sets are learned from, not of the training set alone.
    """

    def __init__(self, data: list[Path], most: int, every: bool, progress: Progress) -> None:
        self.data, self.most, self.every, self.progress = data, most, every, progress
        self.rejected: list[tuple[str, int, str]] = []

    def files(self) -> Iterator[tuple[bool, list[tuple[str, HandRecord]]]]:
        """Of each file whether only shown hands are known, and its hands with the set that they belong to.

        Raises:
            HistoryError: a file is cut off.
        """
        from dupai.history import file_records

        for path in self.data:
            taken, hands, known = 0, list[tuple[str, "HandRecord"]](), training.KnownShare()
            records = file_records(path, rejected=partial(self._reject, path), progress=self.progress)
            for key, record in training.split_keys(records, training.source_name(path)):
                part = training.part_of(key)
                hands.append((part, record))
                known.add(record)
                taken += part == "train"
                if taken == self.most:
                    break
            yield known.shown_only, hands

    def learned(self, hands: Iterator[tuple[str, HandRecord]] | list[tuple[str, HandRecord]]) -> Iterator[HandRecord]:
        """The hands of the sets that are learned from."""
        return (record for part, record in hands if self.every or part == "train")

    def with_known_cards(self) -> Iterator[tuple[str, HandRecord]]:
        """The hands with their sets; those of files of which only shown hands are known come without cards."""
        for shown_only, hands in self.files():
            for part, record in hands:
                yield part, training.without_cards(record) if shown_only else record

    def _reject(self, path: Path, line: int, reason: str) -> None:
        if not line:  # of the file, not of a hand
            raise HistoryError(f"{path}: {reason}: expected a whole file", path=path)
        self.rejected.append((str(path), line, reason))

    def check(self, count: float, kind: str) -> None:
        """Refuse to write what no hand has taught.

        Raises:
            ConfigError: nothing was counted.
        """
        if not count:
            some = "in them" if self.every else "in their training set (--all uses all sets)"
            raise ConfigError(f"{', '.join(map(str, self.data))}: expected {kind} {some}, there are none")


@contextmanager
def _learning(title: str, data: list[Path], out: Path, most: int, *, every: bool = False) -> Iterator[_Hands]:
    """The hands that a command counts; says at the end what was left out, and leaves if it was stopped."""
    check_writable("--out", out)
    with progress(title) as bar:
        hands = _Hands(data, most, every, bar)
        try:
            yield hands
        except ConfigError:
            # Stopped before the first hands were read, it lacks hands for no fault of the files.
            leave(complete=not bar.cancelled)
            raise
    report_rejected(hands.rejected)
    leave(complete=not bar.cancelled)


@app.command("start-table")
def start_table(data: _DataOption, out: _OutOption, most: _MostOption = _MAX_HANDS, every: _AllOption = False) -> None:
    """Count starting hands after the same pre-flop actions: the table of the reader start-table.

    Only the training set of the hands is used (by person, match, session or block of hands). Ctrl-C stops and writes
    nothing (exit code 130).

    Examples:

      dupai train start-table --data bovada.phhs.xz --out start_table.npz
    """
    table, known = None, 0
    with _learning("counting starting hands", data, out, most, every=every) as hands:
        for shown_only, some in hands.files():
            table, more = training.learn_start_table(hands.learned(some), table, shown_only=shown_only)
            known += more
    hands.check(known, "hands with known cards")
    assert table is not None  # as one of the files had known hands
    table.save(out)
    say(f"{out}: {known:,} known hands, {len(table.counts):,} lines")


@app.command("markov")
def markov(
    data: _DataOption,
    out: _OutOption,
    most: _MostOption = _MAX_HANDS,
    rounds: int = Option(0, min=0, help="Rounds of Baum-Welch over unknown hands."),
    every: _AllOption = False,
) -> None:
    """Count the hidden Markov model over hand classes: the tables of the reader markov, one for each kind of game.

    Hands with known cards are counted; with --rounds those with unknown cards count too, by Baum-Welch. Ctrl-C stops
    and writes nothing (exit code 130).

    Examples:

      dupai train markov --data bovada.phhs.xz --out markov.npz
    """
    from dupai.reading.fold import game_kind

    sequences: dict[str, list[object]] = {}
    known = 0
    with _learning("counting hands", data, out, most, every=every) as hands:
        for record in hands.learned(hands.with_known_cards()):
            some = training.markov_sequences(record)
            known += sum(bool(one.classes) for one in some)
            sequences.setdefault(game_kind(record.spec), []).extend(some)
    hands.check(known, "hands with all cards known")
    training.save_markov({kind: training.learn_markov(some, rounds) for kind, some in sequences.items()}, out)  # type: ignore[arg-type]
    counts = ", ".join(f"{kind} {len(some):,}" for kind, some in sorted(sequences.items()))
    say(f"{out}: players' hands: {counts}")


@app.command("bucket")
def bucket(data: _DataOption, out: _OutOption, most: _MostOption = _MAX_HANDS, every: _AllOption = False) -> None:
    """Count the actions of no-limit players by strength of hand: the prior of the reader bucket for unknown players.

    Hands with all cards known are counted. Ctrl-C stops and writes nothing (exit code 130).

    Examples:

      dupai train bucket --data bovada-6max-2019.phhs.xz --out population.npz
    """
    with _learning("counting decisions", data, out, most, every=every) as hands:
        counts, known = training.count_population(hands.learned(hands.with_known_cards()))
    hands.check(counts.sum(), "no-limit hands with all cards known")
    training.save_population(counts, out)
    say(f"{out}: {counts.sum():,.0f} decisions of {known:,} hands")


@app.command("fold")
@takes_settings()
def fold(
    *,
    data: _DataOption,
    out: Path = Option(..., help="The file to write (.json.gz)."),
    settings: training.FoldFitSettings,
    most: _MostOption = _MAX_HANDS,
) -> None:
    """Fit the constants of the reader fold, and count the populations that it compares players with.

    Numbers are fitted to the training set of the hands (by person, match, session or block of hands), separately for
    heads-up, larger and limit games; the validation set chooses between the searches; the test set is not used. Read
    with the result as 'fold:constants=OUT'. Ctrl-C stops and writes nothing (exit code 130).

    Examples:

      dupai train fold --data bovada.phhs.xz --out fold.json.gz
    """
    about = {"files": [path.name for path in data], "most": most, "each": settings.most}
    about |= {"rounds": settings.rounds, "seed": settings.seed}
    with _learning("fitting the reader fold", data, out, most) as hands:
        learned = ((part, record) for part, record in hands.with_known_cards() if part != "test")
        fit = training.learn_fold(learned, settings, about=about, progress=hands.progress)
    fit.save(out)
    for kind, bits in fit.about["bits"].items():
        for name, values in bits.items():
            if name != "hands":
                say(f"{kind:<6} {name:<22} " + " ".join(f"{x:+.3f}" for x in values))
    sizes = ", ".join(f"{bits['hands']:,} {kind}" for kind, bits in fit.about["bits"].items())
    say(f"{out}: fitted to players' hands: {sizes}")


def _finish(trained: T | None, json: bool, show: Callable[[T], None], again: str = "the same command") -> None:
    """Print the result of a training; leave with exit code 130 if it was stopped, naming what continues it."""
    if trained is None:
        leave(complete=False, note=f"stopped; {again} continues")
    else:
        answer(json, trained, lambda: show(trained))


@app.command("reader")
@takes_settings()
def reader(
    *,
    data: _DataOption,
    out: Path = Option(..., help="The file to write (.npz)."),
    settings: training.TrainSettings,
    resume: _ResumeOption = False,
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
    check_writable("--out", out)
    with progress("training a reader") as bar:
        trained = training.train_reader(data, out, settings, resume=resume, progress=bar, log=note)

    def show(trained: training.TrainedReader) -> None:
        say(f"{trained.file}: {trained.bytes / 1e6:.2f} MB, trained in {duration(trained.seconds)}")

    _finish(trained, json, show, f"'dupai train reader ... --out {out} --resume'")


@app.command("folds")
@takes_settings()
def cross_validation(
    *,
    data: _DataOption,
    out: Path = Option(..., help="Folder for readers, tables and scores of each fold."),
    settings: training.FoldSettings,
    habits: bool = Option(
        False, "--habits", help="Also learn the prior over persons' habits, from the persons of the other folds."
    ),
    jobs: JobsOption = 1,
    backend: BackendOption = "local",
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
    with progress("cross-validation") as bar:
        report = training.cross_validate(
            data, out, settings, habits=habits, backend=backend, jobs=resolve_jobs(jobs), progress=bar, log=note
        )
    if report is None:
        leave(complete=False, note="stopped; the same command continues")
    else:
        answer(json, report.to_dict(), lambda: print_report(report))


@app.command("cnn")
@takes_settings()
def cnn(
    *,
    data: _DataOption,
    out: Path = Option(..., help="Folder for the network, its card and the checkpoint."),
    settings: training.CnnSettings,
    resume: _ResumeOption = False,
    json: bool = json_keys("files, card, seconds"),
) -> None:
    """Train a network that predicts a player's actions in heads-up no-limit (needs torch).

    Matches, card seeds and persons are split as wholes, as in 'dupai read score', and logs without sections by blocks
    of 100 hands. A match and its twin (the same cards, seats exchanged) stay in one set only if '# match' lines of one
    file name their card seed (NAME_r3, NAME_s3). The network learns from the training set, the validation set chooses
    the epoch (training stops when it no longer improves), the scores are on the test set. Read with the result as
    'cnn:file=OUT'. Ctrl-C stops (exit code 130), and --resume continues.

    Examples:

      dupai train cnn --data match.log.xz --player Hyperborean14 --out hb

      dupai train cnn --data match.log --encoding paper --out paper --epochs 4
    """
    with progress("training a network") as bar:
        trained = training.train_cnn(data, out, settings, resume=resume, progress=bar, log=note)

    def show(trained: training.TrainedCnn) -> None:
        screen = console()
        for name, scores in trained.card["test"].items():
            screen.print(
                f"{name:<34} accuracy {100 * scores['accuracy']:6.2f} %  log-loss {scores['log_loss']:.4f}  "
                f"calibration error {scores['ece']:.4f}"
            )
        files = ", ".join(f"{name} {size / 1e3:.0f} kB" for name, size in trained.files.items())
        say(f"{trained.folder}: {files}, trained in {duration(trained.seconds)}")

    _finish(trained, json, show, f"'dupai train cnn ... --out {out} --resume'")


@app.command("self-play")
@takes_settings()
def self_play(
    *,
    out: Path = Option(..., help="The log to write; compressed if its name ends in .xz."),
    settings: training.SelfPlaySettings,
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
    with progress("self-play") as bar:
        played = training.play_itself(out, settings, resume=resume, progress=bar)

    def show(played: training.SelfPlayed) -> None:
        opening = ", ".join(f"{action}s {100 * share:.1f} %" for action, share in played.opening.items())
        console().print(
            f"{played.hands:,} hands in {played.file}, {duration(played.seconds)}\n"
            f"{played.iterations:,} deals, {played.situations:,} situations\n"
            f"the button {opening}\n"
            f"hands that see a flop {100 * played.flops:.0f} %, a showdown {100 * played.showdowns:.0f} %\n"
            f"decisions that the solver never visited {100 * played.strange:.2f} %"
        )

    _finish(played, json, show, "the same command with --resume")


@app.command("blueprint")
@takes_settings()
def blueprint(
    *,
    game: str = typer.Argument(..., help="nolimit-200, -100, -50, -20, limit or table-100; or a game of --games."),
    out: Path = Option(..., help="The file to write (.npz)."),
    settings: training.BlueprintSettings,
    games: Path | None = Option(None, help="A TOML file with games of your own: stacks, buckets, bets."),
    jobs: int = Option(1, "--jobs", "-j", help="Threads, heads-up; 0: one for each core. The result is the same."),
    backend: str = Option("local", help="local: threads; processes, ray, ray:ADDRESS: a solver for each of --jobs."),
    resume: bool = Option(False, "--resume", help="Continue from a solver that was stopped."),
    json: bool = json_keys("file, bytes, card"),
) -> None:
    """Solve a game in an abstraction of cards and bets: a blueprint for the agent equilibrium.

    Hands that win alike share a bucket; the bets are those of a menu. Heads-up every pass deals one board and carries
    all hands of both players through the tree. At the end a response of each player is learned against the blueprint,
    with the same buckets and bets: what it wins is how far the blueprint is from an equilibrium in there (real
    opponents are not bound to the abstraction). Then the actions before the flop are valued on 1,000 boards. With three
    and more players single deals are sampled, situations that look alike share a strategy, and nothing is measured at
    the end. Ctrl-C (exit code 130) keeps the solver beside OUT; --resume continues.

    With another backend than local (heads-up) each of --jobs solvers goes through boards of its own, and at the end
    their strategies are averaged. That is worth less than as many boards in one solver, so threads come first.

    Examples:

      dupai train blueprint nolimit-100 --out b100.npz --minutes 30

      dupai train blueprint limit --out limit.npz --minutes 0.2 --no-measure

      dupai train blueprint limit --out l.npz --backend ray --jobs 16

      dupai train blueprint table-100 --out table-100.npz --minutes 35
    """
    settings = msgspec.structs.replace(settings, jobs=resolve_jobs(jobs))
    with progress("solving a blueprint") as bar:
        place = None if backend == "local" else backend
        trained = training.train_blueprint(game, out, settings, games=games, resume=resume, backend=place, progress=bar)
    _finish(trained, json, _show_blueprint, "the same command with --resume")


def _show_blueprint(trained: training.TrainedBlueprint) -> None:
    card = trained.card
    say(f"{trained.file}: {trained.bytes / 1e6:.2f} MB, {card['passes']:,} boards in {duration(card['seconds'])}")
    buckets = ", ".join(f"{n:,}" for n in card["buckets"])
    say(f"{card['nodes']:,} decisions, {card['entries']:,} probabilities, buckets {buckets}")
    if trained.gained is not None:
        low, high = trained.gained.interval()
        say(
            f"learned responses win {trained.gained.mean:+.0f} mbb/hand inside the abstraction "
            f"(95 % interval {low:+.0f} to {high:+.0f})"
        )


def note(text: str) -> None:
    """Print a line about the training on standard error."""
    console(stderr=True).print(text, soft_wrap=True)
