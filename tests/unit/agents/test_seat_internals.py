"""The seat: every driver tells an agent the same, in the order that it is promised, and nothing else calls agents."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import dupai
from dupai.acpc._player import PlayerThread, warm_up
from dupai.agents import (
    AgentFailure,
    BaseAgent,
    Clock,
    MatchInfo,
    Notes,
    Seat,
    capabilities,
    check_agent,
    make_agent,
)
from dupai.arena import (
    entrants_of,
    play_match,
    rollout_tasks,
    run_cash,
    run_exploit,
    run_ladder,
    run_rollout,
    run_sprt,
    run_tournament,
)
from dupai.arena.live import Companion
from dupai.arena.match import Players, Seating
from dupai.arena.store import Store
from dupai.base import AgentError, Rng, RulesError
from dupai.engine import Hand
from dupai.engine._messages import Start
from dupai.engine._worker import Worker, _Match
from dupai.env._encoder import Encoder
from dupai.env._table import EnvTable, Opponents
from dupai.notation import Reason
from dupai.rules import Action, GameSpec, HandRecord, HandState, View
from support.learners import Stopping

GAME = GameSpec.no_limit(2, (50, 100), 20_000)
HANDS, SEED = 3, 5
Call = tuple[Any, ...]


class Recorder(BaseAgent):
    """Calls, and writes down what it is told."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def start(self, match: MatchInfo) -> None:
        self.calls.append(("start", match.seat, match.spec.players))

    def begin(self, hand: View) -> None:
        assert not hand.actions and hand.position is not None
        self.calls.append(("begin", hand.hand, hand.hole, hand.contributions))

    def act(self, view: View, rng: Rng) -> Action:
        self.calls.append(("act", view.hand, view.hole, len(view.actions), rng.below(1000)))
        return Action.call()

    def observe(self, record: HandRecord) -> None:
        self.calls.append(("observe", record.hand, record.hero, record.payoffs))

    def end(self, record: HandRecord) -> None:
        self.calls.append(("end", record.hand, record.hero, record.payoffs))

    def close(self) -> None:
        self.calls.append(("close",))


class Stateless(Recorder):
    """The same, said to depend on the view alone."""

    stateless = True


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Recorder]:
    """Recorders in the order in which they are made; the agent ``caller`` is one."""
    made: list[Recorder] = []

    def make(spec: str) -> Any:
        if spec != "caller":
            return make_agent(spec)
        made.append(Recorder())
        return made[-1]

    for module in (
        "agents._guard._agent",
        "agents._check",
        "arena._entrants",
        "arena._companion",
        "engine._worker",
        "env._table",
    ):
        monkeypatch.setattr(f"dupai.{module}.seated_agent", make)
    monkeypatch.setattr("dupai.agents.seated_agent", make)
    return made


def hands() -> Iterator[HandState]:
    """The hands of a match: the deals of every driver with this seed."""
    for hand in range(1, HANDS + 1):
        yield HandState.deal(GAME, Rng(SEED, 0, hand, 0), seats=((hand - 1) % 2, hand % 2), hand=hand)


def by_arena(made: list[Recorder]) -> None:
    players = Players(entrants_of(["caller", "raiser"]), SEED, 0)
    made[:] = made[-1:]
    players.start(GAME, "reset", HANDS)
    for state in hands():
        players.observe(players.play(state))
    players.close()


def by_environment(made: list[Recorder]) -> None:
    opponents = Opponents({0: "caller", 1: "raiser"}, ("caller", "raiser"), GAME, SEED)
    table = EnvTable(Encoder(GAME), SEED)
    for _ in range(HANDS):
        table.deal()
        opponents.begin(table)
        while table.acting_seat is not None:
            opponents.act(table)
        opponents.observe(table)
    opponents.close()


def by_hand(act: Callable[[HandState], Action], observe: Callable[[HandRecord], object]) -> None:
    """The same hands played by a driver of one seat."""
    opponent = make_agent("raiser")
    for state in hands():
        while not state.finished:
            mine = state.seats[state.actor] == 0
            state.apply(act(state) if mine else opponent.act(state.view(state.actor), Rng(1)))
        observe(state.record(("caller", "raiser")).seen_by(state.seats.index(0)))


