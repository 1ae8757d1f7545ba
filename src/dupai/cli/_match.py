"""What ``dupai match`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.base.text import duration
from dupai.cli._playing import BY_DEALS, print_close, too_few
from dupai.cli._shared import table
from dupai.rules import UNLIMITED

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from dupai.arena import LuckReduced, MatchPlayer, MatchResult
    from dupai.stats import Measure

#: The hands that a 95 % interval of ±10 mbb/hand takes.
_TO_10 = "hands for ±10 (95 %)"


def show(out: Console, result: MatchResult, seconds: float | None = None) -> None:
    """The table of a match."""
    game = result.config.game
    blinds = "/".join(str(b) for b in sorted(b for b in game.blinds if b))
    stacks = dict.fromkeys(f"{stack:,}" for stack in game.stacks)
    by_position = list(stacks) if len(stacks) == 1 else [f"{stack:,}" for stack in game.stacks]
    stack = f", stacks {' / '.join(by_position)}" if max(game.stacks) < UNLIMITED else ""
    if any(game.antes):
        stack = f", antes {'/'.join(dict.fromkeys(map(str, game.antes)))}{stack}"
    took = "" if seconds is None else f" in {duration(seconds)}"
    out.print(
        f"{result.hands:,} hands{took}; {game.betting}, blinds {blinds}{stack}, reset every hand; seed {result.seed}",
        soft_wrap=True,
    )
    out.print(f"pairing: {result.pairing}", soft_wrap=True)
    if result.partial:
        total = result.config.hands * result.config.matches
        out.print(f"partial: {result.deals:,} of {total:,} deals; what follows is what was played", style="yellow")
    if not result.hands:
        return
    view = table("agent", ">mbb/hand", ">95 % interval", ">chips", f">{_TO_10}")
    for p in result.players:
        view.add_row(p.agent, f"{p.mbb.mean:+,.1f}", p.mbb.interval_text(), f"{p.chips:+,.0f}", _wanted(p))
    out.print(view)
    _show_luck(out, result)
    _show_curve(out, result)
    few = too_few((p.mbb for p in result.players), "matches" if result.unit == "match" else f"{result.unit}s")
    if result.unit != "match":
        note = f"the interval counts {result.deals:,} {result.unit}s as independent: all agents are stateless"
    else:
        why = "faults or a clock carry over" if result.stateless else "an agent may learn"
        note = f"{why} from hand to hand, so the interval counts matches ({result.players[0].mbb.n})"
        few += ", --matches M plays more" if few else ""
    out.print(note, style="dim", soft_wrap=True)
    if few:
        out.print(few, style="yellow", soft_wrap=True)
    if any(p.mbb.by_deal is not None for p in result.players):
        out.print(BY_DEALS, style="dim", soft_wrap=True)
    print_close(out, result, "an agent is limited by a clock")


def _wanted(p: MatchPlayer | LuckReduced) -> str:
    """Hands for ±10 mbb; none where there are too few for an interval, because their spread says little."""
    return "" if p.hands_for_10_mbb is None or p.mbb.low is None else f"{p.hands_for_10_mbb:,}"


def _show_luck(out: Console, result: MatchResult) -> None:
    """Means with and without luck, side by side."""
    rows = [(p, r) for p in result.players if (r := p.luck_reduced) is not None]
    if not rows:
        return
    view = table("without luck", ">mbb/hand", ">95 % interval", ">variance", f">{_TO_10}")
    view.columns[0].min_width = 8
    for p, r in rows:
        ratio = "" if r.variance_ratio is None else f"x {r.variance_ratio:.2f}"
        view.add_row(p.agent, f"{r.mbb.mean:+,.1f}", r.mbb.interval_text(), ratio, _wanted(r))
    out.print()
    out.print(view)
    known = [p.agent for p, r in rows if r.decisions]
    players = "everybody" if len(known) == len(rows) else ", ".join(known) or "nobody"
    out.print(f"taken out: the luck of the cards, and of the decisions of {players}", style="dim", soft_wrap=True)


def _show_curve(out: Console, result: MatchResult) -> None:
    """The learning curve, a line a block, of as many agents as there is room for: a number that is cut is another."""
    from rich.measure import Measurement

    if not result.curve:
        return
    # Heads-up one wins what the other loses.
    shown = 1 if len(result.players) == 2 else len(result.players)
    view, means = _curve(result, shown)
    while shown > 1 and Measurement.get(out, out.options.update(max_width=1000), view).maximum > out.width:
        shown -= 1
        view, means = _curve(result, shown)
    out.print()
    out.print(view)
    without = " without luck" if result.config.luck_reduced else ""
    note = f"learning curve: mbb/hand{without} ± 95 %, by {result.unit}, in these hands and from the first on"
    few = too_few(means, "matches" if result.unit == "match" else f"{result.unit}s")
    if len(result.players) > 2 and shown < len(result.players):
        note += f"; the first {shown} of {len(result.players)} agents (a wider terminal or --json shows all)"
    out.print(f"{note}; without ±: {few}" if few else note, style="dim", soft_wrap=True)


def _curve(result: MatchResult, shown: int) -> tuple[Table, list[Measure]]:
    """The curve of the first ``shown`` agents, and all its means."""
    view = table(">hands", *(title for k in range(shown) for title in (f">{result.players[k].agent}", ">so far")))
    means = []
    for block in result.curve:
        row = []
        for p in block.players[:shown]:
            here, total = (
                (p.luck_reduced, p.cumulative_luck_reduced) if result.config.luck_reduced else (p.mbb, p.cumulative)
            )
            assert here is not None
            assert total is not None
            row += [here, total]
        means += row
        view.add_row(f"{block.first:,}-{block.last:,}", *(mean.text(0) for mean in row))
    return view, means
