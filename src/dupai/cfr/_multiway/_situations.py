"""Situations: what a blueprint of a table knows of the betting.

A tree of all betting among six players has far more nodes than a small file can hold. So decisions that look alike
share a strategy: who is in, who acts when, what it costs, how deep the stacks are beside the pot, and who has raised.
The betting is forgotten beyond that (imperfect recall, as of the cards: K. Waugh and others, "A practical use of
imperfect recall", SARA 2009). Real bets need no mapping: they fall into a class of price, and the actions are sizes of
the real pot.
"""

import numpy as np

from dupai.base import ConfigError
from dupai.base.arrays import AnyArray
from dupai.cfr._blueprint._tree import BetMenu

#: Most actions of a situation, and raises on a street.
MAX_OPTIONS, MAX_RAISES = 8, 12
#: What the number of a situation is at least on the flop, twice that on the turn, three times on the river.
STREET = 1 << 40
#: By how much it grows from one class of price to the next, before the flop and after it.
PRICE = (1 << 20, 1 << 21)


def check_situations(numbers: AnyArray, options: AnyArray) -> None:
    """Check numbers of situations against the numbers of their actions, which they hold as well.

    Raises:
        ValueError: they are not such numbers.
    """
    streets = numbers // STREET
    if len(streets) and not 0 <= streets.min() <= streets.max() <= 3:
        raise ValueError("situations of no street")
    held = numbers % STREET // (np.where(streets == 0, *PRICE) // 16) % 16
    if (held != options).any() or (len(options) and not 1 <= options.min() <= options.max() <= MAX_OPTIONS):
        raise ValueError("situations with other numbers of actions than they say")


def menu_sizes(menu: BetMenu, limit: bool = False) -> AnyArray:
    """``float64[4, rows, sizes]``: the bets of a menu by street and raises so far; inf is all-in, nan none. In a
    ``limit`` game there is one raise, which is the largest.

    Raises:
        ConfigError: more raises on a street, or more sizes of one, than there is room for.
    """
    if limit:
        return np.full((4, MAX_RAISES, 1), np.inf)
    rows = max(1, *(len(street) for street in menu.streets))
    widest = max([1, *(len(row) for street in menu.streets for row in street)])
    if rows > MAX_RAISES or widest > MAX_OPTIONS - 2:
        expected = f"at most {MAX_RAISES} raises on a street and {MAX_OPTIONS - 2} sizes of each"
        raise ConfigError(f"a menu of {rows} raises on a street and {widest} sizes: expected {expected}", key="menu")
    out = np.full((4, rows, widest), np.nan)
    for street, some in enumerate(menu.streets):
        for i, row in enumerate(some):
            values = sorted(float("inf") if size == "a" else float(size) for size in row)
            out[street, i, : len(values)] = values
    return out
