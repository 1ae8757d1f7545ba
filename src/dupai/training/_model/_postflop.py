"""Training after the flop: each case carries its true hand and a sample of others to tell it from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dupai.base.arrays import AnyArray as Array
from dupai.reading import populations
from dupai.reading.features import HAND_SIZE
from dupai.training._corpus import Corpus, Decisions, group_weights, rows_of
from dupai.training._model._fit import (
    GENERATIVE,
    Bits,
    FitSettings,
    Run,
    Task,
    fit,
    make_net,
    number_type,
    precision,
    some_hidden,
)
from dupai.training._model._samples import Samples

#: Cases that judge an epoch in one go.
_JUDGED = 128
#: Cases that a step works out in one go: 128 with 33 hands each at two or three decisions.
_AT_ONCE = 128
#: Numbers that the features of ranges add to a hand and to a decision.
EXTRA_HAND, EXTRA_PUBLIC = 10, 4


def expand_extra(torch: Any, extra: Any) -> Any:
    """``[..., 3]`` (win rate against all and against the aggressor, percentile in the own range) to ``[..., 10]``: the
    percentile as tents."""
    y = extra[..., 2:3] * 7
    tents = torch.relu(1 - torch.abs(y - torch.arange(8, device=extra.device, dtype=extra.dtype)))
    return torch.cat((extra[..., :2], tents), dim=-1)


class _Loader:
    """Batches of samples as tensors."""

    def __init__(self, torch: Any, samples: Samples, decisions: Decisions, device: str) -> None:
        self.torch, self.s, self.device = torch, samples, device
        cases = samples.cases
        self.lengths = np.diff(cases.first)
        self.public = decisions.features[cases.decision]
        if samples.extra_public is not None:
            self.public = np.concatenate((self.public, samples.extra_public), axis=1)
        self.legal = decisions.legal[cases.decision]
        self.act = decisions.did[cases.decision].astype(np.int64)

    def tensor(self, a: Array) -> Any:
        return self.torch.from_numpy(a).to(self.device)

    def batch(self, some: Array, k: int | None = None) -> dict[str, Any]:
        """The cases ``some`` with the first ``k`` hands of each."""
        cases, torch = self.s.cases, self.torch
        exact = number_type(torch, self.device)
        flat = rows_of(cases.first, some)
        owner = np.repeat(np.arange(len(some)), self.lengths[some])
        hand = self.tensor(self.s.hand[self.s.block[flat], :k]).to(exact)
        if self.s.extra is not None:
            extra = expand_extra(torch, self.tensor(self.s.extra[flat, :k].astype(np.float32)))
            hand = torch.cat((hand, extra.to(exact)), dim=-1)
        return {
            "flat": flat,
            "owner": self.tensor(owner),
            "hand": hand,
            "public": self.tensor(self.public[flat].astype(np.float32)),
            "legal": self.tensor(self.legal[flat]),
            "act": self.tensor(self.act[flat]),
            "group": self.tensor(cases.group[some][owner]),
        }


def train_postflop(
    corpus: Corpus, samples: Samples, valid: Samples, decisions: Decisions, settings: FitSettings, run: Run,
    start: Any = None,
) -> tuple[Any, Bits]:  # fmt: skip
    """Train a network on the readings at the end of each street after the first: first on actions given the true hand,
    then on the bits gained over the hands drawn beside it. The best epoch is that on ``valid``.

    The loss, the other arguments and the result are those of :func:`~dupai.training._model._preflop.train_preflop`.
    """
    return fit(_Postflop(corpus, (samples, valid), decisions, settings, run), settings, run, start)


class _Postflop(Task):
    """See :class:`~dupai.training._model._fit.Task`."""

    name, warm, slower, warm_batch, judges = "after the flop", 8, 2.0, 2048, 1500

    def __init__(
        self, corpus: Corpus, samples: tuple[Samples, Samples], decisions: Decisions, settings: FitSettings, run: Run
    ) -> None:
        super().__init__(settings, run)
        extra = samples[0].extra is not None
        hands, public = HAND_SIZE + EXTRA_HAND * extra, decisions.features.shape[1] + EXTRA_PUBLIC * extra
        net = make_net(
            self.torch, hands, public, hidden=settings.hidden, second=settings.second, dropout=settings.dropout
        )
        self.net = net.to(run.device)
        self.loader, self.judge_loader = (_Loader(self.torch, some, decisions, run.device) for some in samples)
        self.streets = corpus.rows["street"]
        self.group, self.judged = (some.cases.group for some in samples)
        self.weight, only = group_weights(self.group), settings.only
        self.pool, self.valid = (
            np.arange(len(group)) if only is None else np.flatnonzero(np.isin(group, only))
            for group in (self.group, self.judged)
        )
        self.singles = self.pool[self.group[self.pool] != populations.SHOWN]

    def actions(self, some: Array) -> Any:
        batch = self.loader.batch(some, 1)
        weight = self.loader.tensor(self.weight[some].astype(np.float32))[batch["owner"]]
        return -(weight * self._chances(batch, True)[:, 0]).sum() / weight.sum()

    def readings(self, some: Array) -> Iterator[Any]:
        loader, cases = self.loader, self.loader.s.cases
        there = self._there(loader, some)
        weights = self.weight[some][:, None] * there * np.where(_last(cases.folded[some], there), 0.5, 1.0)
        total = weights.sum()
        for i in range(0, len(some), _AT_ONCE):
            part = slice(i, i + _AT_ONCE)
            gain, true, _ = self._gains(loader, some[part], True)
            weight = loader.tensor((weights[part] / total).astype(np.float32))
            natural = loader.tensor((self.group[some[part]] != populations.SHOWN).astype(np.float32)).unsqueeze(1)
            yield -(weight * (gain + GENERATIVE * natural * true)).sum()

    def judge(self) -> tuple[float, Bits]:
        torch, cases = self.torch, self.judge_loader.s.cases
        gained, seen = [], []
        with torch.no_grad():
            for i in range(0, len(self.valid), _JUDGED):
                some = self.valid[i : i + _JUDGED]
                gain, _, weight = self._gains(self.judge_loader, some, False)
                before = weight[:, 0] - torch.logsumexp(weight, 1)
                gained.append((gain - before.unsqueeze(1)).cpu().numpy() / np.log(2))
                seen.append(self._there(self.judge_loader, some))
        bits, there = np.concatenate(gained), np.concatenate(seen)
        group, live = cases.group[self.valid], there & ~_last(cases.folded[self.valid], there)
        by_group: Bits = {}
        for g in np.unique(group):
            rows = [bits[(group == g) & live[:, s], s] for s in range(3)]
            by_group[populations.NAMES[g]] = [float(row.mean()) if len(row) else 0.0 for row in rows]
        return float(np.mean([np.mean(row) for row in by_group.values()])), by_group

    def _chances(self, batch: dict[str, Any], learn: bool) -> Any:
        """Log-likelihood of each action with each hand, ``[decisions, hands]``."""
        torch, group = self.torch, batch["group"]
        if learn and self.hides:
            group = some_hidden(torch, group)
        with precision(torch, self.device):
            logits = self.net(batch["hand"], batch["public"], group)
        logits = logits.float().masked_fill(~batch["legal"].unsqueeze(1), -1e4)
        at = batch["act"].view(-1, 1, 1).expand(-1, logits.shape[1], 1)
        return logits.gather(2, at).squeeze(2) - torch.logsumexp(logits, 2)

    def _there(self, loader: _Loader, some: Array) -> Array:
        """``bool[cases, 3]``: on which streets there were any actions."""
        cases = loader.s.cases
        there = np.zeros((len(some), 3), np.bool_)
        flat = rows_of(cases.first, some)
        owner = np.repeat(np.arange(len(some)), loader.lengths[some])
        there[owner, self.streets[cases.decision[flat]] - 1] = True
        return there

    def _gains(self, loader: _Loader, some: Array, learn: bool) -> tuple[Any, Any, Any]:
        """At the end of each street, ``[cases, 3]``: log of the reading of the true hand among those drawn, and of the
        actions on the street given that hand; log of what the hands had before."""
        torch = self.torch
        batch = loader.batch(some)
        chances = self._chances(batch, learn)
        street = self.streets[loader.s.cases.decision[batch["flat"]]]
        at = batch["owner"], loader.tensor(street - 1)
        weight = loader.tensor(loader.s.weight[some])
        total = torch.zeros((len(some), 3, chances.shape[1]), device=self.device)
        total = total.index_put(at, chances, accumulate=True).cumsum(1) + weight.unsqueeze(1)
        true = torch.zeros((len(some), 3), device=self.device).index_put(at, chances[:, 0], accumulate=True)
        return total[:, :, 0] - torch.logsumexp(total, 2), true, weight


def _last(folded: Array, there: Array) -> Array:
    """``bool[cases, 3]``: the street on which the player folded (their last one)."""
    return np.asarray(folded[:, None] & (np.cumsum(there[:, ::-1], 1)[:, ::-1] == 1))
