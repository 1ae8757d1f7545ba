"""The page of definitions: ``python -m dupai.history._tracker._docs > docs/reference/player-statistics.md``."""

from __future__ import annotations

import sys

from dupai.history._tracker._definitions import DEFINITIONS
from dupai.history._tracker._facts import SIZE_CLASSES

_HEAD = """\
# Statistics of players

This page is written from the table in `src/dupai/history/_tracker/_definitions.py` by
`python -m dupai.history._tracker._docs > docs/reference/player-statistics.md`; a test compares the two.

    dupai history stats STORE --player NAME [--by position|street] [--json]
    dupai history leaks STORE --player NAME [--json]

    from dupai.history import PlayerStats
    stats = PlayerStats("NAME"); stats.update(record); stats.estimate("vpip", "button")

The command, the batch (`StatsTable`) and the live object (`PlayerStats`) count with one kernel. Only actions, stacks
and results are looked at, never cards, so an agent may count every hand that it sees.

## How sure

Each statistic has its opportunities `n`, its successes, the observed ratio, and an estimate with a 95 % interval. The
estimate is drawn towards the population of tables of the same size (2, 3, 6 or 9 players, whichever is nearest) and, by
position, of the same position: a Beta prior whose weight, in opportunities, says how much players differ (the less they
differ, the more it weighs; at most 200). With `n` = 0 the estimate is the population's and is marked. Who plays at
tables of several sizes gets their priors mixed by his opportunities there. bb/100 and mean sizes have normal priors in
the same way. How the priors are fitted, and from what: `src/dupai/history/_tracker/_fit.py`; they come from the shared
hand histories (professionals and a program heads-up, six- and nine-handed tables online, six-handed professionals), so
they are the population of *those* games. Each player counts once there, however many hands he has, so a prior is that
of a player picked at random, who is looser than the average seat: who plays much plays tighter. Limit games are counted
by the same definitions but have no priors of their own.

Positions: `early`, `middle`, `late` (the cutoff), `button`, `small blind`, `big blind`; heads-up `button` (who posts
the small blind) and `big blind`. Between big blind and cutoff the first half, rounded up, is early.

Bets and raises are counted without the blinds: before the flop the first raise is the open raise, the second the 3-bet.
A short all-in above the bet counts as a raise. Unless it says "every", a statistic counts once a street and hand: its
first decision that fits. "May raise" leaves out those who face an all-in with nothing left to raise.

## Definitions

| name | statistic | an opportunity is | done when the player | as in |
|---|---|---|---|---|
"""

_TAIL = """\

The aggression factor is printed as bets and raises per call; its interval is that of the share of bets and raises among
them, turned into odds.

`bb/100`: net result, after rake, in big blinds per 100 hands dealt (without blinds: in the largest ante). Every hand
counts, walks too.

## Bet sizes

Chips beyond the call as a fraction of the pot after the call: half the pot is 0.5 whether it is bet or raised. Counted
before the flop (raises) and on each street (bets and raises apart), in the classes {classes} of the pot; a size that
puts in the last chip is an all-in and stands outside the mean. Limit games are left out.

## Leaks

Every hand of a player falls into one situation: position; what he last did before the flop other than folding; the
last street he was in; and on the flop whether he made a c-bet, could have, or faced one (before it, whether he was
re-raised). For each: hands, its share of the result in bb per 100 hands dealt with a 95 % interval, what the difference
to everybody else in the same situation (in the same hands) costs, and how many more hands it takes to know the share to
±10 mbb per hand. Many situations are compared at once, so some look bad by chance: `p` is given with Holm's correction
beside it. The last street is part of what happened, not of what was decided: who folds on the flop has lost his chips.
The comparison with the others, who folded there too, is what to look at.
"""


def definitions_page() -> str:
    """The text of docs/reference/player-statistics.md."""
    rows = "".join(f"| `{d.name}` | {d.title} | {d.opportunity} | {d.success} | {d.source} |\n" for d in DEFINITIONS)
    return _HEAD + rows + _TAIL.format(classes=", ".join(f"`{c}`" for c in SIZE_CLASSES))


if __name__ == "__main__":
    sys.stdout.write(definitions_page())
