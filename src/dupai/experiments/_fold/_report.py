"""Tables and charts of ``dupai reproduce fold``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dupai.base import Estimate
from dupai.experiments._fold import _config as config, _printed as printed
from dupai.experiments._paper import Chart, Line, Row, Section, Size, Table, Value, grouped, holds
from dupai.rules import STREET_NAMES

Results = Mapping[str, Any]
Match = Mapping[str, Any]

# figure 4 -----------------------------------------------------------------------------------------------------------


def figure4_section(results: Results, size: Size) -> Section:
    by_deals = {n: results[f"{n} deals"] for n in config.DEALS if f"{n} deals" in results}
    repeats, rows = config.REPEATS[size], []
    if 500 in by_deals and 1000 in by_deals:
        paper, tries = printed.FIGURE4, f"{repeats} tries"
        few, many = (
            Estimate(100 * r["mean"], 100 * r["spread"] / repeats**0.5, repeats)
            for r in (by_deals[500], by_deals[1000])
        )
        half, ms = 196 * by_deals[500]["spread"], by_deals[500]["ms"]
        near = 0.6 <= half / paper["few_half_width"] <= 1.67
        why = "95 % of single tries; the paper does not say what its ± is. A share of the pot near 0.6 from 500 deals "
        why += "cannot scatter less than about 4."
        label = "half width of a win rate, N = 500"
        rows.append(Row(label, paper["few_half_width"], half, "points", seeds=tries, agrees=near, why=why))
        gap = Estimate(many.mean - few.mean, (few.se**2 + many.se**2) ** 0.5, repeats)
        label, near = "mean at N = 1000 less mean at N = 500", abs(gap.mean) <= 0.5
        why = "N does not shift the mean, as it must not: the hand is our own, so only the difference compares."
        rows.append(Row(label, paper["many"] - paper["few"], gap, "points", seeds=tries, agrees=near, why=why))
        why = f"{by_deals[500]['opponents']} opponents at once; median."
        fast = ms <= paper["ms_at_500"]
        rows.append(Row("time of a win rate, N = 500", paper["ms_at_500"], ms, "ms", agrees=fast, why=why))
    columns = ("N", "mean, %", "half width of one try (95 %), points", "ms")
    table = [(n, 100 * r["mean"], 196 * r["spread"], r["ms"]) for n, r in by_deals.items()]
    line = Line("win rate", tuple(by_deals), [row[1] for row in table], [row[2] for row in table])
    title = "Figure 4: win rate by number of deals, with the 95 % band of a single try"
    return Section(
        "Ace-jack on Ac Td 4h against the hands that the reader fold predicts for its opponents, after a bet: "
        f"Algorithm 1 with N deals, {repeats} tries each with fresh random numbers.",
        rows,
        (Table("Win rate by N", columns, table),),
        (Chart(title, "N", "win rate, %", (line,), log_x=True),),
        ("The scatter falls with the square root of N; at the default of 10,000 a win rate is within one point.",),
    )


# figure 7 -----------------------------------------------------------------------------------------------------------

Scores = Sequence[Mapping[str, Any]]


def pooled(scores: Scores, reader: str, street: str, z: int) -> Estimate | None:
    """Accuracy of a reader on a street over the groups of a set, in points (SE as for independent cases)."""
    mine = [r for r in scores if r["reader"] == reader and r["street"] == street and r["group"] != "all sets"]
    n = sum(r["cases"] for r in mine)
    if not n:
        return None
    p = sum(r["cases"] * r["top"][z - 1] for r in mine) / n
    return Estimate(100 * p, 100 * (max(p * (1 - p), 1e-9) / n) ** 0.5, n)


def ahead(scores: Scores, reader: str, street: str, z: int) -> Estimate | None:
    """Points that a reader is ahead of ``markov``. The error takes the two as independent, which overstates it."""
    a, b = pooled(scores, reader, street, z), pooled(scores, "markov", street, z)
    return None if a is None or b is None else Estimate(a.mean - b.mean, (a.se**2 + b.se**2) ** 0.5, a.n)


def figure7_section(results: Results, size: Size) -> Section:
    rows, tables, charts, findings = [], [], [], []
    for name, scores in results.items():
        means = {}
        for street in STREET_NAMES:
            if each := [e for z in (1, 2, 3) if (e := ahead(scores, "fold", street, z)) is not None]:
                # The paper's figure is a mean over Z; the three are far from independent, so the largest error stands.
                means[street] = Estimate(sum(e.mean for e in each) / len(each), max(e.se for e in each), each[0].n)
        labels = {street: street for street in means}
        if len(means) == len(STREET_NAMES):
            error = sum(e.se**2 for e in means.values()) ** 0.5 / 4
            total = sum(e.n for e in means.values())
            means["mean"] = Estimate(sum(e.mean for e in means.values()) / 4, error, total)
            labels["mean"] = "mean of four streets"
        for key, gain in means.items():
            paper, why = printed.FIGURE7[key], "fold less markov, mean over Z = 1, 2, 3"
            agrees = holds(gain, paper, widest=12)
            rows.append(Row(f"{name}: {labels[key]}", paper, gain, "points", gain.n, agrees=agrees, why=why))
        tops = {
            (reader, street): [pooled(scores, reader, street, z) for z in (1, 2, 3)]
            for reader in config.READERS
            for street in STREET_NAMES
        }
        lines = [(*key, *some, some[0].n) for key, some in tops.items() if some[0] is not None]
        columns = ("reader", "street", "Z = 1", "Z = 2", "Z = 3", "cases")
        tables.append(Table(f"{name}: top-Z accuracy, %", columns, lines))
        if name.startswith(("heads-up limit", "three-player")):
            curves = []
            for reader in config.READERS:
                points = [(float(i), e) for i, s in enumerate(STREET_NAMES) if (e := tops[reader, s][0]) is not None]
                curves.append(Line.through(reader, points))
            title = f"Figure 7, {name}, Z = 1"
            charts.append(Chart(title, "street (0 pre-flop, 3 river)", "accuracy, %", curves))
        gains = [
            [e.mean for s in STREET_NAMES if (e := ahead(scores, reader, s, 1)) is not None]
            for reader in ("model", "fold")
        ]
        if all(gains):
            model, fold = (sum(some) / len(some) for some in gains)
            findings.append(
                f"{name}, Z = 1, mean over streets: model {model:+.1f} and fold {fold:+.1f} points against markov."
            )
    findings.append(
        "The paper's logs (Slumbot, ACPC 2012, heads-up limit) are not available; the sets here are other players in "
        "other games, and the Markov model is trained on other hands, so only signs and rough sizes compare."
    )
    return Section(
        "For every player who decides on a street, seen from the seat of the next player whose cards are known: "
        "is the class of their hand (11 classes, 4 of them before the flop) among the Z that the reader finds most "
        "probable? Hands of the test part, which no reader has learned from; readers learn live.",
        rows,
        tables,
        charts,
        findings,
    )


# table 3 ------------------------------------------------------------------------------------------------------------


def table3_section(results: Results, size: Size) -> Section:
    wins: dict[str, list[float]] = {}
    chips: dict[str, list[float]] = {}
    hands = 0
    groups = grouped(results)
    for name in config.FIELD:
        for match in (m for cell in groups.get(name, {}).values() for m in cell["matches"]):
            me, other = match["rows"]
            # Rank 1.5 is a draw, half a win.
            wins.setdefault(name, []).append(100 * (2 - me[1]))
            chips.setdefault(name, []).append(me[3] - other[3])
            hands += match["hands"]
    won = Estimate.of(w for some in wins.values() for w in some)
    gained = Estimate.of(c for some in chips.values() for c in some)
    each = {name: Estimate.of(some) for name, some in wins.items()}
    least, most = (pick(each, key=lambda n: each[n].mean) for pick in (min, max))
    low, high = each[least], each[most]
    paper, seeds = printed.TABLE3, f"{won.n} matches"
    low_agrees = low.interval()[1] >= paper["least"] if low.n >= config.FEW else None
    high_agrees = high.mean >= 95 if high.n >= config.FEW else None
    why = "another field: the paper's seven programs are private"
    agrees, more = (e.interval()[1] >= paper[key] for e, key in ((won, "wins"), (gained, "chips")))
    theirs = Estimate(paper["chips"], paper["chips_se"], 140)
    columns = ("opponent", "matches won, %", "difference of chips left", "matches")
    table = [(name, share, Estimate.of(chips[name]), share.n) for name, share in each.items()]
    return Section(
        "Heads-up matches of 600 hands at most, blinds 20/40, 2,000 chips and one rebuy, against every player of "
        "our field; chips are the difference of what both have left (rebuy not yet used counts).",
        (
            Row("matches won, mean over the field", paper["wins"], won, "%", hands, seeds, agrees, why),
            Row(f"least of the field ({least})", paper["least"], low, "%", agrees=low_agrees),
            Row(f"most of the field ({most})", paper["most"], high, "%", agrees=high_agrees),
            Row("mean difference of chips left", theirs, gained, "chips", hands, seeds, more),
        ),
        (Table("Heads-up against each of the field", columns, table),),
    )


# tournaments --------------------------------------------------------------------------------------------------------


def matches_of(results: Results, variant: str, players: int) -> list[Match]:
    """All matches of a variant at so many players, by number."""
    cells = grouped(results, "|").get(f"{variant}|{players}", {})
    return sorted((m for cell in cells.values() for m in cell["matches"]), key=lambda m: int(m["match"]))


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
    by_players = {n: m for n in range(2, 9) if (m := matches_of(results, config.MAIN, n))}
    eight = by_players.get(8, [])
    tables = [_figure9_table(by_players)]
    findings = []
    if eight:
        table = standings(eight)
        tables += [_figure11_table(table), _variants_table(results)]
        first = min(table, key=lambda name: table[name]["rank"].mean)
        rank = table[first]["rank"]
        findings.append(f"At eight seats {first} is first by mean rank ({rank.mean:.2f}), over {rank.n} matches.")
    findings.append(
        "The paper's seven programs are private; ours are drawn for each match from eleven of different looseness and "
        "aggression, so ranks compare in kind only."
    )
    return Section(
        "600 hands at most, blinds 20/40 that never rise, 2,000 chips and one rebuy of 2,000; rank by hands survived, "
        f"then by chips left. The agent is {config.HERO}; its opponents are drawn anew from {', '.join(config.FIELD)}. "
        "The same cards, chairs and opponents for every variant of the agent.",
        [*_figure9_rows(by_players), *_figure8_rows(eight), *_figure12_rows(results)],
        [*tables, _figure5_table(results)],
        [*_figure10_chart(eight), *_figure8_chart(eight)],
        findings,
    )


def _figure9_rows(by_players: Mapping[int, list[Match]]) -> list[Row]:
    rows = []
    best, worst = printed.FIGURE9["best"], printed.FIGURE9["worst"]
    for n, matches in by_players.items():
        rank, hands = _heroes(matches, 1), sum(m["hands"] for m in matches)
        paper: Value = worst if n == 8 else f"{best}-{worst}"
        agrees, why = None, "too few matches to say"
        if rank.n >= config.FEW:
            agrees, why = rank.interval()[0] <= worst, "ours is not worse, within its interval; another field"
        seeds = f"{len(matches)} matches"
        rows.append(Row(f"figure 9: mean rank, {n} players", paper, rank, "", hands, seeds, agrees, why))
    return rows


def _figure9_table(by_players: Mapping[int, list[Match]]) -> Table:
    rows = []
    for n, matches in by_players.items():
        first = Estimate.of(100.0 * (m["rows"][0][1] == 1) for m in matches)
        rows.append((n, _heroes(matches, 1), first, _heroes(matches, 2), _heroes(matches, 3), len(matches)))
    columns = ("players", "mean rank", "first, %", "hands survived", "chips left", "matches")
    return Table("Figure 9: by number of players", columns, rows)


def standings(matches: Sequence[Match]) -> dict[str, dict[str, Estimate]]:
    """Everybody's mean rank, hands, chips and volatility (with and without the root) over their matches."""
    values: dict[str, dict[str, list[float]]] = {}
    for match in matches:
        for name, rank, hands, chips, squared, _ in match["rows"]:
            one = values.setdefault(name, {k: [] for k in ("rank", "hands", "chips", "volatility", "squared")})
            for key, value in zip(one, (rank, hands, chips, math.sqrt(squared), squared), strict=True):
                one[key].append(value)
    return {name: {k: Estimate.of(v) for k, v in one.items()} for name, one in values.items()}


