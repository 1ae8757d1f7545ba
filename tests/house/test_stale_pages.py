"""Results pages say what code they measured, and the listing names those whose code has changed."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("stale_pages", ROOT / "docs/make/stale_pages.py")
assert _spec is not None and _spec.loader is not None
stale = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(stale)

MODULE = '"""A player."""\n\n\ndef share(x: int) -> int:\n    """Its share."""\n    return x + 1  # all\n'


def test_every_results_page_says_what_it_measured() -> None:
    for path in sorted((ROOT / "docs/results").glob("*.md")):
        marked = stale.page_mark(path.read_text(encoding="utf-8"))
        assert (marked is None) == (path.name in stale.UNMARKED), path.name
        for module in marked[0] if marked else ():
            assert stale.module_files(module, ROOT / "src/dupai"), (path.name, module)


def test_a_page_whose_code_changed_is_named(tmp_path: Path) -> None:
    code, page = tmp_path / "src/dupai/agents/_new.py", tmp_path / "docs" / "results" / "new.md"
    for path in (code, page):
        path.parent.mkdir(parents=True)
    code.write_text(MODULE)
    page.write_text(f"# New\n\n{stale.mark(['agents/_new.py'], tmp_path / 'src/dupai')}\n")
    assert not list(stale.stale_pages(tmp_path))
    code.write_text(MODULE.replace("Its share", "Its part").replace("# all", "# most").replace("\n\n\n", "\n\n"))
    assert not list(stale.stale_pages(tmp_path))  # words alone
    code.write_text(MODULE.replace("x + 1", "x + 2"))
    assert list(stale.stale_pages(tmp_path)) == [("new", ["agents/_new.py"])]
    stale.renew("new", tmp_path)
    assert not list(stale.stale_pages(tmp_path))


def test_the_listing_is_no_failure() -> None:
    command = [sys.executable, str(ROOT / "docs/make/stale_pages.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == [name for name, _ in stale.stale_pages()]
