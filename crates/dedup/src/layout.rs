//! The files of the inputs, and the files of the result that they become.

use crate::Error;
use crate::uncompared::is_left_out;
use lookalike_corpus::{
    Corpus, Listed, Place, Reason, ShardFormat, ShardRecords, id_of, is_archive, is_wacz, path_of, wacz_of,
};
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::run::documents::Documents;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// A file that is written again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LayoutFile {
    pub(crate) from: PathBuf,
    /// Its path in the result.
    pub(crate) to: PathBuf,
    pub(crate) kind: FileKind,
    /// Its documents, which follow each other.
    pub(crate) documents: Range<u32>,
    /// Of those, documents in archives inside this archive.
    pub(crate) nested: u64,
    /// The records that were read of a shard.
    pub(crate) records: ShardRecords,
}

impl LayoutFile {
    /// The number of its documents.
    pub(crate) fn document_count(&self) -> u64 {
        u64::from(self.documents.end - self.documents.start)
    }
}

/// The content of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileKind {
    /// Records.
    Shard,
    /// Files, of which each may be a document.
    Archive,
    /// Web archives and their index.
    Wacz,
    /// One document, or none.
    #[default]
    File,
}

impl FileKind {
    /// The content of a file in which nothing was read.
    fn of_name(path: &Path) -> Self {
        if is_wacz(path) {
            Self::Wacz
        } else if ShardFormat::of_name(path).is_some() {
            Self::Shard
        } else {
            Self::File
        }
    }
}

/// All files of a corpus, by their place in the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout(Vec<LayoutFile>);

impl Layout {
    /// All files of the inputs: those that a walk finds, and those that were read in the meantime. Only what was left out on purpose is not
    /// among them.
    pub(crate) fn new(inputs: &[PathBuf], documents: &Documents) -> Result<Self, Error> {
        let mut files = listed(documents)?;
        let mut shards: Vec<PathBuf> = Vec::new();
        for (path, records) in documents.corpus.sources().into_iter().zip(documents.corpus.records()) {
            let (path, kind) = match wacz_of(&path) {
                Some(wacz) => (wacz, FileKind::Wacz),
                None => (path, FileKind::Shard),
            };
            // a second name of a file has a number, and was not read
            if records.all > 0 || files.contains_key(&path) {
                let file = files.entry(path.clone()).or_default();
                file.kind = kind;
                file.records.all += records.all;
                file.records.blank += records.blank;
            }
            shards.push(path);
        }
        let (mut document, mut streamed) = (0, None);
        documents.catalogue.for_each_entry(|entry| {
            let nested = u64::from(entry.place.is_nested());
            let found = match entry.place {
                Place::Line { source, .. } | Place::Row { source, .. } => {
                    shards.get(source as usize).map(|path| (path.clone(), None))
                }
                Place::File(path) => Some((path, Some(FileKind::File))),
                Place::Member { path, .. } => Some((path, Some(FileKind::Archive))),
                Place::Stream => None,
            };
            match found {
                Some((path, kind)) => {
                    let file = files.entry(path).or_default();
                    file.kind = kind.unwrap_or(file.kind);
                    file.nested += nested;
                    if file.documents.is_empty() {
                        file.documents.start = document;
                    }
                    file.documents.end = document + 1;
                }
                None => streamed = streamed.take().or(Some(entry.id)),
            }
            document += 1;
            Ok::<_, lookalike_store::Error>(())
        })?;
        if let Some(id) = streamed {
            return Err(Error::NotWritable { what: format!("standard input ({id})") });
        }
        let root = root(inputs);
        let mut layout: Vec<LayoutFile> = Vec::new();
        for (from, FoundFile { kind, documents, nested, records }) in files {
            let to = relative(&from, &root);
            layout.push(LayoutFile { from, to, kind, documents, nested, records });
        }
        layout.sort_by(|a, b| a.to.cmp(&b.to));
        if let Some([a, b]) = layout.windows(2).find(|two| two[0].to == two[1].to) {
            return Err(Error::SameName { first: a.from.clone(), second: b.from.clone(), out: a.to.clone() });
        }
        Ok(Self(layout))
    }

    /// The files.
    pub(crate) fn files(&self) -> &[LayoutFile] {
        &self.0
    }

    /// Whether some are web archives.
    pub(crate) fn has_web_archives(&self) -> bool {
        self.0.iter().any(|file| ShardFormat::of_name(&file.from) == Some(ShardFormat::Warc))
    }

    /// Their bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.0.iter().filter_map(|file| file.from.metadata().ok()).map(|metadata| metadata.len()).sum()
    }
}

/// A file that was found in the inputs.
#[derive(Default)]
struct FoundFile {
    kind: FileKind,
    documents: Range<u32>,
    nested: u64,
    records: ShardRecords,
}

