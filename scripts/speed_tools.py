"""The tools that `speed.py` measures. Each gets sites and a folder for texts, and returns the pages it did."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "target" / "speed-venv"
# For `--python`: the version of resiliparse before 2.0, which is written in C++ and Cython.
PYTHON_VENV = ROOT / "target" / "speed-python-venv"
PYTHON_PACKAGES = ["resiliparse==1.1.0", "trafilatura==2.3.1", "lxml_html_clean==0.4.6", "rs-trafilatura==0.1.1"]
# justext, which trafilatura needs, imports lxml_html_clean without asking for it.
PACKAGES = ["resiliparse==2.0.0", "trafilatura==2.3.1", "lxml_html_clean==0.4.6"]
RUST = ROOT / "scripts" / "speed-rust"
RUST_TARGET = ROOT / "target" / "speed-rust"


def enter_virtualenv(wheel=None):
    """Re-run the script inside of a virtual environment, after making it and installing what is missing.

    With a wheel of unframe, that is the environment of Python packages, and it gets the wheel.
    """
    venv = VENV if wheel is None else PYTHON_VENV
    packages = PACKAGES if wheel is None else PYTHON_PACKAGES
    if Path(sys.prefix).resolve() == venv.resolve():
        return
    python = venv / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    probe = "import lxml_html_clean, resiliparse, trafilatura"
    probe += "" if wheel is None else ", rs_trafilatura"
    if subprocess.run([python, "-c", probe], stderr=subprocess.DEVNULL).returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    if wheel is not None:
        install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", wheel]
        subprocess.run(install, check=True)
    # Every tool gets one thread, so that the numbers are per core.
    os.environ["OMP_NUM_THREADS"] = "1"
    os.execv(python, [str(python), *sys.argv])


def rust_program(wants_library):
    """Build the program in `speed-rust`. Returns its path, and whether it has the library resiliparse.

    The library needs lexbor and libclang, which not every machine has. The Python package of the same
    version is the same code, so without them only the cost of its calls from Python remains unknown.
    """
    command = ["cargo", "build", "--quiet", "--locked", "--release", "--manifest-path", str(RUST / "Cargo.toml")]
    command += ["--target-dir", str(RUST_TARGET)]
    with_library = [*command, "--features", "resiliparse"]
    has_library = wants_library and not subprocess.run(with_library, stderr=subprocess.DEVNULL).returncode
    if not has_library:
        subprocess.run(command, check=True)
    return RUST_TARGET / "release" / "speed-rust", has_library


def unframe_tool(program, method):
    def run(sites, out):
        command = [program, "clean", "--method", method, "--jobs", "1", "-q", "--site-from", "folder"]
        command += ["-o", str(out), "--format", "text", str(sites[0].folder.parent)]
        run_program(command)
        return [path for site in sites for path in site.files]

    return run


def rust_tool(program, name):
    def run(sites, out):
        files = [path for site in sites for path in site.files]
        texts = [out / f"{path.parent.name}-{path.name}.txt" for path in files]
        listed = out.with_name("list")
        listed.write_text("".join(f"{path}\t{text}\n" for path, text in zip(files, texts)))
        run_program([str(program), name, str(listed)])
        return files

    return run


def run_program(command):
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()
        sys.exit(f"speed: exit {done.returncode} from {' '.join(command)}\n{message}")


def python_tool(text_of, sampled=False):
    # The import happens here, before any clock runs.
    text_of(b"<p>a</p>")

    def run(sites, out):
        done = []
        for site in sites:
            folder = out / site.folder.name
            folder.mkdir()
            for path in site.sampled if sampled else site.files:
                text = text_of(path.read_bytes())
                # Half surrogate pairs come out of broken pages and must not end the run.
                (folder / f"{path.name}.txt").write_bytes(text.encode("utf-8", "replace"))
                done.append(path)
        return done

    return run


def python_tools():
    """The Python packages. tool -> what it does with pages in memory, and whether it gets only some of them."""
    import rs_trafilatura
    import unframe

    def one_by_one(text_of):
        return lambda pages: [text_of(page.html) or "" for page in pages]

    def clean_pages(pages):
        given = [(None, page.html, {"site": page.site, "source": page.name}) for page in pages]
        return [page.text for page in unframe.clean_pages(given, jobs=1)]

    return {
        "extract": (one_by_one(unframe.extract), False),
        "clean_pages": (clean_pages, False),
        "resiliparse": (one_by_one(resiliparse_text), False),
        "trafilatura": (one_by_one(trafilatura_text), True),
        "rs-trafilatura": (one_by_one(lambda html: rs_trafilatura.extract_bytes(html).main_content), True),
    }


def resiliparse_text(page):
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse(bytes_to_str(page, detect_encoding(page)))
    return extract_plain_text(tree, main_content=True)


def trafilatura_text(page):
    import trafilatura

    return trafilatura.extract(page, include_comments=False) or ""
