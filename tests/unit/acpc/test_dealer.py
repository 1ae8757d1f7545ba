"""The dealer's state machine without sockets: handshake, states, answers, log, and every fault by every rule."""

from itertools import islice

import msgspec
import pytest

from dupai.acpc import DealConfig, acpc_deals, acpc_words, corrected
from dupai.base import ConfigError
from dupai.cards import cards_text
from dupai.history import verify_files
from dupai.notation.acpc import format_matchstate
from dupai.rules import Action, HandState, load_game
from naive.acpc_table import act, table_of, unseated

# The table of section 10 of the protocol description, from runs of the reference dealer.
DEALS = [
    (1, 2, "8s2h|Kd5c/7hAdTd/4s/Kc", "JsKs|Qs8d/Qd7s9d/Ac/Td"),
    (42, 2, "7d3d|2hAc/5sKs7s/9s/6h", "9h6s|3d3h/5s3s8h/9d/5c"),
    (42, 3, "7d3d|2hAc|5sKs/7s9s6h/4h/Ts", "4cTs|6c6s|Qs3c/JhAc5s/5h/3d"),
]


@pytest.mark.parametrize(("seed", "players", "first", "second"), DEALS)
def test_cards_are_the_reference_dealers(seed, players, first, second):
    found = []
    for deal in islice(acpc_deals(seed, players), 2):
        board = [cards_text(deal.board[a:b]) for a, b in ((0, 3), (3, 4), (4, 5))]
        found.append("/".join(["|".join(map(cards_text, deal.hole)), *board]))
    assert found == [first, second]
    assert list(islice(acpc_words(42), 3)) == [1608637542, 3421126067, 4083286876]
    assert next(acpc_deals(seed + 2**32, players)) == next(acpc_deals(seed, players))


def test_deals_are_whole_and_differ():
    for deal in islice(acpc_deals(7, 10), 50):
        cards = [c for two in deal.hole for c in two] + list(deal.board)
        assert len(cards) == 25
        assert len(set(cards)) == 25
        assert all(0 <= c < 52 for c in cards)


def test_a_match_as_the_reference_dealer_plays_it():
    dealer, table = table_of()
    table.expect(0, "MATCHSTATE:0:0::8s2h|")
    table.expect(1, "MATCHSTATE:1:0::|Kd5c")
    table.send(1, "MATCHSTATE:1:0::|Kd5c")
    act(dealer, table, "r200")
    table.expect(0, "MATCHSTATE:0:0:r200:8s2h|")
    table.send(0, "MATCHSTATE:0:0:r200:8s2h|")
    act(dealer, table, "r20000")
    table.expect(1, "MATCHSTATE:1:0:r200r20000:|Kd5c")
    table.send(1, "MATCHSTATE:1:0:r200r20000:|Kd5c")
    act(dealer, table, "c")
    # All-in: the end of the hand shows everything, and the next hand follows in the same breath, seats moved.
    table.expect(0, "MATCHSTATE:0:0:r200r20000c///:8s2h|Kd5c/7hAdTd/4s/Kc", "MATCHSTATE:1:1::|Qs8d")
    table.expect(1, "MATCHSTATE:1:0:r200r20000c///:8s2h|Kd5c/7hAdTd/4s/Kc", "MATCHSTATE:0:1::JsKs|")
    assert dealer.waiting == 0
    table.send(0, "MATCHSTATE:1:1::|Qs8d")
    act(dealer, table, "f")
    assert dealer.done
    assert dealer.ended is None
    table.expect(0, "MATCHSTATE:1:1:f:|Qs8d")
    table.expect(1, "MATCHSTATE:0:1:f:JsKs|")
    assert table.lines == [
        "# name/game/hands/seed match holdem.nolimit.2p 2 1",
        "#--t_response 600000",
        "#--t_hand 600000",
        "#--t_per_hand 7000",
        "STATE:0:r200r20000c///:8s2h|Kd5c/7hAdTd/4s/Kc:-20000|20000:Ann|Bo",
        "STATE:1:f:JsKs|Qs8d:50|-50:Bo|Ann",
        "SCORE:-20050|20050:Ann|Bo",
    ]
    assert not dealer.faults


