//! What people said of pairs, read back from a file: JSON as the page writes it, or CSV.

use super::judgement::Judgement;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Version of the file.
const FORMAT_VERSION: u32 = 1;
/// No file of judgements is larger.
const MAX_FILE: u64 = 64 << 20;
/// Characters of a content id.
const CONTENT_LENGTH: usize = 32;

/// Judgements of pairs, by the contents of both documents: a document that changed since is another one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgements(BTreeMap<(String, String), Judgement>);

/// Why a file of judgements was not taken.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}; expected what the page of a calibration exports: JSON, or CSV with the columns a, b and judgement", path.display())]
pub struct JudgementFileError {
    path: PathBuf,
    reason: String,
}

#[derive(Deserialize)]
struct JsonFile {
    schema: u32,
    judgements: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    a: String,
    b: String,
    judgement: Judgement,
}

impl Judgements {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, JudgementFileError> {
        let failed = |reason: String| JudgementFileError { path: path.to_owned(), reason };
        let mut text = String::new();
        let file = File::open(path).map_err(|error| failed(error.to_string()))?;
        let read = file.take(MAX_FILE + 1).read_to_string(&mut text).map_err(|error| failed(error.to_string()))?;
        if read as u64 > MAX_FILE {
            return Err(failed(format!("it is larger than {MAX_FILE} bytes")));
        }
        Self::parse(&text).map_err(failed)
    }

    /// Reads the text of a file.
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        let mut judgements = Self::default();
        if text.trim_start().starts_with('{') {
            let file: JsonFile = serde_json::from_str(text).map_err(|error| error.to_string())?;
            if file.schema != FORMAT_VERSION {
                return Err(format!("its schema is {}, expected {FORMAT_VERSION}", file.schema));
            }
            for (row, at) in file.judgements.into_iter().zip(1..) {
                judgements.insert(row).map_err(|reason| format!("judgement {at}: {reason}"))?;
            }
        } else {
            let mut rows = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
            for (row, at) in rows.deserialize::<Row>().zip(2..) {
                let row = row.map_err(|error| error.to_string())?;
                judgements.insert(row).map_err(|reason| format!("record {at}: {reason}"))?;
            }
        }
        if judgements.is_empty() {
            return Err("there is no judgement in it".to_owned());
        }
        Ok(judgements)
    }

    fn insert(&mut self, Row { a, b, judgement }: Row) -> Result<(), String> {
        for content in [&a, &b] {
            if content.len() != CONTENT_LENGTH || !content.bytes().all(|c| c.is_ascii_hexdigit()) {
                let shown: String = content.chars().take(40).collect();
                return Err(format!("{shown:?} is no content id of {CONTENT_LENGTH} hexadecimal digits"));
            }
        }
        self.add(&a.to_ascii_lowercase(), &b.to_ascii_lowercase(), judgement);
        Ok(())
    }

    /// Adds a judgement, by content ids as [`lookalike_corpus::content_name`] writes them. Two that contradict each other leave it unsure.
    pub fn add(&mut self, a: &str, b: &str, judgement: Judgement) {
        let known = self.0.entry(key(a, b)).or_insert(judgement);
        if *known != judgement {
            *known = Judgement::Unsure;
        }
    }

    /// Adds what others said.
    pub fn merge(&mut self, others: Self) {
        for ((a, b), judgement) in others.0 {
            self.add(&a, &b, judgement);
        }
    }

    /// How many pairs are judged.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is said of a pair.
    pub(super) fn find(&self, a: &str, b: &str) -> Option<Judgement> {
        self.0.get(&key(a, b)).copied()
    }
}

fn key(a: &str, b: &str) -> (String, String) {
    if a <= b { (a.to_owned(), b.to_owned()) } else { (b.to_owned(), a.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "00112233445566778899aabbccddeeff";
    const B: &str = "ffeeddccbbaa99887766554433221100";

    #[test]
    fn both_forms_say_the_same() {
        let json = format!(
            r#"{{"schema":1,"lookalike":"0","judgements":[{{"a":"{B}","b":"{A}","judgement":"same","resemblance":0.5}}]}}"#
        );
        let csv = format!("\u{feff}judgement,a,b,note\r\nsame,{},{B},\"yes, it is\"\r\n", A.to_uppercase());
        for text in [json, csv] {
            let read = Judgements::parse(&text).unwrap();
            assert_eq!(
                (read.len(), read.find(A, B), read.find(B, A)),
                (1, Some(Judgement::Same), Some(Judgement::Same))
            );
        }
    }

    #[test]
    fn who_disagrees_is_unsure() {
        let csv = format!("a,b,judgement\n{A},{B},same\n{B},{A},different\n{A},{A},same\n{A},{A},same\n");
        let read = Judgements::parse(&csv).unwrap();
        assert_eq!((read.find(A, B), read.find(A, A)), (Some(Judgement::Unsure), Some(Judgement::Same)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("", "no judgement"),
            ("{", "EOF"),
            (r#"{"schema":2,"judgements":[]}"#, "schema is 2"),
            (r#"{"schema":1,"judgements":[{"a":"xyz","b":"1","judgement":"same"}]}"#, "judgement 1"),
            (r#"{"schema":1,"judgements":[{"a":"1","b":"1","judgement":"maybe"}]}"#, "maybe"),
            ("a,b\n1,2\n", "judgement"),
            ("a,b,judgement\nx,y,same\n", "record 2"),
        ] {
            let error = Judgements::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        let whole = format!(r#"{{"schema":1,"judgements":[{{"a":"{A}","b":"{B}","judgement":"same"}}]}}"#);
        for end in 0..whole.len() {
            assert!(Judgements::parse(&whole[..end]).is_err(), "{end}");
        }
    }
}
