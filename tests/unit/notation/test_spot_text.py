"""Spots in text: match states, PHH, figures, words."""

from __future__ import annotations

import pytest

from dupai.base import DupaiError, NotationError, Rng
from dupai.cards import cards, cards_text
from dupai.notation import view_from_text
from dupai.notation.acpc import format_matchstate
from dupai.notation.phh import format_phh
from dupai.rules import Action, GameSpec, HandState, View, load_game


def _facts(view: View) -> tuple[int, int, int, str, str, int]:
    actor = view.actor
    return (
        view.pot,
        view.to_call,
        view.stacks[actor],
        cards_text(view.hole),
        cards_text(view.board),
        view.folded.count(False),
    )


# Match states ----------------------------------------------------------------------------------------


def test_a_match_state() -> None:
    view = view_from_text("MATCHSTATE:1:0:cr250:|AsKd")
    assert (view.position, view.actor, view.to_call, view.pot) == (1, 1, 150, 350)
    assert view.hole == cards("AsKd")
    assert view.spec == load_game("holdem.nolimit.2p")


def test_a_limit_match_state_is_known_by_its_raises() -> None:
    view = view_from_text("MATCHSTATE:1:0:rr:|AsKd|")
    assert view.spec.betting == "limit"
    assert view.spec.players == 3


def test_a_match_state_of_another_game() -> None:
    game = GameSpec.no_limit(2, (1, 2), 200)
    view = view_from_text("MATCHSTATE:1:0::|AsKd", game)
    assert (view.to_call, view.pot, view.spec) == (1, 3, game)


# PHH -------------------------------------------------------------------------------------------------

