"""The file of rules: what it may say, what is refused and how, and what a rule does in chips."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.agents._experience._expert import ExpertModel, rules_of_hands, situation
from dupai.agents._experience._rulebook import Rulebook, load_rulebook
from dupai.agents._experience._situations import MADE, board_hands, postflop_places, preflop_place
from dupai.arena.tournament import play_tournament_match, tournament_tasks
from dupai.base import AgentError, ConfigError, FileError, Rng
from dupai.cards import COMBO_CARDS, COMBO_INDEX, COMBOS, cards, combo, strength
from dupai.cli import main
from dupai.notation import reason_words, view_from_text
from dupai.rules import FOLD, RAISE, Action, GameSpec, HandState
from dupai.spots import Menu, spots

ALL = "preflop | * | * | * | * | * | * | call\nflop turn river | * | * | * | * | * | * | {}\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("flop | * | * | * | *", "line 1: .*has 5 cells: expected 8, street | position"),
        (
            "flip | * | * | * | * | * | * | call",
            "line 1: 'flip' is none of the words that belong here: did you mean 'flop'",
        ),
        ("flop | * | led | * | pear | * | * | call", "'pear' is none of the words"),
        ("flop | * | * | * | set..trips | * | * | call", "'set..trips' runs backwards: expected trips..set"),
        ("flop | * | * | * | | * | * | call", "an empty cell: expected"),
        ("flop | * | * | * | * | * | * | call 50%, fold 40%", "percentages add up to 90, expected 100"),
        ("flop | * | * | * | * | * | * | call, fold", "expected a percentage for every one of its parts"),
        ("flop | * | * | * | * | * | * | call x%, fold 50%", "'x%': expected a percentage"),
        ("flop | * | * | * | * | * | * | call nan%, fold 50%", "expected a percentage for every one of its parts"),
        ("flop | * | * | * | * | * | * | raise 0.5", "expected fold, call, or raise with 0.66p, 3bb, 3x, min or allin"),
        (
            "preflop | * | * | * | AKx | * | * | call",
            "'AKx': expected starting hands as 99\\+ or ATs\\+, or a named group",
        ),
        ("preflop | * | * | * | AA | none | * | call", "draw 'none' in a row for before the flop: expected \\*"),
        ("hands good = AA, zz", "'zz': expected starting hands"),
        ("least straits = 0.4", "'straits' is none of the words that belong here: did you mean 'straight'"),
        ("least set = 1.4", "'1.4': expected a share from 0 to 1"),
        ("least set = much", "'much': expected a share from 0 to 1"),
        ("preflop | * | * | * | * | * | * | call\npreflop | * | * | * | AA | * | * | fold", "line 2: .* never applies"),
        (
            "preflop | * | * | * | * | * | * | call",
            "no row answers flop, button, led, deep, dry, nothing, draw none \\(and",
        ),
        ("flop turn river | * | * | * | * | * | * | call", "no row answers preflop, button, unopened, deep, AA \\(and"),
        (ALL.format("call").replace("flop turn river | *", "flop turn river | button"), "no row answers flop, blind"),
    ],
)
def test_refused_with_file_and_line(text, says, tmp_path) -> None:
    file = tmp_path / "mine.rules"
    file.write_text(text)
    with pytest.raises(ConfigError, match=f"mine.rules.*{says}"):
        load_rulebook(str(file))


def test_a_file_that_cannot_be_read(tmp_path, capsys) -> None:
    with pytest.raises(FileError, match=r"nowhere\.rules' cannot be read: No such file"):
        make_agent("expert:file=nowhere.rules")
    (tmp_path / "bytes.rules").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="it is not text"):
        load_rulebook(str(tmp_path / "bytes.rules"))
    state = "MATCHSTATE:1:0::|AsKd"
    assert main(["advise", "--agent", "exp:file=nowhere.rules", "--state", state]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert "nowhere.rules" in err


def test_the_search_is_heads_up_only() -> None:
    view = view_from_text("3 players, button, AhQh; folds to me")
    with pytest.raises(AgentError, match="for two players, and 3 are dealt in"):
        make_agent("exp").policy(view)


def test_with_more_players_tighter_rules_decide_before_the_flop() -> None:
    agent = make_agent("expert")
    for hand, raised in (("AhQh", True), ("7c2d", False)):
        view = view_from_text(f"3 players, button, {hand}; folds to me")
        assert any(action.kind == RAISE for action, _ in agent.policy(view).points) == raised
        assert agent.reasons(view)[1].values["book"] == "ring.rules"
    view = view_from_text("3 players, button, AhQh; I raise to 300, sb folds, bb calls; flop 9d8s7d: checks to me")
    assert agent.reasons(view)[1].values["book"] == "expert.rules"


def test_the_expert_plays_at_a_full_table() -> None:
    match = play_tournament_match(tournament_tasks(["expert"] * 8, hands=30, matches=1, seed=2)[0])
    assert match is not None and match.faults == () and match.hands > 10


def test_own_rules_are_played(tmp_path) -> None:
    file = tmp_path / "mine.rules"
    file.write_text("# always\n" + ALL.format("raise 0.5p 25%, call 75%"))
    view = view_from_text("MATCHSTATE:0:0:r300c/:AsKh|/9d8s7d")
    agent = make_agent(f"expert:file={file}")
    # Half of a pot of 600 on top of the 300 that are in.
    assert dict(agent.policy(view).points) == {Action.call(): 0.75, Action.raise_to(600): 0.25}
    assert reason_words(agent.reasons(view)[1]).endswith(
        "mine.rules, line 3: flop turn river | * | * | * | * | * | * | raise 0.5p 25%, call 75%"
    )


def test_advise_prints_the_rule_that_fired(capsys) -> None:
    assert main(["advise", "--agent", "expert", "--state", "MATCHSTATE:0:0:r300c/:AsKh|/9d8s7d"]) == 0
    out = capsys.readouterr().out
    assert "flop, blind, no bet yet, deep stack, high card, no draw, wet board" in out
    assert "expert.rules, line" in out


@pytest.mark.parametrize(
    ("size", "betting", "to"),
    [
        ("1p", "r300c/r500", 1_300 + 1_000 - 500),  # 200 to call into 800: a pot of 1,000 on top of 500
        ("3x", "r300c/r500", 300 + 600),
        ("min", "r300c/r500", 700),
        ("allin", "r300c/r500", 20_000),
        ("50p", "r300c/r500", 20_000),
        ("9bb", "r300c/r500", 900),
        ("0.1p", "r300c/r500", 700),
    ],
)
def test_sizes_in_chips(size, betting, to) -> None:
    book = Rulebook("sizes", ALL.format(f"raise {size}"))
    view = view_from_text(f"MATCHSTATE:1:0:{betting}:|AsKh/9d8s7d")
    assert dict(book.actions(spots(view)[-1], 1).points) == {Action.raise_to(to if size != "1p" else 1_500): 1.0}


def test_most_of_the_stack_is_all_of_it() -> None:
    book = Rulebook("sizes", ALL.format("raise 1p"))
    view = view_from_text("MATCHSTATE:0:0:r6000c/:AsKh|/9d8s7d")
    assert dict(book.actions(spots(view)[-1], 1).points) == {Action.raise_to(20_000): 1.0}


def _random_spots(count):
    rng = Rng(3)
    found = []
    while len(found) < count:
        state = HandState.deal(GameSpec.no_limit(2, stack=int(rng.below(19_000)) + 1_000), rng)
        agent = make_agent("random")
        while not state.finished:
            view = state.view(state.actor)
            found.append(view)
            state.apply(agent.act(view, rng) if rng.uniform() < 0.5 else Action.call())
    return found[:count]


def test_columns_are_what_the_actions_say() -> None:
    """The batched columns against the chips of every rule, one by one."""
    book = load_rulebook()
    for menu in (Menu(sizes=(0.5, 1.0), all_in=True), Menu(sizes=(0.75,)), Menu(sizes=(0.5, 1.5), measure="to")):
        for view in _random_spots(60):
            spot = spots(view)[-1]
            found = book.columns(spot.row, menu, menu.legal(spot)[None])[0]
            for rule in range(0, len(book.rules), 7):
                wanted = np.zeros(len(menu))
                for action, p in book.actions(spot, rule).points:
                    wanted[menu.column(spot, action)] += p
                assert found[rule] == pytest.approx(wanted, abs=1e-6), (menu, rule, spot)


def test_model_rows_add_up_and_are_legal() -> None:
    model = ExpertModel(load_rulebook())
    for view in _random_spots(60):
        spot = spots(view)[-1]
        menu = model.menu(spot)
        probs = model.probs(spot)
        assert probs.shape == (COMBOS, len(menu))
        assert probs.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
        assert not probs[:, ~menu.legal(spot)].any()


def test_agent_and_model_use_the_same_rule() -> None:
    book = load_rulebook()
    for view in _random_spots(80):
        spot = spots(view)[-1]
        hand = int(COMBO_INDEX[view.hole])
        assert situation(book, spot, hand).rule == rules_of_hands(book, spot)[hand]


def test_facing_at_its_edges() -> None:
    def facing(betting, position):
        holes = "AsKh|" if position == 0 else "|AsKh"
        board = "/9d8s7d" if "/" in betting else ""
        spot = spots(view_from_text(f"MATCHSTATE:{position}:0:{betting}:{holes}{board}"))[-1]
        return preflop_place(spot)[1] if spot.street == 0 else int(postflop_places(spot.row)[2][0])

    # 3.5, 8, 25 and 60 big blinds belong to the smaller size.
    assert [facing(f"r{to}", 0) for to in (350, 351, 800, 801, 2500, 2501, 6000, 6001)] == [2, 3, 3, 4, 4, 5, 5, 6]
    # Bets of 0.4, 0.75, 1.25 and 3 pots (of 1,000), too; then our own bet raised by 1.25 pots and more.
    assert [facing(f"r500c/r{500 + bet}", 1) for bet in (400, 401, 750, 751, 1250, 1251, 3000, 3001)] == [
        *(2, 3, 3, 4, 4, 5, 5, 6)
    ]
    assert [facing(f"r500c/r1000r{to}", 0) for to in (3500, 3501)] == [7, 8]


def test_classes_of_hands_by_their_strength() -> None:
    """Strengths and shares of all hands on random boards, against one by one."""
    rng = Rng(11)
    none = (0.0,) * len(MADE)
    deck = list(range(52))
    for _ in range(40):
        rng.shuffle(deck)
        board = tuple(deck[: 3 + rng.below(3)])
        found = board_hands(tuple(sorted(board)), none)
        made = found.classes // 5
        for h in range(0, COMBOS, 13):
            two = tuple(COMBO_CARDS[h].tolist())
            if set(two) & set(board):
                assert found.strength[h] == 0
                continue
            assert found.strength[h] == strength((*board, *two))
        live = found.strength > 0
        shares = [
            (found.strength[live] < s).mean() + (found.strength[live] == s).mean() / 2
            for s in found.strength[live][:50]
        ]
        assert found.share[live][:50] == pytest.approx(shares)
        assert made.min() >= 0
        assert made.max() < len(MADE)


def test_names_count_only_for_what_they_beat() -> None:
    board = tuple(sorted(cards("KdTc2s")))
    plain = board_hands(board, (0.0,) * len(MADE))
    strict = board_hands(board, tuple(0.99 if word == "top-good" else 0.0 for word in MADE))
    hand = combo("AsKh")
    assert MADE[plain.classes[hand] // 5] == "top-good"
    assert MADE[strict.classes[hand] // 5] == "top-weak"


def test_every_rule_that_ships_has_something_to_do() -> None:
    """No raise before the flop folds aces; no hand folds where checking is free."""
    expert = make_agent("expert")
    for view in _random_spots(200):
        kinds = {action.kind for action, _ in expert.policy(view).points}
        if view.to_call == 0:
            assert FOLD not in kinds
        if not view.legal.can_raise:
            assert RAISE not in kinds
