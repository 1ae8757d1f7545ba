"""What ``dupai cash`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.cli._playing import print_close
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
    view = table("agent", ">mbb/hand ± se", ">95 % interval", ">chips", ">bought, a session")
    for p in result.players:
        interval = "" if p.mbb.low is None else f"{p.mbb.low:+,.0f} .. {p.mbb.high:+,.0f}"
        view.add_row(p.agent, p.mbb.text(0), interval, f"{p.chips:+,}", f"{p.bought:.1f}")
    out.print(view)
    n = result.players[0].mbb.n
    note = f"the interval counts sessions ({n})" + ("" if n > 1 else ": one gives none")
    out.print(note, style="dim", soft_wrap=True)
    print_close(out, result)
