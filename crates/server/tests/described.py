"""Holds a running server against its own description: it is valid OpenAPI, a client made of it asks every route, and schemathesis asks every
route with what it allows and with what it does not.

    described.py LOOKALIKE    with the packages of requirements.txt
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import urllib.request

import generated
import openapi_spec_validator

# also the scheme of the description is used: every route but the public ones needs it
TOKEN = "a-token-of-the-test"

# a request that the description allows may still have no meaning, such as a URL that no index knows: that is a 4XX of the description
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,unsupported_method,allow_header_conformance"


def rows():
    words = [f"{a}{b}" for a in "bdfglmnrst" for b in "aeiou"]
    text = lambda n: " ".join(words[(n * 7 + at * at) % len(words)] for at in range(80))  # noqa: E731
    rare = " ".join(f"only{n}here" for n in range(80))
    return [{"id": f"https://a.example/{n}", "text": text(n)} for n in range(49)] + [{"id": "https://b.example/", "text": rare}]


def serve(command, folder):
    documents = folder / "pages.jsonl"
    documents.write_text("\n".join(map(json.dumps, rows())))
    run = lambda *words: subprocess.run([command, *words], check=True, capture_output=True, stdin=subprocess.DEVNULL)  # noqa: E731
    run("index", "build", folder / "pages", documents, "--sweep", "2026-01-01", "--quiet")
    run("index", "build", folder / "passages", documents, "--lens", "passages", "--quiet")
    run("simhash", "online", folder / "seen")
    site = folder / "site"
    site.mkdir()
    for n, row in enumerate(rows()):
        (site / f"{n}.txt").write_text(("".join(f"the head {at} of every page " for at in range(300))) + row["text"])
    run("files", site, "--save", folder / "run", "--quiet")
    tokens = folder / "tokens"
    tokens.write_text(f"write {TOKEN}\n")
    server = subprocess.Popen(
        [command, "serve", folder / "pages", folder / "passages", folder / "seen", folder / "run", "--listen", "127.0.0.1:0", "--texts",
         "--token-file", tokens],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for line in server.stderr:
        if found := re.search(r"http://[0-9.:]+", line):
            return server, found.group()
    sys.exit("the server did not start")


def check_client(url, folder):
    """Asks every route by a client that was made of the description; returns their number."""
    description = folder / "openapi.json"
    description.write_bytes(urllib.request.urlopen(f"{url}/v1/openapi.json").read())
    openapi_spec_validator.validate(json.loads(description.read_text()))
    generated.generate(description, folder)
    kinds = json.loads(description.read_text())["paths"]["/v1/collections/{collection}/query"]["post"]["requestBody"]["content"]
    return generated.round_trip(url, TOKEN, rows()[1]["text"], rows()[-1]["text"], list(kinds))


def main():
    command = str(pathlib.Path(sys.argv[1]).resolve())
    tester = pathlib.Path(sys.executable).with_name("schemathesis")
    with tempfile.TemporaryDirectory() as folder:
        server, url = serve(command, pathlib.Path(folder))
        told = (pathlib.Path(folder) / "log").open("w")
        # the pipe must not fill
        threading.Thread(target=lambda: [told.write(line) for line in server.stderr], daemon=True).start()
        generated_routes = check_client(url, pathlib.Path(folder))
        hooks = {**os.environ, "SCHEMATHESIS_HOOKS": "ndjson", "PYTHONPATH": str(pathlib.Path(__file__).parent)}
        tested = subprocess.run(
            [tester, "run", f"{url}/v1/openapi.json", "--checks", CHECKS, "--phases", "examples,coverage,fuzzing",
             "--header", f"Authorization: Bearer {TOKEN}", "--max-examples", "30", "--seed", "1", "--generation-deterministic", "--no-color", "--warnings", "off"],
            cwd=folder, env=hooks, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        server.terminate()
        ended = server.wait(60)
    if tested.returncode != 0 or ended != 0:
        sys.exit(f"{tested.stdout}\nserver ended with {ended}")
    print(f"{generated_routes} routes asked by a generated client")
    print(re.search(r"(?s)=+ SUMMARY =+.*", tested.stdout).group() if "SUMMARY" in tested.stdout else tested.stdout[-500:])


main()
