"""Other actions played out: what each decision of an agent would have won, had it done something else.

At a decision every other kind of action is tried on the same cards to come, drawn anew a few times, and the hand is
played on by the same agents to its end. Differences of single decisions are as noisy as hands, means over kinds of
decision are not: they say where an agent gives chips away, and by how much (docs/guides/competitions.md).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar

import msgspec
import numpy as np

from dupai.agents import AGENT_ERRORS, AgentFailure, AgentNotes, CannotPlay, Seat, fault_text
from dupai.arena._cash import Session
from dupai.arena._entrants import AgentSource, Entrant
from dupai.arena._folder import SavedMatch
from dupai.arena._format import Format, MatchTask, play_planned
from dupai.arena._hand import Fault, Players, Watcher
from dupai.arena._results import PlayResult, TournamentMatch, TournamentSettings, common_facts
from dupai.arena._settings import made_settings, takes_settings
from dupai.arena._tournament import each_match, plan_tournament, play_tournament_match
from dupai.base import ConfigError, Option, Rng, source_of
from dupai.cards import cards_text
from dupai.jobs import Pulse
from dupai.rules import FOLD, RAISE, ROLLOUT_DRAW_STREAM, ROLLOUT_SEAT_STREAM, STREET_NAMES, Action, HandState
from dupai.spots import raise_to
from dupai.stats import Measure

#: Raises that are tried, by the part of the pot (after the call) that they add; and up to which part an agent's own
#: raise counts as one of them.
SIZES: Mapping[str, tuple[float, float]] = {"small": (0.25, 0.375), "half": (0.5, 0.75), "pot": (1.0, 1.25)}
_FACING = (("no raise", "a raise", "a re-raise"), ("checked to", "a bet", "a raise"))


class RolloutSettings(TournamentSettings, frozen=True, kw_only=True):
    """Where an agent gives chips away: its decisions with every other action played out.

    AGENT plays matches against the opponents. At its decisions the cards to come are drawn anew, every kind of action
    is tried on the same ones (fold, check or call, bets and raises of a quarter, half and all of the pot, all-in), and
    the same agents play the hand on. The table says, for each kind of decision and of action, how many big blinds
    a decision each other action wins more than what AGENT did, and the mbb/hand of always doing so. Errors are
    clustered by match; of many comparisons some stand out by chance: try the change on another seed.

    Chips are counted as they are: a player who is averse to risk may be right to leave some. Agents are asked in hands
    that do not happen, and observe none of them. Of an agent that learns a copy is asked: one that cannot be copied, as
    one of another package, is refused. Faults and fall-backs in these hands are counted. 'results export' has every
    decision with what each action won on each board.

    Examples:

      dupai rollout rules style:LA --matches 4

      dupai rollout fold rules style:TA --share 0.2 --results decisions.db

    Attributes:
        reset: stacks are those at the start in every hand; else chips carry over, as in a tournament.
        boards: how many times the cards to come are drawn at each decision.
        share: chance that a decision is looked at.
    """

    arguments: ClassVar[tuple[tuple[str, str, bool], ...]] = (
        ("agent", "Whose decisions are looked at, as fold.", False),
        ("opponents", "1 to 9 opponents, as rules style:LA.", True),
    )

    matches: Annotated[int, Option("How many matches.", short="-m", low=1)] = 20
    reset: Annotated[bool, Option("Stacks are reset every hand (else a tournament).")] = False
    boards: Annotated[int, Option("Draws of the cards to come at each decision.", low=1)] = 2
    share: Annotated[float, Option("Part of the decisions that is looked at, at random.")] = 1.0


#: The settings once they are checked, with the agents.
RolloutConfig = RolloutSettings


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """One decision, and what each action would have won.

    Attributes:
        hand: its hand, from 1.
        street: 0 before the flop to 3.
        players: dealt in.
        opponents: still in the hand.
        hole, board: its cards and the open board, as ``"AsKd"``.
        pot, to_call: chips in the pot before it acts, and those of a call.
        facing: what it answers: ``"no raise"``, ``"a raise"``, ``"a re-raise"`` before the flop, ``"checked to"``,
            ``"a bet"``, ``"a raise"`` after it.
        chosen: the kind of action that the agent chose (a key of ``won``).
        big_blind: of the hand, in chips.
        won: by kind of action, chips won in the whole hand on each board. Kinds: ``"fold"``, ``"check"``, ``"call"``,
            ``"small"``, ``"half"``, ``"pot"`` (bets and raises by that part of the pot, for its own up to 3/8, 3/4 and
            5/4 of it), ``"over"`` (its own only), ``"all-in"``.
    """

    hand: int
    street: int
    players: int
    opponents: int
    hole: str
    board: str
    pot: int
    to_call: int
    facing: str
    chosen: str
    big_blind: int
    won: dict[str, tuple[float, ...]]

    def gains(self) -> dict[str, float]:
        """For each kind of action the big blinds that it would have won beyond the chosen one."""
        own = sum(self.won[self.chosen])
        scale = 1 / (len(self.won[self.chosen]) * self.big_blind)
        return {kind: (sum(won) - own) * scale for kind, won in self.won.items() if kind != self.chosen}


class RolloutMatch(msgspec.Struct, frozen=True, kw_only=True):
    """The decisions of one match."""

    match: int
    hands: int
    decisions: tuple[Decision, ...]
    faults: tuple[Fault, ...] = ()
    notes: tuple[AgentNotes, ...] = ()
    complete: bool = True


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """Another kind of action at a kind of decision.

    Attributes:
        action: its kind.
        gain: big blinds more than what was chosen, a decision; its error is clustered by match (None with one), and
            ``needed`` counts matches.
        per_hand: mbb/hand that always doing so would win, if all else stayed as it is.
    """

    action: str
    gain: Measure
    per_hand: float


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of decision: ``street`` (its name), ``facing``, ``chosen``, how many of it, and the other actions, best
    first."""

    street: str
    facing: str
    chosen: str
    decisions: int
    others: tuple[Alternative, ...]


