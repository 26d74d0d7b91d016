"""Whatever comes in: a clear exception, no crash, nothing lost."""

import array
import gc
import io
import os
import pickle
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import unframe

HTML = b"<nav>Home, Shop, Contact</nav><p>Green tea is steeped for two minutes, in water that has cooled."
URL = "https://a.example/tea"


def pages(count: int) -> Iterator[tuple[str, str]]:
    for number in range(count):
        yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><p>Story number {number} of the week."


def endless() -> Iterator[tuple[str, str]]:
    yield from pages(1_000_000_000)


def survives(code: str, *arguments: object, timeout: float = 30, **options: Any) -> str:
    """Runs a program in a process of its own, which must end by itself and well. Returns what it prints."""
    program = "import gc, os, signal, sys, time, unframe\n" + textwrap.dedent(code)
    command = [sys.executable, "-W", "ignore", "-c", program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, **options)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def state_pages(path: Path) -> int:
    with unframe.Crawl.open(path) as crawl:
        return sum(crawl.pages(site) for site in crawl.sites)


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
        numpy = pytest.importorskip("numpy")
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


# 80 MB of pages that cannot be compressed much.
LARGE = """
def pages():
    for number in range(80):
        noise = os.urandom(500_000).hex()
        yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><!--{noise}--><p>Story number {number}."
"""


class TestSize:
    def test_huge_pages(self) -> None:
        """60 MB of bytes and of text."""
        survives(
            """
            html = b"<nav>Home, Shop</nav><p>" + b"Green tea is steeped for two minutes. " * 1_600_000
            assert len(html) > 60_000_000
            for page in [html, html.decode()]:
                assert "Green tea" in unframe.extract(page)
            site = unframe.Site()
            assert "truncated" in site.clean(html).flags
            (page,) = unframe.clean_pages([("https://a.example/", html)])
            assert "Green tea" in page.text
            """,
            timeout=60,
        )

    def test_deep_nesting(self) -> None:
        """100,000 elements in each other must not overflow the stack, in any form of the page."""
        survives(
            """
            for tag in ["div", "b", "table><tr><td", "ul><li", "font", "svg><g", "a href=x"]:
                html = f"<{tag}>" * 100_000 + "Green tea is steeped for two minutes."
                for form in ["text", "markdown", "html", "json"]:
                    unframe.extract(html, output_format=form, method="text")
                site = unframe.Site()
                page = site.clean(html)
                page.body, page.without_tables(), page.template(), page.to_dict()
                why = site.why(html)
                why.overlay(), why.to_list(), str(why)
            """,
            timeout=60,
        )

    def test_many_small_things(self) -> None:
        survives(
            """
            unframe.extract("<a href=/x>x</a> " * 300_000, output_format="json")
            unframe.extract("<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">Green tea is good.")
            unframe.extract("&amp;" * 1_000_000)
            unframe.extract("<" * 1_000_000)
            unframe.extract("<!--" * 300_000)
            unframe.extract("<p>" + "x" * 5_000_000)
            """,
            timeout=60,
        )

    def test_pages_that_do_not_fit_are_spooled(self, tmp_path: Path) -> None:
        survives(
            LARGE
            + """
cleaned = unframe.clean_pages(pages(), memory=16_000_000)
assert next(cleaned).text.startswith("Story number")
assert any(os.readlink(f"/proc/self/fd/{fd}").startswith(sys.argv[1]) for fd in os.listdir("/proc/self/fd")[:-1])
assert sum(page.text.startswith("Story number") for page in cleaned) == 79
assert os.listdir(sys.argv[1]) == []
""",
            tmp_path,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )

    def test_nowhere_to_spool_to(self, tmp_path: Path) -> None:
        said = survives(
            LARGE
            + """
try:
    list(unframe.clean_pages(pages(), memory=16_000_000))
except unframe.InputError as error:
    print(error)
""",
            env={**os.environ, "TMPDIR": str(tmp_path / "missing")},
        )
        assert f"no copy could be kept in {tmp_path / 'missing'}" in said and "set TMPDIR to a folder" in said, said

    def test_no_room_to_spool_to(self) -> None:
        said = survives(
            LARGE
            + """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000_000, resource.RLIM_INFINITY))
try:
    list(unframe.clean_pages(pages(), memory=16_000_000))
except unframe.InputError as error:
    print(error)
"""
        )
        assert "no copy could be kept" in said and "set TMPDIR to a folder with more room" in said, said


