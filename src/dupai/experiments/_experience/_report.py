"""Tables of ``dupai reproduce experience``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dupai.base import Estimate
from dupai.experiments._experience import _config as config
from dupai.experiments._experience._printed import ACCURACY, COLLISIONS, SAME, SECONDS, TABLE4
from dupai.experiments._experience._zobrist import ZOBRIST_HANDS
from dupai.experiments._paper import Chart, Line, Results, Row, Section, Size, Table, Value, grouped, verdict

#: The players of table 4 who take the best action of their search.
PAPER_VERSION = "doubt=0"

# the hash table -----------------------------------------------------------------------------------------------------


def birthday(megabytes: int) -> float:
    """Expected collisions if every stored hand had a slot drawn at random."""
    slots = megabytes * (1 << 20) / 16
    return ZOBRIST_HANDS + slots * math.expm1(ZOBRIST_HANDS * math.log1p(-1 / slots))


def hash_section(results: Results, size: Size) -> Section:
    blocks = [np.array(v) for k, v in results.items() if k.startswith("seeds")]
    rows: list[Row] = []
    tables, findings = [], []
    if blocks:
        counts, lines = np.concatenate(blocks), []
        for column, megabytes in enumerate(config.MEGABYTES):
            row, line = _collisions(megabytes, counts[:, column])
            rows.append(row)
            lines.append(line)
        columns = ("base table", "paper", "mean of our seeds", "birthday estimate", "off by", "within the limit",
                   "least-most", "paper's percentile")  # fmt: skip
        note = "Limits: 5 % up to 128 MB, three standard errors above."
        tables.append(Table("Collisions by size", columns, lines, note))
    timed = {size: v for size in config.OVERFLOWS if (v := results.get(f"tables {size}")) is not None}
    if len(timed) == len(config.OVERFLOWS):
        rows += _table_rows(timed)
        tables.append(_times_table(timed))
    if (figures := results.get("look-ups")) is not None:
        tables += _look_up_tables(figures)
        seconds = figures["trees"]["flop, own nodes by the rules"][0]
        why = "our program: all hands of the opponent in one sweep, sampled boards"
        rows.append(Row("flop search AsKh on 9d8s7d, staged tree of exp", None, seconds, "s", why=why))
        same = figures["hash won"] == figures["own won"]
        findings.append(
            f"Both evaluators give {'the same' if same else 'DIFFERENT'} winners: {figures['own won']:,.0f} of "
            f"{figures['showdowns']:,.0f} showdowns are won."
        )
    return Section(
        "Every five-card hand better than high card goes into the table, seed after seed; rates and times are of "
        "a table of 128 MB with an overflow table of 128 MB, seconds those of one core (processor time).",
        rows,
        tables,
        findings=findings,
    )


def _collisions(megabytes: int, counts: Any) -> tuple[Row, tuple[Value, ...]]:
    """The paper's figure beside ours, and ours beside the estimate."""
    ours, expected, printed = Estimate.of(counts), birthday(megabytes), COLLISIONS.get(megabytes)
    off = ours.mean / expected - 1
    close = abs(off) <= 0.05 if megabytes <= config.CLOSE else abs(ours.mean - expected) <= 3 * ours.se
    label, seeds, place = f"collisions, {megabytes} MB", f"{len(counts)} seeds", None
    row, text = Row(label, None, ours, seeds=seeds), None
    if printed is not None:
        value, text = printed.value, printed.text
        place = f"{100 * float(np.mean(counts < value) + np.mean(counts == value) / 2):.1f}"
        why = f"the paper's figure, one seed's, is at percentile {place} of our seeds"
        row = Row.judged(label, printed, ours, seeds=seeds, why=why, error=float(counts.std(ddof=1)))
    distance = f"{100 * off:+.2f} %, {(ours.mean - expected) / ours.se:+.1f} se"
    extremes = f"{counts.min():,}-{counts.max():,}"
    return row, (f"{megabytes} MB", text, ours, expected, distance, "yes" if close else "no", extremes, place)


def _table_rows(timed: Mapping[int, Mapping[str, Any]]) -> list[Row]:
    """Whether a larger overflow table changes collisions, and the time of a search that asks it at every leaf."""
    small, large = (timed[size] for size in config.OVERFLOWS)
    same = all(small[size][0] == large[size][0] for size in small)
    rows = [Row.judged("collisions with 256 MB for the overflow table", SAME, SAME.text if same else "others")]
    for overflow, times in timed.items():
        label = f"flop search that asks a table of 128 + {overflow} MB for each line of betting, extrapolated"
        missing, stand_in = "the paper's machine and its lines of betting", f"ours and {config.LINES} lines"
        _, ours, least, most = (seconds * config.LINES for seconds in times["128"])
        seeds = f"one line, {config.ROUNDS} times ({least:.0f}-{most:.0f} s), times {config.LINES}"
        rows.append(Row.judged(label, SECONDS[overflow, 128], ours, seeds=seeds, missing=missing, stand_in=stand_in))
    return rows


