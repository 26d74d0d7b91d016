"""What every function, method and property does."""

import gzip
import json
import logging
import multiprocessing
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import unframe
from conftest import DEMO, ServedPage, write_warc

URL = "https://a.example/tea/green.html"

PAGE = """<!DOCTYPE html><html lang="en"><head><title>Green tea – The Cup</title><meta name="author" content="Ann Lee">
<meta property="article:published_time" content="2026-01-02"></head><body class="single single-post">
<header id="masthead"><nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/about">About us</a></nav></header>
<main><article class="post"><h1 class="entry-title">Green tea</h1><p class="byline">By Ann Lee</p>
<div class="entry-content"><p>Green tea is steeped for two minutes, in water that has cooled a little. Pour it off at
once, or it will be bitter. <a href="black.html">Black tea</a> needs more time.</p>
<table><tr><th>Leaf<th>Minutes<tr><td>Green<td>2<tr><td>Black<td>4<tr><td>White<td>5</table>
<p><img src="cup.jpg" alt="A cup"> The second cup is often better than the first one, because the leaves have opened by
then and give more of their taste.</p>
<div data-nosnippet>Sponsored by the makers of kettles, pots, cups and saucers in this town.</div>
<p>The third cup is often better than the second one, because by then nobody is in a hurry any more.</p></div></article>
</main><footer>All rights reserved. <a href="/imprint">Imprint</a>. <a href="/privacy">Privacy</a>.</footer></body>
</html>"""

COMMENTS = "".join(
    f"""<li id="comment-{number}" class="comment depth-1"><article class="comment-body"><footer class="comment-meta">
    <div class="comment-author vcard"><b class="fn">{name}</b> <span class="says">says:</span></div>
    <div class="comment-metadata"><a href="#{number}"><time>May {number}, 2026 at 10:12 am</time></a></div></footer>
    <div class="comment-content"><p>{text}</p></div>
    <div class="reply"><a rel="nofollow" class="comment-reply-link" href="#r">Reply</a></div></article></li>"""
    for number, name, text in [
        (1, "Ned", "Great post! I did not know that about the second cup, I will try it tonight, thank you."),
        (2, "Ida", "Thanks for this! I love your blog, I did not know about the third cup and will try it."),
        (3, "Tom", "I agree with you, I love this post! I will try it when I am home, thanks again."),
    ]
)
STORY = "".join(
    "<p>Green tea is steeped for two minutes, in water that has cooled a little. Pour it off at once, or it will be "
    f"bitter. The {number} cup is often better than the first one, because the leaves have opened by then.</p>"
    for number in ["second", "third", "fourth"]
)
COMMENTED = f"""<!DOCTYPE html><html lang="en"><head><title>Green tea – The Cup</title></head><body class="single-post">
<header id="masthead"><nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/about">About us</a></nav></header>
<main><article class="post"><h1 class="entry-title">Green tea</h1><div class="entry-content">{STORY}</div></article>
<div id="comments" class="comments-area"><h2 class="comments-title">3 Comments</h2><ol class="comment-list">{COMMENTS}
</ol></div><div id="respond" class="comment-respond"><h3 class="comment-reply-title">Leave a Reply</h3>
<p>Your email address will not be published. Required fields are marked *</p></div></main>
<footer>All rights reserved. Imprint. Privacy.</footer></body></html>"""


def pages(count: int, host: str = "a.example", start: int = 0) -> list[tuple[str, str]]:
    """Pages of a made-up site, whose frame is learned from a few of them."""
    return [
        (
            f"https://{host}/{number}",
            f"<title>Story {number}</title><nav><a href=/>Home of {host}</a> <a href=/shop>Shop</a></nav>"
            f"<div class=story><h1>Story {number}</h1><p>Number {number} of the week, told by {7 * number} people in "
            f"the town hall.</div><footer>All rights reserved by {host}. Imprint.</footer>",
        )
        for number in range(start, start + count)
    ]


def redesigned(count: int, start: int) -> list[tuple[str, str]]:
    """Pages of the same site after a redesign."""
    return [
        (
            f"https://a.example/{number}",
            f"<header class=top><ul><li>Start<li>Products<li>About us</ul></header><main><section><h2>Tale {number}"
            f"</h2><div>It was number {number} of the month, told by {7 * number} people in the old mill.</div>"
            "</section></main><aside>Follow us on the radio. Subscribe today.</aside>",
        )
        for number in range(start, start + count)
    ]


