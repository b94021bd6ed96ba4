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
