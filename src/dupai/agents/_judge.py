"""What the actions of a decision are worth, and which of them are good: for coaches, advice and agents.

Actions are valued by play-outs (:mod:`dupai.playouts`): opponents hold what a reader reads and act by the populations
that it takes them for, and the player goes on as the strongest population of the game does. That population is also the
prior: play-outs cannot be believed about actions that it never takes, for no hand of such a line was ever seen. It
never had a short stack, so some actions of short stacks are believed without it. Heads-up turns and rivers are solved
instead, and before the flop short stacks of the last two play the push/fold equilibrium.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import msgspec
import numpy as np

from dupai.agents._judgement import Judgement, believed_when_short, short_stacks, solved_street
from dupai.agents._persona._agent import GROUPS, column_actions, columns_of, mean_model
from dupai.agents._protocol import HasActionModel
from dupai.agents._rates import blind
from dupai.base.arrays import F64
from dupai.cards import NO_CARD, combo
from dupai.notation import Reason
from dupai.playouts import ActionValues, PersonaHabits, Player, persona_habits, values
from dupai.reading import Reader, populations, readings_to_draw
from dupai.rules import FOLD, Action, GameSpec, View
from dupai.spots import Spot, spots

#: The strongest population of a game and the key of its habits: limit games, heads-up, at a table.
_LIMIT, _HEADS_UP, _TABLE = ("Hyperborean_iro", ""), ("DeepStack", "deepstack"), ("Pluribus", "pluribus")
#: An action is recommended only if the prior gives it so much; an all-in of more than 1.3 pots needs more.
_MIN_PRIOR, _MIN_ALL_IN_PRIOR, _LARGE = 0.03, 0.15, 1.3
#: Share of folds in the prior up to which the first all-in of a short stack may take the place of another raise.
_MAX_FOLDS = 0.5
#: The likeliest raise is valued if the prior gives it so much, though it may not be trusted.
_MIN_SHOWN = 0.002
#: Deals at least, and deals of actions that are not trusted.
_MIN_DEALS, _DOUBTED_DEALS = 1024, 512
#: An all-in is always tried if it is at most so many big blinds, or so many pots.
_SHORT_BLINDS, _SHORT_POTS = 25, 1.5


@runtime_checkable
class _TakesFor(Protocol):
    """An action model that takes players for members of populations."""

    def taken_for(self, seat: int, spec: GameSpec) -> tuple[str, F64 | None]:
        """The population of a seat's player, and the habits learned of them."""


def judge(
    view: View, reader: Reader, also: Sequence[Action] = (), *, deals: int = 4096, error: float = 0.25,
    seconds: float | None = None, seed: int = 1, solve: bool = True, rank: bool = False,
    trusted_only: bool = False, doubt: float = 1.0, first_all_ins: bool = True,
) -> Judgement:  # fmt: skip
    """What actions are worth for the player to act.

    Args:
        view: of the player to act, with their hole cards.
        reader: says what the opponents hold and whom it takes them for; it knows their names.
        also: actions that are valued in any case, in place of others of about their size.
        deals, seed: as for :func:`dupai.playouts.values`.
        seconds: at most about so long.
        error: big blinds; the play-outs end once the best two differ with no larger error, or clearly.
        solve: whether heads-up turns and rivers are solved (else play-outs alone).
        trusted_only: leave out actions whose values are not to be believed.
        doubt: part of the usual prior that an action needs to be believed: small where the opponents are well known.
        first_all_ins: whether those of short stacks are believed without the prior.
        rank: in a tournament: values are what stacks are worth for the rank (:func:`dupai.playouts.values`).

    Raises:
        AgentError: nobody is to act, or the player's hole cards are not known.
        ConfigError: the reader cannot read the view, or play-outs do not know the game.
    """
    begun = time.monotonic()
    if view.actor < 0 or NO_CARD in view.hole_of(view.actor):
        raise blind(view)
    spot = spots(view)[-1]
    found = short_stacks(view, spot, also) if solve or view.spec.players == 2 else None
    if found is None and solve:
        found = solved_street(view, spot, reader, also, seconds)
    if found is not None:
        return found
    me, hand = view.actor, combo(*view.hole_of(view.actor))
    population, habits = strongest(view.spec)
    columns = columns_of(spot, hand, population, habits)
    actions, prior = _candidates(view, spot, columns, habits, also, doubt * _MIN_PRIOR)
    large = _LARGE * (spot["pot"] + spot["to_call"]) + spot["total"] + spot["to_call"]
    least = [doubt * (_MIN_ALL_IN_PRIOR if a.to == spot["max_to"] > large else _MIN_PRIOR) for a in actions]
    trusted = [p >= low for p, low in zip(prior, least, strict=True)]
    if not any(trusted):
        trusted = [p == max(prior) for p in prior]
    folds = sum(p for a, p in zip(actions, prior, strict=True) if a.kind == FOLD)
    shoves = first_all_ins and folds <= _MAX_FOLDS
    trusted = [good or believed_when_short(view, spot, a, shoves) for a, good in zip(actions, trusted, strict=True)]
    ranges = {view.seats.index(seat): r.p for seat, r in readings_to_draw(reader, view).items()}
    who = [Player(population, habits) if p == me else _opponent(reader, view, p) for p in range(view.spec.players)]
    start = _without_pot_limit(view)
    deal_seed = (seed * 1_000_003 + view.hand * 131 + len(view.actions)) % 2**63
    if trusted_only:
        kept = [k for k, a in enumerate(actions) if trusted[k] or a in also]
        actions, prior, trusted = [actions[k] for k in kept], [prior[k] for k in kept], [trusted[k] for k in kept]
    compared = [k for k, a in enumerate(actions) if trusted[k] or a in also]
    doubted = [k for k in range(len(actions)) if k not in compared]
    # What is left of the time; actions that are not trusted get a tenth.
    left = None if seconds is None else max(seconds - (time.monotonic() - begun), 0.0)
    asked = [n for n, k in enumerate(compared) if actions[k] in also]
    played = values(
        start, ranges, who, [actions[k] for k in compared], deals=deals, least=min(_MIN_DEALS, deals),
        error=error * max(view.spec.big_blind, 1), seconds=left and 0.9 * left, seed=deal_seed, drop=True, keep=asked,
        rank=rank,
    )  # fmt: skip
    won = np.full((len(played.won), len(actions)), np.nan)
    won[:, compared] = played.won
    if doubted:
        few = min(_DOUBTED_DEALS, len(won))
        more = values(
            start, ranges, who, [actions[k] for k in doubted], deals=few, seconds=left and 0.1 * left, seed=deal_seed,
            rank=rank,
        )  # fmt: skip
        won[: len(more.won), doubted] = more.won
    played = ActionValues(tuple(actions), won)
    means = zip(map(played.value, range(len(actions))), played.means.tolist(), strict=True)
    each = tuple(e._replace(mean=mean) for e, mean in means)
    pot_limit = view.spec.betting == "pot-limit"
    source = Reason("played_out_no_limit" if pot_limit else "played_out", {"deals": len(played.won)})
    return Judgement(tuple(actions), np.array(prior), each, tuple(trusted), played, source)


