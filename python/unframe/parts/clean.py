"""Cleaning: pages beside what is known of their sites, or whole sites that are learned first."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyarrow import compute

import unframe

from . import jobs
from .groups import Groups
from .jobs import CleanJob
from .learn import has_site, merge_state

# Its functions are made when it is imported, so type checkers do not know them.
pc: Any = compute


def clean_part(batches: Iterable[pa.RecordBatch], job: CleanJob) -> Iterator[pa.RecordBatch]:
    """Cleans pages with what is known of their sites. Nothing is learned.

    The rows are states and pages: ``job.state`` is null in rows with a page. They must be sorted by site, the states of
    a site before its pages. Pages of sites without a state are judged by themselves.

    The result has one row for each page: the columns of ``job.keep``, and the fields. If a row has no page, a page
    without a site, or a page that cannot be read, ``flags`` says so: ``no-page``, ``no-site``, ``unreadable``.
    """
    part = _Part(job, "clean_part")
    for batch in batches:
        yield from part.clean(batch)


def clean_sites(batches: Iterable[pa.RecordBatch], job: CleanJob) -> Iterator[pa.RecordBatch]:
    """Learns and cleans whole sites. The rows are pages, sorted by site, and all pages of a site must be here.

    The result is that of :func:`clean_part`. Small sites are cleaned together. The pages of a larger one wait in a
    temporary file (``TMPDIR``) until all of them are learned.
    """
    for kind, rows in Groups(batches, _site_column(job, "clean_sites")):
        if kind == "large":
            with _Large(job) as site:
                for batch in rows:
                    site.add(batch)
                yield from site.cleaned()
        else:
            yield from _cleaned_group(kind == "small", rows, job)


def deal_out(
    batches: Iterable[pa.RecordBatch], job: CleanJob, *, most_pages: int, salt: str
) -> Iterator[pa.RecordBatch]:
    """Cleans whole sites as :func:`clean_sites` does, but only those with at most ``most_pages`` pages, about.

    The result has the columns of the result of :func:`clean_sites`, those of the pages, ``job.state`` and ``salt``.
    Rows with a null ``salt`` are cleaned pages. The others are for :func:`clean_dealt`: the pages of larger sites,
    dealt out to salts, and what is known of their site, once for each salt. Which page gets which salt depends on the
    order of pages, so that must be the same if a task is repeated.
    """
    column = _site_column(job, "deal_out")
    for kind, rows in Groups(batches, column):
        rows = iter(rows)
        first = next(rows)
        schema = _dealt_schema(first.schema, job, salt)
        rows = itertools.chain([first], rows)
        if kind != "large":
            for cleaned in _cleaned_group(kind == "small", rows, job, also=(column,)):
                yield _as(cleaned, schema)
            continue
        with _Large(job) as site:
            for batch in rows:
                site.add(batch)
                if site.pages > most_pages:
                    break
            else:
                for cleaned in site.cleaned(also=(column,)):
                    yield _as(cleaned, schema)
                continue
            salts = 0
            for batch in itertools.chain(site.waiting(), site.learning(rows)):
                for start in range(0, batch.num_rows, most_pages):
                    # Batches are not cut further, so salts have somewhat more pages.
                    some = batch.slice(start, most_pages)
                    site.dealt += some.num_rows
                    number = (site.dealt - 1) // most_pages
                    salts = max(salts, number + 1)
                    yield _as(some.append_column(salt, pa.array([number] * some.num_rows, pa.int32())), schema)
            state, name = site.state(), first.column(column)[0].as_py()
            for number in range(salts if state is not None else 0):
                known = {column: [name], job.state: [state], salt: [number]}
                types = [schema.field(one).type for one in known]
                columns = [pa.array(value, kind) for value, kind in zip(known.values(), types)]
                yield _as(pa.RecordBatch.from_arrays(columns, list(known)), schema)


def clean_dealt(batches: Iterable[pa.RecordBatch], job: CleanJob, *, salt: str) -> Iterator[pa.RecordBatch]:
    """Cleans what :func:`deal_out` has left, and passes on what it has cleaned.

    The rows must be sorted by site and ``salt``, the states before the pages, and all rows with the same site and the
    same salt must be here. The result is that of :func:`clean_sites`.
    """
    part = _Part(job, "clean_dealt")
    for batch in batches:
        is_done = pc.is_null(batch.column(salt))
        if pc.any(is_done).as_py():
            yield batch.filter(is_done).select([*job.keep, *job.fields])
            batch = batch.filter(pc.invert(is_done))
        if batch.num_rows:
            yield from part.clean(batch)


class _Part:
    """What is known of the last site of the batches so far."""

    def __init__(self, job: CleanJob, function: str):
        self._job = job
        self._site_column = _site_column(job, function)
        self._site: str | None = None
        self._states: list[bytes] = []

    def clean(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        states = batch.column(_one_of(batch, self._job.state))
        sites = batch.column(_one_of(batch, self._site_column)).cast(pa.string())
        is_page = pc.is_null(states)
        page_sites = set(pc.unique(sites.filter(is_page)).to_pylist())
        with self._job.crawl() as crawl:
            for state in self._states if self._site in page_sites else ():
                merge_state(crawl, str(self._site), state)
            for row in pc.indices_nonzero(pc.invert(is_page)).to_pylist():
                site, state = sites[row].as_py(), states[row].as_py()
                if site != self._site:
                    self._site, self._states = site, []
                self._states.append(state)
                if site in page_sites:
                    merge_state(crawl, site, state)
            if page_sites:
                yield from _cleaned(crawl, batch.filter(is_page), self._job)


class _Large:
    """The pages of a site, which is learned while they wait in a file."""

    def __init__(self, job: CleanJob):
        self._job = job
        self._file = tempfile.TemporaryFile()
        self._writer: Any = None
        # What it exports has the size of what a task learns of a part.
        self._crawl = job.crawl(any_order=True, most_listed=jobs.MOST_LISTED)
        self.pages = 0
        self.dealt = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self._writer = self._writer or pa.ipc.new_stream(self._file, batch.schema)
        self._writer.write_batch(batch)
        self._learn(batch)
        self.pages += batch.num_rows

    def learning(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The same batches. They are learned, and do not wait."""
        for batch in batches:
            self._learn(batch)
            yield batch

    def waiting(self) -> Iterator[pa.RecordBatch]:
        self._writer.close()
        self._file.seek(0)
        yield from pa.ipc.open_stream(self._file)

    def cleaned(self, also: tuple[str, ...] = ()) -> Iterator[pa.RecordBatch]:
        for batch in self.waiting():
            yield from _cleaned(self._crawl, batch, self._job, also=also)

    def state(self) -> bytes | None:
        """What is known of the site; none if no page could be read."""
        return next((self._crawl.to_bytes(site) for site in self._crawl.sites), None)

    def _learn(self, batch: pa.RecordBatch) -> None:
        self._crawl.learn_table(batch, jobs=1, **self._job.columns.keywords())

    def __enter__(self) -> _Large:
        return self

    def __exit__(self, *_: object) -> None:
        self._crawl.close()
        self._file.close()


