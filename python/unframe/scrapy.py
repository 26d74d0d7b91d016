"""Scrapy: the pages of a crawl without the frame of their sites.

Needs Scrapy 2.15 or later. Add the middleware to the settings of the project, and say what is wanted::

    # settings.py
    SPIDER_MIDDLEWARES = {"unframe.scrapy.UnframeMiddleware": 950}
    UNFRAME_OUTPUT = "pages.jsonl.gz"
    UNFRAME_FIELDS = ["url", "title", "text"]
    UNFRAME_STATE = "project.unframe"

Every HTML response that reaches the spider is learned. There are three ways to the cleaned pages:

1. The spider gets each one in ``response.meta["unframe"]``, an :class:`unframe.Page` that was cleaned with what is
   known of its site by then. Other responses have none. ::

       def parse(self, response):
           page = response.meta.get("unframe")
           if page is not None:
               yield {"url": response.url, "title": page.title, "text": page.text}
               yield from response.follow_all(css="a")

2. ``UNFRAME_ITEM_FIELDS = ["text"]`` puts the same into the items that the spider yields.
3. ``UNFRAME_OUTPUT`` gets all pages when the crawl ends. They are cleaned again, with what is known of their whole
   sites by then, so this is the best result: the one of ``unframe clean`` for the same pages.

=======================  ===============================================================  =======================
setting                  meaning                                                          default
=======================  ===============================================================  =======================
``UNFRAME_OUTPUT``       File for all pages, as JSON lines; compressed if its name ends   none
                         with .gz. It is replaced when the new one is complete.
``UNFRAME_FIELDS``       Fields of these records, as those of ``unframe clean --fields``  those of unframe clean
``UNFRAME_ITEM_FIELDS``  Fields that are added to items: to dicts, and to other items     none
                         that declare them. The spider's own values are kept.
``UNFRAME_STATE``        File that keeps what is learned for the next crawl. Only one     none: it is forgotten
                         crawl at a time can use it.
``UNFRAME_OPTIONS``      Arguments of :class:`unframe.Crawl`, as in                       ``{}``
                         ``{"site_from": "domain", "favor_precision": True}``
``UNFRAME_ENABLED``      False turns the middleware off.                                  True
=======================  ===============================================================  =======================

Paths may contain ``%(name)s``, the name of the spider, and ``%(time)s``, when it was started, as in ``FEEDS``. With
``JOBDIR``, pages are kept there while a crawl is paused, and so is the state if it has no file of its own. Without,
they are kept in a temporary file (``TMPDIR``) until the crawl ends.

The stats of the crawl have ``unframe/pages`` (cleaned), ``unframe/not_html`` (ignored), ``unframe/errors``,
``unframe/sites`` and ``unframe/written``.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import re
import struct
import tempfile
import zlib
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.utils.asyncio import run_in_thread
from scrapy.utils.job import job_dir

import unframe

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

__all__ = ["UnframeMiddleware"]

logger = logging.getLogger(__name__)

_META = "unframe"
_SETTINGS = {
    "UNFRAME_ENABLED",
    "UNFRAME_FIELDS",
    "UNFRAME_ITEM_FIELDS",
    "UNFRAME_OPTIONS",
    "UNFRAME_OUTPUT",
    "UNFRAME_STATE",
}


class UnframeMiddleware(BaseSpiderMiddleware):
    """A spider middleware that learns the sites of a crawl and cleans their pages. See :mod:`unframe.scrapy`."""

    def __init__(self, crawler: Crawler):
        super().__init__(crawler)
        settings = crawler.settings
        if not settings.getbool("UNFRAME_ENABLED", True):
            raise NotConfigured
        _check_names(settings)
        self.fields = _fields(settings, "UNFRAME_FIELDS")
        self.item_fields = _fields(settings, "UNFRAME_ITEM_FIELDS")
        # Whatever cannot be opened should stop the crawl before it has begun.
        self.output = _path(crawler, "UNFRAME_OUTPUT")
        if self.output:
            self.output.parent.mkdir(parents=True, exist_ok=True)
        self.crawl = _open_crawl(crawler)
        job = job_dir(settings)
        self.kept = _KeptPages(Path(job) / "unframe.pages" if job else None) if self.output else None
        crawler.signals.connect(self.spider_closed, signal=signals.spider_closed)

    def process_spider_input(self, response: Response) -> None:
        stats = self.crawler.stats
        if not isinstance(response, HtmlResponse):
            stats.inc_value("unframe/not_html")
            return
        try:
            response.meta[_META] = self._clean(response)
        except Exception:
            stats.inc_value("unframe/errors")
            logger.exception("Cannot clean %s", response.url, extra={"spider": self.crawler.spider})
        else:
            stats.inc_value("unframe/pages")

    def _clean(self, response: HtmlResponse) -> unframe.Page:
        """Learns a page, and cleans it with what is known by now."""
        url, charset = response.url, _stated_charset(response)
        # A file:// URL has no host.
        site = self.crawl.site_of(url) or _spider_name(self.crawler)
        page = self.crawl.clean(response.body, url, site=site, charset=charset)
        if self.kept:
            self.kept.add(response.body, url=url, source=url, site=site, charset=charset)
        return page

    def get_processed_request(self, request: Request, response: Response | None) -> Request | None:
        # A spider may pass response.meta on, but a request that waits in a queue should not keep a page alive.
        if _META in request.meta:
            request = request.replace(meta={key: value for key, value in request.meta.items() if key != _META})
        return request

    def get_processed_item(self, item: Any, response: Response | None) -> Any:
        page = response.meta.get(_META) if response is not None else None
        if page is not None and self.item_fields and ItemAdapter.is_item(item):
            adapter = ItemAdapter(item)
            for name, value in page.to_dict(fields=self.item_fields).items():
                is_possible = isinstance(item, dict) or name in adapter.field_names()
                if is_possible and adapter.get(name) is None:
                    adapter[name] = value
        return item

    async def spider_closed(self) -> None:
        # Other crawls of the process go on meanwhile.
        await run_in_thread(self._finish)

    def _finish(self) -> None:
        """Cleans all pages again, with all that is known by now, and closes the state."""
        with self.crawl:
            self.crawler.stats.set_value("unframe/sites", len(self.crawl.sites))
            if self.output and self.kept:
                written = self._write(self.output, self.kept)
                self.crawler.stats.set_value("unframe/written", written)
                logger.info("Wrote %d cleaned pages to %s", written, self.output)

    def _write(self, output: Path, kept: _KeptPages) -> int:
        unfinished = output.with_name(f".{output.name}.{os.getpid()}")
        written = 0
        try:
            with (
                kept,
                self.crawl.clean_pages(kept, learn=kept.are_continued, render=()) as pages,
                gzip.open(unfinished, "wb") if output.suffix == ".gz" else unfinished.open("wb") as file,
            ):
                for page in pages:
                    file.write(page.to_json(fields=self.fields).encode() + b"\n")
                    written += 1
            unfinished.replace(output)
        finally:
            unfinished.unlink(missing_ok=True)
        return written


class _KeptPages:
    """Pages in a file, in their order: in a temporary one, or in one that is continued if it exists.

    Each page is the length of what follows, and this, compressed: a line of JSON, and the body.
    """

    length = struct.Struct("<Q")

    def __init__(self, path: Path | None):
        self.file: IO[bytes] = path.open("a+b") if path else tempfile.TemporaryFile()
        # If the crawl was killed, the last page may be incomplete, and the state may not know the last ones.
        complete = self._complete()
        self.file.truncate(complete)
        self.are_continued = complete > 0

    def _complete(self) -> int:
        """Where the last complete page ends."""
        size, end = self.file.seek(0, os.SEEK_END), 0
        while end + self.length.size <= size:
            self.file.seek(end)
            following = end + self.length.size + int(self.length.unpack(self.file.read(self.length.size))[0])
            if following > size:
                break
            end = following
        return end

    def add(self, body: bytes, **about: str | None) -> None:
        page = zlib.compress(json.dumps(about).encode() + b"\n" + body, 1)
        self.file.write(self.length.pack(len(page)) + page)
        self.file.flush()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.file.seek(0)
        while head := self.file.read(self.length.size):
            page = zlib.decompress(self.file.read(self.length.unpack(head)[0]))
            about, _, body = page.partition(b"\n")
            yield {**json.loads(about), "html": body}

    def __enter__(self) -> _KeptPages:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


def _check_names(settings: BaseSettings) -> None:
    for name in settings:
        if name.startswith("UNFRAME_") and name not in _SETTINGS:
            raise unframe.ArgumentError(f"there is no setting {name}; choose from {', '.join(sorted(_SETTINGS))}")


def _fields(settings: BaseSettings, name: str) -> list[str] | None:
    chosen: list[str] | None = settings.getlist(name) or None
    try:
        unframe.Site().clean(b"").to_dict(fields=chosen)
    except unframe.ArgumentError as error:
        raise unframe.ArgumentError(f"{name}: {error}") from None
    return chosen


def _spider_name(crawler: Crawler) -> str:
    return (crawler.spider or crawler.spidercls).name


def _path(crawler: Crawler, name: str) -> Path | None:
    given = crawler.settings.get(name)
    if not given:
        return None
    time = datetime.now(timezone.utc).replace(microsecond=0, tzinfo=None).isoformat().replace(":", "-")
    try:
        return Path(os.fspath(given) % {"name": _spider_name(crawler), "time": time})
    except (TypeError, ValueError, KeyError) as error:
        raise unframe.ArgumentError(
            f"{name}: {given!r} is no path with %(name)s or %(time)s ({error}); write %% for a percent sign"
        ) from None


def _open_crawl(crawler: Crawler) -> unframe.Crawl:
    state, job = _path(crawler, "UNFRAME_STATE"), job_dir(crawler.settings)
    if state is None and job:
        state = Path(job) / "unframe.state"
    try:
        # With reasons, as in the records of the command line.
        options = {"reasons": True, **crawler.settings.getdict("UNFRAME_OPTIONS")}
        return unframe.Crawl.open(state, **options) if state else unframe.Crawl(**options)
    except (TypeError, ValueError) as error:
        raise unframe.ArgumentError(f"UNFRAME_OPTIONS: {error}") from None


def _stated_charset(response: Response) -> str | None:
    """The charset that the server has stated. What Scrapy has guessed is not wanted: unframe detects it better."""
    content_type = (response.headers.get("Content-Type") or b"").decode("latin-1")
    stated = re.search(r"""charset\s*=\s*["']?([^\s"';,]+)""", content_type, re.IGNORECASE)
    return stated[1] if stated else None
