//! What people decided about clusters: the file that the report page exports, read back.
//!
//! A decision holds for documents, not for a cluster number: ids with their content. So it survives a new scan, another threshold and
//! another order, and ends where a document has changed or a new one has come.

use crate::Error;
use crate::report::decision_file::{self, DecisionKind, EXPECTED, check_version, for_each_row, text_of, without_quote};
use serde::de::IntoDeserializer;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What was decided about a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DecidedDocument {
    /// Its id.
    pub id: String,
    /// Its content id, as [`crate::run::view::DocumentView::content`] gives it.
    pub content: String,
}

#[derive(Deserialize)]
struct DecisionsFile {
    decisions: u32,
    clusters: Vec<Decision>,
}

impl Decision {
    /// Reads a decisions file, JSON or CSV.
    pub fn read(path: &Path) -> Result<Vec<Self>, Error> {
        decision_file::read(path, Self::parse)
    }

    /// The same from memory. What begins with `{` is JSON.
    pub fn parse(bytes: &[u8]) -> Result<Vec<Self>, String> {
        let text = text_of(bytes)?;
        let decisions = if text.starts_with('{') { from_json(&text) } else { from_csv(&text) }?;
        match decisions.iter().find(|d| d.verdict == Verdict::Keep && d.keep.is_empty()) {
            Some(empty) => Err(format!(
                "the documents around {} are duplicates, but none of them is to be kept; name at least one",
                empty.representative
            )),
            None => Ok(decisions),
        }
    }
}

fn from_json(text: &str) -> Result<Vec<Decision>, String> {
    DecisionKind::Clusters.check(text)?;
    let file: DecisionsFile = serde_json::from_str(text).map_err(|e| format!("{EXPECTED}: {e}"))?;
    check_version(file.decisions)?;
    Ok(file.clusters)
}

const COLUMNS: [&str; 6] = ["cluster", "verdict", "keep", "id", "content", "note"];

/// Rows with the same number in `cluster` are one decision; the first of them tells the verdict. Where it is empty nothing is decided yet.
fn from_csv(text: &str) -> Result<Vec<Decision>, String> {
    let mut decisions: BTreeMap<usize, Decision> = BTreeMap::new();
    let mut known: BTreeMap<String, (usize, Option<Verdict>)> = BTreeMap::new();
    for_each_row(text, COLUMNS, &["note"], |cells| {
        let [cluster, verdict, keep, id, content, note] = cells;
        let told = verdict_of(cluster, verdict)?;
        let next = known.len();
        let (at, first) = *known.entry(cluster.trim().to_owned()).or_insert((next, told));
        if told.is_some() && told != first {
            return Err(format!("cluster {cluster} has two verdicts; expected the same in each of its rows"));
        }
        let Some(verdict) = first else { return Ok(()) };
        let (id, content) = (without_quote(id), without_quote(content));
        let decision = decisions.entry(at).or_insert_with(|| Decision {
            representative: id.clone(),
            verdict,
            keep: Vec::new(),
            note: String::new(),
            documents: Vec::new(),
        });
        if is_yes(keep)? {
            decision.keep.push(id.clone());
        }
        if decision.note.is_empty() {
            decision.note = without_quote(note);
        }
        decision.documents.push(DecidedDocument { id, content });
        Ok(())
    })?;
    Ok(decisions.into_values().collect())
}

fn verdict_of(cluster: &str, cell: &str) -> Result<Option<Verdict>, String> {
    let cell = cell.trim().to_lowercase().replace(' ', "-");
    if cell.is_empty() {
        return Ok(None);
    }
    // the page calls it so
    let cell = if cell == "duplicates" { "keep" } else { &cell };
    let verdict = Verdict::deserialize(cell.into_deserializer());
    verdict.map(Some).map_err(|e: serde::de::value::Error| format!("cluster {cluster}: {e}"))
}

fn is_yes(cell: &str) -> Result<bool, String> {
    match cell.trim().to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" => Ok(true),
        "" | "no" | "n" | "false" | "0" => Ok(false),
        other => Err(format!("expected yes or no in the column keep, found {other:?}")),
    }
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
        let excel = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        let wide = excel(&csv.replace("1,keep", "1,Duplicates").replace("not-duplicates", "Not duplicates"));
        assert_eq!(Decision::parse(&wide).unwrap(), a, "UTF-16, and the words of the page");
        let told = format!("sep=,\r\n{}", &csv[3..]);
        assert_eq!(Decision::parse(told.as_bytes()).unwrap(), a);
        let people = csv.replacen("1,keep,yes", "1, ,X", 1).replacen("cluster,verdict", "\"Cluster\",\"Verdict\"", 1);
        let people = people.replacen("1,keep,no", "1,Keep ,", 1) + ",,,,,\n3,,no,open,2,\n3,,no,open2,2,\n";
        assert_eq!(
            Decision::parse(people.as_bytes()).unwrap(),
            a,
            "as people and their spreadsheets write it: {people}"
        );
    }

    #[test]
    fn other_files_are_refused_with_what_was_expected() {
        for (text, part) in [
            ("", "found"),
            ("hello", "found"),
            ("{}", "without \"decisions\""),
            ("{\"schema\":1,\"clusters\":[{\"id\":1}]}", "a report"),
            ("{\"decisions\":1,\"clusters\":[{\"documents\":[]}]}", "missing field"),
            ("cluster,verdict,keep,id,content\n1,keep,no,a,b\n1,keep,,c,b\n", "around a are duplicates"),
            ("{\"copies_verdicts\":1,\"pairs\":[]}", "verdicts on pairs"),
            ("{\"decisions\":2,\"clusters\":[]}", "form 1, found 2"),
            ("cluster,verdict,keep,id,content\n1,maybe,no,a,b\n", "maybe"),
            ("cluster,verdict,keep,id,content\n1,keep,perhaps,a,b\n", "perhaps"),
            ("cluster,verdict,keep,id,content\n1,keep,no,a,b\n1,later,no,c,b\n", "two verdicts"),
        ] {
            let error = Decision::parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(Decision::parse(b"\x89PNG\r\n\x1a\n\0\0\0").unwrap_err().contains("expected a decisions file"));
    }
}
