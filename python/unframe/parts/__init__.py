"""What one task of a distributed job does with its part of the pages: Arrow in, Arrow out.

``unframe.spark`` runs these functions on Spark, and they work as well in other engines that pass tables on. If all
pages of a site come to one task::

    pages ─► sorted by site ─► clean_sites ─► texts

Sites that are too large for that are learned in parts, and what is learned can be kept::

    pages ─► learn_part ─► sorted by site ─► merge_parts ─► states
                                                               │
    pages ─► sorted by site, each site after its state ◄───────┘ ─► clean_part ─► texts

``deal_out`` and ``clean_dealt`` are both at once: small sites are cleaned where they are, and the pages of large ones
are dealt out to other tasks.

What is learned of a site is a sum over a sample of its pages, so it does not matter how pages are divided into
parts, and in which order they come: cleaning gives the same texts as ``unframe clean`` for all pages at once. Each
function takes an iterator of record batches and is a generator of them, and holds some batches at a time.
"""

from .clean import clean_dealt, clean_part, clean_sites, deal_out
from .jobs import MOST_LISTED, SETTINGS, STATES, CleanJob, Columns, LearnJob
from .learn import learn_part, merge_parts, site_names

__all__ = [
    "MOST_LISTED",
    "SETTINGS",
    "STATES",
    "CleanJob",
    "Columns",
    "LearnJob",
    "clean_dealt",
    "clean_part",
    "clean_sites",
    "deal_out",
    "learn_part",
    "merge_parts",
    "site_names",
]
