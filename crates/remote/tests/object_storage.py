#!/usr/bin/env python3
"""The command against an S3 of its own (moto) and a web server, both on this machine.

object_storage.py LOOKALIKE   LOOKALIKE was built with the feature object-store
"""

import functools
import http.server
import json
import logging
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import boto3
import pyarrow
import pyarrow.parquet
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

LOOKALIKE = str(pathlib.Path(sys.argv[1]).resolve())
# in moto's own region buckets need no place
ENVIRONMENT = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true"}


class Gate:
    """Hands requests on to moto, notes them, and stops at one that it is told of until whoever asked is gone."""

    def __init__(self):
        self.app, self.seen, self.wanted = DomainDispatcherApplication(create_backend_app), [], None
        self.reached, self.opened = threading.Event(), threading.Event()

    def __call__(self, environ, start_response):
        request = (environ["REQUEST_METHOD"], environ["PATH_INFO"])
        self.seen.append(request)
        if request == self.wanted:
            self.reached.set()
            self.opened.wait(60)
            start_response("500 Internal Server Error", [])
            return [b""]
        return self.app(environ, start_response)

    def close_at(self, *request):
        self.seen, self.wanted = [], request
        self.reached.clear()
        self.opened.clear()

    def open(self):
        self.seen, self.wanted = [], None
        self.opened.set()

    def fetched(self):
        return sorted(path for method, path in self.seen if method == "GET" and "/in/" in path)


def serve(server):
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def closed_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def corpus(folder):
    """Shards with duplicates within and across. Most records have no id, so that they are called by their places; other ids are last in
    the order of names, with addresses as with paths, so that the same records stay."""
    rng = random.Random(7)
    texts = [" ".join(f"w{rng.randrange(3000)}" for _ in range(60)) for _ in range(120)]
    rows = [{"text": rng.choice(texts)} for _ in range(400)]
    for name, some in [("a.jsonl", rows[:150]), ("b [1].jsonl", rows[150:200]), ("deep/c.jsonl", rows[200:300])]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in some))
    table = pyarrow.Table.from_pylist([{"text": row["text"], "id": f"z{at}"} for at, row in enumerate(rows[300:])])
    pyarrow.parquet.write_table(table, folder / "d.parquet")


class World:
    def __init__(self, root):
        self.gate = Gate()
        self.endpoint = serve(make_server("127.0.0.1", 0, self.gate, threaded=True))
        self.root, self.tmp = root, root / "tmp"
        self.tmp.mkdir()
        corpus(root / "in")
        self.s3 = boto3.client("s3", endpoint_url=self.endpoint, region_name="us-east-1", aws_access_key_id="key", aws_secret_access_key="secret")
        for bucket in ["corpora", "results"]:
            self.s3.create_bucket(Bucket=bucket)
        for path in self.files(root / "in"):
            self.s3.upload_file(str(root / "in" / path), "corpora", f"in/{path}")

    def start(self, *args, folder=".", **environment):
        (self.root / folder).mkdir(exist_ok=True)
        own = {"AWS_ENDPOINT_URL": self.endpoint, "NO_PROXY": "127.0.0.1", "TMPDIR": str(self.tmp)} | ENVIRONMENT | environment
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_") and not name.lower().endswith("_proxy")}
        pipe = subprocess.PIPE
        return subprocess.Popen([LOOKALIKE, *args], cwd=self.root / folder, env=kept | own, stdout=pipe, stderr=pipe, text=True)

    def run(self, *args, code=0, **how):
        child = self.start(*args, **how)
        out, told = child.communicate(timeout=120)
        assert child.returncode == code, (args, child.returncode, told)
        assert not list(self.tmp.iterdir()), "nothing stays behind"
        return out if code == 0 else told

    def refused(self, *args, says, **how):
        told = self.run(*args, code=2, **how)
        assert all(part in told for part in says), (args, told)

    def kill_at(self, request, is_ready, *args):
        """Kills the command in the middle of a request, when the others are done."""
        self.gate.close_at(*request)
        child = self.start(*args)
        assert self.gate.reached.wait(60), child.poll()
        for _ in range(600):
            if is_ready():
                break
            time.sleep(0.1)
        assert is_ready() and child.poll() is None
        child.kill()
        child.communicate()
        self.gate.open()

    def files(self, folder):
        return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}

    def local(self, folder):
        return {path: (self.root / folder / path).read_bytes() for path in self.files(self.root / folder)}

    def objects(self, bucket, prefix):
        found = self.s3.list_objects_v2(Bucket=bucket, Prefix=prefix).get("Contents", [])
        read = lambda key: self.s3.get_object(Bucket=bucket, Key=key)["Body"].read()
        return {one["Key"].removeprefix(prefix): read(one["Key"]) for one in found}


