"""The hands of BetOnline and of the rooms beside it."""

from __future__ import annotations

import pytest

from dupai.notation import read_sites
from dupai.notation.sites import SiteHand

CASH = """BetOnline Poker Game #51: Hold'em No Limit ($0.25/0.50) - 2014/05/06 07:08:09 Eastern Daylight Time
Table 'Elm' 10-Max, Seat #2 is the button
Seat 8: Ann (40.00 in chips)
Seat 3: Bob (30.00 in chips) - Small Blind
Seat 1: Out (25.00 in chips) - Sitting out
Seat 5: Cid (20.00 in chips) - Big Blind
Seat 0: Dee (55.00 in chips)
Seat 2: Eve (60.00 in chips) - The button
Ann: ante processed 0.00
Out: ante processed 0.00
Bob: posts small blind 0.25
Cid: posts big blind 0.50
Bob has left the table
Dee: post dead 0.50
*** HOLE CARDS ***
Dealt to Eve []
Out has left the table
Ann: calls 0.50
Fay joins the table at seat #1
Dee: checks
Cid: checks
*** FLOP *** [Qc 10c 8h]
Cid: bets 1.00
Cid said "Ann: folds"
Ann: raises 6.00 to 6.00
Dee: folds
Cid: folds
Uncalled bet (5.00) returned to Ann
Ann shows 10h 10d
*** SUMMARY ***
Total pot 3.80 | Rake 0.20
Board [Qc 10c 8h]
Total pot 3.80 | Rake 0.20
Board [Qc 10c 8h]
Seat 8: Ann showed [10h 10d] and won (3.80)
Seat 5: Cid folded on the Flop
Seat 0: Dee folded on the Flop
Seat 2: Eve collected (0.00)
"""

SIDE_POT = """BetOnline Poker Game #52: Tournament #9: Hold'em $10.00/$20.00 - 2014/05/06 08:09 Eastern Daylight Time
Table '9-004' 10-Max, Seat #9 is the button
Seat 9: Gil (500.00 in chips) - The button
Seat 0: Hal (1000.00 in chips) - Small Blind
Seat 4: Ivo (800.00 in chips) - Big Blind
Hal: posts small blind 50.00
Ivo: posts big blind 100.00
*** HOLE CARDS ***
Dealt to Gil [Ah Kh]
Gil: raises 500.00 to 500.00 and is all in
Hal: raises 950.00 to 1000.00 and is all in
Ivo: calls 700.00
Uncalled bet (200.00) returned to Hal
Total pot 600.00
*** SHOW DOWN ***
Gil shows Ah Kh
Hal shows Qs Qd
Ivo shows 9c 9d
*** SUMMARY ***
Total pot 1500.00
Board [2h 7h Th 3s 4s]
Seat 9: Gil showed [Ah Kh] and won (1500.00)
Seat 0: Hal showed [Qs Qd] but did not win
Seat 4: Ivo showed [9c 9d] but did not win
"""

FALLING = """ActionPoker.com Game #53: Hold'em - 2013-04-03 02:10:06
Table Long Road (Real Money) Seat #2 is the button
Seat 0: Kim (79.50 in Chips)
Seat 2: Lou (50.00 in Chips)
Seat 6: Hero (60.00 in Chips)
Seat 9: Max (33.00 in Chips)
Kim: Posts small blind 1.00.
Max: Posts big blind 2.00.
*** HOLE CARDS ***
Dealt To Hero [4C QC]
Hero: Folds.
Lou: Folds.
Kim: Calls 1.00.
Max: Checks.
*** FLOP *** [10S 6D 7S]
Kim: Checks.
Max: Bets 2.00.
Kim: Folds.
*** SUMMARY ***
Total Pot 3.80 | Rake 0.20
Seat 0: Kim (Small Blind)  Folded on the Flop
Seat 9: Max (Big Blind)  collected (3.80) from the Pot.
"""


def one(text: str) -> SiteHand:
    [hand] = read_sites(text.splitlines())
    return hand


def payoffs(text: str) -> dict[str, int]:
    hand = one(text)
    assert hand.record is not None, hand.error
    assert hand.record.rake == -sum(hand.record.payoffs)
    return dict(zip(hand.record.names, hand.record.payoffs, strict=True))


def test_who_leaves_folds_and_a_late_blind_has_a_dead_one_beside_it() -> None:
    assert payoffs(CASH) == {"Bob": -25, "Cid": -150, "Ann": 230, "Dee": -75}
    record = one(CASH).record
    assert record is not None
    assert record.seats == (3, 5, 8, 0)
    assert one(CASH).proven


def test_the_winner_of_a_side_pot_is_left_to_the_rules_and_not_proven() -> None:
    assert payoffs(SIDE_POT) == {"Hal": -20000, "Ivo": -80000, "Gil": 100000}
    assert not one(SIDE_POT).proven


def test_a_room_that_deals_by_falling_seat_numbers() -> None:
    assert payoffs(FALLING) == {"Kim": -200, "Max": 180, "Hero": 0, "Lou": 0}


@pytest.mark.parametrize(
    ("text", "old", "new", "kind", "words"),
    [
        (CASH, "and won (3.80)", "and won (4.80)", "mismatch", "money"),
        (CASH, "Ann: calls 0.50\n", "", "rejected", "out of turn"),
        (CASH, "Hold'em No Limit", "Omaha Pot Limit", "rejected", "BetOnline: Omaha: not hold'em"),
        (CASH, "Seat 0: Dee (55.00", "Seat 8: Dee (55.00", "rejected", "two players in one seat"),
        (SIDE_POT, SIDE_POT[SIDE_POT.index("Hal: raises") :], "", "waits", ""),
        (FALLING, "Max: Checks.\n", "", "rejected", "missing before the flop"),
    ],
)
def test_what_is_refused_and_why(text: str, old: str, new: str, kind: str, words: str) -> None:
    hand = one(text.replace(old, new))
    assert hand.kind == kind, hand
    assert words in hand.error
