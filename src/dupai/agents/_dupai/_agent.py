"""The ``dupai`` agent: reads, plays out, and exploits as far as it knows its opponents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, cast

import msgspec
import numpy as np

from dupai.agents._advise import advise
from dupai.agents._equilibrium import Equilibrium
from dupai.agents._judge import judge
from dupai.agents._judgement import Judgement
from dupai.agents._notes import Notes
from dupai.agents._protocol import Advice, BaseAgent, MatchInfo
from dupai.agents._rates import blind
from dupai.base import Option, Rng
from dupai.base.files import saved_state
from dupai.cards import NO_CARD
from dupai.notation import Reason, choice_reason
from dupai.reading import Saveable, load_reader
from dupai.rules import BOARD_CARDS, Action, HandRecord, Line, View
from dupai.spots import ActionDistribution

#: Number of the layout of a saved state.
_VERSION = 4
#: Part of a clock, or of ``ms``, that play-outs may take.
_SHARE = 0.4
#: Errors by which the best action must beat another to take its place, for a known opponent and full risk; twice as
#: many for somebody never seen.
_ERRORS = 0.8


class _Saved(msgspec.Struct, array_like=True):
    """What :meth:`Dupai.save` writes."""

    version: int
    seen: dict[str, int]
    reader: bytes


class Dupai(BaseAgent):
    """Reads, plays out, and exploits by a dial.

    It plays every hand out ``deals`` times: opponents hold what it reads, and act as the population that each plays
    like, with their habits. It acts as DeepStack (heads-up) or Pluribus would, unless another action that these may
    take wins more than the one drawn by one error (at ``risk=1``, against opponents seen for many more hands than
    ``evidence``; twice as much against strangers, and more the smaller ``risk`` is). Heads-up, more and more actions
    that DeepStack hardly ever takes are tried against an opponent it knows. With ``risk=0`` it plays ``equilibrium``
    heads-up, and as Pluribus at tables.
    """

    stateless: ClassVar[bool] = False
    bettings: ClassVar[tuple[str, ...]] = ("no-limit",)
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __init__(
        self,
        risk: Annotated[
            float, Option("how far it exploits; 0: equilibrium, at tables Pluribus's own play", 0.0, 1.0)
        ] = 0.8,
        evidence: Annotated[int, Option("hands of an opponent after which it counts as half known", 0, 10**6)] = 20,
        deals: Annotated[int, Option("times that each hand is played out", 1, 10**6)] = 768,
        ms: Annotated[float | None, Option("milliseconds for a decision, at most; none: no limit")] = None,
    ) -> None:
        self.risk, self.evidence, self.deals, self._ms = risk, evidence, deals, ms
        self.equilibrium = Equilibrium(ms=ms)
        self.reader = load_reader("model")
        #: The last decision that was played out.
        self._judged: tuple[Line, bool, Judgement] | None = None
        #: Hands of each opponent that it has observed, by name.
        self.seen: Counter[str] = Counter()
        self._names: tuple[str, ...] = ()
        self._seat = -1
        self._seconds: float | None = None
        self._tournament = False

    @property
    def notes(self) -> Notes:
        """Decisions that its equilibrium played by something weaker than asked for."""
        return self.equilibrium.notes

    def start(self, match: MatchInfo) -> None:
        self._names, self._seat = match.names, match.seat
        clock = match.seconds_per_action
        self._tournament = match.format == "tournament"
        limits = [limit for limit in (clock, self._ms and self._ms / 1000) if limit]
        self._seconds = _SHARE * min(limits) if limits else None
        self.equilibrium.start(match)
        self.reader.meet(dict(enumerate(match.names)))
        self._judged = None

    def observe(self, record: HandRecord) -> None:
        seats = record.seats or tuple(range(record.spec.players))
        for seat in seats:
            if seat != self._seat:
                self.seen[self._name(seat)] += 1
        self.reader.observe(record)
        # What it has learned changes what it reads.
        self._judged = None

    def close(self) -> None:
        self.equilibrium.close()

    def _name(self, seat: int) -> str:
        # Several players may have one name: each is learned for itself.
        return f"{seat}:{self._names[seat] if seat < len(self._names) else ''}"

    def save(self) -> bytes:
        """What it has learned of the opponents, between two hands."""
        return msgspec.msgpack.encode(_Saved(_VERSION, dict(self.seen), cast(Saveable, self.reader).save()))

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
        self.seen = Counter(saved.seen)
        self._judged = None

    # deciding ------------------------------------------------------------------------------------------------------

    def hands(self, view: View) -> int:
        """Hands of the opponents still in that it has observed; of several, of the one whom it has seen least."""
        me = view.actor
        others = (p for p in range(view.spec.players) if p != me and not view.folded[p])
        return min(self.seen[self._name(view.seats[p])] for p in others)

    def unknown(self, view: View) -> float:
        """How little it knows of the opponents still in: 1 for a stranger, half after ``evidence`` hands."""
        return self.evidence / max(self.hands(view) + self.evidence, 1)

    def _by_equilibrium(self, view: View) -> bool:
        return not self.risk and view.spec.players == 2

    def judged(self, view: View, trusted_only: bool = True) -> Judgement:
        """What the actions win in play-outs."""
        line, seconds = view.line, self._seconds
        if self._judged is None or self._judged[:2] != (line, trusted_only):
            judged = judge(
                view, self.reader, deals=self.deals if seconds is None else 10**6, error=0.0, seconds=seconds,
                solve=False, rank=self._tournament, trusted_only=trusted_only,
                doubt=self.unknown(view) if view.spec.players == 2 else 1.0,
                first_all_ins=False,  # after a smaller raise it wins more than the play-outs know
            )  # fmt: skip
            self._judged = line, trusted_only, judged
        return self._judged[2]

    def _played_out(self, view: View, judged: Judgement | None = None) -> ActionDistribution:
        """Each action that the prior may take, or the best in its place."""
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
        return _ERRORS / self.risk * (1 + self.unknown(view))

    def act(self, view: View, rng: Rng) -> Action:
        self._check(view)
        return self.equilibrium.act(view, rng) if self._by_equilibrium(view) else self._played_out(view).sample(rng)

    def policy(self, view: View) -> ActionDistribution:
        """The probabilities of its actions."""
        self._check(view)
        return self.equilibrium.policy(view) if self._by_equilibrium(view) else self._played_out(view)

    @staticmethod
    def _check(view: View) -> None:
        if view.actor < 0 or NO_CARD in view.hole_of(view.actor) or len(view.board) != BOARD_CARDS[view.street]:
            raise blind(view)

    # advice --------------------------------------------------------------------------------------------------------

    def advise(self, view: View, rng: Rng) -> Advice:
        """Its actions with their reasons; values are those of play-outs, in chips won from here on (folding is 0)."""
        self._check(view)
        if self._by_equilibrium(view):
            return advise(self.equilibrium, view, rng)
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
        reasons.extend(reason for reason in judged.doubted(view) if reason not in reasons)
        return Advice(
            actions=judged.actions,
            probabilities=tuple(chances.get(action, 0.0) for action in judged.actions),
            values=tuple(value.mean for value in judged.values),
            reasons=tuple(reasons),
            readings=dict(self.reader.read(view)),
        )
