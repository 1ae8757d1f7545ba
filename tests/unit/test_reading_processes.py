"""Work shared out among processes: in order, told of, ended by an error or a stop."""

from __future__ import annotations

import operator
from functools import partial

import pytest

from dupai.base import NoProgress
from dupai.training._processes import share_out


class Told(NoProgress):
    """Notes what it is told; cancelled from the start, if so."""

    def __init__(self, cancelled: bool = False) -> None:
        self.reports: list[tuple[float, float | None, str]] = []
        self._cancelled = cancelled

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.reports.append((done, total, note))


def said(k: int) -> partial[str]:
    """A task that other processes know how to do: its number, and whether it is to stop."""
    return partial("{0} {1.cancelled}".format, k)


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_results_stand_in_the_order_of_tasks(jobs: int) -> None:
    tasks, look, ended = [said(k) for k in range(3)], Told(), []
    assert share_out(operator.call, tasks, jobs, look, "numbers", ended.append) == ["0 False", "1 False", "2 False"]
    assert sorted(t.args for t in ended) == [(0,), (1,), (2,)]
    assert jobs == 1 or look.reports[-1] == (3, 3, "numbers")
    assert share_out(operator.call, [], jobs, look, "numbers") == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_through(jobs: int) -> None:
    wrong = partial("{0} {1.missing}".format, 1)
    with pytest.raises(AttributeError, match="missing"):
        share_out(operator.call, [said(0), wrong, said(2)], jobs, NoProgress(), "numbers")


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_told_to_stop_has_not_ended(jobs: int) -> None:
    ended: list[object] = []
    found = share_out(operator.call, [said(k) for k in range(4)], jobs, Told(cancelled=True), "numbers", ended.append)
    assert len(found) == 4
    assert found[-1] == "3 True" and (jobs > 1 or not ended)
