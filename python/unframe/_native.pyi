"""Types of the extension module. Its docstrings are in the module itself: ``help(unframe)``."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final, overload, type_check_only

# Whoever has these gets their types; for all others they are Any.
import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
import polars  # type: ignore[import-not-found, unused-ignore]
import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]

if sys.version_info >= (3, 11):
    from typing import NotRequired, Self, Unpack
else:
    from typing_extensions import NotRequired, Self, Unpack

__all__ = [
    "CleanedPages",
    "clean_pages",
    "Crawl",
    "Explanation",
    "extract",
    "Page",
    "Reader",
    "read",
    "Site",
    "Table",
    "clean_table",
    "main",
    "__version__",
]

__version__: str

# What users pass.

_Html: TypeAlias = bytes | bytearray | memoryview | str
_Path: TypeAlias = str | PathLike[str]
_Texts: TypeAlias = str | Iterable[str]
_GivenPage: TypeAlias = (
    tuple[str | None, _Html] | tuple[str | None, _Html, Mapping[str, Any] | None] | Mapping[str, Any]
)
_GivenPages: TypeAlias = _Path | Iterable[_Path] | Iterable[_GivenPage]
_SiteFrom: TypeAlias = Literal["host", "domain", "folder"]
_Format: TypeAlias = Literal["text", "txt", "markdown", "md", "html", "json", "jsonl"]
_Rendered: TypeAlias = Literal["text", "markdown"]

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...

@type_check_only
class Settings(TypedDict, total=False):
    """What is removed: the settings that every function takes."""

    favor_precision: bool
    favor_recall: bool
    include_comments: bool | Literal["only"]
    protect: _Texts
    remove_selector: _Texts
    remove: Literal["boilerplate", "template"]
    owner_marks: bool | None
    method: str

# What users get.

_Flag: TypeAlias = Literal[
    "truncated",
    "truncated-nodes",
    "truncated-work",
    "depth-capped",
    "attributes-capped",
    "charset-guessed",
    "undecodable",
    "digest-mismatch",
    "duplicate",
    "near-duplicate",
    "few-pages",
    "no-text",
    "suspicious",
    "all-frame",
    "drift",
    "rules-unmatched",
]
_Label: TypeAlias = Literal["content", "template"]
_Unit: TypeAlias = Literal["line", "row", "section", "region", "title", "trail", "contents", "copy", "page"]

@type_check_only
class Metadata(TypedDict, total=False):
    """What a page states of itself; only what it does state."""

    title: str
    author: str
    published: str
    modified: str
    language: str
    canonical_url: str
    description: str
    site_name: str

@type_check_only
class Kind(TypedDict):
    """What kind of page it is."""

    name: Literal["article", "thread", "list", "record", "other"]
    probability: float

@type_check_only
class Parts(TypedDict, total=False):
    """The parts of an article that are not its body; only those that it has."""

    headline: str
    byline: str
    date: str
    standfirst: str
    captions: list[str]

@type_check_only
class Comment(TypedDict):
    """A reader's comment."""

    author: str | None
    date: str | None
    text: str

@type_check_only
class Link(TypedDict):
    """A link of a page."""

    href: str
    text: str

@type_check_only
class Links(TypedDict):
    """The links of a page: those of its content and those of the frame."""

    own: list[Link]
    frame: list[Link]

@type_check_only
class PlainReason(TypedDict):
    """A rule that needs no more words."""

    rule: Literal["keep-all", "not-kept-by-rules", "not-removed-by-rules", "comment", "not-comment", "not-table"]

@type_check_only
class SelectorReason(TypedDict):
    """A CSS selector of the user, or of a rule file."""

    rule: Literal["protected", "kept-by-rule", "removed-by-rule"]
    by: str

@type_check_only
class OwnerReason(TypedDict):
    """A mark of the site's owner."""

    rule: Literal["marked-by-owner"]
    mark: Literal["data-nosnippet", "googleoff"]

@type_check_only
class PartReason(TypedDict):
    """Another part of the article than its body."""

    rule: Literal["not-body"]
    part: Literal["headline", "byline", "date", "standfirst", "caption"]

@type_check_only
class NeverEmptyReason(TypedDict):
    """Nearly all of the page would have been removed."""

    rule: Literal["never-empty"]
    removed: float

