"""Columns of fingerprints and sketches, and joins by them."""

import functools

from lookalike import _spark_worker as worker
from lookalike._lookalike import HeldFingerprints, simhash, sketch

from ._names import column, fingerprint_column, new_columns, place, quoted, text_column

# Queries that one pass holds in memory: 32 MB that go to each worker with the function.
_HELD = 4_000_000


def collapse_identical(df, *, text="text", id="id"):
    """One row of each text, that with the smallest id, with how many have it: `copies`. Of a text that is null nothing is known: its rows stay."""
    texts, ids = text_column(df, text), column(df, id, "id")[0]
    new_columns(df, "copies")
    hashed = df.select("*", texts.cast("binary").alias("_lookalike_text"), ids.alias("_lookalike_id"))
    known = hashed.where("_lookalike_text is not null").selectExpr("*", "sha2(_lookalike_text, 256) as _lookalike_hash")
    # counted before they are shuffled, so that one text a million times is one row of each task
    groups = known.selectExpr("_lookalike_hash as hash", "_lookalike_id as id", "1L as one").groupBy("hash").agg({"id": "min", "one": "sum"})
    groups = groups.selectExpr("hash as _lookalike_group", "`min(id)` as _lookalike_first", "`sum(one)` as copies")
    is_group, is_first = known["_lookalike_hash"] == groups["_lookalike_group"], known["_lookalike_id"].eqNullSafe(groups["_lookalike_first"])
    # an id may be there twice
    firsts = known.join(groups, is_group & is_first).dropDuplicates(["_lookalike_group"])
    unknown = hashed.where("_lookalike_text is null").selectExpr("*", "1L as copies")
    columns = [*map(quoted, df.columns), "copies"]
    return firsts.selectExpr(*columns).unionByName(unknown.selectExpr(*columns))


def simhash_column(df, *, text="text", name="simhash", recipe=None, key=None):
    """The rows with the fingerprint of each text: 64 bits as a bigint; a text without words has 0."""
    simhash([], recipe, key=key)  # refuses here what every worker would
    text_column(df, text)
    new_columns(df, name)
    work = functools.partial(worker.with_simhash, place(df, text, "text"), recipe, key)
    return _with(df, work, {name: "bigint"})


def sketch_column(df, *, text="text", name="sketch", recipe=None, key=None):
    """The rows with the sketch of each text: array<bigint>, the bits of unsigned numbers."""
    sketch([], recipe, key=key)
    text_column(df, text)
    new_columns(df, name)
    work = functools.partial(worker.with_sketch, place(df, text, "text"), recipe, key)
    return _with(df, work, {name: "array<bigint>"})


def hamming_join(df, queries, k=3, *, fingerprint="fingerprint"):
    """The rows of `df` whose fingerprint differs from one of the queries in at most k bits: each such pair once, with all columns of the
    row, `query` (the fingerprint of the query), `distance`, and the other columns of the query as `query_NAME`.

    Both have fingerprints as bigint. The queries are held in memory by every worker, four million at a time, and the rows pass by
    where they are: nothing of `df` is shuffled (Manku, Jain and Das Sarma 2007, section 3.3).
    """
    import numpy as np

    asked = fingerprint_column(queries, fingerprint)
    fingerprint_column(df, fingerprint)
    others = [name for name in queries.columns if name != fingerprint]
    new_columns(df, "query", "distance", *(f"query_{name}" for name in others))
    HeldFingerprints(np.empty(0, "uint64"), k=k)
    distinct = queries.select(asked.alias("query")).where("query is not null").distinct()
    held = np.sort(distinct.toArrow().column("query").to_numpy().view("uint64"))
    at, passes = place(df, fingerprint, "fingerprint"), []
    for first in range(0, max(len(held), 1), _HELD):
        some = held[first : first + _HELD].astype("<u8").tobytes()
        passes.append(_with(df, functools.partial(worker.near, at, some, k), {"query": "bigint", "distance": "int"}))
    found = functools.reduce(lambda a, b: a.unionByName(b), passes)
    if others:
        renamed = (queries[quoted(name)].alias(f"query_{name}") for name in others)
        found = found.join(queries.select(asked.alias("query"), *renamed), "query")
    return found


def _with(df, work, added):
    """The rows as `work` gives them, with columns more. On the way they have other names: pyspark takes a dot in a name for a field."""
    from pyspark.sql.types import ArrayType, IntegerType, LongType, StructField, StructType

    known = {"bigint": LongType(), "int": IntegerType(), "array<bigint>": ArrayType(LongType())}
    kinds = [*(field.dataType for field in df.schema.fields), *(known[kind] for kind in added.values())]
    names = [f"c{number}" for number in range(len(kinds))]
    schema = StructType([StructField(name, kind) for name, kind in zip(names, kinds)])
    return df.toDF(*names[: len(df.columns)]).mapInArrow(work, schema).toDF(*df.columns, *added)
