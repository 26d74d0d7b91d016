"""What one task of a distributed job does with its part of the pages: Arrow in, Arrow out.

``unframe.spark`` runs these functions on Spark, and they work as well in other engines that pass tables on. If all
pages of a site come to one task::

    pages ─► sorted by site ─► clean_sites ─► texts

Sites that are too large for that are learned in parts, and what is learned can be kept::

    pages ─► learn_part ─► sorted by site ─► merge_parts ─► states
                                                               │
    pages ─► sorted by site, each site after its state ◄───────┘ ─► clean_part ─► texts

What is learned of a site is a sum over a sample of its pages, so it does not matter how pages are divided into
parts, and in which order they come: cleaning gives the same texts as ``unframe clean`` for all pages at once. Each
function takes an iterator of batches and is a generator of batches, and holds one batch of pages at a time.
"""

from __future__ import annotations

import dataclasses
import json
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyarrow import compute

import unframe

__all__ = [
    "MOST_LISTED",
    "STATES",
    "CleanJob",
    "Columns",
    "LearnJob",
    "clean_part",
    "clean_sites",
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

# Sites are cleaned together while their pages have fewer bytes; one that has more waits in a file.
_GROUP_BYTES = 32 << 20

# Its functions are made when it is imported, so type checkers do not know them.
pc: Any = compute


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

    def crawl(self, *, any_order: bool = False) -> unframe.Crawl:
        return unframe.Crawl(memory=self.memory, any_order=any_order, **self.settings)

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
    _check_site_column(job, "clean_part")
    # The last state of the batches before.
    known: tuple[str, bytes] | None = None
    for batch in batches:
        states = batch.column(job.state)
        is_page = pc.is_null(states)
        sites = batch.column(job.columns.site).cast(pa.string())
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
            if page_sites:
                yield from _cleaned(crawl, batch.filter(is_page) if of_states else batch, job)


def clean_sites(batches: Iterable[pa.RecordBatch], job: CleanJob) -> Iterator[pa.RecordBatch]:
    """Learns and cleans whole sites. The rows are pages, sorted by site, and all pages of a site must be here.

    The result is that of :func:`clean_part`. Small sites are cleaned together. The pages of a larger one wait in a
    temporary file (``TMPDIR``) until all of them are learned.
    """
    _check_site_column(job, "clean_sites")
    group = _Group(job)
    for batch in batches:
        has_site = _has_site(batch.column(job.columns.site))
        if not pc.all(has_site).as_py():
            with job.crawl() as crawl:
                yield from _cleaned(crawl, batch.filter(pc.invert(has_site)), job)
            batch = batch.filter(has_site)
        if not batch.num_rows:
            continue
        # A group can end before a site begins: behind the rows of the site before, and before the last site, of
        # which more may follow.
        runs = pc.run_end_encode(batch.column(job.columns.site))
        starts = [0, *runs.run_ends.to_pylist()[:-1]]
        if runs.values[0].as_py() == group.last_site:
            starts = starts[1:]
        done = 0
        for start in dict.fromkeys([*starts[:1], *starts[-1:]]):
            group.add(batch.slice(done, start - done))
            done = start
            if group.is_large():
                yield from group.cleaned()
        group.add(batch.slice(done))
        if group.is_large():
            group.wait()
        group.last_site = runs.values[-1].as_py()
    yield from group.cleaned()


class _Group:
    """Rows of sites that are cleaned together. When they are, they must have all pages of their sites."""

    def __init__(self, job: CleanJob):
        self.job = job
        self.last_site: str | None = None
        self._rows: list[pa.RecordBatch] = []
        # Where the rows of a large site wait: a file, its writer, and the crawl that has learned them.
        self._waiting: tuple[Any, Any, unframe.Crawl] | None = None

    def add(self, rows: pa.RecordBatch) -> None:
        if rows.num_rows:
            self._rows.append(rows)

    def is_large(self) -> bool:
        return self._waiting is not None or sum(rows.nbytes for rows in self._rows) >= _GROUP_BYTES

    def wait(self) -> None:
        """Learns the rows, and writes them to the file."""
        if not self._waiting:
            file = tempfile.TemporaryFile()
            self._waiting = file, pa.ipc.new_stream(file, self._rows[0].schema), self.job.crawl(any_order=True)
        _, writer, crawl = self._waiting
        for rows in self._rows:
            crawl.learn_table(rows, jobs=1, **self.job.columns.keywords())
            writer.write_batch(rows)
        self._rows.clear()

    def cleaned(self) -> Iterator[pa.RecordBatch]:
        """Cleans all rows."""
        if self._waiting:
            self.wait()
            file, writer, crawl = self._waiting
            self._waiting = None
            with file, crawl:
                writer.close()
                file.seek(0)
                for rows in pa.ipc.open_stream(file):
                    yield from _cleaned(crawl, rows, self.job)
        elif self._rows:
            rows, self._rows = pa.Table.from_batches(self._rows), []
            with self.job.crawl() as crawl:
                yield from _cleaned(crawl, rows, self.job, learn=True)


def _cleaned(
    crawl: unframe.Crawl, pages: pa.RecordBatch | pa.Table, job: CleanJob, *, learn: bool = False
) -> Iterator[pa.RecordBatch]:
    """Rows with pages, cleaned by what a crawl knows."""
    sites = pages.column(job.columns.site)
    if sites.null_count:
        # The name of a site that nothing is known of.
        site_at = pages.schema.get_field_index(job.columns.site)
        pages = pages.set_column(site_at, job.columns.site, pc.fill_null(sites, ""))
    asked = [*job.fields, *(name for name in ("flags", "state_pages") if name not in job.fields)]
    cleaned = crawl.clean_table(
        pages,
        **job.columns.keywords(),
        fields=asked,
        body_only=job.body_only,
        include_links=job.include_links,
        include_images=job.include_images,
        learn=learn,
        jobs=1,
    ).to_pyarrow()
    columns = {name: pages.column(name) for name in job.keep}
    for name in job.fields:
        columns[name] = _typed(name, cleaned.column(name))
    if "flags" in columns:
        is_null = pages.column(job.columns.html).is_null()
        is_cleaned = cleaned.column("state_pages").is_valid()
        columns["flags"] = _flags(columns["flags"], is_null, _has_site(sites), is_cleaned)
    yield from pa.table(columns).combine_chunks().to_batches()


def _check_site_column(job: CleanJob, function: str) -> None:
    if job.columns.site is None:
        raise unframe.ArgumentError(f"{function} needs the column of the sites: CleanJob(Columns(site=…))")


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
            return column.cast(_type(field))
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
