"""Training: everything that is fitted to recorded hands or scored on them.

Scores of readers, cross-validation, recipes and self-play for the reader ``model``, the convolutional
opponent model, and the counted tables. Only this floor uses torch, and only once a training begins.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.training._blueprint import (
        TrainedBlueprint as TrainedBlueprint,
        blueprint_games as blueprint_games,
        train_blueprint as train_blueprint,
    )
    from dupai.training._cnn._samples import cnn_samples as cnn_samples
    from dupai.training._cnn._train import (
        StepScore as StepScore,
        TrainedCnn as TrainedCnn,
        cnn_steps as cnn_steps,
        score_cnn as score_cnn,
        train_cnn as train_cnn,
    )
    from dupai.training._fold import learn_fold as learn_fold
    from dupai.training._model._folds import cross_validate as cross_validate
    from dupai.training._model._reader import (
        TrainedReader as TrainedReader,
        train_reader as train_reader,
    )
    from dupai.training._model._selfplay import (
        SelfPlayed as SelfPlayed,
        play_itself as play_itself,
    )
    from dupai.training._population import learn_population as learn_population
    from dupai.training._score._report import PairRow as PairRow, ScoreReport as ScoreReport, ScoreRow as ScoreRow
    from dupai.training._score._run import score_readers as score_readers
    from dupai.training._settings import (
        BlueprintSettings as BlueprintSettings,
        CnnSettings as CnnSettings,
        FoldFitSettings as FoldFitSettings,
        FoldSettings as FoldSettings,
        SelfPlaySettings as SelfPlaySettings,
        TrainSettings as TrainSettings,
    )
    from dupai.training._sources import (
        KnownShare as KnownShare,
        content as content,
        without_cards as without_cards,
    )
    from dupai.training._split import part_of as part_of, source_name as source_name, split_keys as split_keys
    from dupai.training._tables import (
        count_population as count_population,
        learn_markov as learn_markov,
        learn_start_table as learn_start_table,
        markov_sequences as markov_sequences,
        save_markov as save_markov,
        save_population as save_population,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
