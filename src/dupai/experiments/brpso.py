"""BR-PSO: Hu, Chen, Yuan, Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas
Hold'em", Control and Decision 39(5), 2024; its runs, what it left open, and what was added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dupai.base import Estimate, Rng
from dupai.experiments._paper import Cell, Chart, Paper, Part, Row, Section, Size, Table, Value
from dupai.experiments.brpso_runs import (
    Bound,
    Known,
    Lane,
    Protocol,
    Table as TableRun,
    cma_needs,
    find_bound,
    play_known,
    play_lane,
    play_table,
    reader_needs,
)
from dupai.experiments.brpso_tables import (
    Records,
    curves_chart,
    gathered,
    good_text,
    learning,
    middle_policy,
    regret,
    summary,
    within,
    won,
)

STYLES = ("LA", "LP", "TA", "TP")
#: Found policies against TA that the paper prints, and what it says of them.
PRINTED = {
    "0.86/0.85/90.96/0.99/15.11": "m = 40",
    "0.41/0.14/97.57/0.99/19.61": "m = 20",
    "0.97/0.22/61.78/0.99/64.79": "variant 4",
}
#: Seeds of a cell.
_BLOCK = 5
#: Positive for good within so many hands: the goal, for so many of all seeds; and the share of the best to be won.
GOAL_HANDS, GOAL_SEEDS, GOAL_SHARE = 20_000, 0.9, 0.6
#: The runs that the goal is looked at for: with options (1) to (3), and without (3).
OURS = ("quick", "quick, no library")


def seeds_of(size: Size, seed: int, full: int = 20, quick: int = 4) -> tuple[int, ...]:
    """Seeds of the matches; those that settings were chosen with (5000 and on) are others."""
    return tuple(seed * 1_000_000 + k + 1 for k in range(full if size == "full" else quick))


def hands_of(size: Size, full: int = 400_000) -> int:
    return full if size == "full" else min(full, 100_000)


def lane_cells(label: str, run: Lane) -> list[Cell]:
    """The cells of a run: blocks of seeds."""
    cells = []
    for k in range(0, len(run.seeds), _BLOCK):
        block = Lane(run.player, run.opponent, run.seeds[k : k + _BLOCK], run.hands, run.protocol, run.blinds, run.then)
        cells.append(Cell(key=f"{label} #{k // _BLOCK}", work=play_lane, task=block))
    return cells


# the paper's runs, the baselines, the best fixed policy -----------------------------------------------------------

#: Name, spec, opponents, protocol.
RUNS: tuple[tuple[str, str, tuple[str, ...], Protocol], ...] = (
    ("PSO", "swarm:pso", STYLES, "agent"),
    ("BR-PSO", "swarm:br", STYLES, "agent"),
    ("BR-PSO, m = 40", "swarm:br,m=40", ("TA",), "agent"),
    ("variant 1", "swarm:1", ("TA",), "agent"),
    ("variant 2", "swarm:2", ("TA",), "agent"),
    ("variant 3", "swarm:3", ("TA",), "agent"),
    ("variant 4", "swarm:4", ("TA",), "agent"),
    ("quick", "swarm:quick", STYLES, "agent"),
    ("quick, no library", "swarm:quick,warm=0", STYLES, "agent"),
    ("rules", "rules", STYLES, "agent"),
    ("CMA-ES", "risk", STYLES, "cma"),
    ("random search", "risk", STYLES, "random"),
)
#: What the paper prints of the winnings after 400,000 hands, and the hand from which it wins.
SAID: dict[tuple[str, str], tuple[str, float | None, str]] = {
    ("PSO", "LA"): ("order of 1e8", 1e8, "at once"),
    ("PSO", "LP"): ("order of 1e8", 1e8, "at once"),
    ("PSO", "TP"): ("order of 1e7", 1e7, "after about 80,000"),
    ("PSO", "TA"): ("loses", None, "not within 400,000"),
    ("BR-PSO", "TA"): ("wins", None, ""),
    ("BR-PSO, m = 40", "TA"): ("wins", None, ""),
    ("variant 1", "TA"): ("wins", None, "after 80,000"),
    ("variant 2", "TA"): ("order of 1e7", 1e7, "after about 40,000"),
    ("variant 3", "TA"): ("wins only at the end", None, "after 400,000"),
    ("variant 4", "TA"): ("wins", None, "after 160,000"),
}


def run_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = seeds_of(size, seed), hands_of(size)
    cells: list[Cell] = []
    for name, spec, styles, protocol in RUNS:
        for style in styles:
            # Twenty where the paper has a figure or there is a goal.
            some = seeds if (name, style) in SAID or name in OURS else seeds[:_BLOCK]
            run = Lane(spec, f"style:{style}", some, hands, protocol)
            cells += lane_cells(f"{name} {style}", run)
    hands, scale = (400_000, 0.4) if size == "full" else (100_000, 0.2)
    for place, style in enumerate(STYLES):
        found = Bound(f"style:{style}", seed + 77, hands, scale)
        cells.append(Cell(key=f"best {style}", work=find_bound, task=found))
        known = Known(place, f"style:{style}", seed + 77, hands)
        cells.append(Cell(key=f"library {style}", work=play_known, task=known))
    return cells


def _agrees(name: str, style: str, records: Records) -> bool | None:
    """Whether the sign and, where one is printed, the order of magnitude (within a factor of 5) are the paper's."""
    total = won(records).mean
    words, size, _ = SAID[name, style]
    if words == "loses":
        return total < 0
    if size is not None:
        return size / 5 < total < size * 5
    return total > 0


