"""An index that is served, asked with the calls of an index."""

import os
import re
import subprocess

import pytest

import lookalike

LOOKALIKE = os.environ.get("LOOKALIKE")
pytestmark = pytest.mark.skipif(LOOKALIKE is None, reason="LOOKALIKE does not name the command")


@pytest.fixture
def served(tmp_path):
    """Serves folders; gives the URL."""
    servers = []

    def serve(*folders, tokens=None):
        flags = []
        if tokens is not None:
            file = tmp_path / "tokens"
            file.write_text(tokens)
            file.chmod(0o600)
            flags = ["--token-file", file]
        server = subprocess.Popen(
            [LOOKALIKE, "serve", *folders, "--listen", "127.0.0.1:0", *flags], stderr=subprocess.PIPE, text=True
        )
        servers.append(server)
        for line in server.stderr:
            if found := re.search(r"http://\S+", line):
                return found.group().rstrip("/")
        raise AssertionError("the server did not start")

    yield serve
    for server in servers:
        server.terminate()
        assert server.wait(30) == 0
        server.stderr.close()


def test_a_served_index_answers_as_the_index_does(documents, served, tmp_path):
    path = tmp_path / "pages.index"
    some = dict(list(documents.items())[:30])
    lookalike.Index.build(path, some, sweep="2026-01-01").close()
    local = lookalike.Index(path)
    with lookalike.connect(served(path)) as index:
        assert index.query(documents["near-3"]) == local.query(documents["near-3"])
        assert index.query(url="original-3", limit=1) == local.query(url="original-3", limit=1)
        assert index.holders(documents["original-0"])["holders"] == local.holders(documents["original-0"])["holders"]
        rest = {id: text for id, text in documents.items() if id not in some}
        assert index.add(rest, sweep="2026-02-01") == {"read": 30}
        assert index.query(documents["near-19"])["matches"], "what was added is seen at once"
        again = lookalike.Index(path)
        many = {"a": documents["near-1"], "b": "nothing of the kind is in there, or is it"}
        assert index.query_many(many, limit=20) == again.query_many(many)
        assert index.query_many(list(many.values()))[0]["matches"] == index.query_many(many)[0]["matches"]
        assert index.lost("original-0") == again.lost("original-0")
        assert index.changes() == again.changes()
        assert index.info()["info"] == again.info()
        assert index.remove(["original-3"], sweep="2026-02-01") == {"removed": 1}
        assert index.remove([]) == {"removed": 0}
        assert index.document("copy-3")["history"]
        with pytest.raises(lookalike.NotFound, match="no-such-page"):
            index.document("no-such-page")
        index.add([("a/b?c#d%ü", documents["near-0"])])
        assert index.document("a/b?c#d%ü")["history"]


def test_bytes_are_asked_of_a_served_index_of_chunks(served, tmp_path):
    image = bytes(range(256)) * 40 + b"an end of its own" * 500
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "image.raw").write_bytes(image)
    own = lookalike.Index.build(tmp_path / "kept", tmp_path / "files", lens="chunks")
    with lookalike.connect(served(tmp_path / "kept")) as index:
        newer = image + b"\x00\xff and more"
        assert index.query(newer) == own.query(newer)
        assert index.query(newer)["matches"] and not index.query(newer, min_shared=10**9)["matches"]


def test_a_store_says_what_is_new_once(served, tmp_path):
    store = tmp_path / "seen"
    subprocess.run([LOOKALIKE, "simhash", "online", store], stdin=subprocess.DEVNULL, check=True, capture_output=True)
    with lookalike.connect(served(store), index="seen") as seen:
        page = "a page about roses and lilies, with words enough to have a fingerprint of its own"
        assert seen.check(page)["new"]
        first = seen.check_and_insert("https://a.example/", page)
        assert first["new"]
        assert seen.check_and_insert("https://b.example/", page)["matches"][0]["id"] == "https://a.example/"
        assert not seen.check(fingerprint=int(first["fingerprint"], 16))["new"]
        other = "another page that only one crawl has seen so far, and nobody else knows of it"
        assert seen.check_and_insert("https://c.example/", other, crawl="monday")["new"]
        assert seen.check(other)["new"]
        seen.commit_crawl("monday")
        assert not seen.check(other)["new"]
        with pytest.raises(lookalike.NotFound):
            seen.cancel_crawl("tuesday")


def test_what_is_wrong_is_said(documents, served, tmp_path):
    path = tmp_path / "pages.index"
    lookalike.Index.build(path, documents).close()
    url = served(path, tokens="read reader-reader-reader\nwrite writer-writer-writer\n")
    with pytest.raises(lookalike.LookalikeError, match="TOKEN"):
        lookalike.connect(url).info()
    reader = lookalike.connect(url, token="reader-reader-reader")
    assert reader.info()["info"]["documents"] == 40
    with pytest.raises(lookalike.LookalikeError):
        reader.add({"a": "b"})
    writer = lookalike.connect(url, token="writer-writer-writer")
    with pytest.raises(lookalike.WrongInput, match="ids"):
        writer.add(["a text without a name"])
    with pytest.raises(lookalike.WrongInput, match="path or text"):
        writer.add("somewhere/")
    with pytest.raises(lookalike.WrongInput, match="date"):
        writer.add({"a": "b"}, sweep="yesterday")
    with pytest.raises(lookalike.NotFound, match="other"):
        lookalike.connect(url, index="other", token="reader-reader-reader").info()
    with pytest.raises(lookalike.WrongInput, match="http"):
        lookalike.connect("localhost:7777")
    with pytest.raises(lookalike.LookalikeError, match="cannot be reached|does not answer"):
        lookalike.connect("http://127.0.0.1:9").info()
