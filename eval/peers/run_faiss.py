"""FAISS IndexBinaryMultiHash, four blocks of sixteen bits: all fingerprints within three bits of each query, one thread.

Fingerprints and queries are raw little-endian words of 64 bits. The answers are lines of query, row and distance; what it
took is one JSON object in a file of its own.
"""

import json
import resource
import sys
import time

import faiss
import numpy


def peak() -> int:
    """The most memory so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    if len(sys.argv) != 6:
        sys.exit(f"usage: {sys.argv[0]} FINGERPRINTS.u64 QUERIES.u64 COUNT ANSWERS.tsv TOOK.json")
    faiss.omp_set_num_threads(1)
    queries = numpy.fromfile(sys.argv[2], dtype=numpy.uint8, count=8 * int(sys.argv[3])).reshape(-1, 8)
    before = peak()
    begun = time.process_time()
    index = faiss.IndexBinaryMultiHash(64, 4, 16)
    with open(sys.argv[1], "rb") as fingerprints:
        while part := fingerprints.read(8_000_000):
            index.add(numpy.frombuffer(part, dtype=numpy.uint8).reshape(-1, 8))
    built = time.process_time()
    bytes_each = (peak() - before) / index.ntotal
    # "less than the radius"
    limits, distances, rows = index.range_search(queries, 4)
    asked = time.process_time()
    with open(sys.argv[4], "w", encoding="utf-8") as out:
        for query in range(len(queries)):
            for at in range(limits[query], limits[query + 1]):
                out.write(f"{query}\t{rows[at]}\t{int(distances[at])}\n")
    took = {
        "build_cpu": built - begun,
        "bytes_each": bytes_each,
        "questions_cpu_second": len(queries) / (asked - built),
    }
    with open(sys.argv[5], "w", encoding="utf-8") as out:
        json.dump(took, out)


main()
