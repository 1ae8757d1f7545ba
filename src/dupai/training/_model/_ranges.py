"""Second stage of training: the ranges of all players at every decision, by the readers of the first stage."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress
from dupai.cards import COMBOS
from dupai.reading import (
    RANGE_PUBLIC,
    RANGE_STORED,
    ReaderWeights,
    TrainedModel,
    masked_softmax,
    posterior,
    range_features,
)
from dupai.rules import load_game
from dupai.spots import Spot
from dupai.training._model._data import Corpus
from dupai.training._model._decisions import Decisions
from dupai.training._model._samples import Samples
from dupai.training._stopped import look_up

Array = npt.NDArray[Any]
_OPEN = (0, 3, 4, 5)


class KnownGroups(TrainedModel):
    """A trained model that is told who belongs to which population."""

    def __init__(self, weights: ReaderWeights) -> None:
        super().__init__(weights, adapt=False)
        self.groups: list[int] = []

    def group(self, spot: Spot, position: int) -> int:
        return self.groups[position]


#: Only the betting structure of a game is looked at.
_GAMES = (load_game("holdem.nolimit.2p"), load_game("holdem.limit.3p"))


def add_ranges(
    corpus: Corpus, decisions: Decisions, samples: Samples, weights: ReaderWeights, progress: Progress | None = None
) -> Samples:
    """The samples with features of ranges: every hand is filtered with ``weights`` for all of its players."""
    look = progress or NoProgress()
    cases = samples.cases
    extra = np.zeros((*samples.block.shape, samples.combo.shape[1], RANGE_STORED), np.float16)
    public = np.zeros((len(samples.block), RANGE_PUBLIC), np.float16)
    case_of = np.repeat(np.arange(len(cases.hand)), np.diff(cases.first))
    wanted = {int(row): (k, int(case_of[k])) for k, row in enumerate(cases.decision)}
    model = KnownGroups(weights)
    hands = np.unique(cases.hand)
    for done, hand in enumerate(hands.tolist()):
        first, end = corpus.first[hand], corpus.first[hand + 1]
        rows = corpus.rows[first:end]
        board = corpus.board[hand].tolist()
        model.groups = corpus.group[hand].tolist()
        last = max((i for i in range(len(rows)) if int(first) + i in wanted), default=-1)
        ranges = np.full((int(rows["players"][0]), COMBOS), 1 / COMBOS)
        for i in range(last + 1):
            street, position, did = int(rows["street"][i]), int(rows["position"][i]), decisions.did[first + i]
            spot = Spot(_GAMES[int(corpus.limit[hand])], rows[: i + 1], tuple(board[: _OPEN[street]]), ranges)
            if int(first) + i in wanted:
                k, case = wanted[int(first) + i]
                stored, said = range_features(spot)
                extra[k] = stored[samples.combo[case]]
                public[k] = said
            if i == last:
                break
            logits = model.logits(spot)
            legal = decisions.legal[first + i][: logits.shape[1]]
            ranges[position] = posterior(ranges[position], masked_softmax(logits, legal)[:, did])
        look.report(done + 1, len(hands), "ranges")
        look_up(look)
    return msgspec.structs.replace(samples, extra=extra, extra_public=public)