@pytest.mark.parametrize("game", ["holdem.nolimit.2p", "holdem.nolimit.6p", "holdem.limit.3p"])
def test_states_are_those_of_the_notation_floor(game, tmp_path):
    """The dealer writes its states piece by piece; ``format_matchstate`` from the whole hand."""
    words = iter(acpc_words(5))
    dealer, table = table_of(game, hands=60, seed=9)
    seen = 0
    while not dealer.done:
        state, seat = dealer.state, dealer.waiting
        for position, other in enumerate(state.seats):
            assert table.sent[other][-1] == format_matchstate(state, position)
            seen += 1
        legal, luck = state.legal, next(words) % 8
        text = "c"
        if luck < 3 and legal.can_raise:
            text = "r" if "limit.3p" in game and "no" not in game else f"r{legal.min_to + next(words) % 3 * 40}"
            if text != "r" and int(text[1:]) > legal.max_to:
                text = f"r{legal.max_to}"
        elif luck == 3 and legal.fold:
            text = "f"
        assert seat is not None
        act(dealer, table, text)
    assert seen > 500
    assert not dealer.faults
    assert not [n for n in table.notes if n.startswith("WARNING")]
    assert sum(dealer.totals) == 0
    # Our own checker recomputes every payoff of the log.
    path = tmp_path / "match.log"
    path.write_text("\n".join(table.lines) + "\n")
    (report,) = verify_files([str(path)], load_game(game))
    assert (report.hands, report.mismatches, report.rejected) == (60, 0, 0)


def test_three_players_and_a_fixed_button():
    dealer, table = table_of("holdem.nolimit.3p", seed=42)
    table.expect(2, "MATCHSTATE:2:0::||5sKs")
    table.send(2, "MATCHSTATE:2:0::||5sKs")
    act(dealer, table, "f")
    assert dealer.waiting == 0
    act(dealer, table, "f")
    assert [lines[-1] for _, lines in sorted(table.sent.items())] == [
        "MATCHSTATE:2:1::||Qs3c",
        "MATCHSTATE:0:1::4cTs||",
        "MATCHSTATE:1:1::|6c6s|",
    ]
    dealer, table = table_of("holdem.nolimit.3p", seed=42, fixed_button=True)
    act(dealer, table, "f")
    act(dealer, table, "f")
    assert table.sent[0][-1] == "MATCHSTATE:0:1::4cTs||"


def test_limit_raises_have_no_number():
    dealer, table = table_of("holdem.limit.2p")
    act(dealer, table, "r")
    assert table.sent[0][-1] == "MATCHSTATE:0:0:r:8s2h|"
    act(dealer, table, "r20")
    assert dealer.faults[0].cause.startswith("answered illegally: 'r20'")


# Handshake -----------------------------------------------------------------------------------------------------------


def test_nothing_is_sent_before_everybody_has_said_its_version():
    dealer, table = unseated()
    dealer.connected(1, 1.0)
    dealer.received(1, b"VERSION:2.0", 1.0)
    dealer.received(1, b".0\r", 1.0)
    dealer.received(1, b"\n", 1.0)
    dealer.connected(0, 2.0)
    assert not table.sent
    assert dealer.deadline == 12.0
    dealer.received(0, b"VERSION:2.0.7\n", 3.0)
    assert table.sent[0][-1] == "MATCHSTATE:0:0::8s2h|"
    assert not dealer.faults


