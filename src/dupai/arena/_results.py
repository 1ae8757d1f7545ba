"""What a match or a tournament comes to: frozen structs that hold all that is needed to play it again."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable

import msgspec

from dupai.arena._hand import Fault, TableRules
from dupai.base import Estimate
from dupai.rules import GameSpec


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A mean and its uncertainty; ``se``, ``low`` and ``high`` (95 % interval, normal) are None for one value."""

    mean: float
    se: float | None
    low: float | None
    high: float | None
    n: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Measure:
        """Of independent values (at least one)."""
        return cls(**Estimate.of(values).to_json())  # type: ignore[arg-type]

    def text(self, digits: int = 2) -> str:
        """``mean ± se``."""
        if self.se is None:
            return f"{self.mean:,.{digits}f}"
        return f"{self.mean:,.{digits}f} ± {self.se:,.{digits}f}"


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    from importlib.metadata import version

    from dupai import __version__

    return {
        "dupai": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
    }


# tournaments ---------------------------------------------------------------------------------------------------------


class Level(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One level of a schedule: so many ``hands`` with these blinds (small, big) and an ``ante`` from everybody. The
    last level of a schedule stays."""

    hands: int
    blinds: tuple[int, int]
    ante: int = 0


class TournamentConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A series of tournament matches: the format of papers/fold.md section 6 with its figures as defaults.

    Attributes:
        agents: specs.
        labels: their names in this tournament, unique.
        hands: most hands a match.
        blinds: small and big, in chips, where there are no levels.
        stack: chips at the start and of a rebuy.
        rebuys: rebuys each player has.
        matches: how many matches.
        seed: random numbers come from ``Rng(seed, match, hand, stream)``.
        rules: what happens to an agent that breaks the rules, and its clocks.
        levels: blinds and antes that rise; empty: ``blinds`` all the time.
        payouts: what the first, second, ... place is paid; equals share. Empty: no prizes.
    """

    agents: tuple[str, ...]
    labels: tuple[str, ...]
    hands: int = 600
    blinds: tuple[int, int] = (20, 40)
    stack: int = 2000
    rebuys: int = 1
    matches: int = 100
    seed: int = 0
    rules: TableRules = TableRules()
    levels: tuple[Level, ...] = ()
    payouts: tuple[float, ...] = ()

    def level(self, hand: int) -> tuple[tuple[int, int], int]:
        """Blinds and ante of a hand (numbered from 1)."""
        for level in self.levels:
            hand -= level.hands
            if hand <= 0:
                break
        return (level.blinds, level.ante) if self.levels else (self.blinds, 0)


class PlayerMatch(msgspec.Struct, frozen=True, kw_only=True):
    """How one player did in one match.

    Attributes:
        agent: its label.
        chair: where it sat (drawn anew each match).
        rank: 1 is best; equals share the mean of their ranks.
        hands: hands survived; who is never out has survived all hands of the format.
        chips: chips left: stack plus rebuys not used.
        rebuys: rebuys used.
        volatility_squared: sum over the hands of the squared change of chips left.
        faults: how often it broke the rules or raised.
        curve: chips left before the first hand and after each one, where asked for.
    """

    agent: str
    chair: int
    rank: float
    hands: int
    chips: int
    rebuys: int
    volatility_squared: int
    faults: int = 0
    curve: tuple[int, ...] = ()

    @property
    def volatility(self) -> float:
        """F = sqrt(sum_{k>=2} (chips_k - chips_{k-1})^2), chips left, the first value being the start."""
        return math.sqrt(self.volatility_squared)


class TournamentMatch(msgspec.Struct, frozen=True, kw_only=True):
    """One match: its number, the hands dealt, the players in the order they were entered, the first faults; and whether
    it was played to its end (where it was not, ranks and chips are how things stood)."""

    match: int
    hands: int
    players: tuple[PlayerMatch, ...]
    faults: tuple[Fault, ...] = ()
    complete: bool = True


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One player over all matches (means with standard errors by match).

    Attributes:
        agent: its label.
        rank, hands, chips: see :class:`PlayerMatch`.
        volatility, volatility_squared: F with and without the root, per match.
        places: share of matches finished first, second, ...; equals share their places.
        rebuys: rebuys used per match.
        faults: in all matches together.
        payout: prize per match; None: there are no prizes.
    """

    agent: str
    rank: Measure
    hands: Measure
    chips: Measure
    volatility: Measure
    volatility_squared: Measure
    places: tuple[float, ...]
    rebuys: float
    faults: int
    payout: Measure | None = None


class TournamentResult(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament. Equal configurations give equal results whatever the number of workers.

    Attributes:
        config, seed, versions: what it takes to play it again.
        pairing: how players met.
        hands: hands dealt in all matches.
        partial: it was stopped; ``matches`` holds those that were done.
        standings: best mean rank first.
        matches: every match.
        faults: the first faults of each match.
        reproducible: every agent says that equal random numbers give equal play.
    """

    config: TournamentConfig
    seed: int
    versions: dict[str, str]
    pairing: str
    hands: int
    partial: bool
    standings: tuple[Standing, ...]
    matches: tuple[TournamentMatch, ...]
    faults: tuple[Fault, ...] = ()
    reproducible: bool = True


# matches with stacks reset -------------------------------------------------------------------------------------------


class MatchConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A match with stacks reset every hand (ACPC style).

    Attributes:
        agents: specs.
        labels: their names in this match, unique.
        game: the game with its stacks.
        hands: hands from each seating of a match.
        duplicate: every deal is played in all rotations of the seats.
        seed: random numbers come from ``Rng(seed, match, hand, stream)``, in every rotation.
        matches: so many matches, each with fresh agents and deals of its own.
        permutations: duplicate in all orders of the players (at most three), not in the rotations alone.
        deals: fixed cards of the hands as ACPC card strings; empty: drawn from the seed.
        rules: what happens to an agent that breaks the rules, and its clocks.
        luck_reduced: luck is computed hand by hand and means without it are given, too.
        curve: a learning curve of so many blocks of hands; 0: none.
    """

    agents: tuple[str, ...]
    labels: tuple[str, ...]
    game: GameSpec
    hands: int = 3000
    duplicate: bool = False
    seed: int = 0
    matches: int = 1
    permutations: bool = False
    deals: tuple[str, ...] = ()
    rules: TableRules = TableRules()
    luck_reduced: bool = False
    curve: int = 0


class LuckReduced(msgspec.Struct, frozen=True, kw_only=True):
    """A result without what was luck (see :mod:`dupai.stats`): of the same expectation, with less variance.

    Attributes:
        mbb: won per hand in thousandths of a big blind, over the same units as the plain result.
        variance_ratio: variance of a unit without luck by that of a plain one; None: no spread is known.
        hands_for_10_mbb: as :class:`MatchPlayer` has it.
        decisions: the luck of this player's own decisions is out, too: its probabilities are known.
    """

    mbb: Measure
    variance_ratio: float | None
    hands_for_10_mbb: int | None
    decisions: bool


class CurvePoint(msgspec.Struct, frozen=True, kw_only=True):
    """One player in one block of a learning curve.

    Attributes:
        agent: its label.
        mbb: won per hand in the block, in thousandths of a big blind.
        cumulative: the same from the first hand to the end of the block.
        luck_reduced, cumulative_luck_reduced: both without luck, where it was asked for.
    """

    agent: str
    mbb: Measure
    cumulative: Measure
    luck_reduced: Measure | None = None
    cumulative_luck_reduced: Measure | None = None


class CurveBlock(msgspec.Struct, frozen=True, kw_only=True):
    """Hands ``first`` to ``last`` of every match (numbered from 1), and what everybody won in them.

    ``n`` of the measures counts deals, also where agents learn: given what was learnt, each hand's cards are fresh, so
    the errors are those of the cards' luck. They do not say how much another match's learning would differ.
    """

    first: int
    last: int
    deals: int
    players: tuple[CurvePoint, ...]


class MatchPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """How one player did in a match.

    Attributes:
        agent: its label.
        chips: won in all.
        mbb: won per hand in thousandths of a big blind; ``n`` counts deals (duplicate), hands or matches.
        hands_for_10_mbb: hands that a 95 % interval of ±10 mbb would take at the spread seen; None: no spread.
        faults: how often it broke the rules or raised.
        luck_reduced: the same without luck, where it was asked for.
    """

    agent: str
    chips: float
    mbb: Measure
    hands_for_10_mbb: int | None
    faults: int = 0
    luck_reduced: LuckReduced | None = None


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """A match with stacks reset every hand.

    Attributes:
        config, seed, versions: what it takes to play it again.
        pairing: which deals are compared.
        unit: what the interval counts as independent: ``"deal"`` or ``"hand"`` between stateless agents, ``"match"``
            where one may learn (one match alone then has no interval).
        hands: hands played in all seatings together.
        deals: different deals among them.
        players: in the order given.
        partial: it was stopped before all hands were played.
        faults: the first faults of each seating.
        stateless: every agent declares that a hand does not depend on earlier ones; else intervals count matches.
        reproducible: every agent says that equal random numbers give equal play.
        curve: the learning curve, where it was asked for.
    """

    config: MatchConfig
    seed: int
    versions: dict[str, str]
    pairing: str
    unit: str
    hands: int
    deals: int
    players: tuple[MatchPlayer, ...]
    partial: bool = False
    faults: tuple[Fault, ...] = ()
    stateless: bool = False
    reproducible: bool = True
    curve: tuple[CurveBlock, ...] = ()

    def _rows(self) -> list[tuple[str, str, str, str]]:
        return [
            (
                p.agent,
                f"{p.mbb.mean:+,.1f} mbb/hand",
                "" if p.mbb.low is None else f"[{p.mbb.low:+,.1f}, {p.mbb.high:+,.1f}]",
                "" if p.hands_for_10_mbb is None else f"±10 takes {p.hands_for_10_mbb:,} hands",
            )
            for p in self.players
        ] + [
            (
                f"{p.agent}, luck out",
                f"{r.mbb.mean:+,.1f} mbb/hand",
                "" if r.mbb.low is None else f"[{r.mbb.low:+,.1f}, {r.mbb.high:+,.1f}]",
                "" if r.hands_for_10_mbb is None else f"±10 takes {r.hands_for_10_mbb:,} hands",
            )
            for p in self.players
            if (r := p.luck_reduced) is not None
        ]

    def _summary(self) -> str:
        stopped = ", stopped early" if self.partial else ""
        return f"{self.hands:,} hands, {self.pairing}, seed {self.seed}{stopped}"

    def __repr__(self) -> str:
        rows = self._rows()
        widths = [max(len(r[k]) for r in rows) for k in range(4)]
        lines = [f"MatchResult: {self._summary()}"]
        lines += ["  " + "   ".join((r[0].ljust(widths[0]), *(r[k].rjust(widths[k]) for k in (1, 2, 3)))) for r in rows]
        lines += [f"  fault of {f.agent} in hand {f.hand}: {f.error}" for f in self.faults[:3]]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        head = "".join(f"<th>{h}</th>" for h in ("agent", "won", "95 % interval", "hands wanted"))
        body = "".join(
            f"<tr>{''.join(f'<td style={a!r}>{escape(c)}</td>' for c, a in zip(row, _ALIGN, strict=True))}</tr>"
            for row in self._rows()
        )
        return f"<table><caption>{escape(self._summary())}</caption><tr>{head}</tr>{body}</table>"


_ALIGN = ("text-align:left", "text-align:right", "text-align:right", "text-align:right")
