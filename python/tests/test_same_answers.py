"""Every way through Python gives the same bytes as the command line.

The pages are those of the bundled demo or, with UNFRAME_CORPORA=DIR, 500 pages of the sites in DIR
(DIR/SET/SITE/pages).
"""

import json
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pyarrow
import pytest
import unframe

ROOT = Path(__file__).resolve().parents[2]
CORPORA = os.environ.get("UNFRAME_CORPORA")
MOST_PAGES = 500

# All but where a page comes from, and what its input says.
FIELDS = (
    "url,site,title,metadata,kind,confidence,text,content_hash,markdown,html,parts,links,removed,"
    "template_share,flags,state_pages"
).split(",")


def command(*args: str | Path) -> bytes:
    """The standard output of the command line."""
    run = [sys.executable, "-m", "unframe", *map(str, args)]
    return subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout


def site_folders() -> list[Path]:
    if CORPORA:
        return sorted(Path(CORPORA).glob("*-dev/*/pages"))
    return sorted(ROOT.glob("demo/*/pages"))


def chosen_pages() -> list[tuple[str, bytes]]:
    """URLs and bytes, site by site: some sites of each set, up to 20 pages of each."""
    by_set: dict[Path, list[Path]] = {}
    for folder in site_folders():
        by_set.setdefault(folder.parents[1], []).append(folder)
    most = MOST_PAGES // len(by_set)
    pages = []
    for folders in by_set.values():
        of_set: list[tuple[str, bytes]] = []
        for folder in folders:
            files = sorted(path for path in folder.rglob("*") if path.suffix in (".html", ".htm", ".shtml", ""))
            host = "".join(c if c.isalnum() else "-" for c in folder.parent.name).strip("-").lower()
            for number, path in enumerate(islice(filter(Path.is_file, files), 20)):
                of_set.append((f"https://{host}.example/{number}.html", path.read_bytes()))
        pages += of_set[:most]
    # Whatever a reader would refuse as binary data is not a page here, either.
    return pages


def warc(pages: list[tuple[str, bytes]]) -> bytes:
    """A WARC file of responses that state no charset."""
    records = []
    for number, (url, body) in enumerate(pages):
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\n"
            f"WARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:test:{number}>\r\n"
            "WARC-Date: 2024-05-01T10:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n"
        )
        records.append(head.encode() + block + b"\r\n\r\n")
    return b"".join(records)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same") / "pages.warc"
    path.write_bytes(warc(chosen_pages()))
    return path


@pytest.fixture(scope="module")
def pages(archive: Path) -> list[tuple[str | None, bytes]]:
    """The pages as the readers see them, which leave out what is not HTML."""
    read = [(url, html) for url, html, _ in unframe.read(archive)]
    assert len(read) >= (450 if CORPORA else 29)
    return read


@pytest.fixture(scope="module")
def expected(archive: Path) -> list[str]:
    """The records that the command line writes."""
    return command("clean", archive, "-f", "jsonl", "--fields", ",".join(FIELDS)).decode().split("\n")[:-1]


def differences(found: list[str], expected: list[str]) -> list[str]:
    """The fields that differ, by page."""
    assert len(found) == len(expected)
    different = []
    for one, other in zip(found, expected):
        if one != other:
            ours, theirs = json.loads(one), json.loads(other)
            names = [name for name in theirs if ours.get(name) != theirs[name]]
            different.append(f"{theirs['url']}: {names or 'written otherwise'}")
    return different


def test_clean_pages_of_pairs(pages: list[tuple[str, bytes]], expected: list[str]) -> None:
    found = [page.to_json(fields=FIELDS) for page in unframe.clean_pages(pages, reasons=True)]
    assert not differences(found, expected)


def test_clean_pages_of_an_archive(archive: Path, expected: list[str]) -> None:
    for jobs in (1, 3):
        cleaned = unframe.clean_pages(archive, reasons=True, jobs=jobs)
        assert not differences([page.to_json(fields=FIELDS) for page in cleaned], expected)


