"""Streams give what ``unframe clean --state FILE`` gives for one micro-batch after another, also after a crash."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import unframe
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from unframe.spark import clean_stream, learn

from conftest import HANG, wait_until
from made_up_site import pages as made_up
from made_up_site import redesigned
from spark_session import ROCKSDB, configured, environment
from whole_crawl import FIELDS, of_pairs

pytestmark = pytest.mark.spark

DRIVER = Path(__file__).with_name("spark_stream_driver.py")
SCHEMA = "url string, html string"
ASKED = [*FIELDS, "state_pages"]

# The first pages of a site are cleaned with little knowledge, then there is more, then it has another design.
BATCHES = [
    [*made_up(3), *made_up(8, "b.example")],
    [*made_up(20, start=3)],
    [*made_up(30, "c.example"), *made_up(5, start=10)],
    [*redesigned(25, 40), *made_up(1, "b.example", start=8)],
]


def arrive(folder: Path, number: int, pages: list[tuple[str, str]]) -> None:
    """A file of pages is there at once, and later than the files before."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps({"url": url, "html": html}) + "\n" for url, html in pages]
    hidden = folder / f".{number}"
    hidden.write_text("".join(lines))
    os.utime(hidden, (1_700_000_000 + number, 1_700_000_000 + number))
    hidden.rename(folder / f"{number:04}.json")


def stream(spark: SparkSession, folder: Path) -> DataFrame:
    """A micro-batch for each file."""
    return spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder))


def run(cleaned: DataFrame, folder: Path) -> None:
    writer = cleaned.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
    query = writer.trigger(availableNow=True).start(str(folder / "texts"))
    try:
        assert query.awaitTermination(HANG), f"the stream has not ended: {query.status}"
    finally:
        query.stop()


def written(spark: SparkSession, folder: Path) -> list[dict[str, Any]]:
    rows = [row.asDict(recursive=True) for row in spark.read.parquet(str(folder / "texts")).collect()]
    return sorted(rows, key=lambda row: (row["url"], row["state_pages"]))