def by_engine(made: list[Recorder]) -> None:
    match = _Match(Start(id="1", match="m", game=GAME, seat=0, names=("a", "b"), agent="caller", seed=SEED), "uniform")
    by_hand(lambda state: match.act(Hand.of(state.view(state.actor)).state()), match.observe)
    match.close()


def by_acpc(made: list[Recorder]) -> None:
    made.append(Recorder())
    player = PlayerThread(made[-1], SEED, 0)
    player.start(MatchInfo(spec=GAME, seat=0, names=("a", "b")))
    by_hand(lambda state: player.act(state).result(), player.observe)
    player.close().result()


def told(made: list[Recorder], calls: int = 4) -> list[Call]:
    """What the last agent was told; ``calls``: values of each decision that are compared."""
    assert len(made) == 1
    return [call[:calls] if call[0] == "act" else call for call in made[0].calls]


@pytest.mark.parametrize("driver", [by_environment, by_engine, by_acpc])
def test_every_driver_tells_an_agent_what_the_arena_tells_it(made: list[Recorder], driver: Any) -> None:
    by_arena(made)
    arena = made.pop()
    assert [c[0] for c in arena.calls[:3]] == ["start", "begin", "act"] and arena.calls[-1] == ("close",)
    driver(made)
    # Decisions of the ACPC table have streams of their own.
    values = 4 if driver is by_acpc else 5
    assert told(made, values) == told([arena], values)


ORDER = re.compile(r"start( begin( act)* observe end)*( begin( act)*)? close")
#: Of an agent that is measured as it is at the start: it observes nothing.
FROZEN = re.compile(r"start( begin( act)+)* close")


def in_order(recorder: Recorder, *orders: re.Pattern[str]) -> bool:
    """Whether the calls have the order that agents are promised, hand by hand."""
    hands = [call[1] for call in recorder.calls if call[0] in ("begin", "act", "observe", "end")]
    begun = [call[1] for call in recorder.calls if call[0] == "begin"]
    text = " ".join(c[0] for c in recorder.calls)
    return any(order.fullmatch(text) for order in orders) and set(hands) == set(begun)


def by_warm_up(made: list[Recorder]) -> None:
    made.append(Recorder())
    warm_up(made[-1], GAME)


def by_check(made: list[Recorder]) -> None:
    assert check_agent("caller", views=60, seed=2).ok


def by_tournament(made: list[Recorder]) -> None:
    run_tournament(["caller", "raiser:size=min"], matches=2, hands=6)


def by_exploit(made: list[Recorder]) -> None:
    run_exploit("caller", hands=4, live=True, match=2, ask=5)


def by_frozen_exploit(made: list[Recorder]) -> None:
    run_exploit("caller", hands=2, ask=5)


def by_companion(made: list[Recorder]) -> None:
    """Advice in the second hand and the third: two hands are over before, one is shown afterwards."""
    records: list[HandRecord] = []
    companion = Companion(("a", "b"), 0, records, "caller", "uniform", MatchInfo(spec=GAME, seat=0, names=("a", "b")))
    for state in hands():
        if state.hand > 1:
            while state.seats[state.actor] != 0:
                state.apply(Action.call())
            companion.advice(state.view(state.actor))
        while not state.finished:
            state.apply(Action.call())
        records.append(state.record(("a", "b")))
    companion.close()
    assert [c[1] for c in made[-1].calls if c[0] == "begin"] == [1, 2, 3]


@pytest.mark.parametrize("driver", [by_warm_up, by_check, by_tournament, by_exploit, by_frozen_exploit, by_companion])
def test_every_driver_keeps_the_order_of_calls(made: list[Recorder], driver: Any) -> None:
    """exploit --live and companion used to call neither begin nor end."""
    driver(made)
    orders = (ORDER, FROZEN) if driver in (by_check, by_frozen_exploit) else (ORDER,)
    busy = [one for one in made if len(one.calls) > 2]
    assert busy and all(in_order(one, *orders) for one in busy)
    assert all(one.calls[-1:] in ([], [("close",)]) for one in made)


class Raises(BaseAgent):
    """Raises all-in whenever that is legal."""

    def act(self, view: View, rng: Rng) -> Action:
        return Action.raise_to(view.legal.max_to) if view.legal.can_raise else Action.call()


