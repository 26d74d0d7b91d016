"""The recipe for Ray Data gives the texts of the command line."""

import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import unframe

from conftest import HANG, ServedPage, demo_pages, write_warc
from made_up_site import pages as made_up
from whole_crawl import of_command_line

pytestmark = pytest.mark.spark

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
FIELDS = ["title", "text", "metadata", "confidence", "template_share", "flags"]


def start(ray: Any, attempts: int = HANG // 30) -> None:
    try:
        ray.init(
            address="local",
            num_cpus=2,
            object_store_memory=200_000_000,
            include_dashboard=False,
            log_to_driver=False,
            _node_ip_address="127.0.0.1",
        )
    except Exception as error:
        # Ray gives up after 30 seconds, which a busy machine may need.
        if attempts == 1 or "timed out during startup" not in str(error):
            raise
        ray.shutdown()
        start(ray, attempts - 1)


@pytest.fixture(scope="module")
def ray_clean(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The example, with two workers that have nothing but the loopback address."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # Otherwise it takes another address of this machine, even if it is told to take this one.
        patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        # Otherwise it writes one into the home folder.
        patch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        # What takes longer on a busy machine is not lost.
        for name in ("gcs_server_request", "worker_register"):
            patch.setenv(f"RAY_{name}_timeout_seconds", str(HANG))
        patch.setenv("RAY_gcs_rpc_server_connect_timeout_s", str(HANG))
        patch.setenv("RAY_health_check_failure_threshold", str(HANG))
        import ray

        package = Path(unframe.__file__).parents[1]
        patch.setenv("PYTHONPATH", os.pathsep.join([str(package), str(EXAMPLES)]))
        patch.syspath_prepend(EXAMPLES)
        try:
            start(ray)
            assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"]
            import ray_clean

            yield ray_clean
        finally:
            ray.shutdown()


def test_the_same_as_the_command_line(ray_clean: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [ServedPage(url, html.encode()) for url, html in [*made_up(40), *made_up(3, "b.example")]]
    pages += [*demo_pages(), ServedPage("https://a.example/picture", b"\x89PNG\r\n\x1a\n\0\0\0\1", "image/png")]
    (tmp_path / "crawl").mkdir()
    files = [tmp_path / "crawl" / f"{number}.warc.gz" for number in range(3)]
    for number, path in enumerate(files):
        write_warc(path, pages[number::3])
    monkeypatch.setattr(sys, "argv", ["ray_clean.py", *map(str, files), "-o", str(tmp_path / "texts")])
    ray_clean.main()
    rows = pq.read_table(tmp_path / "texts").to_pylist(maps_as_pydicts="strict")
    assert len(rows) == len(pages) - 1
    found = {row["url"]: {name: row[name] for name in ["url", *FIELDS]} for row in rows}
    assert found == of_command_line(tmp_path / "crawl", fields=FIELDS)


def test_the_demo(ray_clean: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["ray_clean.py", "-o", str(tmp_path / "texts")])
    ray_clean.main()
    rows = pq.read_table(tmp_path / "texts", columns=["source", "text"]).to_pylist()
    wanted = {page.source: page.text for page in unframe.clean_pages(ray_clean.DEMO, site_from="folder")}
    assert {row["source"]: row["text"] for row in rows} == wanted
    assert len(rows) == len(wanted) == 29