def _times_table(timed: Mapping[int, Mapping[str, Any]]) -> Table:
    """Tables 1 and 2: collisions and search time by the sizes of both tables."""
    rows: list[tuple[Value, ...]] = []
    for size in timed[config.OVERFLOWS[0]]:
        line: list[Value] = [f"{size} MB"]
        for overflow, times in timed.items():
            collisions, seconds, *_ = times[size]
            printed = SECONDS.get((overflow, int(size)))
            line += [f"{collisions:,.0f}", printed.text if printed else None, seconds * config.LINES, seconds]
        rows.append(tuple(line))
    heads = ("collisions, one seed", "paper, s", f"one line times {config.LINES}, s", "one line, s")
    columns = ("base table", *(f"{head}, overflow {o} MB" for o in config.OVERFLOWS for head in heads))
    note = "All 1,070,190 showdowns of AsKh on 9d8s7d hand by hand, both hands looked up at each; processor time."
    return Table("Tables 1 and 2: search time by size", columns, rows, note)


def _look_up_tables(figures: Mapping[str, Any]) -> list[Table]:
    rates = {
        "five cards, hash table (one look-up)": "five",
        "seven cards, hash table (21 look-ups)": "seven",
        "seven cards, our evaluator": "fast",
    }
    n = figures["showdowns"]
    by_hand = "hand by hand, every showdown,"
    times = [
        (f"{by_hand} hash table", figures["hash seconds"], n, n, 1081.0),
        (f"{by_hand} our evaluator", figures["own seconds"], n, n, 1081.0),
        *((f"staged tree: {name}", *row) for name, row in figures["trees"].items()),
    ]
    return [
        Table("Rates", ("what", "million a second"), [(label, figures[key] / 1e6) for label, key in rates.items()]),
        Table(
            "AsKh on 9d8s7d (turn 2c, river 3h)",
            ("search", "seconds", "leaf evaluations", "hands judged at them", "boards"),
            times,
            "Hand by hand: 1,081 hands times 990 runouts, both hands judged at each, for one line of betting; a "
            "search that does so for each of n lines takes n times as long.",
        ),
    ]


# the network --------------------------------------------------------------------------------------------------------

#: By network, input, steps and batch.
Scores = Mapping[tuple[str, str, int, int], Mapping[str, Any]]


def _right(score: Mapping[str, Any]) -> Estimate:
    return Estimate(100 * score["accuracy"], 100 * score["accuracy_se"], score["decisions"])


def cnn_section(results: Results, size: Size) -> Section:
    """The paper's table, the leaks, the network that ships."""
    quick = size == "quick"
    scores: Scores = {
        (score["network"], score["information"], score["steps"], score["batch"]): score
        for key, some in results.items()
        if key != "shipped"
        for score in some
    }
    steps, batch = config.ABLATION_STEPS[size]
    leaks = {name: score for name in config.ABLATION if (score := scores.get((config.SMALL, name, steps, batch)))}
    tables, findings = [], []
    if leaks:
        columns = ("input", "% right", "log-loss", "calibration error", "preflop", "flop", "turn", "river")
        rows = [
            (name, _right(score), score["log_loss"], score["ece"], *(100 * s[0] for s in score["streets"].values()))
            for name, score in leaks.items()
        ]
        note = "cards: the opponent's hole cards; board: all cards that the hand came to; chips: those of the action."
        tables.append(Table(f"Where the leak is: {steps} steps of {batch}, {config.SMALL}", columns, rows, note))
    if "honest" in leaks:
        honest = leaks["honest"]["accuracy"]
        gains = {name: 100 * (score["accuracy"] - honest) for name, score in leaks.items() if name != "honest"}
        findings = [f"{name}: {gain:+.1f} points of accuracy against the honest input." for name, gain in gains.items()]
    if (shipped := results.get("shipped")) is not None:
        streets = [(name, f"{n:,}", 100 * right, loss) for name, (right, loss, n) in shipped["streets"].items()]
        every = [
            (name, f"{one['decisions']:,}", 100 * one["accuracy"], one["log_loss"])
            for name, one in (("all", shipped), ("all, in the paper's moves", shipped["moves"]))
        ]
        title = "The factored network that ships, honest, nine actions"
        head, note = ("street", "decisions", "% right", "log-loss"), f"Calibration error {shipped['ece']:.4f}."
        tables.append(Table(title, head, (*streets, *every), note))
    return Section(
        f"{config.PLAYER}'s decisions against LBR, {100 * config.SHARE[size]:g} % of the log's hands; matches of one "
        "card seed are in one part; scores of the test part. Literal input: the whole log of the hand except the "
        "action itself. Honest input: what the player knew. Four moves: fold, check or call, bet or raise, all-in."
        + (
            " A quick run leaves batches of 1,024 and the larger network's longer trainings to --full." if quick else ""
        ),
        _accuracies(scores),
        tables,
        _accuracy_charts(scores),
        [*_brackets(scores), *findings],
    )


