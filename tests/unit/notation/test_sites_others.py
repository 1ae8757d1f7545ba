"""The sites beside PokerStars and Full Tilt: one hand of each, and what is refused.

The hand is the same everywhere, written by hand in the words of the site.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dupai.cards import cards_text
from dupai.history import check_record, import_file
from dupai.notation import read_sites
from dupai.rules import HandRecord

ABSOLUTE = """\
Stage #3017235114: Holdem  No Limit $10 - 2009-07-01 00:00:10 (ET)
Table: CLEO AVE (Real Money) Seat #2 is the dealer
Seat 2 - Ann ($1,000 in chips)
Seat 3 - Bob ($500.50 in chips)
Seat 5 - Cid ($746 in chips)
Bob - Posts small blind $5
Cid - Posts big blind $10
*** POCKET CARDS ***
Ann - Raises $30 to $30
Bob - Folds
Cid - Calls $20
*** FLOP *** [7d Qh 6h]
Cid - Checks
Ann - Bets $40
Cid - Calls $40
*** TURN *** [7d Qh 6h] [2c]
Cid - Checks
Ann - Checks
*** RIVER *** [7d Qh 6h 2c] [Ks]
Cid - Checks
Ann - Checks
*** SHOW DOWN ***
Cid - Shows [Qs Jc] (One pair, queens)
Ann - Shows [Td Tc] (One pair, tens)
Cid Collects $142 from main pot
*** SUMMARY ***
Total Pot($145) | Rake ($3)
Board [7d Qh 6h 2c Ks]
Seat 2: Ann (dealer) HI:lost with One pair, tens [Td Tc - P:Td,P:Tc,B:Ks,B:Qh,B:7d]
Seat 3: Bob (small blind) Folded on the POCKET CARDS
Seat 5: Cid (big blind) collected Total ($142) HI:($142) with One pair, queens [Qs Jc - P:Qs,B:Qh,B:Ks,P:Jc,B:7d]
"""
ONGAME = """\
***** History for hand R5-244090560-4 *****
Start hand: Wed Jul 01 00:00:00 GMT-0400 2009
Table: Nijmegen [244308222] (NO_LIMIT TEXAS_HOLDEM $0.50/$1, Real money)
User: Bob
Button: seat 1
Players in round: 3
Seat 1: Ann ($98.30)\x20
Seat 2: Bob ($100)\x20
Seat 4: Cid ($54.50)\x20
Bob posts small blind ($0.50)
Cid posts big blind ($1)
---
Dealing pocket cards
Ann raises $3 to $3
Bob folds
Cid calls $2
--- Dealing flop [7d, Qh, 6h]
Cid checks
Ann bets $4
Cid calls $4
--- Dealing turn [2c]
Cid checks
Ann checks
--- Dealing river [Ks]
Cid checks
Ann checks
---
Summary:
Main pot: $14.50 won by Cid ($14)
Rake taken: $0.50
Seat 1: Ann ($91.30), net: -$7, [Td, Tc]
Seat 2: Bob ($99.50), net: -$0.50
Seat 4: Cid ($61.50), net: +$7, [Qs, Jc] (PAIR QUEEN)
***** End of hand R5-244090560-4 *****
"""
PARTY = """\
Game #8307182001 starts.

