"""Real crawls of the demo sites, and of real ones with UNFRAME_CORPORA, through a server on the loopback interface."""

import gzip
import json
import os
import re
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import unframe

from conftest import ServedPage, command_line, demo_pages, ended, write_warc

# All but where a page comes from.
FIELDS = (
    "url,site,title,metadata,kind,confidence,text,content_hash,markdown,html,parts,links,removed,template_share,"
    "flags,state_pages"
)

START = "http://start.example/"
OTHERS = {
    START + "data.json": ServedPage(START + "data.json", b'{"html": "<p>not a page"}', "application/json"),
}


class Handler(BaseHTTPRequestHandler):
    """Answers as a proxy does for all servers, so every site has a host of its own and nothing leaves the machine."""

    def do_GET(self) -> None:
        page = self.server.web.get(self.path)  # type: ignore[attr-defined]
        status = 200 if page else 404
        page = page or ServedPage(self.path, b"<title>404</title><p>There is no such page on this server.")
        self.send_response(status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        self.wfile.write(page.body)

    def log_message(self, *_: Any) -> None:
        pass


class Web:
    """Pages, a list of links to all of them, and what is no page."""

    def __init__(self, pages: list[ServedPage]) -> None:
        urls = [*(page.url for page in pages), *OTHERS, START + "missing.html"]
        links = "".join(f'<li><a href="{url}">A page</a>' for url in urls)
        pages = [ServedPage(START, f"<title>Pages</title><h1>All pages</h1><ul>{links}</ul>".encode()), *pages]
        self.pages = {page.url: page for page in pages}
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.web = {**self.pages, **OTHERS}  # type: ignore[attr-defined]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def crawl(self, folder: Path, settings: dict[str, Any], **more: Any) -> "Crawl":
        environment = {**os.environ, "http_proxy": f"http://127.0.0.1:{self.server.server_port}", "no_proxy": ""}
        return Crawl(folder, settings, environment, **more)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    web = Web(demo_pages())
    yield web
    web.close()


@pytest.fixture
def real_web(real_pages: list[ServedPage]) -> Iterator[Web]:
    web = Web(real_pages)
    yield web
    web.close()


SPIDER = """
import dataclasses
import scrapy
from unframe.scrapy import UnframeMiddleware

class ArticleItem(scrapy.Item):
    url = scrapy.Field()
    text = scrapy.Field()

@dataclasses.dataclass
class TitleItem:
    url: str
    title: str | None = None

class DemoSpider(scrapy.Spider):
    name = "demo"

    async def start(self):
        yield scrapy.Request(self.url)

    def parse(self, response):
        page = response.meta.get("unframe")
        text = page.text if page is not None else None
        yield {"url": response.url, "at_arrival": text, "title": "my own"}
        yield ArticleItem(url=response.url)
        yield TitleItem(url=response.url)
        if response.url == self.url:
            # response.meta is passed on, as many spiders do.
            meta = {key: value for key, value in response.meta.items() if key in ("unframe", "depth")}
            yield from response.follow_all(css="a", meta=meta)

class FlakyMiddleware(UnframeMiddleware):
    def _clean(self, response):
        if response.url.endswith("harbour-shop.example/3.html"):
            raise RuntimeError("a bad page")
        return super()._clean(response)
"""


class Crawl:
    """A run of ``scrapy runspider`` in a folder."""

    def __init__(
        self,
        folder: Path,
        settings: dict[str, Any],
        environment: dict[str, str],
        *,
        start: str = START,
        middleware: str = "unframe.scrapy.UnframeMiddleware",
    ) -> None:
        self.folder = folder
        (folder / "spider.py").write_text(SPIDER)
        settings = {"SPIDER_MIDDLEWARES": {middleware: 950}, "TELNETCONSOLE_ENABLED": False, **settings}
        named = [f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in settings.items()]
        arguments = ["runspider", "spider.py", "-a", f"url={start}", "-O", "items.jsonl"]
        for setting in named:
            arguments += ["-s", setting]
        command = [sys.executable, "-W", "always", "-m", "scrapy", *arguments]
        done = ended(command, cwd=folder, env=environment)
        self.code, self.log = done.returncode, done.stderr

    def items(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / "items.jsonl").read_text().splitlines()]

    def stat(self, name: str) -> int | None:
        for line in self.log.splitlines():
            if f"'unframe/{name}': " in line:
                return int(line.split(": ")[1].rstrip(",}"))
        return None


