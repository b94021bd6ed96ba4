"""The same answers on Spark: DataFrames in and out, the engine of the wheel inside. Within the subset of Spark Connect.

    from lookalike import spark as lk

    found = lk.dedup(df, text="text", id="url", checkpoint="s3a://bucket/tmp/run-1")
    found.kept.write.parquet(...)
    found.removed.show()

Spark only shuffles; what is decided is decided by the kernel, by the rules of `lookalike dedup`, so that clusters and removals are those of
one machine, whatever the partitions. Steps that others build on are written as Parquet to a new folder below `checkpoint`, which all workers
must reach: a task that runs again reads what was read before. What a run leaves there can be removed when its results are written.
"""

from ._columns import collapse_identical, hamming_join, simhash_column, sketch_column
from ._dedup import Deduplicated, clusters, dedup, near_duplicates
from ._plan import plan

__all__ = [
    "Deduplicated",
    "clusters",
    "collapse_identical",
    "dedup",
    "hamming_join",
    "near_duplicates",
    "plan",
    "simhash_column",
    "sketch_column",
]
