"""Kills workers of a standalone cluster while a run goes on: in each stage of Spark the one that runs a task of it, with its executor and
its files. Another is started in its place."""

import posixpath
import signal
import threading

import psutil
from py4j.protocol import Py4JJavaError
from engines import tree


class Killer(threading.Thread):
    """`killed_in` has the stages in which a worker was killed, with the name of what was being written then. A stage is known by the last of
    its RDDs: what was lost is made again by stages with other numbers, which are left alone."""

    def __init__(self, cluster, session):
        super().__init__(daemon=True)
        self.cluster, self.context = cluster, session.sparkContext
        self.killed_in, self.writing, self.failed = {}, "nothing", None
        self.ended = threading.Event()

    def follow(self, writer):
        """Learns from a class of writers what is being written: the steps of a run are told by their folders."""
        write = writer.parquet

        def parquet(this, path, *rest, **named):
            self.writing = posixpath.basename(path)
            try:
                write(this, path, *rest, **named)
            finally:
                self.writing = "nothing"

        writer.parquet = parquet

    def run(self):
        tracker, store = self.context.statusTracker(), self.context._jsc.sc().statusStore()
        try:
            while not self.ended.wait(0.005):
                for number in tracker.getActiveStageIds():
                    try:
                        stage = store.lastStageAttempt(number)
                        tasks = store.taskList(number, stage.attemptId(), 1000)
                    except Py4JJavaError:
                        # the store hears of a stage a little later than the tracker
                        continue
                    rdd = max(_all(stage.rddIds()))
                    if rdd not in self.killed_in:
                        self._kill_in(rdd, {task.executorId() for task in _all(tasks) if task.status() == "RUNNING"})
        except Exception as error:
            self.failed = repr(error)

    def end(self):
        self.ended.set()
        self.join()
        if self.failed:
            raise RuntimeError(f"no worker could be killed: {self.failed}")

    def _kill_in(self, rdd, executors):
        writing, which = self.writing, self._worker_of(executors)
        if which is None:
            return
        # the others rest until the new one is there, so that no stage goes by without a kill
        others = [p for at, w in enumerate(self.cluster.workers) if at != which for p in tree(w.pid)[1:]]
        _signal(others, signal.SIGSTOP)
        self.cluster.kill_worker(which)
        self.killed_in[rdd] = writing
        try:
            self.cluster.start_worker()
        finally:
            _signal(others, signal.SIGCONT)

    def _worker_of(self, executors):
        """The place of a worker that runs one of these."""
        for at, worker in enumerate(self.cluster.workers):
            if executors & {path.name for path in (self.cluster.folder / worker.name).glob("app-*/*")}:
                return at
        return None


def _all(seq):
    """What is in a sequence of Scala."""
    return [seq.apply(at) for at in range(seq.size())]


def _signal(processes, number):
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            pass
