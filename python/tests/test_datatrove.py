"""Real datatrove jobs on the pages of the demo sites, and of real ones with UNFRAME_CORPORA."""

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import dill
import pytest
import unframe
from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers import JsonlWriter
from unframe.datatrove import LearnSites, UnframeExtractor, UnframeReader

from conftest import ServedPage, command_line, demo_pages, write_warc


def text_of(page: ServedPage) -> str:
    """The page as text, as a reader of unframe decodes it."""
    return unframe.Site(method="text").clean(page.body, page.url, learn=False).html


def write_jsonl(folder: Path, pages: list[ServedPage], *, files: int = 1) -> None:
    """Pages as JSON lines, dealt out to files, so that the pages of each site are in all of them."""
    folder.mkdir()
    for file in range(files):
        lines = [
            json.dumps({"url": page.url, "html": text_of(page), "id": f"page {number}", "number": number})
            for number, page in enumerate(pages)
            if number % files == file
        ]
        (folder / f"{file}.jsonl").write_text("".join(line + "\n" for line in lines))


def run(folder: Path, *steps: PipelineStep, tasks: int = 1, workers: int = 1) -> dict[str, Any]:
    """Runs a job, and returns the stats of its steps by their names."""
    logs = folder / f"logs-{len(list(folder.glob('logs-*')))}"
    LocalPipelineExecutor([*steps], tasks=tasks, workers=workers, logging_dir=str(logs)).run()
    stats = json.loads((logs / "stats.json").read_text())
    return {step["name"]: step["stats"] for step in stats}


