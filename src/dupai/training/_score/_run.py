"""Reading recorded hands with readers, and measuring each reading against the cards that were held."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Literal, NamedTuple, TypedDict, Unpack

import msgspec
import numpy as np

from dupai import reading
from dupai.base import ConfigError, NoProgress, Progress, RulesError, __version__
from dupai.base.arrays import F64
from dupai.base.files import digest, disk_faults, file_faults, files_at, shipped
from dupai.base.specs import split_spec
from dupai.cards import COMBO_CARDS
from dupai.history import corpora, file_records, repeated_hands
from dupai.history.stats import UNNAMED, Seen, real_name
from dupai.jobs import Backend, Keeper, Pulse, stream
from dupai.reading import populations
from dupai.rules import BOARD_CARDS, GameSpec, HandRecord, HandState, View
from dupai.training._kernels import TIE, measure_kernel
from dupai.training._score._report import Scored, ScoreReport, summary
from dupai.training._sources import content
from dupai.training._split import part_of, source_name, split_keys

Part = Literal["all", "train", "validation", "test"]
Views = Literal["observer", "seat", "both"]
Observe = Literal["shown", "all", "nothing"]

_hand_classes = lru_cache(maxsize=256)(reading.hand_classes)
_possible_hands = lru_cache(maxsize=256)(reading.possible_hands)


class Only(NamedTuple):
    """Which hands and players are scored: hands of these units (:func:`split_key`), players of these populations
    (``shown``: the people of files in which only shown hands are known)."""

    units: frozenset[str]
    populations: tuple[int, ...]


class Task(NamedTuple):
    """What to score: the arguments of :func:`score_readers` for one file, and ``only`` some of its hands and players
    (with ``part`` "all"); ``again`` has the keys of hands that an earlier file has, which are left out."""

    path: str
    readers: tuple[str | reading.Reader, ...]
    part: Part = "test"
    cases: int | None = None
    seed: int = 1
    views: Views = "both"
    observe: Observe = "shown"
    by_player: bool = False
    spec: GameSpec | None = None
    again: tuple[int, ...] = ()
    only: Only | None = None


class ScoreOptions(TypedDict, total=False):
    """The options of :func:`score_readers`."""

    part: Part
    cases: int | None
    seed: int
    views: Views
    observe: Observe
    by_player: bool
    spec: GameSpec | None


def score_readers(
    readers: Sequence[str | reading.Reader],
    data: Iterable[str | PathLike[str]],
    *,
    backend: Backend | str | None = None,
    jobs: int = 1,
    keep: str | PathLike[str] | None = None,
    progress: Progress | None = None,
    **options: Unpack[ScoreOptions],
) -> ScoreReport:
    """Score readers on recorded hands whose hole cards are known.

    There is one case for each street on which a player decided something. The reader is asked when all betting of the
    street is over and before the next card falls. It sees the betting, the board so far, stacks, blinds and seats, and
    in the seat's view the two cards of the next player clockwise whose cards are recorded.

    Args:
        readers: reader specs, or readers (these are scored in this process).
        data: ACPC logs, PHH files, texts of poker sites or stores (folders); a hand of several of them counts once.
        backend: where files and readers are scored (see :func:`dupai.jobs.make_backend`); None: here or in ``jobs``
            processes.
        jobs: how many files and readers are scored at once.
        keep: a folder for finished pieces, one for each file and reader spec: the same call later takes them from
            there, as long as the files that the reader's spec names have not changed.
        progress: cancelling it returns what there is.
        part: which part of the hands (:func:`dupai.training.part_of`; default: the test part). Readers see no others.
        cases: at most this many players' hands from each file and group, drawn at random, and as many that were folded
            before the flop; default: all.
        seed: of that draw (default: 1).
        views: which views to score (default: both).
        observe: what readers that learn are told about every finished hand and about who sits where. ``"shown"`` (the
            default): what an observer sees. ``"all"``: also recorded cards that nobody showed, which makes an oracle of
            the reader: what it would gain by knowing the players. ``"nothing"``. Hands of players without a name teach
            nothing.
        by_player: a group for each player instead of the metric's.
        spec: the game of logs; default: worked out from their hands.

    Raises:
        ConfigError: there is no reader or no file, a reader cannot be made, no hole cards are known.
        HistoryError: a file cannot be read.
        FileError: ``keep`` cannot be used.
    """
    look = progress or NoProgress()
    paths = list(dict.fromkeys(str(p) for p in data))
    if not readers or not paths:
        raise ConfigError("nothing to score: expected at least one reader and one file")
    names = _names(readers)
    repeated = zip(paths, repeated_hands(paths, options.get("spec"), look), strict=True)
    tasks = [Task(path, tuple(readers), again=again, **options) for path, again in repeated]
    parts = score_tasks(tasks, backend, jobs, keep, look)
    scores, pairs = summary(parts, names)
    hands, part = sum(p.hands for p in parts), tasks[0].part
    if not scores and not look.cancelled:
        of_part = "" if part == "all" else f" of part {part!r}"
        raise ConfigError(
            f"{', '.join(paths)}: no hole cards are known in the {hands:,} hands{of_part}: "
            "expected recorded hands with them"
        )
    return ScoreReport(
        readers=names, data=paths, part=part, seed=tasks[0].seed, observed=tasks[0].observe, hands=hands,
        refused=sum(p.refused for p in parts), again=sum(p.again for p in parts), complete=not look.cancelled,
        scores=scores, pairs=pairs,
    )  # fmt: skip


def _names(readers: Sequence[str | reading.Reader]) -> list[str]:
    """What readers are called in a report; a bad spec fails here, before hours of work."""
    names = [r if isinstance(r, str) else type(r).__name__ for r in readers]
    if len(set(names)) < len(names):
        raise ConfigError(f"readers {', '.join(names)}: one is named twice", key="readers")
    for reader in readers:
        if isinstance(reader, str):
            reading.load_reader(reader)
    return names


def score_tasks(
    tasks: Sequence[Task],
    backend: Backend | str | None,
    jobs: int,
    keep: str | PathLike[str] | None,
    progress: Progress,
) -> list[Scored]:
    """The cases of every task with the measures of all its readers. Pieces in ``keep`` are not scored again, and those
    that finish are kept there."""
    by_spec = all(isinstance(r, str) for task in tasks for r in task.readers)
    keeper = None
    if keep is not None and by_spec:
        with disk_faults(f"{keep}: cannot be made", keep):
            Path(keep).mkdir(parents=True, exist_ok=True)
        keeper = Keeper(Path(keep) / "scores.pieces", {"pieces": "scores"})
    scored: dict[tuple[Task, str | reading.Reader], Scored] = {}
    todo: list[Task] = []
    for task in tasks:
        for reader in task.readers:
            piece = keeper.get(_piece_key(task, reader)) if keeper else None
            if piece is not None and keeper is not None:
                with file_faults(f"{keeper.place}, piece {_piece_key(task, reader)!r}", keeper.file):
                    scored[task, reader] = msgspec.msgpack.decode(zlib.decompress(piece), type=Scored)
        missing = tuple(r for r in task.readers if (task, r) not in scored)
        single = by_spec and (jobs > 1 or backend not in (None, "local", "serial"))
        todo += [task._replace(readers=some) for some in ([(r,) for r in missing] if single else [missing]) if some]
    whole = {task._replace(readers=()): task for task in tasks}
    place = (backend or "local") if by_spec else "serial"
    for index, result in stream(score_file, todo, backend=place, jobs=jobs, progress=progress, note="cases scored"):
        task = whole[todo[index]._replace(readers=())]
        for k, reader in enumerate(todo[index].readers):
            scored[task, reader] = result.of(k)
            if keeper is not None and result.complete:
                piece = zlib.compress(msgspec.msgpack.encode(result.of(k)), 1)
                keeper.put(_piece_key(task, reader), piece)
    if keeper is not None:
        keeper.close()
    return [_merged([scored.get((task, r), Scored(complete=False)) for r in task.readers]) for task in tasks]


#: Form of the kept pieces: those of an older one are scored again.
_FORM = 3


def _piece_key(task: Task, reader: str | reading.Reader) -> str:
    """What the measures of a reader (by spec) on a file depend on: the file by its name and content, the program and
    its data, the files that the spec names, and the options."""
    # A set has no order of its own that two processes share.
    only = None if task.only is None else (sorted(task.only.units), task.only.populations)
    options = (*task._replace(only=None)[2:-1], only)
    _, first, named = split_spec(str(reader), "reader")
    weights = [digest(files) for v in (first, *named.values()) if v is not None and (files := files_at(v))]
    key = repr((_FORM, __version__, shipped(), Path(task.path).name, content(task.path), reader, weights, options))
    return hashlib.blake2b(key.encode(), digest_size=12).hexdigest()


def _merged(parts: Sequence[Scored]) -> Scored:
    """One file scored with several readers: the cases that all of them have scored."""
    if len(parts) == 1:
        return parts[0]
    first = min(parts, key=lambda p: len(p.cases))  # every reader meets the cases in the same order
    values = [[row for p in parts for row in p.values[k]] for k in range(len(first.cases))]
    return msgspec.structs.replace(first, values=values, hands=min(p.hands for p in parts))


# one file ------------------------------------------------------------------------------------------------------------


class _People:
    """Seats that stand for persons: the same one in every hand of a file."""

    def __init__(self) -> None:
        self._seat: dict[str, int] = {}

    def seats(self, record: HandRecord) -> tuple[tuple[int, ...], dict[int, str]]:
        """Seats by position, and the names by seat (all of them, or none where somebody has no name)."""
        names = [real_name(n) for n in record.names]
        named = len(names) == record.spec.players and UNNAMED not in names and len(set(names)) == len(names)
        keys = names if named else [f"\0{i}" for i in range(record.spec.players)]
        seats = tuple(self._seat.setdefault(k, len(self._seat)) for k in keys)
        return seats, dict(zip(seats, names, strict=True)) if named else {}


def score_file(task: Task, pulse: Pulse) -> Scored:
    """All cases of one file with every reader's measures, as far as ``pulse`` lets it come; each case is a step."""
    out = Scored()
    if pulse.cancelled:
        out.complete = False
        return out
    chosen, unreadable = (None, set[int]()) if task.cases is None else _chosen(task, pulse)
    readers = [reading.load_reader(r) if isinstance(r, str) else r for r in task.readers]
    people = _People()
    met: dict[int, str] = {}
    for number, record in _hands(task, pulse, out):
        if number in unreadable:
            out.refused += 1
            continue
        ends: list[reading.DecidedStreet] = []
        # Hands that no case was drawn from are only observed: the draw has looked at their streets.
        if chosen is None or any((number, i) in chosen for i in range(record.spec.players)):
            try:
                ends = reading.streets(record, whole=True)
            except (ConfigError, RulesError):
                out.refused += 1
                continue
        seats, names = people.seats(record)
        learns = task.observe != "nothing" and bool(names)
        if learns and names != met:
            for reader in readers:
                reader.meet(names)
            met = names
        before = len(out.cases)
        _score_hand(task, readers, out, number, record, ends, seats, chosen)
        for _ in range(before, len(out.cases)):
            pulse.step()
        if learns:
            observed = record if task.observe == "all" else record.seen_by(None)
            for reader in readers:
                reader.observe(msgspec.structs.replace(observed, seats=seats))
    out.complete = not pulse.cancelled
    return out


