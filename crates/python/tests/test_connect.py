"""Collections that are served, asked with the calls of an index."""

import concurrent.futures
import multiprocessing
import os
import re
import socket
import subprocess
import threading

import pytest

import lookalike

LOOKALIKE = os.environ.get("LOOKALIKE")
pytestmark = pytest.mark.skipif(LOOKALIKE is None, reason="LOOKALIKE does not name the command")


@pytest.fixture
def store(tmp_path):
    """A store of fingerprints without entries."""
    path = tmp_path / "seen"
    subprocess.run([LOOKALIKE, "simhash", "online", path], stdin=subprocess.DEVNULL, check=True, capture_output=True)
    return path


@pytest.fixture
def served(tmp_path):
    """Serves folders; gives the URL."""
    servers = []

    def serve(*folders, tokens=None, listen="127.0.0.1:0"):
        flags = []
        if tokens is not None:
            file = tmp_path / "tokens"
            file.write_text(tokens)
            file.chmod(0o600)
            flags = ["--token-file", file]
        server = subprocess.Popen(
            [LOOKALIKE, "serve", *folders, "--listen", listen, *flags], stderr=subprocess.PIPE, text=True
        )
        servers.append(server)
        for line in server.stderr:
            if found := re.search(r"http://\S+", line):
                serve.url = found.group().rstrip("/")
                return serve.url
        raise AssertionError("the server did not start")

    def restart(*folders):
        server = servers.pop()
        server.terminate()
        assert server.wait(30) == 0
        server.stderr.close()
        return serve(*folders, listen=serve.url.removeprefix("http://"))

    serve.restart = restart
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
        assert index.remove(["original-3"], sweep="2026-02-01") == {"removed": 0}, "it was not seen then"
        assert index.remove([]) == {"removed": 0}
        assert index.remove(["never-there", "original-3", "copy-3"], sweep="2026-01-01") == {"removed": 2}
        assert index.remove(["original-3", "copy-3"]) == {"removed": 0}
        twice = {"twice": documents["near-0"]}
        for sweep in ("2026-01-01", "2026-02-01"):
            index.add(twice, sweep=sweep)
        assert index.remove(["twice"]) == {"removed": 2}
        assert index.document("copy-4")["history"]
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


def test_a_store_says_what_is_new_once(served, store):
    with lookalike.connect(served(store), collection="seen") as seen:
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


def test_check_asks_what_check_and_insert_changes(documents, served, store, tmp_path):
    """Where several collections are served, all calls ask the one that was named: none is chosen for the caller."""
    path = tmp_path / "pages.index"
    lookalike.Index.build(path, documents).close()
    url = served(path, store)
    page = "a page about roses and lilies, with words enough to have a fingerprint of its own"
    with lookalike.connect(url, collection="seen") as seen:
        assert seen.check(page)["new"] and seen.check_and_insert("a", page)["new"]
        assert not seen.check(page)["new"]
    unnamed = lookalike.connect(url)
    for call in (lambda: unnamed.check(page), lambda: unnamed.check_and_insert("a", page), unnamed.info):
        with pytest.raises(lookalike.WrongInput, match="'pages.index', 'seen'"):
            call()
    with lookalike.connect(url, collection="pages.index") as pages, pytest.raises(lookalike.WrongInput, match="store"):
        pages.check_and_insert("a", page)


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
        lookalike.connect(url, collection="other", token="reader-reader-reader").info()
    with pytest.raises(lookalike.WrongInput, match="http"):
        lookalike.connect("localhost:7777")
    with pytest.raises(lookalike.LookalikeError, match="cannot be reached|does not answer"):
        lookalike.connect("http://127.0.0.1:9").info()


def _insert(seen, worker, calls=150):
    """Inserts pages of its own; the ids that came back for them."""
    return [seen.check_and_insert(f"{worker}/{n}", f"{worker} {n} " * 20)["id"] for n in range(calls)]


def _in_child(seen, worker, results):
    results.put((worker, _insert(seen, worker)))


def test_each_thread_gets_its_own_answers(served, store):
    with lookalike.connect(served(store), collection="seen") as seen:
        with concurrent.futures.ThreadPoolExecutor(8) as threads:
            answers = dict(zip(range(8), threads.map(lambda worker: _insert(seen, worker), range(8))))
    assert answers == {worker: [f"{worker}/{n}" for n in range(150)] for worker in range(8)}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_each_process_gets_its_own_answers(served, store):
    """Parent, threads of it, and children that were forked while the threads were asking."""
    fork = multiprocessing.get_context("fork")
    results = fork.Queue()
    with lookalike.connect(served(store), collection="seen") as seen:
        assert seen.check(fingerprint=0)["new"], "one connection is open before the fork"
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            asked = {worker: threads.submit(_insert, seen, worker) for worker in ("a", "b")}
            children = [fork.Process(target=_in_child, args=(seen, worker, results)) for worker in ("c", "d")]
            for child in children:
                child.start()
            answers = {"p": _insert(seen, "p"), **{worker: done.result() for worker, done in asked.items()}}
            answers.update(results.get(timeout=60) for _ in children)
        for child in children:
            child.join(30)
    assert answers == {worker: [f"{worker}/{n}" for n in range(150)] for worker in "abcdp"}


class _Flaky:
    """A server that closes the first connections without an answer, and counts the requests."""

    def __init__(self, closes):
        self.closes, self.heads = closes, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            with peer:
                self.heads.append(peer.recv(1 << 16).split(b" ")[0])
                if len(self.heads) > self.closes:
                    peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")


@pytest.mark.parametrize(
    ("call", "requests"),
    [
        (lambda index: index.changes(), 2),
        (lambda index: index.query("a text"), 2),
        (lambda index: index.check_and_insert("a", "a text"), 1),
        (lambda index: index.add({"a": "b"}), 1),
        (lambda index: index.remove(["a"]), 1),
        (lambda index: index.commit_crawl("may"), 1),
    ],
)
def test_only_what_changes_nothing_is_asked_again(call, requests):
    server = _Flaky(closes=1)
    index = lookalike.connect(server.url, collection="seen")
    if requests == 1:
        with pytest.raises(lookalike.LookalikeError, match="does not answer"):
            call(index)
    else:
        call(index)
    assert len(server.heads) == requests
    server.listener.close()


def test_a_connection_that_the_server_closed_is_not_used(served, store):
    url = served(store)
    with lookalike.connect(url, collection="seen") as seen:
        seen.check_and_insert("a", "a page with some words in it")
        served.restart(store)
        assert seen.check_and_insert("b", "a page with some words in it")["matches"][0]["id"] == "a"