def _figure11_table(table: Mapping[str, Mapping[str, Estimate]]) -> Table:
    order = sorted(table, key=lambda name: table[name]["rank"].mean)
    columns = ("agent", "mean rank", "hands survived", "chips left", "volatility F", "F squared", "matches")
    rows: list[tuple[Value, ...]] = [(name, *table[name].values(), table[name]["rank"].n) for name in order]
    note = "F = sqrt(sum of squared changes of chips left from hand to hand); the root is reconstructed."
    return Table("Figure 11: eight players, everybody", columns, rows, note)


def _paired(results: Results, variant: str, column: int) -> Estimate:
    """``variant`` less the main one in a column of the agent's rows, over the matches that both have played."""
    a, b = ({m["match"]: m["rows"][0][column] for m in matches_of(results, v, 8)} for v in (variant, config.MAIN))
    return Estimate.of(a[k] - b[k] for k in a.keys() & b.keys())


def _figure12_rows(results: Results) -> list[Row]:
    main = matches_of(results, config.MAIN, 8)
    if not main or not matches_of(results, "no implied odds", 8):
        return []
    worse = _paired(results, "no implied odds", 1)
    base = _heroes(main[: worse.n], 1).mean
    gain = Estimate(100 * worse.mean / base, 100 * worse.se / base, worse.n)
    paper, seeds = printed.FIGURE12["gain"], f"{worse.n} matches with and without"
    why = "same cards, chairs and opponents; a gain of 0.8 % takes some tens of thousands of matches to see"
    agrees = holds(gain, paper, widest=6)
    return [Row("figure 12: better mean rank with implied odds", paper, gain, "%", 0, seeds, agrees, why)]


