"""Tables and charts of ``dupai reproduce fold``: matches of the paper's program and of ours, side by side."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dupai.base import Estimate
from dupai.experiments._fold import _config as config, _printed as printed
from dupai.experiments._fold._printed import FIGURES, table3
from dupai.experiments._paper import Chart, Line, Results, Row, Section, Size, Table, Value
from dupai.experiments._verdict import exceeding, over_groups

Match = Mapping[str, Any]

#: Why values against other opponents do not compare.
PRIVATE: Mapping[str, Any] = {
    "missing": "the paper's seven programs, which are private",
    "stand_in": "eleven agents of ours",
}

#: What a quick run leaves to ``--full``, in table 3 and at larger tables.
_PLAYED: Mapping[Size, tuple[str, str]] = {
    "quick": (
        "A quick run plays the paper's program often, ours less, and of the ablation only the paper's without reading; "
        "what each addition adds takes --full. ",
        "A quick run plays tables of four and eight only, and no variants (figure 12). ",
    ),
    "full": ("", ""),
}

# table 3 ------------------------------------------------------------------------------------------------------------


class Duels:
    """Heads-up matches by program and opponent: the share won (a draw is half a win) and the difference of chips left,
    by match number.

    Matches of one number are played with the same cards and chairs against every opponent, so that they depend on each
    other: errors are over numbers, and ``n`` of an estimate counts those. :meth:`matches` counts matches."""

    def __init__(self, results: Results) -> None:
        self.won: dict[str, dict[str, dict[int, float]]] = {}
        self.chips: dict[str, dict[str, dict[int, float]]] = {}
        self.hands: Counter[str] = Counter()
        for key, cell in results.items():
            program, opponent, _ = key.split("|")
            for match in cell["matches"]:
                mine, other = match["rows"]
                number = int(match["match"])
                # Rank 1.5 is a draw, half a win.
                self.won.setdefault(program, {}).setdefault(opponent, {})[number] = 100 * (2 - mine[1])
                self.chips.setdefault(program, {}).setdefault(opponent, {})[number] = mine[3] - other[3]
                self.hands[program] += match["hands"]

    def share(self, program: str, opponent: str | None = None) -> Estimate:
        """Per cent of its matches that a program won."""
        return over_groups(_numbered(self.won.get(program, {}), opponent))

    def matches(self, program: str, opponent: str | None = None) -> int:
        """How many matches a program has played."""
        return len(_numbered(self.won.get(program, {}), opponent))

    def gained(self, program: str, opponent: str | None = None) -> Estimate:
        """The difference of chips left."""
        return over_groups(_numbered(self.chips.get(program, {}), opponent))

    def paired(self, program: str, other: str) -> Estimate:
        """Points of matches won by which a program is ahead of another, over the matches (the same cards and the same
        opponent) that both have played."""
        return over_groups(self._pairs(program, other))

    def pairs(self, program: str, other: str) -> int:
        """How many matches both have played."""
        return len(self._pairs(program, other))

    def _pairs(self, program: str, other: str) -> list[tuple[int, float]]:
        mine, theirs = self.won.get(program, {}), self.won.get(other, {})
        return [
            (number, value - theirs[opponent][number])
            for opponent, matches in mine.items()
            for number, value in matches.items()
            if number in theirs.get(opponent, {})
        ]


def _numbered(by_opponent: Mapping[str, Mapping[int, float]], opponent: str | None) -> list[tuple[int, float]]:
    return [pair for name, some in by_opponent.items() if opponent in (None, name) for pair in some.items()]


def table3_section(results: Results, size: Size) -> Section:
    duels = Duels(results)
    rows: list[Row] = []
    for program, spec in config.PROGRAMS.items():
        won, gained = duels.share(program), duels.gained(program)
        if not won.n:
            continue
        each = {name: duels.share(program, name) for name in duels.won[program]}
        worst = min(each, key=lambda name: each[name].mean)
        facts: Any = {
            "hands": duels.hands[program],
            "seeds": f"{duels.matches(program)} matches on {won.n} sets of cards",
        }
        rows += [
            Row.judged(
                f"{spec}: more than half of its matches",
                FIGURES["wins more than half"],
                won,
                ordering=exceeding(won, 50),
                **facts,
            ),
            Row.judged(f"{spec}: matches won", FIGURES["wins"], won, **facts, **PRIVATE),
            Row.judged(f"{spec}: least of the field ({worst})", FIGURES["wins against everybody"], each[worst],
                       seeds=f"{each[worst].n} matches", **PRIVATE),
            Row.judged(f"{spec}: difference of chips left", FIGURES["chips"], gained, **facts, **PRIVATE),
        ]  # fmt: skip
    gap = duels.paired("ours", "paper")
    if gap.n:
        label = f"{config.OURS} less {config.PAPER}, matches won, paired"
        count = f"{duels.pairs('ours', 'paper')} matches on {gap.n} sets of cards"
        rows.append(Row(label, None, gap, "points", seeds=count))
    return Section(
        f"{_PLAYED[size][0]}"
        "Heads-up matches of 600 hands at most, blinds 20/40, 2,000 chips and one rebuy, against every player of our "
        "field, the same cards for every program; chips are the difference of what both have left (rebuy not yet used "
        "counts). Against all opponents the cards of a match are the same, so errors count sets of cards. The paper's "
        f"program is {config.PAPER}: its reader, entry ranges of equation 5, Algorithm 1 with 500 deals of which "
        "those won count, the thresholds of Algorithm 2 for the players in the pot, adaptation as printed, and none of "
        f"our additions. Ours is {config.OURS}.",
        rows,
        (_opponents_table(duels), *_ablation_tables(duels), *_matrices(duels)),
        (),
        _table3_findings(duels),
    )


def _table3_findings(duels: Duels) -> list[str]:
    findings = []
    for program, spec in config.PROGRAMS.items():
        won = duels.share(program)
        if won.n >= config.FEW:
            low, high = won.interval()
            count = duels.matches(program)
            findings.append(f"{spec} wins {won.mean:.1f} % ({low:.1f} to {high:.1f}) of {count} matches.")
    blind = duels.paired("paper, reads nothing", "paper")
    if blind.n >= config.FEW:
        count = duels.pairs("paper, reads nothing", "paper")
        low, high = blind.interval()
        word = "more" if low > 0 else "fewer" if high < 0 else "not separably more or fewer"
        findings.append(
            f"The paper's decision rule without its reader (every hand alike) wins {word} than with it: "
            f"{blind.mean:+.1f} ± {(high - low) / 2:.1f} points of {count} matches."
        )
    return findings


def _opponents_table(duels: Duels) -> Table:
    rows: list[tuple[Value, ...]] = []
    for opponent in (*config.FIELD, None):
        row: list[Value] = ["all" if opponent is None else opponent]
        for program in config.PROGRAMS:
            won, gained = duels.share(program, opponent), duels.gained(program, opponent)
            row += [won, gained, duels.matches(program, opponent)] if won.n else [None, None, 0]
        rows.append(tuple(row))
    heads = [f"{spec}: {what}" for spec in config.PROGRAMS.values() for what in ("won, %", "chips", "matches")]
    return Table("Table 3: both programs against each of the field", ("opponent", *heads), rows)


def _ablation_tables(duels: Duels) -> tuple[Table, ...]:
    rows: list[tuple[Value, ...]] = []
    for name, spec in {"paper": config.PAPER, **config.ABLATION, "ours": config.OURS}.items():
        won = duels.share(name)
        if won.n:
            row = [None if name == end else duels.paired(name, end) for end in ("paper", "ours")]
            rows.append((name, spec, won, *row, duels.gained(name), duels.matches(name)))
    if len(rows) <= len(config.PROGRAMS):
        return ()
    columns = ("program", "spec", "won, %", "less paper, points", "less ours, points", "chips", "matches")
    note = "Differences are paired: the same cards, chairs and opponents. One addition at a time, and ours less one."
    return (Table("What each addition adds", columns, rows, note),)


def _matrices(duels: Duels) -> tuple[Table, ...]:
    """Table 3 in full: the seven against each other and both programs, and the paper's as printed."""
    players = (*config.SEVEN, *config.PROGRAMS)
    won: list[tuple[Value, ...]] = []
    chips: list[tuple[Value, ...]] = []
    for row in players:
        pairs = [_against(duels, row, column) for column in players]
        seven = [pair for pair, column in zip(pairs, players, strict=True) if pair and column in config.SEVEN]
        for table, k in ((won, 0), (chips, 1)):
            mean = sum(pair[k].mean for pair in seven) / len(seven) if seven else None
            table.append((config.PROGRAMS.get(row, row), *(pair[k] if pair else None for pair in pairs), mean))
    heads = ("", *config.SEVEN, *config.PROGRAMS.values(), "mean against the seven")
    tables = [
        Table("Table 3, full matrix: matches that the row won from the column, %", heads, won),
        Table("Table 3, full matrix: difference of chips left", heads, chips),
    ]
    if all(all(value is None for value in row[1:]) for row in won):
        tables = []
    for title, data in (("matches won, %", table3("won", 100)), ("difference of chips left", table3("chips", 0))):
        names = printed.TABLE3_PLAYERS
        lines: list[tuple[Value, ...]] = [(name, *row) for name, row in zip(names, data, strict=True)]
        tables.append(Table(f"Table 3 as the paper prints it: {title}", ("", *names), lines))
    return tuple(tables)


