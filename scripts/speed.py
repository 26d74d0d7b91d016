#!/usr/bin/env python3
"""Measure `unframe clean` beside resiliparse, trafilatura and our own parser, in one interleaved run.

What enters: folders of HTML. What leaves: a table with a line for each set of pages: MB/s of each tool, and
the ratios of unframe to the others as a median over the rounds, with their range.

    scripts/speed.py corpora/news-dev/*/pages        # one set: each folder is a site
    scripts/speed.py --sets corpora/*-dev            # a line for each corpus: CORPUS/SITE/pages
    scripts/speed.py --sets corpora/*-dev --largest 5           # … and for each of their largest sites
    scripts/speed.py --debian target/debian --trafilatura-pages 20      # … for large Debian documentation
    scripts/speed.py --rounds 3 --pages 100 --trafilatura-pages 20 DIR...
    scripts/speed.py --python --sets corpora/*-dev   # the Python package beside other Python packages

All tools do the same work, from files on disk to text files on disk, on one thread; `parse` only reads and
parses the pages, with our own parser. unframe is one whole process over all sites, start-up included, and so
are the tools in Rust; the Python libraries run inside of this process, and their import is not counted. The
tools take turns, in an order that rotates from round to round, so that a slow moment of the machine hits all
of them alike; many short rounds tell more than a few long ones. On a machine that others use, `--cpu` takes
the processor's time instead of the clock's.

With `--python`, everything runs in this process, warm, from pages in memory to texts in memory:
`unframe.extract`, which sees one page at a time, and `unframe.clean_pages` with one job, which uses the site.
The wheel is the one that `scripts/wheel` has built, or `--wheel FILE`.

The Python libraries live in a virtual environment under target/speed-venv, and the tools in Rust, which are
in scripts/speed-rust, are built in target/speed-rust, both on first use. The Rust library of resiliparse is
left out where it cannot be built. Its Python package is the same code, called through Python.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import speed_sets
import speed_tools

OURS = "unframe"
OTHERS = ["parse", "resiliparse", "trafilatura", "resiliparse-rs"]


def main():
    options = read_options()
    speed_tools.enter_virtualenv(options.wheel if options.python else None)
    sets = find_sets(options)
    tools = speed_tools.python_tools() if options.python else find_tools(options)
    print_setting(options)
    print(heading(tools))
    # In memory where that can be had: the tools are to be measured, not the disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for asked in sets:
        with tempfile.TemporaryDirectory(prefix="unframe-speed-", dir=memory) as scratch:
            scratch = Path(scratch)
            sites = speed_sets.sample_sites(asked, options.trafilatura_pages, scratch)
            if not sites:
                sys.exit(f"speed: no HTML files in {asked.name}")
            clock = cpu_seconds if options.cpu else time.perf_counter
            work = sites if not options.python else speed_sets.in_memory(sites)
            rounds = [run_round(tools, work, turn, scratch, clock) for turn in range(options.rounds)]
            print(line(asked.name, tools, sites, rounds), flush=True)


def read_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--unframe", default=str(speed_tools.ROOT / "target/dist/unframe"), help="the binary to measure"
    )
    parser.add_argument(
        "--python", action="store_true", help="measure the Python package beside others, in this process"
    )
    parser.add_argument("--wheel", type=Path, help="with --python: the wheel to measure")
    parser.add_argument("--method", default="auto", help="the method to measure; default auto")
    parser.add_argument(
        "--tools", nargs="+", choices=OTHERS, default=OTHERS, metavar="TOOL", help=f"beside unframe; default {', '.join(OTHERS)}"
    )
    parser.add_argument("--rounds", type=int, default=5, help="default 5")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of wall time")
    parser.add_argument(
        "--pages", type=int, default=300, help="pages of a set, shared out over its sites; 0: all"
    )
    parser.add_argument(
        "--trafilatura-pages",
        type=int,
        default=0,
        help="time trafilatura on this many pages of a set and compare per byte; 0: all",
    )
    parser.add_argument(
        "--sets", nargs="+", metavar="CORPUS", type=Path, default=[], help="a line for each corpus"
    )
    parser.add_argument(
        "--largest", type=int, default=0, metavar="N", help="a line for each of the N largest sites of --sets"
    )
    parser.add_argument(
        "--debian", type=Path, metavar="DEST", help="a line for each large package that debian-docs fetches"
    )
    parser.add_argument("folders", nargs="*", metavar="DIR", type=Path, help="HTML of one site")
    options = parser.parse_args()
    if options.python:
        options.wheel = options.wheel or newest_wheel()
        if options.wheel is None or not options.wheel.is_file():
            parser.error("no wheel to measure; build one with `scripts/wheel`, or name it with --wheel")
    elif shutil.which(options.unframe) is None:
        parser.error(
            f"{options.unframe}: no such program\n"
            "hint: build it with `cargo build --profile dist -p unframe-cli`, or name another one with --unframe"
        )
    for folder in [*options.folders, *options.sets]:
        if not folder.is_dir():
            parser.error(f"{folder}: not a folder")
    if not (options.folders or options.sets or options.debian):
        parser.error("nothing to measure: give folders, --sets or --debian")
    if options.rounds < 1:
        parser.error("--rounds: at least one round is needed")
    return options


def newest_wheel():
    wheels = speed_tools.ROOT.glob("target/python/release/*.whl")
    return max(wheels, key=lambda wheel: wheel.stat().st_mtime, default=None)


def find_sets(options):
    sets = [speed_sets.corpus_set(corpus, options.pages) for corpus in options.sets]
    if options.folders:
        sets.append(speed_sets.Set("all", options.folders, options.pages))
    sets += speed_sets.largest_sites(options.sets, options.largest)
    if options.debian:
        sets += speed_sets.debian_sets(options.debian)
    return sets


def find_tools(options):
    program, has_resiliparse = speed_tools.rust_program("resiliparse-rs" in options.tools)
    tools = {
        "parse": speed_tools.rust_tool(program, "parse"),
        "resiliparse": speed_tools.python_tool(speed_tools.resiliparse_text),
        "trafilatura": speed_tools.python_tool(speed_tools.trafilatura_text, sampled=True),
    }
    if has_resiliparse:
        tools["resiliparse-rs"] = speed_tools.rust_tool(program, "resiliparse")
    chosen = {name: tool for name, tool in tools.items() if name in options.tools}
    return {OURS: speed_tools.unframe_tool(options.unframe, options.method)} | chosen


def cpu_seconds():
    """What this process and those that it has run took of the processor."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def run_round(tools, sites, turn, scratch, clock):
    """Time every tool on all sites once. Returns tool -> bytes per second."""
    if isinstance(sites, speed_sets.InMemory):
        return run_round_in_memory(tools, sites, turn, clock)
    speeds = {}
    first = turn % len(tools)
    for tool in [*tools][first:] + [*tools][:first]:
        out = scratch / "text"
        out.mkdir()
        show_progress(f"round {turn + 1}: {tool}")
        start = clock()
        files = tools[tool](sites, out)
        seconds = clock() - start
        speeds[tool] = sum(path.stat().st_size for path in files) / seconds
        if tool != "parse" and not any(path.is_file() for path in out.rglob("*")):
            sys.exit(f"speed: {tool} wrote no text")
        shutil.rmtree(out)
    show_progress("")
    return speeds


