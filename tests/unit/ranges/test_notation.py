"""Range notation in and out, against a reader that knows nothing but lists of hands."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from dupai.base import ConfigError, NotationError
from dupai.cards import CLASS_TEXT, COMBO_CARDS, COMBO_CLASS, COMBOS, RANKS, cards, combo, combo_text, mask_of
from dupai.ranges import Range
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
        "0.5:random",
        "JJ-66, ATs+, A5s-A2s, KQs, T9s-76s, AQo+",
        "KK-22, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, 32",
        "AA, 0.5:AKs, 0.25:AsKd",
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
        ("0.5:AA 0.5:KK QQ", "QQ, 0.5:KK+"),
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
        weight, _, body = token.rpartition(":")
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
