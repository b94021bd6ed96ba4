//! An index whose segments were forged: their checksums fit, their numbers need not. Nothing may panic, and nothing may take for ever.

use lookalike::index::{self, ChangesOptions, IndexWriter, LostOptions, Query, QueryOptions, ShinglesQuery};
use lookalike::{Index, Input, Resources, ShinglesOptions};
use crate::folder;
use lookalike_store::{Folder, RealDisk, SegmentWriter, Snapshot};
use serde_json::Value;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The contents of one file: sections by kind.
type Sections = Vec<(u32, Vec<u8>)>;

/// A sound index, taken apart.
struct Sound {
    meta: Value,
    files: Vec<Sections>,
}

pub(crate) fn fuzz(bytes: &[u8]) {
    static SOUND: OnceLock<Sound> = OnceLock::new();
    let sound = SOUND.get_or_init(make);
    let path = folder().join("forged");
    let _ = fs::remove_dir_all(&path);
    if !forge(sound, bytes, &path) {
        return;
    }
    ask(&path);
    change(&path);
    let _ = fs::remove_dir_all(&path);
}

fn writer(path: &Path) -> IndexWriter<'static> {
    IndexWriter::new(path).resources(Resources { memory: 16 << 20, threads: 1, tmp: None })
}

fn lines(from: usize, to: usize) -> Vec<Input> {
    let text = |at: usize| (0..40 + at % 7 * 9).map(|w| format!("w{} ", (w * 7 + at / 3 * 31) % 97)).collect::<String>();
    let lines: String = (from..to).map(|at| format!("{{\"id\":\"u{at}\",\"text\":\"{}\"}}\n", text(at))).collect();
    vec![Input::Stream(Box::new(Cursor::new(lines)))]
}

fn make() -> Sound {
    let path = folder().join("sound");
    let _ = fs::remove_dir_all(&path);
    let options = ShinglesOptions { max_df: 3, ..ShinglesOptions::default() };
    writer(&path).build(options, lines(0, 20), Some("2026-01-01")).expect("a sound index");
    writer(&path).add(lines(10, 30), Some("2026-02-01")).expect("a sound index");
    let snapshot = Snapshot::<Value>::open(&path).expect("a sound index");
    let files = snapshot.segments.iter().map(|segment| {
        let kinds = (0..256).filter(|kind| segment.len_of(*kind) > 0);
        kinds.map(|kind| (kind, segment.bytes(kind, 0..segment.len_of(kind)).expect("sound").to_vec())).collect()
    });
    Sound { files: files.collect(), meta: snapshot.meta }
}

/// Writes the index again, with edits: file, section, place (two bytes), what to put there; or a new length.
fn forge(sound: &Sound, edits: &[u8], path: &Path) -> bool {
    let mut files = sound.files.clone();
    for edit in edits.chunks_exact(6) {
        let file = edit[0] as usize % files.len();
        let sections = &mut files[file];
        let section = edit[1] as usize % sections.len();
        let content = &mut sections[section].1;
        let at = usize::from(u16::from_le_bytes([edit[2], edit[3]])) % content.len().max(1);
        match edit[4] {
            0 => content.truncate(at),
            1 => content.extend_from_within(..at.min(content.len())),
            _ if content.is_empty() => {}
            _ => content[at] = edit[5],
        }
    }
    let mut folder = Folder::create(path, Arc::new(RealDisk)).expect("a new folder");
    let mut written = Vec::new();
    for sections in files {
        let mut out: SegmentWriter = folder.segment().expect("a new file");
        for (kind, content) in sections {
            out.section(kind).and_then(|()| out.write(&content)).expect("written");
        }
        written.push(out.finish().expect("written"));
    }
    folder.commit(written, &sound.meta).is_ok()
}

fn ask(path: &PathBuf) {
    let Ok(index) = Index::open(path, "") else { return };
    let query: QueryOptions = ShinglesQuery { threshold: 0.2, verify: true, ..ShinglesQuery::default() }.into();
    let _ = index.info();
    let _ = index.for_each_history(|_, history| {
        for (_, document) in history.iter().take(4) {
            let _ = index.query(&Query::Document(*document), &query);
            let _ = index.cluster(*document).and_then(|representative| index.members(representative));
        }
        Ok(())
    });
    for url in ["u1", "u12", "u25"] {
        let _ = index.lost(url, &LostOptions::default());
        let _ = index.query(&Query::Url(url), &query);
    }
    let _ = index.changes(&ChangesOptions { threshold: 0.5 });
    let _ = index.collapse(["u1", "u2", "u11"].map(str::to_owned));
    assert!(index::verify(path).is_ok_and(|checked| checked.damages.is_empty()), "the checksums fit");
}

fn change(path: &Path) {
    let _ = writer(path).add(lines(5, 35), Some("2026-03-01"));
    let _ = writer(path).remove(&["u3".to_owned(), "u12".to_owned()], None);
    let _ = writer(path).merge();
    ask(&path.to_owned());
}