def _against(duels: Duels, row: str, column: str) -> tuple[Estimate, Estimate] | None:
    """What a row of the matrix won from a column: share of matches, and chips."""
    for a, b, sign in ((row, column, 1), (column, row, -1)):
        won = duels.share(a, b) if b in duels.won.get(a, {}) else None
        if won is not None and won.n:
            gained = duels.gained(a, b)
            if sign == 1:
                return won, gained
            return won._replace(mean=100 - won.mean), gained._replace(mean=-gained.mean)
    return None


# tournaments --------------------------------------------------------------------------------------------------------


def matches_of(results: Results, variant: str, players: int) -> list[Match]:
    """All matches of a variant at so many players, by number."""
    cells = [cell for key, cell in results.items() if key.split("|")[:2] == [variant, str(players)]]
    return sorted((m for cell in cells for m in cell["matches"]), key=lambda m: int(m["match"]))


def _heroes(matches: Sequence[Match], column: int) -> Estimate:
    """Mean of a column of the agent's rows: 1 rank, 2 hands survived, 3 chips left."""
    return Estimate.of(m["rows"][0][column] for m in matches)


def agreement(ranks: Sequence[float], repeats: int, draws: int = 400) -> tuple[float, float]:
    """How well the mean rank of ``repeats`` matches agrees with that of all (%), and the SE of that mean (% of it)."""
    all_ranks = np.asarray(ranks, np.float64)
    rng = np.random.Generator(np.random.PCG64(8))
    means = np.array([rng.choice(all_ranks, repeats, replace=False).mean() for _ in range(draws)])
    mean = all_ranks.mean()
    off = np.abs(means - mean) / mean
    return 100 * (1 - float(off.mean())), 100 * float(all_ranks.std(ddof=1)) / math.sqrt(repeats) / float(mean)


