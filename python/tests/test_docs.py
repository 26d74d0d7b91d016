"""Runs the code of docs/python.md, section by section, in a folder that has the demo sites.

A ``text`` block after a ``python`` block is what it prints, where ``…`` stands for anything. Comments before a block
say more: ``<!-- file: spider.py -->`` writes the block to a file instead of running it, and ``<!-- run -->`` runs a
``sh`` block.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import re
import sysconfig
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import unframe

from conftest import ended

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "python.md"

BLOCK = re.compile(
    r"((?:^<!-- [^\n]+ -->\n)*)^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL
)


@dataclass
class Block:
    """A block of code, and what it should print."""

    language: str
    code: str
    line: int
    marks: dict[str, str] = field(default_factory=dict)
    prints: str | None = None


def sections(path: Path = GUIDE) -> Iterator[tuple[str, list[Block]]]:
    """The sections that have code to run."""
    guide = path.read_text(encoding="utf-8")
    starts = [match.start() for match in re.finditer(r"^## ", guide, re.MULTILINE)]
    for start, end in zip(starts, [*starts[1:], len(guide)]):
        blocks = []
        for match in BLOCK.finditer(guide, start, end):
            comments, language, code, prints = match.groups()
            marks = dict(re.findall(r"<!-- (\w+):? ?(.*?) -->", comments))
            line = guide.count("\n", 0, match.start(3)) + 1
            if language == "python" or "run" in marks:
                blocks.append(Block(language, code, line, marks, prints))
        if blocks:
            yield guide[start:].partition("\n")[0].removeprefix("## "), blocks


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder with the demo sites, in which the code runs."""
    (tmp_path / "demo").symlink_to(ROOT / "demo")
    monkeypatch.chdir(tmp_path)
    logger = logging.getLogger("unframe")
    level = logger.level
    yield tmp_path
    logger.setLevel(level)


@pytest.mark.parametrize("section", list(sections()), ids=lambda section: section[0])
def test_section(section: tuple[str, list[Block]], folder: Path) -> None:
    _, blocks = section
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks:
        if block.language == "sh":
            run_command(block.code, folder)
        elif "file" in block.marks:
            (folder / block.marks["file"]).write_text(block.code, encoding="utf-8")
        else:
            run_python(block, names)


def run_python(block: Block, names: dict[str, Any], guide: Path = GUIDE) -> None:
    """Runs a block, with the names of those before it. Tracebacks have the lines of the guide."""
    code = compile("\n" * (block.line - 1) + block.code, str(guide), "exec")
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, names)
    except Exception:
        # pytest would show the whole guide.
        pytest.fail(traceback.format_exc(), pytrace=False)
    if block.prints is not None:
        assert matches(block.prints, printed.getvalue()), f"line {block.line} prints:\n{printed.getvalue()}"


def run_command(command: str, folder: Path) -> None:
    package = str(Path(unframe.__file__).parents[1])
    environment = os.environ | {
        "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")])),
    }
    done = ended(["sh", "-c", command], cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr


def matches(expected: str, printed: str) -> bool:
    pattern = ".*".join(re.escape(part.strip()) for part in expected.split("…"))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


GUIDES = sorted(GUIDE.parent.glob("*.md"))


@pytest.mark.parametrize("path", [GUIDE, GUIDE.with_name("spark.md")], ids=lambda path: path.name)
def test_no_block_is_overlooked(path: Path) -> None:
    fences = path.read_text(encoding="utf-8").count("```python\n")
    assert fences == sum(block.language == "python" for _, blocks in sections(path) for block in blocks)


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    guide = path.read_text(encoding="utf-8")
    titles = re.findall(r"^## (.+)$", guide, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    for target in re.findall(r"\]\(([^)]+)\)", guide):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif not target.startswith("https://"):
            assert (path.parent / target).exists(), target
