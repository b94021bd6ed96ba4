//! Results: what is where, how sure, and under which name it is found again in the next run.

use super::places::{Exact, Places};
use crate::submission::{UNLIKELY, lines, path};
use crate::units::{commas, count, percent};
use lookalike::report::{Pair, PairClass, PairVerdict, Passages, Shared, Stretch};
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(super) const PASSAGE: &str = "copied-passage";
pub(super) const IDENTICAL: &str = "identical-submission";

/// What paths are relative to.
pub(super) fn base_id() -> String {
    "SUBMISSIONS".to_owned()
}

/// Results and the files that they point at, in the order of first mention.
pub(super) struct ResultList<'a> {
    report: &'a Passages,
    places: &'a Places,
    pub(super) results: Vec<Value>,
    pub(super) files: Vec<(usize, usize)>,
    numbers: BTreeMap<(usize, usize), usize>,
    /// How often a fingerprint was given already: one file may hold a passage twice.
    given: BTreeMap<String, u64>,
}

impl<'a> ResultList<'a> {
    pub(super) fn new(report: &'a Passages, places: &'a Places) -> Self {
        let (results, files) = (Vec::new(), Vec::new());
        Self { report, places, results, files, numbers: BTreeMap::new(), given: BTreeMap::new() }
    }

    /// The passages of a pair.
    pub(super) fn pair(&mut self, pair: &Pair) {
        for passage in &pair.passages {
            let result = self.passage(pair, passage);
            self.results.push(result);
        }
    }

    /// Submissions that another one stands for. Those of one owner, or of the archive, were not to be compared.
    pub(super) fn identical(&mut self) {
        let submissions = &self.report.submissions;
        for (at, submission) in submissions.iter().enumerate() {
            let Some(first) = submission.same_as else { continue };
            let other = &submissions[first];
            let own = submission.owner.is_some() && submission.owner == other.owner;
            if own || (submission.archive && other.archive) || submission.files.is_empty() || other.files.is_empty() {
                continue;
            }
            let text = format!("{} has the same tokens as [{}](1).", escaped(&submission.name), escaped(&other.name));
            let names = hash(&[submission.name.as_bytes(), other.name.as_bytes()]);
            let result = json!({
                "ruleId": IDENTICAL,
                "ruleIndex": 1,
                "level": "error",
                "rank": 100.0,
                "message": { "text": text },
                "locations": [self.location(at, 0, None)],
                "relatedLocations": [related(self.location(first, 0, None))],
                "partialFingerprints": { "names/v1": names },
            });
            self.results.push(result);
        }
    }

    fn passage(&mut self, pair: &Pair, passage: &Shared) -> Value {
        let [a, b] = [(pair.a, &passage.a), (pair.b, &passage.b)];
        let sides = [a, b].map(|(at, stretch)| {
            let name = path(&self.report.submissions[at], stretch.file);
            format!("{}:{}", escaped(&name), lines(stretch))
        });
        let text = format!(
            "{} of {} are also in [{}](1). The two submissions are {} similar; {} of {} submissions have this passage.",
            count(passage.tokens, "token"),
            sides[0],
            sides[1],
            percent(pair.similarity),
            commas(passage.submissions),
            commas(self.report.submissions.len() as u64),
        );
        let fingerprints = self.fingerprints(a, b);
        let mut result = json!({
            "ruleId": PASSAGE,
            "ruleIndex": 0,
            "level": level(pair),
            "rank": 100.0 * pair.similarity,
            "message": { "text": text },
            "locations": [self.location(a.0, a.1.file, Some(a.1))],
            "relatedLocations": [related(self.location(b.0, b.1.file, Some(b.1)))],
            "partialFingerprints": fingerprints,
            "properties": {
                "similarity": pair.similarity,
                "shareA": pair.share_a,
                "shareB": pair.share_b,
                "rarity": pair.rarity,
                "expected": pair.expected,
                "tokens": passage.tokens,
                "equal": passage.equal,
                "submissions": passage.submissions,
            },
        });
        if pair.is_decided() {
            let verdict = pair.decision.as_ref().and_then(|decided| decided.verdict).map_or("", PairVerdict::name);
            let justification = format!("A person decided: {verdict}.");
            result["suppressions"] =
                json!([{ "kind": "external", "status": "accepted", "justification": justification }]);
        }
        result
    }

