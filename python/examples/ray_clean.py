"""Cleans the pages of archives with Ray Data, each with what is learned of its whole site.

usage: python ray_clean.py [CRAWL.warc.gz …] [-o texts]

The texts are those of ``unframe clean`` for all archives at once. All pages of a site come to one task: for the
largest crawls there is ``unframe.spark``.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import ray
import unframe
from unframe.parts import CleanJob, Columns, clean_sites

DEMO = Path(__file__).resolve().parents[2] / "demo"
JOB = CleanJob(Columns(site="site", charset="charset", damage="damage"), keep=("url", "source"))


def read(files: pa.Table) -> Iterator[pa.Table]:
    """The pages of files, some megabytes at a time."""
    for path in files["path"].to_pylist():
        # The files of the demo have no URLs: there a folder is a site.
        with unframe.read(path, site_from="folder" if Path(path).is_dir() else "host") as reader:
            while (pages := reader.next_table()) is not None:
                yield pages.to_pyarrow()


def clean(site: pa.Table) -> pa.Table:
    return pa.Table.from_batches(clean_sites(site.to_batches(), JOB))


def cleaned(pages: ray.data.Dataset) -> ray.data.Dataset:
    """The texts of pages with the columns of ``unframe.read(…).next_table()``."""
    return pages.groupby("site").map_groups(clean, batch_format="pyarrow")


def main() -> None:
    parser = argparse.ArgumentParser(description="Clean the pages of archives with Ray Data.")
    parser.add_argument("crawl", nargs="*", help="WARC, ARC, WACZ, … files (default: the demo sites)")
    parser.add_argument("-o", "--output", type=Path, default=Path("texts"), help="a folder for Parquet files")
    args = parser.parse_args()
    paths = args.crawl or [str(DEMO)]
    files = ray.data.from_items([{"path": path} for path in paths], override_num_blocks=len(paths))
    texts = cleaned(files.map_batches(read, batch_format="pyarrow", batch_size=1))
    texts.write_parquet(str(args.output.absolute()))


if __name__ == "__main__":
    main()
