"""Scans: whatever documents come in as, the answer is the command's."""

import json
import os
import pathlib
import subprocess

import pytest

import lookalike

LOOKALIKE = os.environ.get("LOOKALIKE")


def answer(report):
    """What does not depend on how the documents are called where they come from."""
    found = report.to_dict()
    return {name: found[name] for name in ("clusters", "summary")}


def test_every_kind_of_input_gives_the_same_answer(documents, jsonl):
    pa = pytest.importorskip("pyarrow")
    pl = pytest.importorskip("polars")
    pd = pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    expected = answer(lookalike.scan(jsonl))
    assert len(expected["clusters"]) == 20
    table = pa.table({"id": list(documents), "text": list(documents.values())})
    rows = [{"id": id, "text": text} for id, text in documents.items()]
    relation = duckdb.connect().from_arrow(table)
    for data in [
        str(jsonl),
        documents,
        list(documents.items()),
        rows,
        iter(rows),
        (row for row in rows),
        table,
        table.to_reader(max_chunksize=7),
        pl.DataFrame(rows),
        pd.DataFrame(rows),
        relation,
    ]:
        assert answer(lookalike.scan(data)) == expected, type(data)


def test_columns_are_named(documents):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"url": list(documents), "body": list(documents.values()), "n": list(range(len(documents)))})
    report = lookalike.scan(table, text="body", id="url")
    assert len(report.duplicates()) == 40
    rows = [{"url": id, "body": text} for id, text in documents.items()]
    assert lookalike.scan(rows, text="body", id="url").json() != "" and len(lookalike.scan(rows, text="body").clusters) == 60


@pytest.mark.skipif(LOOKALIKE is None, reason="LOOKALIKE does not name the command")
@pytest.mark.parametrize(
    ("keywords", "flags"),
    [
        ({}, []),
        ({"w": 5, "threshold": 0.7}, ["-w", "5", "--threshold", "0.7"]),
        ({"estimate": True, "key": "secret"}, ["--estimate", "--key", "secret"]),
        ({"lens": "simhash", "verify": True}, ["--lens", "simhash", "--verify"]),
        ({"linkage": "single", "boilerplate": "keep", "memory": "64M", "threads": 1}, ["--linkage", "single", "--boilerplate", "keep", "--memory", "64M", "-j", "1"]),
    ],
)
def test_json_is_that_of_the_command(jsonl, keywords, flags):
    told = subprocess.run([LOOKALIKE, "scan", str(jsonl), "--json", "-q", *flags], capture_output=True, text=True, check=True)
    assert lookalike.scan(jsonl, **keywords).json() == told.stdout


def test_tables_of_a_report(documents):
    report = lookalike.scan(documents, pairs=True)
    duplicates = report.duplicates().to_pylist()
    assert {row["duplicate_of"].partition("-")[0] for row in duplicates} <= {"original", "copy", "near"}
    assert {row["class"] for row in duplicates} == {"identical", "near"}
    pairs = report.pairs().to_pylist()
    assert len(pairs) == 60 and all(0.5 <= pair["resemblance"] <= 1 for pair in pairs)
    assert report.documents == 60 and "shingles" in report.recipe
    clusters = report.clusters.to_arrow()
    assert clusters.num_rows == 60 and clusters.column_names[0] == "cluster"
    assert report.clusters.to_pandas().shape[0] == 60 and report.clusters.to_polars().height == 60
    assert len(report.clusters) == 60


def test_nulls_and_short_texts_are_told(documents):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"text": [*documents.values(), None, "", "two words"]})
    report = lookalike.scan(table)
    skipped = report.skipped.to_pylist()
    assert {row["id"] for row in skipped} >= {"60", "61"}, skipped


def test_a_page_and_a_saved_run(documents, tmp_path):
    report = lookalike.scan(documents, pairs=True)
    report.html(tmp_path / "page.html")
    assert "<html" in (tmp_path / "page.html").read_text()
    report.save(tmp_path / "run")
    again = lookalike.recluster(tmp_path / "run", threshold=1.0)
    assert len(again.duplicates()) == 20
    with pytest.raises(ValueError, match="scan them again"):
        again.pairs()


def test_notebooks_show_hostile_names_as_text(documents):
    hostile = {f"<script>alert({n})</script>": text for n, text in enumerate(list(documents.values())[:3])}
    shown = lookalike.scan(hostile)._repr_html_()
    assert "<script>" not in shown and "&lt;script&gt;" in shown
    assert "svg" in shown


def test_copies(tmp_path):
    body = "\n".join(f"def function_{n}(a, b):\n    return a * {n} + b\n" for n in range(12))
    for name, code in [("ann", body), ("bob", body.replace("a", "x")), ("cy", "print('other')\n" * 40)]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.py").write_text(code)
    report = lookalike.copies(tmp_path, per_folder=True)
    pairs = report.pairs().to_pylist()
    assert {pairs[0]["a"], pairs[0]["b"]} == {"ann", "bob"} and pairs[0]["similarity"] > 0.5
    assert "submissions" in repr(report)


def test_compare():
    a = "one two three four five six seven eight nine ten eleven twelve"
    found = lookalike.compare(a, a + " thirteen", w=3)
    assert found["class"] == "near" and 0.8 < found["resemblance"] < 1
    assert lookalike.compare(a, a)["class"] == "identical"
    assert found["relation"] == "version" and found["sentence"].startswith("One is an updated version")
    assert found["evidence"]["alignment"]["letters"][1] > found["evidence"]["alignment"]["letters"][0]
    alone = lookalike.compare(a, a + " thirteen", w=3, lens="shingles")
    assert "relation" not in alone and alone["resemblance"] == found["resemblance"]
    assert lookalike.compare(a, a, lens="simhash")["distance"] == 0


def test_paths_are_read(tmp_path):
    (tmp_path / "a.txt").write_text("one two three four five six seven eight nine ten")
    (tmp_path / "b.txt").write_text("one two three four five six seven eight nine ten")
    found = lookalike.compare(tmp_path / "a.txt", tmp_path / "b.txt")
    assert found["class"] == "identical"
    assert len(lookalike.scan(str(tmp_path / "*.txt")).duplicates()) == 1
    assert len(lookalike.scan(tmp_path / "a.txt", tmp_path / "b.txt").duplicates()) == 1
    assert json.loads(lookalike.scan(pathlib.Path(tmp_path)).json())["documents"] == 2
