"""Does it pay to know the opponent? The staged tree of the paper *experience* with networks trained on this very
opponent's logs, and on others'."""

from __future__ import annotations

import asyncio
import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dupai.acpc import DealConfig, MatchFiles, deal
from dupai.arena import play_match
from dupai.base import Estimate
from dupai.experiments._experience_cnn import Watch
from dupai.experiments._paper import Cell, Part, Section, Size, Table, Value
from dupai.jobs import Pulse
from dupai.reading import load_cnn
from dupai.rules import load_game
from dupai.training import CnnSettings, train_cnn

#: Who is met, and whose logs are learned from.
OPPONENTS = ("style:LA", "style:TA", "rules")
#: How the opponent is foretold.
RULES, SHIPPED, OTHER, OWN = "the expert's rules", "network that ships", "network of another", "network of this one"
MODELS = (RULES, SHIPPED, OTHER, OWN)
#: Whose network is asked about somebody else.
ANOTHER = {"style:LA": "style:TA", "style:TA": "style:LA", "rules": "style:TA"}
#: The cards that the tree looks at, the same for all.
TREE = "turns=3,rivers=2,last=8"
#: Hands of a log (``expert`` deals against the opponent), and the training.
HANDS = 4_000
SETTINGS = CnnSettings(players=("bo",), epochs=8, batch=128)
#: Deals of a cell; of every pair.
_BLOCK = 25
#: Fewer observations than this decide nothing: a normal interval is too narrow for them.
FEW = 10
_DEALS: dict[Size, int] = {"quick": 50, "full": 1_000}


@dataclass(frozen=True)
class Known:
    """Deals of the staged tree, which foretells by ``model``, against ``opponent``."""

    model: str
    opponent: str
    deals: int
    seed: int


def needs() -> str | None:
    """Why the part cannot be run here."""
    ready = find_spec("torch") and find_spec("onnx")
    return None if ready else "training needs torch and onnx: pip install 'dupai[train]'"


