"""Kuhn and Leduc against OpenSpiel, node by node; known values; the conformance kit on good and broken games."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pyspiel
import pytest

from dupai.base import ConfigError, Rng
from dupai.cards import combo
from dupai.equity import equity
from dupai.games import (
    CHANCE,
    ONE_STREET_CALL,
    OVER,
    Game,
    Kuhn,
    KuhnState,
    Leduc,
    LeducState,
    OneStreetHoldem,
    TreeSize,
    check_game,
    expected_payoffs,
    playout,
    random_policy,
    tree_size,
    uniform_policy,
    walk,
)
from naive.games_kuhn import kuhn_equilibrium


class _Twin:
    """Compares states of ours with OpenSpiel's and keeps both names of every information set."""

    def __init__(self, game: Game[Any], theirs: Any) -> None:
        self.game, self.theirs = game, theirs
        self.ours_of: dict[tuple[int, str], Hashable] = {}
        self.theirs_of: dict[tuple[int, Hashable], str] = {}
        self.states = 0

    def compare(self, state: Any, their: Any) -> None:
        game = self.game
        self.states += 1
        who = game.actor(state)
        if their.is_terminal():
            assert who == OVER
            assert list(game.payoffs(state)) == their.returns()
            return
        if their.is_chance_node():
            assert who == CHANCE
            outcomes, chances = zip(*their.chance_outcomes(), strict=True)
            assert tuple(game.actions(state)) == outcomes
            assert list(game.chances(state)) == pytest.approx(chances)
            return
        assert who == their.current_player()
        assert list(game.actions(state)) == their.legal_actions()
        # The same partition into information sets: one name for one name, both ways.
        ours, name = game.information(state, who), their.information_state_string(who)
        assert self.ours_of.setdefault((who, name), ours) == ours
        assert self.theirs_of.setdefault((who, ours), name) == name

    def all(self, state: Any, their: Any) -> None:
        self.compare(state, their)
        for action in self.game.actions(state):
            self.all(self.game.child(state, action), their.child(action))


@pytest.mark.parametrize(
    ("game", "players", "size"),
    [
        (Kuhn(2), 2, TreeSize(58, 30, 4, 24, (6, 6))),
        (Kuhn(3), 3, None),
        (Leduc(2), 2, TreeSize(9457, 5520, 157, 3780, (468, 468))),
    ],
)
def test_the_whole_tree_is_openspiels(game: Game[Any], players: int, size: TreeSize | None) -> None:
    theirs = pyspiel.load_game(game.name, {"players": players})
    twin = _Twin(game, theirs)
    twin.all(game.root(), theirs.new_initial_state())
    counted = tree_size(game)
    assert twin.states == counted.states == sum(1 for _ in walk(game))
    assert sum(counted.information_sets) == len(twin.ours_of) == len(twin.theirs_of)
    if size is not None:
        assert counted == size


def test_leduc_of_three_goes_as_openspiels_on_random_lines() -> None:
    game, theirs, rng = Leduc(3), pyspiel.load_game("leduc_poker", {"players": 3}), Rng(5)
    twin = _Twin(game, theirs)
    for _ in range(1500):
        state, their = game.root(), theirs.new_initial_state()
        twin.compare(state, their)
        while game.actor(state) != OVER:
            action = game.actions(state)[rng.below(len(game.actions(state)))]
            state = game.child(state, action)
            their.apply_action(action)
            twin.compare(state, their)


@pytest.mark.parametrize("alpha", [0.0, 0.1, 1 / 3])
def test_kuhn_value(alpha: float) -> None:
    first, second = kuhn_equilibrium(alpha)
    assert expected_payoffs(Kuhn(), (first, second)) == pytest.approx((-1 / 18, 1 / 18), abs=1e-15)
    # Against the second player's equilibrium nothing does better, whatever is tried.
    for seed in range(20):
        tried = random_policy(Rng(seed), pure=True)
        assert expected_payoffs(Kuhn(), (tried, second))[0] <= -1 / 18 + 1e-12
        assert expected_payoffs(Kuhn(), (first, tried))[1] <= 1 / 18 + 1e-12


@pytest.mark.parametrize("game", [Kuhn(3), Leduc(2)])
def test_expected_payoffs_of_uniform_play_are_openspiels(game: Game[Any]) -> None:
    from open_spiel.python import policy as spiel_policy
    from open_spiel.python.algorithms import expected_game_score

    theirs = pyspiel.load_game(game.name, {"players": game.players})
    uniform = spiel_policy.UniformRandomPolicy(theirs)
    expected = expected_game_score.policy_value(theirs.new_initial_state(), [uniform] * game.players)
    assert expected_payoffs(game, [uniform_policy] * game.players) == pytest.approx(list(expected), abs=1e-12)


