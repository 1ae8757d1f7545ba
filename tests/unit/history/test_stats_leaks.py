"""Where a player loses: situations counted once more in plain Python, a leak that was put there, the commands."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from dupai.base import HistoryError, Rng
from dupai.cli import main
from dupai.history import import_files
from dupai.history.stats import PlayerStats, StatsTable, batches, find_leaks, record_batches
from dupai.notation import read_acpc, write_phhs
from dupai.notation.acpc import format_acpc
from dupai.rules import Action, GameSpec, HandState
from naive.history_hands import random_log, random_record
from naive.history_stats import events_of, seat_name
from naive.rules_random import random_spec
from support.leaks import planted

GOLDEN = Path(__file__).parents[2] / "golden"
ACPC = {"odd_chips": "acpc", "min_raise": "acpc"}
TWO = GameSpec.no_limit(2, (50, 100), 10_000, **ACPC)
STREETS = ("before the flop", "flop", "turn", "river")


def situation(record, p):
    """Position, role, last street and event of one player's hand, from its events."""
    events, state = events_of(record)
    role, raises, event = "put nothing in", 0, ""
    preflop_raiser = None
    for e in events:
        if e.street > 0:
            break
        if e.who == p:
            if raises > 1 and previous_raisers(events, e)[-2] == p:
                event = "re-raised"
            if e.what == "call":
                role = ("limper", "caller of a raise", "caller of a 3-bet", "caller of a 4-bet")[min(raises, 3)]
            elif e.what == "raise":
                role = ("raiser", "3-bettor", "4-bettor")[min(raises, 2)]
            elif e.what == "check" and role == "put nothing in":
                role = "checked the big blind"
        if e.counts:
            raises += 1
            preflop_raiser = e.who
    mine = [e for e in events if e.who == p]
    if not [e for e in mine if e.street == 0]:
        role = "had no decision"
    last = next((e.street for e in mine if e.what == "fold"), state.street)
    if last > 0:
        event = ""
        flop = [e for e in events if e.street == 1]
        bets = [e for e in flop if e.counts]
        cbet = bool(bets) and bets[0].who == preflop_raiser
        if p == preflop_raiser:
            chance = next((e for e in flop if e.who == p), None)
            if chance is not None and chance.may_raise and (not bets or flop.index(bets[0]) >= flop.index(chance)):
                event = "c-bet" if chance.what == "raise" else "no c-bet"
        elif cbet:
            after = flop[flop.index(bets[0]) + 1 :]
            end = flop.index(bets[1]) if len(bets) > 1 else len(flop)
            if any(e.who == p and flop.index(e) <= end for e in after):
                event = "faced a c-bet"
    return seat_name(record.spec.players, p), role, STREETS[last], event


def previous_raisers(events, now):
    return [e.who for e in events[: events.index(now)] if e.street == now.street and e.counts]


def test_situations_and_sums_are_those_of_plain_python() -> None:
    rng = Rng(21)
    records = []
    for k in range(1_500):
        spec = random_spec(rng, players=2 + k % 3)
        records.append(
            random_record(spec, rng, hand=k, names=[f"P{(p + k) % spec.players}" for p in range(spec.players)])
        )
    mine, others = defaultdict(list), defaultdict(list)
    for record in records:
        for p, name in enumerate(record.names):
            result = Fraction(record.payoffs[p], record.spec.split) / record.spec.big_blind
            (mine if name == "P0" else others)[situation(record, p)].append((result, record.hand))
    report = find_leaks(record_batches(records), "P0", least=1)
    assert find_leaks(record_batches(records), "P0", least=0) == report, "situations that never arose are not listed"
    assert report.hands == 1_500
    assert {(x.position, x.role, x.street, x.event): x.n for x in report.lines} == {k: len(v) for k, v in mine.items()}
    for x in report.lines:
        key = (x.position, x.role, x.street, x.event)
        total = sum(r for r, _ in mine[key])
        assert x.bb100 == pytest.approx(float(100 * total / 1_500), abs=1e-9)
        assert sorted(map(int, x.ids)) == sorted(h for _, h in mine[key])
        assert [int(h) for h in x.hands] == [h for r, h in sorted(mine[key], key=lambda v: v[0])[:5] if r < 0]
        assert x.others_n == len(others[key])
        if x.others is not None:
            assert x.others == pytest.approx(float(sum(r for r, _ in others[key]) / len(others[key])))
            assert x.cost == pytest.approx((x.per_hand - x.others) * 100 * x.n / 1_500)
            assert x.cost_low < x.cost < x.cost_high
    # Rare situations put together still add up, and every hand stands in one line.
    coarse = find_leaks(record_batches(records), "P0")
    assert sum(x.bb100 for x in coarse.lines) == pytest.approx(report.bb100)
    assert sum(x.n for x in coarse.lines) == 1_500
    assert len({i for x in coarse.lines for i in x.ids}) == 1_500
    assert any(not x.street for x in coarse.lines) and len(coarse.lines) < len(report.lines)


