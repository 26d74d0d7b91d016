"""What the functions of ``unframe.spark`` take: a data frame, and which of its columns are what."""

from __future__ import annotations

import dataclasses
from typing import Literal, TypeAlias

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import ArrowUDFType, arrow_udf
from pyspark.sql.types import ArrayType, BinaryType, LongType, StringType

import unframe
from unframe.parts import Columns, site_names

#: What identifies a site: the host or the domain of the URL, or a column with its name.
Site: TypeAlias = "Literal['host', 'domain'] | Column"

# Columns of ours. Users' columns have other names.
SITE = "_unframe_site"
STATE = "_unframe_state"
SALT = "_unframe_salt"
_OURS = {"url": "_unframe_url", "html": "_unframe_html", "charset": "_unframe_charset", "damage": "_unframe_damage"}

#: Marks a column with the sites of the column `url`, and says whether they are hosts or domains.
SITE_FROM = "unframe.site_from"


def column(name: str) -> Column:
    """A column, whatever its name: Spark gives dots and backticks a meaning."""
    return F.col("`" + name.replace("`", "``") + "`")


def kept_as(names: tuple[str, ...]) -> tuple[str, ...]:
    """Our names of columns that are kept."""
    return tuple(f"_unframe_kept_{number}" for number in range(len(names)))


@dataclasses.dataclass(frozen=True)
class Pages:
    """The pages of a data frame."""

    frame: DataFrame
    #: The columns of the user.
    given: Columns
    site: Site

    @classmethod
    def of(cls, frame: DataFrame, *, url: str | None, html: str, site: Site) -> Pages:
        """Finds the columns, so that mistakes are noticed now and not in some task."""
        if not isinstance(frame, DataFrame):
            raise unframe.ArgumentError(f"pages must be a data frame of Spark, not {type(frame).__name__}")
        lower = [field.name.lower() for field in frame.schema.fields]
        for number, field in enumerate(frame.schema.fields):
            if lower[number] in lower[:number]:
                raise unframe.ArgumentError(f"the pages have two columns {field.name!r}; rename or drop one")
        fields = {field.name: field.dataType for field in frame.schema.fields}
        for argument, name in [("url", url), ("html", html)]:
            if name is None:
                continue
            if name not in fields:
                raise unframe.ArgumentError(
                    f"the pages have no column {name!r}, but {', '.join(fields)}; name it with {argument}="
                )
            if not isinstance(fields[name], (StringType, BinaryType)):
                raise unframe.ArgumentError(
                    f"the column of {argument} must be string or binary, not {fields[name].simpleString()}"
                )
        if not isinstance(site, Column):
            if site not in ("host", "domain"):
                raise unframe.ArgumentError(
                    f"site must be 'host', 'domain' or a column, as in F.col('site'), not {site!r}"
                )
            if url is None:
                raise unframe.ArgumentError("pages without a URL need a column with their sites, as in site=pages.site")
        # read_warc has these two.
        is_charset = isinstance(fields.get("charset"), StringType)
        kind = fields.get("damage")
        is_damage = isinstance(kind, ArrayType) and isinstance(kind.elementType, StringType)
        given = Columns(
            url=url,
            html=html,
            charset="charset" if is_charset else None,
            damage="damage" if is_damage else None,
        )
        return cls(frame, given, site)

    @property
    def columns(self) -> Columns:
        """The columns of :meth:`rows` that have the page."""
        given = self.given
        return Columns(
            url=given.url and _OURS["url"],
            html=_OURS["html"],
            site=SITE,
            charset=given.charset and _OURS["charset"],
            damage=given.damage and _OURS["damage"],
        )

    @property
    def others(self) -> tuple[str, ...]:
        """The columns that are not needed any more when a page is cleaned."""
        used = (self.given.html, self.given.charset, self.given.damage)
        return tuple(name for name in self.frame.columns if name not in used)

    def rows(self, keep: tuple[str, ...] = ()) -> DataFrame:
        """What is kept of the pages, and the pages, in columns of ours: mapInArrow knows no others with dots."""
        given = dataclasses.asdict(self.given).items()
        ours = [column(name).alias(_OURS[what]) for what, name in given if name is not None]
        kept = [column(name).alias(ours) for name, ours in zip(keep, kept_as(keep), strict=True)]
        return self.frame.select(*kept, *ours, self._site().alias(SITE))

    def to_learn(self) -> tuple[DataFrame, Columns]:
        """What learning needs of them."""
        if isinstance(self.site, Column):
            return self.rows(), self.columns
        # The tasks that learn find out the site.
        ours = dataclasses.replace(self.columns, site=None)
        return self.rows().select(ours.names()), ours

    def _site(self) -> Column:
        if isinstance(self.site, Column):
            return self.site.cast("string")
        site_from: Literal["host", "domain"] = self.site
        if self.given.url == "url":
            for field in self.frame.schema.fields:
                if field.metadata.get(SITE_FROM) == site_from:
                    return column(field.name)

        def sites_of(urls: pa.Array) -> pa.Array:
            return site_names(urls, site_from)

        assert self.given.url is not None
        return arrow_udf(sites_of, "string", ArrowUDFType.SCALAR)(column(self.given.url).cast("string"))


def check_states(states: DataFrame) -> DataFrame:
    """What :func:`unframe.spark.learn` gives."""
    if not isinstance(states, DataFrame):
        raise unframe.ArgumentError(f"states must be a data frame of Spark, not {type(states).__name__}")
    fields = {field.name: field.dataType for field in states.schema.fields}
    wanted = {"site": StringType(), "state": BinaryType(), "pages": LongType()}
    if any(fields.get(name) != kind for name, kind in wanted.items()):
        found = ", ".join(f"{name} {kind.simpleString()}" for name, kind in fields.items())
        raise unframe.ArgumentError(
            "states must be what learn(…) gives, with the columns site string, state binary, pages bigint; "
            f"not {found}"
        )
    return states.select("site", "state", "pages").where("site is not null and state is not null")
