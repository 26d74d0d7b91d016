"""Crawls in parts: however pages are divided, what is learned of them and their texts are the same."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
import unframe
from unframe.parts import groups, jobs
from unframe.parts import (
    STATES,
    CleanJob,
    Columns,
    LearnJob,
    clean_dealt,
    clean_part,
    clean_sites,
    deal_out,
    learn_part,
    merge_parts,
    site_names,
)

from conftest import ServedPage, demo_pages
from made_up_site import pages, redesigned
from whole_crawl import FIELDS, OLD_FORMAT, OLD_METHOD, of_pages, of_pairs

SITE = Columns(site="site")
SITED = pa.schema([("url", pa.string()), ("html", pa.string()), ("site", pa.string())])


class Learned(NamedTuple):
    """A row of what is learned."""

    site: str
    state: bytes
    pages: int
    is_old: bool = False


def batches(rows: list[dict[str, Any]], schema: Any, size: int) -> Iterator[Any]:
    """Rows in batches of a size."""
    for start in range(0, len(rows), size):
        yield pa.RecordBatch.from_pylist(rows[start : start + size], schema=schema)


def rows_of(given: Iterable[Any]) -> list[dict[str, Any]]:
    """The rows of batches."""
    return [row for batch in given for row in batch.to_pylist()]


def sited(given: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Pages sorted by site."""
    rows = [{"url": url, "html": html, "site": url.split("/")[2] if url else None} for url, html in given]
    return sorted(rows, key=lambda row: row["site"] or "")


def table(given: Iterable[tuple[Any, ...]], size: int = 7) -> Iterator[Any]:
    """Pages in batches."""
    rows = [{"url": page[0], "html": page[1]} for page in given]
    kind = pa.string() if any(isinstance(row["html"], str) for row in rows) else pa.binary()
    return batches(rows, pa.schema([("url", pa.string()), ("html", kind)]), size)


def learn(given: Iterable[tuple[Any, ...]], job: LearnJob = LearnJob()) -> list[Learned]:
    return [Learned(**row) for row in rows_of(learn_part(table(given), job))]


def merge(rows: Iterable[Learned], size: int = 2) -> dict[str, Learned]:
    """Merges rows, which are sorted by site here. Each site comes out once."""
    in_order = sorted(rows, key=lambda row: (row.site, row.is_old))
    given = batches([row._asdict() for row in in_order], STATES.append(pa.field("is_old", pa.bool_())), size)
    found = [Learned(**row) for row in rows_of(merge_parts(given))]
    assert [row.site for row in found] == sorted({row.site for row in found})
    return {row.site: row for row in found}


def clean(
    given: Iterable[tuple[Any, ...]], states: Iterable[Learned], *, fields: list[str] = FIELDS, size: int = 5
) -> list[dict[str, Any]]:
    """Cleans pages, which are sorted by site here."""
    given = list(given)
    sites = site_names(pa.array([page[0] for page in given], pa.string())).to_pylist()
    rows = [{"site": row.site, "state": row.state} for row in states]
    rows += [{"site": site, "url": page[0], "html": page[1]} for site, page in zip(sites, given, strict=True)]
    rows.sort(key=lambda row: (row["site"] or "", "state" not in row))
    html = pa.string() if any(isinstance(page[1], str) for page in given) else pa.binary()
    schema = pa.schema([("url", pa.string()), ("html", html), ("site", pa.string()), ("state", pa.binary())])
    found = rows_of(clean_part(batches(rows, schema, size), CleanJob(SITE, fields=tuple(fields))))
    assert len(found) == len(given)
    return [{**row, "metadata": dict(row["metadata"] or ())} if "metadata" in row else row for row in found]


