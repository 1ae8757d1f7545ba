"""The ``advisor`` agent: what each action is worth, and which are good."""

from __future__ import annotations

from typing import Annotated, ClassVar, cast

import msgspec

from dupai.agents._capabilities import Capabilities, class_capabilities
from dupai.agents._judge import judge
from dupai.agents._judgement import Judgement
from dupai.agents._protocol import Advice, MatchInfo, PolicyAgent
from dupai.base import ConfigError, Option, Rng
from dupai.notation import Reason
from dupai.reading import Saveable, can_save, load_reader
from dupai.rules import HandRecord, View
from dupai.spots import ActionDistribution


class Advisor(PolicyAgent):
    """Values every action by play-outs: opponents as they are read, later play as the strongest players' of the game.

    Heads-up it solves turns and rivers between both ranges, and plays the push/fold equilibrium up to 15 big blinds.
    Elsewhere thousands of hands are played on side by side with cards drawn from the readings, each opponent acting as
    the population that the reader takes them for, with their learned habits. Among actions whose values differ by less
    than twice the error, the strongest population decides (Pluribus; heads-up DeepStack; limit Hyperborean). An action
    that it takes in less than 3 % is not recommended: no hand of such a line was ever seen. It never had
    a short stack: there a cheap call for all chips and the first all-in need no more than their values.
    """

    stateless: ClassVar[bool] = False
    bettings: ClassVar[tuple[str, ...]] = ("no-limit", "limit", "pot-limit")

    def __init__(
        self,
        reader: Annotated[str, Option("what the opponents hold, and whom they are taken for")] = "model",
        deals: Annotated[int, Option("deals of a decision, at most", 64, 10**6)] = 4096,
        ms: Annotated[float | None, Option("milliseconds for a decision, at most; none: deals alone")] = None,
    ) -> None:
        if ms is not None and not 0 < ms < float("inf"):
            raise ConfigError(f"ms={ms:g}: expected a time above 0", key="ms")
        self._reader_spec, self._deals, self._seconds = reader, deals, None if ms is None else ms / 1000
        self.reader = load_reader(reader)

    def start(self, match: MatchInfo) -> None:
        self.reader = load_reader(self._reader_spec)
        self.reader.meet(dict(enumerate(match.names)))
        if match.seconds_per_action is not None and self._seconds is None:
            self._seconds = match.seconds_per_action / 2

    def observe(self, record: HandRecord) -> None:
        self.reader.observe(record)

    def judged(self, view: View) -> Judgement:
        """What the actions are worth."""
        return judge(view, self.reader, deals=self._deals, seconds=self._seconds)

    def policy(self, view: View) -> ActionDistribution:
        return self.judged(view).policy

    def advise(self, view: View, rng: Rng) -> Advice:
        """The policy with the value of every action, the worth of the recommended one and the readings."""
        judged, reasons, numbers = self.judged(view), [], {}
        if judged.played is not None:
            unit, worth = max(view.spec.big_blind, 1), judged.values[judged.best]
            numbers = {"worth": worth.mean / unit, "error": worth.se / unit}
            reasons.append(Reason("worth", {"worth": worth.mean / unit, "error": 1.96 * worth.se / unit}))
        reasons.append(judged.source)
        if judged.played is not None and len(judged.even) > 1:
            reasons.append(Reason("even_left_to_prior"))
        reasons.extend(judged.doubted(view))
        advice = Advice.of(judged.policy, tuple(reasons), numbers)
        return msgspec.structs.replace(
            advice, values=tuple(value.mean for value in judged.values), readings=self.reader.read(view)
        )

    def capabilities(self) -> Capabilities:
        """It can be saved if its reader can."""
        return msgspec.structs.replace(class_capabilities(self), saves=can_save(self.reader))

    def save(self) -> bytes:
        """What the reader has learned, between two hands."""
        return cast(Saveable, self.reader).save()

    def load(self, data: bytes) -> None:
        """Continue from what :meth:`save` returned, after :meth:`start`, with the same options.

        Raises:
            ConfigError: the data are not of this agent.
        """
        cast(Saveable, self.reader).load(data)
