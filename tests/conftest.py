"""A table at the end of a run: what the comparisons with other engines counted (``record_property`` of a dict)."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

# Tables as wide as they are: what narrow ones look like has tests of its own.
os.environ.setdefault("COLUMNS", "160")
# Commands on a terminal of a test leave nothing behind that works on.
os.environ["DUPAI_BACKGROUND"] = "off"
# A shell starts work in the background without Ctrl-C, and commands that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counted: dict[str, Counter[str]] = {}
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if isinstance(value, dict):
                counted.setdefault(name, Counter()).update(value)
    if counted:
        terminalreporter.section("compared with other engines")
        for name, seen in sorted(counted.items()):
            words = ", ".join(f"{what} {n:,}" for what, n in seen.most_common())
            terminalreporter.write_line(f"{name}: {words}")
