//! Which file of the inputs becomes which file of the result.

use crate::Error;
use lookalike_corpus::{Place, ShardFormat, id_of, is_archive, path_of};
use lookalike_engine::run::documents::Documents;
use std::collections::BTreeMap;
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
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileKind {
    /// Records.
    Shard,
    /// Files, of which each may be a document.
    Archive,
    /// One document, or none.
    File,
}

/// All files of a corpus, by their place in the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout(Vec<LayoutFile>);

impl Layout {
    /// Of what was read from these inputs.
    pub(crate) fn new(inputs: &[PathBuf], documents: &Documents) -> Result<Self, Error> {
        let mut files: BTreeMap<PathBuf, (FileKind, Range<u32>)> = BTreeMap::new();
        let shards = documents.corpus.sources();
        for path in &shards {
            files.insert(path.clone(), (FileKind::Shard, 0..0));
        }
        let (mut document, mut streamed) = (0, None);
        documents.catalogue.for_each_entry(|entry| {
            let found = match &entry.place {
                Place::Line { source, .. } | Place::Row { source, .. } => {
                    shards.get(*source as usize).map(|path| (path.clone(), FileKind::Shard))
                }
                Place::File(path) => Some((path.clone(), FileKind::File)),
                Place::Member { path, .. } => Some((path.clone(), FileKind::Archive)),
                Place::Stream => None,
            };
            match found {
                Some((path, kind)) => {
                    let (_, range) = files.entry(path).or_insert((kind, document..document));
                    if range.start == range.end {
                        range.start = document;
                    }
                    range.end = document + 1;
                }
                None => streamed = streamed.take().or(Some(entry.id)),
            }
            document += 1;
            Ok::<_, lookalike_store::Error>(())
        })?;
        if let Some(id) = streamed {
            return Err(Error::NotWritable { what: format!("standard input ({id})") });
        }
        // what could not be compared stays
        for skip in &documents.catalogue.skipped {
            let path = path_of(&skip.id);
            if !LEFT_OUT.contains(&skip.kind.as_str()) && path.is_file() && ShardFormat::of_name(&path).is_none() {
                let kind = if is_archive(&path) { FileKind::Archive } else { FileKind::File };
                files.entry(path).or_insert((kind, 0..0));
            }
        }
        let root = root(inputs);
        let mut layout: Vec<LayoutFile> = Vec::new();
        for (from, (kind, documents)) in files {
            let to = relative(&from, &root);
            layout.push(LayoutFile { from, to, kind, documents });
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

/// Kinds of what is no part of the corpus, or there under another name.
const LEFT_OUT: [&str; 7] =
    ["hidden", "ignored", "own result", "symbolic link", "special file", "link loop", "same file"];

/// The folder that paths in the result count from: that of a single input, or what all have in common.
fn root(inputs: &[PathBuf]) -> PathBuf {
    let folder = |path: &PathBuf| {
        if path.is_dir() { path.clone() } else { path.parent().map(Path::to_owned).unwrap_or_default() }
    };
    if let [single] = inputs {
        return folder(single);
    }
    // several folders keep their names
    let parent = |path: &PathBuf| path.parent().map(Path::to_owned).unwrap_or_default();
    inputs
        .iter()
        .map(parent)
        .reduce(|a, b| a.iter().zip(b.iter()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect())
        .unwrap_or_default()
}

/// A path from a folder on; never one that leads out of it.
fn relative(path: &Path, root: &Path) -> PathBuf {
    let inside = path.strip_prefix(root).unwrap_or(path);
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
    }

    #[test]
    fn no_path_leads_out() {
        for (path, root, expected) in [
            ("data/a.jsonl", "data", "a.jsonl"),
            ("../../etc/a.jsonl", "data", "etc/a.jsonl"),
            ("/abs/a.jsonl", "", "abs/a.jsonl"),
            ("data/../../a.jsonl", "data", "a.jsonl"),
        ] {
            assert_eq!(relative(Path::new(path), Path::new(root)), Path::new(expected), "{path}");
        }
    }
}
