"""run_spark.py PART ANSWER.json ENGINE FOLDER …: one run of `lookalike.spark`, with all processes of its engine below this one.

dedup ENGINE FOLDER PARTITIONS CORPUS.parquet          what stays and what went, in FOLDER/kept and FOLDER/removed
kills standalone FOLDER PARTITIONS CORPUS.parquet      the same, a worker killed in each stage
hamming ENGINE FOLDER PARTITIONS PRINTS QUERIES        pairs of fingerprints, in FOLDER/pairs

ENGINE is sail, local, connect or standalone. CPU time is that of this process and of all below it.
"""

import contextlib
import json
import os
import sys
import time
from pathlib import Path

# The JVM carries packed rows and does little else, so its first compiler is enough; each executor has one core.
os.environ.setdefault("LOOKALIKE_SPARK_JVM", "-XX:+UseSerialGC -XX:-UsePerfData -XX:TieredStopAtLevel=1")
part, answer, engine, folder, partitions, *inputs = sys.argv[1:]
folder = Path(folder)
folder.mkdir(parents=True)
os.environ["SPARK_LOCAL_DIRS"] = str(folder / "local")
# what starts the engines stands with the tests; the workers find what is beside this file
here = Path(__file__).resolve().parent
sys.path.insert(0, str(here.parents[1] / "crates" / "python" / "tests" / "spark"))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(here), os.environ.get("PYTHONPATH")]))

import engines
import pyarrow.parquet as pq
import spark_profile
from pyspark.sql.readwriter import DataFrameWriter
from spark_kills import Killer

from lookalike import spark as lk

CORES = 2
EVENTS = folder / "events"
CONF = {
    "spark.sql.shuffle.partitions": partitions,
    "spark.driver.memory": "1g",
    "spark.ui.showConsoleProgress": "false",
    "spark.executor.memory": "2g",
    "spark.eventLog.enabled": "true",
    "spark.eventLog.dir": EVENTS.as_uri(),
    "spark.eventLog.rolling.enabled": "false",
    "spark.eventLog.compress": "false",
    # a worker that was killed does not come back: to ask for its files once is enough
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "1s",
}


@contextlib.contextmanager
def started(kind):
    """A session of the engine, and its cluster if it has one. The session ends before its server, which it tells."""
    server = cluster = None
    EVENTS.mkdir()
    try:
        if kind == "sail":
            server = engines.Sail(parallelism=CORES)
            session = engines.connect_session(server.url)
            session.conf.set("spark.sql.shuffle.partitions", partitions)
        elif kind == "connect":
            server = engines.ConnectServer(folder, f"local[{CORES}]", CONF)
            session = engines.connect_session(server.url)
        elif kind == "local":
            session = engines.classic_session(f"local[{CORES}]", CONF)
        else:
            server = cluster = engines.Standalone(folder, workers=CORES, cores=1, memory="2200m")
            session = engines.classic_session(cluster.url, CONF)
        yield session, cluster
        session.stop()
    finally:
        if server:
            server.stop()


def same(batches):
    import lookalike  # noqa: F401  so that the workers have it

    yield from batches


class Clock:
    """CPU and wall time from one mark to the next."""

    def __init__(self):
        self.begin, self.cpu = time.time(), 0.0

    def mark(self):
        now, cpu = time.time(), engines.cpu_seconds(os.getpid())
        took = {"cpu": cpu - self.cpu, "wall": now - self.begin}
        self.begin, self.cpu = now, cpu
        return took


def dedup(session, corpus):
    (folder / "checkpoint").mkdir()
    found = lk.dedup(session.read.parquet(corpus), checkpoint=str(folder / "checkpoint"))
    found.removed.write.parquet(str(folder / "removed"))
    found.kept.write.parquet(str(folder / "kept"))


def hamming(session, fingerprints, queries):
    found = lk.hamming_join(session.read.parquet(fingerprints), session.read.parquet(queries), 3)
    found.select("query_id", "id", "distance").write.parquet(str(folder / "pairs"))


def events():
    for file in EVENTS.iterdir():
        # beside them may be checksums; a server that was stopped leaves half a line
        if not file.name.startswith("."):
            with open(file) as lines:
                yield from (json.loads(line) for line in lines if line.endswith("\n"))


def size(path):
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def rows(path):
    return sum(pq.ParquetFile(file).metadata.num_rows for file in path.glob("*.parquet"))


def main():
    clock, told = Clock(), {}
    if part == "dedup":
        spark_profile.note_into(str(folder / "profile"))
    with started(engine) as (session, cluster):
        session.range(0, 1000, 1, CORES).mapInArrow(same, "id long").count()
        told["start"] = clock.mark()
        began = clock.begin
        killer = None
        if part == "kills":
            killer = Killer(cluster, session)
            killer.follow(DataFrameWriter)
            killer.start()
        (hamming if part == "hamming" else dedup)(session, *inputs)
        told["run"] = clock.mark()
        told["version"] = f"Spark {session.version}"
        if killer:
            killer.end()
            told["killed_in"] = killer.killed_in
    happened = list(events())
    if happened:
        ended = [event["Task Metrics"] for event in happened if event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event]
        told["shuffle"] = sum(task["Shuffle Write Metrics"]["Shuffle Bytes Written"] for task in ended)
        stages = [event["Stage Info"] for event in happened if event["Event"] == "SparkListenerStageCompleted"]
        stages = [stage for stage in stages if stage["Submission Time"] >= began * 1000]
        told["stages"] = sorted({max(rdd["RDD ID"] for rdd in stage["RDD Info"]) for stage in stages})
    if part == "dedup":
        told["kernel"] = spark_profile.kernel_seconds(folder / "profile")
    if part != "hamming":
        told["checkpoint"] = size(folder / "checkpoint")
        told["rows"] = rows(folder / "kept") + rows(folder / "removed")
    if engine == "sail":
        import pysail

        told["version"] = f"Sail {pysail.__version__}"
    else:
        told["version"] += f" on Java {engines.java_version(engines.java_home())}"
    with open(answer, "w") as out:
        json.dump(told, out)


main()
