"""Range notation in and out, against a reader that knows nothing but lists of hands."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dupai.base import ConfigError, NotationError
from dupai.cards import CLASS_TEXT, COMBO_CARDS, COMBO_CLASS, COMBOS, RANKS, cards, combo, combo_text, mask_of
from dupai.equity import win_rates
from dupai.ranges import RANGE_FORMS, Range
from naive.ranges_notation import all_runs, hands_of_run


def _named(*hands: str) -> np.ndarray:
    weights = np.zeros(COMBOS, np.float32)
    for h in hands:
        weights[combo(h) if len(h) == 4 else CLASS_TEXT.index(h) == COMBO_CLASS] = 1
    return weights


@pytest.mark.parametrize(
    ("text", "hands"),
    [
        ("AsKd", ["AsKd"]),
        ("KdAs", ["AsKd"]),
        ("AK", ["AKs", "AKo"]),
        ("KAs", ["AKs"]),
        ("AKo", ["AKo"]),
        ("TT+", ["TT", "JJ", "QQ", "KK", "AA"]),
        ("A5s-A2s", ["A5s", "A4s", "A3s", "A2s"]),
        ("A2s-A5s", ["A5s", "A4s", "A3s", "A2s"]),
        ("T9s-76s", ["T9s", "98s", "87s", "76s"]),
        ("J9o-75o", ["J9o", "T8o", "97o", "86o", "75o"]),
        ("JJ-66", ["JJ", "TT", "99", "88", "77", "66"]),
        ("ATs+", ["ATs", "AJs", "AQs", "AKs"]),
        ("K9+", ["K9s", "KTs", "KJs", "KQs", "K9o", "KTo", "KJo", "KQo"]),
        ("AK+", ["AKs", "AKo"]),
        ("A10s, 10h9h 22", ["ATs", "Th9h", "22"]),
        ("qq+,aks", ["QQ", "KK", "AA", "AKs"]),
        ("JJ–TT", ["JJ", "TT"]),
        ("QQ+ -KK", ["QQ", "AA"]),
        ("QQ+ -KK KcKd", ["QQ", "AA", "KcKd"]),
        ("AK,-AsKs", ["AKo", "AcKc", "AdKd", "AhKh"]),
    ],
)
def test_notation(text: str, hands: list[str]) -> None:
    np.testing.assert_array_equal(Range(text).weights, _named(*hands))


@pytest.mark.parametrize("text", ["0" * 400_000, "AA:" + "1" * 400_000, "AA@" + "9" * 400_000 + "."])
def test_a_number_of_any_length_is_read_in_one_pass(text: str) -> None:
    """A pattern that tries every split of the digits takes hours here: one request could hold up a server."""
    with pytest.raises(NotationError):
        Range.read(text)


def test_weights_and_the_last_word() -> None:
    assert Range("0.5:AKs") == Range("AKs:0.5")
    assert Range("0.5:22") == Range("22:0.5") == Range("22 22:.5")
    assert Range("0.25:AK, AKs").weight("AsKs") == 1.0
    assert Range("0.25:AK, AKs").weight("AsKd") == 0.25
    assert Range("random").combos == 1326.0
    assert Range("1e-3:AA").combos == pytest.approx(0.006)
    combos, weights, held = Range("0.5:AsKs, 7d7c").entries
    assert [combo_text(int(i)) for i in combos] == ["7d7c", "AsKs"] and weights.tolist() == [1.0, 0.5]
    assert held == mask_of(cards("7d7cAsKs"))
    with pytest.raises(ValueError, match="read-only"):
        weights[0] = 0.25
    assert len(Range("0.5:AA, KK, 0:QQ")) == 12


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("QQ+, AKx", "'AKx' in 'QQ+, AKx'"),
        ("AsAs", "'AsAs'"),
        ("-AA", "'-AA'"),
        ("QQ, -0.5:QQ", "'-0.5:QQ'"),
        ("  ", "'  '"),
        ("AA - KK", "'-'"),
        ("AKs-QJ", "'AKs-QJ'"),
        ("AKs-QJo", "'AKs-QJo'"),
        ("AKs-QTs", "'AKs-QTs'"),
        ("AA-AKs", "'AA-AKs'"),
        ("AAs", "'AAs'"),
        ("2:AK", "'2:AK'"),
        ("1.01:AK", "1.01"),
        ("nan:AK", "'nan'"),
        ("-1:AK", "'-1:AK'"),
        ("AsKd+", "'AsKd+'"),
        ("AK++", "'AK++'"),
        ("JJ-99-77", "'JJ-99-77'"),
        ("0.5:AKs:0.5", "'0.5:AKs:0.5'"),
        ("random+", "'random+'"),
        ("1Ks", "'1Ks'"),
        ("AA,KK;QQ", "'KK;QQ'"),
        ("AK\u017f", "'AK\u017f'"),
        ("A\u212a", "'A\u212a'"),
        ("A\u017fKd", "'A\u017fKd'"),
    ],
)
def test_errors_quote_the_token(text: str, quoted: str) -> None:
    with pytest.raises(NotationError) as error:
        Range(text)
    assert quoted in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "QQ+, AK",
        "random",
        "-random",
        "random:0.5",
        "JJ-66, ATs+, A5s-A2s, KQs, T9s-76s, AQo+",
        "KK-22, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32",
        "AA, AKs:0.5, AsKd:0.25",
        "JTs-54s, J9s-86s",
    ],
)
def test_canonical_text_is_kept(text: str) -> None:
    assert str(Range(text)) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("AA KK QQ AKs AKo", "QQ+, AK"),
        ("76s 87s 98s T9s", "T9s-76s"),
        ("22+ A2+ -AA", "KK-22, A2+"),
        ("AKs AsKd", "AKs, AsKd"),
        ("ATs+ KTs+ QTs+ JTs", "ATs+, KTs+, QTs+, JTs"),
        ("0.5:AA 0.5:KK QQ", "QQ, KK+:0.5"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert str(Range(text)) == canonical


def _mergeable(tokens: list[str], vocabulary: set[frozenset[str]]) -> list[tuple[str, str]]:
    hands = [frozenset(hands_of_run(t)) for t in tokens]
    return [
        (tokens[i], tokens[j])
        for i in range(len(tokens))
        for j in range(i)
        if hands[i] | hands[j] in vocabulary and not hands[i] & hands[j]
    ]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_round_trip_and_nothing_to_merge(data: st.DataObject) -> None:
    """Random unions of runs with random weights: parse(str(r)) == r, and no two tokens of a weight can be merged."""
    runs = data.draw(st.lists(st.sampled_from(sorted(all_runs())), min_size=1, max_size=14))
    weights = np.zeros(COMBOS, np.float32)
    for run in runs:
        weight = data.draw(st.sampled_from([1.0, 1.0, 0.5, 0.0]) | st.floats(0, 1, width=32))
        for h in hands_of_run(run):
            weights[combo(h)] = weight
    r = Range(weights)
    again = Range(str(r))
    np.testing.assert_array_equal(again.weights, weights)
    assert again == r
    assert hash(again) == hash(r)
    assert str(again) == str(r)
    by_weight: dict[str, list[str]] = {}
    for token in str(r).split(", "):
        body, _, weight = token.partition(":")
        by_weight.setdefault(weight, []).append(body)
    for tokens in by_weight.values():
        if tokens not in (["-random"], ["random"]):
            assert _mergeable(tokens, set(all_runs().values())) == []


def test_any_float32_weights_round_trip() -> None:
    bits = np.random.default_rng(4).integers(0, 0x3F800001, size=(20, COMBOS), dtype=np.uint32)
    for weights in bits.view(np.float32):  # all floats from 0 to 1, denormal ones included
        np.testing.assert_array_equal(Range(str(Range(weights))).weights, weights)


def test_random_subsets_of_combos_round_trip() -> None:
    rng = np.random.default_rng(5)
    for p in (0.02, 0.5, 0.9, 0.99):
        weights = (rng.random(COMBOS) < p).astype(np.float32)
        np.testing.assert_array_equal(Range(str(Range(weights))).weights, weights)


def test_value() -> None:
    r = Range("QQ+, AK")
    with pytest.raises(ValueError, match="read-only"):
        r.weights[0] = 1
    assert r == Range(r) == Range(r.weights) == pickle.loads(pickle.dumps(r))
    assert not pickle.loads(pickle.dumps(r)).weights.flags.writeable
    assert r != Range("QQ+") and r != "QQ+, AK"
    assert repr(r) == "Range('QQ+, AK')"
    assert Range.from_classes(r.class_weights) == r
    given_weights = np.ones(COMBOS)
    mine = Range(given_weights)
    given_weights[0] = 0
    assert mine == Range("random")


@pytest.mark.parametrize("bad", [np.zeros(10), np.full(COMBOS, 1.5), np.full(COMBOS, np.nan), [0.0, 1.0], None])
def test_bad_weights(bad: object) -> None:
    with pytest.raises(ConfigError, match="range weights"):
        Range(bad)  # type: ignore[arg-type]


def test_without() -> None:
    r = Range("QQ+, AK").without("As Qd")
    assert len(r) == 3 + 6 + 3 + 12
    for i in np.flatnonzero(r.weights):
        assert not {51, 23} & {int(c) for c in COMBO_CARDS[i]}
    assert Range("AA").without([12, 25, 38]) == Range("-random")
    with pytest.raises(NotationError, match="As"):
        Range("AA").without("AsAs")


def test_grid() -> None:
    lines = Range("QQ+, AKs, 0.5:AKo, AsQs").grid().splitlines()
    assert len(lines) == 14
    assert lines[0].split() == list(reversed(RANKS))
    assert lines[1].split() == ["A", "AA", "AKs", "25%", *["·"] * 10]
    assert lines[2].split() == ["K", "50%", "KK", *["·"] * 11]
    assert max(map(len, lines)) <= 54
    assert "\x1b[" in Range("AA").grid(color=True)
    html = Range("QQ+, 0.5:AKo")._repr_html_()
    assert html.count("<text") == 169
    assert html.count("<title>") == 4


@pytest.mark.parametrize(
    ("text", "same", "form"),
    [
        ("AKs:0.5, QQ", "0.5:AKs QQ", "hands, weights as AKs:0.5"),
        ("0.5:AKs", "AKs:0.5", "hands, weights as 0.5:AKs"),
        ("2d2c: 1,2h2c: 1,AhKs: 0.5", "2d2c 2h2c AhKs:0.5", "hands, weights as AKs:0.5"),
        ("[50]AKs, AQs[/50],KK", "KK AKs:0.5 AQs:0.5", "hands, weights as [50]AKs[/50]"),
        ("[33.3]AKs[/33.3]", "AKs:0.333", "hands, weights as [50]AKs[/50]"),
        ("40%(AKs, TT), QQ", "QQ AKs:0.4 TT:0.4", "hands, weights as 40%(AKs)"),
        ("0.4(AKs)", "AKs:0.4", "hands, weights as 40%(AKs)"),
        ("AA:50%, KK", "AA:0.5 KK", "hands, weights as AKs:50%"),
        ("AA@1, KK@0.25", "AA KK:0.25", "hands, weights as AKs@0.5"),
        ("AA@1, KK@25", "AA:0.01 KK:0.25", "hands, weights as AKs@50"),
        ("AxKx, QxJy, AhTx", "AKs QJo AhTc AhTd AhTh AhTs", "hands"),
        ("ATs-A5s", "ATs A9s A8s A7s A6s A5s", "hands"),
        ("100%", "random", "hands, 100% by all-in equity"),
        ("hand,weight\nAA,1\nAhKs,0.5", "AA AhKs:0.5", "CSV"),
        ("Hand;Freq\nAA;100\nKK;50", "AA KK:0.5", "CSV"),
        ("AA,1\nKK,0.5\n22,0.25", "AA KK:0.5 22:0.25", "CSV"),
        ('{"AA": 1.0, "AKs": 0.5}', "AA AKs:0.5", "JSON"),
        ('{"range": [{"combo": "AhKs", "weight": 0.5}, {"combo": "2d2c", "weight": 1}]}', "2d2c AhKs:0.5", "JSON"),
        (" ".join(["1", "0.5"] + ["0"] * 167), "AA AKs:0.5", "169 numbers (AA, AKs, AQs, ...)"),
        (" ".join(["1", "0.5"] + ["0"] * 1324), "2d2c 2h2c:0.5", "1326 numbers (2d2c, 2h2c, 2h2d, ...)"),
    ],
)
def test_pasted_text_is_read_and_its_form_named(text: str, same: str, form: str) -> None:
    read, named = Range.read(text)
    assert read == Range(same)
    assert named == form


def test_shares_of_all_hands_are_the_strongest_by_the_equity_tables() -> None:
    rate = np.zeros(len(CLASS_TEXT))
    rate[COMBO_CLASS] = win_rates((), None)
    for percent in (1, 5, 15, 40, 72.5):
        r = Range(f"{percent}%")
        assert abs(len(r) / COMBOS - percent / 100) < 0.006
        weights = r.class_weights
        assert rate[weights == 1].min() >= rate[weights == 0].max()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[50]AKs[/40]", "begins with 50 and ends with"),
        ("[50]AKs:0.5[/50]", "weight of its own inside a group"),
        ("AKs:50", "50 percent is 0.5 or 50%"),
        ("120%", "at most 100 %"),
        ("AA:120%", "0 and 100 percent"),
        (" ".join(["0.5"] * 170), "170 numbers: expected 169"),
        ("player,hand,weight\noop,AA,1\nip,KK,1", "several ranges (ip, oop)"),
        ("hand,ev\nAA,1", "has no hand and weight"),
        ("hand,weight\nAA", "has no hand and weight"),
        ('{"oop": {"AA": 1}, "ip": {"KK": 1}}', "several parts (oop, ip)"),
        ('{"AA": "x"}', "has no hand and weight"),
        ("[1, 2]", "2 numbers"),
        ("{}", "no range in the JSON"),
        ("AxAx", "cannot be both"),
    ],
)
def test_pasted_text_that_is_no_range_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(NotationError) as error:
        Range(text)
    assert why in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("form", RANGE_FORMS)
def test_each_form_reads_back_as_the_same_range(form: str) -> None:
    rng = np.random.default_rng(6)
    classes = rng.choice(np.float32([0, 0, 1, 0.5, 0.07, 1 / 3, 1e-3]), len(CLASS_TEXT))
    mixed = classes[COMBO_CLASS]
    mixed[::7] = rng.random(len(mixed[::7]), np.float32)
    for r in (Range("QQ+, AK"), Range("random"), Range("AA:0.005"), Range("AKs:0.5, 22"), Range(classes[COMBO_CLASS])):
        assert Range(r.to_text(form)) == r
    assert Range(Range(mixed).to_text(form)) == Range(mixed)


def test_forms_of_other_programs() -> None:
    r = Range("QQ+, AKs:0.5, AhQs:0.25")
    assert str(r) == r.to_text() == "QQ+, AKs:0.5, AhQs:0.25"
    assert r.to_text("solver") == "AA,KK,QQ,AKs:0.5,AhQs:0.25"
    assert r.to_text("gtoplus") == "QQ+,[50]AKs[/50],[25]AhQs[/25]"
    assert r.to_text("equilab") == "QQ+@100,AKs@50,AhQs@25"
    assert r.to_text("csv").startswith("hand,weight\nAsAh,1\n")
    numbers = r.to_text("1326").split()
    assert len(numbers) == COMBOS and numbers[-1] == "1" and numbers[0] == "0"
    with pytest.raises(ConfigError, match="hands, solver, gtoplus"):
        r.to_text("excel")


@pytest.mark.parametrize("text", ["22+, A2s-A5s, 40%(AKs, QJo+), AsKd", "0.25(T9s), 80%(KTs+), JJ"])
def test_eval7_reads_the_same_weights(text: str) -> None:
    eval7 = pytest.importorskip("eval7")
    expected = np.zeros(COMBOS, np.float32)
    for hand, weight in eval7.HandRange(text).hands:
        expected[combo("".join(map(str, hand)))] = weight
    np.testing.assert_array_equal(Range(text).weights, expected)
