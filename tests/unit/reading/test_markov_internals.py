"""The Markov reader against the sum over all paths and against hmmlearn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupai.base import ConfigError, FileError
from dupai.cards import combo
from dupai.reading import Reader, hand_classes, load_reader
from dupai.reading._markov import MARKOV_SYMBOLS, Markov, MarkovReader, load_markov
from dupai.rules import Action, GameSpec, HandState, load_game
from dupai.training._tables import Sequence4, expected_counts, learn_markov, markov_sequences, save_markov
from naive.reading_markov import filtered

SPEC = GameSpec.no_limit(2, (50, 100), 20_000)


def some(seed: int = 1) -> Markov:
    """A model with every class possible where it can be."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(300):
        n = int(rng.integers(1, 5))
        classes = (int(rng.integers(4)), *(int(c) for c in rng.integers(11, size=n - 1)))
        symbols = tuple(int(s) for s in rng.integers(6, size=n))
        found.append(Sequence4(symbols, classes))
    return learn_markov(found)


def flat(model: Markov) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same as one homogeneous chain of 4 x 11 states."""
    start, step, emit = np.zeros(44), np.zeros((44, 44)), np.zeros((44, len(MARKOV_SYMBOLS)))
    start[:11] = model.start
    for k in range(4):
        here = slice(11 * k, 11 * k + 11)
        emit[here] = model.emit[k]
        if k < 3:
            step[here, 11 * k + 11 : 11 * k + 22] = model.step[k]
        else:
            step[here, here] = np.eye(11)
    return start, step, emit


def test_filtering_is_the_sum_over_all_paths() -> None:
    model = some()
    rng = np.random.default_rng(2)
    for n in (1, 2, 3, 3, 4):
        symbols = [int(s) for s in rng.integers(6, size=n)]
        assert model.filtered(symbols) == pytest.approx(filtered(*model, symbols), rel=1e-9)


def test_hmmlearn_agrees() -> None:
    hmm = pytest.importorskip("hmmlearn.hmm", reason="hmmlearn is not installed: pip install 'dupai[dev]'")
    model = some()
    peer = hmm.CategoricalHMM(44, init_params="", params="", n_features=len(MARKOV_SYMBOLS), implementation="scaling")
    peer.startprob_, peer.transmat_, peer.emissionprob_ = flat(model)
    rng = np.random.default_rng(4)
    hidden: dict[tuple[int, ...], int] = {}
    start, emit = np.zeros(11), np.zeros((4, 11, len(MARKOV_SYMBOLS)))
    for _ in range(40):
        symbols = tuple(int(s) for s in rng.integers(6, size=int(rng.integers(1, 5))))
        posterior = peer.predict_proba(np.array(symbols)[:, None])
        k = len(symbols) - 1
        assert model.filtered(symbols) == pytest.approx(posterior[-1, 11 * k : 11 * k + 11], abs=1e-9)
        hidden[symbols] = hidden.get(symbols, 0) + 1
        start += posterior[0, :11]
        for j, seen in enumerate(symbols):
            emit[j, :, seen] += posterior[j, 11 * j : 11 * j + 11]
    counts = expected_counts(model, hidden)
    assert counts[0] == pytest.approx(start, abs=1e-9)
    assert counts[2] == pytest.approx(emit, abs=1e-9)
    # One M step of theirs from the same tables: transitions as well (no smoothing on either side).
    peer.params, peer.n_iter = "ste", 1
    texts = [symbols for symbols, times in hidden.items() for _ in range(times)]
    peer.fit(np.concatenate(texts)[:, None], [len(s) for s in texts])
    for k in range(3):
        rows = counts[1][k].sum(axis=1) > 1e-12
        ours = counts[1][k][rows] / counts[1][k][rows].sum(axis=1, keepdims=True)
        theirs = peer.transmat_[11 * k : 11 * k + 11][rows]
        assert ours == pytest.approx(theirs[:, 11 * k + 11 : 11 * k + 22], abs=1e-6)


def test_baum_welch_finds_more_than_nothing() -> None:
    """Unknown hands alone must raise the likelihood of what was seen."""
    true = some(7)
    rng = np.random.default_rng(8)
    texts = []
    for _ in range(400):
        c = int(rng.choice(11, p=true.start))
        symbols = [int(rng.choice(7, p=true.emit[0, c]))]
        c = int(rng.choice(11, p=true.step[0, c]))
        symbols.append(int(rng.choice(7, p=true.emit[1, c])))
        texts.append(Sequence4(tuple(symbols)))

    def likelihood(m: Markov) -> float:
        return sum(
            float(np.log(((m.start * m.emit[0, :, a]) @ m.step[0] * m.emit[1, :, b]).sum())) for (a, b), _ in texts
        )

    known = [Sequence4((3, 4), (0, 1)), Sequence4((2, 2), (3, 3))]
    assert likelihood(learn_markov([*known, *texts], 5)) > likelihood(learn_markov(known)) + 10


def played() -> HandState:
    state = HandState(SPEC, ["AsAd", "7c2d"], "AhKd2s9c")
    for action in (Action.raise_to(300), Action.call(), Action.call(), Action.raise_to(500), Action.raise_to(1400)):
        state.apply(action)
    return state


def test_what_is_seen_of_a_hand() -> None:
    state = played()
    state.apply(Action.fold())
    raiser, folder = markov_sequences(state.record())
    assert [MARKOV_SYMBOLS[s] for s in raiser.symbols] == ["call", "large"]
    assert raiser.classes == (3, 5)  # high pair, trips
    assert [MARKOV_SYMBOLS[s] for s in folder.symbols] == ["small", "fold"]
    assert folder.classes == (0, 2)


def test_the_class_is_spread_over_the_hands_of_the_class() -> None:
    reader = load_reader("markov")
    assert isinstance(reader, MarkovReader) and isinstance(reader, Reader)
    view = played().view()
    reading = reader.read(view)[0]
    shares, classes = reader.class_shares(view)[0], hand_classes(view.board)
    possible = [c for c in range(11) if (classes == c).any()]
    for c in possible:
        inside = reading.p[classes == c]
        assert inside == pytest.approx(inside[0])
        assert inside.sum() == pytest.approx(shares[c] / shares[possible].sum())
    assert reading.probability("AsKd") == 0 and reading.hands == 1176
    assert combo("AsAc") >= 0


def test_tables_are_kept(tmp_path: Path) -> None:
    save_markov({"hu": some()}, tmp_path / "m.npz")
    back = load_markov(tmp_path / "m.npz")["hu"]
    assert all((a == b).all() for a, b in zip(back, some(), strict=True))
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(FileError, match=r"Markov model .* is damaged"):
        load_markov(tmp_path / "bad.npz")
    with pytest.raises(ConfigError, match="kind="):
        MarkovReader(kind="stud")
    view = HandState(load_game("holdem.limit.3p")).view()
    with pytest.raises(ConfigError, match="no Markov table for limit games: expected hu"):
        MarkovReader(tables=str(tmp_path / "m.npz")).read(view, [0])
