"""The table of docs/results/dupai.md.

    python docs/make/dupai_results.py match dupai style:paper-LA --deals 300 --seed 2001 --to rows.jsonl
    python docs/make/dupai_results.py table rows.jsonl

``match`` plays every deal in both seatings, each seating as one match in which learning agents learn, and takes the
luck out (cards; and decisions of stateless agents). The interval is over deals: it does not count how much another
match's learning would differ. A row that is in the file already is not played again.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from dupai.arena import entrants_of
from dupai.arena.match import Players, TableRules
from dupai.base import Rng
from dupai.base.arrays import F64
from dupai.rules import DECK_STREAM, GameSpec, HandState
from dupai.stats import luck_adjusted

SPEC = GameSpec.no_limit(2, (50, 100), 20_000, odd_chips="acpc", min_raise="acpc")


def play(agent: str, opponent: str, deals: int, seed: int) -> dict[str, object]:
    """What ``agent`` wins, mbb/hand, luck out, by deal."""
    won = np.zeros(deals)
    begun, faults = time.time(), 0
    for seat, pair in enumerate(((agent, opponent), (opponent, agent))):
        entrants = entrants_of(pair)
        players = Players(entrants, seed, 0, TableRules())
        players.start(SPEC, "reset", deals)
        policies = [
            seat.policy if e.stateless and seat.can.policy else None
            for seat, e in zip(players.seats, entrants, strict=True)
        ]
        for k in range(deals):
            players.hand = k + 1
            rng = Rng(seed, 0, k + 1, DECK_STREAM)
            record = players.play(HandState.deal(SPEC, rng, seats=[(k + 1) % 2, k % 2], hand=k + 1))
            won[k] += luck_adjusted([record], policies)[0][seat] / (SPEC.big_blind / 1000) / 2
            players.observe(record)
        faults += len(players.faults)
        players.close()
    return {
        "agent": agent, "opponent": opponent, "deals": deals, "seed": seed, "mean": float(won.mean()),
        "se": float(won.std(ddof=1) / deals**0.5), "faults": faults,
        "ms": 1000 * (time.time() - begun) / deals / 2, "won": won.round(1).tolist(),
    }  # fmt: skip


def rows_of(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def _mean(won: F64) -> str:
    """The mean over deals with half its 95 % interval."""
    return f"{won.mean():+,.0f} ± {1.96 * won.std(ddof=1) / len(won) ** 0.5:,.0f}".replace("-", "−")


def table(rows: list[dict]) -> str:
    """Opponents by agents, mbb/hand with half the 95 % interval; the mean over the opponents that all of them met; and
    what the last agent wins more than the others. Rows of one seed share their deals, so that means count deals."""
    agents = list(dict.fromkeys(row["agent"] for row in rows))
    by = {(row["opponent"], row["agent"]): np.array(row["won"]) for row in rows if "won" in row}
    lines = ["| against | " + " | ".join(f"`{a}`" for a in agents) + " |", "| --- |" + " --- |" * len(agents)]
    opponents = list(dict.fromkeys(row["opponent"] for row in rows))
    for opponent in opponents:
        cells = (_mean(by[opponent, agent]) if (opponent, agent) in by else "" for agent in agents)
        lines.append(f"| `{opponent}` | " + " | ".join(cells) + " |")
    met = [o for o in opponents if all((o, agent) in by for agent in agents)]
    if met:
        means = {agent: np.mean([by[o, agent] for o in met], axis=0) for agent in agents}
        lines.append(f"| mean of {len(met)} | " + " | ".join(_mean(means[agent]) for agent in agents) + " |")
        more = [_mean(means[agents[-1]] - means[agent]) for agent in agents[:-1]]
        lines.append(f"| `{agents[-1]}` more | " + " | ".join((*more, "")) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("match", "table"))
    parser.add_argument("words", nargs="+")
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", type=int, default=2001)
    parser.add_argument("--to", type=Path, default=Path("rows.jsonl"))
    given = parser.parse_args()
    if given.what == "table":
        print(table([row for row in rows_of(Path(given.words[0])) if "mean" in row]))
        return
    agent, opponents = given.words[0], given.words[1:]
    for opponent in opponents:
        key = (agent, opponent, given.deals, given.seed)
        if key in {(r["agent"], r["opponent"], r["deals"], r["seed"]) for r in rows_of(given.to)}:
            continue
        row = play(agent, opponent, given.deals, given.seed)
        with given.to.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print({k: v for k, v in row.items() if k != "won"}, flush=True)


if __name__ == "__main__":
    main()
