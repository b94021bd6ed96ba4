//! What people decided about clusters: the file that the report page exports, read back.
//!
//! A decision holds for documents, not for a cluster number: ids with their content. So it survives a new scan, another threshold and
//! another order, and ends where a document has changed or a new one has come.

use crate::Error;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Version of the file's form.
const FORM: u32 = 1;

/// What was decided about a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// They are duplicates; some are kept.
    Keep,
    /// They are no duplicates: never link them.
    NotDuplicates,
    /// What they share is a template: ignore it.
    Template,
    /// Not decided yet.
    Later,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The representative at the time.
    #[serde(default)]
    pub representative: String,
    /// What was decided.
    pub verdict: Verdict,
    /// Ids of the documents to keep.
    #[serde(default)]
    pub keep: Vec<String>,
    /// What the reviewer wrote.
    #[serde(default)]
    pub note: String,
    /// The documents that it holds for.
    pub documents: Vec<DecidedDocument>,
}

/// A document as it was when it was decided upon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedDocument {
    /// Its id.
    pub id: String,
    /// Its content id, as [`crate::Described::content`] gives it.
    pub content: String,
}

#[derive(Deserialize)]
struct File {
    decisions: u32,
    clusters: Vec<Decision>,
}

/// A row of the CSV form: one for each document.
#[derive(Deserialize)]
struct Row {
    cluster: String,
    verdict: String,
    #[serde(default)]
    keep: String,
    id: String,
    content: String,
    #[serde(default)]
    note: String,
}

impl Decision {
    /// Reads a decisions file, JSON or CSV.
    pub fn read(path: &Path) -> Result<Vec<Self>, Error> {
        let wrong = |reason: String| Error::Decisions { path: path.display().to_string(), reason };
        let bytes = std::fs::read(path).map_err(|e| wrong(format!("cannot be read: {e}")))?;
        Self::parse(&bytes).map_err(wrong)
    }

    /// The same from memory. What begins with `{` is JSON.
    pub fn parse(bytes: &[u8]) -> Result<Vec<Self>, String> {
        let text = std::str::from_utf8(bytes).map_err(|e| format!("expected UTF-8: {e}"))?;
        // spreadsheets put a mark in front
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text).trim_start();
        if text.starts_with('{') { from_json(text) } else { from_csv(text) }
    }
}

const EXPECTED: &str = "expected a decisions file, as the Review view of a report page exports it";

fn from_json(text: &str) -> Result<Vec<Decision>, String> {
    let file: File = serde_json::from_str(text).map_err(|e| format!("{EXPECTED}: {e}"))?;
    if file.decisions != FORM {
        return Err(format!("expected decisions of form {FORM}, found {}; use a newer lookalike", file.decisions));
    }
    Ok(file.clusters)
}

fn from_csv(text: &str) -> Result<Vec<Decision>, String> {
    let head = text.lines().next().unwrap_or_default();
    // spreadsheets of many countries write semicolons
    let delimiter = [b',', b';', b'\t'].into_iter().find(|d| head.split(char::from(*d)).any(|name| name == "verdict"));
    let Some(delimiter) = delimiter else {
        return Err(format!("{EXPECTED}, found {:?}", head.chars().take(40).collect::<String>()));
    };
    let mut decisions: Vec<Decision> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for row in csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes()).deserialize() {
        let row: Row =
            row.map_err(|e| format!("{EXPECTED} (columns cluster, verdict, keep, id, content, note): {e}"))?;
        if row.verdict.is_empty() {
            continue;
        }
        let verdict = Verdict::deserialize(row.verdict.as_str().into_deserializer())
            .map_err(|e: serde::de::value::Error| format!("cluster {}: {e}", row.cluster))?;
        let id = without_quote(row.id);
        let at = *known.entry(row.cluster.clone()).or_insert(decisions.len());
        if at == decisions.len() {
            let (representative, keep, documents) = (id.clone(), Vec::new(), Vec::new());
            decisions.push(Decision { representative, verdict, keep, note: String::new(), documents });
        }
        let decision = &mut decisions[at];
        if decision.verdict != verdict {
            return Err(format!("cluster {} has two verdicts; expected the same in each of its rows", row.cluster));
        }
        match row.keep.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" | "true" | "1" | "x" => decision.keep.push(id.clone()),
            "" | "no" | "n" | "false" | "0" => {}
            other => return Err(format!("expected yes or no in the column keep, found {other:?}")),
        }
        if decision.note.is_empty() {
            decision.note = without_quote(row.note);
        }
        decision.documents.push(DecidedDocument { id, content: without_quote(row.content) });
    }
    Ok(decisions)
}

