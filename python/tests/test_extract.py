"""A single page."""

import json
from pathlib import Path

import unframe

from made_up_site import COMMENTED, PAGE, URL, run


class TestExtract:
    def test_gives_the_content_as_text(self) -> None:
        text = unframe.extract(PAGE, URL)
        assert text is not None and text.startswith("Green tea\n")
        assert "bitter" in text and "Minutes" in text
        assert not any(frame in text for frame in ["Shop", "Imprint", "Sponsored"])

    def test_bytes_and_text_give_the_same(self) -> None:
        assert unframe.extract(PAGE.encode(), URL) == unframe.extract(PAGE, URL)

    def test_gives_none_if_nothing_is_kept(self) -> None:
        assert unframe.extract(b"") is None
        assert unframe.extract("<script>let tea = 2</script>") is None
        assert unframe.extract("", output_format="json") is None

    def test_markdown_with_and_without_links_and_images(self) -> None:
        markdown = unframe.extract(PAGE, URL, output_format="markdown") or ""
        assert "# Green tea" in markdown and "| Green | 2 |" in markdown
        assert "[Black tea](https://a.example/tea/black.html)" in markdown and "cup.jpg" not in markdown
        without = unframe.extract(PAGE, URL, output_format="markdown", include_links=False) or ""
        assert "Black tea needs" in without and "](" not in without
        images = unframe.extract(PAGE, URL, output_format="markdown", include_images=True) or ""
        assert "![A cup](https://a.example/tea/cup.jpg)" in images

    def test_html_is_the_page_without_its_frame(self) -> None:
        html = unframe.extract(PAGE, URL, output_format="html") or ""
        assert '<h1 class="entry-title">Green tea</h1>' in html and "<title>" in html
        assert "Imprint" not in html and "Shop" not in html

    def test_json_is_the_record_of_the_command_line(self, tmp_path: Path) -> None:
        (tmp_path / "page.jsonl").write_text(json.dumps({"url": URL, "html": PAGE}))
        written = run("clean", "--format", "jsonl", tmp_path / "page.jsonl", "-o", tmp_path / "out.jsonl")
        assert written.returncode == 0, written.stderr
        ours = json.loads(unframe.extract(PAGE, URL, output_format="json") or "")
        theirs = json.loads((tmp_path / "out.jsonl").read_text())
        assert ours.pop("source") == URL and theirs.pop("source") != URL
        assert ours == theirs

    def test_other_names_of_the_formats(self) -> None:
        for name, other in [("text", "txt"), ("markdown", "md"), ("json", "jsonl")]:
            of = [unframe.extract(PAGE, output_format=form) for form in (name, other)]
            assert of[0] == of[1]

    def test_metadata_comes_first(self) -> None:
        text = unframe.extract(PAGE, URL, with_metadata=True) or ""
        head, _, rest = text.removeprefix("---\n").partition("---\n\n")
        assert f'url: "{URL}"' in head and 'author: "Ann Lee"' in head and 'date: "2026-01-02"' in head
        assert rest == unframe.extract(PAGE, URL)
        markdown = unframe.extract(PAGE, URL, with_metadata=True, output_format="markdown") or ""
        assert markdown.startswith("---\n" + head)

    def test_tables_and_body(self) -> None:
        assert "Minutes" not in (unframe.extract(PAGE, include_tables=False) or "")
        body = unframe.extract(PAGE, body_only=True) or ""
        assert "By Ann Lee" not in body and "bitter" in body

    def test_comments(self) -> None:
        assert "Great post" not in (unframe.extract(COMMENTED) or "")
        both = unframe.extract(COMMENTED, include_comments=True) or ""
        assert "bitter" in both and "Great post" in both
        only = unframe.extract(COMMENTED, include_comments="only") or ""
        assert "bitter" not in only and "Great post" in only

    def test_selectors_of_the_user_decide(self) -> None:
        assert "Imprint" in (unframe.extract(PAGE, protect="footer") or "")
        assert "Imprint" in (unframe.extract(PAGE, protect=["#nothing", "footer"]) or "")
        assert "Minutes" not in (unframe.extract(PAGE, remove_selector=["table"]) or "")
        kept = unframe.extract(PAGE, remove_selector="table", protect="table") or ""
        assert "Minutes" in kept

    def test_what_is_removed(self) -> None:
        assert "Sponsored" in (unframe.extract(PAGE, owner_marks=False) or "")
        everything = unframe.extract(PAGE, method="text") or ""
        assert "Shop" in everything and "Imprint" in everything
        more, less = (
            (unframe.extract(PAGE, favor_recall=True) or ""),
            (unframe.extract(PAGE, favor_precision=True) or ""),
        )
        assert len(more) >= len(unframe.extract(PAGE) or "") >= len(less)
        assert len(unframe.extract(PAGE, remove="template") or "") >= len(unframe.extract(PAGE) or "")

    def test_the_charset_of_the_transport(self) -> None:
        html = "<p>Ein schöner Tag für eine Tasse Tee, sagt die Wirtin.".encode("latin-1")
        assert "schöner" in (unframe.extract(html, charset="iso-8859-1") or "")
        # Text has no charset any more.
        assert "schöner" in (unframe.extract(html.decode("latin-1"), charset="iso-8859-1") or "")
