"""The reader ``bucket``."""

from __future__ import annotations

from typing import Annotated

from dupai.base import Option
from dupai.reading._bucket._groups import STRENGTH_GROUPS
from dupai.reading._bucket._model import BucketModel, Learn, Strangers
from dupai.reading._filter import Filter


class BucketReader(Filter):
    """The MCTS paper's reader: frequencies of actions by strength bucket over a sliding window, and Bayes.

    In limit games it knows nothing of a player before it has seen him play; in no-limit games it expects of him what
    the players of the shared logs did. Source: Cao, Liu, "Computer Texas Hold'em based on
    Monte-Carlo Tree Search", section 3.
    """

    model: BucketModel

    def __init__(
        self,
        window: Annotated[int, Option("hands of a player that are remembered", 1)] = 1000,
        buckets: Annotated[int, Option("classes of hands on every street", 2, 100)] = STRENGTH_GROUPS,
        smoothing: Annotated[float, Option("decisions a bucket that the mean over all counts for", 0.001)] = 4.0,
        learn: Annotated[Learn, Option("from all hands (unseen ones by expectation), or shown ones only")] = "all",
        strangers: Annotated[
            Strangers, Option("no-limit: what strangers do: as the players of the shared logs, or anything")
        ] = "population",
        uniform: Annotated[float, Option("share of the uniform distribution in a reading", 0.0, 0.99)] = 0.03,
        joint: Annotated[bool, Option("whether readings respect that no two players hold the same card")] = True,
    ) -> None:
        super().__init__(BucketModel(window, buckets, smoothing, learn, strangers), uniform=uniform, joint=joint)
