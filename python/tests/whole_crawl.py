"""What distributed jobs must give: the records of the command line for all pages at once; and states of the past."""

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from conftest import ServedPage, command_line, write_warc

FIELDS = ["title", "text", "markdown", "html", "metadata", "confidence", "template_share", "flags"]


def of_command_line(*arguments: str | Path, fields: Iterable[str] = FIELDS) -> dict[str, dict[str, Any]]:
    """The fields that ``unframe clean`` writes, by the URLs of the pages."""
    fields = ["url", *fields]
    lines = command_line("clean", *arguments, "--format", "jsonl", "--fields", ",".join(fields)).splitlines()
    records = [json.loads(line) for line in lines]
    return {record["url"]: {name: record.get(name) for name in fields} for record in records}


def of_pages(pages: Iterable[ServedPage], folder: Path, fields: Iterable[str] = FIELDS) -> dict[str, dict[str, Any]]:
    """The same for pages that are given."""
    folder.mkdir(exist_ok=True)
    write_warc(folder / "pages.warc.gz", pages)
    return of_command_line(folder / "pages.warc.gz", fields=fields)


def of_pairs(
    pages: Iterable[tuple[str, str]], folder: Path, *arguments: str, fields: Iterable[str] = FIELDS
) -> dict[str, dict[str, Any]]:
    """The same for pages as text."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps({"url": url, "html": html}) + "\n" for url, html in pages]
    (folder / "pages.jsonl").write_text("".join(lines), encoding="utf-8")
    return of_command_line(folder / "pages.jsonl", *arguments, fields=fields)


# What formats and methods of the past have learned from one page of a.example.
OLD_FORMAT = base64.b85decode(
    "b#7*IVQpm~b7^#C0RR910R&-nbZ-Ix0Sf^Dx&cz#&dA8Xz`!C=P;eT|;Lfph0Wlbvz$60`Sn%zCv)1X#XF(iB2Cx_-BO_Sq*gnym(lY;2h!j{1"
    "rUC~Awx(o0t0A&ANF>-nC?X(@U=|7i01p5G%W!ZQL^*5=RQP*H3jhHC00aO400025{p>al=dkoi5`W}OaJ6s"
)
OLD_METHOD = base64.b85decode(
    "b#7*IVQpm~b7^#C0ssI20R&-nbZ-Fw0Sf^Dx&cz#&dA8Xz`!C=P;eT|;Lfph0Wlbvz$60`Sn%zCv)1X#XF(iB2Cx_-BO_Sq*gnym(lY;2h!j{1"
    "rUC~Awx(o0t0A&ANF>-nC?X(@U=|7i01p5G%W!ZQL^*5=RQP*H3jhHC00aO40001C7RDGdt~-@Y+yspQAf53"
)
