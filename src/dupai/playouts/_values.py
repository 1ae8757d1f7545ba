"""What each action is worth at a decision: the same deals and dice for all."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dupai.base import ConfigError, Estimate
from dupai.base.arrays import F64, I64
from dupai.cards import COMBOS, NO_CARD
from dupai.playouts._lockstep import Table, no_cards
from dupai.playouts._players import Player
from dupai.reading.model import load_weights
from dupai.rules import FOLD, MAX_PLAYERS, Action, View
from dupai.spots import line_so_far

#: Deals of the first batch, and of each later one.
_FIRST, _BATCH = 64, 256
#: An action is given up, and the best settled, once the difference is this many errors, on at least so many deals.
_BEHIND, _SOONEST = 3.0, 256


@dataclass(frozen=True, slots=True, eq=False)
class ActionValues:
    """What actions won in play-outs.

    Attributes:
        actions: what was compared.
        won: ``float64[deals, actions]``: chips won from the decision on (what was put in before counts as lost, so that
            a fold wins 0), without the luck of decisions; nan where an action had been given up.
        luck: ``float64[deals, actions]``: what that luck was: chips that are not in ``won``, 0 on average.
    """

    actions: tuple[Action, ...]
    won: F64
    luck: F64 | None = None

    @property
    def means(self) -> F64:
        """``float64[actions]``: chips won on average. Of an action that was given up, the best one's mean less its gap
        on the deals that both were played on, where the gap is known better than the action's own mean."""
        best = self.best
        means = np.nanmean(self.won, axis=0)
        for k in np.flatnonzero(np.isnan(self.won[-1])).tolist():
            gap = self.difference(k, best)
            if gap.se < self.value(k).se:
                means[k] = means[best] + gap.mean
        return np.asarray(means)

    @property
    def best(self) -> int:
        """The action with the largest mean among those that were never given up."""
        kept = ~np.isnan(self.won[-1])
        return int(np.where(kept, np.nanmean(self.won, axis=0), -np.inf).argmax())

    def value(self, action: int) -> Estimate:
        """Chips won by an action, by its number."""
        return Estimate.of(self.won[~np.isnan(self.won[:, action]), action])

    def difference(self, action: int, other: int) -> Estimate:
        """Chips by which one action beats another, on the deals that both were played on."""
        gaps = self.won[:, action] - self.won[:, other]
        return Estimate.of(gaps[~np.isnan(gaps)])


