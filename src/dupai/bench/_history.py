"""``dupai bench history``: replaying logs and recomputing their payoffs, beside PokerKit's reader of the same lines."""

from __future__ import annotations

import lzma
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

from dupai.base import Rng
from dupai.bench._row import Row, interleave, machine_scale, peer_package, per_second, rate, row
from dupai.history import check_record, shared_file, verify_file
from dupai.history.stats import PlayerStats, StatsTable, batches
from dupai.notation import read_phh, read_sites, write_phhs
from dupai.notation.acpc import format_acpc, parse_acpc_line
from dupai.rules import Action, GameSpec, HandState, load_game

#: Goals for verifying, in hands a second on the reference machine: logs, and PHH, where every hand has its own stacks,
#: antes and blinds.
_GOAL, _PHH_GOAL = 60_000, 40_000
#: Goal for reading texts of sites, hand by hand, in hands a second of processor time.
_SITE_GOAL = 5_000
_PHH_SETS = ("pokerstars-nl50-9max-2021", "bovada-6max-2019")
_SETS = ("deepstack-vs-pros-2016", "lbr-vs-hyperborean14", "lbr-vs-deepstack-2017", "lbr-vs-cfrplus-fcpa-100bb")
_NOTE = " hands/s, decompression included"


def _there(names: tuple[str, ...], suffix: str) -> list[tuple[str, Path]]:
    files = [(name, shared_file(f"{name}/{name}.{suffix}")) for name in names]
    return [(name, path) for name, path in files if path.is_file()]


def shared_logs() -> list[tuple[str, Path]]:
    """The logs of the shared data that are there: name and file."""
    return _there(_SETS, "log.xz")


def phh_files(place: Path, lines: list[str]) -> list[tuple[str, Path]]:
    """The large PHH sets of the shared data that are there, and heads-up hands of a log converted: name and file."""
    spec = load_game("holdem.nolimit.2p")
    text = list(write_phhs(parse_acpc_line(x, spec) for x in lines[:2000]))
    path = place / "converted.phhs"
    path.write_text("".join(text * 10), encoding="utf-8")
    return [*_there(_PHH_SETS, "phhs.xz"), ("heads-up log converted", path)]


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


def pokerkit_rate(lines: list[str]) -> float:
    """Hands a second of PokerKit's ACPC reader (which replays, without comparing payoffs).

    Raises:
        MissingPackage: PokerKit is not installed.
    """
    kit, notation = peer_package("pokerkit"), peer_package("pokerkit.notation")
    parser = notation.ACPCProtocolParser(kit.NoLimitTexasHoldem((), True, 0, (50, 100), 100), 20_000)
    return rate(lambda: sum(1 for _ in parser("\n".join(lines))), seconds=0)


def _verify(path: Path) -> float:
    report = verify_file(path)
    return report.hands / report.seconds


def _median(once: Callable[[], float]) -> float:
    return statistics.median(once() for _ in range(3))


def _phh_rows(place: Path, lines: list[str], goal: float) -> list[Row]:
    """Verifying PHH; reading hands of it as records, one by one."""
    files = phh_files(place, lines)
    figures = [
        row(f"verify PHH, {name}", _median(partial(_verify, path)), "hands/s", least=goal, note=_NOTE)
        for name, path in files
    ]
    with files[-1][1].open(encoding="utf-8") as file:
        text = [*islice(file, 20_000)]
    value = rate(lambda: sum(1 for _ in read_phh(text)), seconds=0)
    return [*figures, row("read PHH as hand records, one by one", value, "hands/s")]


def _site_rows() -> list[Row]:
    """Reading texts of sites as hand records, by processor time."""
    figures = []
    for site in ("pokerstars", "ggpoker", "winamax"):
        paths = sorted(shared_file(f"sites/{site}").glob("*"))
        if not paths:
            continue
        text = [line for path in paths for line in path.read_text("utf-8", "replace").splitlines()]

        def hands(text: list[str] = text) -> int:
            return sum(1 for _ in read_sites(text))

        scale = machine_scale(time.process_time)
        value = _median(partial(rate, hands, clock=time.process_time))
        figures.append(row(f"read texts of {site}", value, "hands/CPU s", least=_SITE_GOAL * scale))
    return figures


def _stats_rows(path: Path, lines: list[str]) -> list[Row]:
    """Tracker statistics: all players of a log at once, and one player hand by hand as an agent keeps them."""
    spec = load_game("holdem.nolimit.2p")
    records = [parse_acpc_line(line, spec) for line in lines[:2000]]

    def of_all() -> int:
        table, hands = StatsTable(), 0
        for batch in batches(path):
            table.add(batch)
            hands += len(batch.ids)
        return hands

    def live() -> None:
        stats = PlayerStats(records[0].names[0])
        for record in records:
            stats.update(record, 0)

    return [
        row(f"statistics of all players, {path.name}", _median(lambda: rate(of_all, seconds=0)), "hands/s"),
        row("statistics of one player, hand by hand", _median(per_second(live, len(records))), "hands/s"),
    ]


def rows() -> list[Row]:
    """Verifying real logs where they are there, else random ones; parsing line by line; PokerKit's reader beside it."""
    scale = machine_scale()
    goal = _GOAL * scale
    spec = load_game("holdem.nolimit.2p")
    with tempfile.TemporaryDirectory() as folder:
        logs = shared_logs()
        if not logs:
            path = Path(folder) / "random.log.xz"
            path.write_bytes(lzma.compress(("\n".join(synthetic_log(spec, 20_000)) + "\n").encode()))
            logs = [("random hands", path)]
        with lzma.open(logs[0][1], "rt", encoding="utf-8") as file:
            sample = [line for line in islice(file, 4000) if line.startswith("STATE:")]
        ours, peer, ratio = interleave(lambda: _verify(logs[0][1]), lambda: pokerkit_rate(sample[:300]), rounds=3)
        title, reader = f"verify, {logs[0][0]}", "pokerkit's ACPC reader"
        figures = [row(title, ours, "hands/s", reader, peer, ratio=ratio, least=goal, note=_NOTE)]
        for name, path in logs[1:]:
            value = _median(partial(_verify, path))
            figures.append(row(f"verify, {name}", value, "hands/s", least=goal, note=_NOTE))
        figures += _phh_rows(Path(folder), sample, _PHH_GOAL * scale)
        figures += _site_rows()
        figures += _stats_rows(logs[0][1], sample)

    def check() -> None:
        for line in sample:
            check_record(parse_acpc_line(line, spec))

    value = per_second(check, len(sample))()
    return [*figures, row("parse one line and check it", value, "hands/s")]
