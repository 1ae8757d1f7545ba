"""Pulses for the work of experiments, without a backend."""

from __future__ import annotations


class Going:
    """Goes on for so many steps, then says stop."""

    def __init__(self, steps: int = 10**9) -> None:
        self.left = steps

    @property
    def cancelled(self) -> bool:
        return self.left < 0

    def step(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def report(self, done: float, total: float | None, note: str = "") -> None:
        self.step()
