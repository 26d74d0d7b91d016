"""What one task of a distributed job does with its part of the pages: Arrow in, Arrow out.

``unframe.spark`` runs these three functions on Spark, and they work as well in other engines that pass tables on::

    pages ─► learn_part ─► states ─┬─► sorted by site ─► merge_parts ─► states
                                   │
    pages ─► sorted by site, each site after its state ─► clean_part ─► texts

What is learned of a site is a sum over a sample of its pages, so it does not matter how pages are divided into
parts, and in which order they come: cleaning gives the same texts as ``unframe clean`` for all pages at once. Each
function takes an iterator of batches and is a generator of batches, and holds one batch of pages at a time.
"""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.compute as pc  # type: ignore[import-untyped, unused-ignore]

import unframe

__all__ = [
    "MOST_LISTED",
    "STATES",
    "CleanJob",
    "Columns",
    "LearnJob",
    "clean_part",
    "learn_part",
    "merge_parts",
    "site_names",
]

#: The columns of what is learned: a site, what ``Site.from_bytes`` and ``Crawl.merge`` read, and how many pages it
#: is learned from.
STATES = pa.schema([("site", pa.string()), ("state", pa.binary()), ("pages", pa.int64())])

#: Of sites with more pages, only some are listed in a state, so that its size is bounded. The number of pages is
#: then an estimate.
MOST_LISTED = 65_536

# A batch of states is closed when it has this many bytes.
_BATCH_BYTES = 8 << 20

_logger = logging.getLogger("unframe")


@dataclasses.dataclass(frozen=True)
class Columns:
    """Which columns of a table have the pages.

    Args:
        url: the URL; None if there is none.
        html: the page, as binary data or as text.
        site: the name of the site; None takes it from the URL. Pages without a site are not learned.
        charset: the charset that the transport stated.
        damage: a list of what is wrong with the page, as ``unframe.read(…).next_table()`` has it.
    """

    url: str | None = "url"
    html: str = "html"
    site: str | None = None
    charset: str | None = None
    damage: str | None = None

    def names(self) -> list[str]:
        """The names of those that there are."""
        return [name for name in dataclasses.astuple(self) if name is not None]

    def keywords(self) -> dict[str, Any]:
        """The arguments of :func:`unframe.clean_table`."""
        return {
            "url": self.url,
            "html": self.html,
            "site_column": self.site,
            "charset_column": self.charset,
            "damage_column": self.damage,
        }


@dataclasses.dataclass(frozen=True)
class LearnJob:
    """How pages are learned.

    Args:
        columns: the columns of the pages.
        site_from: what identifies a site, if there is no column for it: ``"host"`` or ``"domain"``.
        memory: bytes of main memory for what is learned; the rest is in a temporary file.
        method: another method than ``"auto"``.
    """

    columns: Columns = Columns()
    site_from: str = "host"
    memory: int = 256_000_000
    method: str = "auto"

    def crawl(self, *, any_order: bool = True) -> unframe.Crawl:
        return unframe.Crawl(
            site_from=self.site_from,  # type: ignore[arg-type]
            memory=self.memory,
            method=self.method,
            any_order=any_order,
            most_listed=MOST_LISTED,
        )


@dataclasses.dataclass(frozen=True)
class CleanJob:
    """How pages are cleaned.

    Args:
        columns: the columns of the pages. There must be one for the site.
        state: the column of the states.
        fields: the fields of the result, as those of ``unframe clean --fields``.
        keep: the columns that are passed on.
        body_only, include_links, include_images: as for :func:`unframe.extract`.
        memory: bytes of main memory for the sites of a batch; the rest is in a temporary file.
        settings: the settings of :func:`unframe.extract` that decide what is removed.
    """

    columns: Columns
    state: str = "state"
    fields: tuple[str, ...] = ("title", "text", "metadata", "confidence", "template_share", "flags")
    keep: tuple[str, ...] = ("url",)
    body_only: bool = False
    include_links: bool = True
    include_images: bool = False
    memory: int = 256_000_000
    settings: dict[str, Any] = dataclasses.field(default_factory=dict)

    def crawl(self) -> unframe.Crawl:
        return unframe.Crawl(memory=self.memory, **self.settings)

    def results(self) -> pa.Schema:
        """The types of the fields of the result."""
        return pa.schema([(name, _type(name)) for name in self.fields])


