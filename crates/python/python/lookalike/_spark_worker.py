"""What runs in the workers of Spark: the kernel on the rows of one partition. No word of pyspark, so that a worker starts fast."""

import functools
import itertools
import json

import pyarrow as pa

from ._lookalike import DistributedSteps, HeldFingerprints, simhash, sketch


def step(name, options, pack_for, batches):
    """One step on all rows of a partition. What comes out is packed for another step if that is named."""
    batches = iter(batches)
    first = next(batches, None)
    if first is None:
        return
    rows = pa.RecordBatchReader.from_batches(first.schema, itertools.chain([first], batches))
    yield from pa.RecordBatchReader.from_stream(_steps(options).run(name, rows, pack_for=pack_for))


@functools.lru_cache(maxsize=4)
def _steps(options):
    """Options come as JSON: a worker keeps what it made of them for its next partition."""
    options = json.loads(options)
    return DistributedSteps(options.pop("dedup"), **options)


def with_simhash(text, recipe, key, batches):
    """The batches with a column of fingerprints."""
    for batch in batches:
        prints = simhash(batch.column(text), recipe, key=key, threads=1).view("int64")
        yield _with(batch, pa.array(prints))


def with_sketch(text, recipe, key, batches):
    """The batches with a column of sketches."""
    for batch in batches:
        made = pa.array(sketch(batch.column(text), recipe, key=key, threads=1))
        yield _with(batch, pa.ListArray.from_arrays(made.offsets, made.values.view(pa.int64())))


def near(fingerprint, queries, k, batches):
    """The rows that are near a query, each once for each query, with that query and the distance."""
    held = _held(queries, k)
    for batch in batches:
        passing = batch.column(fingerprint).fill_null(0).to_numpy(zero_copy_only=False).view("uint64")
        rows, queries_near, distances = held.search(passing)
        found = batch.take(pa.array(rows.view("int64")))
        if batch.column(fingerprint).null_count:
            is_real = found.column(fingerprint).is_valid()
            found = found.filter(is_real)
            chosen = is_real.to_numpy(zero_copy_only=False)
            queries_near, distances = queries_near[chosen], distances[chosen]
        if found.num_rows:
            yield _with(found, pa.array(queries_near.view("int64")), pa.array(distances.view("int32")))


@functools.lru_cache(maxsize=2)
def _held(queries, k):
    import numpy as np

    return HeldFingerprints(np.frombuffer(queries, "<u8"), k=k)


def _with(batch, *added):
    """The batch with columns more, named by their places, as all are."""
    columns = [*batch.columns, *added]
    return pa.RecordBatch.from_arrays(columns, [f"c{place}" for place in range(len(columns))])
