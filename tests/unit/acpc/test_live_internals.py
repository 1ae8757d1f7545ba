"""Dealer, clients and programs over loopback. Nothing here waits for a clock except where a clock is the point."""

import asyncio
import contextlib
import hashlib
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from dupai.acpc import AcpcAgent, DealConfig, MatchFiles, SeatRelay, acpc_deals, deal, deal_programs, join
from dupai.agents import BaseAgent, CannotPlay, MatchInfo, Notes, make_agent
from dupai.arena import play_match
from dupai.base import AgentError, ConfigError, ProtocolError, Rng
from dupai.cli import main
from dupai.notation import Reason, read_acpc
from dupai.rules import RAISE, Action, HandState, load_game

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "acpc_client.py"
GAME = "holdem.nolimit.2p"
#: More than any of this takes on a busy machine; a test that gets here has failed.
LONG = 240


def config(hands=20, game=GAME, names=("Ann", "Bo", "Cy"), **options):
    spec = load_game(game)
    return DealConfig(game=spec, hands=hands, seed=7, names=names[: spec.players], game_name=game, **options)


def run(match, *clients, agents=(), **options):
    """Deal to clients, each a coroutine function of its port; returns the result, what they returned, log, notes."""

    async def both():
        ready = asyncio.get_running_loop().create_future()
        notes = []
        dealing = asyncio.ensure_future(
            deal(match, agents, files=MatchFiles(log), note=notes.append, listening=ready.set_result, **options)
        )
        await asyncio.wait([ready, dealing], return_when=asyncio.FIRST_COMPLETED)
        if dealing.done():
            dealing.result()
        ports = [p for p in ready.result() if p]
        said = await asyncio.gather(*(c(p) for c, p in zip(clients, ports, strict=True)))
        return await dealing, said, log.read_text(encoding="utf-8").splitlines(), notes

    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "match.log"
        return asyncio.run(asyncio.wait_for(both(), LONG))


def player(agent, **options):
    return lambda port: join("127.0.0.1", port, agent, seed=3, **options)


def test_two_clients_of_ours_play_a_match():
    result, said, log, notes = run(config(60), player("random"), player("caller", game=load_game(GAME)))
    assert result.ended is None
    assert result.hands == 60
    assert not result.faults
    assert [s.hands for s in said] == [60, 60]
    assert tuple(s.won for s in said) == result.totals
    assert [s.late + s.failed for s in said] == [0, 0]
    assert log[-1] == result.score == notes[-1]
    records = list(read_acpc(log, load_game(GAME)))
    deals = acpc_deals(7, 2)
    assert [r.hole for r in records] == [next(deals).hole for _ in range(60)]
    for r in records:
        assert list(r.payoffs) == r.at().payoffs.tolist()


def test_agents_in_the_process_play_without_a_connection():
    result, said, log, _ = run(config(20, "holdem.nolimit.3p"), player("random"), agents=[None, "caller", "random"])
    assert result.hands == 20
    assert said[0].hands == 20
    assert sum(result.totals) == 0
    assert not result.faults
    again, _, log_again, _ = run(config(20, "holdem.nolimit.3p"), player("random"), agents=[None, "caller", "random"])
    assert again.totals == result.totals
    assert log_again == log
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ConfigError, match="cannot listen"):
        run(config(), ports=[taken.getsockname()[1]])


