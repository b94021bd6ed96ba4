"""Asks every route through a client that openapi-python-client makes of the description.

Names, required fields and types of answers are those of the description: an answer that does not fit it raises, or is not parsed.
"""

import importlib
import io
import json
import pathlib
import pkgutil
import subprocess
import sys
import time
import zipfile

# kinds of bodies and answers that the generator does not know, and the kind that it sends and reads in the same way
CONFIG = """\
content_type_overrides:
  application/x-ndjson: application/json
  application/zip: application/octet-stream
  text/html: application/octet-stream
  text/plain: application/octet-stream
post_hooks: []
"""


def generate(description, folder):
    """Makes the package `client`; a route that is left out is a warning, and fails."""
    (folder / "config.yml").write_text(CONFIG)
    tool = pathlib.Path(sys.executable).with_name("openapi-python-client")
    subprocess.run(
        [tool, "generate", "--path", description, "--config", folder / "config.yml", "--meta", "none",
         "--output-path", folder / "client", "--fail-on-warning"], check=True,
    )  # fmt: skip
    sys.path.insert(0, str(folder))


def round_trip(url, token, text, rare, kinds):
    from client import AuthenticatedClient, Client, models, types

    asked = set()
    client = AuthenticatedClient(base_url=url, token=token)

    def ask(route, *, status=200, **arguments):
        asked.add(route)
        answer = importlib.import_module(f"client.api.{route}").sync_detailed(client=client, **arguments)
        assert answer.status_code == status, (route, answer.status_code, answer.content)
        assert status == 204 or answer.parsed is not None, (route, answer.content)
        named = arguments.get("collection")
        assert named is None or route == "batch.batch" or answer.parsed.collection == named, (route, answer.parsed)
        return answer.parsed

    # without a token only the public routes answer
    unknown = importlib.import_module("client.api.about.list_collections").sync_detailed(client=Client(base_url=url))
    assert unknown.status_code == 401, unknown

    # the server
    assert ask("about.healthz").status == "ok"
    ask("about.metrics")
    ask("about.openapi")
    names = [one.name for one in ask("about.list_collections").collections]
    assert names == ["pages", "passages", "seen", "run"], names
    assert ask("about.get_collection", collection="pages").info.documents == 50
    compared = ask("query.compare", body=models.CompareRequest(a=text, b=f"{text} and an end"))
    assert compared.resemblance > 0.5 and compared.a.words > 10, compared

    # an index
    pages = {"collection": "pages"}
    url_of = "https://a.example/1"
    document = lambda content: types.File(payload=io.BytesIO(content))  # noqa: E731
    found = ask("query.query", **pages, body=models.QueryRequest(text=text))
    assert found.lens == "shingles" and found.matches[0].seen[0].url == url_of, found
    assert found.matches[0].resemblance.value == 1.0
    assert ask("query.query", **pages, body=document(text.encode())).matches[0].content == found.matches[0].content
    # each kind of body that is described: the generated call sends one kind for all files
    for kind in kinds:
        content = json.dumps({"text": text}) if kind == "application/json" else text
        asking = client.get_httpx_client().post(
            "/v1/collections/pages/query", content=content.encode(), headers={"Content-Type": kind}
        )
        assert asking.status_code == 200, (kind, asking.content)
        assert asking.json()["matches"][0]["content"] == found.matches[0].content, kind
    source = ask("query.query", collection="passages", body=models.QueryRequest(text=rare)).matches[0]
    assert source.passages[0].document.line == 1, source
    assert ask("check.post_check", **pages, body=models.CheckRequest(text=text)).new is False
    assert ask("history.lost", **pages, url_query=url_of).status == "unchanged"
    assert ask("history.get_holders", **pages, url_query=url_of).asked == "name"
    assert ask("history.post_holders", **pages, body=models.HoldersRequest(text=text)).asked == "file"
    assert ask("history.changes", **pages).urls == 50
    assert ask("history.collapse", **pages, body=models.CollapseRequest(urls=[url_of])).groups[0].url == url_of
    assert ask("query.read_text", **pages, body=models.ReadRequest(text="one two")).text.strip() == "one two"
    put = ask("documents.put_document", id="new", **pages, body=models.DocumentBody(text=text), wait=True)
    assert put.durable and put.visible
    assert ask("documents.get_document", id="new", **pages).url == "new"
    assert ask("documents.document_text", id=url_of, **pages).text.strip() == text
    assert ask("documents.delete_document", id="new", **pages, wait=True).removed == 1
    clusters = ask("review.clusters", **pages)
    assert clusters.clusters == len(clusters.listed)
    verdict = models.NewVerdict(cluster=found.content, verdict=models.ReviewVerdict.KEEP)
    assert ask("review.put_verdict", **pages, body=verdict).number == 1
    assert ask("review.list_verdicts", **pages).verdicts[0].cluster == found.content

    # a store
    seen = {"collection": "seen"}
    inserted = ask("check.check_and_insert", **seen, body=models.CheckRequest(id="a", text=text, crawl="may"))
    assert inserted.new and inserted.id == "a"
    near = ask("check.get_check", **seen, fingerprint=inserted.fingerprint, crawl="may")
    assert not near.new and near.matches[0].id == "a"
    assert ask("crawls.list_crawls", **seen).crawls[0].id == ask("crawls.get_crawl", id="may", **seen).id == "may"
    assert ask("crawls.commit_crawl", id="may", **seen).entries == 1
    ask("check.check_and_insert", **seen, body=models.CheckRequest(id="b", text="other words", crawl="june"))
    assert ask("crawls.cancel_crawl", id="june", **seen).committed is False
    assert ask("batch.batch", **seen, body=models.BatchLine(fingerprint=inserted.fingerprint)).new is False

    # a saved run
    run = {"collection": "run"}
    assert len(ask("review.clusters", **run).clusters) > 0
    marked = ask("review.mark_template", **run, body=models.MarkRequest(cluster=1, name="head"))
    assert ask("review.get_template", name="head", **run).chunks == marked.chunks
    assert [one.name for one in ask("review.list_templates", **run).templates] == ["head"]
    ask("review.unmark_template", name="head", **run)

    # a job
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("ann.txt", "ben.txt"):
            archive.writestr(name, text)
    job = ask("copies.begin_job", status=202, lang="text", body=document(packed.getvalue()))
    for _ in range(300):
        if ask("copies.get_job", id=job.id).status not in ("waiting", "running"):
            break
        time.sleep(0.1)
    assert [one.id for one in ask("copies.list_jobs").jobs] == [job.id]
    report = ask("copies.job_report", id=job.id)
    assert report.documents == 2 and report.lens == "passages", report
    ask("copies.job_page", id=job.id)
    ask("copies.delete_job", id=job.id, status=204)

    import client.api

    routes = {name.removeprefix("client.api.") for _, name, package in pkgutil.walk_packages(client.api.__path__, "client.api.") if not package}
    assert asked == routes, routes ^ asked
    return len(routes)