# `from` and `with` are keywords, so these fields cannot be those of a class.
_Odds = TypedDict(
    "_Odds",
    {
        "rule": Literal["odds"],
        "probability": float,
        "boilerplate": float | None,
        "template": float | None,
        "from": float,
        "seen": int,
        "of": int,
        "with": NotRequired[_Unit],
    },
)

@type_check_only
class OddsReason(_Odds):
    """How likely the text is to be frame, by the method ``auto``."""

_Settled = TypedDict(
    "_Settled",
    {
        "rule": Literal["settled"],
        "probability": float,
        "pages": int,
        "of": int,
        "with": NotRequired[_Unit],
    },
)

@type_check_only
class SettledReason(_Settled):
    """What the places of the site hold is settled, so the text was not judged by itself."""

@type_check_only
class BlockRatioReason(TypedDict):
    """The share of a block that repeats, by the method ``stream``."""

    rule: Literal["block-ratio"]
    ratio: float
    above: float
    segments: int
    repeating: int
    df_min: int
    df_max: int
    df: int
    pages: int

@type_check_only
class ChunkDfReason(TypedDict):
    """The pages that have a chunk, by the method ``chunks``."""

    rule: Literal["chunk-df"]
    df: int
    threshold: int
    pages: int
    length: int
    texts: int

@type_check_only
class VotesReason(TypedDict):
    """The pages that have a counterpart, by the method ``links``."""

    rule: Literal["votes"]
    votes: int
    needed: int
    pages: int

@type_check_only
class PathSupportReason(TypedDict):
    """The pages of a cluster that have the text at its path, by the method ``mdl``."""

    rule: Literal["path-support"]
    cluster: NotRequired[int]
    pages: int
    support: int
    least: int

_Reason: TypeAlias = (
    OddsReason
    | SettledReason
    | PlainReason
    | SelectorReason
    | OwnerReason
    | PartReason
    | NeverEmptyReason
    | BlockRatioReason
    | ChunkDfReason
    | VotesReason
    | PathSupportReason
)

@type_check_only
class Region(TypedDict):
    """A part of a page that was removed."""

    start: int
    end: int
    label: _Label
    element: str
    text: str
    evidence: _Reason

@type_check_only
class Slot(TypedDict):
    """What a place of the layout holds across pages."""

    pages: int
    of: int
    repeats: float
    linked: float
    words: float

# Pairs are lists of two.
_WithUnits = TypedDict("_WithUnits", {"with": list[list[Any]]})
_WithUnit = TypedDict("_WithUnit", {"with": _Unit | None})

@type_check_only
class Votes(_WithUnits):
    """How many texts of a region would have got its label by themselves, and which units decided on the others."""

    texts: int
    alone: int

@type_check_only
class ExplainedRegion(_WithUnit):
    """A part of a page, and why it was kept or removed."""

    number: int
    start: int
    end: int
    css: str
    text: str
    whole_text: str
    kept: bool
    rule: str
    node: int
    label: _Label
    probability: float | None
    template: float | None
    boilerplate: float | None
    # Pairs are lists of two.
    seen: list[int] | None
    design: list[int] | None
    evidence: list[list[Any]]
    cluster: int | None
    slot: Slot | None
    alone: _Label | None
    votes: Votes | None

@type_check_only
class PageRecord(TypedDict):
    """The default fields of a record."""

    url: str
    source: str
    site: str
    title: str
    metadata: Metadata
    kind: NotRequired[Kind]
    confidence: NotRequired[float]
    text: str
    content_hash: str
    parts: NotRequired[Parts]
    comments: NotRequired[list[Comment]]
    links: Links
    removed: list[Region]
    template_share: float
    flags: list[_Flag]
    state_pages: int
    input: NotRequired[dict[str, Any]]
    input_left_out: NotRequired[list[str]]

@type_check_only
class Drift(TypedDict):
    """A redesign of a site."""

    site: str
    version: int
    first: str
    since: int
    pages: int
    fit: float
    former: float

@type_check_only
class Design(TypedDict):
    """A design that a site has, or has had."""

    number: int
    since: int
    first: str
    pages: int

@type_check_only
class Summary(TypedDict):
    """What a run did."""

    pages: int
    sites: int
    bytes: int
    new: int
    changed: int
    unchanged: int
    template_share: float
    skipped: dict[str, int]
    failures: int
    flags: dict[_Flag, int]
    drift: list[Drift]
    seconds: float

@type_check_only
class About(TypedDict):
    """What is known of a page that was read."""

    source: str
    site: str
    charset: NotRequired[str]
    date: NotRequired[str]
    record_id: NotRequired[str]
    truncated: NotRequired[Literal[True]]
    input: NotRequired[dict[str, Any]]

