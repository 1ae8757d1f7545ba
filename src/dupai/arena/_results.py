"""What a match or a tournament comes to: frozen structs that hold all that is needed to play it again."""

from __future__ import annotations

import math
import platform
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from dupai.agents import AgentNotes, DecisionTimes
from dupai.arena._entrants import Entrant
from dupai.arena._hand import Fault, PlayedUnit
from dupai.arena._settings import PlaySettings, StakesSettings, blinds_of, load_settings, read_deals
from dupai.base import Option, Printable
from dupai.base.text import visible
from dupai.rules import GameSpec
from dupai.stats import Measure

#: Of no values.
NOTHING = Measure(mean=0.0, se=None, low=None, high=None, n=0)


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    from importlib.metadata import version

    from dupai.base import __version__

    packages = {name: version(name) for name in ("numpy", "numba")}
    return {"dupai": __version__, "python": platform.python_version(), **packages}


# tournaments ---------------------------------------------------------------------------------------------------------


class PlayResult(Printable, msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What the results of all formats have in common.

    Attributes:
        config, seed, versions: what it takes to play it again.
        hands: hands that count.
        partial: it was stopped; the result is of what was played.
        faults: the faults of the agents, match by match: the first 10,000. Players have the number of theirs.
        notes: fall-backs of the agents that count theirs, and all their decisions.
        reproducible: equal seeds give equal play: every agent says so, and there is no clock.
    """

    config: PlaySettings
    seed: int
    versions: dict[str, str]
    hands: int
    partial: bool = False
    faults: tuple[Fault, ...] = ()
    notes: tuple[AgentNotes, ...] = ()
    reproducible: bool = True

    def headline(self) -> str:
        return f"{self.hands:,} hands, seed {self.seed}{self._ending()}"

    def _ending(self) -> str:
        return (", stopped early" if self.partial else "") + (f"; {self.fault_counts()}" if self.faults else "")

    def fault_counts(self) -> str:
        """How often each agent failed, in words: ``faults: my-agent 12``."""
        more = " or more" if len(self.faults) == MAX_FAULTS else ""
        counts = Counter(fault.agent for fault in self.faults).most_common()
        return "faults: " + ", ".join(f"{agent} {count:,}{more}" for agent, count in counts)

    def __str__(self) -> str:
        # Faults and notes are the words of agents, also of a result that was read from a file.
        faults = [visible(f"  fault of {f.agent} in hand {f.hand}: {f.error}", line=True) for f in self.faults[:3]]
        notes = [visible(f"  {line}", line=True) for one in self.notes for line in one.lines()]
        return "\n".join([Printable.__str__(self), *faults, *notes])

    @property
    def decision_times(self) -> tuple[DecisionTimes, ...]:
        """How long each agent took to decide, where the format counts it, in the part that was played now.

        Times differ from run to run: results are compared, and written as JSON and to results files, without them.
        """
        return self.__dict__.get("decision_times", ())  # type: ignore[no-any-return]


R = TypeVar("R", bound=PlayResult)


def with_times(result: R, counts: Mapping[str, Iterable[Mapping[int, int]]]) -> R:
    """The result with the decision times of its agents, from the counts of their decisions by length."""
    times = [DecisionTimes.of(agent, pieces) for agent, pieces in counts.items()]
    result.__dict__["decision_times"] = tuple(t for t in times if t is not None)
    return result


#: Faults that a result lists; an agent that fails at every decision would make it larger than memory.
MAX_FAULTS = 10_000


def common_facts(config: PlaySettings, entrants: Sequence[Entrant], units: Iterable[Any] = ()) -> dict[str, Any]:
    """The fields of a :class:`PlayResult` that the settings and the agents settle, with the first faults and all notes
    of its units."""
    units = list(units)
    notes: dict[str, list[AgentNotes]] = {}
    for one in (one for unit in units for one in unit.notes):
        notes.setdefault(one.agent, []).append(one)
    return {
        "faults": tuple(islice((fault for unit in units for fault in unit.faults), MAX_FAULTS)),
        "notes": tuple(AgentNotes.of(agent, notes[agent]) for agent in config.labels if agent in notes),
        "config": config,
        "seed": config.seed,
        "versions": versions(),
        "reproducible": all(e.reproducible for e in entrants) and not config.rules.clocked,
    }


class Level(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One level of a schedule: so many ``hands`` with these blinds (small, big) and an ``ante`` from everybody. The
    last level of a schedule stays."""

    hands: int
    blinds: tuple[int, int]
    ante: int = 0


class Schedule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``dupai tournament --schedule FILE``: levels and prizes."""

    levels: tuple[Level, ...] = ()
    payouts: tuple[float, ...] = ()


def read_schedule(text: str, folder: Path) -> dict[str, Any]:
    """The fields that a schedule file sets."""
    fields = msgspec.structs.asdict(load_settings(folder / text, Schedule))
    return {name: value for name, value in fields.items() if value}


class TournamentSettings(PlaySettings, frozen=True, kw_only=True):
    """All agents at one table, no-limit, chips carried over, until one is left or the hands are played; many matches.

    Out of chips with no rebuy left is out. Ranks go by hands survived, then by chips left (stack plus unused rebuys);
    out in the same hand: more chips at its start is better, then a shared rank. Seats are drawn anew each match. A
    player who is never out has survived all hands. F, the volatility of a match, is sqrt(sum (chips_k -
    chips_{k-1})^2). This is the format of section 6 of the FOLD paper with its figures as defaults. Same seed, same
    result for any --jobs.

    Examples:

      dupai tournament rules rules:tight style:LA style:TP --matches 20

      dupai tournament rules rules style:TA --blinds 10/20 --jobs 2 --json

    Attributes:
        hands: most hands a match.
        blinds: small and big, in chips, where there are no levels.
        stack: chips at the start and of a rebuy.
        rebuys: rebuys of each player.
        matches: how many matches.
        levels: blinds and antes that rise; empty: ``blinds`` all the time.
        payouts: prizes of the first, second, ... place; equals share. Empty: no prizes.
        curves: keep every player's chips after every hand.
    """

    hands: Annotated[int, Option("End a match after this many hands.", short="-n", low=1)] = 600
    blinds: Annotated[
        tuple[int, int], Option("Small and big blind (--schedule: rising).", read=blinds_of, text="20/40")
    ] = (20, 40)
    stack: Annotated[int, Option("Chips at the start, and of a rebuy.")] = 2000
    rebuys: Annotated[int, Option("Rebuys each player has.", low=0)] = 1
    matches: Annotated[int, Option("How many matches.", short="-m", low=1)] = 100
    levels: Annotated[
        tuple[Level, ...],
        Option("TOML file: levels of blinds and antes, payouts.", name="schedule", read=read_schedule, text=""),
    ] = ()
    payouts: tuple[float, ...] = ()
    curves: bool | UnsetType = UNSET

    def level(self, hand: int) -> tuple[tuple[int, int], int]:
        """Blinds and ante of a hand (numbered from 1)."""
        for level in self.levels:
            hand -= level.hands
            if hand <= 0:
                break
        return (level.blinds, level.ante) if self.levels else (self.blinds, 0)


#: The settings once they are checked, with the agents.
TournamentConfig = TournamentSettings


class PlayerMatch(msgspec.Struct, frozen=True, kw_only=True):
    """How one player did in one match.

    Attributes:
        agent: its label.
        chair: where it sat (drawn anew each match).
        rank: 1 is best; equals share the mean of their ranks.
        hands: hands survived; a player who is never out has survived all hands of the format.
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


class TournamentMatch(PlayedUnit, frozen=True, kw_only=True):
    """One match: its number, the hands dealt, the players in the order they were entered, faults and notes; and whether
    it was played to its end (where it was not, ranks and chips are how things stood)."""

    match: int
    hands: int
    players: tuple[PlayerMatch, ...]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One player over all matches: means with 95 % intervals by match.

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


class TournamentResult(PlayResult, frozen=True, kw_only=True):
    """A tournament. Equal configurations give equal results whatever the number of workers.

    Attributes:
        pairing: how players met.
        standings: best mean rank first.
        matches: every match that was done.
    """

    config: TournamentConfig
    pairing: str
    standings: tuple[Standing, ...]
    matches: tuple[TournamentMatch, ...]

    def headline(self) -> str:
        best = ""
        if self.standings:
            rank = self.standings[0].rank
            sure = "" if rank.high is None else " (± 95 %)"
            best = f"{self.standings[0].agent} first, mean rank {rank.text()}{sure}; "
        return f"{best}{len(self.matches):,} matches, {PlayResult.headline(self)}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        rows = [
            (s.agent, s.rank.text(), s.hands.text(1), s.chips.text(0), f"{100 * s.places[0]:.0f} %")
            for s in self.standings
        ]
        return ("agent", "mean rank (± 95 %)", "hands survived (± 95 %)", "chips (± 95 %)", "won"), rows


