"""What texts leave out: blinds that no line tells, players without seats or names, a last fold."""

from __future__ import annotations

import pytest

from dupai.notation import read_sites
from dupai.rules import HandRecord

PARTY = """\
***** Hand History for Game 14067958 *****
$10 USD NL Texas Hold'em - Monday, September 3, 00:26:18 ET 2012
Table Elm (Real Money)
Seat 3 is the button
Total number of players : 4
Seat 1: ann ( $5.87 USD )
Seat 3: bob ( $9.72 USD )
Seat 5: cat ( $15.76 USD )
Seat 6: dan ( $7.36 USD )
cat posts small blind [$0.05 USD].
dan posts big blind [$0.10 USD].
** Dealing down cards **
ann calls [$0.10 USD].
bob checks.
cat folds.
dan checks.
** Dealing Flop ** [ Td, Qc, 6d ]
dan bets [$0.20 USD].
ann folds.
bob folds.
dan wins $WON USD
"""
EVENT = """\
***** Hand History for Game 11749829747 *****
NL Texas Hold'em  Trny: 69421386 Level: 3  Blinds(30/60) - Wednesday, May 16, 17:59:37 MSKS 2012
Table Elm (Real Money)
Seat 3 is the button
Total number of players : 4/10
Seat 3: ann ( 14,330 )
Seat 4: moved ( 3,000 )
Seat 6: bob ( 2,010 )
Seat 7: cat ( 6,665 )
** Dealing down cards **
ann folds
bob calls [30]
cat checks
** Dealing Flop ** [ 7d, 4s, 9c ]
bob bets [1,949]
bob is all-In.
cat folds
bob wins 2,070 chips from the main pot
"""
TILT = """\
Full Tilt Poker Game #31493031208: $26 Matrix (244669447), Match 4 - 25/50 - No Limit Hold'em - 02:28:31 ET - 2012/11/23
Seat 1: ann (1,200)
Seat 6: bob (600)
ann posts the small blind of 25
bob posts the big blind of 50
The button is in seat #1
*** HOLE CARDS ***
Dealt to bob [8s 8h]
*** SUMMARY ***
Total pot 50 | Rake 0
Seat 1: ann (small blind) folded before the Flop
Seat 6: bob (big blind) collected (50), mucked
"""
MERGE = """\
<description type="Holdem" stakes="No Limit ($0.02/$0.04)"/>
<game id="34205042-1" starttime="20110507140723" numholecards="2" gametype="2" data="20110507|Elm (34205042)|34205042">
<players dealer="3">
<player seat="1" nickname="ann" balance="$5.30" dealtin="true" />
<player seat="3" nickname="bob" balance="$2.00" dealtin="true" />
<player seat="4" nickname="cat" balance="$4.11" dealtin="true" />
</players>
<round id="BLINDS" sequence="1">
<event sequence="1" type="SMALL_BLIND" player="4" amount="0.02"/>
<event sequence="2" type="BIG_BLIND" player="0" amount="0.04"/>
</round>
<round id="PREFLOP" sequence="2">
<event sequence="3" type="RAISE" player="1" amount="0.14"/>
<event sequence="4" type="FOLD" player="3"/>
<event sequence="5" type="FOLD" player="4"/>
<event sequence="6" type="FOLD" player="0"/>
</round>
<round id="END_OF_FOLDED_GAME" sequence="3">
<winner amount="0.20" uncalled="false" potnumber="1" player="1" pottype="n"/>
</round>
</game>
"""
BET_ONLINE = """\
BetOnline Poker Game #1078353699: Tournament #4157956: Hold'em $10.00/$20.00 - 2012/10/13 20:13:28 Eastern Daylight Time
Table '4157956-06' 10-Max, Seat #3 is the button
Seat 4:  (100.00 in chips)
Seat 3: ann (3670.00 in chips) - The button
Seat 5: bob (6625.00 in chips) - Big Blind
: posts small blind 100.00
bob: posts big blind 400.00
*** HOLE CARDS ***
Dealt to ann [Js Ad]
ann: raises 1600.00 to 1600.00
bob: folds
Uncalled bet (1200.00) returned to ann
Total pot 600.00
*** SHOW DOWN ***
 shows 8h 7s
ann shows Js Ad
*** SUMMARY ***
Total pot 300.00
Board [2h As 9c 2d Jh]
Seat 3: ann x [Js Ad] and won (300.00)
"""


def _read(text: str) -> HandRecord:
    [hand] = read_sites(text.splitlines())
    assert hand.record is not None, hand.error
    return hand.record


def test_who_checks_without_a_blind_has_posted_both_where_only_they_fit() -> None:
    record = _read(PARTY.replace("WON", "0.58"))
    assert dict(zip(record.names, record.payoffs, strict=True)) == {"cat": -5, "dan": 28, "ann": -10, "bob": -15}
    for won in ("0.55", "0.54", "0.65"):  # the big blind alone would fit as well, or neither
        [hand] = read_sites(PARTY.replace("WON", won).splitlines())
        assert hand.error == "PartyPoker, line 14: 'bob' checks 0: 10 would be a call"


def test_who_only_sits_there_posts_no_silent_blind() -> None:
    record = _read(EVENT)
    assert record.names == ("bob", "cat", "ann") and record.payoffs == (60, -60, 0)
    assert record.actions[3].to == 2010  # all in, though the text says a chip less


def test_a_chip_less_is_all_in_only_where_the_text_says_so() -> None:
    assert _read(EVENT.replace("bob is all-In.\n", "").replace("2,070", "2,069")).actions[3].to == 2009


def test_a_last_fold_may_stand_in_the_summary() -> None:
    record = _read(TILT)
    assert record.payoffs == (25, -25) and record.actions[-1].kind == 0


@pytest.mark.parametrize(("text", "name"), [(MERGE, "seat 0"), (BET_ONLINE, "")])
def test_players_without_a_name(text: str, name: str) -> None:
    record = _read(text)
    assert name in record.names and sum(record.payoffs) == -record.rake


def test_a_text_without_seats() -> None:
    text = "\n".join(line for line in TILT.splitlines() if "(1,200)" not in line and "(600)" not in line)
    [hand] = read_sites(text.splitlines())
    assert hand.error.endswith("the text says no seats and stacks")
