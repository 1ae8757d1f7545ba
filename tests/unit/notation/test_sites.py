"""Texts of poker sites: cut into hands, replayed by our rules, compared with their money; every doubt is a reject."""

from __future__ import annotations

import warnings
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest
from pokerkit.notation import PokerStarsParser

from dupai.base import HistoryError
from dupai.cards import cards, cards_text
from dupai.history import Store, check_record, import_file, verify_file
from dupai.notation import read_phh, read_sites, site_of
from dupai.notation.phh import format_phh
from dupai.notation.sites import split_site_text
from dupai.rules import Action, GameSpec, HandRecord, HandState
from support.site_sample import SHOWDOWN

MUCK = """\
PokerStars Zoom Hand #195021909233:  Hold'em No Limit ($0.10/$0.25) - 2018/12/29 2:29:04 ET
Table 'Hydra' 6-max Seat #1 is the button
Seat 1: Ann ($30.90 in chips)
Seat 2: Bob ($17.80 in chips)
Seat 3: Cid ($25 in chips)
Bob: posts small blind $0.10
Cid: posts big blind $0.25
*** HOLE CARDS ***
Dealt to Cid [9d Ks]
Ann: raises $0.25 to $0.50
Bob: folds
Cid: calls $0.25
*** FLOP *** [Jh 7d Kh]
Cid: checks
Ann: bets $0.45
Cid: raises $1 to $1.45
Ann: calls $1
*** TURN *** [Jh 7d Kh] [2c]
Cid: checks
Ann: checks
*** RIVER *** [Jh 7d Kh 2c] [3c]
Cid: checks
Ann: checks
*** SHOW DOWN ***
Cid: shows [9d Ks] (a pair of Kings)
Ann: mucks hand
Cid collected $3.82 from pot
*** SUMMARY ***
Total pot $4 | Rake $0.18
Board [Jh 7d Kh 2c 3c]
Seat 1: Ann (button) mucked [Qh Qd]
Seat 2: Bob (small blind) folded before Flop
Seat 3: Cid (big blind) showed [9d Ks] and won ($3.82) with a pair of Kings
"""
UNCALLED = """\
PokerStars Hand #7:  Hold'em No Limit ($0.10/$0.25) - 2018/12/29 2:29:04 ET
Table 'Hydra' 6-max Seat #1 is the button
Seat 1: Ann ($30.90 in chips)
Seat 2: Bob ($17.80 in chips)
Seat 3: Cid ($25 in chips)
Bob: posts small blind $0.10
Cid: posts big blind $0.25
*** HOLE CARDS ***
Ann: raises $0.25 to $0.50
Bob: folds
Cid: calls $0.25
*** FLOP *** [Jh 7d Kh]
Cid: checks
Ann: bets $0.45
Cid: raises $1 to $1.45
Ann: folds
Uncalled bet ($1) returned to Cid
Cid collected $1.91 from pot
Cid: doesn't show hand
*** SUMMARY ***
Total pot $2 | Rake $0.09
Board [Jh 7d Kh]
Seat 3: Cid (big blind) collected ($1.91)
"""
SIDE_POT = """\
PokerStars Hand #5: Tournament #9, $1+$0.10 USD Hold'em No Limit - Level I (10/20) - 2018/12/29 2:29:04 ET
Table 'T 1' 3-max Seat #1 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (300 in chips)
Seat 3: Cid (1500 in chips)
Ann: posts the ante 5
Bob: posts the ante 5
Cid: posts the ante 5
Bob: posts small blind 10
Cid: posts big blind 20
*** HOLE CARDS ***
Dealt to Ann [9d Ks]
Ann: raises 40 to 60
Bob: raises 235 to 295 and is all-in
Cid: raises 1200 to 1495 and is all-in
Ann: calls 935 and is all-in
Uncalled bet (500) returned to Cid
*** FLOP *** [Jh 7d Kh]
*** TURN *** [Jh 7d Kh] [5s]
*** RIVER *** [Jh 7d Kh 5s] [Qh]
*** SHOW DOWN ***
Cid: shows [6s 4s] (high card King)
Ann: shows [9d Ks] (a pair of Kings)
Ann collected 1400 from side pot
Bob: shows [Kd Kc] (three of a kind, Kings)
Bob collected 900 from main pot
*** SUMMARY ***
Total pot 2300 Main pot 900. Side pot 1400. | Rake 0
Board [Jh 7d Kh 5s Qh]
"""
HEADS_UP = """\
PokerStars Hand #6:  Hold'em No Limit (10/20) - 2018/12/29 2:29:04 ET
Table 'T 1' 2-max Seat #1 is the button
Seat 1: Ann (1000 in chips)
Seat 2: Bob (990 in chips)
Ann: posts small blind 10
Bob: posts big blind 20
*** HOLE CARDS ***
Dealt to Ann [9d Ks]
Ann: raises 30 to 50
Bob: raises 940 to 990 and is all-in
Ann: calls 940
*** FLOP *** [Jh 7d Kh]
*** TURN *** [Jh 7d Kh] [5s]
*** RIVER *** [Jh 7d Kh 5s] [Qh]
*** SHOW DOWN ***
Bob: shows [6s 4s] (high card King)
Ann: shows [9d Ks] (a pair of Kings)
Ann collected 1980 from pot
*** SUMMARY ***
Total pot 1980 | Rake 0
Board [Jh 7d Kh 5s Qh]
"""
FULL_TILT = """\
Full Tilt Poker Game #9988:  Table Elm (6 max) - $0.50/$1 - No Limit Hold'em - 21:15:40 ET - 2009/07/01
Seat 1: Ann ($100)
Seat 2: Bob ($50.50)
Seat 3: Cid ($40)
Bob posts the small blind of $0.50
Cid posts the big blind of $1
The button is in seat #1
*** HOLE CARDS ***
Ann raises to $3
Bob folds
Cid calls $2
*** FLOP *** [Jh 7d Kh]
Cid checks
Ann bets $4
Cid folds
Uncalled bet of $4 returned to Ann
Ann mucks
Ann wins the pot ($6.20)
*** SUMMARY ***
Total pot $6.50 | Rake $0.30
Board: [Jh 7d Kh]
Seat 1: Ann collected ($6.20), mucked
"""
GOOD = {"showdown": SHOWDOWN, "muck": MUCK, "uncalled": UNCALLED, "side pot": SIDE_POT, "heads-up": HEADS_UP}