def tournament_section(results: Results, size: Size) -> Section:
    rows: list[Row] = []
    tables, charts, findings = [_figure9_table(results)], [], []
    for program, spec in config.PROGRAMS.items():
        eight = matches_of(results, program, 8)
        rows += [*_figure9_rows(results, program), *_figure11_rows(eight, spec), *_figure12_rows(results, program),
                 *_figure8_rows(eight, spec)]  # fmt: skip
        if eight:
            tables.append(_figure11_table(standings(eight), spec))
            charts += _figure10_charts(eight, spec)
            rank = _heroes(eight, 1)
            findings.append(f"{spec} at eight seats: mean rank {rank.mean:.2f} over {rank.n} matches.")
    charts += _figure8_chart(results)
    findings.append(
        "The paper's seven programs are private; ours are drawn for each match from eleven of different looseness and "
        "aggression, so ranks compare in kind only."
    )
    return Section(
        f"{_PLAYED[size][1]}"
        "600 hands at most, blinds 20/40 that never rise, 2,000 chips and one rebuy of 2,000; rank by hands survived, "
        f"then by chips left. The paper's program is {config.PAPER}, ours {config.OURS}; opponents are drawn anew from "
        f"{', '.join(config.FIELD)}. The same cards, chairs and opponents for every program and variant.",
        rows,
        [*tables, *_variants_table(results), _figure5_table(results)],
        charts,
        findings,
    )


def _figure9_rows(results: Results, program: str) -> list[Row]:
    rows = []
    for n in range(2, 9):
        if matches := matches_of(results, program, n):
            figure = FIGURES["rank at eight" if n == 8 else "rank"]
            label = f"{config.PROGRAMS[program]}: mean rank, {n} players"
            hands, seeds = sum(m["hands"] for m in matches), f"{len(matches)} matches"
            rows.append(Row.judged(label, figure, _heroes(matches, 1), hands=hands, seeds=seeds, **PRIVATE))
    return rows


