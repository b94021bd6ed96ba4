"""A collection that `lookalike serve` has, asked over HTTP with the calls of `Index`."""

from __future__ import annotations

import collections
import contextlib
import http.client
import json
import os
import selectors
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._sources import table_of
from .errors import AlreadyExists, LookalikeError, NotFound, WrongInput

# lines of a batch, and their bytes, at most: the server limits what it reads
_LINES, _BYTES = 500, 8 << 20
# seconds after which the server may have closed an idle connection
_IDLE = 20.0
# idle connections that are kept
_KEPT = 32
# attempts at most
_TRIES = 5
# requests with a body that change nothing
_READS = {"query", "check", "holders", "collapse"}
_ERRORS: dict[int, type[LookalikeError]] = {400: WrongInput, 404: NotFound, 409: AlreadyExists, 413: WrongInput, 422: WrongInput}


def connect(url: str, *, collection: str | None = None, token: str | None = None, timeout: float = 60.0) -> RemoteIndex:
    """A collection of `lookalike serve` at a URL. `collection` is needed where the server has several: every call asks this one."""
    return RemoteIndex(url, collection=collection, token=token, timeout=timeout)


class _Pool:
    """Connections to one server. Each is used by one thread at a time; threads share those that are idle.

    A deque needs no lock: its `append` and `pop` are atomic, so nothing can be held at the moment of a fork. A process uses only
    connections that it opened itself: parent and child would read each other's answers.
    """

    def __init__(self, host: str, port: int | None, *, tls: bool, timeout: float) -> None:
        self._kind = http.client.HTTPSConnection if tls else http.client.HTTPConnection
        self._host, self._port, self._timeout = host, port, timeout
        self._idle: collections.deque[tuple[http.client.HTTPConnection, float, int]] = collections.deque()

    @contextlib.contextmanager
    def connection(self) -> Iterator[http.client.HTTPConnection]:
        """A connection that is open. It is kept only if the exchange was completed: any exception closes it."""
        connection = self._take()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        if connection.sock is not None and len(self._idle) < _KEPT:
            self._idle.append((connection, time.monotonic(), os.getpid()))
        else:
            connection.close()

    def _take(self) -> http.client.HTTPConnection:
        while True:
            try:
                connection, used, process = self._idle.pop()
            except IndexError:
                break
            if process == os.getpid() and time.monotonic() - used < _IDLE and not _is_readable(connection):
                return connection
            # in a child this closes its copy of the descriptor only
            connection.close()
        connection = self._kind(self._host, self._port, timeout=self._timeout)
        connection.connect()
        return connection

    def close(self) -> None:
        while True:
            try:
                self._idle.pop()[0].close()
            except IndexError:
                return