def wanted(batches: list[list[tuple[str, str]]], folder: Path, *before: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """What the command line writes, batch by batch. It also notices redesigns, as streams do not."""
    rows: list[dict[str, Any]] = []
    for pages in [*before, *batches]:
        found = of_pairs(pages, folder / "wanted", "--state", str(folder / "state"), fields=ASKED)
        rows += found.values() if pages in batches else []
    for row in rows:
        row["flags"] = [flag for flag in row["flags"] if flag != "drift"]
    return sorted(rows, key=lambda row: (row["url"], row["state_pages"]))


def test_the_same_as_the_command_line_with_a_state(spark: SparkSession, tmp_path: Path) -> None:
    """For one micro-batch after another, and when another query goes on where the first one was."""
    for number, pages in enumerate(BATCHES):
        arrive(tmp_path / "pages", number, pages)
        if number in (1, 3):
            run(clean_stream(stream(spark, tmp_path / "pages"), fields=ASKED), tmp_path)
    assert written(spark, tmp_path) == wanted(BATCHES, tmp_path)


def test_it_may_start_from_states(spark: SparkSession, tmp_path: Path) -> None:
    former = [*made_up(20, start=100), *made_up(5, "d.example")]
    states = learn(spark.createDataFrame(former, SCHEMA))
    batches = [*BATCHES[:2], made_up(2, "d.example", start=5)]
    for number, pages in enumerate(batches):
        arrive(tmp_path / "pages", number, pages)
    run(clean_stream(stream(spark, tmp_path / "pages"), states=states, fields=ASKED), tmp_path)
    rows = written(spark, tmp_path)
    assert rows == wanted(batches, tmp_path, former)
    assert {row["state_pages"] for row in rows if "d.example" in row["url"]} == {7}


def test_pages_that_are_none_are_rows_with_flags(spark: SparkSession, tmp_path: Path) -> None:
    pages: list[Any] = [*made_up(3), ("https://a.example/null", None), (None, "<p>A page."), ("no host", "<p>Another.")]
    arrive(tmp_path / "pages", 0, pages)
    arrive(tmp_path / "pages", 1, [*pages[3:], ("https://a.example/binary", "\0\0\0\1")])
    run(clean_stream(stream(spark, tmp_path / "pages"), fields=["text", "flags", "state_pages"]), tmp_path)
    rows = [row.asDict() for row in spark.read.parquet(str(tmp_path / "texts")).collect()]
    assert len(rows) == 10
    flags = {(row["url"], row["text"]): set(row["flags"]) for row in rows}
    assert flags[("https://a.example/null", None)] == {"no-page"}
    assert flags[("https://a.example/binary", None)] == {"unreadable"}
    assert "no-site" in flags[(None, "A page.\n")]
    assert "no-site" in flags[("no host", "Another.\n")]


def test_columns_of_users_are_kept(spark: SparkSession, tmp_path: Path) -> None:
    arrive(tmp_path / "pages", 0, made_up(3))
    pages = stream(spark, tmp_path / "pages").withColumn("when", F.lit("2026-01-01").cast("timestamp"))
    pages = pages.withColumn("names", F.array("url")).withColumn("of", F.create_map("url", F.lit(1)))
    pages = pages.withColumn("both", F.struct("url", "names")).withColumn("none", F.lit(None).cast("int"))
    run(clean_stream(pages, fields=["text"], format="markdown", site=F.lit("one")), tmp_path)
    rows = spark.read.parquet(str(tmp_path / "texts")).collect()
    assert len(rows) == 3
    for row in rows:
        assert row.asDict(recursive=True).keys() == {"url", "when", "names", "of", "both", "none", "text"}
        assert row.names == [row.url] == row.both.names and row.of == {row.url: 1}
        assert row.when.year == 2026 and row.none is None


class TestWrongUse:
    @pytest.fixture
    def pages(self, spark: SparkSession, tmp_path: Path) -> DataFrame:
        (tmp_path / "pages").mkdir()
        return stream(spark, tmp_path / "pages")

    def test_pages_at_rest(self, spark: SparkSession) -> None:
        with pytest.raises(unframe.ArgumentError, match="needs a streaming data frame.*use clean for others"):
            clean_stream(spark.createDataFrame(made_up(1), SCHEMA))

    def test_another_state_store(self, spark: SparkSession, pages: DataFrame) -> None:
        name = "spark.sql.streaming.stateStore.providerClass"
        with configured(spark, {name: ROCKSDB.replace("RocksDB", "HDFSBacked")}):
            with pytest.raises(unframe.ArgumentError, match=f'spark.conf.set."{name}", "{ROCKSDB}".'):
                clean_stream(pages)

    def test_without_protobuf(self, pages: DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in [name for name in sys.modules if name.startswith("pyspark.sql.streaming.proto")]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, "google.protobuf", None)
        with pytest.raises(unframe.ArgumentError, match=r'streams need protobuf: pip install "unframe\[spark\]"'):
            clean_stream(pages)

    def test_wrong_arguments(self, spark: SparkSession, pages: DataFrame) -> None:
        at_rest = spark.createDataFrame(made_up(1), SCHEMA)
        for arguments, message in [
            ({"states": at_rest}, "states must be what learn"),
            ({"html": "body"}, "no column 'body', but url, html; name it with html="),
            ({"format": "pdf"}, "format must be"),
            ({"method": "best"}, "method"),
        ]:
            with pytest.raises(unframe.ArgumentError, match=message):
                clean_stream(pages, **arguments)  # type: ignore[arg-type]


@contextmanager
def driver(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A stream in a process group of its own, which has its Java machine and its workers, too."""
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, str(DRIVER), str(folder)],
            env=os.environ | environment(),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def batches_begun(folder: Path) -> int:
    """Micro-batches that the checkpoint says have begun."""
    return len([path for path in folder.glob("checkpoint/offsets/*") if path.name.isdigit()])


def batches_done(folder: Path) -> int:
    return len([path for path in folder.glob("checkpoint/commits/*") if path.name.isdigit()])


@pytest.mark.skipif(sys.platform == "win32", reason="kills process groups")
def test_a_killed_driver_loses_and_doubles_nothing(spark: SparkSession, tmp_path: Path) -> None:
    """It is killed with its Java machine, in the middle of a micro-batch: some pages of it are learned and cleaned."""
    batches = [BATCHES[0], *BATCHES[2:]]
    for number, pages in enumerate(batches):
        arrive(tmp_path / "pages", number, pages)
    (tmp_path / "held").write_text(batches[1][0][0])
    waits, log = tmp_path / "waits", tmp_path / "log"
    with driver(tmp_path) as process:
        wait_until(lambda: waits.exists() or process.poll() is not None, lambda: log.read_text()[-5000:])
        assert waits.exists(), log.read_text()[-5000:]
    assert (batches_begun(tmp_path), batches_done(tmp_path)) == (2, 1)
    run(clean_stream(stream(spark, tmp_path / "pages"), fields=ASKED), tmp_path)
    assert batches_done(tmp_path) == len(batches)
    # The number of pages in the state says that each has counted once.
    assert written(spark, tmp_path) == wanted(batches, tmp_path)
