#!/usr/bin/env python3
"""What warcio writes and reads, against what lookalike reads and writes.

    warc_readers.py write FOLDER          writes plain.warc, members.warc.gz and v11.warc.gz
    warc_readers.py check FOLDER COPIES   reads the copies that lookalike made of them

In the copies the responses with even numbers are gone: those that are divisible by four became `revisit` records that refer to
the response with the number 1. Everything else is as it was, byte for byte. Needs `pip install warcio`.
"""

import gzip
import io
import sys
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

FILES = [("plain.warc", False, "1.0"), ("members.warc.gz", True, "1.0"), ("v11.warc.gz", True, "1.1")]
PAGES = 12


def http(number):
    fields = [("Content-Type", "text/html; charset=utf-8"), ("X-Number", str(number))]
    body = f"<html><body>page {number} {'words ' * number}</body></html>".encode()
    if number % 3 == 0:
        body = gzip.compress(body, mtime=0)
        fields.append(("Content-Encoding", "gzip"))
    if number % 5 == 0:
        body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        fields.append(("Transfer-Encoding", "chunked"))
    return StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1"), body


def write(folder):
    for name, is_gzip, version in FILES:
        with open(folder / name, "wb") as out:
            writer = WARCWriter(out, gzip=is_gzip, warc_version=version)
            writer.write_record(writer.create_warcinfo_record(name, {"software": "warcio"}))
            for number in range(1, PAGES + 1):
                head, body = http(number)
                uri = f"http://example.org/{number}"
                response = writer.create_warc_record(uri, "response", payload=io.BytesIO(body), http_headers=head)
                request_head = StatusAndHeaders("GET / HTTP/1.1", [("Host", "example.org")], is_http_request=True)
                request = writer.create_warc_record(uri, "request", http_headers=request_head)
                writer.write_request_response_pair(request, response)


def records(path):
    with open(path, "rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            yield record.rec_type, record, record.content_stream().read()


def check(folder, copies):
    for name, _, _ in FILES:
        before, after = list(records(folder / name)), list(records(copies / name))
        responses, expected = 0, []
        for kind, record, body in before:
            if kind == "response":
                responses += 1
                if responses % 4 == 0:
                    expected.append(("revisit", record, b""))
                    continue
                if responses % 2 == 0:
                    continue
            expected.append((kind, record, body))
        assert len(expected) == len(after), (name, len(expected), len(after))
        for (kind, old, body), (found, new, content) in zip(expected, after):
            assert (kind, body) == (found, content), (name, kind, found)
            uri = old.rec_headers.get_header("WARC-Target-URI")
            assert new.rec_headers.get_header("WARC-Target-URI") == uri
            if kind == "revisit":
                head = new.rec_headers
                assert head.protocol == "WARC/1.1"
                assert head.get_header("WARC-Refers-To-Target-URI") == "http://example.org/1"
                assert head.get_header("WARC-Refers-To-Date") == "2026-01-01T00:00:00Z"
                assert head.get_header("WARC-Profile") == "urn:x-lookalike:warc:revisit:near-duplicate"
                assert head.get_header("WARC-Record-ID") != old.rec_headers.get_header("WARC-Record-ID")
                assert new.http_headers.get_header("X-Number") == uri.rsplit("/")[-1]
            else:
                assert str(new.rec_headers) == str(old.rec_headers), name
        print(f"{name}: {len(before)} records, {len(after)} in the copy")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "write":
        write(Path(sys.argv[2]))
    elif len(sys.argv) == 4 and sys.argv[1] == "check":
        check(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.exit(__doc__)
