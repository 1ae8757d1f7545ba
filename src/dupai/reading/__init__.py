"""Reading hands: from the actions of a player to a probability for each of the 1326 hands that they may hold.

A :class:`Reader` answers for any seat dealt in; most are a :class:`Filter` over an action model. What fits and scores
readers is in :mod:`dupai.training`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading._draws import HAND_DRAWS as HAND_DRAWS, hand_draws as hand_draws, hand_shares as hand_shares
    from dupai.reading._filter import (
        FORCE as FORCE,
        Filter as Filter,
        joint_marginals as joint_marginals,
        legal_hands as legal_hands,
        possible_hands as possible_hands,
        posterior as posterior,
    )
    from dupai.reading._markov import MARKOV_SYMBOLS as MARKOV_SYMBOLS, Markov as Markov, symbols_of as symbols_of
    from dupai.reading._protocol import (
        ClassPredictor as ClassPredictor,
        Reader as Reader,
        ReadsApart as ReadsApart,
        Saveable as Saveable,
        can_save as can_save,
        readings_to_draw as readings_to_draw,
    )
    from dupai.reading._reading import HAND_CLASSES as HAND_CLASSES, Reading as Reading, hand_classes as hand_classes
    from dupai.reading._registry import (
        ReaderInfo as ReaderInfo,
        load_reader as load_reader,
        reader_info as reader_info,
        reader_names as reader_names,
        reader_packages as reader_packages,
        readers as readers,
    )
    from dupai.reading._start_table import (
        StartTable as StartTable,
        UniformReader as UniformReader,
        shipped_table as shipped_table,
    )
    from dupai.reading._watch import (
        DecidedStreet as DecidedStreet,
        WatchedStreet as WatchedStreet,
        draw as draw,
        hidden_hands as hidden_hands,
        street_states as street_states,
        streets as streets,
        watch as watch,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