#Game No : 8307182001\x20
***** Hand History for Game 8307182001 *****
$100 USD NL Texas Hold'em - Wednesday, July 01, 00:00:19 EDT 2009
Table Speed (Real Money)
Seat 1 is the button
Total number of players : 3/6\x20
Seat 1: Ann ( $98.30 USD )
Seat 2: Bob ( $100 USD )
Seat 4: Cid ( $54.50 USD )
Bob posts small blind [$0.50 USD].
Cid posts big blind [$1 USD].
** Dealing down cards **
Ann raises [$3 USD]
Bob folds
Cid calls [$2 USD]
** Dealing Flop ** [ 7d, Qh, 6h ]
Cid checks
Ann bets [$4 USD]
Cid calls [$4 USD]
** Dealing Turn ** [ 2c ]
Cid checks
Ann checks
** Dealing River ** [ Ks ]
Cid checks
Ann checks
Ann shows [ Td, Tc ]a pair of Tens.
Cid shows [ Qs, Jc ]a pair of Queens.
Cid wins $14 USD from the main pot with a pair of Queens.
"""
TEXTS = {"Absolute Poker": ABSOLUTE, "Ongame Network": ONGAME, "PartyPoker": PARTY}


def read(text: str) -> HandRecord | str:
    [found] = read_sites(text.splitlines())
    return found.record or found.error


@pytest.mark.parametrize("site", list(TEXTS))
def test_the_hand_of_each_site(site: str) -> None:
    record = read(TEXTS[site])
    assert isinstance(record, HandRecord), record
    assert dict(record.about)["venue"] == f'"{site}"'
    assert record.names == ("Bob", "Cid", "Ann")
    scale = 10 if site == "Absolute Poker" else 1
    assert record.spec.blinds == (50 * scale, 100 * scale, 0)
    assert " ".join(map(str, record.actions)) == " ".join(
        f"r{int(a[1:]) * scale}" if a[0] == "r" else a for a in ["r300", "f", "c", "c", "r700", *"ccccc"]
    )
    assert [cards_text([c for c in two if c != 255]) for two in record.hole] == ["", "QsJc", "TdTc"]
    assert cards_text(record.board) == "7dQh6h2cKs"
    assert record.payoffs == ((-500, 7200, -7000) if scale == 10 else (-50, 700, -700))
    assert record.rake == -sum(record.payoffs)
    assert check_record(record)


def test_names_with_spaces() -> None:
    record = read(PARTY.replace("Cid", "Big Cid"))
    assert isinstance(record, HandRecord), record
    assert record.payoffs == (-50, 700, -700)


@pytest.mark.parametrize(
    ("site", "old", "new", "said"),
    [
        (
            "PartyPoker",
            "Cid posts big blind [$1 USD].",
            "Cid posts big blind [$1 USD].\nDan posts big blind + dead [$1.50 USD].",
            "'Dan' is to act",
        ),
        ("PartyPoker", "Cid wins $14 USD", "Cid wins $4 USD", "winnings are missing"),
        (
            "Ongame Network",
            "Rake taken: $0.50",
            "Rake taken: $0.60",
            "60 taken by the house, and 1450",
        ),
        ("Ongame Network", "Bob folds\n", "", ""),
        ("Ongame Network", "NO_LIMIT TEXAS_HOLDEM", "POT_LIMIT OMAHA_HI", "Omaha: not hold'em"),
        ("Absolute Poker", "Ann - Bets $40", "Ann - Bets $4000", ""),
        (
            "Absolute Poker",
            "Collects $142",
            "Collects $100",
            "10000 won and 300 taken by the house, and 14500 are in the pot",
        ),
    ],
)
def test_every_doubt_is_a_reject(site: str, old: str, new: str, said: str) -> None:
    assert old in TEXTS[site]
    found = read(TEXTS[site].replace(old, new))
    assert isinstance(found, str), found
    assert said in found
    assert found.strip()
    assert "\n" not in found


def test_rejects_file(tmp_path: Path) -> None:
    """What is not read stands in the rejects file, one line a hand; the rest is in the store."""
    path = tmp_path / "hands.txt"
    path.write_text("\n\n\n".join([ABSOLUTE, PARTY.replace("Cid wins $14 USD", "Cid wins $4 USD"), ONGAME]) + "\n")
    report = import_file(path, tmp_path / "store")
    assert (report.hands, report.rejected, report.mismatches) == (2, 1, 0)
    head, line = Path(report.rejects).read_text().splitlines()
    assert head.split("\t") == ["line", "kind", "reason"]
    assert line.split("\t")[:2] == [str(len(ABSOLUTE.splitlines()) + 7), "rejected"]
