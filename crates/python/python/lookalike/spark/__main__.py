"""For people without notebooks: `python -m lookalike.spark dedup IN OUT --checkpoint DIR`.

With spark-submit: `spark-submit "$(python -m lookalike.spark where)" dedup IN OUT --checkpoint DIR`. Without it the session is that of
the environment: `--remote sc://host:15002` for Connect or Sail, `--master` for a cluster or `local[4]`.
"""

import argparse
import os
import sys

# absolute: spark-submit runs this file by itself
from lookalike import AlreadyExists, LookalikeError, spark
from lookalike.spark._dedup import KEYWORDS


def main(words=None):
    """The command; gives the exit code."""
    arguments = _parser().parse_args(words)
    if arguments.verb == "where":
        print(__file__)
        return 0
    try:
        if arguments.verb == "plan":
            print(spark.plan(arguments.documents, arguments.bytes, fingerprints=arguments.fingerprints, cores=arguments.cores))
        else:
            _run({"dedup": _dedup, "clusters": _clusters, "pairs": _pairs, "hamming-join": _hamming}[arguments.verb], arguments)
    except (LookalikeError, TypeError, ValueError) as error:
        print(f"lookalike.spark: {error}", file=sys.stderr)
        return 2
    return 0


def _run(verb, arguments):
    session = None
    try:
        session = _session(arguments)
        verb(session, arguments)
    except _engine_errors() as error:
        # what the engine says is for the reader; where in the driver it was said is not
        raise LookalikeError(f"{arguments.verb} of {arguments.input}: {getattr(error, 'java_exception', error)}") from error
    finally:
        if session is not None:
            session.stop()


def _engine_errors():
    from pyspark.errors import PySparkException

    try:
        from py4j.protocol import Py4JJavaError
    except ImportError:  # a client of Connect has none
        return PySparkException
    return PySparkException, Py4JJavaError


def _parser():
    parser = argparse.ArgumentParser(prog="python -m lookalike.spark", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for name, help in [
        ("dedup", "write what stays of a corpus to OUT/kept, and why the rest went to OUT/removed and OUT/malformed"),
        ("clusters", "write the documents of all clusters"),
        ("pairs", "write all pairs that are alike"),
    ]:
        verb = _with_tables(verbs.add_parser(name, help=help))
        verb.add_argument("--checkpoint", required=True, help="a folder that all workers reach, for what steps leave to the next")
        verb.add_argument("--partitions", type=int, help="of each shuffle [default: spark.sql.shuffle.partitions]")
        verb.add_argument("--text", default="text", help="the column of texts")
        verb.add_argument("--id", default="id", help="the column of ids")
        if name != "pairs":
            verb.add_argument("--keep", metavar="best:COLUMN", help="who stays [default: the longest]")
        for option in KEYWORDS:
            verb.add_argument(f"--{option.replace('_', '-')}" if len(option) > 1 else f"-{option}", help="as of lookalike dedup")
    join = _with_tables(verbs.add_parser("hamming-join", help="write the rows whose fingerprint is near one of the queries"))
    join.add_argument("--queries", required=True, help="Parquet with the fingerprints that are looked for")
    join.add_argument("--fingerprint", default="fingerprint", help="the column of fingerprints, in both")
    join.add_argument("-k", type=int, default=3, help="bits that may differ")
    plan = verbs.add_parser("plan", help="what a corpus of a size takes, and whether one machine is enough")
    plan.add_argument("--documents", type=float, default=0)
    plan.add_argument("--bytes", type=float, default=0, help="of all texts")
    plan.add_argument("--fingerprints", type=float, default=0)
    plan.add_argument("--cores", type=int, default=64, help="of the cluster")
    verbs.add_parser("where", help="print the path of this program, for spark-submit")
    return parser


def _with_tables(verb):
    verb.add_argument("input", metavar="IN", help="Parquet")
    verb.add_argument("output", metavar="OUT", help="a folder that is not there yet")
    verb.add_argument("--remote", help="of Spark Connect or Sail")
    verb.add_argument("--master", help="of a cluster")
    return verb


def _session(arguments):
    if arguments.remote:
        from pyspark.sql.connect.session import SparkSession

        return SparkSession.builder.remote(arguments.remote).create()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("lookalike")
    session = (builder.master(arguments.master) if arguments.master else builder).getOrCreate()
    context = getattr(session, "sparkContext", None)
    if context is not None and context.master.startswith("local") and "PYSPARK_PYTHON" not in os.environ:
        # on this machine this Python has the wheel; python3, which Spark would start, may be another
        context.pythonExec = sys.executable
    return session


def _free(session, *paths):
    """Refuses a folder that has rows in it now, not when all is done. What is no Parquet is told when it is written."""
    from pyspark.errors import AnalysisException

    for path in paths:
        try:
            # twice: of one path that is not there Spark warns, with a stack
            is_free = session.read.schema("_lookalike_any int").parquet(path, path).isEmpty()
        except AnalysisException:
            is_free = True
        if not is_free:
            raise AlreadyExists(f"{path}: expected a folder that is not there yet, found one with rows; remove it, or name another OUT", path=path)


def _asked(arguments):
    named = vars(arguments)
    given = {name: named[name] for name in KEYWORDS if named.get(name) is not None}
    return {**given, "text": arguments.text, "id": arguments.id, "checkpoint": arguments.checkpoint, "partitions": arguments.partitions}


def _dedup(session, arguments):
    paths = {name: f"{arguments.output}/{name}" for name in ("kept", "removed", "malformed")}
    _free(session, *paths.values())
    found = spark.dedup(session.read.parquet(arguments.input), keep=arguments.keep, **_asked(arguments))
    for name, path in paths.items():
        getattr(found, name).write.parquet(path)
    print(f"{arguments.output}: {found.removed.count():,} rows removed, {found.malformed.count():,} malformed; {found.checkpoint} can be removed")


def _clusters(session, arguments):
    _free(session, arguments.output)
    found = spark.clusters(session.read.parquet(arguments.input), keep=arguments.keep, **_asked(arguments))
    found.write.parquet(arguments.output)


def _pairs(session, arguments):
    _free(session, arguments.output)
    spark.near_duplicates(session.read.parquet(arguments.input), **_asked(arguments)).write.parquet(arguments.output)


def _hamming(session, arguments):
    _free(session, arguments.output)
    rows, queries = session.read.parquet(arguments.input), session.read.parquet(arguments.queries)
    spark.hamming_join(rows, queries, arguments.k, fingerprint=arguments.fingerprint).write.parquet(arguments.output)


if __name__ == "__main__":
    sys.exit(main())