/// What a spreadsheet would take for a formula or a number is written with a quote in front.
fn without_quote(text: String) -> String {
    let Some(rest) = text.strip_prefix('\'') else { return text };
    let bare = rest.trim_start_matches('\'');
    let number = |text: &str| {
        let mut parts = text.splitn(2, ['e', 'E']);
        parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    };
    if bare.starts_with(['=', '+', '-', '@', '\t', '\r']) || number(bare) { rest.to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, rows in "(cluster|verdict|keep|id|content|note|[,;\\t\\r\\n\"'x1]){0,60}") {
            let _ = Decision::parse(&bytes);
            let _ = Decision::parse(rows.as_bytes());
            let _ = Decision::parse(format!("cluster,verdict,keep,id,content,note\n{rows}").as_bytes());
        }
    }

    #[test]
    fn both_forms_say_the_same() {
        let json = br#"{"lookalike":"0.1.0","decisions":1,"report":"x","clusters":[
            {"representative":"-a.md","verdict":"keep","keep":["b, c.md"],"note":"the \"newer\" one","documents":[
                {"id":"-a.md","content":"00"},{"id":"b, c.md","content":"11ff"}]},
            {"representative":"x","verdict":"not-duplicates","documents":[{"id":"x","content":"1"}]}]}"#;
        let csv = "\u{FEFF}cluster,verdict,keep,id,content,note\r\n\
            1,keep,no,'-a.md,'00,\"the \"\"newer\"\" one\"\r\n1,keep,yes,\"b, c.md\",11ff,\r\n2,not-duplicates,no,x,1,\r\n";
        let [a, b] = [json.as_slice(), csv.as_bytes()].map(|bytes| Decision::parse(bytes).unwrap());
        assert_eq!(a, b);
        assert_eq!(a[0].keep, ["b, c.md"]);
        assert_eq!(a[1].verdict, Verdict::NotDuplicates);
        let semicolons = csv.replace(',', ";").replace("\"b; c.md\"", "\"b, c.md\"").replacen('1', "7", 1);
        let moved = semicolons.replace("\r\n1;keep", "\r\n7;keep");
        assert_eq!(Decision::parse(moved.as_bytes()).unwrap(), a, "{moved}");
        assert!(
            Decision::parse(b"cluster,verdict,keep,id,content\n1,,no,a,b\n").unwrap().is_empty(),
            "nothing is decided"
        );
    }

    #[test]
    fn quotes_that_guard_are_taken_away_others_stay() {
        for (cell, text) in
            [("'=1", "=1"), ("'12e4", "12e4"), ("''-x", "'-x"), ("'quoted", "'quoted"), ("'1x", "'1x"), ("-x", "-x")]
        {
            assert_eq!(without_quote(cell.into()), text);
        }
    }

    #[test]
    fn other_files_are_refused_with_what_was_expected() {
        for (text, part) in [
            ("", "found"),
            ("hello", "found"),
            ("{}", "missing field"),
            ("{\"decisions\":2,\"clusters\":[]}", "form 1, found 2"),
            ("cluster,verdict,keep,id,content\n1,maybe,no,a,b\n", "maybe"),
            ("cluster,verdict,keep,id,content\n1,keep,perhaps,a,b\n", "perhaps"),
            ("cluster,verdict,keep,id,content\n1,keep,no,a,b\n1,later,no,c,b\n", "two verdicts"),
        ] {
            let error = Decision::parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(Decision::parse(b"\xff").unwrap_err().contains("UTF-8"));
    }
}
