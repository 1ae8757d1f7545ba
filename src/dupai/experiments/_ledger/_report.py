"""Tables and curves of ``dupai reproduce ledger``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dupai.base import Estimate
from dupai.base.arrays import F64
from dupai.experiments._ledger import _config as config
from dupai.experiments._paper import Chart, Line, Results, Section, Size, Table, Value

#: Fewer matches than these have no interval.
FEW = 8
#: Of the blocks of a curve of gains, so many are not drawn: the first hands scatter beyond the picture.
SKIPPED = 1


class Curves:
    """Winnings by learner, player (it or its twin) and opponent: the blocks of every match, mean of both seatings."""

    def __init__(self, results: Results) -> None:
        seatings: dict[tuple[str, str, str, str], list[Mapping[str, Any]]] = {}
        for key, cell in results.items():
            learner, spec, opponent, match, _ = key.split("|")
            seatings.setdefault((learner, spec, opponent, match), []).append(cell)
        self.ends: dict[tuple[str, str], list[int]] = {}
        self.blocks: dict[tuple[str, str, str], dict[str, F64]] = {}
        self.faults: Counter[str] = Counter()
        for (learner, spec, opponent, match), cells in seatings.items():
            if len(cells) < 2:
                continue
            self.ends[learner, opponent] = cells[0]["ends"]
            mean = np.mean([c["reduced"] for c in cells], axis=0)
            self.blocks.setdefault((learner, spec, opponent), {})[match] = mean
            self.faults[spec] += sum(c["faults"][0] for c in cells)

    def matches(self, learner: str, spec: str, opponent: str) -> F64:
        """mbb/hand by match and block, ``float64[matches, blocks]``."""
        some = self.blocks.get((learner, spec, opponent), {})
        return np.array([some[m] for m in sorted(some, key=int)])

    def met_all(self, learner: config.Learner, against: Sequence[str]) -> list[str]:
        """The matches that the learner and its twin have played against all of these opponents."""
        specs = learner.spec, learner.twin
        played = [set(self.blocks.get((learner.spec, spec, o), {})) for spec in specs for o in against]
        return sorted(set.intersection(*played), key=int)

    def gain(self, learner: config.Learner, opponent: str) -> F64:
        """The learner less its twin on the same deals, by match and block."""
        mine = self.blocks.get((learner.spec, learner.spec, opponent), {})
        other = self.blocks.get((learner.spec, learner.twin, opponent), {})
        both = sorted(mine.keys() & other.keys(), key=int)
        return np.array([mine[m] - other[m] for m in both])


def cumulative(blocks: F64, ends: Sequence[int]) -> F64:
    """Chips won from the first hand to the end of each block, in big blinds, ``float64[matches, blocks]``."""
    hands = np.diff([0, *ends])
    return np.asarray(np.cumsum(blocks * hands, axis=1) / 1000)


def pays_from(blocks: F64, ends: Sequence[int]) -> int | None:
    """The hand from which the mean cumulative winnings are above 0 for good; None: never within the match. 0: from
    the first block on."""
    if not len(blocks):
        return None
    behind = np.flatnonzero(cumulative(blocks, ends).mean(axis=0) <= 0)
    if not len(behind):
        return 0
    return None if behind[-1] == len(ends) - 1 else int(ends[behind[-1]])


def turns_at(blocks: F64, ends: Sequence[int]) -> int:
    """The hand at which the mean cumulative winnings are lowest: from there on it wins. 0: it wins from the start."""
    curve = np.concatenate([[0.0], cumulative(blocks, ends).mean(axis=0)])
    return int([0, *ends][int(np.argmin(curve))])


def _hands(value: int | None, hands: int, matches: int) -> str:
    """A number of hands in words; of few matches it would be luck, so nothing is claimed."""
    if matches < FEW:
        return "too few matches"
    return f"not within {hands:,}" if value is None else "from the start" if value == 0 else f"{value:,}"


def _mean(blocks: F64, ends: Sequence[int], last: int | None = None) -> Value:
    """mbb/hand over the match, or over its last blocks."""
    weights = np.diff([0, *ends]).astype(float)
    if last is not None:
        weights[:-last] = 0
    each = blocks @ weights / weights.sum()
    return Estimate.of(each) if len(each) >= FEW else f"{each.mean():+,.0f} (n = {len(each)}, too few)"


def _mean_over(curves: Curves, learner: config.Learner, against: Sequence[str]) -> tuple[F64, F64, list[int]] | None:
    """The mean over some opponents of what a learner won and of its gain, mbb/hand by match and block, and where each
    block ends: of the matches that have been played against all of them. None: there is none yet."""
    common = curves.met_all(learner, against)
    if not common:
        return None
    mine, twin = (
        np.mean([[curves.blocks[learner.spec, spec, o][m] for m in common] for o in against], axis=0)
        for spec in (learner.spec, learner.twin)
    )
    return mine, mine - twin, curves.ends[learner.spec, against[0]]


def _means(curves: Curves, size: Size) -> tuple[Table, list[Chart]]:
    """Over the styles and over the personas: what is won and what learning wins, and a chart of the latter."""
    rows: list[tuple[Value, ...]] = []
    charts = []
    for kind, some in (("styles", config.STYLES), ("personas", config.PERSONAS)):
        against = [o for o in config.OPPONENTS[size] if o in some]
        lines = []
        for learner in config.LEARNERS if against else ():
            found = _mean_over(curves, learner, against)
            if found is None:
                continue
            won, gain, ends = found
            tail = max(len(ends) // 4, 1)
            values = [_mean(blocks, ends, last) for blocks in (won, gain) for last in (None, tail)]
            rows.append(
                (learner.spec, f"{len(against)} {kind}", *values, _hands(pays_from(gain, ends), ends[-1], len(gain)),
                 ends[-1], len(gain))
            )  # fmt: skip
            if learner.taught and len(gain) >= FEW:
                total = cumulative(gain, ends) / ends
                points = [(float(e), Estimate.of(total[:, k])) for k, e in enumerate(ends) if k >= SKIPPED]
                lines.append(Line.through(learner.spec, points))
        if lines:
            title = f"What learning has won by hand, mean over the {kind}"
            charts.append(Chart(title, "hand", "big blinds a hand more than the twin", lines, log_x=True))
    columns = ("learner", "opponents", "won, mbb/hand", "last quarter", "less its twin", "less its twin, last quarter",
               "learning pays from hand", "hands", "matches")  # fmt: skip
    return Table("What learning wins, over kinds of opponents", columns, rows, _twins()), charts


def _twins() -> str:
    return (
        "Won: without the luck of the cards. Learning pays: from where the learner is ahead of its twin for good, on "
        f"the same deals. Twins, which do not learn: {'; '.join(f'{one.spec}: {one.twin}' for one in config.LEARNERS)}."
    )


def winnings(results: Results, size: Size) -> Section:
    curves = Curves(results)
    means, gains = _means(curves, size)
    rows: list[tuple[Value, ...]] = []
    charts = []
    matches = 0
    for learner in config.LEARNERS:
        lines = []
        for opponent in config.against(learner, size):
            blocks = curves.matches(learner.spec, learner.spec, opponent)
            if not len(blocks):
                continue
            matches += len(blocks)
            ends, gain = curves.ends[learner.spec, opponent], curves.gain(learner, opponent)
            tail = max(len(ends) // 4, 1)
            paired: tuple[Value, ...] = (None, None, "")
            if len(gain):
                paired = _mean(gain, ends), _mean(gain, ends, tail), _hands(pays_from(gain, ends), ends[-1], len(gain))
            rows.append(
                (learner.spec, opponent, _mean(blocks, ends), _mean(blocks, ends, tail),
                 _hands(turns_at(blocks, ends), ends[-1], len(blocks)),
                 _hands(pays_from(blocks, ends), ends[-1], len(blocks)), *paired,
                 ends[-1], len(blocks))
            )  # fmt: skip
            won = cumulative(blocks, ends)
            points = [(float(e), Estimate.of(won[:, k])) for k, e in enumerate(ends)]
            if len(blocks) < FEW:
                lines.append(Line(opponent, ends, won.mean(axis=0).tolist()))
            else:
                lines.append(Line.through(opponent, points))
        if lines:
            charts.append(Chart(f"{learner.spec}: winnings over hands", "hand", "big blinds won, luck out", lines))
    columns = ("learner", "opponent", "won, mbb/hand", "in the last quarter", "turning point, hand",
               "ahead for good from hand", "less its twin", "less its twin, last quarter", "learning pays from hand",
               "hands", "matches")  # fmt: skip
    note = (
        "Turning point: where the cumulative curve is lowest. Ahead for good: where it is above 0 from then on. "
        + _twins()
    )
    return Section(
        "Heads-up, 50/100, 20,000 chips reset every hand, both seatings of every deal as matches of their own with "
        "fresh agents. The opponent changer plays another style every 500 hands, in shorter matches every quarter. The "
        "agent exp with a trained model does not learn while it plays.",
        (),
        (Table("What learning wins", columns, rows, note), *([means] if means.rows else [])),
        [*gains, *charts],
        _losses(curves, size),
    )


def _losses(curves: Curves, size: Size) -> list[str]:
    """Where a learner loses, or loses by learning, beyond its interval."""
    findings = []
    for learner in config.LEARNERS:
        for opponent in config.against(learner, size):
            both = (
                ("loses", curves.matches(learner.spec, learner.spec, opponent)),
                ("loses by learning", curves.gain(learner, opponent)),
            )
            for word, blocks in both:
                value = _mean(blocks, curves.ends[learner.spec, opponent]) if len(blocks) else None
                if isinstance(value, Estimate) and value.interval()[1] < 0:
                    findings.append(f"{learner.spec} {word} {-value.mean:,.0f} mbb/hand against {opponent}.")
    return findings


def responses(results: Results, size: Size) -> Section:
    by_pair: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for key, cell in results.items():
        learner, teacher, _ = key.split("|")
        by_pair.setdefault((learner, teacher), []).append(cell)
    rows: list[tuple[Value, ...]] = []
    findings = []
    for (learner, teacher), cells in by_pair.items():
        before, after, fresh = (np.array([cell[k] for cell in cells]) for k in ("teacher", "response", "fresh"))
        best = Counter(cell["best"] for cell in cells).most_common(1)[0]
        columns = [
            Estimate.of(v) if len(cells) >= FEW else f"{v.mean():+,.0f} (n = {len(cells)}, too few)"
            for v in (before, after, fresh, after - fresh)
        ]
        rows.append((learner, teacher, *columns, f"{best[0]} ({best[1]} of {len(cells)})", len(cells)))
        if isinstance(columns[1], Estimate) and columns[1].interval()[1] < 0:
            findings.append(
                f"After learning from {teacher}, {learner} loses {-after.mean():,.0f} mbb/hand to the best response."
            )
    heads = ("learner", "learned from", "wins from its teacher, mbb/hand", "wins from the response",
             "wins from it without the lesson", "by the lesson", "most often chosen", "matches")  # fmt: skip
    note = (
        f"The response is the best of {len(config.RESPONSES)} policies, chosen on deals of its own: a lower bound of "
        "what a true best response wins. It plays under the teacher's name, and the learner goes on learning while it "
        "is played."
    )
    return Section(
        "A learner learns from a teacher; its state is saved. From there every response plays it, the one that wins "
        "most is chosen, and it and the teacher play it on other deals. The response plays a fresh learner there too. "
        "Luck out, both positions.",
        (),
        (Table("What a best response to what was learned wins", heads, rows, note),),
        (),
        findings,
    )
