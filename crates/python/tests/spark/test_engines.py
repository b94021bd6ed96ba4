"""The same on Spark itself, behind Connect and on a cluster that loses a worker."""

import threading
import time

import pytest
from corpus import chain, corpus
from test_same_answer import frame, many, one_machine

from lookalike import spark


@pytest.mark.parametrize("engine", ["spark_connect", "spark_standalone"])
def test_removals(engine, request, tmp_path):
    session = request.getfixturevalue(engine)
    rows = corpus(3, 400) + chain(2, 20)
    found = spark.dedup(frame(session, rows), checkpoint=tmp_path, partitions=3, max_df=20)
    assert many(found) == one_machine(rows, max_df=20)
    assert found.kept.count() == len(rows) - found.removed.count()


def test_columns(spark_standalone):
    rows = [{"id": n, "text": row["text"]} for n, row in enumerate(corpus(4, 30))]
    df = spark.sketch_column(spark.simhash_column(spark_standalone.createDataFrame(rows)))
    near = spark.hamming_join(df, df.select("simhash"), 0, fingerprint="simhash").toArrow().to_pylist()
    assert {row["id"] for row in near} == set(range(30))
    assert spark.collapse_identical(df).count() == len({row["text"] for row in rows})


@pytest.mark.parametrize("after", ["sketch", "duplicates", "pairs"])
def test_a_worker_is_killed(spark_standalone, standalone, tmp_path, after):
    rows = corpus(6, 300)
    answers = []

    def run():
        answers.append(many(spark.dedup(frame(spark_standalone, rows), checkpoint=tmp_path, partitions=3)))

    thread = threading.Thread(target=run)
    thread.start()
    deadline = time.monotonic() + 120
    while not list(tmp_path.glob(f"run-*/{after}/_SUCCESS")) and time.monotonic() < deadline:
        time.sleep(0.01)
    # in the middle of the step after that, with what it had shuffled
    standalone.kill_worker(0)
    standalone.start_worker()
    thread.join(240)
    assert answers == [one_machine(rows)]
