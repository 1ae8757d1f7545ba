"""Exact equity: against dealing everything out, against each other, and the published anchors."""

from itertools import combinations, count
from math import comb

import numpy as np
import numpy.typing as npt
import pytest

from dupai.base import ConfigError, NoProgress, Rng
from dupai.cards import CARD_MASK, CLASSES, COMBO_CARDS, COMBOS, cards, combo_text, mask_of, strengths
from dupai.equity import _exact as ways, _result, equity, known_equity, matchup_kernel, range_mass
from dupai.equity._kernels.exact import deal_kernel
from dupai.equity._matchups import BOARDS, MATCHUP_FILE, MATCHUPS, matchup_index, preflop_mass
from dupai.equity._setup import make_setup
from dupai.ranges import Range
from naive.equity_deals import equity_by_dealing, split
from tools.matchups import count_matchups


def _deal_out(hands: str, dead: str = "", board: str = "") -> npt.NDArray[np.int64]:
    """Boards by set of winners, over all that may come (the evaluator is proved elsewhere)."""
    held = cards(hands)
    rest = [c for c in range(52) if c not in (*held, *cards(dead), *cards(board))]
    more = np.array(list(combinations(rest, 5 - len(cards(board)))), dtype=np.uint8)
    boards = np.bitwise_or.reduce(CARD_MASK[more], axis=1) | np.uint64(mask_of(cards(board)))
    two = [np.uint64(mask_of(held[i : i + 2])) for i in range(0, len(held), 2)]
    values = np.stack([strengths(boards | m) for m in two])
    who = ((values == values.max(axis=0)) << np.arange(len(two))[:, None]).sum(axis=0)
    return np.bincount(who, minlength=1 << len(two))


