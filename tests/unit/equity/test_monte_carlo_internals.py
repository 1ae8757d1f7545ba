"""Monte Carlo: the joint distribution of the hands, unbiased draws, stopping, and the same answer for the same seed."""

import os
import subprocess
import sys
from itertools import permutations, product

import numpy as np
import pytest

from dupai.base import ConfigError, Rng
from dupai.cards import COMBO_INDEX, cards, cards_text
from dupai.equity import _monte_carlo as mc, _result, _setup, equity, multiway_win_rate_kernel
from dupai.equity._kernels.monte_carlo import CARD_WORD, shuffle_kernel
from dupai.equity._setup import make_setup
from naive.equity_deals import in_turn, jointly, multiway_by_dealing

# Three ranges that overlap so much that drawing one player after the other is far off.
OVERLAP = ["AsAh, 0.25:7s2h", "AsKs, 0.25:QdQc", "AsQh, KsKh, 0.25:7c2d"]
_AS_DICTS = [{"AsAh": 1.0, "7s2h": 0.25}, {"AsKs": 1.0, "QdQc": 0.25}, {"AsQh": 1.0, "KsKh": 1.0, "7c2d": 0.25}]


def _exact_joint() -> tuple[dict[tuple[str, ...], float], np.ndarray]:
    """Joint probabilities of the hands, and the equities that follow, each joint hand counted out by itself."""
    joint = jointly(_AS_DICTS)
    return joint, sum(p * equity(list(hands), method="exact").equity for hands, p in joint.items())


def test_the_example_tells_joint_draws_from_draws_in_turn() -> None:
    """Whoever draws first: the equities would be off by far more than the tests below allow."""
    _, right = _exact_joint()
    for order in permutations(range(3)):
        wrong = np.zeros(3)
        for hands, p in in_turn([_AS_DICTS[i] for i in order]).items():
            wrong[list(order)] += p * equity(list(hands), method="exact").equity
        assert abs(wrong - right).max() > 0.05


