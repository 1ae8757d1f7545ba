"""The Ray backend on two nodes of this machine: same seeds, same result; a run that is stopped or killed goes on, with
what its agents had learned. Skipped where Ray is not installed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support import learners
from support.checkpoints_internals import save_every_hand
from support.learners import Counting, Stopping

ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'dupai[cluster]'")

from dupai.arena import play_match, run_tournament  # noqa: E402
from dupai.arena.store import Store  # noqa: E402
from dupai.base import ConfigError, NoProgress, WorkerError  # noqa: E402
from dupai.jobs import Keeper, RayBackend, SerialBackend, share_out  # noqa: E402
from dupai.training import BlueprintSettings, score_readers, train_blueprint  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    found.add_node(num_cpus=1)
    # Ray's workers cannot import a test module by its name.
    for module in (sys.modules[__name__], learners):
        ray.cloudpickle.register_pickle_by_value(module)
    yield found
    ray.shutdown()
    found.shutdown()


def test_two_nodes_give_the_result_of_one_process(cluster: Any) -> None:
    backend = RayBackend(cluster.address)
    settings: dict[str, Any] = {"hands": 600, "duplicate": True, "seed": 3}
    here = play_match(["random", "caller"], backend=SerialBackend(), **settings)
    assert play_match(["random", "caller"], backend=backend, **settings) == here
    cup: dict[str, Any] = {"matches": 6, "hands": 60, "seed": 3}
    agents = ["random", "caller", "raiser"]
    assert run_tournament(agents, backend=backend, **cup) == run_tournament(agents, **cup)


def test_a_blueprint_of_the_cluster_is_that_of_one_process(cluster: Any, tmp_path: Path) -> None:
    games = tmp_path / "games.toml"
    games.write_text(
        '[tiny]\ngame = "holdem.nolimit.2p"\nbig_blinds = 20\nbuckets = [6, 6, 6]\n'
        '[tiny.menu]\npreflop = [["a"]]\nflop = [[1.0]]\n'
    )
    settings = BlueprintSettings(minutes=10, passes=16, measure=False, jobs=2)
    for name, backend in (("here", SerialBackend()), ("there", RayBackend(cluster.address))):
        assert train_blueprint("tiny", tmp_path / f"{name}.npz", settings, games=games, backend=backend) is not None
    with np.load(tmp_path / "here.npz") as here, np.load(tmp_path / "there.npz") as there:
        assert (here["chances"] == there["chances"]).all()


def test_readers_are_scored_on_the_cluster(cluster: Any, tmp_path: Path) -> None:
    files = [Path(__file__).parents[1] / "golden" / name for name in ("six.log", "heads_up.log")]
    here = score_readers(["uniform", "bucket"], files, part="all")
    assert score_readers(["uniform", "bucket"], files, part="all", backend=RayBackend(cluster.address)) == here


def _node(folder: str, pulse: Any) -> str:
    """Where it runs; it waits there until somebody runs elsewhere, however long that takes to start."""
    import ray as there

    node = str(there.get_runtime_context().get_node_id())
    Path(folder, node).touch()
    until = time.monotonic() + 30
    while len(os.listdir(folder)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    return node


def test_both_nodes_play(cluster: Any, tmp_path: Path) -> None:
    found = dict(RayBackend(cluster.address).run(_node, [str(tmp_path)] * 6, lambda done, hands: True))
    assert len(found) == 6
    assert len(set(found.values())) == 2


def _die(task: str, pulse: Any) -> str:
    """Ends its worker process the first time, or always."""
    if task == "always" or not os.path.exists(task):
        if task != "always":
            Path(task).touch()
        os._exit(3)
    return "done"


def test_a_task_whose_worker_died_is_played_again(cluster: Any, tmp_path: Path) -> None:
    backend = RayBackend(cluster.address)
    assert dict(backend.run(_die, [str(tmp_path / "once")], lambda done, hands: True)) == {0: "done"}
    with pytest.raises(WorkerError, match="task 1: its worker process died 3 times"):
        list(backend.run(_die, ["always"], lambda done, hands: True))


def test_told_to_stop_it_hands_in_what_it_has(cluster: Any) -> None:
    match = {"hands": 10**6, "progress": Stopping(500), "backend": RayBackend(cluster.address)}
    result = play_match(["random", "caller"], **match)  # type: ignore[arg-type]
    assert result.partial
    assert 500 <= result.hands < 10**6


def test_a_learner_that_is_stopped_goes_on_anywhere(cluster: Any, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"hands": 100_000, "seed": 3}
    with Store(tmp_path / "r.db") as store:
        stop = Stopping(100)
        cut = play_match(
            [Counting, "random"], store=store, progress=stop, backend=RayBackend(cluster.address), **settings
        )
        assert cut.partial
        assert 100 <= cut.hands < 100_000
        assert list(store.checkpoints(1)) == [0]
    with Store(tmp_path / "r.db", resume=True) as store:
        rest = Stopping(10**9)
        again = play_match([Counting, "random"], store=store, progress=rest, backend=SerialBackend(), **settings)
        assert rest.hands == 100_000 - cut.hands
        assert store.checkpoints(1) == {}
    assert again == play_match([Counting, "random"], **settings)


def test_a_learner_whose_worker_died_goes_on_from_what_it_wrote(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_every_hand(monkeypatch.setattr)
    mortal = partial(Counting, str(tmp_path / "died"))
    settings: dict[str, Any] = {"hands": 100, "seed": 3}
    with Store(tmp_path / "r.db") as store:
        found = play_match([mortal, "random"], store=store, backend=RayBackend(cluster.address), **settings)
        assert store.checkpoints(1) == {}
    # Not from its first hand (saving takes a twentieth of the time at most, so not from the last before it died).
    assert 0 < int((tmp_path / "died").read_text()) <= 60
    assert found.players[0].chips == play_match([Counting, "random"], **settings).players[0].chips


_PROGRAM = """
    import sys
    sys.path[:0] = {tests!r}
    import ray
    from support import checkpoints_internals, learners
    from dupai.arena import play_match
    from dupai.arena.store import Store
    from dupai.jobs import RayBackend
    ray.cloudpickle.register_pickle_by_value(learners)
    checkpoints_internals.save_every_hand(setattr)
    with Store({file!r}) as store:
        play_match([learners.Counting, "random"], hands=2000, seed=3, store=store, backend=RayBackend(jobs=1))
