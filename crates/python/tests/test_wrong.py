"""Wrong calls: the right exception, and a message that says what to do. No panic reaches Python."""

import pathlib

import pytest

import lookalike
from lookalike import DamagedFile, LookalikeError, NotFound, RecipeMismatch, WrongInput, WrongOption

np = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")
GOOD = ["one two three four five six seven eight nine ten eleven", "another text of more than ten words is in this place here"]
TABLE = pa.table({"text": GOOD})

WITHOUT_FOLDER = [
    # what is read
    (lambda: lookalike.scan(), TypeError, "nothing to read"),
    (lambda: lookalike.dedup(), TypeError, "nothing to read"),
    (lambda: lookalike.copies(), TypeError, "nothing to read"),
    (lambda: lookalike.scan(None), TypeError, "expected paths"),
    (lambda: lookalike.scan(1), TypeError, "expected paths"),
    (lambda: lookalike.scan(1.5), TypeError, "expected paths"),
    (lambda: lookalike.scan(b"bytes"), TypeError, "put texts into a list"),
    (lambda: lookalike.scan(object()), TypeError, "expected paths"),
    (lambda: lookalike.scan(len), TypeError, "expected paths"),
    (lambda: lookalike.scan([None]), TypeError, "document 0: expected text"),
    (lambda: lookalike.scan([*GOOD, None]), TypeError, "document 2: expected text"),
    (lambda: lookalike.scan([*GOOD, 3]), TypeError, "document 2: expected text"),
    (lambda: lookalike.scan([["a", "b"]]), TypeError, "document 0: expected text"),
    (lambda: lookalike.scan([("a", "b", "c")]), ValueError, r"\(id, text\)"),
    (lambda: lookalike.scan([()]), ValueError, r"\(id, text\)"),
    (lambda: lookalike.scan([("a", None)]), TypeError, "expected text"),
    (lambda: lookalike.scan([(None, "a")]), TypeError, "expected an id"),
    (lambda: lookalike.scan([(1.5, "a")]), TypeError, "expected an id"),
    (lambda: lookalike.scan({"a": None}), TypeError, "expected text"),
    (lambda: lookalike.scan({1.5: "a"}), TypeError, "expected an id"),
    (lambda: lookalike.scan([{"body": "a"}]), ValueError, "text="),
    (lambda: lookalike.scan([{"text": None}]), TypeError, "expected text"),
    (lambda: lookalike.scan(["a \ud800 b"]), ValueError, "surrogate"),
    (lambda: lookalike.scan({"\udfff": "a"}), ValueError, "surrogate"),
    (lambda: lookalike.scan([b"\xff\xfe"]), ValueError, "decode"),
    (lambda: lookalike.scan([bytearray(b"\xff")]), ValueError, "decode"),
    (lambda: lookalike.scan(GOOD, GOOD), TypeError, "put them together"),
    (lambda: lookalike.scan("/no/such/folder/at/all"), NotFound, "/no/such/folder"),
    (lambda: lookalike.scan(pathlib.Path("/no/such")), NotFound, "/no/such"),
    (lambda: lookalike.scan("/no/such/*.jsonl"), (NotFound, WrongInput), "/no/such"),
    (lambda: lookalike.dedup("/no/such"), NotFound, "/no/such"),
    (lambda: lookalike.copies("/no/such"), NotFound, "/no/such"),
    (lambda: lookalike.scan(pa.table({"id": [1]})), WrongInput, "text"),
    (lambda: lookalike.scan(TABLE, text="body"), WrongInput, "body"),
    (lambda: lookalike.scan(TABLE, id="url"), WrongInput, "url"),
    (lambda: lookalike.dedup(TABLE, text="body"), WrongInput, "body"),
    (lambda: lookalike.scan(pa.table({"text": [1, 2]})), WrongInput, "found Int64"),
    (lambda: lookalike.scan(pa.table({"text": [[1], [2]]})), WrongInput, "expected text"),
    (lambda: lookalike.dedup(TABLE, "/tmp"), TypeError, "found both"),
    (lambda: lookalike.dedup(TABLE, output="/tmp/x"), TypeError, "write_table"),
    # keywords
    (lambda: lookalike.scan(GOOD, treshold=0.5), TypeError, "threshold"),
    (lambda: lookalike.scan(GOOD, json=True), TypeError, "takes no"),
    (lambda: lookalike.scan(GOOD, output="x"), TypeError, "takes no"),
    (lambda: lookalike.scan(GOOD, quiet=True), TypeError, "takes no"),
    (lambda: lookalike.scan(GOOD, **{"max-df": 3, "no": 1}), TypeError, "takes no"),
    (lambda: lookalike.scan(GOOD, threshold=2), WrongOption, "threshold"),
    (lambda: lookalike.scan(GOOD, threshold=-1), WrongOption, "threshold"),
    (lambda: lookalike.scan(GOOD, threshold="high"), WrongOption, "threshold"),
    (lambda: lookalike.scan(GOOD, threshold=float("nan")), WrongOption, "threshold"),
    (lambda: lookalike.scan(GOOD, threshold=object()), TypeError, "threshold"),
    (lambda: lookalike.scan(GOOD, threshold={}), TypeError, "threshold"),
    (lambda: lookalike.scan(GOOD, threshold=[0.5, 0.6]), WrongOption, "threshold"),
    (lambda: lookalike.scan(GOOD, w=0), WrongOption, "w"),
    (lambda: lookalike.scan(GOOD, w=1000), WrongOption, "w"),
    (lambda: lookalike.scan(GOOD, w="five"), WrongOption, "w"),
    (lambda: lookalike.scan(GOOD, memory="much"), WrongOption, "memory"),
    (lambda: lookalike.scan(GOOD, memory=1), WrongOption, "memory"),
    (lambda: lookalike.scan(GOOD, threads=-1), WrongOption, "threads"),
    (lambda: lookalike.scan(GOOD, tmp="/no/such/folder"), LookalikeError, "/no/such/folder"),
    (lambda: lookalike.scan(GOOD, lens="glasses"), WrongOption, "lens"),
    (lambda: lookalike.scan(GOOD, lens="simhash", sketch="min:84"), WrongOption, "sketch"),
    (lambda: lookalike.scan(GOOD, distance=3), WrongOption, "distance"),
    (lambda: lookalike.scan(GOOD, linkage="triple"), WrongOption, "linkage"),
    (lambda: lookalike.scan(GOOD, sketch="lots"), WrongOption, "sketch"),
    (lambda: lookalike.scan(GOOD, keep=["first", "longest"]), LookalikeError, "keep"),
    (lambda: lookalike.scan(GOOD, candidates="super", contained=0.9), LookalikeError, "contain"),
    (lambda: lookalike.scan(GOOD, text=3), TypeError, "name of a column"),
    (lambda: lookalike.scan(GOOD, id=None, text=["a"]), TypeError, "name of a column"),
    (lambda: lookalike.scan(GOOD, key="a\0b"), ValueError, "NUL"),
    (lambda: lookalike.scan(GOOD, against="/no/such.index"), NotFound, "/no/such.index"),
    (lambda: lookalike.scan(GOOD, decisions="/no/such.json"), LookalikeError, "/no/such.json"),
    (lambda: lookalike.scan(GOOD, progress=3), TypeError, "progress: expected a function"),
    (lambda: lookalike.scan(GOOD, progress="yes"), TypeError, "progress: expected a function"),
    (lambda: lookalike.scan(GOOD, threshold=True), TypeError, "threshold: expected SHARE, found True"),
    (lambda: lookalike.scan(GOOD, threads=False), TypeError, "threads: expected N, found False"),
    (lambda: lookalike.scan(GOOD, keep=[False]), TypeError, "keep: expected .*, found False"),
    (lambda: lookalike.scan(GOOD, estimate="yes"), TypeError, "estimate: expected True or False"),
    (lambda: lookalike.dedup(TABLE, keep=False), TypeError, "keep: expected .*, found False; leave it out"),
    (lambda: lookalike.dedup(TABLE, memory=False), TypeError, "memory: expected SIZE"),
    (lambda: lookalike.dedup(TABLE, resume="no"), TypeError, "resume: expected True or False"),
    (lambda: lookalike.dedup(TABLE, keep="tallest"), LookalikeError, "keep"),
    (lambda: lookalike.dedup(TABLE, like="nobody"), WrongOption, "like"),
    (lambda: lookalike.dedup(TABLE, paragraphs=True), LookalikeError, "documents"),
    (lambda: lookalike.dedup(TABLE, against="/no/such.index"), LookalikeError, "/no/such.index"),
    (lambda: lookalike.dedup(TABLE, threshold=0), WrongOption, "threshold"),
    (lambda: lookalike.recluster("/no/such/run"), LookalikeError, "/no/such/run"),
    (lambda: lookalike.recluster(3), TypeError, "str, bytes or os.PathLike"),
    (lambda: lookalike.compare("a"), TypeError, "argument"),
    (lambda: lookalike.compare("a", 3), TypeError, "b"),
    (lambda: lookalike.compare(pathlib.Path("/no/such"), pathlib.Path("/no/other")), LookalikeError, "/no/such"),
    (lambda: lookalike.compare("a", "b", w=0), WrongOption, "w"),
    # kernels
    (lambda: lookalike.simhash("a text"), TypeError, "put it into a list"),
    (lambda: lookalike.simhash(None), TypeError, "expected paths, texts"),
    (lambda: lookalike.simhash([None]), (TypeError, LookalikeError), "expected text"),
    (lambda: lookalike.simhash(["\ud800"]), (ValueError, LookalikeError), "surrogate"),
    (lambda: lookalike.simhash(GOOD, "nonsense"), ValueError, "recipe"),
    (lambda: lookalike.simhash(GOOD, lookalike.scan(GOOD).recipe), ValueError, "simhash"),
    (lambda: lookalike.sketch(GOOD, "nonsense"), ValueError, "recipe"),
    (lambda: lookalike.sketch(GOOD, threads="two"), TypeError, "threads"),
    (lambda: lookalike.simhash(pa.table({"n": [1]})), LookalikeError, "expected texts"),
    # indexes
    (lambda: lookalike.Index("/no/such.index"), NotFound, "/no/such.index"),
    (lambda: lookalike.Index(3), TypeError, "path"),
    (lambda: lookalike.HammingIndex([1.5]), TypeError, "uint64"),
    (lambda: lookalike.HammingIndex([-1]), ValueError, "negative"),
    (lambda: lookalike.HammingIndex(["a"]), TypeError, "uint64"),
    (lambda: lookalike.HammingIndex([[1, 2], [3, 4]]), ValueError, "one dimension"),
    (lambda: lookalike.HammingIndex([1], [1, 2]), TypeError, "one for each"),
    (lambda: lookalike.HammingIndex([1], k=99), WrongOption, "99"),
    (lambda: lookalike.HammingIndex([1]).query([1], 4), ValueError, "at most 3"),
    (lambda: lookalike.HammingIndex([1]).query([1.5]), TypeError, "uint64"),
    (lambda: lookalike.HammingIndex.build("/tmp/no-store", "/no/such.u64"), LookalikeError, "/no/such.u64"),
]


