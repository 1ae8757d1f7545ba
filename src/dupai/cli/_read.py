"""``dupai read`` and ``dupai readers``."""

from __future__ import annotations

import sys
import textwrap
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer
from typer import Argument, Option

from dupai.base import ConfigError
from dupai.base.text import nearest, whole_number
from dupai.cli._common import check_writable, console, print_json, progress, resolve_jobs, say, unguarded
from dupai.cli._grid import reading_lines
from dupai.cli._shared import (
    PLAYER,
    Group,
    LogGameOption,
    answer,
    each_source,
    fields,
    json_keys,
    leave,
    named_game,
    print_infos,
    report_again,
    table,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dupai.reading import WatchedStreet
    from dupai.rules import GameSpec, HandRecord
    from dupai.training import PairRow, ScoreReport, ScoreRow


class _Read(Group):
    usual = "hand"


app = typer.Typer(
    cls=_Read,
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Read hands: 'dupai read LOG --hand N' shows one being read (options: 'dupai read hand --help'), 'dupai read "
    "score' measures readers.",
)


def readers(
    json: bool = json_keys(
        "name, summary, options (name, type, default, required, help, choices, low, high, hidden, file, words), "
        "origin, error",
        "list",
    ),
) -> None:
    """List the hand readers, with their options.

    A reader is named by a spec: NAME or NAME:option=value,option=value. A first value without a name belongs to the
    first option. Other packages add readers through the entry-point group dupai.readers.

    Examples:

      dupai readers

      dupai readers --json
    """
    from dupai.reading import readers as known

    print_infos(known(), json=json)


# one hand ------------------------------------------------------------------------------------------------------------


@app.command()
def hand(
    log: Path = Argument(..., help="ACPC log, PHH file or store; or a folder of them, such as 'dupai run' saves."),
    number: int | None = Option(
        None, "--hand", help="Number of the hand, as the file gives it; default: the first that was shown down."
    ),
    section: str = Option("", help="Section of the log ('player Pro07'); default: the first that has such a hand."),
    villain: str | None = Option(
        None,
        *PLAYER,
        help="Player to read: a name, or a position from 0; default: the one with the most decisions.",
    ),
    reader: str = Option("model", help="Reader spec (see 'readers')."),
    products: str = Option(
        "", help="Hands, as AdTc,KsJc: a table of what each street's actions say of them, and of the product."
    ),
    game: LogGameOption = None,
    color: Literal["auto", "always", "never"] = Option("auto", help="Colours: auto uses them on a terminal."),
    png: Path | None = Option(None, help="Draw the same as a picture into this file."),
    json: bool = json_keys(
        "hand, section, reader, villain, position; streets (list of street, board, actions, grid, hands, starting, "
        "classes, draws, entropy, narrowed, legal, truth, truth_class, probability, bits, covered, factors)"
    ),
) -> None:
    """Watch a reader read one recorded hand: after every street the grid, the likely hands, then the truth.

    The grid is dark (or full) where the hands of a class are most probable. The reader has an observer's view: the
    betting and the board, no hole cards.

    Examples:

      dupai read pluribus.log.xz --hand 4 --villain Pluribus

      dupai read bovada.phhs.xz --hand 3754009075 --png hand.png

      dupai read matches/seed-7

      dupai read example:fold --reader fold --products AdTc,KsJc
    """
    from dupai.cards import combo
    from dupai.reading import draw, load_reader, watch

    if png is not None:
        check_writable("--png", png)
    loaded = load_reader(reader)
    record = _record(log, number, section, villain, named_game(game))
    position = _villain(record, villain)
    if record.names and len(set(record.names)) == len(record.names):
        loaded.meet(dict(zip(record.seats or range(record.spec.players), record.names, strict=True)))
    watched = watch(record, loaded, position, hands=[combo(two) for two in products.split(",") if products])
    name = record.names[position] if record.names else f"position {position}"
    if json:
        names = {"reader": reader, "villain": name, "position": position}
        print_json(fields(record, "hand section") | names | {"streets": watched})
    else:
        _print_watched(record, position, name, reader, watched, color)
        if products:
            _print_products(watched)
    if png is not None:
        captions = [", ".join(words) for _, words in _actions(record, watched)]
        draw(watched, f"{reader} reads {name}, hand {record.hand}", png, captions)
        if not json:
            typer.echo(f"drawn: {png}")


def _record(log: Path, number: int | None, section: str, villain: str | None, spec: GameSpec | None) -> HandRecord:
    """The hand of that number; without one the first that was shown down (with the player in it), else the first."""
    from dupai.history import file_records

    refused: list[str] = []
    first, numbers = None, list[int]()

    def read(source: str) -> Iterator[HandRecord]:
        return file_records(source, spec, rejected=lambda line, reason: refused.append(f"line {line}: {reason}"))

    for record in each_source([log], read):
        if section not in ("", record.section):
            continue
        if number is not None:
            numbers.append(record.hand)
            if record.hand == number:
                return record
        elif villain is None or villain in record.names or whole_number(villain, record.spec.players - 1) is not None:
            if any(record.shown):
                return record
            first = first or record
    if first is not None:
        return first
    wanted = "hand" + (f" {number}" if number is not None else f" with {villain!r}" if villain is not None else "")
    where = f" in section {section!r}" if section else ""
    where += f": it has {min(numbers)} to {max(numbers)}" if numbers else ""
    others = f" among those that can be read ({len(refused):,} cannot; {refused[0]})" if refused else ""
    raise ConfigError(f"{log}: there is no {wanted}{where}{others}", key="hand", path=log)


def _villain(record: HandRecord, villain: str | None) -> int:
    from dupai.spots import spot_rows

    if villain is None:
        deciding = spot_rows(record)["position"].tolist()
        return max(range(record.spec.players), key=deciding.count)
    if villain in record.names:
        return record.names.index(villain)
    position = whole_number(villain, record.spec.players - 1)
    if position is not None:
        return position
    raise ConfigError(
        f"player {villain!r} is not in the hand: {nearest(villain, record.names)}, "
        f"or a position 0 to {record.spec.players - 1}",
        key="player",
        text=villain,
    )


def _print_watched(
    record: HandRecord, position: int, name: str, reader: str, watched: list[WatchedStreet], color: str
) -> None:
    from dupai.cards import combo_text
    from dupai.notation import Reason, likelier_reason, narrowed_reasons, reason_words, word_of
    from dupai.reading import hidden_hands

    screen = console()
    auto = screen.is_terminal and screen.color_system is not None and not screen.no_color
    colored = color == "always" or (color == "auto" and auto)
    print(f"hand {record.hand}{f', {record.section}' if record.section else ''}: {reader} reads {name}")
    for street, (pot, words) in zip(watched, _actions(record, watched), strict=True):
        print(f"\n{street.street}{f'  {street.board}' if street.board else ''}  pot {pot:,}")
        for line in textwrap.wrap(", ".join(words), 78):
            print(f"  {line}")
        beside = {"starting hand": street.starting, "made hand": street.classes, "draw": street.draws}
        for row in reading_lines(street.grid, colored, beside):
            print(row, file=unguarded(sys.stdout))
        top = [hand for hand, _ in street.starting[:3]]
        said, *more = map(reason_words, narrowed_reasons(street.entropy, street.legal, top)[:-1])
        print(f"  {'; '.join([said, *more])}")
        if street.bits is not None:
            print(f"  {reason_words(likelier_reason(street.bits))} ({street.bits:+.2f} bits)")
    last = watched[-1] if watched else None
    if last is None:
        held = hidden_hands(record)[position]
        print("\nnobody decided anything: there is nothing to read")
        print(f"{name}'s cards are not known" if held is None else f"{name} held {combo_text(held)}")
    elif last.truth is None:
        print(f"\n{name}'s cards are not known")
    else:
        print(f"\n{name} held {last.truth} ({word_of(last.truth_class or '')})")
        print("bits gained: " + ", ".join(f"{s.street} {s.bits:+.2f}" for s in watched if s.bits is not None))
    if last is not None:
        small = [narrowed_reasons(last.entropy, last.legal)[-1]] + [Reason("bits_how")] * (last.bits is not None)
        for line in textwrap.wrap(". ".join(map(reason_words, small)), 78):
            print(line)


def _print_products(watched: list[WatchedStreet]) -> None:
    """By hand what the actions of each street say of it, and the product of the streets."""
    view = table("hand", *(f">{street.street}" for street in watched), ">product", ">probability")
    for column in zip(*(street.factors for street in watched), strict=True):
        factors = [factor for _, factor, _ in column]
        product = f"{prod(factors):.3g}"
        view.add_row(column[0][0], *(f"{factor:.3g}" for factor in factors), product, f"{100 * column[-1][2]:.3g} %")
    print()
    console().print(view)
    console().print("each street: what its actions alone say of the hand (all possible hands: 1 together)")


def _actions(record: HandRecord, watched: list[WatchedStreet]) -> list[tuple[int, list[str]]]:
    """By street, the pot before its actions, and the actions in words."""
    from dupai.notation import action_words
    from dupai.rules import steps_of

    names = record.names or tuple(f"position {i}" for i in range(record.spec.players))
    steps = [step for step in steps_of(record) if step.is_action]
    words = [f"{names[step.position]} {action_words(step)}" for step in steps]
    spans = pairwise([0, *(street.actions for street in watched)])
    return [(steps[start].pot - steps[start].chips, words[start:end]) for start, end in spans]


# scores --------------------------------------------------------------------------------------------------------------


@app.command()
def score(
    reader: list[str] = Argument(..., help="Reader specs, as uniform or fold:adapt=off (see 'readers')."),
    data: list[Path] = Option(
        ..., help="Log, store or folder of logs with known hole cards; may be given several times."
    ),
    part: Literal["test", "validation", "train", "all"] = Option(
        "test", help="Part of the hands: they are split by person, match, session or block of hands."
    ),
    view: Literal["observer", "seat", "both"] = Option(
        "both", help="Observer's view (no hole cards), seat's view (those of the next player), or both."
    ),
    by: Literal["group", "player"] = Option("group", help="Groups of the metric (other files: one each), or players."),
    cases: int | None = Option(
        None, help="At most this many players' hands of each file and group, drawn at random.", min=1
    ),
    observe: Literal["shown", "all", "nothing"] = Option(
        "shown",
        help="What readers may learn from each finished hand: the cards shown at the table, all recorded cards (an "
        "oracle), or nothing.",
    ),
    seed: int = Option(1, help="Seed of the draw of --cases.", min=0),
    game: LogGameOption = None,
    jobs: int = Option(1, help="Processes; 0: one for each core."),
    backend: str = Option(
        "local",
        help="local (this process, or --jobs processes), serial, processes, ray (extra cluster), or ray:ADDRESS.",
    ),
    keep: Path | None = Option(
        None,
        help="Folder for finished files: the same command resumes later, and readers added to it join those scored "
        "before. A reader whose file has changed is scored anew.",
    ),
    json: bool = json_keys(
        "readers, data, part, seed, observed, hands, refused, again, complete; scores (list of group, reader, street, "
        "bits, se, cases, cover50, cover80, cover95, top1, top2, top3, view, rows, table, below, se50, se80, se95, "
        "se_person); pairs (list of group, reader, than, street, bits, se, cases, view, rows, se_person)"
    ),
) -> None:
    """Measure how well readers predict the hidden hands of recorded players.

    Each player who acted on a street is read when its betting is over. Bits are the information gained over knowing
    nothing, log2(N * P(true hand)), with standard errors clustered by hand. The next columns are the share of true
    hands in the 50, 80 and 95 % set, and the share whose class is among the 1, 2, 3 most probable (both over flop, turn
    and river). Below each group the readers are compared pairwise on the same cases. Readers learn only from earlier
    hands of the same part. --observe all also gives them the cards that nobody showed: no reader at a table has those,
    and the score says what knowing the players would gain. Ctrl-C prints the scores so far.

    Examples:

      dupai read score uniform fold --data pluribus.log.xz --part validation

      dupai read score model --data bovada.phhs.xz --view observer --json
    """
    from dupai.training import score_readers

    spec = named_game(game)
    files = list(each_source(data, lambda path: _with_hands(path, spec)))
    with progress("scoring") as bar:
        report = score_readers(
            reader,
            files,
            part=part,
            cases=cases,
            seed=seed,
            views=view,
            observe=observe,
            by_player=by == "player",
            spec=spec,
            backend=backend,
            jobs=resolve_jobs(jobs),
            keep=keep,
            progress=bar,
        )
    report_again(report.again)
    answer(json, report.to_dict(), lambda: print_report(report))
    leave(complete=report.complete)


def _with_hands(path: str, spec: GameSpec | None) -> list[str]:
    """The file, for :func:`each_source`, which skips what has no hands.

    Raises:
        FileError, HistoryError: as :func:`dupai.history.file_records`.
    """
    from dupai.history import file_records

    next(file_records(path, spec, rejected=lambda line, reason: None), None)
    return [path]


def print_report(report: ScoreReport) -> None:
    """The tables of a report of scores."""
    from dupai.rules import STREET_NAMES

    wide = max([14, *map(len, report.readers), *(len(f"{p.reader} - {p.than}") for p in report.pairs)])
    places: dict[tuple[str, str, str], dict[str, dict[str, ScoreRow]]] = {}
    for row in report.scores:
        places.setdefault((row.group, row.view, row.rows), {}).setdefault(row.reader, {})[row.street] = row
    pairs: dict[tuple[str, str, str], dict[str, dict[str, PairRow]]] = {}
    for pair in report.pairs:
        by_name = pairs.setdefault((pair.group, pair.view, pair.rows), {})
        by_name.setdefault(f"{pair.reader} - {pair.than}", {})[pair.street] = pair
    for place, rows in places.items():
        group, view, kind = place
        if group == "all sets" and any(_same(rows, places[p]) for p in places if p != place and p[1:] == place[1:]):
            continue  # of one set alone
        say(f"{group}: {view}'s view, {'still in the hand' if kind == 'main' else 'folded on the street'}")
        say(f"  {'bits ± se':<{wide}}{_cells(STREET_NAMES)}")
        cases = ""
        for name, at in rows.items():
            # Readers usually answer the same cases; others get a line of their own.
            if (now := _cells(str(at[s].cases) if s in at else "-" for s in STREET_NAMES)) != cases:
                cases = now
                say(f"  {'cases':<{wide}}{cases}")
            say(f"  {name:<{wide}}{_cells(_bits(at.get(s)) for s in STREET_NAMES)}")
            by_person = [at[s].se_person for s in STREET_NAMES if s in at]
            if any(e is not None for e in by_person):
                say(f"  {'by person':<{wide}}{_cells(_person(at.get(s)) for s in STREET_NAMES)}".rstrip())
            below = sum(at[s].below for s in STREET_NAMES if s in at)
            if below:
                read = sum(at[s].cases for s in STREET_NAMES if s in at)
                say(f"  {'':<{wide}}  {below} of {read} cases cut off at -20")
        for name, apart in pairs.get(place, {}).items():
            say(f"  {name:<{wide}}{_cells(_bits(apart.get(s), sign=True) for s in STREET_NAMES)}")
        say(f"  {'after the flop':<{wide}}{_cells(('in 50/80/95 % set', 'class in top 1/2/3'), 28)}")
        for name, at in rows.items():
            say(f"  {name:<{wide}}{_shares(at)}".rstrip())
        say("")
    say(
        f"{report.hands:,} hands of part '{report.part}'"
        f"{f', {report.refused:,} could not be read' if report.refused else ''}"
        f"{'' if report.complete else '; stopped early: these are the results so far'}"
    )


def _same(a: dict[str, dict[str, ScoreRow]], b: dict[str, dict[str, ScoreRow]]) -> bool:
    """Whether two groups say the same: one of them is all that there is in the other."""
    numbers = [
        {(name, street, row.cases, row.bits) for name, at in rows.items() for street, row in at.items()}
        for rows in (a, b)
    ]
    return numbers[0] == numbers[1]


def _bits(row: ScoreRow | PairRow | None, *, sign: bool = False) -> str:
    if row is None or row.bits is None or row.se is None:
        return "-"
    bits = row.bits if abs(row.bits) >= 5e-4 else 0.0
    return f"{bits:{'+' if sign else ''}.3f}±{row.se:.3f}"


def _person(row: ScoreRow | None) -> str:
    return "" if row is None or row.se_person is None else f"±{row.se_person:.3f}"


def _cells(texts: Iterable[str], width: int = 14) -> str:
    return "".join(f"{text:>{width}}" for text in texts)


def _shares(at: dict[str, ScoreRow]) -> str:
    row = at.get("post-flop")
    if row is None:
        return _cells(("-",), 28)
    shares = row.shares
    covers = "/".join(f"{100 * c:.0f}" for c in (shares.cover50, shares.cover80, shares.cover95))
    tops = "/".join(f"{100 * c:.0f}" for c in (shares.top1, shares.top2, shares.top3))
    return _cells((covers, tops), 28)