def read(text: str) -> list[HandRecord | str]:
    return [hand.record or hand.error for hand in read_sites(text.splitlines())]


def one(text: str) -> HandRecord:
    [record] = read(text)
    assert isinstance(record, HandRecord), record
    return record


def test_a_showdown_word_by_word() -> None:
    record = one(SHOWDOWN)
    assert record.names == ("C:d (x)", "Dee", "Ann B", "Bob")
    assert record.seats == (4, 5, 2, 3)
    assert record.stacks == (5281, 5414, 2367, 2050)
    assert record.spec.blinds == (25, 50, 0, 0)
    assert (record.spec.split, record.spec.odd_chips, record.spec.min_raise) == (1, "casino", "casino")
    assert [cards_text([c for c in two if c != 255]) for two in record.hole] == ["", "6s4s", "QdTc", "7c7d"]
    assert cards_text(record.board) == "KsAcAd5sQh"
    assert " ".join(map(str, record.actions)) == "c f f c c c r139 c c c"
    assert record.payoffs == (-25, -139, 149, 0)
    assert (record.rake, record.hero, record.hand) == (15, 3, 228695023643)
    assert record.shown == (False, True, True, False)
    assert record.mucked == ()
    about = dict(record.about)
    assert about["venue"] == '"PokerStars"'
    assert about["table"] == '"Actor II"'
    assert about["time"] == "21:15:40"
    assert (about["year"], about["month"], about["day"]) == ("2021", "7", "30")
    assert about["_unit"] == '"cent"'
    assert check_record(record)


