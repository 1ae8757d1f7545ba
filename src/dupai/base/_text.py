"""Numbers and TOML from text that nobody vouches for; lines for the terminal, values quoted in errors, durations."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Any

from dupai.base._errors import DupaiError, NotationError

#: Levels of lists and tables within each other, and the largest integer, that a TOML text may hold.
_DEEPEST, _LARGEST = 32, 10**30
#: Integers from here on are not written out.
_HUGE = 10**40
#: What a terminal obeys or hides instead of showing it: control characters (but for tab and line end), characters that
#: turn the direction of text, and bytes of file names that are no text.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_ENDS = re.compile("[\t\n]")


def visible(text: str, *, line: bool = False, form: str = "") -> str:
    """Text that a terminal shows as it is: control characters become ``\\x1b``, ``\\u202e``.

    Args:
        text: any text.
        line: tabs and line ends too, so that it is one line.
        form: ``"json"``: the form of escapes in JSON.
    """

    def escaped(match: re.Match[str]) -> str:
        code = ord(match[0])
        return f"\\x{code:02x}" if code < 256 and form != "json" else f"\\u{code:04x}"

    text = _UNSEEN.sub(escaped, text)
    return _ENDS.sub(escaped, text) if line else text


def whole_number(text: str, most: int = 10**15 - 1) -> int | None:
    """The number that ASCII digits stand for; None for any other text and for numbers above ``most``."""
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(most)):
        return None
    value = int(text)
    return value if value <= most else None


def real_number(text: str) -> float:
    """The number that a text stands for; not a number for any other text."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def readable(read: Callable[[str], object], text: str) -> bool:
    """Whether ``read`` takes a text: it does not say that the text is wrong."""
    try:
        read(text)
    except (ValueError, NotationError):
        return False
    return True


def quoted(value: object, most: int = 60) -> str:
    """A value as errors quote it: its ``repr`` on one line, cut to ``most`` characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= most else f"{text[: most - 3]}..."


def number_text(value: float, form: str = "") -> str:
    """A number as errors quote it: in the form of a format string, and of a huge integer how many digits it has."""
    if isinstance(value, int) and abs(value) >= _HUGE:
        return f"a number of more than {value.bit_length() // 4} digits"
    return f"{value:{form}}"


def raised_at(error: BaseException) -> str:
    """The kind of an error and the last line of code that it passed, as ``ValueError at agent.py:12``; an error of
    dupai without the line."""
    steps = [] if isinstance(error, DupaiError) else extract_tb(error.__traceback__)
    place = f" at {Path(steps[-1].filename).name}:{steps[-1].lineno}" if steps else ""
    return f"{type(error).__name__}{place}"


def read_toml(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """A TOML text as ``tomllib`` reads it.

    Raises:
        NotationError: it is not TOML, is nested deeper than 32 levels, or holds an integer of more than 30 digits.
    """
    try:
        data = tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise NotationError("it is nested too deeply") from None
    except ValueError as error:
        raise NotationError(str(error)) from None
    values: list[tuple[Any, int]] = [(data, 0)]
    while values:
        value, depth = values.pop()
        if depth > _DEEPEST:
            raise NotationError(f"it is nested deeper than {_DEEPEST} levels")
        if isinstance(value, dict | list):
            inner = value.values() if isinstance(value, dict) else value
            values += [(item, depth + 1) for item in inner]
        elif isinstance(value, int) and abs(value) > _LARGEST:
            raise NotationError("it holds an integer of more than 30 digits")
    return data


def duration(seconds: float) -> str:
    """A time in units that suit it: ``4.1 ms``, ``2.5 s``, ``1 min 15 s``, ``3 h 20 min``."""
    if seconds < 0.9995e-3:
        return f"{1e6 * seconds:.3g} µs"
    if seconds < 0.9995:
        return f"{1e3 * seconds:.3g} ms"
    if seconds < 59.5:
        return f"{seconds:.3g} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def labels_of(names: Sequence[str]) -> tuple[str, ...]:
    """Unique labels: names that occur more than once get ``#1``, ``#2``, ... in the order given."""
    total = Counter(names)
    seen: Counter[str] = Counter()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(f"{name}#{seen[name]}" if total[name] > 1 else name)
    return tuple(labels)
