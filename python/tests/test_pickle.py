"""Objects in other processes."""

import json
import multiprocessing
import pickle
from pathlib import Path

import joblib
import pytest
import unframe

from conftest import DEMO
from made_up_site import COMMENTED, PAGE, URL, learned, pages


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
        site = learned(20)
        found = joblib.Parallel(n_jobs=2)(joblib.delayed(unframe.extract)(html, url) for url, html in pages(4))
        assert found == [unframe.extract(html, url) for url, html in pages(4)]
        assert joblib.Parallel(n_jobs=2)([joblib.delayed(pages_of)(site)]) == [(20, site.to_bytes())]
