"""How much what a person does counts in his reading, told by the hands that he showed."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from dupai.rules import STREETS

F64 = npt.NDArray[np.float64]

#: Standard deviation of a street's power before anything is known, and how alike those of two streets are.
DEVIATION, ALIKE = 0.2, 0.7
#: How much of what a shown hand would tell if the model were true is believed.
BELIEF = 0.5
#: Shown hands after which one counts half.
HALF_LIFE = 1000.0
#: Powers that are used.
LEAST, MOST = 0.1, 2.5
_FADE = 0.5 ** (1 / HALF_LIFE)


class Tempering:
    """A power for each street: what a person did there counts so much in his reading; 1: as much as the model says.

    The chances of single actions may all be about right and their product too sure, or not sure enough: what one
    decision leaves out of account is left out at the next one, too. So the powers ``t`` are learned from whole hands:
    with ``L_s(hand)`` the chance of all that he did on street ``s``, the reading of a hand is ``prod L_s(hand)^t_s``,
    normalised, and a hand that he showed moves ``t`` by one step of Newton's method on the log of its share. Only the
    reading once all is done is learned from: what everybody did decides who gets to a showdown, so that given all of it
    a shown hand is like any other. On the flop it is not: the hands that will be shown are better than the rest.

    Attributes:
        mean: ``float64[4]``: how much each power differs from 1.
        information: ``float64[4, 4]``: what that rests on beyond the prior.
    """

    def __init__(self) -> None:
        self.mean = np.zeros(STREETS)
        self.information = np.zeros((STREETS, STREETS))

    @property
    def powers(self) -> F64:
        """``float64[4]``, by street."""
        return np.asarray(np.clip(1 + self.mean, LEAST, MOST))

    def note(self, said: F64, legal: npt.NDArray[np.bool_], held: int) -> None:
        """Learn from a hand that he showed.

        Args:
            said: ``float64[4, 1326]``: log of the chance of what he did on each street with each hand (0: nothing).
            legal: ``bool[1326]``: the hands that he might hold.
            held: the one that he held.
        """
        if not legal[held]:
            return
        told = said[:, legal] - said[:, [held]]
        share = self.powers @ told
        share = np.exp(share - share.max())
        share /= share.sum()
        middle = told @ share
        off = told - middle[:, None]
        self.information = _FADE * self.information + BELIEF * (off * share) @ off.T
        self.mean += np.linalg.solve(_prior() + self.information, -BELIEF * middle)


@cache
def _prior() -> F64:
    """Precision of the powers before anything is known."""
    alike = ALIKE * np.ones((STREETS, STREETS)) + (1 - ALIKE) * np.eye(STREETS)
    return np.asarray(np.linalg.inv(DEVIATION**2 * alike))
