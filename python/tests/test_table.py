"""Tables of pages: Arrow in, Arrow out, the same rows in the same order."""

import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import polars
import pyarrow
import pytest
import unframe

COUNT = 60
URLS = [f"https://{'ab'[number % 2]}.example/{number}" for number in range(COUNT)]
PAGES = [
    f"<title>Story {number}</title><nav>Home of {'ab'[number % 2]}, Shop</nav><h1>Story {number}</h1>"
    f"<p>Number {number} of the week, told by {7 * number} people.<footer>All rights reserved.</footer>"
    for number in range(COUNT)
]


def table(**columns: Any) -> Any:
    return pyarrow.table({"url": URLS, "html": PAGES, **columns})


@pytest.fixture(scope="module")
def wanted() -> list[dict[str, Any]]:
    """What ``clean_pages`` gives."""
    return [
        {
            "url": page.url,
            "title": page.title,
            "text": page.text,
            "confidence": page.confidence,
            "template_share": page.template_share,
            "flags": page.flags,
        }
        for page in unframe.clean_pages(zip(URLS, PAGES, strict=True))
    ]


def rows(cleaned: unframe.Table) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = cleaned.to_pyarrow().to_pylist()
    for row in found:
        if row.get("flags") is not None:
            row["flags"] = json.loads(row["flags"])
    return found


def test_the_same_as_clean_pages(wanted: list[dict[str, Any]]) -> None:
    assert rows(unframe.clean_table(table())) == wanted
    assert rows(unframe.clean_table(table(), jobs=1)) == wanted


def test_columns() -> None:
    cleaned = unframe.clean_table(table())
    assert cleaned.column_names == ["url", "title", "text", "confidence", "template_share", "flags"]
    assert len(cleaned) == COUNT
    assert repr(cleaned).startswith(f"<unframe.Table of {COUNT} rows: url, title, text")
    types = [str(field.type) for field in cleaned.to_pyarrow().schema]
    assert types == ["large_string"] * 3 + ["double"] * 2 + ["large_string"]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "large_binary", "binary_view"])
def test_types_of_pages(kind: str, wanted: list[dict[str, Any]]) -> None:
    of_kind = getattr(pyarrow, kind)()
    html = [page.encode() for page in PAGES] if "binary" in kind else PAGES
    assert rows(unframe.clean_table(table(html=pyarrow.array(html, of_kind)))) == wanted
    assert rows(unframe.clean_table(table(url=pyarrow.array(URLS, of_kind)))) == wanted


def test_a_table_in_parts(wanted: list[dict[str, Any]]) -> None:
    parts = [table().slice(0, 1), table().slice(1, 30), table().slice(31, 0), table().slice(31)]
    assert rows(unframe.clean_table(pyarrow.concat_tables(parts))) == wanted
    assert [row["url"] for row in rows(unframe.clean_table(table().slice(7, 3)))] == URLS[7:10]


def test_other_forms_of_tables(wanted: list[dict[str, Any]]) -> None:
    batch = table().to_batches()[0]
    assert rows(unframe.clean_table(batch)) == wanted
    reader = pyarrow.RecordBatchReader.from_batches(batch.schema, iter([batch]))
    assert rows(unframe.clean_table(reader)) == wanted
    again = unframe.clean_table(table(), fields=["url", "html"])
    assert [row["url"] for row in rows(unframe.clean_table(again))] == URLS


def test_pandas(wanted: list[dict[str, Any]]) -> None:
    frame = pandas.DataFrame({"url": URLS, "html": PAGES}, index=range(100, 100 + COUNT))
    cleaned = unframe.clean_table(frame).to_pandas()
    assert isinstance(cleaned, pandas.DataFrame)
    assert list(cleaned["text"]) == [row["text"] for row in wanted]
    frame["text"] = list(cleaned["text"])
    assert frame.loc[100, "text"] == wanted[0]["text"]