async def talk(port, *pieces, stay=False):
    """Say these things and leave, or stay until the dealer closes and answers nothing. Returns what it heard."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionError:
        return b""  # the match is over already
    heard = b""
    for piece in pieces:
        writer.write(piece)
    with contextlib.suppress(ConnectionError):
        await writer.drain()
        while stay and (data := await reader.read(1 << 16)):
            heard += data
    writer.close()
    return heard


VERSION = b"VERSION:2.0.0\r\n"


@pytest.mark.parametrize("rule", ["forfeit", "fold", "end"])
@pytest.mark.parametrize(
    ("kind", "pieces", "stay"),
    [
        ("silent", [VERSION], True),
        ("vanished", [VERSION], False),
        ("vanished early", [], False),
        ("garbage", [VERSION, b"\xff\x00spam\n" * 1000], True),
        ("endless", [VERSION, *[b"x" * (1 << 20)] * 70], True),
        ("long, then silent", [VERSION, b"y" * (4 << 20) + b"\n"], True),
        ("hangs before its version", [b"VERS"], True),
        ("not a version", [b"GET / HTTP/1.0\r\n\r\n"], True),
    ],
)
def test_clients_that_fail(kind, pieces, stay, rule):
    """The other player, one of ours, gets its hands and its chips, or the match ends with a reason."""
    # A seat whose client left before its version line is free again: only the time for connecting ends the wait.
    start = {"start_timeout": 1000} if kind == "vanished early" else {}
    match = config(3, on_fault=rule, t_response=1000, t_version=1000, **start)
    other = "caller"

    async def bad(port):
        return await talk(port, *pieces, stay=stay)

    result, _, log, notes = run(match, bad, agents=[None, other])
    assert result.faults
    assert {f.seat for f in result.faults} == {0}
    assert any(line.startswith("# fault, ") for line in log)
    assert any(note.startswith("WARNING") for note in notes)
    if rule == "end":
        assert result.ended
        assert log[-1].startswith("# ended, seat 1 (Ann)")
        assert result.hands < 3
    else:
        assert result.ended is None
        assert result.hands == 3
        assert result.totals[1] >= -result.totals[0] == result.totals[1]
        assert log[-1].startswith("SCORE:")
    list(read_acpc(log, load_game(GAME)))


def test_a_second_connection_to_a_seat_is_refused():
    seated = []

    async def two(port):
        first = asyncio.ensure_future(join("127.0.0.1", port, "caller", seed=1))
        while not seated:
            await asyncio.sleep(0.01)
        await talk(port, b"HELLO\r\n", stay=True)
        return await first

    def chatter(line):
        if "has connected" in line:
            seated.append(line)

    result, said, _, _ = run(config(5), two, agents=[None, "caller"], chatter=chatter)
    assert not result.faults
    assert said[0].hands == result.hands == 5


def reset(port):
    """Connect, and reset the connection."""
    client = socket.create_connection(("127.0.0.1", port))
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def test_a_connection_that_is_reset_does_not_take_the_seat():
    """A port scan, or a client that is started twice, before the player comes."""
    notes = []

    async def late(port):
        for count in range(1, 4):
            if count == 1:
                reset(port)
            else:
                await talk(port, b"VERSION:1.0.0\r\n" if count == 2 else b"VERS", stay=count == 2)
            while sum("the seat is free" in note for note in notes) < count:
                await asyncio.sleep(0.01)
        return await join("127.0.0.1", port, "caller", seed=1)

    async def match():
        ready = asyncio.get_running_loop().create_future()
        dealing = asyncio.ensure_future(
            deal(config(5, t_version=LONG * 1000), [None, "caller"], note=notes.append, listening=ready.set_result)
        )
        said = await late((await ready)[0])
        return await dealing, said

    result, said = asyncio.run(asyncio.wait_for(match(), LONG))
    assert not result.faults
    assert said.hands == result.hands == 5


def test_a_client_of_another_version_is_told_so_and_sees_no_cards():
    match = config(3, t_version=500)
    result, said, _, notes = run(
        match, lambda port: talk(port, b"VERSION:1.0.0\r\n", stay=True), agents=[None, "caller"]
    )
    assert said == [b""]
    assert [(f.seat, f.hand) for f in result.faults] == [(0, -1)]
    assert any("began with 'VERSION:1.0.0': expected VERSION:2.0.0" in note for note in notes)


def test_who_connects_as_the_match_ends_is_sent_away():
    """The last answer and a new connection reach the dealer at once, the answer first."""
    client, late, ports = socket.socket(), socket.socket(), []

    async def first(port):
        client.connect(("127.0.0.1", port))
        client.sendall(VERSION)
        ports.append(port)

    def chatter(line):
        if line.startswith("TO 2") and ports:  # its only turn
            client.sendall(client.recv(1 << 16).strip() + b":f\r\n")
            late.connect(("127.0.0.1", ports.pop()))

    with client, late:
        result, _, _, _ = run(config(1), first, agents=["caller", None], chatter=chatter)
        assert result.hands == 1
        assert not result.faults
        late.settimeout(10)
        with contextlib.suppress(ConnectionError):
            assert late.recv(1) == b""


class Deaf(asyncio.Transport):
    """A connection whose other end does not read: what is written stays."""

    waiting = 0
    aborted = False

    def write(self, data):
        self.waiting += len(data)

    def get_write_buffer_size(self):
        return 0 if self.aborted else self.waiting

    def is_closing(self):
        return self.aborted

    def abort(self):
        self.aborted = True

    def close(self):
        pass


def test_a_client_that_does_not_read_is_dropped(monkeypatch):
    import dupai.acpc._serve as module

    monkeypatch.setattr(module, "_MAX_UNREAD", 100)

    async def match():
        table = module._Match(config(5), [None, None], notes.append, None)
        wires = [module._Wire(table, seat) for seat in (0, 1)]
        ends = [Deaf(), Deaf()]
        for wire, end in zip(wires, ends, strict=True):
            wire.connection_made(end)
            wire.data_received(VERSION)
        ends[1].waiting = 0
        for end in ends:
            assert not end.aborted
        ends[0].waiting = 101
        wires[1].data_received(b"# still here\n")
        assert (ends[0].aborted, ends[1].aborted) == (True, False)
        for wire in wires:
            wire.connection_lost(None)
        await table.leave()

    notes = []
    asyncio.run(asyncio.wait_for(match(), LONG))
    assert any("(Ann) does not read what it is sent; out of the match" in note for note in notes)


# The client ----------------------------------------------------------------------------------------------------------


class Dealer:
    """A dealer that says what it is told to, once, and keeps what it was answered."""

    def __init__(self, *pieces):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._pieces = pieces
        self.heard = b""
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        wire, _ = self._listener.accept()
        with wire, self._listener:
            while b"\n" not in self.heard:
                self.heard += wire.recv(4096)
            for piece in self._pieces:
                wire.sendall(piece)
            wire.shutdown(socket.SHUT_WR)
            while data := wire.recv(4096):
                self.heard += data

    def done(self):
        self._thread.join(LONG)
        return self.heard.decode()


def test_join_leaves_quietly_at_the_end(capsys):
    dealer = Dealer(
        b"MATCHSTATE:1:0::|Kd5c\r\nMATCH",
        b"STATE:1:0:c:|Kd5c\r\nMATCHSTATE:1:0:cr20000:|Kd5c\r\nMATCHSTATE:1:0:cr20000f",
    )
    assert main(["acpc", "join", "127.0.0.1", str(dealer.port), "caller"]) == 0
    assert dealer.done().split("\r\n") == [
        "VERSION:2.0.0", "MATCHSTATE:1:0::|Kd5c:c", "MATCHSTATE:1:0:cr20000:|Kd5c:c", "",
    ]  # fmt: skip
    out, err = capsys.readouterr()
    assert not out
    assert "0 hands" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("said", [b"HELLO\r\n", b"MATCHSTATE:1:0:r150:|Kd5c\r\n", b"\xff\xfe\n", b"x" * 9000])
def test_join_ends_with_one_line_where_the_dealer_breaks_the_protocol(said, capsys):
    dealer = Dealer(said)
    assert main(["acpc", "join", "127.0.0.1", str(dealer.port), "caller"]) == 2
    err = capsys.readouterr().err
    lines = [line for line in err.splitlines() if not line.startswith("compiling")]
    assert len(lines) == 1
    assert lines[0].startswith("dupai: the dealer sent")


def test_join_where_nobody_listens(capsys):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert main(["acpc", "join", "127.0.0.1", str(port), "caller"]) == 2
    assert f"dupai: cannot connect to 127.0.0.1:{port}" in capsys.readouterr().err
    assert main(["acpc", "join", "127.0.0.1", str(port), "calller"]) == 2
    assert "did you mean 'caller'?" in capsys.readouterr().err


class Watcher(BaseAgent):
    """Calls, and keeps what it observes."""

    def __init__(self):
        self.seen = []

    def act(self, view, rng):
        return Action.call()

    def observe(self, record):
        self.seen.append(record)


def test_who_joins_can_tell_the_opponents_apart(monkeypatch):
    """The protocol has no names; a reader that learns persons needs some, the same in every hand of the match."""
    import dupai.acpc._join as module

    agent = Watcher()
    monkeypatch.setattr(module, "seated_agent", lambda spec: agent)
    monkeypatch.setattr(module, "warm_up", lambda agent, spec: None)
    dealer = Dealer(b"MATCHSTATE:1:0:f:|Kd5c\r\nMATCHSTATE:0:1:r300f:Kd5c|\r\n")
    asyncio.run(join("127.0.0.1", dealer.port, "caller", seed=1))
    dealer.done()
    assert [r.names for r in agent.seen] == [("seat 0", "caller"), ("caller", "seat 0")]
    assert [r.hero for r in agent.seen] == [1, 0]


class Diary(Watcher):
    """Also writes down where hands begin and end."""

    def begin(self, hand):
        self.seen.append(("begin", hand.hand, len(hand.actions)))

    def observe(self, record):
        self.seen.append(("observe", record.hand))

    def end(self, record):
        self.seen.append(("end", record.hand))


def test_hands_begin_and_end_for_those_who_join_and_those_in_the_process(monkeypatch):
    """Also a hand in which the agent is never asked."""
    import dupai.acpc._join as join_module
    import dupai.acpc._serve as serve_module

    agents = {}
    for module in (join_module, serve_module):
        monkeypatch.setattr(module, "seated_agent", lambda spec: agents.setdefault(spec, Diary()))
        monkeypatch.setattr(module, "warm_up", lambda agent, spec: None)
    run(config(3), player("there"), agents=[None, "here"])
    for diary in agents.values():
        assert [page[0] for page in diary.seen] == ["begin", "observe", "end"] * 3
        assert all(page[2] == 0 for page in diary.seen if page[0] == "begin")


def test_hands_begin_also_where_another_player_is_gone(monkeypatch):
    """Its actions are played at once, so that the hand may be over before anybody looks."""
    import dupai.acpc._serve as serve_module

    diary = Diary()
    monkeypatch.setattr(serve_module, "seated_agent", lambda spec: diary)
    monkeypatch.setattr(serve_module, "warm_up", lambda agent, spec: None)

    async def leaves(port):
        return await talk(port, VERSION)

    run(config(4, on_fault="fold", t_response=1000, t_version=1000), leaves, agents=[None, "here"])
    assert [page[0] for page in diary.seen] == ["begin", "observe", "end"] * 4
    assert [page[1] for page in diary.seen] == [hand for hand in range(4) for _ in range(3)]
    assert all(page[2] == 0 for page in diary.seen if page[0] == "begin")


class Slow(BaseAgent):
    """Hangs in its first decision until it is let go, fails in its second."""

    gate = threading.Event()
    acts = 0

    def act(self, view, rng):
        Slow.acts += 1
        if Slow.acts == 1:
            self.gate.wait(LONG)
        raise ValueError("two\nlines")


@pytest.mark.parametrize("joins", [False, True])
def test_agents_are_closed_when_nothing_is_played(monkeypatch, joins):
    from dupai.acpc import _join, _serve

    class Sitting(BaseAgent):
        def __init__(self, spec):
            self.spec = spec

        def start(self, match):
            open_now.append(self)
            started.append(self)
            if self.spec == "unwilling" and match.hands is not None:
                raise ConfigError("not this game")
            if self.spec == "failing":
                raise ValueError("cannot get up")

        def act(self, view, rng):
            return Action.call()

        def close(self):
            closed.append(self)
            open_now.remove(self)

    open_now, started, closed = [], [], []
    for module in (_join, _serve):
        monkeypatch.setattr(module, "seated_agent", Sitting)
    if joins:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        for spec in ("willing", "failing"):
            with pytest.raises(ProtocolError, match="cannot connect"):
                asyncio.run(join("127.0.0.1", port, spec))
    else:
        with pytest.raises(CannotPlay, match="not this game"):
            asyncio.run(deal(config(names=("willing", "unwilling")), ["willing", "unwilling"]))
    # One that was made and never started, where there is nobody to connect to, is not closed either.
    assert open_now == [] and started and set(closed) == set(started)


def test_join_keeps_to_its_clock(monkeypatch):
    import dupai.acpc._join as module

    monkeypatch.setattr(module, "seated_agent", lambda spec: Slow())
    monkeypatch.setattr(module, "warm_up", lambda agent, spec: None)
    dealer = Dealer(b"MATCHSTATE:1:0::|Kd5c\r\nMATCHSTATE:1:0:f:|Kd5c\r\nMATCHSTATE:0:1:c:Kd5c|\r\n")
    notes = []

    def note(line):
        notes.append(line)
        Slow.gate.set()

    result = asyncio.run(join("127.0.0.1", dealer.port, "slow", seconds=0.2, note=note))
    heard = dealer.done().split()
    assert heard[1:] == ["MATCHSTATE:1:0::|Kd5c:f", "MATCHSTATE:0:1:c:Kd5c|:c"], "fold to a bet, check where it is free"
    assert (result.hands, result.late, result.late + result.failed) == (1, 1, 2)
    assert "did not answer within 0.2 s in hand 0" in notes[0]
    assert "ValueError" in notes[1]


def test_fall_backs_are_told_at_the_end(monkeypatch):
    import dupai.acpc._join as module

    class Unsure(BaseAgent):
        def __init__(self):
            self.notes = Notes()

        def act(self, view, rng):
            self.notes.add(Reason("stand_in_game_not_covered"))
            return Action.call()

    monkeypatch.setattr(module, "seated_agent", lambda spec: Unsure())
    monkeypatch.setattr(module, "warm_up", lambda agent, spec: None)
    dealer = Dealer(b"MATCHSTATE:0:1:c:Kd5c|\r\n")
    notes = []
    asyncio.run(join("127.0.0.1", dealer.port, "unsure", note=notes.append))
    dealer.done()
    assert notes == ["seat 2, 1 of 1 decisions: A stand-in plays: the precomputed strategy does not cover this game"]


# Programs of others --------------------------------------------------------------------------------------------------


def test_the_example_shares_no_code_with_us():
    text = EXAMPLE.read_text()
    assert "dupai" not in re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
    assert len(text.splitlines()) <= 70


@pytest.mark.parametrize("game", [GAME, "holdem.nolimit.3p"])
def test_the_example_client_knows_the_smallest_raise(game, monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLE.parent))
    from acpc_client import turn

    spec, rng, agent, compared = load_game(game), Rng(4), make_agent("random"), 0
    for k in range(60):
        state = HandState.deal(spec, rng, hand=k)
        while not state.finished:
            betting = ["" for _ in range(state.street + 1)]
            for street, _, action in state.view(None).actions:
                betting[street] += f"r{action.to}" if action.kind == RAISE else "fc"[action.kind]
            actor, spent, _, low = turn("/".join(betting), spec.players)
            assert (actor, spent) == (state.actor, state.contributions[state.actor])
            # It calls where the smallest raise is more than its stack.
            if state.legal.can_raise and low <= 20_000:
                assert low == state.legal.min_to
                compared += state.street > 0
            state.apply(
                Action.raise_to(state.legal.min_to)
                if state.legal.can_raise and rng.below(2)
                else agent.act(state.view(state.actor), rng)
                if rng.below(4) == 0
                else Action.call()
            )
    assert compared > 50


@pytest.mark.parametrize("game", [GAME, "holdem.nolimit.3p", "holdem.nolimit.6p"])
def test_the_example_client_against_our_agents(game, tmp_path):
    spec = load_game(game)
    log = tmp_path / "match.log"
    match = config(40, game, names=("Ex", "b", "c", "d", "e", "f"), on_fault="end")
    seats = [(f"{sys.executable} {EXAMPLE}", True)] + [("random", False)] * (spec.players - 1)
    result = asyncio.run(asyncio.wait_for(deal_programs(match, seats, files=MatchFiles(log)), LONG))
    assert result.ended is None
    assert result.hands == 40
    assert not result.faults
    assert len(list(read_acpc(log.read_text().splitlines(), spec))) == 40


def test_a_program_as_an_agent_in_a_match():
    spec = f'acpc:cmd="{sys.executable} {EXAMPLE}"'
    result = play_match([spec, "caller"], hands=30, seed=5)
    assert result.hands == 30
    assert not result.faults


def test_what_a_program_is_told():
    """Every state of every hand, those in which it is not asked too, numbered from 0."""
    relay = SeatRelay()
    spec = load_game("holdem.nolimit.3p")
    state = HandState.deal(spec, Rng(1), hand=7)
    for action in (Action.call(), Action.raise_to(300)):
        state.apply(action)
    lines = relay.view(state.view(1))
    assert [line.split(":")[1:4] for line in lines] == [["1", "0", ""], ["1", "0", "c"], ["1", "0", "cr300"]]
    assert relay.last == lines[-1]
    for action in (Action.fold(), Action.fold()):
        state.apply(action)
    lines = relay.record(state.record().seen_by(1), 1)
    assert [line.split(":")[3] for line in lines] == ["cr300f", "cr300ff"]
    # A hand without a decision of ours comes whole.
    state = HandState.deal(spec, Rng(2), hand=8)
    for action in (Action.fold(), Action.fold()):
        state.apply(action)
    lines = relay.record(state.record().seen_by(2), 2)
    assert [line.split(":")[2:4] for line in lines] == [["1", ""], ["1", "f"], ["1", "ff"]]


CONNECT = "import socket, sys; c = socket.create_connection((sys.argv[1], int(sys.argv[2])))"
MATCH = MatchInfo(spec=load_game(GAME), seat=1, names=("a", "b"))


@pytest.mark.parametrize(
    ("code", "error", "said"),
    [
        ("pass", AgentError, "left with code 0 and did not connect"),
        ("c.send(b'HELLO\\n'); c.recv(1)", ProtocolError, "its first line is 'HELLO'"),
        ("c.recv(1)", AgentError, "no answer in time|nobody connected"),
        ("", AgentError, "left with code 0 and sent no version line"),
    ],
)
def test_programs_that_do_not_start(code, error, said, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(code if code == "pass" else f"{CONNECT}\n{code}\n")
    seconds = 2 if "no answer" in said else LONG
    agent = make_agent(f'acpc:cmd="{sys.executable} {path}",start_seconds={seconds}')
    with pytest.raises(error, match=said):
        agent.start(MATCH)
    agent.close()


def test_programs_that_cannot_be_run():
    with pytest.raises(ConfigError, match="cannot be run"):
        AcpcAgent(cmd="./no-such-program").start(MATCH)
    with pytest.raises(ConfigError, match="needs a cmd to start, or a port"):
        make_agent("acpc").start(MATCH)


def test_a_program_that_answers_illegally_loses_its_hands(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"""{CONNECT}
c.sendall(b"VERSION:2.0.0\\n")
for line in c.makefile():
    c.sendall((line.strip() + ":r1\\n").encode())
