"""``dupai bench playouts``: whole hands and play-outs a second of one core; agents at the same table are the peer.

Everything is timed by the processor's clock, so that other work on the machine does not count; goals are scaled by
eval7's speed by the same clock.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from time import process_time

from dupai.arena import play
from dupai.bench._row import Goal, Row, duration, measured, per_second, row
from dupai.notation import view_from_text
from dupai.playouts import Player, persona_habits, play_hands, values
from dupai.rules import Action, GameSpec

#: Hands that one round plays, of ours and of agents, and deals of a decision.
_HANDS, _AGENT_HANDS, _DEALS = 8192, 120, 4096
#: Persona, its population, players, and the goal in hands/s.
_TABLES: tuple[tuple[str, str, int, Goal], ...] = (
    ("pluribus", "Pluribus", 6, {"least": 25_000}),
    ("deepstack", "DeepStack", 2, {}),
    ("pluribus", "Pluribus", 9, {}),
)
#: Decision, players, match state, and the goal in play-outs/s; a check or call is compared with a raise.
_DECISIONS: tuple[tuple[str, int, str, Goal], ...] = (
    ("the first decision, six players", 6, "2:0::||AsKd|||", {}),
    ("a raise under the gun, six players", 6, "3:0:r250:|||AsKd||", {}),
    ("a flop of three", 6, "1:0:ffr250cfc/:|QhJh||||/Jc8d4s", {}),
    ("a turn, heads-up", 2, "0:0:r250c/cr500c/:JhTh|/Jc8d4s/2d", {}),
    ("a river, heads-up", 2, "0:0:r250c/cr500c/cc/:JhTh|/Jc8d4s/2d/Kc", {"least": 80_000}),
)
#: Prints the milliseconds until the first values (kernels and boards cached), and the process's peak memory in MB.
_PROGRAM = """
import time
from dupai.bench._playouts import playouts, whole_hands
start = time.perf_counter()
playouts(6, "2:0::||AsKd|||", 64)()
print(1e3 * (time.perf_counter() - start))
whole_hands("pluribus", "Pluribus", 6)()
print(int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) / 1024)
"""


def whole_hands(persona: str, population: str, players: int, small: bool = False) -> Callable[[], object]:
    """Plays hands from the deal to the end."""
    spec = GameSpec.no_limit(players, (50, 100), 10_000)
    who = [Player(population, persona_habits()[persona], small=small)] * players
    return lambda: play_hands(spec, who, _HANDS)


def playouts(players: int, state: str, deals: int = _DEALS) -> Callable[[], object]:
    """Values two actions of a decision."""
    view = view_from_text(f"MATCHSTATE:{state}", GameSpec.no_limit(players, (50, 100), 10_000))
    who = [Player("Pluribus", persona_habits()["pluribus"])] * players
    actions = [Action.call(), Action.raise_to(view.legal.min_to + view.pot // 2)]
    return lambda: values(view, {}, who, actions, deals=deals)


def rows() -> list[Row]:
    """Whole hands and play-outs a second, the time until the first values, and memory."""
    figures = []
    for persona, population, players, goal in _TABLES:
        ours = per_second(whole_hands(persona, population, players), _HANDS, process_time)
        seated = partial(play, *[f"persona:{persona}"] * players, hands=_AGENT_HANDS, duplicate=False)
        peer = "agents", per_second(seated, _AGENT_HANDS, process_time)
        figures.append(measured(f"{persona}, {players} players", "hands/s", ours, peer, clock=process_time, **goal))
    speed = per_second(whole_hands(*_TABLES[0][:3], small=True), _HANDS, process_time)
    figures.append(measured("the first with small networks", "hands/s", speed, clock=process_time, least=50_000))
    for name, players, state, goal in _DECISIONS:
        speed = per_second(playouts(players, state), 2 * _DEALS, process_time)
        figures.append(measured(name, "play-outs/s", speed, clock=process_time, **goal))
    first = duration(playouts(*_DECISIONS[0][1:3], 64), per_second=1e3)
    runs = [subprocess.check_output([sys.executable, "-c", _PROGRAM]).split() for _ in range(3)]
    fresh, peak = (statistics.median(map(float, figure)) for figure in zip(*runs, strict=True))
    warm = measured("64 deals of the first decision, warm", "ms", first)
    new = row("the same in a new process, networks loaded", fresh, "ms")
    return [*figures, warm, new, row("peak memory", peak, "MB", most=400)]