def _accuracies(scores: Scores) -> list[Row]:
    rows = []
    for (steps, batch), printed in ACCURACY.items():
        share = (printed.value or 0.0) / 100
        # The paper tests on ten batches: its figure has the error of a frequency among so many.
        error = 100 * math.sqrt(share * (1 - share) / (10 * batch))
        for network in config.NETWORKS:
            for information in ("literal", "honest"):
                if score := scores.get((network, information, steps, batch)):
                    why = (
                        f"{100 * score['paper_accuracy']:.2f} % of {score['paper_samples']:,} as the paper tests; "
                        f"log-loss {score['log_loss']:.3f}, calibration error {score['ece']:.3f}"
                    )
                    label, ours = f"{steps} steps of {batch}, {information} input, {network}", _right(score)
                    if information == "literal":
                        rows.append(Row.judged(label, printed, ours, seeds="1 seed", why=why, error=error))
                    else:
                        rows.append(Row(label, None, ours, "%", seeds="1 seed", why=why))
    return rows


def _brackets(scores: Scores) -> list[str]:
    """Where the printed figure lies between those of our networks."""
    findings = []
    for (steps, batch), printed in ACCURACY.items():
        ours = [scores.get((network, "literal", steps, batch)) for network in config.NETWORKS]
        if len(right := sorted(100 * score["accuracy"] for score in ours if score)) > 1:
            low, high = right[0], right[-1]
            place = "between" if low <= (printed.value or 0.0) <= high else "not between"
            findings.append(
                f"{steps} steps of {batch}: the printed {printed.text} % lies {place} our networks' {low:.2f} and "
                f"{high:.2f} % (literal input): what the paper leaves open, size and rate, matters this much."
            )
    return findings


def _accuracy_charts(scores: Scores) -> list[Chart]:
    def line(label: str, points: list[tuple[int, float]], dashed: bool = False, printed: bool = False) -> Line:
        points.sort()
        return Line(label, [float(x) for x, _ in points], [y for _, y in points], dashed=dashed, printed=printed)

    lines = []
    for network in config.NETWORKS:
        for information in ("literal", "honest"):
            points = [
                (steps * batch, 100 * score["accuracy"])
                for (name, info, steps, batch), score in scores.items()
                if (name, info) == (network, information) and (steps, batch) in ACCURACY
            ]
            if points:
                lines.append(line(f"{information}, {network}", points, dashed=information == "honest"))
    if not lines:
        return []
    as_printed = [(steps * batch, figure.value or 0.0) for (steps, batch), figure in ACCURACY.items()]
    lines.append(line("as printed", as_printed, printed=True))
    return [Chart("Accuracy by decisions learned from", "steps x batch", "% right", lines, log_x=True)]


# the players --------------------------------------------------------------------------------------------------------


def pooled(results: Sequence[Sequence[float | None]]) -> Estimate:
    """One estimate from those of blocks; if somebody learns, a block is one observation."""
    blocks = [(float(m or 0.0), s, int(n or 0)) for m, s, n in results]
    if any(s is None or n < 2 for _, s, n in blocks):
        return Estimate.of(m for m, _, _ in blocks)
    total = sum(n for _, _, n in blocks)
    mean = sum(m * n for m, _, n in blocks) / total
    return Estimate(mean, math.sqrt(sum((n * (s or 0.0)) ** 2 for _, s, n in blocks)) / total, total)


