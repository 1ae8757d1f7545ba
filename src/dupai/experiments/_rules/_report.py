"""Tables of ``dupai reproduce rules``."""

from __future__ import annotations

from dupai.base import Estimate
from dupai.experiments._paper import Results, Row, Section, Size, Table, grouped, verdict
from dupai.experiments._rules import _cells as cells, _printed as printed
from dupai.experiments._rules._printed import FIGURES


def encoding_section(results: Results, size: Size) -> Section:
    found = results["encodings"]
    rows = [Row.judged(f"value of {hand}", figure, found["values"][hand]) for hand, figure in printed.VALUES.items()]
    types = found["types"]
    words = f"{types[0]} to {types[-1]}" if types == list(range(len(types))) else ", ".join(map(str, types))
    rows.append(Row.judged("types, high card to straight flush", FIGURES["types"], words))
    rising = "rise with" if found["rising"] else "do NOT rise with"
    numbers = "is" if found["cards"] else "is NOT"
    return Section(
        "A card is suit * 13 + rank; a hand's value has six nibbles: its type, then up to five ranks.",
        rows,
        findings=(
            f"The values of all 7,462 classes of hands {rising} their strength.",
            f"Every one of the 52 card numbers {numbers} suit * 13 + rank.",
        ),
    )


def example_section(results: Results, size: Size) -> Section:
    found = results["examples"]
    rates = {int(n): Estimate(*rate) for n, rate in found["rates"].items()}
    odds = found["to_call"] / (found["to_call"] + found["pot"])
    # The post deals 1,000 times, so that its figures have an error of their own.
    error = (0.297 * 0.703 / 1000) ** 0.5
    why = "the post does not say how many opponents there are: two fit"
    returned = Estimate(rates[2].mean / odds, rates[2].se / odds, rates[2].n)
    rows = [
        Row.judged("pot odds of a bet of 20 into 40", FIGURES["pot_odds"], 20 / 60),
        Row.judged("pot odds of the example", FIGURES["example_odds"], odds, why="1/6, cut off and not rounded"),
        Row.judged("its hand strength, two opponents", FIGURES["example_rate"], rates[2], error=error, why=why),
        Row.judged("its rate of return, two opponents", FIGURES["example_return"], returned, error=error / odds),
        Row.judged(f"{cells.PLAIN} there", FIGURES["before"], _decision(found["folds"][cells.PLAIN]),
                   why="heads-up; the post: the table says call"),
        Row.judged(f"{cells.PROTECTED} there", FIGURES["after"], _decision(found["folds"][cells.PROTECTED])),
    ]  # fmt: skip
    table = Table("Hand strength of AD 2D on QC KC 2C", ("opponents", "hand strength"), list(rates.items()))
    return Section(
        "AD 2D on QC KC 2C, 500 in the pot with a bet of 100, and 100 left. Pot odds = to call / (to call + pot).",
        rows,
        (table,),
    )


def _decision(folds: float) -> str:
    return "fold" if folds == 1 else "call" if folds == 0 else f"fold {100 * folds:.0f} %"


def decision_section(results: Results, size: Size) -> Section:
    rows = []
    for rate, figures in printed.TABLE.items():
        if (found := results.get(f"{rate}")) is None:
            continue
        total = sum(found["counts"].values())
        for word, figure in zip(("fold", "call", "raise"), figures, strict=True):
            ours = cells.share(found["counts"][word], total)
            label = f"{printed.ROWS[rate]}: {word} (RR {rate:g}, pot odds {found['odds']:.3f})"
            rows.append(Row.judged(label, figure, ours, seeds=f"{total:,} decisions"))
    if (found := results.get("0.0")) is not None:
        total = sum(found["counts"].values())
        checks = cells.share(found["counts"]["call"], total)
        rows.append(
            Row.judged(
                "the draw says fold, calling is free: call", FIGURES["free"], checks, seeds=f"{total:,} decisions"
            )
        )
    return Section(
        f"How often {cells.DECIDER} folds, calls and raises with {cells.WEAK} on {cells.WEAK_BOARD}, heads-up, where "
        "the bet puts the rate of return into the middle of each row; in the last row, where nobody has bet.",
        rows,
    )


def protection_section(results: Results, size: Size) -> Section:
    ranks = {
        spec: {int(first) + k: rank for first, block in blocks.items() for k, rank in enumerate(block)}
        for spec, blocks in grouped(results, "|").items()
    }
    lines = [
        (spec, Estimate.of(some.values()), cells.share(sum(r == 1 for r in some.values()), len(some)), len(some))
        for spec, some in ranks.items()
    ]
    findings = []
    if len(ranks) == 2:
        plain, protected = ranks[cells.PLAIN], ranks[cells.PROTECTED]
        gain = Estimate.of(plain[k] - protected[k] for k in plain.keys() & protected.keys())
        low, high = gain.interval()
        findings.append(
            f"Stack protection changes the mean rank by {gain.mean:+.2f} places ({low:+.2f} to {high:+.2f}, positive "
            f"is better) over {gain.n} pairs of matches: {verdict(gain, 'it pays', 'it costs')}."
        )
    return Section(
        f"Six players, {cells.START:,} chips, no rebuy, blinds 20/40 that double every {cells.LEVELS[0].hands} hands. "
        f"The others: {', '.join(cells.FIELD)}. Both programs get the same cards, chairs and opponents. The post "
        "states the rule and prints no figure for it.",
        tables=(Table("Tournaments", ("agent", "mean rank", "first, %", "matches"), lines),),
        findings=findings,
    )
