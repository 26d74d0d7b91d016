"""Many sites."""

from pathlib import Path

import pytest
import unframe

from made_up_site import URL, pages, redesigned


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
