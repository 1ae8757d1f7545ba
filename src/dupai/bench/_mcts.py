"""``dupai bench mcts``: simulations a second of the first decision of a limit hand, OpenSpiel's searches beside them.

Everything is timed by the processor's clock, so that other work on the machine does not count; goals are scaled by
eval7's speed by the same clock. OpenSpiel's MCTS knows all cards, its IS-MCTS deals hidden ones anew in every
simulation; both play out at random, as ours does with random opponent nodes. IS-MCTS can end the process on three
players, so the peers run in processes of their own.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from dupai.agents import make_agent, sit_down, view_from_text
from dupai.base import ConfigError, Rng
from dupai.bench._row import REFERENCE_EVAL7, Row, eval7_round

#: Simulations in one of ours, rounds (the first is not counted), and how many evaluations one round of eval7 has.
_SIMULATIONS, _ROUNDS, _EVALUATIONS = 50_000, 6, 40_000
_PAPER = "opponents=random,determinise=leaf,chance=cards,playout=random,selection=uct,reader=uniform"
#: Name, options, players, goal on the reference machine, peer (what our rows are compared with).
_MEASURED: tuple[tuple[str, str, int, float | None, str], ...] = (
    ("heads-up limit, random opponent nodes", _PAPER, 2, 400_000, "mcts"),
    ("heads-up limit, modelled opponent nodes", "reader=bucket", 2, 60_000, "ismcts"),
    ("three-handed limit, random opponent nodes", _PAPER, 3, 200_000, "mcts"),
    ("three-handed limit, modelled opponent nodes", "reader=bucket", 3, 30_000, "ismcts"),
    ("heads-up no-limit, modelled opponent nodes", "reader=bucket", -2, None, ""),
)
_PEERS = {"mcts": "OpenSpiel MCTS", "ismcts": "OpenSpiel IS-MCTS"}

_SPIEL = """
import sys, time, pyspiel
n, kind, simulations, rounds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
game = pyspiel.load_game("universal_poker", {
    "betting": "limit", "numPlayers": n, "numRounds": 4, "blind": "100 50" if n == 2 else "50 100 0",
    "firstPlayer": "2 1 1 1" if n == 2 else "3 1 1 1", "numSuits": 4, "numRanks": 13, "numHoleCards": 2,
    "numBoardCards": "0 3 1 1", "raiseSize": "100 100 200 200", "maxRaises": "3 4 4 4",
    "stack": " ".join(["10000"] * n)})
state = game.new_initial_state()
for text in ["7c", "2d", "9s", "3d", "Ah", "Qh"] if n == 3 else ["7c", "2d", "Ah", "Qh"]:
    state.apply_action("23456789TJQKA".index(text[0]) * 4 + "cdhs".index(text[1]))
for k in range(rounds):
    play = pyspiel.RandomRolloutEvaluator(1, k)
    if kind == "mcts":
        bot = pyspiel.MCTSBot(game, play, 400.0, simulations, 1000, False, k, False)
    else:
        bot = pyspiel.ISMCTSBot(k, play, 400.0, simulations)
    start = time.process_time()
    bot.mcts_search(state) if kind == "mcts" else bot.step(state)
    print(simulations / (time.process_time() - start), flush=True)
"""


def _ours(options: str, players: int) -> Callable[[], float]:
    """Simulations/s of the agent's search (reading included neither here nor there)."""
    limit = "limit, " if players > 0 else ""
    seats = abs(players)
    view = view_from_text(f"{seats} players, {limit}button, AhQh" + ("" if seats == 2 else "; folds to me"))
    agent = make_agent(f"mcts:simulations={_SIMULATIONS},reuse=off,{options}")
    sit_down(agent, view)
    find = agent.find  # type: ignore[attr-defined]
    readings = agent.readings(view)  # type: ignore[attr-defined]
    seeds = iter(range(1000))

    def once() -> float:
        start = time.process_time()
        find(view, Rng(next(seeds)), readings)
        return _SIMULATIONS / (time.process_time() - start)

    return once


def _eval7_cpu() -> float:
    """eval7 evaluations a second of the processor's time."""
    once = eval7_round()
    rates = []
    for _ in range(_ROUNDS):
        start = time.process_time()
        once()
        rates.append(_EVALUATIONS / (time.process_time() - start))
    return statistics.median(rates)


def peer_rate(players: int, kind: str) -> float | None:
    """Simulations a second of OpenSpiel's ``mcts`` or ``ismcts`` on universal_poker; None: it crashed."""
    simulations = 20_000 if kind == "mcts" else 200
    call = [sys.executable, "-c", _SPIEL, str(players), kind, str(simulations), "4"]
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired:
        return None
    rates = [float(line) for line in done.stdout.split("\n") if line.replace(".", "", 1).isdigit()]
    return statistics.median(rates) if len(rates) == 4 else None


def rows() -> list[Row]:
    """One row for each kind of search, each beside the peer that is most like it (no figure: the peer crashed).

    Raises:
        ConfigError: OpenSpiel or eval7 is not installed.
    """
    try:
        import pyspiel  # noqa: F401
    except ImportError as error:
        raise ConfigError("this benchmark compares with OpenSpiel: pip install 'dupai[dev]'") from error
    scale = _eval7_cpu() / REFERENCE_EVAL7
    peers = {(n, kind): peer_rate(n, kind) for n in (2, 3) for kind in _PEERS}
    found = []
    for name, options, players, aim, kind in _MEASURED:
        once = _ours(options, players)
        value = statistics.median([once() for _ in range(_ROUNDS)][1:])
        peer = peers.get((players, kind))
        goal = None if aim is None else aim * scale
        found.append(
            Row(
                name=name,
                value=value,
                unit="simulations/s",
                peer=_PEERS.get(kind),
                peer_value=peer,
                ratio=None if peer is None else value / peer,
                goal=None if goal is None else f">= {goal:,.0f}",
                ok=None if goal is None else value >= goal,
            )
        )
    return found
