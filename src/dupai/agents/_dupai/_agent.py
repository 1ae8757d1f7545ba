"""The ``dupai`` agent: reads, solves, and exploits in a share of its decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, cast

import msgspec
import numpy as np

from dupai.agents._advise import advise
from dupai.agents._dupai._answers import Answers
from dupai.agents._dupai._respond import Responder, Response, answers, fold_share, pots_raised
from dupai.agents._dupai._trust import Trust
from dupai.agents._equilibrium import Equilibrium
from dupai.agents._judge import judge
from dupai.agents._judgement import Judgement
from dupai.agents._notes import Notes
from dupai.agents._protocol import Advice, BaseAgent, HasActionModel, MatchInfo
from dupai.agents._rates import blind
from dupai.base import AgentError, Option, Rng
from dupai.base.arrays import F64
from dupai.base.files import saved_state
from dupai.cards import COMBO_INDEX, NO_CARD
from dupai.notation import Reason, choice_reason
from dupai.reading import Saveable, load_reader
from dupai.rules import BOARD_CARDS, FOLD, Action, HandRecord, Line, View
from dupai.spots import ActionDistribution, ActionModel, HandPolicy, spots

#: Number of the layout of a saved state.
_VERSION = 3
#: Seconds that a response may take: with a shorter clock it plays the equilibrium alone, which keeps any clock.
_NEEDED = 0.5
#: Responses that are remembered.
_MAX_RESPONSES = 32
_NO_TIME = Reason("clock_too_short_to_respond")

#: Part of a clock, or of ``ms``, that play-outs may take.
_SHARE = 0.4
#: Errors by which the best action must beat another to take its place, for a known opponent and full risk; twice as
#: many for somebody never seen.
_ERRORS = 0.8

#: What decides: the response, or the equilibrium.
_Who = Literal["response", "equilibrium"]


class _Saved(msgspec.Struct, array_like=True):
    """What :meth:`Dupai.save` writes."""

    version: int
    seen: dict[str, int]
    trust: dict[str, Trust]
    answers: dict[str, Answers]
    reader: bytes


class Dupai(BaseAgent):
    """Reads, solves, and exploits by a dial.

    With two players dealt in it plays ``equilibrium``, and in a share of its decisions the response to the trained
    model of this opponent, whose habits it learns: every hand's best action against the range that is read, if the
    opponent acts by the model. The share is ``risk`` times n / (n + ``evidence``) after n hands of the opponent, so it
    grows with evidence and ``risk=0`` is ``equilibrium``. How a raise of s pots is answered is believed by half after
    ``doubt`` x s hands; for the rest the opponent calls with the best hands, so many that a bluff gains nothing.

    With more players dealt in it plays every hand out ``deals`` times: opponents hold what it reads, and act as the
    population that each plays like, with their habits. It acts as Pluribus would, which is all with ``risk=0``, unless
    another action that Pluribus may take wins more than the one drawn by one error (at ``risk=1``, against opponents
    seen for many more hands than ``evidence``; twice as much against strangers, and more the smaller ``risk`` is).
    """

    stateless: ClassVar[bool] = False
    bettings: ClassVar[tuple[str, ...]] = ("no-limit",)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __init__(
        self,
        risk: Annotated[
            float, Option("how far it exploits; 0: equilibrium, at tables Pluribus's own play", 0.0, 1.0)
        ] = 0.8,
        evidence: Annotated[int, Option("hands of an opponent until half of risk is reached", 0, 10**6)] = 20,
        doubt: Annotated[
            float,
            Option(
                "hands until the model's answer to a bet of the pot counts half; larger bets: more", 0.0, hidden=True
            ),
        ] = 2.0,
        deals: Annotated[int, Option("at tables: times that each hand is played out", 1, 10**6)] = 768,
        resolve: Annotated[
            Literal["turn", "river", "off"], Option("first street that the equilibrium solves; off: none")
        ] = "turn",
        ms: Annotated[float | None, Option("milliseconds for a decision, at most; none: no limit")] = None,
    ) -> None:
        self.risk, self.evidence, self.deals, self._ms = risk, evidence, deals, ms
        self.equilibrium = Equilibrium(resolve=resolve, ms=ms)
        self.equilibrium.own_play = self.hand_policy
        self.reader = load_reader("model")
        self._responder = Responder(self._model, doubt)
        #: Responses since the last hand that it observed: the own range needs them again.
        self._responses: dict[Line, Response] = {}
        #: The last decision at a table that was played out.
        self._judged: tuple[Line, bool, Judgement] | None = None
        #: Hands of each opponent that it has observed, by name.
        self.seen: Counter[str] = Counter()
        #: How far the model of each kept its promises.
        self.trust: dict[str, Trust] = {}
        #: What each did when facing its raises.
        self.answers: dict[str, Answers] = {}
        self._open: tuple[int, str, float, int] | None = None
        self._names: tuple[str, ...] = ()
        self._seat = -1
        self._seconds: float | None = None
        self._in_time, self._tournament = True, False
        self._notes = Notes()

    @property
    def notes(self) -> Notes:
        """Decisions that it or its equilibrium played by something weaker than asked for."""
        return Notes.of(self._notes, self.equilibrium)

    @property
    def _model(self) -> ActionModel:
        assert isinstance(self.reader, HasActionModel)
        return self.reader.model

    def start(self, match: MatchInfo) -> None:
        self._names, self._seat = match.names, match.seat
        clock = match.seconds_per_action
        self._in_time = clock is None or clock >= _NEEDED
        self._tournament = match.format == "tournament"
        limits = [limit for limit in (clock, self._ms and self._ms / 1000) if limit]
        self._seconds = _SHARE * min(limits) if limits else None
        self.equilibrium.start(match)
        self.reader.meet(dict(enumerate(match.names)))
        self._forget()

    def observe(self, record: HandRecord) -> None:
        seats = record.seats or tuple(range(record.spec.players))
        for seat in seats:
            if seat != self._seat:
                self.seen[self._name(seat)] += 1
        self._settle(record)
        self._count_answers(record)
        self.reader.observe(record)
        self._forget()

    def _forget(self) -> None:
        """Drop what depends on what it has learned: its responses, and the own range that follows from them."""
        self._responses.clear()
        self._judged = None
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
        me = record.hero
        if me is None or me < 0 or record.spec.players > 2 or record.spec.betting != "no-limit":
            return
        size, before = 0.0, record.at(0)
        for state, action in zip(record.states(), record.actions, strict=False):
            if size and state.actor != me:
                public = state.view(None)
                weights = self._held(public, state.actor)
                expected = fold_share(answers(self._model, spots(public)[-1], weights), weights)
                name = self._name(public.seats[state.actor])
                self.answers.setdefault(name, Answers()).count(before, size, action.kind == FOLD, expected)
            size, before = pots_raised(state, action) if state.actor == me else 0.0, state.copy()

    def close(self) -> None:
        self.equilibrium.close()

    def _name(self, seat: int) -> str:
        # Several players may have one name: each is learned for itself.
        return f"{seat}:{self._names[seat] if seat < len(self._names) else ''}"

    def save(self) -> bytes:
        """What it has learned of the opponents, between two hands."""
        return msgspec.msgpack.encode(
            _Saved(_VERSION, dict(self.seen), self.trust, self.answers, cast(Saveable, self.reader).save())
        )

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` returned, after :meth:`start`, with the same options.

        Raises:
            ConfigError: the data are not of this agent.
        """
        with saved_state(data, "a saved dupai agent"):
            saved = msgspec.msgpack.decode(data, type=_Saved)
            if saved.version != _VERSION:
                raise ValueError
        cast(Saveable, self.reader).load(saved.reader)
        self.seen, self.trust, self.answers = Counter(saved.seen), saved.trust, saved.answers
        self._forget()

    # deciding ------------------------------------------------------------------------------------------------------

    def share(self, view: View) -> float:
        """The share of the response in a decision against one opponent; it falls with the trust in the model of them
        (:class:`Trust`)."""
        n, (other,) = self.hands(view), _others(view)
        if not self._in_time:
            return 0.0
        kept = self.trust.get(self._name(view.seats[other]), Trust()).share
        return kept * self.risk * (n / (n + self.evidence) if n + self.evidence else 1.0)

    def hands(self, view: View) -> int:
        """Hands of the opponents still in that it has observed; of several, of the one whom it has seen least."""
        return min(self.seen[self._name(view.seats[p])] for p in _others(view))

    def response(self, view: View) -> Response:
        """What every action is worth against the model, for all hands."""
        public, (other,) = view.public(), _others(view)
        line = public.line
        if line not in self._responses:
            if len(self._responses) >= _MAX_RESPONSES:
                self._responses.clear()
            folds = self.answers.get(self._name(view.seats[other]))
            held = self._held(public, other)
            self._responses[line] = self._responder.respond(public, held, self.hands(view), folds)
        return self._responses[line]

    def judged(self, view: View, trusted_only: bool = True) -> Judgement:
        """At a table: what the actions win in play-outs."""
        line, seconds = view.line, self._seconds
        if self._judged is None or self._judged[:2] != (line, trusted_only):
            judged = judge(
                view, self.reader, deals=self.deals if seconds is None else 10**6, error=0.0, seconds=seconds,
                solve=False, rank=self._tournament, trusted_only=trusted_only,
            )  # fmt: skip
            self._judged = line, trusted_only, judged
        return self._judged[2]

    def _played_out(self, view: View, judged: Judgement | None = None) -> ActionDistribution:
        """At a table: each action that the prior may take, or the best in its place."""
        judged = judged or self.judged(view)
        trusted = [k for k, good in enumerate(judged.trusted) if good]
        prior = judged.prior[trusted] / judged.prior[trusted].sum()
        best = max(trusted, key=lambda k: judged.values[k].mean)
        points = dict.fromkeys(judged.actions, 0.0)
        for k, p in zip(trusted, prior.tolist(), strict=True):
            gap = judged.difference(best, k)
            better = self.risk > 0 and k != best and gap.mean > self._errors(view) * gap.se
            points[judged.actions[best if better else k]] += p
        return ActionDistribution(tuple((action, p) for action, p in points.items() if p))

    def _errors(self, view: View) -> float:
        n = self.hands(view)
        return _ERRORS / self.risk * (1 + self.evidence / max(n + self.evidence, 1))

    def _held(self, public: View, other: int) -> F64:
        seat = public.seats[other]
        return np.asarray(self.reader.read(public, [seat])[seat].p, np.float64)

    def exploit(self, view: View) -> HandPolicy:
        """The response for every hand at once."""
        return self.response(view).best()

    def parts(self, view: View) -> tuple[tuple[float, _Who], ...]:
        """Who decides against one opponent, each with its probability."""
        share = self.share(view)
        parts: tuple[tuple[float, _Who], ...] = ((1 - share, "equilibrium"), (share, "response"))
        return tuple(part for part in parts if part[0] > 0)

    def act(self, view: View, rng: Rng) -> Action:
        self._check(view)
        if view.spec.players > 2:
            return self._played_out(view).sample(rng)
        if self.risk and not self._in_time:
            self._notes.add(_NO_TIME)
        parts = self.parts(view)
        p, who = parts[-1]
        if len(parts) > 1 and rng.uniform() >= p:
            who = parts[0][1]
        return self._respond(view) if who == "response" else self.equilibrium.act(view, rng)

    def _respond(self, view: View) -> Action:
        hand, (other,) = int(COMBO_INDEX[view.hole]), _others(view)
        response = self.response(view)
        action = response.best().of(hand).points[0][0]
        if self._open is None or self._open[0] != view.hand:
            promised = float(response.values[response.actions.index(action), hand])
            paid = view.contributions[view.actor] + view.antes[view.actor]
            self._open = view.hand, self._name(view.seats[other]), promised, paid
        return action

    def policy(self, view: View) -> ActionDistribution:
        """The probabilities of the mix."""
        self._check(view)
        if view.spec.players > 2:
            return self._played_out(view)
        hand = int(COMBO_INDEX[view.hole_of(view.actor)])
        mixed: dict[Action, float] = {}
        for weight, who in self.parts(view):
            policy = self.exploit(view).of(hand) if who == "response" else self.equilibrium.policy(view)
            for action, p in policy.points:
                mixed[action] = mixed.get(action, 0.0) + weight * p
        return ActionDistribution(tuple(mixed.items()))

    def hand_policy(self, view: View, equilibrium: HandPolicy | None = None) -> HandPolicy:
        """The strategy for every hand at once, with two players dealt in: of each who decides, by their probability.

        Args:
            equilibrium: that one's part, where it is known (to track the own range by).

        Raises:
            AgentError: there are more players: each hand is played out for itself.
        """
        if view.spec.players > 2:
            raise AgentError("dupai plays out one hand at a time at tables: its policy for all hands is not known")
        rows: dict[Any, F64] = {}
        for weight, who in self.parts(view):
            policy = self.exploit(view) if who == "response" else equilibrium or self.equilibrium.hand_policy(view)
            for action, row in zip(policy.actions, policy.chances, strict=True):
                rows[action] = rows.get(action, 0.0) + weight * row
        return HandPolicy(tuple(rows), np.array(list(rows.values())))

    @staticmethod
    def _check(view: View) -> None:
        if view.actor < 0 or NO_CARD in view.hole_of(view.actor) or len(view.board) != BOARD_CARDS[view.street]:
            raise blind(view)

    # advice --------------------------------------------------------------------------------------------------------

    def advise(self, view: View, rng: Rng) -> Advice:
        """The mix with its reasons; values are those of the response or of play-outs, in chips won from here on
        (folding is 0)."""
        self._check(view)
        if view.spec.players > 2:
            return self._advise_at_table(view)
        share, readings = self.share(view), self.reader.read(view)
        if not share:
            one = advise(self.equilibrium, view, rng)
            if not self.risk or self._in_time:
                return one
            return msgspec.structs.replace(one, reasons=(*one.reasons, _NO_TIME))
        reasons = [Reason("responds", {"share": share, "hands": self.hands(view), "opponents": "opponent"})]
        if share < 1:
            reasons += [Reason("else_equilibrium"), *advise(self.equilibrium, view, rng).reasons]
        response = self.response(view)
        hand = int(COMBO_INDEX[view.hole])
        best = response.best().of(hand).points[0][0]
        values = dict(zip(response.actions, response.values[:, hand].tolist(), strict=True))
        worth = values[best] / max(view.spec.big_blind, 1)
        reasons.append(Reason("response_worth", {"worth": worth}))
        numbers = {"share": share, "response": values[best]}
        advice = Advice.of(self.policy(view), tuple(reasons), numbers)
        of_actions = tuple(values.get(action, float("nan")) for action in advice.actions)  # type: ignore[arg-type]
        known = of_actions if np.isfinite(of_actions).all() else None
        return msgspec.structs.replace(advice, values=known, readings=dict(readings))

    def _advise_at_table(self, view: View) -> Advice:
        judged = self.judged(view, trusted_only=False)
        policy = self._played_out(view, judged)
        chances = dict(policy.points)
        of = max(view.spec.big_blind, 1)
        prior = int(np.argmax(judged.prior))
        best = max((k for k, good in enumerate(judged.trusted) if good), key=lambda k: judged.values[k].mean)
        gap = judged.difference(best, prior)
        reasons = [judged.source, Reason("prior_plays", {"action": (choice_reason(view, judged.actions[prior]),)})]
        if best != prior:
            gain = {"gain": gap.mean / of, "error": gap.se / of}
            reasons.append(Reason("beats_prior", {"action": (choice_reason(view, judged.actions[best]),), **gain}))
        return Advice(
            actions=judged.actions,
            probabilities=tuple(chances.get(action, 0.0) for action in judged.actions),
            values=tuple(value.mean for value in judged.values),
            reasons=tuple(reasons),
            readings=dict(self.reader.read(view)),
        )


def _others(view: View) -> list[int]:
    """The positions of the opponents still in."""
    return [p for p in range(view.spec.players) if p != view.actor and not view.folded[p]]