@pytest.mark.parametrize("version", ["3.0.0", "2.1.0", "1.0.0"])
def test_another_version_is_refused_and_the_seats_time_runs_on(version):
    dealer, table = unseated(t_version=5000)
    for seat in (0, 1):
        dealer.connected(seat, 1.0)
    dealer.received(1, b"VERSION:2.0.0\r\n", 1.0)
    dealer.received(0, f"VERSION:{version}\r\nVERSION:2.0.0\r\n".encode(), 2.0)
    assert table.dropped == [0]
    assert table.notes[-1].startswith(f"ERROR: seat 1 (Ann) began with 'VERSION:{version}': expected VERSION:2.0.0")
    assert not table.sent
    assert not dealer.faults
    # The seat is free, but a client that comes again and again does not get more time than one that is silent.
    assert dealer.free(0)
    table.dropped.clear()
    dealer.connected(0, 3.0)
    assert dealer.deadline == 6.0
    dealer.received(0, f"VERSION:{version}\r\n".encode(), 4.0)
    assert (dealer.deadline, table.dropped) == (6.0, [0])
    table.dropped.clear()
    dealer.tick(6.0)
    assert [f.cause for f in dealer.faults] == [f"began with 'VERSION:{version}': expected VERSION:2.0.0"]
    assert dealer.waiting == 1


def test_a_client_that_comes_again_with_the_right_version_plays():
    dealer, table = unseated()
    dealer.connected(1, 0.0)
    dealer.received(1, b"VERSION:2.0.0\r\n", 0.0)
    dealer.connected(0, 0.0)
    dealer.received(0, b"VERSION:1.0.0\r\n", 1.0)
    table.dropped.clear()
    dealer.connected(0, 2.0)
    dealer.received(0, b"VERSION:2.0.0\r\n", 3.0)
    table.expect(0, "MATCHSTATE:0:0::8s2h|")
    assert not dealer.faults


def test_a_connection_that_is_lost_before_its_version_line_frees_the_seat():
    dealer, table = unseated()
    dealer.connected(1, 0.0)
    dealer.received(1, b"VERSION:2.0.0\r\n", 0.0)
    dealer.connected(0, 1.0)
    assert not dealer.free(0)
    dealer.received(0, b"VERSION:2", 1.0)
    dealer.lost(0, "lost its connection", 2.0)
    assert dealer.free(0)
    assert dealer.deadline == float("inf"), "it is waited for as if nobody had come"
    assert not dealer.faults
    dealer.connected(0, 60.0)
    assert dealer.deadline == 70.0
    dealer.received(0, b"VERSION:2.0.0\r\n", 61.0)
    table.expect(0, "MATCHSTATE:0:0::8s2h|")
    assert not dealer.free(0)
    assert not dealer.faults


@pytest.mark.parametrize("first", [b"VERSION:2.0\r\n", b"HELLO\r\n", b"# hi\r\n", b"\n", b"\xff\xfe\n", b"x" * 5000])
@pytest.mark.parametrize("rule", ["forfeit", "fold", "end"])
def test_no_version_line(first, rule):
    dealer, table = unseated(on_fault=rule, hands=4)
    dealer.connected(0, 0.0)
    dealer.connected(1, 0.0)
    dealer.received(1, b"VERSION:2.0.0\r\n", 0.0)
    dealer.received(0, first, 0.0)
    assert len(dealer.faults) == 1
    assert (dealer.faults[0].hand, dealer.faults[0].seat) == (-1, 0)
    if rule == "end":
        assert dealer.done
        assert dealer.ended
        assert not table.states
        return
    # Bo plays on against an empty chair and wins every blind that he defends.
    assert table.dropped == [0]
    while not dealer.done:
        assert dealer.waiting == 1
        act(dealer, table, "r200" if dealer.state.legal.min_to == 200 else "c")
    assert len(table.states) == 4
    assert dealer.totals[1] > 0


def test_hanging_before_the_version_line():
    dealer, table = unseated(t_version=5000, hands=1)
    dealer.connected(0, 0.0)
    dealer.received(0, b"VERSION:2.0.0\r\n", 0.0)
    dealer.connected(1, 1.0)
    assert dealer.deadline == 6.0
    dealer.tick(5.9)
    assert not dealer.faults
    dealer.tick(6.0)
    assert dealer.faults[0].cause == "sent no version line within 5000 ms"
    assert dealer.done, "the button's empty chair folds its small blind: the one hand is over"
    assert table.lines[-1] == "SCORE:50|-50:Ann|Bo"


