"""Training after the flop: each case carries its true hand and a sample of others to tell it from."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress
from dupai.cards import COMBO_MASK, mask_of
from dupai.equity import load_win_rate_table
from dupai.reading._model._features import top_ranges
from dupai.reading._model._groups import NAMES, SHOWN, UNKNOWN
from dupai.reading._model._kernels import HAND_SIZE
from dupai.reading._train._data import Corpus
from dupai.reading._train._kernels import sampled_hands_kernel
from dupai.reading._train._net import make_net
from dupai.reading._train._preflop import Cases, few_of_each, find_cases, group_weights
from dupai.reading._train._stopped import look_up

Array = npt.NDArray[Any]
_OPEN = (0, 3, 4, 5)


class Samples(msgspec.Struct, kw_only=True):
    """Cases after the flop with the hands that they are trained on.

    Attributes:
        cases: those of the streets after the first, in the parts asked for.
        combo: ``int16[n, 1 + k]``, the true hand first.
        weight: ``float32[n, 1 + k]``: log of the reading before the flop, over the chance of being drawn.
        block: ``int64[m]`` for each of ``cases.decision``: row of ``hand``.
        hand: ``float16[blocks, 1 + k, 70]``.
        extra: ``float16[m, 1 + k, 3]`` for each decision, or None: features of ranges.
        extra_public: ``float16[m, 4]``, or None.
    """

    cases: Cases
    combo: Array
    weight: Array
    block: Array
    hand: Array
    extra: Array | None = None
    extra_public: Array | None = None


def keep_cases(cases: Cases, keep: Array) -> Cases:
    """Only some of the cases."""
    lengths = np.diff(cases.first)
    flat = np.concatenate([np.arange(cases.first[i], cases.first[i + 1]) for i in keep])
    return Cases(
        hand=cases.hand[keep],
        position=cases.position[keep],
        group=cases.group[keep],
        combo=cases.combo[keep],
        part=cases.part[keep],
        folded=cases.folded[keep],
        first=np.concatenate(([0], np.cumsum(lengths[keep]))),
        decision=cases.decision[flat],
    )


def draw_hands(
    corpus: Corpus, cases: Cases, reading: Array, k: int, rng: np.random.Generator, proposal: Array | None = None
) -> tuple[Array, Array]:
    """Hands to tell the true one from, and log weights; ``reading`` ``float32[n, 1326]`` before the flop. Half of them
    are drawn from the reading (or ``proposal``), half evenly, none of them twice in expectation."""
    n = len(cases.hand)
    combo = np.empty((n, 1 + k), np.int16)
    weight = np.empty((n, 1 + k), np.float32)
    for i in range(n):
        board = corpus.board[cases.hand[i]]
        legal = (COMBO_MASK & np.uint64(mask_of([c for c in board.tolist() if c != 255]))) == 0
        true = cases.combo[i]
        p = reading[i].astype(np.float64) * legal
        p /= p.sum()
        base = p if proposal is None else proposal[i].astype(np.float64) * legal
        base = base / base.sum()
        q = 0.5 * base + 0.2 * p + 0.3 * legal / legal.sum()
        q[true] = 0.0
        q /= q.sum()
        # Systematic draws: lower variance than independent ones.
        marks = (np.arange(k) + rng.random()) / k
        drawn = np.searchsorted(np.cumsum(q), marks, side="right").clip(0, 1325)
        combo[i, 0] = true
        combo[i, 1:] = drawn
        weight[i, 0] = np.log(max(p[true], 1e-12))
        weight[i, 1:] = np.log(np.maximum(p[drawn], 1e-12) / (q[drawn] * k))
    return combo, weight


def make_blocks(
    corpus: Corpus, cases: Cases, combo: Array, *, log: Any = print, progress: Progress | None = None
) -> tuple[Array, Array]:
    """``block`` and ``hand`` of :class:`Samples`."""
    look = progress or NoProgress()
    began = time.time()
    lengths = np.diff(cases.first)
    case_of = np.repeat(np.arange(len(lengths)), lengths)
    street = corpus.rows["street"][cases.decision]
    key = case_of * 4 + street
    blocks, block = np.unique(key, return_inverse=True)
    hand = np.empty((len(blocks), combo.shape[1], HAND_SIZE), np.float16)
    table = load_win_rate_table(False)
    for s in (1, 2, 3):
        where = np.flatnonzero(blocks % 4 == s)
        boards = corpus.board[cases.hand[blocks[where] // 4]].copy()
        if s == 1:
            boards[:, :3].sort(axis=1)
        order = np.lexsort(boards.T[::-1])
        where, boards = where[order], np.ascontiguousarray(boards[order])
        chosen = np.ascontiguousarray(combo[blocks[where] // 4])
        for i in range(0, len(where), 50):  # a slice is at most 100 ms
            j = min(i + 50, len(where))
            out = np.empty((j - i, combo.shape[1], HAND_SIZE), np.float32)
            sampled_hands_kernel(table, boards, _OPEN[s], top_ranges(), chosen, out, i, j)
            hand[where[i:j]] = out
            look.report(j, len(where), f"hands on street {s}")
            look_up(look)
        log(f"street {s}: {len(where):,} blocks, {time.time() - began:.0f}s")
    return block, hand


def make_samples(
    corpus: Corpus,
    did: Array,
    parts: tuple[int, ...],
    reading: Any,
    k: int = 32,
    seed: int = 0,
    log: Any = print,
    progress: Progress | None = None,
) -> Samples:
    """Samples of these parts; ``reading(hands, positions) -> float32[n, 1326]`` gives readings before the flop."""
    look = progress or NoProgress()
    rng = np.random.default_rng(seed)
    cases = find_cases(corpus, did, (1, 2, 3))
    keep = np.flatnonzero(np.isin(cases.part, parts) & (corpus.board[cases.hand, 2] != 255))
    cases = keep_cases(cases, keep)
    combo = np.empty((len(cases.hand), 1 + k), np.int16)
    weight = np.empty((len(cases.hand), 1 + k), np.float32)
    for i in range(0, len(cases.hand), 4096):
        some = np.arange(i, min(i + 4096, len(cases.hand)))
        small = keep_cases(cases, some)
        combo[some], weight[some] = draw_hands(corpus, small, reading(small.hand, small.position), k, rng)
        look.report(i + len(some), len(cases.hand), "hands to tell apart")
        look_up(look)
    log(f"{len(cases.hand):,} cases, {len(cases.decision):,} decisions after the flop")
    block, hand = make_blocks(corpus, cases, combo, log=log, progress=look)
    return Samples(cases=cases, combo=combo, weight=weight, block=block, hand=hand)


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

    def __init__(self, torch: Any, samples: Samples, features: Array, did: Array, legal: Array, device: str) -> None:
        self.torch, self.s, self.device = torch, samples, device
        cases = samples.cases
        self.lengths = np.diff(cases.first)
        self.public = features[cases.decision]
        if samples.extra_public is not None:
            self.public = np.concatenate((self.public, samples.extra_public), axis=1)
        self.legal = legal[cases.decision]
        self.act = did[cases.decision].astype(np.int64)
        self.street = None

    def tensor(self, a: Array) -> Any:
        return self.torch.from_numpy(a).to(self.device)

    def batch(self, some: Array, k: int | None = None) -> dict[str, Any]:
        """The cases ``some`` with the first ``k`` hands of each."""
        cases, torch = self.s.cases, self.torch
        flat = np.concatenate([np.arange(cases.first[i], cases.first[i + 1]) for i in some])
        owner = np.repeat(np.arange(len(some)), self.lengths[some])
        hand = self.tensor(self.s.hand[self.s.block[flat], :k]).to(torch.bfloat16)
        if self.s.extra is not None:
            extra = expand_extra(torch, self.tensor(self.s.extra[flat, :k].astype(np.float32)))
            hand = torch.cat((hand, extra.to(torch.bfloat16)), dim=-1)
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
    corpus: Corpus,
    samples: Samples,
    valid: Samples,
    features: Array,
    did: Array,
    legal: Array,
    *,
    epochs: int = 5,
    warm: int = 8,
    most: int = 8000,
    seed: int = 0,
    device: str = "cpu",
    dropout: float = 0.2,
    hidden: int = 96,
    second: int = 64,
    generative: float = 0.5,
    batch: int = 768,
    rate: float = 2e-3,
    start: Any = None,
    only: tuple[int, ...] | None = None,
    last: bool = False,
    progress: Progress | None = None,
    log: Any = print,
    save: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """Train a network on the readings at the end of each street after the first (see :func:`train_preflop`): first on
    actions given the true hand, then on the bits gained over the hands drawn beside it. The best epoch by mean bits on
    ``valid`` is kept.

    Args:
        start: weights to go on from (then there is no warm-up).
        only: train on these groups only.
        last: keep the last epoch; nothing is judged.
    """
    # Long because warm-up, training and judging share the tensors.
    import torch

    look = progress or NoProgress()
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    extra = samples.extra is not None
    net = make_net(
        torch,
        HAND_SIZE + EXTRA_HAND * extra,
        features.shape[1] + EXTRA_PUBLIC * extra,
        len(NAMES),
        hidden=hidden,
        second=second,
        dropout=dropout,
    ).to(device)
    if start is not None:
        net.load_state_dict({name: torch.as_tensor(array) for name, array in start.items()})
    loaders = _Loader(torch, samples, features, did, legal, device), _Loader(torch, valid, features, did, legal, device)
    streets = corpus.rows["street"]
    began = time.time()
    weight = group_weights(samples.cases.group)

    def logp(batch: dict[str, Any], learn: bool) -> Any:
        g = batch["group"]
        if learn and only is None:
            g = torch.where(torch.rand(len(g), device=device) < 0.08, torch.full_like(g, UNKNOWN), g)
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = net(batch["hand"], batch["public"], g)
        logits = logits.float().masked_fill(~batch["legal"].unsqueeze(1), -1e4)
        at = batch["act"].view(-1, 1, 1).expand(-1, logits.shape[1], 1)
        return logits.gather(2, at).squeeze(2) - torch.logsumexp(logits, 2)

    def gains(which: int, some: Array, learn: bool) -> tuple[Any, Any, Array, Any]:
        """Bits (as nats, up to a constant of each case) at the end of each street: ``[b]``, with owner and street."""
        loader = loaders[which]
        batch = loader.batch(some)
        lp = logp(batch, learn)
        street = streets[loader.s.cases.decision[batch["flat"]]]
        w = loader.tensor(loader.s.weight[some])
        s = torch.zeros((len(some), 3, lp.shape[1]), device=device)
        s = s.index_put((batch["owner"], loader.tensor(street - 1)), lp, accumulate=True).cumsum(1)
        u = s + w.unsqueeze(1)
        gain = u[:, :, 0] - torch.logsumexp(u, 2)
        there = np.zeros((len(some), 3), bool)
        there[batch["owner"].cpu().numpy(), street - 1] = True
        true = torch.zeros((len(some), 3), device=device).index_put(
            (batch["owner"], loader.tensor(street - 1)), lp[:, 0], accumulate=True
        )
        return gain, true, there, w

    def judge() -> tuple[float, dict[str, Any]]:
        net.eval()
        index = chosen_valid
        got, all_there = [], []
        with torch.no_grad():
            for i in range(0, len(index), 1024):
                gain, _, there, w = gains(1, index[i : i + 1024], False)
                start_gain = w[:, 0] - torch.logsumexp(w, 1)
                got.append(torch.cat((start_gain.unsqueeze(1), gain), 1).cpu().numpy() / np.log(2))
                all_there.append(there)
        value, there = np.concatenate(got), np.concatenate(all_there)
        group = valid.cases.group[index]
        words: dict[str, Any] = {}
        total = []
        for g in np.unique(group):
            row = []
            for s in range(3):
                m = (group == g) & there[:, s] & ~((valid.cases.folded[index]) & (there[:, s:].sum(1) == 1))
                row.append(float((value[m, 1 + s] - value[m, 0]).mean()) if m.any() else 0.0)
            words[NAMES[g]] = [round(x, 3) for x in row]
            total.append(np.mean(row))
        net.train()
        return float(np.mean(total)), words

    def told(words: dict[str, Any]) -> str:
        return " ".join(f"{name}=" + "/".join(f"{x:.2f}" for x in row) for name, row in words.items())

    keep = np.arange(len(samples.cases.hand))
    keep_valid = np.arange(len(valid.cases.hand))
    if only is not None:
        keep = keep[np.isin(samples.cases.group, only)]
        keep_valid = keep_valid[np.isin(valid.cases.group, only)]
    chosen_valid = keep_valid[:0] if last else few_of_each(valid.cases.group, keep_valid, 1500, rng)
    net.train()
    if start is None and warm:
        natural = keep[samples.cases.group[keep] != SHOWN]
        optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
        size = max(1, min(2048, len(natural) // 8))
        steps = warm * (len(natural) // size)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 10, pct_start=0.1)
        for _ in range(warm):
            order = rng.permutation(natural)
            total = 0.0
            for b in range(len(order) // size):
                some = order[b * size : (b + 1) * size]
                data = loaders[0].batch(some, 1)
                w = loaders[0].tensor(weight[some].astype(np.float32))[data["owner"]]
                loss = -(w * logp(data, True)[:, 0]).sum() / w.sum()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                schedule.step()
                total += loss.item()
                look.report(0, epochs, "after the flop")
                look_up(look)
        log(f"warm up {time.time() - began:.0f}s loss {total / max(len(order) // size, 1):.4f}")
    score, words = (0.0, {}) if last else judge()
    log(f"start {score:.4f} {told(words)}")
    best = (score, {k: v.detach().cpu().clone() for k, v in net.state_dict().items()}, words)
    if save is not None:
        save(best[1])
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate / 2, weight_decay=1e-3)
    used = len(few_of_each(samples.cases.group, keep, most, rng))
    batch = max(1, min(batch, used // 4))
    per_epoch = used // batch
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate / 2, total_steps=epochs * per_epoch + 10, pct_start=0.1
    )
    for epoch in range(epochs):
        order = rng.permutation(few_of_each(samples.cases.group, keep, most, rng))
        for b in range(per_epoch):
            some = order[b * batch : (b + 1) * batch]
            gain, true, there, _ = gains(0, some, True)
            w = weight[some][:, None] * there
            folds = samples.cases.folded[some][:, None] & (np.cumsum(there[:, ::-1], 1)[:, ::-1] == 1)
            wt = loaders[0].tensor((w * np.where(folds, 0.5, 1.0)).astype(np.float32))
            natural = loaders[0].tensor((samples.cases.group[some] != SHOWN).astype(np.float32)).unsqueeze(1)
            loss = -(wt * (gain + generative * natural * true)).sum() / wt.sum()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            look.report(epoch + b / per_epoch, epochs, "after the flop")
            look_up(look)
        if last:
            continue
        score, words = judge()
        log(f"epoch {epoch} {time.time() - began:.0f}s {score:.4f} {told(words)}")
        if score > best[0]:
            best = (score, {k: v.detach().cpu().clone() for k, v in net.state_dict().items()}, words)
            if save is not None:
                save(best[1])
    if not last:
        net.load_state_dict(best[1])
    return net.cpu(), best[2]