# matches with stacks reset -------------------------------------------------------------------------------------------


class MatchSettings(StakesSettings, frozen=True, kw_only=True):
    """Stacks reset every hand (ACPC style), 2 to 10 players: who wins how many mbb/hand, with its 95 % interval.

    mbb/hand: thousandths of a big blind won per hand. With --duplicate all rotations of the seats are matches of their
    own over the same cards with fresh agents: much of the luck of the cards is gone. The interval counts deals where
    all agents are stateless, else matches (--matches). The table says how many hands an interval of ±10 mbb would
    take.

    --luck-reduced computes what was luck in every hand (the cards of all, and the decisions of stateless agents that
    state their probabilities) and prints means with and without it side by side: the same expectation, smaller errors.
    It takes some 3 ms a hand heads-up, 11 ms at six seats. The learning curve gives everybody's mbb/hand by blocks of
    hands and from the first hand on.

    Examples:

      dupai match rules style:TA --hands 3000 --duplicate --jobs 2

      dupai match rules style:TA --hands 1000 --duplicate --luck-reduced

      dupai match rules style:TA -d --hands 9000 --results week.db --resume

      dupai match rules raiser --game holdem.limit.2p --seed 7 --json

    Attributes:
        hands: hands from each seating of a match (default: all ``deals``, else 3,000).
        duplicate: every deal in all rotations of the seats. Each rotation is a match of its own over the same cards
            with fresh agents, never interleaved. Between stateless agents the interval counts deals, else matches.
        permutations: duplicate in all orders of the players (at most three), not in the rotations alone.
        matches: so many matches, each with fresh agents and deals of its own: agents that learn need several for an
            interval.
        deals: fixed cards of the hands as ACPC card strings (see :func:`load_deals`); empty: drawn from the seed.
        curve: a learning curve of so many blocks of hands (default: 20 where an agent may learn, else none).
    """

    arguments: ClassVar[tuple[tuple[str, str, bool], ...]] = (
        ("agents", "Two agent specs (up to ten play one table).", True),
    )

    hands: Annotated[
        int | None, Option("Hands from each seating. [default: 3000, or all of --deals]", short="-n", low=1)
    ] = None
    duplicate: Annotated[
        bool, Option("Play every deal in all rotations of the seats, with fresh agents.", short="-d")
    ] = False
    permutations: Annotated[bool, Option("Duplicate in all orders of the seats (three players at most).")] = False
    matches: Annotated[
        int,
        Option("Matches, each on other deals; the interval counts them if agents learn.", short="-m", low=1),
    ] = 1
    deals: Annotated[
        tuple[str, ...], Option("File of fixed cards, a line a hand: AsKd|7h7c/2c3d4h/5s/6d.", read=read_deals, text="")
    ] = ()
    curve: Annotated[
        int | None, Option("Blocks of hands of the learning curve; 0: none. [default: 20 if an agent learns]", low=0)
    ] = None


