"""Cleaned pages, and why they are as they are."""

import json
import sys

import pytest
import unframe
from made_up_site import COMMENTED, PAGE, URL, learned, pages


class TestPage:
    @pytest.fixture
    def page(self) -> unframe.Page:
        site = unframe.Site(reasons=True)
        site.learn_many(pages(5))
        return site.clean(PAGE, URL)

    def test_forms(self, page: unframe.Page) -> None:
        assert page.text.startswith("Green tea\n") and str(page) == page.text
        assert page.markdown.startswith("# Green tea\n")
        assert "<h1" in page.html and "Imprint" not in page.html
        assert page.html_bytes == page.html.encode()
        assert "Imprint" in page.template() and "bitter" not in page.template()
        assert repr(page).startswith(f"<unframe.Page '{URL}' ")

    def test_where_it_comes_from(self, page: unframe.Page) -> None:
        assert (page.url, page.source, page.site, page.state_pages) == (URL, URL, "site", 6)
        assert page.input == {}
        unnamed = unframe.Site().clean("<p>Tea.")
        assert unnamed.url is None and unnamed.source.startswith("page-")

    def test_what_it_states(self, page: unframe.Page) -> None:
        assert page.title == "Green tea – The Cup"
        assert page.metadata["author"] == "Ann Lee" and page.metadata["published"] == "2026-01-02"
        assert page.metadata["language"] == "en" and "site_name" not in page.metadata

    def test_parts(self, page: unframe.Page) -> None:
        assert page.parts["byline"] == "By Ann Lee" and page.parts["headline"] == "Green tea"
        assert "By Ann Lee" not in page.body.text and "bitter" in page.body.text
        assert "Minutes" in page.text and "Minutes" not in page.without_tables().text
        assert unframe.Site().clean("<p>Tea.").parts == {}

    def test_comments(self, page: unframe.Page) -> None:
        first, *_ = unframe.Site(include_comments=True).clean(COMMENTED).comments
        assert (first["author"], first["date"]) == ("Ned", "May 1, 2026 at 10:12 am")
        assert first["text"].startswith("Great post!")
        assert page.comments == unframe.Site().clean(COMMENTED).comments == []

    def test_links(self, page: unframe.Page) -> None:
        assert {"href": "https://a.example/tea/black.html", "text": "Black tea"} in page.links["own"]
        assert {"href": "https://a.example/imprint", "text": "Imprint"} in page.links["frame"]

    def test_regions_are_bytes_of_the_page(self, page: unframe.Page) -> None:
        source = PAGE.encode()
        footer = next(region for region in page.regions if region["element"] == "footer")
        assert source[footer["start"] : footer["end"]].startswith(b"<footer>All rights reserved.")
        assert footer["text"].startswith("All rights reserved.")
        assert footer["label"] == "template" and footer["evidence"]["rule"] == "odds"

    def test_judgements(self, page: unframe.Page) -> None:
        alone = unframe.Site().clean(PAGE)
        assert alone.kind is not None and 0 < alone.kind["probability"] <= 1
        assert alone.kind["name"] in ("article", "thread", "list", "record", "other")
        url, html = pages(1, start=100)[0]
        confidence = learned(20).clean(html, url).confidence
        assert confidence is not None and 0 < confidence <= 1
        assert 0 < page.template_share < 1
        assert isinstance(page.flags, list)
        assert "few-pages" in alone.flags
        plain = unframe.Site(method="text").clean(PAGE)
        assert plain.kind is None and plain.template_share == 0

    def test_the_hash_is_that_of_the_content(self, page: unframe.Page) -> None:
        assert len(page.content_hash) == 64
        assert unframe.Site().clean(PAGE.replace("Imprint", "Legal")).content_hash == page.content_hash
        assert unframe.Site().clean(PAGE.replace("bitter", "sour")).content_hash != page.content_hash

    def test_records(self, page: unframe.Page) -> None:
        record = page.to_dict()
        assert json.loads(page.to_json()) == record
        assert list(record)[:4] == ["url", "source", "site", "title"]
        assert "markdown" not in record and "markdown" in page.to_dict(fields=["+markdown"])
        assert page.to_dict(fields=["text", "url"]) == {"text": page.text, "url": URL}
        assert page.to_dict(fields="url,title") == page.to_dict(fields=["url", "title"])
        assert page.to_json(fields=["url"]) == json.dumps({"url": URL}, separators=(",", ":"))
        assert record["removed"] == page.regions and record["links"] == page.links
        with pytest.raises(unframe.ArgumentError, match="there is no field `colour`; choose from record, url"):
            page.to_dict(fields=["colour"])

    def test_markdown_with_options(self, page: unframe.Page) -> None:
        assert page.to_markdown() == page.markdown
        assert "](" in page.markdown and "](" not in page.to_markdown(links=False)
        assert "![A cup]" in page.to_markdown(images=True)
        assert page.to_markdown(front_matter=True).startswith('---\ntitle: "')
        assert page.to_markdown(front_matter=True).endswith(page.markdown)


class TestExplanation:
    @pytest.fixture
    def why(self) -> unframe.Explanation:
        url, html = pages(1, start=100)[0]
        return learned(20).why(html, url)

    def test_is_a_sequence(self, why: unframe.Explanation) -> None:
        assert len(why) == len(list(why)) == len(why.to_list()) > 3
        assert why[0] == list(why)[0] and why[-1] == why.to_list()[-1]
        assert why[1:3] == why.to_list()[1:3] and why[::-1] == why.to_list()[::-1]
        with pytest.raises(IndexError, match=f"there are {len(why)} regions"):
            why[len(why)]
        with pytest.raises(TypeError):
            why["nav"]

    def test_regions(self, why: unframe.Explanation) -> None:
        regions = {region["whole_text"]: region for region in why}
        kept, removed = regions["Story 100"], regions["Home of a.example Shop"]
        assert (kept["kept"], kept["label"]) == (True, "content")
        assert (removed["kept"], removed["label"]) == (False, "template")
        assert kept["seen"] == [0, 20] and removed["seen"] == [20, 20]
        assert (kept["probability"] or 0) < (removed["probability"] or 0)
        source = pages(1, start=100)[0][1]
        assert "Shop" in source[removed["start"] : removed["end"]]
        assert removed["css"].endswith("nav")
        assert removed["rule"] and all(len(pair) == 2 for pair in removed["evidence"])

    def test_shown(self, why: unframe.Explanation) -> None:
        assert repr(why) == f"<unframe.Explanation of {len(why)} regions>"
        assert "kept     Story 100\n" in str(why) and "removed  Home of a.example Shop\n" in str(why)
        overlay = why.overlay()
        assert overlay.startswith("<") and "Story 100" in overlay and "Content-Security-Policy" in overlay
        frame = why._repr_html_()
        assert frame.startswith('<iframe sandbox="allow-scripts" srcdoc="') and "&lt;" not in frame[:60]


def test_a_page_refers_to_the_bytes_it_was_given() -> None:
    """They are not copied: as long as the page lives, somebody else holds them."""
    html = PAGE.encode()
    before = sys.getrefcount(html)
    page = unframe.Site().clean(html, URL)
    assert sys.getrefcount(html) > before
    assert page.text
