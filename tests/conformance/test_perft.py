"""Perft for poker: the counts of ``perft/`` by every engine that can enumerate the game, as deep as time allows."""

from pathlib import Path

import pytest

from conformance.perft_counts import (
    count,
    count_by_pokerkit,
    count_by_twin,
    count_by_universal_poker,
    read_perft,
)

GAMES = {
    f"{path.stem}/{g.name}": g
    for path in sorted((Path(__file__).parent / "perft").glob("*.perft"))
    for g in read_perft(path)
}
each = pytest.mark.parametrize("name", GAMES)
CASINO = [name for name, g in GAMES.items() if g.spec.min_raise == "casino"]
ACPC = [name for name, g in GAMES.items() if g.spec.min_raise == "acpc"]


def depth_within(game, nodes):
    """How deep all sequences together are no more than ``nodes``, and those counts."""
    total = depth = 0
    for d, n in sorted(game.counts.items()):
        total += n
        if total > nodes:
            break
        depth = d
    assert depth >= min(2, len(game.counts)), "too large even for a short look"
    return depth, [1, *(game.counts[d] for d in range(1, depth + 1))]


def check_kernels(game, nodes):
    depth, expected = depth_within(game, nodes)
    complete = game.hands is not None and depth == max(game.counts)
    counts, finished, decisions = count(game, depth + 1 if complete else depth)
    assert counts[: depth + 1] == expected
    if complete:
        assert counts[depth + 1] == 0, "no sequence is longer than the longest in the file"
        assert sum(finished) == game.hands
        assert decisions == game.decisions
        assert sum(counts) == game.hands + sum(game.decisions)
    return sum(expected)


def check_twin(game, nodes):
    depth, expected = depth_within(game, nodes)
    assert count_by_twin(game, depth) == expected
    return sum(expected)


def check_universal_poker(game, nodes):
    depth, expected = depth_within(game, nodes)
    assert count_by_universal_poker(game, depth) == expected
    return sum(expected)


def check_pokerkit(game, nodes):
    depth, expected = depth_within(game, nodes)
    counts, classes = count_by_pokerkit(game, depth)
    for d, n in game.pokerkit.items():
        if d <= depth:
            expected[d] = n
    assert counts == expected
    assert set(classes) <= set(game.classes), classes
    return sum(counts)


@each
def test_kernels(name, record_property):
    record_property("perft sequences counted", {"kernels": check_kernels(GAMES[name], 4_000_000)})


@each
def test_plain_twin(name, record_property):
    record_property("perft sequences counted", {"plain twin": check_twin(GAMES[name], 6_000)})


@pytest.mark.parametrize("name", ACPC)
def test_universal_poker(name, record_property):
    record_property("perft sequences counted", {"universal_poker": check_universal_poker(GAMES[name], 50_000)})


@pytest.mark.parametrize("name", CASINO)
def test_pokerkit(name, record_property):
    record_property("perft sequences counted", {"PokerKit": check_pokerkit(GAMES[name], 2_000)})


def test_heads_up_limit_has_the_published_number_of_information_sets():
    """8, 70, 630 and 5670 decisions on the four streets follow by hand from the caps: before the flop 1 + 3, and 1 + 3
    after a call, with 7 ways to go on; later 1 + 4, and 1 + 4 after a check, with 9 ways. With the cards that the
    player to act sees: 3.19e14 information sets (Bowling et al., "Heads-up limit hold'em poker is solved", 2015)."""
    game = GAMES["limit/heads-up"]
    assert game.decisions == (8, 10 * 7, 10 * 7 * 9, 10 * 7 * 9 * 9)
    hole = 52 * 51 // 2
    flop = hole * (50 * 49 * 48 // 6)
    seen = (hole, flop, flop * 47, flop * 47 * 46)
    assert f"{sum(d * c for d, c in zip(game.decisions, seen, strict=True)):.2e}" == "3.19e+14"


def test_the_files_cover_the_structures():
    assert {g.betting for g in GAMES.values()} == {"no-limit", "limit", "pot-limit"}
    assert {g.spec.players for g in GAMES.values()} >= {2, 3, 4, 6, 9}
    assert len(ACPC) >= 8
    assert len(CASINO) >= 20
    assert any(g.classes for g in GAMES.values())
    assert all(g.hands for g in GAMES.values() if sum(g.counts.values()) < 1_000_000)
