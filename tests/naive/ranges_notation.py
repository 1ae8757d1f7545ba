"""Every run of the notation written out by hand, from ranks and suits alone."""

from functools import cache
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"


def hands_of_class(a: str, b: str, kind: str) -> list[str]:
    """``hands_of_class("A", "K", "s")``: the hands as four characters."""
    if a == b:
        return [a + s + b + t for s, t in combinations(SUITS, 2)]
    both = [a + s + b + t for s in SUITS for t in SUITS]
    return [h for h in both if kind == "" or (h[1] == h[3]) == (kind == "s")]


@cache
def all_runs() -> dict[str, frozenset[str]]:
    """Text of every pair, suited, offsuit or mixed run -> its hands."""
    runs: dict[str, frozenset[str]] = {}

    def add(classes: list[str], kind: str) -> None:
        hands = frozenset(h for c in classes for h in hands_of_class(c[0], c[1], kind))
        name = classes[0] + kind if len(classes) == 1 else f"{classes[0]}{kind}-{classes[-1]}{kind}"
        runs[name] = hands

    for top in range(13):
        for low in range(top + 1):
            add([RANKS[r] * 2 for r in range(top, low - 1, -1)], "")
    for kind in ("", "s", "o"):
        for hi in range(13):
            for top in range(hi):
                for low in range(top + 1):
                    add([RANKS[hi] + RANKS[r] for r in range(top, low - 1, -1)], kind)
        for gap in range(1, 13):
            for top in range(gap, 13):
                for low in range(gap, top):
                    add([RANKS[r] + RANKS[r - gap] for r in range(top, low - 1, -1)], kind)
    return runs


def hands_of_run(text: str) -> frozenset[str]:
    """Hands of a run as canonical text writes it: also ``QQ+``, ``ATs+`` and single combos."""
    if len(text) == 4 and text[1] in SUITS and text[3] in SUITS:
        return frozenset([text])
    if text.endswith("+"):
        low = text[:-1]
        if low[0] == low[1]:
            top = "AA"
        else:
            top = low[0] + RANKS[RANKS.index(low[0]) - 1] + low[2:]
        text = low if top == low else f"{top}-{low}"
    return all_runs()[text]
