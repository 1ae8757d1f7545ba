"""dupai (读牌, "to read cards"): a Texas Hold'em AI that reads hands, adapts to opponents and proves how good it is.

    import dupai

    dupai.equity(["AsKs", "QQ+,AK"], board="2c7dTh")   # who wins how often
    dupai.Range("QQ+,AK")                              # a weighted range; draws itself in a notebook
    dupai.describe("AsAdKh4d4h9c2s")                   # 'two pair, aces and fours, king kicker'
    dupai.win_rate("AsKs", "2c7dTh")                   # against one uniform hand, from a table
    dupai.play("rules", "style:TA", hands=1000)        # a duplicate match: mbb/hand with its interval

Importing this package loads nothing slow: each name is fetched from its floor on first use.
"""

from typing import TYPE_CHECKING

from dupai.base import __version__, lazy_exports

if TYPE_CHECKING:
    from dupai.agents import Agent, make_agent
    from dupai.arena import play
    from dupai.base import DupaiError, Estimate, Rng
    from dupai.cards import card, describe, strength, strengths
    from dupai.equity import EquityResult, equity, outs, potential, win_rate, win_rates
    from dupai.ranges import Range
    from dupai.rules import Action, GameSpec, HandRecord, HandState, View, load_game
else:
    # `dupai.equity` is a floor and a function of that name: the floor's module can be called (see its front door).
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "Action": "dupai.rules",
            "Agent": "dupai.agents",
            "DupaiError": "dupai.base",
            "EquityResult": "dupai.equity",
            "Estimate": "dupai.base",
            "GameSpec": "dupai.rules",
            "HandRecord": "dupai.rules",
            "HandState": "dupai.rules",
            "Range": "dupai.ranges",
            "Rng": "dupai.base",
            "View": "dupai.rules",
            "card": "dupai.cards",
            "describe": "dupai.cards",
            "load_game": "dupai.rules",
            "make_agent": "dupai.agents",
            "outs": "dupai.equity",
            "play": "dupai.arena",
            "potential": "dupai.equity",
            "strength": "dupai.cards",
            "strengths": "dupai.cards",
            "win_rate": "dupai.equity",
            "win_rates": "dupai.equity",
        },
        modules=("equity",),
    )

__all__ = [
    "Action",
    "Agent",
    "DupaiError",
    "EquityResult",
    "Estimate",
    "GameSpec",
    "HandRecord",
    "HandState",
    "Range",
    "Rng",
    "View",
    "__version__",
    "card",
    "describe",
    "equity",
    "load_game",
    "make_agent",
    "outs",
    "play",
    "potential",
    "strength",
    "strengths",
    "win_rate",
    "win_rates",
]