def learn_part(batches: Iterable[pa.RecordBatch], job: LearnJob = LearnJob()) -> Iterator[pa.RecordBatch]:
    """Learns pages. The result has one row for each of their sites, with the columns of :data:`STATES`.

    Several parts may have the same site: :func:`merge_parts` puts them together. Null pages, pages without a site
    and binary data are passed over.
    """
    columns = job.columns
    with job.crawl() as crawl:
        for batch in batches:
            batch = batch.select(columns.names())
            if columns.site is not None:
                batch = batch.filter(_has_site(batch.column(columns.site)))
            elif columns.url is not None:
                batch = batch.filter(_has_site(site_names(batch.column(columns.url), job.site_from)))
            crawl.learn_table(batch, jobs=1, **columns.keywords())
        yield from _states((site, crawl.to_bytes(site), crawl.pages(site)) for site in crawl.sites)


def site_names(urls: pa.Array, site_from: str = "host") -> pa.Array:
    """The sites of URLs: the host or the domain. Null where a URL has none."""
    with unframe.Crawl(site_from=site_from) as crawl:  # type: ignore[arg-type]
        return pa.array([_site_of(crawl, url) for url in _texts(urls)], pa.string())


def merge_parts(batches: Iterable[pa.RecordBatch], job: LearnJob = LearnJob()) -> Iterator[pa.RecordBatch]:
    """Merges rows of the same site into one. The rows must be sorted by site.

    If there is a column ``is_old``, rows in which it is true come from an earlier run: pages that have changed since
    replace those of it. They must be behind the other rows of their site.
    """
    return _states(_merged(batches, job))


def clean_part(batches: Iterable[pa.RecordBatch], job: CleanJob) -> Iterator[pa.RecordBatch]:
    """Cleans pages with what is known of their sites. Nothing is learned.

    The rows are states and pages: ``job.state`` is null in rows with a page. They must be sorted by site, the state of
    a site before its pages. Pages of sites without a state are judged by themselves.

    The result has one row for each page: the columns of ``job.keep``, and the fields. If a row has no page, a page
    without a site, or a page that cannot be read, ``flags`` says so: ``no-page``, ``no-site``, ``unreadable``.
    """
    site_column = job.columns.site
    if site_column is None:
        raise unframe.ArgumentError("clean_part needs the column of the sites: CleanJob(Columns(site=…))")
    asked = [*job.fields, *(name for name in ("flags", "state_pages") if name not in job.fields)]
    # The last state of the batches before.
    known: tuple[str, bytes] | None = None
    for batch in batches:
        states = batch.column(job.state)
        is_page = pc.is_null(states)
        sites = batch.column(site_column).cast(pa.string())
        page_sites = set(pc.unique(sites.filter(is_page)).to_pylist())
        with job.crawl() as crawl:
            if known and known[0] in page_sites:
                _merge(crawl, *known)
            of_states = pc.indices_nonzero(pc.invert(is_page)).to_pylist()
            for row in of_states:
                site = sites[row].as_py()
                if site in page_sites:
                    _merge(crawl, site, states[row].as_py())
            if of_states:
                known = sites[of_states[-1]].as_py(), states[of_states[-1]].as_py()
            if not page_sites:
                continue
            if None in page_sites:
                # The name of a site that nothing is known of.
                site_at = batch.schema.get_field_index(site_column)
                batch = batch.set_column(site_at, site_column, pc.fill_null(sites, ""))
            cleaned = crawl.clean_table(
                batch,
                **job.columns.keywords(),
                fields=asked,
                body_only=job.body_only,
                include_links=job.include_links,
                include_images=job.include_images,
                learn=False,
                jobs=1,
            ).to_pyarrow()
        is_null = batch.column(job.columns.html).is_null().filter(is_page)
        has_site = _has_site(sites).filter(is_page)
        kept = batch.select(list(job.keep)).filter(is_page)
        cleaned = cleaned.filter(is_page).combine_chunks()
        columns = {name: kept.column(name) for name in job.keep}
        for name in job.fields:
            columns[name] = _typed(name, cleaned.column(name))
        if "flags" in columns:
            is_cleaned = cleaned.column("state_pages").is_valid()
            columns["flags"] = _flags(columns["flags"], is_null, has_site, is_cleaned)
        yield pa.RecordBatch.from_arrays([_one(column) for column in columns.values()], list(columns))


