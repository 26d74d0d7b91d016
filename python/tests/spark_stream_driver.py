"""The driver of a stream, which a test kills. usage: python spark_stream_driver.py FOLDER

In FOLDER: pages/ with the pages, texts/ for the result, checkpoint/. If there is a file ``held`` with a URL, the task
that has just cleaned this page makes a file ``waits``, and waits.
"""

import functools
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from unframe.spark import clean_stream

from spark_session import session

FIELDS = ["title", "text", "markdown", "html", "metadata", "confidence", "template_share", "flags", "state_pages"]


def hold(batches: Iterator[Any], folder: Path) -> Iterator[Any]:
    for batch in batches:
        held = folder / "held"
        while held.exists() and held.read_text() in batch.column("url").to_pylist():
            (folder / "waits").touch()
            time.sleep(0.02)
        yield batch


def main() -> None:
    folder = Path(sys.argv[1])
    with session(folder / "spark") as spark:
        reader = spark.readStream.schema("url string, html string").option("maxFilesPerTrigger", 1)
        cleaned = clean_stream(reader.json(str(folder / "pages")), fields=FIELDS)
        # It runs in the tasks that clean, before they commit what they have learned.
        cleaned = cleaned.mapInArrow(functools.partial(hold, folder=folder), cleaned.schema)
        writer = cleaned.writeStream.format("parquet").option("checkpointLocation", str(folder / "checkpoint"))
        writer.trigger(availableNow=True).start(str(folder / "texts")).awaitTermination()


if __name__ == "__main__":
    main()
