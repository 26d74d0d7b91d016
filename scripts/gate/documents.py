"""Runs the commands that the documents name, in a folder that has what they read.

    python3 scripts/gate/documents.py PROGRAMS     the folder with `unframe` and `unframe-lab`

Commands of `sh` blocks, of indented blocks and of inline code are tried: `unframe …` and `unframe-lab …` are run,
`curl …` is sent to a service on this machine, and of `scripts/…` it is checked that the script is there, knows the
options, and is run by a check of `scripts/test`. All others are named in `ELSEWHERE`, with the check that runs them.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from gate.plan import CHECKS  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ["*.md", "cases/*.md", "demo/*.md", "docs/**/*.md", "npm/*.md"]
# A history names what was; these commands are not for today's readers.
HISTORY = ["CHANGELOG.md"]

BLOCK = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?:^|\n)\n((?: {4}\S[^\n]*\n)+)")
INLINE = re.compile(r"`((?:[A-Z_]+=\S+ )?(?:scripts/|unframe |unframe-lab |cargo |pip |npm |node |pytest |maturin )[^`]*)`")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
PROGRAMS = ("unframe", "unframe-lab", "curl", "scripts/", "cargo", "pip", "npm", "node", "pytest", "maturin", "scrapy",
            "spark-submit", "python", "target/venv/")  # fmt: skip

# Commands that are not run here: where they are, by the beginning of the command.
ELSEWHERE = {
    "unframe serve": "rust tests",
    "unframe mcp": "rust tests",
    "unframe template https://": "rust tests",
    "cargo install --profile dist": "build",
    "cargo build": "build",
    "cargo bench": "benchmarks of the crates",
    "cargo doc": "documentation",
    "cargo fmt": "format",
    "cargo clippy": "lints",
    "cargo test": "rust tests",
    "UNFRAME_UPDATE=1 cargo test": "rust tests",
    "pip install": "wheel",
    "maturin build": "wheel",
    "pytest": "python tests",
    "target/venv/bin/": "python tests",
    "scrapy runspider": "python tests",
    "spark-submit": "spark tests",
    "npm install": "npm tests",
    "npm pack": "npm tests",
    "npm run": "engine",
    "npm --prefix": "engine",
    "node npm/bench/speed.js": "speed of the engine",
    "node --test": "npm tests",
    "node extension/tests": "extension",
}
# Too long for every run: each compiles all of it once more, optimised.
RELEASES = {"scripts/dist", "scripts/wheel"}


def is_apart(line):
    """Whether a line of a block is not run here."""
    return line.startswith(("scripts/", *ELSEWHERE))


def commands_of(text):
    """What a document tells the reader to type: the blocks, less the lines that are not run here, and these lines."""
    plain = FENCED.sub("", text)
    indented = [re.sub(r"^ {4}", "", block, flags=re.MULTILINE) for block in INDENTED.findall(plain)]
    for block in BLOCK.findall(text) + [block for block in indented if block.startswith(PROGRAMS)]:
        lines = [without_comment(line) for line in re.sub(r" *\\\n\s*", " ", block).splitlines()]
        yield from filter(is_apart, lines)
        yield "\n".join(line for line in lines if line and not is_apart(line))
    # Inline code may leave out what a command needs; scripts and the commands of other tools are looked at.
    for command in INLINE.findall(plain):
        if not command.startswith(("unframe ", "unframe-lab ")):
            yield re.sub(r"\s+", " ", command)


def without_comment(line):
    return re.sub(r"\s+#\s.*$", "", line.removeprefix("$ ")).rstrip()


def make_inputs(folder, unframe):
    """What the commands of the documents read."""
    demo = ROOT / "demo"
    for name, site in [("site", "harbour-shop"), ("news", "fieldnotes"), ("new", "harbour-shop")]:
        shutil.copytree(demo / site / "pages", folder / name)
    shutil.copytree(demo, folder / "demo")
    shutil.copytree(demo, folder / "corpora" / "demo")
    lamps = (demo / "harbour-shop/pages/lamps.html").read_text(errors="replace")
    for name in ["page.html", "1.html"]:
        (folder / name).write_text(lamps)
    pages = sorted((demo / "harbour-shop/pages").glob("*.html"))
    lines = [{"url": f"https://shop.example/{page.name}", "html": page.read_text(errors="replace")} for page in pages]
    (folder / "pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for name in ["crawl", "tue", "new-pages"]:
        subprocess.run([unframe, "clean", folder / "pages.jsonl", "-q", "--format", "warc", "-o", folder / f"{name}.warc.gz"], check=True)
    for state in ["news", "shop", "shop.example"]:
        subprocess.run([unframe, "clean", folder / "pages.jsonl", "-q", "--state", folder / f"{state}.unframe", "-o", folder / "x"], check=True)
        shutil.rmtree(folder / "x")
    # An answer other than 200 is a failure.
    (folder / ".curlrc").write_text("fail\nsilent\nshow-error\n")


class Service:
    """The service that the commands with `curl` talk to."""

    def __init__(self, folder, unframe):
        command = [unframe, "serve", "--state", folder / "service.unframe", "--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        found = re.search(r"http://([\d.]+:\d+)", self.process.stderr.readline())
        if not found:
            sys.exit(f"documents: the service does not start: {self.process.communicate()[1]}")
        self.address = found[1]

    def stop(self):
        self.process.terminate()
        self.process.communicate()


def run(command, folder, programs):
    """Runs a command in bash. Returns what is wrong, or nothing."""
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    done = subprocess.run(["bash", "-eo", "pipefail", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    return "" if done.returncode == 0 else f"exit code {done.returncode}: {done.stderr.strip()[-400:]}"


def check_script(words, plan):
    """A script of the project is there, knows the options, and is run by a check."""
    path = ROOT / words[0]
    if not os.access(path, os.X_OK):
        return "there is no such program"
    unknown = [word for word in words[1:] if word.startswith("--") and word.partition("=")[0] not in path.read_text()]
    if unknown:
        return f"it does not know {', '.join(unknown)}"
    if words[0] in RELEASES:
        print(f"not run: {words[0]}")
        return ""
    return "" if words[0] in plan else "no check of scripts/test runs it"


def check_command(command, folder, programs, service, plan):
    """What is wrong with a command or a block of a document, or nothing."""
    if command.startswith("scripts/"):
        return check_script(command.split(), plan)
    for start, check in ELSEWHERE.items():
        if command.startswith(start):
            return "" if check in {check.name for check in CHECKS} else f"`{check}` is not a check of scripts/test"
    if command.startswith(("unframe", "curl", "cd ")):
        return run(command.replace("localhost:8080", service.address).replace("~/", "./"), folder, programs)
    return "name it in ELSEWHERE of scripts/gate/documents.py, with the check that runs it"


def main():
    programs = Path(sys.argv[1]).resolve()
    unframe = programs / "unframe"
    # Scripts run checks, checks run scripts.
    plan = " ".join(check.command for check in CHECKS) + " scripts/test scripts/demo"
    passed, failed, seen = 0, 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        make_inputs(folder, unframe)
        service = Service(folder, unframe)
        try:
            for path in sorted({path for pattern in DOCUMENTS for path in ROOT.glob(pattern)}):
                if path.name in HISTORY:
                    continue
                for command in commands_of(path.read_text()):
                    if not command or command in seen:
                        continue
                    seen.add(command)
                    wrong = check_command(command, folder, programs, service, plan)
                    if wrong:
                        print(f"{path.relative_to(ROOT)}: `{command}`: {wrong}")
                    passed, failed = passed + (not wrong), failed + bool(wrong)
        finally:
            service.stop()
    print(f"documents: {passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
