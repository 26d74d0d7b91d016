"""Reads the pages of archives: one task a file."""

from __future__ import annotations

import fnmatch
import functools
import glob
import gzip
import os
import posixpath
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import Literal

import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
import pyarrow.fs as pafs  # type: ignore[import-untyped, unused-ignore]
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import ArrayType, BinaryType, StringType, StructField, StructType

import unframe
from unframe.parts import site_names

from .pages import SITE_FROM

def read_warc(
    spark: SparkSession,
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    base: str = "",
    site_from: Literal["host", "domain"] = "host",
) -> DataFrame:
    """Reads the pages of archives, one task a file.

    Damaged parts of a file are passed over and logged to the logger ``unframe``; a file that is missing is an error.

    Args:
        paths: WARC, ARC, WACZ or JSON lines files, also compressed: a path or a list of them. A pattern with ``*``
            stands for the files that match it, and a folder for all files in it. A name that ends in ``.paths``,
            ``.paths.gz``, ``.txt`` or ``.txt.gz`` is a list of paths, one a line, as Common Crawl publishes them. Paths
            with a scheme (``s3://``, ``hdfs://``, ``gs://``, …) are opened by pyarrow, or by fsspec if it is installed;
            other paths must be there on every machine.
        base: what is put before relative paths, as in ``"s3://commoncrawl/"``.
        site_from: what identifies a site in the column ``site``: ``"host"`` or ``"domain"``.

    Returns:
        ``url``, ``html`` (the page in its own charset), ``date``, ``record_id``, ``charset`` (as the server stated
        it), ``source`` (file and position), ``site``, and ``damage`` (a list of ``truncated``, ``undecodable`` and
        ``digest-mismatch``). :func:`unframe.spark.clean` takes this as it is.
    """
    if site_from not in ("host", "domain"):
        raise unframe.ArgumentError(f"site_from must be 'host' or 'domain', not {site_from!r}")
    files = _listed([paths] if isinstance(paths, (str, os.PathLike)) else list(paths), base)
    if not files:
        raise unframe.InputNotFoundError(f"there is no file that matches {paths!r}")
    # Each partition has one number.
    numbers = spark.range(0, len(files), 1, len(files))
    return numbers.mapInArrow(functools.partial(_read, files=files, site_from=site_from), _pages(site_from))


def _pages(site_from: str) -> StructType:
    text = StringType()
    return StructType(
        [
            StructField("url", text),
            StructField("html", BinaryType()),
            StructField("date", text),
            StructField("record_id", text),
            StructField("charset", text),
            StructField("source", text),
            # It says what it is, so that it need not be found out again.
            StructField("site", text, metadata={SITE_FROM: site_from}),
            StructField("damage", ArrayType(text)),
        ]
    )


def _read(
    numbers: Iterable[pa.RecordBatch], *, files: list[str], site_from: Literal["host", "domain"]
) -> Iterator[pa.RecordBatch]:
    """The pages of one task's files."""
    for batch in numbers:
        for number in batch.column(0).to_pylist():
            with _local(files[number]) as path, unframe.read(path, site_from=site_from) as reader:
                while (table := reader.next_table()) is not None:
                    pages = table.to_pyarrow()
                    sites = site_names(pages.column("url"), site_from)
                    pages = pages.set_column(pages.schema.get_field_index("site"), "site", sites)
                    yield from pages.to_batches()


class _local:
    """A local path of a file. A copy of a remote one is removed at the end."""

    def __init__(self, file: str):
        self.file = file
        self.folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> str:
        if "://" not in self.file:
            return self.file
        self.folder = tempfile.TemporaryDirectory(prefix="unframe-")
        # The extension says what it is.
        path = os.path.join(self.folder.name, posixpath.basename(self.file))
        filesystem, name = _filesystem(self.file)
        try:
            with filesystem.open_input_stream(name, compression=None) as remote, open(path, "wb") as local:
                shutil.copyfileobj(remote, local, 1 << 20)
        except FileNotFoundError:
            self.folder.cleanup()
            raise unframe.InputNotFoundError(f"{self.file}: no such file") from None
        except BaseException:
            self.folder.cleanup()
            raise
        return path

    def __exit__(self, *_: object) -> None:
        if self.folder:
            self.folder.cleanup()


def _listed(paths: list[str | os.PathLike[str]], base: str) -> list[str]:
    """The files that are meant, without repetition."""
    files: dict[str, None] = {}
    for given in paths:
        if not os.fspath(given):
            raise unframe.ArgumentError("a path is empty; name a file, a folder or a pattern")
        path = _join(base, os.fspath(given))
        name = path.removesuffix(".gz")
        if name.endswith((".paths", ".txt")):
            lines = _lines(path)
            files.update((_join(base, line), None) for line in lines)
        else:
            files.update((file, None) for file in _matches(path))
    return list(files)


def _join(base: str, path: str) -> str:
    is_relative = "://" not in path and not os.path.isabs(path)
    return base.rstrip("/") + "/" + path if base and is_relative else path


def _lines(path: str) -> list[str]:
    with _local(path) as local:
        try:
            with gzip.open(local, "rb") if path.endswith(".gz") else open(local, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            raise unframe.InputNotFoundError(f"{path}: no such file") from None
    return [line.strip() for line in data.decode().splitlines() if line.strip()]


def _matches(path: str) -> list[str]:
    """The files of a folder, or those that match a pattern; otherwise the path itself."""
    if "://" not in path:
        if os.path.isdir(path):
            path = os.path.join(path, "*")
        if glob.has_magic(path) and not os.path.exists(path):
            found = (file for file in glob.glob(path, recursive=True) if os.path.isfile(file))
            return sorted(map(os.path.abspath, found))
        # A path that workers may have, even if this machine does not.
        return [os.path.abspath(path)]
    scheme = path.partition("://")[0]
    filesystem, name = _filesystem(path)
    if glob.has_magic(name):
        parts = name.split("/")
        first = next(number for number, part in enumerate(parts) if glob.has_magic(part))
        selector, pattern = "/".join(parts[:first]), name
    elif filesystem.get_file_info(name).type == pafs.FileType.Directory:
        selector, pattern = name, name.rstrip("/") + "/*"
    else:
        return [path]
    depth = pattern.count("/")
    infos = filesystem.get_file_info(pafs.FileSelector(selector, recursive=True))
    return sorted(
        f"{scheme}://{info.path}"
        for info in infos
        if info.is_file and info.path.count("/") == depth and fnmatch.fnmatchcase(info.path, pattern)
    )


def _filesystem(path: str) -> tuple[pafs.FileSystem, str]:
    """The file system of a path with a scheme, and the path there."""
    try:
        filesystem, name = pafs.FileSystem.from_uri(path)
        return filesystem, name
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        try:
            import fsspec  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            raise unframe.ArgumentError(f"{path}: {error}; fsspec may know it, if it is installed") from None
    try:
        filesystem, name = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise unframe.ArgumentError(f"{path}: {error}") from None
    return pafs.PyFileSystem(pafs.FSSpecHandler(filesystem)), name