def _hands(task: Task, look: Progress, out: Scored) -> Iterator[tuple[int, HandRecord]]:
    """The hands of the part with their numbers in the file."""

    def refuse(line: int, reason: str) -> None:
        out.refused += 1

    seen = Seen(task.again)
    records = file_records(task.path, task.spec, progress=look, rejected=refuse, seen=seen)
    for number, (key, record) in enumerate(split_keys(records, source_name(task.path))):
        if (task.part == "all" or part_of(key) == task.part) and (task.only is None or key in task.only.units):
            out.hands += 1
            yield number, record
    out.again = seen.again


def _score_hand(
    task: Task, readers: Sequence[reading.Reader], out: Scored, number: int, record: HandRecord,
    ends: Sequence[reading.DecidedStreet], seats: tuple[int, ...], chosen: set[tuple[int, int]] | None,
) -> None:  # fmt: skip
    """Score every case of a hand."""
    held = reading.hidden_hands(record)
    out.share.add(record)
    groups = {i: groups_of(task, record, i) for i, h in enumerate(held) if h is not None}
    scored = {i for i, g in groups.items() if g and (chosen is None or (number, i) in chosen)}
    if not scored:
        return

    def add(position: int, folded: bool, view: View, seated: bool, readings: Sequence[_ReadingOf]) -> None:
        truth = held[position]
        assert truth is not None
        case = (number, position, BOARD_CARDS.index(len(view.board)), folded, position == record.hero, seated)
        out.cases.append(tuple(int(x) for x in case))
        out.persons.append(real_name(record.names[position]) if record.names else UNNAMED)
        out.groups.append(groups[position])
        out.values.append([_measures(*r[seats[position]], view, truth) for r in readings])

    for end, state in reading.street_states(record, ends, seats):
        villains = [(i, folded) for i, folded in end.villains if i in scored]
        if not villains:
            continue
        if task.views != "seat":
            view = state.view(None)
            readings = [_read(reader, view, [seats[i] for i, _ in villains]) for reader in readers]
        for i, folded in villains:
            if task.views != "seat":
                add(i, folded, view, False, readings)
            neighbour = _neighbour(held, i) if task.views != "observer" else None
            if neighbour is not None:
                theirs = _seat_view(state, neighbour, tuple(COMBO_CARDS[held[neighbour]].tolist()))
                add(i, folded, theirs, True, [_read(reader, theirs, [seats[i]]) for reader in readers])


