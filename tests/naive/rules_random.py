"""Random games, stacks and choices for the comparisons of the rules with other engines."""

from __future__ import annotations

from dupai.rules import CALL, FOLD, RAISE, Action, GameSpec


def random_spec(rng, *, players=None, betting=None, min_raise=None, odd_chips=None, antes=True):
    """A game with small numbers: blinds 1/2 to 5/10, every structure and rule, antes in half of them."""
    n = players or 2 + rng.below(9)
    small, big = ((1, 2), (2, 5), (5, 10), (3, 6))[rng.below(4)]
    betting = betting or ("no-limit", "no-limit", "limit", "pot-limit")[rng.below(4)]
    ante = 0
    if antes:
        kind = rng.below(4)
        if kind == 0:
            ante = 1 + rng.below(3)
        elif kind == 1:
            ante = tuple(big if i == (0 if n == 2 else 1) else 0 for i in range(n))
    rules = {
        "odd_chips": odd_chips or ("casino", "acpc")[rng.below(2)],
        "min_raise": min_raise or ("casino", "acpc")[rng.below(2)],
    }
    if betting == "limit":
        return GameSpec.limit(n, (small, big), (big, big, 2 * big, 2 * big), 40 * big, ante, **rules)
    make = GameSpec.no_limit if betting == "no-limit" else GameSpec.pot_limit
    return make(n, (small, big), 40 * big, ante, **rules)


def random_stacks(rng, spec, low=1):
    """Unequal stacks: some tiny, some equal, some of tens of big blinds."""
    big = spec.big_blind
    deep = big * (4 + rng.below(30))
    return tuple(
        max(low, (1 + rng.below(3 * big), deep, 1 + rng.below(deep))[rng.below(3)]) for _ in range(spec.players)
    )


def random_action(rng, legal):
    """Fold seldom, call often, raise often small and sometimes all-in: long hands with many short all-ins."""
    fold, _, lo, hi = legal
    dice = rng.below(10)
    if fold and dice == 0:
        return Action(FOLD)
    if hi and dice >= 6:
        if dice == 9:
            return Action(RAISE, hi)
        if dice == 8:
            return Action(RAISE, lo + rng.below(hi - lo + 1))
        return Action(RAISE, lo)
    return Action(CALL)
