"""Columns of fingerprints and sketches, and joins by them, on Sail."""

import random

import pytest
from corpus import corpus

import lookalike
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


def test_ids_that_are_missing_or_repeated_collapse_too(sail):
    rows = [("a", "x"), ("a", "x"), ("b", "x"), (None, "x"), (None, "only"), (None, "twice"), (None, "twice"), ("c", None), ("c", "y")]
    found = spark.collapse_identical(sail.createDataFrame(rows, "id string, text string")).toArrow().to_pylist()
    found = sorted((str(row["id"]), str(row["text"]), row["copies"]) for row in found)
    assert found == [("None", "only", 1), ("None", "twice", 2), ("a", "x", 4), ("c", "None", 1), ("c", "y", 1)]


def test_names_of_any_characters(sail):
    rows = [{"my id": row["id"], "my `text`": row["text"], "meta": {"a b": 1, "c-d": [{"e.f": "g"}]}, "x.y": 1} for row in corpus(2, 20)]
    df = sail.createDataFrame(rows, "`my id` string, `my ``text``` string, meta struct<`a b`: int, `c-d`: array<struct<`e.f`: string>>>, `x.y` int")
    found = spark.sketch_column(spark.simhash_column(df, text="my `text`", name="a `print`"), text="my `text`").toArrow().to_pylist()
    assert sorted(found[0]) == ["a `print`", "meta", "my `text`", "my id", "sketch", "x.y"] and len(found) == 20
    assert found[0]["meta"] == {"a b": 1, "c-d": [{"e.f": "g"}]}
    assert spark.collapse_identical(df, text="my `text`", id="my id").count() == len({row["my `text`"] for row in rows})


def test_what_cannot_be_done_is_refused_before_it_runs(sail):
    texts = sail.createDataFrame(corpus(1, 5))
    prints = sail.createDataFrame([(1, 0), (2, 1)], "id int, fingerprint bigint")
    with pytest.raises(ValueError, match="'nope', found .*quality"):
        spark.simhash_column(texts, text="nope")
    with pytest.raises(ValueError, match="expected texts in the column 'quality', found bigint"):
        spark.sketch_column(texts, text="quality")
    with pytest.raises(ValueError, match="recipe"):
        spark.simhash_column(texts, recipe="nonsense")
    for call in (lambda df: spark.simhash_column(df, name="Quality"), lambda df: spark.collapse_identical(df.withColumnRenamed("quality", "copies"))):
        with pytest.raises(ValueError, match="rename it first"):
            call(texts)
    with pytest.raises(ValueError, match="'query_id'"):
        spark.hamming_join(prints.withColumnRenamed("id", "query_id"), prints)
    # two of 32 bits would be taken for one of 64
    with pytest.raises(ValueError, match="bigint in the column 'id', found int"):
        spark.hamming_join(prints, prints, fingerprint="id")
    for k in (-1, 8):
        with pytest.raises(ValueError, match="expected"):
            spark.hamming_join(prints, prints, k)
    with pytest.raises(TypeError, match="found list"):
        spark.simhash_column([1])


def test_no_queries(sail):
    prints = sail.createDataFrame([(1, 0), (2, None)], "id int, fingerprint bigint")
    for queries in (prints.where("id = 3"), prints.where("id = 2")):
        assert spark.hamming_join(prints, queries).count() == 0
