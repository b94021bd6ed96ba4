//! Decoding, with and without the way back. Sequences that mean nothing in the encoding become U+FFFD.

use encoding_rs::{DecoderResult, Encoding, UTF_8};

use crate::sink::Sink;

const REPLACEMENT: &str = "\u{FFFD}";

/// Decodes all of `bytes` at once; also says whether there were errors.
pub(crate) fn decode(bytes: &[u8], encoding: &'static Encoding) -> (String, bool) {
    let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
    (text.into_owned(), had_errors)
}

/// The same text, but tells for every character which bytes made it. Slower, and linear.
pub(crate) fn decode_with_spans<S: Sink>(bytes: &[u8], encoding: &'static Encoding, sink: &mut S) -> bool {
    if encoding == UTF_8 { utf8(bytes, sink) } else { bytewise(bytes, encoding, sink) }
}

fn utf8<S: Sink>(bytes: &[u8], sink: &mut S) -> bool {
    let mut at = 0;
    let mut had_errors = false;
    for chunk in bytes.utf8_chunks() {
        sink.verbatim(chunk.valid(), at);
        at += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            had_errors = true;
            sink.decoded(REPLACEMENT, at..at + chunk.invalid().len());
            at += chunk.invalid().len();
        }
    }
    had_errors
}

/// Feeds the decoder one byte at a time: when text comes out, it is made of the bytes since the last text.
fn bytewise<S: Sink>(bytes: &[u8], encoding: &'static Encoding, sink: &mut S) -> bool {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // The longest answer to one byte is a few characters; the decoder asks for some room to spare.
    let mut room = [0; 32];
    let mut used = 0;
    let mut fed = 0;
    let mut had_errors = false;
    loop {
        let next = &bytes[fed..bytes.len().min(fed + 1)];
        let last = next.is_empty();
        let (result, read, written) = decoder.decode_to_utf8_without_replacement(next, &mut room, last);
        fed += read;
        let text = std::str::from_utf8(&room[..written]).unwrap_or(REPLACEMENT);
        if let DecoderResult::Malformed(bad, behind) = result {
            had_errors = true;
            let end = fed.saturating_sub(behind as usize).max(used);
            let start = end.saturating_sub(bad as usize).max(used);
            // Text that came together with the error was made of what precedes the bad bytes.
            emit(text, &mut used, start, sink);
            emit(REPLACEMENT, &mut used, end, sink);
            continue;
        }
        emit(text, &mut used, fed, sink);
        if last && result == DecoderResult::InputEmpty {
            return had_errors;
        }
    }
}

/// Puts text into the sink as made of all bytes from `used` to `end`.
fn emit<S: Sink>(text: &str, used: &mut usize, end: usize, sink: &mut S) {
    if !text.is_empty() {
        sink.decoded(text, *used..end);
        *used = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::Recorder;
    use encoding_rs::{BIG5, EUC_JP, GB18030, GBK, ISO_2022_JP, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1252};

    fn spans(bytes: &[u8], encoding: &'static Encoding) -> Vec<(String, std::ops::Range<usize>)> {
        let mut recorder = Recorder::default();
        let had_errors = decode_with_spans(bytes, encoding, &mut recorder);
        assert_eq!((recorder.text.clone(), had_errors), decode(bytes, encoding));
        recorder
            .text
            .char_indices()
            .map(|(at, c)| (c.to_string(), recorder.spans.source(at..at + c.len_utf8())))
            .collect()
    }

    fn check(bytes: &[u8], encoding: &'static Encoding, expected: &[(&str, std::ops::Range<usize>)]) {
        let expected: Vec<_> = expected.iter().map(|(text, span)| ((*text).to_owned(), span.clone())).collect();
        assert_eq!(spans(bytes, encoding), expected);
    }

    #[test]
    fn every_character_knows_its_bytes() {
        check(b"a\xFCb", WINDOWS_1252, &[("a", 0..1), ("ü", 1..2), ("b", 2..3)]);
        check(b"a\0\x3D\xD8\x00\xDEb\0", UTF_16LE, &[("a", 0..2), ("😀", 2..6), ("b", 6..8)]);
        check(b"\xC4\xE3\xBA\xC3a", GBK, &[("你", 0..2), ("好", 2..4), ("a", 4..5)]);
        check(b"\x93\xFA\xB1", SHIFT_JIS, &[("日", 0..2), ("ｱ", 2..3)]);
        check(b"\x81\x30\x81\x30a", GB18030, &[("\u{80}", 0..4), ("a", 4..5)]);
        check(b"\x1B$B$3\x1B(Ba", ISO_2022_JP, &[("こ", 0..5), ("a", 5..9)]);
    }

    #[test]
    fn errors_know_theirs() {
        check(
            b"a\xFFb\xE2\x82c",
            UTF_8,
            &[("a", 0..1), ("\u{FFFD}", 1..2), ("b", 2..3), ("\u{FFFD}", 3..5), ("c", 5..6)],
        );
        check(b"\x3D\xD8a\0", UTF_16LE, &[("\u{FFFD}", 0..2), ("a", 2..4)]);
        check(b"\0a\0", UTF_16BE, &[("a", 0..2), ("\u{FFFD}", 2..3)]);
        check(b"a\x81", GBK, &[("a", 0..1), ("\u{FFFD}", 1..2)]);
        check(b"\x81\xFFz", EUC_JP, &[("\u{FFFD}", 0..1), ("\u{FFFD}", 1..2), ("z", 2..3)]);
        check(b"\xB0!", BIG5, &[("\u{FFFD}", 0..1), ("!", 1..2)]);
    }
}
