"""A Spark session for tests: two cores of this machine, and nothing but the loopback address."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import unframe
from pyspark.sql import SparkSession

from conftest import HANG

# Programs that run for seconds take half the time if Java compiles less.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def java() -> str | None:
    """The program that Spark would run."""
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else shutil.which("java")


def skip_without_java() -> None:
    """Spark needs Java 17 or later."""
    program = java()
    if program is None:
        pytest.skip("there is no Java")
    said = subprocess.run([program, "-version"], capture_output=True, text=True).stderr
    version = re.search(r'version "(\d+)', said)
    if version is None or int(version[1]) < 17:
        pytest.skip(f"Spark needs Java 17 or later, not {said.strip()}")


def environment() -> dict[str, str]:
    """For Spark's processes: the Python and the unframe that are tested here."""
    paths = [str(Path(unframe.__file__).parents[1]), str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    return {
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def settings(folder: Path) -> dict[str, str]:
    """Of every session."""
    return {
        "spark.driver.extraJavaOptions": JAVA_OPTIONS,
        # What takes longer on a busy machine is not lost.
        "spark.network.timeout": f"{HANG}s",
        "spark.python.authenticate.socketTimeout": f"{HANG}s",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.sql.streaming.stateStore.providerClass": ROCKSDB,
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }


@contextmanager
def session(folder: Path, master: str = "local[2]", **more: str) -> Iterator[SparkSession]:
    builder = SparkSession.builder.master(master).appName("unframe")
    for name, value in (settings(folder) | more).items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def configured(spark: SparkSession, settings: dict[str, str]) -> Iterator[None]:
    """Other settings for a while: the session is shared."""
    before = {name: spark.conf.get(name) for name in settings}
    try:
        for name, value in settings.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def plain(row: Any) -> dict[str, Any]:
    """A row as a record of the command line has it."""
    found: dict[str, Any] = row.asDict(recursive=True)
    return found


def by_url(rows: list[Any]) -> dict[str, dict[str, Any]]:
    """Rows by their URLs, each of which must come once."""
    found = {row["url"]: plain(row) for row in rows}
    assert len(found) == len(rows), "pages have been doubled"
    return found
