"""dedup: the table that stays, and why the rest went."""

import datetime
import decimal
import json
import os
import signal
import subprocess
import sys

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


DAY = datetime.date(2026, 1, 1)
IDS = {
    "int64": lambda n: n * 3,
    "uint8": lambda n: n,
    "float64": lambda n: n / 8,
    "date32": lambda n: DAY + datetime.timedelta(n),
    "timestamp[us]": lambda n: datetime.datetime(2026, 1, 1, microsecond=n),
    "decimal128(20, 3)": lambda n: decimal.Decimal(n) / 8,
    "string": lambda n: f"page {n}",
    "large_string": lambda n: f"page {n}",
    "dictionary": lambda n: f"page {n}",
    "bool_": lambda n: n % 2 == 0,
}


def typed(documents, kind):
    made = [IDS[kind](n) for n in range(len(documents))]
    types = {"dictionary": lambda: pa.dictionary(pa.int32(), pa.string()), "decimal128(20, 3)": lambda: pa.decimal128(20, 3)}
    plain = {"timestamp[us]": lambda: pa.timestamp("us")}
    type_of = (types | plain).get(kind) or getattr(pa, kind)
    return pa.table({"id": pa.array(made).cast(type_of()) if kind != "dictionary" else pa.array(made).dictionary_encode(), "text": list(documents.values())})


@pytest.mark.parametrize("kind", IDS)
def test_ids_keep_their_type(documents, kind):
    table = typed(documents, kind)
    for given in (table, table.to_reader(max_chunksize=7)):
        removed = lookalike.dedup(given).removed
        arrow = removed.to_arrow()
        assert [arrow.schema.field(name).type for name in ("id", "duplicate_of")] == [table.schema.field("id").type] * 2
        ids = table["id"].to_pylist()
        for row in removed.to_pylist():
            assert row["id"] == ids[row["row"]] and row["duplicate_of"] == ids[row["duplicate_of_row"]]
        assert len(removed) == 40


def test_rows_are_found_again_by_their_ids(documents):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": range(100, 160), "text": list(documents.values())})
    kept, removed = lookalike.dedup(frame)
    stays = frame[~frame.id.isin(removed.to_pandas().id)]
    assert len(stays) == 20 and stays.id.tolist() == kept.to_pandas().id.tolist()
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"id": range(100, 160), "text": list(documents.values())})
    kept, removed = lookalike.dedup(frame)
    stays = frame.join(removed.to_polars(), on="id", how="anti")
    assert stays.height == 20 and stays["id"].to_list() == kept.to_polars()["id"].to_list()


def test_ids_of_lists_keep_their_type(documents):
    texts = list(documents.values())
    by_number = lookalike.dedup({n * 10: text for n, text in enumerate(texts)})
    assert all(row["id"] == row["row"] * 10 for row in by_number.removed.to_pylist())
    assert by_number.kept.to_arrow()["id"].type == pa.int64()
    # without ids, and with both kinds
    assert all(row["id"] == row["row"] for row in lookalike.dedup(texts).removed.to_pylist())
    both = lookalike.dedup([(n if n % 2 else f"page {n}", text) for n, text in enumerate(texts)])
    assert all(row["id"] == (str(row["row"]) if row["row"] % 2 else f"page {row['row']}") for row in both.removed.to_pylist())
    many = [(n, f"text number {n}") for n in range(5000)] + [("page", "text")]
    with pytest.raises(TypeError, match="document 5000: expected an id that is an integer"):
        lookalike.dedup(many)


def test_ids_in_structs_and_ids_that_are_null(documents):
    texts = list(documents.values())
    meta = pa.array([None if n == 59 else {"number": None if n == 1 else n} for n in range(60)], pa.struct([("number", pa.int16())]))
    removed = lookalike.dedup(pa.table({"meta": meta, "text": texts}), id="meta.number").removed
    assert removed.to_arrow().schema.field("id").type == pa.int16()
    for row in removed.to_pylist():
        assert row["id"] == (None if row["row"] in (1, 59) else row["row"])


def test_ids_of_an_index_are_text(documents, tmp_path):
    lookalike.Index.build(tmp_path / "index", {"known": next(iter(documents.values()))}, w=5, boilerplate="keep").close()
    table = pa.table({"id": list(range(60)), "text": list(documents.values())})
    removed = lookalike.dedup(table, against=tmp_path / "index").removed.to_arrow()
    assert (removed.schema.field("id").type, removed.schema.field("duplicate_of").type) == (pa.int64(), pa.string())
    assert "known" in removed["duplicate_of"].to_pylist()


ENDLESS = """
import itertools, pyarrow, lookalike, sys
schema = pyarrow.schema([("text", pyarrow.string())])
def batches():
    for n in itertools.count():
        yield pyarrow.record_batch([[f"endless words {n} " * 2000] * 10], schema=schema)
        if n == 100:
            print("running", flush=True)
lookalike.dedup(pyarrow.RecordBatchReader.from_batches(schema, batches()), tmp=sys.argv[1])
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_no_signal_leaves_a_spill_file(tmp_path, name):
    child = subprocess.Popen([sys.executable, "-c", ENDLESS, str(tmp_path)], stdout=subprocess.PIPE)
    assert child.stdout.readline() == b"running\n"
    child.send_signal(getattr(signal, name))
    child.communicate(timeout=60)
    assert os.listdir(tmp_path) == []
