"""What is given comes back: every field, every label, no row that was not there."""

import pytest

import lookalike
from conftest import edited, text

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")

A, B, C = text(1), edited(text(1), 1), text(2)


def removed_ids(found):
    return sorted(row["id"] for row in found.removed.to_pylist())


def test_fields_of_dictionaries_count_and_come_back():
    rows = [{"id": "poor", "text": A, "quality": 1, "tags": ["x"]}, {"id": "good", "text": B, "quality": 9, "tags": []}]
    for given in (rows, rows[::-1]):
        found = lookalike.dedup(given, keep="best:quality")
        assert removed_ids(found) == ["poor"]
        assert found.kept.to_arrow().to_pylist() == [{"id": "good", "text": B, "quality": 9, "tags": []}]


def test_documents_of_features():
    features = [f"feature{n}" for n in range(40)]
    rows = [{"id": "a", "f": features}, {"id": "b", "f": features[:38]}, {"id": "c", "f": ["another"]}]
    table = pa.table({"id": ["a", "b", "c"], "f": [row["f"] for row in rows]})
    for given in (rows, table):
        report = lookalike.scan(given, features_field="f")
        assert report.documents == 3 and len(report.duplicates()) == 1


@pytest.mark.parametrize(
    "column",
    [
        lambda texts: pa.array(texts),
        lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
        lambda texts: pa.array(texts).dictionary_encode(),
        lambda texts: pa.array(texts, pa.string_view()),
        lambda texts: pa.array([text.encode() for text in texts]),
        lambda texts: pd.Series(texts),
        lambda texts: pd.Series(pd.Categorical(texts), name="body"),
        lambda texts: pl.Series("q", texts),
        lambda texts: pl.Series(texts, dtype=pl.Categorical),
        lambda texts: tuple(texts),
        lambda texts: (text for text in texts),
    ],
)
def test_columns_of_texts(column):
    texts = [A, C]
    assert list(lookalike.simhash(column(texts))) == list(lookalike.simhash(texts))
    assert lookalike.sketch(column(texts)).to_pylist() == lookalike.sketch(texts).to_pylist()
    assert lookalike.scan(column(texts)).documents == 2


def test_data_sets_of_pyarrow(tmp_path):
    import pyarrow.dataset
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table({"id": ["a", "b", "c"], "text": [A, B, C]}), tmp_path / "rows.parquet")
    dataset = pyarrow.dataset.dataset(tmp_path)
    assert lookalike.scan(dataset).documents == lookalike.scan(dataset.scanner()).documents == 3
    with pytest.raises(TypeError, match=r"collect\(\)"):
        lookalike.scan(pl.DataFrame({"text": [A]}).lazy())


