"""The staged tree: against the same hand by hand, against exact win rates, and as an agent."""

from __future__ import annotations

import numpy as np
import pytest

from dupai.agents import make_agent
from dupai.agents._experience._boards import boards_below, free_of, next_cards
from dupai.agents._experience._equilibrium import solve_decision
from dupai.agents._experience._exp import Exp
from dupai.agents._experience._expert import ExpertModel, rules_of_hands
from dupai.agents._experience._kernels.hands import PAIR, PAIRS
from dupai.agents._experience._kernels.rank import BLOCKED, LISTED, rank_kernel
from dupai.agents._experience._kernels.walk import ends_kernel
from dupai.agents._experience._rulebook import load_rulebook
from dupai.agents._experience._search import StagedSearch
from dupai.agents._experience._situations import board_hands
from dupai.agents._experience._tree import Tree, TreeMenus
from dupai.base import AgentError, ConfigError, Rng
from dupai.cards import COMBO_CARDS, COMBOS, cards, combo, combo_index, combo_text, hand_value_table
from dupai.equity import equity
from dupai.notation import reason_words, view_from_text
from dupai.reading.cnn import CnnModel
from dupai.rules import CALL, RAISE, Action
from dupai.spots import Menu, spots
from naive.agents_experience import Twin

FIRST, LATER = Menu(sizes=(0.5, 1.0), all_in=True), Menu(sizes=(0.75,), all_in=True)
BOOK = load_rulebook()


def _view(betting, holes, board):
    position = 0 if holes.endswith("|") else 1
    return view_from_text(f"MATCHSTATE:{position}:0:{betting}:{holes}{board}")


def _search(maximise=False, raises=(3, 2), cards=(0, 0, 0), model=None):
    return StagedSearch(BOOK, model or ExpertModel(BOOK), TreeMenus(FIRST, LATER, raises), maximise, cards)


def _weights(*hands):
    weights = np.zeros(COMBOS)
    for hand in hands:
        text, _, weight = hand.partition("=")
        weights[combo(text)] = float(weight or 1)
    return weights


class Plain:
    """The same rules as any other action model: the tree asks it hand by hand and board by board."""

    needs_ranges = False

    def __init__(self):
        self.inner = ExpertModel(BOOK, slip=0.0, any_size=0.0)

    def menu(self, spot):
        return LATER

    def probs(self, spot):
        assert spot["did"] == -1
        return self.inner.columns(spot, LATER)[rules_of_hands(BOOK, spot)]

    def meet(self, names):
        return None

    def observe(self, record):
        return None


HANDS = ("AdAc", "KcQc=0.5", "9s8s", "7h7c=2", "6d5d", "Ks4s", "QsJs", "Th2c=0.25")
RIVERS = (
    ("r300c/cc/cc/", "AsKh|", "/9d8s7d/2c/3h"),
    ("r300c/cc/cc/r700", "|AsKh", "/9d8s7d/2c/3h"),
    ("r300c/cr600c/cr1500c/c", "|9h9c", "/9d8s7d/2c/2h"),
    ("r300c/cr600c/cr1500c/r9000", "|9h9c", "/9d8s7d/2c/2h"),
    ("cc/cc/cc/r200r20000", "5h4h|", "/3d2s6d/Kc/Kh"),
)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("spot", RIVERS)
def test_river_against_hand_by_hand(spot, maximise) -> None:
    view = _view(*spot)
    weights = _weights(*HANDS)
    search = _search(maximise)
    found = search.run(view, weights)
    wanted = Twin(search, view).values(dict(enumerate(weights.tolist())))
    assert dict(zip(found.actions, found.values, strict=True)) == pytest.approx(wanted, abs=1e-6 * 20_000)
    assert found.leaves > 0
    assert found.judged > found.leaves


@pytest.mark.parametrize(("betting", "raises"), [("r300c/cc/", (1, 1)), ("r5000c/cc/r7000", (2, 1))])
def test_turn_against_hand_by_hand(betting, raises) -> None:
    view = _view(betting, "|AsKh" if betting.endswith("7000") else "AsKh|", "/9d8s7d/2c")
    weights = _weights("QcQd", "Kc4s=0.5")
    search = _search(raises=raises)
    found = search.run(view, weights)
    wanted = Twin(search, view).values(dict(enumerate(weights.tolist())))
    assert dict(zip(found.actions, found.values, strict=True)) == pytest.approx(wanted, abs=1e-6 * 20_000)
    assert found.boards == 47


