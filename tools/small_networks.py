"""Small networks for play-outs: each imitates the networks of the trained reader for one population and street.

    python tools/small_networks.py fit [POPULATION ...]     # writes playouts/small.npz (needs torch, some minutes)
    python tools/small_networks.py check [POPULATION ...]   # total variation on hands of another seed

The hands are played by :func:`dupai.playouts.play_hands`'s own tables: each population among its own kind, and players
of all populations together, with stacks from 15 to 250 big blinds. A network remembers which networks it was made
from: play-outs use it only while these are the reader's.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dupai.base.arrays import F32, AnyArray
from dupai.base.files import open_whole
from dupai.playouts import SMALL_FILE, Player, persona_habits
from dupai.playouts._lockstep import Table, no_cards
from dupai.playouts._small import fingerprint, small_networks
from dupai.reading import populations
from dupai.reading.features import ACTION_CLASSES, HAND_SIZE, PUBLIC_SIZE
from dupai.reading.model import Network, ReaderWeights, load_weights
from dupai.rules import MAX_PLAYERS, STREET_NAMES, GameSpec, HandState
from dupai.spots import line_so_far

#: Populations that have small networks, with the seats of the tables among their own kind.
SEATS = {
    "Pluribus": 6, "DeepStack": 2, "six-max": 6, "heads-up": 2, "online": 9, "unknown": 6, "shown": 6,
}  # fmt: skip
PERSONAS = {
    "Pluribus": "pluribus", "DeepStack": "deepstack", "six-max": "pros", "heads-up": "pros heads-up",
    "online": "pokerstars",
}  # fmt: skip
#: Units of the encoder's two layers, of the hand, and of the last layer, by street.
UNITS = ((96, 64, 48, 32), (48, 32, 48, 24), (48, 32, 48, 24), (64, 48, 64, 32))
#: Decisions on each street of all together, and among their own kind; hands side by side; passes; rows of a step; rate.
MIXED, OWN = 120_000, 160_000
SIDE, PASSES, BATCH, RATE = 1024, 13, 1024, 4e-3
SEED = 5900


class Recorder(Table):
    """A table that keeps what every decision looked like."""

    seen: list[tuple[AnyArray, ...]]

    def _look(self, lanes: Any, deals: Any, n: int) -> None:
        super()._look(lanes, deals, n)
        due = self._round
        ends = np.cumsum([0, *self._counts.reshape(4, -1).sum(axis=1)])
        for street, (begin, end) in enumerate(pairwise(ends.tolist())):
            parts = due.public, due.hand if street else due.start, due.legal
            self.seen.append(tuple(part[begin:end].copy() for part in parts))


def decisions(who: Sequence[str], most: int, seed: int) -> list[list[AnyArray]]:
    """Decisions by street: ``public``, class or features of the hand, ``legal``; of hands in which the populations
    ``who`` sit at random, or (one) sit alone at their usual table."""
    rng = np.random.default_rng(seed)
    parts: list[list[Any]] = [[] for _ in range(4)]
    size = [0] * 4
    first = 0
    while min(size) < most:
        seats = SEATS[who[0]] if len(who) == 1 else int(rng.choice([2, 3, 4, 6, 9]))
        spec = GameSpec.no_limit(seats, (50, 100), 10_000)
        names = rng.choice(who, seats).tolist()
        players = [Player(name, persona_habits().get(PERSONAS.get(name, ""))) for name in names]
        table = Recorder(spec, players, load_weights(), SIDE, 1)
        table.seen = []
        deep = rng.random() < 0.5
        stacks = np.exp(rng.uniform(np.log(1_500), np.log(25_000), (SIDE, seats))).astype(np.int64)
        if deep:
            stacks[:] = 10_000
        lines = [line_so_far(HandState(spec, stacks=row)) for row in stacks.tolist()]
        start = lines[0][0], np.concatenate([line[1] for line in lines]), np.concatenate([line[2] for line in lines])
        hole, board = no_cards()
        live = np.arange(MAX_PLAYERS) < seats
        deals = table.deal(first, SIDE, hole, board, np.zeros((MAX_PLAYERS, 1326)), live, seed)
        table.play(deals, first, start, seed)
        first += SIDE
        for street in range(4):
            if size[street] < most:
                parts[street].extend(table.seen[street::4])
                size[street] = sum(len(part[0]) for part in parts[street])
    return [[np.concatenate(column) for column in zip(*part, strict=True)] for part in parts]


def logits_of(nets: Sequence[Network], street: int, group: int, seen: Sequence[AnyArray]) -> F32:
    """``float32[n, 9]``: what networks say, on average."""
    public, hand, _ = seen
    out = np.zeros((len(public), ACTION_CLASSES), np.float32)
    for net in nets:
        for i in range(0, len(public), 2048):
            rows = hand[i : i + 2048]
            hands = net.hands(rows) if street else net.hands()[rows]
            out[i : i + 2048] += net.each(hands, public[i : i + 2048], group, np.arange(len(rows)))
    return out / np.float32(len(nets))


def chances(logits: F32, legal: AnyArray) -> F32:
    """Probabilities of legal actions."""
    x = np.where(legal, logits, -np.inf)
    x = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(x / x.sum(axis=1, keepdims=True))


def distilled(street: int, seen: Sequence[AnyArray], target: F32, seed: int) -> dict[str, AnyArray]:
    """A small network for the probabilities ``target``, as :class:`dupai.reading.model.Network` takes it."""
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    a, b, h, m = UNITS[street]
    shapes = {"enc1": (a, PUBLIC_SIZE), "enc2": (b, a), "shift": (h, b), "gate": (h, b), "mid": (m, h),
              "shift2": (m, b), "out": (ACTION_CLASSES, m), "out_public": (ACTION_CLASSES, b)}  # fmt: skip
    w = {f"{name}.weight": torch.randn(shape) * (2 / shape[1]) ** 0.5 for name, shape in shapes.items()}
    w |= {f"{name}.bias": torch.zeros(shapes[name][0]) for name in ("enc1", "enc2", "shift", "gate", "mid", "out")}
    w["gate.weight"] *= 0.1
    w["hand.weight"] = torch.randn((169, h) if street == 0 else (h, HAND_SIZE)) * (0.3 if street else 1.0)
    for one in w.values():
        one.requires_grad_()
    public, hand, legal = (torch.from_numpy(part) for part in seen)
    wanted = torch.from_numpy(target)
    steps = PASSES * -(-len(public) // BATCH)
    adam = torch.optim.Adam(w.values(), lr=RATE)
    plan = torch.optim.lr_scheduler.OneCycleLR(adam, RATE, total_steps=steps, pct_start=0.1)

    def forward(p: Any, x: Any) -> Any:
        e = torch.relu(p @ w["enc1.weight"].T + w["enc1.bias"])
        e = torch.relu(e @ w["enc2.weight"].T + w["enc2.bias"])
        y = w["hand.weight"][x] if street == 0 else x @ w["hand.weight"].T
        gain, shift = (e @ w[f"{name}.weight"].T + w[f"{name}.bias"] for name in ("gate", "shift"))
        y = torch.relu(y * (1 + gain) + shift)
        y = torch.relu(y @ w["mid.weight"].T + w["mid.bias"] + e @ w["shift2.weight"].T)
        return y @ w["out.weight"].T + w["out.bias"] + e @ w["out_public.weight"].T

    for _ in range(PASSES):
        order = torch.randperm(len(public))
        for some in order.split(BATCH):
            out = forward(public[some], hand[some]).masked_fill(~legal[some], -1e9)
            loss = -(wanted[some] * torch.log_softmax(out, 1)).sum(1).mean()
            adam.zero_grad()
            loss.backward()
            adam.step()
            plan.step()
    arrays = {name: one.detach().numpy().astype(np.float16) for name, one in w.items()}
    return arrays | {"group1.weight": np.zeros((len(populations.NAMES), a), np.float16)}


def pools(name: str, mixed: list[list[AnyArray]], own: int, seed: int) -> list[list[AnyArray]]:
    """The decisions that a population's networks are fitted to: of all, and among its own kind."""
    alone = decisions([name], own, seed)
    return [[np.concatenate(pair) for pair in zip(*both, strict=True)] for both in zip(mixed, alone, strict=True)]


