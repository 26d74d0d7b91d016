"""Objects in a forked child."""

import os
from pathlib import Path

import pytest

from hostile_pages import survives

FORK = """
def child(work):
    "The work in a forked child: its exception, or the signal that has ended it because it hung."
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(300)
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
    assert said.startswith("ForkedError") and "use it there, or pass it to this process" in said, said
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