def test_nobody_connects():
    dealer, _ = unseated(start_timeout=3000)
    assert dealer.deadline == 3.0
    dealer.tick(3.0)
    assert dealer.done
    assert dealer.ended == "no player is left"
    assert [f.cause for f in dealer.faults] == ["did not connect within 3000 ms"] * 2
    assert unseated()[0].deadline == float("inf")


# Faults --------------------------------------------------------------------------------------------------------------

STATE_1 = "MATCHSTATE:1:0::|Kd5c"


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"garbage",
        b"\x00\xff\x80",
        b"MATCHSTATE:1:0::|Kd5c",  # cut short of its action, then more follows: see below
        b"MATCHSTATE:1:1::|Kd5c:c",
        b"MATCHSTATE:0:0::|Kd5c:c",
        b"MATCHSTATE:1:0:c:|Kd5c:c",
        b"MATCHSTATE:1:0::|Kd5d:c",
        b"MATCHSTATE:1:0::|:c",
        b"matchstate:1:0::|kd5c:c",
        b" MATCHSTATE:1:0::|Kd5c:c",
        b"x" * (4 << 20),
        b"MATCHSTATE:1:0::|Kd5c:c" + b"c" * 5000,
    ],
)
def test_lines_that_are_no_answers_are_ignored(line):
    dealer, table = table_of()
    if line == STATE_1.encode():
        line = line[:-1]
    dealer.received(1, line + b"\r\n", 1.0)
    assert not dealer.faults
    assert dealer.waiting == 1
    assert any(n.startswith("WARNING: seat 2 (Bo): ignored") for n in table.notes)
    assert max(map(len, table.notes)) < 300
    act(dealer, table, "c", 2.0)
    assert dealer.waiting == 0


def test_comments_are_skipped_and_two_answers_at_once_are_one():
    dealer, table = table_of()
    dealer.received(1, f"# thinking\r\n; still\r\n{STATE_1}:c\r\n{STATE_1}:c\r\n".encode(), 0.0)
    assert dealer.waiting == 0
    assert len([n for n in table.notes if "out of turn" in n]) == 1
    assert not dealer.faults


def test_answers_may_arrive_in_pieces():
    dealer, _ = table_of()
    for byte in f"{STATE_1}:r300\n".encode():
        dealer.received(1, bytes([byte]), 0.0)
    assert dealer.waiting == 0
    assert dealer.state.contributions == (100, 300)


def faults(kind):
    """Bring the dealer of a three-player match to a fault of seat 2, which is first to act."""

    def make(rule):
        dealer, table = table_of("holdem.nolimit.3p", hands=6, seed=42, on_fault=rule, t_response=5000)
        assert dealer.waiting == 2
        if kind == "silent":
            dealer.tick(dealer.deadline)
        elif kind == "vanished":
            dealer.lost(2, "closed its connection", 1.0)
        elif kind == "flood":
            dealer.received(2, b"spam\n" * 65, 1.0)
        elif kind == "endless line":
            for _ in range(70):
                dealer.received(2, b"x" * (1 << 20), 1.0)
        else:
            act(dealer, table, kind)
        return dealer, table

    return make


KINDS = [
    "silent",
    "vanished",
    "flood",
    "endless line",
    "r150",
    "r20001",
    "r",
    "x",
    "",
    "fc",
    "r-5",
    "r99999999999999999",
]


