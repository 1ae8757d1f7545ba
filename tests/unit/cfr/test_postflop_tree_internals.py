"""The spot and its betting tree: sizes, thresholds, caps, and everything that cannot be solved in one clear line."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dupai.base import ConfigError, DupaiError
from dupai.cfr import SolveSpot, SpotSolver
from dupai.cfr.postflop import _betting, forget_betting
from dupai.cfr.postflop._spot import parse_sizes, sizes_text
from dupai.cfr.postflop._tree import CHANCE, FOLD, IP, SHOWDOWN, build_forests
from support.solve_spots import SPOTS, spot_of


@pytest.mark.parametrize("name", SPOTS)
def test_the_tree_is_that_of_the_reference(name: str) -> None:
    forests = build_forests(spot_of(SPOTS[name]["config"]))
    words = {"check": "Check", "fold": "Fold", "call": "Call", "bet": "Bet", "raise": "Raise", "allin": "AllIn"}
    seen = 0

    def same(theirs: dict[str, Any], level: int, node: int) -> None:
        nonlocal seen
        seen += 1
        forest = forests[level]
        kind = forest.kind[node]
        assert tuple(theirs["bets"]) == forest.paid[node]
        if kind <= IP:
            assert (theirs["t"], theirs["p"]) == ("P", kind)
            labels = [words[a.kind] + (f"({a.amount})" if a.amount else "") for a in forest.actions(node)]
            assert labels == theirs["acts"]
            for child, mine in zip(theirs["ch"], forest.children(node), strict=True):
                same(child, level, mine)
        elif kind == CHANCE:
            assert theirs["t"] == "C"
            same(theirs["child"], level + 1, forests[level + 1].roots[forest.tree[node]])
        else:
            assert theirs["t"] == "T" and kind in (FOLD, SHOWDOWN)

    same(SPOTS[name]["betting_tree"], 0, 0)
    assert seen == sum(map(len, forests))


def _river(**more: Any) -> SolveSpot:
    given = {"board": "Td9d6hQc2s", "oop": "AA", "ip": "KK", "pot": 100, "stack": 1000, "sizes": {"bet": "50%, a"}}
    return SolveSpot.from_dict({**given, **more})


def _root(spot: SolveSpot) -> list[str]:
    return [str(a) for a in build_forests(spot)[0].actions(0)]


def test_sizes() -> None:
    both = "33%, 2.5x, 120c, e, 2e, 3e150%, a"
    assert sizes_text(parse_sizes(both, "sizes.raise")) == both
    # geometric: three bets of one share of the pot each get 1,000 into 100
    share = (21 ** (1 / 3) - 1) / 2
    flop = SolveSpot.from_dict(
        {"board": "Td9d6h", "oop": "AA", "ip": "KK", "pot": 100, "stack": 1000, "sizes": {"bet": "e", "raise": "a"}}
    )
    assert _root(flop) == ["check", f"bet {math.floor(100 * share + 0.5)}"]
    assert _root(_river(sizes={"bet": "2e", "raise": "a"})) == ["check", f"bet {math.floor((21**0.5 - 1) * 50 + 0.5)}"]
    assert _root(_river(sizes={"bet": "3e50%, a"})) == ["check", "bet 50", "allin 1000"]
    forest = build_forests(_river(sizes={"bet": "40c", "raise": "3x, 100c, 50%, a"}))[0]
    assert [str(a) for a in forest.actions(forest.first[0] + 1)] == [
        "fold", "call", "raise 120", "raise 130", "raise 140", "allin 1000",
    ]  # fmt: skip


def test_all_ins_are_added_forced_and_merged() -> None:
    assert _root(_river(stack=150, sizes={"bet": "50%"}, add_allin=1.5)) == ["check", "bet 50", "allin 150"]
    assert _root(_river(stack=151, sizes={"bet": "50%, a"}, add_allin=1.5)) == ["check", "bet 50", "allin 151"]
    assert _root(_river(stack=151, sizes={"bet": "50%"}, shallow=True, add_allin=1.5)) == ["check", "bet 50"]
    # 100 more after a bet of 50 is half of the pot of 200
    assert _root(_river(stack=150, sizes={"bet": "50%"}, force_allin=0.5)) == ["check", "allin 150"]
    assert _root(_river(stack=151, sizes={"bet": "50%, a"}, force_allin=0.499)) == ["check", "bet 50", "allin 151"]
    assert _root(_river(sizes={"bet": "50%, 55%, 80%, a"}, merge=0.1)) == ["check", "bet 55", "bet 80", "allin 1000"]


def test_sizes_go_from_the_narrow_to_the_wide() -> None:
    given = {
        "bet": "10%, a",
        "ip": {"bet": "20%, a"},
        "river": {"bet": "30%, a", "oop": {"bet": "40%, a", "donk": "50%, a"}},
    }
    spot = SolveSpot.from_dict(
        {"board": "Td9d6hQc", "oop": "AA", "ip": "KK", "pot": 100, "stack": 100_000, "sizes": given}
    )
    turn, river = build_forests(spot)
    assert str(turn.actions(0)[1]) == "bet 10" and str(turn.actions(turn.first[0])[1]) == "bet 20"
    by_line = {}
    for node, tree in enumerate(turn.tree):
        if tree >= 0:
            root = river.roots[tree]
            by_line[str(turn.action[turn.parent[node]]), str(turn.action[node])] = str(river.actions(root)[1])
            assert str(river.actions(river.first[root])[1]).split()[1] == str(
                math.floor(0.3 * sum(turn.paid[node]) + 30.5)
            )
    # after check, bet, call the player out of position leads into the one who bet: a donk bet
    assert by_line["check", "check"] == "bet 40"
    assert by_line["bet 20", "call"] == f"bet {70}" and by_line["bet 10", "call"] == f"bet {48}"


def test_a_raise_cap_ends_the_raising() -> None:
    for cap in (1, 2, 3):
        forest = build_forests(_river(sizes={"bet": "10%", "raise": "10%"}, raise_cap=cap, shallow=True))[0]
        depth = 0
        node = 0
        while True:
            bets = [c for c, a in zip(forest.children(node), forest.actions(node), strict=True) if a.amount]
            if not bets:
                break
            node, depth = bets[-1], depth + 1
        assert depth == cap


BAD = {
    "board": "Td9d", "oop": "nothing", "ip": "Td9d", "pot": 0, "stack": 0, "rake": 2, "rake_cap": -1,
    "sizes": {"bet": "lots"}, "add_allin": -1, "raise_cap": -1, "merge": float("nan"), "force_allin": "x", "colour": 1,
}  # fmt: skip


@pytest.mark.parametrize("key", BAD)
def test_bad_values_are_named(key: str) -> None:
    with pytest.raises(DupaiError) as error:
        _river(**{key: BAD[key]})
    assert key in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"sizes": {"bet": "10%"}, "raise_cap": 1}, "never lead to an all-in"),
        ({"oop": "Td9d"}, "is possible on the board"),
        ({"oop": "AsAh", "ip": "AsKs"}, "can be dealt together"),
        ({"oop": [float("nan")] * 1326}, "is not between 0 and 1"),
        ({"sizes": {"bet": "2x"}}, "only raises"),
        ({"sizes": {"preflop": {}}}, "preflop"),
        ({"sizes": {"bet": 3}}, "sizes.bet"),
        ({"board": "Td9d6hQcTd"}, "twice"),
        ({"stack": [100, 0]}, "stack"),
        ({"stack": 1.5}, "stack"),
        ({"pot": True}, "pot"),
        ({"dead": "Td"}, "twice"),
        ({"dead": 3}, "dead"),
        ({"dead": "AsAhAdAc"}, "is possible on the board"),
        ({"board": 3}, "board"),
    ],
)
def test_what_cannot_be_solved_is_said_in_one_line(more: dict[str, Any], words: str) -> None:
    with pytest.raises(DupaiError) as error:
        build_forests(_river(**more))
    assert words in str(error.value) and "\n" not in str(error.value)


def test_a_spot_survives_its_plain_form() -> None:
    spot = spot_of(SPOTS["turn"]["config"], rake=0.05, rake_cap=12, raise_cap=3, stack=[900, 1200])
    assert SolveSpot.from_dict(spot.to_dict()) == spot and spot.stack == 900
    with pytest.raises(ConfigError, match="no 'board'"):
        SolveSpot.from_dict({})


def test_a_tree_that_is_far_too_large_is_not_built() -> None:
    sizes = {"bet": "20%,33%,50%,75%,100%,150%,200%", "raise": "30%,50%,75%,100%,150%, a"}
    spot = SolveSpot.from_dict({"board": "Td9d6h", "oop": "AA", "ip": "KK", "pot": 20, "stack": 20_000, "sizes": sizes})
    with pytest.raises(ConfigError, match="more than 9,000 nodes, which does not fit into memory"):
        build_forests(spot, most=[9000])


def test_spots_that_bet_alike_share_one_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_betting, "_kept", {})
    config = SPOTS["river"]["config"]

    def solver(**more: Any) -> SpotSolver:
        return SpotSolver(spot_of(config, **more))

    first = solver()
    shared = solver(board="Ah Kd 7c 7s 2h", oop="AA, 88, KQs:0.5", ip="JJ+, 54s, A5s")
    assert shared.levels[0].forest is first.levels[0].forest
    for more in ({"pot": 210}, {"stack": 800}, {"rake": 0.05}, {"dead": "As"}, {"sizes": {"bet": "a"}}, {"merge": 0.1}):
        assert solver(**more).levels[0].forest is not first.levels[0].forest, more
    shared.iterate(20)
    forget_betting()
    alone = solver(board="Ah Kd 7c 7s 2h", oop="AA, 88, KQs:0.5", ip="JJ+, 54s, A5s")
    alone.iterate(20)
    assert all((a == b).all() for a, b in zip(shared.arrays(), alone.arrays(), strict=True))


def test_few_trees_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_betting, "_kept", {})
    nodes = len(SpotSolver(_river(sizes={"bet": "a", "raise": "a"})).levels[0].forest)
    monkeypatch.setattr(_betting, "_CACHE_SIZE", 3 * nodes)
    for pot in range(100, 110):
        SpotSolver(_river(pot=pot, sizes={"bet": "a", "raise": "a"}))
    assert len(_betting._kept) == 3
    monkeypatch.setattr(_betting, "_CACHE_SIZE", nodes - 1)
    SpotSolver(_river(pot=200, sizes={"bet": "a", "raise": "a"}))
    assert len(_betting._kept) == 3
