"""Clusters and removals are those of one machine, on Sail."""

import numpy
import pytest
from corpus import chain, corpus
from pyspark.sql import functions

import lookalike
from lookalike import WrongInput, spark
from lookalike.spark import _stars

COLUMNS = ["id", "duplicate_of", "class", "resemblance", "containment", "contained_by"]


def frame(session, rows, partitions=3):
    return session.createDataFrame(rows).repartition(partitions)


def one_machine(rows, **options):
    removed = lookalike.dedup(rows, progress=False, **options).removed.to_pylist()
    return sorted(tuple(row[name] for name in COLUMNS) for row in removed)


def many(found):
    return sorted(tuple(row[name] for name in COLUMNS) for row in found.removed.select(*COLUMNS).toArrow().to_pylist())


@pytest.mark.parametrize("partitions", [1, 2, 7])
@pytest.mark.parametrize("options", [{}, {"max_df": 20}, {"words": 3, "threshold": 0.6}, {"like": "fineweb", "min_words": 30}])
def test_removals(sail, tmp_path, partitions, options):
    rows = corpus(partitions, 400)
    found = spark.dedup(frame(sail, rows, partitions), checkpoint=tmp_path, partitions=partitions, **options)
    expected = one_machine(rows, **options)
    assert many(found) == expected and len(expected) > 50
    kept = {row["id"] for row in found.kept.toArrow().to_pylist()}
    assert kept == {row["id"] for row in rows} - {row[0] for row in expected}


@pytest.mark.parametrize("kind", ["bigint", "int", "double", "date", "decimal(20,3)", "string"])
def test_ids_keep_their_type(sail, tmp_path, kind):
    rows = [{**row, "id": number} for number, row in enumerate(corpus(3, 60))]
    made = "date_add(date'2026-01-01', cast(id as int))" if kind == "date" else f"cast(id as {kind})"
    df = frame(sail, rows).selectExpr(f"{made} as id", "text")
    found = spark.dedup(df, checkpoint=tmp_path, partitions=2)
    types = {name: found.removed.schema[name].dataType.simpleString() for name in ("id", "duplicate_of")}
    assert set(types.values()) == {kind} and found.malformed.schema["id"].dataType.simpleString() == kind
    removed = found.removed.count()
    assert removed > 5 and df.join(found.removed, "id").count() == removed
    assert df.join(found.removed.select("id"), "id", "left_anti").count() == len(rows) - removed == found.kept.count()


def test_ids_that_change_between_reads_are_an_error(sail, tmp_path):
    df = frame(sail, corpus(3, 60)).selectExpr("uuid() as id", "text")
    for call in (spark.dedup, spark.clusters, spark.near_duplicates):
        with pytest.raises(WrongInput, match="same ids in the column 'id' at each read.*: 60 of 60 were in no row with the same text"):
            call(df, checkpoint=tmp_path, partitions=2)


def test_ids_that_change_places_between_reads_remove_no_other_row(sail, tmp_path):
    rows = frame(sail, corpus(3, 60)).select("text").orderBy(functions.rand())
    df = rows.select(functions.monotonically_increasing_id().alias("id"), "text")
    with pytest.raises(WrongInput, match="were in no row with the same text"):
        spark.dedup(df, checkpoint=tmp_path, partitions=2)


def test_who_stays(sail, tmp_path):
    rows = corpus(5, 300)
    found = spark.dedup(frame(sail, rows), keep="best:quality", checkpoint=tmp_path, partitions=3)
    assert many(found) == one_machine(rows, keep="best:quality")


@pytest.mark.parametrize(("most", "rounds"), [(0, 8), (5, 8), (0, 0), (30, 1)])
def test_links_that_no_task_holds(sail, tmp_path, monkeypatch, most, rounds):
    monkeypatch.setattr(_stars, "MAX_LINKS_OF_A_TASK", most)
    monkeypatch.setattr(_stars, "MAX_ROUNDS", rounds)
    rows = corpus(6, 300) + chain(1, 40)
    assert many(spark.dedup(frame(sail, rows), checkpoint=tmp_path, partitions=3)) == one_machine(rows)


def test_clusters_and_pairs(sail, tmp_path):
    rows = corpus(7, 200)
    found = spark.clusters(frame(sail, rows), checkpoint=tmp_path, partitions=2).toArrow().to_pylist()
    removed = one_machine(rows)
    assert {(row["cluster"], row["id"]) for row in found if row["class"] is not None} == {(row[1], row[0]) for row in removed}
    assert {row["id"] for row in found if row["class"] is None} == {row[1] for row in removed}
    pairs = spark.near_duplicates(frame(sail, rows), checkpoint=tmp_path, partitions=2).toArrow().to_pylist()
    report = lookalike.scan(rows, w=5, threshold=0.8, boilerplate="keep", pairs=True)
    expected = {frozenset((row["a"], row["b"])): row["resemblance"] for row in report.pairs().to_pylist()}
    texts = {}
    for row in rows:
        texts.setdefault(" ".join(row["text"].split()), row["id"])
    found = {frozenset((row["a"], row["b"])): row["resemblance"] for row in pairs}
    assert found.items() <= expected.items() and found


def test_malformed_rows_are_told_and_stay(sail, tmp_path):
    rows = corpus(8, 60)
    rows += [{"id": "none", "text": None, "quality": 1}, {"id": "empty", "text": " ", "quality": 1}]
    rows += [{"id": "twice", "text": rows[0]["text"], "quality": 1}, {"id": "twice", "text": rows[1]["text"], "quality": 1}]
    found = spark.dedup(frame(sail, rows), checkpoint=tmp_path, partitions=3)
    told = {row["id"]: row["reason"] for row in found.malformed.toArrow().to_pylist()}
    assert {"none", "empty", "twice"} <= set(told)
    assert all(reason for reason in told.values())
    kept = [row["id"] for row in found.kept.toArrow().to_pylist()]
    assert kept.count("twice") == 2 and "none" in kept and "empty" in kept