def command_line_records(web: Web, output: bytes, folder: Path, *arguments: str) -> bytes:
    """What the command line writes for the same pages, in the same order."""
    urls = [json.loads(line)["url"] for line in output.splitlines()]
    assert sorted(urls) == sorted(web.pages)
    write_warc(folder / "pages.warc.gz", [web.pages[url] for url in urls])
    return command_line("clean", folder / "pages.warc.gz", "--format", "jsonl", *arguments)


def test_the_output_is_that_of_the_command_line(web: Web, tmp_path: Path) -> None:
    crawl = web.crawl(tmp_path, {"UNFRAME_OUTPUT": "out/%(name)s.jsonl", "UNFRAME_FIELDS": FIELDS})
    assert crawl.code == 0
    output = (tmp_path / "out/demo.jsonl").read_bytes()
    assert output == command_line_records(web, output, tmp_path, "--fields", FIELDS)
    # Nothing else is left behind.
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["demo.jsonl"]
    assert (crawl.stat("pages"), crawl.stat("written")) == (len(web.pages), len(web.pages))
    assert (crawl.stat("not_html"), crawl.stat("sites"), crawl.stat("errors")) == (1, 4, None)
    for problem in ("ERROR", "WARNING", "Deprecat", "Traceback"):
        assert problem not in crawl.log, crawl.log


def test_pages_of_real_sites(real_web: Web, tmp_path: Path) -> None:
    real_web.crawl(tmp_path, {"UNFRAME_OUTPUT": "pages.jsonl", "UNFRAME_FIELDS": FIELDS})
    output = (tmp_path / "pages.jsonl").read_bytes()
    assert output == command_line_records(real_web, output, tmp_path, "--fields", FIELDS)


def test_the_usual_fields_in_a_compressed_file(web: Web, tmp_path: Path) -> None:
    web.crawl(tmp_path, {"UNFRAME_OUTPUT": "pages.jsonl.gz"})
    output = gzip.decompress((tmp_path / "pages.jsonl.gz").read_bytes())

    def without_origin(lines: bytes) -> list[dict[str, Any]]:
        records = [json.loads(line) for line in lines.splitlines()]
        return [{key: value for key, value in record.items() if key not in ("source", "input")} for record in records]

    wanted = command_line_records(web, output, tmp_path)
    assert without_origin(output) == without_origin(wanted)


def test_settings_of_the_engine(web: Web, tmp_path: Path) -> None:
    options = {"site_from": "domain", "favor_precision": True, "protect": ["nav"]}
    settings = {"UNFRAME_OUTPUT": "pages.jsonl", "UNFRAME_FIELDS": FIELDS, "UNFRAME_OPTIONS": options}
    web.crawl(tmp_path, settings)
    output = (tmp_path / "pages.jsonl").read_bytes()
    flags = ["--site-from", "domain", "--favor", "precision", "--protect", "nav"]
    assert output == command_line_records(web, output, tmp_path, "--fields", FIELDS, *flags)


def test_items_and_pages_at_arrival(web: Web, tmp_path: Path) -> None:
    crawl = web.crawl(tmp_path, {"UNFRAME_ITEM_FIELDS": "title,text", "CONCURRENT_REQUESTS": 1})
    assert crawl.code == 0
    items = crawl.items()
    by_kind = [[item for item in items if item.keys() == keys] for keys in (
        {"url", "at_arrival", "title", "text"},
        {"url", "text"},
        {"url", "title"},
    )]  # fmt: skip
    plain, articles, titles = by_kind
    assert len(plain) == len(articles) == len(titles) - 1 == len(web.pages)
    assert all(item["title"] == "my own" and item["text"] == item["at_arrival"] for item in plain)
    assert {item["url"]: item["text"] for item in articles} == {item["url"]: item["text"] for item in plain}
    # The response that is no page has no text and no title.
    assert [item["url"] for item in titles if item["title"] is None] == [START + "data.json"]
    # They are cleaned with what was known when they came.
    pages = [web.pages[item["url"]] for item in plain]
    charsets = [re.search(r"windows-1252|utf-8|$", page.content_type.lower()) for page in pages]
    given = [(page.url, page.body, {"charset": found[0]}) for page, found in zip(pages, charsets) if found]
    assert [item["text"] for item in plain] == [page.text for page in unframe.clean_pages(given, arrival=True)]
    assert not list(tmp_path.glob("*.unframe"))


