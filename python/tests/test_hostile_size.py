"""Huge and deep pages."""

import os
import resource
import signal
from pathlib import Path

from hostile_pages import survives

# 80 MB of pages that cannot be compressed much.
LARGE = """
def pages():
    for number in range(80):
        noise = os.urandom(500_000).hex()
        yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><!--{noise}--><p>Story number {number}."
"""

# Other programs on the machine do not change the processor time of this one.
GROWTH = """
def grows(work, count):
    "Ten times as much takes about ten times as long, not a hundred times."
    def cost(count):
        began = time.process_time()
        work(count)
        return time.process_time() - began
    small, large = cost(count // 10), cost(count)
    assert large < 30 * max(small, 0.01), f"{small:.3f} s for a tenth, {large:.3f} s for all"
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
            """
        )

    def test_deep_nesting(self) -> None:
        """100,000 elements in each other must not overflow the stack, in any form of the page."""
        survives(
            GROWTH
            + """
def everything(tag, count):
    html = f"<{tag}>" * count + "Green tea is steeped for two minutes."
    for form in ["text", "markdown", "html", "json"]:
        unframe.extract(html, output_format=form, method="text")
    site = unframe.Site()
    page = site.clean(html)
    page.body, page.without_tables(), page.template(), page.to_dict()
    why = site.why(html)
    why.overlay(), why.to_list(), str(why)
for tag in ["div", "b", "table><tr><td", "ul><li", "font", "svg><g", "a href=x"]:
    grows(lambda count: everything(tag, count), 100_000)
"""
        )

    def test_many_small_things(self) -> None:
        survives(
            GROWTH
            + """
attributes = [f"a{n}=1" for n in range(100_000)]
grows(lambda count: unframe.extract("<a href=/x>x</a> " * count, output_format="json"), 300_000)
grows(lambda count: unframe.extract("<p " + " ".join(attributes[:count]) + ">Green tea is good."), 100_000)
grows(lambda count: unframe.extract("&amp;" * count), 1_000_000)
grows(lambda count: unframe.extract("<" * count), 1_000_000)
grows(lambda count: unframe.extract("<!--" * count), 300_000)
grows(lambda count: unframe.extract("<p>" + "x" * count), 5_000_000)
"""
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


def test_limits_are_those_of_the_system() -> None:
    """The tests above rely on it: exceeding the file size is an error, not the end of the process."""
    assert signal.getsignal(signal.SIGXFSZ) == signal.SIG_IGN
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] != 0
