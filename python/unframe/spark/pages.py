"""What the functions of ``unframe.spark`` take: a data frame, and which of its columns are what."""

from __future__ import annotations

import dataclasses
from typing import Literal, TypeAlias

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

#: Marks a column with the sites of the column `url`, and says whether they are hosts or domains.
SITE_FROM = "unframe.site_from"


@dataclasses.dataclass(frozen=True)
class Pages:
    """The pages of a data frame."""

    frame: DataFrame
    columns: Columns
    site: Site

    @classmethod
    def of(cls, frame: DataFrame, *, url: str | None, html: str, site: Site) -> Pages:
        """Finds the columns, so that mistakes are noticed now and not in some task."""
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
                raise unframe.ArgumentError(f"site must be 'host', 'domain' or a column (pages.site), not {site!r}")
            if url is None:
                raise unframe.ArgumentError("pages without a URL need a column with their sites, as in site=pages.site")
        # read_warc has these two.
        is_charset = isinstance(fields.get("charset"), StringType)
        kind = fields.get("damage")
        is_damage = isinstance(kind, ArrayType) and isinstance(kind.elementType, StringType)
        columns = Columns(
            url=url,
            html=html,
            site=SITE,
            charset="charset" if is_charset else None,
            damage="damage" if is_damage else None,
        )
        return cls(frame, columns, site)

    @property
    def others(self) -> tuple[str, ...]:
        """The columns that are not needed any more when a page is cleaned."""
        used = (self.columns.html, self.columns.charset, self.columns.damage)
        return tuple(name for name in self.frame.columns if name not in used)

    def to_learn(self) -> tuple[DataFrame, Columns]:
        """What learning needs of them."""
        if isinstance(self.site, Column):
            frame = self.frame.withColumn(SITE, self.site.cast("string"))
            columns = self.columns
        else:
            # The tasks that learn find out the site.
            frame, columns = self.frame, dataclasses.replace(self.columns, site=None)
        return frame.select(columns.names()), columns

    def with_sites(self) -> DataFrame:
        """All columns, and one with the site."""
        if isinstance(self.site, Column):
            return self.frame.withColumn(SITE, self.site.cast("string"))
        site_from: Literal["host", "domain"] = self.site
        if self.columns.url == "url":
            for field in self.frame.schema.fields:
                if field.metadata.get(SITE_FROM) == site_from:
                    return self.frame.withColumn(SITE, F.col(field.name))
        names = arrow_udf(lambda urls: site_names(urls, site_from), "string", ArrowUDFType.SCALAR)
        assert self.columns.url is not None
        return self.frame.withColumn(SITE, names(F.col(self.columns.url).cast("string")))


def check_states(states: DataFrame) -> DataFrame:
    """What :func:`unframe.spark.learn` gives."""
    fields = {field.name: field.dataType for field in states.schema.fields}
    wanted = {"site": StringType(), "state": BinaryType(), "pages": LongType()}
    if any(fields.get(name) != kind for name, kind in wanted.items()):
        found = ", ".join(f"{name} {kind.simpleString()}" for name, kind in fields.items())
        raise unframe.ArgumentError(
            f"states must be what learn(…) gives, with the columns site string, state binary, pages bigint; not {found}"
        )
    return states.select("site", "state", "pages")