def _figure9_table(results: Results) -> Table:
    rows: list[tuple[Value, ...]] = []
    for n in range(2, 9):
        for program, spec in config.PROGRAMS.items():
            if matches := matches_of(results, program, n):
                first = Estimate.of(100.0 * (m["rows"][0][1] == 1) for m in matches)
                mean = (_heroes(matches, column) for column in (1, 2, 3))
                rank, hands, chips = mean
                rows.append((n, spec, rank, first, hands, chips, len(matches)))
    columns = ("players", "program", "mean rank", "first, %", "hands survived", "chips left", "matches")
    return Table("Figure 9: by number of players", columns, rows)


def _of_row(row: Sequence[Any]) -> dict[str, float]:
    """What a match says of one of its players."""
    _, rank, hands, chips, squared, _ = row
    return {"rank": rank, "hands": hands, "chips": chips, "volatility": math.sqrt(squared), "squared": squared}


def _ahead(matches: Sequence[Match], spec: str, rival: str, column: str, sign: int) -> Estimate:
    """How far a program is ahead of a rival in a column, over the matches in which the rival sat: what one of a table
    wins the others do not, so that only differences within a match are independent."""
    tables = [{row[0]: _of_row(row)[column] for row in match["rows"]} for match in matches]
    return Estimate.of(sign * (one[spec] - one[rival]) for one in tables if spec in one and rival in one)


def standings(matches: Sequence[Match]) -> dict[str, dict[str, Estimate]]:
    """Everybody's mean rank, hands, chips and volatility (with and without the root) over their matches."""
    values: dict[str, dict[str, list[float]]] = {}
    for match in matches:
        for row in match["rows"]:
            for key, value in _of_row(row).items():
                values.setdefault(row[0], {}).setdefault(key, []).append(value)
    return {name: {k: Estimate.of(v) for k, v in one.items()} for name, one in values.items()}


def _figure11_rows(matches: Sequence[Match], spec: str) -> list[Row]:
    """What figure 11 says in words: the program is the best of the field in three measures."""
    table = standings(matches)
    if len(table) < 2:
        return []
    rows = []
    for figure, column, sign in (("best rank", "rank", -1), ("most hands", "hands", 1), ("most chips", "chips", 1),
                                 ("volatility", "volatility", 1)):  # fmt: skip
        others = {name: one[column] for name, one in table.items() if name != spec}
        rival = max(others, key=lambda name: sign * others[name].mean)
        ahead = _ahead(matches, spec, rival, column, sign)
        label = f"{spec}, eight players: {column} beside the next best, {rival}"
        seeds = f"{ahead.n} matches with both"
        rows.append(Row.judged(label, FIGURES[figure], ahead, ordering=ahead, seeds=seeds))
    return rows


def _figure11_table(table: Mapping[str, Mapping[str, Estimate]], spec: str) -> Table:
    order = sorted(table, key=lambda name: table[name]["rank"].mean)
    columns = ("agent", "mean rank", "hands survived", "chips left", "volatility F", "F squared", "matches")
    rows: list[tuple[Value, ...]] = [(name, *table[name].values(), table[name]["rank"].n) for name in order]
    note = "F = sqrt(sum of squared changes of chips left from hand to hand); the root is reconstructed."
    return Table(f"Figure 11: eight players with {spec}, everybody", columns, rows, note)


def _paired(results: Results, variant: str, other: str, column: int) -> Estimate:
    """``variant`` less another in a column of the agent's rows, over the matches that both have played."""
    a, b = ({m["match"]: m["rows"][0][column] for m in matches_of(results, v, 8)} for v in (variant, other))
    return Estimate.of(a[k] - b[k] for k in sorted(a.keys() & b.keys()))


def _figure12_rows(results: Results, program: str) -> list[Row]:
    main, without = matches_of(results, program, 8), f"{program}, no implied odds"
    if not main or not matches_of(results, without, 8):
        return []
    worse = _paired(results, without, program, 1)
    base = _heroes(main[: worse.n], 1).mean
    gain = Estimate(100 * worse.mean / base, 100 * worse.se / base, worse.n)
    label = f"{config.PROGRAMS[program]}: better mean rank with implied odds"
    why = "same cards, chairs and opponents; a gain of 0.8 % takes some tens of thousands of matches to see"
    seeds = f"{worse.n} matches with and without"
    return [Row.judged(label, FIGURES["implied odds"], gain, ordering=gain, seeds=seeds, why=why)]