""")
    result = play_match([f'acpc:cmd="{sys.executable} {path}"', "caller"], hands=4, seed=1)
    assert len(result.faults) == 4
    assert all("the smallest raise is to " in f.error for f in result.faults)


def program(path, code):
    """The spec of a program that connects, and does ``code``."""
    path = path / "program.py"
    path.write_text(f"{CONNECT}\n{code}\n")
    return f'acpc:cmd="{sys.executable} {path}"'


VERSION_CODE = 'c.sendall(b"VERSION:2.0.0\\n")'
CALLS = f"""{VERSION_CODE}
for line in c.makefile():
    c.sendall((line.strip() + ":c\\n").encode())
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (None, "command './no-such-program' cannot be run"),
        ("raise SystemExit(3)", "left with code 3 and sent no version line"),
        (VERSION_CODE, "it closed the connection, without an answer|its connection is gone.*, without an answer"),
        ("c.sendall(b'VERSION:1.0.0\\n'); c.recv(1)", "its first line is 'VERSION:1.0.0'"),
    ],
)
def test_a_program_that_cannot_play_ends_the_match(code, said, tmp_path, capsys):
    """It is not played against an empty chair, and won."""
    spec = "acpc:cmd=./no-such-program" if code is None else program(tmp_path, code)
    assert main(["match", spec, "caller", "--hands", "20"]) == 2
    out, err = capsys.readouterr()
    assert not out
    (line,) = [line for line in err.splitlines() if not line.startswith(("compiling", "dupai: cards", "Traceback"))]
    assert line.startswith("dupai: agent 'acpc:cmd=")
    assert "cannot play: " in line
    assert re.search(said, line)


