"""Indexes of documents and of fingerprints."""

import random

import pytest

import lookalike
from conftest import text


def test_an_index_from_build_to_close(documents, tmp_path):
    path = tmp_path / "pages.index"
    some = dict(list(documents.items())[:30])
    with lookalike.Index.build(path, some, sweep="2026-01-01") as index:
        assert "shingles" in index.recipe
        found = index.query(documents["near-3"])
        assert {seen["url"] for match in found["matches"] for seen in match["seen"]} >= {"original-3", "copy-3"}
        assert index.query(url="original-3")["matches"]
        rest = {id: text for id, text in documents.items() if id not in some}
        summary = index.add(rest, sweep="2026-02-01")
        assert summary["read"] == 30
        assert index.query(documents["near-19"])["matches"], "what was added is seen at once"
        many = index.query_many({"a": documents["near-1"], "b": "nothing of the kind is in there, or is it"})
        assert [answer["query"] for answer in many] == ["a", "b"] and many[0]["matches"]
        assert index.lost("original-0")["status"]
        assert index.holders(documents["original-0"])["holders"]
        assert index.changes()
        assert index.info()["documents"] == 40
        index.remove(["original-3"], sweep="2026-02-01")
    with pytest.raises(ValueError, match="closed"):
        index.query("x")
    assert lookalike.Index(path).query(documents["near-19"])["matches"]


def test_bytes_are_asked_of_an_index_of_chunks(tmp_path):
    image = random.Random(7).randbytes(40_000)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "image.raw").write_bytes(image)
    index = lookalike.Index.build(tmp_path / "index", tmp_path / "files", lens="chunks")
    newer = image[:20_000] + b"another line" + image[20_000:]
    (found,) = index.query(newer)["matches"]
    assert found["class"] == "near" and 0.9 < found["query_share"] < 1 and found["shared_bytes"] < len(image)
    assert index.query(newer, threshold=1.0)["matches"] == []
    assert index.query(image)["known"]
    assert index.query("a text that is not there")["matches"] == []
    (tmp_path / "files" / "newer.raw").write_bytes(newer)
    assert index.add(tmp_path / "files")["added"] == 1
    assert index.query(newer)["known"]
    with pytest.raises(lookalike.LookalikeError, match="chunks, not shingles"):
        index.holders(newer)


def test_a_new_index_of_a_table_is_that_of_the_file(documents, jsonl, tmp_path):
    a = lookalike.Index.build(tmp_path / "a", jsonl).info()
    b = lookalike.Index.build(tmp_path / "b", documents).info()
    assert (a["documents"], a["recipe"]) == (b["documents"], b["recipe"])


def fingerprints(n, seed=1):
    rng = random.Random(seed)
    return [rng.getrandbits(64) for _ in range(n)]


def naive(all, queries, k):
    near = (
        (at, id, (query ^ other).bit_count()) for at, query in enumerate(queries) for id, other in enumerate(all)
    )
    return sorted(hit for hit in near if hit[2] <= k)


@pytest.mark.parametrize("on_disk", [False, True])
def test_what_is_near_is_what_a_look_at_all_finds(on_disk, tmp_path):
    np = pytest.importorskip("numpy")
    all = fingerprints(2000)
    all += [value ^ (1 << (at % 64)) ^ (1 << (at * 7 % 64)) for at, value in enumerate(all[:500])]
    queries = [value ^ 1 for value in all[::50]] + fingerprints(20, seed=2)
    if on_disk:
        index = lookalike.HammingIndex.open(tmp_path / "store", k=3)
        index.insert(np.array(all, dtype=np.uint64))
    else:
        index = lookalike.HammingIndex(np.array(all[:1500], dtype=np.uint64), k=3)
        index.insert(np.array(all[1500:], dtype=np.uint64))
    assert len(index) == 2500
    for k in range(4):
        at, ids, distances = index.query(np.array(queries, dtype=np.uint64), k)
        assert at.dtype == np.uint64 and distances.dtype == np.uint32
        found = sorted(zip(at.tolist(), ids.tolist(), distances.tolist()))
        assert found == naive(all, queries, k)
    assert len(index.query(np.array(queries[:1], dtype=np.uint64), limit=1)[0]) == 1
    index.close()
    if on_disk:
        with lookalike.HammingIndex.open(tmp_path / "store") as again:
            assert len(again) == 2500