def test_mucked_cards_are_kept_apart() -> None:
    record = one(MUCK)
    assert record.names == ("Bob", "Cid", "Ann")
    assert record.hole == ((255, 255), tuple(cards("9dKs")), (255, 255))
    assert record.mucked == ((255, 255), (255, 255), tuple(cards("QhQd")))
    assert record.shown == (False, True, False)
    assert record.hero == 1
    assert (record.payoffs, record.rake, record.hand) == ((-10, 382 - 195, -195), 18, 195021909233)
    assert not check_record(record), "the winner is not known without the mucked hand"
    assert check_record(record, text=True)
    [hand] = read_sites(MUCK.splitlines())
    assert hand.proven
    [hand] = read_sites(MUCK.replace("mucked [Qh Qd]", "mucked [Kc Kd]").splitlines())
    assert hand.kind == "mismatch" and "Ann: three of a kind, kings" in hand.error
    assert record.seen_by(1).mucked == ()


def test_uncalled_bets_side_pots_and_antes() -> None:
    record = one(UNCALLED)
    assert (record.payoffs, record.rake, record.hero) == ((-10, 191 - 95, -95), 9, None)
    record = one(SIDE_POT)
    assert record.names == ("Bob", "Cid", "Ann")
    assert record.spec.antes == (5, 5, 5)
    assert record.payoffs == (600, -1000, 400)
    assert check_record(record)
    assert "_unit" not in dict(record.about)


