"""The same answers on Spark: DataFrames in and out, the engine of the wheel inside. Within the subset of Spark Connect.

    from lookalike import spark as lk

    found = lk.dedup(df, text="text", id="url", checkpoint="s3a://bucket/tmp/run-1")
    found.kept.write.parquet(...)
    found.removed.show()

Spark only shuffles; what is decided is decided by the kernel, by the rules of `lookalike dedup`, so that clusters and removals are those of
one machine, whatever the partitions. Steps that others build on are written as Parquet to a new folder below `checkpoint`, which all workers
must reach: a task that runs again reads what was read before. What a run leaves there can be removed when its results are written.
"""

import dataclasses
import functools
import json
import posixpath
import uuid

from ._lookalike import DistributedSteps
from . import _spark_worker as worker

__all__ = [
    "Deduplicated",
    "clusters",
    "collapse_identical",
    "dedup",
    "hamming_join",
    "near_duplicates",
    "simhash_column",
    "sketch_column",
]

# Queries that one pass holds in memory: 32 MB that go to each worker with the function.
_HELD = 4_000_000
# Links up to which one task clusters them all: about a hundred bytes each.
_LINKS_OF_ONE_TASK = 5_000_000
# Keywords of `lookalike.dedup` that mean the same here.
_KEYWORDS = ("w", "words", "threshold", "min_words", "max_df", "max_size", "key", "like", "fold")


@dataclasses.dataclass
class Deduplicated:
    """What `dedup` found: `kept` has the rows that stay, as they were; `removed` says of each other row why it went; `malformed` names the
    rows that could not be compared, with the reason, and which stay. Unpacks as `kept, removed`."""

    kept: object
    removed: object
    malformed: object

    def __iter__(self):
        return iter((self.kept, self.removed))


def dedup(df, *, text="text", id="id", keep=None, checkpoint, partitions=None, **options):
    """Removes near-duplicates: `lookalike dedup` on a cluster.

    `keep="best:COLUMN"` keeps of documents that are alike the one with the highest value there, else the longest stays. Other keywords
    are those of `lookalike.dedup`: words, threshold, min_words, max_df, max_size, key, like.
    """
    run = _Run(df, text, id, keep, checkpoint, partitions, options)
    removed = run.removed()
    gone = removed.select(removed["id"].alias("_lookalike_gone"))
    kept = df.join(gone, df[id].cast("string") == gone["_lookalike_gone"], "left_anti")
    return Deduplicated(kept, removed, run.malformed())


def clusters(df, *, text="text", id="id", keep=None, checkpoint, partitions=None, **options):
    """The documents of all clusters, a row each: cluster (the id of its representative), id, class, resemblance. Keywords as of `dedup`."""
    removed = _Run(df, text, id, keep, checkpoint, partitions, options).removed()
    heads = removed.select(removed["duplicate_of"].alias("id")).distinct()
    heads = heads.selectExpr("id as cluster", "id", "cast(null as string) as class", "cast(null as double) as resemblance")
    members = removed.selectExpr("duplicate_of as cluster", "id", "class", "resemblance")
    return heads.unionByName(members)


def near_duplicates(df, *, text="text", id="id", checkpoint, partitions=None, **options):
    """All pairs that are alike, each once: a, b, resemblance, a_in_b, b_in_a, counted on the whole documents. Documents with the same text
    stand for each other: pairs are of one of each. Keywords as of `dedup`."""
    run = _Run(df, text, id, None, checkpoint, partitions, options)
    links, names = run.links(), run.documents().select("doc", "id")
    links = links.join(names.withColumnsRenamed({"doc": "a", "id": "id_a"}), "a")
    links = links.join(names.withColumnsRenamed({"doc": "b", "id": "id_b"}), "b")
    return links.selectExpr("id_a as a", "id_b as b", "resemblance", "shared / size_a as a_in_b", "shared / size_b as b_in_a")


def collapse_identical(df, *, text="text", id="id"):
    """The rows of which no other has the same text and a smaller id, with how many have it: `copies`."""
    from pyspark.sql import functions as f

    hashed = df.select(f.sha2(df[text].cast("binary"), 256).alias("_lookalike_text"), df[id].alias("_lookalike_id"))
    groups = hashed.groupBy("_lookalike_text").agg(f.min("_lookalike_id").alias("_lookalike_id"), f.count("*").alias("copies"))
    # of a text that is null nothing is known
    alone = hashed.where("_lookalike_text is null").select("_lookalike_id", f.lit(1).cast("bigint").alias("copies"))
    groups = groups.where("_lookalike_text is not null").select("_lookalike_id", "copies").unionByName(alone)
    return df.join(groups, df[id] == groups["_lookalike_id"]).drop("_lookalike_id")