# The functions.

def extract(
    html: _Html,
    url: str | None = None,
    *,
    output_format: _Format = "text",
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool | Literal["only"] = False,
    include_tables: bool = True,
    include_links: bool = True,
    include_images: bool = False,
    with_metadata: bool = False,
    protect: _Texts = (),
    remove_selector: _Texts = (),
    remove: Literal["boilerplate", "template"] = "boilerplate",
    owner_marks: bool | None = None,
    body_only: bool = False,
    method: str = "auto",
    charset: str | None = None,
) -> str | None: ...
def clean_pages(
    pages: _GivenPages,
    *,
    site_from: _SiteFrom = "host",
    site: str | None = None,
    state: _Path | None = None,
    learn: bool = True,
    arrival: bool = False,
    jobs: int | None = None,
    memory: int = 400000000,
    render: _Rendered | Iterable[_Rendered] = ...,
    reasons: bool = False,
    url_field: str = "url",
    html_field: str = "html",
    include: _Texts = (),
    exclude: _Texts = (),
    follow_links: bool = False,
    **settings: Unpack[Settings],
) -> CleanedPages: ...
def clean_table(
    table: _ArrowStream,
    *,
    url: str | None = "url",
    html: str = "html",
    site_column: str | None = None,
    charset_column: str | None = None,
    damage_column: str | None = None,
    fields: _Texts | None = None,
    body_only: bool = False,
    include_links: bool = True,
    include_images: bool = False,
    state: _Path | None = None,
    learn: bool = True,
    arrival: bool = False,
    jobs: int | None = None,
    memory: int = 400000000,
    site_from: _SiteFrom = "host",
    site: str | None = None,
    **settings: Unpack[Settings],
) -> Table: ...
def read(
    paths: _Path | Sequence[_Path],
    *,
    site_from: _SiteFrom = "host",
    site: str | None = None,
    url_field: str = "url",
    html_field: str = "html",
    include: _Texts = (),
    exclude: _Texts = (),
    follow_links: bool = False,
) -> Reader: ...
def main(args: Sequence[str], /) -> int: ...

# The classes. None of them can be subclassed.

