"""Winamax's hands."""

from __future__ import annotations

from dupai.notation import read_sites
from dupai.notation.sites import SiteHand

CASH = """Winamax Poker - Go Fast "Nice" - HandId: #123-45-16 - Holdem no limit (0.10€/0.25€) - 2024/01/05 21:02:03 UTC
Table: 'Nice' 6-max (real money) Seat #3 is the button
Seat 1: Max calls (25€)
Seat 2: Zoe (31.40€)
Seat 3: Ina: bets (24.75€)
Seat 5: Udo (10€)
*** ANTE/BLINDS ***
Udo posts small blind 0.10€
Max calls posts big blind 0.25€
Zoe posts small blind 0.10€ out of position
Zoe posts big blind 0.25€ out of position
Dealt to Zoe [Ah Qd]
*** PRE-FLOP ***
Zoe checks
Ina: bets raises 0.75€ to 1€
Udo folds
Max calls calls 0.75€
Zoe folds
*** FLOP *** [2h 7d Jc]
Max calls checks
Ina: bets bets 1.50€
Max calls folds
Ina: bets collected 3.80€ from pot
*** SUMMARY ***
Total pot 3.80€ | Rake 0.15€
Board: [2h 7d Jc]
Seat 3: Ina: bets (button) won 3.80€
"""

EVENT = """Winamax Poker - Tournament "SUNDAY PLO" buyIn: 9€ + 1€ level: 4 - HandId: #9-8-7 -\
 Holdem no limit (10/60/120)
Table: 'SUNDAY PLO(424242)#007' 6-max (real money) Seat #2 is the button
Seat 2: Eva (1500, 5.50€ bounty)
Seat 4: Kim (1220, 4.50€ bounty)
*** ANTE/BLINDS ***
Eva posts ante 10
Kim posts ante 10
Eva posts small blind 60
Kim posts big blind 120
Dealt to Kim [9c 9d]
*** PRE-FLOP ***
Eva raises 240 to 360
Kim raises 850 to 1210 and is all-in
Eva raises 280 to 1490
*** FLOP *** [2h 7d Jc]
*** TURN *** [2h 7d Jc][Td]
*** RIVER *** [2h 7d Jc Td][3s]
*** SHOW DOWN ***
Eva shows [Jd Kd] (One pair : Jacks)
Kim shows [9c 9d] (One pair : 9)
Eva collected 2720 from pot
*** SUMMARY ***
Total pot 2.72k | No rake
Board: [2h 7d Jc Td 3s]
"""


def one(text: str) -> SiteHand:
    [hand] = read_sites(text.splitlines())
    return hand


def test_a_cash_hand_with_late_blinds_and_names_that_look_like_actions() -> None:
    hand = one(CASH)
    record = hand.record
    assert record is not None, hand.error
    assert hand.proven
    assert record.names == ("Udo", "Max calls", "Zoe", "Ina: bets")
    assert record.payoffs == (-10, -100, -35, 130)
    assert record.rake == 15
    assert record.spec.antes == (0, 0, 10, 0)
    assert dict(record.about)["hand"] == '"123-45-16"'


def test_chips_beyond_an_all_in_are_no_gain() -> None:
    hand = one(EVENT)
    assert hand.record is not None, hand.error
    assert hand.proven
    assert dict(zip(hand.record.names, hand.record.payoffs, strict=True)) == {"Eva": 1220, "Kim": -1220}
    assert dict(hand.record.about)["_tournament"] == "424242"


def test_what_is_refused_and_why() -> None:
    assert one(CASH.replace("collected 3.80€", "collected 4.80€")).kind == "mismatch"
    assert one(CASH.replace("Udo folds\n", "")).error.startswith("Winamax, line 16: out of turn: 'Max calls' calls")
    assert one(CASH.replace("Holdem no limit", "Omaha pot limit")).error == "Winamax: Omaha: not hold'em"
    assert one(EVENT.partition("*** TURN")[0]).kind == "waits"
