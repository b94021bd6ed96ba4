"""The command for people without notebooks, on Sail."""

import pathlib
import subprocess
import sys

import engines
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus import corpus
from test_same_answer import one_machine

from lookalike.spark import __main__ as command


def test_dedup(sail_url, tmp_path, capsys):
    rows = corpus(5, 80)
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "in.parquet")
    words = ["dedup", str(tmp_path / "in.parquet"), str(tmp_path / "out"), "--checkpoint", str(tmp_path / "work"), "--partitions", "2"]
    assert command.main([*words, "--remote", sail_url, "--threshold", "0.7"]) == 0
    [run] = (tmp_path / "work").iterdir()
    removed = sorted(row["id"] for row in pq.read_table(tmp_path / "out" / "removed").to_pylist())
    assert removed == sorted(row[0] for row in one_machine(rows, threshold=0.7))
    kept = pq.read_table(tmp_path / "out" / "kept")
    assert kept.num_rows == len(rows) - len(removed) and set(kept.column_names) == {"id", "text", "quality"}
    assert command.main([*words[:2], str(tmp_path / "other"), *words[3:], "--remote", sail_url, "--threshold", "7"]) == 2
    told = capsys.readouterr()
    assert f"{len(removed)} rows removed" in told.out and f"{run} can be removed" in told.out
    assert "threshold" in told.err
    # what is there already is told before the work
    assert command.main([*words, "--remote", sail_url]) == 2
    assert "kept: expected a folder that is not there yet" in capsys.readouterr().err
    assert list((tmp_path / "work").iterdir()) == [run]


def test_what_the_engine_refuses_is_told(sail_url, tmp_path, capsys):
    (tmp_path / "in.csv").write_text("id,text\n1,hello\n")
    pq.write_table(pa.Table.from_pylist(corpus(5, 5)), tmp_path / "in.parquet")
    words = [str(tmp_path / "out"), "--remote", sail_url, "--checkpoint"]
    for source, checkpoint in [("in.csv", "work"), ("none.parquet", "work"), ("in.parquet", "in.csv")]:
        assert command.main(["dedup", str(tmp_path / source), *words, str(tmp_path / checkpoint)]) == 2
        assert capsys.readouterr().err.startswith("lookalike.spark: ")
    assert command.main(["pairs", "in", "out", "--checkpoint", "work", "--remote", "nonsense"]) == 2
    assert "sc://" in capsys.readouterr().err


@pytest.mark.jvm
def test_workers_are_of_this_python(tmp_path):
    """Without a virtual environment that is active, python3 is one that has no wheel."""
    engines.java_home()
    pq.write_table(pa.Table.from_pylist(corpus(5, 20)), tmp_path / "in.parquet")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bin" / "python3").chmod(0o755)
    env = {name: value for name, value in engines.spark_env().items() if not name.startswith("PYSPARK")}
    env["PATH"] = f"{tmp_path / 'bin'}:{env['PATH']}"
    words = [str(tmp_path / "in.parquet"), str(tmp_path / "out"), "--checkpoint", str(tmp_path / "work"), "--partitions", "1", "--master", "local[1]"]
    run = subprocess.run([sys.executable, "-m", "lookalike.spark", "dedup", *words], env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert pq.read_table(tmp_path / "out" / "kept").num_rows > 0


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
    for words in ([], ["--documents", "-3"], ["--documents", "nan"], ["--bytes", "1e9"], ["--documents", "5", "--cores", "0"]):
        assert command.main(["plan", *words]) == 2
        assert "expected" in capsys.readouterr().err