def run_section(results: Mapping[str, Any], size: Size) -> Section:
    hands = hands_of(size)
    # The better of two searches over the same deals, which neither has seen.
    fixed = {
        style: max(found, key=lambda r: r["mean"])
        for style in STYLES
        if (found := [results[key] for key in (f"best {style}", f"library {style}") if key in results])
    }
    best = {style: found["mean"] for style, found in fixed.items()}
    runs = [(name, style, gathered(results, f"{name} {style}")) for name, _, styles, _ in RUNS for style in styles]
    runs = [run for run in runs if run[2]]
    rows = []
    for name, style, records in runs:
        if (name, style) in SAID:
            words, _, when = SAID[name, style]
            rows.append(
                Row(
                    label=f"{name} against {style}",
                    paper=words,
                    ours=won(records),
                    unit="chips",
                    hands=hands,
                    seeds=str(len(records)),
                    agrees=_agrees(name, style, records),
                    why=f"positive for good: paper {when or 'not said'}; ours {good_text(records, hands)}",
                )
            )
    by = {(name, style): records for name, style, records in runs}
    charts = [
        Chart(
            title=f"Winnings against {style}",
            x="thousand hands",
            y="10^6 chips",
            lines=tuple(
                learning(name, records, hands, name in ("CMA-ES", "random search"))
                for (name, s), records in by.items()
                if s == style and name != "rules"
            ),
        )
        for style in STYLES
    ]
    for style in STYLES:
        lines = tuple(
            regret(name, records, hands, best[style])
            for (name, s), records in by.items()
            if s == style and style in best and name in (*OURS, "PSO", "BR-PSO", "variant 2", "CMA-ES", "random search")
        )
        if lines:
            charts.append(Chart(title=f"Regret against {style}", x="thousand hands", y="chips/hand", lines=lines))
    charts += [curves_chart(f"Best fixed policy against {style}", found["x"]) for style, found in fixed.items()]
    for name in ("BR-PSO", "variant 2"):
        if records := by.get((name, "TA"), []):
            top = max(records, key=lambda r: r["won"])
            charts.append(curves_chart(f"Found by {name} against TA, its best seed", top["x"]))
    searches = Table(
        title="Best fixed policy, found offline",
        columns=("against", "search of", "chips/hand", "x1, x2, x3, x4, x5"),
        rows=tuple(
            (style, name, Estimate(r["mean"], r["se"], hands), ", ".join(f"{v:.2f}" for v in r["x"]))
            for style in STYLES
            for name, key in (("this run", "best"), ("the library", "library"))
            if (r := results.get(f"{key} {style}"))
        ),
        note="Cross-entropy searches; the figures are over equal deals that neither has seen. The better one counts.",
    )
    return Section(
        text=f"Heads-up no-limit, 50/100, 20,000 chips every hand, {hands:,} hands a match; bands over seeds. CMA-ES "
        "and random search play their policies in time, 1,000 hands each, as the particles do.",
        rows=tuple(rows),
        tables=(summary("All runs", runs, hands, best), searches),
        charts=tuple(charts),
        findings=tuple(_goal(by, best, hands)),
    )


