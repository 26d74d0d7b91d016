"""The pages that `speed.py` measures: sets of sites, sampled and copied aside."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A site of fewer pages is not large.
LARGE = 500


@dataclass
class Set:
    """A row of the table: folders of HTML, one per site, and how many pages of them are measured."""

    name: str
    folders: list
    pages: int  # In all, shared out over the folders; 0: all.


@dataclass
class Site:
    """The pages of one folder, copied aside so that every tool sees exactly the same files."""

    folder: Path
    files: list
    sampled: list  # The files that trafilatura is timed on.


@dataclass
class InMemoryPage:
    """A page and its site."""

    site: str
    name: str
    html: bytes


@dataclass
class InMemory:
    """The pages of all sites, and those that slow tools are timed on."""

    all: list
    sampled: list


def in_memory(sites):
    """The same pages as bytes."""

    def load(site, files):
        return [InMemoryPage(site.folder.name, str(path), path.read_bytes()) for path in files]

    every = [page for site in sites for page in load(site, site.files)]
    sampled = [page for site in sites for page in load(site, site.sampled)]
    return InMemory(every, sampled)


def corpus_set(corpus, pages):
    """The sites of a corpus, which are CORPUS/SITE/pages, as one set."""
    return Set(corpus.name, sorted(corpus.glob("*/pages")), pages)


def largest_sites(corpora, count):
    """The largest sites of some corpora, each as a set with all of its pages."""
    sites = [(len(html_files(folder)), folder) for corpus in corpora for folder in corpus.glob("*/pages")]
    sites.sort(key=lambda site: (-site[0], site[1]))
    return [Set(folder.parent.name, [folder], 0) for _, folder in sites[:count]]


def debian_sets(dest):
    """The large ones of the documentation packages that `scripts/debian-docs` fetches, each as one site."""
    subprocess.run([ROOT / "scripts" / "debian-docs", dest], check=True)
    packages = sorted(path for path in Path(dest).iterdir() if path.is_dir())
    return [Set(path.name, [path], 0) for path in packages if len(html_files(path)) >= LARGE]


def html_files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def sample_sites(asked, sampled_limit, scratch):
    """Copy up to `asked.pages` pages, the same number from each folder where there are enough.

    The copy keeps unframe from reading pages that the others are not given, and warms the file
    cache for all.
    """
    found = [html_files(folder) for folder in asked.folders]
    shares = share_out(asked.pages, [len(files) for files in found])
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
