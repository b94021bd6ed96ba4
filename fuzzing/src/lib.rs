//! Fuzz targets, and the assertions and helpers that several of them use.

pub mod shards;
pub mod targets;

use lookalike_extract::{Canonical, Format, PageRules, canonical, canonical_of_str, visible_of_str, visible_text};
use lookalike_languages::Code;
use lookalike_store::{Spool, SpoolReader};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Characters whose spans are checked. A sample keeps the fuzzer fast on long inputs.
const SAMPLED: usize = 512;

/// Both ways of reading `bytes` agree, and the spans lie in them, in order.
pub fn check(bytes: &[u8], format: Option<Format>) {
    let mut scratch = String::new();
    match (visible_text(bytes, format, &PageRules::WHOLE, &mut scratch), canonical(bytes, format, &PageRules::WHOLE)) {
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
    let slow = canonical_of_str(text, format, &PageRules::WHOLE);
    assert_eq!(visible_of_str(text, format, &PageRules::WHOLE, &mut scratch).text, slow.text);
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

/// A folder of this process, for targets whose subject reads files. Point `TMPDIR` at memory: the fuzzer writes
/// thousands of files a second.
pub fn folder() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let folder = std::env::temp_dir().join(format!("lookalike-fuzz-{}", std::process::id()));
        // what an earlier process of the same number left
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("the temporary folder can be written to");
        folder
    };
    FOLDER.get_or_init(make).clone()
}

/// Nothing that a document or a saved run says may steer the terminal: of control characters only our own colours and
/// line ends are left, and none that turns the direction of the text.
pub fn check_terminal(shown: &[u8]) {
    let mut rest = std::str::from_utf8(shown).expect("what is shown is UTF-8").to_owned();
    for style in [0, 1, 2, 31, 32, 33, 34, 35, 36] {
        rest = rest.replace(&format!("\x1b[{style}m"), "");
    }
    let steers =
        |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!rest.contains(steers), "{rest:?}");
}

/// Tokens lie in the text, in order, on whole characters; none is empty.
pub fn check_tokens(code: &Code<'_>) {
    let mut last = 0;
    for token in &code.tokens {
        assert!(last <= token.start && token.id != 0);
        assert!(code.text.get(token.start as usize..token.end as usize).is_some_and(|text| !text.is_empty()));
        last = token.start;
    }
}

/// Edits of four bytes: where (two), how, and with what.
pub fn edited(mut bytes: Vec<u8>, edits: &[u8]) -> Vec<u8> {
    for [low, high, how, with] in edits.as_chunks().0 {
        let at = usize::from(u16::from_le_bytes([*low, *high])) % (bytes.len() + 1);
        match how % 4 {
            0 if at < bytes.len() => bytes[at] = *with,
            0 | 1 => bytes.insert(at, *with),
            2 => drop(bytes.drain(at..bytes.len().min(at + usize::from(*with)))),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Edits one record of a spool and writes it anew, with checksums that fit.
pub fn forge_record(path: &Path, which: usize, edits: &[u8]) {
    let (mut at, mut records) = (0, Vec::new());
    let end = fs::metadata(path).expect("written before").len();
    let reader = SpoolReader::open(path, 0).expect("written before");
    while at < end {
        let mut record = Vec::new();
        reader.read(at, &mut record).expect("whole");
        at += 12 + record.len() as u64;
        records.push(record);
    }
    let which = which % records.len();
    records[which] = edited(std::mem::take(&mut records[which]), edits);
    fs::remove_file(path).expect("the folder is ours");
    let mut spool = Spool::create(path).expect("the folder is ours");
    records.iter().for_each(|record| assert!(spool.append(record).is_ok()));
    spool.finish().expect("the folder is ours");
}
