"""Reading recorded hands with readers, and measuring each reading against the cards that were held."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, NoProgress, Progress, RulesError
from dupai.cards import COMBO_CARDS, COMBO_MASK, mask_of
from dupai.history import UNNAMED, file_records, real_name
from dupai.reading import (
    ClassPredictor,
    DecidedStreet,
    Reader,
    hand_classes,
    hidden_hands,
    load_reader,
    populations,
    street_states,
    streets,
)
from dupai.rules import GameSpec, HandRecord, HandState, View
from dupai.training._kernels import TIE, measure_kernel
from dupai.training._processes import share_out
from dupai.training._score._groups import groups_of
from dupai.training._score._keep import keep, kept, kept_file
from dupai.training._score._report import Scored, ScoreReport, summary
from dupai.training._split import part_of, source_name, split_keys

F64 = npt.NDArray[np.float64]
Part = Literal["all", "train", "validation", "test"]
Views = Literal["observer", "seat", "both"]
Observe = Literal["shown", "all", "nothing"]


class Only(NamedTuple):
    """Which hands and players are scored: hands of these units (:func:`split_key`), players of these populations
    (``shown``: the people of files in which only shown hands are known)."""

    units: frozenset[str]
    populations: tuple[int, ...]


class Task(NamedTuple):
    """What to score: the arguments of :func:`score_readers` for one file, and ``only`` some of its hands and players
    (with ``part`` "all")."""

    path: str
    readers: tuple[str | Reader, ...]
    part: Part
    cases: int | None
    seed: int
    views: Views
    observe: Observe
    by_player: bool
    spec: GameSpec | None
    keep: str | None = None
    only: Only | None = None


def score_readers(
    readers: Sequence[str | Reader],
    data: Iterable[str | PathLike[str]],
    *,
    part: Part = "test",
    cases: int | None = None,
    seed: int = 1,
    views: Views = "both",
    observe: Observe = "shown",
    by_player: bool = False,
    spec: GameSpec | None = None,
    jobs: int = 1,
    keep: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> ScoreReport:
    """Score readers on recorded hands whose hole cards are known.

    One case for each street on which a player decided something: the reader is asked when all betting of the street is
    over and before the next card falls. It sees the betting, the board so far, stacks, blinds and seats, and in the
    seat's view the two cards of the next player clockwise whose cards are recorded.

    Args:
        readers: Reader specs, or readers (then ``jobs`` is 1).
        data: ACPC logs, PHH files, texts of poker sites or stores (folders).
        part: Which part of the hands (:func:`dupai.reading.part_of`); readers see no other hand.
        cases: At most so many players' hands a file and group, drawn at random (as many again of those folded before
            the flop); default: all.
        seed: Of that draw.
        views: Which views to score.
        observe: What readers that learn are told of every finished hand, and of who sits where: ``shown``, what an
            observer sees of it; ``all``, also the cards that nobody showed, as far as they are recorded, which makes
            an oracle of the reader: what knowing the players would give; ``nothing``. Hands of players without a name
            teach nothing.
        by_player: A group for each player instead of the metric's.
        spec: The game of logs; default: found from their hands.
        jobs: Processes; files and readers are shared out among them.
        keep: A folder for what is finished of each file and reader (given by spec): the same call later takes it from
            there, as long as the files that the reader's spec names are the same.
        progress: Cancelling keeps what is there.

    Raises:
        ConfigError: there is no reader or no file, a reader cannot be made, no hole cards are known.
        HistoryError: a file cannot be read.
    """
    look = progress or NoProgress()
    paths = [str(p) for p in data]
    if not readers or not paths:
        raise ConfigError("nothing to score: expected at least one reader and one file")
    names = reader_names_of(readers)
    for reader in readers:
        if isinstance(reader, str):
            load_reader(reader)  # before hours of work, not after
    folder = None if keep is None else str(keep)
    whole = [
        Task(path, tuple(readers), part, cases, seed, views, observe, by_player, spec, folder)
        for path in dict.fromkeys(paths)
    ]
    if jobs > 1 and all(isinstance(r, str) for r in readers):
        tasks = [task._replace(readers=(r,)) for task in whole for r in readers]
    else:
        tasks, jobs = whole, 1
    done = share_out(score_task, tasks, jobs, look, "files and readers")
    parts = [_merged([s for t, s in zip(tasks, done, strict=True) if t.path == w.path]) for w in whole]
    scores, pairs = summary(parts, names)
    hands = sum(p.hands for p in parts)
    if not scores and not look.cancelled:
        which = "" if part == "all" else f" of part {part!r}"
        raise ConfigError(
            f"{', '.join(paths)}: no hole cards are known in the {hands:,} hands{which}: "
            "expected recorded hands with them"
        )
    return ScoreReport(
        readers=names,
        data=paths,
        part=part,
        seed=seed,
        observed=observe,
        hands=hands,
        refused=sum(p.refused for p in parts),
        complete=not look.cancelled,
        scores=scores,
        pairs=pairs,
    )


def reader_names_of(readers: Sequence[str | Reader]) -> list[str]:
    """The names that readers stand under in a table: their specs, or their classes."""
    names = [r if isinstance(r, str) else type(r).__name__ for r in readers]
    if len(set(names)) < len(names):
        raise ConfigError(f"readers {', '.join(names)}: one is named twice")
    return names


# one file ------------------------------------------------------------------------------------------------------------


class _Look:
    """Passes progress on, and keeps how far the file is, to tell it after every hand."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.at: tuple[float, float | None] = (0, None)

    @property
    def cancelled(self) -> bool:
        return self.progress.cancelled

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.at = done, total

    def cases(self, n: int) -> None:
        self.progress.report(*self.at, f"{n:,} cases")


