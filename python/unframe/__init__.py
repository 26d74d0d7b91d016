"""Learns the frame of web sites (navigation, header, footer, banners, repeated panels) from their own pages,
and removes it: what remains is each page's own content.

===================================  =============================================
to clean                             use
===================================  =============================================
a single page                        :func:`extract`
the pages of one site                :class:`Site`
pages of many sites as they arrive   :class:`Crawl`
many pages that are at hand          :func:`clean_pages`
a table of pages                     :func:`clean_table`
===================================  =============================================

:func:`read` reads WARC, ARC, WACZ, JSON lines and folders. ``unframe.scrapy`` and ``unframe.datatrove`` are
for crawlers and corpus builders. The command line is here too: ``unframe --help``, or
``python -m unframe --help``.
"""

from ._native import (
    CleanedPages,
    Crawl,
    Explanation,
    Page,
    Reader,
    Site,
    Table,
    __version__,
    clean_pages,
    clean_table,
    extract,
    read,
)
from .errors import (
    ArgumentError,
    ClosedError,
    Error,
    ForkedError,
    InputError,
    InputNotFoundError,
    SelectorError,
    StateDamagedError,
    StateError,
    StateInUseError,
    StateNotFoundError,
    StateVersionError,
)

__all__ = [
    "ArgumentError",
    "CleanedPages",
    "ClosedError",
    "Crawl",
    "Error",
    "Explanation",
    "ForkedError",
    "InputError",
    "InputNotFoundError",
    "Page",
    "Reader",
    "SelectorError",
    "Site",
    "StateDamagedError",
    "StateError",
    "StateInUseError",
    "StateNotFoundError",
    "StateVersionError",
    "Table",
    "__version__",
    "clean_pages",
    "clean_table",
    "extract",
    "read",
]