@pytest.mark.parametrize("rule", ["forfeit", "fold", "end"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_fault_by_every_rule(kind, rule):
    dealer, table = faults(kind)(rule)
    assert len(dealer.faults) == 1
    fault = dealer.faults[0]
    assert (fault.hand, fault.seat, fault.name) == (0, 2, "Cy")
    assert f"# fault, {fault}" in table.lines
    assert f"WARNING: {fault}" in table.notes
    if rule == "end":
        assert dealer.done
        assert "Cy" in dealer.ended
        assert table.lines[-1].startswith("# ended, seat 3 (Cy)")
        assert not table.states, "the hand in play does not count"
        assert dealer.totals == [0, 0, 0]
        return
    # The hand is folded; the other two play it to its end.
    assert dealer.state.folded == (False, False, True)
    gone = rule == "fold" or kind in ("vanished", "flood", "endless line")
    assert (2 in table.dropped) == gone
    asked = 0
    while not dealer.done:
        if dealer.waiting == 2:
            assert not gone
            asked += 1
        act(dealer, table, "c")
    assert (asked > 0) == (not gone)
    assert len(table.states) == 6
    assert table.lines[-1].startswith("SCORE:")
    assert sum(dealer.totals) == 0
    assert len(dealer.faults) == 1


def test_the_others_lose_nothing_by_an_empty_chair():
    dealer, table = table_of("holdem.nolimit.3p", hands=30, seed=3)
    dealer.lost(1, "closed its connection", 0.0)
    while not dealer.done:
        act(dealer, table, "c")
    assert len(table.states) == 30
    # An empty chair never puts in more than its blinds.
    lost = [r.payoffs[r.seats.index(1)] / 2520 for r in table.records]
    assert min(lost) >= -100
    assert dealer.totals[1] < 0


def test_time_budgets():
    # 1 s a hand on average over two hands: 2 s for the match.
    dealer, table = table_of(t_per_hand=1000, t_hand=1500)
    assert dealer.deadline == 1.5
    act(dealer, table, "c", 1.0)
    assert dealer.deadline == 1.0 + 1.5
    act(dealer, table, "r300", 1.1)
    assert dealer.deadline == pytest.approx(1.1 + 0.5)
    dealer.tick(1.61)
    assert dealer.faults[0].seat == 1
    assert "out of the match" not in dealer.faults[0].result
    # The next hand: what is left of Bo's match time is 2.0 - 1.51.
    assert dealer.waiting == 0
    act(dealer, table, "c", 2.0)
    assert dealer.deadline == pytest.approx(2.0 + 0.49)
    dealer.tick(2.5)
    assert dealer.faults[1].seat == 1
    assert "out of the match" in dealer.faults[1].result
    assert table.dropped == [1]


def test_a_late_answer_is_no_second_fault():
    dealer, table = table_of(t_response=5000)
    dealer.tick(dealer.deadline)
    assert dealer.hand == 1
    dealer.received(1, f"{STATE_1}:c\r\n".encode(), 700.0)
    assert len(dealer.faults) == 1
    assert not table.dropped


def test_agents_in_the_process():
    dealer, table = table_of(local=(False, True))
    assert 1 not in table.sent
    turn = dealer.turn
    dealer.acted(1, turn - 1, Action.fold(), 1.0)
    assert dealer.waiting == 1, "an answer to another question"
    dealer.acted(1, turn, Action.raise_to(150), 1.0)
    assert dealer.faults[0].cause.startswith("answered illegally: raise to 150 refused")
    assert dealer.hand == 1
    act(dealer, table, "c", 1.0)
    dealer.acted(1, dealer.turn, ValueError("oh"), 2.0)
    assert dealer.faults[1].cause.startswith("failed: ValueError")
    assert dealer.waiting == 0, "big blind: checking is free"


# Where the reference dealer hangs or aborts ---------------------------------------------------------------------------


def test_everybody_all_in_by_the_blinds_goes_on():
    spec = msgspec.structs.replace(load_game("holdem.nolimit.2p"), stacks=(100, 50))
    dealer, table = table_of(spec, hands=3)
    assert dealer.done
    assert [line.split(":")[2] for line in table.states] == ["///"] * 3
    assert all(line.split(":")[3].count("/") == 3 for line in table.sent[0])


def test_a_showdown_without_a_chip_goes_on():
    spec = msgspec.structs.replace(load_game("holdem.nolimit.2p"), blinds=(0, 0))
    dealer, table = table_of(spec, hands=1)
    while not dealer.done:
        act(dealer, table, "c")
    assert table.lines[-1] == "SCORE:0|0:Ann|Bo"


# What the reference dealer makes of illegal actions ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ("r150", "r200"),
        ("r-5", "r200"),
        ("r99999", "r20000"),
        ("r+250", "r250"),
        ("r 250", "r250"),
        ("r250.7", "r250"),
        ("b300", "r300"),
        ("R300", "r300"),
        ("r", "c"),
        ("k", "c"),
        ("C", "c"),
        ("F", "f"),
        ("f5", "f"),
        ("c foo", "c"),
        ("x", "c"),
        ("", "c"),
    ],
)
def test_illegal_actions_corrected(text, played):
    dealer, table = table_of(illegal="correct")
    act(dealer, table, text)
    assert not dealer.faults
    action = table.records[0].actions[0] if dealer.hand else dealer.state.actions[0][2]
    assert str(action) == played
    assert any(n.startswith("WARNING: seat 2") for n in table.notes)