def test_clean_pages_of_triples(archive: Path, expected: list[str]) -> None:
    cleaned = unframe.clean_pages(unframe.read(archive), reasons=True, render=())
    assert not differences([page.to_json(fields=FIELDS) for page in cleaned], expected)


def test_crawl_page_by_page(pages: list[tuple[str, bytes]], expected: list[str]) -> None:
    crawl = unframe.Crawl(reasons=True)
    for url, html in pages:
        crawl.learn(html, url)
    found = [crawl.clean(html, url, learn=False).to_json(fields=FIELDS) for url, html in pages]
    assert not differences(found, expected)
    again = [page.to_json(fields=FIELDS) for page in crawl.clean_pages(pages, learn=False)]
    assert not differences(again, expected)


def test_each_site_by_itself(pages: list[tuple[str, bytes]], expected: list[str]) -> None:
    sites: dict[str, list[tuple[str, bytes]]] = {}
    for url, html in pages:
        sites.setdefault(url.split("/")[2], []).append((url, html))
    # A site in memory has no name of its own.
    fields = [name for name in FIELDS if name != "site"]
    found = []
    for own in sites.values():
        site = unframe.Site(reasons=True)
        site.learn_many(own)
        found += [site.clean(html, url, learn=False).to_json(fields=fields) for url, html in own]
    wanted = {}
    for line in expected:
        record = json.loads(line)
        del record["site"]
        wanted[record["url"]] = record
    assert len(found) == len(expected)
    for line in found:
        record = json.loads(line)
        assert record == wanted[record["url"]]


def test_clean_table(pages: list[tuple[str, bytes]], expected: list[str]) -> None:
    table = pyarrow.table({"url": [url for url, _ in pages], "html": [html for _, html in pages]})
    rows = unframe.clean_table(table, fields=FIELDS).to_pyarrow().to_pylist()
    assert len(rows) == len(expected)
    for row, line in zip(rows, expected):
        record = json.loads(line)
        for name in FIELDS:
            value = row[name]
            if name in ("metadata", "kind", "parts", "links", "removed", "flags") and value is not None:
                value = json.loads(value)
            assert value == record.get(name), (record["url"], name)


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_folders_of_files(tmp_path: Path, form: str) -> None:
    """Bytes of files, in all formats for people."""
    folder, out = tmp_path / "sites", tmp_path / "out"
    for url, html in chosen_pages():
        host, name = url.split("/")[2:]
        (folder / host).mkdir(parents=True, exist_ok=True)
        (folder / host / name).write_bytes(html)
    command("clean", folder, "--site-from", "folder", "-f", form, "-o", out)
    written = 0
    for page in unframe.clean_pages(folder, site_from="folder", render="markdown"):
        path = out / Path(page.source).relative_to(folder)
        path = path.with_name(path.name + {"text": ".txt", "markdown": ".md", "html": ".html"}[form])
        found = {
            "text": lambda: page.text.encode(),
            "markdown": lambda: page.markdown.encode(),
            "html": lambda: page.html_bytes,
        }[form]()
        assert found == path.read_bytes(), page.source
        written += 1
    assert written >= (450 if CORPORA else 29)


def test_single_pages(tmp_path: Path, pages: list[tuple[str, bytes]]) -> None:
    """`extract` is `clean` with a single page."""
    for url, html in pages[:: max(1, len(pages) // 25)]:
        file = tmp_path / "page.html"
        file.write_bytes(html)
        for form in ("text", "markdown"):
            found = unframe.extract(html, url, output_format=form) or ""
            assert found.encode() == command("clean", file, "--url", url, "-f", form, "-q"), (url, form)
        record = json.loads(unframe.extract(html, url, output_format="json") or "null")
        wanted = json.loads(command("clean", file, "--url", url, "-f", "jsonl", "-q"))
        if record is not None:
            del record["source"], wanted["source"]
            assert record == wanted