def _kernel(hands: str, dead: str = "") -> npt.NDArray[np.int64]:
    hist = np.zeros(1 << (len(hands) // 4), np.int64)
    deal_kernel(np.array(cards(hands)).reshape(-1, 2), len(hands) // 4, np.uint64(mask_of(cards(dead))), hist)
    return hist


@pytest.mark.parametrize(
    ("hands", "dead"),
    [
        ("AsKsQcQd", ""),  # a royal flush against quads: a flush that beats a full house
        ("9h8hThTs", "7h7c2d"),  # straight flushes from both ends
        ("AcAdKhKs", ""),
        ("JsTs9s8s", "2s3s"),  # both flushes in one suit
        ("6d6h5d4h", "AsAhAdAc"),
    ],
)
def test_matchups_against_all_boards(hands: str, dead: str) -> None:
    by_winner = _deal_out(hands, dead)
    win, tie, total = matchup_kernel(*cards(hands), np.uint64(mask_of(cards(dead))))
    assert (win, tie, total) == (by_winner[1], by_winner[3], by_winner.sum())
    np.testing.assert_array_equal(_kernel(hands, dead), by_winner)


@pytest.mark.parametrize("hands", ["AsKsQsJsTdTc", "JhTh9h8d7h7c"])
def test_three_hands_against_all_boards(hands: str) -> None:
    np.testing.assert_array_equal(_kernel(hands), _deal_out(hands))


def test_two_kernels_agree_on_random_hands() -> None:
    rng = Rng(3)
    deck = list(range(52))
    for k in range(60):
        rng.shuffle(deck)
        a0, a1, b0, b1 = deck[:4]
        dead = deck[4 : 4 + k % 4 * 3]
        hist = np.zeros(4, np.int64)
        deal_kernel(np.array([[a0, a1], [b0, b1]]), 2, np.uint64(mask_of(dead)), hist)
        win, tie, total = matchup_kernel(a0, a1, b0, b1, np.uint64(mask_of(dead)))
        assert hist.tolist() == [0, win, total - win - tie, tie]
        assert total == comb(48 - len(dead), 5)


def test_the_table_has_every_matchup_once_and_what_ships_is_what_is_counted() -> None:
    index = matchup_index()
    assert len(index.hands) == MATCHUPS == 47_008
    assert (np.count_nonzero(index.number >= 0, axis=1) == comb(50, 2)).all()
    with np.load(MATCHUP_FILE, allow_pickle=False) as file:
        win, tie = file["win"], file["tie"]
    again_win, again_tie = count_matchups(step=211)
    np.testing.assert_array_equal(win[::211], again_win)
    np.testing.assert_array_equal(tie[::211], again_tie)


def test_looking_up_any_two_hands() -> None:
    rng = Rng(8)
    for _ in range(40):
        mine, his = rng.below(COMBOS), rng.below(COMBOS)
        weights = np.zeros(COMBOS)
        weights[his] = 1.0
        win, tie, total = preflop_mass(weights)
        if set(COMBO_CARDS[mine]) & set(COMBO_CARDS[his]):
            assert win[mine] == tie[mine] == total[mine] == 0
            continue
        four = [int(c) for c in (*COMBO_CARDS[mine], *COMBO_CARDS[his])]
        assert (win[mine], tie[mine], total[mine]) == matchup_kernel(*four, np.uint64(0))
        assert total[mine] == BOARDS


@pytest.mark.parametrize(
    ("hands", "board", "expected"),
    [
        (["AcAd", "KcKd"], "", 0.826366),
        (["AcAd", "KhKs"], "", 0.812555),
        (["AA", "KK"], "", 0.819461),
        (["AKs", "QQ+, AK"], "", 0.419040),
        (["AsKs", "QQ+, AK"], "2c7dTh", 0.304978),
        (["AKs", "QQ+, AK"], "2c7dTh", 0.331061),
        (["AsKs", "random"], "2c7dTh", 0.539162),
    ],
)
def test_anchors(hands: list[str], board: str, expected: float) -> None:
    result = equity(hands, board)
    assert result.method == "exact"
    assert result.equity[0] == pytest.approx(expected, abs=5e-7)
    assert result.equity.sum() == pytest.approx(1.0, abs=1e-12)
    assert (result.se == 0).all()


def _weights(text: str) -> dict[str, float]:
    r = Range(text)
    return {combo_text(int(i)): float(r.weights[i]) for i in np.flatnonzero(r.weights)}


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["AKs, 0.25:QQ", "0.5:AA, KQs, 9h8h"], "9c7d2h3s", ""),
        (["QQ+, AKs", "0.5:AA, KQs, 0.125:9h8h, KK"], "9c7d2h3sTs", ""),
        (["AsKs, 0.5:7d7h", "QhQd, 0.25:8s7s"], "9s7c2s", ""),
        (["AsKs, 0.5:7d7h", "QhQd, 0.25:8s7s"], "9s7c2s", "AcQs3d"),
        (["AsKs", "random"], "9s7s2h3s", ""),
        (["random", "0.5:7d7h"], "9s7c2s7s2d", ""),
        (["AA, 0.5:KK", "KK, AKs", "0.3:AKo, 9h9d"], "9c7d2h3s", ""),
        (["AA, 0.5:KK", "KK, AKs", "0.3:AKo, 9h9d"], "9c7d2h3s", "AdAh"),
        (["KsQs", "0.5:AKs, AQo", "JJ, 0.25:KJs", "7s7h"], "As7dKc2s9h", "Ac"),
    ],
)
def test_against_dealing_everything_out(hands: list[str], board: str, dead: str) -> None:
    """eval7 judges; the cheapest way, and every other way that there is."""
    expected, win, deals = equity_by_dealing([_weights(h) for h in hands], board, dead)
    result = equity(hands, board, dead, method="exact")
    np.testing.assert_allclose(result.equity, expected, rtol=1e-11)
    np.testing.assert_allclose(result.win, win, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(result.tie, np.subtract(expected, win), rtol=1e-9, atol=1e-13)
    assert result.n == deals
    assert result.complete
    setup = make_setup(hands, board, dead)
    others = [ways._by_runouts] + ([ways._by_runout_sweep, ways._by_pairs] if len(hands) == 2 else [])
    others += [ways._by_sweep] if len(hands) == 2 and not dead else []
    others += [ways._by_hand] if len(hands) == 2 and not dead and "random" in hands else []
    for run in others:
        assert _counted(setup, run) == pytest.approx(expected, rel=1e-11), run.__name__


@pytest.mark.parametrize("n", [2, 3, 6])
@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_known_hands_without_checks(n: int, n_board: int) -> None:
    """The same as with them, by other ways of counting; with dead cards and without."""
    rng = np.random.default_rng(n * 10 + n_board)
    for n_dead in (0, 2, 4):
        cards = rng.permutation(52).tolist()
        hands, board = [tuple(cards[2 * p : 2 * p + 2]) for p in range(n)], cards[12 : 12 + n_board]
        dead = cards[17 : 17 + n_dead]
        expected = equity(hands, board or None, dead or None, method="exact").equity
        np.testing.assert_allclose(known_equity(hands, board, dead), expected, rtol=1e-12, atol=1e-15)


def test_a_board_that_everybody_plays_is_shared() -> None:
    assert known_equity([(0, 1), (2, 3), (4, 5)], [21, 22, 23, 24, 25]).tolist() == pytest.approx([1 / 3] * 3)


def _counted(setup, run) -> list[float]:  # type: ignore[no-untyped-def]
    n = len(setup.combos)
    hist = np.sum([part.hist for part in run(setup, NoProgress())], axis=0)
    who = [[p for p in range(n) if b >> p & 1] for b in range(1 << n)]
    total = hist[1:].sum()
    return [sum(hist[b] / len(w) for b, w in enumerate(who) if p in w) / total for p in range(n)]


def test_ways_agree_before_the_flop() -> None:
    """Table, match-ups one by one and joint deals; with dead cards the table does not hold."""
    hands = ["AKs, 0.5:QQ", "QQ+, 0.25:AKo"]
    setup = make_setup(hands, "", "")
    by_table = _counted(setup, ways._by_table)
    assert _counted(setup, ways._by_deals) == pytest.approx(by_table, rel=1e-11)
    assert equity(hands).n == equity(hands, method="exact").n
    # the deck without a card of a third player is the deck that the other two see
    dead = equity(hands, dead="2c2d")
    assert abs(dead.equity[0] - by_table[0]) > 1e-5
    assert _counted(make_setup(hands, "", "2c2d"), ways._by_deals) == pytest.approx(dead.equity.tolist(), rel=1e-11)


def _way(*hands: str, board: str = "2c7dTh", dead: str = "") -> str:
    way = ways.exact_way(make_setup(hands, board, dead))
    assert way is not None
    return way.run.__name__


def test_the_cheapest_way_is_taken() -> None:
    assert _way("AKs", "QQ+,AK") == _way("AKs", "QQ+,AK", board="2c7dThAh") == "_by_pairs"
    assert _way("AsKs", "random") == _way("random", "0.5:AsKs", board="2c7dThAh") == "_by_hand"
    assert _way("22+,A2+,K2+", "22+,A2+,K2+") == _way("random", "random") == "_by_sweep"
    assert _way("AKs", "QQ+,AK", dead="Ah") == "_by_pairs"
    assert _way("random", "random", dead="Ah") == "_by_runout_sweep"
    assert _way("AKs", "QQ+,AK", "JJ") == "_by_runouts"
    # Nothing is uniform about these: a hand is missing, or weighs less.
    assert _way("AsKs", "random,-QsQh") != "_by_hand" and _way("AsKs", "random,0.5:QsQh") != "_by_hand"


@pytest.mark.parametrize("board", ["2cTh7d", "2cTh7d4s"])
def test_boards_with_a_dead_card(board: str) -> None:
    by_winner = _deal_out("AsKsJdJh", "3c", board)
    for hands in (["AsKs", "JdJh"], ["JdJh", "AsKs"]):
        result = equity(hands, board, "3c", method="exact")
        assert result.n == by_winner.sum()
        assert sorted(result.win) == pytest.approx(sorted(by_winner[1:3] / by_winner.sum()), rel=1e-12)
    setup = make_setup(["AsKs", "JdJh"], board, "3c")
    assert _counted(setup, ways._by_runout_sweep) == pytest.approx(result.equity[::-1].tolist(), rel=1e-11)
    with pytest.raises(ConfigError, match="expected 0, 3, 4 or 5"):
        equity(["AsKs", "JdJh"], board[:4])


def test_three_ranges_before_the_flop() -> None:
    """Joint deals, weighted: the sum over the deals of three-hand counts."""
    hands = [{"AsKs": 1.0, "QcQd": 0.5}, {"AsAd": 1.0, "QcJc": 0.25}, {"KsKh": 1.0}]
    texts = [", ".join(f"{w}:{h}" for h, w in r.items()) for r in hands]
    total, equities = 0.0, np.zeros(3)
    for (a, wa), (b, wb), (c, wc) in [
        (x, y, z) for x in hands[0].items() for y in hands[1].items() for z in hands[2].items()
    ]:
        joint = a + b + c
        if len(set(split(joint))) < 6:
            continue
        hist = _kernel(joint)
        w = wa * wb * wc
        total += w
        for who in range(1, 8):
            inside = [p for p in range(3) if who >> p & 1]
            equities[inside] += w * hist[who] / len(inside) / hist.sum()
    np.testing.assert_allclose(equity(texts, method="exact").equity, equities / total, rtol=1e-12)


def test_before_the_flop_every_class_against_all() -> None:
    """range_mass without a board: uniform against uniform is even, and aces lead the 169."""
    mass = range_mass(None, np.ones(COMBOS))
    assert (mass.win + mass.tie / 2).sum() / mass.total.sum() == pytest.approx(0.5, abs=1e-12)
    rates = (mass.win + mass.tie / 2) / mass.total
    assert rates.argmax() in np.flatnonzero(Range("AA").weights)
    assert len(np.unique(rates.round(9))) == CLASSES


class Stop:
    """Progress that cancels after some reports."""

    def __init__(self, after: int) -> None:
        self.after, self.reports = after, []  # type: ignore[var-annotated]

    @property
    def cancelled(self) -> bool:
        return len(self.reports) >= self.after

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.reports.append((done, total))


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["22+, AK", "TT+, AQs+", "A2s+"], "Ts7d2c", ""),
        (["T9s-54s", "88+"], "Ah7c2d", "Kc"),
        (["KK+", "AK", "99-88"], "", ""),
    ],
)
def test_stopped_early_gives_an_estimate(
    hands: list[str], board: str, dead: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not slices by the clock, which would end elsewhere each time: all of the size of the first."""
    ticks = count()
    slice = 2.0**-16 if dead else 2.0**-5
    monkeypatch.setattr(_result, "_SLICE", slice)
    monkeypatch.setattr(_result.time, "perf_counter", lambda: next(ticks) * slice)
    whole = equity(hands, board, dead, method="exact")
    for after in (10, 30):
        part = equity(hands, board, dead, method="exact", progress=Stop(after=after))
        assert not part.complete
        assert 0 < part.n < whole.n
        assert (part.se > 0).all()
        assert (abs(part.equity - whole.equity) < 4 * part.se).all()
    nothing = equity(hands, board, dead, method="exact", progress=Stop(after=0))
    assert nothing.n == 0 and not nothing.complete and np.isnan(nothing.equity).all()


@pytest.mark.parametrize("board", ["Ts7d2c", "Jh9h4s"])
def test_any_stretch_of_the_order_is_a_fair_sample(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """450 of 1,176 runouts from anywhere: off by what the error of 15 slices of 30 says (steps of a golden ratio: by
    1.6 and 2.0 of it)."""
    monkeypatch.setattr(ways, "slices", lambda total, guess, progress: ((i, i + 1) for i in range(total)))
    setup = make_setup(["22+, AK", "TT+, AQs+", "A2s+"], board, None)
    hists = np.array([part.hist for part in ways._by_runouts(setup, NoProgress())])
    whole = _result.shares(hists.sum(axis=0), 3)[0]
    z = []
    for k in range(0, len(hists), 7):
        some = np.roll(hists, -k, axis=0)[:450].reshape(15, 30, -1).sum(axis=1)
        got = _result.shares(some.sum(axis=0), 3)[0]
        z.append((got - whole) / ways._part_error(some, got, 450 / len(hists)))
    assert 0.8 < np.sqrt(np.square(z).mean()) < 1.3


def test_the_error_of_a_part_does_not_depend_on_how_it_was_cut() -> None:
    """Slices grow while the clock finds its pace: units by chance, cut unevenly, against how far the sum is off."""
    rng = np.random.default_rng(4)
    cuts = [0, 4, 20, 84, 340]
    got, told = [], []
    for _ in range(2000):
        wins = rng.normal(50.0, 10.0, cuts[-1])
        units = np.stack([np.zeros_like(wins), wins, 100.0 - wins, np.zeros_like(wins)], axis=1)
        hists = np.add.reduceat(units, cuts[:-1], axis=0)
        mean = _result.shares(hists.sum(axis=0), 2)[0]
        got.append(mean[0])
        told.append(ways._part_error(hists, mean, 0.0)[0] ** 2)
    assert np.mean(told) / np.var(got) == pytest.approx(1.0, abs=0.1)


def test_progress_is_told_of_all_work() -> None:
    watch = Stop(after=10**9)
    result = equity(["22+, AK", "TT+", "A2s+"], "Ts7d2c", method="exact", progress=watch)
    assert result.complete
    done, totals = zip(*watch.reports, strict=True)
    assert list(done) == sorted(set(done))
    assert done[-1] == totals[-1] == comb(49, 2)
