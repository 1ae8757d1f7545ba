"""The byte scanner for PHH against the careful reader: the same rows, rejects and lines, on odd and broken files."""

import random

from dupai.base import NoProgress
from dupai.history import LogFile, Store, _phh_blocks as fast, import_file
from dupai.history.stats import batches
from naive.history_phh import both, careful_pieces, left_over, tables

HAND = """[{number}]
variant = "NT"
ante_trimming_status = false
antes = [0, 0, 0]
blinds_or_straddles = [25, 50, 0]
min_bet = 50
starting_stacks = [5281, 5414, 2367]
actions = ["d dh p1 ????", "d dh p2 AsKd", "d dh p3 ????", "p3 cbr 150", "p1 f", "p2 cc", "d db KsAcAd", "p2 cc", \
"p3 cbr 100", "p2 cc", "d db 5s", "p2 cc", "p3 cc", "d db Qh", "p2 cc", "p3 cc", "p2 sm AsKd", "p3 sm 5h3h"]
venue = "PokerStars"
hand = 22869502364{number}
day = 3
month = 7
year = 2021
_time = "1:15:40"
table = "Actor II"
seats = [5, 6, 3]
players = ["Ann", "Bo", "Cy [x]"]
finishing_stacks = [5256, 5674, 2117]
winnings = [0, 510, 0]
currency = "USD"
_rake = 15
_unit = "cent"
_mucked = ["2c2d", "", ""]
_hero = 2
_session = 0

"""


CHANGES = (
    ('variant = "NT"', 'variant = "NS"'),
    ("antes = [0, 0, 0]", "antes = [5, 5, 5]"),
    ("antes = [0, 0, 0]", "antes = [0, 0]"),
    ("min_bet = 50", "min_bet = 60"),
    ("ante_trimming_status = false", "ante_trimming_status = tru"),
    ("[5281,", "[05281,"),
    ("[5281,", "[0,"),
    ("[5281,", "[40,"),
    ("[5281,", "[5281.0,"),
    ("2367]", "2367, 100]"),
    ('"d dh p1 ????", ', ""),
    ('"d dh p1 ????"', '"d dh p1 Kd??"'),
    ('"d dh p1 ????"', '"d dh p1 AsKd"'),
    ('"d dh p1 ????"', '"d dh p4 ????"'),
    ("p3 cbr 150", "p3 cbr 60"),
    ("p3 cbr 150", "p3 cbr 0150"),
    ("p3 cbr 150", "p3  cbr 150"),
    ("p3 cbr 150", "p3 cbr 150 # a comment"),
    ("p3 cbr 150", "p1 cbr 150"),
    ('"p1 f"', '"p1 x"'),
    ('"p1 f", ', ""),
    ("KsAcAd", "KsAcAc"),
    ("KsAcAd", "KsAcAdTd"),
    ('"p2 cc", "d db KsAcAd"', '"d db KsAcAd", "p2 cc"'),
    ('"p2 cc", "p3 cc", "p2 sm', '"p2 cc", "p3 f", "p2 sm'),
    ("p2 sm AsKd", "p2 sm ????"),
    ('"d db Qh", ', ""),
    ("p3 sm 5h3h", "p3 sm 5h"),
    ("p3 sm 5h3h", "p3 sm 5hAs"),
    ("p3 sm 5h3h", "p3 sm"),
    ("p2 sm AsKd", "p2 sm KdAs"),
    ("p2 sm AsKd", "p2 sm 7d7c"),
    ('"p3 sm 5h3h"', '"p3 sm 5h3h", "p1 f"'),
    ("hand = 2", 'hand = "2'),
    ("hand = 2", "hand = -2"),
    ("day = 3", "day = 3.5"),
    ("day = 3\n", ""),
    ("year = 2021", "year = 2021\nyear = 2022"),
    ('_time = "1:15:40"', '_time = "21:15:40"'),
    ('_time = "1:15:40"', "time = 01:15:40"),
    ('_time = "1:15:40"', '_time = "1:15:40"\ntime = ""'),
    ('venue = "PokerStars"', "venue = 7"),
    ('venue = "PokerStars"', "venue = 'Poker\"Stars'"),
    ('venue = "PokerStars"', 'venue = "Poker\\u0041"'),
    ('venue = "PokerStars"', 'venue = "P\u00f6ker"'),
    ('venue = "PokerStars"', "venue = 'PokerStars'"),
    ('"Actor II"', "1365"),
    ("seats = [5, 6, 3]", "seats = [5, 5, 3]"),
    ("seats = [5, 6, 3]", "seats = [5, 6]"),
    ("seats = [5, 6, 3]\n", ""),
    ('"Bo"', "7"),
    ('"Bo"', '""'),
    ('players = ["Ann", ', "players = ["),
    ('"Ann", "Bo"', '"Ann","Bo"'),
    ("[5256,", "[5257,"),
    ("[5256,", "[5256.0,"),
    ("[5256,", "[5256.5,"),
    ("finishing_stacks = [5256, 5674, 2117]\n", ""),
    ("finishing_stacks = [5256, 5674, 2117]\nwinnings = [0, 510, 0]\n", ""),
    ("finishing_stacks = [5256, 5674, 2117]\nwinnings = [0, 510, 0]", "winnings = [0, 510.5, 0]"),
    ("_rake = 15", "_rake = 16"),
    ("_rake = 15", "_rake = 15.0"),
    ("_rake = 15\n", ""),
    ('"2c2d"', '"2c2c"'),
    ('"2c2d"', '"As2d"'),
    ('"2c2d"', '"Ks2d"'),
    ('"2c2d", ""', '"2c2d", "2c2d"'),
    ('["2c2d", "", ""]', '["", ""]'),
    ("_hero = 2", "_hero = 4"),
    ("_session = 0", "_session = 1e3"),
    ("_session = 0", '_session = [1, "a", -3]'),
    ("_session = 0", "_session = []"),
    ("_session = 0", "_session = [[1], [2]]"),
    ("_session = 0", "_session = {a = 1}"),
    ("_session = 0", "_session = true"),
    ("_session = 0", '_session = 0\n[ "other" ]\nx = 1'),
    ("_session = 0", '_section = "match 1"\n_comment = "good one"'),
    ("_session = 0", '_odd_chips = "acpc"\n_min_raise = "acpc"'),
    ("_session = 0", "_game_stacks = [6000, 6000, 6000]"),
    ("_session = 0", "  _session = 0  "),
    ("_session = 0", "# a comment\n\n_session = 0\r"),
    ("_session = 0", '_session = """\na\n"""'),
    ("[{number}]", "[{number}] # a hand"),
    ("[{number}]", '["{number}"]'),
    ("[{number}]\n", "[{number}]\r\n"),
)