"""


def test_killed_it_goes_on_from_its_checkpoint(cluster: Any, tmp_path: Path) -> None:
    file = tmp_path / "r.db"
    program = textwrap.dedent(_PROGRAM).format(tests=[str(Path(__file__).parents[1])], file=str(file))
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        while process.poll() is None:
            if file.exists() and file.stat().st_size:
                with Store(file, create=False) as store:
                    if store.checkpoints(1):
                        break
            time.sleep(0.02)
        assert process.poll() is None, process.stderr.read().decode() if process.stderr else ""
    finally:
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(60) == -signal.SIGKILL
        if process.stderr:
            process.stderr.close()
    settings: dict[str, Any] = {"hands": 2000, "seed": 3}
    with Store(file, resume=True) as store:
        rest = Stopping(10**9)
        backend = RayBackend(cluster.address)
        again = play_match([Counting, "random"], store=store, progress=rest, backend=backend, **settings)
        assert rest.hands < 2000
        assert store.checkpoints(1) == {}
    assert again == play_match([Counting, "random"], **settings)


def _lose(task: int, pulse: Any) -> None:
    import ray as there

    there.kill(pulse._desk)
    while pulse.step():
        pass


def test_a_cluster_that_is_lost_is_told_in_one_line(cluster: Any) -> None:
    with pytest.raises(ConfigError, match="the Ray cluster was lost") as caught:
        list(RayBackend(cluster.address).run(_lose, [0], lambda done, hands: True))
    assert "\n" not in str(caught.value)


def test_no_cluster_there() -> None:
    with pytest.raises(ConfigError, match="no Ray cluster there"):
        play_match(["random", "caller"], hands=3, backend=RayBackend("127.0.0.1:1"))


def _square(task: int, pulse: Any) -> int:
    for _ in range(task):
        pulse.step()
    return task * task


def test_shared_work_is_the_same_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    reports: list[tuple[float, float | None, str]] = []

    class Told(NoProgress):
        def report(self, done: float, total: float | None, note: str = "") -> None:
            reports.append((done, total, note))

    settings: dict[str, Any] = {"backend": f"ray:{cluster.address}", "note": "numbers"}
    with Keeper(tmp_path / "kept", {"power": 2}) as keeper:
        assert share_out(_square, [1, 2, 3], progress=Told(), keeper=keeper, **settings) == [1, 4, 9]
        assert keeper.keys() == ["0", "1", "2"]
    assert reports[-1] == (3, 3, "6 numbers")
