"""``dupai history stats`` and ``dupai history leaks``."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from dupai.base import ConfigError, HistoryError, Progress
from dupai.base.text import nearest
from dupai.cli._common import console, progress
from dupai.cli._shared import (
    PLAYER,
    JsonOption,
    LogGameOption,
    answer,
    each_source,
    fields,
    leave,
    named_game,
    report_again,
    report_rejected,
)

if TYPE_CHECKING:
    from rich.table import Table

    from dupai.history.stats import HandBatch, Leak, LeakReport, PlayerStats, SizeEstimate, StatEstimate, StatsTable
    from dupai.rules import GameSpec

Sources = Annotated[
    list[str],
    Argument(
        help="Stores, ACPC logs, PHH files or texts of poker sites (plain, .xz or .gz); or folders of them.",
        metavar="SOURCE",
    ),
]
#: Statistics of the table of several players.
_SHORT = ("vpip", "pfr", "3bet", "cbet-flop", "wtsd", "bb/100")
_STREETS, _NUMBERS = ("flop", "turn", "river", "all"), (1, 2, 3, None)
_CELLS = "Each cell: observed → estimate, the 95 % interval of the estimate, n."
_SHRUNK = (
    "Estimates are shrunk towards the population at tables of the same size; bb/100 towards {level}. "
    "See docs/reference/player-statistics.md."
)
_FEW = (
    "Below 10 opportunities (bb/100: 100 hands) there is no estimate, only what was seen; – where nothing was, or the "
    "situation cannot arise."
)


def _batches(
    sources: list[str], spec: GameSpec | None, progress: Progress, rejected: list[tuple[str, int, str]]
) -> Iterator[HandBatch]:
    """Hands of all sources, in batches; ``rejected`` collects what cannot be read."""
    from dupai.history.stats import Seen, batches

    seen = Seen()

    def read(source: str) -> Iterator[HandBatch]:
        def reject(line: int, reason: str) -> None:
            rejected.append((source, line, reason))

        if not progress.cancelled:
            yield from batches(source, spec, progress=progress, rejected=reject, seen=seen)

    yield from each_source(sources, read)
    report_again(seen.again)


def stats(
    sources: Sources,
    player: str | None = Option(None, *PLAYER, help="All statistics of one player."),
    by: str | None = Option(None, help="'position' or 'street'."),
    top: int = Option(20, help="Players listed, most hands first (0: all)."),
    game: LogGameOption = None,
    json: JsonOption = False,
) -> None:
    """Statistics of players: VPIP, PFR, 3-bet, c-bets, showdowns, bet sizes, bb/100, ...

    Each has its opportunities (n), the observed ratio, and beside it an estimate with its 95 % interval, shrunk towards
    the population at tables of the same size; below 10 opportunities (bb/100: 100 hands) only what was seen. bb/100 is
    drawn towards what the rake of the hands leaves: 0 where there is none. docs/reference/player-statistics.md has the
    definitions.

    JSON keys: complete, hands, rejected, seconds, players: list of player, hands, rake (bb/100), statistics (list of
    name, title, n, successes, observed, estimate, low, high, population, prior_strength, prior_only, enough, arises),
    sizes (list of group, n, classes, mean); with --by position also positions: by position the same two lists; with
    --by street also streets: for flop, turn, river and all of them the statistics that are counted by street.

    Examples:

      dupai history stats match.log

      dupai history stats STORE --player Pluribus --by position
    """
    from dupai.history.stats import StatsTable

    if by not in (None, "position", "street"):
        hint = nearest(str(by), ["position", "street"], "expected position or street")
        raise ConfigError(f"--by {by!r}: {hint}", key="by", text=by)
    if top < 0:
        raise ConfigError(f"--top {top}: expected 0 (all) or more", key="top")
    start = time.perf_counter()
    table = StatsTable()
    rejected: list[tuple[str, int, str]] = []
    with progress("counting") as bar:
        for batch in _batches(sources, named_game(game), bar, rejected):
            table.add(batch)
        stopped = bar.cancelled
    report_rejected(rejected)
    names = [name for name, _ in table.players()]
    if stopped and player is not None and player not in names:
        chosen = []  # not met yet
    else:
        chosen = [player] if player is not None else names[: top or None]
    people = [table.player(name) for name in chosen]
    counts = {"hands": table.hands, "rejected": table.rejected + len(rejected), "seconds": time.perf_counter() - start}
    document = counts | {"complete": not stopped, "players": [_document(p, by) for p in people] if json else []}
    answer(json, document, lambda: _print(table, people, player, by, len(names), stopped))
    leave(complete=not stopped)


#: Names of an estimate in JSON, with its attributes.
_KEYS = {
    "name": "name", "title": "title", "n": "n", "successes": "successes", "observed": "observed", "estimate": "mean",
    "low": "low", "high": "high", "population": "prior_mean", "prior_strength": "prior_strength",
    "prior_only": "prior_only", "enough": "enough", "arises": "arises",
}  # fmt: skip


def _estimate(e: StatEstimate) -> dict[str, Any]:
    return {key: getattr(e, name) for key, name in _KEYS.items()}


def _lists(p: PlayerStats, place: str | None = None) -> dict[str, Any]:
    sizes = p.sizes(place)
    return {
        "statistics": [_estimate(e) for e in p.estimates(place)],
        "sizes": [
            fields(s, "group n") | {"classes": [_estimate(c) for c in s.classes], "mean": _estimate(s.mean)}
            for s in sizes
        ],
    }


def _document(p: PlayerStats, by: str | None) -> dict[str, Any]:
    from dupai.spots import POSITION_CLASSES

    document: dict[str, Any] = fields(p, "player hands") | {"rake": 100 * p.rake} | _lists(p)
    if by == "position":
        document["positions"] = {place: _lists(p, place) for place in POSITION_CLASSES if p.hands_in(place)}
    elif by == "street":
        document["streets"] = {
            street: [_estimate(p.estimate(names[number])) for names in _families().values() if number in names]
            for street, number in zip(_STREETS, _NUMBERS, strict=True)
        }
    return document


# printing ------------------------------------------------------------------------------------------------------------


def _is_rate(e: StatEstimate) -> bool:
    return not e.name.startswith(("af", "bb/100")) or e.name.startswith("afq")


def _scaled(e: StatEstimate, value: float | None) -> str:
    """A number as the statistic is usually written: rates in percent."""
    if value is None or not math.isfinite(value):
        return "–" if value is None or math.isnan(value) else "∞"
    if _is_rate(e):
        return f"{100 * value:.1f}"
    return f"{value:+.1f}" if e.name == "bb/100" else f"{value:.2f}"


def _seen(e: StatEstimate) -> str:
    """What was observed, where that is too little for an estimate."""
    if not e.n:
        return "–"
    return f"{100 * e.successes / e.n:+,.0f}" if e.name == "bb/100" else f"{e.successes:,} of {e.n:,}"


def _cell(e: StatEstimate) -> str:
    """Observed and shrunk, interval and n in three short lines: tables of many columns fit a terminal."""
    if not e.enough:
        return f"{_seen(e)}\nn={e.n:,}" if e.n and e.name == "bb/100" else _seen(e)
    return f"{_short(e, e.observed)}→{_short(e, e.mean)}\n{_short(e, e.low)}..{_short(e, e.high)}\nn={e.n:,}"


def _short(e: StatEstimate, value: float | None) -> str:
    """A number with the fewest digits that tell players apart."""
    if value is None or not math.isfinite(value):
        return _scaled(e, value)
    whole = _is_rate(e) or e.name == "bb/100"
    return f"{100 * value if _is_rate(e) else value:{'+' if e.name == 'bb/100' else ''}.{0 if whole else 1}f}"


def _table(*columns: str) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for k, name in enumerate(columns):
        # Nothing of a number is left out where there is no room for all of it.
        table.add_column(name, justify="left" if k == 0 else "right", overflow="fold")
    return table


def _print(
    table: StatsTable, people: list[PlayerStats], player: str | None, by: str | None, known: int, stopped: bool
) -> None:

    out = console()
    left = f", {table.rejected:,} that cannot be played" if table.rejected else ""
    stop = " (stopped early)" if stopped else ""
    out.print(f"{table.hands:,} hands, {known:,} players{left}{stop}")
    if not people:
        return
    if by == "position":
        _by_position(out, people)
    elif by == "street":
        _by_street(out, people)
    elif player is not None:
        _whole(out, people[0])
    else:
        view = _table("player", "hands", *(e.title for e in people[0].estimates() if e.name in _SHORT))
        for p in people:
            view.add_row(p.player, f"{p.hands:,}", *(_cell(p.estimate(name)) for name in _SHORT))
        out.print(view)
        if known > len(people):
            out.print(f"{known - len(people):,} more players (--top 0 lists all, --player NAME one)")
    if player is None or by is not None:
        out.print(_CELLS)
    taken = sum(p.rake * p.hands for p in people) / max(sum(p.hands for p in people), 1)
    level = f"{-100 * taken:+.1f}, what the rake leaves on average" if abs(taken) >= 5e-5 else "0 (no rake)"
    out.print(_SHRUNK.format(level=level))
    out.print(_FEW)


def _whole(out: Any, p: PlayerStats) -> None:
    """All statistics of one player, then their bet sizes."""
    out.print(f"{p.player}: {p.hands:,} hands")
    view = _table("statistic (%)", "n", "done", "observed", "estimate", "95 %", "population")
    for e in p.estimates():
        done = f"{e.successes:+,.1f} bb in all" if e.name == "bb/100" else f"{e.successes:,}"
        own = ("–", "–", "–")
        if e.enough:
            own = (_scaled(e, e.observed), _scaled(e, e.mean), f"{_scaled(e, e.low)}..{_scaled(e, e.high)}")
        view.add_row(e.title, f"{e.n:,}", done, *own, _scaled(e, e.prior_mean) if e.arises else "–")
    out.print(view)
    _print_sizes(out, p.sizes())


def _print_sizes(out: Any, sizes: list[SizeEstimate]) -> None:
    out.print(
        "Bet sizes: chips beyond the call as a fraction of the pot after it; classes in % of the n bets, observed → "
        "estimate and its 95 % interval"
    )
    view = _table("bets", *(c.title for c in sizes[0].classes), "mean, no\nall-ins")
    for s in sizes:
        cells = [
            f"{_short(c, c.observed)}→{_short(c, c.mean)}\n{_short(c, c.low)}..{_short(c, c.high)}" if c.enough
            else str(c.successes) if c.n else "–"
            for c in s.classes
        ]  # fmt: skip
        m = s.mean
        mean = f"{m.observed or 0.0:.2f}→{m.mean:.2f}\n{m.low:.2f}..{m.high:.2f}" if m.enough else "–"
        view.add_row(f"{s.group}\nn={s.n:,}", *cells, mean)
    out.print(view)


def _by_position(out: Any, people: list[PlayerStats]) -> None:
    from dupai.spots import POSITION_CLASSES

    for p in people:
        places = [place for place in POSITION_CLASSES if p.hands_in(place)]
        view = _table(p.player, *places, "all")
        columns = [p.estimates(place) for place in places] + [p.estimates()]
        view.add_row("hands", *(f"{p.hands_in(place):,}" for place in places), f"{p.hands:,}")
        for row in zip(*columns, strict=True):
            view.add_row(row[0].title, *map(_cell, row))
        out.print(view)


def _families() -> dict[str, dict[int | None, str]]:
    """Statistics that are counted by street: their names by street, None for all streets."""
    from dupai.history.stats import DEFINITIONS

    families: dict[str, dict[int | None, str]] = {}
    for d in DEFINITIONS:
        if d.family:
            families.setdefault(d.family, {})[d.street] = d.name
    return families


def _by_street(out: Any, people: list[PlayerStats]) -> None:
    families = _families()
    for p in people:
        view = _table(p.player, *_STREETS)
        for names in families.values():
            estimates = [p.estimate(names[s]) if s in names else None for s in _NUMBERS]
            title = next(e.title for e in estimates if e is not None)
            for word in (", flop", " flop"):
                title = title.removesuffix(word)
            view.add_row(title, *("" if e is None else _cell(e) for e in estimates))
        out.print(view)
        _print_sizes(out, p.sizes())


# leaks ---------------------------------------------------------------------------------------------------------------


def leaks(
    sources: Sources,
    player: str = Option(..., *PLAYER, help="The player."),
    least: int = Option(30, help="Situations with fewer hands are merged."),
    top: int = Option(15, help="Number of lines printed (0: all)."),
    game: LogGameOption = None,
    json: JsonOption = False,
) -> None:
    """Where a player loses: results by position, role before the flop, last street and c-bets.

    Every hand falls into one line; the lines add up to the whole result. Each has its share of the result in big
    blinds per 100 hands dealt with a 95 % interval, the cost of the difference from everybody else in the same
    situation, the number of further hands that give the share to ±10 mbb per hand, and its costliest hands.

    JSON keys: complete, player, hands, bb100, low, high, more_hands, lines (list of position, role, street, event, n,
    bb100, low, high, per_hand, others, others_n, cost, cost_low, cost_high, p, holm, more_hands, hands, ids), note,
    rejected.

    Examples:

      dupai history leaks match.log --player Pro07

      dupai history leaks STORE --player MrBlue --top 0 --json
    """
    import msgspec

    from dupai.history.stats import find_leaks

    for name, value in (("--least", least), ("--top", top)):
        if value < 0:
            raise ConfigError(f"{name} {value}: expected 0 or more", key=name)
    rejected: list[tuple[str, int, str]] = []
    with progress("counting") as bar:
        try:
            report = find_leaks(_batches(sources, named_game(game), bar, rejected), player, least=least)
        except HistoryError:
            if not bar.cancelled:
                raise
            leave(complete=False, note=f"stopped before a hand of {player!r} was read")
        stopped = bar.cancelled
    report_rejected(rejected)
    more = {"note": _note(report), "rejected": len(rejected), "complete": not stopped}
    answer(json, msgspec.structs.asdict(report) | more, lambda: _print_leaks(report, top, sources))
    leave(complete=not stopped)


def _stands(line: Leak) -> bool:
    """Whether a line remains worse than the others after the correction for all comparisons."""
    return line.holm is not None and line.holm < 0.05


def _note(report: LeakReport) -> str:
    """A caution about many comparisons at once."""
    compared = [line for line in report.lines if line.p is not None]
    by_chance = 0.025 * len(compared)
    sure = [line for line in compared if _stands(line)]
    bad = [line for line in compared if line.p is not None and line.p < 0.025]
    return (
        f"{len(compared)} situations are compared at once: about {by_chance:.1f} would look bad (p < 2.5 %) by chance "
        f"alone, {len(bad)} do; after Holm's correction at 5 % there remain {len(sure)} (marked !). "
        "Hands that end in a fold can only have lost: compare with the others before calling a line a leak."
    )


def _print_leaks(report: LeakReport, top: int, sources: list[str]) -> None:

    out = console()
    out.print(
        f"{report.player}: {report.hands:,} hands, {report.bb100:+.1f} bb/100 "
        + (
            "(too few hands for an interval)"
            if report.low is None
            else f"(95 %: {report.low:+.1f} .. {report.high:+.1f}); {report.more_hands:,} more hands to know it to "
            "±10 mbb/hand"
        )
    )
    view = _table(
        "situation", "n", "bb/100\ndealt", "bb each\n(others)", "costs\nbb/100", "p (Holm)", "more hands\n±10 mbb"
    )
    shown = report.lines[: top or None]
    for k, line in enumerate(shown, 1):
        cost = "–"
        if line.cost is not None:
            cost = f"{line.cost:+.1f}" if line.cost else "0"
            cost += "" if line.cost_low is None else f"\n({line.cost_low:.1f}..{line.cost_high:.1f})"
        others = "–" if line.others is None else f"{line.others:+.2f}"
        p = "–" if line.p is None else f"{line.p:.3f}\n({line.holm:.2f})"
        view.add_row(
            f"{k}. {line.situation}" + (" !" if _stands(line) else ""),
            f"{line.n:,}",
            f"{line.bb100:+.2f}" + ("" if line.low is None else f"\n({line.low:.1f}..{line.high:.1f})"),
            f"{line.per_hand:+.2f}\n({others})",
            cost,
            p,
            "–" if line.more_hands is None else f"{line.more_hands:,}",
        )
    out.print(view)
    if len(report.lines) > len(shown):
        out.print(f"{len(report.lines) - len(shown):,} more lines (--top 0 prints all)")
    # With one source its name need not stand before every number.
    prefix = f"{sources[0]}:" if len(sources) == 1 else ""
    for k, line in enumerate(shown, 1):
        if not line.hands or line.cost == 0:
            continue  # there is nothing to look up
        hands = ", ".join(h.removeprefix(prefix) for h in line.hands)
        unit = "lines" if ":" in line.hands[0] else "hands"
        out.print(f"{k}. costliest {unit}: {hands} ({line.n:,} in all; --json lists them)", soft_wrap=True)
    out.print(f"Note: {_note(report)}")
