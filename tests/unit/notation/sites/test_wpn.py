"""The hands of the Winning Poker Network, in both forms of its texts."""

from __future__ import annotations

import pytest

from dupai.cards import cards_text
from dupai.notation import read_sites
from dupai.notation.sites import SiteHand

NEW = """Game Hand #42 - Tournament #7 - Holdem(No Limit) - Level 3 (50.00/100.00)- 2022/05/06 07:08:09 UTC
Table '25' 9-max Seat #8 is the button
Seat 2: Uma (2000.00)
Seat 5: Lee and won (1500.00)
Seat 8: Hero (3000.00)
Seat 9: Out (10.00) is sitting out
Uma posts ante 10.00
Lee and won posts ante 10.00
Hero posts ante 10.00
Uma posts the small blind 50.00
Lee and won posts the big blind 100.00
*** HOLE CARDS ***
Main pot 30.00
Dealt to Hero [Ac Kc]
Hero raises 250.00 to 250.00
Uma folds
Lee and won raises 1390.00 to 1490.00 and is all-in
Hero folds
Uncalled bet (1240.00) returned to Lee and won
Lee and won does not show
*** SUMMARY ***
Total pot 580.00
Seat 2: Uma (small blind) folded on the Pre-Flop
Seat 5: Lee and won did not show and won 580.00
Seat 8: Hero (button) folded on the Pre-Flop
"""

CAP = """Hand #43 - Holdem(No Limit) - $0.01/$0.02 - 2022/05/06 07:09:00 UTC
Elk (Cap) 9-max Seat #1 is the button
Seat 1: Ann ($1.90)
Seat 2: Bob ($3.00)
Seat 3: Cid ($2.00)
Bob posts the small blind $0.01
Cid posts the big blind $0.02
Ann posts dead $0.03
*** HOLE CARDS ***
Ann checks
Bob raises $0.07 to $0.08
Cid calls $0.06
Ann folds
*** FLOP *** [2c 3d 4h]
Main pot $0.19 | Rake $0.00
Bob caps $0.52
Cid calls $0.52
*** TURN *** [2c 3d 4h] [5s]
*** RIVER *** [2c 3d 4h 5s] [Kh]
*** SHOW DOWN ***
Bob shows [Ah Ad] (a straight)
Cid shows [Kc Kd] (three of a kind)
Bob collected $1.16 from main pot
*** SUMMARY ***
Total pot $1.16 | Rake $0.05 | JP Fee $0.02
Board [2c 3d 4h 5s Kh]
Seat 2: Bob (small blind) showed [Ah Ad] and won $1.16 with a straight [5s 4h 3d 2c Ah]
Seat 3: Cid (big blind) showed [Kc Kd] and lost with three of a kind [Kc Kd Kh 5s 4h]
"""

OLD = """Game started at: 2015/3/4 5:6:7
Game ID: 44 2/4 Slate   (Short, JP) - 2 (Hold'em)
Seat 2 is the button
Seat 1: Gil (a) (243).
Seat 2: Hal (110).
Seat 4: Ivo (180).
Player Ivo has small blind (2)
Player Gil (a) has big blind (4)
Player Ivo received card: [10h]
Player Ivo received card: [9s]
Player Gil (a) received a card.
Player Gil (a) received a card.
Player Hal folds
Player Ivo raises (10)
Player Gil (a) calls (8)
*** FLOP ***: [10c 2s 3d]
Player Ivo checks
Player Gil (a) bets (4)
Player Ivo raises (20)
Player Gil (a) allin (227)
Player Ivo allin (148)
Uncalled bet (63) returned to Gil (a)
*** TURN ***: [10c 2s 3d] [Jc]
*** RIVER ***: [10c 2s 3d Jc] [10d]
------ Summary ------
Pot: 356.75. Rake 3
Board: [10c 2s 3d Jc 10d]
Player Gil (a) shows: Two pairs. Js and 10s [Jd Qs]. Bets: 180. Collects: 0. Loses: 180.
Player Hal does not show cards.Bets: 0. Collects: 0. Wins: 0.
*Player Ivo shows: Three Of Kind of 10s [10h 9s]. Bets: 180. Collects: 356.75. Wins: 176.75.
Game ended at: 2015/3/4 5:7:9
"""


def one(text: str) -> SiteHand:
    [hand] = read_sites(text.splitlines())
    return hand


def payoffs(text: str) -> dict[str, int]:
    hand = one(text)
    assert hand.record is not None, hand.error
    assert hand.proven
    assert hand.record.rake == -sum(hand.record.payoffs)
    return dict(zip(hand.record.names, hand.record.payoffs, strict=True))


def test_a_tournament_hand() -> None:
    assert payoffs(NEW) == {"Uma": -6000, "Lee and won": 32000, "Hero": -26000}


def test_a_table_with_a_cap() -> None:
    assert payoffs(CAP) == {"Bob": 56, "Cid": -60, "Ann": -3}
    record = one(CAP).record
    assert record is not None
    assert dict(record.about)["_jackpot"] == "2"
    assert record.spec.antes == (0, 0, 1)


def test_the_old_text_with_a_jackpot_that_nobody_names() -> None:
    assert payoffs(OLD) == {"Ivo": 17675, "Gil (a)": -18000, "Hal": 0}
    record = one(OLD).record
    assert record is not None
    assert record.rake == 325
    assert record.hero == record.names.index("Ivo")
    assert cards_text(record.hole[record.names.index("Gil (a)")]) == "JdQs"
    assert dict(record.about)["time"] == "05:06:07"


def test_limit_is_known_by_its_blinds() -> None:
    limit = OLD.replace("small blind (2)", "small blind (1)").replace("big blind (4)", "big blind (2)")
    limit = limit.replace("raises (10)", "raises (3)").replace("calls (8)", "calls (2)")
    limit = limit.partition("Player Gil (a) bets")[0] + (
        "Player Gil (a) bets (2)\nPlayer Ivo folds\nUncalled bet (2) returned to Gil (a)\n------ Summary ------\n"
        "Pot: 8. Rake 0\nPlayer Gil (a) does not show cards.Bets: 4. Collects: 8. Wins: 4.\nGame ended at: 2015"
    )
    assert sum(payoffs(limit).values()) == 0
    record = one(limit).record
    assert record is not None
    assert record.spec.betting == "limit"
    assert record.spec.bet_sizes == (2, 2, 4, 4)


@pytest.mark.parametrize(
    ("text", "old", "new", "kind", "words"),
    [
        (NEW, "and won 580.00", "and won 680.00", "mismatch", "680"),
        (NEW, "Uma folds\n", "", "rejected", "out of turn"),
        (NEW, "Holdem(No Limit)", "Omaha(Pot Limit)", "rejected", "Winning Poker Network: Omaha: not hold'em"),
        (NEW, NEW[NEW.index("Hero folds") :], "", "waits", "Hero"),
        (CAP, "Cid calls $0.52", "Cid calls $0.42", "rejected", "a call"),
        (OLD, "Collects: 356.75", "Collects: 346.75", "mismatch", "money"),
        (OLD, "(Hold'em)", "(7Stud H/L)", "rejected", "not hold'em"),
    ],
)
def test_what_is_refused_and_why(text: str, old: str, new: str, kind: str, words: str) -> None:
    hand = one(text.replace(old, new))
    assert hand.kind == kind, hand
    assert words in hand.error or kind == "waits"
