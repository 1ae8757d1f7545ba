"""The work of ``dupai reproduce fold``: win rates, readers scored, tournament matches, blocks of hands."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np

from dupai.agents import sampled_rate
from dupai.arena import entrants_of
from dupai.arena.match import Watcher
from dupai.arena.tournament import ChipTable, play_tournament_match, tournament_tasks
from dupai.base import Rng
from dupai.base.arrays import F32
from dupai.cards import COMBO_INDEX, cards
from dupai.experiments._duel import fresh_players, heads_up_hands
from dupai.experiments._fold import _config as config
from dupai.experiments._paper import Cell, Size
from dupai.history import shared_file
from dupai.jobs import Pulse
from dupai.notation import write_phhs
from dupai.reading import Filter, load_reader
from dupai.reading.fold import PAPER_CONSTANTS, DFModel
from dupai.rules import FOLD, RAISE, STREET_NAMES, Action, GameSpec, HandRecord, HandState, View
from dupai.spots import Menu, Spot, spot_rows
from dupai.training import PairRow, ScoreReport, ScoreRow, score_readers


def _hands(
    pair: Sequence[str], spec: GameSpec, hands: int, seed: int, match: int, pulse: Pulse
) -> list[HandRecord] | None:
    """Heads-up hands of fresh agents; None where the pulse said stop."""
    with fresh_players(entrants_of(pair), spec, hands, seed, match) as players:
        records = [record for _, record in heads_up_hands(players, spec, hands, seed, match, pulse)]
    return records if len(records) == hands else None


# figure 4 -----------------------------------------------------------------------------------------------------------


def measure(task: tuple[int, int, int], pulse: Pulse) -> dict[str, Any]:
    """Win rates of ``repeats`` tries with ``n`` deals against three predicted hands, and the time of one. The hand is
    AJ on Ac Td 4h, after a bet."""
    n, repeats, seed = task
    state = HandState(GameSpec.no_limit(8, (20, 40), 2_000), board="AcTd4h")
    fold, call = Action.fold(), Action.call()
    before = [Action.raise_to(120), fold, fold, call, fold, call, fold, call]
    for action in (*before, call, Action.raise_to(300)):
        state.apply(action)
    seat = state.actor
    hole, board = cards("AhJh"), cards("AcTd4h")
    state.set_hole(seat, hole)
    readings = list(load_reader("fold").read(state.view(seat)).values())
    rng = Rng(seed, n)
    sampled_rate(hole, board, readings, 10, rng)
    rates, times = [], []
    for _ in range(repeats):
        start = time.perf_counter()
        rates.append(sampled_rate(hole, board, readings, n, rng, ties=False))
        times.append(time.perf_counter() - start)
        pulse.step()
    mean, spread, ms = float(np.mean(rates)), float(np.std(rates, ddof=1)), 1e3 * float(np.median(times))
    return {"mean": mean, "spread": spread, "ms": ms, "opponents": len(readings)}


def figure4_cells(size: Size, seed: int) -> list[Cell]:
    return [Cell(f"{n} deals", measure, (n, config.REPEATS[size], seed)) for n in config.DEALS]


# figure 7 -----------------------------------------------------------------------------------------------------------


class Scoring(NamedTuple):
    """What a cell scores: a file of the shared data, or our own hands where ``path`` is None; at most ``cases`` hands
    of players."""

    name: str
    path: str | None
    cases: int
    seed: int


def limit_hands(folder: Path, hands: int, seed: int, pulse: Pulse) -> Path | None:
    """Heads-up limit hands between our own agents as a PHH file, all cards known."""
    spec = GameSpec.limit(2, (5, 10), (10, 10, 20, 20))
    each = max(hands // len(config.OWN_PAIRS), 1)
    path = folder / "limit.phhs"
    with path.open("w", encoding="utf-8") as file:
        for k, pair in enumerate(config.OWN_PAIRS):
            if (records := _hands(pair, spec, each, seed, k, pulse)) is None:
                return None
            file.writelines(write_phhs(records))
    return path


def score(task: Scoring, pulse: Pulse) -> dict[str, list[dict[str, Any]]] | None:
    """The readers' scores by group and street, from a seat's view, and what each has more than each other on the same
    cases."""
    readers = (*config.READERS, *((config.LIMIT_READER,) if task.name in config.LIMIT_SETS else ()))
    with tempfile.TemporaryDirectory() as folder:
        own = task.path is None
        path = limit_hands(Path(folder), task.cases, task.seed, pulse) if own else shared_file(task.path or "")
        if path is None:
            return None
        report = _seat_scores(readers, path, "all" if own else "test", task, pulse)
    if report is None:
        return None
    place = ("group", "reader", "street", "cases")
    rows = [
        {key: row[key] for key in place} | {"top": [row[f"top{n}"] for n in (1, 2, 3)]}
        for row in _seat_rows(report.scores)
    ]
    pairs = [{key: row[key] for key in (*place, "than", "tops", "se_tops")} for row in _seat_rows(report.pairs)]
    return {"rows": rows, "pairs": pairs}


def _seat_scores(
    readers: Sequence[str], path: Path, part: Literal["all", "test"], task: Scoring | Sureness, pulse: Pulse
) -> ScoreReport | None:
    """The scores of readers from a seat's view; None: it was stopped."""
    report = score_readers(readers, [path], part=part, cases=task.cases, seed=task.seed, views="seat", progress=pulse)
    return None if pulse.cancelled else report


