//! Arbitrary bytes of unknown format and encoding, alone and behind what names an encoding.

use lookalike_extract::Format;
use crate::check;

const LABELS: [&str; 12] = [
    "utf-8",
    "windows-1252",
    "gbk",
    "gb18030",
    "big5",
    "shift_jis",
    "euc-jp",
    "iso-2022-jp",
    "euc-kr",
    "koi8-r",
    "iso-8859-8",
    "macintosh",
];

pub(crate) fn fuzz(bytes: &[u8]) {
    check(bytes, None);
    check(bytes, Some(Format::Text));
    let Some((&choice, body)) = bytes.split_first() else { return };
    match LABELS.get(choice as usize % (LABELS.len() + 2)) {
        Some(label) => {
            let page = [format!("<meta charset={label}>").as_bytes(), body].concat();
            check(&page, Some(Format::Html));
        }
        None => {
            let mark: &[u8] = if choice % 2 == 0 { b"\xFF\xFE" } else { b"\xFE\xFF" };
            check(&[mark, body].concat(), None);
        }
    }
}