def pooled(results: Sequence[Sequence[float | None]]) -> Estimate:
    """One estimate from those of blocks; where somebody learns a block is one observation."""
    blocks = [(float(m or 0.0), s, int(n or 0)) for m, s, n in results]
    if any(s is None or n < 2 for _, s, n in blocks):
        return Estimate.of(m for m, _, _ in blocks)
    total = sum(n for _, _, n in blocks)
    mean = sum(m * n for m, _, n in blocks) / total
    return Estimate(mean, math.sqrt(sum((n * (s or 0.0)) ** 2 for _, s, n in blocks)) / total, total)


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Where logs and networks lie until this process ends."""
    return tempfile.TemporaryDirectory(prefix="dupai-known-")


def _log(opponent: str, hands: int) -> Path:
    """The log of the opponent (``bo``) against ``expert``, as ``dupai acpc deal`` writes it."""
    game, number = "holdem.nolimit.2p", OPPONENTS.index(opponent)
    path = Path(_folder().name) / f"log{number}.log"
    config = DealConfig(
        game=load_game(game), game_name=game, hands=hands, seed=11 + number, names=("ann", "bo"), title=path.stem,
        t_per_hand=600_000,
    )  # fmt: skip
    asyncio.run(deal(config, ["expert", opponent], files=MatchFiles(path)))
    return path


def network(opponent: str, watch: Watch, hands: int = HANDS, settings: CnnSettings = SETTINGS) -> str | None:
    """The folder of the network that has learned from the log of an opponent; None: it was stopped."""
    path = Path(_folder().name) / f"net{OPPONENTS.index(opponent)}"
    if not (path / "card.json").exists() and train_cnn([_log(opponent, hands)], path, settings, progress=watch) is None:
        return None
    return str(path)


def known_cell(task: Known, pulse: Pulse) -> dict[str, Any] | None:
    """Result of the tree; what its network foretells of decisions that it has not seen."""
    watch = Watch(pulse)
    card: Mapping[str, Any] = {}
    spec = f"exp:{TREE}"
    if task.model == SHIPPED:
        spec = f"exp:model=cnn,{TREE}"
    elif task.model != RULES:
        folder = network(task.opponent if task.model == OWN else ANOTHER[task.opponent], watch)
        if folder is None:
            return None
        card = load_cnn(folder).about.card if task.model == OWN else {}
        spec = f'exp:model="cnn:file={folder}",{TREE}'
    result = play_match(
        [spec, task.opponent], hands=task.deals, duplicate=True, luck_reduced=True, seed=task.seed, progress=watch
    )
    if watch.cancelled or result.partial:
        return None
    one = result.players[0]
    assert one.luck_reduced is not None
    reduced = one.luck_reduced.mbb
    test = card.get("test", {}).get("network", {})
    return {
        "deals": task.deals,
        "plain": [one.mbb.mean, one.mbb.se, one.mbb.n],
        "reduced": [reduced.mean, reduced.se, reduced.n],
        "faults": sum(p.faults for p in result.players),
        "accuracy": test.get("accuracy"),
        "log_loss": test.get("log_loss"),
    }


def known_cells(size: Size, seed: int) -> Sequence[Cell]:
    """Block after block of all: the same deals for every model."""
    return [
        Cell(
            key=f"{model} | {opponent} #{k}",
            work=known_cell,
            task=Known(model, opponent, _BLOCK, seed * 1_000_000 + 1_000 + k),
        )
        for k in range(_DEALS[size] // _BLOCK)
        for opponent in OPPONENTS
        for model in MODELS
    ]


def _gain(blocks: Mapping[str, Mapping[int, Any]], model: str, base: str) -> Estimate | None:
    """What a model brings more than another on the same deals; a block is an observation."""
    both = sorted(blocks[model].keys() & blocks[base].keys())
    if len(both) < 2 or model == base:
        return None
    return Estimate.of(blocks[model][k]["reduced"][0] - blocks[base][k]["reduced"][0] for k in both)


def known_section(results: Mapping[str, Any], size: Size) -> Section:
    """What every model brings, and what it brings more than others on the same deals."""
    lines: list[tuple[Value, ...]] = []
    findings = []
    for opponent in OPPONENTS:
        blocks: dict[str, dict[int, Any]] = {model: {} for model in MODELS}
        for key, found in results.items():
            model, _, rest = key.partition(" | ")
            name, _, k = rest.partition(" #")
            if name == opponent:
                blocks[model][int(k)] = found
        for model in MODELS:
            told = list(blocks[model].values())
            if not told:
                continue
            foretold = told[0]["accuracy"]
            lines.append(
                (
                    opponent,
                    model,
                    None if foretold is None else f"{100 * foretold:.1f} % ({told[0]['log_loss']:.3f})",
                    f"{sum(one['deals'] for one in told):,}",
                    pooled([one["plain"] for one in told]),
                    pooled([one["reduced"] for one in told]),
                    _gain(blocks, model, RULES),
                    sum(one["faults"] for one in told),
                )
            )
        for base in MODELS[:-1]:
            gain = _gain(blocks, OWN, base)
            if gain is not None:
                low, high = gain.interval()
                verdict = "it pays" if low > 0 else ("it costs" if high < 0 else "not decided")
                if gain.n < FEW:
                    verdict = f"too few ({gain.n})"
                findings.append(
                    f"{opponent} known by its own logs instead of {base}: {gain.mean:+,.0f} mbb/hand "
                    f"({low:,.0f} to {high:,.0f}): {verdict}."
                )
    columns = (
        "opponent", "foretold by", "foretold right (log-loss)", "deals, both seatings", "mbb/hand",
        "mbb/hand, luck reduced", "more than by rules, same deals", "faults",
    )  # fmt: skip
    note = (
        "Foretold right: of decisions in blocks of hands that the network has not seen, of those that it was made of."
    )
    return Section(
        text=f"The staged tree (exp:{TREE}) against three opponents, and how it foretells them. A log: {HANDS:,} hands "
        "against expert, dealt by the dealer; the same cards and sizes of the tree for all. Heads-up no-limit, blinds "
        "50/100, stacks 20,000.",
        tables=(Table(title="Knowing the opponent", columns=columns, rows=tuple(lines), note=note),) if lines else (),
        findings=tuple(findings),
    )


#: To be put among the parts of the paper.
KNOWN_PART = Part("known", "Knowing the opponent", known_cells, known_section, needs)
