"""What verifying a file finds."""

from __future__ import annotations

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """A line of a log that does not reconcile (``mismatch``) or cannot be read or replayed (``rejected``).

    ``line`` is 0 where the whole file is meant."""

    file: str
    line: int
    kind: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.message}"


class VerifyReport(msgspec.Struct, frozen=True, kw_only=True):
    """What verifying one file found.

    Attributes:
        file: The path as given.
        hands: Hands replayed to their end (those with a mismatch too, rejected lines not).
        mismatches: Hands whose payoffs are not those that the rules give, and scores that do not add up.
        rejected: Lines that cannot be read or replayed.
        unproven: Hands whose showdown cards are not all known: chips are checked, the winner is not.
        seconds: Time spent, decompression included, compiling kernels (once) not.
        game: The game in words, empty when none was found; ``why`` says why it was taken.
        complete: False when the work was stopped early.
        problems: The mismatches and rejected lines by line, the first 10,000 of them.
        notes: What else is worth knowing.
    """

    file: str
    hands: int
    mismatches: int
    rejected: int
    seconds: float
    unproven: int = 0
    game: str = ""
    why: str = ""
    complete: bool = True
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every line reconciled."""
        return self.complete and not self.mismatches and not self.rejected
