"""Value networks for play-outs: what each action at a decision is worth to one player when all cards are known.

    python tools/value_networks.py fit      # writes playouts/baseline.npz (needs torch, some ten minutes)
    python tools/value_networks.py check    # variance of differences between actions with and without them, and time

Half of the hands are played at six seats with 100 big blinds by Pluribus and professionals, the others by all
populations with 2 to 9 seats and 15 to 250 big blinds. The first fit learns what was won; each further one learns that
less the luck of later decisions by the fit before, which is less noisy. Nothing depends on how good they are but noise.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from dupai.agents import make_agent
from dupai.base.arrays import F64, AnyArray
from dupai.base.files import open_whole
from dupai.cards import COMBOS
from dupai.playouts import Player, _lockstep as lockstep, persona_habits, play_hands, values
from dupai.playouts._baseline import BASELINE_FILE, room_for
from dupai.playouts._kernels.baseline import VALUE_SIZES, note_kernel
from dupai.playouts._layout import Faced
from dupai.playouts._lockstep import Table, no_cards
from dupai.reading import load_reader, readings_to_draw
from dupai.reading.model import load_weights
from dupai.rules import CALL, FOLD, MAX_PLAYERS, RAISE, STREET_NAMES, Action, GameSpec, HandState, View
from dupai.spots import line_so_far

#: Populations of all tables, and what is counted of them.
PERSONAS = {
    "Pluribus": "pluribus", "DeepStack": "deepstack", "six-max": "pros", "heads-up": "pros heads-up",
    "online": "pokerstars", "unknown": "", "shown": "",
}  # fmt: skip
#: Hands, side by side, and of one table; units of the two layers, fits, passes, rows of a step, rate.
HANDS, SIDE, TABLE = 300_000, 512, 10
UNITS, FITS, PASSES, BATCH, RATE = (64, 32), 3, 6, 1024, 3e-3
SEED = 7300
#: Spots on each street of the check, deals of each, and seed of the hands.
SPOTS, DEALS, CHECK_SEED = 8, 2048, 99


class Recorder(Table):
    """A table that keeps what the networks see of every decision, for every player."""

    faced: Faced
    seen: list[list[AnyArray]]
    at: tuple[np.uint64, int]

    def _look(self, lanes: Any, deals: Any, n: int) -> None:
        super()._look(lanes, deals, n)
        faced = self.faced
        for me in range(self.spec.players):
            how = self._boards, self._scratch, self.spec.array, self.ways
            ends = note_kernel(lanes, deals, *how, *self.at, self._round, n, me, faced)
            some = slice(0, int(ends[3]))
            lane = faced.lane[some]
            put_in = (lanes.state["total"] + lanes.state["ante"])[lane, me]
            street = np.repeat(np.arange(4), np.diff(ends, prepend=0))
            number = np.full(len(lane), len(self.seen))
            parts = faced.x, faced.sure, faced.chance, faced.column, faced.pot, faced.lane
            self.seen.append([*(part[some].copy() for part in parts), np.full(len(lane), me), put_in, street, number])


def decisions(hands: int, seed: int) -> list[dict[str, AnyArray]]:
    """By street: ``x``, ``sure``, ``chance``, ``column``, ``pot``, ``won`` (in pots from there on), ``key`` (of hand
    and player), ``number`` (the order in the hand)."""
    rng = np.random.default_rng(seed)
    out: list[list[list[AnyArray]]] = [[] for _ in range(4)]
    for first in range(0, hands, SIDE * TABLE):
        usual = rng.random() < 0.5
        seats = 6 if usual else int(rng.choice([2, 2, 2, 3, 4, 6, 9]))
        spec = GameSpec.no_limit(seats, (50, 100), 10_000)
        names = rng.choice(["Pluribus", "six-max"] if usual else list(PERSONAS), seats).tolist()
        players = [Player(name, persona_habits().get(PERSONAS[name])) for name in names]
        table = Recorder(spec, players, load_weights(), SIDE, 1)
        table.faced = room_for(SIDE)
        for begin in range(first, min(first + SIDE * TABLE, hands), SIDE):
            stacks = np.exp(rng.uniform(np.log(1_500), np.log(25_000), (SIDE, seats))).astype(np.int64)
            stacks[:] = 10_000 if usual or rng.random() < 0.3 else stacks
            lines = [line_so_far(HandState(spec, stacks=row)) for row in stacks.tolist()]
            state, track = (np.concatenate([line[k] for line in lines]) for k in (1, 2))
            hole, board = no_cards()
            live = np.arange(MAX_PLAYERS) < seats
            deals = table.deal(begin, SIDE, hole, board, np.zeros((MAX_PLAYERS, COMBOS)), live, seed)
            table.seen, table.at = [], (np.uint64(seed), begin)
            lanes, _ = table.play(deals, begin, (lines[0][0], state, track), seed)
            parts = [np.concatenate(part) for part in zip(*table.seen, strict=True)]
            x, sure, chance, column, pot, lane, me, put_in, street, number = parts
            won = (lanes.payoffs[lane, me] / spec.split + put_in) / pot
            for s in range(4):
                one = street == s
                seen = x[one, : VALUE_SIZES[s > 0]]
                key = (begin + lane[one]) * MAX_PLAYERS + me[one]
                out[s].append([seen, sure[one], chance[one], column[one], pot[one], won[one], key, number[one]])
    names = ["x", "sure", "chance", "column", "pot", "won", "key", "number"]
    return [dict(zip(names, map(np.concatenate, zip(*part, strict=True)), strict=True)) for part in out]


def forward(x: Any, layers: Any) -> Any:
    """What each action is worth, in pots."""
    for k in (0, 2):
        x = (x @ layers[k] + layers[k + 1]).relu()
    return x @ layers[4] + layers[5]


def less_luck(data: list[dict[str, AnyArray]], nets: list[Any]) -> list[F64]:
    """By street: what was won less the luck of later decisions, in pots."""
    import torch

    luck = []
    for d, layers in zip(data, nets, strict=True):
        with torch.no_grad():
            rows = [forward(part, layers).numpy() for part in torch.from_numpy(d["x"]).split(65_536)]
        worth = np.where(np.isnan(d["sure"]), np.concatenate(rows), d["sure"])
        took = worth[np.arange(len(worth)), d["column"]]
        luck.append((took - (worth * d["chance"]).sum(axis=1)) * d["pot"])
    key, number = (np.concatenate([d[name] for d in data]) for name in ("key", "number"))
    order = np.lexsort((-number, key))
    chips, key = np.concatenate(luck)[order], key[order]
    total = np.cumsum(chips)
    first = np.r_[True, key[1:] != key[:-1]]
    later = np.empty_like(total)
    later[order] = total - chips - (total - chips)[first][np.cumsum(first) - 1]
    ends = np.cumsum([0, *(len(d["won"]) for d in data)]).tolist()
    return [d["won"] - later[a:b] / d["pot"] for d, (a, b) in zip(data, pairwise(ends), strict=True)]


def fitted(d: dict[str, AnyArray], target: F64, layers: Any, rate: float) -> Any:
    """A network of one street, from another one or (None) from nothing."""
    import torch

    if layers is None:
        sizes = list(pairwise((d["x"].shape[1], *UNITS, d["chance"].shape[1])))
        layers = [w for a, b in sizes for w in (torch.randn(a, b) * (2 / a) ** 0.5, torch.zeros(b))]
        layers[4] *= 0.1
    layers = [w.clone().requires_grad_() for w in layers]
    unsure = np.isnan(d["sure"][np.arange(len(target)), d["column"]])
    rows = torch.from_numpy(np.flatnonzero(unsure))
    x, column, wanted = torch.from_numpy(d["x"]), torch.from_numpy(d["column"]), torch.from_numpy(target).float()
    # Large pots make most of the variance, but a few of them should not make all of the fit.
    weight = torch.from_numpy(d["pot"] ** 1.5).float()
    weight /= weight.mean()
    adam = torch.optim.AdamW(layers, lr=rate, weight_decay=1e-4)
    steps = PASSES * -(-len(rows) // BATCH)
    plan = torch.optim.lr_scheduler.OneCycleLR(adam, rate, total_steps=steps, pct_start=0.1)
    for _ in range(PASSES):
        for some in rows[torch.randperm(len(rows))].split(BATCH):
            worth = forward(x[some], layers).gather(1, column[some, None])[:, 0]
            loss = torch.nn.functional.huber_loss(worth, wanted[some], delta=4.0, reduction="none")
            adam.zero_grad()
            (loss * weight[some]).mean().backward()
            torch.nn.utils.clip_grad_norm_(layers, 5.0)
            adam.step()
            plan.step()
    return [w.detach() for w in layers]


def fit() -> None:
    """Write the networks."""
    import torch

    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    data = decisions(HANDS, SEED)
    nets: list[Any] = [None] * 4
    for k in range(FITS):
        targets = less_luck(data, nets) if k else [d["won"] for d in data]
        nets = [fitted(d, t, net, RATE / (k + 1)) for d, t, net in zip(data, targets, nets, strict=True)]
        spent = [f"{(d['pot'] * t).std() / 100:.1f}" for d, t in zip(data, less_luck(data, nets), strict=True)]
        sys.stderr.write(f"fit {k + 1}: deviation of results without later luck, bb, by street: {', '.join(spent)}\n")
    arrays = {f"{street}/{k}": w.numpy() for street, net in enumerate(nets) for k, w in enumerate(net)}
    with open_whole(BASELINE_FILE, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def spots_of(seats: int, population: str) -> Iterator[tuple[View, list[Action], list[Player]]]:
    """Decisions of hands that one population plays, with all actions that it takes there at least now and then."""
    spec = GameSpec.no_limit(seats, (50, 100), 10_000)
    who = [Player(population, persona_habits().get(PERSONAS[population]))] * seats
    persona = make_agent(f"persona:{PERSONAS[population]}")
    rng = np.random.default_rng(CHECK_SEED)
    left = [SPOTS] * 4
    for record in play_hands(spec, who, 2_000, seed=CHECK_SEED).records():
        views = [s.view(s.actor) for s in record.states() if s.actor >= 0 and left[s.street]]
        if views:
            view = views[rng.integers(len(views))]
            points = persona.policy(view).points  # type: ignore[attr-defined]
            actions = []
            for kind in (FOLD, CALL, RAISE):
                some = [(p, Action(*one)) for one, p in points if one.kind == kind]
                if sum(p for p, _ in some) >= 0.03:
                    actions.append(max(some, key=lambda pair: pair[0])[1])
            if len(actions) > 1:
                left[view.street] -= 1
                yield view, actions, who
        if not any(left):
            return


def check() -> None:
    """Print by table and street how the variance of the difference between the two best actions compares, over spots
    (median, quartiles) and in sum, and the time of the same play-outs with and without networks."""
    for seats, population in ((6, "Pluribus"), (6, "six-max"), (2, "DeepStack")):
        reader = load_reader(f"model:population={population}")
        found: list[list[tuple[float, float, float]]] = [[] for _ in range(4)]
        for view, actions, who in spots_of(seats, population):
            ranges = {view.seats.index(seat): r.p for seat, r in readings_to_draw(reader, view).items()}
            played = values(view, ranges, who, actions, deals=DEALS)
            assert played.luck is not None
            first, second = np.argsort(-played.means)[:2]
            gap, luck = (part[:, first] - part[:, second] for part in (played.won, played.luck))
            spent = []
            for room in (lambda n: None, room_for):
                setattr(lockstep, "room_for", room)  # noqa: B010
                times = []
                for _ in range(2):
                    begun = time.process_time()
                    values(view, ranges, who, actions, deals=DEALS // 2)
                    times.append(time.process_time() - begun)
                spent.append(min(times))
            found[view.street].append((float(gap.var()), float((gap + luck).var()), spent[1] / spent[0]))
        for street, some in enumerate(found):
            less, raw, slower = np.array(some).T
            low, half, high = np.percentile(less / np.maximum(raw, 1e-9), (25, 50, 75))
            sys.stdout.write(
                f"{population}, {seats} seats, {STREET_NAMES[street]}: {len(some)} spots, {half:.2f} ({low:.2f} to "
                f"{high:.2f}), sum {less.sum() / raw.sum():.2f}, time {np.median(slower):.2f}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    {"fit": fit, "check": check}[sys.argv[1]]()