def by_url(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {row["url"]: row for row in rows}
    assert len(found) == len(rows)
    return found


def split(given: list[Any], chance: random.Random) -> list[list[Any]]:
    """Pages in some order, dealt out to some parts."""
    given = chance.sample(given, len(given))
    parts: list[list[Any]] = [[] for _ in range(chance.randint(1, 9))]
    for page in given:
        chance.choice(parts).append(page)
    return parts


def merge_tree(parts: list[list[Learned]], chance: random.Random) -> dict[str, Learned]:
    """Merges some parts, then some of the results, until there is one."""
    while len(parts) > 1:
        chance.shuffle(parts)
        some = chance.randint(2, len(parts))
        merged = merge([row for part in parts[:some] for row in part], size=chance.randint(1, 5))
        parts = [*parts[some:], [*merged.values()]]
    return merge(parts[0])


def in_parts(given: list[Any], seed: int) -> dict[str, Learned]:
    """What is learned in parts that chance has made."""
    chance = random.Random(seed)
    return merge_tree([learn(part) for part in split(given, chance)], chance)


@pytest.mark.parametrize("seed", range(8))
def test_parts_and_their_order_do_not_matter(seed: int) -> None:
    given = [(page.url, page.body) for page in demo_pages()]
    for count, host in [(1, "a.example"), (15, "b.example"), (400, "c.example")]:
        given += [(url, html.encode()) for url, html in pages(count, host)]
    assert in_parts(given, seed) == {row.site: row for row in learn(given)}


@pytest.mark.parametrize("count", [25, 60])
def test_texts_do_not_depend_on_the_size_of_parts(count: int) -> None:
    """A state also lists the designs of the site, which a few pages do not tell; texts do not depend on them."""
    given = [*pages(count), *redesigned(count, count)]
    wanted = clean(given, learn(given))
    for size in (1, 4, 19, 20, 31):
        parts = [learn(given[start : start + size]) for start in range(0, len(given), size)]
        for seed in range(2):
            [site] = merge_tree(parts, random.Random(seed)).values()
            assert site.pages == len(given)
            assert clean(given, [site]) == wanted


def test_the_texts_are_those_of_the_command_line(tmp_path: Path) -> None:
    given = [page for page in demo_pages() if page.content_type == "text/html"]
    assert by_url(clean(given, in_parts(given, 1).values())) == of_pages(given, tmp_path)
    given_pairs = [*pages(300), *pages(1, "b.example"), *redesigned(5, 1000)]
    assert by_url(clean(given_pairs, in_parts(given_pairs, 2).values())) == of_pairs(given_pairs, tmp_path)


def test_pages_of_real_sites(real_pages: list[ServedPage], tmp_path: Path) -> None:
    given = real_pages
    wanted = of_pages(given, tmp_path)
    given = [page for page in given if page.url in wanted]
    assert len(given) > 450
    assert by_url(clean(given, in_parts(given, 3).values())) == wanted


def test_charsets_and_damage_are_columns(tmp_path: Path) -> None:
    """What servers state, and what readers notice, has the same effect as in the command line."""
    whole = ServedPage("https://a.example/", b"<p>A page that ends too early, as its header says.")
    wanted = of_pages([*demo_pages(), whole], tmp_path)
    with unframe.read(tmp_path / "pages.warc.gz") as reader:
        read = reader.next_table()
    assert read is not None
    given = read.to_pyarrow()
    damage = [["truncated"] if url == whole.url else [] for url in given["url"].to_pylist()]
    at = given.column_names.index("damage")
    given = given.set_column(at, given.schema.field(at), pa.array(damage, given.schema.field(at).type))
    wanted[whole.url]["flags"].insert(0, "truncated")

    columns = Columns(site="site", charset="charset", damage="damage")
    rows = rows_of(learn_part(given.to_batches(), LearnJob(columns)))
    rows = [{"site": row["site"], "state": row["state"]} for row in rows] + given.to_pylist()
    rows.sort(key=lambda row: (row["site"], "state" not in row))
    schema = given.schema.append(pa.field("state", pa.binary()))
    found = rows_of(clean_part(batches(rows, schema, 4), CleanJob(columns, fields=tuple(FIELDS))))
    assert by_url([{**row, "metadata": dict(row["metadata"])} for row in found]) == wanted


def test_batches_do_not_matter() -> None:
    """A site may span many batches, and a batch may have many sites."""
    given = [page for number in range(40) for page in pages(3, f"{number}.example")] + pages(50)
    learned = {row.site: row for row in learn(given)}
    wanted = by_url(clean(given, learned.values(), size=10_000))
    for size in (1, 2, 17):
        assert by_url(clean(given, learned.values(), size=size)) == wanted
        assert {row["site"]: Learned(**row) for row in rows_of(learn_part(table(given, size)))} == learned


@pytest.mark.parametrize("bound", [1, 6000, 1 << 20])
def test_whole_sites_are_learned_and_cleaned(tmp_path: Path, bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sites below the bound are cleaned together, the pages of others wait in a file."""
    monkeypatch.setattr(groups, "GROUP_BYTES", bound)
    given = [page for number in range(1, 9) for page in pages(number * number, f"{number}.example")]
    wanted = of_pairs(given, tmp_path)
    schema = pa.schema([("url", pa.string()), ("html", pa.string()), ("site", pa.string())])
    rows: list[dict[str, Any]] = [{"url": url, "html": html, "site": url.split("/")[2]} for url, html in given]
    bad: list[dict[str, Any]] = [{"url": None, "html": "<p>A page without a site."}, {"url": "none", "html": None}]
    job = CleanJob(SITE, fields=tuple(FIELDS))
    for size in (1, 2, 7, 50, 1000):
        found = rows_of(clean_sites(batches([*bad, *rows, *bad], schema, size), job))
        found = [{**row, "metadata": dict(row["metadata"] or ())} for row in found]
        assert by_url([row for row in found if row["url"] in wanted]) == wanted
        flags = [row["flags"] for row in found if row["url"] not in wanted]
        assert len(flags) == 4 and all("no-site" in of_page for of_page in flags)


@pytest.mark.parametrize("seed", range(4))
def test_versions_of_a_page_count_once_in_any_order(seed: int) -> None:
    versions = [(url, html.replace("week", f"week {week}")) for week in range(3) for url, html in pages(8)]
    [site] = in_parts(versions, seed).values()
    [other] = in_parts(versions[::-1], seed + 100).values()
    assert site == other
    assert site.pages == 8


def test_a_new_version_replaces_that_of_an_earlier_run() -> None:
    old, new = pages(20), redesigned(20, 0)
    assert [url for url, _ in old] == [url for url, _ in new]
    [alone] = learn(new)
    [before] = (row._replace(is_old=True) for row in learn(old))
    # All pages have changed, so nothing is left of what was learned before.
    for parts in ([new], [new[:5], new[5:]], [new[12:], new[:7], new[7:12]]):
        [found] = merge([before, *(row for part in parts for row in learn(part))]).values()
        assert found.pages == 20
        assert clean(new, [found]) == clean(new, [alone])
        assert clean(old, [found]) == clean(old, [alone]) != clean(old, [before])


def test_the_next_run_adds_to_what_is_known() -> None:
    [before] = (row._replace(is_old=True) for row in learn(pages(20)))
    assert merge([before])["a.example"].state == before.state
    [found] = merge([before, *learn(pages(15, start=20)), *learn(pages(10, start=10))]).values()
    [whole] = learn(pages(35))
    assert found.pages == 35
    assert clean(pages(35), [found]) == clean(pages(35), [whole])


class TestPagesThatAreNone:
    GIVEN: list[tuple[str | None, bytes | None]] = [
        *((url, html.encode()) for url, html in pages(10)),
        ("https://a.example/null", None),
        ("https://a.example/binary", b"\x89PNG\r\n\x1a\n\0\0\0\1"),
        ("https://a.example/empty", b""),
        (None, b"<p>A page without a URL."),
        ("", b"<p>A page with an empty URL."),
        ("no host", b"<p>A page without a host."),
        ("data:,page", b"<p>Another page without a host."),
        (None, None),
    ]

    def test_they_are_not_learned(self) -> None:
        [found] = learn(self.GIVEN)
        [wanted] = learn([*self.GIVEN[:10], self.GIVEN[12]])
        assert found == wanted
        assert found.site == "a.example" and found.pages == 11

    def test_they_are_rows_with_flags(self) -> None:
        rows = clean(self.GIVEN, learn(self.GIVEN), fields=["text", "flags"])
        found = {(row["url"], row["text"]): set(row["flags"]) for row in rows}
        assert found[("https://a.example/null", None)] == {"no-page"}
        assert found[("https://a.example/binary", None)] == {"unreadable"}
        assert "no-text" in found[("https://a.example/empty", "")]
        for page in [
            (None, "A page without a URL.\n"),
            ("", "A page with an empty URL.\n"),
            ("no host", "A page without a host.\n"),
            ("data:,page", "Another page without a host.\n"),
        ]:
            assert "no-site" in found[page], page
        assert found[(None, None)] == {"no-page", "no-site"}
        for url, _ in pages(10):
            [flags] = [flags for (of_url, _), flags in found.items() if of_url == url]
            assert not flags & {"no-site", "no-page", "unreadable"}

    def test_no_pages_at_all(self) -> None:
        assert learn([]) == [] == learn([(None, None)])
        assert merge([]) == {}
        assert clean([], []) == []
        assert clean([], learn(pages(3))) == []

    def test_flags_need_not_be_asked_for(self) -> None:
        assert clean(self.GIVEN[10:12], [], fields=["text"]) == [
            {"url": "https://a.example/null", "text": None},
            {"url": "https://a.example/binary", "text": None},
        ]

    def test_pages_of_unknown_sites_are_judged_by_themselves(self) -> None:
        [page] = pages(1)
        [row] = clean([page], [], fields=["text", "state_pages"])
        assert row["text"] == unframe.extract(page[1], page[0])
        assert row["state_pages"] == 0


class TestLargeSites:
    COUNT = 6000
    LISTED = 500

    @pytest.fixture(autouse=True)
    def few_are_listed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "MOST_LISTED", self.LISTED)

    def test_their_states_are_bounded(self) -> None:
        small, large = (len(learn(pages(count))[0].state) for count in (1500, self.COUNT))
        assert large < 1.5 * small

    def test_their_pages_are_estimated(self) -> None:
        for count in (self.LISTED // 2, self.COUNT):
            [site] = in_parts(pages(count), 5).values()
            assert site.pages == pytest.approx(count, rel=0.25 if count > self.LISTED else 0)

    def test_parts_do_not_matter(self) -> None:
        given = pages(self.COUNT)
        [whole] = learn(given)
        [parts] = in_parts(given, 6).values()
        assert parts == whole
        some = given[:: self.COUNT // 50]
        assert clean(some, [parts]) == clean(some, [whole])

    def test_a_site_may_be_large_only_as_a_whole(self) -> None:
        """Each part is below the bound."""
        given = pages(self.COUNT)
        parts = [learn(given[start : start + 200]) for start in range(0, self.COUNT, 200)]
        assert merge(row for part in parts for row in part)["a.example"] == learn(given)[0]


class TestStatesThatCannotBeUsed:
    GOOD = learn(pages(10))[0].state
    BAD = [
        (OLD_FORMAT, unframe.StateVersionError, "format 1.*learn the pages again"),
        (OLD_METHOD, unframe.StateVersionError, "version 1 of the method auto.*learn the pages again"),
        (learn(pages(9), LearnJob(method="chunks"))[0].state, unframe.StateVersionError, "the method chunks"),
        (GOOD[:-1], unframe.StateDamagedError, "damaged"),
        (GOOD[:50] + bytes([GOOD[50] ^ 1]) + GOOD[51:], unframe.StateDamagedError, "damaged"),
        (b"PAR1", unframe.StateDamagedError, "not an exported site"),
        (b"", unframe.StateDamagedError, "not an exported site"),
    ]

    @pytest.mark.parametrize("state, error, message", BAD)
    def test_they_are_refused_with_the_name_of_the_site(self, state: bytes, error: type, message: str) -> None:
        bad, good = Learned("a.example", state, 10), Learned("a.example", self.GOOD, 10)
        for rows in ([good, bad], [bad, good], [good, bad._replace(is_old=True)]):
            with pytest.raises(error, match=f"the state of 'a.example'.*{message}"):
                merge(rows)
        with pytest.raises(error, match=f"the state of 'a.example'.*{message}"):
            clean(pages(1), [bad])

    def test_pages_of_other_sites_do_not_need_them(self) -> None:
        assert len(clean(pages(3, "b.example"), [Learned("a.example", b"", 1)])) == 3


class TestColumns:
    @pytest.mark.parametrize("missing", ["url", "html", "site"])
    def test_a_missing_column_is_named(self, missing: str) -> None:
        columns = {"url": ["https://a.example/"], "html": ["<p>A page."], "site": ["a.example"]}
        del columns[missing]
        raises = pytest.raises((KeyError, unframe.ArgumentError), match=missing)
        with raises:
            list(learn_part([pa.RecordBatch.from_pydict(columns)], LearnJob(SITE)))
        with raises:
            batch = pa.RecordBatch.from_pydict({**columns, "state": pa.nulls(1, pa.binary())})
            list(clean_part([batch], CleanJob(SITE)))

    @pytest.mark.parametrize("missing", ["site", "state", "pages"])
    def test_a_missing_column_of_states_is_named(self, missing: str) -> None:
        [batch] = learn_part(table(pages(3)))
        with pytest.raises(KeyError, match=missing):
            list(merge_parts([batch.drop_columns([missing])]))

    def test_their_order_does_not_matter(self) -> None:
        [batch] = learn_part(table(pages(9), size=9))
        [given] = table(pages(9), size=9)
        assert [*learn_part([given.select(["html", "url"])])] == [batch]
        assert [*merge_parts([batch.select(["pages", "state", "site"])])] == [batch]

    def test_cleaning_needs_the_sites(self) -> None:
        for use in (clean_part, clean_sites):
            with pytest.raises(unframe.ArgumentError, match=r"CleanJob\(Columns\(site=…\)\)"):
                list(use([], CleanJob(Columns())))

    def test_other_names_and_types(self, tmp_path: Path) -> None:
        given = pages(20)
        columns = Columns(url="address", html="body", site="of")
        data = {
            "address": pa.array([url.encode() for url, _ in given]),
            "body": pa.array([html for _, html in given], pa.large_string()),
            "of": pa.array(["one", "two"] * 10),
            "number": pa.array(range(20)),
        }
        batch = pa.RecordBatch.from_pydict(data)
        states = rows_of(learn_part([batch], LearnJob(columns)))
        assert [(row["site"], row["pages"]) for row in states] == [("one", 10), ("two", 10)]
        rows = batch.append_column("known", pa.nulls(20, pa.binary()))
        job = CleanJob(columns, state="known", fields=("text",), keep=("number",))
        [found] = clean_part([rows], job)
        assert found.schema.names == ["number", "text"]
        assert found.column("number").to_pylist() == list(range(20))

    def test_the_schema_of_the_result(self) -> None:
        job = CleanJob(SITE, keep=(), fields=(*FIELDS, "state_pages", "links"))
        [batch] = table(pages(3))
        batch = batch.append_column("site", pa.array(["a.example"] * 3))
        batch = batch.append_column("state", pa.nulls(3, pa.binary()))
        [found] = clean_part([batch], job)
        assert found.schema == job.results()
        assert [*clean_part([batch.slice(0, 0)], job)] == []


def test_pages_before_their_state_are_judged_by_themselves() -> None:
    """The rows must be sorted: in another order there is less knowledge, but no page is lost."""
    given, [site] = pages(4), learn(pages(30))
    schema = pa.schema([("url", pa.string()), ("html", pa.string()), ("site", pa.string()), ("state", pa.binary())])
    rows: list[dict[str, Any]] = [{"url": url, "html": html, "site": "a.example"} for url, html in given]
    rows.insert(2, {"site": "a.example", "state": site.state})
    job = CleanJob(SITE, fields=("state_pages",))
    found = rows_of(clean_part(batches(rows, schema, 1), job))
    assert [row["state_pages"] for row in found] == [0, 0, 30, 30]


@pytest.mark.parametrize("bound", [1, 6000, 1 << 20])
@pytest.mark.parametrize("most_pages", [3, 40, 1000])
def test_large_sites_are_dealt_out(bound: int, most_pages: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same texts as those of whole sites, and no salt has many more pages of a site than it should."""
    monkeypatch.setattr(groups, "GROUP_BYTES", bound)
    given = sited([*pages(100), *pages(5, "b.example"), *pages(41, "c.example"), (None, "<p>Alone.")])
    job = CleanJob(SITE, fields=("text", "state_pages", "flags"))
    wanted = rows_of(clean_sites(batches(given, SITED, 7), job))
    assert len(wanted) == len(given)
    dealt = rows_of(deal_out(batches(given, SITED, 7), job, most_pages=most_pages, salt="salt"))
    left = [row for row in dealt if row["salt"] is not None]
    counts = Counter((row["site"], row["salt"]) for row in left if row["state"] is None)
    assert all(count <= most_pages + 7 for count in counts.values())
    assert {(row["site"], row["salt"]) for row in left if row["state"] is not None} == counts.keys()
    assert bool(left) == (bound < 1 << 20 and most_pages < 100)
    dealt.sort(key=lambda row: (row["site"] or "", row["salt"] or 0, row["state"] is None))
    schema = next(deal_out(batches(given, SITED, 7), job, most_pages=most_pages, salt="salt")).schema
    found = rows_of(clean_dealt(batches(dealt, schema, 9), job, salt="salt"))
    assert sorted(found, key=str) == sorted(wanted, key=str)


def test_rows_that_are_not_sorted_are_refused() -> None:
    given = sited([*pages(3, "b.example"), *pages(3)])[::-1]
    for size in (1, 2, 6):
        with pytest.raises(unframe.ArgumentError, match="sorted by the column 'site'"):
            rows_of(clean_sites(batches(given, SITED, size), CleanJob(SITE)))
    states = [*learn(pages(3, "b.example")), *learn(pages(3))]
    with pytest.raises(unframe.ArgumentError, match="sorted by the column 'site'"):
        rows_of(merge_parts(batches([{"site": row.site, "state": row.state, "pages": 3} for row in states], STATES, 1)))


@pytest.mark.parametrize("site_from, wanted", [("host", "www.a.com"), ("domain", "a.com")])
def test_names_of_sites(site_from: str, wanted: str) -> None:
    urls = ["https://www.a.com/1", None, "", "no host"]
    assert site_names(pa.array(urls), site_from).to_pylist() == [wanted, None, None, None]
    as_bytes = pa.array([b"https://www.a.com/1", b"\xff\xfe", b""])
    assert site_names(as_bytes, site_from).to_pylist() == [wanted, None, None]
    assert {row.site for row in learn(pages(3, "www.a.com"), LearnJob(site_from=site_from))} == {wanted}
