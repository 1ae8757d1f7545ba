"""The small inputs of ``../shared/cases`` on which readers were wrong, with their right values."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupai.cards import card
from dupai.history import shared_file
from dupai.notation import read_sites
from dupai.notation.sites import SiteHand

CASES = shared_file("").parent / "cases"

#: Payoffs by player, the house's share, the hero.
RIGHT: dict[str, tuple[dict[str, int], int, str | None]] = {
    "01-same-hand-counted-again/session-at-10.txt": ({"Hero": 273, "P1": -5, "P3": -15, "P5": -283}, 30, "Hero"),
    "02-posted-blind-read-as-call/fulltilt.txt": ({"Bea": -1, "Cal": -2, "Dee": 3}, 0, "Dee"),
    "03-heros-cards-lost/fulltilt.txt": ({"Bea": -1, "Cal": -2, "Ann": 3}, 0, "Ann"),
    "03-heros-cards-lost/ongame.txt": ({"Cal": -200, "Ann": -1200, "Bea": 1270}, 130, "Ann"),
    "04-party-uncalled-bet/flop.txt": ({"Cal": -16, "Dee": -4, "Ann": 18}, 2, "Ann"),
    "05-ongame-no-trailing-blank/ongame.txt": ({"Cal": -200, "Ann": -1200, "Bea": 1270}, 130, "Ann"),
    "06-new-player-posts-big-blind/pokerstars.txt": ({"Bea": -5, "Cal": -10, "Dee": 14}, 1, None),
    "07-unread-texts-called-acpc/pokerstars-archive.txt": ({"Bea": -2, "Cal": -15, "Fay": 16}, 1, "Dee"),
    "07-unread-texts-called-acpc/pokerstars-utf16.txt": ({"Hero": 273, "P1": -5, "P3": -15, "P5": -283}, 30, "Hero"),
    "09-antes-lost/allin.txt": ({"Bea": -700, "Ann": 700}, 0, "Ann"),
    "09-antes-lost/fold.txt": ({"Bea": -110, "Ann": 110}, 0, "Ann"),
    "10-raise-nobody-can-call/pokerstars.txt": ({"P0": -10, "P1": -20, "P2": 563, "P3": -533}, 0, "P0"),
    "11-big-blind-with-nothing-to-decide/pokerstars.txt": ({"P0": -10, "P1": 14, "P2": -4}, 0, "P0"),
    "12-all-in-from-the-ante/pokerstars.txt": ({"P0": -25, "P1": -430, "P2": -5, "P3": -5, "P4": 465}, 0, "P0"),
    "13-walk-with-antes-wrong-money/walk.txt": (
        {"Bea": -60, "Cal": 90, "Dee": -10, "Eva": -10, "Ann": -10},
        0,
        "Cal",
    ),
    "14-headers/fulltilt-2012.txt": ({"Bea": -1, "Cal": -2, "Ann": 3}, 0, "Ann"),
    "14-headers/pokernow-converted.txt": ({"Ann": -25, "Bob": -50, "Cid": 75}, 0, "Bob"),
    "14-headers/pokerstars-limit.txt": ({"Bea": -50, "Cal": -200, "Ann": 230}, 20, "Ann"),
    "16-chat-that-looks-like-an-action/pokerstars.txt": ({"Bea": -2, "Cal": -15, "Fay": 16}, 1, "Dee"),
    "18-absolute-won-total/absolute.txt": ({"CAL": -100, "ANN": 905, "BEA": -900}, 95, "ANN"),
    "19-names-of-non-utf8-files/one.txt": ({"Hero": 273, "P1": -5, "José": -15, "P5": -283}, 30, "Hero"),
    "19-names-of-non-utf8-files/two.txt": ({"Hero": 273, "P1": -5, "Josè": -15, "P5": -283}, 30, "Hero"),
    "20-one-card-shown/pokerstars.txt": ({"Bea": -2, "Cal": -15, "Fay": 16}, 1, "Dee"),
    "21-jackpot-beside-rake/pokerstars.txt": ({"Hero": 273, "P1": -5, "P3": -15, "P5": -283}, 30, "Hero"),
    "23-ipoker-indented/ipoker.xml": ({"Bea": -5, "Cal": 5}, 0, "Ann"),
}


def read(case: str) -> list[SiteHand]:
    path = Path(CASES / case)
    if not path.exists():
        pytest.skip(f"{path} is not there: the cases are no part of the repository")
    data = path.read_bytes()
    for code in ("utf-16",) if data[:1] == b"\xff" else ("utf-8-sig", "cp1252"):
        try:
            return list(read_sites(data.decode(code).splitlines()))
        except UnicodeDecodeError:
            continue
    raise AssertionError(case)


@pytest.mark.parametrize("case", list(RIGHT))
def test_the_right_value(case: str) -> None:
    payoffs, house, hero = RIGHT[case]
    [hand] = read(case)
    record = hand.record
    assert record is not None, hand.error
    assert {n: p for n, p in zip(record.names, record.payoffs, strict=True) if p} == payoffs
    assert record.rake == house
    assert (None if record.hero is None else record.names[record.hero]) == hero


@pytest.mark.parametrize(
    ("case", "blinds", "actions"),
    [
        ("06-new-player-posts-big-blind/pokerstars.txt", (5, 10, 10, 0), "c f f c c r30 f"),
        ("02-posted-blind-read-as-call/fulltilt.txt", (1, 2, 2, 0), "c f f c c r4 f"),
    ],
)
def test_a_late_blind_is_no_call(case: str, blinds: tuple[int, ...], actions: str) -> None:
    [hand] = read(case)
    assert hand.record is not None
    assert hand.record.spec.blinds == blinds
    assert " ".join(map(str, hand.record.actions)) == actions


def test_one_card_of_two_is_known() -> None:
    [hand] = read("20-one-card-shown/pokerstars.txt")
    assert hand.record is not None
    assert hand.record.hole[hand.record.names.index("Fay")] == (card("Ac"), 255)
