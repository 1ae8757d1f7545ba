"""Win rates the long way: eval7 gives every hand its strength, every pair of hands is looked at."""

from __future__ import annotations

from itertools import combinations

import eval7
import numpy as np
import numpy.typing as npt

from dupai.cards import COMBO_CARDS, COMBO_INDEX, card_text

F64 = npt.NDArray[np.float64]
DECK = [eval7.Card(card_text(c)) for c in range(52)]


def strengths(board: list[int]) -> dict[int, int]:
    """eval7's value of every hand (by combo) that 3 to 5 board cards leave."""
    live = [c for c in range(52) if c not in board]
    table = [DECK[c] for c in board]
    return {int(COMBO_INDEX[a, b]): eval7.evaluate([*table, DECK[a], DECK[b]]) for a, b in combinations(live, 2)}


def runouts(board: list[int], dead: tuple[int, ...] = ()) -> list[list[int]]:
    live = [c for c in range(52) if c not in board and c not in dead]
    return [[*board, *more] for more in combinations(live, 5 - len(board))]


def river_mass(board: list[int], weights: F64) -> tuple[F64, F64, F64]:
    """Weight of hands beaten, tied with and met by every hand on a full board."""
    value = strengths(board)
    combos = np.array(list(value))
    s = np.array(list(value.values()))
    a, b = COMBO_CARDS[combos, 0], COMBO_CARDS[combos, 1]
    apart = (a[:, None] != a) & (a[:, None] != b) & (b[:, None] != a) & (b[:, None] != b)
    met = apart * weights[combos]
    win, tie, total = np.zeros(1326), np.zeros(1326), np.zeros(1326)
    win[combos] = (met * (s[:, None] > s)).sum(axis=1)
    tie[combos] = (met * (s[:, None] == s)).sum(axis=1)
    total[combos] = met.sum(axis=1)
    return win, tie, total


def mass(board: list[int], weights: F64) -> tuple[F64, F64, F64]:
    """The same summed over every runout of a board."""
    win, tie, total = np.zeros(1326), np.zeros(1326), np.zeros(1326)
    for full in runouts(board):
        for whole, part in zip((win, tie, total), river_mass(full, weights), strict=True):
            whole += part
    return win, tie, total


def win_rate(hole: tuple[int, int], board: list[int]) -> float:
    """Win rate of one hand against one uniform hand over every runout."""
    points = boards = 0
    for full in runouts(board, hole):
        table = [DECK[c] for c in full]
        mine = eval7.evaluate([*table, DECK[hole[0]], DECK[hole[1]]])
        live = [c for c in range(52) if c not in full and c not in hole]
        for c, d in combinations(live, 2):
            his = eval7.evaluate([*table, DECK[c], DECK[d]])
            points += 2 * (mine > his) + (mine == his)
        boards += 1
    return points / (1980 * boards)


def potential(hole: tuple[int, int], board: list[int], weights: F64) -> F64:
    """Weight of (opposing hand, runout) by [now, river], each 0 ahead, 1 tied, 2 behind."""
    own = int(COMBO_INDEX[hole])
    now = strengths(board)
    out = np.zeros((3, 3))
    for full in runouts(board, hole):
        then = strengths(full)
        for combo, his in then.items():
            if not set(COMBO_CARDS[combo].tolist()) & set(hole):
                before = 0 if now[own] > now[combo] else 1 if now[own] == now[combo] else 2
                after = 0 if then[own] > his else 1 if then[own] == his else 2
                out[before, after] += weights[combo]
    return out
