"""The table of cases, which every face of the project runs: ``cases/README.md``."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import unframe

ROOT = Path(__file__).resolve().parents[2]

CASE_KEYS = {"name", "about", "reader", "extract", "arrival", "settings", "frame", "pages", "expect"}
PAGE_KEYS = {"url", "charset", "head", "html", "bytes", "folder"}
SETTINGS = {
    "method", "remove", "favor", "comments", "protect", "remove_selector", "owner_marks", "body_only",
    "markdown_links", "markdown_images", "site_from", "site",
}  # fmt: skip
FIELDS = {
    "site", "state_pages", "title", "kind", "flags", "text", "markdown", "html", "content_hash", "metadata",
    "parts", "comments", "links", "removed",
}  # fmt: skip


@dataclass
class CasePage:
    """A page: text, or bytes with the charset that the transport states."""

    url: str | None
    html: str | bytes
    charset: str | None = None


@dataclass
class Case:
    """One case."""

    name: str
    #: What is before and after each of its pages, for cases with the same frame.
    frame: list[str]
    pages: list[CasePage]
    #: One for each page; None for what is not a page.
    expect: list[dict[str, Any] | None]
    settings: dict[str, Any]
    extract: bool = False
    arrival: bool = False
    reader: bool = False


def read_table(lines: list[str]) -> list[Case]:
    """The cases of a table. An error names the line."""
    cases: dict[str, Case] = {}
    for number, line in enumerate(lines, 1):
        try:
            case = read_case(json.loads(line), cases)
            if case.name in cases:
                raise ValueError(f"there are two cases {case.name!r}")
        except (KeyError, ValueError) as error:
            raise ValueError(f"line {number}: {error}") from error
        cases[case.name] = case
    return list(cases.values())


def read_case(case: dict[str, Any], former: dict[str, Case]) -> Case:
    refuse_unknown(case, CASE_KEYS, "a case")
    settings = case.get("settings", {})
    refuse_unknown(settings, SETTINGS, "settings")
    for expect in case["expect"]:
        refuse_unknown(expect or {}, FIELDS, "an expectation")
    frame = case.get("frame", ["", ""])
    if isinstance(frame, str):
        frame = former[frame].frame
    pages: list[CasePage] = []
    for entry in case["pages"]:
        if "case" not in entry:
            pages += read_pages(entry, frame)
            continue
        refuse_unknown(entry, {"case"}, "the pages of another case")
        pages += former[entry["case"]].pages
    if len(pages) != len(case["expect"]):
        raise ValueError(f"{len(pages)} pages, but {len(case['expect'])} expectations")
    if not case["about"]:
        raise ValueError("a case does not say why")
    flags = {key: case.get(key, False) for key in ("extract", "arrival", "reader")}
    return Case(case["name"], frame, pages, case["expect"], settings, **flags)


def read_pages(entry: dict[str, Any], frame: list[str]) -> list[CasePage]:
    """The page of an entry, or the pages of a folder."""
    refuse_unknown(entry, PAGE_KEYS, "a page")
    if "folder" in entry:
        folder = ROOT / entry["folder"]
        names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.html"))
        return [CasePage(entry["url"] + name, (folder / name).read_bytes()) for name in names]
    is_text = "html" in entry
    content = entry["html" if is_text else "bytes"]
    parts = [content] if isinstance(content, str) else content
    content = "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts)
    source = entry.get("head", "") + frame[0] + content + frame[1]
    url = entry.get("url")
    return [CasePage(url, source if is_text else source.encode("latin-1"), entry.get("charset"))]


def refuse_unknown(found: dict[str, Any], known: set[str], what: str) -> None:
    for key in found:
        if key not in known:
            raise ValueError(f"{what} has no key {key!r}")


CASES = read_table((ROOT / "cases" / "cases.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"))


def keywords(case: Case) -> dict[str, Any]:
    """The settings that all functions take."""
    settings = case.settings
    shared = ("method", "remove", "protect", "remove_selector", "owner_marks")
    given = {name: settings[name] for name in shared if name in settings}
    if (favor := settings.get("favor", "balance")) != "balance":
        given[f"favor_{favor}"] = True
    if comments := settings.get("comments"):
        given["include_comments"] = {"drop": False, "keep": True, "only": "only"}[comments]
    return given


def field_of(case: Case, page: unframe.Page, field: str) -> Any:
    """A field as the table has it."""
    settings = case.settings
    shown = page.body if settings.get("body_only") else page
    match field:
        case "text" | "html" | "content_hash":
            return getattr(shown, field)
        case "markdown":
            links, images = settings.get("markdown_links", True), settings.get("markdown_images", False)
            return shown.to_markdown(links=links, images=images)
        case "kind":
            return page.kind and page.kind["name"]
        case "removed":
            return [region["text"] for region in page.regions]
        case _:
            return getattr(page, field)


def check(case: Case, face: str, found: list[Callable[[str], Any]], unknown: Iterable[str] = ()) -> None:
    """Fails with all differences; each of `found` gives the value of a field."""
    numbered = zip(range(1, len(case.pages) + 1), case.pages, case.expect)
    expected = [(number, page, expect) for number, page, expect in numbered if expect is not None]
    if len(found) != len(expected):
        pytest.fail(f"case {case.name!r}, {face}: expected {len(expected)} pages, found {len(found)}", pytrace=False)
    wrong = []
    for (number, page, expect), field_of_page in zip(expected, found):
        for field, value in expect.items():
            if field not in unknown and (answer := field_of_page(field)) != value:
                where = f"case {case.name!r}, {face}, page {number} ({page.url or 'no URL'}), {field}"
                wrong.append(f"{where}:\n  expected {value!r}\n  found    {answer!r}")
    if wrong:
        pytest.fail("\n".join(wrong), pytrace=False)


def runs(case: Case) -> list[list[CasePage]]:
    """The pages that are learned together."""
    return [[page] for page in case.pages] if case.extract else [case.pages]


def is_one_site(case: Case) -> bool:
    sites = {page.url and page.url.split("/")[2] for page in case.pages}
    return case.extract or len(sites) == 1 or case.settings.get("site_from") == "domain"


def needs_survey(case: Case) -> bool:
    return any(setting in case.settings.get("method", "") for setting in ("dedup", "cluster", "ma-2003b"))


def named(cases: list[Case]) -> pytest.MarkDecorator:
    """Runs a test for each case."""
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


@named(CASES)
def test_clean_pages(case: Case) -> None:
    of_sites = {name: case.settings[name] for name in ("site", "site_from") if name in case.settings}
    found: list[unframe.Page] = []
    for pages in runs(case):
        given = [(page.url, page.html, {"charset": page.charset} if page.charset else {}) for page in pages]
        found += unframe.clean_pages(given, arrival=case.arrival, **of_sites, **keywords(case))
    check(case, "clean_pages", [partial(field_of, case, page) for page in found])


@named([case for case in CASES if is_one_site(case) and not case.reader and not needs_survey(case)])
def test_site(case: Case) -> None:
    given = keywords(case)
    if case.arrival and given.get("method") == "mdl":
        given["method"] = "mdl:arrival"
    found: list[unframe.Page] = []
    for pages in runs(case):
        site = unframe.Site(watch_drift=case.arrival, **given)
        if not case.arrival:
            for page in pages:
                site.learn(page.html, page.url, charset=page.charset)
        for page in pages:
            found.append(site.clean(page.html, page.url, learn=case.arrival, charset=page.charset))
    # Only inputs of many sites give them names.
    check(case, "Site", [partial(field_of, case, page) for page in found], unknown=["site"])


@named([case for case in CASES if case.extract])
def test_extract(case: Case) -> None:
    given = keywords(case)
    given["body_only"] = case.settings.get("body_only", False)
    given["include_links"] = case.settings.get("markdown_links", True)
    given["include_images"] = case.settings.get("markdown_images", False)

    def extract(page: CasePage, output_format: Any) -> str | None:
        return unframe.extract(page.html, page.url, output_format=output_format, charset=page.charset, **given)

    def field_of_page(page: CasePage, field: str) -> Any:
        if field in ("text", "markdown", "html"):
            return extract(page, field) or ""
        value = json.loads(extract(page, "json") or "{}").get(field)
        match field:
            case "kind":
                return value and value["name"]
            case "removed":
                return [region["text"] for region in value]
            case "parts" | "comments":
                return value or ({} if field == "parts" else [])
            case _:
                return value

    # A page of which nothing is kept has no text, and no record either.
    is_empty = any(extract(page, "text") is None for page in case.pages)
    unknown = FIELDS - {"text", "markdown"} if is_empty else {"site"}
    check(case, "extract", [partial(field_of_page, page) for page in case.pages], unknown)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pagse": []}, "a case has no key 'pagse'"),
        ({"pages": [{"htm": ""}]}, "a page has no key 'htm'"),
        ({"settings": {"favour": "recall"}}, "settings has no key 'favour'"),
        ({"expect": [{"txt": ""}]}, "an expectation has no key 'txt'"),
        ({"pages": [{"case": "a", "html": ""}]}, "the pages of another case has no key 'html'"),
        ({"expect": []}, "1 pages, but 0 expectations"),
    ],
)
def test_what_is_not_known_is_an_error(change: dict[str, Any], message: str) -> None:
    case = {"name": "a", "about": "b", "pages": [{"html": ""}], "expect": [{}]} | change
    with pytest.raises(ValueError, match=f"line 1: {message}"):
        read_table([json.dumps(case)])


def test_a_difference_names_case_page_and_field() -> None:
    url = "https://a.example/"
    line = {"name": "a", "about": "b", "pages": [{"url": url, "html": "<p>x"}], "expect": [{"text": "y\n"}]}
    case = read_table([json.dumps(line)])[0]
    for face, test in {"clean_pages": test_clean_pages, "Site": test_site, "extract": test_extract}.items():
        with pytest.raises(pytest.fail.Exception) as failed:
            test(case)
        assert str(failed.value) == f"case 'a', {face}, page 1 ({url}), text:\n  expected 'y\\n'\n  found    'x\\n'"