_PHH = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 AsKd', 'p3 cbr 300', 'p1 f', 'p2 cc', 'd db 2c7dTh', 'p2 cbr 400'{}]
"""


def test_a_phh_hand_up_to_a_decision() -> None:
    assert _facts(view_from_text(_PHH.format(""))) == (1050, 400, 9700, "AsKd", "2c7dTh", 2)
    with pytest.raises(NotationError, match=r"hole cards of the player to act \(position 1\) are missing"):
        view_from_text(_PHH.format(", 'p3 cbr 900'"))
    with pytest.raises(NotationError, match="the hand is over"):
        view_from_text(_PHH.format(", 'p3 f'"))
    with pytest.raises(DupaiError, match="p3 is to act"):
        view_from_text(_PHH.format(", 'p2 f'"))


def test_text_of_our_own_hands_leads_back_to_the_same_spot() -> None:
    rng = Rng(31)
    spec = load_game("holdem.nolimit.6p")
    seen = 0
    while seen < 200:
        state = HandState.deal(spec, rng)
        while not state.finished:
            legal = state.legal
            u = rng.below(10)
            view = state.view(state.actor)
            again = view_from_text(format_matchstate(view))
            assert _facts(again) == _facts(view)
            assert again.legal == view.legal
            assert again.state.tobytes() == view.state.tobytes()
            seen += 1
            if u < 2 and legal.fold:
                state.apply(Action.fold())
            elif u < 4 and legal.can_raise:
                state.apply(Action.raise_to(min(legal.min_to + rng.below(300), legal.max_to)))
            else:
                state.apply(Action.call())
        with pytest.raises(NotationError, match="the hand is over"):
            view_from_text(format_phh(state.record()))


# Figures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 11))
@pytest.mark.parametrize("board", ["", "2c7dTh", "2c7dTh9s", "2c7dTh9s4d"])
def test_figures_come_out_as_they_were_given(players: int, board: str) -> None:
    given = f"hole=AsKd players={players} stack=700 blinds=5/10" + (f" board={board}" if board else "")
    for to_call in (0, 5, 10, 40, 650, 700):
        if board and to_call == 5:
            continue
        view = view_from_text(f"{given} to_call={to_call} pot=5000 others=900")
        assert _facts(view) == (5000, to_call, 700, "AsKd", board, players), to_call
        assert view.position == view.actor
        assert view.spec.big_blind == 10
        others = [s for i, s in enumerate(view.stacks) if i != view.actor]
        # Before the flop somebody may still have the big blind to call: at least 900 behind.
        assert min(others) >= 900
        least = view_from_text(f"{given} to_call={to_call}")
        assert _facts(least)[1:] == _facts(view)[1:]
        with pytest.raises(NotationError, match="is too small"):
            view_from_text(f"{given} to_call={to_call} pot={least.pot - 1}")


def test_figures_without_blinds_find_some() -> None:
    view = view_from_text("hole=AsKd board=2c7dTh pot=300 to_call=100 stack=2000 players=3")
    assert _facts(view) == (300, 100, 2000, "AsKd", "2c7dTh", 3)
    assert view.spec.big_blind == 50
    assert view_from_text("hole = AsKd").spec.big_blind == 100
    assert view_from_text("hole=AsKd; to_call=30, pot=90").to_call == 30


@pytest.mark.parametrize(
    ("figures", "words"),
    [
        # Nobody has acted: the pot is the blinds.
        ("pot=150 to_call=100 players=6 stack=10000", "6 players, utg, AsKd"),
        ("pot=15 to_call=10 players=6 blinds=5/10", "6 players, blinds 5/10, utg, AsKd"),
        ("pot=15 to_call=10 players=6", "6 players, blinds 5/10, utg, AsKd"),
        ("pot=300 to_call=200 players=9", "9 players, blinds 100/200, utg, AsKd"),
        ("pot=4 to_call=3 players=3 blinds=1/3", "3 players, blinds 1/3, button, AsKd"),
        ("to_call=100 players=6", "6 players, utg, AsKd"),
        # One player and everybody up to the blinds called.
        ("pot=250 to_call=100 players=6", "6 players, hj, AsKd; utg calls"),
        ("pot=450 to_call=100 players=6", "6 players, button, AsKd; calls to me"),
        # A raise, called or not, with players behind; then those who pay it from the blinds.
        ("pot=450 to_call=300 players=4", "4 players, button, AsKd; co raises to 300"),
        ("pot=1050 to_call=300 players=6", "6 players, button, AsKd; utg raises to 300, calls to me"),
        ("pot=550 to_call=300 players=5", "5 players, button, AsKd; utg calls, co raises to 300"),
        ("pot=450 to_call=250 players=3", "3 players, sb, AsKd; button raises to 300"),
        ("pot=700 to_call=200 players=3", "3 players, bb, AsKd; button raises to 300, sb calls"),
        ("pot=500 to_call=100 players=3", "3 players, bb, AsKd; button raises to 200, sb calls"),
        ("pot=400 to_call=200 players=2", "2 players, bb, AsKd; sb raises to 300"),
    ],
)
def test_figures_before_the_flop_are_those_of_a_hand(figures: str, words: str) -> None:
    view, same = view_from_text(f"hole=AsKd {figures}"), view_from_text(words)
    # Stacks differ: figures count what is behind, words what players began with.
    for name in ("position", "actions", "bets", "folded", "pot", "to_call"):
        assert getattr(view, name) == getattr(same, name), name
    assert (view.spec.blinds, view.legal.min_to) == (same.spec.blinds, same.legal.min_to)


def test_antes_are_dead_money_in_an_unopened_pot() -> None:
    view = view_from_text("hole=AsKd pot=210 to_call=100 players=6 blinds=50/100")
    assert _facts(view) == (210, 100, 10000, "AsKd", "", 6)
    assert (view.position, view.actions) == (2, ())


def test_a_pot_that_is_too_small_says_what_helps() -> None:
    with pytest.raises(NotationError, match=r"at least 15 \(give smaller blinds=, or fewer players\)"):
        view_from_text("hole=AsKd pot=14 to_call=10 players=6 blinds=5/10")
    with pytest.raises(NotationError, match=r"at least 13 \(give blinds=, or fewer players\)"):
        view_from_text("hole=AsKd pot=12 to_call=10 players=6")


def test_a_call_beyond_the_stack_is_an_all_in() -> None:
    view = view_from_text("hole=AsKd board=2c7dTh pot=500 to_call=100 stack=60 others=400 blinds=10/20")
    assert (view.to_call, view.legal.can_raise) == (60, False)


# Words -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("6 players, blinds 50/100, stacks 10000, button, AsKd; folds to me", (150, 100, 10000, "AsKd", "", 3)),
        ("AsKd, button, 6 players;utg raises to 300, folds to me", (450, 300, 10000, "AsKd", "", 4)),
        ("6-handed, I am co with As Kd; utg calls, folds to me", (250, 100, 10000, "AsKd", "", 5)),
        ("heads-up, sb with 10s9s, blinds 10/20", (30, 10, 1990, "Ts9s", "", 2)),
        (
            "heads-up, sb with ts9s, blinds 10/20; calls, bb checks; flop 2c7dTh: bb bets 40",
            (80, 40, 1980, "Ts9s", "2c7dTh", 2),
        ),
        (
            "3 players, bb, AhAd, ante 10; button raises to 300, folds to me and calls; flop 2c,7d,Th: checks, "
            "button bets 200, raises to 600, button calls; turn 3s: checks to button, button checks; river 3d",
            (1880, 0, 9090, "AhAd", "2c7dTh3s3d", 2),
        ),
        ("limit, 3 players, bb, AhAd; button raises, sb raises", (600, 200, 9900, "AhAd", "", 3)),
        ("9 max, hijack, QhQs, stacks 2000; utg calls, folds to hj", (250, 100, 2000, "QhQs", "", 6)),
        ("3 players, stacks 500/1000/2000, sb, QhQs; button all-in", (2150, 450, 450, "QhQs", "", 3)),
        ("heads-up, stacks 500/1000, bb, QhQs; all-in", (600, 400, 900, "QhQs", "", 2)),
        ("2 players, button, AsKd", (150, 50, 9950, "AsKd", "", 2)),
        ("3 players, bb, AsKd; button raises to 300, sb calls 250", (700, 200, 9900, "AsKd", "", 3)),
        ("3 players, stacks 500/1000/2000, bb, AsKd; button all-in, sb calls 450", (2600, 900, 900, "AsKd", "", 3)),
    ],
)
def test_words(text: str, facts: tuple[int, int, int, str, str, int]) -> None:
    view = view_from_text(text)
    assert _facts(view) == facts
    assert view.position == view.actor


@pytest.mark.parametrize(
    ("players", "positions"),
    [
        (2, {"sb": 1, "bb": 0, "button": 1}),
        (3, {"sb": 0, "bb": 1, "button": 2, "utg": 2}),
        (6, {"sb": 0, "bb": 1, "utg": 2, "hj": 3, "co": 4, "button": 5}),
        (9, {"utg+2": 4, "lj": 5}),
    ],
)
def test_names_of_positions(players: int, positions: dict[str, int]) -> None:
    first = 1 if players == 2 else 2
    for name, position in positions.items():
        before = "" if position == first else "; calls to me"
        assert view_from_text(f"{players} players, {name}, AsKd{before}").position == position, name
    if players < 6:
        names = ", ".join(positions)
        with pytest.raises(NotationError, match=f"no hj among {players} players: expected one of {names}"):
            view_from_text(f"{players} players, hj, AsKd")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("6 players, button, A♠K♦; folds to me", "6 players, button, AsKd; folds to me"),
        ("2 players, I am button with A♤ 10♢", "2 players, I am button with As Td"),
        ("2 players, bb, A♠\ufe0fK♦\ufe0e; button calls", "2 players, bb, AsKd; button calls"),
        (
            "2 players, button, AsKd; calls, bb checks; flop 2♣7♦T♥: checks to me, checks; turn 3♧: bb checks",
            "2 players, button, AsKd; calls, bb checks; flop 2c7dTh: checks to me, checks; turn 3c: bb checks",
        ),
        (
            "6 players, button, AsKd; utg raises to 1,000, folds to me",
            "6 players, button, AsKd; utg raises to 1000, folds to me",
        ),
        (
            "6 players,button,AsKd;utg raises to 1,036,folds to me",
            "6 players, button, AsKd; utg raises to 1036, folds to me",
        ),
        (
            "3 players, blinds 5,000/10,000, ante 1,000, stacks 1,000,000/2,000,000/1,500,000, button, AsKd",
            "3 players, blinds 5000/10000, ante 1000, stacks 1000000/2000000/1500000, button, AsKd",
        ),
        (
            "2 players, button, AsKd; calls, checks; flop 2c,7d,10h: bets 1,050",
            "2 players, button, AsKd; calls, checks; flop 2c7dTh: bets 1050",
        ),
        (
            "hole=A♠K♦ board=2♣7♦T♥ pot=3,000 to_call=1,000 stack=12,500 blinds=500/1,000",
            "hole=AsKd board=2c7dTh pot=3000 to_call=1000 stack=12500 blinds=500/1000",
        ),
    ],
)
def test_suit_signs_and_commas_in_numbers(text: str, same: str) -> None:
    assert view_from_text(text).state.tobytes() == view_from_text(same).state.tobytes()


# Mistakes --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the state is empty"),
        ("MATCHSTATE:1:0:cr250", "is not a match state: expected MATCHSTATE:position:hand:betting:cards"),
        ("MATCHSTATE:0:0:cr250:AsKd|", "position 1 is to act, not the viewer's position 0"),
        ("MATCHSTATE:1:0:cr250:|", "hole cards of the player to act (position 1) are missing"),
        ("MATCHSTATE:1:0:f:|AsKd", "the hand is over"),
        ("MATCHSTATE:1:0:cr25:|AsKd", "the smallest raise is to 200"),
        ("hole=AsAs", "card As stands twice"),
        ("hole=AsXx", "is not a card"),
        ("hole=AsKdQh", "holds 3 cards: expected two"),
        ("hol=AsKd", "unknown key 'hol': did you mean 'hole'?"),
        ("pot=100", "lacks hole="),
        ("hole=AsKd hole=AsKd", "'hole' stands twice"),
        ("hole=AsKd board=AsKhQh", "card As is dealt twice"),
        ("hole=AsKd board=2c7d", "holds 2 cards: expected 3, 4 or 5"),
        ("hole=AsKd players=11", "players=11: expected 2 to 10"),
        ("hole=AsKd players=1", "players='1': expected a whole number of at least 2"),
        ("hole=AsKd pot=much", "pot='much': expected a whole number of at least 0"),
        ("hole=AsKd blinds=100", "expected small/big"),
        ("hole=AsKd pot=20 to_call=100 blinds=50/100", "pot=20 is too small"),
        ("hole=AsKd pot=30000 to_call=15000", "to_call=15000 is more than the usual stack, 10000 (100 big blinds)"),
        ("hole=AsKd to_call=30 blinds=50/100", "the smallest raise is to 200"),
        ("hole=AsKd pot", "expected pot=value (chips in the pot, including the bet that you face)"),
        ("hole=AsKd blinds=10/5", "'blinds=10/5': expected small blind, then big blind, as 50/100"),
        ("6 players, blinds 100/50, button, AsKd", "'blinds 100/50': expected small blind, then big blind, as 50/100"),
        ("heads-up, blinds 100 / 50, AsKd", "'blinds 100 / 50': expected small blind, then big blind, as 50/100"),
        ("foo", "'foo' is not understood: expected '6 players'"),
        ("6 players, button", "does not say your two cards"),
        ("6 players, AsKd", "does not say your position: sb, bb, button"),
        ("11 players, button, AsKd", "'11 players': expected 2 to 10 players"),
        ("3 players, co, AsKd", "no co among 3 players: expected one of sb, bb, button, utg"),
        ("6 players, button, AsKd", "now utg is to act, not you (button): say what they do"),
        ("6 players, button, AsKd; co raises to 300", "'co raises to 300': utg is to act, not co"),
        ("6 players, button, AsKd; utg jumps", "'utg jumps' is not an action: expected folds, checks"),
        ("6 players, button, AsKd; utg raises", "is not an action"),
        ("6 players, button, AsKd; utg raises to 1,00, folds to me", "raise to 1 refused"),
        ("6 players, button, AsKd; utg raises to 1000,500, folds to me", "'500' is not an action"),
        ("6 players, button, A♠A♠; folds to me", "card As stands twice"),
        ("6 players, button, AsKd; utg folds 300", "is not an action"),
        ("6 players, button, AsKd; utg calls 300", "'utg calls 300': a call costs 100 there"),
        ("6 players, button, AsKd; calls 100 to me", "is not an action"),
        ("6 players, button, AsKd; utg calls to 100", "is not an action"),
        ("6 players, button, AsKd; utg checks", "100 is to be called there, checking is not possible"),
        ("6 players, button, AsKd; utg raises to 120, folds to me", "the smallest raise is to 200"),
        ("6 players, button, AsKd; flop 2c7dTh", "by then the hand is before the flop, not on the flop"),
        ("2 players, button, AsKd; calls, bb checks", "now bb is to act, not you"),
        ("2 players, bb, AsKd; calls, checks", "the flop is missing: expected a part as 'flop 2c7dTh: ...'"),
        ("2 players, bb, AsKd; calls, checks; flop 2c7d", "2 cards: expected 3 on the flop"),
        ("2 players, bb, AsKd; calls, checks; flop 2cKdTh", "card Kd is dealt twice"),
        ("2 players, bb, AsKd; folds", "the hand is over"),
        ("3 players, button, AsKd, stacks 10", "is below the blind"),
        ("3 players, button, AsKd, stacks 100/200", "2 stacks for 3 players"),
    ],
)
def test_mistakes_are_one_clear_line(text: str, said: str) -> None:
    with pytest.raises(DupaiError) as caught:
        view_from_text(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_game_beside_a_state_that_says_it_itself() -> None:
    with pytest.raises(NotationError, match="names its game itself"):
        view_from_text("hole=AsKd", GameSpec.no_limit(2))


def test_an_all_in_after_a_raise_of_all_chips_says_so_again() -> None:
    table = "6 players, blinds 50/100, stacks 5000/5000/300/5000/5000/5000, button, AhQh; "
    once, again = (view_from_text(table + f"utg raises to 300, {more}folds to me") for more in ("", "all-in, "))
    assert str(again) == str(once) and again.pot == once.pot == 450 and again.stacks == once.stacks
    # The raiser has chips left: it is the next player who moves all-in.
    deep = view_from_text("6 players, blinds 50/100, stacks 5000, button, AhQh; utg raises to 300, all-in, folds to me")
    assert deep.pot == 300 + 5000 + 150