class RolloutResult(PlayResult, frozen=True, kw_only=True):
    """What all matches come to.

    Attributes:
        decisions: how many were looked at.
        situations: those with the largest gain in mbb/hand first.
        matches: how many are done.
    """

    config: RolloutConfig
    decisions: int
    situations: tuple[Situation, ...]
    matches: int

    def headline(self) -> str:
        return f"{self.decisions:,} decisions of {self.matches:,} matches, {PlayResult.headline(self)}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        rows = [
            (f"{s.street}, {s.facing}, {s.chosen}", f"{s.decisions:,}", other.action, _gain(other.gain))
            for s in self.situations
            for other in s.others[:1]
        ]
        return ("situation", "decisions", "best other action", "gain ± se"), rows


def _gain(gain: Measure) -> str:
    return f"{gain.mean:+,.1f}" + ("" if gain.se is None else f" ± {gain.se:,.1f}")


#: One match: the unit of work.
RolloutTask = MatchTask


def _plan(agents: Sequence[AgentSource], settings: RolloutSettings) -> tuple[tuple[Entrant, ...], RolloutConfig]:
    entrants, config = plan_tournament(agents, settings)
    if not 0 < config.share <= 1:
        raise ConfigError(
            f"share = {config.share!r}: expected a part of the decisions, above 0 and at most 1", key="share"
        )
    if config.reset and config.levels:
        raise ConfigError("--schedule: with --reset all hands have the blinds of --blinds", key="levels")
    return entrants, config


@takes_settings(RolloutSettings, plays=False)
def rollout_tasks(
    agents: Sequence[AgentSource], settings: RolloutSettings | None = None, **options: Any
) -> list[RolloutTask]:
    """Matches in which, at the decisions of the first agent, other actions are to be played out: checked, as tasks for
    :func:`run_rollout`.

    Args:
        agents: 2 to 10 specs, or factories that make a new agent each time they are called.
        settings: see :class:`RolloutSettings`.
        options: fields of the settings.

    Raises:
        ConfigError, NotationError, AgentError: a setting or an agent that makes no sense.
    """
    return each_match(*_plan(agents, made_settings(RolloutSettings, settings, options)))


def run_rollout(tasks: Sequence[RolloutTask], **place: Any) -> RolloutResult:
    """Play the matches of :func:`rollout_tasks` and play out the other actions on the way.

    The agents play on as they are: their ``act`` is asked in hands that do not happen, nobody's ``observe`` is. The
    matches themselves are those of :func:`run_tournament` (``reset``: of :class:`Session`) with the same seed.

    Args:
        tasks: all of them.
        place: ``jobs``, ``progress``, ``backend`` and ``store`` as for :func:`~dupai.arena.play_format`.
    """
    return play_planned(ROLLOUT, tasks[0].entrants, tasks[0].config, **place)


