"""Files are written whole or not at all; errors carry their fields."""

import errno
import os
import pickle
import stat
import sys

import pytest

from dupai.base import ConfigError, DupaiError, FileError, MissingPackage
from dupai.base.files import lock_file, map_file, open_whole, release_pages, whole_path, write_whole


def test_text_and_bytes_come_back(tmp_path):
    write_whole(tmp_path / "a.txt", "7♠\n")
    write_whole(tmp_path / "b.bin", b"\x00\xff")
    assert (tmp_path / "a.txt").read_bytes() == "7♠\n".encode()
    assert (tmp_path / "b.bin").read_bytes() == b"\x00\xff"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "b.bin"]


def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path):
    target = tmp_path / "kept.json"
    write_whole(target, "old")
    with pytest.raises(ZeroDivisionError), open_whole(target) as file:
        file.write("half of the new")
        _ = 1 / 0
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["kept.json"]


def test_permissions_are_those_of_the_umask_or_of_the_old_file(tmp_path):
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "x")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
    (tmp_path / "new").chmod(0o600)
    write_whole(tmp_path / "new", "y")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o600


def test_a_link_is_followed(tmp_path):
    write_whole(tmp_path / "real", "old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_the_temporary_path_has_the_suffix_that_libraries_look_at(tmp_path):
    with whole_path(tmp_path / "table.npz") as part:
        assert part.suffix == ".npz"
        assert part.parent == tmp_path
        part.write_bytes(b"1")
    assert (tmp_path / "table.npz").read_bytes() == b"1"


@pytest.mark.parametrize("name", ["a" * 250 + ".toml", "ö" * 125 + ".json", "a." + "b" * 253])
def test_names_may_have_as_many_bytes_as_the_system_allows(tmp_path, name):
    write_whole(tmp_path / name, "x")
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("place", ["absent/x.txt", "folder"])
def test_what_cannot_be_written_names_the_path(tmp_path, place):
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match="cannot be written") as caught:
        write_whole(tmp_path / place, "x")
    assert caught.value.path == str(tmp_path / place)
    assert str(tmp_path / place) in str(caught.value)


def test_errors_keep_their_fields_between_processes():
    error = pickle.loads(pickle.dumps(ConfigError("stacks: '-1' is no stack", key="stacks", text="-1", line=3)))
    assert (str(error), error.key, error.text, error.line, error.path) == (
        "stacks: '-1' is no stack",
        "stacks",
        "-1",
        3,
        None,
    )


def test_a_missing_package_says_how_to_install_it_for_this_interpreter():
    error = pickle.loads(pickle.dumps(MissingPackage("torch", "train", "training")))
    assert isinstance(error, DupaiError)
    assert str(error) == f"training needs torch: {sys.executable} -m pip install 'dupai[train]'"
    assert (error.key, error.extra) == ("torch", "train")


def test_a_file_is_locked_by_one_process_and_a_missing_lock_is_said(tmp_path, monkeypatch, capsys):
    path = tmp_path / "lock"
    with path.open("a") as first, path.open("a") as second:
        assert lock_file(first, path)
        assert lock_file(first, path)
        assert not lock_file(second, path)

    def no_locks(*_):
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    monkeypatch.setattr("dupai.base._notice.enabled", True)
    with path.open("a") as file:
        assert lock_file(file, path)
    assert f"{path}: there are no locks here" in capsys.readouterr().err


def test_a_mapped_file_keeps_what_was_written_when_its_pages_are_released(tmp_path):
    path = tmp_path / "numbers"
    path.write_bytes(bytes(16_384))
    mapped = map_file(path, "<u2", "r+", 4096)
    mapped[-1] = 513
    if sys.platform == "linux":
        release_pages()
    assert mapped.size == 6144
    assert mapped[-1] == 513
    assert path.read_bytes()[-2:] == b"\x01\x02"
