"""Training before the flop: 169 classes of hands are all the hands there are, so every reading is exact."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dupai.base.arrays import AnyArray as Array
from dupai.cards import CLASS_SIZE, COMBO_CLASS, COMBOS
from dupai.reading import populations
from dupai.training._corpus import Corpus, Decisions, find_cases, group_weights, rows_of
from dupai.training._model._fit import GENERATIVE, Bits, FitSettings, Run, Task, fit, make_net, precision, some_hidden

#: Cases that judge an epoch in one go.
_JUDGED = 1024
#: Cases that a step works out in one go, with 169 hands each at one or two decisions.
_AT_ONCE = 128


def unique_rows(features: Array, legal: Array, group: Array) -> tuple[Array, Array]:
    """Decisions that are the same to the network: the first index of each, and which one each row is."""
    bits = np.concatenate(
        [np.ascontiguousarray(a).view(np.uint8) for a in (features.astype(np.float16), legal, group[:, None])], axis=1
    )
    h = np.zeros(len(bits), np.uint64)
    with np.errstate(over="ignore"):
        for k in range(bits.shape[1]):
            h = (h ^ bits[:, k]) * np.uint64(0x100000001B3)
            h ^= h >> np.uint64(29)
    _, index, inverse = np.unique(h, return_index=True, return_inverse=True)
    return index, inverse


def train_preflop(
    corpus: Corpus, decisions: Decisions, settings: FitSettings, run: Run, start: Any = None
) -> tuple[Any, Bits]:
    """Train a network on the readings after the betting before the flop.

    The loss of a case is minus the bits of its reading, plus :data:`GENERATIVE` times that of its actions given the
    true hand. See :func:`~dupai.training._model._fit.fit` for the arguments and the result.
    """
    task = _Preflop(corpus, decisions, settings, run)
    run.log(f"{len(task.lengths):,} cases, {len(task.owner):,} decisions, {len(task.public):,} different")
    return fit(task, settings, run, start)


class _Preflop(Task):
    """See :class:`~dupai.training._model._fit.Task`. Decisions that the network cannot tell apart count as one."""

    name, warm, slower, warm_batch, judges = "before the flop", 25, 3.0, 4096, 2500

    def __init__(self, corpus: Corpus, decisions: Decisions, settings: FitSettings, run: Run) -> None:
        super().__init__(settings, run)
        self.cases = cases = find_cases(corpus, decisions.did, (0,))
        self.group = self.judged = cases.group
        self.lengths = np.diff(cases.first)
        self.owner = np.repeat(np.arange(len(self.lengths)), self.lengths)
        rows, group = cases.decision, cases.group[self.owner]
        index, self.same = unique_rows(decisions.features[rows], decisions.legal[rows], group.astype(np.int8))
        self.act = decisions.did[rows].astype(np.int64)
        self.klass = COMBO_CLASS[cases.combo].astype(np.int64)
        self.weight = group_weights(cases.group)
        self.public = self.tensor(decisions.features[rows[index]].astype(np.float32))
        self.legal = self.tensor(decisions.legal[rows[index]])
        self.groups = self.tensor(group[index])
        self.prior = self.torch.log(self.tensor(CLASS_SIZE.astype(np.float32) / COMBOS))
        self.every = self.torch.arange(len(CLASS_SIZE), device=run.device)
        public = decisions.features.shape[1]
        net = make_net(self.torch, len(CLASS_SIZE), public, dropout=settings.dropout, by_index=True)
        self.net = net.to(run.device)
        mine = np.isin(cases.group, settings.only) if settings.only is not None else True
        self.pool, self.valid = (np.flatnonzero((cases.part == part) & mine) for part in (0, 1))
        self.singles = np.flatnonzero(np.isin(self.owner, self.pool) & (group != populations.SHOWN))

    def actions(self, some: Array) -> Any:
        torch = self.torch
        at = self.tensor(self.same[some])
        group = some_hidden(torch, self.groups[at]) if self.hides else self.groups[at]
        klass = self.tensor(self.klass[self.owner[some]])
        logits = self.net(klass.unsqueeze(1), self.public[at], group).squeeze(1).masked_fill(~self.legal[at], -1e4)
        weight = self.tensor(self.weight[self.owner[some]].astype(np.float32))
        loss = torch.nn.functional.cross_entropy(logits, self.tensor(self.act[some]), reduction="none")
        return (weight * loss).sum() / weight.sum()

    def readings(self, some: Array) -> Iterator[Any]:
        weights = self.weight[some] * np.where(self.cases.folded[some], 0.5, 1.0)
        weights /= weights.sum()
        # Where most decisions are alike (of programs), parts would work out the same ones again.
        size = len(some) if len(np.unique(self.same[rows_of(self.cases.first, some)])) < 2 * _AT_ONCE else _AT_ONCE
        for i in range(0, len(some), size):
            part = slice(i, i + size)
            gain, true = self._gains(some[part], True)
            weight = self.tensor(weights[part].astype(np.float32))
            natural = self.tensor((self.group[some[part]] != populations.SHOWN).astype(np.float32))
            yield -(weight * (gain + GENERATIVE * natural * true)).sum()

    def judge(self) -> tuple[float, Bits]:
        with self.torch.no_grad():
            slices = (self.valid[i : i + _JUDGED] for i in range(0, len(self.valid), _JUDGED))
            bits = np.concatenate([self._gains(some, False)[0].cpu().numpy() for some in slices]) / np.log(2)
        live, group = ~self.cases.folded[self.valid], self.group[self.valid]
        # A population of whom everybody folds says nothing here: its mean would be no number, and so would all means.
        means = {populations.NAMES[g]: float(bits[(group == g) & live].mean()) for g in np.unique(group[live])}
        return float(np.mean(list(means.values()))), {name: [mean] for name, mean in means.items()}

    def _gains(self, some: Array, learn: bool) -> tuple[Any, Any]:
        """For each case the log of the reading of its hand (up to what its hand had before anything was done), and of
        its actions given the hand."""
        torch = self.torch
        flat = rows_of(self.cases.first, some)
        owner = np.repeat(np.arange(len(some)), self.lengths[some])
        u, inverse = np.unique(self.same[flat], return_inverse=True)
        at = self.tensor(u)
        group = some_hidden(torch, self.groups[at]) if learn and self.hides else self.groups[at]
        with precision(torch, self.device):
            logits = self.net(self.every, self.public[at], group)
        logp = torch.log_softmax(logits.float().masked_fill(~self.legal[at].unsqueeze(1), -1e4), 2)
        done = logp[self.tensor(inverse), :, self.tensor(self.act[flat])]
        total = torch.zeros((len(some), len(self.every)), device=self.device)
        total = total.index_add_(0, self.tensor(owner), done)
        true = total.gather(1, self.tensor(self.klass[some]).unsqueeze(1)).squeeze(1)
        return true - torch.logsumexp(total + self.prior, 1), true
