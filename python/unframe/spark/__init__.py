"""Apache Spark: the pages of crawls that are larger than one machine, without the frame of their sites.

Needs PySpark 4.1 or later and Java 17: ``pip install "unframe[spark]"``, on every machine of the cluster. ::

    from unframe.spark import clean, learn, read_warc

    pages = read_warc(spark, "crawl/*.warc.gz")
    clean(pages, format="markdown").write.parquet("texts/")

The texts are those of ``unframe clean`` for the same pages, however they are divided into partitions. What is learned
of the sites can be kept, and added to by the next crawl::

    learn(pages).write.parquet("states/1")
    clean(pages, states=spark.read.parquet("states/1")).write.parquet("texts/")

    states = learn(next_pages, states=spark.read.parquet("states/1"))

:func:`clean_stream` cleans pages as they arrive. All functions return data frames that are computed when they are
used. ``unframe.parts`` has what one task does, for other engines. The guide is ``docs/spark.md``.
"""

from .archives import read_warc
from .batch import clean, learn
from .stream import clean_stream

__all__ = ["clean", "clean_stream", "learn", "read_warc"]