def _seat_rows(rows: Sequence[ScoreRow] | Sequence[PairRow]) -> list[dict[str, Any]]:
    """The rows street by street, of players who stay in."""
    some = (r for r in rows if r.view == "seat" and r.rows == "main" and r.street in STREET_NAMES)
    return [r.to_dict() if isinstance(r, ScoreRow) else msgspec.structs.asdict(r) for r in some]


class Sureness(NamedTuple):
    """How a reader with each of ``thetas`` scores on a set of hands: at most ``cases`` hands of players."""

    path: str
    thetas: tuple[float, ...]
    cases: int
    seed: int


def score_thetas(task: Sureness, pulse: Pulse) -> list[dict[str, Any]] | None:
    """Bits, calibration and class accuracy by theta, group and street, from a seat's view."""
    specs = {f"fold:theta={theta:g}": theta for theta in task.thetas}
    report = _seat_scores(list(specs), shared_file(task.path), "test", task, pulse)
    if report is None:
        return None
    keys = ("group", "street", "cases", "bits", "se", "cover50", "cover95", "top1")
    rows = _seat_rows(report.scores)
    return [{"theta": specs[row["reader"]]} | {key: row[key] for key in keys} for row in rows if row["cases"]]


class Example(NamedTuple):
    """Figure 3 with turn and river bets of ``share`` of the pot, by the reader with these further options."""

    share: float
    options: str
    thetas: tuple[float, ...]


def example_view(share: float = 0.5) -> View:
    """The paper's hand (figure 3): eight players; the first raised and the button called; check and call of half the
    pot, a bet of ``share`` of the pot, another. On the river, as the button sees it, whose AJ is suited: it has a
    backdoor flush on the flop."""
    state = HandState(GameSpec.no_limit(8, (20, 40), 2_000), board="AcTd4hQc5c")
    fold, call = Action.fold(), Action.call()
    turn = 270 + round(600 * share)
    river = turn + round((2 * turn + 60) * share)
    before = [Action.raise_to(120), *[fold] * 4, call, fold, fold, call]
    for action in (*before, Action.raise_to(270), call, Action.raise_to(turn), call, Action.raise_to(river)):
        state.apply(action)
    state.set_hole(7, cards("AhJh"))
    return state.view(7)


class _OneStreet:
    """An action model that knows one street alone: its reading is what equation 14 gives for that street."""

    needs_ranges = False

    def __init__(self, model: DFModel, street: int) -> None:
        self._model, self._street = model, street

    def menu(self, spot: Spot) -> Menu:
        return self._model.menu(spot)

    def probs(self, spot: Spot) -> F32:
        probs = self._model.probs(spot)
        return probs if spot.street == self._street else np.ones_like(probs)

    def meet(self, names: Mapping[int, str]) -> None:
        """It learns nothing."""

    def observe(self, record: HandRecord) -> None:
        """It learns nothing."""