#: By seat the probabilities of hands, and of classes where the reader predicts these by themselves.
_ReadingOf = dict[int, tuple[F64, F64 | None]]


def _read(reader: reading.Reader, view: View, seats: Sequence[int]) -> _ReadingOf:
    hands = reader.read(view, seats)
    shares = reader.class_shares(view, seats) if isinstance(reader, reading.ClassPredictor) else {}
    return {seat: (hands[seat].p, shares.get(seat)) for seat in seats}


def groups_of(task: Task, record: HandRecord, position: int) -> tuple[str, ...]:
    """The groups that a player of a hand is scored in, the main one first; empty for a player who is not scored."""
    name = record.names[position] if record.names else ""
    if task.only is not None:
        population = populations.of(name, record.spec)
        if populations.SHOWN in task.only.populations and population in populations.PEOPLE:
            population = populations.SHOWN  # what is known of a file's hands says so, not the player
        if population not in task.only.populations:
            return ()
    if task.by_player:
        return (real_name(name),)
    groups = corpora().groups(record, name)
    return (source_name(task.path),) if groups is None else groups


def _neighbour(held: Sequence[int | None], position: int) -> int | None:
    """The next player clockwise whose cards are recorded."""
    n = len(held)
    return next((j for k in range(1, n) if held[j := (position + k) % n] is not None), None)


