"""What is installed works: the module, its types, and the command line."""

import json
import sysconfig
from importlib.metadata import files, version
from pathlib import Path

import unframe

from conftest import DEMO, ended

PACKAGE = Path(unframe.__file__).parent
SHOP = DEMO / "harbour-shop" / "pages"


def test_the_package_that_is_tested_is_the_installed_one() -> None:
    installed = [Path(str(file.locate())) for file in files("unframe") or ()]
    assert PACKAGE / "__init__.py" in installed
    assert version("unframe") == unframe.__version__


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "_native.pyi").exists()


def test_one_page() -> None:
    text = unframe.extract((SHOP / "lamps.html").read_bytes())
    assert text is not None and "The Skerrow anchor lamp." in text


def test_the_command_line_gives_the_texts_of_the_module() -> None:
    program = Path(sysconfig.get_path("scripts")) / "unframe"
    done = ended([program, "clean", SHOP, "--format", "jsonl", "--fields", "text"])
    assert done.returncode == 0, done.stderr
    texts = [json.loads(line)["text"] for line in done.stdout.splitlines()]
    assert texts == [page.text for page in unframe.clean_pages(SHOP)]
    assert len(texts) == 9 and not any("whatever he tells you" in text for text in texts)