@pytest.mark.parametrize("flop", ["9d8s7d", "AdKdQd"])
def test_checked_down_it_is_the_exact_win_rate(flop) -> None:
    """Every turn and river, but for names of suits: nothing is lost by leaving out the same ones."""
    view = _view("r300c/", "2h2s|", f"/{flop}")
    hand = "TcJc"
    search = _search(raises=(0, 0))
    found = search.run(view, _weights(hand))
    exact = equity(["2h2s", hand], flop).equity[0]
    check = dict(zip(found.actions, found.values, strict=True))[Action.call()]
    # Nobody may bet: half of the pot of 600 belongs to nobody yet.
    assert check == pytest.approx(600 * exact, abs=1e-6)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize(
    ("board", "cards", "hands"),
    [("/9d8s7d", (2, 2, 0), HANDS), ("/9d8d7d", (3, 3, 0), None), ("/9d8d7d/2d", (0, 0, 12), None)],
)
def test_any_action_model_gives_the_same_tree(board, cards, hands, maximise) -> None:
    """Rules act by group of hands on a river, any other model by hand."""
    view = _view("r300c/" + "cc/" * (board.count("/") - 1), "AsKh|", board)
    weights = _weights(*hands) if hands else np.linspace(0.5, 1.5, COMBOS)
    by_rules = _search(maximise, cards=cards, model=ExpertModel(BOOK, slip=0.0, any_size=0.0)).run(view, weights)
    by_model = _search(maximise, cards=cards, model=Plain()).run(view, weights)
    assert by_model.values == pytest.approx(by_rules.values, abs=1e-3)
    assert by_model.leaves == by_rules.leaves
    assert by_model.asked > 0 == by_rules.asked


class OneByOne:
    """The network, asked for all hands at one decision after another."""

    needs_ranges = False

    def __init__(self):
        self.inner = CnnModel()

    def menu(self, spot):
        return self.inner.menu(spot)

    def probs(self, spot):
        return self.inner.probs(spot)

    def meet(self, names):
        return None

    def observe(self, record):
        return None


@pytest.mark.parametrize("board", ["/9d8s7d/2c", "/9d8s7d/2c/3h"])
def test_many_boards_at_once_give_the_same_tree(board) -> None:
    view = _view("r300c/" + "cc/" * (board.count("/") - 1), "AsKh|", board)
    weights = np.where(np.arange(COMBOS) % 3, 1.0, 0.0)
    one, many = (_search(cards=(2, 2, 8), model=model).run(view, weights) for model in (OneByOne(), CnnModel()))
    assert many.values == pytest.approx(one.values, abs=1e-2)
    assert (many.leaves, many.asked) == (one.leaves, one.asked)
    assert many.asked > 0


def test_lines_are_those_of_a_hand_that_is_played() -> None:
    view = _view("r300c/r600", "|AsKh", "/9d8s7d")
    tree = Tree(view, TreeMenus(FIRST, LATER, (2, 1)))
    state_rows = None
    for node in tree.deciding.tolist():
        rows = tree.line(node)
        actions = [
            Action.raise_to(int(row["to"])) if row["did"] >= 3 else Action(int(row["did"] > 0)) for row in rows[:-1]
        ]
        twin = Twin(_search(), view)
        state_rows = spots(twin.state(actions, tuple(view.board)))[-1].rows
        assert rows.tolist() == state_rows.tolist()
    assert state_rows is not None


def test_cards_of_a_sample_stand_for_all() -> None:
    hole, flop = cards("AsKh"), cards("9d8s7d")
    every = next_cards((hole, flop), 0)
    assert sum(n for _, n in every) == 47
    # Clubs alone are of no suit that is dealt: nothing can be renamed.
    assert len(every) == 47
    monotone = next_cards((cards("AdKd"), cards("9d8d7d")), 0)
    assert sorted(n for _, n in monotone) == [1] * 8 + [3] * 13
    for count in (1, 5, 16):
        for offset in range(4):
            found = next_cards((hole, flop), count, offset)
            assert len(found) == count
            assert sum(n for _, n in found) == count
    boards = boards_below(hole, flop, (5, 3))
    hands = np.flatnonzero(~np.isin(COMBO_CARDS, [*hole, *flop]).any(axis=1))
    free, left, last = free_of(hands), boards.left(hands), boards.last()
    for b, (first, end) in enumerate(boards.kids):
        if end > first:
            total = (boards.weight[first:end, None] * free[last[first:end]] / left[b]).sum(axis=0)
            assert np.all(np.isclose(total, 1.0) | (total == 0))


@pytest.mark.parametrize(
    ("hole", "board", "counts"),
    [("AsKh", "9d8s7d", (0, 0)), ("AdKd", "9d8d7d", (0, 4)), ("2h2s", "AdKdQd", (12, 3)), ("AsKh", "9d8d7d2c", (0,))],
)
def test_boards_below_are_every_next_card_of_every_board(hole, board, counts) -> None:
    hole, board = cards(hole), cards(board)
    found = boards_below(hole, board, counts)
    assert found.board(0) == board
    for b, (first, end) in enumerate(found.kids.tolist()):
        here = found.board(b)
        if len(here) == 5:
            assert (first, end) == (0, 0)
            continue
        known = (hole, here[:3], *((c,) for c in here[3:]))
        count = counts[len(here) - len(board)]
        wanted = [((*here, card), n) for card, n in next_cards(known, count, b)]
        assert [(found.board(kid), found.weight[kid]) for kid in range(first, end)] == wanted
    one, number = found.distinct()
    assert number[0] == 0
    assert len({frozenset(found.board(b)) for b in one.tolist()}) == len(one)
    for b in range(len(number)):
        assert set(found.board(one[number[b]])) == set(found.board(b))


