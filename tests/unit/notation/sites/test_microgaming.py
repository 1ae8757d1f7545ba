"""Microgaming: hands in XML, players by seat, a raise as the chips added."""

from __future__ import annotations

from dupai.notation import read_sites

HAND = """<Game hhversion="4" id="55001" date="2014-02-03 04:05:06" tablename="Elm" stakes="0.50|1" betlimit="NL" \
gametype="Hold'em" realmoney="true" playerseat="4" istournament="0" rake="0">
<Seats>
<Seat num="2" alias="Mia" balance="99.50" endbalance="0.00" dealer="true" />
<Seat num="4" alias="Ned" balance="100.00" endbalance="0.00" />
<Seat num="6" alias="Olu" balance="80.00" endbalance="0.00" />
</Seats>
<Gameplay>
<Action seq="1" type="SmallBlind" seat="4" value="0.50" />
<Action seq="2" type="BigBlind" seat="6" value="1.00" />
<Action seq="3" type="DealCards" seat="4"><Card value="10" suit="h" /><Card value="K" suit="c" /></Action>
<Action seq="4" type="Raise" seat="2" value="3.00" />
<Action seq="5" type="BadBeatContribution" seat="2" value="0.02" />
<Action seq="6" type="Raise" seat="4" value="8.50" />
<Action seq="7" type="Fold" seat="6" />
<Action seq="8" type="Call" seat="2" value="6.00" />
<Action seq="9" type="DealFlop">
<Card value="2" suit="h" /><Card value="7" suit="c" /><Card value="9" suit="s" /></Action>
<Action seq="10" type="Bet" seat="4" value="10.00" />
<Action seq="11" type="Fold" seat="2" />
<Action type="Win">
<Seat num="4" amount="28.10" pot="0" type="" lowhandwin="0" />
</Action>
</Gameplay>
</Game>
"""


def test_raises_are_chips_added_and_wins_hold_what_nobody_called() -> None:
    [hand] = read_sites(HAND.splitlines())
    record = hand.record
    assert record is not None, hand.error
    assert hand.proven
    assert record.names == ("Ned", "Olu", "Mia")
    assert " ".join(map(str, record.actions)) == "r300 r900 f c r1900 f"
    assert record.payoffs == (910, -100, -900)
    assert record.rake == 90
    assert record.hero == 0
    assert dict(record.about)["_jackpot"] == "2"
    assert len(record.board) == 3


def test_damage_is_named() -> None:
    for text, cause in (
        (HAND.replace('seat="6" value', 'seat="5" value'), "Microgaming, line 9: nobody is in seat 5"),
        (HAND.replace('num="6"', 'num="six"'), "Microgaming, line 5: 'six' is not the number of a seat"),
        (HAND.replace('"28.10"', '"18.10"'), "Microgaming, line 19: nobody wins 1090 of the 1090 lost"),
        (HAND.replace("Hold'em", "Omaha Hi"), "Microgaming: Omaha: not hold'em"),
    ):
        [hand] = read_sites(text.splitlines())
        assert hand.record is None
        assert hand.error.startswith(cause), hand.error
