"""Wrong types, and text that no charset can encode."""

import array
import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
import unframe

from hostile_pages import HTML, URL, pages


class Text(str):
    """A str of another class."""


class Data(bytes):
    """A bytes of another class."""


def uses() -> dict[str, Callable[[Any], object]]:
    """Everything that takes a page."""
    site, crawl = unframe.Site(), unframe.Crawl()
    return {
        "extract": unframe.extract,
        "Site.learn": site.learn,
        "Site.clean": site.clean,
        "Site.why": site.why,
        "Site.learn_many": lambda html: site.learn_many([(URL, html)]),
        "Crawl.learn": lambda html: crawl.learn(html, URL),
        "Crawl.clean": lambda html: crawl.clean(html, URL),
        "Crawl.why": lambda html: crawl.why(html, URL),
        "clean_pages": lambda html: list(unframe.clean_pages([(URL, html)])),
        "clean_pages of dicts": lambda html: list(unframe.clean_pages([{"url": URL, "html": html}])),
        "Crawl.clean_pages": lambda html: list(crawl.clean_pages([(URL, html)])),
    }


USES = uses()


class TestTypes:
    @pytest.mark.parametrize("use", USES)
    def test_not_a_page(self, use: str) -> None:
        for wrong in [
            5,
            2.5,
            True,
            [],
            [HTML],
            (),
            {},
            {HTML},
            object(),
            HTML.decode,
            array.array("B", HTML),
            Path("/"),
        ]:
            with pytest.raises(TypeError, match="html must be bytes or str, not "):
                USES[use](wrong)

    @pytest.mark.parametrize("use", USES)
    def test_none_and_open_files(self, use: str) -> None:
        with pytest.raises(TypeError, match="html must be bytes or str, not NoneType"):
            USES[use](None)
        for file in [io.BytesIO(HTML), io.StringIO(""), open(os.devnull, "rb")]:
            with file, pytest.raises(TypeError, match=f"not {type(file).__name__}; read the file first"):
                USES[use](file)

    @pytest.mark.parametrize("use", USES)
    def test_numpy(self, use: str) -> None:
        for wrong in [numpy.frombuffer(HTML, "uint8"), numpy.array([HTML.decode()]), numpy.int64(5)]:
            with pytest.raises(TypeError, match="html must be bytes or str, not "):
                USES[use](wrong)
        USES[use](numpy.str_(HTML.decode()))
        USES[use](numpy.bytes_(HTML))

    def test_all_that_holds_bytes_or_text(self) -> None:
        wanted = unframe.extract(HTML)
        spaced = bytearray(2 * len(HTML))
        spaced[::2] = HTML
        forms = [
            Data(HTML),
            bytearray(HTML),
            memoryview(HTML),
            memoryview(bytearray(HTML)),
            memoryview(spaced)[::2],
            memoryview(HTML).cast("c"),
            HTML.decode(),
            Text(HTML.decode()),
        ]
        for form in forms:
            assert unframe.extract(form) == wanted
            assert unframe.Site().clean(form).text == wanted
            assert [page.text for page in unframe.clean_pages([(None, form)])] == [wanted]

    def test_a_released_buffer(self) -> None:
        view = memoryview(HTML)
        view.release()
        with pytest.raises(ValueError, match="released"):
            unframe.extract(view)

    def test_a_buffer_that_changes_afterwards(self) -> None:
        site, data = unframe.Site(), bytearray(HTML)
        page = site.clean(data, URL)
        given = unframe.clean_pages([(URL, data), (URL + "2", memoryview(data))], method="text")
        first = next(given)
        data[:] = b"x" * len(data)
        assert "Green tea" in page.markdown and "Green tea" in page.html
        assert "Green tea" in first.markdown and "Green tea" in next(given).html
        # Nothing holds on to it, either: a bytearray with exports cannot be resized.
        del data[:]

    @pytest.mark.parametrize("use", ["learn", "clean", "why"])
    def test_urls(self, use: str) -> None:
        for owner in [unframe.Site(), unframe.Crawl()]:
            for wrong in [5, b"https://a.example/", ["https://a.example/"], Path("/tea")]:
                with pytest.raises(TypeError, match="url must be str, not "):
                    getattr(owner, use)(HTML, wrong)
            getattr(owner, use)(HTML, Text(URL))
        with pytest.raises(TypeError, match="url must be str, not bytes"):
            unframe.extract(HTML, b"https://a.example/")

    def test_settings(self) -> None:
        for arguments, message in [
            ({"output_format": 5}, "output_format must be str, not int"),
            ({"output_format": "pdf"}, "output_format must be 'text', 'markdown', 'html' or 'json', not 'pdf'"),
            ({"include_tables": "no"}, "include_tables must be True or False, not str"),
            ({"favor_precision": 1}, "favor_precision must be True or False, not int"),
            ({"favor_precision": True, "favor_recall": True}, "exclude each other; leave one out"),
            ({"include_comments": "all"}, "include_comments must be True, False or 'only', not 'all'"),
            ({"protect": 5}, "protect must be a list of str, not int"),
            ({"protect": [5]}, "protect must be str, not int"),
            ({"protect": "p:hover"}, "protect: unsupported selector `p:hover`"),
            ({"remove_selector": ">"}, "remove_selector: unsupported selector `>`"),
            ({"remove": "all"}, "unknown kind `all`; write `template`"),
            ({"method": "magic"}, "no method is called `magic`; there are auto, "),
            ({"method": "text", "remove": "template"}, "only for the method 'auto'"),
            ({"method": "text", "include_comments": True}, "include_comments needs the method 'auto'"),
            ({"charset": 5}, "charset must be str, not int"),
            ({"with_metadata": True, "output_format": "html"}, "with_metadata works with text and Markdown"),
            ({"colour": 1}, "unexpected keyword argument 'colour'; there are body_only, charset"),
        ]:
            with pytest.raises((TypeError, unframe.ArgumentError), match=message):
                unframe.extract(HTML, **arguments)
        with pytest.raises(unframe.SelectorError):
            unframe.Site().why(HTML, css="p:hover")

    @pytest.mark.parametrize(
        ("name", "call"),
        [
            ("owner_marks", lambda: unframe.extract(HTML, owner_marks="yes")),
            ("memory", lambda: unframe.Crawl(memory="much")),
            ("state", lambda: unframe.clean_pages([], state=5)),
        ],
        ids=["owner_marks", "memory", "state"],
    )
    def test_the_message_names_the_argument(self, name: str, call: Callable[[], object]) -> None:
        with pytest.raises(TypeError, match=name):
            call()

    @pytest.mark.parametrize("jobs", [-1, 0, 10**6, 10**30, "2", 2.0])
    def test_numbers_of_threads(self, jobs: Any) -> None:
        with pytest.raises((TypeError, unframe.ArgumentError), match="jobs must be "):
            unframe.clean_pages([], jobs=jobs)

    @pytest.mark.parametrize("jobs", [-1, 0, 10**30])
    def test_numbers_of_threads_of_learn_many(self, jobs: Any) -> None:
        with pytest.raises((TypeError, unframe.ArgumentError), match="jobs must be "):
            unframe.Site().learn_many([], jobs=jobs)

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            (5, "pages must be an iterable of"),
            (None, "pages must be an iterable of"),
            ([5], "a page is .url, html., or a dict such as"),
            ([None], "a page is .url, html., or a dict such as"),
            ([[URL, HTML]], "a page is .url, html., or a dict such as"),
            ([(URL,)], "here is a tuple of 1"),
            ([(URL, HTML, {}, 1)], "here is a tuple of 4"),
            ([(URL, HTML, "more")], "the third part of a page must be a dict"),
            ([(b"https://a.example/", HTML)], "url must be str, not bytes"),
            ([{"url": URL}], "a page has no key 'html', but url; name the key with html_field="),
            ([{"html": HTML, "url": 5}], "url must be str, not int"),
            ([{"html": HTML, "more": {1, 2}}], "a value that JSON cannot hold: .*set is not JSON serializable"),
            ({"url": URL, "html": HTML}, "not one dict; write .page."),
            ("<p>Tea.", "this is a page, not a path; write"),
            (["<p>Tea."], "this is a page, not a path; write"),
            ("https://a.example/", "a URL; nothing is fetched"),
            ("missing.warc", "missing.warc: not found"),
            (["missing.html", (URL, HTML)], "all paths or all .url, html., not both"),
        ],
    )
    def test_wrong_pages(self, given: Any, message: str) -> None:
        with pytest.raises((TypeError, unframe.Error), match=message):
            list(unframe.clean_pages(given))

    def test_wrong_values_of_json(self) -> None:
        page = {"html": HTML, "url": URL}
        deep: list[object] = []
        for _ in range(100_000):
            deep = [deep]
        for value in [deep, object(), b"bytes"]:
            with pytest.raises(TypeError, match="a page has a value that JSON cannot hold"):
                list(unframe.clean_pages([{**page, "more": value}]))
        with pytest.raises((TypeError, ValueError)):
            list(unframe.clean_pages([{**page, "more": float("nan")}]))

    def test_paths(self, tmp_path: Path) -> None:
        for wrong in [5, None, [], b"a.unframe"]:
            with pytest.raises(TypeError):
                unframe.Site.open(wrong)
        for open_ in [unframe.Site.open, unframe.Crawl.open, lambda path: unframe.clean_pages([], state=path)]:
            with pytest.raises(unframe.StateNotFoundError, match="create it first"):
                open_(tmp_path / "missing" / "a.unframe")
            with pytest.raises(unframe.StateError, match="a folder, and a state is a file"):
                open_(tmp_path)
            with pytest.raises(unframe.StateError, match="a pipe, socket or device"):
                open_(Path("/dev/full"))
            with pytest.raises((unframe.StateError, ValueError), match="NUL|null"):
                open_("a\0b")
            with pytest.raises(unframe.StateDamagedError, match="not a state that unframe wrote"):
                open_(__file__)

    def test_objects_that_cannot_be_made(self) -> None:
        for kind in [unframe.Page, unframe.Explanation, unframe.CleanedPages, unframe.Reader, unframe.Table]:
            with pytest.raises(TypeError):
                kind()
            with pytest.raises(TypeError, match="not an acceptable base type"):
                type("Mine", (kind,), {})

    def test_wrong_pickles(self) -> None:
        for wrong in [b"", b"nonsense", b"\0" * 1000, pickle.dumps(5)]:
            with pytest.raises(unframe.StateDamagedError, match="not an exported site"):
                unframe.Site.from_bytes(wrong)
        site = unframe.Site()
        site.learn_many(pages(20))
        data = site.to_bytes()
        for cut in range(0, len(data), 7):
            with pytest.raises(unframe.StateError):
                unframe.Site.from_bytes(data[:cut])
        for place in range(0, len(data), 5):
            damaged = bytearray(data)
            damaged[place] ^= 0x55
            with pytest.raises(unframe.StateError):
                site.merge(bytes(damaged))
        assert site.to_bytes() == data
        with pytest.raises(unframe.ArgumentError, match="not a page that unframe has pickled"):
            unframe.Page._restore("nonsense", b"", None)


