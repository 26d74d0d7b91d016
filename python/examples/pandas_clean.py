"""Cleans a pandas DataFrame of pages: the same rows come back, in the same order.

usage: python pandas_clean.py [PAGES] [-o texts.csv]
"""

import argparse
from pathlib import Path

import pandas as pd
import unframe

DEMO = Path(__file__).resolve().parents[2] / "demo" / "harbour-shop" / "pages"


def main() -> None:
    parser = argparse.ArgumentParser(description="Clean pages with pandas.")
    parser.add_argument("pages", nargs="?", default=DEMO, help="folder, JSON lines, WARC, … (default: a demo site)")
    parser.add_argument("-o", "--output", help="write the texts to this CSV file")
    args = parser.parse_args()

    # Any DataFrame with a column of URLs and a column of pages will do. Keep the pages as bytes: their charset
    # is detected.
    rows = [(url, html, about["source"]) for url, html, about in unframe.read(args.pages)]
    pages = pd.DataFrame(rows, columns=["url", "html", "source"])

    fields = ["title", "text", "confidence", "template_share", "flags"]
    cleaned = unframe.clean_table(pages, fields=fields).to_pandas()
    cleaned.index = pages.index  # needed if the rows were filtered or sorted before

    # Lists are JSON text, so no flags are "[]".
    cleaned["words"] = cleaned["text"].str.split().str.len()
    flagged = (cleaned["flags"] != "[]").sum()
    removed = cleaned["template_share"].mean()
    print(cleaned[["title", "words", "confidence"]].to_string(max_colwidth=40))
    print(f"{len(cleaned)} pages, {removed:.0%} of their text removed, {flagged} flagged")
    if args.output:
        pages.drop(columns="html").join(cleaned).to_csv(args.output, index=False)


if __name__ == "__main__":
    main()
