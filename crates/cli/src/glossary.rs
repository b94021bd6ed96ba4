//! What the words of the field mean, for those who meet them in help for the first time.

/// Words as they begin in a text, what help calls them, and what they mean. Where one explains another, it comes first.
const GLOSSARY: &[(&str, &str, &str)] = &[
    ("shingle", "shingle", "a sequence of w words of a document (-w, 10 by default)"),
    ("resemblance", "resemblance", "the share of two documents' shingles that both have: 1 if all are the same"),
    ("contain", "containment", "the share of one document's shingles that another has: 1 if it is all inside"),
    ("chunk", "chunk", "a piece of a file, cut where its content says so: insertions move no other cut"),
    ("fingerprint", "fingerprint", "64 bits for a document; those of similar documents differ in few bits"),
    ("passage", "passage", "a stretch that two submissions share"),
    ("sketch", "sketch", "a sample of a document's shingles, small, and enough to estimate resemblance"),
    ("linkage", "linkage", "star: every member is linked to the representative; single: to any member"),
    ("representative", "representative", "the document of a cluster that others are compared with; it would be kept"),
    ("sweep", "sweep", "one pass over all pages, such as a crawl; the index keeps what each had"),
    ("recipe", "recipe", "how documents are read and compared; different recipes are not compared"),
    ("lens", "lens", "a way to compare: by shingles, chunks (bytes), simhash (fingerprints), passages"),
    ("template", "template", "what many documents share and is ignored on purpose, such as a letterhead"),
];

/// The words that a text in lower case uses, explained.
pub(crate) fn of(text: &str) -> String {
    let used = GLOSSARY.iter().filter(|(begin, ..)| text.contains(begin));
    let lines: Vec<String> = used.map(|(_, word, meaning)| format!("\n  {word:<15} {meaning}")).collect();
    if lines.is_empty() { String::new() } else { format!("\n\nWords:{}", lines.concat()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_explained_where_they_are_used() {
        let words = of("link those of a resemblance of this much; sweeps are dates");
        assert!(words.contains("\n  resemblance     the share") && words.contains("\n  sweep  "), "{words}");
        assert!(!words.contains("linkage") && !words.contains("chunk"), "{words}");
        assert_eq!(of("print completions for a shell"), "");
    }
}