def test_a_leak_that_was_put_there_is_found_first() -> None:
    records = list(planted(900))
    report = find_leaks(record_batches(records), "Ann")
    worst = report.lines[0]
    assert (worst.position, worst.role, worst.event) == ("button", "raiser", "re-raised")
    assert worst.situation == "button, raiser, re-raised, ended before the flop"
    assert worst.per_hand == -40 and worst.others == -3
    assert worst.cost == pytest.approx(-37 * 100 * worst.n / 900)
    assert worst.low < worst.bb100 < worst.high < 0
    # mean and sd of 0 and -40 by hand: to know the share to a hundredth of a big blind.
    share = worst.n / 900
    sd = 40 * math.sqrt(share * (1 - share) * 900 / 899)
    assert worst.more_hands == math.ceil((1.959963984540054 * sd / 0.01) ** 2) - 900


def folded(hands, players=("Hero", "Bo", "Ann")):
    """Blinds of 10 and 25: Ann makes it 3 big blinds on the button every time, and both blinds give up."""
    spec = GameSpec.no_limit(3, (10, 25), 2_500)
    for k in range(hands):
        names = (players[k % 2], players[1 - k % 2], players[2])
        state = HandState.deal(spec, Rng(k), hand=k)
        for action in (Action.raise_to(75), Action.fold(), Action.fold()):
            state.apply(action)
        yield state.record(names)


@pytest.mark.parametrize("hands", [24, 62, 80, 200, 2_000])
@pytest.mark.parametrize("least", [1, 10_000])
def test_results_that_are_all_the_same_have_no_spread(hands: int, least: int) -> None:
    """The small blind loses 10 of 25 chips by every fold. Sums of 0.4 are rounded: -0.4 squared may add up to less than
    the square of their mean, or to more."""
    report = find_leaks(record_batches(folded(hands)), "Hero", least=least)
    lines = {x.position: x for x in report.lines}
    assert {place: x.n for place, x in lines.items()} == {"small blind": hands / 2, "big blind": hands / 2}
    for place, loss in (("small blind", -0.4), ("big blind", -1.0)):
        assert (lines[place].per_hand, lines[place].others) == (pytest.approx(loss), pytest.approx(loss))
        assert lines[place].p is None and lines[place].holm is None
        assert (lines[place].cost, lines[place].cost_low, lines[place].cost_high) == (0, None, None)
    ann = find_leaks(record_batches(folded(hands)), "Ann", least=least)
    assert ann.bb100 == pytest.approx(140) and (ann.low, ann.more_hands) == (None, None)


def test_what_costs_nothing_comes_last_and_names_no_hands(tmp_path, capsys) -> None:
    """40 hands as in ``folded`` (the folds cost what the other's do); then Hero makes it 4 big blinds on the button, Bo
    3, and both are re-raised and give up: that costs one big blind a time. Once Hero is all-in, which Bo never is."""
    spec = GameSpec.no_limit(3, (10, 25), 2_500)
    records = list(folded(40))
    for k in range(41):
        names = ("Ann", "Bo", "Hero") if k % 2 == 0 else ("Ann", "Hero", "Bo")
        state = HandState(spec, ("AsAh", "KsKh", "QsQh"), "2c3d5c7d8h", hand=40 + k)
        actions = [
            Action.raise_to(100 if names[2] == "Hero" else 75),
            Action.raise_to(600),
            Action.fold(),
            Action.fold(),
        ]
        if k == 40:
            actions[0] = Action.raise_to(2_500)
            actions[1:] = [Action.call(), Action.fold()]
        for action in actions:
            state.apply(action)
        records.append(state.record(names))
    report = find_leaks(record_batches(records), "Hero", least=1)
    assert [(x.position, x.role, x.n, x.cost is None or round(x.cost * 81 / 100, 9)) for x in report.lines] == [
        ("button", "raiser", 20, -20),
        ("button", "raiser", 1, True),
        ("big blind", "put nothing in", 40, 0),
        ("small blind", "put nothing in", 20, 0),
    ]
    # The all-in is lost: aces win.
    assert [x.hands for x in report.lines[:2]] == [("40", "42", "44", "46", "48"), ("80",)]
    log = tmp_path / "hands.phhs"
    log.write_text("".join(write_phhs(records)))
    assert main(["history", "leaks", str(log), "--player", "Hero", "--least", "1"]) == 0
    out = capsys.readouterr().out
    assert [line[:2] for line in out.splitlines() if ". costliest" in line] == ["1.", "2."]
    ann = find_leaks(record_batches(folded(40)), "Ann")
    assert ann.lines[0].hands == (), "a hand that wins is not among the costliest"


