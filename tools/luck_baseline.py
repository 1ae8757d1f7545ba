"""Fits the weights of the baseline for decisions in ``dupai.stats`` (:data:`dupai.stats.BASELINE`).

    python tools/luck_baseline.py

Plays matches between the rule-based agents (five minutes). Finds by least squares the weights with which the parts
of the baseline best predict the results without the luck of the cards. Matches count by the inverse of their variance.
The variance ratios in ``docs/how/match-statistics.md`` come from other seeds and other tables.
"""

from __future__ import annotations

import sys

import numpy as np

from dupai.agents import make_agent
from dupai.arena.match import Watcher, match_config, match_tasks, play_seating
from dupai.rules import HandRecord
from dupai.stats import COEFFICIENTS, TERMS, decision_parts, luck_terms

SEED = 7000
#: Agents, stacks, hands; blinds are 50 and 100.
NO_LIMIT = (
    ("rules style:paper-LP", 20_000, 5000),
    ("style:paper-LA rules:loose-aggressive", 20_000, 5000),
    ("style:paper-TA style:paper-TP", 5000, 4000),
    ("rules style:paper-TA", 10_000, 4000),
    ("rules:tight-aggressive style:paper-LA", 2000, 4000),
    ("style:paper-TP style:paper-LP", 20_000, 4000),
    ("rules style:paper-TA rules:loose-aggressive style:paper-LA style:paper-LP rules:tight-passive", 10_000, 4000),
    ("rules style:paper-TA style:paper-LA", 20_000, 3000),
)
LIMIT = (("rules style:paper-LA", 20_000, 4000), ("style:paper-TA rules:loose-aggressive", 20_000, 4000))


class _Records(Watcher):
    def __init__(self) -> None:
        self.records: list[HandRecord] = []

    def on_hand(self, record: HandRecord, table: object) -> None:
        self.records.append(record)


def _equations(agents: list[str], stack: int, hands: int, game: str | None) -> tuple[np.ndarray, np.ndarray]:
    """Normal equations of one match."""
    entrants, config = match_config(agents, hands=hands, seed=SEED, stack=stack, game=game)
    policies = [make_agent(a).policy for a in agents]  # type: ignore[attr-defined]
    cards = np.array(COEFFICIENTS[config.game.betting])
    cards[TERMS.index("decisions")] = 0.0
    parts, left, payoffs = [], [], []
    for task in match_tasks(entrants, config):
        watch = _Records()
        play_seating(task, watch=watch)
        for record in watch.records:
            luck = luck_terms(record)
            payoffs.append(luck.payoffs)
            left.append(luck.payoffs - cards @ luck.terms)
            parts.append(decision_parts(record, [policies[s] for s in record.seats]))
    variance = float(np.var(np.array(payoffs), axis=0).mean())
    x = np.array(parts).transpose(0, 2, 1).reshape(-1, parts[0].shape[0])
    return x.T @ x / variance, x.T @ np.array(left).reshape(-1) / variance


def main() -> None:
    """Print the weights."""
    for name, game, matches in (("no-limit", None, NO_LIMIT), ("limit", "holdem.limit.2p", LIMIT)):
        equations = [_equations(agents.split(), stack, hands, game) for agents, stack, hands in matches]
        squares, products = (sum(parts) for parts in zip(*equations, strict=True))
        # A little ridge: the parts are similar.
        weights = np.linalg.solve(squares + 0.01 * np.diag(np.diag(squares)), products)
        sys.stdout.write(f"{name} {tuple(round(float(w), 2) for w in weights)}\n")


if __name__ == "__main__":
    main()