class _People:
    """Seats that stand for persons: the same one in every hand of a file."""

    def __init__(self) -> None:
        self._seat: dict[str, int] = {}

    def seats(self, record: HandRecord) -> tuple[tuple[int, ...], dict[int, str]]:
        """Seats by position, and the names of those who have one (all of them, or none)."""
        names = [real_name(n) for n in record.names]
        if len(names) < record.spec.players or UNNAMED in names or len(set(names)) < len(names):
            keys = [f"\0{i}" for i in range(record.spec.players)]
        else:
            keys = names
        seats = tuple(self._seat.setdefault(k, len(self._seat)) for k in keys)
        return seats, dict(zip(seats, names, strict=True)) if keys is names else {}


def score_file(task: Task, progress: Progress) -> Scored:
    """All cases of one file with every reader's measures, as far as ``progress`` lets it come."""
    look = _Look(progress)
    chosen: set[tuple[int, int]] | None = None
    unreadable: set[int] = set()
    if task.cases is not None:
        chosen, unreadable = _chosen(task, look)
    readers = [load_reader(r) if isinstance(r, str) else r for r in task.readers]
    out = Scored(Path(task.path).name)
    people = _People()
    met: dict[int, str] = {}
    for number, record in _hands(task, look, out):
        if number in unreadable:
            out.refused += 1
            continue
        ends: list[DecidedStreet] = []
        # Hands that are only watched need no look at their streets: the draw has had it.
        if chosen is None or any((number, i) in chosen for i in range(record.spec.players)):
            try:
                ends = streets(record)
            except RulesError:
                out.refused += 1
                continue
        seats, names = people.seats(record)
        if task.observe != "nothing" and names and names != met:
            for reader in readers:
                reader.meet(names)
            met = names
        _read_hand(task, readers, out, number, record, ends, seats, chosen)
        if task.observe != "nothing" and names:
            seen = record if task.observe == "all" else record.for_seat(None)
            seen = msgspec.structs.replace(seen, seats=seats)
            for reader in readers:
                reader.observe(seen)
        look.cases(len(out.cases))
    return out


def _hands(task: Task, look: _Look, out: Scored) -> Iterable[tuple[int, HandRecord]]:
    """The hands of the part with their numbers in the file."""

    def refuse(line: int, reason: str) -> None:
        out.refused += 1

    source = source_name(task.path)
    records = file_records(task.path, task.spec, progress=look, rejected=refuse)
    for number, (key, record) in enumerate(split_keys(records, source)):
        if (task.part == "all" or part_of(key) == task.part) and (task.only is None or key in task.only.units):
            out.hands += 1
            yield number, record


def _read_hand(
    task: Task,
    readers: Sequence[Reader],
    out: Scored,
    number: int,
    record: HandRecord,
    ends: Sequence[DecidedStreet],
    seats: tuple[int, ...],
    chosen: set[tuple[int, int]] | None,
) -> None:
    """Score every case of a hand."""
    held = hidden_hands(record)
    out.dealt += len(held)
    out.known += sum(h is not None for h in held)
    source = source_name(task.path)
    groups = {i: _groups(task, record, i, source) for i, h in enumerate(held) if h is not None}
    wanted = {i for i, g in groups.items() if g and (chosen is None or (number, i) in chosen)}
    if not wanted:
        return
    for end, state in street_states(record, ends, seats):
        villains = [(i, folded) for i, folded in end.villains if i in wanted]
        if not villains:
            continue
        board = state.board
        classes = _classes(board)
        if task.views != "seat":
            view = state.view(None)
            read = [_read(reader, view, [seats[i] for i, _ in villains]) for reader in readers]
        for i, folded in villains:
            case = (number, i, end.street, folded, i == record.hero)
            person = real_name(record.names[i]) if record.names else UNNAMED
            truth = held[i]
            assert truth is not None
            if task.views != "seat":
                out.add((*case, 0), person, groups[i], [_measure(*r[seats[i]], board, classes, truth) for r in read])
            neighbour = _neighbour(held, i) if task.views != "observer" else None
            if neighbour is not None:
                two = tuple(COMBO_CARDS[held[neighbour]].tolist())
                view = _seat_view(state, neighbour, two)
                found = [_read(reader, view, [seats[i]])[seats[i]] for reader in readers]
                values = [_measure(p, shares, board + two, classes, truth) for p, shares in found]
                out.add((*case, 1), person, groups[i], values)