def _is_readable(connection: http.client.HTTPConnection) -> bool:
    """Whether an idle connection has something to read: the server has closed it, or sent what nobody asked for."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return bool(selector.select(0))


class RemoteIndex:
    """An index or a store of fingerprints that is served elsewhere. Threads may share it, and it may be used on both sides of a fork:
    each call has a connection of its own while it lasts."""

    def __init__(self, url: str, *, collection: str | None = None, token: str | None = None, timeout: float = 60.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise WrongInput(f"expected a URL such as http://127.0.0.1:7777, found {url!r}", expected="a URL", found=url)
        self._pool = _Pool(parts.hostname, parts.port, tls=parts.scheme == "https", timeout=timeout)
        self._url, self._base, self._collection = url, parts.path.rstrip("/"), collection
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    # questions to an index

    def query(
        self,
        text: str | bytes | None = None,
        *,
        url: str | None = None,
        threshold: float | None = None,
        contained: float | None = None,
        min_similarity: float | None = None,
        min_shared: int | None = None,
        guarantee: int | None = None,
        distance: int | None = None,
        limit: int | None = None,
    ) -> dict[str, Any]:
        """Where has the index seen this text or these bytes, or what a URL of it has?"""
        asked = {
            "url": url, "threshold": threshold, "contained": contained, "min_similarity": min_similarity,
            "min_shared": min_shared, "guarantee": guarantee, "distance": distance, "limit": limit,
        }  # fmt: skip
        if isinstance(text, bytes):
            return _answer(self._send("POST", _route("query", asked), text, "application/octet-stream"))
        return self._post("query", text=text, **asked)

    def query_many(
        self,
        *data: Any,
        threshold: float | None = None,
        contained: float | None = None,
        distance: int | None = None,
        limit: int | None = None,
        id: str = "id",
        text: str = "text",
    ) -> list[dict[str, Any]]:
        """The same for many texts, in their order."""
        more = {"threshold": threshold, "contained": contained, "distance": distance, "limit": limit}
        rows = _documents(data, id, text)
        return list(self._batch({"op": "query", **more, "id": name, "text": body} for name, body in rows))

    def add(self, *data: Any, sweep: str | None = None, id: str = "id", text: str = "text") -> dict[str, Any]:
        """Adds documents, or new versions of them. Returns when answers know of them."""
        read, last = 0, None

        def lines() -> Iterator[dict[str, Any]]:
            nonlocal read, last
            for name, body in _documents(data, id, text):
                if name is None:
                    raise WrongInput("expected documents with ids, found a text without one; give {id: text}, or rows")
                read += 1
                if last is not None:
                    yield {"op": "put", "id": last[0], "text": last[1], "sweep": sweep}
                last = (name, body)

        for _ in self._batch(lines()):
            pass
        if last is not None:
            # changes become visible in their order: when the last is, all are
            self._call("PUT", f"documents/{_segment(last[0])}", {"sweep": sweep, "wait": "true"}, {"text": last[1]})
        return {"read": read}

    def remove(self, names: Iterable[str], *, sweep: str | None = None) -> dict[str, Any]:
        """Removes names, from one sweep or from all; `removed` counts their observations. Returns when answers know of it."""
        distinct = [*dict.fromkeys(names)]
        if not distinct:
            return {"removed": 0}
        *others, last = distinct
        removed = sum(line["removed"] for line in self._batch({"op": "delete", "id": name, "sweep": sweep} for name in others))
        # changes become visible in their order: when the last is, all are
        answer = self._call("DELETE", f"documents/{_segment(last)}", {"sweep": sweep, "wait": "true"})
        return {"removed": removed + answer["removed"]}

    def document(self, name: str) -> dict[str, Any]:
        """What the index knows of a name, and what is on its way."""
        return self._call("GET", f"documents/{_segment(name)}")

    def lost(
        self, url: str, *, at: str | None = None, contained: float | None = None, limit: int | None = None
    ) -> dict[str, Any]:
        """Where does the content of a dead URL live now?"""
        return self._call("GET", "lost", {"url": url, "at": at, "contained": contained, "limit": limit})

    def holders(
        self, text: str | None = None, *, url: str | None = None, contained: float | None = None
    ) -> dict[str, Any]:
        """Who holds a text, or what a URL has, or a part of it?"""
        return self._post("holders", text=text, url=url, contained=contained)

    def changes(self, *, threshold: float | None = None) -> dict[str, Any]:
        """How pages change from sweep to sweep."""
        return self._call("GET", "changes", {"threshold": threshold})

    def collapse(self, urls: Iterable[str]) -> dict[str, Any]:
        """Ranked results, with those that look alike under the first of them."""
        return self._post("collapse", urls=[*urls])

    def info(self) -> dict[str, Any]:
        """Its kind, its recipe and its numbers."""
        return self._call("GET", "")

    # questions to a store of fingerprints

    def check(
        self,
        text: str | None = None,
        *,
        html: str | None = None,
        fingerprint: str | int | None = None,
        distance: int | None = None,
        limit: int | None = None,
        crawl: str | None = None,
    ) -> dict[str, Any]:
        """Was this page, or its fingerprint, seen before?"""
        return self._post(
            "check", text=text, html=html, fingerprint=_digits(fingerprint), distance=distance, limit=limit, crawl=crawl
        )

    def check_and_insert(
        self,
        id: str,
        text: str | None = None,
        *,
        html: str | None = None,
        fingerprint: str | int | None = None,
        distance: int | None = None,
        limit: int | None = None,
        crawl: str | None = None,
    ) -> dict[str, Any]:
        """The same; what is new is there when it returns. Of equal pages at the same moment exactly one is new."""
        return self._post(
            "check-and-insert", id=id, text=text, html=html, fingerprint=_digits(fingerprint), distance=distance,
            limit=limit, crawl=crawl,
        )  # fmt: skip

    def commit_crawl(self, id: str) -> dict[str, Any]:
        """Shows what a crawl inserted to everybody, at once."""
        return self._call("POST", f"crawls/{_segment(id)}/commit")

    def cancel_crawl(self, id: str) -> dict[str, Any]:
        """Forgets what a crawl inserted."""
        return self._call("POST", f"crawls/{_segment(id)}/cancel")

    def close(self) -> None:
        """Closes idle connections. A later call opens a new one."""
        self._pool.close()

    def __enter__(self) -> RemoteIndex:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RemoteIndex({self._url!r}{'' if self._collection is None else f', collection={self._collection!r}'})"

    # how it is asked

    def _post(self, route: str, **body: Any) -> dict[str, Any]:
        return self._call("POST", route, body=body)

    def _call(
        self, method: str, route: str, params: Mapping[str, Any] | None = None, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        content = None if body is None else json.dumps({name: value for name, value in body.items() if value is not None})
        return _answer(self._send(method, _route(route, params or {}), content, "application/json"))

    def _batch(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Answers to lines, a request for some hundred of them."""
        group: list[str] = []
        size = 0
        for line in lines:
            written = json.dumps({name: value for name, value in line.items() if value is not None})
            if group and (len(group) == _LINES or size + len(written) > _BYTES):
                yield from self._lines(group)
                group, size = [], 0
            group.append(written)
            size += len(written)
        if group:
            yield from self._lines(group)

    def _lines(self, group: list[str]) -> Iterator[dict[str, Any]]:
        for answer in self._send("POST", "batch", "\n".join(group), "application/x-ndjson").splitlines():
            row = _answer(answer)
            if "error" in row:
                raise _error(row["error"]["status"], row["error"]["detail"])
            yield row

    def _send(self, method: str, route: str, content: str | bytes | None, kind: str) -> bytes:
        """Asks a route of the collection."""
        if self._collection is None:
            self._collection = self._only_collection()
        is_read = method == "GET" or (method == "POST" and route.split("?")[0] in _READS)
        place = f"collections/{_segment(self._collection)}"
        return self._exchange(method, f"{place}/{route}" if route else place, content, kind, is_read)

    def _only_collection(self) -> str:
        """The name of the collection, where the server has one."""
        served = json.loads(self._exchange("GET", "collections", None, "", True))["collections"]
        if len(served) == 1:
            return str(served[0]["name"])
        names = ", ".join(repr(one["name"]) for one in served)
        raise WrongInput(f"{self._url} has several collections; expected collection= and one of {names}", expected=names)

    def _exchange(self, method: str, route: str, content: str | bytes | None, kind: str, is_read: bool) -> bytes:
        headers = dict(self._headers)
        if content is not None:
            headers["Content-Type"] = kind
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        for left in reversed(range(_TRIES)):
            is_sent = False
            try:
                with self._pool.connection() as connection:
                    is_sent = True
                    connection.request(method, f"{self._base}/v1/{route}", data, headers)
                    response = connection.getresponse()
                    answer = response.read()
            except (http.client.HTTPException, OSError) as error:
                # a change whose answer was lost may have been made: made again, it would be answered differently
                may_repeat = not is_sent or (is_read and not isinstance(error, TimeoutError))
                if may_repeat and left and isinstance(error, (http.client.HTTPException, ConnectionError)):
                    time.sleep(0.1 * (_TRIES - 1 - left))
                    continue
                what = "the server does not answer" if is_sent else "cannot be reached"
                raise LookalikeError(f"{self._url}: {what}: {error or type(error).__name__}") from error
            # with Retry-After the server says that it has done nothing
            if response.status == 503 and left and (is_read or "Retry-After" in response.headers):
                time.sleep(float(response.headers.get("Retry-After", "1")))
                continue
            if response.status >= 400:
                raise _error(response.status, _detail(answer))
            return answer
        raise AssertionError("the last attempt returns or raises")


