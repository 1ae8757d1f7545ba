"""Trust in a model of an opponent: what the responses to it promised, beside what they won."""

from __future__ import annotations

import msgspec

#: Prior standard deviation of the share of its promises that a model keeps.
_PRIOR_DEVIATION = 0.5
#: Prior standard deviation of a result in big blinds, and its weight in observations.
_RESULT_DEVIATION, _RESULT_WEIGHT = 10.0, 10
#: A model that keeps this share of its promises is trusted fully, for they do not count the rest of the hand. Some
#: trust always remains: else nothing more could be learned of the model.
_FULL_TRUST, _MIN_TRUST = 0.5, 0.1


class Trust(msgspec.Struct, array_like=True):
    """The share of what the responses to a model promise that they win.

    The mean result is the mean promise times an unknown share with a normal prior around 1 (Bayes).

    Attributes:
        responses: responses counted, the first of each hand.
        promised: sum of the big blinds that they promised from the decision on.
        won: sum of the big blinds that they won from there on (a fold: 0).
        squares: sum of the squares of these results.
    """

    responses: int = 0
    promised: float = 0.0
    won: float = 0.0
    squares: float = 0.0

    def count(self, promised: float, won: float) -> None:
        """Count a response: the big blinds that it promised, and those that it won."""
        self.responses += 1
        self.promised += promised
        self.won += won
        self.squares += won * won

    @property
    def kept(self) -> float:
        """Posterior mean of the share of its promises that the model keeps."""
        if not self.responses:
            return 1.0
        variance = (self.squares + _RESULT_WEIGHT * _RESULT_DEVIATION**2) / (self.responses + _RESULT_WEIGHT)
        precision = 1 / _PRIOR_DEVIATION**2
        mean = self.promised / self.responses
        return (precision + mean * self.won / variance) / (precision + mean * self.promised / variance)

    @property
    def share(self) -> float:
        """How far the model is trusted, 0.1 to 1."""
        return min(max(self.kept / _FULL_TRUST, _MIN_TRUST), 1.0)