def shards(files):
    return {name: body for name, body in files.items() if name.startswith("corpus/")}


def duplicates(body):
    """The proof, with names as a local run would give them."""
    table = pyarrow.parquet.read_table(pyarrow.BufferReader(body)).to_pylist()
    return [{name: value.replace("s3://corpora/", "") if isinstance(value, str) else value for name, value in row.items()} for row in table]


def same_result(found, expected):
    assert shards(found) == shards(expected) and len(shards(found)) == 4, (found.keys(), expected.keys())
    assert found.keys() == expected.keys()
    assert duplicates(found["duplicates.parquet"]) == duplicates(expected["duplicates.parquet"])


def from_and_to_a_bucket(world):
    world.run("dedup", "in/", "-o", "clean", "-q")
    expected = world.local("clean")
    world.run("dedup", "s3://corpora/in/", "-o", "s3://results/clean/", "-q")
    found = world.objects("results", "clean/")
    same_result(found, expected)
    rows = pyarrow.parquet.read_table(pyarrow.BufferReader(found["duplicates.parquet"])).to_pylist()
    assert len(rows) > 50 and all(row["file"].startswith("s3://corpora/in/") and row["source"] == "s3://corpora/in/" for row in rows)
    assert any(row["id"].startswith("s3://corpora/in/a.jsonl:") for row in rows)
    # elsewhere, and to a folder: the same to the last byte, whatever is ignored there
    (world.root / "elsewhere").mkdir()
    (world.root / "elsewhere/.gitignore").write_text("*\n")
    world.run("dedup", "s3://corpora/in/", "-o", "clean2", "-q", folder="elsewhere")
    assert world.local("elsewhere/clean2") == found
    assert world.files(world.root / "elsewhere") == {".gitignore", *(f"clean2/{name}" for name in found)}
    told = world.run("dedup", "in/", "-o", "s3://results/local")
    assert "s3://results/local" in told and str(world.root) not in told, told
    same_result(world.objects("results", "local/"), expected)
    world.refused("dedup", "in", "-o", "s3://results/clean/", says=["s3://results/clean/: expected nothing there, found s3://results/clean/"])
    world.refused("dedup", "in", "-o", f"{world.endpoint}/x", says=["cannot be put on a web server"])
    return expected


def all_that_read(world):
    local = json.loads(world.run("scan", "in", "--json", "-q"))
    remote = world.run("scan", "s3://corpora/in/", "--json", "-q")
    assert str(world.tmp) not in remote and "s3://corpora/in/deep/c.jsonl:" in remote
    assert json.loads(remote.replace("s3://corpora/", ""))["clusters"] == local["clusters"] and local["clusters"]
    glob = json.loads(world.run("scan", "s3://corpora/in/*.jsonl", "--json", "-q"))
    names = json.loads(world.run("scan", "in/a.jsonl", "in/b [1].jsonl", "--json", "-q"))
    assert glob["summary"] == names["summary"], (glob["summary"], names["summary"])
    json.loads(world.run("calibrate", "s3://corpora/in/", "--json", "-q"))
    world.run("index", "build", "index", "s3://corpora/in/", "-q")
    world.run("index", "add", "index", "s3://corpora/in/a.jsonl", "-q")
    assert "s3://corpora/in/a.jsonl:1" in world.run("index", "list", "index")
    assert not any(str(world.tmp).encode() in body for body in world.local("index").values())


