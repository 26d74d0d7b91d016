"""Learning and cleaning of all pages of a data frame.

Learning: each task learns its pages, and what tasks have learned of the same site is merged, in two steps, because
the largest sites have a part in every task.

Cleaning: pages are sorted by site. All pages of most sites come to one task, which learns and cleans them. Large sites
are learned in parts. Their pages are dealt out to several tasks (by *salt*), each with a copy of the site's state, so
no task has more than some thousand pages of a site.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, DoubleType, LongType, MapType, StringType, StructField, StructType

import unframe
from unframe.parts import CleanJob, LearnJob, clean_part, clean_sites, learn_part, merge_parts

from .pages import SALT, SITE, STATE, Pages, Site, check_states

#: The columns of what is learned.
STATES = "site string, state binary, pages bigint"

#: What all tasks have learned of a site is first merged into at most as many parts.
_MERGED_PARTS = 32

#: A large site is learned in as many parts at most.
_LARGE_PARTS = 64

#: Pages of unknown sites are dealt out to as many tasks.
_UNKNOWN_SALTS = 16

_SALTS = "_unframe_salts"
_LARGE = "_unframe_large"
_PAGES = "_unframe_pages"


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
    frame, columns = given.to_learn()
    site_from = "host" if isinstance(site, Column) else site
    job = LearnJob(columns, site_from=site_from, method=method, memory=memory)
    job.crawl().close()
    return _merge_parts(_learn_parts(frame, job), job, states)


def _learn_parts(pages: DataFrame, job: LearnJob) -> DataFrame:
    """What each task has learned of its pages."""
    return pages.mapInArrow(functools.partial(learn_part, job=job), STATES)


def _merge_parts(parts: DataFrame, job: LearnJob, states: DataFrame | None) -> DataFrame:
    """Merges what tasks have learned, and what is known from before."""
    merge = functools.partial(merge_parts, job=job)
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
    most_pages: int = 10_000,
    memory: int = 256_000_000,
    **settings: Any,
) -> DataFrame:
    """Removes the frame from pages, each with what is known of its whole site.

    The result has one row for each page, in any order. Pages that cannot be cleaned have a flag that says why:
    ``no-page``, ``no-site``, ``unreadable``.

    Args:
        pages: a data frame with a page in each row, as :func:`read_warc` gives it.
        states: what :func:`learn` has learned. Nothing more is learned then; pages of other sites are judged by
            themselves. Default: what all of ``pages`` show.
        site: what identifies a site: ``"host"`` or ``"domain"`` of the URL, or a column, as in ``pages.site``.
        format: what is kept of the pages: ``"text"``, ``"markdown"`` or ``"html"``, a column of this name.
        fields: other columns instead of ``title``, the format, ``metadata``, ``confidence``, ``template_share`` (the
            removed share of the text) and ``flags``: fields as those of ``unframe clean --fields``. Names with ``+``
            are added to these. Lists and objects other than the metadata and the flags are JSON.
        keep: columns of ``pages`` that are passed on. Default: all but those of the page itself.
        url, html: the columns of the URLs and of the pages. ``html`` may be binary, or a string.
        body_only: leave out headline, byline, date and captions of an article.
        include_links, include_images: write them in Markdown.
        most_pages: a site with more pages is dealt out to several tasks, each with about as many.
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
    learning = LearnJob(given.columns, method=settings.get("method", "auto"), memory=memory)
    needed = dict.fromkeys([*job.keep, *job.columns.names()])
    rows = given.with_sites().select(*needed)
    if states is not None:
        return _clean_known(rows, given, job, check_states(states), most_pages)
    # The pages are computed and shuffled once. What follows reads what was shuffled; see _large_sites.
    salt = F.when(F.col(SITE).isNull(), F.pmod(_hashed(given), F.lit(_UNKNOWN_SALTS))).otherwise(0)
    rows = rows.repartition(SITE, salt)
    large = F.broadcast(_large_sites(rows, most_pages))
    told = rows.join(large, F.col(SITE).eqNullSafe(F.col(_LARGE)), "left")
    small = told.where(F.col(_PAGES).isNull()).select(*rows.columns).sortWithinPartitions(SITE)
    cleaned = small.mapInArrow(functools.partial(clean_sites, job=job), results(given, job))
    # All pages of a large site are in one partition.
    part = F.pmod(_hashed(given), F.lit(_LARGE_PARTS))
    rows = told.where(F.col(_PAGES).isNotNull()).select(*rows.columns).repartition(SITE, part)
    learned = _merge_parts(_learn_parts(rows, learning), learning, None)
    return cleaned.unionByName(_clean_known(rows, given, job, learned, most_pages))


def _large_sites(rows: DataFrame, most_pages: int) -> DataFrame:
    """The sites with many pages.

    Spark reads an exchange again instead of computing it again if it is the same. So nothing may be pushed below it in
    one place only. So no column is left out here: all are looked at. And rows are joined with these sites by an outer,
    null-safe join, and told apart by a column that is never null, because other joins and filters would be pushed below.
    """
    looked_at = [
        # As text, because maps have no hash.
        F.col(field.name).isNull() if field.nullable else F.xxhash64(F.col(field.name).cast("string")) == 0
        for field in rows.schema.fields
    ]
    counts = rows.groupBy(SITE).agg(F.count("*").alias("pages"), *(F.max(one).alias(f"_{n}") for n, one in enumerate(looked_at)))
    is_large = F.when(F.col(SITE).isNull(), False).otherwise(F.col("pages") > most_pages)
    for number in range(len(looked_at)):
        is_large = is_large & F.col(f"_{number}").isNotNull()
    return counts.where(is_large).select(F.col(SITE).alias(_LARGE), F.col("pages").alias(_PAGES))


def _clean_known(
    rows: DataFrame, given: Pages, job: CleanJob, states: DataFrame, most_pages: int
) -> DataFrame:
    """Cleans pages with what is known of their sites."""
    salts = F.ceil(F.col("pages") / most_pages).cast("int")
    large = states.where(F.col("pages") > most_pages).select(F.col("site").alias(SITE), salts.alias(_SALTS))
    salt = F.when(F.col(SITE).isNull(), F.pmod(_hashed(given), F.lit(_UNKNOWN_SALTS)))
    salt = salt.when(F.col(_SALTS).isNull(), 0).otherwise(F.pmod(_hashed(given), F.col(_SALTS)))
    columns = rows.columns
    rows = rows.join(F.broadcast(large), SITE, "left").withColumn(SALT, salt.cast("int"))
    rows = rows.select(*columns, SALT, F.lit(None).cast("binary").alias(STATE))
    copies = F.explode(F.sequence(F.lit(0), F.greatest(salts, F.lit(1)) - 1))
    known = states.select(F.col("site").alias(SITE), F.col("state").alias(STATE), copies.alias(SALT))
    rows = rows.unionByName(known, allowMissingColumns=True)
    rows = rows.repartition(SITE, SALT).sortWithinPartitions(SITE, SALT, F.col(STATE).isNull()).drop(SALT)
    return rows.mapInArrow(functools.partial(clean_part, job=job), results(given, job))


def _hashed(given: Pages) -> Column:
    """A number of a page, the same whenever it is computed."""
    name = given.columns.url or given.columns.html
    return F.xxhash64(F.coalesce(F.col(name).cast("binary"), F.lit(b"")))


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
