//! Makes text from documents and file names harmless on a terminal.

use std::borrow::Cow;

/// The text with control, direction and other invisible characters spelled out as `\u{…}`.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unsafe(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_become_visible() {
        assert_eq!(clean("a\x1b[31mb\n\u{202e}c\u{9b}"), "a\\u{1b}[31mb\\u{a}\\u{202e}c\\u{9b}");
        assert!(matches!(clean("Größe 网络 – ok"), Cow::Borrowed(_)));
    }
}
