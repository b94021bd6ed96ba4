"""Kills workers of a standalone cluster while a run goes on: in each stage of Spark the one that runs a task of it, with its executor and
its files. Another is started in its place."""

import posixpath
import signal
import threading

import psutil
from spark_engines import tree


class Killer(threading.Thread):
    """`stages` has the stages in which a worker was killed, with the name of what was being written then."""

    def __init__(self, cluster, session):
        super().__init__(daemon=True)
        self.cluster, self.context = cluster, session.sparkContext
        self.stages, self.writing, self.failed = {}, "nothing", None
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
        tracker = self.context.statusTracker()
        try:
            while not self.ended.wait(0.005):
                for stage in tracker.getActiveStageIds():
                    if stage not in self.stages:
                        self._kill_in(stage)
        except Exception as error:
            self.failed = repr(error)

    def end(self):
        self.ended.set()
        self.join()
        if self.failed:
            raise RuntimeError(f"no worker could be killed: {self.failed}")

    def _kill_in(self, stage):
        writing = self.writing
        which = self._worker_of(stage)
        if which is None:
            return
        # the others rest until the new one is there, so that no stage goes by without a kill
        others = [p for at, w in enumerate(self.cluster.workers) if at != which for p in tree(w.pid)[1:]]
        _signal(others, signal.SIGSTOP)
        self.cluster.kill_worker(which)
        self.stages[stage] = writing
        try:
            self.cluster.start_worker()
        finally:
            _signal(others, signal.SIGCONT)

    def _worker_of(self, stage):
        """The place of a worker that runs a task of the stage. Nothing if none runs now."""
        store = self.context._jsc.sc().statusStore()
        try:
            attempt = store.lastStageAttempt(stage).attemptId()
            tasks = store.taskList(stage, attempt, 1000)
        except Exception:
            # the store hears of a stage a little later than the tracker
            return None
        running = {tasks.apply(at).executorId() for at in range(tasks.size()) if tasks.apply(at).status() == "RUNNING"}
        for at, worker in enumerate(self.cluster.workers):
            executors = {path.name for path in (self.cluster.folder / worker.name).glob("app-*/*")}
            if executors & running:
                return at
        return None


def _signal(processes, number):
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            pass
