"""Columns of fingerprints and sketches, and joins by them."""

import functools

from lookalike import _spark_worker as worker

# Queries that one pass holds in memory: 32 MB that go to each worker with the function.
_HELD = 4_000_000


def collapse_identical(df, *, text="text", id="id"):
    """The rows of which no other has the same text and a smaller id, with how many have it: `copies`."""
    hashed = df.selectExpr(f"sha2(cast(`{text}` as binary), 256) as text", f"`{id}` as id")
    known = hashed.where("text is not null")
    # counted before they are shuffled, so that one text a million times is one row of each task
    firsts = known.groupBy("text").agg({"id": "min"}).toDF("text", "_lookalike_id")
    counts = known.groupBy("text").count().toDF("text", "copies")
    groups = firsts.join(counts, "text").drop("text")
    # of a text that is null nothing is known
    groups = groups.unionByName(hashed.where("text is null").selectExpr("id as _lookalike_id", "1L as copies"))
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
