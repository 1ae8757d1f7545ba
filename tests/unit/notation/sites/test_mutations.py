"""Damaged texts: a hand is read or refused by name, and no exception of Python's own comes out."""

from __future__ import annotations

import random

import pytest

from dupai.notation import read_sites
from support.site_sample import SHOWDOWN
from unit.notation.sites import test_ipoker, test_merge, test_microgaming, test_smaller_rooms as rooms
from unit.notation.test_sites import FULL_TILT, MUCK, SIDE_POT
from unit.notation.test_sites_others import TEXTS

SAMPLES = {"showdown": SHOWDOWN, "muck": MUCK, "side pot": SIDE_POT, "Full Tilt": FULL_TILT, **TEXTS}
SAMPLES |= {"Merge": test_merge.HAND, "Microgaming": test_microgaming.HAND, "Seals": rooms.SEALS, "PKR": rooms.PKR}
SAMPLES |= {"Cake": rooms.CAKE, "Everleaf": rooms.EVERLEAF, "Entraction": rooms.ENTRACTION}
SAMPLES["iPoker"] = test_ipoker.SESSION.format(game="Holdem NL €0.05/€0.10") + test_ipoker.no_limit()
#: Mutations of each sample; ``tests/slow/test_site_mutations.py`` makes more.
MUTATIONS = 60


def mutated(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        line = lines[at]
        cut = rng.randrange(len(line) + 1)
        lines[at] = rng.choice(
            [
                "",
                line[:cut],
                line[:cut] + rng.choice('x9.,:[]()"<>$€-\x00\u2028') + line[cut:],
                line + "\n" + line,
                rng.choice(lines),
                line.replace("1", rng.choice(["0", "99", "٣", "²"])),
                line[::-1],
            ]
        )
    return "\n".join(lines)


@pytest.mark.parametrize("name", list(SAMPLES))
def test_no_exception_of_pythons_own(name: str, count: int = MUTATIONS) -> None:
    rng = random.Random(name)
    for _ in range(count):
        for hand in read_sites(mutated(SAMPLES[name], rng).splitlines()):
            assert (hand.record is None) == bool(hand.error)
            assert hand.kind in (("",) if hand.record else ("rejected", "mismatch", "waits"))
