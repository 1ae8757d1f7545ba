"""Reading hands: from the actions of a player to a probability for each of the 1326 hands that they may hold.

A :class:`Reader` answers for any seat dealt in; most are a :class:`Filter` over an action model. What fits and scores
readers is in :mod:`dupai.training`.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.reading._bucket._groups import (
        FACINGS as FACINGS,
        PRICED as PRICED,
        STRENGTH_GROUPS as STRENGTH_GROUPS,
        facing_of as facing_of,
        hand_buckets as hand_buckets,
        is_counted as is_counted,
    )
    from dupai.reading._bucket._kernels import SIZE_EDGES as SIZE_EDGES, facing_class_kernel as facing_class_kernel
    from dupai.reading._bucket._model import BucketModel as BucketModel, BucketReader as BucketReader
    from dupai.reading._cnn._file import (
        CNN_INPUTS as CNN_INPUTS,
        CNN_MENUS as CNN_MENUS,
        CNN_MOVE_OF as CNN_MOVE_OF,
        CNN_MOVES as CNN_MOVES,
        CNN_VERSION as CNN_VERSION,
        CnnAbout as CnnAbout,
        CnnWeights as CnnWeights,
        check_cnn_encoding as check_cnn_encoding,
        load_cnn as load_cnn,
        start_rates as start_rates,
    )
    from dupai.reading._cnn._kernels import (
        CNN_SIDE as CNN_SIDE,
        matrices_kernel as matrices_kernel,
        sample_features_kernel as sample_features_kernel,
    )
    from dupai.reading._cnn._model import CnnModel as CnnModel, CnnReader as CnnReader
    from dupai.reading._draws import HAND_DRAWS as HAND_DRAWS, hand_draws as hand_draws
    from dupai.reading._filter import (
        FORCE as FORCE,
        Filter as Filter,
        Prior as Prior,
        asked_positions as asked_positions,
        joint_marginals as joint_marginals,
        legal_hands as legal_hands,
        possible_hands as possible_hands,
        posterior as posterior,
    )
    from dupai.reading._fold._constants import (
        PAPER_CONSTANTS as PAPER_CONSTANTS,
        FoldConstants as FoldConstants,
        FoldFile as FoldFile,
        WinRateInterval as WinRateInterval,
        game_kind as game_kind,
    )
    from dupai.reading._fold._kernels import likelihood_kernel as likelihood_kernel
    from dupai.reading._fold._model import (
        DFModel as DFModel,
        board_rates as board_rates,
        entry_share as entry_share,
        hand_percentiles as hand_percentiles,
    )
    from dupai.reading._markov import MARKOV_SYMBOLS as MARKOV_SYMBOLS, Markov as Markov, symbols_of as symbols_of
    from dupai.reading._model._features import range_features as range_features, top_ranges as top_ranges
    from dupai.reading._model._habits import (
        DECISION_KINDS as DECISION_KINDS,
        HABIT_STAGES as HABIT_STAGES,
        PLAIN_PRIOR as PLAIN_PRIOR,
        HabitPrior as HabitPrior,
        Habits as Habits,
        HabitTrust as HabitTrust,
        KnownHabits as KnownHabits,
        habit_prior as habit_prior,
    )
    from dupai.reading._model._kernels.hands import HAND_SIZE as HAND_SIZE, hand_features_kernel as hand_features_kernel
    from dupai.reading._model._kernels.public import (
        ACTION_CLASSES as ACTION_CLASSES,
        PUBLIC_SIZE as PUBLIC_SIZE,
        class_of_kernel as class_of_kernel,
        legal_classes_kernel as legal_classes_kernel,
        public_features_kernel as public_features_kernel,
    )
    from dupai.reading._model._kernels.ranges import RANGE_PUBLIC as RANGE_PUBLIC, RANGE_STORED as RANGE_STORED
    from dupai.reading._model._model import TrainedModel as TrainedModel
    from dupai.reading._model._network import (
        Network as Network,
        masked_softmax as masked_softmax,
        sharpened as sharpened,
    )
    from dupai.reading._model._weights import (
        SHIPPED_READER as SHIPPED_READER,
        ReaderWeights as ReaderWeights,
        load_weights as load_weights,
        network_arrays as network_arrays,
        save_weights as save_weights,
        save_with_priors as save_with_priors,
        step_arrays as step_arrays,
    )
    from dupai.reading._protocol import (
        ClassPredictor as ClassPredictor,
        Reader as Reader,
        ReadsApart as ReadsApart,
        Saveable as Saveable,
        readings_to_draw as readings_to_draw,
    )
    from dupai.reading._reading import HAND_CLASSES as HAND_CLASSES, Reading as Reading, hand_classes as hand_classes
    from dupai.reading._registry import (
        ReaderInfo as ReaderInfo,
        load_reader as load_reader,
        reader_info as reader_info,
        reader_names as reader_names,
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