def play_rollout(task: RolloutTask, pulse: Pulse | None = None) -> RolloutMatch | None:
    """Play a match and play out other actions on the way; None when ``pulse`` says to stop."""
    config, watch = task.config, _Rollouts(task)
    played: TournamentMatch | SavedMatch | None
    if not config.reset:
        played = play_tournament_match(task, pulse, watch)
        if played is None:
            return None
    else:
        session = Session.of(task, task.entrants, reset=True)
        watch.on_seated(session.players)
        while session.hands < config.hands and not session.players.ended:
            if pulse is not None and not pulse.step():
                session.close()
                return None
            session.play_hand(watch)
        played = session.close()
    return RolloutMatch(
        match=task.match,
        hands=played.hands,
        decisions=tuple(watch.decisions),
        faults=played.faults,
        notes=(*played.notes, *watch.notes.values()),
    )


class _Rollouts(Watcher):
    """Stands behind the first entrant and tries its other actions."""

    def __init__(self, task: RolloutTask) -> None:
        self._task = task
        self._players: Players | None = None
        self._chair = -1
        self._hand, self._count = 0, 0
        self.decisions: list[Decision] = []
        #: Fall-backs in the hands that were tried, by agent.
        self.notes: dict[str, AgentNotes] = {}

    def on_seated(self, players: Players) -> None:
        self._players = players
        _copies(players, {})
        self._chair = players.names.index(self._task.config.labels[0])

    def on_action(self, state: HandState, action: Action, fault: Fault | None) -> None:
        if state.seats[state.actor] != self._chair or fault is not None:
            return
        if state.hand != self._hand:
            self._hand, self._count = state.hand, 0
        self._count += 1
        config = self._task.config
        rng = Rng(source_of(config), self._task.match, state.hand, ROLLOUT_DRAW_STREAM, self._count)
        if rng.uniform() < config.share:
            self.decisions.append(self._tried(state, action, rng))

    def _tried(self, state: HandState, action: Action, rng: Rng) -> Decision:
        chosen = kind_of(state, action)
        others = {kind: one for kind, one in actions_at(state).items() if kind != chosen and one != action}
        actions = {chosen: action, **others}
        won: dict[str, list[float]] = {kind: [] for kind in actions}
        players, failures = self._players, dict[int, list[str]]()
        assert players is not None
        seats = _copies(players, failures)
        me, split = state.actor, state.spec.split
        for board in range(self._task.config.boards):
            dealt = state.redealt(rng)
            for kind, one in actions.items():
                after = dealt.copy()
                after.apply(one)
                self._play_on(after, board, seats)
                won[kind].append(float(after.payoffs[me]) / split)
        for chair, texts in failures.items():
            more = f" (the first of {len(texts):,} here)" if len(texts) > 1 else ""
            players.fault(chair, "rollout", AgentFailure(texts[0][:200] + more))
        for seat in seats:
            if seat.can.notes:
                pieces = (seat.notes, *(one for agent, one in self.notes.items() if agent == seat.name))
                self.notes[seat.name] = AgentNotes.of(seat.name, pieces)
        return Decision(
            **{key: getattr(state, key) for key in ("hand", "street", "pot", "to_call")},
            players=state.spec.players,
            opponents=state.folded.count(False) - 1,
            hole=cards_text(state.hole[me]),
            board=cards_text(state.board),
            facing=facing_of(state),
            chosen=chosen,
            big_blind=state.spec.big_blind,
            won={kind: tuple(chips) for kind, chips in won.items()},
        )

    def _play_on(self, state: HandState, board: int, seats: Sequence[Seat]) -> None:
        """All players play on to the end of the hand; one that fails folds."""
        task = self._task
        rngs: dict[int, Rng] = {}
        while (position := state.actor) >= 0:
            chair = state.seats[position]
            if chair not in rngs:
                key = (task.match, state.hand, ROLLOUT_SEAT_STREAM + chair, self._count, board)
                rngs[chair] = Rng(source_of(task.config), *key)
            try:
                action = seats[chair].act(state, rngs[chair])
            except CannotPlay:
                raise
            except AGENT_ERRORS:
                action = Action.fold() if state.legal.fold else Action.call()
            state.apply(action)


def _copies(players: Players, failures: dict[int, list[str]]) -> list[Seat]:
    """The agents as they are, for hands that do not happen; what each raises there is added to ``failures``.

    Raises:
        CannotPlay: one that learns cannot be copied.
    """

    def failed(chair: int, during: str, error: BaseException) -> None:
        failures.setdefault(chair, []).append(fault_text(error))

    try:
        return [
            seat.aside(not stateless, partial(failed, chair))
            for chair, (stateless, seat) in enumerate(zip(players.stateless, players.seats, strict=True))
        ]
    except CannotPlay:
        players.close()
        raise