def simhash_column(df, *, text="text", name="simhash", recipe=None, key=None):
    """The rows with the fingerprint of each text: 64 bits as a bigint; a text without words has 0."""
    work = functools.partial(worker.with_simhash, text, name, recipe, key)
    return df.mapInArrow(work, f"{_ddl(df)}, `{name}` bigint")


def sketch_column(df, *, text="text", name="sketch", recipe=None, key=None):
    """The rows with the sketch of each text: array<bigint>, the bits of unsigned numbers."""
    work = functools.partial(worker.with_sketch, text, name, recipe, key)
    return df.mapInArrow(work, f"{_ddl(df)}, `{name}` array<bigint>")


def hamming_join(df, queries, k=3, *, fingerprint="fingerprint"):
    """The rows of `df` whose fingerprint differs from one of the queries in at most k bits: each such pair once, with all columns of the
    row, `query` (the fingerprint of the query), `distance`, and the other columns of the query as `query_NAME`.

    Both have fingerprints as bigint. The queries are held in memory by every worker, four million at a time, and the rows pass by
    where they are: nothing of `df` is shuffled (Manku, Jain and Das Sarma 2007, section 3.3).
    """
    import numpy as np

    distinct = queries.select(queries[fingerprint].alias("query")).where("query is not null").distinct()
    held = np.sort(distinct.toArrow().column("query").to_numpy().view("uint64"))
    schema = f"{_ddl(df)}, query bigint, distance int"
    passes = []
    for first in range(0, max(len(held), 1), _HELD):
        some = held[first : first + _HELD].astype("<u8").tobytes()
        passes.append(df.mapInArrow(functools.partial(worker.near, fingerprint, some, k), schema))
    found = functools.reduce(lambda a, b: a.unionByName(b), passes)
    others = [name for name in queries.columns if name != fingerprint]
    if others:
        named = queries.selectExpr(f"`{fingerprint}` as query", *(f"`{name}` as `query_{name}`" for name in others))
        found = found.join(named, "query")
    return found


def _ddl(df):
    return ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in df.schema.fields)


class _Run:
    """One run, from sketches to removals. What several steps read is written once."""

    def __init__(self, df, text, id, keep, checkpoint, partitions, options):
        for name in options:
            if name not in _KEYWORDS:
                raise TypeError(f"expected {', '.join(_KEYWORDS)}; found {name}, which one machine can do: lookalike.dedup()")
        self.spark = df.sparkSession
        self.partitions = partitions or int(self.spark.conf.get("spark.sql.shuffle.partitions", "200"))
        columns = [df[id].cast("string").alias("id"), df[text].alias("text")]
        if keep is not None:
            kind, _, column = keep.partition(":")
            if kind != "best" or not column:
                raise ValueError(f"keep: expected best:COLUMN, found {keep!r}")
            columns.append(df[column].cast("string").alias("preference"))
        self.texts = df.select(*columns)
        # a triangle of cells: about four for each partition
        side = max(2, round((8 * self.partitions) ** 0.5))
        self.options = json.dumps({"dedup": options, "side": side, "memory": None, "tmp": None}, sort_keys=True)
        self.steps = DistributedSteps(options, side=side)
        self.folder = posixpath.join(str(checkpoint), f"run-{uuid.uuid4().hex[:12]}")
        self.made = {}
        self.is_sorting = _is_sorting(self.spark)

    def step(self, name, rows):
        """A step, with the shuffle that it asks for."""
        partition_by, sort_by = self.steps.shuffle(name)
        if partition_by:
            rows = rows.repartition(self.partitions, *partition_by)
        if sort_by and self.is_sorting:
            rows = rows.sortWithinPartitions(*sort_by)
        in_worker = () if self.is_sorting else tuple(sort_by)
        return rows.mapInArrow(functools.partial(worker.step, name, self.options, in_worker), self.steps.columns(name))

    def kept(self, name, make, columns=None):
        """What is called so, or comes out of the step of that name: made and written when it is first asked for."""
        if name not in self.made:
            path = posixpath.join(self.folder, name)
            make().write.parquet(path)
            # Sail writes nothing where there are no rows, so the columns are told
            self.made[name] = self.spark.read.schema(columns or self.steps.columns(name)).parquet(path)
        return self.made[name]

    def sketches(self):
        return self.kept("sketch", lambda: self.step("sketch", self.texts))

    def unnamed(self):
        """Documents whose ids do not tell them apart."""
        return self.kept("ids", lambda: self.step("ids", self.sketches().where("doc is not null").select("doc", "id")))

    def malformed(self):
        return self.sketches().where("reason is not null").select("id", "reason").unionByName(self.unnamed().select("id", "reason"))

    def documents(self):
        def make():
            rows = self.sketches().where("doc is not null")
            if self.unnamed().limit(1).count():
                rows = rows.join(self.unnamed().select("doc").distinct(), "doc", "left_anti")
            return self.step("duplicates", rows)

        return self.kept("duplicates", make)

    def links(self):
        def candidates():
            canonical = self.documents().where("role = 1")
            features = self.step("frequencies", self.step("postings", canonical))
            heads = canonical.select("doc", "rank", "level", "sketch")
            both = features.unionByName(heads, allowMissingColumns=True)
            return self.step("pairs", self.step("prefixes", both))

        def make():
            pairs = self.kept("pairs", candidates)
            members = self.step("members", pairs).distinct()
            texts = self.step("cells", members.join(self.texts.select("id", "text"), "id"))
            return self.step("verify", pairs.unionByName(texts, allowMissingColumns=True))

        return self.kept("verify", make)

    def stars(self):
        def make():
            links = self.links()
            if links.count() <= _LINKS_OF_ONE_TASK:
                return self.step("stars", links.selectExpr("0L as component", "*"))
            components = _components(self, links.select("a", "b"))
            return self.step("stars", links.join(components, links["a"] == components["node"]).drop("node"))

        return self.kept("stars", make)

    def removed(self):
        def make():
            documents = self.documents().select("doc", "id", "canonical", "role", "class")
            return self.step("removals", documents.unionByName(self.stars(), allowMissingColumns=True))

        return self.kept("removals", make)


