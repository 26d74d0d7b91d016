"""The driver of a cluster that a test disturbs. usage: python spark_cluster_driver.py FOLDER MASTER

In FOLDER: crawl/ with archives, and the results of four steps: learn-1/ and learn-2/ with what is learned, texts/
with the texts by what was learned, and once/ with those of pages that are learned and cleaned at once. If there is a
file ``held-STEP`` with a URL, the task of this step that has this page makes a file ``waits-STEP`` with its process,
and waits.
"""

import functools
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame
from unframe.spark import clean, learn, read_warc

from conftest import HANG
from spark_session import JAVA_OPTIONS, session
from whole_crawl import FIELDS


def hold(batches: Iterator[Any], folder: Path, step: str) -> Iterator[Any]:
    for batch in batches:
        held, waits = folder / f"held-{step}", folder / f"waits-{step}"
        while held.exists() and held.read_text() in batch.column("url").to_pylist():
            waits.with_suffix(".new").write_text(str(os.getpid()))
            waits.with_suffix(".new").rename(waits)
            time.sleep(0.02)
        yield batch


def main() -> None:
    folder, master = Path(sys.argv[1]), sys.argv[2]
    more = {
        "spark.executor.memory": "512m",
        "spark.executor.extraJavaOptions": JAVA_OPTIONS,
        # Both workers take part.
        "spark.scheduler.minRegisteredResourcesRatio": "1",
        "spark.scheduler.maxRegisteredResourcesWaitingTime": f"{HANG}s",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
    }
    with session(folder / "spark", master, **more) as spark:

        def held(frame: DataFrame, step: str) -> DataFrame:
            spark.sparkContext.setJobGroup(step, step)
            return frame.mapInArrow(functools.partial(hold, folder=folder, step=step), frame.schema)

        pages = read_warc(spark, str(folder / "crawl"))
        for step in ("learn-1", "learn-2"):
            learn(held(pages, step)).write.parquet(str(folder / step))
        states = spark.read.parquet(str(folder / "learn-1"))
        texts = clean(pages, states=states, fields=[*FIELDS, "state_pages"], most_pages=50)
        held(texts, "texts").write.parquet(str(folder / "texts"))
        once = clean(pages, fields=[*FIELDS, "state_pages"], most_pages=50)
        held(once, "once").write.parquet(str(folder / "once"))


if __name__ == "__main__":
    main()
