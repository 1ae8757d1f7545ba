"""Main pot and side pots."""

from __future__ import annotations

from typing import NamedTuple

from dupai.rules._table import Table


class Pot(NamedTuple):
    """A main or side pot: its chips and the positions that can win it."""

    chips: int
    positions: tuple[int, ...]


def pots_of(table: Table, *, bets: bool = True, uncalled: bool = False) -> list[Pot]:
    """Main pot and side pots of a hand, the main pot first.

    Args:
        table: the hand or a view of it.
        bets: with the bets of this street.
        uncalled: with the chips that nobody called, as (part of) a last pot that one player alone can win.
    """
    antes, totals = table.antes, list(table.contributions)
    if not bets:
        totals = [total - bet for total, bet in zip(totals, table.bets, strict=True)]
    elif not uncalled:
        position, chips = table.uncalled
        totals[position] -= chips
    antes_top = max(antes)
    # An ante that is short puts its player all-in below everybody's bets.
    reach = {
        p: antes[p] if antes[p] < table.spec.antes[p] else antes_top + totals[p]
        for p, folded in enumerate(table.folded)
        if not folded
    }
    pots, below, levels = [], 0, sorted(set(reach.values()))
    for level in levels:
        upto = sum(min(ante, level) for ante in antes) + sum(min(put, max(level - antes_top, 0)) for put in totals)
        if level == levels[-1]:
            # Chips of folded players above every player who is still in.
            upto = sum(antes) + sum(totals)
        if upto > below:
            pots.append(Pot(upto - below, tuple(p for p, most in reach.items() if most >= level)))
        below = upto
    return pots
