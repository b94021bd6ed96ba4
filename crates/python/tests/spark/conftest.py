"""Engines for the tests of `lookalike.spark`. See engines.py for how each is started.

`sail`, `spark_local`, `spark_standalone`, `spark_connect` are sessions. `standalone` is the cluster's handle:
`standalone.kill_worker(0)`, `standalone.start_worker()`. Servers live as long as the test run.

One process may hold many Connect sessions (Sail, Connect) beside one classic session. Which of the two
`pyspark.sql.functions` speaks to is set for each test by its fixture, so a test asks for one kind only.
"""
import shutil

import pytest

import engines

JVM_FIXTURES = {"spark_local", "spark_standalone", "spark_connect", "standalone"}


def pytest_configure(config):
    config.addinivalue_line("markers", "jvm: needs a Java runtime (set by the fixtures used)")


def pytest_collection_modifyitems(items):
    for item in items:
        params = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if JVM_FIXTURES & {*item.fixturenames, *(p for p in params if isinstance(p, str))}:
            item.add_marker(pytest.mark.jvm)


@pytest.fixture(scope="session")
def _sail_server():
    server = engines.Sail(parallelism=2)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _sail_session(_sail_server):
    session = engines.connect_session(_sail_server.url)
    yield session
    # The session first: its end calls the server, and retries for ten minutes when nobody answers.
    engines.classic_off()
    session.stop()


@pytest.fixture
def sail_url(_sail_server):
    engines.classic_off()
    return _sail_server.url


@pytest.fixture(scope="session")
def _connect_session(tmp_path_factory):
    server = engines.ConnectServer(tmp_path_factory.mktemp("connect"))
    try:
        session = engines.connect_session(server.url)
        yield session
        engines.classic_off()
        session.stop()
    finally:
        server.stop()


@pytest.fixture(scope="session")
def _classic():
    """Stops the one classic session of the process, after all tests."""
    engines.java_home()
    yield engines.classic_session
    from pyspark import SparkContext

    engines.classic_on()
    if SparkContext._active_spark_context is not None:
        SparkContext._active_spark_context.stop()


@pytest.fixture(scope="session")
def standalone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("standalone")
    cluster = engines.Standalone(folder, workers=2)
    yield cluster
    from pyspark import SparkContext

    running = SparkContext._active_spark_context
    if running is not None and running.master == cluster.url:
        engines.classic_on()
        running.stop()
    cluster.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def sail(_sail_session):
    engines.classic_off()
    return _sail_session


@pytest.fixture
def spark_connect(_connect_session):
    engines.classic_off()
    return _connect_session


@pytest.fixture
def spark_local(_classic):
    return _classic("local[2]")


@pytest.fixture
def spark_standalone(_classic, standalone):
    while len(standalone.workers) < 2:  # a test before this one killed some
        standalone.start_worker()
    return _classic(standalone.url, {
        "spark.task.maxFailures": "8",
        "spark.executor.heartbeatInterval": "2s",
        "spark.network.timeout": "30s",
        "spark.network.timeoutInterval": "10s",
        "spark.shuffle.io.maxRetries": "2",
        "spark.shuffle.io.retryWait": "1s",
    })
