//! The page of a calibration: what it says, and the texts of the pairs to judge. `web/js/calibration/types.js` describes it.

use super::HtmlError;
use super::data::name;
use super::texts::{TextPlaces, TextWriter};
use crate::hints;
use crate::page::HtmlOptions;
use lookalike::dedup::calibrate::{Calibration, CalibrationRun, PairDocument};
use lookalike::{Error, Highlights, ShownFile, Text};
use lookalike_web::PageWriter;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The contents of the sample, each once, by their ids: in which place, and a document that has it.
pub(super) type Contents<'a> = BTreeMap<&'a str, (usize, &'a PairDocument)>;

pub(super) fn contents(calibration: &Calibration) -> Contents<'_> {
    let mut contents = Contents::new();
    for document in calibration.sample.iter().flat_map(|pair| [&pair.a, &pair.b]) {
        let next = contents.len();
        contents.entry(&document.content).or_insert((next, document));
    }
    contents
}

/// The texts of the page, as many as there is room for: a pair after the other.
pub(super) fn texts(
    run: &CalibrationRun,
    contents: &Contents<'_>,
    options: &HtmlOptions<'_>,
    page: &mut PageWriter<'_>,
) -> Result<TextPlaces, HtmlError> {
    let mut written = vec![false; contents.len()];
    let groups = run.calibration.sample.iter().map(|pair| {
        let mut group = Vec::new();
        for document in [&pair.a, &pair.b] {
            let (at, _) = contents[document.content.as_str()];
            if !std::mem::replace(&mut written[at], true) {
                let file = |text: Text| ShownFile { text: text.visible, highlights: Highlights::default() };
                group.push((at, run.text(document.document)?.map(file)));
            }
        }
        Ok::<_, Error>(group)
    });
    TextWriter::write_files(groups, contents.len(), options, page)
}

pub(super) fn data(
    run: &CalibrationRun,
    (contents, texts): (&Contents<'_>, &TextPlaces),
    options: &HtmlOptions<'_>,
    dedup: Option<&[String]>,
) -> Value {
    let calibration = &run.calibration;
    json!({
        "kind": "calibration",
        "name": name(&calibration.recipe, &options.place),
        "lookalike": env!("CARGO_PKG_VERSION"),
        "made": options.made,
        "inputs": options.inputs,
        "command": hints::command_line(&options.command),
        "dedup": dedup.map(hints::command_line),
        "calibration": calibration,
        "contents": contents.iter().map(|(id, (at, _))| (*id, *at)).collect::<BTreeMap<&str, usize>>(),
        "texts": texts,
    })
}
