"""Learning and cleaning of all pages of a data frame.

Learning: each task learns its pages, and what tasks have learned of the same site is merged, in two steps, because
the largest sites have a part in every task.

Cleaning: pages are sorted by site, each site after its state. The pages of a large site are dealt out to several
tasks (its *salts*), with a copy of its state for each, so no task has more than some thousand pages of a site.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, Literal

from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, DoubleType, LongType, MapType, StringType, StructField, StructType

import unframe
from unframe.parts import CleanJob, LearnJob, clean_part, learn_part, merge_parts

from .pages import SALT, SITE, STATE, Pages, Site, check_states

#: The columns of what is learned.
STATES = "site string, state binary, pages bigint"

#: What all tasks have learned of a site is first merged into at most as many parts.
_MERGED_PARTS = 32

#: Pages of unknown sites are dealt out to as many tasks.
_UNKNOWN_SALTS = 16


def learn(
    pages: DataFrame,
    *,
    states: DataFrame | None = None,
    site: Site = "host",
    url: str | None = "url",
    html: str = "html",
    method: str = "auto",
    memory: int = 256_000_000,
) -> DataFrame:
    """Learns the frame of the sites of pages.

    The result does not depend on how the pages are divided into partitions, nor on their order. A site takes at most
    some megabytes: it is known by a sample of 256 pages and a list of up to 65,536. With more pages than that,
    ``pages`` is an estimate.

    Args:
        pages: a data frame with a page in each row, as :func:`read_warc` gives it.
        states: what was learned before, to be added to. A page that has changed replaces its former version.
        site: what identifies a site: ``"host"`` or ``"domain"`` of the URL, or a column, as in ``pages.site``. Rows
            without a site are not learned.
        url, html: the columns of the URLs and of the pages. ``html`` may be binary, or a string.
        method: another method than ``"auto"``. The pages must be cleaned with the same one.
        memory: bytes of main memory that the sites of a task may take; the rest is in a temporary file.

    Returns:
        ``site``, ``state`` (what ``Site.from_bytes`` reads, too), and ``pages``: how many pages it is learned from.
    """
    given = Pages.of(pages, url=url, html=html, site=site)
    unframe.Crawl(method=method, memory=memory).close()
    return _learn(given, states, method=method, memory=memory)


def _learn(given: Pages, states: DataFrame | None, *, method: str, memory: int) -> DataFrame:
    frame, columns = given.to_learn()
    site_from = "host" if isinstance(given.site, Column) else given.site
    job = LearnJob(columns, site_from=site_from, method=method, memory=memory)
    merge = functools.partial(merge_parts, job=job)
    parts = frame.mapInArrow(functools.partial(learn_part, job=job), STATES)
    parts = parts.withColumn("part", F.spark_partition_id() % _MERGED_PARTS)
    parts = parts.repartition("site", "part").sortWithinPartitions("site", "part").mapInArrow(merge, STATES)
    parts = parts.withColumn("is_old", F.lit(False))
    if states is not None:
        parts = parts.unionByName(check_states(states).withColumn("is_old", F.lit(True)))
    return parts.repartition("site").sortWithinPartitions("site", "is_old").mapInArrow(merge, STATES)


def clean(
    pages: DataFrame,
    *,
    states: DataFrame | None = None,
    site: Site = "host",
    format: Literal["text", "markdown", "html"] = "text",
    fields: Iterable[str] | None = None,
    keep: Iterable[str] | None = None,
    url: str | None = "url",
    html: str = "html",
    body_only: bool = False,
    include_links: bool = True,
    include_images: bool = False,
    most_pages: int = 20_000,
    memory: int = 256_000_000,
    **settings: Any,
) -> DataFrame:
    """Removes the frame from pages, each with what is known of its whole site.

    The result has one row for each page, in any order. Pages that cannot be cleaned have a flag that says why:
    ``no-page``, ``no-site``, ``unreadable``.

    Args:
        pages: a data frame with a page in each row, as :func:`read_warc` gives it. Without ``states``, it is read
            twice: if that is expensive, ``persist`` it.
        states: what :func:`learn` has learned. Nothing more is learned then; pages of other sites are judged by
            themselves. Without it, all pages are learned first, and what is learned is kept on the disks of the
            executors as long as the session lasts.
        site: what identifies a site: ``"host"`` or ``"domain"`` of the URL, or a column, as in ``pages.site``.
        format: what is kept of the pages: ``"text"``, ``"markdown"`` or ``"html"``, a column of this name.
        fields: other columns instead of ``title``, the format, ``metadata``, ``confidence``, ``template_share`` (the
            removed share of the text) and ``flags``: fields as those of ``unframe clean --fields``. Names with ``+``
            are added to these. Lists and objects other than the metadata and the flags are JSON.
        keep: columns of ``pages`` that are passed on. Default: all but those of the page itself.
        url, html: the columns of the URLs and of the pages. ``html`` may be binary, or a string.
        body_only: leave out headline, byline, date and captions of an article.
        include_links, include_images: write them in Markdown.
        most_pages: pages of a site that one task gets, about.
        memory: bytes of main memory that the sites of a task may take; the rest is in a temporary file.
        **settings: those of :func:`unframe.extract` that decide what is removed: ``favor_precision``,
            ``favor_recall``, ``include_comments``, ``protect``, ``remove_selector``, ``remove``, ``owner_marks``,
            ``method``.
    """
    given = Pages.of(pages, url=url, html=html, site=site)
    if not isinstance(most_pages, int) or most_pages < 1:
        raise unframe.ArgumentError(f"most_pages must be a whole number from 1 on, not {most_pages!r}")
    job = job_of(
        given,
        format=format,
        fields=fields,
        keep=keep,
        body_only=body_only,
        include_links=include_links,
        include_images=include_images,
        memory=memory,
        settings=settings,
    )
    if states is None:
        method = settings.get("method", "auto")
        # It is needed twice: which sites are large, and for their pages.
        states = _learn(given, None, method=method, memory=memory).persist(StorageLevel.DISK_ONLY)
    states = check_states(states)

    salts = F.ceil(F.col("pages") / most_pages).cast("int")
    large = states.where(F.col("pages") > most_pages).select(F.col("site").alias(SITE), salts.alias("_unframe_salts"))
    name = given.columns.url or given.columns.html
    hashed = F.xxhash64(F.coalesce(F.col(name), F.lit("") if given.columns.url else F.lit(b"")))
    salt = F.when(F.col(SITE).isNull(), F.pmod(hashed, F.lit(_UNKNOWN_SALTS)))
    salt = salt.when(F.col("_unframe_salts").isNull(), 0).otherwise(F.pmod(hashed, F.col("_unframe_salts")))
    rows = given.with_sites().join(F.broadcast(large), SITE, "left").withColumn(SALT, salt.cast("int"))
    needed = dict.fromkeys([*job.keep, *job.columns.names()])
    rows = rows.select(*needed, SALT, F.lit(None).cast("binary").alias(STATE))

    copies = F.explode(F.sequence(F.lit(0), F.greatest(salts, F.lit(1)) - 1))
    known = states.select(F.col("site").alias(SITE), F.col("state").alias(STATE), copies.alias(SALT))
    rows = rows.unionByName(known, allowMissingColumns=True)
    rows = rows.repartition(SITE, SALT).sortWithinPartitions(SITE, SALT, F.col(STATE).isNull()).drop(SALT)
    return rows.mapInArrow(functools.partial(clean_part, job=job), results(given, job))


def job_of(
    given: Pages,
    *,
    format: str,
    fields: Iterable[str] | None,
    keep: Iterable[str] | None,
    body_only: bool,
    include_links: bool,
    include_images: bool,
    memory: int,
    settings: dict[str, Any],
) -> CleanJob:
    """How pages are cleaned. Wrong settings are noticed here, not in some task."""
    if format not in ("text", "markdown", "html"):
        raise unframe.ArgumentError(f"format must be 'text', 'markdown' or 'html', not {format!r}")
    usual = ["title", format, "metadata", "confidence", "template_share", "flags"]
    asked = usual if fields is None else [fields] if isinstance(fields, str) else list(fields)
    if asked and all(name.startswith("+") for name in asked):
        asked = [*usual, *(name[1:] for name in asked if name[1:] not in usual)]
    unframe.Site().clean(b"").to_dict(fields=asked)
    kept = given.others if keep is None else (keep,) if isinstance(keep, str) else tuple(keep)
    for name in kept:
        if name not in given.frame.columns:
            raise unframe.ArgumentError(f"the pages have no column {name!r} to keep, but {', '.join(given.frame.columns)}")
    if keep is None:
        # What is asked for has been found out anew.
        kept = tuple(name for name in kept if name not in asked)
    both = [name for name in kept if name in asked]
    if both:
        raise unframe.ArgumentError(
            f"{', '.join(both)}: a field of the result and a column to keep; leave it out of keep= or of fields="
        )
    job = CleanJob(
        columns=given.columns,
        state=STATE,
        fields=tuple(asked),
        keep=kept,
        body_only=body_only,
        include_links=include_links,
        include_images=include_images,
        memory=memory,
        settings=settings,
    )
    job.crawl().close()
    return job


def results(given: Pages, job: CleanJob) -> StructType:
    """The schema of the result."""
    kept = [StructField(name, given.frame.schema[name].dataType) for name in job.keep]
    return StructType([*kept, *(StructField(name, _type(name)) for name in job.fields)])


def _type(field: str) -> DataType:
    match field:
        case "flags":
            return ArrayType(StringType())
        case "metadata":
            return MapType(StringType(), StringType())
        case "confidence" | "template_share":
            return DoubleType()
        case "state_pages":
            return LongType()
        case _:
            return StringType()
