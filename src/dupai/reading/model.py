"""The trained action model: features, network, weights and the habits of a player."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading._model._features import range_features as range_features
    from dupai.reading._model._habits import (
        DECISION_KINDS as DECISION_KINDS,
        HABIT_STAGES as HABIT_STAGES,
        PLAIN_PRIOR as PLAIN_PRIOR,
        HabitPrior as HabitPrior,
        Habits as Habits,
        HabitTrust as HabitTrust,
        KnownHabits as KnownHabits,
        habit_prior as habit_prior,
        preflop_traits as preflop_traits,
    )
    from dupai.reading._model._identified import IdentifiedModel as IdentifiedModel
    from dupai.reading._model._kernels.ranges import RANGE_PUBLIC as RANGE_PUBLIC, RANGE_STORED as RANGE_STORED
    from dupai.reading._model._model import TrainedModel as TrainedModel
    from dupai.reading._model._network import (
        Network as Network,
        sharpened as sharpened,
    )
    from dupai.reading._model._weights import (
        SHIPPED_READER as SHIPPED_READER,
        ReaderWeights as ReaderWeights,
        load_weights as load_weights,
        network_arrays as network_arrays,
        save_networks as save_networks,
        save_weights as save_weights,
        save_with_priors as save_with_priors,
        step_arrays as step_arrays,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