def test_kernels(documents):
    np = pytest.importorskip("numpy")
    pa = pytest.importorskip("pyarrow")
    texts = list(documents.values())
    prints = lookalike.simhash(texts)
    assert prints.dtype == np.uint64 and prints.shape == (60,)
    assert prints[0] == prints[1] and int(prints[0] ^ prints[2]).bit_count() < 32
    assert (lookalike.simhash(pa.chunked_array([texts])) == prints).all()
    assert lookalike.simhash(["", "..."]).tolist() == [0, 0]
    polars = pytest.importorskip("polars")
    assert (lookalike.simhash(polars.Series(texts)) == prints).all()
    sketches = pa.array(lookalike.sketch(texts))
    assert sketches.type == pa.list_(pa.uint64()) and len(sketches) == 60
    assert sketches[0] == sketches[1] and sketches[0] != sketches[2]
    assert lookalike.sketch(texts).to_pylist() == sketches.to_pylist()
    assert lookalike.sketch(texts, key="k").to_pylist() != sketches.to_pylist()
    shingles = set(sketches[0].as_py()) & set(sketches[2].as_py())
    assert shingles, "near-copies share features"


def test_what_has_no_id_is_not_added(tmp_path):
    index = lookalike.Index.build(tmp_path / "index", {"a": text(1), "b": text(2)})
    for data in ([text(3)], [{"text": text(3)}], pytest.importorskip("pyarrow").table({"text": [text(3)]})):
        with pytest.raises(ValueError, match="id"):
            index.add(data)
    assert index.info()["documents"] == 2


def test_what_is_added_has_the_recipe_and_the_key(tmp_path):
    index = lookalike.Index.build(tmp_path / "index", {"a": text(1)}, w=3, key="secret")
    with pytest.raises(lookalike.RecipeMismatch):
        index.add({"b": text(2)}, w=9)
    index.add({"b": text(2)})
    opened = lookalike.Index.open(tmp_path / "index", key="secret")
    opened.add({"c": text(3)})
    with pytest.raises(ValueError, match="key"):
        opened.query(text(1), key="other")
    assert opened.info()["documents"] == 3


def test_many_queries_say_where_the_texts_are(tmp_path):
    index = lookalike.Index.build(tmp_path / "index", {"a": text(1), "b": text(2)})
    rows = [{"body": text(1), "name": "x"}, {"body": text(9), "name": "y"}]
    answers = index.query_many(rows, text="body", id="name", threads=1)
    assert [answer["query"] for answer in answers] == ["x", "y"]
    assert [len(answer["matches"]) for answer in answers] == [1, 0]


def test_fingerprints_of_a_file_in_memory(tmp_path):
    import numpy as np

    some = lookalike.simhash([text(n) for n in range(50)])
    np.save(tmp_path / "some.npy", some)
    (tmp_path / "some.txt").write_text("".join(f"{fingerprint:016x}\n" for fingerprint in some))
    for name in ("some.npy", "some.txt"):
        index = lookalike.HammingIndex.read(tmp_path / name)
        assert len(index) == 50 and list(index.query(some, 0)[1]) == list(range(50))
    with pytest.raises(lookalike.NotFound):
        lookalike.HammingIndex.read(tmp_path / "nothing.txt")


def test_numbers_never_meet_ids():
    numbered = lookalike.HammingIndex([1, 2])
    numbered.insert([4])
    assert list(numbered.query([4], 0)[1]) == [2]
    named = lookalike.HammingIndex([1, 2], [5, 2])
    with pytest.raises(ValueError, match="ids"):
        named.insert([4])
