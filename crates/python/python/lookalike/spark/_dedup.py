"""Documents in, those that stay out: the steps of the kernel with the shuffles between them."""

import dataclasses
import functools
import json
import operator
import posixpath
import uuid

from lookalike import _spark_worker as worker
from lookalike._lookalike import DistributedSteps

from ._names import changed_ids, column, text_column, text_hash
from ._stars import stars

# Many rows as one value, and what decides on its partition.
PACKED = "bucket bigint, packed binary"
# Keywords of `lookalike.dedup` that mean the same here.
KEYWORDS = ("words", "threshold", "min_words", "max_df", "max_size", "like")
# Types of ids that a cast to text and back leaves as they were.
_TYPES_OF_TEXT = {"byte", "short", "integer", "long", "decimal", "float", "double", "boolean", "date", "timestamp", "timestamp_ntz"}


@dataclasses.dataclass
class Deduplicated:
    """What `dedup` found: `kept` has the rows that stay, as they were; `removed` says of each other row why it went; `malformed` names the
    rows that could not be compared, with the reason, and which stay. Ids have the type of their column. All three read the folder `checkpoint` of this run, which can be removed
    when they are written. Unpacks as `kept, removed`."""

    kept: object
    removed: object
    malformed: object
    checkpoint: str

    def __iter__(self):
        return iter((self.kept, self.removed))


def dedup(df, *, text="text", id="id", keep=None, checkpoint, partitions=None, **options):
    """Removes near-duplicates: `lookalike dedup` on a cluster.

    `keep="best:COLUMN"` keeps of documents that are alike the one with the highest value there, else the longest stays. Other keywords
    are those of `lookalike.dedup`: words, threshold, min_words, max_df, max_size, like.
    """
    run = _Run(df, text, id, keep, checkpoint, partitions, options)
    removed = run.removed()
    # by id and text: where ids are made anew at each read, a row that is nobody's duplicate is never removed
    gone = removed.select("id").join(run.sketches().select("id", "text_hash"), "id")
    gone = gone.withColumnsRenamed({"id": "_lookalike_gone", "text_hash": "_lookalike_text"})
    is_gone = column(df, id, "id")[0].cast("string") == gone["_lookalike_gone"]
    kept = df.join(gone, is_gone & (text_hash(text_column(df, text)) == gone["_lookalike_text"]), "left_anti")
    return Deduplicated(kept, run.typed(removed, "id", "duplicate_of"), run.typed(run.malformed(), "id"), run.folder)


def clusters(df, *, text="text", id="id", keep=None, checkpoint, partitions=None, **options):
    """The documents of all clusters, a row each: cluster (the id of its representative), id, class, resemblance. Keywords as of `dedup`."""
    run = _Run(df, text, id, keep, checkpoint, partitions, options)
    removed = run.removed()
    heads = removed.select(removed["duplicate_of"].alias("id")).distinct()
    heads = heads.selectExpr("id as cluster", "id", "cast(null as string) as class", "cast(null as double) as resemblance")
    members = removed.selectExpr("duplicate_of as cluster", "id", "class", "resemblance")
    return run.typed(heads.unionByName(members), "cluster", "id")


def near_duplicates(df, *, text="text", id="id", checkpoint, partitions=None, **options):
    """All pairs that are alike, each once: a, b, resemblance, a_in_b, b_in_a, counted on the whole documents. Documents with the same text
    stand for each other: pairs are of one of each. Keywords as of `dedup`."""
    run = _Run(df, text, id, None, checkpoint, partitions, options)
    links, names = run.links(), run.documents().select("doc", "id")
    links = links.join(names.withColumnsRenamed({"doc": "a", "id": "id_a"}), "a")
    links = links.join(names.withColumnsRenamed({"doc": "b", "id": "id_b"}), "b")
    links = links.selectExpr("id_a as a", "id_b as b", "resemblance", "shared / size_a as a_in_b", "shared / size_b as b_in_a")
    return run.typed(links, "a", "b")


