"""10,000 broken lines to the dealer and 10,000 broken states to the client: nothing is raised that is not meant to be,
and whoever keeps to the protocol loses nothing by it."""

import random
from collections import Counter

import pytest

from dupai.acpc import ClientSession
from dupai.base import ProtocolError
from dupai.rules import load_game
from naive.acpc_table import act, table_of

PIECES = (
    b":", b"|", b"/", b"r", b"f", b"c", b"\r", b"\x00", b"\xff", b" ", b"r0", b"r99999999999999999999", b"MATCHSTATE",
    b"As", b"-1", b"9" * 40, "é".encode(), b"#", b";", b"//////", b"VERSION:2.0.0", b"%s%n", b"cc" * 50, b"",
)  # fmt: skip


def broken(rng, line):
    """A line that is not ``line``, near it or far from it."""
    while True:
        made = bytearray(line)
        for _ in range(rng.randint(1, 4)):
            kind, at = rng.randrange(6), rng.randint(0, len(made))
            if kind == 0:
                del made[at : at + rng.randint(1, 6)]
            elif kind == 1:
                made[at:at] = rng.choice(PIECES)
            elif kind == 2 and made:
                made[min(at, len(made) - 1)] = rng.randrange(256)
            elif kind == 3:
                made = made[:at] + made[:at]
            elif kind == 4:
                made = bytearray(rng.randbytes(rng.randint(0, 80)))
            else:
                fields = bytes(made).split(b":")
                rng.shuffle(fields)
                made = bytearray(b":".join(fields))
        found = bytes(made).replace(b"\n", b"")
        if found.rstrip(b"\r") != line:
            return found


@pytest.mark.parametrize("rule", ["forfeit", "fold"])
def test_ten_thousand_broken_lines_to_the_dealer(rule):
    rng = random.Random(17)
    sent = 0
    seen = Counter()
    while sent < 5_000:
        # A fresh match now and then: under some rules one bad action is the last of its sender.
        dealer, table = table_of("holdem.nolimit.3p", hands=40, seed=sent, on_fault=rule, max_bad_lines=20)
        while not dealer.done and sent < 5_000:
            seat, hand = dealer.waiting, dealer.hand
            told = table.sent[seat][-1].encode()
            if 0 not in table.dropped:
                # Seat 0 misbehaves in its turn and out of it.
                answer = told if seat == 0 else table.sent[0][-1].encode()
                data = broken(rng, answer + rng.choice((b":c", b":f", b":r300", b":r20000"))) + b"\r\n"
                cut = rng.randint(0, len(data))
                dealer.received(0, data[:cut], 0.0)
                dealer.received(0, data[cut:], 0.0)
                sent += 1
            if not dealer.done and (dealer.waiting, dealer.hand) == (seat, hand):
                act(dealer, table, rng.choice("ccf") if dealer.state.legal.fold else "c")
            elif dealer.waiting is not None and dealer.waiting != 0:
                act(dealer, table, "c")
            if 0 in table.dropped and sent < 5_000 and not dealer.done:
                break
        assert dealer.ended is None
        assert {f.seat for f in dealer.faults} <= {0}
        assert sum(dealer.totals) == 0
        assert max(map(len, table.notes)) < 600
        seen.update(f.cause.split(":")[0][:12] for f in dealer.faults)
        seen["ignored"] += sum("ignored" in n for n in table.notes)
    assert seen["ignored"] > 1000
    assert seen["answered ill"] > 20


GOOD = [
    b"MATCHSTATE:1:0::|Kd5c",
    b"MATCHSTATE:1:0:r300:|Kd5c",
    b"MATCHSTATE:1:0:r300c/:|Kd5c/7hAdTd",
    b"MATCHSTATE:1:0:r300c/c:|Kd5c/7hAdTd",
    b"MATCHSTATE:1:0:r300c/cr900:|Kd5c/7hAdTd",
    b"MATCHSTATE:1:0:r300c/cr900f:|Kd5c/7hAdTd",
    b"MATCHSTATE:0:1::JsKs|",
    b"MATCHSTATE:0:1:c:JsKs|",
    b"MATCHSTATE:0:1:cc/:JsKs|/Qd7s9d",
    b"MATCHSTATE:0:1:cc/r20000:JsKs|/Qd7s9d",
    b"MATCHSTATE:0:1:cc/r20000c//:JsKs|Qs8d/Qd7s9d/Ac/Td",
]


def test_ten_thousand_broken_states_to_the_client():
    rng = random.Random(18)
    spec = load_game("holdem.nolimit.2p")
    refused = let_pass = 0
    for _ in range(10_000):
        session = ClientSession(spec if rng.random() < 0.8 else None)
        at = rng.randrange(len(GOOD))
        # Only the state before it and the broken one: a whole match each time says no more.
        start = at - 1 if at and at != 6 else at
        for line in GOOD[start:at]:
            session.feed(line + b"\r\n")
            assert len(list(session.states())) == 1
        session.feed(broken(rng, GOOD[at]) + b"\r\n")
        try:
            for told in session.states():
                # What is let pass could have been meant: it replays, and there is an answer where it is our turn.
                assert told.over or told.state.actor >= 0
                if told.our_turn:
                    assert told.view.hole != (255, 255)
                let_pass += 1
        except ProtocolError as error:
            refused += 1
            assert "\n" not in str(error)
            assert len(str(error)) < 2500
    assert refused > 8_500
    assert let_pass > 0
