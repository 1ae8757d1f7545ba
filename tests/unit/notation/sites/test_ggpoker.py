"""GGPoker's hands."""

from __future__ import annotations

from dupai.cards import cards_text
from dupai.notation import read_sites
from dupai.notation.sites import SiteHand

CASH = """Poker Hand #RC0000000123: Hold'em No Limit ($0.10/$0.25) - 2025/03/02 11:22:33
Table 'RushAndCash000' 6-max Seat #1 is the button
Seat 1: aa11 ($25 in chips)
Seat 2: bb22 ($30.50 in chips)
Seat 4: Hero ($25.25 in chips)
bb22: posts small blind $0.10
Hero: posts big blind $0.25
aa11: straddle $0.50
*** HOLE CARDS ***
Dealt to aa11
Dealt to bb22
Dealt to Hero [Jh Ts]
bb22: folds
Hero: raises $1 to $1.50
aa11: calls $1
*** FLOP *** [9h 8h 2c]
Hero: bets $2
aa11: raises $21.50 to $23.50 and is all-in
Hero: calls $21.50
aa11: shows [2h 2s] (three of a kind, Twos)
Hero: shows [Ts Jh] (a flush draw)
Hero: Chooses to EV Cashout
*** TURN *** [8h 2c 9h] [3h]
*** RIVER *** [8h 2c 9h 3h] [7d]
*** SHOWDOWN ***
Hero: Pays Cashout Risk ($20.40)
Hero collected $48.10 from pot
*** SUMMARY ***
Total pot $50.10 | Rake $1.50 | Jackpot $0.50 | Bingo $0 | Fortune $0 | Tax $0
Board [9h 8h 2c 3h 7d]
Seat 1: aa11 (button) showed [2h 2s] and lost with three of a kind, Twos
Seat 2: bb22 (small blind) folded before Flop
Seat 4: Hero (big blind) showed [Jh Ts] and won ($48.10) with a straight
"""

TWICE = """Poker Hand #TM456: Tournament #77, PLO Fun \
Hold'em No Limit - Level3(1,000/2,000(250)) - 2025/03/02 11:30:00
Table '9' 8-max Seat #2 is the button
Seat 2: Hero (9,000 in chips)
Seat 7: cc33 (12,345 in chips)
Hero: posts the ante 250
cc33: posts the ante 250
Hero: posts small blind 1,000
cc33: posts big blind 2,000
*** HOLE CARDS ***
Dealt to Hero [Ah Kd]
Dealt to cc33
Hero: raises 6,750 to 8,750 and is all-in
cc33: calls 6,750
Hero: shows [Ah Kd]
cc33: shows [Qc Qs]
*** FIRST FLOP *** [2c 3c 4d]
*** FIRST TURN *** [2c 3c 4d] [9s]
*** FIRST RIVER *** [2c 3c 4d 9s] [9h]
*** SECOND FLOP *** [As 3d 8d]
*** SECOND TURN *** [As 3d 8d] [Th]
*** SECOND RIVER *** [As 3d 8d Th] [6s]
*** FIRST SHOWDOWN ***
cc33 collected 9,000 from pot
*** SECOND SHOWDOWN ***
Hero collected 9,000 from pot
*** SUMMARY ***
Total pot 18,000
Hand was run two times
"""


def one(text: str) -> SiteHand:
    [hand] = read_sites(text.splitlines())
    return hand


def test_a_cash_hand_with_a_straddle_and_a_jackpot() -> None:
    hand = one(CASH)
    record = hand.record
    assert record is not None, hand.error
    assert hand.proven
    assert record.names == ("bb22", "Hero", "aa11")
    assert record.payoffs == (-10, 2310, -2500)
    assert record.rake == 200
    assert record.spec.blinds == (10, 25, 50)
    assert " ".join(map(str, record.actions)) == "f r150 c r350 r2500 c"
    assert cards_text(record.hole[1]) == "JhTs"
    assert cards_text(record.board) == "9h8h2c3h7d"
    assert dict(record.about)["_cash_out"] == "2040"
    assert dict(record.about)["hand"] == '"RC0000000123"'


def test_a_tournament_hand_run_twice() -> None:
    hand = one(TWICE)
    assert hand.record is not None, hand.error
    assert hand.proven
    assert dict(zip(hand.record.names, hand.record.payoffs, strict=True)) == {"Hero": 0, "cc33": 0}
    assert dict(hand.record.about)["_boards"] == '["As3d8dTh6s"]'


def test_what_is_refused_and_why() -> None:
    assert one(CASH.replace("Hero collected $48.10", "Hero collected $47.10")).kind == "mismatch"
    assert "line 16: an action is missing" in one(CASH.replace("aa11: calls $1\n", "")).error
    assert one(CASH.replace("Hold'em No Limit", "PLO")).error == "GGPoker: Plo: not hold'em"
    assert "Cash Drop" in one(CASH.replace("bb22: folds", "Cash Drop to Pot : total $5\nbb22: folds")).error
    assert one(CASH.partition("*** TURN")[0]).kind == "waits"
