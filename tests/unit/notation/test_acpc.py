"""ACPC log lines, whole logs, amounts and match states."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from dupai.base import ConfigError, HistoryError, NotationError, Rng, RulesError
from dupai.cards import cards
from dupai.notation import format_chips, parse_chips, read_acpc, write_acpc
from dupai.notation.acpc import (
    AcpcError,
    AcpcHand,
    AcpcText,
    detect_game,
    format_acpc,
    format_matchstate,
    format_score,
    parse_acpc_line,
    parse_action,
    parse_matchstate,
    parse_score,
    read_acpc_entries,
)
from dupai.rules import Action, GameSpec, HandState, load_game
from naive.history_hands import random_log, random_record

GOLDEN = Path(__file__).parents[2] / "golden"
TWO = load_game("holdem.nolimit.2p")
SIX = GameSpec.no_limit(6, (50, 100), 10_000, odd_chips="acpc", min_raise="acpc")
LIMIT = load_game("holdem.limit.3p")


# amounts -----------------------------------------------------------------------------------------------------------


def test_amounts_of_the_protocol_notes() -> None:
    assert parse_chips("2.5") == 6300
    assert parse_chips("33479.5") == 33479 * 2520 + 1260
    assert parse_chips("-1781890.166667") == -(1781890 * 2520 + 420)
    for text in ("2.5", "33479.5", "-1781890.166667", "0", "-100", "0.333333", "-0.000397"):
        assert format_chips(parse_chips(text)) == text
    assert parse_chips("150", 1) == 150


@given(st.integers(-(10**13), 10**13))
def test_every_multiple_comes_back(units: int) -> None:
    text = format_chips(units)
    assert parse_chips(text) == units
    assert abs(Fraction(text) - Fraction(units, 2520)) < Fraction(1, 1_000_000)
    assert text == f"{units // 2520}" or text[-1] != "0"


@pytest.mark.parametrize("text", ["", "-", "1.", ".5", "1e3", "+5", "1,000", " 5", "5 ", "--5", "٥", "1.2.3"])
def test_what_is_no_amount_is_quoted(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_chips(text)
    assert repr(text) in str(caught.value)


def test_an_amount_that_is_no_split_is_refused() -> None:
    with pytest.raises(NotationError, match=r"'2\.4999' is not a multiple of 1/2520 chip: the nearest is '2\.5'"):
        parse_chips("2.4999")
    for text in ("2.499999", "2.500001", "0.000001"):
        with pytest.raises(NotationError):
            parse_chips(text)
    with pytest.raises(NotationError, match=r"'2\.5' is not a whole number of chips"):
        parse_chips("2.5", 1)


# lines -------------------------------------------------------------------------------------------------------------


def test_a_heads_up_line_field_by_field() -> None:
    record = parse_acpc_line("STATE:7:cr300c/cr750c/cr1875f:KcQs|Qd7h/8hJhTc/3h:-750|750:Machine|Pro06", TWO)
    assert record.hand == 7
    assert record.hole == (cards("KcQs"), cards("Qd7h"))
    assert record.board == cards("8hJhTc3h")
    assert [str(a) for a in record.actions] == ["c", "r300", "c", "c", "r750", "c", "c", "r1875", "f"]
    assert record.payoffs == (-750 * 2520, 750 * 2520)
    assert record.names == ("Machine", "Pro06")
    # Position p of hand 7 is seat (p + 7) mod 2.
    assert record.seats == (1, 0)
    assert record.shown == (False, False)
    assert record.at().payoffs.tolist() == list(record.payoffs)


def test_a_showdown_shows_who_did_not_fold() -> None:
    line = "STATE:351:rfc/crc/crc/crc:4s9s|AdJs|JcQd/Td9h8d/7c/2h:-5|2.5|2.5:a|b|c"
    record = parse_acpc_line(line, LIMIT)
    assert record.payoffs == (-5 * 2520, 6300, 6300)
    assert record.shown == (False, True, True)
    # A raise in limit is written without a number and known with it.
    assert record.actions[0] == Action.raise_to(20)
    assert format_acpc(record) == line


@pytest.mark.parametrize("name", ["heads_up.log", "six.log", "limit3.log"])
def test_golden_logs_come_back_line_by_line(name: str) -> None:
    lines = (GOLDEN / name).read_text(encoding="utf-8").splitlines()
    entries = list(read_acpc_entries(lines))
    assert not [e for e in entries if isinstance(e, AcpcError)]
    assert sum(isinstance(e, AcpcHand) for e in entries) == sum(line.startswith("STATE:") for line in lines) >= 8
    assert list(write_acpc(entries)) == lines
    for e in entries:
        if isinstance(e, AcpcHand):
            assert tuple(e.record.at().payoffs.tolist()) == e.record.payoffs


def test_sections_headers_scores_are_kept() -> None:
    lines = (GOLDEN / "heads_up.log").read_text(encoding="utf-8").splitlines()
    entries = list(read_acpc_entries(lines))
    kinds = [e.kind for e in entries if isinstance(e, AcpcText)]
    assert {"comment", "section", "score"} <= set(kinds)
    sections = [e.record.section for e in entries if isinstance(e, AcpcHand)]
    assert sections[0] == "" and sections[-1] == "player Pro06"
    records = [e.record for e in entries if isinstance(e, AcpcHand) and not e.padding]
    again = list(read_acpc(write_acpc(records), TWO))
    assert again == records


@pytest.mark.parametrize(("spec", "count"), [(TWO, 150), (SIX, 100), (LIMIT, 100)])
def test_random_hands_come_back(spec: GameSpec, count: int) -> None:
    rng = Rng(11)
    for hand in range(count):
        record = random_record(spec, rng, hand=hand, seats=[(p + hand) % spec.players for p in range(spec.players)])
        line = format_acpc(record)
        # The log keeps the board as far as it was shown.
        assert parse_acpc_line(line, spec) == record
        assert format_acpc(parse_acpc_line(line + "\r\n", spec)) == line


def test_checks_after_an_all_in_are_kept_as_written() -> None:
    cut = "STATE:1:cr20000c{}:KsAc|6cJs/5h9dAh/Tc/Ad:20000|-20000:a|b"
    for rest in ("/cc/cc/cc", "///", "//cc/", "/cc//cc"):
        line = cut.format(rest)
        (entry,) = read_acpc_entries([line], TWO)
        assert isinstance(entry, AcpcHand), entry
        assert entry.record.actions == (Action.call(), Action.raise_to(20000), Action.call())
        assert list(write_acpc([entry])) == [line]
    assert format_acpc(entry.record) == cut.format("///")
    with pytest.raises(NotationError, match="goes on with 'c' after the hand was over"):
        parse_acpc_line(cut.format("/c//"), TWO)


GOOD = "STATE:3:r300c/cr600f:Ks4h|3h3d/2sKdJc:-300|300:Ann|Bob"


@pytest.mark.parametrize(
    ("line", "error", "says"),
    [
        ("STATE:3:r300c/cr600f:Ks4h", NotationError, "ends in its field 'cards' (4 of 6): expected STATE:hand:"),
        ("STA", NotationError, "'STA' is not a hand: expected STATE:hand:betting:cards:payoffs:names"),
        (GOOD.replace("STATE:3", "STATE:x"), NotationError, "hand number 'x'"),
        (GOOD.replace("r300c", "r300x"), NotationError, "betting 'r300x/cr600f' has 'x': expected f, c, r"),
        (GOOD.replace("r300c", "r" + "9" * 30 + "c"), NotationError, "more than 15 digits"),
        (GOOD.replace("/cr600f", "/////"), NotationError, "has 6 rounds: expected at most 4"),
        (GOOD.replace("Ks4h", "Ks4x"), NotationError, "'4x' is not a card"),
        (GOOD.replace("Ks4h", "ks4h"), NotationError, "'ks' is written 'Ks'"),
        (GOOD.replace("Ks4h", "Ks"), NotationError, "the hand of position 0 is 'Ks': expected 2 cards"),
        (GOOD.replace("Ks4h|", ""), NotationError, "1 hole-card slots: expected 2, one per position"),
        (GOOD.replace("Ks4h", "Kd4h"), NotationError, "card Kd stands twice"),
        (GOOD.replace("3h3d", "3h3h"), NotationError, "card 3h stands twice"),
        (GOOD.replace("2sKdJc", "2sKd"), NotationError, "the flop is '2sKd': expected 3 cards"),
        (GOOD.replace("/2sKdJc", ""), NotationError, "0 board sections: expected 1, as the betting has 2 rounds"),
        (GOOD.replace("-300|300", "-300"), NotationError, "payoffs '-300' are 1: expected 2"),
        (GOOD.replace("-300|300", "-300|x"), NotationError, "'x' is not an amount of chips"),
        (GOOD.replace("Ann|Bob", "Ann"), NotationError, "names 'Ann': expected 2, one per position"),
        (GOOD.replace("Ann|Bob", "|Bob"), NotationError, "names '|Bob': expected 2, one per position"),
        (GOOD.replace("r300c", "r150c"), RulesError, "position 1: raise to 150 refused: the smallest raise is to 200"),
        (GOOD.replace("r600", "r30000"), RulesError, "raise to 30000 refused: the stack allows at most 20000"),
        (GOOD.replace("r300c/c", "r300c/f"), RulesError, "fold refused: there is no bet to fold to"),
        (GOOD.replace("r600f", "r600ff"), NotationError, "action 6 ('f') stands after its round is closed"),
        (GOOD.replace("r600f", "r600c"), NotationError, "stops before the hand is over: position 0 may check"),
        (GOOD.replace("r600f", "r600f/").replace("Jc", "Jc/7c"), NotationError, "after the hand was over"),
        (GOOD.replace("r300c", "rc"), NotationError, "action 1 is 'r': expected r and a number"),
        (GOOD.replace("r300c/", "r300/").replace("cr600f", "r600f"), NotationError, "round 2 begins before round 1"),
    ],
)
def test_bad_lines_say_what_was_expected(line: str, error: type[Exception], says: str) -> None:
    parse_acpc_line(GOOD, TWO)
    with pytest.raises(error) as caught:
        parse_acpc_line(line, TWO)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_size_in_a_limit_game_is_refused() -> None:
    with pytest.raises(NotationError, match="expected r without a number"):
        parse_acpc_line("STATE:0:r20ff:4d8d|8s4c|6s9d:-5|-10|15:a|b|c", LIMIT)


def test_bad_lines_do_not_stop_the_reading() -> None:
    lines = random_log(TWO, Rng(3), 20)
    lines[4] = lines[4][: len(lines[4]) // 3]
    lines.insert(10, "what is this")
    errors: list[AcpcError] = []
    records = list(read_acpc(lines, TWO, errors=errors))
    assert [r.hand for r in records] == [0, 1, 2, 3, *range(5, 20)]
    assert [e.line for e in errors] == [5, 11]
    assert errors[0].text == lines[4]
    with pytest.raises(HistoryError, match=r"^my\.log:5: "):
        list(read_acpc(lines, TWO, source="my.log"))
    assert list(write_acpc(read_acpc_entries(lines, TWO))) == lines


def test_what_a_log_cannot_hold_is_refused() -> None:
    rng = Rng(1)
    ante = GameSpec.no_limit(3, (5, 10), 500, 2)
    with pytest.raises(NotationError, match="no antes"):
        format_acpc(random_record(ante, rng))
    with pytest.raises(NotationError, match="do not state stacks"):
        format_acpc(random_record(TWO, rng, stacks=(300, 20000)))
    with pytest.raises(NotationError, match=r"the name 'a\|b' cannot stand"):
        format_acpc(random_record(TWO, rng, names=["a|b", "c"]))


# games -------------------------------------------------------------------------------------------------------------


def test_the_game_is_told_by_the_header_or_by_the_hands() -> None:
    rng = Rng(8)
    fcpa = GameSpec.no_limit(2, (1, 2), 200, odd_chips="acpc", min_raise="acpc")
    for spec in (TWO, fcpa, SIX, LIMIT, load_game("holdem.limit.2p"), load_game("holdem.nolimit.3p")):
        choice = detect_game(random_log(spec, rng, 60))
        assert choice.spec == spec
        assert choice.why == "inferred: 60 of 60 hands fit"
    header = "# name/game/hands/seed demo holdem.nolimit.2p.reverse_blinds.game 2 1"
    choice = detect_game([header, *random_log(TWO, rng, 5)])
    assert choice.spec == TWO
    assert "header" in choice.why


def test_a_log_of_another_game_says_so() -> None:
    leduc = ["# name/game/hands/seed x leduc.limit.2p.game 5 1", "STATE:0:rf:Kh|As:1|-1:A|B"]
    with pytest.raises(ConfigError) as caught:
        detect_game(leduc)
    assert "'leduc.limit.2p.game'" in str(caught.value)
    assert "--game" in str(caught.value)
    assert "the hand of position 0 is 'Kh': expected 2 cards" in str(caught.value)
    with pytest.raises(ConfigError, match="there is no whole hand in the log"):
        detect_game(["# nothing"])


# scores, match states, answers -------------------------------------------------------------------------------------


def test_scores() -> None:
    for text in ("SCORE:-20050|20050:Ann|Bo", "SCORE:-1781890.166667|1781890.166667:a:b|c"):
        assert format_score(parse_score(text)) == text
    with pytest.raises(NotationError, match="expected as many"):
        parse_score("SCORE:1|-1:a")


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("MATCHSTATE:1:0::|Kd5c", 1),
        ("MATCHSTATE:0:30:c:9s8h|", 0),
        ("MATCHSTATE:1:30:cc/:|9c6h/7hAdTd", 0),
        ("MATCHSTATE:0:30:cr400c/cr850f:JhTh|/8dKs8h", -1),
        ("MATCHSTATE:1:4:r20000c///:8s2h|Kd5c/7hAdTd/4s/Kc", -1),
    ],
)
def test_match_states_come_back(text: str, actor: int) -> None:
    state = parse_matchstate(text + "\r\n")
    hand = state.play(TWO)
    assert hand.actor == actor
    assert format_matchstate(hand, state.position) == text
    if actor >= 0:
        # In the finished state of a showdown others' cards are seen; before, a view holds the viewer's own.
        assert format_matchstate(hand.view(state.position)) == text


def test_a_view_never_writes_what_it_does_not_see() -> None:
    hand = HandState(TWO, ["8s2h", "Kd5c"], "7hAdTd4sKc")
    assert format_matchstate(hand.view(0)) == "MATCHSTATE:0:0::8s2h|"
    hand.apply(Action.raise_to(300))
    hand.apply(Action.call())
    assert format_matchstate(hand, 1) == "MATCHSTATE:1:0:r300c/:|Kd5c/7hAdTd"
    with pytest.raises(NotationError, match="observer"):
        format_matchstate(hand.view(None))


def test_every_state_of_random_hands_comes_back() -> None:
    rng = Rng(21)
    for hand in range(60):
        spec = (TWO, SIX, LIMIT)[hand % 3]
        record = random_record(spec, rng, hand=hand, seats=[(p + hand) % spec.players for p in range(spec.players)])
        for k in range(len(record.actions) + 1):
            state = record.at(k)
            for position in range(spec.players):
                text = format_matchstate(state, position)
                again = parse_matchstate(text)
                assert (again.position, again.hand) == (position, hand)
                played = again.play(spec)
                assert played.actor == state.actor and played.legal == state.legal
                assert format_matchstate(played, position) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("STATE:1", "is not a match state"),
        ("MATCHSTATE:2:0::|Kd5c", "position 2 of"),
        ("MATCHSTATE:x:0::|Kd5c", "position 'x'"),
        ("MATCHSTATE:0:0::Kd5c", "1 hole-card slots: expected 2 to 10"),
        ("MATCHSTATE:0:0:cc:Kd5c|", "1 rounds: expected 2"),
        ("MATCHSTATE:0:0:cc/:Kd5c|/KdKsKc", "card Kd stands twice"),
    ],
)
def test_bad_match_states_say_what_was_expected(text: str, says: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_matchstate(text).play(TWO)
    assert says in str(caught.value)


def test_answers() -> None:
    assert parse_action("r250") == Action.raise_to(250)
    assert parse_action("r", limit=True).kind == Action.raise_to(0).kind
    for text in ("r", "x", "", "c5", "r-5", "r" + "1" * 40):
        with pytest.raises(NotationError):
            parse_action(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_refused_in_one_line(text: str) -> None:
    for read in (lambda: parse_acpc_line("STATE:" + text, TWO), lambda: parse_matchstate("MATCHSTATE:" + text)):
        with pytest.raises(NotationError) as caught:
            read()
        assert len(str(caught.value).splitlines()) == 1
