"""datatrove: pipeline steps that remove the frame of web sites from documents.

A document is a web page: ``doc.text`` is its HTML, and ``doc.metadata["url"]`` its URL. This is what the readers of
datatrove yield, and :class:`UnframeReader`, which also finds out the charset of each page as unframe does.

One step is enough if there is only one task, or if every task has all pages of its sites::

    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.writers import JsonlWriter
    from unframe.datatrove import LearnSites, UnframeExtractor, UnframeReader

    LocalPipelineExecutor(
        pipeline=[UnframeReader("crawl/"), UnframeExtractor(), JsonlWriter("texts/")],
        logging_dir="logs/",
    ).run()

If the pages of a site are spread over several tasks, all of them are learned first::

    learn = LocalPipelineExecutor(
        pipeline=[UnframeReader("crawl/"), LearnSites("sites/")],
        tasks=16,
        logging_dir="logs/learn/",
    )
    clean = LocalPipelineExecutor(
        pipeline=[UnframeReader("crawl/"), UnframeExtractor(sites="sites/"), JsonlWriter("texts/")],
        tasks=16,
        logging_dir="logs/clean/",
        depends=learn,
    )
    clean.run()

Both give the same texts as ``unframe clean`` for all pages at once.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pickle
import re
import shutil
import tempfile
import zipfile
from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from datatrove.data import Document  # type: ignore[import-untyped]
from datatrove.io import DataFolder, DataFolderLike, get_datafolder  # type: ignore[import-untyped]
from datatrove.pipeline.base import PipelineStep  # type: ignore[import-untyped]
from datatrove.pipeline.readers.base import BaseDiskReader  # type: ignore[import-untyped]
from datatrove.utils.logging import logger  # type: ignore[import-untyped]
from datatrove.utils.typeshelper import StatHints  # type: ignore[import-untyped]

import unframe

if TYPE_CHECKING:
    from datatrove.pipeline.writers.disk_base import DiskWriter  # type: ignore[import-untyped]

__all__ = ["LearnSites", "UnframeExtractor", "UnframeReader"]

# A document with its page, or with the reason why it has none.
_Cleaned: TypeAlias = "tuple[Document, unframe.Page | str]"


class _SiteStep(PipelineStep):  # type: ignore[misc]
    """A step that works with the sites of documents."""

    def __init__(self, url_key: str, crawl: dict[str, Any]):
        super().__init__()
        self.url_key = url_key
        self.crawl = crawl
        self._has_warned = False
        # Wrong settings are noticed here, not in some task.
        self._new_crawl()

    def _new_crawl(self) -> unframe.Crawl:
        return unframe.Crawl(**self.crawl)

    def _place(self, doc: Document, crawl: unframe.Crawl) -> tuple[str, str] | None:
        """The URL and the site of a document."""
        url = doc.metadata.get(self.url_key)
        # A lone surrogate in it is an error.
        with contextlib.suppress(unframe.ArgumentError):
            if isinstance(url, str) and (site := crawl.site_of(url)):
                return url, site
        if not self._has_warned:
            self._has_warned = True
            logger.warning(
                f"Found a document without a URL that has a host, skipping. Is your `url_key` ({self.url_key!r}) "
                f"correct? Available keys: {list(doc.metadata)}. This message will only appear once."
            )
        return None


class UnframeExtractor(_SiteStep):
    """Replaces the HTML of documents by their own text, without the frame of their sites.

    Without ``sites``, all documents of the task are learned first, then each is cleaned with what is known of its
    whole site. Memory is bounded: pages and metadata wait in temporary files (``TMPDIR``) between the two passes.

    Documents of which nothing is kept are dropped, and so are those without a URL.

    Args:
        sites: the folder in which :class:`LearnSites` has put what it has learned, local or remote. The documents
            are cleaned with what all of its tasks have learned of their sites, and nothing is learned here.
        output_format: ``"text"``, ``"markdown"``, or ``"html"`` (the page with the frame cut out).
        include_tables: keep tables of data.
        include_links: write the addresses of links in Markdown.
        include_images: write images in Markdown.
        body_only: leave out headline, byline, date and captions of an article.
        fields: what else to put into ``doc.metadata``: names of fields as those of ``unframe clean --fields``, as in
            ``["title", "confidence"]``.
        url_key: the key of the URL in ``doc.metadata``.
        exclusion_writer: a writer for the dropped documents, with their HTML and the ``filter_reason``.
        site_from: what identifies a site: ``"host"`` or ``"domain"``.
        memory: bytes of main memory for what is learned.
        jobs: number of threads, without ``sites``.
        **settings: those of :func:`unframe.extract`: ``favor_precision``, ``favor_recall``, ``include_comments``,
            ``protect``, ``remove_selector``, ``remove``, ``owner_marks``, ``method``.
    """

    type = "🛢 - EXTRAC"
    name = "🖼 unframe"

    def __init__(
        self,
        *,
        sites: DataFolderLike | None = None,
        output_format: Literal["text", "markdown", "html"] = "text",
        include_tables: bool = True,
        include_links: bool = True,
        include_images: bool = False,
        body_only: bool = False,
        fields: Iterable[str] = (),
        url_key: str = "url",
        exclusion_writer: DiskWriter | None = None,
        site_from: Literal["host", "domain"] = "host",
        memory: int = 400_000_000,
        jobs: int = 1,
        **settings: Any,
    ):
        self.fields = list(fields)
        reasons = "removed" in self.fields
        super().__init__(url_key, {"site_from": site_from, "memory": memory, "reasons": reasons, **settings})
        if output_format not in ("text", "markdown", "html"):
            raise unframe.ArgumentError(f"output_format must be 'text', 'markdown' or 'html', not {output_format!r}")
        if self.fields:
            unframe.Site().clean(b"").to_dict(fields=self.fields)
        self.sites = None if sites is None else get_datafolder(sites)
        self.output_format = output_format
        self.include_tables = include_tables
        self.include_links = include_links
        self.include_images = include_images
        self.body_only = body_only
        self.exclusion_writer = exclusion_writer
        self.jobs = jobs

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        cleaned = self._learn_and_clean(data or ()) if self.sites is None else self._clean(data or (), self.sites)
        with self.exclusion_writer or contextlib.nullcontext() as excluded, contextlib.closing(cleaned):
            while True:
                with self.track_time():
                    doc, page = next(cleaned, (None, ""))
                    reason = page if isinstance(page, str) else self._fill(doc, page)
                if doc is None:
                    break
                self.stat_update(StatHints.total)
                if not reason:
                    self.stat_update(StatHints.forwarded)
                    self.update_doc_stats(doc)
                    yield doc
                    continue
                self.stat_update(StatHints.dropped, f"dropped_{reason}")
                if excluded:
                    doc.metadata["filter_reason"] = reason
                    excluded.write(doc, rank)

    def _learn_and_clean(self, data: Iterable[Document]) -> Generator[_Cleaned, None, None]:
        """Cleans all documents in two passes. Everything but their HTML waits in a file meanwhile."""
        crawl = self._new_crawl()
        with tempfile.TemporaryFile() as waiting:

            def pages() -> Iterator[tuple[str, str, dict[str, str]]]:
                for number, doc in enumerate(data):
                    place = self._place(doc, crawl)
                    keeps_html = self.exclusion_writer is not None
                    pickle.dump((doc if keeps_html else dataclasses.replace(doc, text=""), place), waiting)
                    if place:
                        yield place[0], _html(doc), {"source": str(number), "site": place[1]}
                # All pages are taken before the first one is cleaned.
                waiting.seek(0)

            render: tuple[Literal["text"], ...] = ("text",) if self.output_format == "text" else ()
            number = 0
            with crawl.clean_pages(pages(), jobs=self.jobs, render=render) as cleaned:
                for page in cleaned:
                    for _ in range(number, int(page.source)):
                        yield _skipped(*pickle.load(waiting))
                    yield pickle.load(waiting)[0], page
                    number = int(page.source) + 1
            with contextlib.suppress(EOFError):
                while True:
                    yield _skipped(*pickle.load(waiting))

    def _clean(self, data: Iterable[Document], sites: DataFolder) -> Generator[_Cleaned, None, None]:
        """Cleans documents with what all tasks have learned. A site is loaded when its first document comes."""
        crawl, loaded = self._new_crawl(), set()
        with _LearnedSites(sites) as learned:
            for doc in data:
                place = self._place(doc, crawl)
                if not place:
                    yield _skipped(doc, place)
                    continue
                url, site = place
                if site not in loaded:
                    loaded.add(site)
                    pages = sum(crawl.merge(part, site=site) for part in learned.parts(site))
                    if not pages:
                        self.stat_update("sites_not_learned")
                yield doc, crawl.clean(_html(doc), url, site=site, learn=False)

    def _fill(self, doc: Document, page: unframe.Page) -> str | None:
        """Puts what is kept of a page into its document. If that is nothing, says so and leaves it as it is."""
        if self.fields:
            doc.metadata |= page.to_dict(fields=self.fields)
        if not self.include_tables:
            page = page.without_tables()
        if self.body_only:
            page = page.body
        if not page.text:
            return "empty"
        if self.output_format == "markdown":
            doc.text = page.to_markdown(links=self.include_links, images=self.include_images)
        else:
            doc.text = page.text if self.output_format == "text" else page.html
        return None


class LearnSites(_SiteStep):
    """Learns the sites of documents, for :class:`UnframeExtractor` to clean them with.

    Each task writes one file. The documents are passed on as they are.

    Args:
        sites: the folder for what is learned, local or remote. It must have no files of other jobs.
        url_key: the key of the URL in ``doc.metadata``.
        site_from: what identifies a site: ``"host"`` or ``"domain"``.
        memory: bytes of main memory for what is learned; the rest is in a temporary file.
        method: another method than ``"auto"``. Use the same one for the extractor.
    """

    type = "🛢 - EXTRAC"
    name = "🖼 unframe: learn sites"

    def __init__(
        self,
        sites: DataFolderLike,
        *,
        url_key: str = "url",
        site_from: Literal["host", "domain"] = "host",
        memory: int = 400_000_000,
        method: str = "auto",
    ):
        super().__init__(url_key, {"site_from": site_from, "memory": memory, "method": method})
        self.sites = get_datafolder(sites)

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Document]:
        crawl = self._new_crawl()
        for doc in data or ():
            with self.track_time():
                place = self._place(doc, crawl)
                is_new = place and crawl.learn(_html(doc), place[0], site=place[1])
            self.stat_update(StatHints.total, "learned" if is_new else "already_known" if place else "no_url")
            yield doc
        self.stat_update("sites", value=len(crawl.sites), unit="task")
        _LearnedSites.write(crawl, self.sites, rank, world_size)


class UnframeReader(BaseDiskReader):  # type: ignore[misc]
    """Reads the pages of WARC, ARC and WACZ files and of JSON lines, also compressed.

    Unlike the readers of datatrove, it finds out the charset of each page as unframe does, and it goes on after
    damaged parts. The metadata of a document are its ``url`` and what else the archive or the JSON line says.

    Args:
        data_folder: the folder of the files, local or remote.
        html_key: the key of the HTML in JSON lines.
        url_key: the key of the URL in JSON lines.
        **options: those of datatrove's readers, as in ``glob_pattern="*.warc.gz"`` or ``limit=1000``.
    """

    name = "🖼 unframe"

    def __init__(self, data_folder: DataFolderLike, *, html_key: str = "html", url_key: str = "url", **options: Any):
        super().__init__(data_folder, **options)
        self.html_key = html_key
        self.url_key = url_key

    def read_file(self, filepath: str) -> Iterator[Document]:
        # It keeps everything, so all that it does is to find out the charset.
        decoder = unframe.Site(method="text")
        with self._local(filepath) as path, unframe.read(
            path, html_field=self.html_key, url_field=self.url_key
        ) as pages:
            for number, (url, html, about) in enumerate(pages):
                with self.track_time():
                    page = decoder.clean(html, url, learn=False, charset=about.get("charset"))
                    data = {**about.get("input", {}), self.text_key: page.html, "url": url}
                    if "record_id" in about:
                        data[self.id_key] = data.pop("record_id")
                    document = self.get_document_from_dict(data, filepath, number)
                if document:
                    yield document

    @contextlib.contextmanager
    def _local(self, filepath: str) -> Iterator[str]:
        if self.data_folder.is_local():
            yield self.data_folder.resolve_paths(filepath)
            return
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, os.path.basename(filepath))
            self.data_folder.get_file(filepath, path)
            yield path


class _LearnedSites:
    """What all tasks have learned: a ZIP file of each, with one member per site.

    Tasks can read them at the same time, and only the parts that they need.
    """

    def __init__(self, folder: DataFolder):
        self.files = contextlib.ExitStack()
        self.archives = [self._open(folder, name) for name in self._names(folder)]

    @staticmethod
    def write(crawl: unframe.Crawl, folder: DataFolder, rank: int, world_size: int) -> None:
        with tempfile.TemporaryFile() as local:
            with zipfile.ZipFile(local, "w", zipfile.ZIP_DEFLATED) as archive:
                for site in crawl.sites:
                    archive.writestr(site, crawl.to_bytes(site))
            local.seek(0)
            # It is complete now: part of it would be taken for all that was learned.
            with folder.open(f"{rank:05d}-of-{world_size:05d}.zip", "wb") as file:
                shutil.copyfileobj(local, file)

    @staticmethod
    def _names(folder: DataFolder) -> list[str]:
        found = [re.fullmatch(r"(\d+)-of-(\d+)\.zip", name) for name in folder.list_files(recursive=False)]
        ranks = {int(name[1]): name[0] for name in found if name}
        sizes = {int(name[2]) for name in found if name}
        if len(sizes) > 1:
            several = " and ".join(map(str, sorted(sizes)))
            raise unframe.StateError(
                f"{folder.path} has files of jobs with {several} tasks; empty it, and run LearnSites again"
            )
        missing = [str(rank) for rank in range(max(sizes, default=1)) if rank not in ranks]
        if missing:
            raise unframe.StateNotFoundError(
                f"{folder.path} has nothing that the tasks {', '.join(missing)} of LearnSites have learned; run all "
                f"of them first, as with depends="
            )
        return [ranks[rank] for rank in sorted(ranks)]

    def _open(self, folder: DataFolder, name: str) -> zipfile.ZipFile:
        file = self.files.enter_context(folder.open(name, "rb"))
        try:
            return zipfile.ZipFile(file)
        except zipfile.BadZipFile as error:
            raise unframe.StateDamagedError(
                f"{folder.path}/{name}: {error}; run this task of LearnSites again"
            ) from None

    def parts(self, site: str) -> Iterator[bytes]:
        """What each task has learned of a site."""
        for archive in self.archives:
            with contextlib.suppress(KeyError):
                yield archive.read(site)

    def __enter__(self) -> _LearnedSites:
        return self

    def __exit__(self, *_: object) -> None:
        self.files.close()


def _html(doc: Document) -> str:
    """The page of a document. Lone surrogates, which JSON may contain, become question marks."""
    try:
        doc.text.encode()
    except UnicodeEncodeError:
        return str(doc.text.encode("utf-8", "replace").decode())
    return str(doc.text)


def _skipped(doc: Document, place: object) -> _Cleaned:
    return doc, "binary" if place else "no_url"