def _goal(by: Mapping[tuple[str, str], Records], best: Mapping[str, float], hands: int) -> list[str]:
    """What is reached of the goal, style by style."""
    out = []
    for name in OURS:
        for style in STYLES:
            records = by.get((name, style), [])
            if not records or style not in best:
                continue
            early, share = within(records, GOAL_HANDS), won(records).mean / hands / best[style]
            ok = early >= GOAL_SEEDS * len(records) and share >= GOAL_SHARE
            out.append(
                f"{name} against {style}: positive for good within {GOAL_HANDS:,} hands in {early} of {len(records)} "
                f"seeds, {100 * share:.0f} % of the best fixed policy: the goal is {'reached' if ok else 'missed'}."
            )
    return out


# the printed policies ---------------------------------------------------------------------------------------------


def printed_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = seeds_of(size, seed, 10), hands_of(size)
    return [c for x in PRINTED for c in lane_cells(x, Lane(f"risk:{x}", "style:TA", seeds, hands))]


def printed_section(results: Mapping[str, Any], size: Size) -> Section:
    hands = hands_of(size)
    rows = []
    for n, (x, where) in enumerate(PRINTED.items()):
        records = gathered(results, x)
        if records:
            total = won(records)
            near = abs(total.mean * 400_000 / hands / 93_453_887 - 1.0) < 0.25
            rows.append(
                Row(
                    label=f"({x.replace('/', ', ')}), {where}",
                    paper=93_453_887 if n == 0 else None,
                    ours=total,
                    unit="chips",
                    hands=hands,
                    seeds=str(len(records)),
                    agrees=near if n == 0 else None,
                    why="the paper does not say over how many hands: 400,000 are taken" if n == 0 else "",
                )
            )
    charts = tuple(
        curves_chart(f"Printed policy ({x.replace('/', ', ')}), {where}", [float(v) for v in x.split("/")])
        for x, where in PRINTED.items()
    )
    return Section(
        text="The policies that the paper prints, played as fixed against TA.", rows=tuple(rows), charts=charts
    )


# options (1) to (3) -----------------------------------------------------------------------------------------------

_COLD = "swarm:quick,clean=off,race=0,warm=0"
OPTIONS = (
    ("BR-PSO, n_f = 1000", "swarm:br"),
    ("variant 2, n_f = 2000", "swarm:2"),
    ("small n_f alone", _COLD),
    ("(1) all-ins at their equity", "swarm:quick,clean=allin,race=0,warm=0"),
    ("(1) and what the cards explain", "swarm:quick,clean=cards,race=0,warm=0"),
    ("(2) racing", "swarm:quick,clean=off,race=2,warm=0"),
    ("(1) + (2)", "swarm:quick,clean=cards,race=2,warm=0"),
    ("(3) warm start", "swarm:quick,clean=off,race=0"),
    ("(1) + (2) + (3): quick", "swarm:quick"),
    ("library policy, not moved", "swarm:quick,m=4,spread=0,w=0,c1=0,c2=0"),
)


def option_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = seeds_of(size, seed, 10), hands_of(size, 50_000)
    return [
        cell
        for name, spec in OPTIONS
        for style in STYLES
        for cell in lane_cells(f"{name} {style}", Lane(spec, f"style:{style}", seeds, hands))
    ]


