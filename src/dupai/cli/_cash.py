"""What ``dupai cash`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.cli._playing import print_close, too_few
from dupai.cli._shared import table

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import CashResult


def show(out: Console, result: CashResult, seconds: float | None = None) -> None:
    """The table of a series of sessions."""
    config = result.config
    small, big = config.blinds
    rule = {0: "only who is broke buys in again", config.stack: "everybody fills up to the buy-in"}
    top_up = rule.get(config.top_up, f"who has fewer than {config.top_up:,} fills up to the buy-in")
    done = sum(s.complete for s in result.sessions)
    out.print(
        f"{result.hands:,} hands, {done} of {config.sessions} sessions; blinds {small}/{big}, buy-in {config.stack:,}, "
        f"{top_up}; seed {config.seed}",
        soft_wrap=True,
    )
    out.print(result.pairing, style="dim", soft_wrap=True)
    if result.partial:
        out.print(f"partial: {done} of {config.sessions} sessions; what follows is what was played", style="yellow")
    if not result.hands:
        return
    view = table("agent", ">mbb/hand", ">95 % interval", ">chips", ">bought, a session")
    for p in result.players:
        view.add_row(p.agent, f"{p.mbb.mean:+,.0f}", p.mbb.interval_text(0), f"{p.chips:+,}", f"{p.bought:.1f}")
    out.print(view)
    out.print(f"the interval counts sessions ({result.players[0].mbb.n})", style="dim", soft_wrap=True)
    if few := too_few((p.mbb for p in result.players), "sessions"):
        out.print(few, style="yellow", soft_wrap=True)
    print_close(out, result)
