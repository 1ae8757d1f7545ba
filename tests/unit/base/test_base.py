"""Errors, estimates, random numbers and the kernel cache."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dupai
from dupai import base
from dupai.base import DupaiError, Estimate, NoProgress, Progress, Rng, next_below, next_uniform, next_word
from dupai.base.files import digest, shipped

MASK = (1 << 64) - 1


def naive_xoshiro256pp(state: list[int]) -> int:
    """The reference C code of Blackman and Vigna, in Python integers."""

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (64 - k))) & MASK

    result = (rotl((state[0] + state[3]) & MASK, 23) + state[0]) & MASK
    t = (state[1] << 17) & MASK
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= t
    state[3] = rotl(state[3], 45)
    return result


def test_words_are_those_of_the_published_generator() -> None:
    # First outputs for the state (1, 2, 3, 4), as printed by the reference implementation.
    rng = Rng.from_state([1, 2, 3, 4])
    assert [rng.word() for _ in range(4)] == [41943041, 58720359, 3588806011781223, 3591011842654386]
    state = [5, 6, 7, 8]
    rng = Rng.from_state(state)
    assert [rng.word() for _ in range(1000)] == [naive_xoshiro256pp(state) for _ in range(1000)]


def test_python_and_kernels_draw_from_one_stream() -> None:
    a, b = Rng(1, 2, 3), Rng(1, 2, 3)
    assert a.word() == int(next_word(b.state))
    assert a.below(52) == int(next_below(b.state, 52))
    assert a.uniform() == float(next_uniform(b.state))
    assert Rng(1, 2, 3).word() != Rng(1, 2, 4).word() != Rng(2, 2, 4).word()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 52, 1326, 2**31 + 1])
def test_bounded_draws_are_in_range_and_even(n: int) -> None:
    rng = Rng(11, n)
    draws = np.array([rng.below(n) for _ in range(20_000)])
    assert draws.min() >= 0
    assert draws.max() < n
    if 1 < n <= 52:
        counts = np.bincount(draws, minlength=n)
        expected = len(draws) / n
        chi2 = float(((counts - expected) ** 2 / expected).sum())
        assert chi2 < (n - 1) + 6 * math.sqrt(2 * (n - 1))


def test_bounded_draws_reject_the_uneven_tail() -> None:
    # With n just above 2**31 a multiplication without rejection would give some values twice as often.
    n = 3 * 2**30
    rng = Rng(3)
    low = sum(rng.below(n) % 3 == 0 for _ in range(30_000))
    assert abs(low - 10_000) < 6 * math.sqrt(30_000 * 2 / 9)


def test_shuffle_is_seeded_and_a_permutation() -> None:
    one, two = list(range(52)), list(range(52))
    Rng(4).shuffle(one)
    Rng(4).shuffle(two)
    assert one == two
    assert sorted(one) == list(range(52))
    assert one != list(range(52))


def test_estimate() -> None:
    e = Estimate.of([1.0, 2.0, 3.0, 4.0])
    assert e.mean == 2.5
    assert e.se == pytest.approx(math.sqrt(5 / 3 / 4))
    low, high = e.interval()
    assert low < 2.5 < high
    assert high - 2.5 == pytest.approx(3.182446 * e.se, rel=1e-5)
    assert math.isnan(Estimate.of([]).mean)
    assert math.isnan(Estimate.of([1.0]).se)


def test_every_error_is_a_dupai_error() -> None:
    kinds = [getattr(base, n) for n in base.__all__ if n.endswith("Error") or n == "MissingPackage"]
    assert len(kinds) == 10
    assert all(issubclass(k, DupaiError) for k in kinds)


def test_no_progress_is_a_progress() -> None:
    assert isinstance(NoProgress(), Progress)
    assert NoProgress().cancelled is False


def run(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **env}, check=False
    )


def test_kernels_load_no_scipy_and_what_others_compile_finds_it() -> None:
    pytest.importorskip("scipy")
    out = run(
        "import sys, dupai\ndupai.equity(['AcAd', 'KhKs'], board='2c7dTh')\nprint('scipy' in sys.modules)\n"
        "import numba, numpy as np\nprint(numba.njit(lambda a: np.cov(a))(np.array([[1.0, 2.0], [3.0, 5.0]])).tolist())"
    )
    assert out.stdout.split("\n")[:2] == ["False", "[[0.5, 1.0], [1.0, 2.0]]"]


def test_base_and_the_command_line_load_no_numba() -> None:
    out = run("import sys, dupai, dupai.base, dupai.cli; print('numba' in sys.modules, 'numpy' in sys.modules)")
    assert out.stdout.split() == ["False", "False"], out.stderr


def test_interpreted_kernels_give_the_same_numbers() -> None:
    code = "from dupai.base import Rng; r = Rng(1, 2); print([r.word() for _ in range(50)], r.below(9), r.uniform())"
    compiled, interpreted = run(code), run(code, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert compiled.stdout == interpreted.stdout != "", interpreted.stderr


def test_machine_code_lies_in_the_cache_folder_and_says_so_once(tmp_path: Path) -> None:
    code = (
        "from dupai.base import Rng, announce_compilation, cache_root\n"
        "announce_compilation()\n"
        "Rng(1).word(); Rng(1).below(5)\n"
        "print(cache_root(), len(list(cache_root().rglob('*.nbc'))) > 0)"
    )
    # Code for another processor does not come with the package.
    own = {"DUPAI_CACHE_DIR": str(tmp_path / "here"), "NUMBA_CPU_NAME": "x86-64-v2"}
    first = run(code, **own)
    assert first.stdout.split() == [str(tmp_path / "here"), "True"]
    assert first.stderr == "compiling kernels, once\n"
    second = run(code, **own)
    assert second.stderr == ""


def test_a_cache_folder_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    out = run(
        "from dupai.base import Rng, cache_root; Rng(1).word(); print(cache_root())",
        DUPAI_CACHE_DIR=str(blocked),
        XDG_CACHE_HOME=str(blocked),
        TMPDIR=str(tmp_path),
    )
    assert out.returncode == 0, out.stderr
    assert Path(out.stdout.strip()) == tmp_path / f"dupai-{os.getuid()}"


@pytest.mark.parametrize("trap", ["link", "mode", "owner"])
def test_a_temporary_cache_folder_that_others_may_fill_is_not_used(tmp_path: Path, trap: str) -> None:
    blocked, theirs = tmp_path / "file", tmp_path / f"dupai-{os.getuid()}"
    blocked.write_text("not a folder")
    if trap == "link":
        (tmp_path / "elsewhere").mkdir(0o700)
        theirs.symlink_to(tmp_path / "elsewhere")
    else:
        theirs.mkdir()
        theirs.chmod(0o777 if trap == "mode" else 0o700)
    if trap == "owner":
        if os.getuid():
            pytest.skip("only root gives a folder away")
        os.chown(theirs, 12345, 12345)
    code = (
        "import subprocess, sys\n"
        "from dupai.base import announce_compilation, cache_root; announce_compilation()\n"
        "code = 'from dupai.base import cache_root; print(cache_root(), cache_root().stat().st_mode & 0o777)'\n"
        "print(cache_root()); sys.stdout.flush(); subprocess.run([sys.executable, '-c', code])"
    )
    out = run(code, DUPAI_CACHE_DIR=str(blocked), XDG_CACHE_HOME=str(blocked), TMPDIR=str(tmp_path))
    first, second, mode = out.stdout.split()
    assert first == second and Path(first).parent == tmp_path and Path(first) != theirs and int(mode) == 0o700
    assert out.stderr == f"dupai: {theirs} is not used: expected a folder of your own that no other user may write to\n"
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir() and not p.is_symlink()) == sorted(
        {"elsewhere"} if trap == "link" else {theirs.name}
    ), "the private folder is gone"
    assert list((tmp_path / "elsewhere" if trap == "link" else theirs).iterdir()) == []


def test_the_cache_folder_changes_with_any_imported_source(tmp_path: Path) -> None:
    # Trap: numba alone goes on using old machine code after an edit of a helper in another module.
    import shutil

    package = tmp_path / "dupai"
    shutil.copytree(Path(dupai.__file__).parent / "base", package / "base")
    (package / "__init__.py").write_text("")
    (package / "low").mkdir()
    (package / "low" / "__init__.py").write_text("from dupai.low._kernels import answer\n")
    (package / "high").mkdir()
    (package / "high" / "__init__.py").write_text("")
    (package / "high" / "_kernels.py").write_text(
        "from dupai.base import kernel\nfrom dupai.low import answer\n\n\n@kernel\ndef ask():\n    return answer()\n"
    )
    for value in (1, 2):
        (package / "low" / "_kernels.py").write_text(
            f"from dupai.base import kernel\n\n\n@kernel\ndef answer():\n    return {value}\n"
        )
        out = run(
            f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom dupai.high._kernels import ask\nprint(ask())",
            DUPAI_CACHE_DIR=str(tmp_path / "cache"),
            PYTHONPATH=str(tmp_path),
        )
        assert out.stdout.strip() == str(value), out.stderr


def test_a_digest_tells_contents_apart_not_names(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in ("one", "same", "other"))
    for file, holds in ((one, b"reader"), (same, b"reader"), (other, b"readers")):
        file.write_bytes(holds)
    assert digest([one]) == digest([same]) != digest([other])
    assert digest([one, other]) != digest([other, one])
    assert len(digest([])) == 24


def test_results_depend_on_all_data_that_ships_and_no_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = Path(dupai.__file__).parent
    assert shipped() == shipped.__wrapped__()
    assert {"reader.npz", "fold.json.gz", "population.json", "expert.rules"} <= {p.name for p in ours.rglob("*")}
    tmp_path /= "web"  # where the package lies does not matter
    monkeypatch.setattr("dupai.base._shipped._PACKAGE", tmp_path)
    for folder in ("agents/__pycache__", "web/page", "jobs"):
        (tmp_path / folder).mkdir(parents=True)
    seen = {shipped.__wrapped__()}
    for k, name in enumerate(("a.npz", "fold.json.gz", "agents/expert.rules"), 2):
        (tmp_path / name).write_text(name)
        seen.add(shipped.__wrapped__())
        assert len(seen) == k, name
    for name in ("a.py", "agents/__pycache__/a.pyc", "web/page/main.css", "jobs/kernels.json"):
        (tmp_path / name).write_text(name)
        assert shipped.__wrapped__() in seen


def test_one_json_form_of_an_estimate() -> None:
    assert Estimate(1.0, 0.0, 4).to_json() == {"mean": 1.0, "se": 0.0, "low": 1.0, "high": 1.0, "n": 4}
    assert Estimate.of([2.0]).to_json() == {"mean": 2.0, "se": None, "low": None, "high": None, "n": 1}
    assert Estimate.of([]).to_json()["mean"] is None


def test_the_package_works_without_its_sources(tmp_path: Path) -> None:
    import compileall
    import shutil

    package = tmp_path / "dupai"
    ignored = shutil.ignore_patterns("__pycache__", "page", "static", "experiments", "training")
    shutil.copytree(Path(dupai.__file__).parent, package, ignore=ignored)
    compileall.compile_dir(package, quiet=1, legacy=True)
    for source in package.rglob("*.py"):
        source.unlink()
    out = run(
        "import dupai; print(dupai.__file__, dupai.describe('AsAdKh4d4h'), len(dir(dupai)))\n"
        "from dupai.cards import strengths; from dupai.rules import GameSpec",
        PYTHONPATH=str(tmp_path),
    )
    assert out.stdout.startswith(f"{package}/__init__.pyc two pair, aces and fours"), out.stderr
