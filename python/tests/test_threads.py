"""Threads: the same answers as one after another, and all cores."""

import gc
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
import unframe

from conftest import HANG, ended, wait_until

THREADS = 8
Given = TypeVar("Given")
Found = TypeVar("Found")


def pages(count: int, host: str = "a.example", paragraphs: int = 3) -> list[tuple[str, str]]:
    """Pages with some work in them."""
    return [
        (
            f"https://{host}/{number}",
            f"<title>Story {number}</title><nav><a href=/>Home of {host}</a> <a href=/shop>Shop</a></nav><h1>Story "
            f"{number}</h1>"
            + "".join(
                f"<p>Number {number} of the week was told by {7 * number + part} people in the town hall, and <a "
                f"href=/{part}>{part} of them</a> have told it again since then.</p>"
                for part in range(paragraphs)
            )
            + f"<footer>All rights reserved by {host}. Imprint.</footer>",
        )
        for number in range(count)
    ]


def in_threads(work: Callable[[Given], Found], given: list[Given]) -> list[Found]:
    """The results of all, in their order, from threads that begin together."""
    ready = threading.Barrier(THREADS)

    def begin(mine: list[Given]) -> list[Found]:
        ready.wait(HANG)
        return [work(one) for one in mine]

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(begin, [given[thread::THREADS] for thread in range(THREADS)]))
    return [found[number % THREADS][number // THREADS] for number in range(len(given))]


def test_extract() -> None:
    given = pages(200)
    wanted = [unframe.extract(html, url) for url, html in given]
    assert in_threads(lambda page: unframe.extract(page[1], page[0]), given) == wanted


def test_learning() -> None:
    wanted = unframe.Site()
    wanted.learn_many(pages(400))
    site = unframe.Site()
    assert all(in_threads(lambda page: site.learn(page[1], page[0]), pages(400)))
    assert site.to_bytes() == wanted.to_bytes()


def test_learning_the_same_pages() -> None:
    site = unframe.Site()
    given = [page for page in pages(50) for _ in range(THREADS)]
    assert sum(in_threads(lambda page: site.learn(page[1], page[0]), given)) == 50
    assert site.pages == 50


def test_cleaning() -> None:
    site = unframe.Site()
    site.learn_many(pages(300))
    wanted = [site.clean(html, url, learn=False).to_json() for url, html in pages(300)]
    found = in_threads(lambda page: site.clean(page[1], page[0], learn=False).to_json(), pages(300))
    assert found == wanted


def test_all_at_once(tmp_path: Path) -> None:
    """Learning, cleaning, explaining, merging and committing, on one site."""
    with unframe.Site.open(tmp_path / "a.unframe") as site:
        other = unframe.Site()
        other.learn_many(pages(40, "b.example"))
        work: list[Callable[[tuple[str, str]], object]] = [
            lambda page: site.learn(page[1], page[0]),
            lambda page: site.clean(page[1], page[0]),
            lambda page: site.clean(page[1], page[0], learn=False).markdown,
            lambda page: site.why(page[1], page[0]).overlay(),
            lambda page: site.learn_many([page]),
            lambda page: (site.pages, site.drift, site.to_bytes()),
            lambda page: site.merge(other),
            lambda page: site.commit(),
        ]
        given = [(one, page) for page in pages(40) for one in work]
        in_threads(lambda pair: pair[0](pair[1]), given)
        assert site.pages == 80
    with unframe.Site.open(tmp_path / "a.unframe") as site:
        assert site.pages == 80


def test_sites_that_merge_into_each_other() -> None:
    ours, theirs = unframe.Site(), unframe.Site()
    ours.learn_many(pages(50))
    theirs.learn_many(pages(50, "b.example"))
    in_threads(lambda number: (ours.merge(theirs), theirs.merge(ours))[number % 2], list(range(40)))
    assert ours.pages == theirs.pages == 100
    assert ours.to_bytes() == theirs.to_bytes()


def test_a_crawl() -> None:
    crawl = unframe.Crawl()
    given = [page for pair in zip(pages(100), pages(100, "b.example"), strict=True) for page in pair]
    assert all(page.text for page in in_threads(lambda page: crawl.clean(page[1], page[0]), given))
    assert (crawl.pages("a.example"), crawl.pages("b.example")) == (100, 100)


def test_runs_at_the_same_time() -> None:
    wanted = [page.text for page in unframe.clean_pages(pages(100))]
    found = in_threads(lambda _: [page.text for page in unframe.clean_pages(pages(100))], list(range(THREADS)))
    assert found == [wanted] * THREADS


def test_one_page_in_many_threads() -> None:
    page = unframe.Site().clean(*reversed(pages(1, paragraphs=200)[0]))
    forms = in_threads(lambda _: (page.text, page.markdown, page.html, page.to_json()), list(range(THREADS * 5)))
    assert len(set(forms)) == 1


def test_one_thread_at_a_time_takes_pages() -> None:
    """Threads that share an iterator are told so, or each gets some of the pages."""
    cleaned = unframe.clean_pages(pages(300))

    def take(_: int) -> int:
        try:
            return len(list(cleaned))
        except (unframe.Error, ValueError) as error:
            assert "thread" in str(error)
            return 0

    assert sum(in_threads(take, list(range(THREADS)))) <= 300


def test_another_thread_closes_an_iterator() -> None:
    reading, closed = threading.Event(), threading.Event()

    def half() -> Iterator[tuple[str, str]]:
        for number, page in enumerate(pages(50)):
            if number == 25:
                reading.set()
                assert closed.wait(HANG)
            yield page

    cleaned = unframe.clean_pages(half())
    with ThreadPoolExecutor(1) as pool:
        taken = pool.submit(lambda: len(list(cleaned)))
        assert reading.wait(HANG)
        cleaned.close()
        closed.set()
        assert taken.result(HANG) < 50


def test_the_users_iterator_runs_in_the_thread_that_asks() -> None:
    seen = set()

    def mine() -> Iterator[tuple[str, str]]:
        for page in pages(100):
            seen.add(threading.get_ident())
            yield page

    assert len(list(unframe.clean_pages(mine()))) == 100
    assert seen == {threading.get_ident()}


def test_garbage_collection_meanwhile() -> None:
    stop = threading.Event()

    def collect() -> None:
        while not stop.is_set():
            gc.collect()

    collector = threading.Thread(target=collect)
    collector.start()
    try:
        site = unframe.Site()

        def work(page: tuple[str, str]) -> None:
            # Bytes that nothing else refers to: whoever frees them last frees them.
            kept = [site.clean(page[1].encode(), page[0])]
            kept.append(kept)
            cleaned = unframe.clean_pages((url, html.encode()) for url, html in pages(40))
            next(cleaned)

        in_threads(work, pages(80))
        assert site.pages == 80
    finally:
        stop.set()
        collector.join()


def test_a_buffer_that_changes_meanwhile() -> None:
    data, stop = bytearray(pages(1, paragraphs=2000)[0][1].encode()), threading.Event()

    def change() -> None:
        while not stop.is_set():
            data[100:200] = bytes(100)
            data.extend(b"<p>More.")
            del data[-8:]

    changer = threading.Thread(target=change)
    changer.start()
    try:
        assert all(in_threads(lambda _: unframe.extract(data), list(range(2 * THREADS))))
        assert all(in_threads(lambda _: unframe.Site().clean(bytes(data)).text, list(range(2 * THREADS))))
    finally:
        stop.set()
        changer.join()


@pytest.mark.parametrize("what", ["extract", "learn_many", "clean_pages"])
def test_threads_at_the_end_of_the_program(what: str) -> None:
    """The interpreter may end while threads are at work: they must not crash it."""
    program = """
import sys, threading, unframe
html = b"<nav>Home</nav>" + b"".join(b"<p>Story %d of the week." % number for number in range(1000))
site = unframe.Site()
work = {
    "extract": lambda: unframe.extract(html),
    "learn_many": lambda: site.learn_many((str(number), html) for number in range(50)),
    "clean_pages": lambda: list(unframe.clean_pages((f"https://a.example/{n}", html) for n in range(20))),
}[sys.argv[1]]
done = threading.Semaphore(0)
def again():
    while True:
        work()
        done.release()
for _ in range(4):
    threading.Thread(target=again, daemon=True).start()
# When one of them has done something, the others are at work.
for _ in range(8):
    done.acquire()
"""
    done = ended([sys.executable, "-c", program, what])
    # Until 3.13, an interpreter that ends unwinds a thread that waits for it. If code of an extension is below, the C
    # library ends the program with these words, now and then. Later interpreters let such a thread wait for ever.
    unwound = (-signal.SIGABRT, "FATAL: exception not rethrown\n")
    expected = [(0, ""), unwound] if sys.version_info < (3, 14) else [(0, "")]
    assert (done.returncode, done.stderr) in expected


def test_memory_is_returned() -> None:
    """The bytes of pages are freed when nothing refers to them any more, by whichever thread."""

    class Counted(bytes):
        alive = 0

        def __init__(self, *_: object) -> None:
            Counted.alive += 1

        def __del__(self) -> None:
            Counted.alive -= 1

    in_threads(lambda page: unframe.extract(Counted(page[1].encode()), page[0]), pages(100))
    list(unframe.clean_pages((url, Counted(html.encode())) for url, html in pages(100)))
    site = unframe.Site()
    site.learn_many((url, Counted(html.encode())) for url, html in pages(100))
    # The site still has the last page, for its template.
    assert Counted.alive <= 1
    del site
    # Threads without the interpreter leave it to the next call.
    unframe.extract(b"")
    assert Counted.alive == 0


def turns(clocks: list[int]) -> list[int]:
    """Threads by their clocks, in the order in which they compute for a millisecond while Python runs here only."""
    spent = [time.clock_gettime(clock) for clock in clocks]
    order: list[int] = []
    end = time.thread_time() + 0.5
    while time.thread_time() < end and len(order) < 50:
        for thread, clock in enumerate(clocks):
            now = time.clock_gettime(clock)
            if now > spent[thread] + 0.001:
                spent[thread] = now
                order.append(thread)
    return order


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the processor time of threads")
@pytest.mark.parametrize("threads", [1, THREADS])
def test_a_call_holds_up_neither_python_nor_other_calls(threads: int) -> None:
    html = pages(1, paragraphs=5000)[0][1].encode()
    ready, seen = threading.Barrier(threads + 1), threading.Event()
    clocks: list[int] = []

    def work(_: int) -> None:
        clocks.append(time.pthread_getcpuclockid(threading.get_ident()))
        ready.wait(HANG)
        while not seen.is_set():
            unframe.extract(html)
            # If the call does not let go of the interpreter, this does.
            time.sleep(0.001)

    def at_once() -> bool:
        order = turns(clocks)
        changes = [thread for number, thread in enumerate(order) if order[number - 1 : number] != [thread]]
        # One goes on after others: they compute side by side, because after its call it would wait for the interpreter.
        return len(order) >= 5 if threads == 1 else len(changes) > len(set(changes))

    interval = sys.getswitchinterval()
    with ThreadPoolExecutor(threads) as pool:
        workers = [pool.submit(work, thread) for thread in range(threads)]
        try:
            ready.wait(HANG)
            # Python does not change to another thread by itself.
            sys.setswitchinterval(1000)
            wait_until(at_once, lambda: turns(clocks))
        finally:
            sys.setswitchinterval(interval)
            seen.set()
        for worker in workers:
            worker.result(HANG)