def _groups(task: Task, record: HandRecord, position: int, source: str) -> tuple[str, ...]:
    """The groups that a player is scored in."""
    if task.only is not None:
        name = record.names[position] if record.names else ""
        population = populations.of(name, record.spec)
        if populations.SHOWN in task.only.populations and population == populations.ONLINE:
            population = populations.SHOWN  # what is known of a file's hands says so, not the player
        if population not in task.only.populations:
            return ()
    return groups_of(record, position, source, task.by_player)


def _read(reader: Reader, view: View, seats: Sequence[int]) -> dict[int, tuple[F64, F64 | None]]:
    """A reader's hands by seat, and its classes where it predicts them by themselves."""
    hands = reader.read(view, seats)
    shares = reader.class_shares(view, seats) if isinstance(reader, ClassPredictor) else {}
    return {seat: (hands[seat].p, shares.get(seat)) for seat in seats}


def _neighbour(held: Sequence[int | None], position: int) -> int | None:
    """The next player clockwise whose cards are recorded."""
    n = len(held)
    return next((j for k in range(1, n) if held[j := (position + k) % n] is not None), None)


def _seat_view(state: HandState, position: int, two: tuple[int, ...]) -> View:
    state.set_hole(position, two)
    view = state.view(position)
    state.set_hole(position, (255, 255))
    return view


@lru_cache(maxsize=256)
def _classes(board: tuple[int, ...]) -> npt.NDArray[np.int8]:
    return hand_classes(board)


@lru_cache(maxsize=256)
def _legal(seen: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    return np.asarray((COMBO_MASK & np.uint64(mask_of(seen))) == 0)


def _measure(p: F64, shares: F64 | None, seen: tuple[int, ...], classes: npt.NDArray[np.int8], truth: int) -> F64:
    out = np.empty(8)
    measure_kernel(p, _legal(seen), classes, truth, out)
    if shares is not None:
        larger = int((shares > shares[classes[truth]] * (1 + TIE)).sum())
        out[5:] = [larger <= z for z in range(3)]
    return out


def _chosen(task: Task, look: _Look) -> tuple[set[tuple[int, int]], set[int]]:
    """Hands of players drawn for the cases: (hand of the file, position); and hands that cannot be played."""
    unreadable = set()
    piles: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    source = source_name(task.path)
    for number, record in _hands(task, look, Scored("")):
        try:
            ends = streets(record)
        except RulesError:
            unreadable.add(number)
            continue
        folds_first = dict(ends[0].villains) if ends and ends[0].street == 0 else {}
        deciding = {i for end in ends for i, _ in end.villains}
        for i, held in enumerate(hidden_hands(record)):
            groups = _groups(task, record, i, source) if held is not None and i in deciding else ()
            if groups:
                piles.setdefault((groups[0], folds_first.get(i, False)), []).append((number, i))
        look.cases(0)
    drawn: set[tuple[int, int]] = set()
    for key in sorted(piles):
        pile = piles[key]
        rng = np.random.default_rng([task.seed, *f"{key[0]} {key[1]}".encode()])
        take = rng.permutation(len(pile))[: task.cases]
        drawn.update(pile[k] for k in take.tolist())
    return drawn, unreadable


# work that is kept ---------------------------------------------------------------------------------------------------


def score_task(task: Task, progress: Progress) -> Scored:
    """A file scored with the readers of a task, taken from what was kept for those of whom it is there."""
    specs = [r for r in task.readers if isinstance(r, str)]
    if task.keep is None or len(specs) < len(task.readers):
        return score_file(task, progress)
    files = {r: kept_file(task.keep, task.path, r, task[2:-2]) for r in specs}
    found = {r: kept(file) for r, file in files.items()}
    missing = tuple(r for r in specs if found[r] is None)
    if missing:
        new = score_file(task._replace(readers=missing), progress)
        for k, reader in enumerate(missing):
            found[reader] = new.of(k)
            if not progress.cancelled:
                keep(new.of(k), files[reader])
    return _merged([one for r in specs if (one := found[r]) is not None])


def _merged(parts: Sequence[Scored]) -> Scored:
    """The same file read by one reader each: only cases that all of them have scored."""
    first = parts[0]
    if len(parts) == 1:
        return first
    most = min(len(p.cases) for p in parts)  # every reader meets the cases in the same order
    merged = Scored(first.name)
    merged.cases = first.cases[:most]
    merged.persons = first.persons[:most]
    merged.groups = first.groups[:most]
    merged.values = [[row for p in parts for row in p.values[k]] for k in range(most)]
    merged.hands = min(p.hands for p in parts)
    merged.refused, merged.dealt, merged.known = first.refused, first.dealt, first.known
    return merged
