//! HTTP responses as a crawler saved them: the head, and the payload with its transfer and content encodings undone.

use std::borrow::Cow;
use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, ZlibDecoder};

use crate::gunzip::Gunzip;
use crate::skipped::Reason;
use crate::zstd::Decoder;

/// So many content encodings may lie over each other; servers use one.
const MAX_ENCODINGS: usize = 3;

/// A response, taken apart.
pub(crate) struct Response<'a> {
    /// With the blank line behind it.
    pub(crate) head: &'a [u8],
    body: &'a [u8],
}

impl<'a> Response<'a> {
    /// Takes the block of a record apart; none if it is no response.
    pub(crate) fn parse(block: &'a [u8]) -> Option<Response<'a>> {
        status(block)?;
        let mut end = 0;
        // a response without a blank line is all head
        while end < block.len() {
            let line = memchr::memchr(b'\n', &block[end..]).map_or(block.len(), |at| end + at + 1);
            let is_blank = matches!(&block[end..line], b"\n" | b"\r\n");
            end = line;
            if is_blank {
                break;
            }
        }
        let (head, body) = block.split_at(end);
        Some(Response { head, body })
    }

    /// The first field of this name, without the white space around it.
    pub(super) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        let lines = self.head.split(|byte| *byte == b'\n').skip(1);
        let mut fields = lines.filter_map(|line| {
            let colon = memchr::memchr(b':', line)?;
            let is_named = line[..colon].trim_ascii().eq_ignore_ascii_case(name.as_bytes());
            is_named.then(|| String::from_utf8_lossy(line[colon + 1..].trim_ascii()))
        });
        fields.next()
    }

    /// What the server meant to send: of at most so many bytes, for a few can stand for many.
    pub(super) fn payload(&self, limit: u64) -> Result<Cow<'a, [u8]>, Reason> {
        let mut payload = Cow::Borrowed(self.body);
        if self.get("Transfer-Encoding").is_some_and(|how| how.to_ascii_lowercase().contains("chunked")) {
            payload = join_chunks(self.body)?.map_or(payload, Cow::Owned);
        }
        let encodings = self.get("Content-Encoding").unwrap_or_default().to_ascii_lowercase();
        let encodings: Vec<&str> = encodings.split(',').map(str::trim).collect();
        if encodings.len() > MAX_ENCODINGS {
            return Err(Reason::Packed(format!("its HTTP content is compressed {} times over", encodings.len())));
        }
        for encoding in encodings.iter().rev() {
            if let Some(plain) = decode(encoding, &payload, limit)? {
                payload = Cow::Owned(plain);
            }
        }
        Ok(payload)
    }
}

/// The status of a response; none if this does not begin like one.
pub(super) fn status(block: &[u8]) -> Option<u16> {
    let line = block.split(|byte| *byte == b'\n').next()?;
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().filter(|version| version.starts_with(b"HTTP/"))?;
    let status = words.next()?;
    let is_status = status.len() == 3 && status.iter().all(u8::is_ascii_digit);
    is_status.then(|| status.iter().fold(0, |status, digit| status * 10 + u16::from(digit - b'0')))
}

/// The chunks of a body as one. None if it is not in chunks: many crawlers join them and leave the field as it was. What breaks off was cut by
/// the crawler or the server, and is what there is.
fn join_chunks(mut body: &[u8]) -> Result<Option<Vec<u8>>, Reason> {
    let mut joined = Vec::new();
    loop {
        let Some(end) = memchr::memchr(b'\n', body) else {
            return Ok((!joined.is_empty()).then_some(joined));
        };
        let digits = body[..end].split(|byte| *byte == b';').next().unwrap_or_default().trim_ascii();
        let size =
            std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let size = size.and_then(|digits| usize::from_str_radix(digits, 16).ok());
        let Some(size) = size else {
            if joined.is_empty() {
                return Ok(None);
            }
            let found = String::from_utf8_lossy(&digits[..digits.len().min(16)]).into_owned();
            let message = format!("expected the size of a chunk of its HTTP body, found {found:?}");
            return Err(Reason::BadRecord(message));
        };
        let rest = &body[end + 1..];
        if size == 0 || size >= rest.len() {
            joined.extend_from_slice(&rest[..size.min(rest.len())]);
            return Ok(Some(joined));
        }
        joined.extend_from_slice(&rest[..size]);
        let rest = &rest[size..];
        body = rest.strip_prefix(b"\r").unwrap_or(rest);
        body = body.strip_prefix(b"\n").unwrap_or(body);
    }
}

