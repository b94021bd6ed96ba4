//! The language of a text whose name says nothing: by its first line, or by what languages are given away by.

use super::language::{Language, Reading};
use super::outline::Outline;
use super::table::LANGUAGES;

/// Bytes that are looked at.
const MAX_BYTES: usize = 1 << 16;
/// The same where no language is asked for.
const MAX_LOOKED_AT: usize = 1 << 14;
/// What a sure and a likely telltale weigh.
const SURE: usize = 3;
const LIKELY: usize = 1;
/// A telltale counts so many times at most: one habit is one hint.
const MAX_COUNT: usize = 3;
/// The least weight that tells a language.
const MIN_WEIGHT: usize = 4;
/// Less code than this needs two different telltales, and more of it three.
const SHORT_CODE: usize = 300;
/// A long text has more chances to hold what looks like a telltale: so much code asks for one more, up to a limit.
const CODE_PER_WEIGHT: usize = 150;
const MAX_MORE: usize = 8;

impl Language {
    /// The language that a text is written in, as far as it can be told: none for prose, and none for code that might be of several.
    pub fn by_content(text: &str) -> Option<&'static Self> {
        let head = head(text, MAX_BYTES);
        if let Some(row) = by_first_line(head).or_else(|| notebook(head)) {
            return Some(row);
        }
        let outline = Outline::of(head);
        if outline.is_code() { by_telltales(&outline) } else { None }
    }
}

/// Whether a text of no clear language is code all the same: one byte in twenty is a mark that prose seldom has, and more of its lines are
/// code than prose.
pub fn looks_like_code(text: &str) -> bool {
    let head = head(text, MAX_LOOKED_AT);
    head.starts_with("#!") || (Outline::has_marks(head, 20) && Outline::of(head).is_code())
}

fn head(text: &str, bytes: usize) -> &str {
    let text = text.trim_start_matches('\u{feff}');
    &text[..text.floor_char_boundary(bytes)]
}

/// The language that the interpreter in a first line `#!` reads.
fn by_first_line(text: &str) -> Option<&'static Language> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    let program = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let row = Language::by_name(program).or_else(|| LANGUAGES.iter().find(|row| row.extensions.contains(&program)))?;
    (!std::ptr::eq(row, Language::other())).then_some(row)
}

/// A notebook is JSON, and says so by the names of its fields.
fn notebook(text: &str) -> Option<&'static Language> {
    let is = text.trim_start().starts_with('{') && text.contains("\"cells\"") && text.contains("\"cell_type\"");
    LANGUAGES.iter().find(|row| is && matches!(row.reading, Reading::Notebook))
}

/// What was found of the telltales of a language.
#[derive(Clone, Copy, Default)]
struct Evidence {
    weight: usize,
    /// Telltales that are there, however often.
    sure: usize,
    likely: usize,
}

impl Evidence {
    fn of(row: &Language, text: &str) -> Self {
        let count = |telltales: &[&str]| {
            let counts = telltales.iter().map(|telltale| Outline::count(text, telltale, MAX_COUNT));
            counts.fold((0, 0), |(times, different), count| (times + count, different + usize::from(count > 0)))
        };
        let ((sure_times, sure), (likely_times, likely)) = (count(row.telltales.sure), count(row.telltales.likely));
        Self { weight: SURE * sure_times + LIKELY * likely_times, sure, likely }
    }

    fn and(self, more: Self) -> Self {
        Self { weight: self.weight + more.weight, sure: self.sure + more.sure, likely: self.likely + more.likely }
    }

    /// Whether it is enough for so much code.
    fn is_enough(self, code: usize) -> bool {
        let least = if code < SHORT_CODE { 2 } else { 3 };
        self.sure > 0
            && self.sure + self.likely >= least
            && self.weight >= MIN_WEIGHT + (code / CODE_PER_WEIGHT).min(MAX_MORE)
    }
}

/// The language whose telltales weigh most, if no other family's weigh as much.
fn by_telltales(outline: &Outline<'_>) -> Option<&'static Language> {
    let text = outline.text();
    let lower = text.to_ascii_lowercase();
    let mut families: Vec<(&'static Language, Evidence)> = Vec::new();
    let mut ended = "";
    for row in LANGUAGES {
        let found = Evidence::of(row, if row.caseless { &lower } else { &text });
        match families.last_mut() {
            // a later row of a family continues the one before it
            Some((language, evidence)) if language.family == row.family => {
                if found.sure > 0 && evidence.weight > 0 && ended != row.family {
                    (*language, *evidence) = (row, evidence.and(found));
                } else {
                    ended = row.family;
                }
            }
            _ => families.push((row, found)),
        }
    }
    let (language, most) = families.iter().copied().max_by_key(|(_, evidence)| evidence.weight)?;
    let is_clear = families.iter().filter(|(_, evidence)| evidence.weight == most.weight).count() == 1;
    (is_clear && most.is_enough(outline.code)).then_some(language)
}