def test_a_raise_that_nobody_can_call_is_a_call_in_every_driver() -> None:
    """The environments used to play it."""
    game = GameSpec.no_limit(2, (50, 100), [400, 20_000])
    opponents = Opponents({0: Raises, 1: Raises}, ("a", "b"), game, SEED)
    table = EnvTable(Encoder(game), SEED)
    for _ in range(4):
        table.deal()
        opponents.begin(table)
        while table.acting_seat is not None:
            free = table.state.raise_can_be_called
            opponents.act(table)
            _, _, action = table.state.actions[-1]
            assert free or action == Action.call()


def _fails(during: str) -> type[Recorder]:
    def fail(self: Recorder, *values: object) -> None:
        raise ValueError(f"no {during}")

    return type("Fails", (Recorder,), {during: fail})


@pytest.mark.parametrize("during", ["begin", "observe", "end", "close"])
def test_errors_go_to_who_books_them_or_are_raised(during: str) -> None:
    def drive(seat: Seat) -> None:
        seat.start(MatchInfo(spec=GAME, seat=0, names=("a", "b")))
        state = next(hands())
        seat.begin(state)
        while not state.finished:
            state.apply(Action.call())
        seat.show(state.record(("a", "b")))
        seat.close()
        seat.close()

    booked: list[tuple[str, str]] = []
    seat = Seat(_fails(during), on_fault=lambda during, error: booked.append((during, str(error))))
    drive(seat)
    assert booked == [(during, f"no {during}")]
    with pytest.raises(ValueError, match=f"no {during}"):
        drive(Seat(_fails(during)))


def test_an_error_from_another_process_names_the_agent() -> None:
    class Lost(BaseAgent):
        def act(self, view: View, rng: Rng) -> Action:
            raise AgentFailure("its process left")

    seat = Seat(Lost, "lost")
    seat.start(MatchInfo(spec=GAME, seat=0, names=("a", "b")))
    state = HandState.deal(GAME, Rng(1), seats=(1, 0))
    with pytest.raises(AgentError, match="lost: its process left"):
        seat.act(state)


def test_the_clock_of_a_seat() -> None:
    seat = Seat(Recorder, clock=Clock(match=1e-9))
    seat.start(MatchInfo(spec=GAME, seat=0, names=("a", "b")))
    state = HandState.deal(GAME, Rng(1), seats=(1, 0))
    for words in ("ran out while it thought", "has run out"):
        with pytest.raises(RulesError, match=words):
            seat.act(state)
    assert sum(seat.times.values()) == seat.decisions == 1


# what is declared ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "saves"),
    [("fold:reader=model", True), ("mcts", True), ("mcts:reader=uniform", True), ("mcts:reader=fold", False),
     ("rules", False), ("swarm", True), ("dupai", True)],
)  # fmt: skip
def test_capabilities_are_declared(spec: str, saves: bool) -> None:
    assert capabilities(make_agent(spec)).saves is saves


SRC = Path(dupai.__file__).parent
#: What drives agents: the seat, the process of a guarded agent, and agents that contain agents or ask themselves.
INSIDE = {"agents/_seat.py", "agents/_guard/_inside.py", "agents/_changer.py", "agents/_hands.py", "agents/_advise.py",
          "agents/_dupai/_agent.py"}  # fmt: skip
CALLS = {"start", "act", "begin", "observe", "end", "close", "save", "load", "advise"}
AGENT = re.compile(r"agents?\b|player\b|persona|advisor|opponent\b|caller|bot\b")


def receiver(node: ast.expr) -> str:
    """The last name of what a method is called of."""
    while isinstance(node, ast.Subscript | ast.Call):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SRC.rglob("*.py")):
        name = path.relative_to(SRC).as_posix()
        if name not in INSIDE and not name.startswith("bench/"):
            yield name, ast.parse(path.read_text())


def test_nothing_but_a_seat_calls_an_agent() -> None:
    """``bench`` measures single calls and is left out."""
    found = [
        f"{name}:{node.lineno}: {ast.unparse(node.func)}"
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS
        and AGENT.search(receiver(node.func.value))
    ]  # fmt: skip
    # Threads that have a seat, and the thread's own ``start``.
    assert [f for f in found if not f.startswith(("acpc/_serve.py", "acpc/_join.py", "acpc/_player.py"))] == []


def test_nobody_asks_what_an_agent_can_do_but_its_capabilities() -> None:
    parts = ("HasBegin", "HasEnd", "HasPolicy", "HasHandPolicy", "Advises")
    found = [
        name
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance"
        and any(part in ast.unparse(node.args[1]) for part in parts)
    ]  # fmt: skip
    assert set(found) == {"agents/_capabilities.py"}