    fn location(&mut self, at: usize, file: usize, stretch: Option<&Stretch>) -> Value {
        let key = (at, file);
        let next = self.numbers.len();
        let index = *self.numbers.entry(key).or_insert(next);
        if index == next {
            self.files.push(key);
        }
        let uri = uri(&path(&self.report.submissions[at], file));
        let mut physical = json!({ "artifactLocation": { "uri": uri, "uriBaseId": base_id(), "index": index } });
        if let Some(stretch) = stretch {
            physical["region"] = region(stretch, self.places.of(at, stretch));
        }
        json!({ "physicalLocation": physical })
    }

    /// By what stands there, which survives lines that move, and by the place in these very files.
    fn fingerprints(&mut self, a: (usize, &Stretch), b: (usize, &Stretch)) -> Value {
        let file = |(at, stretch): (usize, &Stretch)| (&self.report.submissions[at], stretch.file);
        let names = [a, b].map(|side| path(file(side).0, file(side).1));
        let contents = [a, b].map(|side| {
            let (submission, at) = file(side);
            format!("{}:{}-{}", submission.files[at].content, side.1.start, side.1.end)
        });
        let mut all = json!({ "place/v1": hash(&[names[0].as_bytes(), names[1].as_bytes(), contents[0].as_bytes(), contents[1].as_bytes()]) });
        if let [Some(first), Some(second)] = [a, b].map(|(at, stretch)| self.places.of(at, stretch)) {
            let texts = [first, second].map(|exact| *exact.text.as_bytes());
            let passage = hash(&[names[0].as_bytes(), names[1].as_bytes(), &texts[0], &texts[1]]);
            let times = self.given.entry(passage.clone()).or_default();
            *times += 1;
            all["passage/v1"] = format!("{passage}:{times}").into();
        }
        all
    }
}

fn level(pair: &Pair) -> &'static str {
    match pair.class {
        PairClass::Striking if pair.expected.is_some_and(|expected| expected < UNLIKELY) => "error",
        PairClass::Striking => "warning",
        PairClass::Look | PairClass::Ordinary => "note",
    }
}

/// The place that the message links to.
fn related(mut location: Value) -> Value {
    location["id"] = 1.into();
    location["message"] = json!({ "text": "the other place" });
    location
}

/// Lines; with columns and characters if the text is known and agrees with them.
fn region(stretch: &Stretch, exact: Option<&Exact>) -> Value {
    let mut region = json!({ "startLine": stretch.line, "endLine": stretch.last_line });
    if let Some(exact) = exact.filter(|e| [e.start.line, e.end.line] == [stretch.line, stretch.last_line]) {
        region["startColumn"] = exact.start.column.into();
        region["endColumn"] = exact.end.column.into();
        region["charOffset"] = exact.start.character.into();
        region["charLength"] = (exact.end.character - exact.start.character).into();
    }
    region
}

/// Brackets would be taken for links.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// A relative URI: what is not plainly allowed in a path is encoded, so that no name makes a scheme or leaves its folder.
pub(super) fn uri(path: &str) -> String {
    let encoded = |part: &str| {
        let dots = part == "." || part == "..";
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) || (byte == b'.' && !dots);
        let one = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
        part.bytes().map(one).collect::<String>()
    };
    // a leading slash would leave the folder that all are in
    let parts: Vec<String> = path.trim_start_matches('/').split('/').map(encoded).collect();
    parts.join("/")
}

/// 128 bits of the parts, each with its length.
fn hash(parts: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    hasher.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_harmless_uris() {
        assert_eq!(uri("a b/ü.py"), "a%20b/%C3%BC.py");
        assert_eq!(uri("http://x/../y?#"), "http%3A//x/%2E%2E/y%3F%23");
        assert_eq!(uri("//etc/x"), "etc/x");
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(hash(&[b"ab", b"c"]), hash(&[b"a", b"bc"]));
    }
}
