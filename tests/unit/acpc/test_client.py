"""The client's session without sockets: states cut anywhere, answers, and every way to break them."""

import pytest

from dupai.acpc import MAX_LINE, ClientSession, LineBuffer
from dupai.base import ProtocolError
from dupai.rules import Action, load_game

MATCH = (
    "MATCHSTATE:1:0::|Kd5c",
    "MATCHSTATE:1:0:r200:|Kd5c",
    "MATCHSTATE:1:0:r200r20000:|Kd5c",
    "MATCHSTATE:1:0:r200r20000c///:8s2h|Kd5c/7hAdTd/4s/Kc",
    "MATCHSTATE:0:1::JsKs|",
    "MATCHSTATE:0:1:f:JsKs|",
)


def told(*lines, game="holdem.nolimit.2p"):
    session = ClientSession(load_game(game) if game else None)
    session.feed("".join(f"{line}\r\n" for line in lines).encode())
    return list(session.states())


@pytest.mark.parametrize("size", [1, 3, 7, 50, 10_000])
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_a_match_in_pieces_of_any_size(size, end):
    text = "# a comment" + end + "; another" + end + end + end.join(MATCH) + end
    session = ClientSession(load_game("holdem.nolimit.2p"))
    assert session.greeting() == b"VERSION:2.0.0\r\n"
    found = []
    for k in range(0, len(text), size):
        session.feed(text[k : k + size].encode())
        found += session.states()
    assert [t.line for t in found] == list(MATCH)
    assert [t.our_turn for t in found] == [True, False, True, False, False, False]
    assert [t.over for t in found] == [False, False, False, True, False, True]
    assert session.finished_hands == 2
    assert {t.seat for t in found} == {1}
    assert [t.state.seats for t in found] == [(0, 1)] * 4 + [(1, 0)] * 2
    assert found[2].answer(Action.call()) == b"MATCHSTATE:1:0:r200r20000:|Kd5c:c\r\n"
    assert found[0].answer(Action.raise_to(250)) == b"MATCHSTATE:1:0::|Kd5c:r250\r\n"
    assert found[3].record().payoffs == (-20_000 * 2520, 20_000 * 2520)
    assert found[5].record().payoffs == (50 * 2520, -50 * 2520)


def test_limit_answers_have_no_number():
    (first,) = told("MATCHSTATE:1:0::|Kd5c", game="holdem.limit.2p")
    assert first.answer(Action.raise_to(first.view.legal.min_to)) == b"MATCHSTATE:1:0::|Kd5c:r\r\n"


def test_without_a_game_it_is_no_limit_for_the_players_seen():
    (first,) = told("MATCHSTATE:2:0::||Kd5c", game=None)
    assert first.state.spec == load_game("holdem.nolimit.3p")
    assert first.our_turn


def test_a_match_that_is_joined_in_the_middle_or_whose_button_stands_still():
    found = told("MATCHSTATE:0:17:r300c/:Kd5c|/7hAdTd", "MATCHSTATE:0:17:r300c/r400:Kd5c|/7hAdTd")
    assert found[0].our_turn
    assert found[0].seat == 1
    found = told("MATCHSTATE:1:0:f:|Kd5c", "MATCHSTATE:1:1::|Kd5c")
    assert [t.state.seats for t in found] == [(0, 1), (0, 1)]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["HELLO"], "'HELLO': 'HELLO' is not a match state"),
        (["MATCHSTATE:1:0::|Kd5"], "Kd5"),
        (["MATCHSTATE:2:0::|Kd5c"], "position 2"),
        (["MATCHSTATE:1:0::|Kd5c|"], "3 hole-card slots"),
        (["MATCHSTATE:1:0::|"], "our own cards are not in it"),
        (["MATCHSTATE:1:0::8s2h|Kd5c"], "which nobody may see"),
        (["MATCHSTATE:1:0:c:8s2h|Kd5c"], "which nobody may see"),
        (["MATCHSTATE:1:0:f:8s2h|Kd5c"], "which nobody may see"),
        (["MATCHSTATE:1:0:r200r20000c///:|Kd5c/7hAdTd/4s/Kc"], "without the cards of position 0"),
        (["MATCHSTATE:1:0:r200r20000c/:|Kd5c/7hAdTd"], "expected 4"),
        (["MATCHSTATE:1:0:cc:|Kd5c"], "expected 2"),
        (["MATCHSTATE:1:0:r150:|Kd5c"], "the smallest raise is to 200"),
        (["MATCHSTATE:1:0:r20001:|Kd5c"], "at most 20000"),
        (["MATCHSTATE:1:0:r:|Kd5c"], "expected r and a number"),
        (["MATCHSTATE:1:0:cf:|Kd5c"], "no bet to fold to"),
        (["MATCHSTATE:1:0:x:|Kd5c"], "'x'"),
        (["MATCHSTATE:1:0::|KdKd"], "stands twice"),
        (["MATCHSTATE:1:0::|kd5c"], "kd"),
        (["MATCHSTATE:1:0::|Kd5c", "MATCHSTATE:1:0::|Kd5c"], "does not follow ''"),
        (["MATCHSTATE:1:0:r200:|Kd5c", "MATCHSTATE:1:0:c:|Kd5c"], "does not follow 'r200'"),
        (["MATCHSTATE:1:0::|Kd5c", "MATCHSTATE:0:1::Kd5c|"], "hand 0 is not over"),
        (["MATCHSTATE:1:0::|Kd5c", "MATCHSTATE:0:0:c:Kd5c|"], "our position was 1"),
        (["MATCHSTATE:1:0::|Kd5c", "MATCHSTATE:1:0:c:|Kd6c"], "not those of the last state"),
        (["MATCHSTATE:1:0:f:|Kd5c", "MATCHSTATE:1:0::|Kd5c"], "hand 0 is over"),
        (["MATCHSTATE:1:0:f:|Kd5c", "MATCHSTATE:1:1::|Kd5c|"], "3 players: expected 2"),
        (["MATCHSTATE:1:0::|Kd5c" + "x" * 5000], "more than 4095 bytes"),
        (["MATCHSTATE:1:0::|Kd5cé"], "expected ASCII text"),
    ],
)
def test_a_dealer_that_breaks_the_protocol(lines, said):
    with pytest.raises(ProtocolError) as caught:
        told(*lines)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lines_of_any_length():
    lines = LineBuffer(10)
    assert lines.feed(b"abc") == []
    assert lines.partial == b"abc"
    assert lines.feed(b"def\r\n\n0123456789\r\n0123456789\n") == [b"abcdef", b"", b"0123456789", b"0123456789"]
    assert lines.feed(b"0123456789a\n0123456789ab\r\nok\n") == [None, None, b"ok"]
    assert lines.feed(b"x" * 11) == []  # may still be ten and CR
    assert lines.feed(b"x") == [None]
    assert lines.feed(b"x" * 1000) == []
    assert lines.partial == b""
    assert lines.feed(b"x\nnext\n") == [b"next"]
    assert len(lines.feed(b"y" * (3 << 20))) == 4
    assert LineBuffer().feed(b"z" * MAX_LINE + b"\n") == [b"z" * MAX_LINE]
