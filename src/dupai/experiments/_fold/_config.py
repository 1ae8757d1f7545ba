"""Who plays in the FOLD experiments, what is scored, and how much."""

from __future__ import annotations

from collections.abc import Mapping

from dupai.experiments._paper import Size

#: Figure 4: deals of a win rate, and tries with each.
DEALS = (100, 200, 300, 400, 500, 700, 1000, 2000, 5000, 10_000, 50_000)
REPEATS: Mapping[Size, int] = {"quick": 200, "full": 2000}

#: Figure 7: readers, and sets of hands in the shared data. The first few are small enough for a quick run (readers
#: watch all hands of the part).
READERS = ("fold", "markov", "model")
SETS: Mapping[str, str] = {
    "three-player limit (ACPC 2014)": "acpc2014-3p-limit/acpc2014-3p-limit.log.xz",
    "six players no-limit (Pluribus)": "pluribus-6max-2019/pluribus-6max-2019.log.xz",
    "heads-up no-limit (DeepStack)": "deepstack-vs-pros-2016/deepstack-vs-pros-2016.log.xz",
    "heads-up no-limit (Hyperborean14)": "lbr-vs-hyperborean14/lbr-vs-hyperborean14.log.xz",
    "six players no-limit (Bovada)": "bovada-6max-2019/bovada-6max-2019.phhs.xz",
}
QUICK_SETS = 2
#: Limit hands that our own agents play, heads-up.
OWN = "heads-up limit (our own agents)"
OWN_PAIRS = (("style:TA", "rules"), ("style:LP", "rules:tight-aggressive"), ("fold", "style:LA"), ("fold", "rules"))

#: The agent that the tables are about, and its variants.
HERO = "fold:reader=model"
MAIN = "model"
VARIANTS: Mapping[str, str] = {
    MAIN: HERO,
    "no implied odds": f"{HERO},implied=off",
    "reader fold": "fold:reader=fold",
    "reader uniform": "fold:reader=uniform",
}
#: Our stand-in for the paper's seven private programs: of different looseness and aggression.
FIELD = (
    *(f"style:{name}" for name in ("LA", "LP", "TA", "TP")),
    "rules",
    *(f"rules:{how}" for how in ("tight-aggressive", "tight-passive", "loose-aggressive", "loose-passive")),
    "caller",
    "fixed",
)
#: Matches in a cell of work; heads-up matches against each of the field (table 3).
CHUNK = 5
TABLE3_MATCHES: Mapping[Size, int] = {"quick": 5, "full": 100}
#: Matches of the agent by number of players (the paper: 100 of each, 500 for figure 8), and of each variant at eight.
MATCHES: Mapping[Size, Mapping[int, int]] = {
    "quick": {**dict.fromkeys(range(2, 8), 5), 8: 15},
    "full": {**dict.fromkeys(range(2, 8), 100), 8: 500},
}
VARIANT_MATCHES: Mapping[Size, int] = {"quick": 15, "full": 100}
#: Fewer matches than these say nothing for or against the paper.
FEW = 30

#: The agent with three readers, chips reset every hand: opponents, hands of a block, blocks.
AGENTS: Mapping[str, str] = {name: f"fold:reader={name},format=cash" for name in ("model", "fold", "uniform")}
OPPONENTS = ("style:LA", "style:LP", "style:TA", "rules", "rules:tight-passive", "fixed")
BLOCK_HANDS = 100
BLOCKS: Mapping[Size, int] = {"quick": 1, "full": 40}