class _Run:
    """One run, from sketches to removals. What several steps read is written once."""

    def __init__(self, df, text, id, keep, checkpoint, partitions, options):
        for name in options:
            if name not in KEYWORDS:
                raise TypeError(f"expected {', '.join(KEYWORDS)}; found {name}; what else lookalike.dedup() takes is for one machine")
        if not str(checkpoint or ""):
            raise ValueError(f"checkpoint: expected a folder that all workers reach, found {checkpoint!r}")
        ids, self.id_type = column(df, id, "id")
        self.id_name = id
        texts = text_column(df, text)
        columns = [ids.cast("string").alias("id"), texts.alias("text"), text_hash(texts).alias("text_hash")]
        if keep is not None:
            kind, _, best = str(keep).partition(":")
            if kind != "best" or not best:
                raise ValueError(f"keep: expected best:COLUMN, found {keep!r}")
            columns.append(column(df, best, "keep")[0].cast("string").alias("preference"))
        self.texts = df.select(*columns)
        self.spark = df.sparkSession
        self.partitions = _partitions(self.spark, partitions)
        # a triangle of cells: about four for each partition
        side = max(2, round((8 * self.partitions) ** 0.5))
        kernel = {"side": side, "buckets": _buckets(self.spark, self.partitions)}
        self.steps = DistributedSteps(options, **kernel)
        # numbers of NumPy are no JSON; values are read as those of the command are
        self.options = json.dumps({"dedup": options, **kernel}, sort_keys=True, default=str)
        self.folder = posixpath.join(str(checkpoint), f"run-{uuid.uuid4().hex[:12]}")
        self.made = {}

    def typed(self, rows, *names):
        """The rows with ids in the type that they came in. Types that text cannot be cast to stay text."""
        if self.id_type.typeName() not in _TYPES_OF_TEXT:
            return rows
        cast = {name: rows[name].cast(self.id_type) for name in names}
        return rows.select([cast[name].alias(name) if name in cast else rows[name] for name in rows.columns])

    def step(self, name, rows, *, is_packed=False, pack_for=None):
        """A step, with the shuffle that it asks for. Where many rows go to another partition, many are packed into one."""
        partition_by = self.steps.partition_by(name)
        if partition_by:
            rows = rows.repartition(self.partitions, "bucket" if is_packed else partition_by)
        columns = PACKED if pack_for else self.steps.columns(name)
        return rows.mapInArrow(functools.partial(worker.step, name, self.options, pack_for), columns)

    def checkpointed(self, name, make, columns=None):
        """What is called so, or comes out of the step of that name: made and written when it is first asked for."""
        if name not in self.made:
            path = posixpath.join(self.folder, name)
            make().write.parquet(path)
            # Sail writes nothing where there are no rows, so the columns are told
            self.made[name] = self.spark.read.schema(columns or self.steps.columns(name)).parquet(path)
        return self.made[name]

    def sketches(self):
        return self.checkpointed("sketch", lambda: self.step("sketch", self.texts))

    def check_ids(self):
        """Texts are read again, and rows are removed, by their ids: each must have the same text the second time."""
        before = self.sketches().where("id is not null").select("id", "text_hash")
        lost = before.join(self.texts.select("id", "text_hash"), ["id", "text_hash"], "left_anti").distinct().count()
        if lost:
            raise changed_ids(self.id_name, lost, before.distinct().count())

    def unnamed(self):
        """Rows whose ids do not tell them apart, also those that are not compared: a row that goes is known by its id alone."""
        return self.checkpointed("ids", lambda: self.step("ids", self.sketches().where("doc is not null").select("doc", "id")))

    def malformed(self):
        return self.sketches().where("reason is not null").select("id", "reason").unionByName(self.unnamed().select("id", "reason"))

    def documents(self):
        def make():
            rows = self.sketches().where("rank is not null")
            if self.unnamed().limit(1).count():
                rows = rows.join(self.unnamed().select("doc").distinct(), "doc", "left_anti")
            return self.step("duplicates", rows)

        return self.checkpointed("duplicates", make)

    def links(self):
        def candidates():
            canonical = self.documents().where("role = 1").select("doc", "rank", "level", "sketch")
            postings = self.step("postings", canonical, pack_for="frequencies")
            features = self.step("frequencies", postings, is_packed=True, pack_for="prefixes")
            sketched = self.step("canonical", canonical, pack_for="prefixes")
            keys = self.step("prefixes", features.unionByName(sketched), is_packed=True, pack_for="pairs")
            return self.step("pairs", keys, is_packed=True, pack_for="verify")

        def make():
            self.check_ids()
            pairs = self.checkpointed("pairs", candidates, PACKED)
            members = self.step("members", pairs).distinct()
            texts = members.join(self.texts.select("id", "text"), "id")
            return self.step("verify", pairs.unionByName(texts, allowMissingColumns=True), is_packed=True)

        return self.checkpointed("verify", make)

    def stars(self):
        return self.checkpointed("stars", lambda: stars(self, self.links()))

    def removed(self):
        def make():
            documents = self.documents().select("doc", "id", "canonical", "role", "class")
            return self.step("removals", documents.unionByName(self.stars(), allowMissingColumns=True))

        return self.checkpointed("removals", make)


def _partitions(spark, asked):
    if asked is None:
        return int(spark.conf.get("spark.sql.shuffle.partitions", "200"))
    try:
        number = operator.index(asked)
    except TypeError:
        number = 0
    if number < 1:
        raise ValueError(f"partitions: expected a number from 1 on, found {asked!r}")
    return number


def _first(batches):
    import pyarrow as pa

    for batch in batches:
        yield pa.record_batch([batch.column("id").slice(0, 1)], ["id"])
        return


@functools.lru_cache(maxsize=8)
def _buckets(spark, partitions):
    """A number for each partition that the engine sends there: how engines hash numbers is their own affair."""
    numbers = spark.range(12 * partitions).repartition(partitions, "id")
    return sorted(row[0] for row in numbers.mapInArrow(_first, "id bigint").collect())