def option_section(results: Mapping[str, Any], size: Size) -> Section:
    hands = hands_of(size, 50_000)
    lines: list[tuple[Value, ...]] = []
    for name, _ in OPTIONS:
        line: list[Value] = [name]
        for style in STYLES:
            records = gathered(results, f"{name} {style}")
            if records:
                per = Estimate.of(r["won"] / hands for r in records)
                line += [per, f"{within(records, GOAL_HANDS)}/{len(records)}"]
            else:
                line += ["", ""]
        lines.append(tuple(line))
    columns = ("swarm", *(c for s in STYLES for c in (f"{s}, chips/hand", "positive by 20,000")))
    return Section(
        text=f"Each option with its own effect over {hands:,} hands: mean over the match, and seeds that are positive "
        f"for good from hand {GOAL_HANDS:,}.",
        tables=(Table(title="Options (1) to (3)", columns=columns, rows=tuple(lines)),),
    )


# opponents that the library does not know -------------------------------------------------------------------------

STRANGER_RUNS = (
    ("BR-PSO", "swarm:br"),
    ("(1) + (2), no library", "swarm:quick,warm=0"),
    ("quick", "swarm:quick"),
    ("library policy, not moved", "swarm:quick,m=4,spread=0,w=0,c1=0,c2=0"),
    ("rules", "rules"),
)


def strangers(seed: int, count: int) -> list[tuple[float, float]]:
    """Thresholds of styles drawn at random: alpha in [0.2, 0.65], beta up to 0.95."""
    rng = Rng(seed, 41)
    out = []
    for _ in range(count):
        alpha = round(0.2 + 0.45 * rng.uniform(), 2)
        out.append((alpha, round(alpha + (0.95 - alpha) * rng.uniform(), 2)))
    return out


def stranger_cells(size: Size, seed: int) -> Sequence[Cell]:
    hands = hands_of(size, 50_000)
    cells: list[Cell] = []
    for name, spec in STRANGER_RUNS:
        for k, (alpha, beta) in enumerate(strangers(seed, 20 if size == "full" else 4)):
            style = f"style:TA,alpha={alpha},beta={beta}"
            run = Lane(spec, style, (seed * 1_000_000 + 500 + k,), hands)
            cells.append(Cell(key=f"{name} #{k}", work=play_lane, task=run))
    return cells


def stranger_section(results: Mapping[str, Any], size: Size) -> Section:
    hands = hands_of(size, 50_000)
    lines: list[tuple[Value, ...]] = []
    base = {k.split(" #")[1]: v[0]["won"] for k, v in results.items() if k.startswith("quick #")}
    for name, _ in STRANGER_RUNS:
        mine = {k.split(" #")[1]: v[0] for k, v in results.items() if k.split(" #")[0] == name}
        if mine:
            records = list(mine.values())
            less = [(v["won"] - base[k]) / hands for k, v in mine.items() if k in base]
            lines.append(
                (
                    name,
                    Estimate.of(r["won"] / hands for r in records),
                    Estimate.of(less) if name != "quick" and less else "",
                    f"{within(records, GOAL_HANDS)}/{len(records)}",
                    f"{sum(r['won'] > 0 for r in records)}/{len(records)}",
                )
            )
    columns = ("player", "chips/hand", "less quick, same opponent", "positive by 20,000", "positive at the end")
    return Section(
        text="Styles with thresholds drawn at random, one match against each: none of them is in the library.",
        tables=(Table(title=f"Strangers, {hands:,} hands", columns=columns, rows=tuple(lines)),),
    )


# (5) an opponent that changes -------------------------------------------------------------------------------------

CHANGES = (("LA", "TA"), ("TA", "LP"), ("LP", "TP"), ("TP", "LA"))
CHANGE_RUNS = (
    ("BR-PSO", "swarm:br"),
    ("quick", "swarm:quick"),
    ("quick, (5)", "swarm:quick,detect=500"),
)


