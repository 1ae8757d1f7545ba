"""iPoker: hands in XML, their money in the winners' attributes."""

from __future__ import annotations

from dupai.notation import read_sites

SESSION = """<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="1">
 <general><gametype>{game}</gametype><tablename>Oslo &amp; Co, 7</tablename><nickname>Mia</nickname></general>
"""
NO_LIMIT = """ <game gamecode="4001">
  <general><startdate>03/09/2015 21:05:06</startdate>
   <players>
    <player seat="1" name="Mia" chips="€4" dealer="1" win="€0" bet="€0.62" />
    <player seat="3" name="Ned" chips="€0.62" dealer="0" win="€1.24" bet="€0.62" />
    <player seat="5" name="Olu" chips="€3.10" dealer="0" win="€0.40" bet="€0.52" />
    <player seat="6" name="Pia" chips="€3" dealer="0" win="€0" bet="€0.30" />
   </players></general>
  <round no="0">
   <action no="2" player="Olu" type="2" sum="€0.10" cards="" />
   <action no="1" player="Ned" type="1" sum="€0.05" cards="" />
   <action no="3" player="Pia" type="2" sum="€0.15" cards="" />
  </round>
  <round no="1">
   <cards type="Pocket" player="Mia">S10 D10</cards><cards type="Pocket" player="Ned">CA HA</cards>
   <action no="5" player="Mia" type="23" sum="€0.62" cards="" />
   <action no="4" player="Pia" type="4" sum="€0" cards="" />
   <action no="6" player="Ned" type="7" sum="€0.57" cards="" />
   <action no="7" player="Olu" type="0" sum="€0" cards="" />
   <action no="8" player="Pia" type="0" sum="€0" cards="" />
  </round>
  <round no="2"><cards type="Flop" player="">D2 C3 HQ</cards></round>
  <round no="3"><cards type="Turn" player="">D5</cards></round>
  <round no="4"><cards type="River" player="">C8</cards></round>
 </game>
"""
LIMIT = """ <game gamecode="4002"><general><startdate>3-Sep-2015 21:07:06</startdate><players>
    <player seat="1" name="Mia" chips="$90" dealer="1" win="$19" bet="$10" />
    <player seat="3" name="Ned" chips="$1,090" dealer="0" win="$0" bet="$10" /></players></general>
  <round no="0"><action no="1" player="Mia" type="1" sum="$2.50"/>
   <action no="2" player="Ned" type="2" sum="$5"/></round>
  <round no="1"><action no="3" player="Mia" type="23" sum="$10" />
   <action no="4" player="Ned" type="3" sum="$5" /></round>
  <round no="2"><cards type="Flop" player="">D2 C3 HQ</cards><action no="5" player="Ned" type="4" sum="$0" />
   <action no="6" player="Mia" type="5" sum="$5" /><action no="7" player="Ned" type="0" sum="$0" /></round></game>
"""


def no_limit() -> str:
    return NO_LIMIT.replace('win="€0.40"', 'win="€0"').replace('win="€1.24"', 'win="€1.43"')


def test_a_late_blind_and_cards_suit_first() -> None:
    text = SESSION.format(game="Holdem NL €0.05/€0.10") + no_limit() + "</session>"
    for form in (text, text.replace("\n", " ")):  # as exports without line breaks have it
        [hand] = read_sites(form.splitlines())
        record = hand.record
        assert record is not None, hand.error
        assert hand.proven
        assert record.names == ("Ned", "Olu", "Pia", "Mia")
        assert record.payoffs == (81, -10, -15, -62)
        assert record.rake == 6
        assert record.spec.blinds == (5, 10, 10, 0)
        assert record.spec.antes == (0, 0, 5, 0)
        assert record.hero == 3
        assert dict(record.about)["table"] == '"Oslo & Co, 7"'
        assert [dict(record.about)[k] for k in ("year", "month", "day", "time")] == ["2015", "9", "3", "21:05:06"]


def test_in_limit_the_stakes_are_bets_and_wins_hold_what_nobody_called() -> None:
    text = SESSION.format(game="Holdem L $5/$10") + LIMIT.replace('"$19"', '"$24"')
    [hand] = read_sites(text.splitlines())
    assert hand.record is not None, hand.error
    assert hand.record.spec.bet_sizes == (500, 500, 1000, 1000)
    assert hand.record.payoffs == (-1000, 900)
    assert hand.record.rake == 100


def test_other_games_and_damage_are_named() -> None:
    session = SESSION.format(game="Holdem NL €0.05/€0.10")
    for text, cause in (
        (SESSION.format(game="Omaha PL €0.05/€0.10") + no_limit(), "iPoker: Omaha: not hold'em"),
        (session + NO_LIMIT, "iPoker, line 23: money: 164 won and 0 taken by the house"),
        (session + no_limit().replace('sum="€0.57"', 'sum="&e;"'), "iPoker, line 21: '' is not a whole number"),
        (session + no_limit().replace('no="7"', 'no="x"'), "iPoker, line 22: 'x' is not the number of a seat"),
        (session + no_limit().replace('name="Olu"', ""), "iPoker, line 13: 'Olu' is not at the table (Mia, Ned, Pia)"),
    ):
        [hand] = read_sites(text.splitlines())
        assert hand.record is None
        assert hand.error.startswith(cause), hand.error
