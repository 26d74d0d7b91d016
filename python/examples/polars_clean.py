"""Cleans a polars DataFrame of pages, and puts the texts beside its other columns.

usage: python polars_clean.py [PAGES] [-o texts.parquet]
"""

import argparse
from pathlib import Path

import polars as pl
import unframe

DEMO = Path(__file__).resolve().parents[2] / "demo" / "harbour-shop" / "pages"


def main() -> None:
    parser = argparse.ArgumentParser(description="Clean pages with polars.")
    parser.add_argument("pages", nargs="?", default=DEMO, help="folder, JSON lines, WARC, … (default: a demo site)")
    parser.add_argument("-o", "--output", help="write the table to this Parquet file")
    args = parser.parse_args()

    rows = [(url, html, about["source"]) for url, html, about in unframe.read(args.pages)]
    schema = {"url": pl.String, "html": pl.Binary, "source": pl.String}
    pages = pl.DataFrame(rows, schema=schema, orient="row")

    # The same rows come back, in the same order.
    cleaned = unframe.clean_table(pages, fields=["title", "markdown", "confidence", "kind", "flags"]).to_polars()
    table = pl.concat([pages.drop("html"), cleaned], how="horizontal")

    # Objects and lists are JSON text.
    table = table.with_columns(
        kind=pl.col("kind").str.json_path_match("$.name"),
        flags=pl.col("flags").str.json_decode(pl.List(pl.String)),
    )
    print(table.group_by("kind").agg(pl.len().alias("pages"), pl.mean("confidence")).sort("kind"))
    print(f"{table.height} pages, {table.filter(pl.col('flags').list.len() > 0).height} flagged")
    if args.output:
        table.write_parquet(args.output)


if __name__ == "__main__":
    main()
