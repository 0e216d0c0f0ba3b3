"""Sweeps on Ray: two nodes, killed workers, a killed driver, and the launcher file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import ray
import yaml
from ray.autoscaler._private.util import prepare_config, validate_config
from ray.cluster_utils import Cluster

from arena.cluster import ClusterError, LeaseTerms, Progress, run_sweep
from arena.ledger import Ledger
from tests.cluster.sweeps import contents, plan_of, report, undisturbed

ROOT = Path(__file__).parents[2]
QUICK = LeaseTerms(target_seconds=0.2)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """Two machines of one core each, as far as Ray can tell."""
    nodes = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 2**27}
    )
    nodes.add_node(num_cpus=1, object_store_memory=2**27)
    yield nodes
    shutdown: Callable[[], None] = nodes.shutdown  # Ray leaves it without types
    shutdown()


def test_two_nodes_and_a_worker_killed_in_mid_sweep(
    tmp_path: Path, cluster: Cluster, capfd: pytest.CaptureFixture[str]
) -> None:
    plan = plan_of(tmp_path, blocks=1600)
    killed: list[int] = []
    shown: list[Progress] = []

    def kill_one(progress: Progress) -> None:
        shown.append(progress)
        busy = [worker.pid for worker in progress.workers if worker.alive and worker.games]
        # With many blocks still to lease, the dead worker is sure to be missed.
        late = progress.queued < progress.planned // 2
        if not killed and busy and (len(progress.workers) == 2 or late):
            killed.append(busy[0])
            os.kill(busy[0], signal.SIGKILL)

    capfd.readouterr()
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(
            plan,
            ledger,
            address=cluster.address,
            on_progress=kill_one,
            terms=QUICK,
            show_seconds=0.0,
        )
        found = contents(plan, ledger)
    assert killed
    assert summary.complete
    assert len({worker.node for worker in summary.workers}) == 2
    assert [worker.alive for worker in summary.workers].count(False) == 1
    assert "raylet" not in "".join(capfd.readouterr())
    assert any("lost" in message for progress in shown for message in progress.messages)
    for progress in shown:
        parts = progress.done + progress.leased + progress.queued + progress.void
        assert progress.planned == parts
    assert found == undisturbed(plan, tmp_path)


DRIVER = """
import sys
from arena.cluster import LeaseTerms, run_sweep
from arena.ledger import Ledger
from arena.plan import load_sweep, make_plan

def show(progress):
    if progress.done:
        print("pids", *(worker.pid for worker in progress.workers), flush=True)

plan = make_plan(load_sweep(sys.argv[1]))
with Ledger.open(sys.argv[2]) as ledger:
    summary = run_sweep(
        plan, ledger, workers=2, on_progress=show, show_seconds=0.0,
        terms=LeaseTerms(target_seconds=0.2),
    )
