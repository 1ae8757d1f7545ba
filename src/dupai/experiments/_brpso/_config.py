"""Who plays whom in the BR-PSO experiments, and how much."""

from __future__ import annotations

from typing import Literal

from dupai.base import Rng
from dupai.experiments._paper import Size

STYLES = ("LA", "LP", "TA", "TP")
#: Seeds of a cell; fewest seeds of a figure that is judged.
BLOCK, JUDGED = 5, 10
#: Hands of a match, whatever the size of the run: as many as the paper plays. A claim about 400,000 hands is not
#: judged by fewer.
HANDS = 400_000
#: Hands before the first update of a swarm of 20 particles and 1,000 hands.
GENERATION = 20_000
OPTION_HANDS, CHANGE_HANDS, SENSITIVITY_HANDS = 50_000, 100_000, 200_000
#: Our goal: positive for good within so many hands for so many of all seeds, and this share of the best policy won.
GOAL_HANDS, GOAL_SEEDS, GOAL_SHARE = 20_000, 0.9, 0.6
#: The runs that are held to the goal: with options (1) to (3), and without (3).
OURS = ("quick", "quick, no library")
#: Who plays: an agent, or a search in time.
Protocol = Literal["agent", "cma", "random"]

#: The paper's runs and the baselines: name, spec, opponents, protocol.
RUNS: tuple[tuple[str, str, tuple[str, ...], Protocol], ...] = (
    ("PSO", "swarm:pso", STYLES, "agent"),
    ("BR-PSO", "swarm:br", STYLES, "agent"),
    ("BR-PSO, m = 40", "swarm:br,m=40", ("TA",), "agent"),
    *((f"variant {k}", f"swarm:{k}", ("TA",), "agent") for k in range(1, 5)),
    ("quick", "swarm:quick", STYLES, "agent"),
    ("quick, no library", "swarm:quick,warm=0", STYLES, "agent"),
    ("rules", "rules", STYLES, "agent"),
    ("CMA-ES", "risk", STYLES, "cma"),
    ("random search", "risk", STYLES, "random"),
)
#: The paper's figure 6 over twice its hands. The weights that change have their last values after the paper's 400,000,
#: so that the first half is its match.
CASE_HANDS = 800_000
CASES = {f"case {k}": f"swarm:{k},updates=10" for k in range(1, 5)}
#: What the styles may bet, which the paper does not say; and the runs that it is varied for.
SIZES = ("random", "min", "half", "pot", "max")
#: With ``--quick`` the two runs that depend on it most.
QUICK_SIZES = dict.fromkeys(("LA", "TP"), ("random", "min", "half", "max"))
SIZE_RUNS = (
    *(("PSO", "swarm:pso", style) for style in STYLES),
    ("BR-PSO", "swarm:br", "TA"),
    *((f"variant {k}", f"swarm:{k}", "TA") for k in range(1, 5)),
)
#: The paper's outlook, more situations: five numbers for all streets, five before the flop and five after it, or for
#: each street.
STREETS = ("alike", "flop", "each")
STREET_RUNS = {"BR-PSO": "swarm:br", "variant 2": "swarm:2", "quick, no library": "swarm:quick,warm=0"}
#: Options (1) to (3), each alone and together.
OPTIONS = {
    "BR-PSO, n_f = 1000": "swarm:br",
    "variant 2, n_f = 2000": "swarm:2",
    "small n_f alone": "swarm:quick,clean=off,race=0,warm=0",
    "(1) all-ins at their equity": "swarm:quick,clean=allin,race=0,warm=0",
    "(1) and what the cards explain": "swarm:quick,clean=cards,race=0,warm=0",
    "(2) racing": "swarm:quick,clean=off,race=2,warm=0",
    "(1) + (2)": "swarm:quick,clean=cards,race=2,warm=0",
    "(3) warm start": "swarm:quick,clean=off,race=0",
    "(1) + (2) + (3): quick": "swarm:quick",
    "library policy, not moved": "swarm:quick,m=4,spread=0,w=0,c1=0,c2=0",
}
#: Against opponents that the library does not know.
STRANGER_RUNS = {
    "BR-PSO": "swarm:br",
    "(1) + (2), no library": "swarm:quick,warm=0",
    "quick": "swarm:quick",
    "library policy, not moved": "swarm:quick,m=4,spread=0,w=0,c1=0,c2=0",
    "rules": "rules",
}
#: (5) Against an opponent that changes, from one style to another.
CHANGES = (("LA", "TA"), ("TA", "LP"), ("LP", "TP"), ("TP", "LA"))
CHANGE_RUNS = {"BR-PSO": "swarm:br", "quick": "swarm:quick", "quick, (5)": "swarm:quick,detect=500"}
#: (4) At tables with several opponents.
TABLES = (("LA", "TA"), ("LA", "LP", "TA", "TP", "TA"))
TABLE_RUNS = {
    "rules": "rules:deals=100",
    "BR-PSO, one swarm": "swarm:br,nf=100,deals=100",
    "(1)-(2), one swarm": "swarm:quick,warm=0,nf=100,deals=100",
    "quick, one swarm": "swarm:quick,nf=100,deals=100",
    "(1)-(2), one each": "swarm:quick,warm=0,nf=100,deals=100,table=each",
}
#: What the paper leaves open: setting, options of the swarm, options of the style, blinds.
SENSITIVITY: tuple[tuple[str, str, str, tuple[int, int]], ...] = (
    ("as ours: 50/100, random sizes, d to 100", "", "", (50, 100)),
    ("blinds 100/200", "", "", (100, 200)),
    ("blinds 25/50", "", "", (25, 50)),
    ("TA raises half the pot", "", "size=half", (50, 100)),
    ("TA raises the pot", "", "size=pot", (50, 100)),
    ("TA raises the minimum", "", "size=min", (50, 100)),
    ("TA raises all-in", "", "size=max", (50, 100)),
    ("d to 20", "dmax=20", "", (50, 100)),
    ("d to 1000", "dmax=1000", "", (50, 100)),
    ("shares 0.001 from 0 and 1", "edge=0.001", "", (50, 100)),
    ("shares 0.05 from 0 and 1", "edge=0.05", "", (50, 100)),
    ("nobody positive: drawn anew", "nobody=redraw", "", (50, 100)),
    ("weights over 5 updates", "updates=5", "", (50, 100)),
    ("weights over 100 updates", "updates=100", "", (50, 100)),
)


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
