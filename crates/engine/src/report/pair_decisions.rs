//! What people decided about pairs of submissions: the file that the page of `copies` exports, read back.
//!
//! A verdict holds for two submissions as they were: their names and what was in their files. It ends where one of them has changed.

use crate::Error;
use crate::report::decision_file::{self, DecisionKind, EXPECTED, check_version, for_each_row, text_of, without_quote};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::path::Path;

/// What was decided about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PairVerdict {
    /// What they share cannot be explained otherwise.
    Copied,
    /// It was given, is allowed, or is there by chance.
    NotCopied,
    /// Not decided yet: to be looked at again.
    Again,
}

impl PairVerdict {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copied => "copied",
            Self::NotCopied => "not-copied",
            Self::Again => "again",
        }
    }

    /// Whether nobody need look at the pair again.
    pub fn is_final(self) -> bool {
        self != Self::Again
    }

    /// By its name in files or on the page; nothing where the cell is empty.
    fn of(cell: &str) -> Result<Option<Self>, String> {
        match cell.trim().to_lowercase().replace([' ', '_'], "-").as_str() {
            "" => Ok(None),
            "copied" => Ok(Some(Self::Copied)),
            "not-copied" => Ok(Some(Self::NotCopied)),
            "again" | "look-again" => Ok(Some(Self::Again)),
            other => Err(format!("expected a verdict (copied, not-copied, again), found {other:?}")),
        }
    }
}

/// A submission as it was when it was decided upon.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DecidedSubmission {
    /// Its name.
    pub submission: String,
    /// Of each file, in the order of their names, what [`crate::report::passages::SourceFile::content`] says.
    pub content: Vec<String>,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairDecision {
    /// One of the two.
    pub a: DecidedSubmission,
    /// The other.
    pub b: DecidedSubmission,
    /// What was decided; nothing where there is a note only.
    #[serde(default, deserialize_with = "read_verdict", serialize_with = "write_verdict")]
    pub verdict: Option<PairVerdict>,
    /// What the reviewer wrote.
    #[serde(default)]
    pub note: String,
    /// How similar the two were.
    #[serde(default)]
    pub similarity: f64,
    /// When it was decided, as the page wrote it.
    #[serde(default)]
    pub when: String,
}

/// In the file an empty text stands for no verdict.
fn read_verdict<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PairVerdict>, D::Error> {
    PairVerdict::of(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}

#[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn write_verdict<S: Serializer>(verdict: &Option<PairVerdict>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(verdict.map_or("", PairVerdict::name))
}

#[derive(Deserialize)]
struct VerdictsFile {
    copies_verdicts: u32,
    #[serde(default)]
    anonymous: bool,
    pairs: Vec<PairDecision>,
}

impl PairDecision {
    /// Reads a file of verdicts, JSON or CSV.
    pub fn read(path: &Path) -> Result<Vec<Self>, Error> {
        decision_file::read(path, Self::parse)
    }

    /// The same from memory. What begins with `{` is JSON.
    pub fn parse(bytes: &[u8]) -> Result<Vec<Self>, String> {
        let text = text_of(bytes)?;
        if text.starts_with('{') { from_json(&text) } else { from_csv(&text) }
    }
}

fn from_json(text: &str) -> Result<Vec<PairDecision>, String> {
    DecisionKind::Pairs.check(text)?;
    let file: VerdictsFile = serde_json::from_str(text).map_err(|e| format!("{EXPECTED}: {e}"))?;
    check_version(file.copies_verdicts)?;
    if file.anonymous {
        return Err(
            "expected the names of submissions, found pseudonyms; export the verdicts again while names are shown"
                .into(),
        );
    }
    Ok(file.pairs)
}

const COLUMNS: [&str; 8] = ["verdict", "a", "b", "similarity", "note", "when", "content_a", "content_b"];

/// A row for each pair; hashes of several files are divided by spaces.
fn from_csv(text: &str) -> Result<Vec<PairDecision>, String> {
    let mut decisions = Vec::new();
    for_each_row(text, COLUMNS, &["similarity", "note", "when"], |cells| {
        let [verdict, a, b, similarity, note, when, content_a, content_b] = cells;
        let verdict = PairVerdict::of(verdict)?;
        let note = without_quote(note);
        if verdict.is_none() && note.trim().is_empty() {
            return Ok(());
        }
        let decided = |name: &str, content: &str| DecidedSubmission {
            submission: without_quote(name),
            content: content.split_whitespace().map(without_quote).collect(),
        };
        let similarity = similarity.trim().parse().unwrap_or_default();
        let (a, b) = (decided(a, content_a), decided(b, content_b));
        decisions.push(PairDecision { a, b, verdict, note, similarity, when: when.trim().to_owned() });
        Ok(())
    })?;
    Ok(decisions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>, rows in "(copied|again|a|b|[,;\\t\\r\\n\"'x1]){0,60}") {
            let _ = PairDecision::parse(&bytes);
            let _ = PairDecision::parse(format!("verdict,a,b,content_a,content_b\n{rows}").as_bytes());
        }
    }

    #[test]
    fn both_forms_say_the_same() {
        let json = br#"{"copies_verdicts":1,"pairs":[
            {"a":{"submission":"ann","content":["00","1f"]},"b":{"submission":"-ben","content":["22"]},"verdict":"copied","note":"a, b","similarity":0.5,"when":"2026"},
            {"a":{"submission":"ann","content":["00","1f"]},"b":{"submission":"cy","content":["33"]},"verdict":"","note":"asked"}]}"#;
        let csv = "\u{FEFF}verdict,a,b,similarity,note,when,content_a,content_b\r\n\
            Copied,ann,'-ben,0.5,\"a, b\",2026,'00 1f,'22\r\n,ann,cy,,asked,,'00 1f,'33\r\n,open,one,,,,1,2\r\n";
        let [a, b] = [json.as_slice(), csv.as_bytes()].map(|bytes| PairDecision::parse(bytes).unwrap());
        assert_eq!(a, b);
        assert_eq!((a[0].verdict, a[1].verdict), (Some(PairVerdict::Copied), None));
        let again = format!(r#"{{"copies_verdicts":1,"pairs":{}}}"#, serde_json::to_string(&a).unwrap());
        assert_eq!(PairDecision::parse(again.as_bytes()).unwrap(), a, "what is written is read");
    }

    #[test]
    fn other_files_are_refused_with_what_was_expected() {
        for (text, part) in [
            ("", "found"),
            ("{}", "without \"copies_verdicts\""),
            ("{\"decisions\":1,\"clusters\":[]}", "decisions about clusters"),
            ("{\"copies_verdicts\":2,\"pairs\":[]}", "form 1, found 2"),
            ("{\"copies_verdicts\":1,\"anonymous\":true,\"pairs\":[]}", "pseudonyms"),
            ("verdict,a,b\n", "no column content_a"),
            ("verdict,a,b,content_a,content_b\nmaybe,x,y,1,2\n", "maybe"),
        ] {
            let error = PairDecision::parse(text.as_bytes()).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
