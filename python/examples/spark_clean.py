"""Removes the frame from the pages of a crawl, on a Spark cluster.

usage: spark-submit spark_clean.py [options] WARC… OUTPUT

``WARC`` may be files, folders, patterns, or a list of paths as Common Crawl publishes them. ``OUTPUT`` is a folder
for Parquet files. unframe must be installed on every machine of the cluster. Examples::

    spark-submit spark_clean.py 'crawl/*.warc.gz' texts/
    spark-submit --master spark://head:7077 spark_clean.py --format markdown --fields +kind,content_hash \\
        warc.paths.gz --base s3://commoncrawl/ s3://bucket/texts/

    # Keep what is learned, and start the next crawl from there.
    spark-submit spark_clean.py october.paths.gz texts/october --save-states states/october
    spark-submit spark_clean.py november.paths.gz texts/november --states states/october --save-states states/november

The default is to clean the bundled demo sites into the folder ``spark-texts``.
"""

import argparse
import sys
import tempfile
from pathlib import Path

import unframe
from pyspark.sql import DataFrame, SparkSession
from unframe.spark import clean, learn, read_warc

DEMO = Path(__file__).resolve().parents[2] / "demo"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Remove the frame from the pages of a crawl, on a Spark cluster.",
        epilog="Example: spark-submit spark_clean.py 'crawl/*.warc.gz' texts/",
    )
    parser.add_argument("paths", nargs="*", metavar="WARC… OUTPUT", help="the archives, and a folder for the result")
    parser.add_argument("--base", default="", help="what is put before relative paths, as in s3://commoncrawl/")
    parser.add_argument("--format", default="text", choices=["text", "markdown", "html"])
    parser.add_argument("--fields", metavar="NAMES", help="fields of unframe clean --fields; those with + are added")
    parser.add_argument("--site", default="host", choices=["host", "domain"], help="what identifies a site")
    parser.add_argument("--states", metavar="DIR", help="what an earlier run has saved: it is added to")
    parser.add_argument("--save-states", metavar="DIR", help="save what is learned of the sites")
    parser.add_argument("--most-pages", type=int, default=10_000, metavar="N", help="pages of a site in one task, about")
    parser.add_argument("--mode", default="error", choices=["error", "overwrite", "append"], help="if OUTPUT exists")
    args = parser.parse_args()
    if len(args.paths) == 1:
        parser.error("name the archives and a folder for the result, as in: spark_clean.py 'crawl/*.warc.gz' texts/")
    return args


def write_demo(folder: Path) -> str:
    """The demo sites as JSON lines with URLs."""
    import json

    with (folder / "demo.jsonl").open("w", encoding="utf-8") as file:
        for url, html, about in unframe.read(DEMO):
            name = Path(about["source"]).relative_to(DEMO)
            text = unframe.Site(method="text").clean(html, url, learn=False).html
            page = {"url": f"https://{name.parts[0]}.example/{'/'.join(name.parts[2:])}", "html": text}
            file.write(json.dumps(page) + "\n")
    return str(folder / "demo.jsonl")


def run(spark: SparkSession, args: argparse.Namespace, folder: Path) -> None:
    *archives, output = args.paths or [write_demo(folder), "spark-texts"]
    pages = read_warc(spark, archives, base=args.base, site_from=args.site)
    fields = args.fields.split(",") if args.fields else None
    states: DataFrame | None = spark.read.parquet(args.states) if args.states else None
    if args.save_states:
        # Written once, read twice: by the cleaning, and by the next run.
        # A site must have one row, so nothing is appended.
        mode = "error" if args.mode == "append" else args.mode
        learn(pages, states=states, site=args.site).write.mode(mode).parquet(args.save_states)
        states = spark.read.parquet(args.save_states)
    elif states is not None:
        states = learn(pages, states=states, site=args.site).persist()
    options = {"site": args.site, "format": args.format, "fields": fields, "most_pages": args.most_pages}
    texts = clean(pages, states=states, **options)
    texts.write.mode(args.mode).parquet(output)
    print(f"{spark.read.parquet(output).count()} pages → {output}")


def main() -> int:
    args = arguments()
    spark = SparkSession.builder.appName("unframe").getOrCreate()
    try:
        with tempfile.TemporaryDirectory() as folder:
            run(spark, args, Path(folder))
    except unframe.Error as error:
        print(f"spark_clean: {error}", file=sys.stderr)
        return 2
    finally:
        spark.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