def from_the_web(world):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=world.root)
    handler.log_message = lambda *_: None
    http.server.SimpleHTTPRequestHandler.log_message = lambda *_: None
    web = serve(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
    found = world.run("scan", f"{web}/in/a.jsonl", f"{web}/in/b%20%5B1%5D.jsonl", "--json", "-q")
    local = json.loads(world.run("scan", "in/a.jsonl", "in/b [1].jsonl", "--json", "-q"))
    assert json.loads(found)["summary"] == local["summary"] and f"{web}/in/a.jsonl:" in found
    world.refused("scan", f"{web}/in/none.jsonl", says=[f"{web}/in/none.jsonl: no such object"])
    world.refused("scan", f"{web}/in/", says=["name each file"])


def what_goes_wrong(world):
    world.refused("scan", "s3://corpora/none.jsonl", says=["s3://corpora/none.jsonl: no such object"])
    world.refused("scan", "s3://corpora/in", says=["s3://corpora/in: no such object", "end it with /"])
    world.refused("scan", "s3://nowhere/in/", says=["s3://nowhere/in: no such bucket"])
    world.refused("dedup", "s3://corpora/*.none", "-o", "out", says=["s3://corpora/*.none: no object is there"])
    assert not (world.root / "out.staging").exists()
    began = time.monotonic()
    nobody = f"http://127.0.0.1:{closed_port()}"
    world.refused("scan", "s3://corpora/in/", says=["s3://corpora/in", "AWS_ENDPOINT_URL"], AWS_ENDPOINT_URL=nobody)
    assert time.monotonic() - began < 60, "it does not try for ever"


def stopped_while_fetching(world, expected):
    command = ["dedup", "s3://corpora/in/", "-o", "later", "-q"]
    others = {"in/a.jsonl", "in/b [1].jsonl", "in/d.parquet"}
    are_there = lambda: world.files(world.root / "later.staging/s3/corpora") == others
    world.kill_at(("GET", "/corpora/in/deep/c.jsonl"), are_there, *command)
    assert not (world.root / "later").exists()
    world.refused(*command, says=["later.staging", "--resume"])
    world.gate.open()
    same_key = {"Bucket": "corpora", "Key": "in/a.jsonl"}
    body = world.s3.get_object(**same_key)["Body"].read()
    world.s3.put_object(**same_key, Body=body.upper())
    world.refused(*command, "--resume", says=["s3://corpora/in/a.jsonl: it changed"])
    world.s3.put_object(**same_key, Body=body)
    # its time is another one now, and who knows whether it was the same in between
    world.refused(*command, "--resume", says=["s3://corpora/in/a.jsonl: it changed"])
    subprocess.run(["rm", "-r", world.root / "later.staging"], check=True)
    world.kill_at(("GET", "/corpora/in/deep/c.jsonl"), are_there, *command)
    world.run(*command, "--resume")
    assert world.gate.fetched() == ["/corpora/in/deep/c.jsonl"], world.gate.fetched()
    same_result(world.local("later"), expected)
    assert not (world.root / "later.staging").exists()


def stopped_while_putting(world, expected):
    command = ["dedup", "s3://corpora/in/", "-o", "s3://results/late/", "-q"]
    # all others are there, and still not what says so
    others = expected.keys() - {"summary.json", "corpus/d.parquet"}
    world.kill_at(("PUT", "/results/late/corpus/d.parquet"), lambda: world.objects("results", "late/").keys() == others, *command)
    world.refused(*command, says=["late/"])
    world.run(*command, "--resume")
    same_result(world.objects("results", "late/"), expected)
    puts = [path for method, path in world.gate.seen if method == "PUT"]
    assert puts[-1] == "/results/late/summary.json" and len(puts) == len(expected), puts
    assert not world.gate.fetched() and not (world.root / "late.staging").exists()


if __name__ == "__main__":
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as made:
        world = World(pathlib.Path(made).resolve())
        expected = from_and_to_a_bucket(world)
        all_that_read(world)
        from_the_web(world)
        what_goes_wrong(world)
        stopped_while_fetching(world, expected)
        stopped_while_putting(world, expected)
        print("object storage: what is fetched, put, refused and resumed is right")
