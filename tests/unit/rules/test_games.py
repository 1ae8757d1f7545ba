"""GameSpec and ACPC game files."""

from pathlib import Path

import msgspec
import pytest

from dupai.base import ConfigError, FileError
from dupai.rules import UNLIMITED, GameSpec, HandState, game_names, load_game


def test_blinds_by_position():
    assert GameSpec.no_limit(2).blinds == (100, 50)
    assert GameSpec.no_limit(4).blinds == (50, 100, 0, 0)
    assert GameSpec.no_limit(2).first_player == (1, 0, 0, 0)
    assert GameSpec.no_limit(4).first_player == (2, 0, 0, 0)
    assert GameSpec.no_limit(3, blinds=(50, 100, 200)).first_player == (0, 0, 0, 0)
    assert GameSpec.no_limit(4).big_blind == 100
    assert GameSpec.no_limit(4).button == 3


def test_specs_are_values_and_survive_json():
    a, b = GameSpec.limit(3, ante=1), GameSpec.limit(3, ante=(1, 1, 1))
    assert a == b
    assert hash(a) == hash(b)
    assert a.max_raises == (3, 4, 4, 4)
    straddled = GameSpec.no_limit(4, (1, 2, 4), min_bet=2)
    for spec in (a, straddled):
        assert msgspec.json.decode(msgspec.json.encode(spec), type=GameSpec) == spec
    assert (a.smallest_bet, straddled.smallest_bet) == (10, 2)
    # The usual smallest bet is not written, so that texts and digests of games of before stay as they are.
    assert GameSpec.no_limit(4, min_bet=100) == GameSpec.no_limit(4)
    assert b"min_bet" not in msgspec.json.encode(GameSpec.no_limit(4, min_bet=100))
    with pytest.raises(AttributeError):
        a.players = 4
    assert (GameSpec.no_limit(2).split, GameSpec.no_limit(2, odd_chips="acpc").split) == (1, 2520)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GameSpec.no_limit(11), "players = 11: expected 2 to 10"),
        (lambda: GameSpec.no_limit(1), "players = 1: expected 2 to 10"),
        (lambda: GameSpec.no_limit("2"), "players = '2': expected 2 to 10"),
        (lambda: GameSpec.no_limit(3, stack=99), r"stacks\[1\] = 99 is below the blind .* blinds\[1\] = 100"),
        (lambda: GameSpec.no_limit(3, stack=0), r"stacks\[0\] = 0: expected 1 to"),
        (lambda: GameSpec.no_limit(3, stack=1.5), r"stacks\[0\] = 1.5: expected a whole number"),
        (lambda: GameSpec.no_limit(3, stack=(500, 500)), "stacks has 2 values: expected 3, one per position"),
        (lambda: GameSpec.no_limit(3, ante=-1), r"antes\[0\] = -1: expected 0 to"),
        (lambda: GameSpec.no_limit(3, ante=(1, 1)), "antes has 2 values: expected 3"),
        (lambda: GameSpec.no_limit(3, blinds=(50,)), r"blinds = \(50,\): expected small and big blind"),
        (lambda: GameSpec.no_limit(2, blinds=(1, 2, 3)), "blinds .* at most one blind per position"),
        (lambda: GameSpec.no_limit(3, blinds=(0.5, 1)), r"blinds\[0\] = 0.5: expected a whole number of chips"),
        (lambda: GameSpec.limit(3, bet_sizes=(10, 20)), "bet_sizes has 2 values: expected 4, one per street"),
        (lambda: GameSpec.limit(3, bet_sizes=(0, 10, 20, 20)), r"bet_sizes\[0\] = 0: expected 1 to"),
        (lambda: GameSpec.limit(3, max_raises=(3, 4)), "max_raises has 2 values"),
        (lambda: GameSpec.no_limit(3, first_player=(3, 0, 0, 0)), r"first_player\[0\] = 3: expected 0 to 2"),
        (lambda: GameSpec.no_limit(3, odd_chips="casinos"), "odd_chips = 'casinos'.*did you mean 'casino'"),
        (lambda: GameSpec.no_limit(3, min_raise="x"), "min_raise = 'x': expected one of 'casino', 'acpc'"),
        (lambda: GameSpec(3, "nolimit", (1, 2, 0), (9, 9, 9)), "betting = 'nolimit'.*did you mean 'no-limit'"),
        (lambda: GameSpec.no_limit(3, min_bet=0), "min_bet = 0: expected 1 to"),
        (lambda: GameSpec.no_limit(3, min_bet=1.5), "min_bet = 1.5: expected 1 to"),
        (lambda: GameSpec.limit(3, min_bet=10), "min_bet = 10: limit games have bet_sizes"),
        (lambda: GameSpec(3, "limit", (1, 2, 0), (9, 9, 9)), "bet_sizes has 0 values: expected 4"),
    ],
)
def test_settings_that_make_no_sense_name_their_key(make, message):
    with pytest.raises(ConfigError, match=message):
        make()


def test_shipped_games_are_those_of_the_competition():
    two, three = load_game("holdem.nolimit.2p"), load_game("holdem.nolimit.3p")
    assert (two.blinds, two.stacks, two.first_player) == ((100, 50), (20_000,) * 2, (1, 0, 0, 0))
    assert (three.blinds, three.stacks, three.first_player) == ((50, 100, 0), (20_000,) * 3, (2, 0, 0, 0))
    limit = load_game("holdem.limit.3p")
    assert (limit.blinds, limit.bet_sizes, limit.max_raises) == ((5, 10, 0), (10, 10, 20, 20), (3, 4, 4, 4))
    assert limit.stacks == (UNLIMITED,) * 3
    assert (limit.odd_chips, limit.min_raise, limit.split) == ("acpc", "acpc", 2520)
    assert load_game("holdem.limit.2p").blinds == (10, 5)
    assert load_game("holdem.nolimit.6p").blinds == (50, 100, 0, 0, 0, 0)
    assert len(game_names()) == 18
    for name in game_names():
        spec = load_game(name)
        assert f"{spec.players}p" in name
        assert not HandState(spec).finished