class TestText:
    @pytest.mark.parametrize("use", USES)
    def test_lone_surrogates(self, use: str) -> None:
        with pytest.raises(unframe.ArgumentError, match="html contains a lone surrogate"):
            USES[use]("<p>Green tea \ud800 is steeped.")

    def test_lone_surrogates_elsewhere(self) -> None:
        for call in [
            lambda: unframe.extract(HTML, "https://a.example/\ud800"),
            lambda: unframe.Site().learn(HTML, "https://a.example/\udfff"),
            lambda: unframe.Crawl().clean(HTML, "https://a.example/\udfff"),
            lambda: list(unframe.clean_pages([("https://a.example/\ud800", HTML)])),
            lambda: unframe.extract(HTML, protect="\ud800"),
            lambda: unframe.Site().why(HTML, css="\ud800"),
            lambda: unframe.Site().learn(HTML, charset="\ud800"),
            lambda: unframe.Crawl().pages("\ud800"),
            lambda: list(unframe.clean_pages([{"html": HTML, "url": URL, "\ud800": 1}])),
        ]:
            with pytest.raises(ValueError, match="surrogate"):
                call()

    def test_the_advice_for_a_url_can_be_followed(self) -> None:
        with pytest.raises(unframe.ArgumentError) as raised:
            unframe.extract(HTML, "https://a.example/\ud800")
        assert "write url.encode('utf-8', 'replace').decode()" in str(raised.value)

    def test_text_that_was_read_with_surrogateescape(self) -> None:
        html = "<p>Ein schöner Tag für eine Tasse Tee.".encode("latin-1")
        text = html.decode("utf-8", "surrogateescape")
        with pytest.raises(unframe.ArgumentError, match="write html.encode"):
            unframe.extract(text)
        assert "schöner" in (unframe.extract(text.encode("utf-8", "surrogateescape")) or "")

    def test_nuls_and_controls(self) -> None:
        for html in [
            b"\0",
            b"\0" * 1000,
            b"<p>Green\0 tea\0 is good.",
            b"<\0p>Tea",
            bytes(range(256)) * 4,
            b"\xff\xfe<\0p\0",
        ]:
            unframe.extract(html)
            unframe.extract(html, "https://a.example/\0\n\r")
            unframe.Site().clean(html, "\0")
            list(unframe.clean_pages([("https://a.example/\0", html)]))

    def test_charsets(self) -> None:
        for charset in ["", "utf-99", "\0", "x" * 100_000, "utf-16", "ISO-2022-JP", "replacement", "hz-gb-2312"]:
            unframe.extract(HTML, charset=charset)
            unframe.Site().clean(HTML, charset=charset)

    def test_long_urls_and_names(self) -> None:
        url = "https://a.example/" + "x" * 1_000_000
        assert unframe.extract(HTML, url)
        assert unframe.Site().clean(HTML, url).url == url
        crawl = unframe.Crawl()
        crawl.learn(HTML, site="s" * 1_000_000)
        assert len(crawl.sites[0]) <= 1_000_000
