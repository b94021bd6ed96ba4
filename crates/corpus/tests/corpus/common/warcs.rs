//! Web archives, made here.

use std::fmt::Write;

use super::{gzip, zstd};

/// A record with the fields that all have, and some more.
pub(crate) fn record(number: u32, kind: &str, uri: &str, more: &[(&str, &str)], block: &[u8]) -> Vec<u8> {
    let mut head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n\
         WARC-Date: 2026-01-02T03:04:{:02}Z\r\nContent-Length: {}\r\n",
        number % 60,
        block.len()
    );
    if !uri.is_empty() {
        write!(head, "WARC-Target-URI: {uri}\r\n").unwrap();
    }
    for (name, value) in more {
        write!(head, "{name}: {value}\r\n").unwrap();
    }
    [head.as_bytes(), b"\r\n", block, b"\r\n\r\n"].concat()
}

pub(crate) const HTTP: (&str, &str) = ("Content-Type", "application/http; msgtype=response");

/// A response with this HTTP head (without its blank line) and body.
pub(crate) fn response(number: u32, uri: &str, head: &str, body: &[u8]) -> Vec<u8> {
    record(number, "response", uri, &[HTTP], &[head.as_bytes(), b"\r\n\r\n", body].concat())
}

pub(crate) fn page(number: u32) -> Vec<u8> {
    let body = format!("<html><body>page {number} {}</body></html>", "words and more words ".repeat(number as usize));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8";
    response(number, &format!("http://example.org/{number}"), head, body.as_bytes())
}

pub(crate) fn info() -> Vec<u8> {
    record(0, "warcinfo", "", &[("Content-Type", "application/warc-fields")], b"software: a test\r\n")
}

/// What a crawler writes: a `warcinfo`, and a request for each page.
pub(crate) fn crawl(pages: u32) -> Vec<Vec<u8>> {
    let mut records = vec![info()];
    for number in 1..=pages {
        let uri = format!("http://example.org/{number}");
        let id = format!("<urn:uuid:00000000-0000-4000-8000-{number:012}>");
        let fields = [("WARC-Concurrent-To", id.as_str()), ("Content-Type", "application/http; msgtype=request")];
        records.push(record(1000 + number, "request", &uri, &fields, b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"));
        records.push(page(number));
    }
    records
}

/// The ways in which records become a file: its name, and its bytes.
pub(crate) fn packed(records: &[Vec<u8>]) -> [(&'static str, Vec<u8>); 6] {
    let whole = records.concat();
    // members that end anywhere
    let blocks: Vec<u8> = whole.chunks(37).flat_map(gzip).collect();
    [
        ("plain.warc", whole.clone()),
        ("members.warc.gz", records.iter().flat_map(|record| gzip(record)).collect()),
        ("whole.warc.gz", gzip(&whole)),
        ("blocks.warc.gz", blocks),
        ("frames.warc.zst", records.iter().flat_map(|record| zstd(record)).collect()),
        ("whole.warc.zst", zstd(&whole)),
    ]
}

/// Zstd with a dictionary at the beginning, packed itself or not.
pub(crate) fn with_dictionary(records: &[Vec<u8>], is_packed: bool) -> Vec<u8> {
    let dictionary: Vec<u8> = (1..20).flat_map(page).collect();
    let stored = if is_packed { zstd(&dictionary) } else { dictionary.clone() };
    let mut out = vec![0x5d, 0x2a, 0x4d, 0x18];
    out.extend((stored.len() as u32).to_le_bytes());
    out.extend(stored);
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    out.extend(records.iter().flat_map(|record| compressor.compress(record).unwrap()));
    out
}
