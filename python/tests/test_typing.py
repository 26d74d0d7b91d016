"""The types: the package and its uses pass mypy and pyright, and the stubs match the module."""

import os
import shutil
import sys
from pathlib import Path

import pytest
import unframe

from conftest import ended

EXAMPLES = Path(__file__).with_name("typing_examples.py")
PACKAGE = Path(unframe.__file__).parent


def check(*arguments: str | Path, folder: Path) -> None:
    """Runs a type checker, which must find nothing."""
    environment = {**os.environ, "MYPY_CACHE_DIR": str(folder.parent / "mypy-cache"), "NO_COLOR": "1"}
    done = ended([sys.executable, "-m", *arguments], cwd=folder, env=environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the package and the examples. Where it is installed, type checkers would pass over mistakes."""
    folder = tmp_path_factory.mktemp("typing") / "sources"
    shutil.copytree(PACKAGE, folder / "unframe", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    shutil.copy(EXAMPLES, folder)
    return folder


def test_mypy(folder: Path) -> None:
    check("mypy", "--strict", "--no-warn-unused-configs", "unframe", EXAMPLES.name, folder=folder)


def test_the_stubs_match_the_module(folder: Path) -> None:
    # Names and arguments are compared. What pandas and others are would take most of the time.
    settings = folder.parent / "stubtest.ini"
    settings.write_text("[mypy]\nfollow_imports = skip\n")
    # The other modules have no stubs; mypy checks their code.
    check("mypy.stubtest", "unframe._native", "--mypy-config-file", settings, folder=folder.parent)


def test_pyright(folder: Path) -> None:
    """Also that the oldest Python knows the types that are used. It downloads itself, and needs Node.js."""
    (folder / "pyrightconfig.json").write_text('{"pythonVersion": "3.10"}')
    check(
        "pyright",
        "--pythonpath",
        sys.executable,
        EXAMPLES.name,
        "unframe/_native.pyi",
        "unframe/__init__.py",
        "unframe/parts",
        "unframe/spark",
        folder=folder,
    )
