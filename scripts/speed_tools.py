"""The tools that `speed.py` measures. Each gets sites and a folder for texts, and returns the pages it did."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "target" / "speed-venv"
# justext, which trafilatura needs, imports lxml_html_clean without asking for it.
PACKAGES = ["resiliparse", "trafilatura", "lxml_html_clean"]
RUST = ROOT / "scripts" / "speed-rust"
RUST_TARGET = ROOT / "target" / "speed-rust"


def enter_virtualenv():
    """Re-run the script inside of VENV, after making it and installing what is missing."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        return
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    probe = "import lxml_html_clean, resiliparse, trafilatura"
    if subprocess.run([python, "-c", probe], stderr=subprocess.DEVNULL).returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    # Every tool gets one thread, so that the numbers are per core.
    os.environ["OMP_NUM_THREADS"] = "1"
    os.execv(python, [str(python), *sys.argv])


def rust_program():
    """Build the program in `speed-rust`. Returns its path, and whether it has the library resiliparse.

    The library needs lexbor and libclang, which not every machine has. The Python package of the same
    version is the same code, so without them only the cost of its calls from Python remains unknown.
    """
    command = ["cargo", "build", "--quiet", "--release", "--manifest-path", str(RUST / "Cargo.toml")]
    command += ["--target-dir", str(RUST_TARGET)]
    with_library = [*command, "--features", "resiliparse"]
    has_library = not subprocess.run(with_library, stderr=subprocess.DEVNULL).returncode
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


def resiliparse_text(page):
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse(bytes_to_str(page, detect_encoding(page)))
    return extract_plain_text(tree, main_content=True)


def trafilatura_text(page):
    import trafilatura

    return trafilatura.extract(page, include_comments=False) or ""
