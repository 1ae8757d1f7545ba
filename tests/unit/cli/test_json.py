"""Every command that takes --json prints one document that a strict parser reads, whatever it is asked."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from dupai.arena.live import SealedDeck
from dupai.arena.store import Store
from dupai.cards import cards_text
from dupai.cli import main
from support.command_line import SPOT, commands, strict, write_log, write_phh, write_text

SEALED = SealedDeck(cards_text(range(52)), "0" * 64)

SAME, ONE = ("caller", "caller"), ("random", "caller")
#: By command, arguments on small input; among them what has no spread, no hands or nothing to find. ``{here}`` is a
#: folder with the files of :func:`_files`.
CASES: dict[str, list[tuple[str, ...]]] = {
    "equity": [("AsKd", "AA"), ("AA", "AA"), ("AhAs", "KcKd", "--board", "2c7dTh3s4s")],
    "range": [("QQ+, AKs:0.5",), ("-random",), ("AA", "--to", "csv")],
    "advise": [
        ("--state", "MATCHSTATE:0:30::9s8h|", "--agent", "caller"),
        ("--state", "MATCHSTATE:0:30::9s8h|", "--agent", "rules"),
    ],
    "agents show": [("caller",), ("nobody",)],
    "agents check": [("caller", "--views", "1")],
    "match": [
        (*SAME, "--hands", "1"),
        (*SAME, "--hands", "4", "--duplicate", "--luck-reduced"),
        (*ONE, "--hands", "1", "--luck-reduced"),
        ("caller", "caller", "caller", "--hands", "1"),
    ],
    "tournament": [(*SAME, "--matches", "1", "--hands", "1"), (*SAME, "random", "--matches", "2", "--hands", "3")],
    "cash": [(*SAME, "--hands", "1", "--sessions", "1"), (*ONE, "--hands", "2", "--sessions", "2")],
    "sprt": [
        (*SAME, "--max-hands", "2"),
        (*SAME, "--max-hands", "40", "--match-hands", "10"),
        (*ONE, "--max-hands", "4", "--luck-reduced"),
    ],
    "ladder": [(*SAME, "--hands", "1"), (*SAME, "random", "--hands", "2"), (*SAME, "--hands", "2", "--luck-reduced")],
    "exploit": [
        ("caller", "--hands", "1"),
        ("caller", "--hands", "2", "--live", "--match", "1", "--from", "river"),
        ("caller", "--method", "best-response"),
    ],
    "rollout": [
        (*SAME, "--matches", "1", "--hands", "1", "--boards", "1"),
        (*SAME, "--matches", "1", "--hands", "1", "--share", "0.000001"),
    ],
    "results list": [("{here}/r.db",), ("{here}/empty.db",)],
    "results show": [("{here}/r.db", "1"), ("{here}/r.db", "2")],
    "results export": [("{here}/r.db", "1"), ("{here}/r.db", "2")],
    "read hand": [("{here}/a.log", "--hand", "1", "--reader", "uniform")],
    "read score": [
        ("uniform", "--data", "{here}/a.log", "--part", "all"),
        ("uniform", "start-table", "--data", "{here}/one.log", "--part", "all"),
        ("uniform", "--data", "{here}/one.log", "--part", "test"),
    ],
    "readers": [()],
    "train reader": [("--data", "{here}/one.log", "--out", "{here}/r.npz", "--epochs", "1", "--networks", "1")],
    "train folds": [("--data", "{here}/one.log", "--population", "heads-up", "--out", "{here}/folds", "--folds", "2")],
    "train cnn": [("--data", "{here}/one.log", "--out", "{here}/cnn", "--epochs", "1")],
    "train blueprint": [
        ("one", "--games", "{here}/games.toml", "--out", "{here}/b.npz", "--boards", "1", "--no-measure")
    ],
    "train self-play": [("--out", "{here}/s.log", "--hands", "1", "--iterations", "1")],
    "history import": [("{here}/a.log", "--store", "{here}/new"), ("{here}/none.log", "--store", "{here}/new")],
    "history show": [("{here}/store",), ("{here}/store", "--where", "hand_id < 0"), ("{here}/store", "--hand", "1")],
    "history convert": [("{here}/a.log", "{here}/out.phhs"), ("{here}/h.phhs", "{here}/out.log")],
    "history stats": [
        ("{here}/a.log",),
        ("{here}/one.log",),
        ("{here}/one.log", "--player", "Ann"),
        ("{here}/one.log", "--player", "Ann", "--by", "position"),
        ("{here}/one.log", "--player", "Ann", "--by", "street"),
        ("{here}/store", "--player", "Bo"),
    ],
    "history leaks": [("{here}/one.log", "--player", "Ann"), ("{here}/a.log", "--player", "Bo")],
    "history verify": [("{here}/a.log",), ("{here}/one.log", "{here}/none.log")],
    "solve spot": [("{here}/spot.toml", "--max-iterations", "1"), ("{here}/spot.toml", "--target", "1%")],
    "solve show": [("{here}/s.solve",), ("{here}/s.solve", "--path", "check", "--hands", "--player", "ip")],
    "solve report": [("{here}/spot.toml", "--boards", "{here}/boards.txt", "--out", "{here}/new.csv")],
    "pushfold": [("--stack", "10"), ("--stack", "1"), ("--stack", "0.6")],
    "cfr": [("kuhn", "--iterations", "1"), ("kuhn", "--iterations", "3", "--strategy"), ("kuhn", "--target", "9")],
    "verify-deal": [(SEALED.hash, SEALED.nonce, SEALED.deck)],
    "reproduce": [("--list",)],
    "bench": [()],
    "build-tables": [()],
    "doctor": [()],
}
#: Training needs torch, and its time.
TORCH = ("train reader", "train folds", "train cnn")
LONG = (*TORCH, "train self-play")


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of each kind."""
    folder = tmp_path_factory.mktemp("json")
    write_log(folder / "a.log")
    (folder / "games.toml").write_text('[one]\ngame = "holdem.nolimit.2p"\nbuckets = [1, 1, 1]\n')
    write_log(folder / "one.log", 1)
    write_phh(folder / "h.phhs")
    write_text(folder / "spot.toml", SPOT)
    write_text(folder / "boards.txt", "Td9d6hQc2s\n")
    assert main(["match", *SAME, "--hands", "1", "--results", f"{folder}/r.db"]) == 0
    assert main(["tournament", *SAME, "--hands", "2", "--matches", "1", "--results", f"{folder}/r.db"]) == 0
    Store(folder / "empty.db").close()
    assert main(["history", "import", f"{folder}/one.log", "--store", f"{folder}/store"]) == 0
    assert main(["solve", f"{folder}/spot.toml", "--max-iterations", "1", "--save", f"{folder}/s.solve"]) == 0
    return folder


def test_every_command_with_json_is_tested() -> None:
    able = {name for name, command in commands().items() if any("--json" in p.opts for p in command.params)}
    assert able == set(CASES), "a case on small input, and one with nothing to find"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param(name, case, marks=[pytest.mark.slow] if name in LONG else [], id=f"{name} {' '.join(case)}"[:80])
        for name, cases in CASES.items()
        for case in cases
    ],
)
def test_a_strict_parser_reads_it(
    name: str,
    arguments: tuple[str, ...],
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if name in TORCH and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed")
    monkeypatch.chdir(here)
    code = main([*name.split(), *(a.replace("{here}", str(here)) for a in arguments), "--json"])
    out, err = capsys.readouterr()
    if not out:
        # Refused: one line says why.
        assert code == 2 and err.splitlines()[-1].startswith("dupai: "), err
        return
    assert code in (0, 2), err
    strict(out)