def test_polars(wanted: list[dict[str, Any]]) -> None:
    frame = polars.DataFrame({"url": URLS, "html": PAGES})
    cleaned = unframe.clean_table(frame).to_polars()
    assert isinstance(cleaned, polars.DataFrame)
    assert cleaned["text"].to_list() == [row["text"] for row in wanted]
    assert polars.DataFrame(unframe.clean_table(frame)).equals(cleaned)
    assert frame.with_columns(cleaned["text"]).shape == (COUNT, 3)


def test_rows_without_a_page_are_null(wanted: list[dict[str, Any]]) -> None:
    html = [None, *PAGES[1:-2], None, None]
    found = rows(unframe.clean_table(table(html=html)))
    assert len(found) == COUNT
    assert [number for number, row in enumerate(found) if row["text"] is None] == [0, COUNT - 2, COUNT - 1]
    assert set(found[0].values()) == {None}
    assert found[5]["url"] == URLS[5]


def test_rows_without_a_url() -> None:
    found = rows(unframe.clean_table(table(url=[None, *URLS[1:]])))
    assert found[0]["text"] and found[1]["url"] == URLS[1]
    alone = rows(unframe.clean_table(pyarrow.table({"html": PAGES}), url=None, site="stories", fields=["site", "text"]))
    assert {row["site"] for row in alone} == {"stories"}
    assert "Shop" not in alone[0]["text"]


def test_rows_that_are_no_pages_are_null() -> None:
    found = rows(unframe.clean_table(table(html=["\0\0\0\1", *PAGES[1:]])))
    assert found[0]["text"] is None and found[1]["text"] is not None


@pytest.mark.parametrize("empty", [pyarrow.array([], "string"), pyarrow.array([None] * 3, "string")])
def test_no_pages(empty: Any) -> None:
    cleaned = unframe.clean_table(pyarrow.table({"url": empty, "html": empty}))
    assert len(cleaned) == len(empty)
    assert cleaned.column_names == ["url", "title", "text", "confidence", "template_share", "flags"]
    assert cleaned.to_pyarrow().num_columns == 6


def test_a_page_may_come_twice() -> None:
    found = rows(unframe.clean_table(pyarrow.table({"url": [URLS[0]] * 3, "html": [PAGES[0]] * 3})))
    assert len({row["text"] for row in found}) == 1 and len(found) == 3


def test_names_of_columns(wanted: list[dict[str, Any]]) -> None:
    named = pyarrow.table({"address": URLS, "body": PAGES})
    assert rows(unframe.clean_table(named, url="address", html="body")) == wanted
    with pytest.raises(unframe.ArgumentError, match="no column 'html', but address, body; name it with html="):
        unframe.clean_table(named)
    with pytest.raises(unframe.ArgumentError, match="no column 'url', but address, body; name it with url="):
        unframe.clean_table(named, html="body")


def test_fields() -> None:
    names = ["state_pages", "metadata", "links", "removed", "kind", "markdown", "html", "text"]
    cleaned = unframe.clean_table(table(), fields=names)
    assert cleaned.column_names == names
    types = {field.name: str(field.type) for field in cleaned.to_pyarrow().schema}
    assert types["state_pages"] == "uint64" and types["metadata"] == "large_string"
    pages = list(unframe.clean_pages(zip(URLS, PAGES, strict=True), reasons=True))
    for row, page in zip(rows(cleaned), pages, strict=True):
        assert json.loads(row["metadata"]) == page.metadata and json.loads(row["removed"]) == page.regions
        assert (row["markdown"], row["html"], row["state_pages"]) == (page.markdown, page.html, page.state_pages)
    assert unframe.clean_table(table(), fields="url,text").column_names == ["url", "text"]
    assert "markdown" in unframe.clean_table(table(), fields=["+markdown"]).column_names
    with pytest.raises(unframe.ArgumentError, match="there is no field `colour`; choose from"):
        unframe.clean_table(table(), fields=["colour"])


def test_settings() -> None:
    everything = rows(unframe.clean_table(table(), method="text"))
    assert all("All rights reserved" in row["text"] for row in everything)
    protected = rows(unframe.clean_table(table(), protect=["footer"]))
    assert all("All rights reserved" in row["text"] for row in protected)
    one_site = rows(unframe.clean_table(table(), fields=["site"], site_from="domain"))
    assert {row["site"] for row in one_site} == {"a.example", "b.example"}


