"""The notebook runs from its first cell to its last, and shows what it says."""

from __future__ import annotations

import os
from html import unescape
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
import unframe

from conftest import HANG

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "unframe.ipynb"


@pytest.fixture(scope="module")
def cells() -> dict[str, Any]:
    """The cells of the executed notebook, by their ids."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = str(NOTEBOOK.parent)
    client = nbclient.NotebookClient(
        notebook,
        timeout=HANG,
        startup_timeout=HANG,
        kernel_name="python3",
        resources={"metadata": {"path": folder}},
    )
    # The kernel takes the unframe that is tested here.
    package = str(Path(unframe.__file__).parents[1])
    path = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    client.execute(env=os.environ | {"PYTHONPATH": path})
    return {cell["id"]: cell for cell in notebook.cells}


def output(cells: dict[str, Any], name: str, kind: str = "text/plain") -> str:
    """What a cell has printed or shown."""
    shown = []
    for part in cells[name]["outputs"]:
        assert part["output_type"] != "error"
        assert part.get("name") != "stderr", part["text"]
        shown.append(part["text"] if part["output_type"] == "stream" else part["data"][kind])
    return "".join(shown)


def test_file_is_valid_and_has_no_outputs() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert (cell.execution_count, cell.outputs) == (None, []), cell.id


def test_site_is_learned(cells: dict[str, Any]) -> None:
    assert output(cells, "load") == "<unframe.Site of 9 pages>"


def test_page_before_and_after(cells: dict[str, Any]) -> None:
    before, after = output(cells, "show", "text/html").split("</iframe>")
    assert '<iframe sandbox srcdoc="' in before
    assert "The shop cat is called Bosun" in before
    assert "The shop cat is called Bosun" not in after
    for part in [unescape(before), after]:
        # The charset was found out: the page says iso-8859-1, but is windows-1252.
        assert "“about so big”" in unescape(part)
    assert "## Lamps &amp; lanterns" in after


def test_single_page_keeps_more(cells: dict[str, Any]) -> None:
    lines = output(cells, "extract").splitlines()
    assert "The shop cat is called Bosun and is not for sale, whatever he tells you." in lines
    assert not any("bronze" in line for line in lines)


def test_reasons(cells: dict[str, Any]) -> None:
    table = output(cells, "why-table", "text/html")
    kept = [row for row in table.split("<tr ") if ">kept<" in row]
    removed = [row for row in table.split("<tr ") if ">removed<" in row]
    assert len(kept) == 9
    assert len(removed) == 19
    assert "The Skerrow anchor lamp." in "".join(kept)
    assert any("If it floats" in row and "seen on 8 of 8 other pages" in row for row in removed)

    element = output(cells, "why-element").splitlines()
    assert element[::2][:3] == ["removed  Home", "removed  Ropes & Cordage", "removed  Lamps & Lanterns"]
    assert "seen on 7 of 8 other pages" in element[1]

    assert "position relative to the main content" in output(cells, "why-evidence")


def test_overlay_is_shown_inline(cells: dict[str, Any]) -> None:
    assert output(cells, "overlay-inline") == "<unframe.Explanation of 28 regions>"
    overlay = output(cells, "overlay-inline", "text/html")
    assert overlay.startswith("<iframe sandbox=")
    assert "allow-same-origin" not in overlay.partition(">")[0]
    assert "The Skerrow anchor lamp." in overlay


def test_confidence_and_flags(cells: dict[str, Any]) -> None:
    table = output(cells, "confidence-table")
    assert "near-duplicate" in table
    assert "nychta.html" in table
    first, second, _ = output(cells, "few-pages-code").splitlines()
    assert first.endswith("['few-pages']")
    assert second.endswith("[]")


def test_table(cells: dict[str, Any]) -> None:
    table = output(cells, "clean-table", "text/html")
    assert table.count("<tr") == 10
    assert "Lamps &amp; Lanterns" in table