def predict_example(task: Example, pulse: Pulse) -> list[dict[str, Any]] | None:
    """Figure 3 by theta: what each street's action says of every hand (eq. 14), and the product (eq. 16 and 17)."""
    view, rows = example_view(task.share), []
    seat = view.seats[2]
    for theta in task.thetas:
        if not pulse.step():
            return None
        reader = load_reader(f"fold:theta={theta:g},adapt=off{task.options}")
        whole = reader.read(view, [seat])[seat].p
        live = whole > 0
        numbers = msgspec.structs.replace(PAPER_CONSTANTS, theta=theta)
        model = DFModel(numbers, adapt=False, value_bets="value_bets" in task.options)
        readers = [Filter(_OneStreet(model, k), uniform=0.0, actions="strongest", joint=False) for k in range(4)]
        streets = [reader.read(view, [seat])[seat].p for reader in readers]
        hands = {name: COMBO_INDEX[cards(name)] for name in config.EXAMPLE}
        rows.append(
            {
                "theta": theta,
                "streets": {name: [float(p[i]) for p in streets] for name, i in hands.items()},
                "least": [float(p[live].min()) for p in streets],
                "most": [float(p.max()) for p in streets],
                "whole": {name: float(whole[i]) for name, i in hands.items()},
                "surest": float(whole.max()),
                "bits": float(np.log2(live.sum()) + (whole[live] * np.log2(whole[live])).sum()),
            }
        )
    return rows


def hands_needed(names: Sequence[str]) -> str | None:
    """Why a part on recorded hands cannot run here; None: some of these sets are there."""
    if any(shared_file(config.SETS[name]).exists() for name in names):
        return None
    return "the hands are not there: set DUPAI_SHARED to the folder that has data/"


def theta_cells(size: Size, seed: int) -> list[Cell]:
    sets = {name: config.SETS[name] for name in config.THETA_SETS if shared_file(config.SETS[name]).exists()}
    sets = dict(list(sets.items())[: config.QUICK_SETS if size == "quick" else None])
    cases = config.THETA_CASES[size]
    return [
        Cell(name, score_thetas, Sureness(path, config.THETAS, cases, seed)) for name, path in sets.items()
    ]  # fmt: skip


def example_cells(size: Size, seed: int) -> list[Cell]:
    return [Cell(name, predict_example, Example(*how, config.THETAS)) for name, how in config.EXAMPLES.items()]


def figure7_cells(size: Size, seed: int) -> list[Cell]:
    cases, own, sets = (200, 480, config.QUICK_SETS) if size == "quick" else (6000, 6000, len(config.SETS))
    there = [(name, path) for name, path in config.SETS.items() if shared_file(path).exists()][:sets]
    tasks = [Scoring(config.OWN, None, own, seed), *(Scoring(name, path, cases, seed) for name, path in there)]
    return [Cell(task.name, score, task) for task in tasks]


# tournaments --------------------------------------------------------------------------------------------------------


class Matches(NamedTuple):
    """Tournament matches ``first`` to ``last`` (inclusive) of a variant at a table of so many players; opponents are
    drawn for each match from the field unless one is named."""

    spec: str
    players: int
    first: int
    last: int
    seed: int
    opponent: str | None = None


class Actions(Watcher):
    """Counts everybody's actions, by agent and whether it is before the flop, and keeps nothing else."""

    def __init__(self) -> None:
        self.counts: dict[str, Counter[str]] = {}

    def on_hand(self, record: HandRecord, table: ChipTable | None) -> None:
        rows = spot_rows(record)
        columns = (rows[n].tolist() for n in ("street", "position", "to_call"))
        for street, position, to_call, action in zip(*columns, record.actions, strict=False):
            word = {FOLD: "fold", RAISE: "raise"}.get(action.kind, "call" if to_call else "check")
            counts = self.counts.setdefault(record.names[position], Counter())
            counts[f"{'after' if street else 'before'} {word}"] += 1


def opponents_of(task: Matches, match: int) -> list[str]:
    """The agent's opponents in a match: the same for every variant."""
    if task.opponent is not None:
        return [task.opponent]
    names = list(config.FIELD)
    Rng(task.seed, match, task.players).shuffle(names)
    return names[: task.players - 1]