def change_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = seeds_of(size, seed, 5), hands_of(size, 100_000)
    return [
        cell
        for name, spec in CHANGE_RUNS
        for a, b in CHANGES
        for cell in lane_cells(f"{name} {a}-{b}", Lane(spec, f"style:{a}", seeds, hands, then=f"style:{b}"))
    ]


def change_section(results: Mapping[str, Any], size: Size) -> Section:
    half = hands_of(size, 100_000) // 2
    lines: list[tuple[Value, ...]] = []
    for name, _ in CHANGE_RUNS:
        line: list[Value] = [name]
        for a, b in CHANGES:
            records = gathered(results, f"{name} {a}-{b}")
            line.append(Estimate.of((r["won"] - r["half"]) / half for r in records) if records else "")
        lines.append(tuple(line))
    columns = ("swarm", *(f"{a} then {b}" for a, b in CHANGES))
    title = f"Chips/hand in the {half:,} hands after the change"
    return Section(
        text="The opponent is another from the middle of the match on. With (5) rates of 500 hands are compared with "
        "all before, and the swarm starts anew.",
        tables=(Table(title=title, columns=columns, rows=tuple(lines)),),
    )


# (4) several opponents --------------------------------------------------------------------------------------------

TABLES = (("LA", "TA"), ("LA", "LP", "TA", "TP", "TA"))
TABLE_RUNS = (
    ("rules", "rules:deals=100"),
    ("BR-PSO, one swarm", "swarm:br,nf=100,deals=100"),
    ("(1)-(2), one swarm", "swarm:quick,warm=0,nf=100,deals=100"),
    ("quick, one swarm", "swarm:quick,nf=100,deals=100"),
    ("(1)-(2), one each", "swarm:quick,warm=0,nf=100,deals=100,table=each"),
)


def table_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds = seeds_of(size, seed, 4, 2)
    hands = 6_000 if size == "full" else 2_000
    return [
        Cell(
            key=f"{name} {'-'.join(others)} #{s}",
            work=play_table,
            task=TableRun(spec, tuple(f"style:{o},deals=100" for o in others), (s,), hands),
        )
        for name, spec in TABLE_RUNS
        for others in TABLES
        for s in seeds
    ]


def table_section(results: Mapping[str, Any], size: Size) -> Section:
    hands = 6_000 if size == "full" else 2_000
    lines: list[tuple[Value, ...]] = []
    for name, _ in TABLE_RUNS:
        for others in TABLES:
            records = gathered(results, f"{name} {'-'.join(others)}")
            if records:
                whole = Estimate.of(r["won"] / hands for r in records)
                late = Estimate.of((r["won"] - r["half"]) / (hands / 2) for r in records)
                each = " ".join(
                    f"{o} {sum(r['others'][k] for r in records) / len(records) / hands:+.0f}"
                    for k, o in enumerate(others)
                )
                lines.append((name, " ".join(others), whole, late, each))
    columns = ("player", "others", "chips/hand", "second half", "the others, chips/hand")
    return Section(
        text="Tables of 3 and 6 with mixed styles: one swarm for the table, or one for each opponent, which decides "
        "when that opponent bets; where nobody has bet, one is drawn by how much each has lost to us.",
        tables=(Table(title=f"Several opponents, {hands:,} hands", columns=columns, rows=tuple(lines)),),
    )


# what the paper leaves open ---------------------------------------------------------------------------------------

