"""The known name that an unknown one probably means."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, known: Iterable[str]) -> str | None:
    """The name in ``known`` that is closest to ``word``, ignoring case; None if none is close."""
    import difflib

    folded = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), folded, 1, 0.5)
    return folded[near[0]] if near else None


def nearest(word: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """``did you mean 'x'?`` if one of ``known`` is close to ``word``, else ``otherwise`` (``expected one of ...``)."""
    names = list(known)
    near = closest(word, names)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"expected one of {', '.join(names) or '(none)'}" if otherwise is None else otherwise
