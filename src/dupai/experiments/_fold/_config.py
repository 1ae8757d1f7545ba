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
#: In limit games fold with the sizes of equation 4, as the paper used it; without, the one size has its own interval.
LIMIT_READER = "fold:limit=table"
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
LIMIT_SETS = (OWN, "three-player limit (ACPC 2014)")
OWN_PAIRS = (
    ("style:paper-TA", "rules"),
    ("style:paper-LP", "rules:tight-aggressive"),
    ("fold", "style:paper-LA"),
    ("fold", "rules"),
)

#: The two programs that every table and figure is about: the paper's, and ours.
PAPER, OURS = "fold:paper", "fold:reader=model"
PROGRAMS: Mapping[str, str] = {"paper": PAPER, "ours": OURS}
#: What we added to the paper's program; all of them together make ours.
ADDITIONS: Mapping[str, str] = {
    "reader": "reader=model",
    "price": "odds=on",
    "trust": "trust=on",
    "exploit": "exploit=on",
    "exact win rates": "exact=on,samples=10000",
}
_WITHOUT: Mapping[str, str] = {
    "reader": "reader=fold",
    "price": "odds=off",
    "trust": "trust=off",
    "exploit": "exploit=off",
    "exact win rates": "exact=off,samples=500",
}
#: The ablation: one addition to the paper's program, ours without one of them, and the paper's without reading.
ABLATION: Mapping[str, str] = {
    "paper, reads nothing": f"{PAPER},reader=uniform",
    **{f"paper + {name}": f"{PAPER},{option}" for name, option in ADDITIONS.items()},
    **{f"ours - {name}": f"fold:{option}" if name == "reader" else f"{OURS},{option}"
       for name, option in _WITHOUT.items()},
}  # fmt: skip
#: Variants at eight seats (figure 12, and readers).
VARIANTS: Mapping[str, str] = {
    **PROGRAMS,
    "paper, no implied odds": f"{PAPER},implied=off",
    "ours, no implied odds": f"{OURS},implied=off",
    "ours, reader fold": "fold:reader=fold",
    "ours, reader uniform": "fold:reader=uniform",
}
#: Our stand-in for the paper's seven private programs: of different looseness and aggression.
FIELD = (
    *(f"style:paper-{name}" for name in ("LA", "LP", "TA", "TP")),
    "rules",
    *(f"rules:{how}" for how in ("tight-aggressive", "tight-passive", "loose-aggressive", "loose-passive")),
    "caller",
    "fixed",
)
#: The seven of the field that play everybody in the 8 x 8 matrix of table 3.
SEVEN = ("style:paper-LA", "style:paper-LP", "style:paper-TA", "style:paper-TP", "rules:tight-aggressive",
         "rules:tight-passive", "rules:loose-aggressive")  # fmt: skip
#: Matches in a cell of work; heads-up matches of each program against each of the field, of each program of the
#: ablation, and of each pair of the seven (table 3; the paper: probably 20 of a pair).
CHUNK = 5
#: A quick run asks little of much: does the paper's program win more than half (its matches cost a third of ours), and
#: what does its reader add; the additions one by one need ``--full``.
TABLE3_MATCHES: Mapping[Size, Mapping[str, int]] = {
    "quick": {"paper": 40, "ours": 10},
    "full": {"paper": 100, "ours": 100},
}
ABLATION_MATCHES: Mapping[Size, Mapping[str, int]] = {
    "quick": {"paper, reads nothing": 40},
    "full": dict.fromkeys(ABLATION, 50),
}
MATRIX_MATCHES: Mapping[Size, int] = {"quick": 10, "full": 100}
#: Matches of each program by number of players (the paper: 100 of each, 500 for figure 8), and of each variant at
#: eight. A quick run plays two sizes of table, often enough for intervals.
MATCHES: Mapping[Size, Mapping[int, int]] = {
    "quick": {4: 12, 8: 20},
    "full": {**dict.fromkeys(range(2, 8), 100), 8: 500},
}
VARIANT_MATCHES: Mapping[Size, int] = {"quick": 0, "full": 100}
#: Figure 10: matches whose chip curves are averaged, and hands from one point of a curve to the next.
CURVES, CURVE_STEP = 100, 10

#: Relative probabilities of the default model that are scored beside each other, and the hands.
THETAS = (2.5, 4.0, 10.0, 20.0, 50.0)
#: Figure 3: the two hands that the paper follows, and what it leaves open: the size of the bets in pots, and options of
#: the reader.
EXAMPLE = ("AdTc", "KsJc")
EXAMPLES: Mapping[str, tuple[float, str]] = {
    "half pot": (0.5, ""),
    "3/4 pot": (0.75, ""),
    "half pot, value_bets": (0.5, ",value_bets=on"),
}
THETA_SETS = ("three-player limit (ACPC 2014)", "six players no-limit (Pluribus)",
              "heads-up no-limit (DeepStack)")  # fmt: skip
THETA_CASES: Mapping[Size, int] = {"quick": 250, "full": 2000}
#: Fewer matches than these say nothing for or against the paper.
FEW = 30

#: The agent with three readers, chips reset every hand: opponents, hands of a block, blocks.
AGENTS: Mapping[str, str] = {name: f"fold:reader={name},format=cash" for name in ("model", "fold", "uniform")}
OPPONENTS = ("style:paper-LA", "style:paper-LP", "style:paper-TA", "rules", "rules:tight-passive", "fixed")
BLOCK_HANDS = 100
BLOCKS: Mapping[Size, int] = {"quick": 1, "full": 40}