def report(name: str, street: int, seen: Sequence[AnyArray], weights: ReaderWeights, small: Network, what: str) -> str:
    """How far a small network is from the exact ones."""
    group = populations.number(name)
    p = chances(logits_of(weights.networks(street, group), street, group, seen), seen[2])
    q = chances(logits_of([small], street, group, seen), seen[2])
    tv = 0.5 * abs(p - q).sum(axis=1)
    bias = abs(p.mean(axis=0) - q.mean(axis=0)).max()
    return (f"{name:14s} {STREET_NAMES[street]:7s} {what:6s} {len(p):8,d} decisions: total variation "
            f"{100 * tv.mean():.2f} % (95th percentile {100 * np.quantile(tv, 0.95):.1f}), largest shift of a "
            f"frequency {100 * bias:.2f} points\n")  # fmt: skip


def fit(names: Sequence[str]) -> None:
    """Make the networks of some populations, those of all others stay."""
    weights = load_weights()
    arrays: dict[str, AnyArray] = {}
    if SMALL_FILE.exists():
        with np.load(SMALL_FILE, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files if key.split("/")[1] not in names}
    mixed = decisions(list(SEATS), MIXED, SEED)
    for name in names:
        start, group = time.monotonic(), populations.number(name)
        for street, seen in enumerate(pools(name, mixed, OWN, SEED + 1 + group)):
            exact = weights.networks(street, group)
            target = chances(logits_of(exact, street, group, seen), seen[2])
            for key, array in distilled(street, seen, target, SEED).items():
                arrays[f"{street}/{name}/{key}"] = array
            arrays[f"{street}/{name}/of"] = np.array([fingerprint(net) for net in exact], np.uint32)
        with open_whole(SMALL_FILE, "wb") as out:
            np.savez_compressed(out, allow_pickle=False, **arrays)
        sys.stdout.write(f"{name}: {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()


def check(names: Sequence[str]) -> None:
    """Total variation between small and exact networks on hands of another seed."""
    weights, small = load_weights(), small_networks()
    mixed = decisions(list(SEATS), 15_000, SEED + 500)
    for name in names:
        if (0, populations.number(name)) not in small:
            sys.stdout.write(f"{name}: has no small networks\n")
            continue
        alone = decisions([name], 15_000, SEED + 600)
        for what, seen in (("mixed", mixed), ("own", alone)):
            for street in range(4):
                net = small[street, populations.number(name)][0]
                sys.stdout.write(report(name, street, seen[street], weights, net, what))


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("fit", "check"))
    parser.add_argument("populations", nargs="*", default=list(SEATS), metavar="POPULATION")
    options = parser.parse_args()
    (fit if options.what == "fit" else check)(options.populations)
    return 0


if __name__ == "__main__":
    sys.exit(main())
