"""How fast logs are replayed and their payoffs recomputed, beside PokerKit's reader of the same lines."""

from __future__ import annotations

import lzma
import os
import statistics
import tempfile
import time
from itertools import islice
from pathlib import Path

from dupai.base import ConfigError, Rng
from dupai.bench._row import Row, interleave, machine_scale
from dupai.history import check_record, verify_file
from dupai.notation import format_acpc, parse_acpc_line
from dupai.rules import Action, GameSpec, HandState, load_game

#: Hands a second that verifying is to reach where eval7 does 2.6 M evaluations/s.
_GOAL = 60_000
_SETS = ("deepstack-vs-pros-2016", "lbr-vs-hyperborean14", "lbr-vs-deepstack-2017", "lbr-vs-cfrplus-fcpa-100bb")


def _shared_log(name: str) -> Path | None:
    """A log of the shared data (``$DUPAI_SHARED``, else ``../shared`` beside the working folder), if it is there."""
    root = Path(os.environ.get("DUPAI_SHARED") or Path.cwd().parent / "shared")
    path = root / "data" / name / f"{name}.log.xz"
    return path if path.is_file() else None


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
