"""Closed objects, exceptions of the user, and iterators in strange hands."""

import gc
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import unframe

from conftest import wait_until
from hostile_pages import HTML, URL, endless, pages, state_pages, survives


class Broken(Exception):
    """Raised by the user's objects."""


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


def threads() -> int:
    """The threads of runs in this process."""
    count = 0
    for task in os.listdir("/proc/self/task"):
        try:
            count += Path(f"/proc/self/task/{task}/comm").read_text() == "unframe\n"
        except OSError:
            pass  # It has just ended.
    return count


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
        wait_until(lambda: threads() == 0, lambda: f"{threads()} threads")

    def test_a_run_in_a_cycle_ends(self) -> None:
        class Crawler:
            def __init__(self) -> None:
                self.cleaned = unframe.clean_pages(self.pages(), arrival=True)
                next(self.cleaned)

            def pages(self) -> Iterator[tuple[str, str]]:
                yield from endless()

        crawler = Crawler()
        assert threads() > 0
        del crawler
        gc.collect()
        wait_until(lambda: threads() == 0, lambda: f"{threads()} threads")

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
                    if number == 1000:
                        signal.setitimer(signal.ITIMER_REAL, 0.05)
                    yield f"https://a.example/{number}", f"<p>Story {number} of the week."
            for work in [lambda: list(unframe.clean_pages(endless())), lambda: unframe.Site().learn_many(endless())]:
                try:
                    work()
                except Alarm:
                    pass
                else:
                    raise SystemExit("not interrupted")
            """
        )
