//! Arbitrary bytes as what we wrote ourselves: places, recipes, spools, and a saved run that was damaged or forged.

use lookalike::report::Policy;
use lookalike::templates::TemplateList;
use lookalike::{Input, Linkage, Recipe, Report, Resources, Sampling, Scanner, ShinglesOptions, recluster};
use lookalike_corpus::Place;
use crate::{check_terminal, edited, folder, forge_record};
use lookalike_report::{Form, Source};
use lookalike_store::{Error, SpoolReader};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

pub(crate) fn fuzz(bytes: &[u8]) {
    place(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        recipe(text);
    }
    spool(bytes);
    if let [file, how, edits @ ..] = bytes {
        saved_run(*file, *how, edits);
    }
}

/// A place has one encoding: whatever decodes, encodes to the same bytes.
fn place(bytes: &[u8]) {
    if let Some(place) = Place::decode(bytes) {
        let mut back = Vec::new();
        place.encode(&mut back);
        assert_eq!(back, bytes);
    }
}

/// What parses, prints; and what is printed means the same.
fn recipe(text: &str) {
    if let Ok(recipe) = text.parse::<Recipe>() {
        assert_eq!(recipe.to_string().parse::<Recipe>(), Ok(recipe));
    }
    if let Ok(sampling) = text.parse::<Sampling>() {
        assert_eq!(sampling.to_string().parse::<Sampling>(), Ok(sampling));
    }
}

/// Lengths in a spool are not believed, from first to last or at any place; both ways read the same.
fn spool(bytes: &[u8]) {
    let path = folder().join("spool");
    fs::write(&path, bytes).expect("the folder is ours");
    let claimed = bytes.first().map_or(0, |count| u64::from(count % 8));
    let reader = SpoolReader::open(&path, claimed).expect("the file is there");
    let (mut at, mut record) = (0, Vec::new());
    let _ = reader.for_each(|lent| {
        reader.read(at, &mut record)?;
        assert_eq!(record, lent);
        at += 12 + lent.len() as u64;
        Ok::<_, Error>(())
    });
    let end = bytes.len() as u64;
    for place in [0, 1, end / 2, end.saturating_sub(12), end, end + 1, u64::MAX - 11, u64::MAX] {
        let _ = reader.read(place, &mut record);
    }
}

/// One file of a saved run is edited: as a disk would (checksums find it), or record by record with checksums that fit,
/// as somebody who sends us a run would.
fn saved_run(file: u8, how: u8, edits: &[u8]) {
    static RUN: OnceLock<PathBuf> = OnceLock::new();
    let run = RUN.get_or_init(save);
    let name = ["run.json", "documents", "pairs", "sketches"][usize::from(file % 4)];
    let path = run.join(name);
    let whole = fs::read(&path).expect("saved before");
    match (how.checked_sub(1), name) {
        (None, _) => fs::write(&path, edited(whole.clone(), edits)).expect("the folder is ours"),
        (_, "run.json") => fs::write(&path, forged_manifest(edited(whole.clone(), edits))).expect("the folder is ours"),
        (Some(which), _) => forge_record(&path, usize::from(which), edits),
    }
    let policies: [fn(Policy) -> Policy; 3] = [
        |saved| saved,
        |saved| Policy { linkage: Linkage::Single, ..saved },
        |saved| Policy { threshold: saved.threshold.max(0.9), contained: None, ..saved },
    ];
    for policy in policies {
        if let Ok(report) = recluster(run, policy, &TemplateList::default()) {
            let mut shown = Vec::new();
            render("json", &report, &mut shown);
            shown.clear();
            render("terminal", &report, &mut shown);
            check_terminal(&shown);
        }
    }
    fs::write(&path, whole).expect("the folder is ours");
}

fn render(form: &str, report: &Report, out: &mut Vec<u8>) {
    let form = Form::named(form).expect("a form that there is");
    form.renderer.render(&Source::new(report), out).expect("a Vec takes anything");
}

/// A run with near, equal and contained documents, the same in every process.
fn save() -> PathBuf {
    let words = |from: u32, to: u32| (from..to).map(|n| format!("word{n} ")).collect::<String>();
    let (long, part, near) = (words(0, 120), words(0, 60), words(0, 100) + &words(200, 220));
    let upper = long.to_uppercase();
    let texts = [&long, &long, &upper, &part, &near, &words(300, 330), "only a few words"];
    let lines: String =
        texts.iter().enumerate().map(|(n, text)| format!("{{\"id\":\"d{n}\",\"text\":\"{text}\"}}\n")).collect();
    let run = folder().join("run");
    let options = ShinglesOptions {
        policy: Policy { threshold: 0.3, contained: Some(0.5), ..Policy::default() },
        all_pairs: true,
        ..ShinglesOptions::default()
    };
    let input = Input::Stream(Box::new(std::io::Cursor::new(lines.into_bytes())));
    let resources = Resources { memory: 64 << 20, threads: 1, tmp: None };
    let scan = Scanner::new(options).resources(resources).run(vec![input]).expect("these documents can be scanned");
    scan.save(&run).expect("the folder is ours");
    let report = recluster(&run, |saved| saved, &TemplateList::default()).expect("what was saved can be clustered again");
    assert_eq!(report.clusters.len(), 1, "the run is worth damaging");
    let forged = forged_manifest(fs::read(run.join("run.json")).expect("just saved"));
    fs::write(run.join("run.json"), forged).expect("the folder is ours");
    recluster(&run, |saved| saved, &TemplateList::default()).expect("the checksum is the one the product makes");
    run
}

/// Gives an edited `run.json` the checksum that its fields ask for.
fn forged_manifest(edited: Vec<u8>) -> Vec<u8> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(&edited) else { return edited };
    fields.insert("checksum".into(), "".into());
    let sum = blake3::hash(&serde_json::to_vec(&fields).expect("plain data"));
    fields.insert("checksum".into(), sum.to_hex().as_str().into());
    serde_json::to_vec(&fields).expect("plain data")
}