print("complete", summary.complete, summary.games_played, flush=True)
"""


def test_driver_killed_in_mid_sweep_and_the_same_command_again(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, blocks=900)
    command = [sys.executable, "-c", DRIVER, str(tmp_path / "sweep.toml"), str(tmp_path / "a.db")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    driver = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert driver.stdout is not None
    first = driver.stdout.readline()
    driver.kill()
    driver.wait()
    assert first.startswith("pids")
    with Ledger.open(tmp_path / "a.db") as ledger:
        done = len(contents(plan, ledger))
    assert 0 < done < plan.games
    gone = time.monotonic() + 30
    workers = [int(pid) for pid in first.split()[1:]]
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < gone:
        time.sleep(0.2)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]

    again = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    played = int(again.stdout.split()[-1])
    assert again.stdout.splitlines()[-1] == f"complete True {played}"
    assert played == plan.games - done
    assert again.stderr == ""
    with Ledger.open(tmp_path / "a.db") as ledger:
        assert contents(plan, ledger) == undisturbed(plan, tmp_path)
    assert report(plan, tmp_path / "a.db") == report(plan, tmp_path / "undisturbed.db")


def test_a_worker_that_hangs_loses_its_leases(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, blocks=400)
    stopped: list[int] = []
    messages: list[str] = []

    def stop_one(progress: Progress) -> None:
        messages.extend(progress.messages)
        busy = [worker.pid for worker in progress.workers if worker.games]
        if not stopped and busy:
            stopped.append(busy[0])
            os.kill(busy[0], signal.SIGSTOP)

    terms = LeaseTerms(target_seconds=0.2, patience_seconds=2.0)
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(
            plan, ledger, workers=2, on_progress=stop_one, terms=terms, show_seconds=0.0
        )
        assert summary.complete
        assert contents(plan, ledger) == undisturbed(plan, tmp_path)
    assert any("brought no result for too long" in message for message in messages)
    assert not Path(f"/proc/{stopped[0]}").exists()


def test_one_machine_runs_none_of_what_only_clusters_need(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, blocks=2)
    programs: set[str] = set()

    def look(progress: Progress) -> None:
        if progress.workers and not programs:
            session = ray.get_runtime_context().get_session_name().encode()
            for file in Path("/proc").glob("[0-9]*/cmdline"):
                with suppress(OSError):
                    words = file.read_bytes().split(b"\0")
                    if any(session in word for word in words):
                        programs.update(Path(word.decode()).name for word in words[:3])

    with Ledger.open(tmp_path / "a.db") as ledger:
        assert run_sweep(plan, ledger, workers=1, on_progress=look, show_seconds=0.0).complete
    assert {"raylet", "gcs_server"} <= programs
    assert not {"monitor.py", "log_monitor.py"} & programs


def test_no_cluster_there(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    with (
        Ledger.open(tmp_path / "a.db") as ledger,
        pytest.raises(ClusterError, match=r"no Ray cluster at '127\.0\.0\.1:1'"),
    ):
        run_sweep(plan, ledger, address="127.0.0.1:1")


def test_a_ray_that_does_not_start_is_said_to_be_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(**_: object) -> None:
        raise Exception("The current node timed out during startup.\nAnd more.")  # noqa: TRY002 - as Ray does

    monkeypatch.setattr("ray.init", late)
    plan = plan_of(tmp_path)
    with (
        Ledger.open(tmp_path / "a.db") as ledger,
        pytest.raises(ClusterError, match=r"^Ray cannot start here: The current .* startup\.$"),
    ):
        run_sweep(plan, ledger, workers=2)


def launcher() -> dict[str, Any]:
    config: dict[str, Any] = yaml.safe_load((ROOT / "cluster.yaml").read_text("utf-8"))
    return config


def test_launcher_file_passes_rays_own_validation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    config = prepare_config(deepcopy(launcher()))
    validate_config(config)
    players = config["available_node_types"]["player"]
    assert players["min_workers"] == 0
    assert players["max_workers"] == config["max_workers"] == 8
    assert any("pip install" in command for command in config["setup_commands"])


def test_launcher_file_fits_machines_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    config = launcher()
    text = (ROOT / "cluster.yaml").read_text("utf-8")
    commented = text[text.index("# provider:") : text.index("# --- what runs there")]
    own = yaml.safe_load("\n".join(line.removeprefix("# ") for line in commented.splitlines()))
    config.update(own)
    del config["available_node_types"], config["head_node_type"]
    config["max_workers"] = len(own["provider"]["worker_ips"])
    config = prepare_config(config)
    validate_config(config)
    assert config["available_node_types"]["local.cluster.node"]["max_workers"] == 2


def test_a_wrong_launcher_file_would_be_noticed() -> None:
    config = prepare_config({**launcher(), "file_mounts": {}})
    config["available_node_types"]["player"]["min_worker"] = 1
    with pytest.raises(Exception, match="min_worker"):
        validate_config(config)