def test_a_program_that_leaves_is_not_waited_for_by_the_dealer(tmp_path):
    spec = program(tmp_path, "raise SystemExit(3)").removeprefix("acpc:cmd=").strip('"')
    match = config(3, start_timeout=LONG * 1000, t_version=LONG * 1000)
    result = asyncio.run(asyncio.wait_for(deal_programs(match, [(spec, True), ("caller", False)]), LONG / 2))
    assert [f.cause for f in result.faults] == ["left with code 3 before the first hand"]
    assert result.hands == 3
    assert main(["acpc", "deal", GAME, "Ann=caller", "Bo=acpc:cmd=./no-such-program", "--hands", "3", "-q"]) == 2


def test_a_program_that_hangs_is_not_waited_for_for_ever(tmp_path):
    """Three time-outs in a row are enough; every hand is a fault, and every fault is in the list."""
    hangs = program(tmp_path, f"{VERSION_CODE}\nwhile c.recv(1 << 16): pass") + ",seconds=0.3"
    start = time.monotonic()
    result = play_match([hangs, "caller"], hands=30, seed=1)
    assert time.monotonic() - start < 30
    errors = [f.error for f in result.faults]
    assert len(errors) == result.players[0].faults == 30
    assert errors[:3] == ["AgentError: no answer in time"] * 3
    assert set(errors[3:]) == {"AgentError: no answer in time 3 times in a row: it is not waited for any more"}


