"""Learning: what each part shows of the sites, and how that becomes one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyarrow import compute

import unframe

from .jobs import STATES, LearnJob

# A batch of states is closed when it has this many bytes.
_BATCH_BYTES = 8 << 20

# Its functions are made when it is imported, so type checkers do not know them.
pc: Any = compute


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
                batch = batch.filter(has_site(batch.column(columns.site)))
            elif columns.url is not None:
                batch = batch.filter(has_site(site_names(batch.column(columns.url), job.site_from)))
            crawl.learn_table(batch, jobs=1, **columns.keywords())
        yield from _states((site, crawl.to_bytes(site), crawl.pages(site)) for site in crawl.sites)


def site_names(urls: pa.Array, site_from: str = "host") -> pa.Array:
    """The sites of URLs: the host or the domain. Null where a URL has none."""
    with unframe.Crawl(site_from=site_from) as crawl:  # type: ignore[arg-type]
        return pa.array([_site_of(crawl, url) for url in _texts(urls)], pa.string())


def merge_parts(batches: Iterable[pa.RecordBatch], job: LearnJob = LearnJob()) -> Iterator[pa.RecordBatch]:
    """Merges rows of the same site into one. The rows must be sorted by site.

    If there is a column ``is_old``, rows in which it is true come from an earlier run: pages that have changed since
    replace those of it. They must come after the other rows of their site.
    """
    return _states(_merged(batches, job))


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
                if site is not None and row_site < site:
                    raise unframe.ArgumentError("the rows must be sorted by the column 'site'")
                yield from done()
                site, crawl, alone = row_site, None, (state, pages, bool(old))
                continue
            if crawl is None and alone is not None:
                crawl = job.crawl(any_order=not alone[2])
                merge_state(crawl, row_site, alone[0])
                alone = None
            if crawl is not None and old:
                # What was learned now replaces what was learned then.
                now, crawl = crawl.to_bytes(row_site), job.crawl(any_order=False)
                merge_state(crawl, row_site, now)
            if crawl is not None:
                merge_state(crawl, row_site, state)
    yield from done()


def merge_state(crawl: unframe.Crawl, site: str, state: bytes) -> None:
    try:
        crawl.merge(state, site=site)
    except unframe.StateError as error:
        raise type(error)(f"the state of {site!r}: {error}") from None


def _states(rows: Iterable[tuple[str, bytes, int]]) -> Iterator[pa.RecordBatch]:
    """Rows as batches."""
    columns: tuple[list[Any], ...] = ([], [], [])
    size = 0
    for row in rows:
        for column, value in zip(columns, row, strict=True):
            column.append(value)
        size += len(row[1])
        if size >= _BATCH_BYTES:
            yield pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in zip(columns, STATES.types)], schema=STATES)
            columns, size = ([], [], []), 0
    if columns[0]:
        yield pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in zip(columns, STATES.types)], schema=STATES)


def _site_of(crawl: unframe.Crawl, url: str | None) -> str | None:
    return crawl.site_of(url) if url else None


def _texts(urls: pa.Array) -> list[str | None]:
    return [url.decode("utf-8", "replace") if isinstance(url, bytes) else url for url in urls.to_pylist()]


def has_site(sites: pa.Array) -> pa.Array:
    """Whether there is a name, and not an empty one."""
    return pc.fill_null(pc.not_equal(sites.cast(pa.string()), ""), False)
