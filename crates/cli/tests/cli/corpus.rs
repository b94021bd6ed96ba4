//! A generated corpus with everything in it that a scan looks for.

use crate::dir::Dir;
use crate::words::{Random, line, sentences};
use std::path::PathBuf;

/// Documents as `(id, text)`: mutated copies, excerpts, copies, reformatted copies, repeated text and a shared template.
pub(crate) fn documents(count: usize, seed: u64) -> Vec<(String, String)> {
    let mut random = Random(seed);
    let (header, footer) = (random.words(60), random.words(40));
    let mut originals: Vec<Vec<&'static str>> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    while texts.len() < count {
        let longest = if random.once_in(20) { 2000 } else { 250 };
        let length = 40 + random.below(longest);
        let mut words = random.words(length);
        if random.once_in(10) {
            words = [&header[..], &words, &footer].concat();
        }
        texts.push(sentences(&words));
        for _ in 0..random.below(3) {
            let source = originals.get(random.below(originals.len() + 1)).unwrap_or(&words).clone();
            texts.push(match random.below(8) {
                0 => sentences(&source),
                1 => sentences(&source).to_uppercase().replace('\n', "\n\n"),
                2 => {
                    let start = random.below(source.len() / 3);
                    sentences(&source[start..start + source.len() / 2])
                }
                // the same shingles more than once
                3 => sentences(&source).repeat(2 + random.below(2)),
                // so few changes that the sketch may not see them
                4 => sentences(&random.mutate(&source, 1)),
                _ => {
                    let changes = 1 + random.below(source.len() / 12);
                    sentences(&random.mutate(&source, changes))
                }
            });
        }
        originals.push(words);
    }
    texts.truncate(count);
    texts.into_iter().enumerate().map(|(at, text)| (format!("d{at:05}"), text)).collect()
}

/// Writes documents as JSONL.
pub(crate) fn write(dir: &Dir, name: &str, documents: &[(String, String)]) -> PathBuf {
    dir.write(name, jsonl(documents))
}

pub(crate) fn jsonl(documents: &[(String, String)]) -> String {
    documents.iter().map(|(id, text)| line(id, text)).collect()
}
