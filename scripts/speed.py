#!/usr/bin/env python3
"""Measure `unframe clean` beside resiliparse and trafilatura, in one interleaved run.

What enters: folders of HTML, one per site. What leaves: a table of MB/s and pages/s per tool and
the ratios of unframe to the others, with the range over the rounds.

All tools do the same work, from files on disk to text files on disk, on one thread. unframe is one
whole process over all sites, start-up included; the Python libraries run inside of this process,
and their import is not counted. The tools take turns, in an order that rotates from round to round,
so that a slow moment of the machine hits all of them alike; many short rounds tell more than a few
long ones.

    scripts/speed.py corpora/news-dev/*/pages
    scripts/speed.py --rounds 3 --pages 100 --trafilatura-pages 20 DIR...

The libraries live in a virtual environment of their own under target/speed-venv, which is made
on first use.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / "target" / "speed-venv"
# justext, which trafilatura needs, imports lxml_html_clean without asking for it.
PACKAGES = ["resiliparse", "trafilatura", "lxml_html_clean"]
TOOLS = ["unframe", "resiliparse", "trafilatura"]


def main():
    options = read_options()
    enter_virtualenv()
    # In memory where that can be had: the tools are to be measured, not the disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="unframe-speed-", dir=memory) as scratch:
        scratch = Path(scratch)
        sites = sample_sites(options.folders, options.pages, options.trafilatura_pages, scratch)
        if not sites:
            sys.exit("speed: no HTML files in the given folders")
        tools = {
            "unframe": lambda sites, out: run_unframe(options, sites, out),
            "resiliparse": python_tool(resiliparse_text),
            "trafilatura": python_tool(trafilatura_text, sampled=True),
        }
        print_setting(options, sites)
        rounds = [run_round(tools, sites, turn, scratch) for turn in range(options.rounds)]
    report(rounds)


def read_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--unframe", default=str(ROOT / "target/dist/unframe"), help="the binary to measure"
    )
    parser.add_argument("--method", default="auto", help="the method to measure; default auto")
    parser.add_argument("--rounds", type=int, default=5, help="default 5")
    parser.add_argument(
        "--pages", type=int, default=300, help="pages in all, shared out over the folders; 0: all"
    )
    parser.add_argument(
        "--trafilatura-pages",
        type=int,
        default=0,
        help="time trafilatura on this many of the pages and compare per byte; 0: all",
    )
    parser.add_argument("folders", nargs="+", metavar="DIR", type=Path, help="HTML of one site")
    options = parser.parse_args()
    if shutil.which(options.unframe) is None:
        parser.error(
            f"{options.unframe}: no such program\n"
            "hint: build it with `cargo build --profile dist -p unframe-cli`, or name another one with --unframe"
        )
    for folder in options.folders:
        if not folder.is_dir():
            parser.error(f"{folder}: not a folder")
    if options.rounds < 1:
        parser.error("--rounds: at least one round is needed")
    return options


def enter_virtualenv():
    """Re-run this script inside of VENV, after making it and installing what is missing."""
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
    os.execv(python, [str(python), __file__, *sys.argv[1:]])


@dataclass
class Site:
    """The pages of one folder, copied aside so that every tool sees exactly the same files."""

    folder: Path
    files: list
    sampled: list  # The files that trafilatura is timed on.


def sample_sites(folders, limit, sampled_limit, scratch):
    """Copy up to `limit` pages, the same number from each folder where there are enough.

    The copy keeps unframe from reading pages that the others are not given, and warms the file
    cache for all.
    """
    found = [sorted(path for path in folder.rglob("*") if path.is_file()) for folder in folders]
    shares = share_out(limit, [len(files) for files in found])
    sampled_shares = share_out(sampled_limit, shares)
    sites = []
    for number, (files, share, sampled_share) in enumerate(zip(found, shares, sampled_shares)):
        if not share:
            continue
        folder = scratch / "pages" / f"{number:04}"
        folder.mkdir(parents=True)
        copies = []
        for place, path in enumerate(spread(files, share)):
            copy = folder / f"{place:05}.html"
            shutil.copyfile(path, copy)
            copies.append(copy)
        sites.append(Site(folder, copies, spread(copies, sampled_share)))
    return sites


def share_out(limit, available):
    """How many of each of `available` to take so that `limit` are taken, as evenly as possible."""
    shares = list(available)
    if limit <= 0 or sum(available) <= limit:
        return shares
    left = limit
    # The smallest first: what they cannot give is left for the larger ones.
    by_size = sorted(range(len(available)), key=lambda index: available[index])
    for done, index in enumerate(by_size):
        shares[index] = min(available[index], left // (len(by_size) - done))
        left -= shares[index]
    return shares


def spread(items, count):
    """`count` of `items`, at equal distances."""
    return [items[place * len(items) // count] for place in range(count)]


def run_round(tools, sites, turn, scratch):
    """Time every tool on all sites once. Returns tool -> (seconds, bytes, pages)."""
    results = {}
    first = turn % len(TOOLS)
    for tool in TOOLS[first:] + TOOLS[:first]:
        out = scratch / "text"
        out.mkdir()
        start = time.perf_counter()
        files = tools[tool](sites, out)
        seconds = time.perf_counter() - start
        results[tool] = (seconds, sum(path.stat().st_size for path in files), len(files))
        if files and not any(path.is_file() for path in out.rglob("*")):
            sys.exit(f"speed: {tool} wrote no text")
        shutil.rmtree(out)
        show_progress(f"round {turn + 1}: {tool}")
    show_progress("")
    return results


def run_unframe(options, sites, out):
    command = [options.unframe, "clean", "--method", options.method, "--jobs", "1", "-q"]
    command += ["--site-from", "folder"]
    command += ["-o", str(out), "--format", "text", str(sites[0].folder.parent)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip()
        sys.exit(f"speed: exit {done.returncode} from {' '.join(command)}\n{message}")
    return [path for site in sites for path in site.files]


def python_tool(text_of, sampled=False):
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


def print_setting(options, sites):
    # The imports happen here, before any clock runs.
    resiliparse_text(b"<p>a</p>")
    trafilatura_text(b"<p>a</p>")
    asked = subprocess.run([options.unframe, "--version"], capture_output=True, text=True)
    name = asked.stdout.strip().splitlines()[:1] or [f"{options.unframe} (no --version)"]
    print(f"{name[0]}; resiliparse {version('resiliparse')}; trafilatura {version('trafilatura')}")
    files = [path for site in sites for path in site.files]
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{len(files)} pages of {len(sites)} sites, {size:.1f} MB, {options.rounds} rounds, one thread")
    sampled = sum(len(site.sampled) for site in sites)
    if sampled < len(files):
        print(f"trafilatura is timed on {sampled} of these pages and compared per byte")
    print()


def report(rounds):
    speeds = {tool: [rate(row[tool], 1) / 1e6 for row in rounds] for tool in TOOLS}
    pages = {tool: [rate(row[tool], 2) for row in rounds] for tool in TOOLS}
    print(f"{'tool':14}{'MB/s':>9}{'min-max':>17}{'pages/s':>10}")
    for tool in TOOLS:
        low_high = f"{min(speeds[tool]):.1f}-{max(speeds[tool]):.1f}"
        middle, per_page = statistics.median(speeds[tool]), statistics.median(pages[tool])
        print(f"{tool:14}{middle:9.1f}{low_high:>17}{per_page:10.0f}")
    print()
    for other in TOOLS[1:]:
        ratios = [ours / theirs for ours, theirs in zip(speeds["unframe"], speeds[other])]
        low_high = f"{min(ratios):.2f}-{max(ratios):.2f}"
        print(f"unframe / {other:12} {statistics.median(ratios):8.2f}   ({low_high} over rounds)")


def rate(row, what):
    return row[what] / row[0]


def show_progress(line):
    if sys.stderr.isatty():
        print(f"\r{line:40}\r" if not line else f"\r{line:40}", end="", file=sys.stderr)


if __name__ == "__main__":
    main()