def test_a_program_may_be_declared_stateless(tmp_path):
    calls = program(tmp_path, CALLS)
    learns, declared = (
        play_match([f"{calls}{more}", "style:TA"], hands=30, seed=1, luck_reduced=True)
        for more in ("", ",stateless=on")
    )
    assert not learns.stateless
    assert declared.stateless
    assert learns.unit == "match"
    assert declared.unit == "hand"
    assert declared.players[0].mbb.n == 30
    # Cards come from a secret key, so that the ratio of a few hands may be anything.
    assert declared.players[0].luck_reduced.variance_ratio > 0


def test_kernels_are_compiled_before_the_clock_of_a_connection_runs(monkeypatch):
    """The agent that warms up decides on every street, with and without a bet, before the client connects."""
    import dupai.acpc._join as module

    class Warm(BaseAgent):
        def act(self, view, rng):
            seen.append((view.street, view.legal.fold))
            return Action.call()

    seen, sockets = [], []
    monkeypatch.setattr(module, "seated_agent", lambda spec: Warm())
    monkeypatch.setattr(module.asyncio, "open_connection", lambda *a: sockets.append(list(seen)) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        asyncio.run(join("127.0.0.1", 1, "warm"))
    assert set(sockets[0]) >= {(street, fold) for street in (1, 2, 3) for fold in (False, True)} | {(0, True)}


# The command line ----------------------------------------------------------------------------------------------------


def test_deal_and_the_example_on_the_command_line(tmp_path):
    command = [sys.executable, "-m", "dupai", "acpc", "deal", GAME, "Ann", "Bo=caller", "--hands", "10", "--seed", "42"]
    with subprocess.Popen(
        [*command, "--log", str(tmp_path), "--name", "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as dealer:
        ports = dealer.stdout.readline().split()
        assert len(ports) == 2
        assert ports[1] == "0"
        subprocess.run([sys.executable, str(EXAMPLE), "127.0.0.1", ports[0]], check=True, timeout=LONG)
        out, err = dealer.communicate(timeout=LONG)
    assert dealer.returncode == 0
    assert re.fullmatch(r"SCORE:-?\d+(\.5)?\|-?\d+(\.5)?:Ann\|Bo\n", out)
    assert "TO 1 at " in err
    assert "FROM 1 at " in err
    log = (tmp_path / "demo.log").read_text().splitlines()
    assert log[0] == f"# name/game/hands/seed demo {GAME} 10 42"
    assert "7d3d|2hAc" in log[4]
    assert len(log) == 15
    assert log[-1] == out.strip()


def test_cards_come_from_a_secret_that_is_printed_at_the_end(tmp_path, capsys):
    """Two starts used to deal the same cards, from seed 0."""

    def dealt(name, *more):
        words = ["Ann=caller", "Bo=caller", "--hands", "4", "-q", "--log", str(tmp_path), "--name", name]
        assert main(["acpc", "deal", GAME, *words, *more]) == 0
        header, *lines = (tmp_path / f"{name}.log").read_text().splitlines()
        states = [line for line in lines if line.startswith("STATE")]
        return header.split()[-1], states, re.findall("--key ([0-9a-f]{64})", capsys.readouterr().err)

    sealed, first, (key,) = dealt("first", "-T")
    _, second, (other,) = dealt("second")
    assert key != other
    assert not {line.split(":")[3] for line in first} & {line.split(":")[3] for line in second}
    assert dealt("again", "--key", key) == (sealed, first, [key])
    # The log can be read while the match is on; what resumes it is in the transaction log.
    assert sealed == hashlib.sha256(bytes.fromhex(key)).hexdigest()
    assert key not in (tmp_path / "first.log").read_text()
    assert (tmp_path / "first.tlog").read_text().startswith(f"# key {key}\n")
    (tmp_path / "first.log").write_text("")
    assert dealt("first", "-T", "-a") == (sealed, first, [key])
    for another in (["--key", other], ["--seed", "7"]):
        resumes = [GAME, "Ann=caller", "Bo=caller", "--log", str(tmp_path), "--name", "first", "-T", "-a", *another]
        assert main(["acpc", "deal", *resumes]) == 2
        assert "the match that resumes has another key" in capsys.readouterr().err
    assert main(["acpc", "deal", GAME, "Ann=caller", "Bo=caller", "--key", "7"]) == 2


def test_deal_between_agents_of_ours_and_what_it_refuses(capsys):
    assert main(["acpc", "deal", GAME, "Ann=caller", "Bo=random", "--hands", "5", "-q"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "0 0"
    assert out[1].startswith("SCORE:")
    for arguments, said in (
        ([GAME, "Ann"], "1 names given"),
        (["holdem.nolimit.22p", "Ann", "Bo"], "did you mean"),
        ([GAME, "Ann", "Bo", "--ports", "x"], "--ports 'x'"),
        ([GAME, "Ann=calller", "Bo"], "did you mean 'caller'?"),
        ([GAME, "Ann", "Bo", "--on-fault", "explode"], "explode"),
    ):
        assert main(["acpc", "deal", *arguments]) == 2
        assert said in capsys.readouterr().err
    assert main(["acpc", "bridge", "a", "b", "c"]) == 2
    assert "3 commands given" in capsys.readouterr().err


def test_bridge_on_the_command_line(capsys, tmp_path):
    command = f"{sys.executable} {EXAMPLE}"
    assert main(["acpc", "bridge", command, "--hands", "5", "--against", "caller", "--log", str(tmp_path)]) == 0
    assert re.search(r"SCORE:.*:program1\|ours1", capsys.readouterr().out)
    assert len((tmp_path / "bridge.log").read_text().splitlines()) == 10


def test_what_clients_send_does_nothing_to_a_terminal():
    said = []
    hostile = b"\x1b]0;title\x07\x1b[2J \xff\rx\n"
    match = config(1, t_response=300, on_fault="end")
    run(match, lambda port: talk(port, VERSION, hostile, stay=True), agents=[None, "caller"], chatter=said.append)
    heard = [line for line in said if line.startswith("FROM 1 at ")]
    assert heard[0].endswith(" VERSION:2.0.0")
    assert heard[1].endswith(r" \x1b]0;title\x07\x1b[2J \xff\rx")
    assert all(line.isprintable() for line in said)


def test_times_used_are_said_every_hundred_hands():
    said = []
    run(config(200), agents=["caller", "caller"], chatter=said.append)
    assert [line.split(";")[0] for line in said if line.startswith("# ")] == ["# 100 hands", "# 200 hands"]
    assert said[0].startswith("STARTED at ")
    assert said[-1].startswith("FINISHED at ")


def test_a_failure_of_the_dealer_is_nobodys_fault(monkeypatch):
    import dupai.acpc._dealer as module

    def broken(record):
        raise RuntimeError("a bug")

    monkeypatch.setattr(module, "format_acpc", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run(config(3), player("caller"), player("caller"))


def test_names_that_a_terminal_cannot_show(tmp_path):
    command = [sys.executable, "-m", "dupai", "acpc", "deal", GAME, "--hands", "2", "--log", str(tmp_path)]
    done = subprocess.run(
        [*command, "Zoë=caller", "two words=caller"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        timeout=LONG,
    )
    assert done.returncode == 0, done.stderr
    assert rb":Zo\xeb|two words" in done.stdout
    assert (tmp_path / "match.log").read_text(encoding="utf-8").endswith(":Zoë|two words\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hands", "1000000001"), "hands = 1000000001: expected 1 to 1000000000"),
        (("--hands", "0"), "hands = 0: expected 1 to 1000000000"),
        (("--seed", str(2**63)), f"seed = {2**63}: expected 0 to {2**63 - 1}"),
        (("--t_response", "864000001"), "t_response = 864000001: expected at most 864000000 ms"),
        (("--start_timeout", str(10**30)), "expected at most 864000000 ms"),
        (("--ports", "65536,0"), "expected numbers of at most 65535"),
    ],
)
def test_absurd_numbers_are_refused_in_one_line(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["acpc", "deal", GAME, "Ann=caller", "Bo=caller", "-q", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and said in err and err.count("\n") == 1


@pytest.mark.parametrize("words", [("--seconds", "1e9"), ("--seconds", "nan"), ("--seed", str(2**63))])
def test_who_joins_gives_possible_numbers(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["acpc", "join", "127.0.0.1", "1", "caller", *words]) == 2
    _, err = capsys.readouterr()
    assert err.startswith(f"dupai: {words[0]} ") and "expected" in err and err.count("\n") == 1