@final
class Site:
    def __new__(cls, *, reasons: bool = False, watch_drift: bool = False, **settings: Unpack[Settings]) -> Self: ...
    @classmethod
    def open(
        cls,
        path: _Path,
        *,
        site: str | None = None,
        reasons: bool = False,
        watch_drift: bool = True,
        **settings: Unpack[Settings],
    ) -> Self: ...
    @classmethod
    def from_bytes(
        cls, data: bytes, *, reasons: bool = False, watch_drift: bool = False, **settings: Unpack[Settings]
    ) -> Self: ...
    def learn(self, html: _Html, url: str | None = None, *, charset: str | None = None) -> bool: ...
    def learn_many(self, pages: Iterable[_GivenPage], *, jobs: int | None = None) -> int: ...
    def clean(self, html: _Html, url: str | None = None, *, learn: bool = True, charset: str | None = None) -> Page: ...
    def why(
        self, html: _Html, url: str | None = None, *, css: str | None = None, charset: str | None = None
    ) -> Explanation: ...
    def template(self, html: _Html | None = None, url: str | None = None, *, charset: str | None = None) -> str: ...
    @property
    def pages(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def drift(self) -> list[Drift]: ...
    @property
    def designs(self) -> list[Design]: ...
    def merge(self, other: Site | bytes, /) -> int: ...
    def to_bytes(self) -> bytes: ...
    def commit(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Crawl:
    def __new__(
        cls,
        *,
        site_from: _SiteFrom = "host",
        reasons: bool = False,
        watch_drift: bool = False,
        memory: int = 400000000,
        any_order: bool = False,
        most_listed: int | None = None,
        **settings: Unpack[Settings],
    ) -> Self: ...
    @classmethod
    def open(
        cls,
        path: _Path,
        *,
        site_from: _SiteFrom = "host",
        reasons: bool = False,
        watch_drift: bool = True,
        memory: int = 400000000,
        any_order: bool = False,
        most_listed: int | None = None,
        **settings: Unpack[Settings],
    ) -> Self: ...
    def learn(
        self, html: _Html, url: str | None = None, *, site: str | None = None, charset: str | None = None
    ) -> bool: ...
    def learn_many(self, pages: Iterable[_GivenPage], *, jobs: int | None = None) -> int: ...
    def clean(
        self,
        html: _Html,
        url: str | None = None,
        *,
        site: str | None = None,
        learn: bool = True,
        charset: str | None = None,
    ) -> Page: ...
    def why(
        self,
        html: _Html,
        url: str | None = None,
        *,
        css: str | None = None,
        site: str | None = None,
        charset: str | None = None,
    ) -> Explanation: ...
    def clean_pages(
        self,
        pages: _GivenPages,
        *,
        learn: bool = True,
        arrival: bool = False,
        jobs: int | None = None,
        render: _Rendered | Iterable[_Rendered] = ...,
        site: str | None = None,
        url_field: str = "url",
        html_field: str = "html",
        include: _Texts = (),
        exclude: _Texts = (),
        follow_links: bool = False,
    ) -> CleanedPages: ...
    def learn_table(
        self,
        table: _ArrowStream,
        *,
        url: str | None = "url",
        html: str = "html",
        site_column: str | None = None,
        charset_column: str | None = None,
        damage_column: str | None = None,
        jobs: int | None = None,
    ) -> int: ...
    def clean_table(
        self,
        table: _ArrowStream,
        *,
        url: str | None = "url",
        html: str = "html",
        site_column: str | None = None,
        charset_column: str | None = None,
        damage_column: str | None = None,
        fields: _Texts | None = None,
        body_only: bool = False,
        include_links: bool = True,
        include_images: bool = False,
        learn: bool = True,
        arrival: bool = False,
        jobs: int | None = None,
    ) -> Table: ...
    @property
    def sites(self) -> list[str]: ...
    def pages(self, site: str, /) -> int: ...
    def site_of(self, url: str, /) -> str | None: ...
    @property
    def drift(self) -> list[Drift]: ...
    def to_bytes(self, site: str, /) -> bytes: ...
    @overload
    def merge(self, other: Crawl, *, site: None = None) -> int: ...
    @overload
    def merge(self, other: bytes, *, site: str) -> int: ...
    def commit(self) -> None: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Page:
    @property
    def text(self) -> str: ...
    @property
    def markdown(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def html_bytes(self) -> bytes: ...
    @property
    def url(self) -> str | None: ...
    @property
    def source(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def metadata(self) -> Metadata: ...
    @property
    def kind(self) -> Kind | None: ...
    @property
    def parts(self) -> Parts: ...
    @property
    def comments(self) -> list[Comment]: ...
    @property
    def links(self) -> Links: ...
    @property
    def regions(self) -> list[Region]: ...
    @property
    def flags(self) -> list[_Flag]: ...
    @property
    def confidence(self) -> float | None: ...
    @property
    def template_share(self) -> float: ...
    @property
    def content_hash(self) -> str: ...
    @property
    def state_pages(self) -> int: ...
    @property
    def input(self) -> dict[str, Any]: ...
    @property
    def body(self) -> Page: ...
    def without_tables(self) -> Page: ...
    def to_markdown(self, *, links: bool = True, images: bool = False, front_matter: bool = False) -> str: ...
    def template(self) -> str: ...
    @overload
    def to_dict(self, *, fields: None = None) -> PageRecord: ...
    @overload
    def to_dict(self, *, fields: _Texts) -> dict[str, Any]: ...
    def to_json(self, *, fields: _Texts | None = None) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Explanation:
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> ExplainedRegion: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[ExplainedRegion]: ...
    def __iter__(self) -> Iterator[ExplainedRegion]: ...
    def to_list(self) -> list[ExplainedRegion]: ...
    def overlay(self) -> str: ...
    def _repr_html_(self) -> str: ...

@final
class CleanedPages:
    def __iter__(self) -> Self: ...
    def __next__(self) -> Page: ...
    def close(self) -> None: ...
    @property
    def summary(self) -> Summary | None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

@final
class Reader:
    def __iter__(self) -> Self: ...
    def __next__(self) -> tuple[str | None, bytes, About]: ...
    def next_table(self, *, bytes: int = 33554432) -> Table | None: ...
    @property
    def skipped(self) -> dict[str, int]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None: ...

@final
class Table:
    @property
    def column_names(self) -> list[str]: ...
    def to_pyarrow(self) -> pyarrow.Table: ...
    def to_pandas(self) -> pandas.DataFrame: ...
    def to_polars(self) -> polars.DataFrame: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
