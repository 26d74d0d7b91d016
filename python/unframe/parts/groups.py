"""Rows that are sorted by site, as groups: whole small sites together, and each large site by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyarrow import compute

import unframe

from .learn import has_site

# Sites whose pages have fewer bytes are small.
GROUP_BYTES = 32 << 20

#: What a group is: pages without a site, small sites, or a large one.
Kind: TypeAlias = Literal["alone", "small", "large"]

pc: Any = compute


class Groups:
    """The groups of sorted batches. The batches of a group must be taken before the next group is asked for."""

    def __init__(self, batches: Iterable[pa.RecordBatch], column: str):
        self._rest = iter(batches)
        self._column = column
        # Rows of whole sites, and those of the last site, of which more may follow.
        self._whole: list[pa.RecordBatch] = []
        self._last: list[pa.RecordBatch] = []
        self._last_site: str | None = None
        self._alone: list[pa.RecordBatch] = []
        # The rows behind a large site.
        self._behind: pa.RecordBatch | None = None

    def __iter__(self) -> Iterator[tuple[Kind, Iterable[pa.RecordBatch]]]:
        while (batch := self._next()) is not None:
            if _size(self._alone) >= GROUP_BYTES:
                yield from self._alone_rows()
            starts, last_site = self._starts(batch)
            if starts:
                # Groups can end behind the rows of the site before, and before the last site.
                self._last.append(batch.slice(0, starts[0]))
                self._whole += self._last
                yield from self._small(GROUP_BYTES)
                self._whole.append(batch.slice(starts[0], starts[-1] - starts[0]))
                yield from self._small(GROUP_BYTES)
                self._last = []
            self._last.append(batch.slice(starts[-1] if starts else 0))
            self._last_site = last_site
            if _size(self._last) >= GROUP_BYTES:
                yield "large", self._large()
        self._whole += self._last
        yield from self._small(1)
        yield from self._alone_rows()

    def _next(self) -> pa.RecordBatch | None:
        """The next rows, which may be none. Those without a site are set aside."""
        behind, self._behind = self._behind, None
        if behind is not None:
            return behind
        batch = next(self._rest, None)
        if batch is None:
            return None
        is_sited = has_site(batch.column(self._column))
        if pc.all(is_sited).as_py():
            return batch
        self._alone.append(batch.filter(pc.invert(is_sited)))
        return batch.filter(is_sited)

    def _alone_rows(self) -> Iterator[tuple[Kind, Iterable[pa.RecordBatch]]]:
        alone, self._alone = self._alone, []
        if alone:
            yield "alone", alone

    def _small(self, least: int) -> Iterator[tuple[Kind, Iterable[pa.RecordBatch]]]:
        self._whole = [rows for rows in self._whole if rows.num_rows]
        if self._whole and _size(self._whole) >= least:
            yield "small", self._whole
            self._whole = []

    def _large(self) -> Iterator[pa.RecordBatch]:
        """All rows of the last site."""
        rows, self._last = self._last, []
        yield from rows
        while (batch := self._next()) is not None:
            starts, _ = self._starts(batch)
            end = starts[0] if starts else batch.num_rows
            if end:
                yield batch.slice(0, end)
            if starts:
                self._behind = batch.slice(end)
                break
        self._last_site = None

    def _starts(self, batch: pa.RecordBatch) -> tuple[list[int], str | None]:
        """Where sites start in a batch, but for one that has started before; and the last site."""
        if not batch.num_rows:
            return [], self._last_site
        runs = pc.run_end_encode(batch.column(self._column).cast(pa.string()))
        names = runs.values.to_pylist()
        starts = [0, *runs.run_ends.to_pylist()[:-1]]
        before = [self._last_site, *names] if self._last_site is not None else names
        if any((one or "") > (next_one or "") for one, next_one in zip(before, before[1:])):
            raise unframe.ArgumentError(f"the rows must be sorted by the column {self._column!r}")
        return starts[names[0] == self._last_site :], names[-1]


def _size(rows: list[pa.RecordBatch]) -> int:
    return sum(some.nbytes for some in rows)