def match_section(results: Results, size: Size) -> Section:
    by_pair = {label: list(blocks.values()) for label, blocks in grouped(results, " #").items()}
    rows = []
    for version, players in config.TABLE4_PLAYERS.items():
        for (a, b), printed in TABLE4.items():
            blocks = by_pair.get(f"table 4 {version} {a} | {b}", [])
            if len(blocks) < 1_000 // config.TABLE4_BLOCK:
                continue
            # mbb/hand of 1,000 hands at a big blind of 100 chips.
            ours = Estimate(sum(x["chips"] for x in blocks), pooled([x["plain"] for x in blocks]).se * 100, 1_000)
            why = "chips in 1,000 hands, not duplicate; the luck of the printed 1,000 counts, too"
            human = b == "expert"
            missing, stand_in = ("the human author of the rules", "the rules themselves") if human else ("", "")
            label = f"{a} beats {b}: {players[a]} against {players[b]}"
            if version == PAPER_VERSION:
                row = Row.judged(
                    label, printed, ours, hands=1_000, error=ours.se, why=why, missing=missing, stand_in=stand_in
                )
                rows.append(row)
            else:
                rows.append(Row(label, None, ours, "chips", 1_000, why="our players"))
    lines = []
    for a, b, _ in config.pairs(size):
        if blocks := by_pair.get(f"{a} | {b}", []):
            plain, reduced = (pooled([block[name] for block in blocks]) for name in ("plain", "reduced"))
            deals, faults = (sum(block[name] for block in blocks) for name in ("hands", "faults"))
            specs = [config.PLAYERS.get(name, config.MCTS if name == "mcts" else name) for name in (a, b)]
            lines.append((*specs, f"{deals // 2:,}", plain, reduced, verdict(reduced), faults))
    columns = ("player", "against", "deals, both seatings", "mbb/hand", "mbb/hand, luck reduced", "verdict", "faults")
    names = ", ".join(f"{name} = {spec}" for name, spec in config.PLAYERS.items() if name in config.names())
    return Section(
        f"Heads-up no-limit, blinds 50/100, stacks 20,000, reset every hand. {names}; mcts = {config.MCTS}. Table 4 as "
        "in the paper: the best action of the search (doubt=0), 1,000 hands, no duplicates, small blind first after "
        "the flop; these order nothing by themselves. Then every deal in both seatings, luck taken out.",
        rows,
        (Table("Duplicate matches", columns, lines),) if lines else (),
    )


# knowing the opponent -----------------------------------------------------------------------------------------------


def _gain(blocks: Mapping[str, Mapping[str, Any]], model: str, base: str) -> Estimate | None:
    """What a model gains over another on the same deals; a block is an observation."""
    both = sorted(blocks[model].keys() & blocks[base].keys(), key=int)
    if len(both) < 2 or model == base:
        return None
    return Estimate.of(blocks[model][k]["reduced"][0] - blocks[base][k]["reduced"][0] for k in both)


def known_section(results: Results, size: Size) -> Section:
    """What every model gains, and over others on the same deals."""
    lines: list[tuple[Value, ...]] = []
    findings = []
    groups = grouped(results, " #")
    for opponent in config.OPPONENTS:
        blocks = {model: groups.get(f"{model} | {opponent}", {}) for model in config.MODELS}
        for model, by_number in blocks.items():
            if not (played := list(by_number.values())):
                continue
            right, loss = played[0]["accuracy"], played[0]["log_loss"]
            predicted = None if right is None else f"{100 * right:.1f} % ({loss:.3f})"
            deals, faults = (sum(block[name] for block in played) for name in ("deals", "faults"))
            plain, reduced = (pooled([block[name] for block in played]) for name in ("plain", "reduced"))
            gain = _gain(blocks, model, config.RULES)
            lines.append((opponent, model, predicted, f"{deals:,}", plain, reduced, gain, faults))
        for base in config.MODELS[:-1]:
            if (gain := _gain(blocks, config.OWN, base)) is not None:
                low, high = gain.interval()
                findings.append(
                    f"{opponent} known by its own logs instead of {base}: {gain.mean:+,.0f} mbb/hand "
                    f"({low:,.0f} to {high:,.0f}): {verdict(gain, 'it pays', 'it costs')}."
                )
    columns = ("opponent", "predicted by", "predicted right (log-loss)", "deals, both seatings", "mbb/hand",
               "mbb/hand, luck reduced", "more than by rules, same deals", "faults")  # fmt: skip
    note = "Predicted right: of held-out decisions (in blocks of hands) of the opponent that the network learned from."
    return Section(
        f"The staged tree (exp:{config.TREE}) against three opponents, and how it predicts them. A log: "
        f"{config.LOG_HANDS:,} hands against expert, dealt by the dealer; the same cards and sizes of the tree for "
        "all. Heads-up no-limit, blinds 50/100, stacks 20,000."
        + (
            " A quick run's few deals decide nothing, and it leaves out the network of another."
            if size == "quick"
            else ""
        ),
        tables=(Table("Knowing the opponent", columns, lines, note),) if lines else (),
        findings=findings,
    )