def _seat_view(state: HandState, position: int, two: tuple[int, ...]) -> View:
    state.set_hole(position, two)
    view = state.view(position)
    state.set_hole(position, (255, 255))
    return view


def _measures(p: F64, shares: F64 | None, view: View, truth: int) -> list[float]:
    """The measures of one reading; the classes by ``shares`` where the reader predicts them."""
    out = np.empty(8)
    classes = _hand_classes(view.board)
    seen = view.board if view.position is None else view.board + view.hole
    measure_kernel(p, _possible_hands(seen), classes, truth, out)
    if shares is not None:
        larger = int((shares > shares[classes[truth]] * (1 + TIE)).sum())
        out[5:] = [larger <= z for z in range(3)]
    return out.tolist()


def _chosen(task: Task, look: Progress) -> tuple[set[tuple[int, int]], set[int]]:
    """Players' hands drawn for the cases, as (hand of the file, position), and hands that cannot be replayed."""
    unreadable = set()
    piles: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    for number, record in _hands(task, look, Scored()):
        try:
            ends = reading.streets(record, whole=True)
        except (ConfigError, RulesError):
            unreadable.add(number)
            continue
        folds_first = dict(ends[0].villains) if ends and ends[0].street == 0 else {}
        deciding = {i for end in ends for i, _ in end.villains}
        for i, held in enumerate(reading.hidden_hands(record)):
            groups = groups_of(task, record, i) if held is not None and i in deciding else ()
            if groups:
                piles.setdefault((groups[0], folds_first.get(i, False)), []).append((number, i))
    drawn: set[tuple[int, int]] = set()
    for key, pile in sorted(piles.items()):
        rng = np.random.default_rng([task.seed, *f"{key[0]} {key[1]}".encode()])
        drawn.update(pile[k] for k in rng.permutation(len(pile))[: task.cases].tolist())
    return drawn, unreadable