class MatchConfig(MatchSettings, frozen=True, kw_only=True):
    """The settings of a match once they are checked: the game with its stacks, all numbers known."""

    game: GameSpec
    hands: int = 3000
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

    ``n`` of the measures counts what intervals count (``unit`` of the result): deals, or matches where an agent may
    learn, because what it has learned is in all hands of its match.
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


class MatchResult(PlayResult, frozen=True, kw_only=True):
    """A match with stacks reset every hand.

    Attributes:
        pairing: which deals are compared.
        unit: what the interval counts as independent: ``"deal"`` or ``"hand"`` between stateless agents, ``"match"``
            where one may learn (fewer than :data:`dupai.stats.MIN_LONG` have no interval).
        deals: different deals among the hands of all seatings.
        players: in the order given.
        stateless: every agent declares that a hand does not depend on earlier ones; else intervals count matches.
        curve: the learning curve, where it was asked for.
    """

    config: MatchConfig
    pairing: str
    unit: str
    deals: int
    players: tuple[MatchPlayer, ...]
    stateless: bool = False
    curve: tuple[CurveBlock, ...] = ()

    def headline(self) -> str:
        won = ", ".join(f"{p.agent} {p.mbb.text(1)}" for p in self.players[:3]) + ", ..." * (len(self.players) > 3)
        return f"{won} mbb/hand (± 95 %); {self._summary()}"

    def as_table(self) -> tuple[tuple[str, ...], Sequence[tuple[str, ...]]]:
        return ("agent", "won", "95 % interval", "hands wanted"), [*self._rows()]

    def _rows(self) -> list[tuple[str, str, str, str]]:
        plain: list[tuple[str, MatchPlayer | LuckReduced]] = [(p.agent, p) for p in self.players]
        reduced = [(f"{p.agent}, luck out", p.luck_reduced) for p in self.players if p.luck_reduced is not None]
        return [
            (
                label,
                f"{p.mbb.mean:+,.1f} mbb/hand",
                p.mbb.interval_text(),
                "" if p.hands_for_10_mbb is None else f"±10 takes {p.hands_for_10_mbb:,} hands",
            )
            for label, p in (*plain, *reduced)
        ]

    def _summary(self) -> str:
        return f"{self.hands:,} hands, {self.pairing}, seed {self.seed}{self._ending()}"
