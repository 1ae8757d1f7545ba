"""Bytes to lines: split on LF, drop CR, never hold more than one line's worth of input."""

from __future__ import annotations

#: The reference dealer's longest line, line end not counted.
MAX_LINE = 4095
#: Of a line that is too long, every so many bytes count as another such line.
TOO_LONG_EVERY = 1 << 20


class LineBuffer:
    """Collects input and gives its lines; one that is too long is given as None and its bytes are forgotten."""

    def __init__(self, most: int = MAX_LINE) -> None:
        self._most = most
        self._rest = b""
        self._dropping = False
        self._dropped = 0

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that end in ``data`` (line ends dropped); None for each that is too long.

        A line that never ends gives None when it passes the limit and again every :data:`TOO_LONG_EVERY` bytes.
        """
        *ended, rest = (self._rest + data if self._rest else data).split(b"\n")
        lines: list[bytes | None] = []
        for line in ended:
            if self._dropping:
                self._dropping = False  # this was the end of it
            elif len(line) > self._most + 1 or (len(line) > self._most and line[-1:] != b"\r"):
                lines.append(None)
            else:
                lines.append(line[:-1] if line[-1:] == b"\r" else line)
        if self._dropping:
            self._dropped += len(rest)
            rest = b""
        elif len(rest) > self._most + 1:
            lines.append(None)
            self._dropping = True
            self._dropped = len(rest)
            rest = b""
        while self._dropping and self._dropped >= TOO_LONG_EVERY:
            self._dropped -= TOO_LONG_EVERY
            lines.append(None)
        self._rest = rest
        return lines

    @property
    def partial(self) -> bytes:
        """Input after the last line end."""
        return self._rest


def shown(line: bytes | str, most: int = 80) -> str:
    """A line as a message quotes it: one line, not too long, whatever its bytes are."""
    text = line.decode("latin-1") if isinstance(line, bytes) else line
    return ascii(text if len(text) <= most else text[: most - 3] + "...")
