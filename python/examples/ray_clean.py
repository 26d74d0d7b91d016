"""Cleans the pages of archives with Ray Data, each with what is learned of its whole site.

usage: python ray_clean.py [CRAWL.warc.gz …] [-o texts]

The texts are those of ``unframe clean`` for all archives at once. A site is learned in parts, and cleaned by one task,
which holds all of its pages: for the largest crawls there is ``unframe.spark``.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import ray
import unframe
from unframe.parts import STATES, CleanJob, Columns, LearnJob, clean_part, learn_part, merge_parts

DEMO = Path(__file__).resolve().parents[2] / "demo"
COLUMNS = Columns(site="site", charset="charset", damage="damage")
ROWS = pa.schema(
    [
        *[(name, pa.string()) for name in ("site", "url", "source", "charset")],
        *[("html", pa.binary()), ("damage", pa.list_(pa.string())), ("state", pa.binary())],
    ]
)
LEARN = LearnJob(COLUMNS)
CLEAN = CleanJob(COLUMNS, keep=("url", "source"))


def read(files: pa.Table) -> Iterator[pa.Table]:
    """The pages of files, some megabytes at a time."""
    for path in files["path"].to_pylist():
        # The files of the demo have no URLs: there a folder is a site.
        with unframe.read(path, site_from="folder" if Path(path).is_dir() else "host") as reader:
            while (pages := reader.next_table()) is not None:
                yield pages.to_pyarrow()


def learn(pages: pa.Table) -> pa.Table:
    return pa.Table.from_batches(learn_part(pages.to_batches(), LEARN), STATES)


def merge(states: pa.Table) -> pa.Table:
    """What all tasks have learned of one site."""
    return pa.Table.from_batches(merge_parts(states.to_batches(), LEARN), STATES)


def as_rows(table: pa.Table) -> pa.Table:
    """Pages or states with the columns of both."""
    columns = [table[f.name] if f.name in table.column_names else pa.nulls(len(table), f.type) for f in ROWS]
    return pa.table(columns, schema=ROWS)


def clean(site: pa.Table) -> pa.Table:
    """The pages of one site, behind what is known of it."""
    rows = site.sort_by([("state", "ascending")])  # nulls come last
    return pa.Table.from_batches(clean_part(rows.to_batches(), CLEAN))


def cleaned(pages: ray.data.Dataset) -> ray.data.Dataset:
    """The texts of pages with the columns of ``unframe.read(…).next_table()``."""
    pages = pages.materialize()  # they are needed twice
    states = pages.map_batches(learn, batch_format="pyarrow", batch_size=None)
    states = states.groupby("site").map_groups(merge, batch_format="pyarrow")
    rows = pages.union(states).map_batches(as_rows, batch_format="pyarrow", batch_size=None)
    return rows.groupby("site").map_groups(clean, batch_format="pyarrow")


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
