"""The ``dupai`` agent: reads, solves, and exploits in a share of its decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, cast

import msgspec
import numpy as np

from dupai.agents._advise import advise
from dupai.agents._capabilities import capabilities
from dupai.agents._dupai._answers import Answers
from dupai.agents._dupai._held import held_to
from dupai.agents._dupai._multiway import TableResponder
from dupai.agents._dupai._respond import Responder, Response, answers, fold_share, pots_raised
from dupai.agents._dupai._trust import Trust
from dupai.agents._equilibrium import Equilibrium, NotSolved
from dupai.agents._hands import hand_policy
from dupai.agents._notes import Notes
from dupai.agents._protocol import Advice, Agent, BaseAgent, HasActionModel, HasPolicy, MatchInfo
from dupai.agents._rates import blind
from dupai.agents._registry import make_agent, spec_traits
from dupai.base import AgentError, ConfigError, Option, Rng
from dupai.base.arrays import F64
from dupai.base.files import saved_state
from dupai.cards import CLASSES, COMBO_INDEX, NO_CARD
from dupai.notation import Reason
from dupai.reading import can_save, load_reader, possible_hands
from dupai.rules import BOARD_CARDS, FOLD, Action, HandRecord, Line, View
from dupai.spots import ActionDistribution, ActionModel, HandPolicy, spots

#: Number of the layout of a saved state.
_VERSION = 2
#: First street that is solved with locks.
_LOCKED = {"turn": 2, "river": 3, "off": 4}
#: Seconds that a response may take: with a shorter clock it plays the equilibrium alone, which keeps any clock.
_NEEDED = 0.5
#: Hands for which ``table`` is asked before the flop and after it, where only the own range depends on the answers.
_TRACKED_HANDS = (CLASSES, 40)
#: Responses that are remembered.
_MAX_RESPONSES = 32
_NO_TIME = Reason("clock_too_short_to_respond")

#: What decides: the response, or one of the two agents inside.
_Who = Literal["response", "table", "equilibrium"]


class _Saved(msgspec.Struct, array_like=True):
    """What :meth:`Dupai.save` writes."""

    version: int
    seen: dict[str, int]
    trust: dict[str, Trust]
    answers: dict[str, Answers]
    reader: bytes
    table: bytes


class Dupai(BaseAgent):
    """Reads, solves, and exploits by a dial: an equilibrium, mixed with a response to what it has read.

    Against one opponent it plays ``equilibrium``, and in a share of its decisions the response to the trained model of
    this opponent, whose habits it learns: every hand's best action against the range that is read, if the opponent acts
    by the model. The share is ``risk`` times n / (n + ``evidence``) after n hands of the opponent, so it grows with
    evidence and ``risk=0`` is ``equilibrium``. How a raise of s pots is answered is believed by half after
    ``doubt`` x s hands; for the rest the opponent calls with the best hands, so many that a bluff gains nothing.
    ``locks`` solves later streets with the opponent held to the model, in place of the response. At tables ``table``
    plays while three and more are in the hand; once two are left it plays a share ``risk`` of the hands through, and
    the equilibrium the others. ``crowd=on`` responds at tables, too, to several by a simpler response. In tournaments
    with more than two players left ``table`` plays alone, for it weighs the risk of going broke.
    """

    stateless: ClassVar[bool] = False
    bettings: ClassVar[tuple[str, ...]] = ("no-limit",)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __init__(
        self,
        risk: Annotated[float, Option("share of decisions that exploit, at most; 0: equilibrium", 0.0, 1.0)] = 0.8,
        evidence: Annotated[int, Option("hands of an opponent until half of risk is reached", 0, 10**6)] = 20,
        doubt: Annotated[
            float,
            Option(
                "hands until the model's answer to a bet of the pot counts half; larger bets: more", 0.0, hidden=True
            ),
        ] = 2.0,
        locks: Annotated[
            Literal["turn", "river", "off"], Option("first street solved with the opponent held to the model")
        ] = "off",
        strength: Annotated[
            float, Option("how much of the opponent's play the model holds there", 0.0, 1.0, hidden=True)
        ] = 0.9,
        table: Annotated[
            str, Option("what plays with three and more in, and part of the hands of two at tables")
        ] = "fold:reader=model",
        crowd: Annotated[bool, Option("respond at tables, too, in the same share of decisions")] = False,
        resolve: Annotated[
            Literal["turn", "river", "off"], Option("first street that the equilibrium solves; off: none")
        ] = "turn",
        ms: Annotated[float | None, Option("milliseconds for a decision of the equilibrium; none: no limit")] = None,
    ) -> None:
        self.risk, self.evidence, self.strength, self.crowd = risk, evidence, strength, crowd
        self._locked = _LOCKED[locks]
        self.equilibrium = Equilibrium(resolve=resolve, ms=ms)
        self.equilibrium.own_play = self.hand_policy
        self.table = make_agent(table)
        self._table_spec = table
        self.reader = load_reader("model")
        self._responder, self._table_responder = Responder(self._model, doubt), TableResponder(self._model, doubt)
        #: Responses since the last hand that it observed: the own range needs them again.
        self._responses: dict[Line, Response] = {}
        #: Hands of each opponent that it has observed, by name.
        self.seen: Counter[str] = Counter()
        #: How far the model of each kept its promises.
        self.trust: dict[str, Trust] = {}
        #: What each did when facing its raises.
        self.answers: dict[str, Answers] = {}
        self._open: tuple[int, str, float, int] | None = None
        #: The last hand at a table that came to two players, and whether ``table`` plays it.
        self._drawn: tuple[int, bool] = (-1, False)
        self._names: tuple[str, ...] = ()
        self._seat = -1
        self._in_time, self._tournament = True, False
        self._notes = Notes()

    @property
    def notes(self) -> Notes:
        """Decisions that it, its equilibrium or its agent for tables played by something weaker than asked for."""
        return Notes.of(self._notes, self.equilibrium, self.table)

    @property
    def _model(self) -> ActionModel:
        assert isinstance(self.reader, HasActionModel)
        return self.reader.model

    def start(self, match: MatchInfo) -> None:
        self._names, self._seat, self._drawn = match.names, match.seat, (-1, False)
        self._in_time = match.seconds_per_action is None or match.seconds_per_action >= _NEEDED
        self._tournament = match.format == "tournament"
        self.equilibrium.start(match)
        if match.spec.players > 2:
            traits = spec_traits(self._table_spec)
            least, most = traits.players
            known = traits.bettings or (match.spec.betting,)
            if not least <= match.spec.players <= most or match.spec.betting not in known:
                raise ConfigError(
                    f"table={self._table_spec!r} does not play {match.spec.betting} at tables of {match.spec.players}",
                    key="table",
                )
            self.table.start(match)
        self.reader.meet(dict(enumerate(match.names)))
        self._responses.clear()

    def observe(self, record: HandRecord) -> None:
        seats = record.seats or tuple(range(record.spec.players))
        for seat in seats:
            if seat != self._seat:
                self.seen[self._name(seat)] += 1
        self._settle(record)
        self._count_answers(record)
        self.reader.observe(record)
        self._forget()
        if record.spec.players > 2:
            self.table.observe(record)

    def _forget(self) -> None:
        """Drop what depends on what it has learned: its responses, and the own range that follows from them."""
        self._responses.clear()
        self.equilibrium.close()

    def _settle(self, record: HandRecord) -> None:
        """Compare the first response of a hand with what it won."""
        if self._open is not None and self._open[0] == record.hand and record.hero is not None and record.hero >= 0:
            _, name, promised, paid = self._open
            won = record.payoffs[record.hero] / record.spec.split + paid
            blind = max(record.spec.big_blind, 1)
            self.trust.setdefault(name, Trust()).count(promised / blind, won / blind)
        self._open = None

    def _count_answers(self, record: HandRecord) -> None:
        """Compare what the one opponent left did when facing its raises with what the model expected."""
        size, before, me = 0.0, record.at(0), record.hero
        for state, action in zip(record.states(), record.actions, strict=False):
            if size and state.actor != me:
                public = state.view(None)
                weights = self._held(public, state.actor)
                expected = fold_share(answers(self._model, spots(public)[-1], weights), weights)
                name = self._name(public.seats[state.actor])
                self.answers.setdefault(name, Answers()).count(before, size, action.kind == FOLD, expected)
            alone = state.actor == me and record.spec.players - sum(state.folded) == 2
            size, before = pots_raised(state, action) if alone else 0.0, state.copy()

    def close(self) -> None:
        self.equilibrium.close()
        self.table.close()

    def _name(self, seat: int) -> str:
        # Several players may have one name: each is learned for itself.
        return f"{seat}:{self._names[seat] if seat < len(self._names) else ''}"

    def save(self) -> bytes:
        """What it has learned of the opponents, between two hands."""
        parts = [one.save() if saves else b"" for one, saves in self._learners()]
        return msgspec.msgpack.encode(_Saved(_VERSION, dict(self.seen), self.trust, self.answers, *parts))

    def _learners(self) -> tuple[tuple[Any, bool], ...]:
        """The reader and ``table``, and whether each can be saved."""
        return (self.reader, can_save(self.reader)), (self.table, capabilities(self.table).saves)

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` returned, after :meth:`start`, with the same options.

        Raises:
            ConfigError: the data are not of this agent.
        """
        with saved_state(data, "a saved dupai agent"):
            saved = msgspec.msgpack.decode(data, type=_Saved)
            if saved.version != _VERSION:
                raise ValueError
        for (one, saves), part in zip(self._learners(), (saved.reader, saved.table), strict=True):
            if saves and part:
                one.load(part)
        self.seen, self.trust, self.answers = Counter(saved.seen), saved.trust, saved.answers
        self._forget()

    # deciding ------------------------------------------------------------------------------------------------------

    def share(self, view: View) -> float:
        """The share of the response (at tables: of ``table``) in the decision that is due; against one opponent it
        falls with the trust in the model of them (:class:`Trust`).

        ``table`` learns by itself and plays a hand through: its share is ``risk`` until that is drawn for the hand,
        then 0 or 1.
        """
        n, others = self.hands(view), _others(view)
        if not self._in_time or (self._tournament and view.spec.players > 2) or (len(others) > 1 and not self.crowd):
            return 0.0
        if self._table_responds(view):
            return float(self._drawn[1]) if self._drawn[0] == view.hand else self.risk
        kept = self.trust.get(self._name(view.seats[others[0]]), Trust()).share if len(others) == 1 else 1.0
        return kept * self.risk * (n / (n + self.evidence) if n + self.evidence else 1.0)

    def hands(self, view: View) -> int:
        """Hands of the opponents still in that it has observed; of several, of the one whom it has seen least."""
        return min(self.seen[self._name(view.seats[p])] for p in _others(view))

    def response(self, view: View) -> Response:
        """What every action is worth against the model, for all hands."""
        public, others, seen = view.public(), _others(view), self.hands(view)
        line = public.line
        if line not in self._responses:
            if len(self._responses) >= _MAX_RESPONSES:
                self._responses.clear()
            held = {p: self._held(public, p) for p in others}
            if len(others) == 1:
                folds = self.answers.get(self._name(view.seats[others[0]]))
                self._responses[line] = self._responder.respond(public, held[others[0]], seen, folds)
            else:
                self._responses[line] = self._table_responder.respond(public, held, seen)
        return self._responses[line]

    def _held(self, public: View, other: int) -> F64:
        seat = public.seats[other]
        return np.asarray(self.reader.read(public, [seat])[seat].p, np.float64)

    def exploit(self, view: View) -> HandPolicy:
        """The response for every hand at once."""
        return self._exploit(view)[0]

    def _exploit(self, view: View) -> tuple[HandPolicy, Reason | None]:
        """The response for every hand at once, and why it is not held to the model where the options ask for that."""
        if view.street < self._locked or len(_others(view)) > 1:
            return self.response(view).best(), None
        public, (other,) = view.public(), _others(view)
        tracker = self.equilibrium.tracker
        ranges = tracker.state(public).ranges.copy()
        ranges[other] = self._held(public, other)
        try:
            _, policy = tracker.solved_within(
                public,
                ranges,
                lambda seats, base: held_to(self._model, public.resume(), base, seats.index(other), self.strength),
            )
        except NotSolved as cause:
            return self.response(view).best(), cause.reason
        return policy, None

    def parts(self, view: View) -> tuple[tuple[float, _Who], ...]:
        """Who decides, each with its probability: what plays otherwise, then what exploits."""
        share = self.share(view)
        otherwise: _Who = "table" if self._by_table(view) else "equilibrium"
        exploits: _Who = "table" if self._table_responds(view) else "response"
        return tuple((p, who) for p, who in ((1 - share, otherwise), (share, exploits)) if p > 0)

    def act(self, view: View, rng: Rng) -> Action:
        self._check(view)
        if self.risk and not self._in_time:
            self._notes.add(_NO_TIME)
        parts = self.parts(view)
        p, who = parts[-1]
        if len(parts) > 1 and rng.uniform() >= p:
            who = parts[0][1]
        if parts[-1][1] == "table" and not self._by_table(view):
            self._drawn = view.hand, who == "table"
        return self._respond(view, rng) if who == "response" else self._agent(who).act(view, rng)

    def _respond(self, view: View, rng: Rng) -> Action:
        hand, others = int(COMBO_INDEX[view.hole]), _others(view)
        if len(others) > 1 or view.street >= self._locked:
            return self._hands_of("response", view).of(hand).sample(rng)
        response = self.response(view)
        action = response.best().of(hand).points[0][0]
        if self._open is None or self._open[0] != view.hand:
            promised = float(response.values[response.actions.index(action), hand])
            paid = view.contributions[view.actor] + view.antes[view.actor]
            self._open = view.hand, self._name(view.seats[others[0]]), promised, paid
        return action

    def _agent(self, who: _Who) -> Agent:
        return self.table if who == "table" else self.equilibrium

    def _by_table(self, view: View) -> bool:
        return len(_others(view)) > 1 or (self._tournament and view.spec.players > 2)

    def _table_responds(self, view: View) -> bool:
        """Whether ``table`` plays in place of the response: with two left at a table, where that showed no gain."""
        return view.spec.players > 2 and not self.crowd

    def _policy_of(self, who: _Who, view: View) -> ActionDistribution:
        if who == "response":
            return self.exploit(view).of(int(COMBO_INDEX[view.hole_of(view.actor)]))
        agent = self._agent(who)
        if not capabilities(agent).policy:
            raise AgentError(f"table={self._table_spec!r} has no policy: expected an agent with one")
        return cast(HasPolicy, agent).policy(view)

    def policy(self, view: View) -> ActionDistribution:
        """The probabilities of the mix.

        Raises:
            AgentError: ``table`` decides and has no policy.
        """
        self._check(view)
        mixed: dict[Action, float] = {}
        spans: list[Any] = []
        for weight, who in self.parts(view):
            policy = self._policy_of(who, view)
            for action, p in policy.points:
                mixed[action] = mixed.get(action, 0.0) + weight * p
            spans += [span._replace(p=weight * span.p) for span in policy.spans]
        return ActionDistribution(tuple(mixed.items()), tuple(spans))

    def hand_policy(self, view: View, equilibrium: HandPolicy | None = None) -> HandPolicy:
        """The strategy for every hand at once: of each who decides, by their probability.

        Args:
            equilibrium: the equilibrium's part, to track the own range by: then ``table`` is asked for some hands, and
                not at all where it has no policy.
        """
        rows: dict[Any, F64] = {}
        for weight, who in self.parts(view):
            policy = equilibrium
            if policy is None or who == "response" or (who == "table" and capabilities(self.table).policy):
                policy = self._hands_of(who, view, 0 if equilibrium is None else _TRACKED_HANDS[view.street > 0])
            for action, row in zip(policy.actions, policy.chances, strict=True):
                rows[action] = rows.get(action, 0.0) + weight * row
        return HandPolicy(tuple(rows), np.array(list(rows.values())))

    def _hands_of(self, who: _Who, view: View, most: int = 0) -> HandPolicy:
        if who == "response":
            policy, fallback = self._exploit(view)
            if fallback is not None:
                self._notes.add(fallback)
            return policy
        if who == "equilibrium":
            return self.equilibrium.hand_policy(view)
        return hand_policy(self.table, view, possible_hands(view.board).astype(np.float64), most=most).policy

    @staticmethod
    def _check(view: View) -> None:
        if view.actor < 0 or NO_CARD in view.hole_of(view.actor) or len(view.board) != BOARD_CARDS[view.street]:
            raise blind(view)

    # advice --------------------------------------------------------------------------------------------------------

    def advise(self, view: View, rng: Rng) -> Advice:
        """The mix with its reasons; values are those of the response, in chips won from here on (folding is 0)."""
        self._check(view)
        share, readings = self.share(view), self.reader.read(view)
        parts = self.parts(view)
        otherwise, exploits = parts[0][1], parts[-1][1]
        if len(parts) == 1 and exploits != "response":
            one = advise(self._agent(exploits), view, rng)
            if not self.risk or self._in_time:
                return one
            return msgspec.structs.replace(one, reasons=(*one.reasons, _NO_TIME))
        if exploits == "table":
            one = advise(self.table, view, rng)
            drawn = Reason("table_agent", {"share": share})
            told = (drawn, Reason("else_equilibrium"), *one.reasons)
            try:
                one = Advice.of(self.policy(view), told)
            except AgentError:  # then the mix is not known, only what the table's agent does
                one = msgspec.structs.replace(one, reasons=told, values=None)
            return msgspec.structs.replace(one, numbers={"share": share}, readings=dict(readings))
        opponents = "opponent" if len(_others(view)) == 1 else "opponents"
        reasons = [Reason("responds", {"share": share, "hands": self.hands(view), "opponents": opponents})]
        if share < 1:
            rest = Reason("else_equilibrium" if otherwise == "equilibrium" else "else_other")
            reasons += [rest, *advise(self._agent(otherwise), view, rng).reasons]
        response = self.response(view)
        hand = int(COMBO_INDEX[view.hole])
        best = response.best().of(hand).points[0][0]
        values = dict(zip(response.actions, response.values[:, hand].tolist(), strict=True))
        worth = values[best] / max(view.spec.big_blind, 1)
        reasons.append(Reason("response_worth", {"worth": worth}))
        numbers = {"share": share, "response": values[best]}
        try:
            mixed = self.policy(view)
        except AgentError as error:  # then only the response is known
            mixed = ActionDistribution.certain(best)
            reasons.append(Reason("response_alone", {"error": str(error)}))
        advice = Advice.of(mixed, tuple(reasons), numbers)
        of_actions = tuple(values.get(action, float("nan")) for action in advice.actions)  # type: ignore[arg-type]
        known = of_actions if np.isfinite(of_actions).all() else None
        return msgspec.structs.replace(advice, values=known, readings=dict(readings))


def _others(view: View) -> list[int]:
    """The positions of the opponents still in."""
    return [p for p in range(view.spec.players) if p != view.actor and not view.folded[p]]
