"""Worker processes end with who started them, even where he was killed."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

#: Workers that never look up, and write that they are alive.
_WORKERS = """
import sys, time
from pathlib import Path

def work(task, pulse=None):
    with Path(task).open("ab") as file:
        while True:
            file.write(b".")
            file.flush()
            time.sleep(0.05)

if __name__ == "__main__":
    tasks = [f"{sys.argv[1]}/alive{k}" for k in range(2)]
    from dupai.jobs import ProcessBackend
    list(ProcessBackend(2).run(work, tasks, lambda done, hands: True))
"""


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "workers.py"
    script.write_text(_WORKERS)
    files = [tmp_path / f"alive{k}" for k in range(2)]
    with (tmp_path / "said").open("wb") as said:
        parent = subprocess.Popen([sys.executable, script, tmp_path], stderr=said)

    def lengths() -> list[int]:
        return [file.stat().st_size if file.exists() else 0 for file in files]

    until = time.monotonic() + 60
    while min(lengths()) < 3:
        assert time.monotonic() < until and parent.poll() is None, (tmp_path / "said").read_text()
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    until = time.monotonic() + 60
    while (before := lengths()) != (time.sleep(1), lengths())[1]:
        assert time.monotonic() < until, "they work on"
    assert before == lengths()
