"""A hand of a site or of PHH is a hand once: in a store, over files, of an older store, and seen by two players."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupai.history import Store, file_records, import_file, repeated_hands, text_records
from dupai.history.stats import Seen, batches
from support.site_sample import SHOWDOWN

OTHER = SHOWDOWN.replace("228695023643", "228695023699")
#: The same hand as Ann B recorded it.
BY_ANN = SHOWDOWN.replace("Dealt to Bob [7c 7d]", "Dealt to Ann B [Qd Tc]")


def write(folder: Path, name: str, *hands: str) -> Path:
    path = folder / name
    path.write_text("\n\n\n".join(hands))
    return path


def test_a_grown_file_and_an_overlapping_one(tmp_path: Path) -> None:
    store = tmp_path / "store"
    first = import_file(write(tmp_path, "a.txt", SHOWDOWN), store)
    assert (first.hands, first.again) == (1, 0)
    grown = import_file(write(tmp_path, "b.txt", SHOWDOWN, OTHER), store)
    assert (grown.status, grown.hands, grown.again, grown.rejected) == ("imported", 1, 1, 0)
    whole = import_file(write(tmp_path, "c.txt", OTHER, SHOWDOWN, OTHER), store)
    assert (whole.hands, whole.again) == (0, 3)
    assert sorted(r.hand for r in Store(store).records()) == [228695023643, 228695023699]


def test_half_a_hand_at_the_end_waits(tmp_path: Path) -> None:
    report = import_file(write(tmp_path, "a.txt", SHOWDOWN, OTHER[: OTHER.index("*** RIVER")]), tmp_path / "store")
    assert (report.hands, report.rejected) == (1, 0)
    assert "waits for the rest" in report.notes[0]


def test_two_recordings_are_one_hand_with_the_cards_of_both(tmp_path: Path) -> None:
    fold = SHOWDOWN.replace("Dealt to Bob [7c 7d]\n", "").replace(
        "Ann B: shows [Qd Tc] (two pair, Aces and Queens)\n", ""
    )
    store = tmp_path / "store"
    import_file(write(tmp_path, "a.txt", fold), store)
    assert import_file(write(tmp_path, "b.txt", SHOWDOWN), store).again == 1
    [record] = Store(store).records()
    assert record.hole[record.names.index("Bob")] != (255, 255)
    assert record.hole[record.names.index("Ann B")] != (255, 255)
    assert record.shown[record.names.index("Bob")] is False


def test_once_over_files_and_in_one(tmp_path: Path) -> None:
    path = write(tmp_path, "a.txt", SHOWDOWN, OTHER, SHOWDOWN)
    assert len(list(file_records(path))) == 2
    seen = Seen()
    more = write(tmp_path, "b.txt", OTHER)
    assert len([batch for p in (path, more) for batch in batches(p, seen=seen)]) == 1
    assert seen.again == 2


@pytest.mark.parametrize("text", [BY_ANN])
def test_the_key_knows_no_recorder(text: str, tmp_path: Path) -> None:
    assert len(list(file_records(write(tmp_path, "a.txt", SHOWDOWN, text)))) == 1


PHH = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [1000, 1000, 1000]
actions = ["d dh p1 ????", "d dh p2 AsAd", "d dh p3 ????", "p3 cbr 30", "p1 f", "p2 cc", "d db 2c7d9h", "p2 cc", "p3 f"]
finishing_stacks = [995, 1035, 970]
players = ["Ann", "Bob", "Cid"]
"""
#: Numbered by a site; with a number that may come again; without any. Then one more, another player's recording, and
#: the same in a shape that only the Python reader takes.
NUMBERS = ['venue = "Room"\nhand = 12345678901\n', 'venue = "Room"\ntable = "T"\nhand = 7\n', "hand = 7\n", ""]


def tables(*hands: str) -> str:
    return "\n".join(f"[{k}]\n{hand}" for k, hand in enumerate(hands, 1))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_hand_of_phh_is_a_hand_once(number: str, tmp_path: Path) -> None:
    hand = PHH + number
    other = hand.replace("2c7d9h", "2c7d9d").replace("12345678901", "12345678902")
    by_ann = hand.replace("p1 ????", "p1 KsKd").replace("AsAd", "????") + "_hero = 1\n"
    odd = "# a comment\n" + hand.replace("[1000, 1000, 1000]", "[1000,\n  1000, 1000]")
    (first := tmp_path / "a.phhs").write_text(tables(hand, hand, other))
    (second := tmp_path / "b.phhs").write_text(tables(odd, by_ann, other))
    assert len(list(file_records(first))) == 2
    assert len(list(file_records(second))) == 2
    seen = Seen()
    assert sum(len(batch.ids) for path in (first, second) for batch in batches(path, seen=seen)) == 2
    assert seen.again == 4
    assert list(map(len, repeated_hands([str(first), str(second)]))) == [0, 2]
    seen = Seen()
    assert len([r for p in (first, second) for r in text_records(p.read_text(), rejected=pytest.fail, seen=seen)]) == 2
    store = tmp_path / "store"
    reports = [import_file(path, store) for path in (first, second)]
    assert [(r.hands, r.again, r.rejected) for r in reports] == [(2, 1, 0), (0, 3, 0)]
    [record, _] = Store(store).records()
    assert [255 in two for two in record.hole] == [False, False, True]


def test_hands_of_phh_without_names_are_told_apart_by_their_cards(tmp_path: Path) -> None:
    bare = PHH.replace('players = ["Ann", "Bob", "Cid"]\n', "")
    (path := tmp_path / "a.phhs").write_text(tables(bare, bare.replace("AsAd", "KsKd"), bare))
    assert len(list(file_records(path))) == 2


def test_a_store_of_before_is_brought_up_to_date(tmp_path: Path) -> None:
    (path := tmp_path / "a.phhs").write_text(tables(*(PHH + number for number in NUMBERS)))
    import_file(path, tmp_path / "store")
    for keys in (tmp_path / "store").rglob("keys-*.npy"):
        keys.unlink()
    path.write_text(tables(*(PHH + number for number in reversed(NUMBERS))))
    assert import_file(path, tmp_path / "store").again == len(NUMBERS)