def test_a_state_is_continued(tmp_path: Path) -> None:
    state = tmp_path / "a.unframe"
    unframe.clean_table(table().slice(0, 40), state=state)
    before = state.read_bytes()
    unframe.clean_table(table().slice(40), state=state, learn=False)
    assert state.read_bytes() == before
    found = rows(unframe.clean_table(table().slice(40), state=state, fields=["state_pages"]))
    assert {row["state_pages"] for row in found} == {COUNT // 2}


def test_without_learning_a_state_is_needed() -> None:
    with pytest.raises(unframe.ArgumentError, match="state="):
        unframe.clean_table(table(), learn=False)


def test_many_rows() -> None:
    count = 20_000
    urls = [f"https://a.example/{number}" for number in range(count)]
    html = [f"<nav>Home, Shop</nav><p>Story {number}." for number in range(count)]
    cleaned = unframe.clean_table(pyarrow.table({"url": urls, "html": html}), fields=["url", "text"])
    assert len(cleaned) == count
    assert cleaned.to_pyarrow()["url"].to_pylist() == urls
    assert cleaned.to_pyarrow()["text"].to_pylist() == [f"Story {number}.\n" for number in range(count)]


def test_pickle(wanted: list[dict[str, Any]]) -> None:
    again = pickle.loads(pickle.dumps(unframe.clean_table(table())))
    assert isinstance(again, unframe.Table) and rows(again) == wanted


def test_an_empty_table_keeps_its_columns_in_a_pickle() -> None:
    empty = unframe.clean_table(table().slice(0, 0))
    assert pickle.loads(pickle.dumps(empty)).column_names == empty.column_names


class TestWrongTables:
    @pytest.mark.parametrize("wrong", [None, 5, "pages.parquet", b"", [{"url": "a", "html": "b"}], {"html": ["b"]}])
    def test_not_a_table(self, wrong: Any) -> None:
        with pytest.raises(TypeError, match="table must be Arrow data"):
            unframe.clean_table(wrong)

    def test_columns_of_other_types(self) -> None:
        with pytest.raises(TypeError, match="the column of html must be text or binary data, not Int64"):
            unframe.clean_table(table(html=list(range(COUNT))))
        with pytest.raises(TypeError, match="the column of url must be text or binary data, not Dictionary"):
            unframe.clean_table(table(url=pyarrow.array(URLS).dictionary_encode()))

    def test_wrong_arguments(self) -> None:
        for arguments, message in [
            ({"url": 5}, "url must be str, not int"),
            ({"html": b"html"}, "html must be str, not bytes"),
            ({"fields": 5}, "fields must be a list of str, not int"),
            ({"jobs": "two"}, "jobs must be a whole number"),
            ({"memory": "much"}, "memory must be a number of bytes"),
            ({"colour": 1}, "unexpected keyword argument 'colour'; there are"),
        ]:
            with pytest.raises(TypeError, match=message):
                unframe.clean_table(table(), **arguments)

    def test_an_exception_of_the_table_comes_through(self) -> None:
        class Broken:
            def __arrow_c_stream__(self, requested_schema: object = None) -> object:
                raise LookupError("no more rows")

        with pytest.raises(LookupError, match="no more rows"):
            unframe.clean_table(Broken())

    def test_an_exception_in_the_stream_is_named(self) -> None:
        def batches() -> Iterator[Any]:
            yield from table().to_batches()
            raise LookupError("no more rows")

        reader = pyarrow.RecordBatchReader.from_batches(table().schema, batches())
        with pytest.raises(Exception, match="no more rows"):
            unframe.clean_table(reader)

    def test_something_else_than_a_stream(self) -> None:
        class Broken:
            def __arrow_c_stream__(self, requested_schema: object = None) -> object:
                return 5

        with pytest.raises(TypeError, match="PyCapsule"):
            unframe.clean_table(Broken())
        with pytest.raises((TypeError, ValueError)):
            unframe.clean_table(pyarrow.chunked_array([PAGES]))