def written(folder: Path) -> dict[str, dict[str, Any]]:
    """The documents that a job has written, by their URLs."""
    docs = {}
    for path in sorted(folder.glob("*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).splitlines():
            doc = json.loads(line)
            docs[doc["metadata"]["url"]] = doc
    return docs


def wanted(*arguments: str | Path, field: str = "text") -> dict[str, str]:
    """The texts that the command line writes, by their URLs. Pages of which nothing is kept have none."""
    lines = command_line("clean", *arguments, "--format", "jsonl", "--fields", f"url,{field}").splitlines()
    records = [json.loads(line) for line in lines]
    return {record["url"]: record[field] for record in records if record[field]}


def texts(docs: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {url: doc["text"] for url, doc in docs.items()}


def reader(folder: Path) -> JsonlReader:
    return JsonlReader(str(folder), text_key="html")


@pytest.mark.parametrize("output_format", ["text", "markdown"])
def test_one_task_gives_the_texts_of_the_command_line(tmp_path: Path, output_format: Any) -> None:
    pages = demo_pages()
    write_jsonl(tmp_path / "pages", pages)
    extractor = UnframeExtractor(output_format=output_format, fields=["title", "confidence"])
    stats = run(tmp_path, reader(tmp_path / "pages"), extractor, JsonlWriter(str(tmp_path / "out")))
    docs = written(tmp_path / "out")
    assert texts(docs) == wanted(tmp_path / "pages", field=output_format)
    assert len(docs) == len(pages)
    # In their order, with what they had and what was asked for.
    assert [doc["id"] for doc in docs.values()] == [f"page {number}" for number in range(len(pages))]
    assert [doc["metadata"]["number"] for doc in docs.values()] == list(range(len(pages)))
    first = docs[pages[0].url]["metadata"]
    assert first["title"] and 0 < first["confidence"] <= 1
    counted = stats["🛢 - EXTRAC: 🖼 unframe"]
    assert counted["total"] == counted["forwarded"] == len(pages)


def test_settings(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "pages", demo_pages())
    extractor = UnframeExtractor(
        output_format="markdown", include_links=False, body_only=True, favor_recall=True, protect=["footer"], jobs=2
    )
    run(tmp_path, reader(tmp_path / "pages"), extractor, JsonlWriter(str(tmp_path / "out")))
    flags = ["--body-only", "--md-links", "no", "--favor", "recall", "--protect", "footer"]
    assert texts(written(tmp_path / "out")) == wanted(tmp_path / "pages", *flags, field="markdown")


@pytest.mark.parametrize("workers", [1, 3])
def test_two_stages_give_the_same_texts(tmp_path: Path, workers: int) -> None:
    two_stages(tmp_path, demo_pages(), workers)


def test_pages_of_real_sites(real_pages: list[ServedPage], tmp_path: Path) -> None:
    two_stages(tmp_path, real_pages, 2)
    run(tmp_path, reader(tmp_path / "pages"), UnframeExtractor(), JsonlWriter(str(tmp_path / "once")))
    assert texts(written(tmp_path / "once")) == wanted(tmp_path / "pages")


def two_stages(tmp_path: Path, pages: list[ServedPage], workers: int) -> None:
    write_jsonl(tmp_path / "pages", pages, files=3)
    learn = LearnSites(str(tmp_path / "sites"))
    stats = run(tmp_path, reader(tmp_path / "pages"), learn, tasks=3, workers=workers)
    assert stats["🛢 - EXTRAC: 🖼 unframe: learn sites"]["learned"] == len(pages)
    extractor = UnframeExtractor(sites=str(tmp_path / "sites"))
    writer = JsonlWriter(str(tmp_path / "out"))
    run(tmp_path, reader(tmp_path / "pages"), extractor, writer, tasks=3, workers=workers)
    assert texts(written(tmp_path / "out")) == wanted(tmp_path / "pages")
    assert len(list((tmp_path / "out").iterdir())) == 3


def test_a_remote_folder(tmp_path: Path) -> None:
    docs = [Document(text_of(page), page.url, metadata={"url": page.url}) for page in demo_pages()]
    for rank in range(2):
        assert list(LearnSites("memory://unframe-test/sites").run(docs[rank::2], rank, 2)) == docs[rank::2]
    whole = {doc.id: doc.text for doc in UnframeExtractor().run(copies(docs))}
    extractor = UnframeExtractor(sites="memory://unframe-test/sites")
    assert {doc.id: doc.text for doc in extractor.run(copies(docs))} == whole


def copies(docs: list[Document]) -> list[Document]:
    return pickle.loads(pickle.dumps(docs))


def test_warc_files(tmp_path: Path) -> None:
    pages = demo_pages()
    (tmp_path / "crawl").mkdir()
    write_warc(tmp_path / "crawl/pages.warc.gz", pages)
    run(tmp_path, UnframeReader(str(tmp_path / "crawl")), UnframeExtractor(), JsonlWriter(str(tmp_path / "out")))
    docs = written(tmp_path / "out")
    # Every charset is right, as the command line has it.
    assert texts(docs) == wanted(tmp_path / "crawl")
    first = docs[pages[0].url]
    assert first["id"] == f"<urn:uuid:{0:032x}>"
    assert first["metadata"]["date"] == "2026-01-01T00:00:00Z"
    assert first["metadata"]["file_path"] == str(tmp_path / "crawl/pages.warc.gz")


def test_a_remote_warc_file(tmp_path: Path) -> None:
    pages = demo_pages()
    write_warc(tmp_path / "pages.warc.gz", pages)
    remote = UnframeReader("memory://unframe-test/crawl")
    remote.data_folder.makedirs("")
    remote.data_folder.pipe_file("pages.warc.gz", (tmp_path / "pages.warc.gz").read_bytes())
    assert [doc.metadata["url"] for doc in remote.run()] == [page.url for page in pages]


def test_the_warc_reader_of_datatrove(tmp_path: Path) -> None:
    # The others are in charsets that this reader has to guess.
    pages = [page for page in demo_pages() if is_utf8(page.body)]
    (tmp_path / "crawl").mkdir()
    write_warc(tmp_path / "crawl/pages.warc.gz", pages)
    run(tmp_path, WarcReader(str(tmp_path / "crawl")), UnframeExtractor(), JsonlWriter(str(tmp_path / "out")))
    docs = written(tmp_path / "out")
    assert len(docs) == len(pages) > 15
    assert texts(docs) == wanted(tmp_path / "crawl")


def is_utf8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("is_learned", [False, True])
def test_dropped_documents(tmp_path: Path, is_learned: bool) -> None:
    docs = [
        Document(f"<nav>Home</nav><p>Story {number}.", str(number), metadata={"url": f"https://a.example/{number}"})
        for number in range(9)
    ]
    docs[0].metadata = {"link": "https://a.example/0"}
    docs[3].text = "<script>nothing to read</script>"
    docs[8].metadata["url"] = None
    sites = str(tmp_path / "sites") if is_learned else None
    if sites:
        list(LearnSites(sites).run(copies(docs)))
    extractor = UnframeExtractor(sites=sites, exclusion_writer=JsonlWriter(str(tmp_path / "dropped")))
    kept = list(extractor.run(copies(docs)))
    assert [doc.id for doc in kept] == ["1", "2", "4", "5", "6", "7"]
    assert kept[0].text == "Story 1.\n"
    stats = {name: value.total for name, value in extractor.stats.stats.items()}
    assert (stats["total"], stats["forwarded"], stats["dropped"]) == (9, 6, 3)
    assert (stats["dropped_no_url"], stats["dropped_empty"]) == (2, 1)
    [path] = (tmp_path / "dropped").iterdir()
    dropped = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert [(doc["id"], doc["metadata"]["filter_reason"]) for doc in dropped] == [
        ("0", "no_url"), ("3", "empty"), ("8", "no_url"),
    ]  # fmt: skip
    assert dropped[1]["text"] == docs[3].text


@pytest.mark.parametrize("is_learned", [False, True])
def test_lone_surrogates(tmp_path: Path, is_learned: bool) -> None:
    docs = [
        Document("<p>A page without an address.", "1", metadata={"url": "https://\ud800/"}),
        Document("<p>A lone surrogate: \ud800.", "2", metadata={"url": "https://a.example/", "note": "\ud800"}),
    ]
    if is_learned:
        list(LearnSites(str(tmp_path)).run(copies(docs)))
    kept = list(UnframeExtractor(sites=str(tmp_path) if is_learned else None).run(docs))
    assert [(doc.id, doc.text) for doc in kept] == [("2", "A lone surrogate: ?.\n")]


def test_no_documents(tmp_path: Path) -> None:
    assert list(UnframeExtractor().run([])) == []
    assert list(UnframeExtractor().run(None)) == []
    list(LearnSites(str(tmp_path)).run([]))
    assert list(UnframeExtractor(sites=str(tmp_path)).run([])) == []


def test_an_error_of_the_reader_is_raised() -> None:
    def docs() -> Any:
        yield Document("<p>A page.", "1", metadata={"url": "https://a.example/"})
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(UnframeExtractor().run(docs()))


def test_tasks_that_have_not_learned(tmp_path: Path) -> None:
    sites = tmp_path / "sites"
    extractor = UnframeExtractor(sites=str(sites))
    with pytest.raises(unframe.StateNotFoundError, match="the tasks 0 of LearnSites"):
        list(extractor.run([]))
    for rank in (0, 2):
        list(LearnSites(str(sites)).run([], rank, 4))
    with pytest.raises(unframe.StateNotFoundError, match="the tasks 1, 3 of LearnSites"):
        list(extractor.run([]))
    for rank in (1, 3):
        list(LearnSites(str(sites)).run([], rank, 4))
    assert list(extractor.run([])) == []
    (sites / "00002-of-00004.zip").write_bytes(b"PK")
    with pytest.raises(unframe.StateDamagedError, match="00002-of-00004.zip.*run this task of LearnSites again"):
        list(extractor.run([]))
    list(LearnSites(str(sites)).run([], 0, 2))
    with pytest.raises(unframe.StateError, match="jobs with 2 and 4 tasks; empty it"):
        list(extractor.run([]))


def test_sites_that_were_not_learned(tmp_path: Path) -> None:
    list(LearnSites(str(tmp_path)).run([]))
    extractor = UnframeExtractor(sites=str(tmp_path))
    doc = Document("<p>A page of an unknown site.", "1", metadata={"url": "https://a.example/"})
    assert [doc.text for doc in extractor.run([doc])] == ["A page of an unknown site.\n"]
    assert extractor.stats["sites_not_learned"].total == 1


@pytest.mark.parametrize("by", [pickle, dill])
def test_steps_can_be_pickled(tmp_path: Path, by: Any) -> None:
    steps = [
        LearnSites(str(tmp_path / "sites"), site_from="domain"),
        UnframeExtractor(sites=str(tmp_path / "sites"), output_format="markdown", protect=["nav"]),
        UnframeReader(str(tmp_path)),
    ]
    for step in steps:
        again = by.loads(by.dumps(step))
        assert again.__dict__.keys() == step.__dict__.keys()
        assert repr(again) == repr(step)
    learn, extractor, _ = by.loads(by.dumps(steps))
    docs = [Document("<nav>Home</nav><p>A story.", "1", metadata={"url": "https://a.example/"})]
    list(learn.run(copies(docs)))
    assert [doc.text for doc in extractor.run(docs)] == ["Home\n\nA story.\n"]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"output_format": "xml"}, unframe.ArgumentError, "output_format must be"),
        ({"fields": ["titel"]}, unframe.ArgumentError, "there is no field `titel`"),
        ({"favour": 1}, TypeError, "unexpected keyword argument 'favour'"),
        ({"protect": ["a:hover"]}, unframe.SelectorError, "protect"),
    ],
)
def test_wrong_settings(settings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        UnframeExtractor(**settings)
