"""An index that `lookalike serve` has, asked over HTTP with the calls of `Index`."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._sources import table_of
from .errors import AlreadyExists, LookalikeError, NotFound, WrongInput

# lines of a request, and their bytes at most: the server limits what it reads
_LINES, _BYTES = 500, 8 << 20
# seconds after which the server may have closed a connection
_IDLE = 20.0
# how often what is busy is asked again
_TRIES = 5
_ERRORS: dict[int, type[LookalikeError]] = {400: WrongInput, 404: NotFound, 409: AlreadyExists, 413: WrongInput, 422: WrongInput}


def connect(url: str, *, index: str | None = None, token: str | None = None, timeout: float = 60.0) -> RemoteIndex:
    """What `lookalike serve` has at a URL. `index` chooses one of several; without it the first that can answer does."""
    return RemoteIndex(url, index=index, token=token, timeout=timeout)


class RemoteIndex:
    """An index or a store of fingerprints that is served elsewhere. One connection, for one thread."""

    def __init__(self, url: str, *, index: str | None = None, token: str | None = None, timeout: float = 60.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise WrongInput(f"expected a URL such as http://127.0.0.1:7777, found {url!r}", expected="a URL", found=url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=timeout)
        self._url, self._base, self._index = url, parts.path.rstrip("/"), index
        self._used = 0.0
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    # what an index is asked

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
            return _answer(self._send("POST", self._route("query", asked), text, "application/octet-stream"))
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
        """Removes names, from one sweep or from all. Returns when answers know of it."""
        *others, last = [*names] or [None]
        if last is None:
            return {"removed": 0}
        for _ in self._batch({"op": "delete", "id": name, "sweep": sweep} for name in others):
            pass
        self._call("DELETE", f"documents/{_segment(last)}", {"sweep": sweep, "wait": "true"})
        return {"removed": len(others) + 1}

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
        """What is served under this name, or first."""
        served = self._call("GET", "indexes", named=False)["indexes"]
        for one in served:
            if self._index in (None, one["name"]):
                return one
        raise NotFound(f"nothing called {self._index!r} is served; there are {', '.join(one['name'] for one in served)}")

    # what a store of fingerprints is asked

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
        """Gives the connection up. It is made again when it is needed."""
        self._connection.close()

    def __enter__(self) -> RemoteIndex:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RemoteIndex({self._url!r}{'' if self._index is None else f', index={self._index!r}'})"

    # how it is asked

    def _post(self, route: str, **body: Any) -> dict[str, Any]:
        return self._call("POST", route, body={"index": self._index, **body}, named=False)

    def _call(
        self, method: str, route: str, params: Mapping[str, Any] | None = None, body: Mapping[str, Any] | None = None, *, named: bool = True
    ) -> dict[str, Any]:  # fmt: skip
        content = None if body is None else json.dumps({name: value for name, value in body.items() if value is not None})
        return _answer(self._send(method, self._route(route, params, named=named), content, "application/json"))

    def _route(self, route: str, params: Mapping[str, Any] | None = None, *, named: bool = True) -> str:
        given = {"index": self._index if named else None, **(params or {})}
        query = urlencode({name: value for name, value in given.items() if value is not None})
        return f"{route}?{query}" if query else route

    def _batch(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        """Answers to lines, a request for some hundred of them."""
        group: list[str] = []
        size = 0
        for line in lines:
            named = {"index": self._index, **line}
            written = json.dumps({name: value for name, value in named.items() if value is not None})
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
        # asked again after an answer that was lost, it would say that the page was there: it was inserted by the first
        is_sent_once = route.startswith("check-and-insert")
        if time.monotonic() - self._used > _IDLE:
            self._connection.close()
        headers = dict(self._headers)
        if content is not None:
            headers["Content-Type"] = kind
        data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        for tried in range(1, _TRIES + 1):
            try:
                self._connection.request(method, f"{self._base}/v1/{route}", data, headers)
                response = self._connection.getresponse()
                answer = response.read()
                self._used = time.monotonic()
            except (http.client.HTTPException, ConnectionError) as error:
                self._connection.close()
                if tried == _TRIES or is_sent_once:
                    raise LookalikeError(f"{self._url}: the server does not answer: {error or type(error).__name__}") from error
                time.sleep(0.1 * (tried - 1))
                continue
            except OSError as error:
                self._connection.close()
                raise LookalikeError(f"{self._url}: cannot be reached: {error}") from error
            if response.status == 503 and tried < _TRIES:
                time.sleep(float(response.headers.get("Retry-After", "1")))
                continue
            if response.status >= 400:
                raise _error(response.status, _detail(answer))
            return answer
        raise AssertionError("every try ends")


def _answer(line: bytes) -> dict[str, Any]:
    """As an index gives it: without the version of the form."""
    answer = json.loads(line)
    return {name: value for name, value in answer.items() if name not in ("schema", "lookalike")}


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
