//! Names of submissions, files and stretches, and how they fit a line.

use crate::clean::clean;
use lookalike::report::{Stretch, Submission};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A pair of which fewer unrelated ones are expected is hardly there by chance.
pub(crate) const UNLIKELY: f64 = 0.05;

/// The path of a file below the folder that all submissions are in. A submission that is one file has its name already.
pub(crate) fn path(submission: &Submission, file: usize) -> String {
    let (name, inside) = (&submission.name, &submission.files[file].name);
    let last = name.rsplit('/').next().unwrap_or(name);
    if submission.files.len() == 1 && last == inside { name.clone() } else { format!("{name}/{inside}") }
}

/// `main.py:12–58`, harmless on a terminal and not too wide for two on a line.
pub(crate) fn place(submission: &Submission, stretch: &Stretch) -> String {
    format!("{}:{}", shorten(&clean(&submission.files[stretch.file].name), 24), lines(stretch))
}

/// `12–58`, or `12` if it is one line.
pub(crate) fn lines(stretch: &Stretch) -> String {
    if stretch.line == stretch.last_line {
        return stretch.line.to_string();
    }
    format!("{}–{}", stretch.line, stretch.last_line)
}

/// Two names in so many columns: what one leaves free the other may take.
pub(crate) fn fit(a: &str, b: &str, room: usize) -> [String; 2] {
    let half = room / 2;
    let of_a = half.max(room.saturating_sub(b.width()));
    let a = shorten(a, of_a);
    let b = shorten(b, room.saturating_sub(a.width()));
    [a, b]
}

/// The text without its middle if it is wider: beginnings and ends of names tell them apart.
pub(crate) fn shorten(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let kept = room.saturating_sub(1);
    let start: String = taken(text.chars(), kept / 2).collect();
    let mut end: Vec<char> = taken(text.chars().rev(), kept - start.width()).collect();
    end.reverse();
    format!("{start}…{}", end.into_iter().collect::<String>())
}

/// As many characters as fit.
fn taken(chars: impl Iterator<Item = char>, mut room: usize) -> impl Iterator<Item = char> {
    chars.take_while(move |c| {
        let left = room.checked_sub(c.width().unwrap_or(0));
        room = left.unwrap_or(0);
        left.is_some()
    })
}

/// Sentences as lines of so many columns, each behind two spaces.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("  {word}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_middle() {
        assert_eq!(shorten("alice.py", 8), "alice.py");
        assert_eq!(shorten("Jane Doe_1234/main.py", 11), "Jane …in.py");
        assert_eq!(shorten("网络网络网络", 7), "网…网络");
        assert_eq!(["", "x", "long"].map(|text| shorten(text, 0).width() <= 1), [true; 3]);
    }

    #[test]
    fn what_one_name_leaves_the_other_takes() {
        assert_eq!(fit("ab", "cdefghij", 10), ["ab", "cdefghij"]);
        assert_eq!(fit("ab", "cdefghijk", 10), ["ab", "cde…hijk"]);
        assert_eq!(fit("cdefghijk", "ab", 10), ["cde…hijk", "ab"]);
        for (a, b) in [("aaaaaaaaaaaa", "bbbbbbbbbbb"), ("aaaaaaaaaaaaaaaaa", "bbbbb")] {
            let fitted = fit(a, b, 10);
            assert!(fitted[0].width() + fitted[1].width() <= 10, "{fitted:?}");
        }
    }

    #[test]
    fn sentences_are_wrapped() {
        assert_eq!(wrap("one two three  four", 9), ["  one two", "  three", "  four"]);
        assert!(wrap("", 9).is_empty());
    }
}