def _merged(batches: Iterable[pa.RecordBatch], job: LearnJob) -> Iterator[tuple[str, bytes, int]]:
    # The site, its only state so far, or the crawl that all of its states are merged into.
    site: str | None = None
    alone: tuple[bytes, int, bool] | None = None
    crawl: unframe.Crawl | None = None

    def done() -> Iterator[tuple[str, bytes, int]]:
        if site is not None and crawl is not None:
            yield site, crawl.to_bytes(site), crawl.pages(site)
            crawl.close()
        elif site is not None and alone is not None:
            # As it is: nothing has to be unpacked.
            yield site, alone[0], alone[1]

    for batch in batches:
        names = batch.schema.names
        is_old = batch.column("is_old").to_pylist() if "is_old" in names else [False] * batch.num_rows
        for row, old in enumerate(is_old):
            row_site = batch.column("site")[row].as_py()
            state, pages = batch.column("state")[row].as_py(), batch.column("pages")[row].as_py()
            if row_site != site:
                yield from done()
                site, crawl, alone = row_site, None, (state, pages, bool(old))
                continue
            if crawl is None and alone is not None:
                crawl = job.crawl(any_order=not alone[2])
                _merge(crawl, row_site, alone[0])
                alone = None
            if crawl is not None and old:
                # What was learned now replaces what was learned then.
                now, crawl = crawl.to_bytes(row_site), job.crawl(any_order=False)
                _merge(crawl, row_site, now)
            if crawl is not None:
                _merge(crawl, row_site, state)
    yield from done()


def _merge(crawl: unframe.Crawl, site: str, state: bytes) -> None:
    try:
        crawl.merge(state, site=site)
    except unframe.StateError as error:
        raise type(error)(f"the state of {site!r}: {error}") from None


def _states(rows: Iterable[tuple[str, bytes, int]]) -> Iterator[pa.RecordBatch]:
    """Rows as batches."""
    columns: tuple[list[str], list[bytes], list[int]] = ([], [], [])
    size = 0
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            column.append(value)  # type: ignore[arg-type]
        size += len(row[1])
        if size >= _BATCH_BYTES:
            yield pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in zip(columns, STATES.types)], schema=STATES)
            columns, size = ([], [], []), 0
    if columns[0]:
        yield pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in zip(columns, STATES.types)], schema=STATES)


def _site_of(crawl: unframe.Crawl, url: str | None) -> str | None:
    return crawl.site_of(url) if url else None


def _has_site(sites: pa.Array) -> pa.Array:
    return pc.fill_null(pc.greater(pc.binary_length(sites), 0), False)


def _texts(urls: pa.Array) -> list[str | None]:
    return [url.decode("utf-8", "replace") if isinstance(url, bytes) else url for url in urls.to_pylist()]


def _type(field: str) -> pa.DataType:
    match field:
        case "flags":
            return pa.list_(pa.string())
        case "metadata":
            return pa.map_(pa.string(), pa.string())
        case "confidence" | "template_share":
            return pa.float64()
        case "state_pages":
            return pa.int64()
        case _:
            return pa.string()


def _typed(field: str, column: pa.ChunkedArray) -> pa.Array:
    """A field of the result. Lists and objects other than the flags and the metadata are JSON text."""
    match field:
        case "flags":
            values = [json.loads(text) if text else None for text in column.to_pylist()]
        case "metadata":
            values = [list(json.loads(text).items()) if text else None for text in column.to_pylist()]
        case _:
            return _one(column.cast(_type(field)))
    return pa.array(values, _type(field))


def _flags(flags: pa.Array, is_null: pa.Array, has_site: pa.Array, is_cleaned: pa.Array) -> pa.Array:
    if pc.all(is_cleaned).as_py() and pc.all(has_site).as_py():
        return flags
    found = []
    rows = zip(flags.to_pylist(), is_null.to_pylist(), has_site.to_pylist(), is_cleaned.to_pylist(), strict=True)
    for of_page, no_page, known, cleaned in rows:
        of_page = of_page or []
        if not cleaned:
            of_page = ["no-page" if no_page else "unreadable"]
        found.append(of_page if known else [*of_page, "no-site"])
    return pa.array(found, _type("flags"))


def _one(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column of one chunk."""
    if not isinstance(column, pa.ChunkedArray):
        return column
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