#: Setting, options of the swarm, options of the style, blinds.
SENSITIVITY: tuple[tuple[str, str, str, tuple[int, int]], ...] = (
    ("as ours: 50/100, random sizes, d to 100", "", "", (50, 100)),
    ("blinds 100/200", "", "", (100, 200)),
    ("blinds 25/50", "", "", (25, 50)),
    ("TA raises half the pot", "", "size=half", (50, 100)),
    ("TA raises the pot", "", "size=pot", (50, 100)),
    ("TA raises the minimum", "", "size=min", (50, 100)),
    ("TA raises all-in", "", "size=max", (50, 100)),
    ("d to 20", "dmax=20", "", (50, 100)),
    ("d to 1000", "dmax=1000", "", (50, 100)),
    ("shares 0.001 from 0 and 1", "edge=0.001", "", (50, 100)),
    ("shares 0.05 from 0 and 1", "edge=0.05", "", (50, 100)),
    ("nobody positive: drawn anew", "nobody=redraw", "", (50, 100)),
    ("weights over 5 updates", "updates=5", "", (50, 100)),
    ("weights over 100 updates", "updates=100", "", (50, 100)),
)


def sensitivity_cells(size: Size, seed: int) -> Sequence[Cell]:
    seeds, hands = seeds_of(size, seed, 5), hands_of(size, 200_000)
    cells: list[Cell] = []
    for name, mine, theirs, blinds in SENSITIVITY:
        player = ",".join(filter(None, ("swarm:br", mine)))
        opponent = ",".join(filter(None, ("style:TA", theirs)))
        cells += lane_cells(name, Lane(player, opponent, seeds, hands, blinds=blinds))
    return cells


def sensitivity_section(results: Mapping[str, Any], size: Size) -> Section:
    hands = hands_of(size, 200_000)
    lines: list[tuple[Value, ...]] = []
    for name, *_ in SENSITIVITY:
        records = gathered(results, name)
        if records:
            total = won(records)
            short = Estimate.of(r["half"] / 1e6 for r in records)
            lines.append(
                (
                    name,
                    Estimate(total.mean / 1e6, total.se / 1e6, total.n),
                    short,
                    good_text(records, hands),
                    middle_policy(records),
                )
            )
    columns = ("setting", "10^6 chips", "of it after half the match", "positive for good", "found, median")
    return Section(
        text=f"BR-PSO (m = 20, n_f = 1000) against TA, {hands:,} hands: what the paper does not say, changed "
        "one by one.",
        tables=(Table(title="Unstated constants", columns=columns, rows=tuple(lines)),),
    )


# the hand reader --------------------------------------------------------------------------------------------------


def reader_cells(size: Size, seed: int) -> Sequence[Cell]:
    hands = 500 if size == "full" else 100
    return [
        Cell(key=f"fold {s} #{k}", work=play_table, task=TableRun("fold", (f"style:{s}",), (k,), hands))
        for s in STYLES
        for k in seeds_of(size, seed, 4, 1)
    ]


def reader_section(results: Mapping[str, Any], size: Size) -> Section:
    hands = 500 if size == "full" else 100
    lines = [
        (s, Estimate.of(r["won"] / hands for r in records), f"{len(records)} x {hands:,}")
        for s in STYLES
        if (records := gathered(results, f"fold {s}"))
    ]
    table = Table(title="The hand reader", columns=("against", "chips/hand", "hands"), rows=tuple(lines))
    return Section(text="The agent fold, which reads hands, on the first hands of the same matches.", tables=(table,))


PAPER = Paper(
    "brpso",
    "BR-PSO: finding an opponent's weakness while playing",
    'Hu, Chen, Yuan, Li, Chen, "Online opponent exploitation method based on particle swarm optimization for Texas '
    "Hold'em\", Control and Decision 39(5), 2024",
    (
        Part("runs", "The paper's runs, baselines, the best fixed policy", run_cells, run_section, cma_needs),
        Part("printed", "The printed policies", printed_cells, printed_section),
        Part("options", "Less luck, racing, a library", option_cells, option_section),
        Part("strangers", "Opponents that the library does not know", stranger_cells, stranger_section),
        Part("change", "An opponent that changes", change_cells, change_section),
        Part("tables", "Several opponents", table_cells, table_section),
        Part("sensitivity", "What the paper leaves open", sensitivity_cells, sensitivity_section),
        Part("reader", "The hand reader", reader_cells, reader_section, reader_needs),
    ),
)