class TestClosed:
    def test_site(self, tmp_path: Path) -> None:
        for site in [unframe.Site(), unframe.Site.open(tmp_path / "a.unframe")]:
            site.close()
            site.close()
            for use in [
                lambda: site.learn(HTML),
                lambda: site.learn_many([(URL, HTML)]),
                lambda: site.clean(HTML),
                lambda: site.clean(HTML, learn=False),
                lambda: site.why(HTML),
                lambda: site.template(HTML),
                lambda: site.pages,
                lambda: site.name,
                lambda: site.drift,
                lambda: site.designs,
                lambda: site.to_bytes(),
                lambda: site.merge(unframe.Site()),
                lambda: unframe.Site().merge(site),
                lambda: site.commit(),
                lambda: pickle.dumps(site),
            ]:
                with pytest.raises(unframe.ClosedError, match="the site is closed; open it again"):
                    use()

    def test_crawl(self, tmp_path: Path) -> None:
        for crawl in [unframe.Crawl(), unframe.Crawl.open(tmp_path / "a.unframe")]:
            crawl.close()
            crawl.close()
            for use in [
                lambda: crawl.learn(HTML, URL),
                lambda: crawl.clean(HTML, URL),
                lambda: crawl.why(HTML, URL),
                lambda: crawl.sites,
                lambda: crawl.pages("a.example"),
                lambda: crawl.drift,
                lambda: crawl.to_bytes("a.example"),
                lambda: crawl.merge(unframe.Crawl()) or crawl.sites,
                lambda: crawl.commit(),
                lambda: pickle.dumps(crawl),
            ]:
                with pytest.raises(unframe.ClosedError, match="the crawl is closed; open it again"):
                    use()
            assert crawl.site_of(URL) == "a.example"
            assert "closed" in repr(crawl)

    def test_a_run_of_a_closed_crawl(self) -> None:
        crawl = unframe.Crawl()
        crawl.close()
        with pytest.raises(unframe.ClosedError):
            list(crawl.clean_pages([(URL, HTML)]))

    def test_an_exception_beside_a_run_is_not_hidden(self) -> None:
        with pytest.raises(Broken), unframe.Crawl() as crawl:
            cleaned = crawl.clean_pages(pages(300))
            next(cleaned)
            raise Broken

    def test_iterators(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_bytes(HTML)
        for iterator in [unframe.clean_pages(pages(100)), unframe.read(tmp_path)]:
            iterator.close()
            iterator.close()
            assert list(iterator) == []
            with iterator:
                pass

    def test_a_file_that_goes_away(self, tmp_path: Path) -> None:
        for number in range(5):
            (tmp_path / f"{number}.html").write_bytes(HTML)
        reader = unframe.read([tmp_path / f"{number}.html" for number in range(5)])
        next(reader)
        for path in tmp_path.iterdir():
            path.unlink()
        left = list(reader)
        assert len(left) + sum(reader.skipped.values()) <= 4


class Broken(Exception):
    """Raised by the user's objects."""


class TestUsersExceptions:
    def test_iterables(self) -> None:
        class NoIterator:
            def __iter__(self) -> Iterator[Any]:
                raise Broken

        class NoNext:
            def __iter__(self) -> "NoNext":
                return self

            def __next__(self) -> Any:
                raise Broken

        with pytest.raises(Broken):
            unframe.clean_pages(NoNext())
        with pytest.raises(Broken):
            unframe.Site().learn_many(NoNext())
        for call in [unframe.clean_pages, unframe.Site().learn_many]:
            with pytest.raises((Broken, TypeError)):
                call(NoIterator())

    @pytest.mark.parametrize(
        "call", [unframe.clean_pages, unframe.Site().learn_many], ids=["clean_pages", "learn_many"]
    )
    def test_an_exception_of_iter_comes_through(self, call: Callable[[Any], object]) -> None:
        class NoIterator:
            def __iter__(self) -> Iterator[Any]:
                raise Broken

        with pytest.raises(Broken):
            call(NoIterator())

    @pytest.mark.parametrize("good", [0, 1, 31, 32, 33, 5000])
    def test_an_iterator_that_fails_later(self, good: int, tmp_path: Path) -> None:
        def failing() -> Iterator[tuple[str, str]]:
            yield from pages(good)
            raise Broken

        state = tmp_path / "a.unframe"
        with pytest.raises(Broken):
            list(unframe.clean_pages(failing(), state=state))
        assert state_pages(state) <= good
        assert len(list(unframe.clean_pages(pages(40), state=state))) == 40

    def test_paths(self) -> None:
        class Path_:
            def __fspath__(self) -> str:
                raise Broken

        class NotText:
            def __fspath__(self) -> Any:
                return 5

        for call in [unframe.clean_pages, unframe.read, unframe.Site.open, unframe.Crawl.open]:
            with pytest.raises(Broken):
                call(Path_())
            with pytest.raises(TypeError):
                call(NotText())
        with pytest.raises(Broken):
            unframe.clean_pages([Path_()])
        with pytest.raises(Broken):
            unframe.clean_pages([], state=Path_())

    def test_objects_that_fail_at_everything(self) -> None:
        class Evil:
            def __getattr__(self, name: str) -> Any:
                raise Broken(name)

            def __eq__(self, other: object) -> bool:
                raise Broken

            def __hash__(self) -> int:
                raise Broken

            def __repr__(self) -> str:
                raise Broken

            def __bool__(self) -> bool:
                raise Broken

        for call in [
            lambda: unframe.extract(Evil()),
            lambda: unframe.extract(HTML, Evil()),
            lambda: unframe.extract(HTML, include_tables=Evil()),
            lambda: unframe.extract(HTML, include_comments=Evil()),
            lambda: unframe.extract(HTML, protect=Evil()),
            lambda: unframe.clean_pages(Evil()),
            lambda: list(unframe.clean_pages([Evil()])),
            lambda: unframe.clean_pages([], jobs=Evil()),
            lambda: unframe.clean_pages([], state=Evil()),
            lambda: unframe.clean_table(Evil()),
            lambda: unframe.read(Evil()),
            lambda: unframe.Site().merge(Evil()),
            lambda: unframe.Site.open(Evil()),
        ]:
            with pytest.raises((Broken, TypeError, unframe.ArgumentError)):
                call()

    @pytest.mark.parametrize("key", ["url", "html"])
    def test_an_exception_of_a_mapping_comes_through(self, key: str) -> None:
        class Row(dict[str, Any]):
            def __getitem__(self, name: str) -> Any:
                if name == key:
                    raise Broken
                return super().__getitem__(name)

        with pytest.raises(Broken):
            list(unframe.clean_pages([Row(url=URL, html=HTML)]))

    def test_recursion(self) -> None:
        def endless() -> Any:
            yield from endless()

        with pytest.raises(RecursionError):
            list(unframe.clean_pages(endless()))

    def test_a_handler_of_the_logger_that_fails(self, tmp_path: Path) -> None:
        said = survives(
            """
            import logging
            class Failing(logging.Handler):
                def emit(self, record):
                    raise LookupError("mine")
            logging.getLogger("unframe").addHandler(Failing())
            open(sys.argv[1], "w").write("nonsense")
            try:
                list(unframe.clean_pages(sys.argv[1]))
            except LookupError as error:
                print(error)
            """,
            tmp_path / "a.jsonl",
        )
        assert said == "mine\n"


class TestIterators:
    def test_callbacks_into_the_same_iterator(self) -> None:
        seen: list[BaseException] = []

        def evil() -> Iterator[tuple[str, bytes]]:
            yield URL, HTML
            for use in [lambda: next(cleaned), lambda: cleaned.summary]:
                try:
                    use()
                except Exception as error:
                    seen.append(error)
            yield URL + "2", HTML

        cleaned = unframe.clean_pages(evil())
        assert len(list(cleaned)) == 2
        assert [type(error) for error in seen] == [unframe.Error]

    def test_pages_that_close_their_own_iterator(self) -> None:
        def evil() -> Iterator[tuple[str, bytes]]:
            yield URL, HTML
            cleaned.close()
            yield URL + "2", HTML

        cleaned = unframe.clean_pages(evil())
        assert list(cleaned) == []

    def test_a_callback_is_explained(self) -> None:
        def evil() -> Iterator[tuple[str, bytes]]:
            yield URL, HTML
            next(cleaned)

        cleaned = unframe.clean_pages(evil())
        with pytest.raises((unframe.Error, ValueError), match="clean"):
            list(cleaned)

    def test_the_summary_can_be_read_inside_the_users_iterator(self) -> None:
        seen = []

        def curious() -> Iterator[tuple[str, bytes]]:
            seen.append((repr(cleaned), cleaned.summary))
            yield URL, HTML

        cleaned = unframe.clean_pages(page for source in [pages(1), curious()] for page in source)
        list(cleaned)
        assert seen[0][1] is None

    def test_the_users_generator_is_closed(self) -> None:
        closed = []

        def mine() -> Iterator[tuple[str, str]]:
            try:
                yield from endless()
            finally:
                closed.append(True)

        with unframe.clean_pages(mine(), arrival=True) as cleaned:
            next(cleaned)
        assert closed == [True]

    def test_a_run_that_is_dropped_ends(self) -> None:
        for arrival in (True, False):
            cleaned = unframe.clean_pages(endless() if arrival else pages(200), arrival=arrival)
            next(cleaned)
            del cleaned
        gc.collect()
        deadline = time.monotonic() + 5
        while threads() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert threads() == 0

    def test_a_run_in_a_cycle_ends(self) -> None:
        survives(
            """
            class Crawler:
                def __init__(self):
                    self.cleaned = unframe.clean_pages(self.pages(), arrival=True)
                    next(self.cleaned)
                def pages(self):
                    number = 0
                    while True:
                        number += 1
                        yield f"https://a.example/{number}", f"<p>Story number {number} of the week."
            crawler = Crawler()
            del crawler
            gc.collect()
            time.sleep(0.2)
            names = [open(f"/proc/self/task/{task}/comm").read().strip() for task in os.listdir("/proc/self/task")]
            assert "unframe" not in names, names
            """
        )

    def test_half_used_iterators_at_the_end_of_the_program(self, tmp_path: Path) -> None:
        survives(
            """
            def endless():
                number = 0
                while True:
                    number += 1
                    yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><p>Story {number} of the week."
            one = unframe.clean_pages(endless(), arrival=True, state=sys.argv[1])
            next(one)
            crawl = unframe.Crawl()
            two = crawl.clean_pages(endless(), arrival=True)
            next(two)
            cycle = [two]
            cycle.append(cycle)
            """,
            tmp_path / "a.unframe",
        )
        assert state_pages(tmp_path / "a.unframe") > 0

    def test_a_signal_handler_that_raises(self) -> None:
        survives(
            """
            class Alarm(Exception): pass
            def ring(*_): raise Alarm
            signal.signal(signal.SIGALRM, ring)
            def endless():
                number = 0
                while True:
                    number += 1
                    yield f"https://a.example/{number}", f"<p>Story {number} of the week."
            for work in [lambda: list(unframe.clean_pages(endless())), lambda: unframe.Site().learn_many(endless())]:
                signal.setitimer(signal.ITIMER_REAL, 0.3)
                try:
                    work()
                except Alarm:
                    pass
                else:
                    raise SystemExit("not interrupted")
            """
        )


def threads() -> int:
    """The threads of runs in this process."""
    names = [Path(f"/proc/self/task/{task}/comm") for task in os.listdir("/proc/self/task")]
    return sum(name.read_text().strip() == "unframe" for name in names if name.exists())


class TestStates:
    def test_two_processes(self, tmp_path: Path) -> None:
        path = tmp_path / "a.unframe"
        with unframe.Site.open(path) as site:
            site.learn_many(pages(10))
            said = survives(
                """
                for use in [unframe.Site.open, unframe.Crawl.open, lambda path: unframe.clean_pages([], state=path)]:
                    try:
                        use(sys.argv[1])
                    except unframe.StateInUseError as error:
                        print(error)
                """,
                path,
            )
            assert said.count("in use by another process; wait for it to end") == 3
            for use in [unframe.Site.open, unframe.Crawl.open, lambda path: unframe.clean_pages([], state=path)]:
                with pytest.raises(unframe.StateInUseError):
                    use(path)
            site.learn_many(pages(20))
        assert state_pages(path) == 20

    def test_damage_is_noticed_and_left_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "a.unframe"
        with unframe.Site.open(path) as site:
            site.learn_many(pages(50))
        good = path.read_bytes()
        for place in range(0, len(good), max(1, len(good) // 40)):
            damaged = bytearray(good)
            damaged[place] ^= 0x55
            path.write_bytes(damaged)
            try:
                with unframe.Site.open(path, watch_drift=False) as site:
                    site.clean(HTML, learn=False)
            except unframe.StateError:
                assert path.read_bytes() == damaged
        for cut in range(1, len(good), max(1, len(good) // 20)):
            path.write_bytes(good[:cut])
            with pytest.raises(unframe.StateDamagedError):
                unframe.Site.open(path)
        path.write_bytes(good)
        assert state_pages(path) == 50

    def test_methods_do_not_mix(self, tmp_path: Path) -> None:
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            site.learn_many(pages(5))
        with unframe.Site.open(tmp_path / "a.unframe", method="chunks") as site:
            assert site.pages == 0
            site.learn_many(pages(7))
        assert state_pages(tmp_path / "a.unframe") == 5

    @pytest.mark.parametrize("use", ["Site", "Crawl", "clean_pages"])
    def test_a_full_disk(self, tmp_path: Path, use: str) -> None:
        """A limit of the file size stands for it: writing fails at some point."""
        said = survives(
            """
            import resource
            path, use = sys.argv[1:]
            def pages(start, count):
                for number in range(start, start + count):
                    texts = [f"<p>{number} {n} {hash((number, n))}" for n in range(200)]
                    yield f"https://a.example/{number}", "".join(texts)
            with unframe.Crawl.open(path) as crawl:
                for url, html in pages(0, 50):
                    crawl.learn(html, url)
            size = os.path.getsize(path)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 4096, resource.RLIM_INFINITY))
            try:
                if use == "clean_pages":
                    list(unframe.clean_pages(pages(50, 300), state=path))
                elif use == "Site":
                    with unframe.Site.open(path) as site:
                        site.learn_many(pages(50, 300))
                else:
                    with unframe.Crawl.open(path) as crawl:
                        for url, html in pages(50, 300):
                            crawl.learn(html, url)
            except unframe.StateError as error:
                print(type(error).__name__, error)
            """,
            tmp_path / "a.unframe",
            use,
        )
        assert said.startswith("StateError") and "a.unframe" in said and "too large" in said, said
        assert state_pages(tmp_path / "a.unframe") >= 50

    def test_a_site_stays_open_if_it_cannot_be_committed(self, tmp_path: Path) -> None:
        survives(
            """
            import resource
            site = unframe.Site.open(sys.argv[1])
            for number in range(200):
                site.learn("".join(f"<p>{number} {n} {hash((number, n))}" for n in range(200)), str(number))
            soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
            resource.setrlimit(resource.RLIMIT_FSIZE, (os.path.getsize(sys.argv[1]) + 100, hard))
            try:
                site.close()
            except unframe.StateError:
                resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
                assert site.pages == 200
                site.close()
                with unframe.Site.open(sys.argv[1]) as site:
                    assert site.pages == 200
            else:
                raise SystemExit("it could be committed")
            """,
            tmp_path / "a.unframe",
        )

    def test_a_folder_that_cannot_be_written_to(self) -> None:
        for use in [unframe.Site.open, unframe.Crawl.open]:
            with pytest.raises(unframe.StateError, match="/proc/a.unframe"):
                use("/proc/a.unframe")

    def test_the_file_is_deleted_meanwhile(self, tmp_path: Path) -> None:
        path = tmp_path / "a.unframe"
        with unframe.Site.open(path) as site:
            site.learn_many(pages(10))
            site.commit()
            path.unlink()
            site.learn_many(pages(20))
            assert site.pages == 20

    def test_the_end_of_the_program_commits_even_beside_a_daemon_thread(self, tmp_path: Path) -> None:
        survives(
            """
            import threading
            site = unframe.Site.open(sys.argv[1])
            for number in range(50):
                site.learn(f"<nav>Home, Shop</nav><p>Story {number}.", f"https://a.example/{number}")
            threading.Thread(target=lambda: time.sleep(60), daemon=True).start()
            """,
            tmp_path / "a.unframe",
        )
        assert state_pages(tmp_path / "a.unframe") == 50


FORK = """
def child(work):
    "The work in a forked child, which must end within some seconds: its exception, or None."
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(10)
        try:
            work()
            said = "fine"
        except BaseException as error:
            said = f"{type(error).__name__}: {error}"
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    said = os.fdopen(reader).read()
    _, status = os.waitpid(pid, 0)
    if os.WIFSIGNALED(status):
        said = f"signal {os.WTERMSIG(status)}"
    return said

def pages(count):
    return [(f"https://a.example/{n}", f"<nav>Home, Shop</nav><p>Story number {n} of the week.") for n in range(count)]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
class TestFork:
    def test_functions_work_in_a_child(self) -> None:
        survives(
            FORK
            + """
list(unframe.clean_pages(pages(300)))
unframe.Site().learn_many(pages(300))
assert child(lambda: list(unframe.clean_pages(pages(300)))) == "fine"
assert child(lambda: unframe.Site().learn_many(pages(300))) == "fine"
assert child(lambda: unframe.extract("<p>Green tea is good.")) == "fine"
"""
        )

    def test_a_site_in_memory_is_copied(self) -> None:
        survives(
            FORK
            + """
site = unframe.Site()
site.learn_many(pages(50))
def work():
    site.learn("<p>More.", "https://a.example/more")
    site.clean("<p>Even more.", "https://a.example/more2")
    assert site.pages == 52
    site.close()
assert child(work) == "fine"
assert site.pages == 50
crawl = unframe.Crawl()
crawl.learn("<p>Tea.", "https://a.example/tea")
assert child(lambda: crawl.learn("<p>More.", "https://a.example/more")) == "fine"
assert crawl.pages("a.example") == 1
"""
        )

    @pytest.mark.parametrize("kind", ["Site", "Crawl"])
    def test_the_file_of_the_parent_is_left_alone(self, kind: str, tmp_path: Path) -> None:
        survives(
            FORK
            + """
path, kind = sys.argv[1:]
opened = getattr(unframe, kind).open(path)
for url, html in pages(50):
    opened.learn(html, url)
opened.commit()
before = open(path, "rb").read()
for work in [
    lambda: opened.learn("<p>More.", "https://a.example/more"),
    lambda: opened.clean("<p>More.", "https://a.example/more"),
    lambda: opened.commit(),
    lambda: opened.close(),
    lambda: __import__("pickle").dumps(opened),
]:
    said = child(work)
    assert said.startswith("ForkedError") and "open it here after the parent has closed it" in said, said
assert child(lambda: repr(opened)) == "fine"
def drop():
    global opened
    del opened
    gc.collect()
assert child(drop) == "fine"
said = child(lambda: getattr(unframe, kind).open(path))
assert said.startswith("StateInUseError"), said
assert open(path, "rb").read() == before
opened.learn("<p>After.", "https://a.example/after")
opened.close()
with unframe.Site.open(path) as site:
    assert site.pages == 51
""",
            tmp_path / "a.unframe",
            kind,
        )

    def test_a_child_that_ends_as_usual(self, tmp_path: Path) -> None:
        """With all that the interpreter does at its end."""
        survives(
            """
            site = unframe.Site.open(sys.argv[1])
            site.learn("<p>Tea.", "https://a.example/tea")
            cleaned = unframe.clean_pages((f"https://a.example/{n}", f"<p>Story {n}.") for n in range(100))
            next(cleaned)
            if os.fork() == 0:
                sys.exit(0)
            _, status = os.wait()
            assert status == 0
            assert len(list(cleaned)) == 99
            site.close()
            with unframe.Site.open(sys.argv[1]) as site:
                assert site.pages == 1
            """,
            tmp_path / "a.unframe",
        )

    def test_a_running_iterator(self) -> None:
        survives(
            FORK
            + """
cleaned = unframe.clean_pages(pages(500))
next(cleaned)
said = child(lambda: next(cleaned))
assert said.startswith("ForkedError") and "call clean_pages here" in said, said
assert child(lambda: (repr(cleaned), cleaned.summary)) == "fine"
assert len(list(cleaned)) == 499
crawl = unframe.Crawl()
cleaned = crawl.clean_pages(pages(500))
next(cleaned)
assert child(lambda: crawl.sites).startswith(("Error", "ForkedError"))
assert len(list(cleaned)) == 499
assert crawl.sites == ["a.example"]
"""
        )

    # These hang once in a while, so they are tried often; a race that is not met proves nothing.
    @pytest.mark.parametrize("what", ["site", "iterator"])
    def test_a_child_can_close_whatever_other_threads_do(self, what: str) -> None:
        survives(
            FORK
            + """
import itertools, threading
signal.alarm(25)
if sys.argv[1] == "site":
    opened, stop = unframe.Site(), False
    html = "".join(f"<p>Story number {n} of the week." for n in range(500))
    def learn():
        for number in itertools.count():
            if stop: return
            opened.learn(html + str(number), str(number % 5))
    thread = threading.Thread(target=learn)
    thread.start()
def work():
    signal.alarm(2)
    opened.close()
said = []
for number in range(60):
    if sys.argv[1] == "iterator":
        given = ((f"https://a.example/{n}", f"<p>Story {n} of the week.") for n in itertools.count())
        opened = unframe.clean_pages(given, arrival=True)
        for _ in range(number % 4):
            next(opened)
    said.append(child(work))
    if sys.argv[1] == "iterator":
        opened.close()
    if said[-1].startswith("signal"):
        break
stop = True
assert not any(word.startswith("signal") for word in said), said
""",
            what,
        )


def test_limits_are_those_of_the_system() -> None:
    """The tests above rely on it: exceeding the file size is an error, not the end of the process."""
    assert signal.getsignal(signal.SIGXFSZ) == signal.SIG_IGN
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] != 0