/// The files that a walk through the inputs finds.
fn listed(documents: &Documents) -> Result<BTreeMap<PathBuf, FoundFile>, Error> {
    let mut files = BTreeMap::new();
    let (mut conditional, mut unread) = (BTreeSet::new(), None);
    documents.corpus.list(|listed| match listed {
        Listed::File(path) => {
            let kind = if is_archive(&path) { FileKind::Archive } else { FileKind::of_name(&path) };
            files.insert(path, FoundFile { kind, ..FoundFile::default() });
        }
        Listed::Archive(path) => {
            conditional.insert(path);
        }
        Listed::LeftOut(skipped) => {
            let is_link = || path_of(&skipped.id).is_symlink();
            if matches!(skipped.reason, Reason::Unreadable(_)) && !is_link() {
                unread.get_or_insert(skipped);
            }
        }
    });
    if let Some(skipped) = unread {
        return Err(Error::Damaged { id: skipped.id, reason: skipped.reason.to_string() });
    }
    // an archive without a document stays if something in it was asked for and could not be compared
    for skip in &documents.catalogue.skipped {
        let archive = path_of(skip.id.split_once("!/").map_or(&skip.id, |(archive, _)| archive));
        if let Some(path) = conditional.take(&archive) {
            files.insert(path, FoundFile { kind: FileKind::Archive, ..FoundFile::default() });
        }
    }
    Ok(files)
}

/// Fails if a shard or an archive would be missing from the result, and the user did not leave it out.
pub(crate) fn check_left_out(corpus: &Corpus) -> Result<(), Error> {
    let mut first = None;
    corpus.list(|listed| {
        if let Listed::LeftOut(skipped) = listed
            && first.is_none()
        {
            first = corpus.lost_with(&skipped).map(|file| (file, skipped));
        }
    });
    match first {
        None => Ok(()),
        Some((file, skipped)) => Err(Error::LeftOut { file: shown(&file), left_out: Box::new(skipped.into()) }),
    }
}

/// Fails if nothing was read, unless all that was found is empty.
pub(crate) fn check_documents(corpus: &Corpus, catalogue: &Catalogue) -> Result<(), Error> {
    if catalogue.len() > 0 {
        return Ok(());
    }
    let mut is_found = false;
    corpus.list(|listed| is_found |= matches!(listed, Listed::File(_)));
    let skipped = &catalogue.skipped;
    if is_found && skipped.iter().all(|skip| skip.kind == "empty" || is_left_out(skip)) {
        return Ok(());
    }
    Err(Error::NoDocuments { skipped: skipped.clone() })
}

/// The folder that paths in the result count from: that of a single input, or what all have in common.
fn root(inputs: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| {
        if path.is_dir() { path.clone() } else { path.parent().map(Path::to_owned).unwrap_or_default() }
    };
    if let [single] = inputs {
        return folder(single);
    }
    // several folders keep their names
    let parent = |path: &PathBuf| path.parent().map(without_dots).unwrap_or_default();
    inputs
        .iter()
        .map(parent)
        .reduce(|a, b| a.iter().zip(b.iter()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect())
        .unwrap_or_default()
}

/// A path without `./`.
fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// A path from a folder on; never one that leads out of it.
fn relative(path: &Path, root: &Path) -> PathBuf {
    let path = without_dots(path);
    let inside = path.strip_prefix(without_dots(root)).unwrap_or(&path);
    let plain = inside.components().filter_map(|part| match part {
        Component::Normal(name) => Some(Path::new(name)),
        _ => None,
    });
    plain.collect()
}

/// The path of a file as the user knows it.
pub(crate) fn shown(path: &Path) -> String {
    id_of(path).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_count_from_what_inputs_share() {
        let root = |paths: &[&str]| root(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(root(&["data/a.jsonl"]), Path::new("data"));
        assert_eq!(root(&["a.jsonl"]), Path::new(""));
        assert_eq!(root(&["data/a/x.jsonl", "data/b/y.jsonl"]), Path::new("data"));
        assert_eq!(root(&["/data/a.jsonl", "other.jsonl"]), Path::new(""));
        assert_eq!(root(&["data/a.jsonl", "./data/a.jsonl"]), Path::new("data"));
    }

    #[test]
    fn no_path_leads_out() {
        for (path, root, expected) in [
            ("data/a.jsonl", "data", "a.jsonl"),
            ("../../etc/a.jsonl", "data", "etc/a.jsonl"),
            ("/abs/a.jsonl", "", "abs/a.jsonl"),
            ("data/../../a.jsonl", "data", "a.jsonl"),
            ("./data/a.jsonl", "data", "a.jsonl"),
            ("data/a.jsonl", "./data", "a.jsonl"),
        ] {
            assert_eq!(relative(Path::new(path), Path::new(root)), Path::new(expected), "{path}");
        }
    }
}
