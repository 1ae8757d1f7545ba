"""What ``dupai tournament`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.base.text import duration
from dupai.cli._playing import BY_DEALS, print_close, too_few
from dupai.cli._shared import table

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena.tournament import TournamentResult


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th ..."""
    return f"{place}{'th' if 10 <= place % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th')}"


def show(out: Console, result: TournamentResult, seconds: float | None = None) -> None:
    """The tables of a tournament."""
    config = result.config
    done = len(result.matches)
    small, big = config.blinds
    took = f" in {duration(seconds)}" if seconds is not None else ""
    out.print(f"{done} of {config.matches} matches, {result.hands:,} hands{took}, seed {config.seed}")
    stakes = f"blinds {small}/{big}"
    if config.levels:
        last = config.levels[-1]
        stakes = f"{len(config.levels)} levels up to blinds {last.blinds[0]}/{last.blinds[1]}, ante {last.ante}"
    out.print(
        f"{config.hands} hands a match, {stakes}, stack {config.stack:,}, rebuys {config.rebuys}; {result.pairing}",
        style="dim",
        soft_wrap=True,
    )
    if result.partial:
        out.print(f"partial: {done:,} of {config.matches:,} matches; the tables hold what is done", style="yellow")
    if not done:
        return
    n = len(config.labels)
    # Short titles, and a mark for what counts deals: eight agents fit 80 columns.
    columns = {"mean rank": "rank", "survived": "hands", "chips left": "chips", "volatility": "volatility"}
    columns |= {"prize": "payout"} if config.payouts else {}
    measures = {title: [getattr(s, key) for s in result.standings] for title, key in columns.items()}
    view = table("agent", *(f">{title}" for title in measures), ">rebuys")
    for k, s in enumerate(result.standings):
        cells = (m[k].text(2 if title in ("mean rank", "prize") else 0, "*") for title, m in measures.items())
        view.add_row(s.agent, *cells, f"{s.rebuys:.2f}")
    out.print(view)
    out.print()
    places = table("finished, %", *(f">{ordinal(place)}" for place in range(1, n + 1)))
    for s in result.standings:
        places.add_row(s.agent, *(f"{100 * share:.0f}" if share else "·" for share in s.places))
    out.print(places)
    out.print("survived: hands; ± is half the 95 % interval, by match", style="dim")
    if any(s.chips.by_deal is not None for s in result.standings):
        out.print(f"* {BY_DEALS}", style="dim", soft_wrap=True)
    few: dict[str, list[str]] = {}
    for title, each in measures.items():
        few.setdefault(too_few(each, "matches"), []).append(title)
    for text, titles in few.items():
        if text:
            out.print(f"without ±: {text}: {', '.join(titles)}", style="yellow", soft_wrap=True)
    print_close(out, result, "an agent is limited by a clock")
