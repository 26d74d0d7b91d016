"""Learning and cleaning of all pages of a data frame.

Learning: each task learns its pages, and what tasks have learned of the same site is merged, in two steps, because
the largest sites have a part in every task.

Cleaning: pages are shuffled by site. Each task learns and cleans its sites, but deals out the pages of large ones to
other tasks (by *salt*), each with a copy of what it has learned. If it is known what was learned, pages are dealt out
from the start. Either way each page passes through once, so nothing is lost or doubled if a page that is computed
again is another one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, Literal

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, BinaryType, DoubleType, IntegerType, LongType, MapType, StringType
from pyspark.sql.types import StructField, StructType

import unframe
from unframe.parts import CleanJob, LearnJob, clean_dealt, clean_part, deal_out, learn_part, merge_parts

from .pages import SALT, SITE, STATE, Pages, Site, check_states, kept_as

#: The columns of what is learned.
STATES = "site string, state binary, pages bigint"

#: What all tasks have learned of a site is first merged into at most as many parts.
_MERGED_PARTS = 32

#: Pages of unknown sites are dealt out to as many tasks.
_UNKNOWN_SALTS = 16

#: No more copies of a state are made, however many pages it has.
_MOST_SALTS = 256


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

    It does not depend on how the pages are divided into partitions, nor on their order. A site takes at most some
    megabytes: it is known by a sample of 256 pages and a list of up to 65,536. With more pages than that, ``pages`` is
    an estimate.

    Args:
        pages: a data frame with a page in each row, as :func:`read_warc` gives it. A string column ``charset`` says
            which charset the server stated; one that is an array of strings, ``damage``, what is wrong with a page.
        states: what was learned before, to be added to. A page that has changed replaces its former version.
        site: what identifies a site: ``"host"`` or ``"domain"`` of the URL, or a column, as in ``pages.site``. Rows
            without a site are not learned.
        url, html: the columns of the URLs and of the pages. ``html`` may be binary, or a string.
        method: another method than ``"auto"``. The pages must be cleaned with the same one.
        memory: bytes of main memory that the sites of a task may take; the rest is in a temporary file.

    Returns:
        ``site``, ``state`` (what ``Site.from_bytes`` reads, too), and ``pages``: how many pages it is learned from.
    """
    given = Pages.of(_bounded(pages), url=url, html=html, site=site)
    rows, columns = given.to_learn()
    site_from = "host" if isinstance(site, Column) else site
    job = LearnJob(columns, site_from=site_from, method=method, memory=memory)
    job.crawl().close()
    merge = functools.partial(merge_parts, job=job)
    parts = rows.mapInArrow(functools.partial(learn_part, job=job), STATES)
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
        pages: a data frame with a page in each row, as :func:`read_warc` gives it. A string column ``charset`` says
            which charset the server stated; one that is an array of strings, ``damage``, what is wrong with a page.
        states: what :func:`learn` has learned, one row a site. Nothing more is learned then; pages of other sites are
            judged by themselves. Default: what all of ``pages`` show.
        site: what identifies a site: ``"host"`` or ``"domain"`` of the URL, or a column, as in ``pages.site``.
        format: what is kept of the pages: ``"text"``, ``"markdown"`` or ``"html"``, a column of this name.
        fields: other columns instead of ``title``, the format, ``metadata``, ``confidence``, ``template_share`` (the
            removed share of the text) and ``flags``: fields as those of ``unframe clean --fields``. Names with ``+``
            are added to these. Lists and objects other than the metadata and the flags are JSON.
        keep: columns of ``pages`` to copy to the result. Default: all but those of the page itself.
        url, html: the columns of the URLs and of the pages. ``html`` may be binary, or a string.
        body_only: leave out headline, byline, date and captions of an article.
        include_links, include_images: write them in Markdown.
        most_pages: a site with more pages is dealt out to several tasks, each with about as many.
        memory: bytes of main memory that the sites of a task may take; the rest is in a temporary file.
        **settings: those of :func:`unframe.extract` that decide what is removed: ``favor_precision``,
            ``favor_recall``, ``include_comments``, ``protect``, ``remove_selector``, ``remove``, ``owner_marks``,
            ``method``.
    """
    given = Pages.of(_bounded(pages), url=url, html=html, site=site)
    if not isinstance(most_pages, int) or isinstance(most_pages, bool) or most_pages < 1:
        raise unframe.ArgumentError(f"most_pages must be a whole number from 1 on, not {most_pages!r}")
    job, names = job_of(
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
    rows = given.rows(names[: len(job.keep)])
    hashed = F.xxhash64(F.coalesce(F.col(given.columns.url or given.columns.html).cast("binary"), F.lit(b"")))
    unknown = F.when(F.col(SITE).isNull(), F.pmod(hashed, F.lit(_UNKNOWN_SALTS)))
    if states is not None:
        return _clean_known(rows, job, check_states(states), most_pages, hashed, unknown).toDF(*names)
    # The order of the pages of a site must be the same when a task is repeated; see deal_out.
    rows = rows.repartition(SITE, unknown.otherwise(0))
    rows = rows.sortWithinPartitions(SITE, hashed, F.xxhash64(F.col(given.columns.html).cast("binary")))
    deal = functools.partial(deal_out, job=job, most_pages=most_pages, salt=SALT)
    dealt = rows.mapInArrow(deal, _dealt(rows.schema, job))
    dealt = dealt.repartition(SITE, SALT).sortWithinPartitions(SITE, SALT, F.col(STATE).isNull())
    return dealt.mapInArrow(functools.partial(clean_dealt, job=job, salt=SALT), results(rows.schema, job)).toDF(*names)


def _clean_known(
    rows: DataFrame, job: CleanJob, states: DataFrame, most_pages: int, hashed: Column, unknown: Column
) -> DataFrame:
    """Cleans pages with what is known of their sites."""
    result = results(rows.schema, job)
    large = states.groupBy(F.col("site").alias(SITE)).agg(F.max("pages").alias("pages"))
    large = large.where(F.col("pages") > most_pages)
    large = large.select(SITE, F.least(F.ceil(F.col("pages") / most_pages), F.lit(_MOST_SALTS)).alias("salts"))
    salt = unknown.when(F.col("salts").isNull(), 0).otherwise(F.pmod(hashed, F.col("salts")))
    columns = rows.columns
    rows = rows.join(F.broadcast(large), SITE, "left").withColumn(SALT, salt.cast("int"))
    rows = rows.select(*columns, SALT, F.lit(None).cast("binary").alias(STATE))
    copies = F.explode(F.sequence(F.lit(0), F.coalesce(F.col("salts"), F.lit(1)).cast("int") - 1))
    known = states.withColumnRenamed("site", SITE).join(F.broadcast(large), SITE, "left")
    known = known.select(SITE, F.col("state").alias(STATE), copies.alias(SALT))
    rows = rows.unionByName(known, allowMissingColumns=True)
    rows = rows.repartition(SITE, SALT).sortWithinPartitions(SITE, SALT, F.col(STATE).isNull()).drop(SALT)
    return rows.mapInArrow(functools.partial(clean_part, job=job), result)


def _bounded(pages: DataFrame) -> DataFrame:
    if isinstance(pages, DataFrame) and pages.isStreaming:
        raise unframe.ArgumentError("these pages are a stream; use clean_stream")
    return pages


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
) -> tuple[CleanJob, tuple[str, ...]]:
    """How pages are cleaned, and the columns of the result. Wrong settings are noticed here, not in some task."""
    if format not in ("text", "markdown", "html"):
        raise unframe.ArgumentError(f"format must be 'text', 'markdown' or 'html', not {format!r}")
    if "site_from" in settings:
        raise unframe.ArgumentError(f"name what identifies a site with site=, as in site={settings['site_from']!r}")
    usual = ["title", format, "metadata", "confidence", "template_share", "flags"]
    asked = usual if fields is None else [fields] if isinstance(fields, str) else list(fields)
    if asked and all(name.startswith("+") for name in asked):
        asked = [*usual, *(name[1:] for name in asked if name[1:] not in usual)]
    kept = given.others if keep is None else (keep,) if isinstance(keep, str) else tuple(keep)
    for name in kept:
        if name not in given.frame.columns:
            there = ", ".join(given.frame.columns)
            raise unframe.ArgumentError(f"the pages have no column {name!r} to keep, but {there}")
    if keep is None:
        # What is asked for is found out anew.
        kept = tuple(name for name in kept if name.lower() not in asked)
    for name in kept:
        if name.lower() in asked:
            raise unframe.ArgumentError(
                f"{name}: a field of the result and a column to keep; leave it out of keep= or of fields="
            )
    job = CleanJob(
        columns=given.columns,
        state=STATE,
        fields=tuple(asked),
        keep=kept_as(kept),
        body_only=body_only,
        include_links=include_links,
        include_images=include_images,
        memory=memory,
        settings=settings,
    )
    names = (*kept, *asked)
    for number, name in enumerate(names):
        if name in names[:number]:
            raise unframe.ArgumentError(f"the result would have two columns {name!r}; see fields= and keep=")
    job.check()
    return job, names


def results(rows: StructType, job: CleanJob) -> StructType:
    """The schema of the result, but for the names of what is kept."""
    kept = [StructField(name, rows[name].dataType) for name in job.keep]
    return StructType([*kept, *(StructField(name, _TYPES.get(name, StringType())) for name in job.fields)])


def _dealt(rows: StructType, job: CleanJob) -> StructType:
    """The schema of what deal_out gives."""
    left = [StructField(name, rows[name].dataType) for name in job.columns.names()]
    more = [StructField(STATE, BinaryType()), StructField(SALT, IntegerType())]
    return StructType([*results(rows, job).fields, *left, *more])


_TYPES = {
    "metadata": MapType(StringType(), StringType()),
    "confidence": DoubleType(),
    "template_share": DoubleType(),
    "flags": ArrayType(StringType()),
    "state_pages": LongType(),
}
