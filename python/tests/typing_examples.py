"""Uses of the package that must, and must not, pass a type checker. It is checked, not run."""

import os
from collections.abc import Iterator
from pathlib import Path

import unframe
from typing_extensions import assert_type


def one_page(html: bytes) -> None:
    assert_type(unframe.extract(html), str | None)
    unframe.extract("<p>Tea.", "https://a.example/", output_format="markdown", include_comments="only")
    unframe.extract(bytearray(), protect=["main"], remove_selector="footer", remove="template", owner_marks=None)
    unframe.extract(memoryview(b""), charset="utf-8", with_metadata=True, body_only=True, method="text")
    unframe.extract(html, None, output_format="pdf")  # type: ignore[arg-type]
    unframe.extract(html, None, "markdown")  # type: ignore[call-arg]
    unframe.extract(html, colour="red")  # type: ignore[call-arg]
    unframe.extract(Path("page.html"))  # type: ignore[arg-type]


def one_site(html: bytes, url: str) -> None:
    with unframe.Site.open(Path("a.unframe"), site="a.example", favor_precision=True) as site:
        assert_type(site, unframe.Site)
        assert_type(site.learn(html, url, charset="utf-8"), bool)
        assert_type(site.learn_many([(url, html), (None, "<p>Tea.", {"id": 7}), {"html": html}], jobs=2), int)
        assert_type(site.pages, int)
        assert_type(site.template(), str)
        assert_type(site.merge(unframe.Site.from_bytes(site.to_bytes(), protect="main")), int)
        for drift in site.drift:
            assert_type(drift["first"], str)
        for design in site.designs:
            assert_type(design["pages"], int)
        why = site.why(html, url, css="nav")
        for region in why:
            assert_type(region["kept"], bool)
            assert_type(region["with"], unframe._native._Unit | None)
        assert_type(len(why), int)
        assert_type(why[0]["whole_text"], str)
        assert_type([region["text"] for region in why[1:]], list[str])
        assert_type(why.overlay(), str)
    unframe.Site(include_comments=True, reasons=True, watch_drift=True)
    unframe.Site(include_comments="all")  # type: ignore[arg-type]
    unframe.Site(colour="red")  # type: ignore[call-arg]
    unframe.Site("a.unframe")  # type: ignore[call-arg, arg-type]
    site.pages = 5  # type: ignore[misc]


def page_of(page: unframe.Page) -> None:
    assert_type(page.text, str)
    assert_type(page.html_bytes, bytes)
    assert_type(page.url, str | None)
    assert_type(page.confidence, float | None)
    assert_type(page.metadata.get("author"), str | None)
    if page.kind is not None:
        assert_type(page.kind["probability"], float)
        print(page.kind["name"] == "article")
    for link in page.links["own"] + page.links["frame"]:
        assert_type(link["href"], str)
    for region in page.regions:
        evidence = region["evidence"]
        if evidence["rule"] == "odds":
            assert_type(evidence["from"], float)
        elif evidence["rule"] == "protected":
            assert_type(evidence["by"], str)
    for comment in page.comments:
        assert_type(comment["author"], str | None)
    assert_type(page.parts.get("captions", []), list[str])
    assert_type(page.body, unframe.Page)
    assert_type(page.to_dict()["text"], str)
    assert_type(page.to_markdown(links=False, images=True, front_matter=True), str)
    page.metadata["colour"]  # type: ignore[typeddict-item]
    page.to_markdown(False)  # type: ignore[call-arg]


def pairs() -> Iterator[tuple[str, bytes]]:
    yield "https://a.example/", b"<p>Tea."


def many_pages(folder: os.PathLike[str]) -> None:
    with unframe.clean_pages(pairs(), state="a.unframe", render=["text", "markdown"], jobs=2) as cleaned:
        for page in cleaned:
            assert_type(page, unframe.Page)
        if cleaned.summary is not None:
            assert_type(cleaned.summary["skipped"], dict[str, int])
    unframe.clean_pages(folder, include="*.html", favor_recall=True, render="markdown")
    unframe.clean_pages(["a.warc.gz", "b.warc.gz"], site_from="domain")
    unframe.clean_pages([Path("a.html")], arrival=True, reasons=True)
    unframe.clean_pages([{"url": "https://a.example/", "html": "<p>Tea.", "id": 7}])
    unframe.clean_pages({"https://a.example/": "<p>Tea."}.items())
    unframe.clean_pages(unframe.read("a.warc.gz"))
    unframe.clean_pages(5)  # type: ignore[arg-type]
    unframe.clean_pages([], site_from="planet")  # type: ignore[arg-type]
    for url, html, about in unframe.read([folder], exclude=["*.pdf"]):
        assert_type(url, str | None)
        assert_type(html, bytes)
        assert_type(about["source"], str)
        assert_type(about.get("charset"), str | None)


def many_sites(html: bytes, url: str) -> None:
    crawl = unframe.Crawl(site_from="domain", memory=100_000_000)
    assert_type(crawl.learn_many([(url, html)]), int)
    assert_type(crawl.clean(html, url, site="a", learn=False), unframe.Page)
    assert_type(crawl.sites, list[str])
    assert_type(crawl.pages("a.example"), int)
    assert_type(crawl.site_of(url), str | None)
    assert_type(crawl.merge(unframe.Crawl()), int)
    assert_type(crawl.merge(crawl.to_bytes("a.example"), site="a.example"), int)
    crawl.merge(b"")  # type: ignore[call-overload]
    for page in crawl.clean_pages(pairs(), learn=False):
        assert_type(page.site, str)


def tables() -> None:
    import polars

    frame = polars.DataFrame({"url": ["https://a.example/"], "html": ["<p>Tea."]})
    table = unframe.clean_table(frame, url=None, html="html", fields=["text", "links"], protect="main")
    assert_type(table.column_names, list[str])
    assert_type(table.to_polars(), polars.DataFrame)
    unframe.clean_table(unframe.clean_table(frame))
    unframe.clean_table([1, 2])  # type: ignore[arg-type]


def errors() -> None:
    try:
        unframe.Site.open("a.unframe")
    except unframe.StateInUseError as error:
        assert_type(error, unframe.StateInUseError)
    except (unframe.StateError, unframe.ArgumentError):
        pass
