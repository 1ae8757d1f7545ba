"""Whether a model keeps its promises: what its responses were to win, beside what they won."""

from __future__ import annotations

import msgspec

#: Standard deviation of the belief, before anything is seen, in the share of its promises that a model keeps.
_PRIOR = 0.5
#: Results scatter by so many big blinds before anything is seen, as if that had been seen so many times.
_SCATTER, _TIMES = 10.0, 10
#: A model is trusted fully if it keeps so much of its promises, for the rest of the hand is not in them; and it is
#: always trusted a little, or nothing more could be learned of it.
_ENOUGH, _LEAST = 0.5, 0.1


class Trust(msgspec.Struct, array_like=True):
    """How much of what the responses to a model promise they win.

    The mean result is taken as the mean promise times an unknown share, in which the belief is normal around 1 (Bayes).

    Attributes:
        n: responses counted, the first of each hand.
        promised, won, squares: sums in big blinds of what the responses were to win from the decision on, of what they
            won from there (a fold: 0), and of the squares of that.
    """

    n: int = 0
    promised: float = 0.0
    won: float = 0.0
    squares: float = 0.0

    def count(self, promised: float, won: float) -> None:
        """A response that was to win so many big blinds, and what it won."""
        self.n += 1
        self.promised += promised
        self.won += won
        self.squares += won * won

    @property
    def kept(self) -> float:
        """The share of its promises that the model is believed to keep."""
        if not self.n:
            return 1.0
        variance = (self.squares + _TIMES * _SCATTER**2) / (self.n + _TIMES)
        prior = 1 / _PRIOR**2
        mean = self.promised / self.n
        return (prior + mean * self.won / variance) / (prior + mean * self.promised / variance)

    @property
    def share(self) -> float:
        """How far it is trusted, 0.1 to 1."""
        return min(max(self.kept / _ENOUGH, _LEAST), 1.0)
