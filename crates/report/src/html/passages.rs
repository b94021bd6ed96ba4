//! The page of the passages lens: the report whole, and the texts of files. `web/js/copies/types.js` describes it.

use super::HtmlError;
use super::data::name;
use super::texts::{BLOCK_BYTES, BLOCK_DOCUMENTS, TextPlaces, TextWriter};
use crate::page::{HtmlOptions, SubmissionFiles};
use lookalike::report::{PairDecision, Passages, Report, SourceFile};
use lookalike::{Error, ShownFile};
use lookalike_web::PageWriter;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
pub(super) struct PassageData<'a> {
    kind: &'static str,
    name: String,
    made: u64,
    inputs: &'a [String],
    command: &'a [String],
    report: &'a Report,
    /// What was decided before, about any pair.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    decisions: &'a [PairDecision],
    contents: &'a [usize],
    texts: &'a TextPlaces,
}

impl<'a> PassageData<'a> {
    pub(super) fn new(
        report: &'a Report,
        contents: &'a Contents,
        texts: &'a TextPlaces,
        options: &'a HtmlOptions<'_>,
    ) -> Self {
        Self {
            kind: "copies",
            name: name(&report.head.recipe, &options.place),
            made: options.made,
            inputs: &options.inputs,
            command: &options.command,
            report,
            decisions: options.pair_decisions,
            contents: &contents.of_file,
            texts,
        }
    }
}

/// Which files are the same: their text is in the page once.
pub(super) struct Contents {
    /// By file, all files of the first submission first.
    of_file: Vec<usize>,
    /// By submission: its first file.
    first: Vec<usize>,
    /// How many there are.
    all: usize,
}

impl Contents {
    pub(super) fn new(report: &Passages) -> Self {
        let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let (mut of_file, mut first) = (Vec::new(), Vec::new());
        for submission in &report.submissions {
            first.push(of_file.len());
            for file in &submission.files {
                // what is read differently may be shown differently
                let next = known.len();
                of_file.push(*known.entry((&file.content, file.language)).or_insert(next));
            }
        }
        let all = known.len();
        Self { of_file, first, all }
    }

    /// The texts of the page, as many as there is room for.
    pub(super) fn texts(
        &self,
        report: &Passages,
        files: &SubmissionFiles<'_>,
        options: &HtmlOptions<'_>,
        page: &mut PageWriter<'_>,
    ) -> Result<TextPlaces, HtmlError> {
        let groups = self.groups(report);
        let read = groups.iter().map(|group| {
            let texts = read(group, files)?;
            Ok(group.iter().map(|place| self.of_file[place.number(self)]).zip(texts).collect())
        });
        TextWriter::write_files(read, self.all, options, page)
    }

    /// Files that are packed together: those of the most similar pairs first, then those of submissions in no pair. Each content once.
    fn groups(&self, report: &Passages) -> Vec<Vec<FilePlace>> {
        let mut planned = vec![false; self.all];
        let (mut groups, mut group, mut bytes) = (Vec::new(), Vec::new(), 0);
        let in_pairs = report.pairs.iter().flat_map(|pair| [pair.a, pair.b]);
        for submission in in_pairs.chain(0..report.submissions.len()) {
            let sources: &[SourceFile] = &report.submissions[submission].files;
            for (file, source) in sources.iter().enumerate() {
                let place = FilePlace { submission, file };
                if std::mem::replace(&mut planned[self.of_file[place.number(self)]], true) {
                    continue;
                }
                group.push(place);
                bytes += source.bytes;
                if group.len() == BLOCK_DOCUMENTS || bytes > BLOCK_BYTES {
                    groups.push(std::mem::take(&mut group));
                    bytes = 0;
                }
            }
        }
        groups.push(group);
        groups.retain(|group| !group.is_empty());
        groups
    }
}

/// A file of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FilePlace {
    submission: usize,
    file: usize,
}

impl FilePlace {
    fn number(self, contents: &Contents) -> usize {
        contents.first[self.submission] + self.file
    }
}

