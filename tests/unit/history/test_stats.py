"""Tracker statistics: hands counted by hand, the naive twin, batches and live counting alike."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from dupai.base import ConfigError, HistoryError, Rng
from dupai.history.stats import DEFINITIONS, PlayerStats, StatsTable, batch_of, record_batches
from dupai.rules import Action, GameSpec, HandState
from dupai.spots import POSITION_CLASSES, position_class
from naive.history_hands import raked, random_record, random_records
from naive.history_stats import seat_name

SIX = GameSpec.no_limit(6, (50, 100), 10_000)
THREE = GameSpec.no_limit(3, (50, 100), 10_000)
TWO = GameSpec.no_limit(2, (50, 100), 10_000)
#: All statistics.
NAMES = tuple(d.name for d in DEFINITIONS)
#: Names by position.
NAMES6 = ("sb", "bb", "utg", "hj", "co", "btn")
NAMES3 = ("sb", "bb", "btn")
NAMES2 = ("bb", "btn")
HOLES = ("AsAh", "KsKh", "QsQh", "JsJh", "TsTh", "9s9h")


def play(spec, betting, names, stacks=None):
    """A record from ACPC betting text; the earlier position always holds the better pair."""
    state = HandState(spec, HOLES[: spec.players], "2c3d5c7d8h", stacks)
    for text in re.findall(r"r\d+|c|f", betting):
        state.apply({"c": Action.call(), "f": Action.fold()}.get(text) or Action.raise_to(int(text[1:])))
    assert state.finished, betting
    return state.record(names, payoffs=state.payoffs.tolist())


def counts_of(record, name):
    """All statistics of one player that were counted: {statistic: (n, successes)}."""
    stats = PlayerStats(name)
    stats.update(record)
    found = {e.name: (e.n, e.successes) for e in stats.estimates() if e.n and e.name != "bb/100"}
    assert stats.hands == 1
    return found


def test_the_table_has_every_statistic_that_was_asked_for() -> None:
    wanted = {"vpip", "pfr", "limp", "open-raise", "3bet", "fold-to-3bet", "4bet", "steal", "fold-to-steal", "wtsd"}
    wanted |= {f"{x}-{s}" for x in ("cbet", "fold-to-cbet") for s in ("flop", "turn", "river")}
    wanted |= {"check-raise", "donk", "af", "afq", "wsd", "wwsf"}
    assert wanted <= set(NAMES)
    assert len(set(NAMES)) == len(NAMES)
    for d in DEFINITIONS:
        assert d.opportunity and d.success and d.source and d.title


def once(*names, done=()):
    """Each of ``names`` once not done, each of ``done`` once done."""
    return dict.fromkeys(names, (1, 0)) | dict.fromkeys(done, (1, 1))


def streets(name, *words, done=False):
    """A statistic on these streets, and the one over all streets."""
    return {name: (len(words), len(words) * done)} | {f"{name}-{w}": (1, int(done)) for w in words}


OPENED = once("limp", done=("vpip", "pfr", "open-raise"))
STOLE = OPENED | once(done=("steal",))
CALLED_STEAL = once("pfr", "3bet", "fold-to-steal", done=("vpip",))
LOST = once("wsd", "wwsf", done=("wtsd",))
WON = once(done=("wtsd", "wsd", "wwsf"))
GAVE_UP = once("wtsd", "wwsf")
TOOK_IT = once("wtsd", done=("wwsf",))
BET_FLOP = streets("af", "flop", done=True) | streets("afq", "flop", done=True)
FOLDED_FLOP = streets("afq", "flop")
FACED_FLOP_CBET = streets("check-raise", "flop") | once("raise-cbet-flop")

#: Game, betting (ACPC), names by position, and all that it says of a player, worked out on paper: nothing else may be
#: counted of him.
HANDS = {
    "walk": (
        *(SIX, "fffff", NAMES6),
        {
            "bb": {},
            "sb": once("vpip", "pfr", "limp", "open-raise", "steal"),
            "utg": once("vpip", "pfr", "limp", "open-raise"),
            "co": once("vpip", "pfr", "limp", "open-raise", "steal"),
        },
    ),
    "limped pot that nobody bets": (
        *(SIX, "fcfcfc/ccc/ccc/ccc", NAMES6),
        {
            "utg": once("vpip", "pfr", "limp", "open-raise"),
            "hj": once("pfr", "open-raise", done=("vpip", "limp")) | LOST,
            "co": once("vpip", "pfr", "limp"),
            "btn": once("pfr", done=("vpip", "limp")) | LOST,
            "sb": once("vpip", "pfr", "limp"),
            "bb": once("vpip", "pfr") | WON,
        },
    ),
    "steal, 3-bet, 4-bet": (
        *(SIX, "fffr250r900fr2000f", NAMES6),
        {
            "btn": STOLE | once("fold-to-3bet", done=("4bet",)),
            "sb": once("fold-to-steal", done=("vpip", "pfr", "3bet", "fold-to-4bet")),
            "bb": once("vpip", "pfr", "4bet"),
        },
    ),
    "squeeze against a raise that is no steal": (
        *(SIX, "r300cfffr1500ff", NAMES6),
        {
            "utg": OPENED | once("4bet", done=("fold-to-3bet",)),
            "hj": once("pfr", "3bet", "4bet", done=("vpip",)),
            "btn": once("vpip", "pfr", "3bet", "squeeze"),
            "sb": once("vpip", "pfr", "3bet", "squeeze"),
            "bb": once(done=("vpip", "pfr", "3bet", "squeeze")),
        },
    ),
    "limp and re-raise": (
        *(SIX, "cr500ffffr2000f", NAMES6),
        {
            "utg": once("open-raise", done=("limp", "vpip", "pfr", "3bet")),
            "hj": once("limp", "4bet", done=("vpip", "pfr", "fold-to-3bet")),
            "bb": once("vpip", "pfr", "3bet"),
        },
    ),
    "a steal that was called is no steal any more; c-bet": (
        *(SIX, "ffr250fcf/cr550f", NAMES6),
        {
            "co": STOLE | once(done=("cbet-flop",)) | BET_FLOP | TOOK_IT,
            "sb": CALLED_STEAL
            | streets("donk", "flop")
            | FACED_FLOP_CBET
            | once(done=("fold-to-cbet-flop",))
            | FOLDED_FLOP
            | GAVE_UP,
            "bb": once("vpip", "pfr", "3bet", "squeeze"),
            "btn": once("vpip", "pfr", "3bet"),
        },
    ),
    "three barrels heads-up": (
        *(TWO, "r300c/cr600c/cr1200c/cr2400f", NAMES2),
        {
            "btn": STOLE
            | once(done=("cbet-flop", "cbet-turn", "cbet-river"))
            | streets("af", "flop", "turn", "river", done=True)
            | streets("afq", "flop", "turn", "river", done=True)
            | TOOK_IT,
            "bb": CALLED_STEAL
            | streets("donk", "flop", "turn", "river")
            | streets("check-raise", "flop", "turn", "river")
            | once("fold-to-cbet-flop", "fold-to-cbet-turn", done=("fold-to-cbet-river",))
            | once("raise-cbet-flop", "raise-cbet-turn", "raise-cbet-river")
            | streets("af", "flop", "turn")
            | streets("afq", "flop", "turn", "river")
            | GAVE_UP,
        },
    ),
    "check-raise: the lead changes hands": (
        *(TWO, "r300c/cr600r1800c/cc/cc", NAMES2),
        {
            "btn": STOLE
            | once(done=("cbet-flop",))
            | {"af": (2, 1), "af-flop": (2, 1), "afq": (2, 1), "afq-flop": (2, 1)}
            | LOST,
            "bb": CALLED_STEAL
            | streets("donk", "flop")
            | once("fold-to-cbet-flop", done=("raise-cbet-flop",))
            | streets("check-raise", "flop", done=True)
            | BET_FLOP
            | WON,
        },
    ),
    "donk bet: no chance to c-bet": (
        *(THREE, "r300fc/r900f", NAMES3),
        {
            "bb": CALLED_STEAL | streets("donk", "flop", done=True) | BET_FLOP | TOOK_IT,
            "btn": STOLE | FOLDED_FLOP | GAVE_UP,
            "sb": once("vpip", "pfr", "3bet", done=("fold-to-steal",)),
        },
    ),
    "a bet on the turn after a checked flop is no c-bet and no donk": (
        *(TWO, "r300c/cc/cr600f", NAMES2),
        {
            "btn": STOLE
            | once("cbet-flop")
            | streets("af", "turn", done=True)
            | streets("afq", "turn", done=True)
            | TOOK_IT,
            "bb": CALLED_STEAL
            | streets("donk", "flop")
            | streets("check-raise", "turn")
            | streets("afq", "turn")
            | GAVE_UP,
        },
    ),
    "a called c-bet still faces the third player": (
        *(THREE, "r300cc/ccr900cf/cc/cc", NAMES3),
        {
            "bb": once("pfr", "3bet", "squeeze", done=("vpip",))
            | streets("donk", "flop")
            | FACED_FLOP_CBET
            | once(done=("fold-to-cbet-flop",))
            | FOLDED_FLOP
            | GAVE_UP,
            "sb": CALLED_STEAL
            | {"donk": (2, 0), "donk-flop": (1, 0), "donk-turn": (1, 0)}
            | FACED_FLOP_CBET
            | once("fold-to-cbet-flop")
            | streets("af", "flop")
            | streets("afq", "flop")
            | WON,
            "btn": STOLE | once("cbet-turn", done=("cbet-flop",)) | BET_FLOP | LOST,
        },
    ),
    "all-in before the flop": (
        *(TWO, "r10000c", NAMES2),
        {
            "btn": STOLE | LOST,
            # Nothing is left to raise: no chance of a 3-bet.
            "bb": once("pfr", "fold-to-steal", done=("vpip",)) | WON,
        },
    ),
}


@pytest.mark.parametrize("name", HANDS)
def test_hands_counted_by_hand(name: str) -> None:
    spec, betting, names, expected = HANDS[name]
    record = play(spec, betting, names)
    for player, counts in expected.items():
        assert counts_of(record, player) == counts, player


def test_every_statistic_is_an_opportunity_and_a_success_in_some_hand_above() -> None:
    tried, done = set(), set()
    for spec, betting, names, expected in HANDS.values():
        for counts in expected.values():
            tried |= {n for n, (k, _) in counts.items() if k}
            done |= {n for n, (_, k) in counts.items() if k}
        assert play(spec, betting, names)
    assert tried == set(NAMES)
    later = {f"{x}-{s}" for x in ("check-raise", "donk") for s in ("turn", "river")}
    later |= {"fold-to-cbet-turn", "raise-cbet-turn", "raise-cbet-river"}
    assert set(NAMES) - done == later


LATER = {
    # The big blind check-raises the turn and bets the river; the button folds.
    "check-raise on the turn": (
        *(TWO, "r300c/cr600c/cr1200r3000c/r5000f", NAMES2),
        {
            "bb": once("fold-to-cbet-turn", done=("check-raise-turn", "raise-cbet-turn")),
            "btn": once(done=("cbet-turn",)),
        },
    ),
    "fold to the second barrel": (*(TWO, "r300c/cr600c/cr1200f", NAMES2), {"bb": once(done=("fold-to-cbet-turn",))}),
    "check-raise against the third barrel": (
        *(TWO, "r300c/cr600c/cr1200c/cr2400r6000f", NAMES2),
        {"bb": once("fold-to-cbet-river", done=("check-raise-river", "raise-cbet-river"))},
    ),
    "bets into the c-bettor on the turn": (
        *(TWO, "r300c/cr600c/r1200c/cc", NAMES2),
        {"bb": once("donk-flop", done=("donk-turn",)), "btn": once(done=("cbet-flop",))},
    ),
    "bets into the raiser of the turn": (
        *(TWO, "r300c/cc/cr600c/r1500f", NAMES2),
        {"bb": once(done=("donk-river",))},
    ),
}


@pytest.mark.parametrize("name", LATER)
def test_statistics_of_the_later_streets(name: str) -> None:
    spec, betting, names, expected = LATER[name]
    record = play(spec, betting, names)
    for player, counts in expected.items():
        found = counts_of(record, player)
        assert {k: found.get(k) for k in counts} == counts, player
    if name == "bets into the c-bettor on the turn":
        assert "cbet-turn" not in counts_of(record, "btn")


def test_a_side_pot_is_a_win_at_showdown_and_an_uncalled_bet_is_none() -> None:
    # The short stack has aces and wins the main pot, the big blind's kings the side pot, the button gets 1,000 back.
    record = play(THREE, "r9000cc", NAMES3, stacks=(1_000, 8_000, 10_000))
    assert record.payoffs == (2_000, 6_000, -8_000)
    assert counts_of(record, "sb")["wsd"] == (1, 1)
    assert counts_of(record, "bb")["wsd"] == (1, 1)
    assert counts_of(record, "btn")["wsd"] == (1, 0)


def test_sizes_by_hand() -> None:
    # Button: raise 100 -> 300: 200 beyond the call, pot after it 200: 1.0 (0.85-1.25). Flop: bet 300 into 600: 0.5.
    # The big blind raises 300 to 1,200: 900 beyond the call, pot after it 1,200: 0.75. Turn: bet 3,000 into 3,000: 1.0.
    # River: all-in.
    record = play(TWO, "r300c/cr600r1500c/r4500c/r10000f", NAMES2)
    found = {}
    for player in NAMES2:
        stats = PlayerStats(player)
        stats.update(record)
        for size in stats.sizes():
            for c in size.classes:
                if c.successes:
                    found[player, size.group] = (size.n, c.title, size.mean.n, size.mean.successes)
    assert found == {
        ("btn", "preflop raise"): (1, "0.85-1.25", 1, 1.0),
        ("btn", "flop bet"): (1, "0.4-0.6", 1, 0.5),
        ("bb", "flop raise"): (1, "0.6-0.85", 1, 0.75),
        ("bb", "turn bet"): (1, "0.85-1.25", 1, 1.0),
        ("bb", "river bet"): (1, "all-in", 0, 0.0),
    }


def test_big_blinds_per_hundred_by_hand() -> None:
    stats = PlayerStats("btn")
    stats.update(play(TWO, "r300f", NAMES2))  # wins the big blind: +1 bb
    stats.update(play(TWO, "f", NAMES2))  # gives up the small blind: -0.5 bb
    stats.update(play(TWO, "cc/cr300f", NAMES2))  # +1 bb
    found = stats.estimate("bb/100")
    assert (found.n, found.successes) == (3, 1.5)
    assert found.observed == pytest.approx(50.0)
    assert found.low < found.mean < found.high


def test_results_are_drawn_towards_what_the_rake_leaves() -> None:
    """In a game without rake results add up to 0, whatever the games of the population were."""
    free, taxed = StatsTable(), StatsTable()
    people = ("Ann", "Bo", "Cy", "Dee", "Eve", "Flo")
    for k in range(60):
        record = play(SIX, "r300ffffc/cc/cc/cc" if k % 3 else "ffffr300f", people)
        free.update(record)
        taxed.update(raked(record, 10))
    assert [free.player(name).estimate("bb/100").prior_mean for name in people] == pytest.approx([0.0] * 6, abs=1e-9)
    assert sum(free.player(name).rake for name in people) == 0
    rake = taxed.player("Ann").rake
    assert rake > 0
    for name in people:
        stats = taxed.player(name)
        assert stats.estimate("bb/100").prior_mean == pytest.approx(-100 * rake)
        # Positions differ as before: the blinds pay.
        assert stats.estimate("bb/100", "big blind").prior_mean < -30 or name != "Bo"
    # A player who broke even is put at nothing; 60 hands of winning or losing 200 bb/100 count for a tenth of it.
    for name in people:
        result = free.player(name).estimate("bb/100")
        assert abs(result.mean) <= 0.11 * abs(result.observed)
    # The counters that were saved before there was a rake are those of a game without it.
    old = free.player("Ann")
    saved = msgspec.json.decode(old.to_json())
    columns = old.counts.shape[1]
    saved["layout"] = saved["layout"].replace(f"1 {columns} ", f"1 {columns - 1} ")
    saved["counts"] = [row[:-1] for row in saved["counts"]]
    assert (PlayerStats.from_json(msgspec.json.encode(saved)).counts == old.counts).all()


def test_rounding_of_results_is_to_the_nearest_millionth() -> None:
    spec = GameSpec.no_limit(3, (1, 3), 300, odd_chips="acpc")
    state = HandState(spec, ("AsAh", "AdAc", "2h2d"), "3c4d8c9dTh")
    for _ in range(12):
        if not state.finished:
            state.apply(Action.call())
    record = state.record(NAMES3)
    stats = PlayerStats("sb")
    stats.update(record)
    assert stats.estimate("bb/100").successes == 0.5
    assert counts_of(record, "bb")["wsd"] == (1, 1)  # a split pot is won


# position classes ---------------------------------------------------------------------------------------------------


def test_position_classes() -> None:
    assert [position_class(6, p) for p in range(6)] == [
        *("small blind", "big blind", "early", "middle", "late", "button")
    ]
    nine = ["small blind", "big blind", *["early"] * 3, *["middle"] * 2, "late", "button"]
    assert [position_class(9, p) for p in range(9)] == nine
    assert [position_class(2, p) for p in range(2)] == ["big blind", "button"]
    for n in range(2, 11):
        for p in range(n):
            assert position_class(n, p) == seat_name(n, p)
    with pytest.raises(ConfigError, match="position 6 of 6"):
        position_class(6, 6)


# one implementation for batches and live ------------------------------------------------------------------------------


def test_live_counting_equals_the_batch() -> None:
    records = random_records(12, 400)
    batch, live = StatsTable(), StatsTable()
    for part in record_batches(records):
        batch.add(part)
    players = {name: PlayerStats(name) for name, _ in batch.players()}
    for record in records:
        live.update(record)
        for name in record.names:
            players[name].update(record)
    assert batch.hands == live.hands == 400
    assert batch.players() == live.players()
    for name, stats in players.items():
        assert (stats.counts == batch.player(name).counts).all()
        assert (stats.counts == live.player(name).counts).all()
        assert stats.estimates() == batch.player(name).estimates()


def test_merging_and_saving_lose_nothing() -> None:
    records = random_records(13, 200)
    whole, first, second = PlayerStats("P0"), PlayerStats("P0"), PlayerStats("P0")
    tables = StatsTable(), StatsTable(), StatsTable()
    for k, record in enumerate(records):
        for stats, table in ((whole, tables[0]), ((first, second)[k % 2], tables[1 + k % 2])):
            stats.update(record)
            table.update(record)
    first.merge(second)
    tables[1].merge(tables[2])
    assert tables[1].players() == tables[0].players()
    for again in (first, PlayerStats.from_json(whole.to_json()), PlayerStats.from_bytes(whole.to_bytes())):
        assert (again.counts == whole.counts).all()
        assert again.player == "P0"
    for name, _ in tables[0].players():
        assert (tables[1].player(name).counts == tables[0].player(name).counts).all()
    with pytest.raises(HistoryError, match="no saved statistics"):
        PlayerStats.from_bytes(b"\x00rubbish")
    with pytest.raises(HistoryError, match="other definitions"):
        PlayerStats.from_json(whole.to_json().replace(b"vpip", b"vqip", 1))


def test_players_without_names_go_by_seat_or_are_pooled() -> None:
    records = [random_record(THREE, Rng(k), hand=k, seats=(2, 0, 1)) for k in range(5)]
    nameless = [r.__class__(**{f: getattr(r, f) for f in r.__struct_fields__} | {"names": ()}) for r in records]
    stats = PlayerStats(seat=0)
    for record in nameless:
        stats.update(record)
    assert stats.hands == 5
    assert stats.estimate("vpip", "small blind").n == 0
    labels = [
        r.__class__(
            **{f: getattr(r, f) for f in r.__struct_fields__} | {"names": ("Small Blind", "Big Blind", "Dealer")}
        )
        for r in records
    ]
    table = StatsTable()
    table.add(batch_of(labels))
    assert table.players() == [("(unnamed)", 15)]


def test_hands_that_cannot_be_played_are_counted_nowhere() -> None:
    record = play(TWO, "r300c/cr600f", NAMES2)
    fields = {f: getattr(record, f) for f in record.__struct_fields__}
    bad = [
        record.__class__(**fields | {"actions": record.actions[:-1]}),  # not over
        record.__class__(**fields | {"actions": (Action.raise_to(150), *record.actions[1:])}),  # too small a raise
        record.__class__(**fields | {"actions": (*record.actions, Action.raise_to(900))}),  # goes on after the end
    ]
    table = StatsTable()
    words, codes = table.add(batch_of([*bad, record]))
    assert codes.tolist() == [5, 1, 6, 0]
    assert (table.hands, table.rejected) == (1, 3)
    assert table.player("btn").hands == 1
    assert not words[:3].any()
    for one in bad:
        stats = PlayerStats("btn")
        with pytest.raises(HistoryError, match="cannot be played"):
            stats.update(one)
        assert not stats.counts.any()


def test_one_clear_line_for_what_is_not_there() -> None:
    record = play(TWO, "r300f", NAMES2)
    stats = PlayerStats("btn")
    stats.update(record)
    with pytest.raises(ConfigError, match="'cbet-flpo' is not a statistic: did you mean 'cbet-flop'"):
        stats.estimate("cbet-flpo")
    with pytest.raises(ConfigError, match="did you mean 'button'"):
        stats.estimate("vpip", "buton")
    with pytest.raises(HistoryError, match=r"'Zoe' is not in it \(there are bb, btn\)"):
        PlayerStats("Zoe").update(record)
    table = StatsTable()
    table.update(record)
    with pytest.raises(HistoryError, match="no player 'BTN' in these hands: did you mean 'btn'"):
        table.player("BTN")
    assert stats.estimate("vpip", POSITION_CLASSES[3]).n == 1


def test_without_compilation_the_same_is_counted() -> None:
    code = (
        "import sys; from dupai.history.stats import StatsTable, batches\n"
        "t = StatsTable()\n"
        "for f in sys.argv[1:]:\n"
        "    for b in batches(f): t.add(b)\n"
        "print([(n, int(t.player(n).counts.sum()), hash(t.player(n).counts.tobytes())) for n, _ in t.players()])"
    )
    golden = Path(__file__).parents[2] / "golden"
    answers = []
    for off in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": off, "PYTHONHASHSEED": "0", "PYTHONWARNINGS": "error"}
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, sorted(golden.glob("*.log")))],
            capture_output=True,
            text=True,
            env=environment,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        answers.append(done.stdout)
    assert answers[0] == answers[1] and "Ann" in answers[0]


def test_who_sits_where_a_player_sat_is_somebody_else() -> None:
    state = HandState.deal(GameSpec.no_limit(2, (50, 100)), Rng(1))
    state.apply(Action.fold())
    record = state.record(["Cid", "Bob"])
    with pytest.raises(HistoryError, match="'Ann' is not in it"):
        PlayerStats("Ann", seat=0).position_in(record)
    assert PlayerStats("Ann", seat=0).position_in(msgspec.structs.replace(record, names=())) == 0