def strongest(spec: GameSpec) -> tuple[str, PersonaHabits]:
    """The strongest population of a game, and what was counted of it."""
    name, key = _LIMIT if spec.betting == "limit" else _HEADS_UP if spec.players == 2 else _TABLE
    return name, persona_habits().get(key, PersonaHabits())


def _opponent(reader: Reader, view: View, position: int) -> Player:
    """How an opponent plays on: as whom the reader takes them for, with what was learned of them; of strangers, with
    what was counted of their population."""
    model: object = reader.model if isinstance(reader, HasActionModel) else None
    population, habits = populations.NAMES[populations.of("", view.spec)], None
    if isinstance(model, _TakesFor):
        population, habits = model.taken_for(view.seats[position], view.spec)
    if habits is not None:
        return Player(population, habits=habits)
    keys = (key for pair in GROUPS.values() for name, key in pair if name == population)
    return Player(population, persona_habits().get(next(keys, "")))


def _candidates(
    view: View, spot: Spot, columns: F64, habits: PersonaHabits, also: Sequence[Action], least: float
) -> tuple[list[Action], list[float]]:
    """The actions that are tried and the prior of each; ``also`` stand for their columns."""
    menu = mean_model().menu(spot)
    raises = np.where(np.arange(len(columns)) < 2, 0.0, columns)
    usual = {0, 1} | ({int(raises.argmax())} if raises.max() >= _MIN_SHOWN else set())
    pot = spot["pot"] + spot["to_call"]
    if spot["effective"] - spot["to_call"] <= max(_SHORT_POTS * pot, _SHORT_BLINDS * spot["big_blind"]):
        usual.add(len(columns) - 1)
    shares: dict[Action, float] = {}
    for column in np.flatnonzero(menu.legal(spot)).tolist():
        if column in usual or columns[column] >= least:
            sizes = column_actions(spot, habits, column)
            action = sizes[len(sizes) // 2]
            shares[action] = shares.get(action, 0.0) + float(columns[column])
    for one in also:
        same = [a for a in shares if a not in also and menu.column(spot, a) == menu.column(spot, one)]
        share = sum(shares.pop(a) for a in same) or float(columns[menu.column(spot, one)])
        shares.setdefault(one, share)
    ordered = sorted(shares, key=lambda a: (a.kind, a.to))
    return ordered, [shares[a] for a in ordered]


def _without_pot_limit(view: View) -> View:
    """A view of a pot-limit hand as one of a no-limit hand: play-outs know no limit of the pot."""
    if view.spec.betting != "pot-limit":
        return view
    line = msgspec.structs.replace(view.line, spec=msgspec.structs.replace(view.spec, betting="no-limit"))
    return line.at().view(view.actor)
