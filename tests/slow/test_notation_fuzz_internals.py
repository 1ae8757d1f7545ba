"""Mutations of valid files at every door that reads text: the project's own errors, and none of Python's."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from dupai.acpc._files import parse_entries
from dupai.agents._experience._rulebook import load_rulebook
from dupai.arena import MatchSettings, load_deals, load_settings
from dupai.arena._settings import state_of_deal
from dupai.arena.match import Schedule
from dupai.base import DupaiError, Rng
from dupai.cfr import load_spot, read_boards
from dupai.history import import_file, verify_file
from dupai.notation import format_ohh, read_ohh, read_phh, read_sites, view_from_text, write_phhs
from dupai.notation.acpc import parse_matchstate, read_acpc_entries
from dupai.ranges import Range
from dupai.rules import GameSpec, load_game
from naive.history_hands import random_log, random_record
from support.site_sample import SHOWDOWN

TWO, SIX = load_game("holdem.nolimit.2p"), load_game("holdem.nolimit.6p")
PIECES = (
    "\u00b2",
    "9" * 5000,
    "[" * 3000,
    "{a=" * 2000,
    "-1",
    "0x" + "f" * 9000,
    "\x00",
    "nan",
    "1e999",
    '"',
    "\n",
    "true",
)
PIECES += (
    "99999999999999999999",
    "[[1]]",
    "\ud7ff",
    "p11",
    "p\u00b2 f",
    "{}",
    "''",
    "[]",
    "_max_raises = 5\n",
    "_odd_chips = []\n",
)


def mutated(text: str, rng: random.Random) -> str:
    for _ in range(rng.randint(1, 3)):
        at, to = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        to = min(to, at + rng.randint(0, 6))
        piece = rng.choice((rng.choice(PIECES), text[to : to + rng.randint(0, 8)], chr(rng.randrange(32, 127)), ""))
        text = text[:at] + piece + text[to:]
    return text


def phh(text: str, folder: Path) -> None:
    list(read_phh(text.splitlines(), errors=[]))


def acpc(text: str, folder: Path) -> None:
    list(read_acpc_entries(text.splitlines(), TWO))


def log(text: str, folder: Path) -> None:
    list(read_acpc_entries(text.splitlines()))


def matchstate(text: str, folder: Path) -> None:
    parse_matchstate(text).play(TWO)


def view(text: str, folder: Path) -> None:
    view_from_text(text)


def sites(text: str, folder: Path) -> None:
    list(read_sites(text.splitlines()))


def ohh(text: str, folder: Path) -> None:
    list(read_ohh(text.splitlines()))


def hands_range(text: str, folder: Path) -> None:
    Range(text)


def deals(path: Path) -> None:
    for deal in load_deals(path):
        state_of_deal(TWO, deal)


def written(name: str, read: Callable[[Path], object]) -> Callable[[str, Path], None]:
    def door(text: str, folder: Path) -> None:
        path = folder / name
        path.write_text(text, encoding="utf-8", errors="replace")
        read(path)

    return door


def corpus(kind: str) -> list[str]:
    rng = Rng(5)
    if kind == "phh":
        specs = [TWO, SIX, GameSpec.no_limit(3, (1, 2), 100, 1), load_game("holdem.limit.2p")]
        return ["".join(write_phhs([random_record(s, rng, hand=k) for k in range(2)])) for s in specs for _ in range(5)]
    if kind == "acpc":
        return [
            "\n".join(["# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 4 1", *random_log(TWO, rng, 4)])
        ]
    if kind == "matchstate":
        return ["MATCHSTATE:0:30:cr300c/cr600:As6d|/7h8s9d", "MATCHSTATE:1:7::|TdAs"]
    if kind == "view":
        return ["hole=AsKd board=7h2c9s pot=300 to_call=100 stack=1900", "MATCHSTATE:1:7::|TdAs"]
    if kind == "game":
        return [
            Path(str(p)).read_text() for p in sorted(Path(load_game.__code__.co_filename).parent.glob("games/*.game"))
        ]
    if kind == "site":
        return [SHOWDOWN]
    if kind == "range":
        return [
            "QQ+, AKs, 0.5:AJo-ATo, 76s+", "22-99, A2s+, KcQc, 0.25:AsAd", "random", "[50]AKs, AQs[/50], 40%(AKs), 15%",
            "AA@50, KK@100, AxKx, 2d2c: 1", "hand,weight\nAA,1\nAhKs,50%", '{"r": [{"combo": "AhKs", "weight": 0.5}]}',
            " ".join(["0.5"] * 169),
        ]  # fmt: skip
    if kind == "ohh":
        return [format_ohh(random_record(TWO, rng, hand=k, names=["a", "b"])) for k in range(5)]
    if kind == "config":
        return [
            'agents = ["caller", "random"]\nhands = 10\nseed = 2\nblinds = "1/2"\nstack = 100\nfaults = "fold"\n'
            "duplicate = true\nluck_reduced = false\nmatches = 2\n"
        ]
    if kind == "schedule":
        levels = "[[levels]]\nhands = 10\nblinds = [10, 20]\nante = 1\n[[levels]]\nhands = 5\nblinds = [1, 2]\n"
        return [f"payouts = [3, 1]\n{levels}"]
    if kind == "deals":
        return ["AsKd|7h7c/2c3d4h/5s/6d\n# note\n", "STATE:0:cc/cc/cc/cc:AsKd|7h7c/2c3d4h/5s/6d:1|-1:a|b\n"]
    if kind == "boards":
        return ["Td9d6hQc\n# note\nTd 9d 6h 2c\n"]
    if kind == "transactions":
        return ["c 0 1.000000 2.500000\nr300 0 1.0 2.0\n# fault 3 1 out late\nf 1 2.0 3.0\n"]
    if kind == "rules":
        return [Path(load_rulebook.__wrapped__.__code__.co_filename).with_name("expert.rules").read_text()]
    return [
        'board = "Td9d6hQc"\noop = "AA, KJs, 87s, 99, 54s"\nip = "QQ, ATs, J8s, 75s, 0.5:AdKd"\n'
        'pot = 20\nstack = 40\n[sizes]\nbet = "60%, a"\nraise = "a"\n'
    ]


#: Mutations at each door; the door through PokerKit, a hundred times as slow, gets a tenth.
FUZZ = int(os.environ.get("DUPAI_FUZZ", 20_000))
DOORS = {
    "phh": ("phh", phh),
    "acpc": ("acpc", acpc),
    "log": ("acpc", log),
    "matchstate": ("matchstate", matchstate),
    "view": ("view", view),
    "game": ("game", written("x.game", load_game)),
    "spot": ("spot", written("x.toml", load_spot)),
    "verify": ("phh", written("x.phhs", verify_file)),
    "sites": ("site", sites),
    "ohh": ("ohh", ohh),
    "range": ("range", hands_range),
    "config": ("config", written("x.toml", lambda path: load_settings(path, MatchSettings))),
    "schedule": ("schedule", written("x.toml", lambda path: load_settings(path, Schedule))),
    "deals": ("deals", written("x.txt", deals)),
    "boards": ("boards", written("x.txt", lambda path: read_boards(path, 4))),
    "transactions": ("transactions", lambda text, folder: parse_entries(text)),
    "rules": ("rules", written("x.rules", lambda path: load_rulebook.__wrapped__(str(path)))),
}


@pytest.mark.parametrize("name", DOORS)
def test_each_corpus_is_valid(name: str, tmp_path: Path) -> None:
    kind, door = DOORS[name]
    for text in corpus(kind):
        door(text, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", DOORS)
def test_mutations_of_valid_text_raise_errors_of_ours_only(name: str, tmp_path: Path) -> None:
    kind, door = DOORS[name]
    texts = corpus(kind)
    rng = random.Random(1)
    for _ in range(FUZZ // 10 if name == "sites" else FUZZ):
        text = mutated(rng.choice(texts), rng)
        try:
            door(text, tmp_path)
        except DupaiError:
            continue
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} at {text[:2000]!r}") from error


def test_a_bad_hand_costs_that_hand(tmp_path: Path) -> None:
    pieces = list(write_phhs([random_record(TWO, Rng(3), hand=k) for k in range(6)]))
    pieces[1] = (
        pieces[1].replace('"p1 ', '"p\u00b2 ', 1) if '"p1 ' in pieces[1] else pieces[1].replace('"p2 ', '"p\u00b2 ', 1)
    )
    pieces[2] += "x = " + "9" * 5000 + "\n"
    pieces[3] += "x = " + "[" * 3000 + "]" * 3000 + "\n"
    pieces[4] = pieces[4].replace("antes = [", "antes = [" + "9" * 25 + ", ")
    path = tmp_path / "x.phhs"
    path.write_text("".join(pieces), encoding="utf-8")
    report = import_file(path, tmp_path / "s")
    assert (report.hands, report.rejected) == (2, 4)
