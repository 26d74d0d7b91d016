"""Writes the texts of a WARC file as JSON lines or Parquet, by the extension of the output.

usage: python warc_pages.py [CRAWL.warc.gz] [-o pages.jsonl | pages.parquet] [--min-confidence 0.7]

``unframe clean CRAWL.warc.gz -o pages.parquet`` does this without a script. Write one if you want to choose pages
or add columns of your own.
"""

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import unframe

DEMO = Path(__file__).resolve().parents[2] / "demo"


def records(pages: unframe.CleanedPages, min_confidence: float) -> Iterator[dict[str, object]]:
    for page in pages:
        # The confidence is None if the method does not give one.
        if page.confidence is not None and page.confidence < min_confidence:
            continue
        yield {
            "url": page.url or page.source,
            "site": page.site,
            "title": page.title,
            "date": page.metadata.get("published"),
            "language": page.metadata.get("language"),
            "text": page.text,
            "confidence": page.confidence,
        }


def write_jsonl(rows: Iterator[dict[str, object]], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_parquet(rows: Iterator[dict[str, object]], path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ["url", "site", "title", "date", "language", "text"]
    schema = pa.schema([(name, pa.string()) for name in names] + [("confidence", pa.float64())])
    with pq.ParquetWriter(path, schema) as writer:
        # A thousand pages at a time, so that memory stays bounded.
        while batch := list(islice(rows, 1000)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the texts of a WARC file as JSON lines or Parquet.")
    parser.add_argument("crawl", nargs="*", help="WARC, ARC, WACZ, … files (default: the demo sites)")
    parser.add_argument("-o", "--output", type=Path, default=Path("pages.jsonl"))
    parser.add_argument("--min-confidence", type=float, default=0.0, metavar="F1")
    args = parser.parse_args()
    write = {".jsonl": write_jsonl, ".parquet": write_parquet}.get(args.output.suffix)
    if write is None:
        parser.error("the output must end in .jsonl or .parquet")

    # The files of the demo have no URLs: there a folder is a site.
    pages = unframe.clean_pages(args.crawl or DEMO, site_from="host" if args.crawl else "folder")
    write(records(pages, args.min_confidence), args.output)
    if summary := pages.summary:  # None before the last page
        skipped = ", ".join(f"{count} {reason}" for reason, count in summary["skipped"].items())
        print(f"{summary['pages']} pages of {summary['sites']} sites in {summary['seconds']:.1f} s → {args.output}")
        print(f"skipped: {skipped or 'nothing'}")


if __name__ == "__main__":
    main()
