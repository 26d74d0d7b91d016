"""Pages and processes for tests with hostile input."""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import unframe

from conftest import ended

HTML = b"<nav>Home, Shop, Contact</nav><p>Green tea is steeped for two minutes, in water that has cooled."
URL = "https://a.example/tea"


def pages(count: int) -> Iterator[tuple[str, str]]:
    for number in range(count):
        yield f"https://a.example/{number}", f"<nav>Home, Shop</nav><p>Story number {number} of the week."


def endless() -> Iterator[tuple[str, str]]:
    yield from pages(1_000_000_000)


def survives(code: str, *arguments: object, **options: Any) -> str:
    """Runs a program in a process of its own, which must end by itself and well. Returns what it prints."""
    program = "import gc, os, signal, sys, time, unframe\n" + textwrap.dedent(code)
    done = ended([sys.executable, "-W", "ignore", "-c", program, *map(str, arguments)], **options)
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def state_pages(path: Path) -> int:
    with unframe.Crawl.open(path) as crawl:
        return sum(crawl.pages(site) for site in crawl.sites)
