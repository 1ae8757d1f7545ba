"""Bet sizes that a person would believe."""

from __future__ import annotations

from functools import cache

from dupai.base import Option
from dupai.history.stats import SIZE_GROUPS, TABLE_SIZES, population
from dupai.notation import Reason
from dupai.rules import View
from dupai.spots import SIZE_HELP, raise_to, size_code, spot_rows

#: The word of an option ``size``, and its help.
PEOPLE = "people"
PEOPLE_SIZE = Option(f"{SIZE_HELP}; or people (sizes that people bet, as often as they do)")
#: What stands for each class of the population's sizes but all-in, in pots.
_POTS = (1 / 3, 0.5, 0.7, 1.0, 1.5)
#: Size codes that are no share of the pot but 1, as words of the catalogue.
_SIZE_WORDS = {size_code(word): word for word in ("min", "max", "random", "pot")}
#: Whoever puts in more than this part of their chips puts in all of them.
_COMMITTED = 0.6


def size_reason(view: View, size: float | str) -> Reason:
    """How large a raise is, by a size code or :data:`PEOPLE`; that there is none, where none is allowed."""
    if not view.legal.can_raise:
        return Reason("raise_is_call")
    word = size if isinstance(size, str) else _SIZE_WORDS.get(size)
    return Reason("size", {"size": word}) if word else Reason("size_share", {"share": float(size)})


@cache
def _shares(group: str, size: int) -> tuple[float, ...]:
    """How often people at tables of a size bet each class of sizes, all-ins left out."""
    means = population().sizes(group, [(size, 1.0)])[0][: len(_POTS)]
    return tuple(share / sum(means) for share in means)


def people_sizes(view: View) -> tuple[tuple[int, float], ...]:
    """Totals that a person at such a table raises to, with their probabilities; a raise must be legal in ``view``.

    The classes of sizes are drawn as the population of the player statistics bets them (by street, and bets and raises
    apart), rounded to small blinds; a bet that commits its player is all-in.
    """
    row = spot_rows(view)[-1]
    street, raised = int(row["street"]), int(row["raises"]) > 0
    group = SIZE_GROUPS[0 if street == 0 else 2 * street - 1 + raised]
    size = min(TABLE_SIZES, key=lambda n: abs(n - view.spec.players))
    low, high = view.legal.min_to, view.legal.max_to
    called, pot = int(row["total"] + row["to_call"]), int(row["pot"] + row["to_call"])
    before = int(row["total"] - row["bet"])
    unit = max(min((b for b in view.spec.blinds if b), default=1), 1)
    sizes: dict[int, float] = {}
    for pots, share in zip(_POTS, _shares(group, size), strict=True):
        to = raise_to(pots, called, pot, low, high)
        # Round in what lies on the table on this street.
        to = max(low, min(high, before + unit * round((to - before) / unit)))
        if to - row["total"] > _COMMITTED * row["stack"]:
            to = high
        sizes[to] = sizes.get(to, 0.0) + share
    return tuple(sizes.items())
