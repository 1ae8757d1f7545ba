"""Public chance sampling beside external sampling: blueprints of one game, solved for equally long.

    python docs/make/blueprint_sampling.py nolimit-20 --minutes 8
    dupai exploit equilibrium:resolve=off,blueprint=nolimit-20-external.npz --stack 2000 --hands 3000

External sampling (Lanctot, Waugh, Zinkevich, Bowling, NIPS 2009) deals two hands and a board, tries all actions of one
player and draws one of the other's; tables, buckets, bets and linear weights are those of the shipped solver. Its
boards come from a pool whose buckets are worked out beforehand, which does not count as time.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
from numba import njit

from dupai.base import Rng, next_below, next_uniform
from dupai.base.files import from_plain
from dupai.cards import COMBO_MASK, COMBOS, mask_of, strengths
from dupai.cfr._blueprint._solver import fade
from dupai.cfr.blueprint import BetMenu, BlueprintCard, BlueprintSolver, learn_buckets, save_blueprint
from dupai.training import blueprint_games

#: Boards of the pool, and deals between two discounts.
BOARDS, FADE = 2000, 20_000


@njit
def walk(node, learner, tree, offsets, deal_bucket, strength, regrets, plan, state, unit, mix):
    """What the learner wins below a node with the dealt hands; one level of ``mix`` for each depth."""
    if tree.kind[node] == 1:
        return (-tree.paid[node, learner] if tree.player[node] == learner else tree.paid[node, 1 - learner]) * unit
    if tree.kind[node] == 2:
        stake = min(tree.paid[node, 0], tree.paid[node, 1]) * unit
        mine, theirs = strength[learner], strength[1 - learner]
        return stake if mine > theirs else -stake if mine < theirs else 0.0
    p, n = tree.player[node], np.int64(tree.n[node])
    at = offsets[node] + deal_bucket[p, tree.street[node]] * n
    shares = mix[0]
    total = 0.0
    for a in range(n):
        shares[a] = max(regrets[at + a], np.float32(0.0))
        total += shares[a]
    for a in range(n):
        shares[a] = shares[a] / total if total > 0 else 1.0 / n
    first = np.int64(tree.first[node])
    if p != learner:
        x, a = next_uniform(state), 0
        for b in range(n):
            plan[at + b] += np.float32(shares[b])
        while a < n - 1 and x >= shares[a]:
            x -= shares[a]
            a += 1
        return walk(first + a, learner, tree, offsets, deal_bucket, strength, regrets, plan, state, unit, mix[1:])
    value = 0.0
    for a in range(n):
        won = walk(first + a, learner, tree, offsets, deal_bucket, strength, regrets, plan, state, unit, mix[1:])
        regrets[at + a] += np.float32(won)
        value += shares[a] * won
    for a in range(n):
        regrets[at + a] -= np.float32(value)
    return value


@njit
def walks(deals, tree, offsets, buckets, made, masks, regrets, plan, state, unit, mix):
    """So many deals, each walked once for either player.

    Args:
        buckets: ``int16[boards, 4, 1326]``. made: ``int64[boards, 1326]``, strengths, -1 where the board blocks a hand.
        masks: ``uint64[1326]``.
    """
    deal_bucket, strength = np.zeros((2, 4), np.int64), np.zeros(2, np.int64)
    for _ in range(deals):
        board = next_below(state, buckets.shape[0])
        one = two = np.int64(0)
        while True:
            one, two = next_below(state, masks.size), next_below(state, masks.size)
            if made[board, one] >= 0 and made[board, two] >= 0 and masks[one] & masks[two] == 0:
                break
        for street in range(4):
            deal_bucket[0, street], deal_bucket[1, street] = buckets[board, street, one], buckets[board, street, two]
        strength[0], strength[1] = made[board, one], made[board, two]
        for learner in range(2):
            walk(np.int64(0), learner, tree, offsets, deal_bucket, strength, regrets, plan, state, unit, mix)


def pool(solver: BlueprintSolver) -> tuple[np.ndarray, np.ndarray]:
    """Buckets and strengths of the boards that external sampling deals."""
    draw = np.random.default_rng(solver.seed)
    buckets, made = np.zeros((BOARDS, 4, COMBOS), np.int16), np.full((BOARDS, COMBOS), -1, np.int64)
    for i in range(BOARDS):
        board = tuple(draw.choice(52, 5, replace=False).tolist())
        free = np.flatnonzero((COMBO_MASK & mask_of(board)) == 0)
        made[i, free] = strengths(COMBO_MASK[free] | np.uint64(mask_of(board)))
        buckets[i] = [solver.cards.of(board[:n]) for n in (0, 3, 4, 5)]
    return buckets, made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--games", type=Path)
    parser.add_argument("--out", type=Path, default=Path("."))
    args = parser.parse_args()
    game = (blueprint_games(args.games) if args.games else blueprint_games())[args.game]
    menu = from_plain(game.menu or {}, BetMenu, "menu")
    buckets = learn_buckets(game.buckets, 1)
    for method in ("public chance", "external"):
        solver = BlueprintSolver(game.spec, menu, buckets, 1)
        solver.solve(2)
        solver = BlueprintSolver(game.spec, menu, buckets, 1)
        if method == "public chance":
            began = time.process_time()
            solver.solve(10**9, enough=lambda began=began: time.process_time() - began > 60 * args.minutes)  # type: ignore[misc]
            done = f"{solver.passes:,} boards"
        else:
            ready, tables = pool(solver), (solver.regrets, solver.plan)
            state, mix = Rng(1).state, np.zeros((40, int(solver.tree.n.max())))
            deals = blocks = 0
            began = time.process_time()
            while time.process_time() - began < 60 * args.minutes:
                walks(FADE, solver.tree, solver.offsets, *ready, COMBO_MASK, *tables, state, solver.unit, mix)
                deals, blocks = deals + FADE, blocks + 1
                fade(blocks, *tables)
                if deals == FADE:  # compiled
                    began = time.process_time()
            done = f"{deals:,} deals"
        file = args.out / f"{args.game}-{method.split()[0]}.npz"
        card = BlueprintCard(
            game=game.spec, menu=menu, buckets=buckets.counts, nodes=int((solver.tree.n > 0).sum()),
            entries=solver.entries, passes=solver.passes, seconds=60 * args.minutes, seed=1,
        )  # fmt: skip
        save_blueprint(file, solver.arrays(), card)
        print(f"{method}: {done}, {file}", flush=True)


if __name__ == "__main__":
    main()
