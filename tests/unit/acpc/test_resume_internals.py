"""The dealer's files: a match that is cut off anywhere goes on to the same cards, the same log, the same score."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dupai.acpc._files as files_module
import dupai.acpc._serve as serve_module
from dupai.acpc import DealConfig, MatchFiles, acpc_deals, deal
from dupai.agents import make_agent
from dupai.base import FileError, HistoryError
from dupai.cli import main
from dupai.notation import read_acpc
from dupai.rules import load_game
from naive.acpc_table import act, table_of, unseated

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "acpc_client.py"
HANDS = 5
LONG = 240
GAME = "holdem.nolimit.2p"


class Faulty:
    """A random player that fails in hand 1 once the flop is there, and in hand 3 always."""

    def __init__(self):
        self._agent = make_agent("random")

    def act(self, view, rng):
        if view.hand == 3 or (view.hand == 1 and view.street):
            raise ValueError("never here")
        return self._agent.act(view, rng)

    def __getattr__(self, name):
        return getattr(self._agent, name)


def play(folder, game, rule="forfeit", *, hands=HANDS, seed=11, names=("Ann", "Zoë", "Cy"), append=True):
    """A match of agents that answer alike whenever they are asked alike, in ``folder``."""
    spec = load_game(game)
    n = spec.players
    config = DealConfig(game=spec, hands=hands, seed=seed, names=names[:n], game_name=game, on_fault=rule)
    files = MatchFiles(folder / "m.log", folder / "m.tlog", append=append)
    return asyncio.run(asyncio.wait_for(deal(config, ["random", "faulty", "random"][:n], files=files), LONG))


def hands_of(folder):
    """What counts: the log without comments, the transactions without their times and what the reference knows not."""
    log = [x for x in (folder / "m.log").read_text().splitlines() if x[0] != "#"]
    actions = [x.split()[:2] for x in (folder / "m.tlog").read_text().splitlines() if x[0] != "#"]
    return log, actions


@pytest.mark.parametrize(
    ("game", "rule"), [("holdem.nolimit.3p", "forfeit"), ("holdem.limit.2p", "forfeit"), (GAME, "fold")]
)
def test_a_match_cut_off_after_any_write_or_within_it(game, rule, tmp_path, monkeypatch):
    monkeypatch.setattr(serve_module, "seated_agent", lambda spec: Faulty() if spec == "faulty" else make_agent(spec))
    monkeypatch.setattr(serve_module, "warm_up", lambda agent, spec: None)
    written = []

    def write(file, text):
        written.append((os.readlink(f"/proc/self/fd/{file}").rsplit(".", 1)[1], text.encode()))
        os.write(file, text.encode())

    with monkeypatch.context() as recorded:
        recorded.setattr(files_module, "_write", write)
        whole = play(tmp_path, game, rule)
    want = hands_of(tmp_path)
    assert len(want[0]) == HANDS + 1
    assert len(whole.faults) >= 1
    assert any(kind == "tlog" and b"# fault" in text for kind, text in written)
    cuts = [(n, part) for n in range(len(written) + 1) for part in (0, 1)][:: 3 if len(written) > 40 else 1]
    for n, part in cuts:
        pieces = written[:n]
        if part and n < len(written):
            kind, text = written[n]
            pieces.append((kind, text[: len(text) // 2]))
        folder = tmp_path / f"{n}-{part}"
        folder.mkdir()
        for kind in ("log", "tlog"):
            (folder / f"m.{kind}").write_bytes(b"".join(text for k, text in pieces if k == kind))
        again = play(folder, game, rule)
        assert hands_of(folder) == want, f"cut after {n} writes"
        assert (again.totals, again.hands, again.score) == (whole.totals, whole.hands, whole.score)
        assert again.faults == whole.faults
        assert len(list(read_acpc((folder / "m.log").read_text().splitlines(), load_game(game)))) == HANDS


def test_the_fault_that_ended_a_match_is_in_the_result_of_the_rest(tmp_path, monkeypatch):
    monkeypatch.setattr(serve_module, "seated_agent", lambda spec: Faulty() if spec == "faulty" else make_agent(spec))
    monkeypatch.setattr(serve_module, "warm_up", lambda agent, spec: None)
    first = play(tmp_path, GAME, "end")
    assert first.ended
    (fault,) = first.faults
    monkeypatch.setattr(serve_module, "seated_agent", make_agent)
    rest = asyncio.run(
        deal(
            DealConfig(
                game=load_game(GAME), hands=HANDS, seed=11, names=("Ann", "Zoë"), game_name=GAME, on_fault="end"
            ),
            ["random", "caller"],
            files=MatchFiles(tmp_path / "m.log", tmp_path / "m.tlog", append=True),
        )
    )
    assert (rest.ended, rest.hands, rest.faults) == (None, HANDS, (fault,))


def test_without_append_the_match_begins_anew(tmp_path):
    first = play(tmp_path, GAME, append=False, hands=2)
    before = hands_of(tmp_path)
    again = play(tmp_path, GAME, append=False, hands=2)
    assert hands_of(tmp_path) == before
    assert again.score == first.score
    files = MatchFiles(tmp_path / "m.log", append=True)
    config = DealConfig(game=load_game(GAME), hands=2, seed=11, names=("Ann", "Zoë"))
    asyncio.run(deal(config, ["caller", "caller"], files=files))
    log = (tmp_path / "m.log").read_text().splitlines()
    assert sum(line.startswith("SCORE:") for line in log) == 2, "without a transaction log -a adds a match"


@pytest.fixture(autouse=True)
def known_agents(monkeypatch):
    monkeypatch.setattr(serve_module, "seated_agent", lambda spec: make_agent("random" if spec == "faulty" else spec))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda log, tlog: (log, "r1 0 1.0 2.0\n" + tlog), r"entry 1 \(r1 0 .*\) does not belong to this match"),
        (lambda log, tlog: (log, "c 7 1.0 2.0\n" + tlog), "hand 0 is in play"),
        (lambda log, tlog: (log, tlog + "c 3 1.0 2.0\n"), "the match has 3 hands"),
        (lambda log, tlog: (log, tlog + "hello\n"), "m.tlog, line [0-9]+: 'hello': expected ACTION HAND SENT RECEIVED"),
        (lambda log, tlog: (log, "# fault 0 9 out x\n" + tlog), "there is no seat 9"),
        (lambda log, tlog: (log.replace(" 11\n", " 12\n"), tlog), "is of another match"),
        (lambda log, tlog: (log.split("STATE")[0].replace(" 11\n", " 12\n"), ""), "is of another match"),
        (lambda log, tlog: (log.replace("Ann", "Eve"), tlog), "by the transaction log it should be"),
        (lambda log, tlog: (log, ""), "knows nothing"),
    ],
)
def test_files_of_another_match(change, said, tmp_path):
    play(tmp_path, GAME, hands=3)
    paths = tmp_path / "m.log", tmp_path / "m.tlog"
    changed = change(*(p.read_text() for p in paths))
    for path, text in zip(paths, changed, strict=True):
        path.write_text(text)
    with pytest.raises(HistoryError, match=said):
        play(tmp_path, GAME, hands=3)
    assert tuple(p.read_text() for p in paths) == changed, "nothing is spoilt"


def test_the_transaction_log_is_written_before_anybody_is_told():
    dealer, table = table_of(hands=1)
    order = []
    table.send = lambda seat, line: order.append(line)
    table.transaction = lambda entry: order.append(str(entry))
    told = "MATCHSTATE:1:0::|"
    dealer.received(0, b"", 1.0)
    seat = dealer.waiting
    line = next(x for x in dealer._seats[seat].state.splitlines() if x.startswith(told))
    dealer.received(seat, f"{line}:r300\n".encode(), 1.25)
    assert order[0] == "r300 0 0.000000 1.250000"
    assert all(":r300:" in x for x in order[1:3])


def test_clients_are_told_where_the_match_goes_on():
    """The state in play, once; times count again; who was out stays out and is not waited for."""
    dealer, table = table_of("holdem.nolimit.3p", hands=2)
    act(dealer, table, "r300", 1.5)
    act(dealer, table, "c", 2.0)
    dealer.lost(2, "closed its connection", 2.0)
    state = dealer._betting
    entries = list(table.entries)
    assert [str(e) for e in entries][:2] == ["r300 0 0.000000 1.500000", "c 0 1.500000 2.000000"]
    used = dealer.used

    again, table = unseated("holdem.nolimit.3p", hands=2)
    again = type(again)(again.config, table)
    again.replay(entries)
    again.begin(100.0)
    assert again.used == used
    for seat in (0, 1):
        again.connected(seat, 100.0)
        again.received(seat, b"VERSION:2.0.0\n", 100.0)
    again.connected(2, 100.0)
    assert table.dropped == [2]
    for seat in (0, 1):
        (line,) = table.sent[seat]
        assert line.split(":")[3] == state
    assert 2 not in table.sent
    assert again.waiting is not None
    while not again.done:
        act(again, table, "c", 101.0)
    assert table.lines[-1] == again.score
    assert len(table.states) == 2


def test_an_action_after_the_replayed_ones_has_its_own_time():
    dealer, table = table_of("holdem.nolimit.3p", hands=1)
    act(dealer, table, "r300", 1.5)
    act(dealer, table, "c", 2.0)
    dealer.lost(1, "closed its connection", 2.0)
    again, table = unseated("holdem.nolimit.3p", hands=1)
    again = type(again)(again.config, table)
    again.replay(dealer._table.entries[:3])
    again.begin(100.0)
    for seat in (0, 2):
        again.connected(seat, 100.0)
        again.received(seat, b"VERSION:2.0.0\n", 100.0)
    assert str(table.entries[0]) == "f 0 100.000000 100.000000"


def test_two_dealers_do_not_write_the_same_files(tmp_path):
    files = MatchFiles(tmp_path / "m.log", tmp_path / "m.tlog")
    files.open()
    files.log("STATE:first")
    with pytest.raises(FileError, match="is being written by another dealer"):
        play(tmp_path, GAME, append=False)
    assert (tmp_path / "m.log").read_text() == "STATE:first\n"
    files.close()


def test_a_dealer_that_cannot_listen_leaves_the_log_alone(tmp_path, capsys):
    (tmp_path / "match.log").write_text("precious\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["acpc", "deal", GAME, "Ann", "Bo", "-p", str(port), "--log", str(tmp_path)]) == 2
    assert f"cannot listen on 127.0.0.1:{port} for seat 1" in capsys.readouterr().err
    assert (tmp_path / "match.log").read_text() == "precious\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is not there")
@pytest.mark.parametrize("which", ["log", "tlog"])
def test_a_full_disk_is_nobodys_fault(which, tmp_path):
    (tmp_path / f"m.{which}").symlink_to("/dev/full")
    with pytest.raises(FileError, match="the log cannot be written: No space left"):
        play(tmp_path, GAME)


def test_settings_of_the_files(capsys, tmp_path):
    for arguments, said in (
        (["-T"], "-T and -a need a folder for the logs: --log DIR"),
        (["-a"], "-T and -a need a folder"),
        (["--log", str(tmp_path), "--name", "../x"], "--name '../x'"),
        (["--name", "two\nlines"], "title = 'two\\nlines'"),
        (["--log", str(tmp_path / "file" / "x")], "cannot be written"),
    ):
        (tmp_path / "file").write_text("")
        assert main(["acpc", "deal", GAME, "Ann=caller", "Bo=caller", "--hands", "1", *arguments]) == 2
        assert said in capsys.readouterr().err


def dealer_process(folder, port, hands, *more):
    return subprocess.Popen(
        [
            sys.executable, "-m", "dupai", "acpc", "deal", GAME, "Ann", "Bo=random", "--hands", str(hands), "--seed",
            "42", "--log", str(folder), "-T", "-a", "-p", str(port), "--on-fault", "end", *more,
        ],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip


def test_killed_and_interrupted_dealers_go_on(tmp_path):
    """kill -9, then Ctrl-C, then the rest: every hand once, with the seed's cards, and the sum of all in the score."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hands, log = 3000, tmp_path / "match.log"

    def states():
        return [x for x in log.read_text().splitlines() if x.startswith("STATE:")] if log.exists() else []

    for number, code in ((signal.SIGKILL, -9), (signal.SIGINT, 130), (None, 0)):
        before = len(states())
        with dealer_process(tmp_path, port, hands, "-q") as dealer:
            assert dealer.stdout.readline() == f"{port} 0\n"
            client = subprocess.Popen([sys.executable, str(EXAMPLE), "127.0.0.1", str(port)], stderr=subprocess.DEVNULL)
            if number is not None:
                by = time.monotonic() + LONG
                while len(states()) <= before + 20 and time.monotonic() < by:
                    time.sleep(0.01)
                assert before < len(states()) < hands, "it was in the middle"
                dealer.send_signal(number)
            out = dealer.communicate(timeout=LONG)[0]
            with contextlib.suppress(subprocess.TimeoutExpired):
                client.wait(LONG)
        assert dealer.returncode == code
        if number == signal.SIGINT:
            assert log.read_text().splitlines()[-1] == "# ended, it was interrupted"
    records = list(read_acpc(log.read_text().splitlines(), load_game(GAME)))
    assert [r.hand for r in records] == list(range(hands))
    deals = acpc_deals(42, 2)
    assert all(r.hole == next(deals).hole for r in records)
    assert log.read_text().splitlines()[-1] == out.strip()
    won = sum(r.payoffs[r.names.index("Ann")] for r in records) / load_game(GAME).split
    assert float(out.split(":")[1].split("|")[0]) == won
    heads = [x for x in log.read_text().splitlines() if x.startswith("# name/game/hands/seed")]
    assert len(heads) == 3
