"""Fits the networks of `unknown` in the reader that ships to players drawn at random (some ten minutes; needs torch).

    python tools/unknown.py FILE

Plays tables of players that nobody has seen: populations with habits drawn at random, rules and styles with random
constants, players who pay no attention to their cards. The networks for everybody learn on from single actions given
the true hand. FILE is the reader that ships with these networks for `unknown` (docs/how/reader-model.md#strangers).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch

from dupai.arena import entrants_of
from dupai.arena.match import Players
from dupai.base import Rng
from dupai.base.arrays import F64, AnyArray
from dupai.cards import COMBO_CLASS, board_array, combo
from dupai.playouts import Player, play_hands
from dupai.reading import populations
from dupai.reading.features import ACTION_CLASSES, HAND_SIZE, PUBLIC_SIZE, board_table, public_features_kernel
from dupai.reading.model import (
    DECISION_KINDS,
    HABIT_STAGES,
    SHIPPED_READER,
    TrainedModel,
    network_arrays,
    save_networks,
)
from dupai.rules import BOARD_CARDS, GameSpec, HandRecord, HandState, load_game
from dupai.spots import NOTHING, spots
from dupai.training._kernels import sampled_hands_kernel
from dupai.training._model._fit import arrays_of, make_net

#: Seeds of the hands that are learned from and of those that judge; pairs of tables (one of populations, one of
#: agents), and hands at each table.
SEEDS, TABLES, HANDS = (1, 2), (2000, 200), 16
#: Passes, decisions of a step, highest learning rate.
PASSES, BATCH, RATE = 8, 1024, 1e-3
SIZES = ("half", "pot", "random", "min", "max", "0.7")
LIKE = [
    name
    for n, name in enumerate(populations.NAMES)
    if n not in (*populations.EXPLOITERS, *populations.LIMIT, populations.SHOWN, populations.UNKNOWN)
]
LIMIT = [populations.NAMES[n] for n in populations.LIMIT]
Arrays = dict[str, AnyArray]


def game(rng: np.random.Generator) -> GameSpec:
    """A game: 2 to 6 players, of no-limit or one time in six of limit."""
    players = int(rng.choice([2, 2, 3, 4, 6, 6, 6]))
    if rng.random() < 1 / 6:
        return load_game(f"holdem.limit.{players}p")
    spec = GameSpec.no_limit(players, (50, 100), int(rng.choice([10_000, 20_000])) if players == 2 else 10_000)
    return spec if players == 2 or rng.random() < 0.5 else msgspec.structs.replace(spec, min_raise="casino")


def habits(rng: np.random.Generator) -> F64:
    """Habits (``Player.habits``): at every kind of decision what moves folds, raises and large raises, and how much by
    the hand; from none to those of nobody."""
    features = HABIT_STAGES[0].features
    moves = np.zeros((3, ACTION_CLASSES))
    moves[0, 0] = moves[1, 2:] = moves[2, 5:] = 1
    deviation = rng.choice([0, 0.5, 1, 2, 4]) * np.array([1.0, *[0.3] * (features - 1)])
    shared, own = rng.normal(size=(3, features)), rng.normal(size=(2 * DECISION_KINDS, 3, features))
    numbers = (shared + 0.5 * own) * deviation
    numbers[DECISION_KINDS:, :, HABIT_STAGES[1].features :] = 0
    return np.asarray(numbers.transpose(0, 2, 1) @ moves)


def agent(rng: np.random.Generator) -> str:
    """An agent with constants drawn at random."""
    kind, size = rng.random(), rng.choice(SIZES)
    if kind < 0.4:
        tight, aggressive = rng.uniform(-2, 2, 2)
        return f"rules:tight={tight:.2f},aggressive={aggressive:.2f},size={size},deals=60"
    if kind < 0.75:
        alpha = rng.uniform(0.1, 0.75)
        return f"style:alpha={alpha:.2f},beta={rng.uniform(alpha, 0.95):.2f},size={size},deals=60"
    fold, split = rng.choice([0, rng.uniform(0, 0.5)]), rng.choice([0, 1, rng.uniform()])
    return f"fixed:fold={fold:.2f},split={split:.2f},size={size}"


def match(spec: GameSpec, names: tuple[str, ...], seed: int) -> Iterator[HandRecord]:
    """Hands of agents, the button moving on."""
    players = Players(entrants_of(names), seed, 0)
    players.start(spec, "reset", HANDS)
    for hand in range(HANDS):
        order = [(hand + p) % spec.players for p in range(spec.players)]
        record = players.play(HandState.deal(spec, Rng(seed, 7, hand), hand=hand, seats=order))
        players.observe(record)
        yield record


def hands(seed: int, tables: int) -> Iterator[HandRecord]:
    """Hands of players drawn at random, first of populations, then of agents."""
    rng = np.random.default_rng(seed)
    for table in range(tables):
        spec = game(rng)
        like = LIMIT if spec.betting == "limit" else LIKE
        who = [Player(str(rng.choice(like)), habits=habits(rng)) for _ in range(spec.players)]
        yield from play_hands(spec, who, HANDS, seed=seed * 100_000 + table).records()
    for table in range(tables):
        spec = game(rng)
        yield from match(spec, tuple(agent(rng) for _ in range(spec.players)), seed * 100_000 + table)


def decisions(seed: int, tables: int) -> list[Arrays]:
    """Decisions before and after the flop: what everybody sees, the hand (class, or features), the legal actions and
    the one taken."""
    model = TrainedModel()
    lists: dict[str, list[Any]] = {key: [] for key in ("street", "public", "two", "legal", "did", "board")}
    for record in hands(seed, tables):
        for spot in spots(record):
            menu = model.menu(spot)
            legal = np.zeros(ACTION_CLASSES, np.bool_)
            legal[: len(menu.legal(spot))] = menu.legal(spot)
            # A fold where checking is free says nothing.
            if spot["did"] == NOTHING or not legal[menu.place(spot)]:
                continue
            public, board = np.empty(PUBLIC_SIZE, np.float32), board_array(spot.board)
            limit = int(record.spec.betting == "limit")
            public_features_kernel(spot.rows, len(spot.rows) - 1, limit, board, len(spot.board), public)
            seen = (*sorted(spot.board[:3]), *spot.board[3:], *[255] * (5 - len(spot.board)))
            values = (spot.street, public, combo(*record.hole[spot.position]), legal, menu.place(spot), seen)
            for key, value in zip(lists, values, strict=True):
                lists[key].append(value)
    all_of = {key: np.array(some, np.uint8 if key == "board" else None) for key, some in lists.items()}
    parts = []
    for streets in ((0,), (1, 2, 3)):
        part = {key: some[np.isin(all_of["street"], streets)] for key, some in all_of.items()}
        part["hand"] = features_of(part) if streets[0] else np.asarray(COMBO_CLASS[part["two"]], np.int64)
        parts.append(part)
    return parts


def features_of(part: Arrays) -> AnyArray:
    """``float16[n, 70]``: the features of the hands held."""
    out = np.zeros((len(part["two"]), HAND_SIZE), np.float16)
    for street in (1, 2, 3):
        for at in np.array_split(np.flatnonzero(part["street"] == street), 200):
            row = np.empty((len(at), 1, HAND_SIZE), np.float32)
            held = part["two"][at][:, None].astype(np.int16)
            sampled_hands_kernel(board_table(), part["board"][at], BOARD_CARDS[street], held, row, 0, len(at))
            out[at] = row[:, 0]
    return out


def fitted(street: int, learned: Arrays, judged: Arrays) -> Arrays:
    """The network for everybody before (0) or after (1) the flop, learned on from single actions."""
    arrays = network_arrays(SHIPPED_READER, street, -1)[0]
    first, before = arrays["hand.weight"], street == 0
    net = make_net(
        torch, len(first) if before else HAND_SIZE, PUBLIC_SIZE, hidden=first.shape[int(before)],
        second=len(arrays["mid.weight"]), dropout=0.0, by_index=before,
    )  # fmt: skip
    net.load_state_dict({name: torch.tensor(array) for name, array in arrays.items()})

    def loss(part: Arrays, some: AnyArray) -> Any:
        hand = torch.tensor(part["hand"][some][:, None])
        public, legal, did = (torch.tensor(part[key][some]) for key in ("public", "legal", "did"))
        group = torch.full((len(some),), populations.UNKNOWN)
        logits = net(hand if before else hand.float(), public, group)[:, 0]
        return torch.nn.functional.cross_entropy(logits.masked_fill(~legal, -1e9), did)

    def judge() -> float:
        with torch.no_grad():
            return float(loss(judged, np.arange(len(judged["did"]))))

    print(f"{len(learned['did']):,} decisions; loss on {len(judged['did']):,} others: {judge():.3f}", flush=True)
    rng, optimizer = np.random.default_rng(street), torch.optim.Adam(net.parameters(), lr=RATE)
    steps, step = PASSES * (len(learned["did"]) // BATCH), 0
    for _ in range(PASSES):
        order = rng.permutation(len(learned["did"]))
        for at in range(0, len(order) - BATCH + 1, BATCH):
            for group in optimizer.param_groups:
                group["lr"] = RATE * min((step + 1) / 20, max(0.02, 1 - step / steps))
            optimizer.zero_grad()
            loss(learned, order[at : at + BATCH]).backward()
            optimizer.step()
            step += 1
        print(f"  {judge():.4f}", flush=True)
    return arrays_of(net)


def main() -> None:
    """Play, fit, write."""
    began = time.monotonic()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    learned, judged = (decisions(seed, tables) for seed, tables in zip(SEEDS, TABLES, strict=True))
    print(f"hands: {time.monotonic() - began:.0f} s", flush=True)
    networks = [fitted(street, learned[street], judged[street]) for street in (0, 1)]
    save_networks(None, Path(sys.argv[1]), populations.UNKNOWN, networks)
    print(f"{sys.argv[1]}: {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
