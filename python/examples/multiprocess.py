"""Learns a site in several processes, joins what they have learned, and cleans its pages in several processes.

usage: python multiprocess.py [FOLDER] [--processes 4]

On one machine, ``unframe.clean_pages`` is simpler and uses all cores. This is the pattern for pools that you have
anyway (joblib, Ray, …) and for several machines: a site travels as bytes.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import unframe

DEMO = Path(__file__).resolve().parents[2] / "demo" / "fieldnotes" / "pages"

site: unframe.Site  # of each cleaning process


def learn(paths: list[Path]) -> bytes:
    """What a site's pages in these files have taught."""
    site = unframe.Site()
    # One thread: the other processes use the other cores.
    site.learn_many(((str(path), path.read_bytes()) for path in paths), jobs=1)
    return site.to_bytes()


def receive(learned: bytes) -> None:
    """Runs once in each process."""
    global site
    site = unframe.Site.from_bytes(learned)


def clean(path: Path) -> tuple[Path, str]:
    # The name is the one that was learned, and nothing new is: so a page's text does not depend on the others'.
    return path, site.clean(path.read_bytes(), str(path), learn=False).text


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn and clean a site in several processes.")
    parser.add_argument("folder", nargs="?", type=Path, default=DEMO, help="pages of one site (default: a demo site)")
    parser.add_argument("--processes", type=int, default=4)
    args = parser.parse_args()
    paths = sorted(args.folder.rglob("*.html"))
    shares = [paths[n :: args.processes] for n in range(args.processes)]

    context = get_context("spawn")  # works everywhere; "fork" and "forkserver" do, too
    whole = unframe.Site()
    with ProcessPoolExecutor(args.processes, context) as pool:
        for part in pool.map(learn, shares):
            whole.merge(part)
    learned = whole.to_bytes()
    print(f"{whole.pages} pages learned, {len(learned):,} bytes")

    with ProcessPoolExecutor(args.processes, context, initializer=receive, initargs=(learned,)) as pool:
        for path, text in pool.map(clean, paths):
            print(f"{len(text.split()):5} words  {path.relative_to(args.folder)}")


if __name__ == "__main__":
    main()
