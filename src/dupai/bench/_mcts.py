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

from dupai.agents import make_agent, sit_down
from dupai.base import Rng
from dupai.bench._row import Goal, Measurement, Row, interleave, machine_scale, peer_package, per_second, row
from dupai.notation import view_from_text

#: Simulations in one of ours.
_SIMULATIONS = 50_000
_PAPER = "opponents=random,determinise=leaf,chance=cards,playout=random,selection=uct,reader=uniform"
#: Name, options, players, goal on the reference machine (0: none), peer (limit hold'em; none: no-limit).
_MEASURED: tuple[tuple[str, str, int, float, str], ...] = (
    ("heads-up limit, random opponent nodes", _PAPER, 2, 400_000, "mcts"),
    ("heads-up limit, modelled opponent nodes", "reader=bucket", 2, 60_000, "ismcts"),
    ("three-handed limit, random opponent nodes", _PAPER, 3, 200_000, "mcts"),
    ("three-handed limit, modelled opponent nodes", "reader=bucket", 3, 30_000, "ismcts"),
    ("heads-up no-limit, modelled opponent nodes", "reader=bucket", 2, 0, ""),
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


def _ours(options: str, players: int, limit: bool) -> Measurement:
    """Simulations/s of the agent's search (without reading, as in the peers)."""
    text = f"{players} players, {'limit, ' if limit else ''}button, AhQh{'' if players == 2 else '; folds to me'}"
    view = view_from_text(text)
    agent = make_agent(f"mcts:simulations={_SIMULATIONS},reuse=off,{options}")
    sit_down(agent, view)
    find = agent.find  # type: ignore[attr-defined]
    readings = agent.readings(view)  # type: ignore[attr-defined]
    seeds = iter(range(1000))
    return per_second(lambda: find(view, Rng(next(seeds)), readings), _SIMULATIONS, time.process_time)


def _peer_rate(players: int, kind: str) -> float | None:
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
        MissingPackage: OpenSpiel or eval7 is not installed.
    """
    peer_package("pyspiel")
    scale = machine_scale(time.process_time)
    figures = []
    for name, options, players, aim, kind in _MEASURED:
        value = interleave(_ours(options, players, limit=bool(kind)), None)[0]
        peer = _peer_rate(players, kind) if kind else None
        ratio = None if peer is None else value / peer
        goal: Goal = {"least": aim * scale} if aim else {}
        figures.append(row(name, value, "simulations/s", _PEERS.get(kind), peer, ratio=ratio, **goal))
    return figures