def run_round_in_memory(tools, pages, turn, clock):
    """The same for tools that get pages and return texts."""
    speeds = {}
    first = turn % len(tools)
    for tool in [*tools][first:] + [*tools][:first]:
        work, is_sampled = tools[tool]
        given = pages.sampled if is_sampled else pages.all
        show_progress(f"round {turn + 1}: {tool}")
        # Once before the clock runs, so that every tool is warm.
        if turn == 0:
            work(given[: len(given) // 10 + 1])
        start = clock()
        texts = work(given)
        seconds = clock() - start
        speeds[tool] = sum(len(page.html) for page in given) / seconds
        if sum(map(len, texts)) == 0:
            sys.exit(f"speed: {tool} gave no text")
    show_progress("")
    return speeds


def print_setting(options):
    if options.python:
        packages = ["unframe", "resiliparse", "trafilatura", "rs-trafilatura"]
        print("; ".join(f"{package} {version(package)}" for package in packages))
        sampled = f", trafilatura on {options.trafilatura_pages} pages" if options.trafilatura_pages else ""
        clock = ", processor time" if options.cpu else ""
        print(f"{options.rounds} rounds, one thread, one process{clock}{sampled}; MB/s, then ratios\n")
        return
    asked = subprocess.run([options.unframe, "--version"], capture_output=True, text=True)
    name = asked.stdout.strip().splitlines()[:1] or [f"{options.unframe} (no --version)"]
    print(f"{name[0]}; resiliparse {version('resiliparse')}; trafilatura {version('trafilatura')}")
    sampled = f", trafilatura on {options.trafilatura_pages} pages" if options.trafilatura_pages else ""
    clock = ", processor time" if options.cpu else ""
    print(f"{options.rounds} rounds, one thread{clock}{sampled}; MB/s, then how many times as fast unframe is\n")


def compared(tools):
    """The pairs of tools whose ratio is shown: ours, and another."""
    if OURS in tools:
        return [(OURS, tool) for tool in tools if tool != OURS]
    ours = ("extract", "clean_pages")
    return [(own, tool) for own in ours for tool in tools if tool not in ours]


def heading(tools):
    def name(own, tool):
        return f"× {tool}" if own == OURS else f"{own} × {tool}"

    ratios = "".join(f"{name(*pair):>{ratio_width(*pair)}}" for pair in compared(tools))
    return f"{'set':16}{'pages':>6}{'MB':>7}" + "".join(f"{tool:>{width(tool)}}" for tool in tools) + ratios


def line(name, tools, sites, rounds):
    files = [path for site in sites for path in site.files]
    size = sum(path.stat().st_size for path in files) / 1e6
    row = f"{name[:15]:16}{len(files):6}{size:7.1f}"
    for tool in tools:
        row += f"{statistics.median(speeds[tool] for speeds in rounds) / 1e6:{width(tool)}.1f}"
    for own, tool in compared(tools):
        ratios = [speeds[own] / speeds[tool] for speeds in rounds]
        low_high = f"({min(ratios):.2f}-{max(ratios):.2f})"
        text = f"{statistics.median(ratios):8.2f} {low_high:>13}"
        row += f"{text:>{ratio_width(own, tool)}}"
    return row


def ratio_width(own, tool):
    return 22 if own == OURS else max(24, len(own) + len(tool) + 6)


def width(tool):
    return max(8, len(tool) + 2)


def show_progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:40}\r" if not text else f"\r{text:40}", end="", file=sys.stderr)


if __name__ == "__main__":
    main()