def test_a_state_is_continued_by_the_next_crawl(web: Web, tmp_path: Path) -> None:
    settings = {"UNFRAME_STATE": "%(name)s.unframe", "UNFRAME_OUTPUT": "pages.jsonl", "UNFRAME_FIELDS": FIELDS}
    web.crawl(tmp_path, settings)
    first = (tmp_path / "pages.jsonl").read_bytes()
    assert first == command_line_records(web, first, tmp_path, "--fields", FIELDS)
    with unframe.Crawl.open(tmp_path / "demo.unframe") as known:
        assert sum(known.pages(site) for site in known.sites) == len(web.pages)
        assert len(known.sites) == 4
    # A crawl of a single page profits from it.
    url = next(url for url in web.pages if url.endswith("harbour-shop.example/3.html"))
    web.crawl(tmp_path, settings, start=url)
    second = (tmp_path / "pages.jsonl").read_bytes()
    wanted = [line for line in first.splitlines() if json.loads(line)["url"] == url]
    crawled = [line for line in second.splitlines() if json.loads(line)["url"] == url]
    assert len(wanted) == 1 and crawled == wanted


def test_a_job_that_was_paused(web: Web, tmp_path: Path) -> None:
    settings = {"JOBDIR": "job", "UNFRAME_OUTPUT": "pages.jsonl", "UNFRAME_FIELDS": FIELDS}
    first = web.crawl(tmp_path, {**settings, "CLOSESPIDER_PAGECOUNT": 8, "CONCURRENT_REQUESTS": 1})
    before = (tmp_path / "pages.jsonl").read_bytes()
    assert 0 < (first.stat("written") or 0) < len(web.pages)
    # As if it had been killed while it wrote a page.
    with (tmp_path / "job/unframe.pages").open("ab") as file:
        file.write(b"\x99\x01\x00\x00\x00\x00\x00\x00incomplete")
    web.crawl(tmp_path, settings)
    output = (tmp_path / "pages.jsonl").read_bytes()
    assert len(output.splitlines()) > len(before.splitlines())
    records = [json.loads(line) for line in output.splitlines()]
    # The second run asks for the start page again.
    assert {record["url"] for record in records} == set(web.pages)
    write_warc(tmp_path / "pages.warc.gz", [web.pages[record["url"]] for record in records])
    assert output == command_line("clean", tmp_path / "pages.warc.gz", "--format", "jsonl", "--fields", FIELDS)


def test_a_bad_page_does_not_stop_the_crawl(web: Web, tmp_path: Path) -> None:
    crawl = web.crawl(tmp_path, {"UNFRAME_OUTPUT": "pages.jsonl"}, middleware="spider.FlakyMiddleware")
    assert crawl.code == 0
    assert crawl.stat("errors") == 1
    assert crawl.stat("written") == len(web.pages) - 1
    assert "Cannot clean http://harbour-shop.example/3.html" in crawl.log
    url = "http://harbour-shop.example/3.html"
    bad = [item for item in crawl.items() if item["url"] == url and "at_arrival" in item]
    assert [item["at_arrival"] for item in bad] == [None]


def test_every_setting_is_documented() -> None:
    import unframe.scrapy as module

    assert all(f"``{name}``" in (module.__doc__ or "") for name in module._SETTINGS)


def test_turned_off(web: Web, tmp_path: Path) -> None:
    crawl = web.crawl(tmp_path, {"UNFRAME_ENABLED": False, "UNFRAME_OUTPUT": "pages.jsonl"})
    assert crawl.code == 0
    assert crawl.stat("pages") is None
    assert not (tmp_path / "pages.jsonl").exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"UNFRAME_OUPUT": "pages.jsonl"}, "there is no setting UNFRAME_OUPUT; choose from UNFRAME_ENABLED"),
        ({"UNFRAME_FIELDS": "url,txt"}, "UNFRAME_FIELDS: fields: there is no field `txt`"),
        ({"UNFRAME_ITEM_FIELDS": "txt"}, "UNFRAME_ITEM_FIELDS: fields: there is no field `txt`"),
        ({"UNFRAME_OPTIONS": {"favour": 1}}, "UNFRAME_OPTIONS: Crawl() got an unexpected keyword argument 'favour'"),
        ({"UNFRAME_OPTIONS": {"protect": "a:hover"}}, "UNFRAME_OPTIONS: protect: "),
        ({"UNFRAME_OUTPUT": "100%.jsonl"}, "UNFRAME_OUTPUT: '100%.jsonl' is no path"),
        ({"UNFRAME_OUTPUT": "spider.py/pages.jsonl"}, "spider.py"),
        ({"UNFRAME_STATE": "missing/demo.unframe"}, "there is no folder missing; create it first"),
        ({"UNFRAME_STATE": "spider.py"}, "this is not a state that unframe wrote"),
    ],
)
def test_wrong_settings_stop_the_crawl_at_its_start(
    web: Web, tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    crawl = web.crawl(tmp_path, settings)
    assert crawl.code != 0
    assert message in crawl.log
    assert "GET http" not in crawl.log
