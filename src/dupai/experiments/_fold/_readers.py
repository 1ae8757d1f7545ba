"""Does better reading win more chips? The agent with three readers over the same cards, chips reset every hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dupai.arena import Players, TableRules, entrants_of
from dupai.base import Estimate, Rng
from dupai.experiments._paper import Cell, Part, Row, Section, Size, Table
from dupai.jobs import Pulse
from dupai.rules import DECK_STREAM

AGENTS: Mapping[str, str] = {
    "model": "fold:reader=model,format=cash",
    "fold": "fold:reader=fold,format=cash",
    "uniform": "fold:reader=uniform,format=cash",
}
OPPONENTS = ("style:LA", "style:LP", "style:TA", "rules", "rules:tight-passive", "fixed")
HANDS = 100
BLOCKS: Mapping[Size, int] = {"quick": 1, "full": 40}


@dataclass(frozen=True)
class Block:
    """Heads-up hands against one opponent, every deal in both seatings; fresh agents in each."""

    spec: str
    opponent: str
    block: int
    hands: int
    seed: int


def play_block(task: Block, pulse: Pulse) -> float | None:
    """The cell: mbb/hand won by the agent, mean over both seatings of the same deals."""
    from dupai.rules import GameSpec, HandState

    spec = GameSpec.no_limit(2, (50, 100), 10_000)
    won = 0.0
    for seating in range(2):
        pair = (task.spec, task.opponent) if seating == 0 else (task.opponent, task.spec)
        players = Players(entrants_of(pair), task.seed, task.block, TableRules())
        players.start(spec, "reset", task.hands)
        for hand in range(1, task.hands + 1):
            if not pulse.step():
                return None
            players.hand = hand
            seats = [hand % 2, 1 - hand % 2]
            state = HandState.deal(spec, Rng(task.seed, task.block, hand, DECK_STREAM), seats=seats, hand=hand)
            record = players.play(state, None)
            players.observe(record)
            won += record.payoffs[seats.index(seating)] / record.spec.split
        players.close()
    return 1000 * won / (2 * task.hands * spec.big_blind)


def cells(size: Size, seed: int) -> list[Cell]:
    return [
        Cell(f"{name}|{opponent}|{block}", play_block, Block(spec, opponent, block, HANDS, seed))
        for block in range(BLOCKS[size])
        for opponent in OPPONENTS
        for name, spec in AGENTS.items()
    ]


def section(results: Mapping[str, Any], size: Size) -> Section:
    got: dict[str, dict[tuple[str, str], float]] = {name: {} for name in AGENTS}
    for key, won in results.items():
        name, opponent, block = key.split("|")
        got[name][opponent, block] = won

    def against(a: str, b: str, opponent: str | None = None) -> Estimate:
        both = [k for k in got[a].keys() & got[b].keys() if opponent in (None, k[0])]
        return Estimate.of(got[a][k] - got[b][k] for k in sorted(both))

    rows = []
    for a, b in (("model", "fold"), ("model", "uniform"), ("fold", "uniform")):
        gain = against(a, b)
        low, _ = gain.interval()
        rows.append(
            Row(
                label=f"reader {a} less reader {b}",
                ours=gain,
                unit="mbb/hand",
                hands=4 * HANDS * gain.n,
                seeds=f"{gain.n} pairs of blocks",
                why="" if low > 0 or gain.interval()[1] < 0 else "not separated",
            )
        )
    table = Table(
        title="mbb/hand of the agent by reader and opponent",
        columns=("opponent", *AGENTS, "model less uniform"),
        rows=tuple(
            (
                opponent,
                *(Estimate.of(v for k, v in got[name].items() if k[0] == opponent) for name in AGENTS),
                against("model", "uniform", opponent),
            )
            for opponent in OPPONENTS
        ),
    )
    return Section(
        text=f"Heads-up, blinds 50/100, 10,000 chips reset every hand, blocks of {HANDS} deals in both seatings with "
        "fresh agents; the same deals for every reader, so differences are paired by block. The agent is the same but "
        "for what reads the hands.",
        rows=tuple(rows),
        tables=(table,),
    )


READERS = Part("readers", "Does better reading win more chips?", cells, section)
