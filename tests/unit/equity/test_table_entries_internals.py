"""The win-rate table: one entry for each pair of hole cards and board up to suits, and what the entries hold."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dupai.cards import CLASS_TEXT, COMBO_CARDS, COMBO_CLASS, board_classes, class_index
from dupai.cards.kernels import board_number_kernel
from dupai.equity import (
    WinRateTable,
    load_win_rate_table,
    range_mass,
    win_rate,
    win_rate_batch_kernel,
    win_rate_kernel,
    win_rates,
)
from dupai.equity._build import ENTRIES, PACKED, TABLE_FILE, packed_flops, unpacked_flops
from dupai.equity._kernels.table import number_kernel, unpack_kernel
from naive.equity_table import Key, canonical_key


@pytest.fixture(scope="module")
def table() -> WinRateTable:
    return load_win_rate_table(turn=True)


@pytest.fixture(scope="module")
def places(table: WinRateTable) -> WinRateTable:
    """The same index over entries that are numbered by hands up to renaming of suits, in the order of boards."""
    numbers = [np.arange(169.0)]
    for n_board in (3, 4):
        begin = numbers[-1][-1] + 1
        numbers.append(np.full(ENTRIES[n_board], -1.0))
        many = PACKED if n_board == 3 else 13_960_050
        assert unpack_kernel(board_classes(n_board), np.arange(begin, begin + many), numbers[-1]) == many
    entries = np.concatenate(numbers)
    entries.flags.writeable = False
    return table._replace(entries=entries)


def place(places: WinRateTable, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
    full = np.full(5, 255, np.uint8)
    full[: len(board)] = board
    return round(win_rate_kernel(places, hole[0], hole[1], full, len(board)) * 65535)


def test_sizes(table: WinRateTable) -> None:
    assert table.entries.dtype == np.uint16
    assert table.entries.size == 169 + (1_755 + 16_432) * 1326
    assert load_win_rate_table().entries.size == 169 + 1_755 * 1326
    np.testing.assert_array_equal(table.entries[: 169 + 1_755 * 1326], load_win_rate_table().entries)
    assert all(not a.flags.writeable for a in table)


def test_boards_have_the_numbers_of_the_cards_floor() -> None:
    full = np.full(5, 255, np.uint8)
    rng = np.random.default_rng(1)
    for n_board in (3, 4):
        for _ in range(2000):
            board = [int(c) for c in rng.permutation(52)[:n_board]]
            full[:n_board] = board
            expected = board_number_kernel(n_board, *board, *[0] * (4 - n_board))
            assert number_kernel(full, n_board, True) == expected + (22_100 if n_board == 4 else 0)
    assert number_kernel(full, 4, False) == number_kernel(full, 0, True) == number_kernel(full, 5, True) == 0


@pytest.mark.parametrize("n_board", [0, 3, 4])
def test_places_are_those_of_hands_up_to_suits(places: WinRateTable, n_board: int) -> None:
    # Few ranks and many renamed copies, so that equal and nearly equal hands meet.
    rng = np.random.default_rng(n_board)
    at: dict[Key, int] = {}
    back: dict[int, Key] = {}
    copies = 0
    triples = [rng.permutation(13)[:3] for _ in range(4)]
    for k in range(3000):
        ranks = triples[k % 4]
        deck = [s * 13 + int(r) for s in range(4) for r in ranks]
        drawn = tuple(int(c) for c in rng.permutation(deck)[: 2 + n_board])
        key = canonical_key(drawn[:2], drawn[2:])
        where = place(places, drawn[:2], drawn[2:])
        copies += key in at
        assert at.setdefault(key, where) == where
        assert back.setdefault(where, key) == key
    assert copies > 100


@pytest.mark.parametrize("n_board", [3, 4])
def test_places_fill_the_table(places: WinRateTable, n_board: int) -> None:
    # Canonical boards in order: each one's entries follow the one before's, without a gap, to the end of the street.
    boards = board_classes(n_board).boards
    begin = 169 if n_board == 3 else 169 + 1_286_792
    for at in (0, 1, 2, 700, 1_100, len(boards) - 1):
        board = tuple(int(c) for c in boards[at])
        live = [(int(a), int(b)) for a, b in COMBO_CARDS if a not in board and b not in board]
        found = sorted({place(places, hole, board) for hole in live})
        assert found == list(range(found[0], found[0] + len(found)))
        assert len(found) == len({canonical_key(hole, board) for hole in live})
        if at == 0:
            assert found[0] == begin
        if at == len(boards) - 1:
            assert found[-1] == begin + (1_286_792 if n_board == 3 else 13_960_050) - 1


def test_the_file_that_ships_holds_each_hand_once() -> None:
    with np.load(TABLE_FILE) as file:
        packed = file["entries"][169:]
    assert packed.size == PACKED
    every = unpacked_flops(packed)
    np.testing.assert_array_equal(every, load_win_rate_table().entries[169:])
    np.testing.assert_array_equal(packed_flops(every), packed)


@pytest.mark.parametrize("n_board", [3, 4])
def test_entries_are_the_sweeps(table: WinRateTable, n_board: int) -> None:
    rng = np.random.default_rng(n_board)
    worst = 0.0
    for k in range(12 if n_board == 3 else 60):
        board = [int(c) for c in rng.permutation(13 if k % 3 == 0 else 52)[:n_board]]
        mass = range_mass(board)
        live = mass.total > 0
        rates = (mass.win + mass.tie / 2)[live] / mass.total[live]
        found = win_rates(board)
        np.testing.assert_array_equal(~np.isnan(found), live)
        worst = max(worst, float(np.abs(found[live] - rates).max()))
        single = [win_rate(tuple(int(x) for x in COMBO_CARDS[c]), board) for c in np.flatnonzero(live)[::50]]
        np.testing.assert_array_equal(single, found[np.flatnonzero(live)[::50]])
    assert worst < 1e-5


def test_classes_before_the_flop_agree_with_the_match_ups() -> None:
    # Two independent counts: sums over all flops, and the table of match-ups.
    assert float(np.abs(win_rates() - win_rates(None, "random")).max()) < 1e-5


@pytest.mark.parametrize(
    ("hole", "percent"),
    [
        ("AsAh", 85.20),
        ("KsKh", 82.40),
        ("AsKs", 67.04),
        ("AsKd", 65.32),
        ("2c2d", 50.33),
        ("7c2d", 34.58),
        ("3c2d", 32.30),
    ],
)
def test_published_win_rates(hole: str, percent: float) -> None:
    assert win_rate(hole) * 100 == pytest.approx(percent, abs=0.005 + 0.001)  # its rounding and ours


def test_every_class_is_ordered_as_it_should_be() -> None:
    rates = dict(zip(CLASS_TEXT, load_win_rate_table().entries[:169].tolist(), strict=True))
    assert max(rates, key=rates.__getitem__) == "AA"
    assert min(rates, key=rates.__getitem__) == "32o"
    assert all(rates[t] > rates[t[:2] + "o"] for t in CLASS_TEXT if t.endswith("s"))
    # One hand against another of all classes wins half of what there is.
    sizes = np.bincount(COMBO_CLASS, minlength=169)
    assert (load_win_rate_table().entries[:169] / 65535 * sizes).sum() / 1326 == pytest.approx(0.5, abs=1e-5)
    assert rates["AA"] == load_win_rate_table().entries[class_index("AA")]


def test_order_of_cards_does_not_matter(table: WinRateTable) -> None:
    rng = np.random.default_rng(1)
    for n_board in (3, 4):
        drawn = rng.permutation(52)[: 2 + n_board].astype(np.uint8)
        full = np.full(5, 255, np.uint8)
        seen = set()
        for _ in range(30):
            full[:n_board] = rng.permutation(drawn[2:])
            hole = rng.permutation(drawn[:2])
            seen.add(win_rate_kernel(table, hole[0], hole[1], full, n_board))
        assert len(seen) == 1


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_batch_is_one_by_one(table: WinRateTable, n_board: int) -> None:
    rng = np.random.default_rng(n_board)
    drawn = np.argsort(rng.random((50, 52)), axis=1)[:, :7].astype(np.uint8)
    out = np.empty(50)
    for t in (table, load_win_rate_table()):
        win_rate_batch_kernel(t, drawn[:, 5:].copy(), drawn[:, :5].copy(), n_board, out)
        single = [win_rate(tuple(int(c) for c in d[5:]), [int(c) for c in d[:n_board]]) for d in drawn]
        np.testing.assert_allclose(out, single, rtol=0, atol=1e-5)


def test_interpreted_kernels_read_the_same(tmp_path: Path) -> None:
    table = load_win_rate_table()
    np.savez(tmp_path / "table.npz", **table._asdict())
    code = (
        "import sys\n"
        "import numpy as np\n"
        "from dupai.equity import WinRateTable, win_rate_kernel\n"
        "with np.load(sys.argv[1]) as file:\n"
        "    table = WinRateTable(**{name: file[name] for name in WinRateTable._fields})\n"
        "rng = np.random.default_rng(1)\n"
        "for n_board in (0, 3, 5):\n"
        "    for _ in range(20):\n"
        "        drawn = rng.permutation(52)[:7].astype(np.uint8)\n"
        "        print(float(win_rate_kernel(table, drawn[5], drawn[6], drawn[:5].copy(), n_board)).hex())\n"
    )

    def run(**env: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "table.npz")],
            capture_output=True,
            text=True,
            env={**os.environ, **env},
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    compiled, interpreted = run(), run(NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert len(compiled.splitlines()) == 60
    assert interpreted == compiled
