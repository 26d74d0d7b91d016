"""What a task is told: which columns have the pages, how they are learned, and how they are cleaned."""

from __future__ import annotations

import dataclasses
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]

import unframe

#: The columns of what is learned: a site, what ``Site.from_bytes`` and ``Crawl.merge`` read, and how many pages it
#: is learned from.
STATES = pa.schema([("site", pa.string()), ("state", pa.binary()), ("pages", pa.int64())])

#: Of sites with more pages, only some are listed in a state, so that its size is bounded. The number of pages is
#: then an estimate.
MOST_LISTED = 65_536

#: What decides what is removed: those of :func:`unframe.extract`.
SETTINGS = (
    "favor_precision",
    "favor_recall",
    "include_comments",
    "protect",
    "remove_selector",
    "remove",
    "owner_marks",
    "method",
)


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


_TYPES = {
    "metadata": pa.map_(pa.string(), pa.string()),
    "confidence": pa.float64(),
    "template_share": pa.float64(),
    "flags": pa.list_(pa.string()),
    "state_pages": pa.int64(),
}


@dataclasses.dataclass(frozen=True)
class CleanJob:
    """How pages are cleaned.

    Args:
        columns: the columns of the pages. There must be one for the site.
        state: the column of the states.
        fields: the fields of the result, as those of ``unframe clean --fields``.
        keep: columns of the pages to copy to the result.
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

    def crawl(self, *, any_order: bool = False, most_listed: int | None = None) -> unframe.Crawl:
        return unframe.Crawl(memory=self.memory, any_order=any_order, most_listed=most_listed, **self.settings)

    def check(self) -> None:
        """Raises an exception if this cannot be done, before any task tries it."""
        for name in self.settings:
            if name not in SETTINGS:
                raise unframe.ArgumentError(f"there is no setting {name!r}, but {', '.join(SETTINGS)}")
        if not self.fields:
            raise unframe.ArgumentError('name at least one field, as in fields=["text"]')
        names = [*self.keep, *self.fields]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise unframe.ArgumentError(f"the result would have two columns {name!r}; see fields= and keep=")
        for flag in ("body_only", "include_links", "include_images"):
            if not isinstance(getattr(self, flag), bool):
                raise unframe.ArgumentError(f"{flag} must be True or False, not {getattr(self, flag)!r}")
        self.crawl().close()
        # Names of fields that do not exist are an error.
        unframe.Site().clean(b"").to_dict(fields=self.fields)

    def results(self) -> pa.Schema:
        """The types of the fields of the result. Lists and objects other than the metadata and the flags are JSON."""
        return pa.schema([(name, _TYPES.get(name, pa.string())) for name in self.fields])
