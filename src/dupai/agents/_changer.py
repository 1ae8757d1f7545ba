"""An opponent made to exploit adaptation: it changes its style every few hundred hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from dupai.agents._protocol import MatchInfo, PolicyAgent
from dupai.agents._style import THRESHOLDS, Style
from dupai.base import ConfigError, Option, Rng
from dupai.base.specs import check_between
from dupai.notation import Reason
from dupai.rules import Action, View
from dupai.spots import SIZE_HELP, ActionDistribution


class Changer(PolicyAgent):
    """Plays one style, then another: what an opponent has learned of it is wrong after every change.

    It goes round ``styles`` and changes after ``every`` hands of the match, by the number of the hand. So it does not
    learn itself, and what it will do depends on nothing that its opponents do.
    """

    def __init__(
        self,
        styles: Annotated[str, Option("styles in turn, between slashes")] = "LA/TP/LP/TA",
        every: Annotated[int, Option("hands between two changes", 1, 10_000_000)] = 500,
        size: Annotated[str, Option(SIZE_HELP)] = "random",
    ) -> None:
        names = [name.strip().upper() for name in styles.split("/")]
        for name in names:
            if name not in THRESHOLDS:
                raise ConfigError(
                    f"styles={styles!r}: expected {', '.join(THRESHOLDS)} between slashes, as LA/TP", key="styles"
                )
        check_between("every", every, 1, 10_000_000)
        self.every = every
        self.styles = tuple(names)
        self._players = tuple(Style(name, size=size) for name in names)  # type: ignore[arg-type]

    def start(self, match: MatchInfo) -> None:
        for player in self._players:
            player.start(match)

    def style_of(self, hand: int) -> str:
        """The style of a hand of the match, numbered from 1."""
        return self.styles[max(hand - 1, 0) // self.every % len(self.styles)]

    def _now(self, view: View) -> Style:
        return self._players[self.styles.index(self.style_of(view.hand))]

    def act(self, view: View, rng: Rng) -> Action:
        return self._now(view).act(view, rng)

    def policy(self, view: View) -> ActionDistribution:
        return self._now(view).policy(view)

    def numbers(self, view: View) -> Mapping[str, float]:
        return self._now(view).numbers(view)

    def reasons(self, view: View) -> tuple[Reason, ...]:
        hands = self.every - max(view.hand - 1, 0) % self.every
        style = Reason("style_for", {"style": self.style_of(view.hand), "hands": hands})
        return (style, *self._now(view).reasons(view))