@pytest.mark.parametrize(("joined", "run"), [(False, 1), (True, 1), (False, 5)])
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_hands_are_drawn_jointly_whatever_the_order(
    order: tuple[int, ...], joined: bool, run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three overlapping narrow ranges, drawn by rejection, from a list of joint deals and in runs, in every order."""
    monkeypatch.setattr(mc, "_FEW", 2.0 if joined else 0.0)
    monkeypatch.setattr(mc, "_NARROW", 0.0)
    monkeypatch.setattr(mc, "_CROWDED", 0.0)
    monkeypatch.setattr(mc, "_LONGEST_RUN", run)
    _, expected = _exact_joint()
    hands = [OVERLAP[i] for i in order]
    draws, length = mc.make_draws(make_setup(hands, "", ""))
    assert len(draws.block) == (1 if joined else 3) and length == run
    result = equity(hands, method="monte-carlo", samples=200_000, rng=11)
    assert result.n == 200_000
    assert (abs(result.equity - expected[list(order)]) < 4.5 * result.se).all()
    assert (result.se < (0.0012 if run == 1 else 0.0016)).all()


@pytest.mark.parametrize("n", [8, 9])
def test_many_narrow_ranges_in_runs_against_exact(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four weighted hands of 26 cards for each: trials have the joint distribution, and the error is that of runs."""
    monkeypatch.setattr(mc, "_FEW", 0.0)
    rng, board = np.random.default_rng(n), cards("9s8s2h3s")
    live = [c for c in range(52) if c not in board][:26]
    hands = [
        ", ".join(f"{w}:{cards_text(rng.choice(live, 2, replace=False))}" for w in (1, 0.5, 0.5, 0.25))
        for _ in range(n)
    ]
    draws, run = mc.make_draws(make_setup(hands, board, ""))
    assert len(draws.block) == n and run > 20
    expected = equity(hands, board, method="exact")
    results = [equity(hands, board, samples=40_001, rng=k) for k in range(20)]
    z = np.array([(r.equity - expected.equity) / r.se for r in results])
    assert all(r.n == 40_001 for r in results)
    assert (abs(z) < 4.5).all() and 0.85 < np.sqrt((z**2).mean()) < 1.15
    assert (abs(z.mean(axis=0)) < 4.5 / np.sqrt(len(z))).all()


def test_exact_agrees_on_the_overlap() -> None:
    _, expected = _exact_joint()
    np.testing.assert_allclose(equity(OVERLAP, method="exact").equity, expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("hands", "board", "dead"),
    [
        (["AsKs", "QQ+", "random"], "9c7d2h3s", ""),
        (["random", "QQ+", "AsKs"], "9c7d2h3s", "Ah"),
        (["random", "AA, 0.5:KK"], "9c7d2h", "AsTd"),
        (["AsKs", "random"], "", ""),
        (["22+", "A2s+, 0.125:KQo", "QQ+, 65s"], "9c7d2h3s", ""),
        (["0.001:AA, 0.01:72o, KK", "JJ"], "", ""),
    ],
)
def test_against_exact(hands: list[str], board: str, dead: str) -> None:
    expected = equity(hands, board, dead, method="exact")
    result = equity(hands, board, dead, method="monte-carlo", samples=300_000, rng=5)
    assert (abs(result.equity - expected.equity) < 4.5 * result.se).all()
    error = np.sqrt(expected.win * (1 - expected.win) / result.n)
    assert (abs(result.win - expected.win) < 4.5 * error).all()


def test_random_hands_are_even_and_the_error_is_right() -> None:
    """Ten runs of six random hands: the mean is even, and the runs scatter as much as their standard errors say."""
    runs = [equity(["random"] * 6, method="monte-carlo", samples=20_000, rng=k) for k in range(10)]
    shares = np.array([r.equity for r in runs])
    se = runs[0].se.mean()
    np.testing.assert_allclose(shares.sum(axis=1), 1.0, atol=1e-12)
    assert (abs(shares.mean(axis=0) - 1 / 6) < 4.5 * se / np.sqrt(10)).all()
    assert 0.7 < shares.std() / se < 1.3


def test_error_against_its_definition() -> None:
    """The standard error of 0/1 shares (no splits possible here) is that of a proportion."""
    result = equity(["AsKs", "7d7h"], "Ac2d9h3s", method="monte-carlo", samples=50_000)
    assert result.tie.max() == 0
    e = result.equity
    np.testing.assert_allclose(result.se, np.sqrt(e * (1 - e) / (50_000 - 1)), rtol=1e-12)


def test_shuffle_is_uniform() -> None:
    """Chi-square of the first card, the last drawn card and ordered neighbours, on decks down to one card."""
    state = Rng(2).state
    for n, need in ((52, 17), (7, 7), (5, 4), (3, 3), (2, 2), (1, 1)):
        deck = np.arange(n, dtype=np.uint64)
        rounds = 30_000
        pairs = np.zeros((need, n), np.int64)
        first_two = np.zeros((n, n), np.int64)
        for _ in range(rounds):
            assert shuffle_kernel(deck, n, 0, need, state) >= need
            for k in (0, need // 2, need - 1):
                pairs[k, deck[k]] += 1
            if need > 1:
                first_two[deck[0], deck[1]] += 1
        assert sorted(deck.tolist()) == list(range(n))
        for k in (0, need // 2, need - 1):
            times = pairs[k].sum() / rounds
            chi = ((pairs[k] - times * rounds / n) ** 2).sum() / (times * rounds / n) / times
            assert chi < (n - 1) + 6 * np.sqrt(2 * n), (n, k)
        if need > 1:
            cells = n * (n - 1)
            assert np.trace(first_two) == 0
            off = first_two[~np.eye(n, dtype=bool)]
            chi = ((off - rounds / cells) ** 2).sum() / (rounds / cells)
            assert chi < (cells - 1) + 6 * np.sqrt(2 * cells), n


def test_words_tell_the_card_under_any_sum() -> None:
    """Card numbers ride in bits that sums of seven keys leave alone."""
    assert sorted(((CARD_WORD >> np.uint64(20)) & np.uint64(63)).tolist()) == list(range(52))
    seven = np.sort(CARD_WORD & np.uint64((1 << 39) - 1))[-7:].sum()
    assert seven + 0x3333 < 1 << 39


@pytest.mark.parametrize("size", [1, 2, 7, 400])
def test_alias_table_gives_back_the_weights(size: int) -> None:
    weights = np.random.default_rng(size).random(size) ** 4 + 1e-9
    threshold, alias = mc.alias_table(weights)
    p = np.zeros(size)
    for i in range(size):
        stay = int(threshold[i]) / 2**32
        p[i] += stay
        p[alias[i]] += 1 - stay
    np.testing.assert_allclose(p / size, weights / weights.sum(), atol=2.0**-31)


@pytest.mark.parametrize("players", [0, 5])
def test_same_seed_same_answer_however_it_is_sliced(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ["22+, AK", "A2s+", "random", *["22+, A2s+, KQ"] * players]
    whole = equity(hands, method="monte-carlo", target_error=0.002, rng=4)
    monkeypatch.setattr(_result, "_SLICE", 1e-4)
    sliced = equity(hands, method="monte-carlo", target_error=0.002, rng=Rng(4))
    assert whole.n == sliced.n
    np.testing.assert_array_equal(whole.equity, sliced.equity)
    other = equity(hands, method="monte-carlo", target_error=0.002, rng=5)
    assert (other.equity != whole.equity).all()
    assert equity(hands, samples=1000).equity.tolist() == equity(hands, samples=1000, rng=0).equity.tolist()


def test_target_error() -> None:
    result = equity(["random"] * 3, target_error=0.001)
    assert result.method == "monte-carlo"
    assert 0.0008 < result.se.max() <= 0.001
    assert equity(["random"] * 3, target_error=0.001, samples=30_000).n == 30_000
    assert equity(["random"] * 3, target_error=0.5, samples=30_000_000).n < 30_000_000
    assert equity(["AsKs", "QQ"], target_error=0.01).method == "exact"
    assert equity(["AsKs", "QQ"], samples=1).n == 1


class _Stop:
    def __init__(self, after: int) -> None:
        self.after, self.told = after, 0

    @property
    def cancelled(self) -> bool:
        return self.told >= self.after

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.told += 1
        assert done >= 0 and (total is None or total >= done)


def test_stopped_early() -> None:
    result = equity(["random"] * 4, target_error=1e-9, progress=_Stop(4))
    assert not result.complete
    assert result.n > 0 and (abs(result.equity - 0.25) < 5 * result.se).all()
    nothing = equity(["random"] * 4, samples=100, progress=_Stop(0))
    assert nothing.n == 0 and not nothing.complete and np.isnan(nothing.equity).all()


def test_ranges_that_cannot_be_dealt_together(monkeypatch: pytest.MonkeyPatch) -> None:
    for few in (2.0, 0.0):
        monkeypatch.setattr(mc, "_FEW", few)
        monkeypatch.setattr(mc, "_HOPELESS", 1000)
        with pytest.raises(ConfigError, match="AA, AA, AA cannot be dealt together"):
            equity(["AA", "AA", "AA"], method="monte-carlo")
    with pytest.raises(ConfigError, match="cannot be dealt together"):
        equity(["AsKs", "AsKd, AsQd"], method="monte-carlo")


#: Every hand of twenty cards, for ten players: one draw in ten million or so gives each card once.
_TWENTY_CARDS = ["TT+, AT+, KT+, QT+, JT"] * 10


def test_ranges_that_are_dealt_too_seldom_are_not_called_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mc, "_HOPELESS", 1_000_000)
    with pytest.raises(ConfigError, match=r"can be dealt together, but seldom: .* in each of 1,000,000 random draws"):
        equity(_TWENTY_CARDS, method="monte-carlo", samples=10)
    # the same hands without one card: nineteen are too few for ten players
    with pytest.raises(ConfigError, match="cannot be dealt together"):
        equity(_TWENTY_CARDS, dead="As", method="monte-carlo", samples=10)


def test_ranges_of_which_it_is_not_known_whether_they_can_be_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is cut short claims neither."""
    monkeypatch.setattr(mc, "_HOPELESS", 1_000_000)
    monkeypatch.setattr(_setup, "_SEARCHED", 5)
    with pytest.raises(ConfigError, match="can be dealt together seldom or never"):
        equity(_TWENTY_CARDS, method="monte-carlo", samples=10)


@pytest.mark.parametrize("seed", range(40))
def test_search_for_a_joint_deal_against_listing_all(seed: int) -> None:
    """Three to five players with a few hands each of ten cards."""
    rng = np.random.default_rng(seed)
    live = cards("AsAhAdAcKsKhKdKcQsQh")
    ranges = [
        [tuple(sorted(rng.choice(live, 2, replace=False))) for _ in range(rng.integers(1, 5))]
        for _ in range(rng.integers(3, 6))
    ]
    possible = any(len({c for hand in deal for c in hand}) == 2 * len(deal) for deal in product(*ranges))
    combos = tuple(np.array([COMBO_INDEX[hand] for hand in hands], np.int16) for hands in ranges)
    weights = tuple(np.ones(len(hands)) for hands in ranges)
    setup = _setup.Setup(("x",) * len(ranges), combos, weights, (), (), 0)
    assert _setup.can_be_dealt(setup) == possible


def test_seldom_deals_show_progress_and_can_be_stopped() -> None:
    watch = _Stop(3)
    result = equity(_TWENTY_CARDS, samples=1000, progress=watch)
    assert watch.told >= 3 and result.n < 1000 and not result.complete


def test_ten_equal_wide_ranges_are_even() -> None:
    """Most draws clash somewhere; still no seat gets more than another."""
    result = equity(["22+, A2+, K2+, Q2+"] * 10, "9c7d3h", method="monte-carlo", samples=50_000)
    assert result.n == 50_000
    assert (abs(result.equity - 0.1) < 4.5 * result.se).all()


def test_decks_that_are_dealt_to_the_last_card() -> None:
    result = equity(["random"] * 10, dead=range(27), samples=20_000)
    assert (abs(result.equity - 0.1) < 4.5 * result.se).all()
    hands, dead = ["AsKs, QsJs, TsTh", "random"], [c for c in range(52) if c not in cards("AsKsQsJsTsThAhAd2c3c")]
    exact = equity(hands, dead=dead, method="exact")
    sampled = equity(hands, dead=dead, method="monte-carlo", samples=100_000)
    assert exact.n == 3 * 28 * 6
    assert (abs(sampled.equity - exact.equity) < 4.5 * sampled.se).all()


@pytest.mark.parametrize(("opponents", "published"), [(1, 0.486), (2, 0.297), (3, 0.180)])
def test_multiway_win_rate_of_the_paper(opponents: int, published: float) -> None:
    """*Programming Poker AI*, "Stack protection": AD 2D on QC KC 2C, from 1,000 deals (0.297 fits two opponents)."""
    hole, board = cards("Ad2d"), np.array([*cards("QcKc2c"), 0, 0], np.uint8)
    n = 200_000
    rate = multiway_win_rate_kernel(*hole, board, 3, opponents, n, Rng(1).state)
    by_eval7, error = multiway_by_dealing("Ad2d", "QcKc2c", opponents, 10_000)
    assert abs(rate - by_eval7) < 4.5 * error
    others = equity(["Ad2d"] + ["random"] * opponents, "QcKc2c", method="monte-carlo", samples=n, rng=3)
    assert abs(rate - others.equity[0]) < 4.5 * np.sqrt(2) * others.se[0]
    assert abs(rate - published) < 2 * np.sqrt(rate * (1 - rate) / 1000)


@pytest.mark.parametrize("n_board", [0, 3, 4, 5])
def test_multiway_win_rate_against_exact(n_board: int) -> None:
    full = cards("QcKc2c9h9d")
    board = np.array([*full[:n_board], *[0] * (5 - n_board)], np.uint8)
    exact = equity(["AdQd", "random"], cards_text(full[:n_board]), method="exact").equity[0]
    rate = multiway_win_rate_kernel(*cards("AdQd"), board, n_board, 1, 100_000, Rng(n_board).state)
    assert rate == pytest.approx(exact, abs=4.5 * 0.5 / np.sqrt(100_000))


def test_multiway_splits_count_by_how_many_share() -> None:
    """A royal flush on the board is shared by everybody, exactly."""
    board = np.array(cards("AsKsQsJsTs"), np.uint8)
    for opponents in (1, 4, 9):
        rate = multiway_win_rate_kernel(*cards("2c3d"), board, 5, opponents, 100, Rng(1).state)
        assert rate == pytest.approx(1 / (opponents + 1), rel=1e-12)


def test_kernels_interpreted_give_the_same() -> None:
    """The same numbers without compilation, for small input (exact, Monte Carlo by ranges, Monte Carlo multi-way)."""
    program = (
        "import numpy as np\n"
        "from dupai.base import Rng\n"
        "from dupai.equity import equity, matchup_kernel, multiway_win_rate_kernel\n"
        "print(matchup_kernel(51, 50, 10, 23, np.uint64(0))[:2])\n"
        "print(equity(['AA, KK', '0.5:AA, QJs', 'AK'], samples=60).equity.tolist())\n"
        "print(equity(['random', 'AA', 'AcKd'], '2c3c4d', samples=60).equity.tolist())\n"
        "print(equity(['AsKs', 'AA', 'QcKd'], '2c3c4d8h').equity.tolist())\n"
        "print(multiway_win_rate_kernel(51, 50, np.zeros(5, np.uint8), 0, 3, 60, Rng(1).state))\n"
    )
    out = []
    for disabled in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", program], env=env, capture_output=True, text=True, check=True
        )
        out.append([line.replace("np.int64(", "").replace(")", "") for line in done.stdout.splitlines()])
    assert out[0] == out[1]
    assert len(out[0]) == 5


def test_known_hands_keep_their_cards() -> None:
    """A known hand is never dealt again: against it, aces are worth what they are without its ace."""
    result = equity(["AsKs", "AA"], "2c7dTh", method="monte-carlo", samples=100_000)
    exact = equity(["AsKs", "AA"], "2c7dTh")
    assert exact.n == 3 * 990
    assert (abs(result.equity - exact.equity) < 4.5 * result.se).all()
