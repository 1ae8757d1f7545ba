"""One thread for small matrix products."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from dupai.base import Rng, _blas, one_blas_thread
from dupai.reading import load_reader
from dupai.reading._model._model import _known_logits
from dupai.reading._model._network import Network
from dupai.rules import Action, GameSpec, HandState


class Library:
    """Stands for OpenBLAS with three threads."""

    def __init__(self) -> None:
        self.now = 3
        self.calls: list[int] = []

    def get(self) -> int:
        return self.now

    def set(self, count: int) -> None:
        self.calls.append(count)
        self.now = count


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    one = Library()
    monkeypatch.setattr(_blas, "_threads", lambda: _blas._Threads(one.get, one.set))
    return one


def test_one_thread_inside_and_all_of_them_after(library: Library) -> None:
    with one_blas_thread:
        assert library.now == 1
        with one_blas_thread:
            assert library.now == 1
        assert library.now == 1
    assert library.now == 3 and library.calls == [1, 3]
    with pytest.raises(ZeroDivisionError), one_blas_thread:
        _ = 1 // 0
    assert library.now == 3


def test_the_last_of_several_threads_restores(library: Library) -> None:
    inside, leave = threading.Event(), threading.Event()

    def work() -> None:
        with one_blas_thread:
            inside.set()
            leave.wait(10)

    other = threading.Thread(target=work)
    with one_blas_thread:
        other.start()
        assert inside.wait(10)
    assert library.now == 1, "the other thread is still inside"
    leave.set()
    other.join()
    assert library.now == 3


def test_the_library_that_numpy_brings_along() -> None:
    threads = _blas._threads()
    if threads is None:
        pytest.skip("NumPy does not use an OpenBLAS of its own here")
    before = threads.get()
    try:
        threads.set(2)
        with one_blas_thread:
            assert threads.get() == 1
            assert np.array_equal(np.ones((3, 3)) @ np.ones((3, 3)), np.full((3, 3), 3.0))
        assert threads.get() == 2
    finally:
        threads.set(before)


def test_the_trained_reader_multiplies_in_one_thread(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, seen = Network._logits, []

    def spy(self: Network, *arguments: object) -> object:
        seen.append(library.now)
        return plain(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Network, "_logits", spy)
    state = HandState.deal(GameSpec.no_limit(2, (50, 100), 20_000), Rng(1))
    state.apply(Action.raise_to(300))
    # A process remembers what its readers have worked out.
    _known_logits.cache_clear()
    load_reader("model").read(state.view(state.actor))
    assert seen and set(seen) == {1} and library.now == 3
