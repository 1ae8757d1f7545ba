"""Mutations of valid files at every door that reads text: the project's own errors, and none of Python's."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from dupai.base import DupaiError, Rng
from dupai.cfr import load_spot
from dupai.history import import_file, verify_file
from dupai.notation import parse_matchstate, read_acpc_entries, read_phh, view_from_text, write_phhs
from dupai.rules import GameSpec, load_game
from naive.history_hands import random_log, random_record

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
    return [
        'board = "Td9d6hQc"\noop = "AA, KJs, 87s, 99, 54s"\nip = "QQ, ATs, J8s, 75s, 0.5:AdKd"\n'
        'pot = 20\nstack = 40\n[sizes]\nbet = "60%, a"\nraise = "a"\n'
    ]


#: Mutations at each door.
FUZZ = 20_000
DOORS = {
    "phh": ("phh", phh),
    "acpc": ("acpc", acpc),
    "log": ("acpc", log),
    "matchstate": ("matchstate", matchstate),
    "view": ("view", view),
    "game": ("game", written("x.game", load_game)),
    "spot": ("spot", written("x.toml", load_spot)),
    "verify": ("phh", written("x.phhs", verify_file)),
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
    for _ in range(FUZZ):
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