def actions_at(state: HandState) -> dict[str, Action]:
    """The actions that are tried where ``state`` stands, by kind; each once, smaller raises first."""
    legal = state.legal
    actions = {"fold": Action.fold()} if state.to_call else {}
    actions["call" if state.to_call else "check"] = Action.call()
    if legal.min_to > 0:
        called = state.contributions[state.actor] + state.to_call
        pot = state.pot + state.to_call
        for kind, (part, _) in SIZES.items():
            to = max(called + raise_to(part, 0, pot, 0, legal.max_to), legal.min_to)
            if to < legal.max_to:
                actions[kind] = Action.raise_to(to)
        actions["all-in"] = Action.raise_to(legal.max_to)
    return {kind: one for i, (kind, one) in enumerate(actions.items()) if one not in list(actions.values())[:i]}


def kind_of(state: HandState, action: Action) -> str:
    """The kind of an action (:class:`Decision`)."""
    if action.kind == FOLD:
        return "fold"
    if action.kind != RAISE:
        return "call" if state.to_call else "check"
    if action.to >= state.legal.max_to:
        return "all-in"
    part = (action.to - state.contributions[state.actor] - state.to_call) / (state.pot + state.to_call)
    return next((kind for kind, (_, most) in SIZES.items() if part <= most), "over")


def facing_of(state: HandState) -> str:
    """What the player to act answers (:class:`Decision`)."""
    raises = sum(action.kind == RAISE for street, _, action in state.actions if street == state.street)
    return _FACING[state.street > 0][min(raises, 2)]


def rollout_result(
    config: RolloutConfig, done: Sequence[RolloutMatch], entrants: Sequence[Entrant] = ()
) -> RolloutResult:
    """The result of matches, however many of them."""
    hands = sum(m.hands for m in done)
    kinds: dict[tuple[int, str, str], list[tuple[int, dict[str, float]]]] = defaultdict(list)
    for match in done:
        for one in match.decisions:
            kinds[one.street, one.facing, one.chosen].append((match.match, one.gains()))
    situations = []
    for (street, facing, chosen), decisions in kinds.items():
        others = []
        for action in {kind for _, gains in decisions for kind in gains}:
            gains = [(match, g[action]) for match, g in decisions if action in g]
            gain = clustered(*zip(*gains, strict=True))
            per_hand = 1000 * gain.mean * gain.n / (config.share * hands)
            others.append(Alternative(action=action, gain=gain, per_hand=per_hand))
        others.sort(key=lambda o: (-o.per_hand, o.action))
        situations.append(
            Situation(
                street=STREET_NAMES[street],
                facing=facing,
                chosen=chosen,
                decisions=len(decisions),
                others=tuple(others),
            )
        )
    situations.sort(key=lambda s: -s.others[0].per_hand if s.others else math.inf)
    return RolloutResult(
        **common_facts(config, entrants, done),
        hands=hands,
        decisions=sum(len(m.decisions) for m in done),
        situations=tuple(situations),
        matches=len(done),
        partial=len(done) < config.matches,
    )


def clustered(clusters: Iterable[int], values: Iterable[float]) -> Measure:
    """The mean of values that depend on each other within clusters; of one cluster it has no error. ``needed`` counts
    clusters."""
    x, of = np.fromiter(values, np.float64), np.fromiter(clusters, np.int64)
    number = np.unique(of, return_inverse=True)[1]
    # A value for each cluster: their mean is the mean, their squared error that of clusters (see `clustered_error`).
    sums = np.bincount(number, x - x.mean())
    return msgspec.structs.replace(Measure.of(x.mean() + sums * (len(sums) / len(x))), n=len(x))


def _lines(config: Mapping[str, Any], units: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    keys = ("hand", "street", "players", "opponents", "hole", "board", "pot", "to_call", "facing", "chosen")
    yield ("match", *keys, "action", "draw", "chips")
    for unit in units:
        for decision in unit["decisions"]:
            for action, won in decision["won"].items():
                for draw, chips in enumerate(won):
                    yield (unit["match"], *(decision[key] for key in keys), action, draw, f"{chips:.12g}")


ROLLOUT = Format(
    "rollout", RolloutSettings, RolloutConfig, RolloutResult, RolloutMatch,
    work=play_rollout, plan=_plan, tasks=each_match, summary=rollout_result, lines=_lines,
)  # fmt: skip
