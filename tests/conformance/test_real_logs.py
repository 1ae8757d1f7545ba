"""Real matches: every hand of the shared logs replays under our rules with the payoffs that were paid.

The logs are not part of the repository: `DUPAI_SHARED` names the folder that has `data/`, else `../shared` beside the
repository is looked at.
"""

from __future__ import annotations

import lzma
from itertools import islice
from pathlib import Path

import pytest

from dupai.base import ConfigError
from dupai.history import check_record, verify_file
from dupai.notation import read_phh, write_acpc
from dupai.notation.acpc import AcpcHand, AcpcText, read_acpc_entries
from dupai.notation.phh import format_phh
from dupai.rules import GameSpec, load_game
from support.shared_data import shared_data

#: Name, hands that the set's description states, the game it is of.
SETS = {
    "deepstack-vs-pros-2016": (31_203, load_game("holdem.nolimit.2p")),
    "lbr-vs-hyperborean14": (280_000, load_game("holdem.nolimit.2p")),
    "lbr-vs-deepstack-2017": (99_000, load_game("holdem.nolimit.2p")),
    "lbr-vs-cfrplus-fcpa-100bb": (
        280_000,
        GameSpec.no_limit(2, (1, 2), 200, odd_chips="acpc", min_raise="acpc"),
    ),
    "pluribus-6max-2019": (7_011, GameSpec.no_limit(6, (50, 100), 10_000, odd_chips="acpc", min_raise="acpc")),
    "acpc2014-3p-limit": (2_100, load_game("holdem.limit.3p")),
}


def log(name: str) -> Path:
    return shared_data(f"{name}/{name}.log.xz")


@pytest.mark.parametrize("name", list(SETS))
def test_every_payoff_is_what_our_rules_give(name: str) -> None:
    hands, spec = SETS[name]
    report = verify_file(log(name))
    assert (report.hands, report.mismatches, report.rejected) == (hands, 0, 0), report.problems[:3]
    assert report.ok
    # The game is found, not told: the one that a given spec would be.
    given = verify_file(log(name), spec)
    assert (given.hands, given.ok) == (hands, True)


@pytest.mark.parametrize("name", list(SETS))
def test_lines_come_back_word_for_word(name: str) -> None:
    with lzma.open(log(name), "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in islice(file, 3000)]
    entries = list(read_acpc_entries(lines, SETS[name][1]))
    assert all(isinstance(e, AcpcHand | AcpcText) for e in entries)
    assert list(write_acpc(entries)) == lines
    records = [e.record for e in entries if isinstance(e, AcpcHand)]
    for record in records[:500]:
        check_record(record)
    # And through PHH, nothing lost.
    text = "".join(f"[{i}]\n{format_phh(r)}\n" for i, r in enumerate(records[:300], 1))
    assert list(read_phh(text.splitlines())) == records[:300]


def test_leduc_is_said_to_be_another_game() -> None:
    with pytest.raises(ConfigError, match=r"'leduc\.limit\.2p\.game'.* --game .*expected 2 cards"):
        verify_file(log("leduc-random-vs-cfr"))