def _components(run, edges):
    """The connected component of each document, by alternating stars (Kiveris et al. 2014): a round takes what is in reach of a
    document to the least of it, so that long chains take few rounds. Each round is written, so that a lost worker costs one."""
    from pyspark.sql import functions as f

    edges = edges.selectExpr("least(a, b) as low", "greatest(a, b) as high").where("low <> high").distinct()
    before, number = None, 0
    while True:
        # every node's larger neighbours go to the least that it knows, itself included
        both = edges.selectExpr("low as node", "high as other").unionByName(edges.selectExpr("high as node", "low as other"))
        least = both.groupBy("node").agg(f.min("other").alias("least")).selectExpr("node", "least(node, least) as least")
        large = both.join(least, "node").where("other > node").selectExpr("least as low", "other as high").where("low <> high")
        # then its smaller neighbours, and itself, go to the least of them
        large = large.distinct()
        small_least = large.groupBy("high").agg(f.min("low").alias("least"))
        small = large.join(small_least, "high").selectExpr("least", "low", "high")
        next_edges = (
            small.selectExpr("least as low", "high")
            .unionByName(small.where("low <> least").selectExpr("least as low", "low as high"))
            .where("low <> high")
            .distinct()
        )
        edges = run.kept(f"components-{number}", lambda next_edges=next_edges: next_edges, "low bigint, high bigint")
        # a forest of stars stays as it is
        now = tuple(edges.selectExpr("count(*)", "sum(cast(low as decimal(38, 0)))", "sum(cast(high as decimal(38, 0)))").collect()[0])
        if now == before:
            break
        before, number = now, number + 1
    nodes = edges.selectExpr("high as node", "low as component").distinct()
    return nodes.unionByName(edges.selectExpr("low as node", "low as component").distinct())


def _sorted(batches):
    import pyarrow as pa

    for batch in batches:
        ids = batch.column(0).to_pylist()
        yield pa.record_batch([pa.array([ids == sorted(ids)])], ["is_sorted"])


@functools.lru_cache(maxsize=8)
def _is_sorting(spark):
    """Whether sortWithinPartitions is heard before mapInArrow: Sail leaves it out."""
    shuffled = spark.range(1000).selectExpr("pmod(hash(id), 1000) as id").repartition(1)
    rows = shuffled.sortWithinPartitions("id").mapInArrow(_sorted, "is_sorted boolean").collect()
    return all(row[0] for row in rows)
