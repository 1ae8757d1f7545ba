"""Keys: with an agent of another package at the table nobody can know the cards, and everybody can check them after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dupai.arena import FORMATS, Session, load_format, play_format, play_match
from dupai.arena.store import Store, load_hands, load_match, save_match, verify_match
from dupai.base import ConfigError, Rng
from dupai.cli import main
from dupai.jobs import SerialBackend
from support.learners import Stopping

#: Few hands of each format.
SHORT: dict[str, dict[str, Any]] = {
    "match": {"hands": 4, "duplicate": True},
    "tournament": {"hands": 4, "matches": 1},
    "cash": {"hands": 4, "sessions": 1},
    "sprt": {"match_hands": 1, "max_hands": 40},
    "ladder": {"hands": 4},
    "rollout": {"hands": 2, "matches": 1, "boards": 1},
}


@pytest.fixture
def peeker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The spec of an agent of another package that deals small seeds itself; it writes what it knows to ``seen``."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "support" / "hostile"))
    return f"peeker:out={tmp_path / 'seen'}"


def _known(folder: Path) -> set[str]:
    return {line.partition(" ")[2] for line in (folder / "seen").read_text().splitlines()}


@pytest.mark.parametrize("name", SHORT)
def test_an_agent_of_another_package_cannot_deal_the_hand_itself(name: str, peeker: str, tmp_path: Path) -> None:
    result = play_format(load_format(name), [peeker, "rules"], seed=3, **SHORT[name])
    assert _known(tmp_path) == {"nothing"}
    assert len(result.config.key) == 64


def test_every_format_has_a_key(peeker: str) -> None:
    for name in FORMATS:
        format = load_format(name)
        agents = [peeker] if name == "exploit" else [peeker, "rules"]
        entrants, config = format.plan(agents, format.settings())
        assert len(config.key) == 64
        assert all(task.config.key for task in format.tasks(entrants, config)[:3])


def test_a_session_has_a_key_too(peeker: str, tmp_path: Path) -> None:
    session = Session([peeker, "rules"], seed=3)
    session.play_hand()
    session.close()
    assert _known(tmp_path) == {"nothing"}


def test_a_reader_and_a_program_of_somebody_else_are_strangers_too(peeker: str) -> None:
    sources = ("acpc:cmd=true", peeker, "fold", "rules", "fold:reader=hostile-reader")
    drawn = {spec: bool(load_format("match").plan([spec, "rules"], load_format("match").settings())[1].key)
             for spec in sources}  # fmt: skip
    assert drawn == {
        "acpc:cmd=true": True,
        peeker: True,
        "fold:reader=hostile-reader": True,
        "fold": False,
        "rules": False,
    }


def test_with_the_key_the_same_match_is_played_again(peeker: str) -> None:
    first, other = (play_match([peeker, "raiser"], hands=6, seed=1) for _ in range(2))
    again = play_match([peeker, "raiser"], hands=6, seed=1, key=first.config.key)
    assert again == first
    assert other.config.key != first.config.key
    # Among agents of our own a key is drawn by nobody, and may be given.
    assert play_match(["caller", "raiser"], hands=6).config.key == ""
    with_key = play_match(["caller", "raiser"], hands=6, key=first.config.key)
    assert with_key.players[0].chips == first.players[0].chips
    with pytest.raises(ConfigError, match="64 hexadecimal digits"):
        play_match(["caller", "raiser"], hands=6, key="7")


def test_a_run_that_is_taken_up_again_keeps_its_key(peeker: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"hands": 3, "matches": 4, "backend": SerialBackend()}
    with Store(tmp_path / "r.db") as store:
        assert play_match([peeker, "rules"], store=store, progress=Stopping(3), **settings).partial
        key = store.run().config["key"]
    with Store(tmp_path / "r.db", resume=True) as store:
        with pytest.raises(ConfigError, match=r"--key: run 1 of .* has another key"):
            play_match([peeker, "rules"], store=store, key=64 * "0", **settings)
        again = play_match([peeker, "rules"], store=store, key=key, **settings)
        assert [run.finished is not None for run in store.runs()] == [True]
        assert play_match([peeker, "rules"], store=store, **settings) == again
    assert again.config.key == key
    assert again == play_match([peeker, "rules"], hands=3, matches=4, key=key)


def test_a_saved_match_is_dealt_again(
    peeker: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "--agents", f"{peeker} rules caller", "-n", "5", "--out", "m", "--reader", "none"]) == 0
    hash = capfd.readouterr().err.partition("SHA-256 ")[2][:64]
    assert main(["verify-deal", "m", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {"kept": True, "hands": 5, "hash": hash}
    saved, records = load_match("m"), load_hands("m")
    save_match("forged", msgspec.structs.replace(saved, key=64 * "0"), records)
    with pytest.raises(ConfigError, match="hand 1 has other cards"):
        verify_match("forged")
    save_match("seeded", msgspec.structs.replace(saved, key=""), records)
    assert main(["verify-deal", "seeded"]) == 2


def test_states_of_one_key_tell_nothing_about_each_other() -> None:
    key, other = bytes(32), bytes(31) + b"\1"
    states = {tuple(Rng(k, *stream).state.tolist()) for k in (key, other) for stream in ((0, 1, 0), (0, 1, 1), (0, 1))}
    assert len(states) == 6
    # BLAKE2b of the numbers as 64-bit words, so that anybody can compute it.
    assert Rng(key, 0, 1, 0).state[0] == 5596207901293511513
