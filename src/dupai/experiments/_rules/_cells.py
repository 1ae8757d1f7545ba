"""The work of ``dupai reproduce rules``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dupai.agents import make_agent, sit_down
from dupai.arena.match import Level
from dupai.arena.tournament import play_tournament_match, tournament_tasks
from dupai.base import Estimate, Rng
from dupai.cards import CARDS, card_text, cards, hand_value, strength
from dupai.equity import equity, win_rate
from dupai.experiments._paper import Cell, Size
from dupai.experiments._rules import _printed as printed
from dupai.jobs import Pulse
from dupai.rules import CALL, FOLD, Action, GameSpec, HandState, View

#: More deals than by default, so that the rate of return stays inside its row of the table.
DECIDER = "rules:deals=20000,protect=off"
#: With and without protection.
PROTECTED, PLAIN = "rules", "rules:protect=off"
#: Opponents in the tournaments, and the decisions and matches of each size.
FIELD = ("style:paper-LA", "style:paper-TA", "style:paper-LP", "rules:tight-aggressive", "rules:loose-passive")
DECISIONS: Mapping[Size, int] = {"quick": 1_000, "full": 20_000}
MATCHES: Mapping[Size, int] = {"quick": 100, "full": 5_000}
BLOCK = 25
#: Blinds double every 25 hands: stacks of 50 big blinds are soon short.
LEVELS = tuple(Level(blinds=(20 << k, 40 << k), hands=25) for k in range(12))
HANDS, START = 300, 2_000
#: A hand that is seldom best, so that bets of ordinary sizes reach every row of the table.
WEAK, WEAK_BOARD = "4c3d", "KhQs9d"


class Decisions(NamedTuple):
    """So many decisions of an agent where its rate of return is about ``rate``."""

    spec: str
    rate: float
    decisions: int
    seed: int


class Tournaments(NamedTuple):
    """Matches ``first`` to ``last`` (excluded) of an agent against the field."""

    spec: str
    field: tuple[str, ...]
    first: int
    last: int
    seed: int


def encodings(task: str, pulse: Pulse) -> dict[str, Any]:
    """Values of the printed hands; whether every card number is suit * 13 + rank, and every order of values that of
    strengths."""
    values = {hand: f"0x{hand_value(strength(cards(hand))):08X}" for hand in printed.VALUES}
    order = [hand_value(s) for s in range(1, 7463)]
    suits, ranks = "cdhs", "23456789TJQKA"
    card_numbers = all(card_text(s * 13 + r) == ranks[r] + suits[s] for s in range(4) for r in range(13))
    types = [order[k] >> 20 for k in range(len(order))]
    return {
        "values": values,
        "cards": card_numbers and len(ranks) * len(suits) == CARDS,
        "rising": order == sorted(set(order)),
        "types": sorted(set(types)),
    }


def example_view() -> View:
    """The post's example heads-up: AD 2D on QC KC 2C, 500 in the pot with the bet of 100, and 100 left."""
    # 200 each before the flop; the opponent bets 100 into 400.
    return _facing(GameSpec.no_limit(2, (50, 100), stack=(10_000, 300)), printed.HOLE, printed.BOARD, 200, printed.BET)


def _facing(game: GameSpec, hole: str, board: str, before: int, bet: int) -> View:
    """The button with ``hole`` on the flop ``board``, after ``before`` chips each before it, facing a bet or
    (0) a check."""
    state = HandState(game, [None, hole], board)
    state.apply(Action.raise_to(before) if before > game.big_blind else Action.call())
    state.apply(Action.call())
    state.apply(Action.raise_to(before + bet) if bet else Action.call())
    return state.view(1)


def example(task: int, pulse: Pulse) -> dict[str, Any]:
    """Win rates against one to three opponents (exact where that is quick), and the decisions of the agents."""
    rates = {}
    for opponents in (1, 2, 3):
        result = equity([printed.HOLE, *["random"] * opponents], printed.BOARD, samples=task, rng=opponents)
        rates[str(opponents)] = [float(result.equity[0]), float(result.se[0]), task]
    view = example_view()
    folds = {}
    for spec in (PROTECTED, PLAIN):
        seat = sit_down(make_agent(spec), view, "rules")
        actions = [seat.ask(view, Rng(7, k)).kind for k in range(200)]
        folds[spec] = sum(kind == FOLD for kind in actions) / len(actions)
    return {"rates": rates, "folds": folds, "to_call": view.to_call, "pot": view.pot}


def spot(rate: float) -> View:
    """A flop heads-up where a bet makes the rate of return of a weak hand ``rate``; 0: where checking is free, after
    two limps."""
    if not rate:
        return _facing(GameSpec.no_limit(2, (50, 100)), WEAK, WEAK_BOARD, 100, 0)
    chance = float(win_rate(WEAK, WEAK_BOARD))
    before, odds = 1_000, chance / rate
    # odds = bet / (2 before + 2 bet)
    bet = round(2 * before * odds / (1 - 2 * odds))
    return _facing(GameSpec.no_limit(2, (50, 100), stack=1_000_000), WEAK, WEAK_BOARD, before, bet)


def decide(task: Decisions, pulse: Pulse) -> dict[str, Any] | None:
    """How often the agent folds, calls and raises, and its mean rate of return."""
    view = spot(task.rate)
    seat = sit_down(make_agent(task.spec), view, "rules")
    counts = {"fold": 0, "call": 0, "raise": 0}
    for k in range(task.decisions):
        if not pulse.step():
            return None
        kind = seat.ask(view, Rng(task.seed, k)).kind
        counts["fold" if kind == FOLD else "call" if kind == CALL else "raise"] += 1
    return {"counts": counts, "odds": view.to_call / (view.to_call + view.pot)}


def play(task: Tournaments, pulse: Pulse) -> list[float] | None:
    """The agent's rank in each match; equal seeds give the same cards, chairs and opponents."""
    ranks = []
    for match in range(task.first, task.last):
        one = tournament_tasks(
            [task.spec, *task.field], matches=1, seed=task.seed * 100_000 + match, stack=START, rebuys=0, hands=HANDS,
            levels=LEVELS,
        )[0]  # fmt: skip
        played = play_tournament_match(one, pulse)
        if played is None:
            return None
        ranks.append(float(played.players[0].rank))
    return ranks


def share(count: int, total: int) -> Estimate:
    """A frequency in per cent with its standard error."""
    p = count / total
    return Estimate(100 * p, 100 * (p * (1 - p) / total) ** 0.5, total)


def encoding_cells(size: Size, seed: int) -> Sequence[Cell]:
    return [Cell("encodings", encodings, "all")]


def example_cells(size: Size, seed: int) -> Sequence[Cell]:
    return [Cell("examples", example, 200_000 if size == "quick" else 5_000_000)]


def decision_cells(size: Size, seed: int) -> Sequence[Cell]:
    return [Cell(f"{rate}", decide, Decisions(DECIDER, rate, DECISIONS[size], seed)) for rate in (*printed.TABLE, 0.0)]


def protection_cells(size: Size, seed: int) -> Sequence[Cell]:
    return [
        Cell(f"{spec}|{first}", play, Tournaments(spec, FIELD, first, first + BLOCK, seed))
        for first in range(0, MATCHES[size], BLOCK)
        for spec in (PROTECTED, PLAIN)
    ]
