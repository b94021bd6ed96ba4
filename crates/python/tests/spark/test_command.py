"""The command for people without notebooks, on Sail."""

import pathlib

import pyarrow as pa
import pyarrow.parquet as pq
from corpus import corpus
from test_same_answer import one_machine

from lookalike.spark import __main__ as command


def test_dedup(sail_url, tmp_path, capsys):
    rows = corpus(5, 80)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    words = ["dedup", str(tmp_path / "in.parquet"), str(tmp_path / "out"), "--checkpoint", str(tmp_path / "work"), "--partitions", "2"]
    assert command.main([*words, "--remote", sail_url, "--threshold", "0.7"]) == 0
    removed = sorted(row["id"] for row in pq.read_table(tmp_path / "out" / "removed").to_pylist())
    assert removed == sorted(row[0] for row in one_machine(rows, threshold=0.7))
    kept = pq.read_table(tmp_path / "out" / "kept")
    assert kept.num_rows == len(rows) - len(removed) and set(kept.column_names) == {"id", "text", "quality"}
    assert command.main([*words[:2], str(tmp_path / "other"), *words[3:], "--remote", sail_url, "--threshold", "7"]) == 2
    assert "threshold" in capsys.readouterr().err


def test_the_program_is_a_file(capsys):
    assert command.main(["where"]) == 0
    assert pathlib.Path(capsys.readouterr().out.strip()).name == "__main__.py"


def test_plan(capsys):
    from lookalike import spark

    assert command.main(["plan", "--documents", "1e9", "--bytes", "5e12", "--fingerprints", "8e9"]) == 0
    told = capsys.readouterr().out
    assert "1,000,000,000 documents" in told and "8,000,000,000 fingerprints" in told and "core hours" in told
    small, large = spark.plan(1e6), spark.plan(1e10, 5e13)
    assert small.one_machine_is_enough and not large.one_machine_is_enough
    # twice as much takes twice as long
    assert round(spark.plan(2e10, 1e14).executor_hours / large.executor_hours, 6) == 2
