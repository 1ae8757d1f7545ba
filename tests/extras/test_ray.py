"""The Ray backend on two nodes of this machine: same seeds, same result. Skipped where Ray is not installed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'dupai[cluster]'")

from dupai.arena import RayBackend, SerialBackend, play_match, run_tournament  # noqa: E402
from dupai.base import AgentError, ConfigError  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    found.add_node(num_cpus=1)
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


def _node(task: float, pulse: Any) -> str:
    time.sleep(task)
    import ray as there

    return str(there.get_runtime_context().get_node_id())


def test_both_nodes_play(cluster: Any) -> None:
    # Ray's workers cannot import a test module by its name.
    ray.cloudpickle.register_pickle_by_value(sys.modules[_node.__module__])
    found = dict(RayBackend(cluster.address).run(_node, [0.5] * 6, lambda done, hands: True))
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
    ray.cloudpickle.register_pickle_by_value(sys.modules[_die.__module__])
    backend = RayBackend(cluster.address)
    assert dict(backend.run(_die, [str(tmp_path / "once")], lambda done, hands: True)) == {0: "done"}
    with pytest.raises(AgentError, match="task 1: its worker died 3 times"):
        list(backend.run(_die, ["always"], lambda done, hands: True))


def test_told_to_stop_it_stops(cluster: Any) -> None:
    class Stop:
        cancelled = False

        def report(self, done: float, total: float | None, note: str = "") -> None:
            self.cancelled = True

    result = play_match(["random", "caller"], hands=3000, progress=Stop(), backend=RayBackend(cluster.address))
    assert result.partial


def test_no_cluster_there() -> None:
    with pytest.raises(ConfigError, match="no Ray cluster there"):
        play_match(["random", "caller"], hands=3, backend=RayBackend("127.0.0.1:1"))
