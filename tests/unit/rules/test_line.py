"""A line gives the states, views, pots and steps of a hand as step-by-step play does, on random hands of all kinds."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest

from dupai.base import Rng, RulesError
from dupai.cards import NO_CARD
from dupai.rules import BOARD_CARDS, FOLD, Action, GameSpec, HandRecord, HandState, pots_of, step_of, steps_of
from naive.rules_random import random_action, random_spec, random_stacks

HANDS = 150


def same(a: HandState, b: HandState) -> bool:
    return (
        a.state.tobytes() == b.state.tobytes()
        and (a.actions, a.actor, a.street, a.legal) == (b.actions, b.actor, b.street, b.legal)
        and (a.seats, a.hand, a.spec) == (b.seats, b.hand, b.spec)
    )


def random_hands(seed: int) -> Iterator[list[HandState]]:
    """The states of a hand, played step by step; free folds under casino rules."""
    rng = Rng(seed)
    for number in range(HANDS):
        spec = random_spec(rng)
        seats = tuple(5 + (p + number) % spec.players for p in range(spec.players))
        state = HandState.deal(spec, rng, stacks=random_stacks(rng, spec), seats=seats, hand=number)
        states = [state.copy()]
        while not state.finished:
            free = spec.min_raise == "casino" and rng.below(12) == 0
            state.follow(Action.fold() if free else random_action(rng, state.legal))
            states.append(state.copy())
        yield states


def test_the_states_of_a_line_are_those_of_play() -> None:
    for states in random_hands(1):
        line = states[-1].line
        assert [same(a, b) for a, b in zip(line.states(), states, strict=True)] == [True] * len(states)
        k = len(states) // 2
        assert same(line.at(k), states[k]) and same(line.at(), states[-1])
        assert states[k].line == msgspec.structs.replace(line, actions=line.actions[:k])
        record = states[-1].record()
        assert record.at().payoffs.tolist() == list(record.payoffs)
        assert msgspec.json.decode(msgspec.json.encode(record), type=HandRecord) == record


def test_a_view_has_the_line_and_goes_on_from_where_it_stands() -> None:
    rng = Rng(2)
    for states in random_hands(2):
        k = rng.below(len(states))
        state, viewer = states[k], (None, 0, 1)[rng.below(3)]
        view = state.view(viewer)
        assert view.line == state.line.seen_by(viewer)
        assert set(view.line.board) <= set(view.board)
        for resumed in (view.resume(), pickle.loads(pickle.dumps(view)).resume()):
            assert resumed.view(viewer).state.tobytes() == view.state.tobytes()
            for action in states[-1].line.actions[k:]:
                resumed.follow(action)
            assert (resumed.actions, resumed.contributions) == (states[-1].actions, states[-1].contributions)
        assert view.state.tobytes() == state.view(viewer).state.tobytes()  # playing on has not touched it
        hidden = view.public()
        assert hidden.line == state.line.seen_by(None) or state.showdown


def test_the_end_of_each_street_shows_no_later_card() -> None:
    for states in random_hands(3):
        line = states[-1].line
        ends = {}
        for k, (street, _, _) in enumerate(states[-1].actions, 1):
            ends[street] = k
        seen = []
        for street, state in line.street_ends():
            seen.append((street, len(state.actions)))
            board = state.state["board"][0].tolist()
            opened = BOARD_CARDS[street]
            assert board == [*line.board[:opened], *[NO_CARD] * (5 - opened)]
        assert seen == sorted(ends.items())


def test_pots_pay_what_the_kernel_pays() -> None:
    shown = 0
    for states in random_hands(4):
        for state in states:
            assert sum(pot.chips for pot in pots_of(state, uncalled=True)) == state.pot
            assert sum(pot.chips for pot in pots_of(state)) == state.pot - state.uncalled[1]
            assert sum(pot.chips for pot in pots_of(state, bets=False)) == state.pot - sum(state.bets)
        end = states[-1]
        if end.spec.odd_chips != "acpc":
            continue  # odd chips go to one player each
        payoffs, strengths = end.payoffs, end.state["strength"][0]
        won = [-(total + ante) * end.spec.split for total, ante in zip(end.contributions, end.antes, strict=True)]
        for chips, positions in pots_of(end, uncalled=True):
            best = max(strengths[p] for p in positions)
            winners = [p for p in positions if strengths[p] == best]
            shown += len(winners)
            for p in winners:
                won[p] += chips * end.spec.split // len(winners)
        assert won == payoffs.tolist()
    assert shown > HANDS / 4


def test_steps_add_up_to_the_hand() -> None:
    kinds = set()
    for states in random_hands(5):
        end = states[-1]
        record = end.record()
        steps = steps_of(record)
        kinds |= {step.kind for step in steps}
        put = np.zeros(end.spec.players, np.int64)
        for step in steps:
            if step.kind in ("ante", "post") or step.is_action:
                put[step.position] += step.chips
                assert step.pot == put.sum()
        assert put.tolist() == [a + b for a, b in zip(end.contributions, end.antes, strict=True)]
        actions = [step for step in steps if step.is_action]
        assert [(s.street, s.position) for s in actions] == [(street, p) for street, p, _ in end.actions]
        for step, state, action in zip(actions, states, record.actions, strict=False):
            assert step == step_of(state, action) and (step.kind == "fold") == (action.kind == FOLD)
            after = state.copy()
            after.follow(action)
            assert step.all_in == (after.all_in[step.position] and action.kind != FOLD)
        opened = [step.cards for step in steps if step.kind == "street"]
        assert opened == [end.board[: BOARD_CARDS[k]] for k in range(1, end.street + 1)]
        assert {s.position: s.chips for s in steps if s.kind in ("win", "lose")} == {
            p: chips for p, chips in enumerate(record.payoffs) if chips
        }
        assert steps_of(end.line) == [s for s in steps if s.kind not in ("show", "muck", "win", "lose")]
    assert kinds >= {"ante", "post", "street", "fold", "check", "call", "bet", "raise", "return", "show", "win", "lose"}


def test_who_forfeits_folds_where_the_rules_let_them() -> None:
    for rule, folds in (("casino", True), ("acpc", False)):
        state = HandState(GameSpec.no_limit(2, min_raise=rule))
        assert state.forfeit == Action.fold()
        state.apply(Action.call())
        assert state.forfeit == (Action.fold() if folds else Action.call())
        with pytest.raises(RulesError, match="no bet to fold to"):
            state.apply(Action.fold())
        state.follow(state.forfeit)
        assert state.finished == folds