def test_a_row_that_is_not_compared_does_not_go_with_its_namesake(sail, tmp_path):
    text = " ".join(f"word{n}" for n in range(100))
    rows = [("a", text), ("b", f"{text} more"), ("a", None), ("large", "very large " * 500), ("large", f"{text} again")]
    df = sail.createDataFrame(rows, "id string, text string").repartition(2)
    found = spark.dedup(df, checkpoint=tmp_path, partitions=2, max_size="4K")
    assert found.removed.count() == 0 and found.kept.count() == len(rows)
    told = [row["id"] for row in found.malformed.toArrow().to_pylist() if "another document has it too" in row["reason"]]
    assert sorted(told) == ["a", "a", "large", "large"]


def test_columns_of_any_name(sail, tmp_path):
    rows = [{**row, "packed": "x", "bucket": 1, "doc": 2, "rank": 3, "reason": "why"} for row in corpus(4, 60)]
    expected = one_machine(rows)
    for names in ({"id": "my.id", "text": "my `text`"}, {"id": "text", "text": "id"}):
        df = frame(sail, rows)
        df = df.toDF(*(names.get(name, name) for name in df.columns))
        found = spark.dedup(df, id=names["id"], text=names["text"], checkpoint=tmp_path, partitions=2)
        assert many(found) == expected and found.kept.columns == df.columns and found.kept.count() == len(rows) - len(expected)
    nested = frame(sail, rows).selectExpr("struct(id, text) as page")
    assert many(spark.dedup(nested, id="page.id", text="page.text", checkpoint=tmp_path, partitions=2)) == expected


def test_the_folder_of_a_run_is_named(sail, tmp_path):
    found = [spark.dedup(frame(sail, corpus(4, 20)), checkpoint=tmp_path, partitions=2) for _ in range(2)]
    assert sorted(run.checkpoint for run in found) == sorted(str(path) for path in tmp_path.iterdir())


def test_options_may_be_numbers_of_numpy(sail, tmp_path):
    rows, partitions = corpus(4, 60), numpy.int64(2)
    found = spark.dedup(frame(sail, rows), checkpoint=tmp_path, partitions=partitions, threshold=numpy.float64(0.7), words=numpy.int64(4))
    assert many(found) == one_machine(rows, threshold=0.7, words=4)


def test_nothing_and_little(sail, tmp_path):
    for rows in ([], corpus(4, 1)):
        df = sail.createDataFrame([tuple(row.values()) for row in rows], "id string, text string, quality long")
        found = spark.dedup(df, checkpoint=tmp_path, partitions=5)
        assert (found.kept.count(), found.removed.count()) == (len(rows), 0)


def test_one_text_very_often(sail, tmp_path):
    rows = [{"id": f"same{n}", "text": corpus(9, 3)[0]["text"] or "words " * 20, "quality": 1} for n in range(3000)] + corpus(9, 50)
    assert many(spark.dedup(frame(sail, rows, 2), checkpoint=tmp_path, partitions=2)) == one_machine(rows)


def test_a_long_chain_takes_few_rounds(sail, tmp_path):
    from lookalike.spark._components import components

    class Run:
        def __init__(self):
            self.rounds = 0

        def checkpointed(self, name, make, columns):
            self.rounds += 1
            path = str(tmp_path / name)
            make().write.parquet(path)
            return sail.read.schema(columns).parquet(path)

    run = Run()
    links = [{"a": n * 7919 % 10_007, "b": (n + 1) * 7919 % 10_007} for n in range(10_000)] + [{"a": -5, "b": -7}]
    found = components(run, sail.createDataFrame(links)).toArrow().to_pylist()
    assert len({row["component"] for row in found}) == 2 and len(found) == 10_003
    assert run.rounds < 20


def test_what_is_not_known_is_refused(sail, tmp_path):
    df = frame(sail, corpus(1, 5))
    with pytest.raises(TypeError, match="linkage"):
        spark.dedup(df, checkpoint=tmp_path, linkage="single")
    with pytest.raises(ValueError, match="best:COLUMN"):
        spark.dedup(df, checkpoint=tmp_path, keep="newest")
    with pytest.raises(ValueError, match="threshold"):
        spark.dedup(df, checkpoint=tmp_path, threshold=2)
    for name in ("text", "id"):
        with pytest.raises(ValueError, match=f"expected {name} in the column 'nope', found .*quality.*; name the column with {name}="):
            spark.dedup(df, checkpoint=tmp_path, **{name: "nope"})
    with pytest.raises(ValueError, match="'nope'.*keep="):
        spark.dedup(df, checkpoint=tmp_path, keep="best:nope")
    with pytest.raises(ValueError, match="expected texts in the column 'quality', found bigint"):
        spark.dedup(df, checkpoint=tmp_path, text="quality")
    for partitions in (0, -1, 2.5, "x"):
        with pytest.raises(ValueError, match="partitions"):
            spark.dedup(df, checkpoint=tmp_path, partitions=partitions)
    for checkpoint in ("", None):
        with pytest.raises(ValueError, match="checkpoint"):
            spark.dedup(df, checkpoint=checkpoint)
    with pytest.raises(TypeError, match="found list; lookalike.dedup"):
        spark.dedup([], checkpoint=tmp_path)
    with pytest.raises(TypeError, match="text: expected the name of a column, found Column"):
        spark.dedup(df, checkpoint=tmp_path, text=df["text"])
    assert not list(tmp_path.iterdir())
