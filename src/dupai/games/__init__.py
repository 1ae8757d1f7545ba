"""Games: the small-game protocol, its walks and its conformance kit; Kuhn and Leduc poker,
one-street hold'em.

Small games are where what holds for poker can be checked to the last digit: unbiasedness by enumeration, equilibria by
their known values.
"""

from dupai.games._check import GameReport, check_game
from dupai.games._game import CHANCE, OVER, Game
from dupai.games._kuhn import Kuhn, KuhnState, kuhn_equilibrium
from dupai.games._leduc import LEDUC_CALL, LEDUC_FOLD, LEDUC_RAISE, Leduc, LeducState
from dupai.games._one_street import ONE_STREET_CALL, ONE_STREET_FOLD, OneStreetHoldem, OneStreetState
from dupai.games._policies import Policy, TabularPolicy, random_policy, uniform_policy
from dupai.games._walk import TreeSize, expected_payoffs, playout, terminal_lines, tree_size, walk

__all__ = [
    "CHANCE",
    "LEDUC_CALL",
    "LEDUC_FOLD",
    "LEDUC_RAISE",
    "ONE_STREET_CALL",
    "ONE_STREET_FOLD",
    "OVER",
    "Game",
    "GameReport",
    "Kuhn",
    "KuhnState",
    "Leduc",
    "LeducState",
    "OneStreetHoldem",
    "OneStreetState",
    "Policy",
    "TabularPolicy",
    "TreeSize",
    "check_game",
    "expected_payoffs",
    "kuhn_equilibrium",
    "playout",
    "random_policy",
    "terminal_lines",
    "tree_size",
    "uniform_policy",
    "walk",
]
