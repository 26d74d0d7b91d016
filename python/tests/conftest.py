"""What several tests need: pages of the demo sites and of real ones, archives of pages, and other processes."""

import gzip
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest

DEMO = Path(__file__).resolve().parents[2] / "demo"

# Seconds after which whatever a test waits for has hung. No test depends on how fast the machine is.
HANG = 600

# What the servers of some demo sites state. All others leave the charset to the page.
STATED = {"fieldnotes": "text/html; charset=utf-8", "harbour-shop": 'text/html; Charset="Windows-1252"'}


class ServedPage(NamedTuple):
    """A page as a server would send it."""

    url: str
    body: bytes
    content_type: str = "text/html"


def demo_pages() -> list[ServedPage]:
    """The pages of the demo sites, in their own charsets."""
    return [page for folder in sorted(DEMO.glob("*/pages")) for page in pages_of(folder)]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests with pages of real sites are there only if such pages are."""
    if not os.environ.get("UNFRAME_CORPORA"):
        left_out = [item for item in items if "real_pages" in getattr(item, "fixturenames", [])]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def real_pages() -> list[ServedPage]:
    """500 pages of the sites in UNFRAME_CORPORA=DIR (DIR/SET/SITE/pages): up to 20 pages of each site."""
    sets = [folder for folder in sorted(Path(os.environ["UNFRAME_CORPORA"]).glob("*-dev")) if folder.is_dir()]
    pages: list[ServedPage] = []
    for folder in sets:
        of_set = (page for site in sorted(folder.glob("*/pages")) for page in islice(pages_of(site), 20))
        pages += islice(of_set, 500 // len(sets))
    return pages


def pages_of(folder: Path) -> Iterable[ServedPage]:
    """The pages of the site in SITE/pages."""
    site = folder.parent.name
    host = "".join(c if c.isalnum() else "-" for c in site).strip("-").lower()
    for number, path in enumerate(sorted(path for path in folder.rglob("*") if path.is_file())):
        yield ServedPage(f"http://{host}.example/{number}.html", path.read_bytes(), STATED.get(site, "text/html"))


def write_warc(path: Path, pages: Iterable[ServedPage]) -> None:
    """A .warc.gz file: one gzip member per record, as crawlers write them."""
    with path.open("wb") as file:
        for number, page in enumerate(pages):
            block = f"HTTP/1.1 200 OK\r\nContent-Type: {page.content_type}\r\n\r\n".encode() + page.body
            head = (
                "WARC/1.0\r\nWARC-Type: response\r\n"
                f"WARC-Target-URI: {page.url}\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
                "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(block)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + block + b"\r\n\r\n"))


def ended(command: Iterable[str | Path], **options: Any) -> subprocess.CompletedProcess[str]:
    """A process that has ended by itself, with what it has written."""
    command = [*map(str, command)]
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=HANG, **options)
    except subprocess.TimeoutExpired as hung:
        written = b"\n".join(part for part in (hung.stdout, hung.stderr) if part).decode(errors="replace")
        pytest.fail(f"{command} has not ended after {HANG} seconds, and has written:\n{written}")


def wait_until(reached: Callable[[], object], seen: Callable[[], object]) -> None:
    """Waits for a state. If it is never reached, the failure says what was seen instead."""
    end = time.monotonic() + HANG
    while not reached():
        if time.monotonic() > end:
            pytest.fail(f"after {HANG} seconds, this is seen instead: {seen()}")
        time.sleep(0.01)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One Spark session for all tests. Only they need what it imports."""
    from spark_session import environment, session, skip_without_java

    skip_without_java()
    with ExitStack() as stack:
        # Java takes its environment from the process that starts it, and hands it on.
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment().items():
                patch.setenv(name, value)
            spark = stack.enter_context(session(tmp_path_factory.mktemp("spark")))
        yield spark


def command_line(*arguments: str | Path) -> bytes:
    """What ``unframe …`` writes to its standard output."""
    command = [sys.executable, "-m", "unframe", *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
