"""run_python.py PART ANSWER.json [ARGUMENT…]: what the wheel is measured by, each in a process of its own.

dedup TABLE.parquet       rows that stay of a table in memory, and the memory beside it
ours N QUERIES            HammingIndex of N random fingerprints in memory, asked on one thread: queries a CPU second, recall
faiss N QUERIES           the same of faiss IndexBinaryMultiHash
simhash CORPUS N          fingerprints of N texts on one thread: texts a CPU second
theirs CORPUS N           the same of PyPI simhash, on word 5-grams: one text of a hundred of those
"""

import itertools
import json
import resource
import sys
import time

K = 3
SEED = 7


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def dedup(table):
    import pyarrow.parquet as pq

    import lookalike

    data = pq.read_table(table)
    # the memory that reading took is the table's
    before = peak()
    kept, removed = lookalike.dedup(data, progress=False)
    rows = kept.to_arrow().num_rows
    return {"kept": rows, "removed": len(removed), "beside": peak() - before}


def fingerprints(count, queries):
    import numpy as np

    rng = np.random.default_rng(SEED)
    all = rng.integers(0, 2**64, count, dtype=np.uint64, endpoint=False)
    place = rng.integers(0, count, queries)
    asked = all[place].copy()
    for _ in range(K):
        asked ^= np.uint64(1) << rng.integers(0, 64, queries, dtype=np.uint64)
    return all, asked, place


def ours(count, queries):
    import lookalike

    all, asked, place = fingerprints(int(count), int(queries))
    begin = time.process_time()
    index = lookalike.HammingIndex(all, k=K)
    built = time.process_time() - begin
    index.query(asked[:1000], threads=1)
    begin = time.process_time()
    at, ids, _ = index.query(asked, threads=1)
    took = time.process_time() - begin
    found = set(at[ids == place[at]].tolist())
    return {"build": built, "rate": len(asked) / took, "recall": len(found) / len(asked)}


def faiss(count, queries):
    import faiss
    import numpy as np

    faiss.omp_set_num_threads(1)
    all, asked, place = fingerprints(int(count), int(queries))
    index = faiss.IndexBinaryMultiHash(64, 4, 16)
    begin = time.process_time()
    index.add(all.view(np.uint8).reshape(-1, 8))
    built = time.process_time() - begin
    asked = asked.view(np.uint8).reshape(-1, 8)
    index.range_search(asked[:10], K + 1)
    begin = time.process_time()
    limits, _, ids = index.range_search(asked, K + 1)
    took = time.process_time() - begin
    found = sum(place[at] in ids[limits[at] : limits[at + 1]] for at in range(len(asked)))
    return {"build": built, "rate": len(asked) / took, "recall": found / len(asked)}


def texts(corpus, count, step=1):
    with open(corpus, "rb") as lines:
        return [json.loads(line)["text"] for line in itertools.islice(lines, 0, int(count), step)]


def simhash(corpus, count):
    import lookalike

    some = texts(corpus, count)
    begin = time.process_time()
    lookalike.simhash(some, threads=1)
    return {"rate": len(some) / (time.process_time() - begin)}


def theirs(corpus, count):
    from common import ngrams
    from simhash import Simhash

    some = texts(corpus, count, 100)
    begin = time.process_time()
    for text in some:
        Simhash(ngrams(text)).value
    return {"rate": len(some) / (time.process_time() - begin)}


part, answer, *arguments = sys.argv[1:]
found = {"dedup": dedup, "ours": ours, "faiss": faiss, "simhash": simhash, "theirs": theirs}[part](*arguments)
with open(answer, "w") as out:
    json.dump(found, out)
