"""Runs the code of docs/spark.md, from its first line to its last, on a small crawl."""

import gzip
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from unframe.spark import read_warc

from conftest import ServedPage, ended, write_warc
from made_up_site import pages as made_up
from spark_session import environment, session, skip_without_java
from test_docs import GUIDE, run_python, sections

pytestmark = pytest.mark.spark

SPARK_GUIDE = GUIDE.with_name("spark.md")


def test_the_guide(tmp_path: Path) -> None:
    skip_without_java()
    for folder, numbers in [("crawl", range(0, 20)), ("next", range(10, 30))]:
        pages = [page for at, page in enumerate(made_up(30)) if at in numbers]
        (tmp_path / folder).mkdir()
        write_warc(tmp_path / folder / "0.warc.gz", [ServedPage(url, html.encode()) for url, html in pages])
    (tmp_path / "warc.paths.gz").write_bytes(gzip.compress(b"crawl/0.warc.gz\n"))
    # In a process of its own, whose Java takes paths relative to this folder.
    done = ended([sys.executable, __file__], cwd=tmp_path, env=os.environ | environment())
    assert done.returncode == 0, done.stderr[-5000:] + done.stdout[-2000:]


def run_guide() -> None:
    with session(Path.cwd()) as spark:
        next_pages = read_warc(spark, "next")
        next_pages.select("url", "html").write.parquet("arriving")
        names: dict[str, Any] = {"__name__": "__main__", "next_pages": next_pages}
        for title, blocks in sections(SPARK_GUIDE):
            if title != "Other engines":
                for block in blocks:
                    run_python(block, names, SPARK_GUIDE)
        assert spark.read.parquet("texts/november").count() == 20
        assert spark.read.parquet("texts/stream").count() == 20
        assert [row.pages for row in spark.read.parquet("states/november").collect()] == [30]


if __name__ == "__main__":
    run_guide()
