"""What several tests need: pages of the demo sites and of real ones, archives of pages, and the command line."""

import gzip
import os
import subprocess
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pytest

DEMO = Path(__file__).resolve().parents[2] / "demo"

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


def real_pages() -> list[ServedPage]:
    """500 pages of the sites in UNFRAME_CORPORA=DIR (DIR/SET/SITE/pages): up to 20 pages of each site."""
    corpora = os.environ.get("UNFRAME_CORPORA")
    if not corpora:
        pytest.skip("set UNFRAME_CORPORA=DIR to test with the pages in DIR/SET/SITE/pages")
    sets = [folder for folder in sorted(Path(corpora).glob("*-dev")) if folder.is_dir()]
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


def command_line(*arguments: str | Path) -> bytes:
    """What ``unframe …`` writes to its standard output."""
    command = [sys.executable, "-m", "unframe", *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
