"""A real cluster on the loopback address, whose processes are killed in the middle of their work."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pyspark
import pytest
import unframe

from conftest import HANG, ServedPage, demo_pages, wait_until, write_warc
from made_up_site import pages as made_up
from spark_session import JAVA_OPTIONS, environment, skip_without_java
from whole_crawl import FIELDS, of_command_line

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(sys.platform == "win32", reason="kills process groups"),
]

DRIVER = Path(__file__).with_name("spark_cluster_driver.py")
HOME = Path(pyspark.__file__).parent
SPARK_CLASS = str(HOME / "bin" / "spark-class")
LOOPBACK = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]


class Cluster:
    """A master, and workers with one core each."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.master = ""

    def start(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        """Starts a process in a group of its own, which all that it starts belong to."""
        daemons = {
            "SPARK_HOME": str(HOME),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": f"{JAVA_OPTIONS} -Dspark.worker.timeout={HANG} -Dspark.network.timeout={HANG}s",
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
        }
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                command, env=os.environ | environment() | daemons, stdout=log, stderr=log, start_new_session=True
            )
        return self.processes[name]

    def start_master(self) -> None:
        self.start("master", SPARK_CLASS, "org.apache.spark.deploy.master.Master", *LOOPBACK)
        self.wait_for(lambda: re.search(r"Starting Spark master at spark://\S+\n", self.log("master")))
        self.master = re.findall(r"Starting Spark master at (spark://\S+)", self.log("master"))[0]

    def start_worker(self, name: str) -> None:
        size = ["--cores", "1", "--memory", "1g", "--work-dir", str(self.folder / "work" / name)]
        self.start(name, SPARK_CLASS, "org.apache.spark.deploy.worker.Worker", *LOOPBACK, *size, self.master)

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def logs(self) -> str:
        return "\n".join(f"{name}:\n{self.log(name)[-3000:]}" for name in self.processes)

    def wait_for(self, what: Callable[[], Any]) -> None:
        """Waits for a state that is reached before the driver ends."""
        driver = self.processes.get("driver")
        wait_until(lambda: what() or (driver and driver.poll() is not None), self.logs)
        assert what(), f"the driver has ended\n{self.logs()}"

    def kill_worker(self, name: str) -> None:
        """Kills a worker and its executor, which is in its process group."""
        try:
            os.killpg(self.processes[name].pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.processes[name].wait()

    def close(self) -> None:
        # The driver first, so that it does not see the others go.
        for name in sorted(self.processes):
            self.kill_worker(name)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    skip_without_java()
    cluster = Cluster(tmp_path)
    try:
        cluster.start_master()
        for number in (1, 2):
            cluster.start_worker(f"worker-{number}")
        yield cluster
    finally:
        cluster.close()


def parents() -> dict[int, int]:
    """The processes of this machine, with their parents."""
    said = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    return {int(line.split()[0]): int(line.split()[1]) for line in said.splitlines()}


def whose(cluster: Cluster, process: int) -> tuple[int, str]:
    """The executor, and the worker, that a process of a task belongs to."""
    above = parents()
    workers = {worker.pid: name for name, worker in cluster.processes.items() if name.startswith("worker")}
    while above[process] not in workers:
        process = above[process]
    return process, workers[above[process]]


def losses(folder: Path) -> dict[str, int]:
    """How many tasks of each step were lost with their executor, says the log of the driver."""
    [log] = [path for path in (folder / "events").iterdir() if path.is_file()]
    steps: dict[int, str] = {}
    lost: dict[str, int] = {}
    for line in log.read_text().splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart":
            step = event["Properties"].get("spark.jobGroup.id", "")
            steps.update((stage, step) for stage in event["Stage IDs"])
        if event["Event"] == "SparkListenerTaskEnd" and event["Task End Reason"]["Reason"] == "ExecutorLostFailure":
            step = steps[event["Stage ID"]]
            lost[step] = lost.get(step, 0) + 1
    return lost


def test_killed_executors_and_workers_lose_and_double_nothing(cluster: Cluster, tmp_path: Path) -> None:
    pages = [*made_up(300), *(page for number in range(20) for page in made_up(5, f"{number}.example"))]
    served = [*demo_pages(), *(ServedPage(url, html.encode()) for url, html in pages)]
    (tmp_path / "crawl").mkdir()
    (tmp_path / "events").mkdir()
    for number in range(6):
        write_warc(tmp_path / "crawl" / f"{number}.warc.gz", served[number::6])
    steps = {"learn-1": "executor", "learn-2": "worker", "texts": "executor", "once": "worker"}
    for step in steps:
        # A page of the last file, so that most other tasks have ended before.
        (tmp_path / f"held-{step}").write_text(served[5].url)

    driver = cluster.start("driver", sys.executable, str(DRIVER), str(tmp_path), cluster.master)
    for step, what in steps.items():
        waits = tmp_path / f"waits-{step}"
        cluster.wait_for(waits.exists)
        assert not (tmp_path / step / "_SUCCESS").exists()
        executor, worker = whose(cluster, int(waits.read_text()))
        if what == "executor":
            os.kill(executor, signal.SIGKILL)
            assert cluster.processes[worker].poll() is None
        else:
            cluster.kill_worker(worker)
            # The last one is not replaced: the other worker does it all.
            if step != "once":
                cluster.start_worker("worker-3")
        (tmp_path / f"held-{step}").unlink()
    wait_until(lambda: driver.poll() is not None, cluster.logs)
    assert driver.returncode == 0, cluster.log("driver")[-5000:]
    # Each was in the middle of it.
    assert losses(tmp_path).keys() == steps.keys()

    wanted = of_command_line(tmp_path / "crawl", fields=[*FIELDS, "state_pages"])
    for step in ("texts", "once"):
        rows = pq.read_table(tmp_path / step).to_pylist(maps_as_pydicts="strict")
        found = {row["url"]: {name: row[name] for name in ["url", *FIELDS, "state_pages"]} for row in rows}
        assert len(rows) == len(served)
        assert found == wanted
    with unframe.Crawl() as crawl:
        crawl.learn_many((page.url, page.body) for page in served)
        known = {site: crawl.pages(site) for site in crawl.sites}
    first, second = (pq.read_table(tmp_path / step).sort_by("site") for step in ("learn-1", "learn-2"))
    assert dict(zip(first["site"].to_pylist(), first["pages"].to_pylist(), strict=True)) == known
    assert first == second