@pytest.mark.parametrize("name", [n for n in GOOD if n != "side pot"])
def test_pokerkit_agrees_on_final_stacks(name: str) -> None:
    """PokerKit's own end of the hand, less the rake that it does not read; it knows no antes (side pot)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scale = 100 if "$" in GOOD[name] else 1
        [hand] = PokerStarsParser()(GOOD[name], parse_value=lambda v: int(Decimal(v) * scale), error_status=True)
        state = list(hand)[-1]
    record = one(GOOD[name])
    assert not state.status
    ours = [s + p for s, p in zip(record.stacks, record.payoffs, strict=True)]
    won = [k for k, p in enumerate(record.payoffs) if p > 0]
    assert len(won) == 1
    ours[won[0]] += record.rake
    if name != "muck":  # PokerKit cannot know who won there
        assert [int(s) for s in state.stacks] == ours
    assert hand.players == list(record.names)
    assert [a for a in hand.actions if " sm" not in a and not a.startswith("d ")] == [
        a for a in _words(record) if " sm" not in a and not a.startswith("d ")
    ]


def _words(record: HandRecord) -> list[str]:
    line = next(x for x in format_phh(record).split("\n") if x.startswith("actions"))
    return line.split('"')[1::2]


def test_many_hands_of_several_sites_in_one_text() -> None:
    text = "\ufeff" + "\n\n\n\n".join([SHOWDOWN, FULL_TILT, MUCK, "\r\n".join(UNCALLED.split("\n"))]) + "\n\n"
    found = list(read_sites(text.split("\n")))
    assert [h.error for h in found] == [""] * 4
    assert [h.record.hand for h in found if h.record] == [228695023643, 9988, 195021909233, 7]
    lines = text.split("\n")
    assert all("#" in lines[h.line - 1] for h in found)
    full = found[1].record
    assert full is not None
    assert (full.names, full.payoffs, full.rake) == (("Bob", "Cid", "Ann"), (-50, -300, 320), 30)
    assert [hand.site.name for hand in split_site_text(lines)] == [
        "PokerStars",
        "Full Tilt Poker",
        "PokerStars",
        "PokerStars",
    ]
    assert site_of(text) == "PokerStars"
    assert site_of("STATE:0:c:|:0|0:A|B") is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Dee: checks\n*** FLOP", "*** FLOP", "an action is missing before the flop: 'Dee' was to act"),
        ("Bob: folds\n", "", "out of turn: 'Dee' checks"),
        ("Hold'em No Limit", "Omaha Pot Limit", "PokerStars: Omaha: not hold'em"),
        (
            "Dee: posts big blind $0.50",
            "Dee: posts small & big blinds $0.75",
            "328 are in the pot",
        ),
        ("Dee: posts big blind $0.50", "Dee: posts big blind $0.40", "would be a call"),
        ("$2.88 from pot", "$2.78 from pot", "303 are in the pot"),
        ("Ann B collected", "Zoe collected", "'Zoe' is not at the table"),
        ("Rake $0.15", "Rake $0.155", "not a whole number of cents"),
        ("[5s]", "[Ks]", "9 cards on the board"),
        ("Dee: bets $0.89", "Dee: bets $89", "raise to 8950 refused"),
        ("[Qd Tc] (two", "[Qd Qd] (two", "card Qd is dealt twice"),
    ],
)
def test_every_doubt_is_a_reject(old: str, new: str, said: str) -> None:
    assert old in SHOWDOWN
    [found] = read(SHOWDOWN.replace(old, new))
    assert isinstance(found, str)
    assert said in found
    assert found.strip()
    assert "\n" not in found


@pytest.mark.parametrize("mark", ["", "(button) "])
def test_winnings_at_full_tilt(mark: str) -> None:
    """The summary says who collected in many ways; the line of the winner says it in one."""
    seats = f"Seat 1: Ann {mark}collected ($6.20), mucked\nSeat 2: Bob (small blind) folded before the Flop"
    record = one(FULL_TILT.replace("Seat 1: Ann collected ($6.20), mucked", seats))
    assert record.payoffs == (-50, -300, 320)
    flop, _, _ = FULL_TILT.partition("Ann bets $4")
    turn, river = "TURN *** [Jh 7d Kh] [2c]", "RIVER *** [Jh 7d Kh 2c] [3c]"
    rounds = "".join(f"*** {street}\nCid checks\nAnn checks\n" for street in (turn, river))
    shown = "Cid shows [As Js] a pair of Jacks\nAnn shows [Ad Jc] a pair of Jacks\n"
    won = "Cid ties for the pot ($3.10) with a pair of Jacks\nAnn ties for the pot ($3.10) with a pair of Jacks\n"
    summary = "*** SUMMARY ***\nTotal pot $6.50 | Rake $0.30\nBoard: [Jh 7d Kh 2c 3c]\n"
    record = one(f"{flop}Ann checks\n{rounds}*** SHOW DOWN ***\n{shown}{won}{summary}")
    assert record.payoffs == (-50, 10, 10)


def test_wrong_money_is_a_mismatch(tmp_path: Path) -> None:
    """The chips add up and go to the wrong player: reading is fine, verifying is not."""
    wrong = SHOWDOWN.replace("Ann B collected", "Dee collected")
    path = tmp_path / "hands.txt"
    path.write_text("\n\n\n".join([wrong, MUCK, "stray"]) + "\n")
    report = verify_file(path)
    assert (report.hands, report.mismatches, report.rejected, report.unproven) == (1, 1, 0, 0)
    assert "two pair" in str(report.problems[0])
    stored = import_file(path, tmp_path / "s")
    assert (stored.hands, stored.rejected, stored.mismatches) == (1, 1, 1)
    assert list(Store(tmp_path / "s").records()) == [one(MUCK)]
    assert Store(tmp_path / "s").rows("select hole, mucked, shown from players order by position") == [
        (None, None, False),
        ("9dKs", None, True),
        (None, "QhQd", False),
    ]


def test_text_before_the_first_hand_is_skipped() -> None:
    [found] = read("Some words\n" + SHOWDOWN)
    assert isinstance(found, HandRecord)


def test_records_of_sites_survive_phh() -> None:
    for text in (*GOOD.values(), FULL_TILT):
        record = one(text)
        assert list(read_phh(format_phh(record).splitlines())) == [record]


@pytest.mark.parametrize(
    ("rake", "ann", "dee", "right"),
    [
        ("0.15", "1.44", "1.44", True),
        ("0.14", "1.45", "1.44", True),
        ("0.14", "1.44", "1.45", True),
        ("0.15", "1.45", "1.43", False),
        ("0.15", "1.46", "1.42", False),
        ("0.14", "1.46", "1.43", False),
        ("0.00", "1.52", "1.51", True),
        ("0.00", "1.53", "1.50", False),
    ],
)
def test_shares_of_a_split_pot_differ_by_a_cent_where_it_is_odd(rake: str, ann: str, dee: str, right: bool) -> None:
    text = SHOWDOWN.replace("shows [6s 4s]", "shows [Qs Ts]").replace("Rake $0.15", f"Rake ${rake}")
    text = text.replace("Ann B collected $2.88", f"Dee collected ${dee} from pot\nAnn B collected ${ann}")
    [hand] = read_sites(text[: text.index("Board [")].splitlines())
    assert (hand.record is not None) is right, hand.error
    if not right:
        cents = [round(100 * float(x)) - 139 for x in (ann, dee)]
        assert hand.kind == "mismatch"
        assert f"payoffs -25|{cents[1]}|{cents[0]}|0: expected -25|12|12|0" in hand.error
        assert rake == "0.00" or f"less the rake of {int(rake[2:])}" in hand.error


def test_rake_of_a_split_pot_is_shared() -> None:
    spec = GameSpec.no_limit(2, (5, 10), 1000)
    state = HandState(spec, ["AhKs", "AdKh"], "2s3d7c9cTd")
    for _ in range(8):
        state.apply(Action.call())
    record = state.record(["Ann", "Bob"])

    def paid(a: int, b: int) -> HandRecord:
        return msgspec.structs.replace(record, payoffs=(a, b), rake=-a - b)

    assert all(check_record(paid(a, b), text=True) for a, b in ((0, 0), (-1, -1), (-2, -1), (0, -1), (-5, 0)))
    for a, b in ((-3, -1), (0, -2), (-4, -1), (-6, 0), (0, -10)):
        assert check_record(paid(a, b))
        with pytest.raises(HistoryError, match=r"expected 0\|0 less the rake of"):
            check_record(paid(a, b), text=True)
    for a, b in ((1, -1), (1, -2), (5, -5)):
        with pytest.raises(HistoryError, match=r"expected 0\|0"):
            check_record(paid(a, b))


def test_a_refusal_names_the_line_where_blank_lines_stand_within_the_hand() -> None:
    wrong = SHOWDOWN.replace("Ann B: calls $0.89", "Ann B: calls $0.79")
    lines = ["", *wrong.replace("\n", "\n\n  \n").split("\n")]
    [hand] = read_sites(lines)
    number = lines.index("Ann B: calls $0.79") + 1
    assert (hand.line, hand.error) == (2, f"PokerStars, line {number}: 'Ann B' calls 79: 89 would be a call")
    xml = """<session>
<general><gametype>Holdem NL 5/10</gametype></general>

<game gamecode="1"><general><players>

<player seat="1" name="Ann" chips="1000" dealer="1" win="0" bet="5"/>
<player seat="2" name="Bob" chips="1000" dealer="0" win="15" bet="10"/></players></general>

<round no="0"><action no="1" player="Ann" type="1" sum="5"/><action no="2" player="Bob" type="2" sum="10"/></round>

<round no="1"><action no="3" player="Eve" type="3" sum="10"/></round>
</game></session>"""
    [hand] = read_sites(xml.split("\n"))
    assert hand.line == 4
    assert hand.error.startswith("iPoker, line 11: 'Eve' is not at the table")


@pytest.mark.parametrize(("number", "seats"), [(3, (4, 5, 2, 3)), (1203, (0, 1, 2, 3))])
def test_numbers_that_are_no_places_at_a_table_are_counted_from_the_button(
    number: int, seats: tuple[int, ...], tmp_path: Path
) -> None:
    (path := tmp_path / "a.txt").write_text(SHOWDOWN.replace("Seat 3:", f"Seat {number}:"))
    assert import_file(path, tmp_path / "store").rejected == 0
    [record] = Store(tmp_path / "store").records()
    assert record.seats == seats