def test_a_sample_is_near_the_whole() -> None:
    """The sample is of the cards alone: what a hand is worth does not move much."""
    view = _view("r300c/", "AsKh|", "/9d8s7d")
    weights = np.ones(COMBOS)
    whole = _search(cards=(0, 6, 0)).run(view, weights)
    part = _search(cards=(24, 6, 0)).run(view, weights)
    assert part.boards < whole.boards
    assert part.values == pytest.approx(whole.values, abs=60)  # a tenth of the pot


def test_only_from_the_flop_and_heads_up() -> None:
    with pytest.raises(AgentError, match="begins on the flop"):
        _search().run(_view("", "|AsKh", ""), np.ones(COMBOS))
    with pytest.raises(AgentError, match="no hand"):
        _search().run(_view("cc/", "AsKh|", "/9d8s7d"), np.zeros(COMBOS))


def test_agent_weighs_its_rules_against_values() -> None:
    view = _view("r300c/cc/cc/", "AsKh|", "/9d8s7d/Kc/3h")
    best = Exp(doubt=0)
    found = best.find(view)
    assert [a for a, p in best.policy(view).points if p == 1] == [found.actions[int(np.argmax(found.values))]]
    calm = Exp(doubt=100.0, any=0.0)
    rules = {a.kind: 0.0 for a, _ in calm.policy(view).points}
    for action, p in make_agent("expert").policy(view).points:
        rules[action.kind] = rules.get(action.kind, 0.0) + p
    for action, p in calm.policy(view).points:
        rules[action.kind] -= p
    assert max(map(abs, rules.values())) < 0.02
    advice = calm.advise(view, Rng(1))
    assert advice.values == found.values
    assert "expert.rules, line" in reason_words(advice.reasons[-1])
    assert advice.reasons[0].code == "searched"


def test_models_by_name() -> None:
    with pytest.raises(ConfigError, match="no Bayes filter over an action model"):
        make_agent("exp:model=uniform")
    view = _view("cc/cc/cc/", "AsKh|", "/9d8s7d/Kc/3h")
    agent = make_agent("exp:model=bucket")
    assert agent.find(view).asked > 0


def _chance(solved, kind):
    return sum(p for a, p in zip(solved.actions, solved.chances, strict=True) if a.kind == kind)


def test_an_equilibrium_on_the_river_calls_what_the_price_says() -> None:
    """A hand between strong ones and bluffs faces a bet of the pot: it needs a third of bluffs."""
    view = _view("r300c/cc/cc/r900", "|9c9d", "/KsTs4h/2d/2c")
    catcher = _weights("9c9d")
    for bluffs, calls in ((0.35, 0.0), (0.65, 1.0)):
        theirs = _weights("KdKh", f"7c6c={bluffs}")
        solved = solve_decision(view, catcher, theirs)
        assert _chance(solved, CALL) == pytest.approx(calls, abs=0.05)
        assert sum(solved.chances) == pytest.approx(1.0)


def test_an_equilibrium_on_the_river_bluffs_and_bets_the_best_hand() -> None:
    chances = {}
    own, theirs = _weights("KdKh", "7c6c"), _weights("9c9d")
    for hand in ("KdKh", "7c6c", "AsAd"):
        view = _view("r300c/cc/cc/c", f"|{hand}", "/KsTs4h/2d/2c")
        solved = solve_decision(view, own, theirs)
        chances[hand] = _chance(solved, RAISE)
        assert all(view.legal.min_to <= a.to <= view.legal.max_to for a in solved.actions if a.kind == RAISE)
    assert chances["KdKh"] > 0.9
    # Some bluffs, not all: else the hand between would always call.
    assert 0.2 < chances["7c6c"] < 1.0


def test_the_agent_solves_the_river_only() -> None:
    fast, off = make_agent("exp:turns=2,rivers=1,solve=river"), make_agent("exp:turns=2,rivers=1")
    turn = _view("r300c/cc/", "9c9d|", "/KsTs4h/2d")
    assert fast.policy(turn) == off.policy(turn)
    river = _view("r300c/cc/cc/r900", "|9c9d", "/KsTs4h/2d/2c")
    solved = fast.solution(river)
    # What it nearly never does is left out, and the rest adds up to 1.
    kept = {a: p for a, p in zip(*solved[:2], strict=True) if p > 1e-3}
    assert dict(fast.policy(river).checked().points) == pytest.approx(
        {a: p / sum(kept.values()) for a, p in kept.items()}
    )
    assert fast.advise(river, Rng(1)).reasons[0].code == "ranges_solved"
    assert fast.solution(river) is solved
    with pytest.raises(ConfigError, match="solve"):
        make_agent("exp:solve=turn")


