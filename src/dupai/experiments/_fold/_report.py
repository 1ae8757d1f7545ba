"""Tables and charts of ``dupai reproduce fold``: the reader and its formulas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dupai.base import Estimate
from dupai.experiments._fold import _config as config, _printed as printed
from dupai.experiments._fold._printed import FIGURES
from dupai.experiments._paper import Chart, Line, Results, Row, Section, Size, Table, Value
from dupai.experiments._verdict import difference, over_groups
from dupai.reading.fold import PAPER_CONSTANTS, WinRateInterval
from dupai.rules import STREET_NAMES

# figures 2 and 3, equation 27 ----------------------------------------------------------------------------------------


def relative(rate: float, interval: WinRateInterval, theta: float) -> float:
    """Equation 6: the relative probability of an action for a hand of this win rate."""
    low, high, baseline = interval
    away = abs(rate - baseline)
    if low <= rate <= high or not away:
        return theta
    return min((baseline if rate < baseline else 1 - baseline) / away, theta)


def by_river(outs: int, unseen: int) -> float:
    """Equation 27: the chance to hit one of ``outs`` with two cards to come."""
    return 1 - (unseen - outs) * (unseen - outs - 1) / (unseen * (unseen - 1))


def example_section(results: Results, size: Size) -> Section:
    rates = PAPER_CONSTANTS.rates
    rows = [
        Row.judged(
            "relative probability of a call at a win rate of 0.55", FIGURES["call at 0.55"],
            relative(0.55, rates.call, 50.0), why="theta = 50, equation 6",
        ),
        Row.judged(
            "eight outs with two cards to come, 50 unseen cards", FIGURES["eight outs"], 100 * by_river(8, 50),
            why="arithmetic; the agent counts the 47 cards that its seat has not seen",
        ),
        Row("eight outs on the flop as the agent counts them", None, 100 * by_river(8, 47), "%"),
    ]  # fmt: skip
    for case, found in results.items():
        row = next(row for row in found if row["theta"] == 50.0)
        label, missing = f"bets of {case}, theta = 50", "the sizes of its bets, and numbers that it does not assume"
        rows.append(
            Row.judged(f"{label}: most probable hand after the action of one street", FIGURES["surest on a street"],
                       max(row["most"]), missing=missing)
        )  # fmt: skip
        for name in config.EXAMPLE:
            why = f"the paper's own product is {printed.FIGURE3['whole'][name]} %"
            value = 100 * row["whole"][name]
            rows.append(
                Row.judged(f"{label}: {name} after four streets", FIGURES[name], value, missing=missing, why=why)
            )
    steps = [i / 200 for i in range(201)]
    actions = ("fold", "check", "call", "half", "pot")
    figure2 = Chart(
        "Figure 2: the default model, relative probability of an action by win rate (equation 6, theta = 50)",
        "win rate against one uniform hand", "relative probability",
        [Line(a, steps, [relative(w, getattr(rates, a), 50.0) for w in steps]) for a in actions],
        note="Printed: the call's interval 0.57-0.68 with baseline 0.61; 0.513 and 0.75. The others are chosen.",
    )  # fmt: skip
    return Section(
        "The default model drawn (figure 2); what every street's action says of two hands of the paper's example "
        "(figure 3), by theta and by the size of the bets on turn and river, which the paper does not name, beside the "
        "numbers that it assumes.",
        rows, (_example_table(results),), (figure2, *_figure3_charts(results)), _example_findings(results),
    )  # fmt: skip


def _apart(row: Mapping[str, Any]) -> float:
    """How many times as probable the second hand of the example is as the first, after four streets."""
    first, second = (row["whole"][name] for name in config.EXAMPLE)
    return float(second / first)


def _example_findings(results: Results) -> list[str]:
    findings = []
    for case, found in results.items():
        each = "; ".join(f"{r['theta']:g}: {100 * r['whole']['KsJc']:.3f} % and {_apart(r):.1f}" for r in found)
        findings.append(
            f"Bets of {case}: the straight KsJc (chance: 0.101 %) ends, by theta, at this probability, so many times "
            f"that of AdTc (printed: 6): {each}."
        )
    findings.append(
        "The paper assumes its numbers and does not name the sizes of the bets. With the interval of figure 2 a bet of "
        "half the pot makes the best hands unlikely, which contradicts the paper's own sentence on value bets; with "
        "value_bets=on the interval reaches up to them."
    )
    return findings


def _example_table(results: Results) -> Table:
    least, most = printed.FIGURE3["span"]
    share = [printed.FIGURE3["whole"][name] for name in config.EXAMPLE]
    head: tuple[Value, ...] = ("the paper (assumed)", None, least, most, *share, share[1] / share[0], None, None)
    rows = [head]
    for case, found in results.items():
        for row in found:
            share = [100 * row["whole"][name] for name in config.EXAMPLE]
            sure = (share[1] / share[0], 100 * row["surest"], row["bits"])
            rows.append((case, row["theta"], min(row["least"]), max(row["most"]), *share, *sure))
    columns = ("bets", "theta", "least on a street", "most on a street", "AdTc, %", "KsJc, %", "KsJc to AdTc",
               "surest hand, %", "bits away from uniform")  # fmt: skip
    note = "Probabilities of 990 hands on the river of the paper's example, 0.1 % each if nothing were known."
    return Table("Figure 3: how sure the reader is, by size of the bets and theta", columns, rows, note)


def _figure3_charts(results: Results) -> list[Chart]:
    streets, charts = (0.0, 1.0, 2.0, 3.0), []
    for name in config.EXAMPLE:
        lines = [Line("the paper (assumed)", streets, printed.FIGURE3["streets"][name], printed=True)]
        lines += [
            Line(case, streets, next(row["streets"][name] for row in found if row["theta"] == 50.0))
            for case, found in results.items()
        ]
        title = f"Figure 3: what each street's action says of {name} (equation 14, theta = 50)"
        charts.append(Chart(title, "street (0 pre-flop, 3 river)", "probability", lines, log_y=True))
    return charts


# theta ---------------------------------------------------------------------------------------------------------------


def theta_section(results: Results, size: Size) -> Section:
    tables, findings = [], []
    for name, scores in results.items():
        lines: list[tuple[Value, ...]] = []
        means: dict[float, tuple[float, float]] = {}
        for theta in config.THETAS:
            by_street = []
            for street in STREET_NAMES:
                mine = [r for r in scores if (r["theta"], r["street"]) == (theta, street) and r["group"] != "all sets"]
                cases = sum(r["cases"] for r in mine)
                if not cases:
                    continue
                bits, in50, in95, top = (
                    sum(r["cases"] * (r[key] or 0.0) for r in mine) / cases
                    for key in ("bits", "cover50", "cover95", "top1")
                )
                error = sum((r["cases"] * (r["se"] or 0.0)) ** 2 for r in mine) ** 0.5 / cases
                by_street.append((bits, top))
                chance = Estimate(100 * top, 100 * (max(top * (1 - top), 1e-9) / cases) ** 0.5, cases)
                row = (theta, street, Estimate(bits, error, cases), 100 * in50, 100 * in95, chance, cases)
                lines.append(row)
            if by_street:
                bits, top = (sum(column) / len(column) for column in zip(*by_street, strict=True))
                means[theta] = bits, 100 * top
        columns = ("theta", "street", "bits gained", "true hand in its 50 % set, %", "in its 95 % set, %",
                   "class right (Z = 1), %", "cases")  # fmt: skip
        tables.append(Table(f"{name}: fold by theta", columns, lines))
        if means:
            each = ", ".join(f"{theta:g}: {bits:+.2f} bits and {top:.0f} %" for theta, (bits, top) in means.items())
            findings.append(f"{name}, mean over streets, bits gained and classes right by theta: {each}.")
    findings.append("Theta = 50 is an example in the paper's text; the program's own value is not printed.")
    return Section(
        "The reader fold with other values of theta (equation 6), adapting live, on hands of the test part from a "
        "seat's view: bits gained against knowing nothing, calibration (a true hand should be in the 50 % set half of "
        "the time) and the class of the hand.",
        (), tables, (), findings,
    )  # fmt: skip


# figure 4 -----------------------------------------------------------------------------------------------------------


def figure4_section(results: Results, size: Size) -> Section:
    by_deals = {n: results[f"{n} deals"] for n in config.DEALS if f"{n} deals" in results}
    repeats, rows = config.REPEATS[size], []
    if 500 in by_deals and 1000 in by_deals:
        tries = f"{repeats} tries"
        few, many = (
            Estimate(100 * r["mean"], 100 * r["spread"] / repeats**0.5, repeats)
            for r in (by_deals[500], by_deals[1000])
        )
        half, ms = 196 * by_deals[500]["spread"], by_deals[500]["ms"]
        # The error of a standard deviation of normal values.
        spread = Estimate(half, half / (2 * (repeats - 1)) ** 0.5, repeats)
        why = "95 % of single tries; the paper does not say what its ± is. A share of the pot near 0.6 from 500 deals "
        why += "cannot scatter less than about 4."
        rows.append(
            Row.judged("half width of a win rate, N = 500", FIGURES["half width"], spread, seeds=tries, why=why)
        )
        why = "N does not shift the mean, as it must not; the paper's is the noise of one try, whose error counts here."
        gap, error = difference(many, few), printed.FIGURES["half width"].value or 0.0
        label = "mean at N = 1000 less mean at N = 500"
        rows.append(Row.judged(label, FIGURES["N does not matter"], gap, seeds=tries, error=error / 1.96, why=why))
        why = f"{by_deals[500]['opponents']} opponents at once; median; another machine."
        rows.append(Row.judged("time of a win rate, N = 500", FIGURES["ms"], ms, why=why))
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


def ahead(pairs: Scores, reader: str, street: str) -> Estimate | None:
    """Points that a reader is ahead of ``markov``, mean over Z = 1, 2, 3, from paired cases (SE clustered by hand)."""
    mine = [
        (r["cases"], r["tops"] * (1 if r["reader"] == reader else -1), r["se_tops"])
        for r in pairs
        if {r["reader"], r["than"]} == {reader, "markov"} and r["street"] == street and r["group"] != "all sets"
    ]
    n = sum(cases for cases, _, _ in mine)
    if not n:
        return None
    error = sum((cases * se) ** 2 for cases, _, se in mine) ** 0.5 / n
    return Estimate(100 * sum(cases * tops for cases, tops, _ in mine) / n, 100 * error, n)


def _leads(pairs: Scores, reader: str) -> dict[str, Estimate]:
    """What a reader is ahead of ``markov`` on every street, and on the mean of all four."""
    means = {street: e for street in STREET_NAMES if (e := ahead(pairs, reader, street)) is not None}
    if len(means) == len(STREET_NAMES):
        every = list(means.values())
        # The streets of a hand depend on each other: the error is the largest that this allows.
        error = sum(e.se for e in every) / len(every)
        means["mean"] = Estimate(sum(e.mean for e in every) / len(every), error, sum(e.n for e in every))
    return means


def figure7_section(results: Results, size: Size) -> Section:
    rows, tables, charts, findings = [], [], [], []
    leads: list[tuple[Value, ...]] = []
    for name, cell in results.items():
        scores, pairs = cell["rows"], cell["pairs"]
        readers = [r for r in (*config.READERS, config.LIMIT_READER) if any(row["reader"] == r for row in scores)]
        for reader in readers:
            means = _leads(pairs, reader)
            if reader != "markov" and means:
                leads.append((name, reader, *(means.get(key) for key in printed.FIGURE7), means["pre-flop"].n))
            for key, gain in means.items() if reader.startswith("fold") else ():
                paper, why = printed.FIGURE7[key], f"{reader} less markov, mean over Z = 1, 2, 3, paired"
                if name in config.LIMIT_SETS:
                    why += ", sizes by equation 4, as in the paper" if reader != "fold" else ", an interval of its own"
                label = f"{name}, {reader}: {'mean of four streets' if key == 'mean' else key}"
                rows.append(Row.judged(label, paper, gain, ordering=gain, seeds=f"{gain.n:,} cases", why=why))
        tops = {
            (reader, street): [pooled(scores, reader, street, z) for z in (1, 2, 3)]
            for reader in readers
            for street in STREET_NAMES
        }
        lines = [(*key, *some, some[0].n) for key, some in tops.items() if some[0] is not None]
        columns = ("reader", "street", "Z = 1", "Z = 2", "Z = 3", "cases")
        tables.append(Table(f"{name}: top-Z accuracy, %", columns, lines))
        if name.startswith(("heads-up limit", "three-player")):
            curves = []
            for reader in readers:
                points = [(float(i), e) for i, s in enumerate(STREET_NAMES) if (e := tops[reader, s][0]) is not None]
                curves.append(Line.through(reader, points))
            title = f"Figure 7, {name}, Z = 1"
            charts.append(Chart(title, "street (0 pre-flop, 3 river)", "accuracy, %", curves))
        first = {r: [e.mean for s in STREET_NAMES if (e := tops[r, s][0]) is not None] for r in readers}
        if all(first.values()):
            model, fold, markov = (sum(first[r]) / len(first[r]) for r in ("model", "fold", "markov"))
            findings.append(
                f"{name}, Z = 1, mean over streets: model {model - markov:+.1f} and fold {fold - markov:+.1f} points "
                "against markov."
            )
    heads = ("hands", "reader", *printed.FIGURE7, "cases before the flop")
    note = "Mean over Z = 1, 2, 3; the same cases for both readers."
    tables.insert(0, Table("Points ahead of markov", heads, leads, note))
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


# readers ------------------------------------------------------------------------------------------------------------


def reader_section(results: Results, size: Size) -> Section:
    won: dict[str, dict[tuple[str, str], float]] = {name: {} for name in config.AGENTS}
    for key, mbb in results.items():
        name, opponent, block = key.split("|")
        won[name][opponent, block] = mbb

    def against(a: str, b: str, opponent: str | None = None) -> Estimate:
        # The deals of a block are the same against every opponent.
        both = [k for k in won[a].keys() & won[b].keys() if opponent in (None, k[0])]
        return over_groups((k[1], won[a][k] - won[b][k]) for k in sorted(both))

    rows = []
    for a, b in (("model", "fold"), ("model", "uniform"), ("fold", "uniform")):
        gain = against(a, b)
        low, high = gain.interval()
        pairs = len(won[a].keys() & won[b].keys())
        hands, seeds = 4 * config.BLOCK_HANDS * pairs, f"{pairs} pairs of blocks on {gain.n} sets of cards"
        why = "" if low > 0 or high < 0 else "not separated"
        rows.append(Row(f"reader {a} less reader {b}", None, gain, "mbb/hand", hands, seeds, why))
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
