"""Training before the flop: 169 classes of hands are all the hands there are, so every reading is exact."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import NoProgress, Progress
from dupai.cards import CLASS_SIZE, COMBO_CLASS, COMBO_INDEX
from dupai.reading._model._groups import LBR, NAMES, SHOWN, UNKNOWN
from dupai.reading._train._data import Corpus
from dupai.reading._train._net import make_net
from dupai.reading._train._stopped import look_up

Array = npt.NDArray[Any]


class Cases(msgspec.Struct, kw_only=True):
    """A case is a player of known cards in one hand, with his decisions of the streets in question.

    Attributes:
        hand, position, group, combo, part: ``int[n]``.
        first: ``int64[n + 1]`` into ``decision``, indices of rows of the corpus.
        folded: ``bool[n]``, the player folded on the last of these streets that he saw.
    """

    hand: Array
    position: Array
    group: Array
    combo: Array
    part: Array
    first: Array
    decision: Array
    folded: Array


def find_cases(corpus: Corpus, did: Array, streets: tuple[int, ...]) -> Cases:
    """The cases with at least one decision on ``streets`` (exploiting programs are none)."""
    rows = corpus.rows
    hand = np.repeat(np.arange(len(corpus.first) - 1), np.diff(corpus.first))
    position = rows["position"]
    hole = corpus.hole[hand, position]
    group = corpus.group[hand, position]
    use = np.isin(rows["street"], streets) & (did >= 0) & (hole[:, 0] != 255) & (group != LBR)
    index = np.flatnonzero(use)
    key = hand[index] * 10 + position[index]
    order = np.argsort(key, kind="stable")
    index, key = index[order], key[order]
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    h, p = key[starts] // 10, key[starts] % 10
    first = np.concatenate((starts, [len(key)]))
    return Cases(
        hand=h,
        position=p,
        group=corpus.group[h, p].astype(np.int64),
        combo=COMBO_INDEX[corpus.hole[h, p, 0], corpus.hole[h, p, 1]].astype(np.int64),
        part=corpus.part[h],
        first=first,
        decision=index,
        folded=did[index[first[1:] - 1]] == 0,
    )


def unique_rows(features: Array, legal: Array, group: Array) -> tuple[Array, Array]:
    """Decisions that are the same to the network: the first index of each, and which one each row is."""
    bits = np.concatenate(
        [np.ascontiguousarray(a).view(np.uint8) for a in (features.astype(np.float16), legal, group[:, None])],
        axis=1,
    )
    h = np.zeros(len(bits), np.uint64)
    with np.errstate(over="ignore"):
        for k in range(bits.shape[1]):
            h = (h ^ bits[:, k]) * np.uint64(0x100000001B3)
            h ^= h >> np.uint64(29)
    _, index, inverse = np.unique(h, return_index=True, return_inverse=True)
    return index, inverse


def group_weights(group: Array) -> Array:
    """Weight of each case: large groups count less than their number."""
    n = np.bincount(group, minlength=len(NAMES)).astype(float)
    w = np.minimum(1.0, np.sqrt(15_000 / np.maximum(n, 1)))
    return np.asarray(w)[group]


#: More cases than there are of any population: :func:`few_of_each` takes all of them.
ALL = 1 << 40


def few_of_each(group: Array, index: Array, most: int, rng: np.random.Generator) -> Array:
    """At most so many of ``index`` from each group, drawn at random."""
    shuffled = rng.permutation(index)
    return np.concatenate([shuffled[group[shuffled] == g][:most] for g in np.unique(group[shuffled])])


def train_preflop(
    corpus: Corpus,
    features: Array,
    did: Array,
    legal: Array,
    *,
    epochs: int = 5,
    seed: int = 0,
    device: str = "cpu",
    dropout: float = 0.15,
    generative: float = 0.5,
    batch: int = 3072,
    warm: int = 25,
    most: int = 8000,
    rate: float = 3e-3,
    start: Any = None,
    only: tuple[int, ...] | None = None,
    last: bool = False,
    progress: Progress | None = None,
    log: Any = print,
    save: Any = None,
) -> tuple[Any, dict[str, Any]]:
    """Train a network on the readings after the betting before the flop; the best epoch on validation is kept
    (with ``last`` the last one, and nothing is judged).

    The loss of a case is minus the bits of its reading, plus ``generative`` times that of its actions given the true
    hand (not where only shown hands are known: there actions are chosen by what they led to).
    """
    # Long because warm-up, training and judging share the tensors.
    import torch

    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    cases = find_cases(corpus, did, (0,))
    group_of_row = np.zeros(len(did), np.int64)
    lengths = np.diff(cases.first)
    case_of = np.repeat(np.arange(len(lengths)), lengths)
    rows = cases.decision
    group_of_row = cases.group[case_of]
    index, inverse = unique_rows(features[rows], legal[rows], group_of_row.astype(np.int8))
    log(f"{len(lengths):,} cases, {len(rows):,} decisions, {len(index):,} different")
    pub = torch.from_numpy(features[rows[index]].astype(np.float32)).to(device)
    ok = torch.from_numpy(legal[rows[index]]).to(device)
    gr = torch.from_numpy(group_of_row[index]).to(device)
    act = did[rows].astype(np.int64)
    klass = COMBO_CLASS[cases.combo].astype(np.int64)
    prior = torch.log(torch.from_numpy(CLASS_SIZE.astype(np.float32) / 1326)).to(device)
    weight = group_weights(cases.group)
    net = make_net(torch, 169, features.shape[1], len(NAMES), dropout=dropout, by_index=True).to(device)
    if start is not None:
        net.load_state_dict({name: torch.as_tensor(array) for name, array in start.items()})
    every = torch.arange(169, device=device)
    mine = np.ones(len(cases.group), np.bool_) if only is None else np.isin(cases.group, only)
    train = np.flatnonzero((cases.part == 0) & mine)
    # With nothing to judge there is nothing to draw.
    valid = train[:0] if last else few_of_each(cases.group, np.flatnonzero((cases.part == 1) & mine), 2500, rng)
    where_t = torch.from_numpy(inverse).to(device)
    act_t = torch.from_numpy(act).to(device)
    klass_t = torch.from_numpy(klass[case_of]).to(device)

    def warm_up() -> None:
        """Actions given the true hand: cheap, and a good place to begin."""
        rows_train = np.flatnonzero(np.isin(case_of, train) & (group_of_row != SHOWN))
        optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
        size = max(1, min(4096, len(rows_train) // 8))
        steps = warm * (len(rows_train) // size)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps + 10, pct_start=0.1)
        w_all = torch.from_numpy(weight[case_of].astype(np.float32)).to(device)
        net.train()
        for _ in range(warm):
            order = torch.from_numpy(rng.permutation(rows_train)).to(device)
            total = 0.0
            for b in range(len(order) // size):
                some = order[b * size : (b + 1) * size]
                u = where_t[some]
                g = torch.where(torch.rand(len(u), device=device) < 0.08, torch.full_like(u, UNKNOWN), gr[u])
                logits = net(klass_t[some].unsqueeze(1), pub[u], g).squeeze(1).masked_fill(~ok[u], -1e4)
                w = w_all[some]
                loss = (w * torch.nn.functional.cross_entropy(logits, act_t[some], reduction="none")).sum() / w.sum()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
                schedule.step()
                total += loss.item()
                look.report(0, epochs, "before the flop")
                look_up(look)
        log(f"warm up {time.time() - began:.0f}s loss {total / (len(order) // size):.4f}")

    def run(some: Array, learn: bool) -> tuple[Any, Any, Any]:
        """Log-likelihood of all classes ``[n, 169]``, that of the actions ``[n]``, of the batch's cases."""
        parts = [np.arange(cases.first[i], cases.first[i + 1]) for i in some]
        flat = np.concatenate(parts)
        where = np.repeat(np.arange(len(some)), lengths[some])
        u, inv = np.unique(inverse[flat], return_inverse=True)
        ut = torch.from_numpy(u).to(device)
        g = gr[ut]
        if learn and only is None:
            g = torch.where(torch.rand(len(u), device=device) < 0.08, torch.full_like(g, UNKNOWN), g)
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = net(every, pub[ut], g)
        logits = logits.float().masked_fill(~ok[ut].unsqueeze(1), -1e4)
        logp = torch.log_softmax(logits, 2)
        inv_t = torch.from_numpy(inv).to(device)
        at = logp[inv_t, :, torch.from_numpy(act[flat]).to(device)]
        s = torch.zeros((len(some), 169), device=device).index_add_(0, torch.from_numpy(where).to(device), at)
        k = torch.from_numpy(klass[some]).to(device)
        true = s.gather(1, k.unsqueeze(1)).squeeze(1)
        gain = true - torch.logsumexp(s + prior, 1)
        return gain, true, s

    best: tuple[float, Any, dict[str, Any]] = (-1e9, None, {})
    look = progress or NoProgress()
    began = time.time()
    if start is None:
        warm_up()
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate / 3, weight_decay=1e-3)
    used = len(few_of_each(cases.group, train, most, rng))
    batch = max(1, min(batch, used // 4))
    per_epoch = used // batch
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate / 3, total_steps=epochs * per_epoch + 10, pct_start=0.1
    )
    for epoch in range(-1, epochs):
        net.train()
        order = rng.permutation(few_of_each(cases.group, train, most, rng)) if epoch >= 0 else train[:0]
        for b in range(min(len(order) // batch, per_epoch)):
            some = order[b * batch : (b + 1) * batch]
            gain, true, _ = run(some, True)
            w = torch.from_numpy((weight[some] * np.where(cases.folded[some], 0.5, 1.0)).astype(np.float32)).to(device)
            natural = torch.from_numpy((cases.group[some] != SHOWN).astype(np.float32)).to(device)
            loss = -(w * (gain + generative * natural * true)).sum() / w.sum()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            look.report(epoch + b / per_epoch, epochs, "before the flop")
            look_up(look)
        if last:
            continue
        net.eval()
        found: dict[str, Any] = {}
        with torch.no_grad():
            parts = [run(valid[i : i + 8192], False)[0].cpu().numpy() for i in range(0, len(valid), 8192)]
        gains = np.concatenate(parts)
        gains /= np.log(2)
        live = ~cases.folded[valid]
        total = []
        for g in np.unique(cases.group[valid]):
            m = (cases.group[valid] == g) & live
            f = (cases.group[valid] == g) & ~live
            found[NAMES[g]] = (float(gains[m].mean()), float(gains[f].mean()) if f.any() else 0.0, int(m.sum()))
            total.append(float(gains[m].mean()))
        score = float(np.mean(total))
        words = " ".join(f"{k}={v[0]:.3f}/{v[1]:.2f}" for k, v in found.items())
        log(f"epoch {epoch} {time.time() - began:.0f}s mean {score:.4f} {words}")
        if score > best[0]:
            best = (score, {k: v.detach().cpu().clone() for k, v in net.state_dict().items()}, found)
            if save is not None:
                save(best[1])
    if not last:
        net.load_state_dict(best[1])
    return net.cpu(), best[2]