/// Undoes one content encoding. None if there is nothing to undo: crawlers unpack, and leave the field as it was.
fn decode(encoding: &str, packed: &[u8], limit: u64) -> Result<Option<Vec<u8>>, Reason> {
    let unpacked = match encoding {
        "gzip" | "x-gzip" if packed.starts_with(&[0x1f, 0x8b]) => unpack(Gunzip::new(packed), limit),
        "deflate" if is_zlib(packed) => unpack(ZlibDecoder::new(packed), limit),
        // some servers mean bare deflate; what is none of it is plain
        "deflate" => return Ok(unpack(DeflateDecoder::new(packed), limit).ok().filter(|plain| !plain.is_empty())),
        "zstd" if packed.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
            Decoder::with_buffer(packed).and_then(|decoder| unpack(decoder, limit))
        }
        "" | "identity" | "none" | "gzip" | "x-gzip" | "zstd" | "utf-8" => return Ok(None),
        other => {
            let name: String = other.chars().take(20).collect();
            let message = format!("its HTTP content is compressed with {name:?}; gzip, deflate and zstd are read");
            return Err(Reason::Packed(message));
        }
    };
    let plain = unpacked
        .map_err(|error| Reason::Truncated(format!("its HTTP content is not whole {encoding} data: {error}")))?;
    if plain.len() as u64 > limit {
        return Err(Reason::TooLarge { bytes: plain.len() as u64, limit });
    }
    Ok(Some(plain))
}

/// At most one byte over the limit.
fn unpack(from: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    from.take(limit.saturating_add(1)).read_to_end(&mut plain)?;
    Ok(plain)
}

fn is_zlib(packed: &[u8]) -> bool {
    matches!(packed, [first, second, ..] if first & 0x0f == 8 && (u16::from(*first) << 8 | u16::from(*second)) % 31 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use std::io::Write;

    fn payload(fields: &str, body: &[u8]) -> Result<Vec<u8>, Reason> {
        let block = [format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), body].concat();
        Response::parse(&block).unwrap().payload(1000).map(Cow::into_owned)
    }

    #[test]
    fn heads() {
        let response = Response::parse(b"HTTP/2 204\nA: b\nContent-Type : text/html \n\nbody").unwrap();
        assert_eq!(response.body, b"body");
        assert_eq!(status(b"HTTP/2 204\n"), Some(204));
        assert_eq!(response.get("content-type").as_deref(), Some("text/html"));
        assert_eq!(Response::parse(b"HTTP/1.0 200 OK\r\nA: b").unwrap().body, b"");
        for wrong in [&b""[..], b"GET / HTTP/1.1\r\n", b"HTTP/1.1", b"HTTP/1.1 20 x", b"HTTP/1.1 +20"] {
            assert!(Response::parse(wrong).is_none(), "{wrong:?}");
        }
    }

    #[test]
    fn chunks() {
        let chunked = |body: &[u8]| payload("transfer-encoding: Chunked\r\n", body);
        assert_eq!(chunked(b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n").unwrap(), b"abcde");
        assert_eq!(chunked(b"3\nabc\n0\n\n").unwrap(), b"abc");
        assert_eq!(chunked(b"3\r\nabc\r\n9\r\nde").unwrap(), b"abcde", "cut");
        assert_eq!(chunked(b"3\r\nabc\r\n").unwrap(), b"abc", "cut");
        assert_eq!(chunked(b"<html>\nplain").unwrap(), b"<html>\nplain", "joined already");
        assert_eq!(chunked(b"").unwrap(), b"");
        assert_eq!(chunked(b"ffffffffffffffff\r\nabc").unwrap(), b"abc");
        assert_eq!(chunked(b"3\r\nabcx\r\n").unwrap_err().kind(), "bad record");
    }

    #[test]
    fn contents() {
        let text = b"some words and some words".repeat(4);
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(&text).unwrap();
        let gzip = gzip.finish().unwrap();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(&text).unwrap();
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::fast());
        bare.write_all(&text).unwrap();
        let packed = [
            ("gzip", gzip.clone()),
            ("X-GZip", gzip.clone()),
            ("deflate", zlib.finish().unwrap()),
            ("deflate", bare.finish().unwrap()),
            ("zstd", zstd::encode_all(&text[..], 1).unwrap()),
            ("gzip, zstd", zstd::encode_all(&gzip[..], 1).unwrap()),
            ("identity", text.clone()),
            ("gzip", text.clone()),
            ("deflate", text.clone()),
        ];
        for (encoding, body) in packed {
            assert_eq!(payload(&format!("Content-Encoding: {encoding}\r\n"), &body).unwrap(), text, "{encoding}");
        }
        let gzipped = |body: &[u8]| payload("Content-Encoding: gzip\r\n", body).unwrap_err().kind();
        assert_eq!(gzipped(&gzip[..gzip.len() - 9]), "truncated");
        assert_eq!(payload("Content-Encoding: br\r\n", b"x").unwrap_err().kind(), "not unpacked");
        assert_eq!(payload("Content-Encoding: a,b,c,d\r\n", b"x").unwrap_err().kind(), "not unpacked");
        let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
        bomb.write_all(&[0; 1001]).unwrap();
        assert_eq!(gzipped(&bomb.finish().unwrap()), "too large");
    }
}