def reader(rows, fail_after=None):
    schema = pa.schema([("text", pa.string())])

    def batches():
        for number, row in enumerate(rows):
            if number == fail_after:
                raise ValueError("the connection was lost")
            yield pa.record_batch([pa.array([row])], schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def test_a_stream_that_fails_is_an_error(tmp_path):
    calls = [
        lambda: lookalike.scan(reader([A, B, C], 2)),
        lambda: lookalike.dedup(reader([A, B, C], 2)),
        lambda: lookalike.simhash(reader([A, B, C], 2)),
        lambda: lookalike.Index.build(tmp_path / "index", reader([A, B, C], 2)),
    ]
    for call in calls:
        with pytest.raises(lookalike.WrongInput, match="connection was lost"):
            call()
    assert not (tmp_path / "index").exists()


def test_an_iterator_raises_what_it_raises():
    def texts():
        yield A
        raise KeyError("gone")

    for call in (lookalike.simhash, lookalike.sketch, lookalike.scan, lookalike.dedup):
        with pytest.raises(KeyError, match="gone"):
            call(texts())
    with pytest.raises(TypeError, match="expected text"):
        lookalike.simhash([A, None])


def test_kept_has_the_columns_that_were_given():
    assert lookalike.dedup(reader([A, B, C])).kept.to_arrow().column_names == ["text"]
    assert lookalike.dedup([A, B, C]).kept.to_arrow().column_names == ["text"]
    assert lookalike.dedup({"a": A, "b": B}).kept.to_arrow().column_names == ["id", "text"]


def test_dictionaries_of_a_stream_may_change():
    schema = pa.schema([("text", pa.string()), ("lang", pa.dictionary(pa.int32(), pa.string()))])
    batches = [
        pa.record_batch([pa.array([text]), pa.array([lang]).dictionary_encode()], schema=schema)
        for text, lang in [(A, "de"), (B, "en"), (C, "fr")]
    ]
    kept = lookalike.dedup(pa.RecordBatchReader.from_batches(schema, batches)).kept.to_arrow()
    assert sorted(kept.column("lang").to_pylist()) in (["de", "fr"], ["en", "fr"])


@pytest.mark.parametrize("index", [None, ["x", "y", "z", "w"], range(40, 0, -10)])
def test_frames_of_pandas_keep_their_labels(index):
    frame = pd.DataFrame({"text": [A, B, C, text(3)], "v": [3, 1, 2, 4]}, index=index)
    before = frame.copy()
    kept, removed = lookalike.dedup(frame)
    # what happens to the frame afterwards does not matter
    frame.sort_values("v", ascending=False, inplace=True)
    frame.drop(index=frame.index[0], inplace=True)
    gone = [row["row"] for row in removed.to_pylist()]
    pd.testing.assert_frame_equal(kept.to_pandas(), before.drop(index=before.index[gone]), check_column_type=False)


def test_frames_of_polars_may_change():
    frame = pl.DataFrame({"text": [A, B, C], "v": [1, 2, 3]})
    kept, _ = lookalike.dedup(frame)
    frame.drop_in_place("v")
    assert kept.to_polars().columns == ["text", "v"] and kept.to_polars().height == 2


def test_ids_of_another_kind_are_refused():
    table = pa.table({"id": [[1], [2]], "text": [A, B]})
    for call in (lookalike.scan, lookalike.dedup):
        with pytest.raises(lookalike.WrongInput, match='the column "id"'):
            call(table)


def test_paths_and_a_table_are_not_mixed(jsonl):
    for data in ((jsonl, pa.table({"text": [A]})), (pa.table({"text": [A]}), jsonl)):
        with pytest.raises(TypeError, match="found both"):
            lookalike.dedup(*data)


def test_a_corpus_is_written_and_gone_on_with(jsonl, tmp_path):
    first = lookalike.dedup(jsonl, output=tmp_path / "clean", memory="64M")
    again = lookalike.dedup(jsonl, output=tmp_path / "again", resume=True)
    assert first.summary["removed"] == again.summary["removed"] > 0
    with pytest.raises(lookalike.AlreadyExists):
        lookalike.dedup(jsonl, output=tmp_path / "clean")
    assert "\x1b" not in repr(first)


def test_numbers_of_numpy_are_numbers():
    import numpy as np

    texts = {"a": A, "b": B}
    found = lookalike.scan(texts, w=np.int64(5), threshold=np.float32(0.5), threads=np.int32(1))
    assert found.json() == lookalike.scan(texts, w=5, threshold=0.5).json()
    index = lookalike.HammingIndex([1, 2**64 - 1])
    assert list(index.query([2**64 - 1])[1]) == [1]


def test_hugging_face(tmp_path):
    class DatasetDict(dict):
        pass

    class Column(list):
        pass

    # the package is large: what counts is where its classes say that they come from
    for kind in (DatasetDict, Column):
        kind.__module__ = "datasets.stub"
    with pytest.raises(TypeError, match="choose one"):
        lookalike.scan(DatasetDict(train=[A]))
    assert lookalike.scan(Column([A, B])).documents == 2

    class IterableDataset:
        features = None

        def with_format(self, _):
            raise AssertionError("its columns are not known")

        def __iter__(self):
            yield from ({"text": A}, {"text": B})

    IterableDataset.__module__ = "datasets.stub"
    assert lookalike.scan(IterableDataset()).documents == 2
