"""What ``dupai sprt`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dupai.cli._playing import print_close

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import SprtResult
    from dupai.stats import Measure, SprtState

#: Deals or matches between two lines of progress.
_EVERY = 500


def extras(out: Console) -> dict[str, Any]:
    """Arguments of the test besides its settings: it prints how it stands, a line now and then."""
    last = 0

    def watch(state: SprtState) -> None:
        nonlocal last
        if state.n >= last + _EVERY:
            last += _EVERY
            out.print(
                f"{state.n:>8,}   LLR {state.llr:+6.2f} in [{state.lower:.2f}, {state.upper:.2f}]   "
                f"{state.mean or 0:+,.1f} mbb/hand   t {_t_text(state)}"
            )

    return {"watch": watch}


def show(out: Console, result: SprtResult, seconds: float | None = None) -> None:
    """The outcome of a test."""
    test = result.test
    units = "deals" if result.unit == "deal" else "matches"
    low, high = result.bounds
    verdict = {
        "better": f"{result.new} is better than {result.old}",
        "not better": f"{result.new} is not better than {result.old}",
        None: "stopped early, not decided" if result.partial else "not decided within the hands allowed",
    }[test.decision]
    out.print(verdict, style="bold", soft_wrap=True)
    out.print(
        f"LLR {test.llr:+.2f}, bounds [{test.lower:.2f}, {test.upper:.2f}], after {test.n:,} duplicate {units} "
        f"({result.hands:,} hands), seed {result.seed}",
        soft_wrap=True,
    )
    if test.n < 2:
        return
    out.print(
        f"{result.new}: {_mean_text(result.mbb)}, {_t_text(test)} standard deviations of a {result.unit} "
        f"({test.sd or 0:,.0f} mbb/hand); asked: {low:g} or {high:g}, errors {result.alpha:g} and {result.beta:g}",
        soft_wrap=True,
    )
    if result.plain is not None:
        out.print(f"without the luck of the cards; with it {_mean_text(result.plain)}", soft_wrap=True)
    if test.decision is not None:
        note = "the mean overstates and has no interval: the test stopped because it was extreme"
        out.print(note, style="dim", soft_wrap=True)
    print_close(out, result, "an agent is limited by a clock")


def _t_text(state: SprtState) -> str:
    """The mean in standard deviations; n/a where all results are equal."""
    return "n/a" if state.t is None else f"{state.t:+.3f}"


def _mean_text(mbb: Measure) -> str:
    """A mean with its 95 % interval, or its standard error where it has none."""
    held = f"95 %: {mbb.interval_text()}" if mbb.low is not None else f"standard error {mbb.se or 0:,.1f}"
    return f"{mbb.mean:+,.1f} mbb/hand ({held})"
