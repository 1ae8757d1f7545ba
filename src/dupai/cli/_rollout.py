"""What ``dupai rollout`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dupai.cli._playing import print_faults
from dupai.cli._shared import table

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import RolloutResult

#: Of the situations that are printed.
_TOP, _MIN_N = 20, 20


def show(out: Console, result: RolloutResult, seconds: float | None = None) -> None:
    """The other actions that would have won most, of those that were tried often enough."""
    config = result.config
    out.print(
        f"{config.labels[0]} v {', '.join(config.labels[1:])}: {result.decisions:,} decisions in "
        f"{result.hands:,} hands, {result.matches} of {config.matches} matches, seed {config.seed}",
        soft_wrap=True,
    )
    if result.partial:
        out.print(f"partial: {result.matches:,} of {config.matches:,} matches", style="yellow")
    tried = [(s, other) for s in result.situations for other in s.others if other.gain.n >= _MIN_N]
    # Below two standard errors a gain may be chance.
    better = [(s, other) for s, other in tried if other.gain.se is not None and other.gain.mean > 2 * other.gain.se]
    if not tried:
        out.print(f"no kind of decision came up {_MIN_N} times: play more matches")
    elif not better:
        out.print(f"of {len(tried)} other actions tried {_MIN_N} times and more, none wins more by two standard errors")
    else:
        view = table("street", "facing", "it does", "better", ">big blinds more ± se", ">times", ">mbb/hand")
        for s, other in sorted(better, key=lambda row: -row[1].per_hand)[:_TOP]:
            gain = f"{other.gain.mean:.2f} ± {other.gain.se:.2f}"
            row = (s.street, s.facing, s.chosen, other.action, gain, f"{other.gain.n:,}")
            view.add_row(*row, f"{other.per_hand:,.0f}")
        out.print(view)
        rest = f"; the {_TOP} largest are shown" if len(better) > _TOP else ""
        out.print(
            f"{len(better)} of {len(tried)} other actions tried {_MIN_N} times and more are better by two standard "
            f"errors{rest}; small, half, pot: bets and raises by that part of the pot",
            style="dim",
            soft_wrap=True,
        )
    print_faults(out, result)