def test_reference_names_lead_to_the_same_games():
    for name in ("holdem.nolimit.2p.reverse_blinds", "holdem.nolimit.2p.reverse_blinds.game", "holdem.nolimit.2p.game"):
        assert load_game(name) == load_game("holdem.nolimit.2p")


def game_file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "some.game"
    file.write_text(text)
    return file


HOLDEM = "numRounds = 4\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0 3 1 1\n"


def test_file_format_is_read_as_leniently_as_the_reference_does(tmp_path):
    text = (
        "# a comment\r\nGAMEDEF\r\nNOLIMIT\r\nNumPlayers 3\r\n"
        "stack = 500 400 300 and some text\r\nblind=1 2 0\r\nmaxraises = 7\r\n"
        " blind = 9 9 9\r\nunknown = 5\r\n" + HOLDEM + "firstPlayer = 3 1\nend gamedef\nblind = 8 8 8\n"
    )
    spec = load_game(game_file(tmp_path, text))
    assert spec == load_game(str(tmp_path / "some.game"))
    assert (spec.players, spec.stacks, spec.blinds) == (3, (500, 400, 300), (1, 2, 0))
    assert spec.max_raises == (7, 255, 255, 255)
    assert spec.first_player == (2, 0, 0, 0)
    plain = load_game(game_file(tmp_path, "numPlayers = 2\nblind = 2 1\nraiseSize = 2 2 4 4\n" + HOLDEM))
    assert plain.betting == "limit"
    assert plain.stacks == (UNLIMITED,) * 2
    assert plain.first_player == (0, 0, 0, 0)  # missing rounds: position 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nolimit\nnumPlayers = 2\nblind = 2 1\n" + HOLDEM.replace("= 2\n", "= 1\n"), "numHoleCards = 1 is not Texas"),
        ("nolimit\nnumPlayers = 2\nblind = 2 1\n" + HOLDEM.replace("0 3 1 1", "0 1"), "numBoardCards = 0 1 is not Tex"),
        ("nolimit\nnumPlayers = 2\nblind = 2 1\n" + HOLDEM.replace("13", "3"), "numRanks = 3 is not Texas hold'em"),
        ("nolimit\nnumPlayers = 2\nblind = 2 1\n", "numRounds = missing is not Texas hold'em"),
        ("nolimit\nblind = 2 1\n" + HOLDEM, "numPlayers is missing"),
        ("nolimit\nnumPlayers = 11\nblind = 2 1\n" + HOLDEM, "numPlayers = 11: expected 2 to 10"),
        ("nolimit\nnumPlayers = 2\n" + HOLDEM, "blind is missing"),
        ("nolimit\nnumPlayers = 2\nblind = 2\n" + HOLDEM, "blind has 1 values: expected 2"),
        ("nolimit\nnumPlayers = 5\nblind = 2 1 0 0 0\n" + HOLDEM, "stack is missing"),
        ("limit\nnumPlayers = 2\nblind = 2 1\n" + HOLDEM, "raiseSize is missing"),
        ("limit\nnumPlayers = 2\nblind = 2 1\nraiseSize = 2 2\n" + HOLDEM, "raiseSize has 2 values: expected 4"),
        ("nolimit\nnumPlayers = 2\nblind = 2 0.5\n" + HOLDEM, "line 3: blind: '0.5' is not a whole number"),
        (
            "nolimit\nnumPlayers = 2\nblind = 2 1\nstack = 1 9\n" + HOLDEM,
            r"some.game: stacks\[0\] = 1 is below",
        ),
        ("nolimit\nnumPlayers = 2\nblind = 2 1\nfirstPlayer = 3\n" + HOLDEM, "firstPlayer = 3 1 1 1: expected"),
    ],
)
def test_files_that_make_no_sense(tmp_path, text, message):
    with pytest.raises(ConfigError, match=message):
        load_game(game_file(tmp_path, text))


def test_unknown_game_gives_the_nearest(tmp_path):
    with pytest.raises(ConfigError, match=r"'holdem.nolimt.2p' is neither .* did you mean 'holdem.nolimit.2p'\?"):
        load_game("holdem.nolimt.2p")
    with pytest.raises(ConfigError, match=r"shipped games: holdem\.limit\.2p, "):
        load_game("xyz")
    with pytest.raises(ConfigError, match="is neither a game file nor"):
        load_game(tmp_path / "missing.game")
    (tmp_path / "binary.game").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileError, match="cannot be read"):
        load_game(tmp_path / "binary.game")


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"blinds": (100, 50)}, "blinds"),
        ({"blinds": ()}, "blinds"),
        ({"stacks": (1000,)}, "stacks"),
        ({"antes": (1,)}, "antes"),
        ({"first_player": (0, 0)}, "first_player"),
        ({"max_raises": (1,)}, "max_raises"),
    ],
)
def test_lists_of_a_wrong_length_are_refused_by_name(fields, key):
    given = {"blinds": (50, 100, 0), "stacks": (1000,) * 3, **fields}
    with pytest.raises(ConfigError, match=f"{key} has .* values: expected") as error:
        GameSpec(players=3, betting="no-limit", **given)
    assert error.value.key == key
