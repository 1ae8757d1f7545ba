"""What the experiments on *experience* measure, who plays, and how much."""

from __future__ import annotations

from dupai.experiments._experience._printed import TABLE4
from dupai.experiments._paper import Size
from dupai.reading import reader_names

# the hash table -----------------------------------------------------------------------------------------------------

MEGABYTES = (16, 32, 64, 128, 256, 512, 1024, 2048)
#: Up to this size figure and estimate have to agree within 5 %; above it within three standard errors.
CLOSE = 128
#: Sizes of base tables whose search is timed: the paper's; a quick run leaves out those that take gigabytes.
TIMED: dict[Size, tuple[int, ...]] = {"quick": (16, 32, 64, 128), "full": (16, 32, 64, 128, 1024, 2048)}
OVERFLOWS = (128, 256)
#: Lines of betting at the leaves of a search that asks the table anew at each: five on every street.
LINES = 5**3
#: How often the showdowns of one line are timed.
ROUNDS = 5
#: Searches that are timed, and on how many streets (from the flop on).
SEARCHES = (
    ("own nodes by the rules", "exp", 3),
    ("own nodes maximising", "exp:own=max", 3),
    ("own nodes by the rules, every turn and river", "exp:turns=0,rivers=0", 1),
    ("own nodes by the rules, as in the matches", "exp:turns=8,rivers=3", 1),
    ("opponent by our network", "exp:model=cnn", 3),
    ("opponent by our network, as in the matches", "exp:model=cnn,turns=3,rivers=2,last=8", 3),
)
#: The board that the paper times, and another, by street.
BOARDS = {"flop": ("9d8s7d", "Jc6h2s"), "turn": ("9d8s7d2c", "Jc6h2s5d"), "river": ("9d8s7d2c3h", "Jc6h2s5dTc")}

# the network --------------------------------------------------------------------------------------------------------

#: Whose actions are learned, from which log, and the share of its hands.
LOG, PLAYER = "lbr-vs-hyperborean14", "Hyperborean14"
SHARE: dict[Size, float] = {"quick": 0.05, "full": 0.2}
#: Networks of the paper's kind: maps of the convolutions and units of the dense layer, and Adam's rate. The paper
#: says neither; it names TensorFlow, whose tutorial of those years ("Deep MNIST for Experts") has the second. The third
#: learns more slowly than the printed curve, the others faster.
NETWORKS: dict[str, tuple[tuple[int, int, int], float]] = {
    "8/16/64, Adam 1e-3": ((8, 16, 64), 1e-3),
    "32/64/1024, Adam 1e-4": ((32, 64, 1024), 1e-4),
    "8/16/64, Adam 1e-4": ((8, 16, 64), 1e-4),
}
SMALL, TUTORIAL, SLOW = NETWORKS
#: What is left in or taken out to find the leak, and the steps and batch at which: the least that shows it in a quick
#: run.
ABLATION = ("honest", "honest+cards", "honest+board", "honest+chips", "literal")
ABLATION_STEPS: dict[Size, tuple[int, int]] = {"quick": (500, 32), "full": (1000, 128)}

# the players --------------------------------------------------------------------------------------------------------

#: Our players by the paper's names. The tree looks at fewer cards than by default: matches are long.
PLAYERS = {"exp+exp": "exp:turns=8,rivers=3", "exp+cnn": "exp:model=cnn,turns=3,rivers=2,last=8", "expert": "expert"}
#: Table 4 is played by the paper's players, who take the best action of their search; and, with ``--full``, by ours.
TABLE4_PLAYERS = {
    "doubt=0": {name: spec if name == "expert" else f"{spec},doubt=0" for name, spec in PLAYERS.items()},
    "doubt=0.3": PLAYERS,
}
#: What everyone is measured against.
STRANGERS = ("style:paper-LA", "style:paper-LP", "style:paper-TA", "style:paper-TP", "rules")
#: Fast enough for a match: a tenth of its usual simulations.
MCTS = "mcts:simulations=1000"
#: Deals of a cell; of one with the network, which is slower; hands of a cell of table 4.
BLOCK, SLOW_BLOCK, TABLE4_BLOCK = 100, 25, 100


def names() -> list[str]:
    """Our players that can play here."""
    return [name for name in PLAYERS if name != "exp+cnn" or "cnn" in reader_names()]


def is_slow(a: str, b: str) -> bool:
    """Whether a match takes so long that fewer deals are played."""
    return "mcts" in (a, b) or a == "exp+cnn"


def pairs(size: Size) -> list[tuple[str, str, int]]:
    """Who plays whom, and how many deals (both seatings of each)."""
    known = names()
    matches = [(a, b) for a, b in TABLE4 if a in known and b in known]
    matches += [(name, other) for name in reversed(known) for other in (*STRANGERS, "mcts")]
    if size == "quick":
        return [(a, b, 25 if is_slow(a, b) else 100) for a, b in matches]
    return [(a, b, 300 if "mcts" in (a, b) else 3_000) for a, b in matches]


# knowing the opponent -----------------------------------------------------------------------------------------------

#: Opponents, and whose logs are learned from.
OPPONENTS = ("style:paper-LA", "style:paper-TA", "rules")
#: How the opponent is predicted.
RULES, SHIPPED, OTHER, OWN = "the expert's rules", "network that ships", "network of another", "network of this one"
MODELS = (RULES, SHIPPED, OTHER, OWN)
#: A quick run leaves out the network of another: each is minutes of training for a few deals.
PLAYED: dict[Size, tuple[str, ...]] = {"quick": (RULES, SHIPPED, OWN), "full": MODELS}
#: Whose network is asked about another opponent.
ANOTHER = {"style:paper-LA": "style:paper-TA", "style:paper-TA": "style:paper-LA", "rules": "style:paper-TA"}
#: The cards that the tree looks at, the same for all.
TREE = "turns=3,rivers=2,last=8"
#: Hands of a log (``expert`` deals against the opponent); deals of a cell, and of every pair.
LOG_HANDS = 4_000
KNOWN_BLOCK = 25
KNOWN_DEALS: dict[Size, int] = {"quick": 50, "full": 1_000}