def _cleaned_group(
    learn: bool, rows: Iterable[pa.RecordBatch], job: CleanJob, *, also: tuple[str, ...] = ()
) -> Iterator[pa.RecordBatch]:
    """Rows of whole small sites, or of pages without a site."""
    with job.crawl() as crawl:
        yield from _cleaned(crawl, pa.Table.from_batches(list(rows)), job, learn=learn, also=also)


def _cleaned(
    crawl: unframe.Crawl,
    pages: pa.RecordBatch | pa.Table,
    job: CleanJob,
    *,
    learn: bool = False,
    also: tuple[str, ...] = (),
) -> Iterator[pa.RecordBatch]:
    """Pages, cleaned by what a crawl knows; with the columns of the result, and some others."""
    sites = pages.column(job.columns.site)
    given = pages
    if sites.null_count:
        # The name of a site that nothing is known of.
        at = pages.schema.get_field_index(job.columns.site)
        given = pages.set_column(at, job.columns.site, pc.fill_null(sites, ""))
    asked = [*job.fields, *(name for name in ("flags", "state_pages") if name not in job.fields)]
    cleaned = crawl.clean_table(
        given,
        **job.columns.keywords(),
        fields=asked,
        body_only=job.body_only,
        include_links=job.include_links,
        include_images=job.include_images,
        learn=learn,
        jobs=1,
    ).to_pyarrow()
    columns = {name: pages.column(name) for name in (*job.keep, *also)}
    for field in job.results():
        columns[field.name] = _typed(field, cleaned.column(field.name))
    if "flags" in columns:
        is_null = pages.column(job.columns.html).is_null()
        is_cleaned = cleaned.column("state_pages").is_valid()
        columns["flags"] = _flags(columns["flags"], is_null, has_site(sites), is_cleaned)
    yield from pa.table(columns).combine_chunks().to_batches()


def _typed(field: pa.Field, column: pa.ChunkedArray) -> pa.Array:
    if pa.types.is_list(field.type):
        return pa.array([json.loads(text) if text else None for text in column.to_pylist()], field.type)
    if pa.types.is_map(field.type):
        return pa.array([list(json.loads(text).items()) if text else None for text in column.to_pylist()], field.type)
    return column.cast(field.type)


def _flags(flags: pa.Array, is_null: pa.Array, is_sited: pa.Array, is_cleaned: pa.Array) -> pa.Array:
    if pc.all(is_cleaned).as_py() and pc.all(is_sited).as_py():
        return flags
    found = []
    rows = zip(flags.to_pylist(), is_null.to_pylist(), is_sited.to_pylist(), is_cleaned.to_pylist(), strict=True)
    for of_page, no_page, sited, cleaned in rows:
        of_page = of_page or []
        if not cleaned:
            of_page = ["no-page" if no_page else "unreadable"]
        found.append(of_page if sited else [*of_page, "no-site"])
    return pa.array(found, flags.type)


def _dealt_schema(pages: pa.Schema, job: CleanJob, salt: str) -> pa.Schema:
    """The columns of what is cleaned, and of what is left."""
    kept = [pages.field(name) for name in job.keep]
    left = [pages.field(name) for name in job.columns.names() if name not in job.keep]
    return pa.schema([*kept, *job.results(), *left, (job.state, pa.binary()), (salt, pa.int32())])


def _as(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The columns of the schema; those that are missing are null."""
    has = batch.schema.names
    rows = batch.num_rows
    columns = [batch.column(field.name) if field.name in has else pa.nulls(rows, field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _site_column(job: CleanJob, function: str) -> str:
    if job.columns.site is None:
        raise unframe.ArgumentError(f"{function} needs the column of the sites: CleanJob(Columns(site=…))")
    return job.columns.site


def _one_of(batch: pa.RecordBatch, name: str) -> str:
    if name not in batch.schema.names:
        raise unframe.ArgumentError(f"the rows have no column {name!r}, but {', '.join(batch.schema.names)}")
    return name
