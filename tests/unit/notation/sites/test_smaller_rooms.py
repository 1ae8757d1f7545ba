"""Cake, Everleaf, Entraction, Seals with Clubs and PKR: a whole hand of each, and what is refused."""

from __future__ import annotations

import pytest

from dupai.notation import read_sites

CAKE = """Hand#90A1 - Elm T77 -- CASH -- $2 + $0,2 -- Table 1 -- 20/100/200 NL Hold'em -- 2012.05.17 - 22:49:18
Dealer: Seat 6
Seat 1: Mia (2\u00a0400 in chips)
Seat 4: Ned (4,600 in chips)
Seat 6: Olu (1 600 in chips)
Mia: posts ante of 20
Ned: posts ante of 20
Olu: posts ante of 20
Mia: posts small blind 100
Ned: posts big blind 200
Dealt to Olu [Th,Kh]
Olu: raises to 600
Mia: folds
Ned: calls 400
*** FLOP *** [Jh,5d,5h]
Ned: checks
Olu: is all in 980
Ned: folds
Olu: returns uncalled bet 980
***SHOW DOWN***
Olu wins 1 360
"""
EVERLEAF = """Everleaf Gaming Game #9001
***** Hand history for game #9001 *****
Blinds $0.05/$0.10 NL Hold'em - 2010/08/03 - 17:03:59
Table Elm
Seat 6 is the button
Total number of players: 3
Seat 1: Mia (  $ 9.80 USD )
Seat 4: Ned (  $ 8 USD )
Seat 6: Olu (  $ 7.40 USD )
Mia: posts small blind [$ 0.05 USD]
Ned: posts big blind [$ 0.10 USD]
** Dealing down cards **
Olu folds
Mia raises [$ 0.25 USD]
Ned calls [$ 0.20 USD]
** Dealing Flop ** [ 6d, Jc, Js ]
Mia: bets [$ 0.40 USD]
Ned folds
Mia does not show cards
Mia wins $ 0.56 USD from main pot
"""
ENTRACTION = """Game # 9001 - Texas Hold'em No Limit EUR 0.25/0.50 - Table "Elm"

Players(max 6):
Mia                         (EUR 50.25 in seat 3)
Ned                         (EUR 49.75 in seat 4)

Dealer:                     Ned
Small Blind:                Mia         (0.25)
Big Blind:                  Ned         (0.50)

mia was dealt:              4c - 5c

Mia                         Raise       (1.25)
Ned                         Call        (1.00)

Flop                        Ah - 6c - Jd

Mia                         Check
Ned                         Bet         (2.00)
Mia                         Fold
Ned                         Payback     (2.00)

Ned didn't show hand (Ac - 8h)

Ned wins:                   EUR 2.90
Rake:                       EUR 0.10

Game ended 2012-05-31 08:56:27 GMT+01:00
"""
SEALS = """Hand #9001-7 - 2013-04-16 23:29:08
Game: NL Hold'em (20 - 100) - Blinds 1/2
Site: Elm Club
Table: NLHE 6max
Seat 1: Mia (40)
Seat 2: Ned (107)
Seat 3: Olu (63)
Olu has the dealer button
Mia posts small blind 1
Ned posts big blind 2
** Hole Cards **
Dealt to Mia [6d Jc]
Olu raises to 6
Mia folds
Ned calls 4
** Flop ** [3s Tc Qh]
Ned checks
Olu bets 5
Ned folds
Olu refunded 5
Olu wins Pot (12.60)
Rake (0.40)
"""
PKR = """Table #4612 - Elm
Starting Hand #9001
Start time of hand: 01 Aug 2012 03:36:03
Game Type: HOLD'EM
Limit Type: NO LIMIT
Blinds are now $0.10 / $0.20
Button is at seat 3
Seat 1: Mia - $4.60
Seat 3: Ned (bounty value $0.40, bounty won $0) - $7.10
Seat 5: Olu - $5.20
Shuffling Deck
Moving Button to seat 5
Mia posts small blind ($0.10)
Ned posts big blind ($0.20)
Dealing Cards
Dealing [T h][9 s] to Ned
Olu raises to $0.60
Mia folds
Ned calls $0.60
Dealing Flop [8 h][2 c][5 c]
Ned checks
Olu bets $0.40
Ned folds
Taking Rake of $0.05 from pot 1
Olu wins $1.25
Seat 1: Mia - $4.50
Seat 3: Ned - $6.50
Seat 5: Olu - $5.85
End of Hand #9001
"""


@pytest.mark.parametrize(
    ("text", "names", "actions", "payoffs", "house", "hero"),
    [
        (CAKE, ("Mia", "Ned", "Olu"), "r600 f c c r1580 f", (-120, -620, 740), 0, "Olu"),
        (EVERLEAF, ("Mia", "Ned", "Olu"), "f r30 c r70 f", (26, -30, 0), 4, None),
        (ENTRACTION, ("Mia", "Ned"), "r150 c c r350 f", (-150, 140), 10, "Mia"),  # the button posts the big blind
        (SEALS, ("Mia", "Ned", "Olu"), "r600 f c c r1100 f", (-100, -600, 660), 40, "Mia"),
        (PKR, ("Mia", "Ned", "Olu"), "r60 f c c r100 f", (-10, -60, 65), 5, "Ned"),
    ],
)
def test_a_whole_hand(
    text: str, names: tuple[str, ...], actions: str, payoffs: tuple[int, ...], house: int, hero: str | None
) -> None:
    [hand] = read_sites(text.splitlines())
    record = hand.record
    assert record is not None, hand.error
    assert hand.proven
    assert record.names == names
    assert " ".join(map(str, record.actions)) == actions
    assert record.payoffs == payoffs
    assert record.rake == house
    assert (None if record.hero is None else names[record.hero]) == hero


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (CAKE.replace("NL Hold'em", "PL Omaha"), "Cake: Omaha: not hold'em"),
        (CAKE.replace("wins 1 360", "wins 1 960"), "money: 1960 won"),
        (EVERLEAF.replace("Ned calls [$ 0.20", "Ned calls [$ 0.15"), "'Ned' calls 15: 20 would be a call"),
        (ENTRACTION.replace("Rake:                       EUR 0.10", "Rake: EUR 0.90"), "money: 290 won and 90 taken"),
        (SEALS.replace("Ned calls 4", "Ned waits"), "an action is missing before the flop: 'Ned' was to act"),
        (SEALS.replace("Olu wins Pot (12.60)", "Rake (99)\nOlu splits no Pot"), "the text does not say who won"),
        (PKR.replace("Blinds are", "They are"), "PKR: its header is not read"),
        (PKR.replace("calls $0.60", "calls $0.40"), "Ned"),
    ],
)
def test_damage_is_named(text: str, cause: str) -> None:
    [hand] = read_sites(text.splitlines())
    assert hand.record is None
    assert cause in hand.error, hand.error
