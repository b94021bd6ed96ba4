//! An exchange file that was damaged, or forged with checksums that fit, joins a scan.

use lookalike::exchange::{Names, is_exchange, lens_of};
use lookalike::{ChunksOptions, Input, LensOptions, Resources, Scanner, ShinglesOptions};
use crate::{check_terminal, edited, folder, forge_record};
use lookalike_report::{Form, Source};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

pub(crate) fn fuzz(bytes: &[u8]) {
    static SOUND: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    let [lens, how, edits @ ..] = bytes else { return };
    let lens = usize::from(lens % 2);
    let sound = &SOUND.get_or_init(|| [0, 1].map(sketch))[lens];
    let path = folder().join("forged.lka");
    match how.checked_sub(1) {
        None => fs::write(&path, edited(sound.clone(), edits)).expect("the folder is ours"),
        Some(which) => {
            fs::write(&path, sound).expect("the folder is ours");
            forge_record(&path, usize::from(which), edits);
        }
    }
    if !is_exchange(&path) {
        assert!(lens_of(&path).is_err());
        return;
    }
    let Ok(scan) = scanner(lens).run(vec![Input::Path(path), Input::texts(texts())]) else { return };
    for form in ["json", "terminal"] {
        let (form, mut shown) = (Form::named(form).expect("a form that there is"), Vec::new());
        form.renderer.render(&Source::new(scan.report()), &mut shown).expect("a Vec takes anything");
        if form.name == "terminal" {
            check_terminal(&shown);
        }
    }
}

fn texts() -> Vec<String> {
    let words = |from: u32, to: u32| (from..to).map(|n| format!("word{n} ")).collect::<String>();
    vec![words(0, 400), words(0, 380) + &words(900, 920), words(100, 300), words(2000, 2300)]
}

fn scanner(lens: usize) -> Scanner<'static> {
    let lens: LensOptions = if lens == 0 {
        // of sketches there are only estimates
        ShinglesOptions { estimate: true, ..ShinglesOptions::default() }.into()
    } else {
        ChunksOptions { mean: 256, ..ChunksOptions::default() }.into()
    };
    Scanner::new(lens).resources(Resources { memory: 64 << 20, threads: 1, tmp: None })
}

/// A sound file, of documents that are alike.
fn sketch(lens: usize) -> Vec<u8> {
    let path: PathBuf = folder().join("sound.lka");
    let _ = fs::remove_file(&path);
    let summary = scanner(lens).sketch(vec![Input::texts(texts())], Names::Plain, &path).expect("a sound file");
    assert_eq!(summary.documents, 4);
    let scan = scanner(lens).run(vec![Input::Path(path.clone())]).expect("a sound file");
    assert!(!scan.report().clusters.is_empty(), "the file is worth forging");
    fs::read(&path).expect("just written")
}
