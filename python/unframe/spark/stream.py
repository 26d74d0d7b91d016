"""Pages of a stream: each is learned and cleaned when it arrives, with one state a site."""

from __future__ import annotations

import dataclasses
import importlib
import pickle
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any, Literal

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import StringType

import unframe
from unframe.parts import STATES, CleanJob, LearnJob, clean_part, learn_part, merge_parts

from .batch import job_of, results
from .pages import SITE, STATE, Pages, Site, check_states

_ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
_PROVIDER = "spark.sql.streaming.stateStore.providerClass"

# Pages are handed over in batches, and wait for their site to be learned: in main memory up to this size, then in a
# temporary file.
_BATCH_BYTES = 16 << 20
_BATCH_ROWS = 1000
_WAITING_BYTES = 32 << 20


def clean_stream(
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
    memory: int = 256_000_000,
    **settings: Any,
) -> DataFrame:
    """Removes the frame from the pages of a stream, and goes on learning their sites.

    The pages of a site in a micro-batch are learned, then they are cleaned with what is known of the site by then. So
    the result is that of ``unframe clean --state FILE`` for one micro-batch after another. What is known of the sites
    is in the checkpoint of the query: after a restart, each page still counts once.

    The first pages of a site are cleaned with little knowledge; ``few-pages`` in their flags says so. ``states`` helps.
    Redesigns are not noticed: no page has the flag ``drift``.

    Args:
        pages: a streaming data frame with a page in each row.
        states: what :func:`learn` has learned, a batch data frame: where the first micro-batch starts from.
        site, format, fields, keep, url, html, body_only, include_links, include_images, memory, **settings: as for
            :func:`clean`.

    The session needs the state store that Spark asks for::

        spark.conf.set("spark.sql.streaming.stateStore.providerClass",
                       "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
    """
    if not isinstance(pages, DataFrame) or not pages.isStreaming:
        raise unframe.ArgumentError(
            "clean_stream needs a streaming data frame (spark.readStream); use clean for others"
        )
    if "RocksDB" not in str(pages.sparkSession.conf.get(_PROVIDER)):
        raise unframe.ArgumentError(f'this needs another state store: spark.conf.set("{_PROVIDER}", "{_ROCKSDB}")')
    _check_protobuf()
    given = Pages.of(pages, url=url, html=html, site=site)
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
    learning = LearnJob(given.columns, method=settings.get("method", "auto"), memory=memory)
    # Rows with a null key are grouped, too, but the state store has no place for them.
    rows = given.rows(names[: len(job.keep)]).withColumn(SITE, F.coalesce(SITE, F.lit("")))
    initial = None
    if states is not None:
        initial = check_states(states).withColumnRenamed("site", SITE).groupBy(SITE)
    is_text = {name: isinstance(rows.schema[name].dataType, StringType) for name in given.columns.names()}
    cleaned = rows.groupBy(SITE).transformWithState(
        statefulProcessor=_Sites(learning, job, is_text),
        outputStructType=results(rows.schema, job),
        outputMode="Append",
        timeMode="None",
        initialState=initial,
    )
    return cleaned.toDF(*names)


def _check_protobuf() -> None:
    """Workers use it to talk to the state store. It is no dependency of PySpark."""
    try:
        importlib.import_module("pyspark.sql.streaming.proto.StateMessage_pb2")
    except Exception as error:  # It has an exception of its own for versions that are too old.
        raise unframe.ArgumentError(f'streams need protobuf: pip install "unframe[spark]" ({error})') from None


class _Sites(StatefulProcessor):
    """What is known of a site is one opaque value."""

    def __init__(self, learning: LearnJob, job: CleanJob, is_text: dict[str, bool]):
        self.learning = learning
        self.keep = job.keep
        # What is kept does not pass through it.
        self.job = dataclasses.replace(job, keep=())
        types = {name: pa.string() if text else pa.binary() for name, text in is_text.items()}
        if job.columns.damage:
            types[job.columns.damage] = pa.list_(pa.string())
        self.schema = pa.schema([*types.items(), (STATE, pa.binary())])

    def init(self, handle: StatefulProcessorHandle) -> None:
        self.known = handle.getValueState("site", "state binary, pages bigint")

    def handleInitialState(self, key: Any, initialState: Any, timerValues: Any) -> None:
        self.known.update((initialState["state"], initialState["pages"]))

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Row]:
        with tempfile.SpooledTemporaryFile(_WAITING_BYTES) as waiting:
            state = self._learn(key[0], self._waiting(rows, waiting))
            waiting.seek(0)
            while True:
                try:
                    kept, batch = pickle.load(waiting), pickle.load(waiting)
                except EOFError:
                    return
                for cleaned in clean_part([self._row(key[0], state), batch], self.job):
                    for of_row, page in zip(kept, cleaned.to_pylist(), strict=True):
                        values = (_value(name, page[name]) for name in self.job.fields)
                        yield Row(**dict(zip((*self.keep, *self.job.fields), (*of_row, *values), strict=True)))

    def close(self) -> None:
        pass

    def _learn(self, site: str, batches: Iterator[pa.RecordBatch]) -> bytes | None:
        """Learns pages, and returns what is known of the site then."""
        learned = list(learn_part(batches, self.learning))
        known = self.known.get() if site else None
        if not site or not learned:
            # All batches have been taken: learn_part takes pages without a site, too.
            return bytes(known[0]) if known else None
        rows = [batch.append_column("is_old", pa.array([False] * batch.num_rows)) for batch in learned]
        if known:
            old = [pa.array([value], kind) for value, kind in zip((site, bytes(known[0]), known[1]), STATES.types)]
            former = pa.RecordBatch.from_arrays(old, schema=STATES)
            rows.append(former.append_column("is_old", pa.array([True])))
        [merged] = [row for batch in merge_parts(rows, self.learning) for row in batch.to_pylist()]
        self.known.update((merged["state"], merged["pages"]))
        return bytes(merged["state"])

    def _waiting(self, rows: Iterator[Any], waiting: Any) -> Iterator[pa.RecordBatch]:
        """Rows as batches, and what is kept of them. They wait in a file."""
        for some in _some(rows, self.job.columns.html):
            # The page is not needed any more.
            pickle.dump([tuple(row[name] for name in self.keep) for row in some], waiting)
            columns = [
                pa.nulls(len(some), field.type) if field.name == STATE else pa.array(
                    [row[field.name] for row in some], field.type
                )
                for field in self.schema
            ]
            batch = pa.RecordBatch.from_arrays(columns, schema=self.schema)
            pickle.dump(batch, waiting)
            yield batch

    def _row(self, site: str, state: bytes | None) -> pa.RecordBatch:
        """A row with what is known of a site, or none."""
        values = {SITE: site, STATE: state}
        rows = 1 if state is not None else 0
        return pa.RecordBatch.from_arrays(
            [pa.array([values.get(field.name)] * rows, field.type) for field in self.schema], schema=self.schema
        )


def _some(rows: Iterator[Any], html: str) -> Iterator[list[Any]]:
    some: list[Any] = []
    size = 0
    for row in rows:
        some.append(row)
        size += len(row[html] or b"")
        if len(some) >= _BATCH_ROWS or size >= _BATCH_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some


def _value(name: str, value: Any) -> Any:
    # Arrow has maps as lists of pairs.
    return dict(value) if name == "metadata" and value is not None else value
