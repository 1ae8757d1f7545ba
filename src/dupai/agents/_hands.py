"""What an agent would do with every hand that it may hold: for tracking its range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from dupai.agents._capabilities import capabilities
from dupai.agents._protocol import Agent, HasHandPolicy, HasPolicy
from dupai.base import AgentError, Rng
from dupai.base.arrays import F64
from dupai.cards import COMBO_CARDS, COMBO_CLASS, COMBOS
from dupai.equity import win_rates
from dupai.rules import Action, View
from dupai.spots import ActionDistribution, HandPolicy, RaiseBetween

#: How often an agent without a policy is asked for its action with one hand.
ASKED_AGAIN = 4


class AskedPolicy(NamedTuple):
    """What :func:`hand_policy` found: the policy, and whether it is exact for all hands (else some hands stand for
    others, or actions were sampled)."""

    policy: HandPolicy
    exact: bool


def hand_policy(agent: Agent, view: View, possible: F64, *, most: int = 0, rng: Rng | None = None) -> AskedPolicy:
    """What an agent does with each hand in a spot.

    An agent with :class:`HasHandPolicy` is asked once. Another one is asked hand by hand, before the flop for one hand
    of each of the 169 classes; one without ``policy`` acts :data:`ASKED_AGAIN` times with each, which is never exact.

    Args:
        agent: whose turn it is in ``view``.
        view: the spot; the hole cards of the player to act do not matter.
        possible: ``float64[1326]``: hands of weight 0 are not asked.
        most: ask at most so many hands, spread over the win rates; the others do as the nearest (0: all of them).
        rng: for agents without a policy.
    """
    can = capabilities(agent)
    if can.hand_policy:
        return AskedPolicy(cast(HasHandPolicy, agent).hand_policy(view), True)
    hands = np.flatnonzero(possible > 0)
    asked, group, thinned = _asked(view, hands, most)
    seat = _seated(view)
    rng = rng or Rng(0)
    found: dict[Action | tuple[int, int], F64] = {}
    for place, hand in enumerate(asked.tolist()):
        seat.state["hole"][0, view.actor] = COMBO_CARDS[hand]
        for action, p in _one(agent, seat, rng, can.policy):
            row = found.get(action)
            if row is None:
                row = found[action] = np.zeros(len(asked))
            row[place] += p
    actions = tuple(a if isinstance(a, Action) else RaiseBetween(*a, 1.0) for a in found)
    chances = np.full((len(actions), COMBOS), 1 / max(len(actions), 1))
    chances[:, hands] = np.array([row[group] for row in found.values()]).reshape(len(actions), len(hands))
    return AskedPolicy(HandPolicy(actions, chances), can.policy and not thinned)


def _asked(view: View, hands: Sequence[int] | np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray, bool]:
    """The hands to ask, for each of ``hands`` the place of the one that stands for it, and whether that may be a hand
    that is played otherwise."""
    hands = np.asarray(hands)
    if not view.board:
        _, first, group = np.unique(COMBO_CLASS[hands], return_index=True, return_inverse=True)
        asked = hands[first]
        if not most or len(asked) <= most:
            return asked, group, False
    elif not most or len(hands) <= most:
        return hands, np.arange(len(hands)), False
    rate = win_rates(view.board or None)[hands]
    order = np.argsort(rate, kind="stable")
    group = np.empty(len(hands), np.int64)
    group[order] = np.arange(len(hands)) * most // len(hands)
    middle = [(k * len(hands) // most + ((k + 1) * len(hands) - 1) // most) // 2 for k in range(most)]
    return hands[order[middle]], group, True


def _seated(view: View) -> View:
    """A copy of the view as the player to act has it, whose hole cards may be written."""
    new = view.public()
    new.state["hole"][0, :] = 255
    new.position = view.actor
    return new


def _answer(agent: Agent, view: View, rng: Rng) -> Action:
    reply: object = agent.act(view, rng)
    if not isinstance(reply, Action):
        raise AgentError(f"the agent answered {reply!r}: expected an Action")
    return Action(*reply)


def _one(agent: Agent, view: View, rng: Rng, known: bool) -> list[tuple[Action | tuple[int, int], float]]:
    """What the agent does with one hand."""
    if not known:
        return [(_answer(agent, view, rng), 1 / ASKED_AGAIN) for _ in range(ASKED_AGAIN)]
    policy: ActionDistribution = cast(HasPolicy, agent).policy(view)
    return [*policy.points, *(((span.lo, span.hi), span.p) for span in policy.spans)]