def test_unusual_tables(tmp_path, monkeypatch):
    """One change a hand, each between two plain hands: what is unusual, wrong or broken is read as ever."""
    texts = []
    for k, (old, new) in enumerate(CHANGES):
        assert old in HAND, old
        texts += [HAND.replace("{number}", str(2 * k)), HAND.replace(old, new, 1).replace("{number}", str(2 * k + 1))]
    path = tmp_path / "x.phhs"
    path.write_text("".join(texts), newline="")
    quick, careful = both(path, tmp_path, monkeypatch)
    assert quick == careful
    assert len(CHANGES) <= quick[0]["hands"] < 2 * len(CHANGES)
    assert len(left_over(path)) < len(CHANGES)


def test_small_blocks_and_lines(tmp_path):
    """However the text is cut into blocks, and from whatever hand on, lines and hands are the same."""
    rng = random.Random(1)
    text = "# a file\n\n" + "".join(HAND.replace("{number}", str(k)) for k in range(30))
    text = text.replace("hand = 228695023647\n", "hand = 228695023647\nhand = 1\n")
    path = tmp_path / "x.phhs"
    path.write_text(text)

    def lines(pieces):
        out = []
        for piece in pieces:
            if isinstance(piece, fast.Run):
                out += piece.block.hands["line"][piece.first : piece.last].tolist()
            else:
                out.append(piece.line)
        return out

    with LogFile(path) as file:
        expected = [e.line for e in careful_pieces(file)]
    assert len(expected) == 30
    for size in (1, 700, 5000, 1 << 20):
        start = rng.choice(expected)
        with LogFile(path) as file:
            assert lines(fast.phh_pieces(file, size=size)) == expected
        with LogFile(path) as file:
            assert lines(fast.phh_pieces(file, None, start, size=size)) == [x for x in expected if x >= start]


def test_no_header_for_long(tmp_path, monkeypatch):
    """Headers that only the careful reader knows: the text is read line by line once it grows long."""
    monkeypatch.setattr(fast, "_LONGEST", 2000)
    path = tmp_path / "x.phhs"
    path.write_text("".join(HAND.replace("[{number}]", f"[ {k} ]").replace("{number}", str(k)) for k in range(9)))
    with LogFile(path) as file:
        entries = list(fast.phh_pieces(file, size=1000))
    long = HAND.count("\n")
    assert [e.line for e in entries] == [1 + long * k for k in range(9)]


def test_parts_and_resume(tmp_path, monkeypatch):
    """Parts are cut where the careful reader cuts them, and an import stopped on the way ends with the same files."""
    bad = HAND.replace("p3 cbr 150", "p3 cbr 60")
    texts = [(bad if k % 7 == 5 else HAND).replace("{number}", str(k)) for k in range(40)]
    path = tmp_path / "x.phhs"
    path.write_text("".join(texts))
    quick, careful = both(path, tmp_path, monkeypatch, part_hands=6)
    assert quick == careful
    assert len([name for name in quick[1] if name.startswith("hands-")]) >= 5

    class Stop(NoProgress):
        looks = 0
        cancelled = False

        def report(self, done, total, text=""):
            self.looks += 1
            self.cancelled = self.looks == 4

    store = tmp_path / "stopped"
    assert import_file(path, store, part_hands=6, progress=Stop()).status == "stopped"
    again = import_file(path, store, part_hands=6)
    assert (again.status, again.resumed > 0) == ("imported", True)
    assert tables(store) == quick[1]


def test_batches_for_statistics(tmp_path):
    """Statistics of a file and of the store that it makes are fed the same hands."""
    path = tmp_path / "x.phhs"
    texts = [HAND if k % 3 else HAND.replace("p3 cbr 150", "p3 cbr 60") for k in range(20)]
    path.write_text("".join(t.replace("{number}", str(k)) for k, t in enumerate(texts)))
    import_file(path, tmp_path / "store")
    for whole in (list(batches(path)), list(batches(tmp_path / "store"))):
        hands = [
            (
                b.stacks[i].tolist(),
                b.payoffs[i].tolist(),
                [b.names[p] for p in b.players[i].tolist() if p >= 0],
                b.kind[b.first[i] : b.first[i + 1]].tolist(),
            )
            for b in whole
            for i in range(len(b.ids))
        ]
        assert len(hands) == 13
        assert all(h == hands[0] for h in hands)
        assert hands[0][2] == ["Ann", "Bo", "Cy [x]"]
    assert len(Store(tmp_path / "store").sources()) == 1
