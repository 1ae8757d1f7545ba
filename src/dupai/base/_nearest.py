"""The known name that an unknown one probably means."""

from __future__ import annotations

from collections.abc import Iterable

#: Least share of letters in common, in order, of a name that is suggested.
_CLOSE = 0.7


def closest(word: str, known: Iterable[str]) -> str | None:
    """The name in ``known`` that is closest to ``word``, ignoring case; None if none is close."""
    import difflib

    folded = {name.casefold(): name for name in known}
    asked = word.casefold()
    near = difflib.get_close_matches(asked, folded, 1, _CLOSE)
    # Of a short name one wrong letter is a large part.
    near = near or [name for name in folded if _one_letter_apart(asked, name)]
    return folded[near[0]] if near else None


def _one_letter_apart(word: str, name: str) -> bool:
    return len(word) == len(name) > 1 and sum(a != b for a, b in zip(word, name, strict=True)) == 1


def nearest(word: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """``did you mean 'x'?`` if one of ``known`` is close to ``word``, else ``otherwise`` (``expected one of ...``)."""
    names = list(known)
    near = closest(word, names)
    if near is not None:
        return f"did you mean {near!r}?"
    return f"expected one of {', '.join(names) or '(none)'}" if otherwise is None else otherwise
