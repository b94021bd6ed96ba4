"""Columns of fingerprints and sketches, and joins by them, on Sail."""

import random

import lookalike
from corpus import corpus
from lookalike import spark


def signed(numbers):
    return [number - 2**64 if number >= 2**63 else number for number in numbers]


def test_columns(sail):
    rows = [row for row in corpus(1, 50)]
    df = sail.createDataFrame(rows).repartition(3)
    found = {row["id"]: row for row in spark.sketch_column(spark.simhash_column(df)).toArrow().to_pylist()}
    texts = [row["text"] for row in rows]
    prints, sketches = lookalike.simhash(texts), lookalike.sketch(texts).to_pylist()
    for row, fingerprint, sketch in zip(rows, prints, sketches):
        assert found[row["id"]]["simhash"] == signed([int(fingerprint)])[0]
        assert found[row["id"]]["sketch"] == signed(sketch)
        assert found[row["id"]]["quality"] == row["quality"]


def test_hamming_join(sail, monkeypatch):
    from lookalike.spark import _columns

    rng = random.Random(3)
    all = [rng.getrandbits(64) for _ in range(3000)]
    asked = [rng.choice(all) ^ sum(1 << rng.randrange(64) for _ in range(rng.randrange(5))) % 2**64 for _ in range(200)] + [all[0]] * 2
    rows = [{"fingerprint": value, "id": n} for n, value in enumerate(signed(all))] + [{"fingerprint": None, "id": -1}]
    queries = [{"fingerprint": value, "name": f"q{n}"} for n, value in enumerate(signed(asked))]
    for held in (_columns._HELD, 77):
        monkeypatch.setattr(_columns, "_HELD", held)
        found = spark.hamming_join(sail.createDataFrame(rows).repartition(3), sail.createDataFrame(queries), 3)
        found = sorted((row["id"], row["query_name"], row["distance"]) for row in found.toArrow().to_pylist())
        near = ((n, f"q{q}", (a ^ b).bit_count()) for n, a in enumerate(all) for q, b in enumerate(asked))
        assert found == sorted(pair for pair in near if pair[2] <= 3)


def test_collapse_identical(sail):
    rows = [{"id": "b", "text": "x"}, {"id": "a", "text": "x"}, {"id": "c", "text": "y"}, {"id": "d", "text": None}, {"id": "e", "text": None}]
    found = spark.collapse_identical(sail.createDataFrame(rows)).toArrow().to_pylist()
    assert sorted((row["id"], row["copies"]) for row in found) == [("a", 2), ("c", 1), ("d", 1), ("e", 1)]
