#!/usr/bin/env python3
"""What warcio writes and reads, against what lookalike reads and writes.

warc_readers.py LOOKALIKE   writes web archives, lets the command `dedup` write each again, and reads what it wrote

Pages that went are `revisit` records that refer to the page that stays. Everything else is as it was, byte for byte.
"""

import gzip
import io
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.parquet
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

FILES = [("plain.warc", False, "1.0"), ("members.warc.gz", True, "1.0"), ("v11.warc.gz", True, "1.1")]
PAGES = 24
# every so many pages the same text comes again, with its number in it or without
TEXTS = 8
PROFILE = "urn:x-lookalike:warc:revisit:near-duplicate"


def http(number):
    fields = [("Content-Type", "text/html; charset=utf-8"), ("X-Number", str(number))]
    words = " ".join(f"word{number % TEXTS}x{at}" for at in range(100))
    own = f"page {number}" if number % 2 else ""
    body = f"<html><body>{own} {words}</body></html>".encode()
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


def check(name, before, after, duplicates):
    assert len(before) == len(after), (name, len(before), len(after))
    kept = {row["row"]: before[row["duplicate_of_row"]][1] for row in duplicates}
    for row, ((kind, old, body), (found, new, content)) in enumerate(zip(before, after)):
        if row not in kept:
            assert (kind, body) == (found, content), (name, row, kind, found)
            assert str(new.rec_headers) == str(old.rec_headers), (name, row)
            continue
        assert (kind, found, content) == ("response", "revisit", b""), (name, row, kind, found)
        head, other = new.rec_headers, kept[row].rec_headers
        assert head.protocol == "WARC/1.1"
        assert head.get_header("WARC-Refers-To-Target-URI") == other.get_header("WARC-Target-URI")
        # to the second: fractions, which WARC 1.1 allows, are not kept
        assert head.get_header("WARC-Refers-To-Date")[:19] == other.get_header("WARC-Date")[:19]
        assert head.get_header("WARC-Record-ID") != old.rec_headers.get_header("WARC-Record-ID")
        uri = old.rec_headers.get_header("WARC-Target-URI")
        assert head.get_header("WARC-Target-URI") == uri
        assert new.http_headers.get_header("X-Number") == uri.rsplit("/")[-1]
        assert head.get_header("WARC-Profile") == PROFILE, (name, row)


def main(lookalike, folder):
    write(folder)
    for name, _, _ in FILES:
        out = folder / f"clean-{name}"
        subprocess.run([lookalike, "dedup", folder / name, "-o", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        duplicates = pyarrow.parquet.read_table(out / "duplicates.parquet").to_pylist()
        before, after = list(records(folder / name)), list(records(out / "corpus" / name))
        assert len(duplicates) == PAGES - TEXTS, (name, len(duplicates))
        check(name, before, after, duplicates)
        print(f"{name}: {len(before)} records, {len(duplicates)} of them refer to others now")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        main(sys.argv[1], Path(made))