def _variants_table(results: Results) -> tuple[Table, ...]:
    rows: list[tuple[Value, ...]] = []
    for variant, spec in config.VARIANTS.items():
        if matches := matches_of(results, variant, 8):
            base = variant.partition(",")[0]
            rank, chips = (None if variant == base else _paired(results, variant, base, k) for k in (1, 3))
            rows.append((spec, _heroes(matches, 1), rank, _heroes(matches, 3), chips, len(matches)))
    columns = ("agent", "mean rank", "less its program's", "chips left", "less its program's", "matches")
    if len(rows) <= len(config.PROGRAMS):
        return ()
    return (Table("Readers and implied odds at eight seats, paired", columns, rows),)


def _figure8_rows(matches: Sequence[Match], spec: str) -> list[Row]:
    ranks = [m["rows"][0][1] for m in matches]
    repeats = min(printed.REPEATS, len(ranks) // 2)
    if repeats < 5:
        return []
    ours, se = agreement(ranks, repeats)
    label = f"{spec}: agreement of the mean rank after {repeats} matches"
    why = f"mean over random subsets, against all {len(ranks)}; SE {se:.1f} % of the mean rank (paper: under 2.5 %)"
    full = repeats == printed.REPEATS
    facts: dict[str, Any] = {} if full else {"missing": f"matches: {2 * printed.REPEATS} are needed"}
    return [Row.judged(label, FIGURES["agreement"], ours, seeds=f"{len(ranks)} matches", why=why, **facts)]


def _figure8_chart(results: Results) -> list[Chart]:
    lines = []
    for program, spec in config.PROGRAMS.items():
        ranks = [m["rows"][0][1] for m in matches_of(results, program, 8)]
        steps = [n for n in (5, 10, 20, 30, 50, 70, 100, 150, 200, 250) if n <= len(ranks) // 2]
        if len(steps) >= 2:
            label = f"{spec}, {len(ranks)} matches"
            lines.append(Line(label, steps, [agreement(ranks, n)[0] for n in steps]))
    if not lines:
        return []
    return [Chart("Figure 8: agreement of the mean rank with that of all matches", "repeats", "agreement, %", lines)]


def _figure10_charts(matches: Sequence[Match], spec: str) -> list[Chart]:
    """(a) one match; (b), (c) mean curves over 10 and 100 matches."""
    charts = []
    for match in matches:
        if match["match"] == 0 and match["curves"]:
            lines = [Line(name, list(range(len(chips))), chips, dashed=name != spec) for name, chips in match["curves"]]
            note = "The rebuy of 2,000 counts before it is used."
            charts.append(Chart(f"Figure 10 (a): chips left in one match, {spec}", "hand", "chips left", lines,
                                note=note))  # fmt: skip
    for letter, count in (("b", 10), ("c", config.CURVES)):
        some = [m for m in matches if m["match"] < count and m["curves"]]
        if len(some) == count:
            charts.append(_mean_curves(some, spec, letter))
    return charts


def _mean_curves(matches: Sequence[Match], spec: str, letter: str) -> Chart:
    """Mean chips left of everybody over matches, every few hands; a match that is over stays as it ended."""
    step = config.CURVE_STEP
    grid = list(range(0, 601, step))
    curves: dict[str, list[list[float]]] = {}
    for match in matches:
        final = {row[0]: row[3] for row in match["rows"]}
        for name, chips in match["curves"]:
            points = chips[:: step if match["match"] == 0 else 1]
            curves.setdefault(name, []).append([*points, *[final[name]] * (len(grid) - len(points))][: len(grid)])
    lines = [
        Line(name, grid, np.mean(rows, axis=0).tolist(), dashed=name != spec) for name, rows in sorted(curves.items())
    ]
    title = f"Figure 10 ({letter}): mean chips left over {len(matches)} matches, {spec}"
    return Chart(title, "hand", "chips left", lines, note="Opponents are drawn: each sits in some of the matches.")


def _figure5_table(results: Results) -> Table:
    counts: dict[str, Counter[str]] = {}
    for result in results.values():
        for name, one in result["actions"].items():
            counts.setdefault(name, Counter()).update(one)
    words = ("fold", "check", "call", "raise")
    rows: list[tuple[Value, ...]] = []
    for name, one in sorted(counts.items()):
        shares: list[float] = []
        for when in ("before", "after"):
            total = max(sum(one[f"{when} {word}"] for word in words), 1)
            shares += [100 * one[f"{when} {word}"] / total for word in words]
        rows.append((name, *shares, sum(one.values())))
    heads = [f"{w}, %, {t} the flop" for t in ("before", "after") for w in (*words[:3], "bet or raise")]
    note = "The paper draws the frequencies of three of its programs without figures."
    return Table("Figure 5: what everybody does", ("agent", *heads, "decisions"), rows, note)
