"""Who plays whom in the BR-PSO experiments (``runs.toml``), and how much."""

from __future__ import annotations

from typing import Literal

import msgspec

from dupai.base import Rng
from dupai.experiments._brpso._printed import POLICIES
from dupai.experiments._paper import Size
from dupai.experiments._verdict import paper_data

STYLES = ("LA", "LP", "TA", "TP")
#: Seeds of a cell; fewest seeds of a figure that is judged.
BLOCK, JUDGED = 5, 10
#: Hands of a match, whatever the size of the run: as many as the paper plays. A claim about 400,000 hands is not
#: judged by fewer.
HANDS = 400_000
#: No policy is found where the smallest sum comes after this share of the match.
UNFOUND = 0.9
#: Hands before the first update of a swarm of 20 particles and 1,000 hands.
GENERATION = 20_000
OPTION_HANDS, CHANGE_HANDS, SENSITIVITY_HANDS = 50_000, 100_000, 200_000
#: Our goal: positive for good within so many hands for so many of all seeds, and this share of the best policy won.
GOAL_HANDS, GOAL_SEEDS, GOAL_SHARE = 20_000, 0.9, 0.6
#: The runs that are held to the goal: with options (1) to (3), and without (3).
OURS = ("quick", "quick, no library")
#: Who plays: an agent, or a search in time.
Protocol = Literal["agent", "cma", "random"]


class Run(msgspec.Struct, frozen=True):
    """A run of the paper, or a baseline: whose spec, against which styles."""

    spec: str
    against: tuple[str, ...]
    protocol: Protocol = "agent"


class Open(msgspec.Struct, frozen=True):
    """What the paper leaves open, otherwise: options of the swarm and of the style, blinds."""

    swarm: str = ""
    style: str = ""
    blinds: tuple[int, int] = (50, 100)


_DATA = paper_data(__file__, "runs")
RUNS = msgspec.convert(_DATA["runs"], dict[str, Run])
SENSITIVITY = msgspec.convert(_DATA["sensitivity"], dict[str, Open])
STREET_RUNS, OPTIONS, STRANGER_RUNS, CHANGE_RUNS, TABLE_RUNS = (
    msgspec.convert(_DATA[key], dict[str, str]) for key in ("streets", "options", "strangers", "change", "tables")
)
#: The paper's figure 6 over twice its hands. The weights that change have their last values after the paper's 400,000,
#: so that the first half is its match.
CASE_HANDS = 800_000
CASES = {f"case {k}": f"swarm:{k},updates=10" for k in range(1, 5)}
#: What the styles may bet, which the paper does not say; and the runs that tell sizes apart: by name and style the spec
#: and its hands.
SIZES = ("min", "half", "pot", "random", "max")
SIZE_RUNS: dict[tuple[str, str], tuple[str, int]] = {
    **{(x, "TA"): (f"risk:{x}", HANDS) for x in POLICIES},
    **{("PSO", style): ("swarm:pso", HANDS) for style in STYLES},
    ("BR-PSO", "TA"): ("swarm:br", HANDS),
    ("BR-PSO, m = 40", "TA"): ("swarm:br,m=40", HANDS),
    **{(case, "TA"): (spec, CASE_HANDS) for case, spec in CASES.items()},
}
#: With ``--quick`` those that depend on the size most: the last of the policies, and the standard PSO.
QUICK_SIZE_RUNS = ((list(POLICIES)[-1], "TA"), ("PSO", "LA"), ("PSO", "TP"))
#: More situations than the paper's: five numbers for all streets, five before the flop and five after it, or for each
#: street.
STREETS = ("alike", "flop", "each")
#: How the opponent that changes does; the opponents at tables with several.
CHANGES = (("LA", "TA"), ("TA", "LP"), ("LP", "TP"), ("TP", "LA"))
TABLES = (("LA", "TA"), ("LA", "LP", "TA", "TP", "TA"))


def seeds_of(size: Size, seed: int, full: int = 20, quick: int = 4) -> tuple[int, ...]:
    """Seeds of the matches. The settings were chosen with others (5000 and up)."""
    return tuple(seed * 1_000_000 + k + 1 for k in range(full if size == "full" else quick))


def table_hands(size: Size) -> int:
    """Hands of a match with several opponents."""
    return 6_000 if size == "full" else 2_000


def reader_hands(size: Size) -> int:
    """Hands of a match of the hand reader."""
    return 500 if size == "full" else 100


def strangers(seed: int, count: int) -> list[tuple[float, float]]:
    """Thresholds of styles drawn at random: alpha in [0.2, 0.65], beta up to 0.95."""
    rng = Rng(seed, 41)
    pairs = []
    for _ in range(count):
        alpha = round(0.2 + 0.45 * rng.uniform(), 2)
        pairs.append((alpha, round(alpha + (0.95 - alpha) * rng.uniform(), 2)))
    return pairs