def play_matches(task: Matches, pulse: Pulse) -> dict[str, Any] | None:
    """One entry a match with everybody's rank, hands, chips and volatility (the agent first), and the counts of
    actions; of the first matches at eight seats everybody's chips every few hands."""
    matches = []
    watch = Actions()
    for match in range(task.first, task.last + 1):
        # Every match has a seed of its own, the same for every variant: same cards, same chairs.
        seed = (task.seed * 16 + task.players) * 100_000 + match
        agents = [task.spec, *opponents_of(task, match)]
        keep = match < (config.CURVES if task.players == 8 else 1)
        one = tournament_tasks(agents, matches=1, seed=seed, curves=keep)[0]
        played = play_tournament_match(one, pulse, watch)
        if played is None:
            return None
        rows = [[p.agent, p.rank, p.hands, p.chips, p.volatility_squared, p.faults] for p in played.players]
        step = 1 if match == 0 else config.CURVE_STEP
        curves = [[p.agent, list(p.curve[::step])] for p in played.players] if keep else []
        matches.append({"match": match, "hands": played.hands, "rows": rows, "curves": curves})
    return {"matches": matches, "actions": {name: dict(counts) for name, counts in watch.counts.items()}}


def _chunks(spec: str, players: int, matches: int, seed: int, opponent: str | None = None) -> list[Matches]:
    """The matches in cells of work."""
    firsts = range(0, matches, config.CHUNK)
    return [Matches(spec, players, k, min(k + config.CHUNK, matches) - 1, seed, opponent) for k in firsts]


def tournament_cells(size: Size, seed: int) -> list[Cell]:
    cells = []
    for variant, spec in config.VARIANTS.items():
        program = variant in config.PROGRAMS
        for players, matches in (config.MATCHES[size] if program else {8: config.VARIANT_MATCHES[size]}).items():
            tasks = _chunks(spec, players, matches, seed)
            cells += [(task.first, Cell(f"{variant}|{players}|{task.first}", play_matches, task)) for task in tasks]
    # The first matches of everything come first, so that a run that is stopped has something of each.
    return [cell for _, cell in sorted(cells, key=lambda pair: pair[0])]


def table3_cells(size: Size, seed: int) -> list[Cell]:
    """Both programs and those of the ablation against the whole field on the same cards, and the seven among each
    other."""
    lots = [
        (variant, spec, opponent, config.TABLE3_MATCHES[size][variant])
        for variant, spec in config.PROGRAMS.items()
        for opponent in config.FIELD
    ]
    lots += [
        (variant, config.ABLATION[variant], opponent, matches)
        for variant, matches in config.ABLATION_MATCHES[size].items()
        for opponent in config.FIELD
    ]
    lots += [(a, a, b, config.MATRIX_MATCHES[size]) for a, b in combinations(config.SEVEN, 2)]
    cells = [
        (task.first, Cell(f"{variant}|{opponent}|{task.first}", play_matches, task))
        for variant, spec, opponent, matches in lots
        for task in _chunks(spec, 2, matches, seed, opponent)
    ]
    # A few matches of everybody first, so that a run that is stopped has met the whole field.
    return [cell for _, cell in sorted(cells, key=lambda pair: pair[0])]


# readers ------------------------------------------------------------------------------------------------------------


class Block(NamedTuple):
    """Heads-up hands against one opponent, every deal in both seatings; fresh agents in each."""

    spec: str
    opponent: str
    block: int
    hands: int
    seed: int


def play_block(task: Block, pulse: Pulse) -> float | None:
    """mbb/hand won by the agent, mean over both seatings of the same deals."""
    spec = GameSpec.no_limit(2, (50, 100), 10_000)
    won = 0.0
    for seat, pair in enumerate(((task.spec, task.opponent), (task.opponent, task.spec))):
        if (records := _hands(pair, spec, task.hands, task.seed, task.block, pulse)) is None:
            return None
        won += sum(record.payoffs[record.seats.index(seat)] / spec.split for record in records)
    return 1000 * won / (2 * task.hands * spec.big_blind)


def reader_cells(size: Size, seed: int) -> list[Cell]:
    rows = [(b, o) for b in range(config.BLOCKS[size]) for o in config.OPPONENTS]
    return [
        Cell(f"{name}|{opponent}|{block}", play_block, Block(spec, opponent, block, config.BLOCK_HANDS, seed))
        for block, opponent in rows
        for name, spec in config.AGENTS.items()
    ]