def values(
    view: View, ranges: Mapping[int, F64], who: Sequence[Player], actions: Sequence[Action], *, deals: int = 1024,
    least: int = 0, error: float = 0.0, seconds: float | None = None, seed: int = 1, drop: bool = False,
    keep: Collection[int] = (), rank: bool = False,
) -> ActionValues:  # fmt: skip
    """What ``actions`` are worth for the player to act.

    Hands of the opponents are drawn from ``ranges``, which are independent but for shared cards
    (:func:`dupai.reading.readings_to_draw`), the board from the rest; then all play on by their models. All actions see
    the same deals and dice, so that differences are less noisy than values. In no-limit games the luck of everybody's
    decisions is taken out as far as value networks know it, which leaves values as they are on average.

    Args:
        view: of the player to act, with their hole cards.
        ranges: ``float64[1326]`` by position, for opponents who have not folded; any hand where none is given.
        who: players by position, the one to act among them (how they go on later in the hand).
        actions: legal ones.
        deals: at most so many, and ``least``: at least so many before ``error`` or ``drop`` may end it.
        error: chips; stop once the best two differ with no larger error, or by more than three times their error, after
            256 deals at the soonest.
        seconds: at most about so long: a batch that would take longer is not begun (64 deals are always played).
        seed: of cards and dice: the same gives the same values, unless ``seconds`` ends them.
        drop: stop playing actions that are clearly worse than the best.
        keep: numbers of actions that are played on all deals all the same.
        rank: count what stacks are worth for the rank in a tournament (:func:`rank_worth`), not chips.

    Raises:
        ConfigError: nobody is to act, hole cards are not known, no actions, unknown population, or a game or networks
            that play-outs do not know.
    """
    me = view.actor
    if me < 0 or NO_CARD in view.hole_of(me):
        raise ConfigError("play-outs begin at a decision whose player's hole cards are known")
    if not actions or deals < 1:
        raise ConfigError(f"{len(actions)} actions on {deals} deals: expected at least one of each")
    begun = time.monotonic()
    side = min(max(deals, 1), _BATCH)
    table = Table(view.spec, who, load_weights(), side, len(actions), len(view.board), -1 if rank else me)
    hole, board = no_cards()
    hole[me] = view.hole_of(me)
    board[: len(view.board)] = view.board
    live = np.array([p < view.spec.players and p != me and not view.folded[p] for p in range(MAX_PLAYERS)])
    steps = np.zeros((MAX_PLAYERS, COMBOS))
    for position, weight in ranges.items():
        steps[position] = np.cumsum(weight)
    line = line_so_far(view)
    pairs = (np.array([a.kind for a in actions], np.int64), np.array([a.to for a in actions], np.int64))
    paid = view.contributions[me] + view.antes[me]
    folded = rank_worth(_after_a_fold(view)[None], me)[0] if rank else 0.0
    alive, folds = np.arange(len(actions)), pairs[0] == FOLD
    parts: list[tuple[F64, F64]] = []
    done, took = 0, 0.0
    while done < deals and (seconds is None or not done or time.monotonic() - begun + took < seconds):
        start = time.monotonic()
        many = min(_BATCH if done else min(_FIRST, _BATCH), deals - done)
        cards = table.deal(done, many, hole, board, steps, live, seed)
        won = np.full((many, len(actions)), np.nan)
        won[:, alive] = 0.0
        lucky = won.copy()
        # A fold wins 0 whatever comes.
        played = alive[~folds[alive]]
        if len(played):
            lanes, luck = table.play(cards, done, line, seed, pairs, played)
            chips = lanes.payoffs[:, : view.spec.players] / view.spec.split
            gains = rank_worth(view.start_stacks + chips, me) - folded if rank else chips[:, me] + paid
            lucky[:, played] = luck.reshape(many, -1)
            won[:, played] = gains.reshape(many, -1) - lucky[:, played]
        parts.append((won, lucky))
        done += many
        took = (time.monotonic() - start) * min(_BATCH, deals - done) / many
        so_far = ActionValues(tuple(actions), *map(np.concatenate, zip(*parts, strict=True)))
        if drop or error:
            alive = _still(so_far, alive, keep) if drop and done >= _SOONEST else alive
            settled = error and done >= _SOONEST and _settled(so_far, alive, error)
            if done >= least and (len(alive) < 2 or settled):
                break
    return ActionValues(tuple(actions), *map(np.concatenate, zip(*parts, strict=True)))


def rank_worth(stacks: F64, me: int) -> F64:
    """``float64[n]``: what stacks (``[n, players]``) are worth to a player whose rank counts: how many of the others go
    broke before them, if of any two the one does with the chance of the other's share of their chips, as ICM has it
    (Harville 1973; Malmuth 1987). In units of about a chip where all have the same."""
    mine, players = stacks[:, me], stacks.shape[1]
    both = mine[:, None] + np.delete(stacks, me, axis=1)
    ahead = np.divide(mine[:, None], both, out=np.full_like(both, 0.5), where=both > 0).sum(axis=1)
    return np.asarray(ahead * 4 * stacks[0].mean() / (players - 1))


def _after_a_fold(view: View) -> F64:
    """``float64[players]``: the stacks after a fold, the pot shared among the opponents still in."""
    stacks = np.array(view.stacks, np.float64)
    others = [p for p in range(view.spec.players) if p != view.actor and not view.folded[p]]
    stacks[others] += view.pot / len(others)
    return stacks


def _still(so_far: ActionValues, alive: I64, keep: Collection[int]) -> I64:
    """The actions that are not clearly worse than the best."""
    best = so_far.best
    gaps = [(k, so_far.difference(k, best)) for k in alive.tolist()]
    return np.array([k for k, gap in gaps if k in keep or k == best or gap.mean > -_BEHIND * gap.se], np.int64)


def _settled(so_far: ActionValues, alive: I64, error: float) -> bool:
    best = so_far.best
    gaps = [so_far.difference(best, k) for k in alive.tolist() if k != best]
    return all(gap.se <= error or gap.mean > 3 * gap.se for gap in gaps)
