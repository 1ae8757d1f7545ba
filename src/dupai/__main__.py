"""``python -m dupai``, and the console script."""

import os
import signal
from typing import Any, NoReturn


def _leave(number: int, frame: Any) -> NoReturn:
    """Ctrl-C while the program is still being loaded: nothing is begun, so there is nothing to end."""
    os.write(2, b"dupai: interrupted\n")
    os._exit(130)


def entry() -> None:
    """Run the command line."""
    handled = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if handled:
        signal.signal(signal.SIGINT, _leave)
    from dupai.cli import entry as run

    if handled:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":
    entry()