@pytest.mark.parametrize("at", range(len(WITHOUT_FOLDER)))
def test_a_wrong_call(at):
    call, kind, message = WITHOUT_FOLDER[at]
    with pytest.raises(kind, match=message) as raised:
        call()
    assert "panic" not in str(raised.value).lower()
    assert not isinstance(raised.value, BaseException) or isinstance(raised.value, Exception)
    assert "--" not in str(raised.value), "keywords, not flags"


def test_wrong_folders(tmp_path, documents):
    index = lookalike.Index.build(tmp_path / "index", documents)
    with pytest.raises(LookalikeError, match="index"):
        lookalike.Index.build(tmp_path / "index", documents)
    with pytest.raises(ValueError, match="one of the two"):
        index.query()
    with pytest.raises(ValueError, match="one of the two"):
        index.query("a", url="b")
    with pytest.raises(NotFound, match="nobody"):
        index.query(url="nobody")
    with pytest.raises(TypeError, match="takes no"):
        index.query("a", tresh=1)
    with pytest.raises(RecipeMismatch) as raised:
        lookalike.scan(documents, against=tmp_path / "index", w=3)
    assert raised.value.expected and raised.value.found
    with pytest.raises(RecipeMismatch):
        lookalike.Index.build(tmp_path / "secret", documents, key="a")
        lookalike.Index(tmp_path / "secret", key="b")
    index.close()
    with pytest.raises(ValueError, match="closed"):
        index.add(documents)
    for file in sorted((tmp_path / "index").rglob("*")):
        if file.is_file() and file.stat().st_size > 64:
            data = bytearray(file.read_bytes())
            data[len(data) // 2] ^= 0xFF
            file.write_bytes(data)
    with pytest.raises((DamagedFile, LookalikeError)):
        lookalike.Index(tmp_path / "index").query(documents["near-1"])
    with pytest.raises(LookalikeError, match="no input"):
        lookalike.dedup(tmp_path / "index", output=tmp_path / "new")
    (tmp_path / "out").mkdir()
    (tmp_path / "a.txt").write_text(documents["near-1"])
    with pytest.raises(LookalikeError, match="out exists"):
        lookalike.dedup(tmp_path / "a.txt", output=tmp_path / "out")
