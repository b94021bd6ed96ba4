//! What every extraction target asserts.

use lookalike_extract::{Canonical, Format, canonical, canonical_of_str, visible_text, visible_text_of_str};

/// Characters whose spans are checked. A sample keeps the fuzzer fast on long inputs.
const SAMPLED: usize = 512;

/// Both ways of reading `bytes` agree, and the spans lie in them, in order.
pub fn check(bytes: &[u8], format: Option<Format>) {
    let mut scratch = String::new();
    match (visible_text(bytes, format, &mut scratch), canonical(bytes, format)) {
        (Ok(fast), Ok(slow)) => {
            assert_eq!(fast, slow.text);
            check_spans(&slow, bytes.len());
        }
        (Err(fast), Err(slow)) => assert_eq!(fast, slow),
        (fast, slow) => panic!("one way reads it: {fast:?}, {slow:?}"),
    }
}

/// The same for text, whose spans must also be whole characters.
pub fn check_str(text: &str, format: Option<Format>) {
    let mut scratch = String::new();
    let slow = canonical_of_str(text, format);
    assert_eq!(visible_text_of_str(text, format, &mut scratch), slow.text);
    check_spans(&slow, text.len());
    for (at, c) in slow.text.char_indices().take(SAMPLED) {
        assert!(text.get(slow.source_span(at..at + c.len_utf8())).is_some());
    }
}

fn check_spans(read: &Canonical, source_len: usize) {
    let mut last = 0..0;
    let step = read.text.len() / SAMPLED + 1;
    for (at, c) in read.text.char_indices().step_by(step) {
        let span = read.source_span(at..at + c.len_utf8());
        assert!(span.start <= span.end && span.end <= source_len, "{span:?} of {source_len}");
        assert!(last.start <= span.start && last.end <= span.end, "{last:?} before {span:?}");
        last = span;
    }
    assert!(read.source_span(0..read.text.len()).end <= source_len);
}
