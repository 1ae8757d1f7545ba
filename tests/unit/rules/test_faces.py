"""HandState, View and HandRecord: what they say, what they hide, what they refuse."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from dupai.base import Rng, RulesError
from dupai.cards import card, cards
from dupai.rules import STATE_DTYPE, Action, GameSpec, HandRecord, HandState, Legal
from naive.rules_play import play
from naive.rules_random import random_action, random_spec, random_stacks


def random_hand(rng, **kw):
    spec = random_spec(rng, **kw)
    state = HandState.deal(spec, rng, stacks=random_stacks(rng, spec), hand=7)
    while not state.finished:
        state.apply(random_action(rng, state.legal))
    return state


def test_deal_is_the_same_from_the_same_seed_and_follows_the_generator():
    spec = GameSpec.no_limit(3)
    a, b = HandState.deal(spec, Rng(5, 1)), HandState.deal(spec, Rng(5, 1))
    assert (a.state == b.state).all()
    rng, out = Rng(5, 1), []
    while len(out) < 11:
        c = rng.below(52)
        if c not in out:
            out.append(c)
    assert [c for hole in a.hole for c in hole] + a.state["board"][0].tolist() == out
    assert (HandState.deal(spec, Rng(5, 2)).state != a.state).any()
    other = HandState.deal(spec, Rng(5, 1), stacks=(300, 400, 500))
    assert other.hole == a.hole
    assert other.start_stacks == (300, 400, 500)


def test_every_card_is_dealt_to_every_place_equally_often():
    rng, n = Rng(3), 4000
    counts = np.zeros((9, 52))
    for _ in range(n):
        s = HandState.deal(GameSpec.no_limit(2), rng)
        row = [*(c for hole in s.hole for c in hole), *s.state["board"][0].tolist()]
        assert len(set(row)) == 9
        counts[np.arange(9), row] += 1
    chi2 = ((counts - n / 52) ** 2 / (n / 52)).sum()  # 9 x 51 degrees of freedom: mean 459, deviation 30
    assert 459 - 5 * 30.3 < chi2 < 459 + 5 * 30.3


def test_state_tells_the_table():
    s = HandState(GameSpec.no_limit(3, ante=5), ["AsKd", None, "2c2d"], "7h8h9h", seats=(4, 0, 2), hand=12)
    play(s, "r300 c")
    assert (s.actor, s.street, s.finished, s.hand, s.seats) == (1, 0, False, 12, (4, 0, 2))
    assert s.stacks == (19_695, 19_895, 19_695)
    assert s.start_stacks == (20_000,) * 3
    assert (s.bets, s.contributions, s.pot, s.to_call) == ((300, 100, 300), (300, 100, 300), 715, 200)
    assert s.board == ()
    play(s, "c /")
    assert s.bets == (0, 0, 0)
    assert s.board == cards("7h8h9h")
    assert s.actions == ((0, 2, Action.raise_to(300)), (0, 0, Action.call()), (0, 1, Action.call()))
    assert s.hole == (cards("AsKd"), (255, 255), cards("2c2d"))
    assert "position 0 to act" in repr(s)
    assert "over" in repr(play(s, "c c r900 f f"))


def test_a_finished_hand_has_nothing_legal():
    s = play(HandState(GameSpec.no_limit(2)), "f")
    assert s.legal == Legal(False, 0, 0, 0)
    assert s.actor == -1


def test_copies_and_views_are_independent_of_what_follows():
    s = play(HandState.deal(GameSpec.no_limit(3), Rng(1)), "r300")
    twin, view = s.copy(), s.view(0)
    play(s, "c c / c")
    assert (twin.street, twin.actor, len(twin.actions)) == (0, 0, 1)
    assert (view.street, view.actor, view.actions, view.to_call) == (0, 0, twin.actions, 250)
    play(twin, "f")
    assert s.folded == (False, False, False)


def test_copy_is_as_good_as_the_original():
    rng = Rng(9)
    for _ in range(50):
        spec = random_spec(rng)
        s = HandState.deal(spec, rng, stacks=random_stacks(rng, spec))
        while not s.finished:
            s = s.copy()
            s.apply(random_action(rng, s.legal))
        again = s.record().at()
        assert (again.payoffs == s.payoffs).all()
        # only board cards that were never dealt are not in a record
        assert all((again.state[f] == s.state[f]).all() for f in STATE_DTYPE.names if f != "board")


def test_everything_can_be_sent_to_another_process():
    s = play(HandState.deal(GameSpec.no_limit(3), Rng(4), hand=3), "r300 c c /")
    for face in (s, s.view(1)):
        back = pickle.loads(pickle.dumps(face))
        assert all((back.state[f] == face.state[f]).all() for f in STATE_DTYPE.names)
        assert (back.spec, back.legal, back.actions, back.seats, back.hand) == (
            face.spec,
            face.legal,
            face.actions,
            face.seats,
            3,
        )
    back = pickle.loads(pickle.dumps(s))
    assert play(back, "c c c /").pot == s.pot


def visible_cards(view):
    return {c for c in [*view.state["hole"][0].ravel().tolist(), *view.state["board"][0].tolist()] if c != 255}


def test_a_view_holds_no_card_that_its_player_cannot_know():
    rng = Rng(12)
    shown = hidden = 0
    for _ in range(150):
        spec = random_spec(rng)
        s = HandState.deal(spec, rng, stacks=random_stacks(rng, spec))
        while True:
            for position in [*range(spec.players), None]:
                view = s.view(position)
                known = set(s.board)
                if position is not None:
                    known |= set(s.hole[position])
                    assert view.hole == s.hole[position]
                else:
                    assert view.hole == (255, 255)
                if s.finished and s.showdown:
                    known |= {c for h, f in zip(s.hole, s.folded, strict=True) if not f for c in h}
                    shown += 1
                else:
                    assert not view.state["strength"].any()
                    hidden += 1
                assert visible_cards(view) == known
                assert view.board == s.board
                assert (view.legal, view.pot, view.bets, view.stacks) == (s.legal, s.pot, s.bets, s.stacks)
            if s.finished:
                break
            s.apply(random_action(rng, s.legal))
        _ = s.payoffs
    assert shown > 100
    assert hidden > 1000


def test_the_public_part_of_a_view_is_what_an_observer_sees():
    rng = Rng(8)
    for _ in range(60):
        state = random_hand(rng)
        for p in range(state.spec.players):
            public = state.view(p).public()
            assert public.position is None and public.state == state.view(None).state


def test_cards_can_be_learned_later():
    s = HandState(GameSpec.no_limit(3), [None, "AsKd", None])
    assert s.view(1).hole == cards("AsKd")
    play(s, "c c c /")
    assert s.board == ()
    s.set_board("7h8h9h")
    assert s.board == cards("7h8h9h")
    play(s, "c c c /")
    s.set_board(cards("7h8h9hTd"))
    play(s, "r500 f c /")
    s.set_board("7h8h9hTd2c")
    play(s, "c c")
    with pytest.raises(RulesError, match="hole cards of position 0 and the hole cards of position 2"):
        _ = s.payoffs
    s.set_hole(0, "JcQc")
    s.set_hole(2, "2h2d")
    assert s.payoffs.tolist() == [600, -100, -500]
    assert s.record(payoffs=(1, 2, -3)).payoffs == (1, 2, -3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda g: HandState(g, ["AsKd", "AsQd"]), "card As is dealt twice"),
        (lambda g: HandState(g, ["AsKd", None], "As2c3c"), "card As is dealt twice"),
        (lambda g: HandState(g, [[51, 51], None]), "card As is dealt twice"),
        (lambda g: HandState(g, ["AsKdQd", None]), "AsKdQd is 3 cards: expected two hole cards"),
        (lambda g: HandState(g, [[52, 0], None]), "52 is not a card"),
        (lambda g: HandState(g, ["AsKd"]), "hole cards for 1 positions: expected 2"),
        (lambda g: HandState(g, board="2c3c4c5c6c7c"), "6 cards: expected at most five"),
        (lambda g: HandState(g, stacks=(100,)), "1 stacks: expected 2"),
        (lambda g: HandState(g, stacks=(100, 0)), "nobody can be dealt in without chips"),
        (lambda g: HandState(g, seats=(1, 1)), "expected 2 different seats"),
        (lambda g: HandState(g).record(), "the hand is not over: it has no record yet"),
    ],
)
def test_nonsense_is_refused(make, message):
    with pytest.raises(RulesError, match=message):
        make(GameSpec.no_limit(2))


def test_record_survives_json_and_replays():
    rng = Rng(17)
    for _ in range(50):
        s = random_hand(rng)
        r = s.record(names=[f"p{i}" for i in range(s.spec.players)], section="day 1", comment="a comment")
        back = msgspec.json.decode(msgspec.json.encode(r), type=HandRecord)
        assert back == r
        assert hash(back) == hash(r)
        again = back.at()
        assert again.actions == s.actions
        assert again.payoffs.tolist() == list(r.payoffs)
        assert (again.hand, again.board, again.start_stacks) == (7, s.board, s.start_stacks)
        assert back.at(1).actions == s.actions[:1]


def test_record_knows_who_showed_and_hides_the_rest():
    s = play(HandState.deal(GameSpec.no_limit(3), Rng(2)), "c c c / r500 f c / c c / c c")
    r = s.record()
    assert r.shown == (True, False, True)
    assert r.seen_by(1).hole == s.hole
    assert r.seen_by(0).hole == r.seen_by(None).hole == (s.hole[0], (255, 255), s.hole[2])
    assert [r.seen_by(i).hero for i in (0, 1, None)] == [0, 1, None]
    assert r.seen_by(1).seen_by(None).hero is None
    walk = play(HandState.deal(GameSpec.no_limit(3), Rng(2)), "f f").record()
    assert walk.shown == (False, False, False)
    assert walk.board == ()
    assert walk.seen_by(2).hole == ((255, 255), (255, 255), s.hole[2])


def test_a_recorded_free_fold_replays_under_casino_rules_only():
    s = play(HandState.deal(GameSpec.no_limit(3), Rng(2)), "c c")
    s.follow(Action.fold())
    play(s, "r500 f")
    assert s.record().at().payoffs.tolist() == s.payoffs.tolist()
    acpc = msgspec.structs.replace(s.record(), spec=GameSpec.no_limit(3, min_raise="acpc"))
    with pytest.raises(RulesError, match="fold refused"):
        acpc.at()


SCRIPT = """
import sys; sys.path.insert(0, {tests!r})
from naive.rules_random import random_action, random_spec, random_stacks
from dupai.base import Rng
from dupai.rules import HandState
rng = Rng(77)
for _ in range(25):
    spec = random_spec(rng)
    s = HandState.deal(spec, rng, stacks=random_stacks(rng, spec))
    while not s.finished:
        s.apply(random_action(rng, s.legal))
    print(s.view(0).hole, s.board, *s.actions, s.payoffs.tolist())
"""


def test_kernels_give_the_same_interpreted():
    tests = str(Path(__file__).parents[2])
    outputs = []
    for off in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": off}
        run = subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT.format(tests=tests)], env=env, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        outputs.append(run.stdout)
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 25
    assert card("As") == 51