def test_playouts_come_as_often_as_they_should() -> None:
    game, rng = Kuhn(), Rng(2)
    policies = kuhn_equilibrium(0.2)
    n = 20_000
    won = [game.payoffs(playout(game, policies, rng)[1])[0] for _ in range(n)]
    mean = sum(won) / n
    sd = (sum(x * x for x in won) / n - mean * mean) ** 0.5
    assert abs(mean + 1 / 18) < 4 * sd / n**0.5


@pytest.mark.parametrize("game", [Kuhn(2), Kuhn(3), Leduc(2), Leduc(3)])
def test_our_games_conform(game: Game[Any]) -> None:
    report = check_game(game, playouts=1500)
    assert report.ok, report.problems
    assert report.information_sets > 5


class _Forgetful(Kuhn):
    """Remembers only the last action."""

    def information(self, state: KuhnState, player: int) -> Any:
        return player, state.cards[player : player + 1], state.bets[-1:]


class _BlindLeduc(Leduc):
    """Cannot tell whether it faces a bet."""

    def information(self, state: LeducState, player: int) -> Any:
        return player, state.cards[player : player + 1]


class _Loaded(Kuhn):
    def chances(self, state: KuhnState) -> tuple[float, ...]:
        return tuple(0.9 * p for p in super().chances(state))


class _House(Kuhn):
    def payoffs(self, state: KuhnState) -> tuple[float, ...]:
        return tuple(x - 0.01 for x in super().payoffs(state))


class _Impure(Kuhn):
    turns = 0

    def child(self, state: KuhnState, action: int) -> KuhnState:
        self.turns += 1
        return super().child(state, action if state.bets else action if self.turns % 2 else max(self.actions(state)))


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (_Forgetful(3), "perfect recall"),
        (_BlindLeduc(), "actions"),
        (_Loaded(), "add up to 1"),
        (_House(), "expected 0"),
        (_Impure(), "pure"),
    ],
)
def test_the_kit_finds_what_is_wrong(game: Game[Any], said: str) -> None:
    report = check_game(game, playouts=300)
    assert not report.ok
    assert any(said in problem for problem in report.problems), report.problems


def test_wrong_numbers_of_players_are_refused() -> None:
    with pytest.raises(ConfigError, match="players: 1"):
        Kuhn(1)
    with pytest.raises(ConfigError, match="players: 11"):
        Leduc(11)


RIVER = ("2c7dThKs3h", ["AA,65s,0.5:QJs", "KQs,AK,99"])


def test_one_street_holdem_conforms() -> None:
    game = OneStreetHoldem(*RIVER, sizes=(0.5, 1.0), pot=10, stack=40)
    report = check_game(game, playouts=800)
    assert report.ok, report.problems
    # Always calling shows every hand down for the pot: half of it times twice the equity less one.
    passive = dict.fromkeys((ONE_STREET_CALL,), 1.0)
    policy = [lambda known, actions: [passive.get(a, 0.0) for a in actions]] * 2
    found = expected_payoffs(game, policy)
    won = equity([RIVER[1][0], RIVER[1][1]], board=RIVER[0], method="exact").equity[0]
    assert found == pytest.approx((5 * (2 * won - 1), 5 * (1 - 2 * won)), abs=1e-9)


def test_one_street_holdem_bets_what_the_rules_allow() -> None:
    game = OneStreetHoldem(*RIVER, sizes=(0.5, 1.0), pot=10, stack=40, most_raises=3)
    state = game.root()
    for hand in ("AsAh", "KdQd"):
        state = game.child(state, combo(hand))
    assert game.actions(state) == (1, 2, 3, 4)  # check, 5, 10, all-in
    bet = game.child(state, 3)
    assert bet.paid == (10, 0)
    # Half of the pot after the call (30) is 15 more, the whole of it reaches the stack: all-in instead.
    assert game.actions(bet) == (0, 1, 2, 4)
    raised = game.child(bet, 2)
    assert raised.paid == (10, 25)
    assert game.actions(raised) == (0, 1, 4)
    jam = game.child(raised, 4)
    assert game.actions(jam) == (0, 1)
    assert game.payoffs(game.child(jam, 0)) == (30.0, -30.0)
    assert game.payoffs(game.child(jam, 1)) == (45.0, -45.0)  # aces against kings
    assert game.payoffs(game.child(bet, 0)) == (5.0, -5.0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"board": "2c7dTh"}, "has 3 cards"),
        ({"ranges": ["AA"]}, "1 ranges"),
        ({"ranges": ["KsKd", "KsKc"]}, "0 deals"),
        ({"ranges": ["random", "random"]}, "50,000"),
        ({"stack": 0}, "stack 0"),
        ({"sizes": (0.5, -1.0)}, "positive"),
    ],
)
def test_bad_one_street_games_are_refused(arguments: dict[str, Any], said: str) -> None:
    settings = {"board": RIVER[0], "ranges": RIVER[1], **arguments}
    with pytest.raises(ConfigError, match=said):
        OneStreetHoldem(settings.pop("board"), settings.pop("ranges"), **settings)
