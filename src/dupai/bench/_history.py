"""How fast logs are replayed and their payoffs recomputed, beside PokerKit's reader of the same lines."""

from __future__ import annotations

import lzma
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

from dupai.base import ConfigError, Rng
from dupai.bench._row import Row, interleave, machine_scale
from dupai.history import PlayerStats, StatsTable, batches, check_record, shared_file, verify_file
from dupai.notation import format_acpc, parse_acpc_line, read_phh, write_phhs
from dupai.rules import Action, GameSpec, HandState, load_game

#: Hands a second that verifying is to reach where eval7 does 2.6 M evaluations/s.
_GOAL = 60_000
#: The same from PHH, where every hand has its own stacks, antes and blinds.
_PHH_GOAL = 40_000
_PHH_SETS = ("pokerstars-nl50-9max-2021", "bovada-6max-2019")
_SETS = ("deepstack-vs-pros-2016", "lbr-vs-hyperborean14", "lbr-vs-deepstack-2017", "lbr-vs-cfrplus-fcpa-100bb")


def _shared_log(name: str) -> Path | None:
    """A log of the shared data, if it is there."""
    path = shared_file(f"{name}/{name}.log.xz")
    return path if path.is_file() else None


def phh_files(place: Path, lines: list[str]) -> list[tuple[str, Path]]:
    """The large PHH sets of the shared data that are there, and heads-up hands of a log converted: name and file."""
    found = [(name, path) for name in _PHH_SETS if (path := shared_file(f"{name}/{name}.phhs.xz")).is_file()]
    spec = load_game("holdem.nolimit.2p")
    text = list(write_phhs(parse_acpc_line(x, spec) for x in lines[:2000]))
    path = place / "converted.phhs"
    path.write_text("".join(text * 10), encoding="utf-8")
    return [*found, ("heads-up log converted", path)]


def _phh_rows(place: Path, lines: list[str], goal: float) -> list[Row]:
    """Verifying PHH; reading hands of it as records, which is what the careful reader does one by one."""
    found = []
    files = phh_files(place, lines)
    for name, path in files:
        rate = statistics.median(_rate(path) for _ in range(3))
        found.append(_row(f"verify PHH, {name}", rate, goal))
    with files[-1][1].open(encoding="utf-8") as file:
        text = [*islice(file, 20_000)]
    start = time.perf_counter()
    hands = sum(1 for _ in read_phh(text))
    value = hands / (time.perf_counter() - start)
    found.append(Row(name="read PHH as hand records, one by one", value=value, unit="hands/s"))
    return found


def _stats_rows(path: Path, lines: list[str]) -> list[Row]:
    """Tracker statistics: all players of a log at once, and one player hand by hand as an agent keeps them."""
    spec = load_game("holdem.nolimit.2p")
    rates = []
    for _ in range(3):
        table = StatsTable()
        start = time.perf_counter()
        hands = 0
        for batch in batches(path):
            table.add(batch)
            hands += len(batch.ids)
        rates.append(hands / (time.perf_counter() - start))
    records = [parse_acpc_line(line, spec) for line in lines[:2000]]
    live = []
    for _ in range(3):
        stats = PlayerStats(records[0].names[0])
        start = time.perf_counter()
        for record in records:
            stats.update(record, 0)
        live.append(len(records) / (time.perf_counter() - start))
    return [
        Row(name=f"statistics of all players, {path.name}", value=statistics.median(rates), unit="hands/s"),
        Row(name="statistics of one player, hand by hand", value=statistics.median(live), unit="hands/s"),
    ]


def synthetic_log(spec: GameSpec, hands: int, seed: int = 1) -> list[str]:
    """Lines of random hands: fold one time in ten, else call twice as often as raise."""
    rng = Rng(seed)
    lines = []
    for hand in range(hands):
        state = HandState.deal(spec, rng, hand=hand)
        while not state.finished:
            legal = state.legal
            dice = rng.below(10)
            if dice == 0 and legal.fold:
                state.apply(Action.fold())
            elif dice > 6 and legal.can_raise:
                state.apply(legal.closest_raise(legal.min_to + rng.below(4 * spec.big_blind)))
            else:
                state.apply(Action.call())
        lines.append(format_acpc(state.record()))
    return lines


def _pokerkit_rate(lines: list[str]) -> float:
    """Hands a second of PokerKit's ACPC reader (which replays, without comparing payoffs)."""
    try:
        from pokerkit import NoLimitTexasHoldem
        from pokerkit.notation import ACPCProtocolParser
    except ImportError as error:
        raise ConfigError("benchmarks compare with pokerkit: install it with pip install 'dupai[dev]'") from error
    game = NoLimitTexasHoldem((), True, 0, (50, 100), 100)
    parser = ACPCProtocolParser(game, 20_000)
    start = time.perf_counter()
    done = sum(1 for _ in parser("\n".join(lines)))
    return done / (time.perf_counter() - start)


def rows() -> list[Row]:
    """Verifying real logs where they are there, else random ones; parsing line by line; PokerKit's reader beside it."""
    goal = _GOAL * machine_scale()
    spec = load_game("holdem.nolimit.2p")
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        logs = [(name, path) for name in _SETS if (path := _shared_log(name)) is not None]
        if not logs:
            path = Path(folder) / "random.log.xz"
            path.write_bytes(lzma.compress(("\n".join(synthetic_log(spec, 20_000)) + "\n").encode()))
            logs = [("random hands", path)]
        with lzma.open(logs[0][1], "rt", encoding="utf-8") as file:
            sample = [line for line in islice(file, 4000) if line.startswith("STATE:")]
        few = sample[:300]

        def ours() -> float:
            report = verify_file(logs[0][1])
            return report.hands / report.seconds

        mine, peer, ratio = interleave(ours, lambda: _pokerkit_rate(few), rounds=3)
        found.append(_row(f"verify, {logs[0][0]}", mine, goal, peer, ratio))
        for name, path in logs[1:]:
            rate = statistics.median(_rate(path) for _ in range(3))
            found.append(_row(f"verify, {name}", rate, goal))
        found += _phh_rows(Path(folder), sample, _PHH_GOAL * machine_scale())
        found += _stats_rows(logs[0][1], sample)
    start = time.perf_counter()
    for line in sample:
        check_record(parse_acpc_line(line, spec))
    rate = len(sample) / (time.perf_counter() - start)
    found.append(Row(name="parse one line and check it", value=rate, unit="hands/s"))
    return found


def _rate(path: Path) -> float:
    report = verify_file(path)
    return report.hands / report.seconds


def _row(name: str, value: float, goal: float, peer: float | None = None, ratio: float | None = None) -> Row:
    return Row(
        name=name,
        value=value,
        unit="hands/s",
        peer=None if peer is None else "pokerkit's ACPC reader",
        peer_value=peer,
        ratio=ratio,
        goal=f">= {goal:,.0f} hands/s, decompression included",
        ok=value >= goal,
    )
