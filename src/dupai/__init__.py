"""dupai (读牌, "to read cards"): a Texas Hold'em AI that reads hands, adapts to opponents and proves how good it is.

    import dupai

    dupai.equity(["AsKs", "QQ+,AK"], board="2c7dTh")   # who wins how often
    dupai.Range("QQ+,AK")                              # a weighted range; draws itself in a notebook
    dupai.Hand("AsKs") in dupai.Range("QQ+,AK")        # cards, hands, boards and ranges are values
    dupai.describe("AsAdKh4d4h9c2s")                   # 'two pair, aces and fours, king kicker'
    dupai.win_rate("AsKs", "2c7dTh")                   # against one uniform hand, from a table
    dupai.advise("6 players, button, AhQh; folds to me")  # what the advisor would do, and why
    dupai.read("6 players, bb, AhQh; utg raises to 300, folds to me")  # what the others seem to hold
    dupai.review(record, "Vera")                       # what a player's decisions gave up
    dupai.solve("river.toml")                          # a heads-up spot, solved
    dupai.play("rules", "persona", hands=1000)        # a duplicate match: mbb/hand with its interval

Importing this package loads nothing slow: each name is fetched from its floor on first use.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.agents import Agent as Agent, make_agent as make_agent
    from dupai.arena import play as play
    from dupai.arena.live import advise as advise, read as read, review as review
    from dupai.base import DupaiError as DupaiError, Estimate as Estimate, Rng as Rng, __version__ as __version__
    from dupai.cards import (
        Board as Board,
        Card as Card,
        Hand as Hand,
        card as card,
        describe as describe,
        strength as strength,
        strengths as strengths,
    )
    from dupai.cfr import solve as solve
    from dupai.equity import (
        EquityResult as EquityResult,
        equity as equity,
        outs as outs,
        potential as potential,
        win_rate as win_rate,
        win_rates as win_rates,
    )
    from dupai.ranges import Range as Range
    from dupai.rules import (
        Action as Action,
        GameSpec as GameSpec,
        HandRecord as HandRecord,
        HandState as HandState,
        View as View,
        load_game as load_game,
    )
else:
    # `dupai.equity` is the function; the floor of that name is reached by `from dupai.equity import ...`.
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