def test_nobody_of_that_name() -> None:
    with pytest.raises(HistoryError, match="no player 'ann' in these hands: did you mean 'Ann'"):
        find_leaks(record_batches(planted(10)), "ann")


# the commands -------------------------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "two.log"
    path.write_text("".join(format_acpc(r) + "\n" for r in planted(300)))
    return str(path)


def run(capsys, *arguments):
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err.replace("compiling kernels, once\n", "")


def test_history_stats_prints_estimates_with_n_and_interval(capsys, log, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = run(capsys, "history", "stats", log)
    assert code == 0 and not err
    assert "300 hands, 2 players" in out and "n=300" in out
    for more in (["--by", "position"], ["--by", "street"], []):
        code, out, err = run(capsys, "history", "stats", log, "--player", "Ann", *more)
        assert code == 0 and not err
        assert max(map(len, out.splitlines())) <= 100
        assert "there is no estimate, only what was seen" in out and "bb/100 towards 0 (no rake)" in out.replace(
            "\n", " "
        )
    assert "Fold to 3-bet" in out and "bb/100" in out


def test_by_street_is_in_the_json_too(capsys, log) -> None:
    code, out, err = run(capsys, "history", "stats", log, "--player", "Ann", "--by", "street", "--json")
    assert (code, err) == (0, "")
    (ann,) = json.loads(out)["players"]
    assert list(ann["streets"]) == ["flop", "turn", "river", "all"]
    known = {e["name"]: e for e in ann["statistics"]}
    for street in ("flop", "turn", "river"):
        names = [e["name"] for e in ann["streets"][street]]
        assert f"cbet-{street}" in names and all(name.endswith(f"-{street}") for name in names)
        assert all(e == known[e["name"]] for e in ann["streets"][street])


def test_the_observed_value_stands_beside_the_shrunk_one(capsys, log, tmp_path) -> None:
    _, out, _ = run(capsys, "history", "stats", log)
    table = StatsTable()
    for batch in batches(log):
        table.add(batch)
    vpip = table.player("Ann").estimate("vpip")
    assert f"{100 * vpip.observed:.0f}→{100 * vpip.mean:.0f}" in out and f"n={vpip.n}" in out
    # Three hands do not make a number: what was seen is printed, and no rate.
    few = tmp_path / "few.log"
    few.write_text("".join(Path(log).read_text().splitlines(keepends=True)[:3]))
    _, out, _ = run(capsys, "history", "stats", str(few))
    assert "of 3" in out and "→" not in out.replace("observed → estimate", "") and ".." not in out
    _, out, _ = run(capsys, "history", "stats", str(few), "--player", "Ann")
    (row,) = (line for line in out.splitlines() if line.lstrip().startswith("VPIP"))
    assert row.split()[1] == "3" and row.split()[3:6] == ["–"] * 3
    document = json.loads(run(capsys, "history", "stats", str(few), "--json")[1])
    assert not any(e["enough"] for e in document["players"][0]["statistics"])


def test_history_stats_json_is_what_the_table_says(capsys, log) -> None:
    code, out, _ = run(capsys, "history", "stats", log, "--player", "Ann", "--by", "position", "--json")
    assert code == 0
    document = json.loads(out)
    assert document["hands"] == 300 and document["rejected"] == 0 and document["complete"]
    (ann,) = document["players"]
    table = StatsTable()
    for batch in batches(log):
        table.add(batch)
    stats = table.player("Ann")
    assert [e["name"] for e in ann["statistics"]] == [e.name for e in stats.estimates()]
    for place, found in (("button", ann["positions"]["button"]), (None, ann)):
        for said in found["statistics"]:
            e = stats.estimate(said["name"], place)
            assert said["n"] == e.n and said["successes"] == e.successes
            assert said["estimate"] == (e.mean if e.arises else None)
            assert said["prior_only"] == (e.n == 0) and said["enough"] == e.enough
    assert set(ann["positions"]) == {"button", "big blind"}
    assert len(ann["sizes"]) == 7
    listed = json.loads(run(capsys, "history", "stats", log, "--top", "1", "--json")[1])["players"]
    assert [p["player"] for p in listed] == ["Ann"]


def test_history_leaks_prints_and_says_the_same_as_json(capsys, log, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    code, out, err = run(capsys, "history", "leaks", log, "--player", "Ann")
    assert code == 0 and not err
    assert "1. button, raiser" in out and "costliest lines:" in out
    assert "compared at once" in out and "Holm" in out
    code, out, _ = run(capsys, "history", "leaks", log, "--player", "Ann", "--json")
    assert code == 0
    document = json.loads(out)
    assert document["hands"] == 300
    assert sum(x["bb100"] for x in document["lines"]) == pytest.approx(document["bb100"])
    assert sum(len(x["ids"]) for x in document["lines"]) == 300
    # A line names its hands so that they are found again.
    file, _, number = document["lines"][0]["hands"][0].rpartition(":")
    text = Path(file).read_text().splitlines()[int(number) - 1]
    (record,) = read_acpc([text], TWO)
    assert record.payoffs[record.names.index("Ann")] == -4_000 * TWO.split


def test_one_clear_line_for_every_mistake(capsys, log, tmp_path) -> None:
    (tmp_path / "none").mkdir()
    for arguments, said in (
        (["stats", log, "--player", "An"], "no player 'An' in these hands: did you mean 'Ann'?"),
        (["leaks", log, "--player", "Zzz"], "no player 'Zzz' in these hands: there are 2"),
        (["stats", log, "--by", "postion"], "--by 'postion': did you mean 'position'?"),
        (["stats", log, "--top", "-1"], "--top -1: expected 0"),
        (["stats", str(tmp_path / "none")], "none is a folder without hand histories"),
        (["stats", str(tmp_path / "none.log")], "none.log"),
    ):
        code, out, err = run(capsys, "history", *arguments)
        assert code == 2 and not out
        assert said in err and err.startswith("dupai: ") and err.count("\n") == 1


def test_what_cannot_be_read_is_said(capsys, tmp_path) -> None:
    path = tmp_path / "bad.log"
    lines = [format_acpc(r) for r in planted(50)]
    for line in ("STATE:7:zz:broken", "hello"):
        path.write_text("\n".join(["# a comment", *lines[:20], line, *lines[20:]]) + "\n")
        code, out, err = run(capsys, "history", "stats", str(path), "--json")
        assert code == 0
        document = json.loads(out)
        assert document["hands"] == 50 and document["rejected"] == 1
        assert f"left out: {path}:22" in err


def test_players_without_names_are_called_by_their_seats_everywhere(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    records = [random_record(TWO, Rng(k), hand=k, seats=(k % 2, 1 - k % 2)) for k in range(20)]
    records = [msgspec.structs.replace(record, names=()) for record in records]
    path = tmp_path / "hands.phhs"
    path.write_text("".join(write_phhs(records)))
    import_files([path], tmp_path / "store")
    for source in (path, tmp_path / "store"):
        table = StatsTable()
        for batch in batches(source):
            table.add(batch)
        assert sorted(table.players()) == [("seat 0", 20), ("seat 1", 20)]


def test_files_and_stores_give_the_same(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    from dupai.history import Store, import_file

    store = Store(tmp_path / "store", create=True)
    files = [GOLDEN / "six.log", GOLDEN / "heads_up.log", GOLDEN / "limit3.log"]
    (tmp_path / "random.log").write_text("\n".join(random_log(GameSpec.no_limit(6, **ACPC), Rng(9), 300)) + "\n")
    files.append(tmp_path / "random.log")
    left, right = StatsTable(), StatsTable()
    for path in files:
        import_file(path, store)
        for batch in batches(path):
            left.add(batch)
    for batch in batches(tmp_path / "store"):
        right.add(batch)
    assert left.hands == right.hands > 300
    assert left.players() == right.players()
    for name, _ in left.players():
        assert (left.player(name).counts == right.player(name).counts).all()
    from_files = find_leaks((b for path in files for b in batches(path)), left.players()[0][0])
    from_store = find_leaks(batches(tmp_path / "store"), left.players()[0][0])
    # The same lines; hands are named by line of a file there, by their number in the store here.
    assert [(x.situation, x.n, x.bb100) for x in from_files.lines] == [
        (x.situation, x.n, x.bb100) for x in from_store.lines
    ]
    assert from_store.lines[0].hands[0].isdigit() and ".log:" in from_files.lines[0].hands[0]


#: Statistics as questions to the store's own columns, which another kernel wrote: opportunities, then successes.
SQL = {
    "vpip": ("street = 0", "kind in ('call', 'raise')", "hand_id"),
    "pfr": ("street = 0", "kind = 'raise'", "hand_id"),
    "limp": ("street = 0 and raises = 0 and to_call > 0 and acted = 0", "kind = 'call'", "hand_id"),
    "open-raise": (
        "street = 0 and raises = 0 and calls = 0 and to_call > 0 and min_to > 0",
        *("kind = 'raise'", "hand_id"),
    ),
    "3bet": ("street = 0 and raises = 1 and min_to > 0", "kind = 'raise'", "hand_id"),
    "4bet": ("street = 0 and raises = 2 and min_to > 0", "kind = 'raise'", "hand_id"),
    "check-raise-turn": (
        "street = 2 and checked and to_call > 0 and min_to > 0 and acted = 1",
        "kind = 'raise'",
        "hand_id, n",
    ),
    "af": ("street > 0 and kind in ('bet', 'raise', 'call')", "kind <> 'call'", "hand_id, n"),
    "afq-river": ("street = 3 and kind <> 'check'", "kind in ('bet', 'raise')", "hand_id, n"),
}


def test_the_store_asked_in_sql_gives_the_same_counts(tmp_path) -> None:
    pytest.importorskip("duckdb")
    from dupai.history import Store, import_file

    store = Store(tmp_path / "store", create=True)
    for players in (2, 3, 6, 9):
        path = tmp_path / f"{players}.log"
        path.write_text("\n".join(random_log(GameSpec.no_limit(players, **ACPC), Rng(players), 200)) + "\n")
        import_file(path, store)
    table = StatsTable()
    for batch in batches(tmp_path / "store"):
        table.add(batch)
    for name, hands in table.players():
        stats = table.player(name)
        for statistic, (need, done, unit) in SQL.items():
            query = f"select count(distinct ({unit})), count(distinct ({unit})) filter ({done}) from actions"
            ((n, successes),) = store.rows(f"{query} where player = ? and {need}", [name])
            e = stats.estimate(statistic)
            assert (e.n, e.successes) == (n, successes), (name, statistic)
        saw = "hands.street > 0 and coalesce(folded, 9) > 0"
        query = "select count(*), count(*) filter (players.showdown) from players join hands"
        ((n, shown),) = store.rows(f"{query} using (hand_id) where player = ? and {saw}", [name])
        e = stats.estimate("wtsd")
        assert (e.n, e.successes) == (n, shown)
        ((n, won),) = store.rows("select count(*), sum(payoff_bb) from players where player = ?", [name])
        money = stats.estimate("bb/100")
        assert money.n == n == hands
        assert money.successes == pytest.approx(won, abs=1e-6 * n)


def test_a_short_all_in_of_a_limit_game_is_no_raise_to_those_behind() -> None:
    """The all-in of 230 over 200 is less than half a bet: the small blind, who completes it to 300, makes the 3-bet."""
    spec = GameSpec.limit(4, (50, 100), (100, 100, 200, 200), 10_000)
    state = HandState(spec, ("AsAh", "KsKh", "QsQh", "JsJh"), "2c3d5c7d8h", (10_000, 10_000, 10_000, 230))
    for action in (*(Action.raise_to(x) for x in (200, 230, 300)), Action.fold(), Action.fold()):
        state.apply(action)
    table = StatsTable()
    table.update(state.record(("Ann", "Bo", "Cy", "Di")))

    def counted(player: str, name: str) -> tuple[int, int]:
        return table.player(player).counted(name)[:2]

    assert (counted("Ann", "3bet"), counted("Bo", "4bet")) == ((1, 1), (1, 0))
    assert (counted("Cy", "fold-to-3bet"), counted("Cy", "fold-to-4bet")) == ((1, 1), (0, 0))


def test_saved_counters_that_do_not_fit_are_refused() -> None:
    table = StatsTable()
    table.update(random_record(TWO, Rng(3), names=["Ann", "Bo"]))
    saved = json.loads(table.player("Ann").to_json())
    for counts in ([2**70] * len(saved["counts"][0]), [7]):
        saved["counts"][0] = counts
        with pytest.raises(HistoryError, match="no saved statistics"):
            PlayerStats.from_json(json.dumps(saved))
