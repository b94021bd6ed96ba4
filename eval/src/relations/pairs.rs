//! Pairs of documents whose relation is known, because it was made.

use crate::generate::Random;
use std::fmt::Write as _;

/// What a pair was made as. The name of the relation that is expected, how it was made, and the two documents with the extensions of their names.
pub(super) struct Pair {
    pub(super) expected: &'static str,
    pub(super) made: &'static str,
    pub(super) a: (String, &'static str),
    pub(super) b: (String, &'static str),
}

/// Ways to make a pair: the expected relation and the name of the way. Paraphrase has no relation of its own: its row is for the record.
pub(super) const WAYS: [(&str, &str); 20] = [
    ("identical", "copied"),
    ("same-text", "capitals and line breaks"),
    ("same-text", "HTML"),
    ("same-text", "Markdown"),
    ("version", "1 % of words changed"),
    ("version", "10 % of words changed"),
    ("version", "a fifth of the paragraphs new"),
    ("version", "paragraphs in another order"),
    ("small-errors", "1 % of characters"),
    ("small-errors", "5 % of characters"),
    ("small-errors", "10 % of characters"),
    ("a-in-b", "a tenth"),
    ("a-in-b", "a third"),
    ("b-in-a", "inside another text"),
    ("passages", "one passage"),
    ("passages", "three passages"),
    ("template", "head and foot"),
    ("template", "HTML of one site"),
    ("template", "a form"),
    ("paraphrase", "half of the words changed, sentences moved"),
];

/// Makes a pair: of one text, others that have nothing to do with it, and chance.
pub(super) fn make(way: usize, text: &str, others: [&str; 3], random: &mut Random) -> Pair {
    let (expected, made) = WAYS[way];
    let [other, third, fourth] = others;
    let plain = |a: String, b: String| ((a, "txt"), (b, "txt"));
    let own = || text.to_owned();
    let (a, b) = match way {
        0 => plain(own(), own()),
        1 => plain(own(), wrapped(&text.to_uppercase())),
        2 => ((own(), "txt"), (html(text, ""), "html")),
        3 => ((own(), "txt"), (markdown(text), "md")),
        4 => plain(own(), changed(text, other, 10_000, random)),
        5 => plain(own(), changed(text, other, 100_000, random)),
        6 => plain(own(), new_paragraphs(text, other, random)),
        7 => plain(own(), moved(text, random)),
        8 => plain(own(), misread(text, 10_000, random)),
        9 => plain(own(), misread(text, 50_000, random)),
        10 => plain(own(), misread(text, 100_000, random)),
        11 => plain(excerpt(text, 10, random), own()),
        12 => plain(excerpt(text, 3, random), own()),
        13 => plain(format!("{other}\n\n{text}\n\n{third}\n\n{fourth}"), own()),
        14 => plain(own(), quoting(other, text, 1, random)),
        15 => plain(own(), quoting(other, text, 3, random)),
        16 => {
            let (head, foot) = (some_words(third, 20, 100, random), some_words(fourth, 20, 100, random));
            let page = |text: &str| format!("{head}\n\n{text}\n\n{foot}");
            plain(page(text), page(other))
        }
        17 => ((html(text, third), "html"), (html(other, third), "html")),
        18 => {
            let labels = sentences(third);
            plain(form(text, &labels), form(other, &labels))
        }
        _ => plain(own(), moved(&changed(text, other, 500_000, random), random)),
    };
    Pair { expected, made, a, b }
}

fn paragraphs(text: &str) -> Vec<String> {
    text.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn sentences(text: &str) -> Vec<String> {
    text.split_inclusive(['.', '!', '?']).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Lines of at most 60 characters.
fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width + length > 60 {
            out.push('\n');
            width = 0;
        } else if width > 0 {
            out.push(' ');
        }
        out.push_str(word);
        width += length + 1;
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A page with the paragraphs of a text; with words of a site, also its style and its menus.
fn html(text: &str, site: &str) -> String {
    let names: Vec<&str> = site.split_whitespace().take(60).collect();
    let mut out = String::from("<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\">\n<style>\n");
    for (at, name) in names.iter().enumerate() {
        let _ = writeln!(out, ".{} {{ margin: {at}px; padding: {}px }}", letters(name), at % 7);
    }
    out.push_str("</style></head>\n<body>\n");
    if !names.is_empty() {
        out.push_str("<nav><ul>\n");
        for name in &names[..names.len().min(30)] {
            let _ = writeln!(out, "<li><a href=\"/{0}/\">{0}</a></li>", letters(name));
        }
        out.push_str("</ul></nav>\n");
    }
    out.push_str("<main>\n");
    for paragraph in paragraphs(text) {
        let _ = writeln!(out, "<p>{}</p>", escaped(&paragraph));
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn letters(word: &str) -> String {
    word.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// One word in ten with emphasis, lines wrapped.
fn markdown(text: &str) -> String {
    let marked = paragraphs(text).into_iter().map(|paragraph| {
        let words = paragraph.split_whitespace().enumerate();
        let plain = |word: &str| word.chars().all(char::is_alphanumeric);
        let words =
            words.map(|(at, word)| if at % 10 == 3 && plain(word) { format!("**{word}**") } else { word.to_owned() });
        wrapped(&words.collect::<Vec<_>>().join(" "))
    });
    marked.collect::<Vec<_>>().join("\n\n")
}

/// So many millionths of the words are other words, are gone, or have one more before them.
fn changed(text: &str, other: &str, millionths: u32, random: &mut Random) -> String {
    let pool: Vec<&str> = other.split_whitespace().collect();
    let mut out = Vec::new();
    for paragraph in paragraphs(text) {
        let mut words = Vec::new();
        for word in paragraph.split(' ') {
            if !random.chance(millionths) {
                words.push(word);
                continue;
            }
            let new = pool[random.below(pool.len() as u32) as usize];
            match random.below(4) {
                0 => {}
                1 => words.extend([new, word]),
                _ => words.push(new),
            }
        }
        out.push(words.join(" "));
    }
    out.join("\n\n")
}

fn new_paragraphs(text: &str, other: &str, random: &mut Random) -> String {
    let (mut own, new) = (paragraphs(text), paragraphs(other));
    for _ in 0..(own.len() / 5).max(1) {
        let at = random.below(own.len() as u32) as usize;
        own[at].clone_from(&new[random.below(new.len() as u32) as usize]);
    }
    own.join("\n\n")
}

fn moved(text: &str, random: &mut Random) -> String {
    let mut own = paragraphs(text);
    for at in (1..own.len()).rev() {
        own.swap(at, random.below(at as u32 + 1) as usize);
    }
    own.join("\n\n")
}

/// So many millionths of the characters are read wrongly: another letter, none, one more, a space lost or made, `rn` for `m`.
pub(super) fn misread(text: &str, millionths: u32, random: &mut Random) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c == '\n' || !random.chance(millionths) {
            out.push(c);
            continue;
        }
        let letter = char::from(b'a' + random.below(26) as u8);
        match (random.below(10), c) {
            (_, 'm') => out.push_str("rn"),
            (_, 'l') => out.push('1'),
            (_, 'o') => out.push('0'),
            (0..6, _) => out.push(letter),
            (6..8, _) => {}
            (8, _) => out.extend([c, letter]),
            _ => out.extend([c, ' ']),
        }
    }
    out
}

/// One part in so many, in one piece of whole sentences' words.
fn excerpt(text: &str, part: usize, random: &mut Random) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let length = (words.len() / part).max(30).min(words.len());
    let from = random.below((words.len() - length + 1) as u32) as usize;
    words[from..from + length].join(" ")
}

fn some_words(text: &str, least: u32, most: u32, random: &mut Random) -> String {
    let length = least + random.below(most - least);
    text.split_whitespace().take(length as usize).collect::<Vec<_>>().join(" ")
}

/// A text with passages of 40 to 120 words of another, neither at its beginning nor at its end.
fn quoting(text: &str, source: &str, passages: usize, random: &mut Random) -> String {
    let (mut own, words) = (paragraphs(text), source.split_whitespace().collect::<Vec<_>>());
    for _ in 0..passages {
        let length = (40 + random.below(80) as usize).min(words.len() / 6);
        // neither at the beginning nor at the end of the source
        let from = words.len() / 5 + random.below((words.len() * 3 / 5 - length) as u32) as usize;
        let at = 1 + random.below(own.len().saturating_sub(1).max(1) as u32) as usize;
        own.insert(at.min(own.len()), words[from..from + length].join(" "));
    }
    // the last paragraph is its own
    own.push(paragraphs(text).pop().unwrap_or_default().split(' ').rev().collect::<Vec<_>>().join(" "));
    own.join("\n\n")
}

/// Labels of few words, each with an answer of its own.
fn form(text: &str, labels: &[String]) -> String {
    let short = |label: &String| label.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    for (label, answer) in labels.iter().map(short).zip(sentences(text)) {
        let _ = writeln!(out, "{label}:\n{answer}");
    }
    out
}