def learned(count: int, **settings: object) -> unframe.Site:
    site = unframe.Site(**settings)
    site.learn_many(pages(count))
    return site


def run(*arguments: str | Path, code: str | None = None, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Another process: a program, or ``python -m unframe``."""
    what = ["-c", textwrap.dedent(code)] if code else ["-m", "unframe"]
    command = [sys.executable, *what, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


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

    def test_what_is_learned_is_committed_every_second(self, tmp_path: Path) -> None:
        killed = run(
            tmp_path / "a.unframe",
            code="""
            import os, signal, sys, time, unframe
            site = unframe.Site.open(sys.argv[1])
            for number in range(12):
                site.learn(f"<nav>Home, Shop</nav><p>Story {number}.", f"https://a.example/{number}")
                time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGKILL)
            """,
        )
        assert killed.returncode == -signal.SIGKILL
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            assert 5 <= site.pages <= 12

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


class TestCrawl:
    def test_pages_go_to_the_site_of_their_host(self) -> None:
        crawl = unframe.Crawl()
        for url, html in pages(10) + pages(5, "b.example"):
            assert crawl.learn(html, url)
        assert crawl.sites == ["a.example", "b.example"]
        assert (crawl.pages("a.example"), crawl.pages("b.example")) == (10, 5)
        assert crawl.site_of("https://B.example:443/x") == "b.example"
        assert crawl.site_of("nothing") is None
        assert repr(crawl) == "<unframe.Crawl of 2 sites>"

    def test_asking_for_a_site_does_not_add_it(self) -> None:
        crawl = unframe.Crawl()
        assert crawl.pages("a.example") == 0
        crawl.clean("<p>Tea.", URL, learn=False)
        assert crawl.sites == []

    def test_learn_many_equals_learn(self) -> None:
        crawl, one_by_one = unframe.Crawl(), unframe.Crawl()
        given = [page for pair in zip(pages(200), pages(200, "b.example"), strict=True) for page in pair]
        for url, html in given:
            one_by_one.learn(html, url)
        assert (crawl.learn_many(iter(given)), crawl.learn_many(given, jobs=2)) == (400, 0)
        assert all(crawl.to_bytes(name) == one_by_one.to_bytes(name) for name in one_by_one.sites)
        assert crawl.learn_many([{"html": "<p>Tea.", "site": "cups"}]) == 1
        with pytest.raises(unframe.ArgumentError, match="site="):
            crawl.learn_many([*pages(1, start=500), (None, "<p>Tea.")])

    def test_domains(self) -> None:
        crawl = unframe.Crawl(site_from="domain")
        assert crawl.site_of("https://news.example.com/x") == "example.com"

    def test_cleans_as_a_site_does(self) -> None:
        crawl, site = unframe.Crawl(), unframe.Site()
        for url, html in pages(20):
            there, here = crawl.clean(html, url), site.clean(html, url)
            assert there.text == here.text
            assert there.site == "a.example"
        url, html = pages(1, start=100)[0]
        assert crawl.clean(html, url, learn=False).regions == site.clean(html, url, learn=False).regions
        assert crawl.pages("a.example") == 20

    def test_a_page_without_a_host_needs_a_site(self) -> None:
        crawl = unframe.Crawl()
        with pytest.raises(unframe.ArgumentError, match="site="):
            crawl.learn("<p>Tea.")
        with pytest.raises(unframe.ArgumentError, match="'/tea' has no host"):
            crawl.learn("<p>Tea.", "/tea")
        assert crawl.learn("<p>Tea.", site="cups")
        assert crawl.clean("<p>Tea.", "/tea", site="cups").site == "cups"
        assert crawl.sites == ["cups"]

    def test_why(self) -> None:
        crawl = unframe.Crawl()
        for url, html in pages(20):
            crawl.learn(html, url)
        url, html = pages(1, start=100)[0]
        assert [region["kept"] for region in crawl.why(html, url, css="h1")] == [True]
        assert crawl.pages("a.example") == 20

    def test_pages_are_cleaned_again_at_the_end(self, tmp_path: Path) -> None:
        with unframe.Crawl.open(tmp_path / "crawl.unframe") as crawl:
            early = [crawl.clean(html, url) for url, html in pages(30)]
            late = list(crawl.clean_pages(pages(30), learn=False))
            assert [page.state_pages for page in early] == list(range(1, 31))
            assert {page.state_pages for page in late} == {30}
            assert [page.text for page in late] == [page.text for page in unframe.clean_pages(pages(30))]
        with pytest.raises(unframe.ClosedError, match="the crawl is closed"):
            crawl.learn("<p>Too late.", "https://a.example/late")

    def test_a_run_has_the_crawl_for_itself(self) -> None:
        crawl = unframe.Crawl()
        run = crawl.clean_pages(pages(300))
        next(run)
        for use in [lambda: crawl.sites, lambda: crawl.learn("<p>Tea.", URL), crawl.commit]:
            with pytest.raises(unframe.Error, match="cleaning pages; take all of them, or close the iterator"):
                use()
        run.close()
        assert crawl.pages("a.example") == 300

    def test_closing_a_crawl_ends_its_run(self, tmp_path: Path) -> None:
        state = tmp_path / "s.unframe"
        crawl = unframe.Crawl.open(state)
        run = crawl.clean_pages(pages(300))
        next(run)
        crawl.close()
        assert len(list(run)) < 300
        with unframe.Crawl.open(state) as again:
            assert again.pages("a.example") == 300

    def test_drift(self) -> None:
        crawl = unframe.Crawl(watch_drift=True)
        for url, html in pages(60) + redesigned(60, start=60):
            crawl.learn(html, url)
        assert [(drift["site"], drift["first"]) for drift in crawl.drift] == [("a.example", "https://a.example/60")]


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


def pages_of(site: unframe.Site) -> tuple[int, bytes]:
    """What another process sees of a site."""
    return site.pages, site.to_bytes()


def text_of(page: unframe.Page) -> tuple[str, str]:
    """What another process sees of a page."""
    return page.text, page.to_json()


class TestPickle:
    def test_site(self) -> None:
        site = learned(20, protect=["footer"], favor_recall=True, reasons=True, watch_drift=True)
        again = pickle.loads(pickle.dumps(site))
        url, html = pages(1, start=100)[0]
        assert again.to_bytes() == site.to_bytes()
        assert again.clean(html, url).to_json() == site.clean(html, url).to_json()
        assert "Imprint" in again.clean(html, url).text

    def test_a_site_of_a_file_is_pickled_into_memory(self, tmp_path: Path) -> None:
        with unframe.Site.open(tmp_path / "a.unframe") as site:
            site.learn_many(pages(5))
            again = pickle.loads(pickle.dumps(site))
            again.learn_many(pages(10))
            assert (site.pages, again.pages) == (5, 10)
        with pytest.raises(unframe.ClosedError):
            pickle.dumps(site)

    def test_crawl(self) -> None:
        crawl = unframe.Crawl(site_from="domain", include_comments=True)
        for url, html in pages(5) + pages(5, "b.example"):
            crawl.learn(html, url)
        again = pickle.loads(pickle.dumps(crawl))
        assert again.sites == crawl.sites
        assert all(again.to_bytes(name) == crawl.to_bytes(name) for name in crawl.sites)
        assert again.site_of("https://www.example.com/") == "example.com"

    def test_page(self) -> None:
        page = unframe.Site(include_comments=True).clean(COMMENTED, URL)
        again = pickle.loads(pickle.dumps(page))
        twice = pickle.loads(pickle.dumps(again))
        for name in [name for name in dir(unframe.Page) if not name.startswith("_")]:
            if name in ("body", "without_tables", "to_markdown", "template", "to_dict", "to_json"):
                continue
            assert (
                getattr(again, name) == pytest.approx(getattr(page, name))
                if name == "template_share"
                else (getattr(again, name) == getattr(page, name) == getattr(twice, name))
            ), name
        with pytest.raises(unframe.Error, match="a page that was pickled cannot give its body; ask for it before"):
            again.body

    def test_the_json_of_a_pickled_page_is_the_same(self) -> None:
        page = unframe.Site().clean(PAGE, URL)
        assert pickle.loads(pickle.dumps(page)).to_json() == page.to_json()

    def test_the_numbers_of_pickled_pages_are_the_same(self) -> None:
        cleaned = list(unframe.clean_pages(DEMO, site_from="folder"))
        assert [page.template_share for page in pickle.loads(pickle.dumps(cleaned))] == [
            page.template_share for page in cleaned
        ]

    def test_a_page_with_any_input_can_be_pickled(self) -> None:
        (page,) = unframe.clean_pages([{"url": URL, "html": PAGE, "note": "\ud800"}])
        assert page.input == {"note": "\ud800"}
        assert pickle.loads(pickle.dumps(page)).input == page.input

    def test_all_fields_of_a_pickled_page(self) -> None:
        page = unframe.Site().clean(PAGE, URL)
        again = pickle.loads(pickle.dumps(page))
        assert again.to_dict(fields=["record"]) == page.to_dict(fields=["record"])

    @pytest.mark.parametrize("method", ["spawn", "fork"])
    @pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
    def test_multiprocessing(self, method: str) -> None:
        site = learned(20)
        page = site.clean(PAGE, URL)
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.map(pages_of, [site]) == [(21, site.to_bytes())]
            text, record = pool.map(text_of, [page])[0]
        assert (text, json.loads(record)["removed"]) == (page.text, page.regions)

    def test_joblib(self) -> None:
        joblib = pytest.importorskip("joblib")
        site = learned(20)
        found = joblib.Parallel(n_jobs=2)(joblib.delayed(unframe.extract)(html, url) for url, html in pages(4))
        assert found == [unframe.extract(html, url) for url, html in pages(4)]
        assert joblib.Parallel(n_jobs=2)([joblib.delayed(pages_of)(site)]) == [(20, site.to_bytes())]


class TestCommandLine:
    def test_exit_codes(self, tmp_path: Path) -> None:
        (tmp_path / "a.html").write_text(PAGE)
        good = run("clean", tmp_path / "a.html", "-o", tmp_path / "out.jsonl")
        assert (good.returncode, (tmp_path / "out.jsonl").exists()) == (0, True), good.stderr
        (tmp_path / "broken.jsonl").write_text('{"url": "https://a.example/1", "html": "<p>Tea."}\nnonsense\n')
        partly = run("clean", tmp_path / "broken.jsonl", "-o", tmp_path / "partly.jsonl")
        assert partly.returncode == 1, partly.stderr
        for arguments in [["nonsense"], ["clean"], ["clean", tmp_path / "missing"]]:
            wrong = run(*arguments)
            assert wrong.returncode == 2 and wrong.stderr

    def test_version(self) -> None:
        shown = run("--version")
        assert (shown.returncode, shown.stdout) == (0, f"unframe {unframe.__version__}\n")

    def test_main_returns_the_exit_code(self) -> None:
        done = run(code="from unframe._native import main; print('code', main(['unframe', 'methods', 'text']))")
        assert done.returncode == 0
        assert done.stdout.endswith("code 0\n")
        # Arguments that are not understood end the process.
        done = run(code="from unframe._native import main; print('code', main(['unframe', 'nonsense']))")
        assert (done.returncode, done.stdout) == (2, "")


CTRL_C = {
    "clean_pages of an endless generator": """
        def endless():
            number = 0
            while True:
                number += 1
                yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><p>Story {number} of the week."
        work = lambda: list(unframe.clean_pages(endless(), state=sys.argv[1]))
    """,
    "clean_pages of an iterator that waits": """
        def slow():
            yield "https://a.example/1", "<nav>Home, Shop</nav><p>Story 1 of the week."
            time.sleep(60)
        work = lambda: list(unframe.clean_pages(slow(), state=sys.argv[1]))
    """,
    "learn_many of an endless generator": """
        def endless():
            number = 0
            while True:
                number += 1
                yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><p>Story {number} of the week."
        def work():
            with unframe.Site.open(sys.argv[1]) as site:
                site.learn_many(endless())
    """,
    "clean_table of a large table": """
        import pyarrow
        html = ["<nav>Home, Shop</nav>" + f"<p>Story {number} of the week." * 400 for number in range(30_000)]
        table = pyarrow.table({"url": [f"https://a.example/{n}" for n in range(30_000)], "html": html})
        work = lambda: unframe.clean_table(table, state=sys.argv[1])
    """,
}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for a single process")
@pytest.mark.parametrize("what", CTRL_C)
def test_ctrl_c(what: str, tmp_path: Path) -> None:
    if "table" in what:
        pytest.importorskip("pyarrow")
    program = f"""import sys, time, unframe
{textwrap.dedent(CTRL_C[what])}
print("ready", flush=True)
try:
    work()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    command = [sys.executable, "-c", program, str(tmp_path / "a.unframe")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            sent = time.monotonic()
            out, errors = process.communicate(timeout=20)
        finally:
            process.kill()
        assert (out, errors, process.returncode) == ("interrupted\n", "", 0)
        assert time.monotonic() - sent < 3
    assert run("state", "check", tmp_path / "a.unframe").returncode == 0