/// The texts of some files. Those of a submission come together, so neighbours are read once.
fn read(group: &[FilePlace], files: &SubmissionFiles<'_>) -> Result<Vec<Option<ShownFile>>, Error> {
    let mut texts = Vec::with_capacity(group.len());
    for places in group.chunk_by(|x, y| x.submission == y.submission) {
        let mut shown = files(places[0].submission)?;
        texts.extend(places.iter().map(|place| shown.get_mut(place.file).and_then(Option::take)));
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::super::{PageSubject, write_html};
    use super::*;
    use base64::prelude::{BASE64_STANDARD, Engine};
    use lookalike::report::{
        Calibration, CalibrationRow, FamilyRecipe, Pair, PairClass, Policy, Rules, Section, Shared, Stretch,
        Submission, SubmissionCluster,
    };
    use lookalike::{Highlights, Mark, MarkKind, PassageRecipe};
    use serde_json::Value;
    use std::cell::RefCell;

    fn file(name: &str, content: &str, bytes: u64) -> SourceFile {
        SourceFile {
            name: name.into(),
            language: "python",
            bytes,
            lines: 3,
            tokens: 40,
            content: content.into(),
            degraded: None,
            excluded: vec![[0, 4]],
            document: 7,
        }
    }

    fn submission(name: &str, files: Vec<SourceFile>) -> Submission {
        Submission {
            name: name.into(),
            owner: Some(format!("{name}-owner")),
            label: Some("A".into()),
            full_name: Some(format!("Name of {name}")),
            created_at: Some("2026-05-18 10:00:00".into()),
            created: Some(1_779_098_400),
            archive: name == "old",
            files,
            tokens: 80,
            excluded: 8,
            highest: 0.8,
            same_as: None,
        }
    }

    fn pair(a: usize, b: usize, similarity: f64) -> Pair {
        let stretch = || Stretch { file: 0, start: 4, end: 20, line: 1, last_line: 2 };
        Pair {
            a,
            b,
            similarity,
            share_a: similarity,
            share_b: similarity,
            overlap: 40,
            longest: 40,
            passages_all: 1,
            rarity: 1.0,
            shared_by_others: 0.0,
            class: PairClass::Striking,
            expected: Some(0.01),
            expected_interval: Some([0.01, 0.03]),
            folded: 0,
            decision: None,
            passages: vec![Shared { a: stretch(), b: stretch(), tokens: 40, equal: 38, submissions: 2 }],
        }
    }

    /// `c` and `d` are the most similar; `b` has a copy of a file of `d`; `old` is in no pair.
    fn report() -> Report {
        let submissions = vec![
            submission("a", vec![file("a.py", "a0", 30)]),
            submission("b", vec![file("b.py", "b0", 30), file("lib.py", "lib", 30)]),
            submission("c", vec![file("c.py", "c0", 30)]),
            submission("d", vec![file("d.py", "d0", 30), file("util/lib.py", "lib", 30)]),
            submission("old", vec![file("</script><b>.py", "old", 30)]),
        ];
        let rules = Rules {
            min_similarity: 0.1,
            limit: 100,
            max_df: Some(10),
            identifiers: false,
            literals: false,
            comments: false,
        };
        let calibration = Calibration {
            pairs: 10,
            median: 0.02,
            p95: 0.3,
            threshold: 0.5,
            look: 0.4,
            source: "default",
            striking: 1,
            worth_a_look: 0,
            table: vec![CalibrationRow { threshold: 0.5, expected: Some(0.2), found: 1 }],
            histogram: vec![0; 100],
            reasoning: vec!["too small".into()],
        };
        let mut section = Passages::new(rules, calibration);
        section.recipes = vec![FamilyRecipe { family: "code", k: 12, t: 20, files: 7 }];
        section.submissions = submissions;
        section.pairs = vec![pair(2, 3, 0.8), pair(0, 1, 0.4)];
        (section.pairs_all, section.pairs_possible) = (2, 10);
        section.clusters = vec![SubmissionCluster { submissions: vec![2, 3], pairs: 1, mean: 0.8 }];
        Report::new(&PassageRecipe::default().into(), Policy::default(), Section::Passages(section))
    }

    fn options(embed_limit: u64) -> HtmlOptions<'static> {
        HtmlOptions {
            inputs: vec!["ex3".into()],
            place: vec!["/home/x/ex3".into()],
            command: vec!["copies".into(), "ex3".into()],
            made: 1,
            embed_limit,
            decisions: &[],
            pair_decisions: &[],
            progress: None,
        }
    }

    /// A file that begins with a comment.
    fn shown(text: String) -> ShownFile {
        let marks = vec![Mark { kind: MarkKind::Comment, start: 0, end: 1 }];
        ShownFile { text, highlights: Highlights { marks, keywords: vec!["else".into(), "if".into()] } }
    }

    /// The page, and the submissions that were read for it, in order.
    fn page_of(report: &Report, limit: u64) -> (String, Vec<usize>) {
        let asked = RefCell::new(Vec::new());
        let files = |submission: usize| {
            asked.borrow_mut().push(submission);
            let text = |at: usize| Some(shown(format!("größe {submission} {at}\n")));
            Ok(report.passages().unwrap().submissions[submission]
                .files
                .iter()
                .enumerate()
                .map(|(at, _)| text(at))
                .collect())
        };
        let page = html(report, &files, limit);
        (page, asked.into_inner())
    }

    fn html(report: &Report, files: &SubmissionFiles<'_>, limit: u64) -> String {
        let mut out = Vec::new();
        write_html(PageSubject::Passages(report, files), &options(limit), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn data(page: &str) -> Value {
        let packed = page.split("id=\"data\">").nth(1).unwrap().split('<').next().unwrap();
        let packed = BASE64_STANDARD.decode(packed).unwrap();
        serde_json::from_reader(flate2::read::GzDecoder::new(packed.as_slice())).unwrap()
    }

    #[test]
    fn the_report_is_whole_and_texts_are_once() {
        let report = report();
        let (page, asked) = page_of(&report, 1 << 20);
        let data = data(&page);
        assert_eq!(data["kind"], "copies");
        assert_eq!(data["report"], serde_json::to_value(&report).unwrap());
        assert_eq!(data["contents"], serde_json::json!([0, 1, 2, 3, 4, 2, 5]));
        assert_eq!(data["texts"]["embedded"], 6);
        // the most similar first; nobody twice, and of `b` only what `d` had not
        assert_eq!(asked, [2, 3, 0, 1, 4]);
        assert!(data["name"].as_str().unwrap().len() == 16 && !data.to_string().contains("/home/x"));
    }

    #[test]
    fn texts_come_with_what_they_are_coloured_by() {
        let report = report();
        let (page, _) = page_of(&report, 1 << 20);
        let [from, length] = [0, 1].map(|n| data(&page)["texts"]["blocks"][0][n].as_u64().unwrap() as usize);
        let texts = page.split("id=\"texts\">").nth(1).unwrap();
        let packed = BASE64_STANDARD.decode(&texts[from..from + length]).unwrap();
        let block: Value = serde_json::from_reader(flate2::read::GzDecoder::new(packed.as_slice())).unwrap();
        assert_eq!(block["0"]["marks"], serde_json::json!([0, -1]));
        assert_eq!(block["0"]["keywords"], "else if");
    }

    #[test]
    fn texts_stop_at_the_limit_and_the_nearest_pair_comes_first() {
        let mut report = report();
        let Section::Passages(section) = &mut report.section else { unreachable!() };
        for submission in &mut section.submissions {
            for file in &mut submission.files {
                file.bytes = BLOCK_BYTES + 1;
            }
        }
        let (whole, _) = page_of(&report, 1 << 20);
        let first = data(&whole)["texts"]["blocks"][0][1].as_u64().unwrap();
        let (page, asked) = page_of(&report, first);
        let data = data(&page);
        assert_eq!(data["texts"]["embedded"], 1);
        assert_eq!(data["texts"]["block"], serde_json::json!([null, null, null, 0, null, null]));
        assert_eq!(asked, [2, 3], "one more was tried, and no other");
        assert!(page_of(&report, 0).1.is_empty(), "nothing is read for nothing");
    }

    #[test]
    fn a_file_that_has_changed_is_missing() {
        let report = report();
        let files = |submission: usize| Ok(vec![(submission != 3).then(|| shown("x".into()))]);
        let data = data(&html(&report, &files, 1 << 20));
        // d0 is gone; of `lib` and of what is beyond the end of a list nothing was given
        assert_eq!(data["texts"]["without"], serde_json::json!([4, 2]));
        assert_eq!(data["texts"]["block"], serde_json::json!([0, 0, null, 0, null, 0]));
    }

    #[test]
    fn the_file_has_nothing_of_a_name_in_the_open() {
        let report = report();
        let (html, _) = page_of(&report, 1 << 20);
        assert!(!html.contains("</script><b>") && !html.contains("größe"), "everything is packed");
    }
}
