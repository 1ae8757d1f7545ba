"""Tables of ``dupai reproduce cross``: ratings, cross tables, what a paper's program loses to ours, times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from dupai.arena import LadderResult, load_format
from dupai.arena.match import Seating
from dupai.arena.tournament import TournamentMatch, TournamentResult
from dupai.base import Estimate
from dupai.experiments._cross import _config as config
from dupai.experiments._paper import Results, Row, Section, Size, Table, Value
from dupai.stats import Measure


def ladder_of(results: Results, seats: int, size: Size) -> LadderResult:
    """The arena's ladder of the cells that are done; its seed is of no account here."""
    ladder = load_format("ladder")
    everybody, settings = ladder.plan(config.field_of(seats), config.ladder_settings(seats, size))
    played = [
        replace(
            Seating.from_builtins(cell["seating"]),
            times=tuple({int(length): n for length, n in counts} for counts in cell["times"]),
        )
        for cell in results.values()
    ]
    result: LadderResult = ladder.summary(settings, played, everybody)
    return result


def estimate_of(measure: Measure) -> Estimate | str:
    """A measure as tables print it: with its interval, or as a bare mean with the number of values where these are too
    few for one to hold."""
    if measure.se is None or measure.low is None:
        return f"{measure.mean:,.0f} (n = {measure.n}, too few)" if measure.n else ""
    return Estimate(measure.mean, measure.se, measure.n)


def whose(spec: str) -> str:
    """The system of a spec, and whose program it is."""
    for system in config.SYSTEMS:
        if spec in (system.paper, system.ours):
            return f"{system.name}, {'the paper' if spec == system.paper else 'ours'}"
    return ""


def _ratings(result: LadderResult) -> Table:
    times = {t.agent: t for t in result.decision_times}
    rows: list[tuple[Value, ...]] = []
    for row in result.rows:
        rating = Measure(mean=row.rating, se=row.rating_se, low=row.low, high=row.high, n=row.mbb.n)
        took = times.get(row.agent)
        ms = (None, None) if took is None else (1000 * took.median, 1000 * took.p99)
        plain = None if row.plain is None else estimate_of(row.plain)
        elo: Value = row.elo
        if row.low is not None and row.elo is not None and row.elo_se is not None:
            elo = Estimate(row.elo, row.elo_se, row.mbb.n)
        won = estimate_of(row.mbb)
        rows.append((row.agent, whose(row.agent), estimate_of(rating), row.straying, elo, won, plain, *ms, row.faults))
    columns = ("program", "whose", "rating, mbb/hand", "strays by", "Elo", "won, luck out", "won, with luck",
               "ms a decision, median", "ms, 99 %", "faults")  # fmt: skip
    note = (
        "Rating: what it wins from an average one of these, by least squares over the pairs. Poker is not transitive: "
        "'strays by' says by how much its results against single opponents stray from differences of ratings."
    )
    return Table("Ratings", columns, rows, note)


def _cross_table(result: LadderResult) -> Table:
    names = [row.agent for row in result.rows]
    cells = {(c.first, c.second): c.mbb for c in result.cells}
    rows: list[tuple[Value, ...]] = []
    for a in names:
        line: list[Value] = []
        for b in names:
            if (a, b) in cells:
                line.append(estimate_of(cells[a, b]))
            elif (b, a) in cells:
                measure = cells[b, a]
                flipped = msgspec.structs.replace(
                    measure,
                    mean=-measure.mean,
                    low=None if measure.high is None else -measure.high,
                    high=None if measure.low is None else -measure.low,
                )
                line.append(estimate_of(flipped))
            else:
                line.append(None)
        rows.append((a, *line))
    title = "Cross table: what the row won from the column, luck out, mbb/hand"
    if len(result.config.tables[0]) > 2:
        title = "Cross table: what the row won more than the column at the tables they shared, luck out, mbb/hand"
    return Table(title, ("", *names), rows)


def _progress(result: LadderResult) -> list[Row]:
    """What ours wins from the paper's program of the same system."""
    rows = []
    for system in config.SYSTEMS:
        for cell in result.cells:
            if cell.mbb.n and {cell.first, cell.second} == {system.paper, system.ours}:
                sign = 1 if cell.first == system.ours else -1
                label = f"{system.name}: {system.ours} against {system.paper}"
                few = cell.mbb.low is None or cell.mbb.se is None
                value: Value = sign * cell.mbb.mean
                if cell.mbb.se is not None and not few:
                    value = Estimate(sign * cell.mbb.mean, cell.mbb.se, cell.mbb.n)
                why = f"only {cell.mbb.n} matches: too few for an interval" if few else ""
                seeds = f"{cell.mbb.n} {result.unit}es"
                rows.append(Row(label, None, value, "mbb/hand", seeds=seeds, why=why))
    return rows


def _section(result: LadderResult, text: str) -> Section:
    findings = [f"{result.hands:,} hands; {result.pairing}."]
    first = result.rows[0]
    if first.low is not None:
        findings.append(f"First by rating: {first.agent} ({whose(first.agent)}), {first.rating:+,.0f} mbb/hand.")
    apart = len(result.cells) - len(result.not_separated)
    findings.append(f"{apart} of {len(result.cells)} pairs are separated by their 95 % intervals.")
    return Section(text, _progress(result), (_ratings(result), _cross_table(result)), (), findings)


_TEXT = (
    "{what} Blinds 50/100, 20,000 chips reset every hand; every rotation is a match of its own with fresh agents, so "
    "learning agents have {hands} hands for it. Luck is taken out (the same expectation, less variance); intervals "
    "count matches. Each program is played as its paper's preset and as ours."
)


#: How the tables of so many seats are made up.
_WHAT = {
    2: "Everyone against everyone, both seatings of every deal.",
    6: "Tables of six by a balanced design, all six rotations; the experience system plays heads-up only.",
    8: "All eight at one table, all eight rotations; the experience system plays heads-up only.",
}


def ladder(seats: int, results: Results, size: Size) -> Section:
    text = _TEXT.format(what=_WHAT[seats], hands=config.LADDERS[seats][size][0])
    return _section(ladder_of(results, seats, size), text)


def tournament(results: Results, size: Size) -> Section:
    form = load_format("tournament")
    everybody, settings = form.plan(config.RING, config.tournament_settings(size))
    played: Sequence[TournamentMatch] = [form.read_unit(match) for match in results.values()]
    result: TournamentResult = form.summary(settings, sorted(played, key=lambda m: m.match), everybody)
    rows: list[tuple[Value, ...]] = [
        (
            s.agent,
            whose(s.agent),
            *(estimate_of(m) if m.low is not None else m.text() for m in (s.rank, s.hands, s.chips)),
            100 * s.places[0],
            s.rebuys,
            s.faults,
        )
        for s in result.standings
    ]
    columns = ("program", "whose", "mean rank", "hands survived", "chips left", "first, %", "rebuys", "faults")
    return Section(
        "600 hands at most, blinds 20/40, 2,000 chips and one rebuy, seats drawn anew each match (the format of the "
        "FOLD paper); the experience system plays heads-up only.",
        (),
        (Table("Standings", columns, rows, f"{len(played)} matches, {result.hands:,} hands."),),
        (),
        (result.headline() + ".",),
    )