# notes ---------------------------------------------------------------------------------------------------------------


class FallsBack(Recorder):
    """Falls back in every second decision, and twice in one."""

    def __init__(self) -> None:
        super().__init__()
        self.notes, self.asked = Notes(), 0

    def act(self, view: View, rng: Rng) -> Action:
        self.asked += 1
        for _ in range(2 * (self.asked % 2)):
            self.notes.add(Reason("no_bet", text="no such bet"))
        return super().act(view, rng)

    def save(self) -> bytes:
        return bytes([self.asked % 256])

    def load(self, data: bytes) -> None:
        self.asked = data[0]


def test_results_carry_the_notes_of_every_decision(tmp_path: Path) -> None:
    """The same, however the work is cut up: in blocks, by workers, stopped and taken up again."""
    settings: dict[str, Any] = {"hands": 40, "duplicate": True, "seed": 3}
    result = play_match([FallsBack, "caller"], **settings)
    (notes,) = result.notes
    assert notes.agent == "FallsBack" and notes.decisions > 100
    assert notes.counts == {"no_bet": notes.decisions // 2} or notes.counts["no_bet"] - notes.decisions / 2 <= 1
    line = f"FallsBack, {notes.counts['no_bet']:,} of {notes.decisions:,} decisions: no such bet"
    assert line in str(result) and result.to_dict()["notes"][0]["counts"] == notes.counts
    assert play_match([FallsBack, "caller"], jobs=2, backend="processes", **settings).notes == (notes,)
    file = tmp_path / "results.db"
    with Store(file) as store:
        part = play_match([FallsBack, "caller"], store=store, progress=Stopping(25), **settings)
        assert part.partial and part.notes[0].decisions < notes.decisions
    with Store(file, resume=True) as store:
        assert play_match([FallsBack, "caller"], store=store, **settings).notes == (notes,)
    with Store(file) as store:
        (unit, *_) = [Seating.from_builtins(unit) for unit in store.blocks(1).values()]
        assert unit.notes and Seating.from_builtins({**unit.to_builtins(), "notes": ()}).notes == ()
        old = {key: value for key, value in unit.to_builtins().items() if key != "notes"}
        assert Seating.from_builtins(old).notes == ()


@pytest.mark.parametrize("play", [
    lambda: run_tournament([FallsBack, "caller"], matches=2, hands=10),
    lambda: run_cash([FallsBack, "caller"], sessions=2, hands=10),
    lambda: run_ladder([FallsBack, "caller"], hands=10),
    lambda: run_sprt(FallsBack, "caller", max_hands=400, match_hands=10),
    lambda: run_exploit(FallsBack, hands=4, live=True, match=2, ask=5),
    lambda: run_rollout(rollout_tasks([FallsBack, "caller"], matches=1, hands=5)),
])  # fmt: skip
def test_every_format_carries_notes(play: Callable[[], Any]) -> None:
    (notes,) = play().notes
    assert notes.agent == "FallsBack" and 0 < notes.counts["no_bet"] < notes.decisions


def test_no_notes_where_no_agent_counts_them() -> None:
    assert play_match(["rules", "caller"], hands=2).notes == ()


def test_the_engine_says_why_a_decision_fell_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupai.engine._worker.seated_agent", lambda spec: FallsBack())
    answers: list[Any] = []
    worker = Worker(lambda line: answers.append(json.loads(line)))
    game = json.loads(msgspec.json.encode(GAME))
    hand = {"game": game, "position": 1, "hole": "AsKd", "seats": [0, 1], "hand": 1}
    start = {"method": "start", "match": "m", "game": game, "seat": 1, "names": ["a", "b"], "agent": "caller"}
    act = {"method": "act", "match": "m", "hand": hand}
    for number, request in enumerate((start, act, act, {"method": "stop", "match": "m"})):
        worker.take(json.dumps({"id": str(number), **request}).encode())
    worker.end()
    worker.run()
    _, first, second, stop = (answer["result"] for answer in answers)
    assert first["notes"] == [{"code": "no_bet", "text": "no such bet"}] and "notes" not in second
    assert (stop["notes"]["decisions"], stop["notes"]["counts"]) == (2, {"no_bet": 1})
