"""Many pages at once, and the readers."""

import gzip
import json
import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import unframe

from conftest import ServedPage, write_warc
from made_up_site import pages, run


class TestCleanPages:
    def test_the_order_is_that_of_the_pages(self) -> None:
        given = pages(300) + pages(300, "b.example")
        random.Random(7).shuffle(given)
        cleaned = list(unframe.clean_pages(given))
        assert [page.url for page in cleaned] == [url for url, _ in given]
        assert all(page.text.startswith("Story ") and "Imprint" not in page.text for page in cleaned)

    def test_the_number_of_threads_does_not_matter(self) -> None:
        given = pages(200) + pages(100, "b.example")
        one, *others = [[page.to_json() for page in unframe.clean_pages(given, jobs=jobs)] for jobs in (1, 2, 5)]
        assert all(other == one for other in others)

    def test_all_forms_of_pages_give_the_same(self, tmp_path: Path) -> None:
        given = pages(40)
        lines = "".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in given)
        (tmp_path / "pages.jsonl").write_text(lines)
        (tmp_path / "pages.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
        write_warc(
            tmp_path / "pages.warc.gz",
            [ServedPage(url, html.encode(), "text/html; charset=utf-8") for url, html in given],
        )
        forms = {
            "pairs": given,
            "bytes": [(url, html.encode()) for url, html in given],
            "a generator": (pair for pair in given),
            "triples": [(url, html, {"date": "2026-01-01"}) for url, html in given],
            "triples of None": [(url, html, None) for url, html in given],
            "dicts": [{"url": url, "html": html} for url, html in given],
            "items": dict(given).items(),
            "a path": tmp_path / "pages.jsonl",
            "a name": str(tmp_path / "pages.jsonl.gz"),
            "a WARC": tmp_path / "pages.warc.gz",
            "read": unframe.read(tmp_path / "pages.warc.gz"),
        }
        wanted = [(page.url, page.text, page.site) for page in unframe.clean_pages(given)]
        for name, form in forms.items():
            found = [(page.url, page.text, page.site) for page in unframe.clean_pages(form)]
            assert found == wanted, name

    def test_several_paths_and_filters(self, tmp_path: Path) -> None:
        for number, (_, html) in enumerate(pages(20)):
            (tmp_path / f"{number:02}.html").write_text(html)
        (tmp_path / "notes.txt").write_text("Not a page.")
        paths = sorted(tmp_path.glob("*.html"))
        cleaned = unframe.clean_pages(paths)
        assert [page.source for page in cleaned] == [str(path) for path in paths]
        folder = unframe.clean_pages(tmp_path, exclude="0*.html", site="cups")
        assert {page.site for page in folder} == {"cups"}
        assert folder.summary is not None and folder.summary["pages"] == 10
        assert folder.summary["skipped"].get("excluded") == 10
        assert len(list(unframe.clean_pages(str(tmp_path / "1?.html")))) == 10
        assert len(list(unframe.clean_pages(tmp_path, include=["03.html", "04.html"]))) == 2

    def test_other_keys_are_passed_through(self) -> None:
        given = [{"page": html, "address": url, "id": 7, "tags": ["a", None]} for url, html in pages(3)]
        cleaned = list(unframe.clean_pages(given, url_field="address", html_field="page"))
        assert cleaned[0].url == "https://a.example/0"
        assert cleaned[0].input == {"id": 7, "tags": ["a", None]}
        assert json.loads(cleaned[0].to_json())["input"] == cleaned[0].input
        (more,) = unframe.clean_pages([(None, "<p>Tea.", {"source": "cup", "site": "cups", "note": 1})])
        assert (more.url, more.source, more.site, more.input) == (None, "cup", "cups", {"note": 1})

    def test_a_state_is_continued(self, tmp_path: Path) -> None:
        state = tmp_path / "a.unframe"
        first = unframe.clean_pages(pages(20), state=state)
        assert len(list(first)) == 20
        again = unframe.clean_pages(pages(30), state=state)
        assert {page.state_pages for page in again} == {30}
        assert again.summary is not None
        assert (again.summary["new"], again.summary["unchanged"], again.summary["changed"]) == (10, 20, 0)

    def test_without_learning_a_state_is_left_as_it_is(self, tmp_path: Path) -> None:
        state = tmp_path / "a.unframe"
        list(unframe.clean_pages(pages(20), state=state))
        before = state.read_bytes()
        cleaned = list(unframe.clean_pages(pages(5, start=50), state=state, learn=False))
        assert [page.text.split("\n")[0] for page in cleaned] == [f"Story {number}" for number in range(50, 55)]
        assert state.read_bytes() == before
        with pytest.raises(unframe.ArgumentError, match="state="):
            unframe.clean_pages(pages(5), learn=False)

    def test_at_arrival(self) -> None:
        cleaned = list(unframe.clean_pages(pages(50), arrival=True))
        assert [page.state_pages for page in cleaned] == sorted(page.state_pages for page in cleaned)
        assert cleaned[0].state_pages < 50
        with pytest.raises(unframe.ArgumentError, match="leave out one"):
            unframe.clean_pages(pages(5), arrival=True, learn=False)

    def test_rendering_ahead_changes_nothing(self) -> None:
        wanted = [(page.text, page.markdown) for page in unframe.clean_pages(pages(20))]
        for render in ["markdown", ["text", "markdown"], ()]:
            found = unframe.clean_pages(pages(20), render=render)
            assert [(page.text, page.markdown) for page in found] == wanted
        with pytest.raises(unframe.ArgumentError, match="render must be 'text', 'markdown', both or ()"):
            unframe.clean_pages(pages(1), render="html")

    def test_summary(self) -> None:
        cleaned = unframe.clean_pages(
            pages(20) + pages(10, "b.example") + [("https://b.example/x", b"\x89PNG\0\1\2\3")]
        )
        assert cleaned.summary is None
        count = len(list(cleaned))
        summary = cleaned.summary
        assert summary is not None and summary["pages"] == count
        assert (summary["sites"], summary["new"]) == (2, count)
        assert summary["bytes"] > 1000 and 0 < summary["template_share"] < 1 and summary["seconds"] > 0
        assert "pages so far" in repr(cleaned)
        assert list(cleaned) == []

    def test_no_pages(self) -> None:
        nothing = unframe.clean_pages([])
        assert list(nothing) == []
        assert nothing.summary is not None and nothing.summary["pages"] == 0

    def test_input_that_is_no_page_is_logged(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO, "unframe")
        (tmp_path / "a.jsonl").write_text('{"url": "https://a.example/1", "html": "<p>Tea."}\nnonsense\n')
        assert len(list(unframe.clean_pages(tmp_path / "a.jsonl"))) == 1
        assert any("a.jsonl" in record.getMessage() for record in caplog.records)

    @pytest.mark.parametrize("leave", ["break", "close", "with", "drop"])
    def test_can_be_left_early(self, tmp_path: Path, leave: str) -> None:
        state = tmp_path / "a.unframe"
        if leave == "break":
            for _ in unframe.clean_pages(pages(500), state=state):
                break
        elif leave == "close":
            cleaned = unframe.clean_pages(pages(500), state=state)
            next(cleaned)
            cleaned.close()
            cleaned.close()
            assert list(cleaned) == []
        elif leave == "with":
            with unframe.clean_pages(pages(500), state=state) as cleaned:
                next(cleaned)
        else:
            cleaned = unframe.clean_pages(pages(500), state=state)
            next(cleaned)
            del cleaned
        with unframe.Crawl.open(state) as crawl:
            assert crawl.pages("a.example") == 500
        assert run("state", "check", state).returncode == 0

    def test_an_exception_of_the_iterator_comes_through(self, tmp_path: Path) -> None:
        def broken() -> Iterator[tuple[str, str]]:
            yield from pages(3000)
            raise LookupError("no more pages")

        with pytest.raises(LookupError, match="no more pages") as raised:
            list(unframe.clean_pages(broken(), state=tmp_path / "a.unframe"))
        assert raised.traceback[-1].name == "broken"
        assert run("state", "check", tmp_path / "a.unframe").returncode == 0

    def test_pages_before_an_exception_are_learned(self, tmp_path: Path) -> None:
        def broken() -> Iterator[tuple[str, str]]:
            yield from pages(1000)
            raise LookupError("no more pages")

        with pytest.raises(LookupError):
            list(unframe.clean_pages(broken(), state=tmp_path / "a.unframe"))
        with unframe.Crawl.open(tmp_path / "a.unframe") as crawl:
            assert crawl.pages("a.example") == 1000

    def test_at_arrival_a_page_does_not_wait_for_hundreds_of_others(self) -> None:
        taken = 0

        def counted() -> Iterator[tuple[str, str]]:
            nonlocal taken
            for page in pages(5000):
                taken += 1
                yield page

        with unframe.clean_pages(counted(), arrival=True) as cleaned:
            next(cleaned)
        assert taken <= 64

    def test_two_at_once(self) -> None:
        ours, theirs = unframe.clean_pages(pages(100)), unframe.clean_pages(pages(100, "b.example"))
        for our, their in zip(ours, theirs, strict=True):
            assert (our.site, their.site) == ("a.example", "b.example")
            assert our.text == their.text

    def test_sites_by_domain(self) -> None:
        given = [*pages(10, "news.example.com"), *pages(10, "shop.example.com")]
        assert {page.site for page in unframe.clean_pages(given, site_from="domain")} == {"example.com"}

    def test_little_memory_changes_nothing(self) -> None:
        given = pages(300)
        wanted = [page.text for page in unframe.clean_pages(given)]
        assert [page.text for page in unframe.clean_pages(given, memory=1_000_000)] == wanted

    def test_reasons(self) -> None:
        cleaned = list(unframe.clean_pages(pages(20), reasons=True))
        assert all(region["evidence"].get("template") is not None for region in cleaned[0].regions)


class TestRead:
    def test_a_warc(self, tmp_path: Path) -> None:
        write_warc(
            tmp_path / "a.warc.gz",
            [ServedPage(url, html.encode(), "text/html; charset=utf-8") for url, html in pages(3)],
        )
        with unframe.read(tmp_path / "a.warc.gz") as reader:
            url, html, about = next(reader)
        assert (url, html) == (pages(1)[0][0], pages(1)[0][1].encode())
        assert about["source"].endswith("a.warc.gz@0") or "a.warc.gz" in about["source"]
        assert about["charset"] == "utf-8" and about["site"] == "a.example" and "record_id" in about
        assert about["input"]
        assert list(reader) == []

    def test_paths(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text("<p>One.")
        (tmp_path / "b.html").write_text("<p>Two.")
        (tmp_path / "c.png").write_bytes(b"\x89PNG\r\n\x1a\n")
        both = [b"<p>One.", b"<p>Two."]
        assert [html for _, html, _ in unframe.read([tmp_path / "a.html", str(tmp_path / "b.html")])] == both
        reader = unframe.read(tmp_path)
        assert [html for _, html, _ in reader] == both
        assert sum(reader.skipped.values()) <= 1
        assert [html for _, html, _ in unframe.read(str(tmp_path), include="b*")] == both[1:]

    def test_missing(self, tmp_path: Path) -> None:
        for path in [tmp_path / "nothing.warc", str(tmp_path / "*.nothing")]:
            with pytest.raises(unframe.InputNotFoundError):
                unframe.read(path)
        assert issubclass(unframe.InputNotFoundError, FileNotFoundError)
        with pytest.raises(unframe.InputError, match="nothing is fetched"):
            unframe.read("https://a.example/")
