"""Behaviour beside other Python: stopping, watching, threads, processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest

import lookalike

ENDLESS = """
import lookalike, sys
def texts():
    n = 0
    while True:
        n += 1
        yield "endless words " * 20 + str(n)
        if n == 1000:
            print("running", flush=True)
lookalike.scan(texts(), tmp=sys.argv[1])
"""


def test_ctrl_c_stops_and_leaves_nothing(tmp_path):
    child = subprocess.Popen([sys.executable, "-c", ENDLESS, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"running\n"
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=60)
    assert b"KeyboardInterrupt" in said, said
    assert os.listdir(tmp_path) == []


def test_python_goes_on_while_the_engine_works():
    stop, turns = threading.Event(), 0

    def turn():
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=turn)
    thread.start()

    def texts():
        for n in range(20_000):
            yield f"some words of document {n} " * 20

    lookalike.simhash(list(texts()))
    stop.set()
    thread.join()
    assert turns > 1


def test_a_callback_is_told_and_can_stop(documents):
    told = []
    lookalike.scan(documents, progress=lambda *news: told.append(news))
    assert told and all(len(news) == 4 for news in told)

    def stop(*news):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        lookalike.scan(documents, progress=stop)


def test_what_an_iterator_raises_is_raised():
    def texts():
        yield "a text of some words"
        raise KeyError("mine")

    for call in (lookalike.scan, lookalike.dedup, lookalike.simhash):
        with pytest.raises((KeyError, lookalike.LookalikeError), match="mine"):
            call(texts())


def test_many_threads_at_once(documents):
    expected = lookalike.scan(documents).json()
    found = [None] * 6

    def scan(at):
        found[at] = lookalike.scan(documents, threads=2).json()

    threads = [threading.Thread(target=scan, args=(at,)) for at in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [expected] * 6


def child(documents, queue):
    queue.put(lookalike.scan(documents).json())


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes(documents, way):
    expected = lookalike.scan(documents).json()
    context = multiprocessing.get_context(way)
    queue = context.Queue()
    process = context.Process(target=child, args=(documents, queue))
    process.start()
    assert queue.get(timeout=60) == expected
    process.join()


def test_memory_is_kept_in_a_folder_of_ones_choice(documents, tmp_path):
    lookalike.scan(documents, memory="64M", tmp=tmp_path)
    assert os.listdir(tmp_path) == []
    before = set(os.listdir(tempfile.gettempdir()))
    lookalike.dedup(iter(documents.items()), tmp=tmp_path)
    assert {name for name in os.listdir(tempfile.gettempdir()) if name.startswith("lookalike")} <= before


def test_threads_may_ask_while_a_page_is_written(documents, tmp_path):
    report = lookalike.scan(documents, pairs=True)
    done = threading.Event()

    def write():
        for number in range(5):
            report.html(tmp_path / f"{number}.html")
        done.set()

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    deadline = time.monotonic() + 60
    while not done.is_set() and time.monotonic() < deadline:
        assert report.documents == 60
    assert done.is_set(), "the two wait for each other"


def test_a_store_is_not_written_by_two_processes(tmp_path):
    store = lookalike.HammingIndex.open(tmp_path / "store")
    store.insert([1], [1])
    child = os.fork()
    if child == 0:
        try:
            store.insert([2], [2])
        except RuntimeError as error:
            os._exit(0 if "forked" in str(error) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    store.insert([4], [4])
    store.close()
    with lookalike.HammingIndex.open(tmp_path / "store") as again:
        assert sorted(again.query([1, 4], 0)[1]) == [1, 4]


SLOW = """
import lookalike, time
def texts():
    print("running", flush=True)
    n = 0
    while True:
        n += 1
        yield f"some words of document {n} " * 20
        if n > 2000:
            time.sleep(0.01)
            if n == 2001:
                print("slow", flush=True)
lookalike.scan(texts())
"""


def test_a_slow_iterator_is_stopped_soon():
    child = subprocess.Popen([sys.executable, "-c", SLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout.readline() == b"running\n"
    assert child.stdout.readline() == b"slow\n"
    child.send_signal(signal.SIGINT)
    # 4,096 rows of a batch would take forty seconds
    _, said = child.communicate(timeout=20)
    assert b"KeyboardInterrupt" in said, said


def test_documentation_runs():
    import doctest

    runner = doctest.DocTestRunner()
    for name in lookalike.__all__:
        documented = getattr(lookalike, name)
        examples = doctest.DocTestParser().get_doctest(getattr(documented, "__doc__", None) or "", {}, name, None, 0)
        runner.run(examples)
    assert runner.tries > 20 and runner.failures == 0
    for verb in ("scan", "copies", "recluster", "dedup", "compare", "index build", "index add", "query"):
        assert "threads" in lookalike.keywords(verb) or "threshold" in lookalike.keywords(verb)


def test_a_notebook_shows_no_hidden_characters(tmp_path):
    words = "one two three four five six seven eight nine ten eleven twelve"
    hostile = "<script>\x1b[2J\u202e\0"
    report = lookalike.scan([(hostile, words), ("b", words + " more")], w=3, threshold=0.3)
    shown = report._repr_html_()
    assert hostile[0] + "script" not in shown
    assert not any(c in shown for c in "\x1b\u202e\0")
    report.html(tmp_path / "page.html")
    assert (tmp_path / "page.html").as_uri() in report._repr_html_()
    copies = lookalike.copies({"a": words * 9, "b": words * 9 + " end"})
    assert "similarity" in copies._repr_html_() and "<svg" in copies._repr_html_()
