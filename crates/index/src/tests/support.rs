//! Documents for tests, and the shortest way to put them into an index.

use crate::{ChangeSummary, IndexWriter};
use lookalike_corpus::Input;
use lookalike_engine::{LensOptions, Resources};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) type Documents = BTreeMap<String, String>;

/// Those documents whose number is to be kept.
pub(crate) fn part_of(all: &Documents, keep: fn(usize) -> bool) -> Documents {
    let kept = all.iter().enumerate().filter(|(at, _)| keep(*at));
    kept.map(|(_, (name, text))| (name.clone(), text.clone())).collect()
}

/// Numbers that look random, the same each time.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % sides as u64) as usize
    }

    pub(crate) fn words(&mut self, n: usize) -> Vec<String> {
        (0..n).map(|_| format!("w{}", self.roll(5000))).collect()
    }
}

/// Documents of 40 to 600 words, copies with changed words, excerpts, identical copies, and a template in a third of them.
pub(crate) fn corpus(documents: usize) -> Documents {
    let mut dice = Dice(7);
    let template = dice.words(60).join(" ");
    let mut texts: Vec<Vec<String>> = Vec::new();
    let mut all = Documents::new();
    for at in 0..documents {
        let text = match dice.roll(5) {
            0 | 1 if at > 10 => {
                let mut copy = texts[dice.roll(at)].clone();
                for _ in 0..copy.len() / 60 {
                    let place = dice.roll(copy.len());
                    copy[place] = format!("x{}", dice.roll(1000));
                }
                copy
            }
            2 if at > 10 => {
                let whole = &texts[dice.roll(at)];
                whole[whole.len() / 3..].to_vec()
            }
            _ => {
                let length = 40 + dice.roll(560);
                dice.words(length)
            }
        };
        let header = if at % 3 == 0 { format!("{template}\n") } else { String::new() };
        all.insert(format!("d{at:04}"), header + &text.join(" "));
        texts.push(text);
    }
    all
}

/// Documents of which a sketch keeps every shingle: copies with changed words, excerpts, and some that say a part of another again and again.
pub(crate) fn short_documents(documents: usize) -> Documents {
    let mut dice = Dice(5);
    let mut texts: Vec<Vec<String>> = Vec::new();
    for at in 0..documents {
        let other = at.checked_sub(5).and_then(|_| texts.get(dice.roll(at * 4 / 3)));
        let mut text = other.cloned().unwrap_or_else(|| {
            let length = 30 + dice.roll(40);
            dice.words(length)
        });
        for _ in 0..dice.roll(4) {
            let place = dice.roll(text.len());
            text[place] = format!("x{}", dice.roll(1000));
        }
        match dice.roll(6) {
            0 => text.truncate(text.len() * 2 / 3),
            1 if text.len() < 90 => text = [&text[..text.len() / 2]; 3].concat(),
            _ => {}
        }
        texts.push(text);
    }
    texts.iter().enumerate().map(|(at, text)| (format!("d{at:04}"), text.join(" "))).collect()
}

/// JSON lines.
pub(crate) fn jsonl(documents: &Documents) -> Vec<Input> {
    let line = |(id, text): (&String, &String)| serde_json::json!({ "id": id, "text": text }).to_string() + "\n";
    let lines: String = documents.iter().map(line).collect();
    vec![Input::Stream(Box::new(std::io::Cursor::new(lines)))]
}

/// A writer with little memory and two threads.
pub(crate) fn writer(path: &Path) -> IndexWriter<'static> {
    IndexWriter::new(path).resources(resources(64 << 20, 2))
}

pub(crate) fn resources(memory: u64, threads: usize) -> Resources {
    Resources { memory, threads, ..Resources::default() }
}

/// Builds an index, or adds to it.
pub(crate) fn put(
    path: &Path,
    documents: &Documents,
    sweep: Option<&str>,
    options: impl Into<LensOptions>,
) -> ChangeSummary {
    let inputs = jsonl(documents);
    let changed =
        if path.exists() { writer(path).add(inputs, sweep) } else { writer(path).build(options, inputs, sweep) };
    changed.unwrap()
}
