"""dedup: the table that stays, and why the rest went."""

import json

import pytest

import lookalike

pa = pytest.importorskip("pyarrow")


@pytest.fixture
def table(documents):
    columns = {"id": list(documents), "text": list(documents.values()), "n": list(range(len(documents)))}
    return pa.table(columns).replace_schema_metadata({"mine": "x"})


def test_what_stays_is_as_it_was(table):
    kept, removed = lookalike.dedup(table)
    kept, removed = kept.to_arrow(), removed.to_pylist()
    assert kept.schema.equals(table.schema, check_metadata=True)
    gone = {row["row"] for row in removed}
    assert len(gone) == 40
    assert kept.column("n").to_pylist() == [n for n in range(60) if n not in gone]
    for row in removed:
        assert row["id"] == table["id"][row["row"]].as_py()
        assert row["duplicate_of"] == table["id"][row["duplicate_of_row"]].as_py()
        assert row["duplicate_of_row"] not in gone, "what stays in its place stays"
        assert row["resemblance"] >= 0.8


def test_streams_are_read_once(table):
    expected = lookalike.dedup(table).kept.to_arrow()
    result = lookalike.dedup(table.to_reader(max_chunksize=11))
    assert result.kept.to_arrow().equals(expected)
    assert result.kept.to_arrow().equals(expected), "and what stays can be read again"
    polars = pytest.importorskip("polars")
    assert lookalike.dedup(polars.from_arrow(table)).kept.to_polars().height == expected.num_rows


def test_the_command_removes_the_same(table, jsonl, tmp_path):
    on_disk = lookalike.dedup(jsonl, output=tmp_path / "out")
    in_memory = lookalike.dedup(table)
    numbers = ("documents", "removed", "kept", "classes", "clusters")
    assert {n: on_disk.summary[n] for n in numbers} == {n: in_memory.summary[n] for n in numbers}
    lines = (tmp_path / "out" / "corpus" / "documents.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == in_memory.kept.to_arrow()["id"].to_pylist()
    with pytest.raises(ValueError, match="corpus that stays is in"):
        _ = on_disk.kept


def test_keywords_are_flags(table, documents):
    first = lookalike.dedup(table, keep="first").kept.to_arrow()["id"].to_pylist()
    assert first == [id for id in documents if id.startswith("original")]
    assert len(lookalike.dedup(table, threshold=1.0).removed) == 20
    best = lookalike.dedup(table, keep="best:n").kept.to_arrow()["id"].to_pylist()
    assert best == [id for id in documents if id.startswith("near")]
    with pytest.raises(lookalike.errors.WrongInput, match='"nn" for the rank.*did you mean "n"'):
        lookalike.dedup(table, keep="best:nn")


def test_lists_and_dictionaries(documents):
    assert lookalike.dedup(list(documents.values())).kept.to_arrow().num_rows == 20
    assert lookalike.dedup(documents).kept.to_arrow().num_rows == 20
    assert "kept" in lookalike.dedup(documents)._repr_html_()
    assert len(lookalike.dedup([]).removed) == 0


def test_a_dataset_with_chosen_rows(documents):
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_dict({"id": list(documents), "text": list(documents.values())}).select(range(0, 60, 2))
    expected = lookalike.dedup(dict(list(documents.items())[::2]))
    assert lookalike.dedup(dataset).kept.to_arrow()["id"].to_pylist() == expected.kept.to_arrow()["id"].to_pylist()
