"""Merge: hands in XML, players by seat, a street's cards after its actions."""

from __future__ import annotations

from dupai.notation import read_sites

HAND = """<description type="Holdem" stakes="No Limit ($0.05/$0.10)"/>
<game id="71-9" starttime="20130712101112" numholecards="2" gametype="2" data="20130712|Ulm (71)|71|71-9|false">
	<players dealer="0">
		<player seat="0" nickname="Mia" balance="$4.00" dealtin="true" />
		<player seat="2" nickname="Ned" balance="$3.00" dealtin="true" />
		<player seat="4" nickname="Olu" balance="$5.00" dealtin="true" />
		<player seat="5" nickname="Pia" balance="$0.00" dealtin="false" />
	</players>
	<round id="BLINDS" sequence="1">
		<event sequence="1" type="SMALL_BLIND" player="2" amount="0.05"/>
		<event sequence="2" type="BIG_BLIND" player="4" amount="0.10"/>
	</round>
	<round id="PREFLOP" sequence="2">
		<event sequence="3" type="RAISE" player="0" amount="0.30"/>
		<event sequence="4" type="FOLD" player="2"/>
		<event sequence="5" type="CALL" player="4" amount="0.20"/>
		<cards type="HOLE" cards="As,Kd" player="0" hand="Ace High"/>
	</round>
	<round id="POSTFLOP" sequence="3">
		<event sequence="6" type="BET" player="4" amount="0.40"/>
		<event sequence="7" type="RAISE" player="0" amount="1.00"/>
		<event sequence="8" type="RAISE" player="4" amount="2.00"/>
		<event sequence="9" type="FOLD" player="0"/>
		<cards type="COMMUNITY" cards="7c,8d,2s" hand=""/>
	</round>
	<round id="END_OF_FOLDED_GAME" sequence="4">
		<cards type="COMMUNITY" cards="7c,8d,2s,3h,4h"/>
		<cards type="SHOWN" cards="null,8c" player="4"/>
		<winner amount="2.53" uncalled="false" potnumber="1" player="4" pottype="n"/>
		<winner amount="1.00" uncalled="true" potnumber="2" player="4" pottype="n"/>
	</round>
</game>
"""


def test_raises_are_totals() -> None:
    [hand] = read_sites(HAND.splitlines())
    record = hand.record
    assert record is not None, hand.error
    assert hand.proven
    assert record.names == ("Ned", "Olu", "Mia")
    assert " ".join(map(str, record.actions)) == "r30 f c r70 r130 r230 f"
    assert record.payoffs == (-5, 123, -130)
    assert record.rake == 12
    assert record.hero == 2
    assert len(record.board) == 3


def test_raises_were_chips_added() -> None:
    text = HAND.replace("20130712", "20090712").replace('player="0" amount="1.00"', 'player="0" amount="0.90"')
    [hand] = read_sites(text.replace('"2.53"', '"2.33"').replace('"1.00"', '"1.50"').splitlines())
    assert hand.record is not None, hand.error
    assert " ".join(map(str, hand.record.actions)) == "r30 f c r70 r120 r270 f"


def test_damage_is_named() -> None:
    for text, cause in (
        (HAND.replace('player="4" amount="0.20"', 'player="7" amount="0.20"'), "Merge, line 16: nobody is in seat 7"),
        (HAND.replace('type="BET"', 'type="GAME_CANCELLED"'), "Merge, line 20: the hand was cancelled"),
        (HAND.replace('"2.53"', '"2.85"'), "Merge, line 23: money: 285 won and 0 taken by the house, and 265 are"),
        (HAND.replace('type="Holdem"', 'type="Omaha"'), "Merge: Omaha: not hold'em"),
    ):
        [hand] = read_sites(text.splitlines())
        assert hand.record is None
        assert hand.error.startswith(cause), hand.error