def _variants_table(results: Results) -> Table:
    rows: list[tuple[Value, ...]] = []
    for variant, spec in config.VARIANTS.items():
        if matches := matches_of(results, variant, 8):
            rank, chips = (None if variant == config.MAIN else _paired(results, variant, k) for k in (1, 3))
            rows.append((spec, _heroes(matches, 1), rank, _heroes(matches, 3), chips, len(matches)))
    columns = ("agent", "mean rank", "less that of model", "chips left", "less those of model", "matches")
    return Table("Readers and implied odds at eight seats, paired", columns, rows)


def _figure8_rows(matches: Sequence[Match]) -> list[Row]:
    ranks = [m["rows"][0][1] for m in matches]
    paper = printed.FIGURE8
    repeats = min(int(paper["repeats"]), len(ranks) // 2)
    if repeats < 5:
        return []
    ours, se = agreement(ranks, repeats)
    agrees = ours >= paper["agreement"] - 1 if repeats == paper["repeats"] else None
    label, seeds = f"figure 8: agreement of the mean rank after {repeats} matches", f"{len(ranks)} matches"
    why = f"mean over random subsets, against all {len(ranks)}; SE {se:.1f} % of the mean rank (paper: {paper['se']})"
    return [Row(label, paper["agreement"], ours, "%", 0, seeds, agrees, why)]


def _figure8_chart(matches: Sequence[Match]) -> tuple[Chart, ...]:
    ranks = [m["rows"][0][1] for m in matches]
    steps = [n for n in (5, 10, 20, 30, 50, 70, 100, 150, 200, 250) if n <= len(ranks) // 2]
    if len(steps) < 2:
        return ()
    title = f"Figure 8: agreement of the mean rank with that of all {len(ranks)} matches"
    line = Line("agreement", steps, [agreement(ranks, n)[0] for n in steps])
    return (Chart(title, "repeats", "agreement, %", (line,)),)


def _figure10_chart(matches: Sequence[Match]) -> tuple[Chart, ...]:
    curves = [c for m in matches if m["match"] == 0 for c in m["curves"]]
    if not curves:
        return ()
    lines = [Line(name, range(len(chips)), chips, dashed=not name.startswith("fold")) for name, chips in curves]
    title = "Figure 10: chips left in the first match of eight players"
    return (Chart(title, "hand", "chips left", lines, note="The rebuy of 2,000 counts before it is used."),)


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


# readers ------------------------------------------------------------------------------------------------------------


def reader_section(results: Results, size: Size) -> Section:
    won: dict[str, dict[tuple[str, str], float]] = {name: {} for name in config.AGENTS}
    for key, mbb in results.items():
        name, opponent, block = key.split("|")
        won[name][opponent, block] = mbb

    def against(a: str, b: str, opponent: str | None = None) -> Estimate:
        both = [k for k in won[a].keys() & won[b].keys() if opponent in (None, k[0])]
        return Estimate.of(won[a][k] - won[b][k] for k in sorted(both))

    rows = []
    for a, b in (("model", "fold"), ("model", "uniform"), ("fold", "uniform")):
        gain = against(a, b)
        low, high = gain.interval()
        hands, seeds = 4 * config.BLOCK_HANDS * gain.n, f"{gain.n} pairs of blocks"
        why = "" if low > 0 or high < 0 else "not separated"
        rows.append(Row(f"reader {a} less reader {b}", None, gain, "mbb/hand", hands, seeds, None, why))
    table: list[tuple[Value, ...]] = []
    for opponent in config.OPPONENTS:
        means = [Estimate.of(v for k, v in won[name].items() if k[0] == opponent) for name in config.AGENTS]
        table.append((opponent, *means, against("model", "uniform", opponent)))
    columns = ("opponent", *config.AGENTS, "model less uniform")
    return Section(
        f"Heads-up, blinds 50/100, 10,000 chips reset every hand, blocks of {config.BLOCK_HANDS} deals in both "
        "seatings with fresh agents; every reader gets the same deals, so differences are paired by block. The agents "
        "differ only in their reader.",
        rows,
        (Table("mbb/hand of the agent by reader and opponent", columns, table),),
    )
