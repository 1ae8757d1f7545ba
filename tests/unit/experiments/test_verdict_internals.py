"""Verdicts on printed figures: each rule, fed values that must and must not pass."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dupai.base import ConfigError, Estimate
from dupai.experiments import Printed, Row, judge, judge_order, judge_orders
from dupai.experiments._verdict import KINDS, difference, exceeding, over_groups

AGREES, ORDER, DIFFERS, OPEN = "agrees", "ordering agrees", "differs", "cannot be compared"


@pytest.mark.parametrize(
    ("text", "limits", "value", "precision"),
    [
        ("2.4", (2.35, 2.45), 2.4, 0.05),
        ("+0.67", (0.665, 0.675), 0.67, 0.005),
        ("-3", (-3.5, -2.5), -3, 0.5),
        ("32,620", (32_619.5, 32_620.5), 32_620, 0.5),
        ("about 80,000", (79_999.5, 80_000.5), 80_000, 0.5),
        ("1.6e7", (1.55e7, 1.65e7), 1.6e7, 5e5),
        ("59-63", (58.5, 63.5), 61, 0),
        ("3.1 to 4.2", (3.05, 4.25), 3.65, 0),
        ("10^7", (1e7, 1e8), 1e7, 0),
        ("order of 10^-2", (1e-2, 1e-1), 1e-2, 0),
        ("over 95", (95, math.inf), 95, 0),
        ("at most 0.5", (-math.inf, 0.5), 0.5, 0),
        ("loses", None, None, 0),
    ],
)
def test_what_is_printed(text, limits, value, precision) -> None:
    printed = Printed("table 1", text)
    assert printed.limits == (None if limits is None else pytest.approx(limits))
    assert printed.value == (None if value is None else pytest.approx(value))
    assert printed.precision == pytest.approx(precision)


@pytest.mark.parametrize(
    ("text", "ours", "kind"),
    [
        # Inside the interval, at its edge, and outside on either side: too good is no better than too bad.
        ("88.1", Estimate(88.9, 0.5, 1000), AGREES),
        ("88.1", Estimate(87.2, 0.5, 1000), AGREES),
        ("88.1", Estimate(98.4, 0.2, 1000), DIFFERS),
        ("88.1", Estimate(78.0, 0.2, 1000), DIFFERS),
        # Without an interval: the printed digits count.
        ("29.7", 29.71, AGREES),
        ("29.7", 29.7499, AGREES),
        ("29.7", 29.76, DIFFERS),
        ("29.7", 29.64, DIFFERS),
        ("29.7", 17.0, DIFFERS),
        # An interval narrower than the last digit printed.
        ("29.7", Estimate(29.72, 0.001, 10_000), AGREES),
        ("29.7", Estimate(29.76, 0.001, 10_000), DIFFERS),
        ("59-63", 61.9, AGREES),
        ("59-63", 0.05, DIFFERS),
        ("59-63", 640.0, DIFFERS),
        ("10^7", Estimate(4e7, 2e6, 20), AGREES),
        ("10^7", Estimate(9.9e6, 2e5, 20), AGREES),
        ("10^7", Estimate(8e6, 2e5, 20), DIFFERS),
        ("10^7", Estimate(1.6e8, 2e6, 20), DIFFERS),
        ("10^7", Estimate(-4e7, 2e6, 20), DIFFERS),
        ("over 95", Estimate(97, 0.5, 500), AGREES),
        ("over 95", Estimate(80, 0.5, 500), DIFFERS),
        ("at most 3", 2.0, AGREES),
        ("at most 3", 3.5, DIFFERS),
    ],
)
def test_figures(text, ours, kind) -> None:
    assert judge(Printed("figure 1", text), ours).kind == kind


@pytest.mark.parametrize(
    "ours",
    [
        None,
        # ± 93,920 around a figure of 32,620: it would hold the reverse, too.
        Estimate(650, 47_900, 1000),
        Estimate(32_620, 47_900, 1000),
        # Too few observations for an interval, or none.
        Estimate(32_600, 100, 3),
        Estimate(32_600, math.nan, 1),
        Estimate(math.nan, math.nan, 0),
    ],
)
def test_what_says_nothing_is_no_agreement(ours) -> None:
    assert judge(Printed("table 4", "32,620"), ours).kind == OPEN


def test_a_wide_interval_that_excludes_the_figure_does_say_something() -> None:
    # The half width, 3.4, exceeds the printed 0.6, and -8.3 is far from it.
    printed, behind = Printed("figure 7", "0.6"), Estimate(-8.3, 1.75, 200)
    assert judge(printed, behind).kind == DIFFERS
    assert judge(printed, behind, ordering=behind).why.startswith("ours is on the other side of 0; the order is the")
    ahead = Estimate(11.5, 2.5, 400)
    assert judge(Printed("figure 7", "3.4"), ahead, ordering=ahead).kind == ORDER


def test_what_is_missing_and_what_stands_in() -> None:
    verdict = judge(Printed("table 3", "83.6"), Estimate(83.6, 1, 500), missing="seven programs", stand_in="our agents")
    assert (verdict.kind, verdict.why) == (OPEN, "missing: seven programs; our agents stand in")


def test_an_order_that_holds_where_the_figure_differs() -> None:
    printed, ours = Printed("table 2", "4.6"), Estimate(3.6, 0.1, 3000)
    more, less, unsure = Estimate(0.5, 0.1, 3000), Estimate(-0.5, 0.1, 3000), Estimate(0.05, 0.1, 3000)
    assert judge(printed, ours, ordering=more).kind == ORDER
    assert "+5.0 standard errors" in judge(printed, ours, ordering=more).why
    assert judge(printed, ours, ordering=less).kind == DIFFERS
    assert "the order is the reverse" in judge(printed, ours, ordering=less).why
    assert judge(printed, ours, ordering=unsure).kind == DIFFERS
    # The figure itself agrees: the order adds nothing.
    assert judge(printed, Estimate(4.5, 0.1, 3000), ordering=less).kind == AGREES


def test_orders_and_signs() -> None:
    loses = Printed("figure 3", "loses")
    assert judge(loses, None, ordering=Estimate(3.0, 1.0, 50)).kind == ORDER
    assert judge(loses, None, ordering=Estimate(-3.0, 1.0, 50)).kind == DIFFERS
    assert judge_order(Estimate(1.0, 1.0, 50)).kind == OPEN
    assert judge_order(Estimate(9.0, 1.0, 4)).kind == OPEN
    assert judge_order(2.0).kind == ORDER
    assert judge_order(0.0).kind == DIFFERS
    assert judge_order(None).kind == OPEN
    sure, unsure, reverse = (Estimate(m, 1.0, 100) for m in (5.0, 0.5, -5.0))
    assert judge_orders([sure, sure]).kind == ORDER
    assert judge_orders([sure, unsure]).kind == OPEN
    # An exact difference is the most certain one.
    exact, near = Estimate(5.0, 0.0, 20), Estimate(2.0, 0.9, 20)
    assert judge_orders([exact, near]) == judge_orders([near, exact]) == judge_order(near)
    assert judge_orders([unsure, reverse, sure]).kind == DIFFERS
    assert judge_orders([Estimate(9.0, 1.0, 100), Estimate(3.0, 1.0, 100)]).errors == 3.0


def test_the_printed_figure_has_an_error_of_its_own() -> None:
    ours = Estimate(94_680, 400, 200)
    # One seed of the paper's: the spread of ours is its error.
    assert judge(Printed("table 1", "90,545"), ours).kind == DIFFERS
    assert judge(Printed("table 1", "90,545"), ours, error=5_600).kind == AGREES
    assert judge(Printed("table 1", "60,545"), ours, error=5_600).kind == DIFFERS
    assert judge(Printed("table 3", "883", se=60), Estimate(1_000, 30, 140)).kind == AGREES
    assert judge(Printed("table 3", "583", se=60), Estimate(1_000, 30, 140)).kind == DIFFERS


def test_the_interval_is_named_that_holds_the_figure() -> None:
    ours = Estimate(94_680, 400, 200)
    assert judge(Printed("table 1", "94,600"), ours).why == "in our 95 % interval"
    assert judge(Printed("table 1", "90,545"), ours, error=5_600).why == "in the interval of both errors"
    power = Printed("figure 3", "10^8", "chips")
    assert judge(power, Estimate(2.4e8, 0.2e8, 20)).why == "the same exponent"
    other = judge(power, Estimate(6e7, 0.7e7, 10), error=2.2e7)
    assert (other.kind, other.why) == (AGREES, "in the interval of both errors")
    # An error as large as the decade says nothing of it.
    assert judge(Printed("figure 3", "10^7"), Estimate(2.2e8, 0.3e8, 10), error=0.9e8).kind == OPEN


def test_observations_without_a_spread_are_not_exact() -> None:
    alike = Estimate.of([95.0] * 5)
    assert judge(Printed("table 3", "95"), alike).kind == OPEN
    assert judge_order(alike).kind == OPEN
    assert judge_order(Estimate.of([95.0] * 12)).why == "all 12 alike"
    assert judge_order(95.0).why == "exact"


def test_groups_that_depend_on_each_other_are_one_observation() -> None:
    values = [3.0, 5.0, 10.0, 2.0]
    alone = over_groups(enumerate(values))
    assert alone == pytest.approx(Estimate.of(values))
    assert over_groups((k, v) for k, v in enumerate(values) for _ in range(7)) == pytest.approx(alone)
    assert math.isnan(over_groups([(1, 2.0), (1, 4.0)]).se) and over_groups([(1, 2.0), (1, 4.0)])[0::2] == (3, 1)
    assert over_groups([]).n == 0


def test_factors() -> None:
    assert judge(Printed("t", "88.1"), 98.4).why == "ours is 1.12 times the printed figure"
    assert judge(Printed("t", "59-63"), 0.05).why == "ours is 1/1,220 of the printed figure"
    assert judge(Printed("t", "10"), 5.0).why == "ours is 0.50 times the printed figure"
    assert judge(Printed("t", "10"), -5.0).why == "ours is on the other side of 0"
    assert judge(Printed("t", "10"), -5.0).factor is None


def test_differences_and_bounds() -> None:
    assert difference(Estimate(5, 3, 100), Estimate(2, 4, 50)) == Estimate(3, 5, 50)
    assert exceeding(Estimate(52, 1, 100), 50) == Estimate(2, 1, 100)


def test_rows_carry_the_record_and_its_verdict() -> None:
    printed = Printed("equation 27", "29.7", "%")
    row = Row.judged("a draw over two cards", printed, 29.69, hands=3)
    assert (row.paper, row.unit, row.printed, row.verdict.kind, row.hands) == ("29.7", "%", printed, AGREES, 3)  # type: ignore[union-attr]


def test_words_and_codes_have_to_be_the_same() -> None:
    printed = Printed("encodings", "0x000CBA62")
    assert judge(printed, "0x000CBA62").kind == AGREES
    assert judge(printed, "0x000CBA63").kind == DIFFERS


def test_digits_that_are_cut_off() -> None:
    assert judge(Printed("odds", "0.1666"), 1 / 6).kind == DIFFERS
    assert judge(Printed("odds", "0.1666", cut=True), 1 / 6).kind == AGREES
    assert judge(Printed("odds", "0.1666", cut=True), 0.1668).kind == DIFFERS
    assert judge(Printed("odds", "0.1666", cut=True), 0.16655).kind == DIFFERS


def test_a_measurement_that_is_no_number_is_a_mistake() -> None:
    with pytest.raises(ConfigError, match="expected a number or an estimate"):
        judge(Printed("table 1", "3"), math.nan)


def test_an_order_of_magnitude_is_far_from_a_loss() -> None:
    printed = Printed("figure 3", "10^7", "chips")
    assert judge(printed, Estimate(-4.7e7, 0.75e7, 20)).kind == "differs"
    assert judge(printed, Estimate(4.7e7, 0.75e7, 20)).kind == "agrees"
    assert judge(printed, Estimate(0.5e7, 0.75e7, 20)).kind == "cannot be compared"


def test_verdicts_in_the_results_are_those_of_the_rule() -> None:
    # No table of a paper has a hand-written "agrees: yes", and a verdict on a printed figure is one of the four.
    folder = Path(__file__).resolve().parents[3] / "docs" / "results"
    judged = 0
    for name in ("papers", "fold", "mcts", "experience", "cnn", "swarm"):
        heads: list[str] = []
        for line in (folder / f"{name}.md").read_text(encoding="utf-8").splitlines():
            cells = [cell.strip() for cell in line.replace(r"\|", "/").strip("|").split("|")]
            if not line.startswith("|"):
                heads = []
            elif not heads:
                heads = cells
                assert name == "papers" or "agrees" not in heads, (name, line)
            elif "verdict" in heads and {"paper", "printed"} & set(heads):
                said = cells[heads.index("verdict")]
                assert not said or said.startswith(("---", *KINDS)), (name, line)
                judged += said.startswith(KINDS)
    assert judged > 50
