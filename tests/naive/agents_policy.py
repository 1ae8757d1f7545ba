"""Slow, obvious twins of the agents' decisions."""

from __future__ import annotations

import math


def rules_policy(
    rate: float,
    to_call: int,
    pot: int,
    stack: int,
    can_raise: bool,
    big_blind: int,
    *,
    tight: float = 0.0,
    aggressive: float = 0.0,
    reserve: float | None = 4.0,
    safe: float = 0.5,
    free_as_bet: bool = False,
) -> dict[str, float]:
    """Chances to fold, call and raise, written down from the source's table."""
    if to_call > 0:
        pot_odds = to_call / (to_call + pot)
        rr = rate / pot_odds
    elif free_as_bet and big_blind > 0:
        rr = rate / (big_blind / (big_blind + pot))
    else:
        rr = math.inf
    shift = 2.0**tight
    if rr < 0.8 * shift:
        chances = {"fold": 0.95, "call": 0.0, "raise": 0.05}
    elif rr < 1.0 * shift:
        chances = {"fold": 0.80, "call": 0.05, "raise": 0.15}
    elif rr < 1.3 * shift:
        chances = {"fold": 0.0, "call": 0.60, "raise": 0.40}
    else:
        chances = {"fold": 0.0, "call": 0.30, "raise": 0.70}
    chances["raise"] *= 4.0**aggressive
    total = sum(chances.values()) / 1.0
    if aggressive:
        chances = {k: v / total for k, v in chances.items()}
    if reserve is not None and stack - to_call < reserve * big_blind and rate < safe:
        chances = {"fold": 1.0, "call": 0.0, "raise": 0.0}
    if not can_raise:
        chances["call"] += chances["raise"]
        chances["raise"] = 0.0
    if to_call == 0:
        chances["call"] += chances["fold"]
        chances["fold"] = 0.0
    return chances


def style_policy(rate: float, alpha: float, beta: float, to_call: int, can_raise: bool) -> str:
    """What a style does: ``fold``, ``call`` or ``raise``."""
    if rate >= beta:
        return "raise" if can_raise else "call"
    if rate >= alpha:
        return "call"
    return "call" if to_call == 0 else "fold"