def test_corrections_where_nothing_is_to_be_corrected_to():
    state = HandState(load_game("holdem.nolimit.2p"))
    state.apply(Action.call())
    assert corrected(state, "f") == Action.call(), "fold for free"
    state = HandState(load_game("holdem.nolimit.2p"))
    state.apply(Action.raise_to(20000))
    assert corrected(state, "r20000") == Action.call(), "no raise is legal"
    state = HandState(load_game("holdem.limit.2p"))
    assert corrected(state, "r20").kind == Action.raise_to(20).kind


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"names": ("Ann",)}, "1 names given"),
        ({"names": ("Ann", "Ann")}, "expected different ones"),
        ({"names": ("A|n", "Bo")}, "name 'A|n'"),
        ({"names": ("A\nn", "Bo")}, "name 'A"),
        ({"hands": 0}, "hands = 0"),
        ({"seed": -1}, "seed = -1"),
        ({"on_fault": "kill"}, "on_fault = 'kill': expected one of forfeit, fold, end"),
        ({"illegal": "maybe"}, "illegal = 'maybe'"),
        ({"local": (True,)}, "local has 1 values"),
    ],
)
def test_settings_that_make_no_sense(change, said):
    good = {"game": load_game("holdem.nolimit.2p"), "hands": 1, "seed": 1, "names": ("Ann", "Bo")}
    with pytest.raises(ConfigError) as caught:
        DealConfig(**{**good, **change})
    assert said in str(caught.value)


def test_bytes_that_dribble_in_gain_no_time():
    """A line that never ends, byte by byte, and comments: the clock runs from the state that was sent."""
    for piece in (b"M", b"# thinking\n"):
        dealer, _ = table_of(t_response=5000)
        seat = dealer.waiting
        for second in range(1, 5):
            dealer.received(seat, piece, float(second))
            dealer.tick(float(second))
            assert dealer.deadline == 5.0
            assert not dealer.faults
        dealer.received(seat, piece, 5.0)
        dealer.tick(5.0)
        assert "did not answer within 5.000 s" in dealer.faults[0].cause


def test_who_speaks_before_the_others_have_joined_is_ignored():
    dealer, table = unseated(hands=1)
    dealer.connected(1, 0.0)
    dealer.received(1, b"VERSION:2.0.0\r\nMATCHSTATE:1:0::|Kd5c:r20000\r\nspam\r\n", 0.0)
    assert len([note for note in table.notes if "out of turn" in note]) == 2
    assert not dealer.faults
    dealer.connected(0, 1.0)
    dealer.received(0, b"VERSION:2.0.0\r\n", 1.0)
    assert dealer.waiting == 1
    assert table.sent[1][-1] == "MATCHSTATE:1:0::|Kd5c"


def test_comments_without_end_are_a_fault():
    dealer, table = table_of(hands=3)
    seat = dealer.waiting
    dealer.received(seat, b"# a\n" * 1000, 0.0)
    assert not table.notes[4:]
    dealer.received(seat, b"; b\n" * 100_000, 0.0)
    (fault,) = dealer.faults
    assert fault.seat == seat
    assert "out of the match" in fault.result
    assert len(table.notes) < 100
    assert len(table.lines_heard) < 1200, "nothing is heard of one who is out"
