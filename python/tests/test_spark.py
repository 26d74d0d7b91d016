"""Spark jobs give the texts of the command line, however pages are divided."""

import gzip
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import unframe
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from unframe.spark import clean, learn, read_warc

from conftest import ServedPage, demo_pages, write_warc
from made_up_site import pages as made_up
from made_up_site import redesigned
from spark_session import by_url, configured
from whole_crawl import FIELDS, OLD_FORMAT, OLD_METHOD, of_command_line, of_pairs

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo sites in three archives. Each has pages of every site."""
    folder = tmp_path_factory.mktemp("crawl")
    for number in range(3):
        write_warc(folder / f"{number}.warc.gz", demo_pages()[number::3])
    return folder


@pytest.fixture(scope="module")
def wanted(folder: Path) -> dict[str, dict[str, Any]]:
    return of_command_line(folder)


def frame(spark: SparkSession, pages: list[tuple[str, str]]) -> DataFrame:
    return spark.createDataFrame(pages, "url string, html string")


def fields_of(cleaned: DataFrame, fields: list[str] = FIELDS) -> dict[str, dict[str, Any]]:
    return by_url(cleaned.select("url", *fields).collect())


class TestSameAnswer:
    @pytest.mark.parametrize("partitions", [1, 3, 7])
    def test_partitions_and_order(self, spark: SparkSession, folder: Path, wanted: Any, partitions: int) -> None:
        pages = read_warc(spark, str(folder)).orderBy(F.rand(seed=partitions)).repartition(partitions)
        assert fields_of(clean(pages, fields=FIELDS)) == wanted
        # Few pages of a site in each task.
        assert fields_of(clean(pages, fields=FIELDS, most_pages=4)) == wanted

    @pytest.mark.parametrize("format", ["text", "markdown", "html"])
    def test_formats(self, spark: SparkSession, folder: Path, wanted: Any, format: Any) -> None:
        cleaned = clean(read_warc(spark, str(folder)), format=format)
        fields = ["title", format, "metadata", "confidence", "template_share", "flags"]
        assert cleaned.columns == ["url", "date", "record_id", "source", "site", *fields]
        assert fields_of(cleaned, fields) == {
            url: {"url": url} | {name: row[name] for name in fields} for url, row in wanted.items()
        }

    def test_pages_of_real_sites(self, spark: SparkSession, real_pages: list[ServedPage], tmp_path: Path) -> None:
        for number in range(3):
            write_warc(tmp_path / f"{number}.warc.gz", real_pages[number::3])
        wanted = of_command_line(tmp_path)
        assert len(wanted) > 450
        cleaned = clean(read_warc(spark, str(tmp_path)), fields=FIELDS, most_pages=7)
        assert fields_of(cleaned) == wanted

    @pytest.mark.parametrize(
        "settings, flags",
        [
            ({"favor_precision": True, "protect": ["footer"]}, ["--favor", "precision", "--protect", "footer"]),
            ({"body_only": True, "include_links": False}, ["--body-only", "--md-links", "no"]),
            ({"method": "chunks"}, ["--method", "chunks"]),
        ],
    )
    def test_settings(
        self, spark: SparkSession, folder: Path, wanted: Any, settings: dict[str, Any], flags: list[str]
    ) -> None:
        found = fields_of(clean(read_warc(spark, str(folder)), fields=FIELDS, **settings))
        assert found == of_command_line(folder, *flags) != wanted

    def test_pages_as_text(self, spark: SparkSession, tmp_path: Path) -> None:
        pages = [*made_up(30), *made_up(3, "b.example"), *redesigned(9, 50)]
        assert fields_of(clean(frame(spark, pages), fields=FIELDS)) == of_pairs(pages, tmp_path)

    @pytest.mark.parametrize("site", ["domain", "column"])
    def test_other_sites_than_hosts(self, spark: SparkSession, tmp_path: Path, site: Any) -> None:
        pages = [*made_up(9, "www.a.com"), *made_up(9, "shop.a.com"), *made_up(9, "b.com")]
        given = frame(spark, pages)
        column = F.when(F.contains("url", F.lit("a.com")), F.lit("a.com")).otherwise("b.com")
        by: Any = column if site == "column" else site
        assert {(row.site, row.pages) for row in learn(given, site=by).collect()} == {("a.com", 18), ("b.com", 9)}
        wanted = of_pairs(pages, tmp_path, "--site-from", "domain")
        assert fields_of(clean(given, site=by, fields=FIELDS)) == wanted
        assert wanted != of_pairs(pages, tmp_path)

    def test_pages_without_urls(self, spark: SparkSession) -> None:
        given = spark.createDataFrame([(html, 1) for _, html in made_up(9)], "body string, of int")
        rows = clean(given, url=None, html="body", site=given["of"], fields=["text", "state_pages"]).collect()
        assert {row.state_pages for row in rows} == {9}
        assert {row.text for row in rows} == {page.text for page in unframe.clean_pages(made_up(9))}
        assert {row.of for row in rows} == {1}


class TestSkew:
    @pytest.fixture
    def four_tasks(self, spark: SparkSession) -> Iterator[None]:
        """Spark would put so few pages into a single task."""
        coalesced = "spark.sql.adaptive.coalescePartitions.enabled"
        with configured(spark, {coalesced: "false", "spark.sql.shuffle.partitions": "4"}):
            yield

    def test_a_large_site_beside_small_ones(self, spark: SparkSession, four_tasks: None, tmp_path: Path) -> None:
        # 36 MB of one site: smaller ones are not worth it.
        pages = [(url, f"{html}<!--{' ' * 30_000}-->") for url, html in made_up(1200)]
        pages += [page for number in range(300) for page in made_up(2, f"{number}.example")]
        given = frame(spark, pages).repartition(5)
        rows = clean(given, fields=FIELDS, most_pages=100).withColumn("task", F.spark_partition_id()).collect()
        large = [row.task for row in rows if row.url.startswith("https://a.example/")]
        assert len(large) == 1200
        assert len(set(large)) == 4, "the large site has not used all tasks"
        assert max(large.count(task) for task in set(large)) <= 700
        found = {url: {k: v for k, v in row.items() if k != "task"} for url, row in by_url(rows).items()}
        assert found == of_pairs(pages, tmp_path)

    def test_small_sites_do_not_cost_a_task_each(self, spark: SparkSession) -> None:
        pages = [page for number in range(1000) for page in made_up(1, f"{number}.example")]
        given = frame(spark, pages).repartition(2)
        spark.sparkContext.setJobGroup("small-sites", "")
        assert len(clean(given, fields=["text"]).collect()) == 1000
        tracker = spark.sparkContext.statusTracker()
        stages = {
            stage
            for number in tracker.getJobIdsForGroup("small-sites")
            for stage in getattr(tracker.getJobInfo(number), "stageIds", [])
        }
        tasks = [info.numTasks for info in map(tracker.getStageInfo, stages) if info]
        assert tasks and sum(tasks) < 200, tasks


class TestStates:
    def test_learning_on_equals_learning_all(self, spark: SparkSession, tmp_path: Path) -> None:
        pages = [*made_up(40), *made_up(12, "b.example")]
        first, second = frame(spark, pages[::2]), frame(spark, [*pages[1::2], *pages[:6], *made_up(4, "c.example")])
        learn(first).write.parquet(str(tmp_path / "1"))
        states = spark.read.parquet(str(tmp_path / "1"))
        assert {(row.site, row.pages) for row in states.collect()} == {("a.example", 20), ("b.example", 6)}
        learn(second, states=states).write.parquet(str(tmp_path / "2"))
        states = spark.read.parquet(str(tmp_path / "2"))
        found = {(row.site, row.pages) for row in states.collect()}
        assert found == {("a.example", 40), ("b.example", 12), ("c.example", 4)}
        wanted = of_pairs(pages, tmp_path)
        assert fields_of(clean(frame(spark, pages), states=states, fields=FIELDS)) == wanted

    def test_changed_pages_replace_what_was_learned(self, spark: SparkSession) -> None:
        old = learn(frame(spark, made_up(9)))
        [row] = learn(frame(spark, redesigned(9, 0)), states=old).collect()
        assert row.pages == 9
        assert unframe.Site.from_bytes(bytes(row.state)).pages == 9
        [alone] = learn(frame(spark, redesigned(9, 0))).collect()
        assert row.state == alone.state

    def test_pages_of_unknown_sites(self, spark: SparkSession) -> None:
        states = learn(frame(spark, made_up(9)))
        given = frame(spark, [*made_up(2), *made_up(2, "b.example")])
        rows = by_url(clean(given, states=states, fields=["state_pages"]).collect())
        assert [row["state_pages"] for _, row in sorted(rows.items())] == [9, 9, 0, 0]

    @pytest.mark.parametrize("state", [OLD_FORMAT, OLD_METHOD])
    def test_states_of_the_past_are_refused(self, spark: SparkSession, state: bytes) -> None:
        states = spark.createDataFrame([("a.example", bytearray(state), 1)], "site string, state binary, pages bigint")
        given = frame(spark, made_up(3))
        for use in (clean, learn):
            with pytest.raises(PySparkException, match="the state of 'a.example': .*learn the pages again"):
                use(given, states=states).collect()


class TestPagesThatAreNone:
    def test_they_are_rows_with_flags(self, spark: SparkSession) -> None:
        rows = [
            *((url, html.encode()) for url, html in made_up(6)),
            ("https://a.example/null", None),
            ("https://a.example/binary", b"\x89PNG\r\n\x1a\n\0\0\0\1"),
            ("https://a.example/endless", b"<div>" * 200_000),
            ("no host", b"<p>A page without a host."),
            (None, b"<p>A page without a URL."),
            (None, None),
        ]
        given = spark.createDataFrame(rows, "url string, html binary")
        assert [row.site for row in learn(given).collect()] == ["a.example"]
        found = {(row.url, row.text): set(row.flags) for row in clean(given).collect()}
        assert len(found) == len(rows)
        assert found[("https://a.example/null", None)] == {"no-page"}
        assert found[("https://a.example/binary", None)] == {"unreadable"}
        assert "depth-capped" in found[("https://a.example/endless", "")]
        assert "no-site" in found[("no host", "A page without a host.\n")]
        assert "no-site" in found[(None, "A page without a URL.\n")]
        assert found[(None, None)] == {"no-page", "no-site"}

    def test_no_rows(self, spark: SparkSession) -> None:
        assert clean(frame(spark, [])).collect() == [] == learn(frame(spark, [])).collect()


class TestColumns:
    def test_columns_of_users_are_kept(self, spark: SparkSession) -> None:
        more = [(url, html, number, [str(number)], {"n": number}) for number, (url, html) in enumerate(made_up(5))]
        schema = "url string, html string, number long, names array<string>, of map<string,int>"
        given = spark.createDataFrame(more, schema).withColumn("when", F.lit("2026-01-01").cast("timestamp"))
        given = given.withColumn("both", F.struct("number", "of"))
        cleaned = clean(given, fields=["text"])
        assert cleaned.columns == ["url", "number", "names", "of", "when", "both", "text"]
        for row in cleaned.collect():
            assert row.url == f"https://a.example/{row.number}" and row.names == [str(row.number)]
            assert row.both.of == row.of == {"n": row.number} and row.when.year == 2026
        assert clean(given, keep=["names"], fields=["text"]).columns == ["names", "text"]
        assert clean(given, keep=[], fields="text").columns == ["text"]

    def test_columns_with_the_names_of_fields(self, spark: SparkSession) -> None:
        given = frame(spark, made_up(3))
        for name in ["title", "text", "state", "pages", "part", "is_old"]:
            given = given.withColumn(name, F.lit("mine"))
        cleaned = clean(given)
        # What is asked for has been found out anew; the others are the user's.
        assert {(row.state, row.pages, row.part, row.is_old) for row in cleaned.collect()} == {("mine",) * 4}
        assert {row.title for row in cleaned.collect()} == {"Story 0", "Story 1", "Story 2"}
        kept = clean(given, keep=["title"], fields=["text"])
        assert {(row.title, row.text == "mine") for row in kept.collect()} == {("mine", False)}

    def test_fields_may_be_added(self, spark: SparkSession) -> None:
        cleaned = clean(frame(spark, made_up(2)), fields=["+state_pages", "+links"], keep=[])
        usual = ["title", "text", "metadata", "confidence", "template_share", "flags"]
        assert cleaned.columns == [*usual, "state_pages", "links"]
        assert {row.state_pages for row in cleaned.collect()} == {2}


class TestWrongArguments:
    """They are noticed when a function is called, not in some task."""

    @pytest.mark.parametrize(
        "call, message",
        [
            (lambda p: clean(p, url="address"), "no column 'address', but url, html, n; name it with url="),
            (lambda p: learn(p, html="body"), "no column 'body', but url, html, n; name it with html="),
            (lambda p: clean(p, html="n"), "the column of html must be string or binary, not bigint"),
            (lambda p: clean(p, site="path"), "'host', 'domain' or a column, .*not 'path'"),  # type: ignore[arg-type]
            (lambda p: learn(p, url=None), "need a column with their sites, as in site=pages.site"),
            (lambda p: clean(p, format="pdf"), "'text', 'markdown' or 'html', not 'pdf'"),  # type: ignore[arg-type]
            (lambda p: clean(p, fields=["colour"]), "there is no field `colour`"),
            (lambda p: clean(p, keep=["colour"]), "no column 'colour' to keep, but url, html, n"),
            (lambda p: clean(p, keep=["url"], fields=["url"]), "url: a field of the result and a column to keep"),
            (lambda p: clean(p, most_pages=0), "most_pages must be a whole number from 1 on, not 0"),
            (lambda p: clean(p, most_pages=True), "most_pages must be a whole number from 1 on, not True"),
            (lambda p: clean(p, site_from="domain"), "with site=, as in site='domain'"),
            (lambda p: clean(p, watch_drift=True), "there is no setting 'watch_drift', but favor_precision,"),
            (lambda p: clean(p, body_only="yes"), "body_only must be True or False, not 'yes'"),
            (lambda p: clean(p, fields=[]), "name at least one field"),
            (lambda p: clean(p, fields=["text", "text"]), "the result would have two columns 'text'"),
            (lambda p: clean(p, keep=["url", "url"]), "the result would have two columns 'url'"),
            (lambda p: clean(p, states="states/"), "states must be a data frame of Spark, not str"),
            (lambda p: clean([p]), "pages must be a data frame of Spark, not list"),
            (lambda p: clean(p.select("*", p.url.alias("URL"))), "the pages have two columns 'URL'"),
            (lambda p: clean(p, method="best"), "method"),
            (lambda p: learn(p, method="best"), "method"),
            (lambda p: clean(p, protect="a:hover"), "hover"),
            (lambda p: clean(p, states=p), "with the columns site string, state binary, pages bigint; not url string"),
            (lambda p: learn(p, states=p), "states must be what learn"),
        ],
    )
    def test_they_are_explained(self, spark: SparkSession, call: Callable[[Any], DataFrame], message: str) -> None:
        given = frame(spark, made_up(1)).withColumn("n", F.lit(1).cast("bigint"))
        with pytest.raises(unframe.ArgumentError, match=message):
            call(given)

    def test_unknown_settings(self, spark: SparkSession) -> None:
        with pytest.raises(unframe.ArgumentError, match="there is no setting 'colour', but favor_precision"):
            clean(frame(spark, made_up(1)), colour="red")


class TestArchives:
    def test_the_columns(self, spark: SparkSession, folder: Path) -> None:
        rows = {row.url: row for row in read_warc(spark, str(folder)).collect()}
        for number, page in enumerate(demo_pages()):
            row = rows[page.url]
            assert bytes(row.html) == page.body
            assert row.date == "2026-01-01T00:00:00Z" and row.record_id == f"<urn:uuid:{number // 3:032x}>"
            assert row.site == page.url.split("/")[2] and row.damage == []
            assert f"{number % 3}.warc.gz" in row.source
        assert {row.charset for row in rows.values()} == {None, "utf-8", "Windows-1252"}

    def test_ways_to_name_them(self, spark: SparkSession, folder: Path, tmp_path: Path) -> None:
        names = [f"{number}.warc.gz" for number in range(3)]
        with gzip.open(tmp_path / "warc.paths.gz", "wt") as file:
            file.write("\n".join(names) + "\n\n")
        (tmp_path / "absolute.paths").write_text("".join(f"{folder / name}\n" for name in names))
        for paths, base, files in [
            (str(folder), "", [0, 1, 2]),
            (f"{folder}/*.warc.gz", "", [0, 1, 2]),
            (f"{folder}/[02].warc.gz", "", [0, 2]),
            ([str(folder / name) for name in names], "", [0, 1, 2]),
            # A file counts once.
            ([str(folder / names[0]), f"{folder}/*.gz"], "", [0, 1, 2]),
            (names[:2], str(folder), [0, 1]),
            (str(tmp_path / "warc.paths.gz"), f"{folder}/", [0, 1, 2]),
            (str(tmp_path / "warc.paths.gz"), f"file://{folder}", [0, 1, 2]),
            (str(tmp_path / "absolute.paths"), "s3://ignored/", [0, 1, 2]),
            (f"file://{folder}", "", [0, 1, 2]),
            (f"file://{folder}/[12].warc.gz", "", [1, 2]),
            (f"file://{folder}/1.warc.gz", "", [1]),
        ]:
            pages = read_warc(spark, paths, base=base)
            assert pages.rdd.getNumPartitions() == len(files), paths
            found = sorted(row.url for row in pages.select("url").collect())
            assert found == sorted(page.url for file in files for page in demo_pages()[file::3]), paths

    @pytest.mark.parametrize("form", ["/{}/none.warc.gz", "file:///{}/none.warc.gz"])
    def test_a_missing_file_fails_the_job(self, spark: SparkSession, tmp_path: Path, form: str) -> None:
        path = form.format(str(tmp_path).strip("/"))
        with pytest.raises(PySparkException, match="(?s)InputNotFoundError.*none.warc.gz|none.warc.gz.*InputNotFound"):
            read_warc(spark, [path]).collect()

    def test_patterns_and_lists_that_match_nothing(self, spark: SparkSession, tmp_path: Path) -> None:
        (tmp_path / "empty.paths").write_text("\n")
        for paths in [f"{tmp_path}/*.warc.gz", f"file://{tmp_path}/*.warc.gz", [], str(tmp_path / "empty.paths")]:
            with pytest.raises(unframe.InputNotFoundError, match="no file that matches"):
                read_warc(spark, paths)
        for path in (f"{tmp_path}/none.paths.gz", f"file://{tmp_path}/none.paths"):
            with pytest.raises(unframe.InputNotFoundError, match=r"none.paths(.gz)?: no such file"):
                read_warc(spark, path)
        with pytest.raises(unframe.ArgumentError, match="site_from must be 'host' or 'domain', not 'folder'"):
            read_warc(spark, str(tmp_path), site_from="folder")  # type: ignore[arg-type]
        with pytest.raises(unframe.ArgumentError, match="nowhere://a"):
            read_warc(spark, "nowhere://a/b.warc.gz")

    def test_damaged_archives_lose_only_what_is_damaged(self, spark: SparkSession, tmp_path: Path) -> None:
        write_warc(tmp_path / "whole.warc.gz", demo_pages())
        whole = (tmp_path / "whole.warc.gz").read_bytes()
        places = [at for at in range(len(whole)) if whole.startswith(b"\x1f\x8b\x08", at)]
        (tmp_path / "cut.warc.gz").write_bytes(whole[: places[20] - 200])
        torn = bytearray(whole)
        torn[places[5] + 30 : places[5] + 90] = bytes(60)
        (tmp_path / "torn.warc.gz").write_bytes(torn)
        urls = [page.url for page in demo_pages()]
        for name, lost in [("cut", urls[19:]), ("torn", urls[5:6])]:
            found = read_warc(spark, str(tmp_path / f"{name}.warc.gz")).select("url", "damage").collect()
            # A page that is cut off may be there, but says so.
            intact = {row.url for row in found if not row.damage}
            assert intact == set(urls) - set(lost), name

    def test_sites_of_domains(self, spark: SparkSession, tmp_path: Path) -> None:
        write_warc(tmp_path / "a.warc.gz", [ServedPage("https://www.a.com/1", b"<p>A page.")])
        pages = read_warc(spark, str(tmp_path / "a.warc.gz"), site_from="domain")
        assert [row.site for row in pages.collect()] == ["a.com"]


def marked(frame: DataFrame, folder: Path) -> DataFrame:
    """The same rows. Each time that a partition is computed, a file says so."""

    def mark(given: Iterator[Any]) -> Iterator[Any]:
        for batch in given:
            for row in range(batch.num_rows):
                (folder / uuid.uuid4().hex).touch()
            yield batch

    return frame.mapInArrow(mark, frame.schema)


class TestOnce:
    """Pages may be expensive to compute, and not the same the next time."""

    @pytest.mark.parametrize("adaptive", ["true", "false"])
    @pytest.mark.parametrize("change", ["none", "distinct", "join"])
    def test_pages_are_computed_once(self, spark: SparkSession, tmp_path: Path, change: str, adaptive: str) -> None:
        given = [*made_up(30), *made_up(3, "b.example"), ("no host", "<p>Alone.")]
        frame = spark.createDataFrame(given, "url string, html string")
        if change == "distinct":
            frame = frame.dropDuplicates(["url"])
        if change == "join":
            frame = frame.join(spark.createDataFrame([(url, 1) for url, _ in given], "url string, more int"), "url")
        with configured(spark, {"spark.sql.adaptive.enabled": adaptive}):
            rows = clean(marked(frame, tmp_path), most_pages=5).collect()
        assert sorted(row.url for row in rows) == sorted(url for url, _ in given)
        assert len(list(tmp_path.iterdir())) == len(given)


def test_names_of_columns(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [(url, html, "7", number) for number, (url, html) in enumerate(made_up(4))],
        "`the.url` string, `a ``page``` string, `TITLE` string, `n.o` int",
    )
    for states in (None, learn(frame, url="the.url", html="a `page`")):
        texts = clean(frame, url="the.url", html="a `page`", states=states)
        assert texts.columns[:3] == ["the.url", "n.o", "title"]
        rows = {row["the.url"]: row for row in texts.collect()}
        assert [rows[url]["n.o"] for url, _ in made_up(4)] == [0, 1, 2, 3]
        assert all(row.text for row in rows.values())


def test_a_site_may_have_several_states(spark: SparkSession) -> None:
    """As if folders of states had been put together."""
    frame = spark.createDataFrame(made_up(20), "url string, html string")
    halves = [learn(spark.createDataFrame(half, frame.schema)) for half in (made_up(20)[:10], made_up(20)[10:])]
    nothing = spark.createDataFrame([("a.example", None, 7)], "site string, state binary, pages bigint")
    states = halves[0].union(halves[1]).union(nothing).persist()
    for most_pages in (4, 100):
        rows = clean(frame, states=states, fields=["state_pages"], most_pages=most_pages).collect()
        assert [row.state_pages for row in rows] == [20] * 20
    states.unpersist()
