"""One site: learning, cleaning, merging, and its file."""

import json
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import unframe

from made_up_site import learned, pages, redesigned, run


class TestSite:
    def test_a_page_counts_once(self) -> None:
        site = unframe.Site()
        (url, html), *_ = pages(1)
        assert site.learn(html, url) is True
        assert site.learn(html.encode(), url) is False
        assert site.pages == 1
        assert site.learn(html + "<p>More.", url) is True
        assert site.pages == 1

    def test_a_page_without_a_url_is_known_by_its_bytes(self) -> None:
        site = unframe.Site()
        assert [site.learn("<p>One."), site.learn("<p>Two."), site.learn("<p>One.")] == [True, True, False]
        assert site.pages == 2

    def test_learn_many_equals_learn(self) -> None:
        one_by_one = unframe.Site()
        for url, html in pages(300):
            one_by_one.learn(html, url)
        for jobs in (None, 1, 3):
            site = unframe.Site()
            assert site.learn_many(iter(pages(300)), jobs=jobs) == 300
            assert site.to_bytes() == one_by_one.to_bytes()
        assert site.learn_many(pages(300)) == 0

    def test_learn_many_takes_pairs_triples_and_dicts(self) -> None:
        site = unframe.Site()
        (a, b, c, d) = pages(4)
        given = [a, (*b, {"charset": "utf-8"}), {"url": c[0], "html": c[1]}, {"html": d[1].encode(), "url": d[0]}]
        assert site.learn_many(given) == 4
        assert site.to_bytes() == learned(4).to_bytes()

    def test_pages_before_an_exception_are_learned(self) -> None:
        def broken() -> Iterator[tuple[str, str]]:
            yield from pages(5)
            raise LookupError("no more pages")

        site = unframe.Site()
        with pytest.raises(LookupError, match="no more pages"):
            site.learn_many(broken())
        assert site.pages == 5

    def test_clean_learns_unless_told_otherwise(self) -> None:
        site = learned(20)
        (url, html), *_ = pages(1, start=100)
        assert site.clean(html, url, learn=False).text == site.clean(html, url).text
        assert site.pages == 21

    def test_the_frame_is_removed(self) -> None:
        (url, html), *_ = pages(1, start=100)
        page = learned(20).clean(html, url)
        assert page.text == "Story 100\n\nNumber 100 of the week, told by 700 people in the town hall.\n"

    def test_settings(self) -> None:
        (url, html), *_ = pages(1, start=100)
        assert "Imprint" in learned(20, protect=["footer"]).clean(html, url).text
        assert "Story" not in learned(20, remove_selector="h1").clean(html, url).text
        assert "Imprint" in learned(20, method="text").clean(html, url).text
        with pytest.raises(TypeError, match="unexpected keyword argument 'colour'; there are favor_precision"):
            unframe.Site(colour="red")

    def test_reasons_are_complete_if_asked_for(self) -> None:
        (url, html), *_ = pages(1, start=100)
        regions = learned(20, reasons=True).clean(html, url).regions
        assert {region["evidence"]["rule"] for region in regions} <= {"odds", "settled"}
        assert all(region["evidence"].get("template") is not None for region in regions)

    def test_why(self) -> None:
        site = learned(20)
        (url, html), *_ = pages(1, start=100)
        why = site.why(html, url)
        assert site.pages == 20
        assert {region["text"]: region["kept"] for region in why}["Story 100"] is True
        nav = site.why(html, url, css="nav")
        assert 0 < len(nav) < len(why)
        assert all(not region["kept"] and "nav" in region["css"] for region in nav)
        assert len(site.why(html, url, css="blink")) == 0

    def test_template(self) -> None:
        site = learned(20)
        last = site.template()
        assert "Imprint" in last and "Number 19" not in last
        (url, html), *_ = pages(1, start=100)
        assert "Number 100" not in site.template(html, url)
        with pytest.raises(unframe.ArgumentError, match="pass one"):
            unframe.Site().template()

    def test_drift_and_designs(self) -> None:
        site = unframe.Site(watch_drift=True)
        site.learn_many(pages(60))
        assert site.drift == []
        site.learn_many(redesigned(60, start=60))
        (drift,) = site.drift
        assert (drift["version"], drift["first"], drift["since"]) == (2, "https://a.example/60", 61)
        assert drift["fit"] < 0.5 < drift["former"]
        assert [(design["number"], design["pages"]) for design in site.designs] == [(1, 60), (2, 60)]
        url, html = redesigned(1, start=120)[0]
        assert "drift" in site.clean(html, url).flags

    def test_drift_is_not_watched_in_memory_by_default(self) -> None:
        site = unframe.Site()
        site.learn_many(pages(60) + redesigned(60, start=60))
        assert site.drift == []

    def test_names(self, tmp_path: Path) -> None:
        assert unframe.Site().name == "site"
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            assert site.name == ""
            site.learn(*reversed(pages(1)[0]))
            assert site.name == "a.example"

    def test_shown(self) -> None:
        site = learned(3)
        assert repr(site) == "<unframe.Site of 3 pages>"
        site.close()
        assert repr(site) == "<unframe.Site closed>"