def _answer(line: bytes) -> dict[str, Any]:
    """As an index gives it: without the version of the form, and the name that the caller gave."""
    answer = json.loads(line)
    return {name: value for name, value in answer.items() if name not in ("schema", "lookalike", "collection")}


def _route(route: str, params: Mapping[str, Any]) -> str:
    query = urlencode({name: value for name, value in params.items() if value is not None})
    return f"{route}?{query}" if query else route


def _error(status: int, detail: str) -> LookalikeError:
    return _ERRORS.get(status, LookalikeError)(detail)


def _detail(answer: bytes) -> str:
    try:
        return str(json.loads(answer)["detail"])
    except (ValueError, KeyError, TypeError):
        return answer[:200].decode(errors="replace") or "the server refused, and did not say why"


def _segment(name: str) -> str:
    return quote(name, safe="")


def _digits(fingerprint: str | int | None) -> str | None:
    return f"{fingerprint:016x}" if isinstance(fingerprint, int) else fingerprint


def _documents(data: Iterable[Any], id: str, text: str) -> Iterator[tuple[str | None, str]]:
    """Ids and texts of what was given: as `Index` takes them, but for files, which the server does not see."""
    for item in data:
        if isinstance(item, (str, os.PathLike)):
            raise WrongInput(
                f"expected documents, found the path or text {str(item)[:80]!r}; give a list of texts, {{id: text}} or rows",
                expected="documents", found=str(item)[:80],
            )  # fmt: skip
        if isinstance(item, Mapping):
            yield from ((str(name), body) for name, body in item.items())
            continue
        for row in _rows(table_of(item, text)):
            if isinstance(row, str):
                yield None, row
            elif isinstance(row, Mapping):
                name = row.get(id)
                yield None if name is None else str(name), row[text]
            else:
                name, body = row
                yield str(name), body


def _rows(item: Any) -> Iterator[Any]:
    if not hasattr(item, "__arrow_c_stream__"):
        return iter(item)
    import pyarrow as pa

    return (row for batch in pa.RecordBatchReader.from_stream(item) for row in batch.to_pylist())