def _ranked(hole, root, counts, together, shown=(3, 4, 5)):
    """Everything that :func:`rank_kernel` fills, for the opponent's hands in order."""
    boards = boards_below(cards(hole), cards(root), counts)
    first, _ = boards.distinct()
    hands = np.flatnonzero(~np.isin(COMBO_CARDS, [*cards(hole), *cards(root)]).any(axis=1))
    size, m = len(first), len(hands)
    known = boards.street[first] + 2
    own_row, place, score = np.zeros(size, np.int64), np.zeros((size, m), np.int64), np.zeros((size, m))
    shapes = ((np.int64,), (np.uint8, m), (np.uint8, PAIRS), (np.int16, LISTED + 1))
    grouping = tuple(np.zeros((size, *shape), dtype) for dtype, *shape in shapes)
    rules = (hand_value_table(), np.array(BOOK.least), 5)
    there = (boards.cards[first], known, np.isin(known, shown))
    rank_kernel(*there, combo_index(hole), hands, rules, together, own_row, place, score, grouping)
    return [boards.board(int(b)) for b in first], hands, own_row, place, score, grouping


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(
    ("root", "counts"),
    [
        ("9d8s7d", (0, 0)),
        ("9d8d7d", (3, 2)),
        ("9d8s7d2c", (0,)),
        ("9d9s7d2c", (4,)),
        ("9d8d7d2d", (0,)),
        ("9d9s7d2c2d", ()),
    ],
)
def test_all_boards_are_ranked_as_each_by_itself(root, counts, together) -> None:
    """Classes and showdowns of all boards in one call, beside each board by itself and exact equity."""
    found, hands, own_row, place, score, (groups, group, by_pair, odd) = _ranked("AsKd", root, counts, together)
    own, draw = combo_index("AsKd"), np.random.default_rng(5)
    for u in [*draw.choice(len(found), min(len(found), 40), replace=False).tolist(), 0]:
        board = found[u]
        alone = board_hands(tuple(sorted(board)), BOOK.least)
        assert own_row[u] == alone.texture * 75 + alone.classes[own]
        there = np.flatnonzero(alone.strength[hands] > 0)
        at = there
        if together and len(board) == 5 > len(cards(root)):
            assert (np.flatnonzero(group[u] == BLOCKED) == np.setdiff1d(np.arange(len(hands)), there)).all()
            at = group[u, there]
            assert at.max() + 1 == groups[u] < BLOCKED
            differ = np.flatnonzero(group[u] != by_pair[u, PAIR[hands]])
            assert odd[u, 0] == (len(differ) if len(differ) <= LISTED else -1)
            assert odd[u, 0] < 0 or (odd[u, 1 : odd[u, 0] + 1] == differ).all()
        else:
            assert groups[u] == 0
        assert (place[u, at] == alone.classes[hands[there]]).all()
        if len(board) == 5:
            results = np.sign(int(alone.strength[own]) - alone.strength[hands[there]].astype(np.int64))
            assert (score[u, at] == results).all()
            continue
        for i in draw.choice(there, 8, replace=False).tolist():
            exact = equity(["AsKd", combo_text(int(hands[i]))], list(board)).equity[0]
            assert score[u, i] == pytest.approx(2 * exact - 1, abs=1e-12)


def test_only_all_ins_that_may_happen_are_worked_out() -> None:
    """The results of an all-in on the turn do not need those of one on the flop, nor the other way round."""
    scores = {shown: _ranked("AsKd", "9d8s7d", (3, 2), False, shown)[4] for shown in ((3, 4, 5), (3,), (4,), (5,))}
    known = np.array([len(board) for board in _ranked("AsKd", "9d8s7d", (3, 2), False)[0]])
    for street in (3, 4, 5):
        alone = scores[(street,)]
        assert (alone[known == street] == scores[3, 4, 5][known == street]).all()
        assert not alone[known != street].any()
        assert alone.any()


def test_nodes_below_a_node_follow_it() -> None:
    tree = Tree(_view("r300c/", "AsKh|", "/9d8s7d"), TreeMenus(FIRST, LATER, (2, 1)))
    ends = ends_kernel(tree.above)
    below = [{n} for n in range(len(tree.kinds))]
    for n in range(len(tree.kinds) - 1, 0, -1):
        below[tree.above[n]] |= below[n]
    assert [set(range(n, ends[n])) for n in range(len(below))] == below