class TestMerge:
    def test_two_halves_merged_are_all(self) -> None:
        everything = pages(100)
        random.Random(7).shuffle(everything)
        whole, left, right = unframe.Site(), unframe.Site(), unframe.Site()
        whole.learn_many(everything)
        left.learn_many(everything[:40])
        right.learn_many(everything[40:])
        other_way = unframe.Site.from_bytes(right.to_bytes())
        assert other_way.merge(left) == 40
        assert left.merge(right) == 60
        assert left.to_bytes() == whole.to_bytes() == other_way.to_bytes()

    def test_merging_again_changes_nothing(self) -> None:
        site, other = learned(20), learned(30)
        assert site.merge(other) == 10
        before = site.to_bytes()
        assert (site.merge(other), site.merge(site), site.merge(other.to_bytes())) == (0, 0, 0)
        assert site.to_bytes() == before

    def test_an_empty_site_is_neutral(self) -> None:
        site = learned(20)
        before = site.to_bytes()
        assert site.merge(unframe.Site()) == 0 and site.to_bytes() == before
        empty = unframe.Site()
        assert empty.merge(site) == 20 and empty.to_bytes() == before

    def test_bytes_and_back(self) -> None:
        site = learned(20)
        again = unframe.Site.from_bytes(site.to_bytes())
        url, html = pages(1, start=100)[0]
        assert (again.pages, again.to_bytes()) == (20, site.to_bytes())
        assert again.clean(html, url).to_json() == site.clean(html, url).to_json()

    def test_another_method_cannot_read_it(self) -> None:
        with pytest.raises(unframe.StateError, match="the method auto has learned it, not chunks"):
            unframe.Site.from_bytes(learned(5).to_bytes(), method="chunks")

    def test_crawls(self) -> None:
        one, other, whole = unframe.Crawl(), unframe.Crawl(), unframe.Crawl()
        for number, (url, html) in enumerate(pages(100) + pages(100, "b.example")):
            (one, other)[number % 2].learn(html, url)
            whole.learn(html, url)
        assert one.merge(other) == 100
        assert one.sites == whole.sites == ["a.example", "b.example"]
        assert all(one.to_bytes(name) == whole.to_bytes(name) for name in one.sites)
        assert one.merge(one) == 0
        assert one.merge(learned(110).to_bytes(), site="a.example") == 10
        with pytest.raises(unframe.ArgumentError, match="site="):
            one.merge(b"")


class TestDurable:
    def test_a_site_is_continued(self, tmp_path: Path) -> None:
        path = tmp_path / "a.unframe"
        with unframe.Site.open(path) as site:
            site.learn_many(pages(10))
        with unframe.Site.open(str(path)) as site:
            assert site.pages == 10
            site.learn_many(pages(10, start=10))
            assert site.to_bytes() == learned(20, watch_drift=True).to_bytes()
        with pytest.raises(unframe.ClosedError, match="closed; open it again"):
            site.learn("<p>Too late.")

    def test_committed_pages_survive_a_kill(self, tmp_path: Path) -> None:
        killed = run(
            tmp_path / "a.unframe",
            code="""
            import os, signal, sys, unframe
            site = unframe.Site.open(sys.argv[1])
            for number in range(50):
                site.learn(f"<nav>Home, Shop</nav><p>Story {number}.", f"https://a.example/{number}")
            site.commit()
            os.kill(os.getpid(), signal.SIGKILL)
            """,
        )
        assert killed.returncode == -signal.SIGKILL
        shown = run("state", "show", tmp_path / "a.unframe")
        assert shown.returncode == 0 and "1 site, 50 pages" in shown.stdout
        assert run("state", "check", tmp_path / "a.unframe").returncode == 0
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            assert site.pages == 50

    def test_what_is_learned_is_committed_after_a_second(self, tmp_path: Path) -> None:
        killed = run(
            tmp_path / "a.unframe",
            code="""
            import os, signal, sys, time, unframe
            site = unframe.Site.open(sys.argv[1])
            for number in range(7):
                site.learn(f"<nav>Home, Shop</nav><p>Story {number}.", f"https://a.example/{number}")
                if number == 4:
                    time.sleep(1.1)
            os.kill(os.getpid(), signal.SIGKILL)
            """,
        )
        assert killed.returncode == -signal.SIGKILL
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            # The page after the pause, and perhaps the last one.
            assert site.pages in (6, 7)

    def test_the_end_of_the_program_commits(self, tmp_path: Path) -> None:
        ended = run(
            tmp_path / "a.unframe",
            code="""
            import sys, unframe
            site = unframe.Site.open(sys.argv[1])
            for number in range(50):
                site.learn(f"<nav>Home, Shop</nav><p>Story {number}.", f"https://a.example/{number}")
            """,
        )
        assert (ended.returncode, ended.stderr) == (0, "")
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            assert site.pages == 50

    def test_the_command_line_and_python_share_states(self, tmp_path: Path) -> None:
        state, given = tmp_path / "a.unframe", tmp_path / "pages.jsonl"
        given.write_text("".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in pages(20)))
        assert run("clean", given, "--state", state, "-o", tmp_path / "out.jsonl").returncode == 0
        with unframe.Site.open(state) as site:
            assert (site.name, site.pages) == ("a.example", 20)
            url, html = pages(1)[0]
            assert site.learn(html, url) is False
            site.learn_many(pages(5, start=20))
        assert "25 pages" in run("state", "show", state).stdout

    def test_one_of_several_sites(self, tmp_path: Path) -> None:
        state = tmp_path / "two.unframe"
        with unframe.Crawl.open(state) as crawl:
            for url, html in pages(5) + pages(7, "b.example"):
                crawl.learn(html, url)
        with pytest.raises(unframe.ArgumentError, match="name one with site="):
            unframe.Site.open(state)
        with unframe.Site.open(state, site="b.example") as site:
            assert (site.name, site.pages) == ("b.example", 7)

    def test_an_exception_in_the_block_loses_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(LookupError), unframe.Site.open(tmp_path / "a.unframe") as site:
            site.learn_many(pages(5))
            raise LookupError
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            assert site.pages == 5

    def test_drift_is_watched(self, tmp_path: Path) -> None:
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            site.learn_many(pages(60))
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            site.learn_many(redesigned(60, start=60))
            assert [drift["first"] for drift in site.drift] == ["https://a.example/60"]
