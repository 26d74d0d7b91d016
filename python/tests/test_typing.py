"""The types: the package and its uses pass mypy and pyright, and the stubs match the module."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import unframe

EXAMPLES = Path(__file__).with_name("typing_examples.py")
PACKAGE = Path(unframe.__file__).parent

# What the stubs have and the module does not.
def check(*arguments: str | Path, folder: Path) -> None:
    """Runs a type checker, which must find nothing."""
    environment = {**os.environ, "MYPY_CACHE_DIR": str(folder.parent / "mypy-cache"), "NO_COLOR": "1"}
    command = [sys.executable, "-m", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder, env=environment)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the package and the examples. Where it is installed, type checkers would pass over mistakes."""
    folder = tmp_path_factory.mktemp("typing") / "sources"
    shutil.copytree(PACKAGE, folder / "unframe", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    # Integrations are checked only if what they integrate with is installed.
    for module, needs in [("scrapy.py", "scrapy"), ("datatrove.py", "datatrove"), ("spark", "pyspark")]:
        if importlib.util.find_spec(needs) is None:
            path = folder / "unframe" / module
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    shutil.copy(EXAMPLES, folder)
    return folder


def test_mypy(folder: Path) -> None:
    pytest.importorskip("mypy")
    check("mypy", "--strict", "--no-warn-unused-configs", "unframe", EXAMPLES.name, folder=folder)


def test_the_stubs_match_the_module(folder: Path) -> None:
    pytest.importorskip("mypy")
    # The other modules have no stubs; mypy checks their code.
    check("mypy.stubtest", "unframe._native", folder=folder.parent)


def test_pyright(folder: Path) -> None:
    pytest.importorskip("pyright")
    # It downloads itself at its first use, and needs Node.js.
    version = subprocess.run(
        [sys.executable, "-m", "pyright", "--version"], capture_output=True, text=True, timeout=300
    )
    if version.returncode != 0:
        pytest.skip(f"pyright cannot run here: {(version.stderr or version.stdout).strip()[-200:]}")
    (folder / "pyrightconfig.json").write_text('{"pythonVersion": "3.10"}')
    check(
        "pyright",
        "--pythonpath",
        sys.executable,
        EXAMPLES.name,
        "unframe/_native.pyi",
        "unframe/__init__.py",
        "unframe/parts",
        *(["unframe/spark"] if (folder / "unframe/spark").exists() else []),
        folder=folder,
    )


def test_every_python_has_the_types(folder: Path) -> None:
    """The oldest version that the package supports knows all that the stubs use."""
    pytest.importorskip("mypy")
    check("mypy", "--strict", "--python-version", "3.10", "unframe/_native.pyi", folder=folder)


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").exists()
    assert (PACKAGE / "_native.pyi").exists()
