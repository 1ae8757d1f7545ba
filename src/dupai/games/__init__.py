"""Games: the small-game protocol, its walks and its conformance kit; Kuhn and Leduc poker, one-street hold'em.

Small games allow exact checks of what holds for poker: unbiasedness by enumeration, equilibria by their known values.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.games._check import GameReport as GameReport, check_game as check_game
    from dupai.games._game import CHANCE as CHANCE, OVER as OVER, Game as Game
    from dupai.games._kuhn import Kuhn as Kuhn, KuhnState as KuhnState
    from dupai.games._leduc import (
        LEDUC_CALL as LEDUC_CALL,
        LEDUC_FOLD as LEDUC_FOLD,
        LEDUC_RAISE as LEDUC_RAISE,
        Leduc as Leduc,
        LeducState as LeducState,
    )
    from dupai.games._one_street import (
        ONE_STREET_CALL as ONE_STREET_CALL,
        ONE_STREET_FOLD as ONE_STREET_FOLD,
        OneStreetHoldem as OneStreetHoldem,
        OneStreetState as OneStreetState,
    )
    from dupai.games._policies import (
        Policy as Policy,
        TabularPolicy as TabularPolicy,
        random_policy as random_policy,
        uniform_policy as uniform_policy,
    )
    from dupai.games._walk import (
        TreeSize as TreeSize,
        expected_payoffs as expected_payoffs,
        playout as playout,
        terminal_lines as terminal_lines,
        tree_size as tree_size,
        walk as walk,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
