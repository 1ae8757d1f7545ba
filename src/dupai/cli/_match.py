"""What ``dupai match`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.cli._playing import print_faults

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import MatchResult


def show(out: Console, result: MatchResult, seconds: float | None = None) -> None:
    """The table of a match."""
    from rich.table import Table

    game = result.config.game
    blinds = "/".join(str(b) for b in sorted(b for b in game.blinds if b))
    # Games without a limit on stacks name the largest number that fits.
    stack = f", stacks {max(game.stacks):,}" if max(game.stacks) < 2**31 - 1 else ""
    took = "" if seconds is None else f" in {seconds:.1f} s"
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
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("agent", overflow="fold")
    for head in ("mbb/hand", "95 % interval", "chips", "±10 mbb would take"):
        table.add_column(head, justify="right", no_wrap=True)
    for p in result.players:
        interval = "" if p.mbb.low is None else f"{p.mbb.low:+,.1f} .. {p.mbb.high:+,.1f}"
        wanted = "" if p.hands_for_10_mbb is None else f"{p.hands_for_10_mbb:,} hands"
        table.add_row(p.agent, f"{p.mbb.mean:+,.1f}", interval, f"{p.chips:+,.0f}", wanted)
    out.print(table)
    _show_luck(out, result)
    _show_curve(out, result)
    if result.stateless:
        note = f"the interval counts {result.deals:,} {result.unit}s as independent: all agents are stateless"
    else:
        n = result.players[0].mbb.n
        note = f"an agent may learn from hand to hand, so the interval counts matches ({n})"
        note += "" if n > 1 else ": one gives none, --matches M plays more"
    out.print(note, style="dim", soft_wrap=True)
    if not result.reproducible:
        out.print("not reproducible: an agent is limited by a clock", style="yellow")
    print_faults(out, result.faults)


def _show_luck(out: Console, result: MatchResult) -> None:
    """Means with and without luck, side by side."""
    from rich.table import Table

    rows = [(p, r) for p in result.players if (r := p.luck_reduced) is not None]
    if not rows:
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("without luck", overflow="fold", min_width=8)
    for head in ("mbb/hand", "95 % interval", "variance", "±10 mbb would take"):
        table.add_column(head, justify="right", no_wrap=True)
    for p, r in rows:
        interval = "" if r.mbb.low is None else f"{r.mbb.low:+,.1f} .. {r.mbb.high:+,.1f}"
        ratio = "" if r.variance_ratio is None else f"x {r.variance_ratio:.2f}"
        wanted = "" if r.hands_for_10_mbb is None else f"{r.hands_for_10_mbb:,} hands"
        table.add_row(p.agent, f"{r.mbb.mean:+,.1f}", interval, ratio, wanted)
    out.print()
    out.print(table)
    known = [p.agent for p, r in rows if r.decisions]
    said = "everybody" if len(known) == len(rows) else ", ".join(known) or "nobody"
    out.print(f"taken out: the luck of the cards, and of the decisions of {said}", style="dim", soft_wrap=True)


def _show_curve(out: Console, result: MatchResult) -> None:
    """The learning curve, a line a block."""
    from rich.table import Table

    if not result.curve:
        return
    reduced = result.config.luck_reduced
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("hands", justify="right", no_wrap=True)
    # Heads-up one wins what the other loses.
    shown = range(1 if len(result.players) == 2 else len(result.players))
    for k in shown:
        table.add_column(result.players[k].agent, justify="right", no_wrap=True)
        table.add_column("so far", justify="right", no_wrap=True)
    for block in result.curve:
        cells = []
        for k in shown:
            p = block.players[k]
            here, total = (p.luck_reduced, p.cumulative_luck_reduced) if reduced else (p.mbb, p.cumulative)
            assert here is not None
            assert total is not None
            cells += [here.text(0), total.text(0)]
        table.add_row(f"{block.first:,}-{block.last:,}", *cells)
    out.print()
    out.print(table)
    without = " without luck" if reduced else ""
    out.print(f"learning curve: mbb/hand{without} ± se (by deal) in these hands, and from the first on", style="dim")
