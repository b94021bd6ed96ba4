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

/// Two names in so many columns, with what tells them apart: what one leaves free the other may take.
pub(crate) fn fit(a: &str, b: &str, room: usize) -> [String; 2] {
    let half = room / 2;
    let of_a = half.max(room.saturating_sub(b.width()));
    let short_a = shorten_beside(a, b, of_a);
    let short_b = shorten_beside(b, a, room.saturating_sub(short_a.width()));
    [short_a, short_b]
}

/// The text without what it has in common with another at its end and its beginning, as far as there is no room for it.
pub(crate) fn shorten_beside(text: &str, other: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let chars: Vec<char> = text.chars().collect();
    let equal = |(a, b): &(char, char)| a == b;
    let first = chars.iter().copied().zip(other.chars()).take_while(equal).count();
    let left = (chars.len() - first).min(other.chars().count() - first);
    let last = chars.iter().copied().rev().zip(other.chars().rev()).take(left).take_while(equal).count();
    let string = |chars: &[char]| chars.iter().collect::<String>();
    // the beginning of a name says most: as much of the end is given up as must be
    let kept = string(&chars[..chars.len() - last]);
    if kept.width() < room {
        let end: String = taken(chars[chars.len() - last..].iter().copied(), room - 1 - kept.width()).collect();
        return format!("{kept}{end}…");
    }
    let own = string(&chars[first..chars.len() - last]);
    let dots = if last > 0 { "…" } else { "" };
    match room.checked_sub(own.width() + 1 + dots.width()) {
        Some(rest) => {
            let start: String = taken(chars[..first].iter().copied(), rest).collect();
            format!("{start}…{own}{dots}")
        }
        None => shorten(text, room),
    }
}

/// The text without its middle if it is wider.
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

/// The text without its end if it is wider.
pub(crate) fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    format!("{}…", taken(text.chars(), room.saturating_sub(1)).collect::<String>())
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
    fn what_differs_is_kept() {
        let [a, b] = ["Student 18 Test_4711_assignsubmission_file_", "Student 3 Test_4712_assignsubmission_file_"];
        assert_eq!(fit(a, b, 44), ["Student 18 Test_4711_…", "Student 3 Test_4712_a…"]);
        assert_eq!(fit(a, b, 32), ["St…18 Test_4711…", "Stu…3 Test_4712…"]);
        let [a, b] = ["plagiarized/01/Main.java", "plagiarized/02/Main.java"];
        assert_eq!(fit(a, b, 34), ["plagiarized/01/M…", "plagiarized/02/M…"]);
        assert_eq!(fit(a, b, 20), ["plagiar…1…", "plagiar…2…"]);
        // one is the beginning of the other
        assert_eq!(fit("report-final", "report-final-2", 16), ["report-…", "repor…-2"]);
        for room in 0..90 {
            let fitted = fit(a, b, room);
            assert!(fitted[0].width() + fitted[1].width() <= room.max(2), "{room}: {fitted:?}");
        }
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
