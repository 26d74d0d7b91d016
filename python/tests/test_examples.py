"""The examples run as a new user runs them: as scripts, in another folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import unframe

from conftest import HANG, ServedPage, ended, write_warc

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "python" / "examples"
SHOP = ROOT / "demo" / "harbour-shop" / "pages"
FIELDNOTES = ROOT / "demo" / "fieldnotes" / "pages"

SCRIPTS = ["pandas_clean.py", "polars_clean.py", "warc_pages.py", "live_crawl.py", "multiprocess.py"]
OF_CLUSTERS = ["spark_clean.py", "ray_clean.py"]


def environment() -> dict[str, str]:
    """That of this process, with the unframe that is tested here."""
    package = str(Path(unframe.__file__).parents[1])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


def run(script: str, *args: str | Path, folder: Path) -> str:
    done = ended([sys.executable, EXAMPLES / script, *args], cwd=folder, env=environment())
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_every_example_is_known() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == {*SCRIPTS, *OF_CLUSTERS}


@pytest.mark.parametrize("script", [*SCRIPTS, *(pytest.param(name, marks=pytest.mark.spark) for name in OF_CLUSTERS)])
def test_every_example_has_help_and_a_usage_line(script: str, tmp_path: Path) -> None:
    assert run(script, "--help", folder=tmp_path).startswith("usage:")
    program = "spark-submit" if "spark" in script else "python"
    assert f"\nusage: {program} {script}" in (EXAMPLES / script).read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == []


def test_pandas(tmp_path: Path) -> None:
    out = run("pandas_clean.py", "-o", "texts.csv", folder=tmp_path)
    assert "9 pages, 48% of their text removed, 0 flagged" in out
    import pandas as pd

    table = pd.read_csv(tmp_path / "texts.csv")
    assert len(table) == 9
    lamps = table[table["source"].str.endswith("lamps.html")].iloc[0]
    assert "The Skerrow anchor lamp." in lamps["text"]
    assert "The shop cat is called Bosun" not in lamps["text"]


def test_polars(tmp_path: Path) -> None:
    out = run("polars_clean.py", "-o", "texts.parquet", folder=tmp_path)
    assert "9 pages, 0 flagged" in out
    import polars as pl

    table = pl.read_parquet(tmp_path / "texts.parquet")
    assert table.columns == ["url", "source", "title", "markdown", "confidence", "kind", "flags"]
    lamps = table.filter(pl.col("source").str.ends_with("lamps.html"))["markdown"].item()
    assert "**The Skerrow anchor lamp.** Copper" in lamps


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """A WARC of a demo site, with a picture among its pages."""
    names = sorted(path.relative_to(SHOP).as_posix() for path in SHOP.rglob("*.html"))
    pages = [ServedPage(f"https://quill.example/{name}", (SHOP / name).read_bytes()) for name in names]
    picture = ServedPage("https://quill.example/cat.png", b"\x89PNG\r\n\x1a\n", "image/png")
    write_warc(tmp_path / "crawl.warc.gz", [*pages, picture])
    return tmp_path / "crawl.warc.gz"


def test_warc_to_json_lines(warc: Path, tmp_path: Path) -> None:
    out = run("warc_pages.py", warc, folder=tmp_path)
    assert "9 pages of 1 sites" in out
    assert "skipped: 1 not-html" in out
    lines = (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["site"] for row in rows] == ["quill.example"] * 9
    expected = [page.text for page in unframe.clean_pages(warc)]
    assert [row["text"] for row in rows] == expected
    assert "£78.00" in expected[4]


def test_warc_to_parquet(warc: Path, tmp_path: Path) -> None:
    run("warc_pages.py", warc, "-o", "pages.parquet", folder=tmp_path)
    import pyarrow.parquet as pq

    table = pq.read_table(tmp_path / "pages.parquet")
    assert table.num_rows == 9
    assert table["text"].to_pylist() == [page.text for page in unframe.clean_pages(warc)]


def test_warc_pages_has_a_default_and_chooses_by_confidence(tmp_path: Path) -> None:
    assert "29 pages of 3 sites" in run("warc_pages.py", "--min-confidence", "0.95", folder=tmp_path)
    rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text(encoding="utf-8").splitlines()]
    assert 0 < len(rows) < 29
    assert all(row["confidence"] >= 0.95 for row in rows)


@pytest.fixture
def server() -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    handler = partial(Quiet, directory=str(SHOP))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}/index.html"
        http.shutdown()


def test_live_crawl_continues_where_it_was(server: str, tmp_path: Path) -> None:
    crawl = ("live_crawl.py", server, "--delay", "0")
    first = run(*crawl, folder=tmp_path)
    assert "few-pages" in first
    assert "9 pages fetched, 1 of them cleaned twice" in first
    texts = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "pages").iterdir()}
    assert len(texts) == 9
    # The first page was cleaned again when the site was known.
    assert "If it floats, we stock a piece of it" not in texts["index.html.md"]
    assert texts["lamps.html.md"].startswith("---\ntitle:")

    # Nothing has changed, so the second run learns nothing; but now even the first page is cleaned well.
    second = run(*crawl, folder=tmp_path)
    assert "few-pages" not in second
    assert "9 pages fetched, 0 of them cleaned twice" in second
    with unframe.Site.open(tmp_path / "site.unframe") as site:
        assert site.pages == 9


def test_live_crawl_without_a_url_serves_the_demo(tmp_path: Path) -> None:
    out = run("live_crawl.py", "--limit", "3", "-o", "texts", folder=tmp_path)
    assert "3 pages fetched" in out
    assert len(list((tmp_path / "texts").iterdir())) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_live_crawl_keeps_what_it_has_learned_when_it_is_interrupted(server: str, tmp_path: Path) -> None:
    # A job in the background inherits that signals are ignored.
    start = """import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
    command = [sys.executable, "-u", "-c", start, str(EXAMPLES / "live_crawl.py"), server, "--delay", "60"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, encoding="utf-8"
    ) as crawl:
        assert crawl.stdout is not None
        hung = threading.Timer(HANG, crawl.kill)
        hung.start()
        try:
            first = crawl.stdout.readline()
            crawl.send_signal(signal.SIGINT)
            out = first + crawl.stdout.read()
            crawl.wait()
        finally:
            hung.cancel()
            crawl.kill()
    assert crawl.returncode == 0
    fetched = out.splitlines()[: out.splitlines().index("stopped")]
    assert "index.html" in fetched[0]
    with unframe.Site.open(tmp_path / "site.unframe") as site:
        assert site.pages == len(fetched)


def test_several_processes_give_the_same_as_one(tmp_path: Path) -> None:
    out = run("multiprocess.py", "--processes", "3", folder=tmp_path)
    assert "11 pages learned" in out
    words = {name: int(count) for count, _, name in map(str.split, out.splitlines()[1:])}
    expected = {
        Path(page.source).relative_to(FIELDNOTES).as_posix(): len(page.text.split())
        for page in unframe.clean_pages(FIELDNOTES)
    }
    assert words == expected
