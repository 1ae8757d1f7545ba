"""Programs and matches of the tree-search experiments, and how much is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dupai.experiments._mcts._printed import TABLE1
from dupai.experiments._paper import Size
from dupai.experiments._verdict import Printed


def no_model(simulations: int) -> str:
    """The paper's program without an opponent model. It prints neither C nor the simulations of a decision."""
    return f"mcts:paper,simulations={simulations},reader=uniform"


def with_model(simulations: int) -> str:
    """The paper's program with its model, from which hands are drawn at showdowns."""
    return f"mcts:paper,simulations={simulations},reader=bucket"


def plain_means(spec: str) -> str:
    """A program whose nodes hold the plain mean of their children, as the paper words it: not weighed by visits."""
    return f"{spec},backup=children"


def ours(simulations: int) -> str:
    """The agent with its defaults: hands drawn with every simulation, opponents act by the model."""
    return f"mcts:simulations={simulations}"


class Pairing(NamedTuple):
    """A row of a table: ``key`` names it, ``label`` is for people; what the paper prints."""

    key: str
    label: str
    agents: tuple[str, ...]
    printed: Printed | None = None


class Scale(NamedTuple):
    """How much is played: simulations a decision, deals a match, matches; and those of three players."""

    simulations: int
    hands: int
    matches: int
    hands3: int
    matches3: int


#: ``full``: matches of 3,000 hands, as in the paper. Each deal is played in every rotation of the seats.
SCALES: dict[Size, Scale] = {"quick": Scale(100, 300, 2, 100, 2), "full": Scale(100, 3000, 10, 1000, 10)}
#: Simulations a decision, and deals played with them.
STEPS: dict[Size, tuple[tuple[int, int], ...]] = {
    "quick": ((30, 150), (100, 150), (300, 150), (1000, 60)),
    "full": ((100, 3000), (1000, 1000), (10_000, 300)),
}
#: The same deals with ever more simulations: how many of each, deals, and deals of a block. A block is a match of its
#: own with fresh agents, so that a run that was stopped resumes with the block that it was in.
BLOCKS: dict[Size, tuple[tuple[int, ...], int, int]] = {
    "quick": ((), 0, 1),
    "full": ((1000, 10_000, 100_000, 1_000_000), 300, 20),
}
#: Opponents of each version, and deals against each.
OPPONENTS: dict[Size, tuple[str, ...]] = {
    "quick": ("fixed", "style:paper-TA", "rules"),
    "full": ("fixed", "style:paper-TP", "style:paper-TA", "style:paper-LP", "style:paper-LA", "rules"),
}
VERSION_HANDS: dict[Size, int] = {"quick": 150, "full": 1000}
KINDS: tuple[tuple[str, Callable[[int], str]], ...] = (("no model", no_model), ("ours", ours))
GAMES = {"kuhn": "Kuhn", "leduc": "Leduc"}


def pairings(size: Size, others: int) -> list[Pairing]:
    """The paper's table against ``others`` opponents (1 or 2), and ours."""
    n = SCALES[size].simulations
    none, model, mine = no_model(n), with_model(n), ours(n)
    fixed, without = ("the fixed policy", "no model") if others == 1 else ("two fixed", "two without")
    rows = [
        Pairing("none fixed", f"no model against {fixed}", (none, *("fixed",) * others)),
        Pairing("with fixed", f"with model against {fixed}", (model, *("fixed",) * others)),
        Pairing("with none", f"with model against {without}", (model, *(none,) * others)),
        Pairing("ours fixed", f"ours{' (model at opponent nodes)' * (others == 1)} against {fixed}",
                (mine, *("fixed",) * others)),
        Pairing("ours none", f"ours against {without}", (mine, *(none,) * others)),
    ]  # fmt: skip
    if others > 1:
        return rows
    rows += [
        Pairing(f"{row.key} plain", f"{row.label}, plain means of children", (plain_means(row.agents[0]), "fixed"))
        for row in rows[:2]
    ]
    return [row._replace(printed=TABLE1.get(row.key)) for row in rows]


def versions(n: int) -> dict[str, str]:
    """What of the model matters: each version's spec, with ``n`` simulations; nothing else differs between them."""
    base = f"mcts:simulations={n}"
    return {
        "no model": f"{base},reader=uniform,opponents=random",
        "model at leaves": f"{base},opponents=random,determinise=leaf",
        "model drawn at the root, random opponents": f"{base},opponents=random",
        "model at opponent nodes, hands not read": f"{base},reader=uniform",
        "both (default)": base,
    }


def points(size: Size) -> tuple[int, ...]:
    """Numbers of simulations at which a search of a small game is measured."""
    last = 6 if size == "quick" else 7
    return tuple(round(10 ** (k / 4)) for k in range(8, 4 * last + 1))
