//! Inputs, checked and ready to be read.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::asked_fields::AskedFields;
use crate::context::ReadContext;
use crate::document::Item;
use crate::error::Error;
use crate::expand::expand;
#[cfg(feature = "tables")]
use crate::field_check;
use crate::field_check::FieldCheck;
use crate::globs::Globs;
use crate::input_file::{FollowedFiles, InputFile, KeptFile};
use crate::jsonl::JsonlSource;
use crate::known::{Known, KnownFiles};
use crate::line_counts::LineCounts;
use crate::member::{UnpackCache, is_archive};
use crate::missing_field::MissingField;
use crate::names::id_of;
use crate::options::Options;
use crate::own_files::OwnFiles;
use crate::path_list::PathListSource;
use crate::place::Place;
use crate::reader::Reader;
use crate::seen_files::SeenFiles;
use crate::shard_files::{ShardFiles, ShardRecords};
use crate::skipped::Skipped;
use crate::source::{Entry, Origin, Piece, Source, WalkState};
#[cfg(feature = "tables")]
use crate::table::ArrowSource;
use crate::unit_limit::UnitLimit;
use crate::walker::Walker;
use crate::{fetch, input_path, shard, warc};

/// Where documents come from.
#[non_exhaustive]
pub enum Input {
    /// A folder: each file below it is a document. A file that is called `.jsonl`, `.ndjson` (also with `.gz` or `.zst`
    /// behind), `.json.gz` or `.json.zst`: each line is one, also in a folder, if `Options::shards` says so. So is each row of a table:
    /// `.parquet`, `.pq`, `.arrow`, `.arrows`, `.feather`, `.ipc`; and of `.csv` and `.tsv` (also with `.gz` or `.zst` behind) if the
    /// header names the text, or the caller said what it is called. A web archive, `.warc` (also compressed) or `.wacz`: each page in it is
    /// one, likewise. An archive, if `Options::archives` says so: each file in it is one, also if the archive lies in a folder. Any other
    /// file: the file is one. A path that is not there and has `*`, `?`, `[` or `{` in it is a pattern: everything that it matches is read as
    /// if it had been named, in the order of the names. `*` stays within a folder, `**` does not.
    Path(PathBuf),
    /// JSONL on standard input, plain or compressed.
    Stdin,
    /// A list of such paths on standard input.
    PathList {
        /// Separated by NUL bytes rather than newlines.
        nul: bool,
    },
    /// JSONL from anywhere, plain or compressed; treated and called (`-`) like standard input.
    Stream(Box<dyn Read + Send>),
    /// A list of paths from anywhere, for example a file.
    PathStream {
        /// Where the list is read from.
        from: Box<dyn Read + Send>,
        /// Separated by NUL bytes rather than newlines.
        nul: bool,
    },
    /// A table in memory or on its way: each row is a document, as in a file of Arrow IPC. It is read once.
    #[cfg(feature = "tables")]
    Batches {
        /// What it is called, where a file would have its path.
        name: PathBuf,
        /// Its record batches.
        from: Box<dyn arrow_array::RecordBatchReader + Send>,
    },
}

impl Input {
    /// Texts in memory, called by their numbers from 1.
    pub fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        Self::documents((1u64..).zip(texts).map(|(number, text)| (number.to_string(), text)))
    }

    /// Texts in memory, each with its id.
    pub fn documents<I: AsRef<str>, T: AsRef<str>>(documents: impl IntoIterator<Item = (I, T)>) -> Self {
        let mut lines = Vec::new();
        for (id, text) in documents {
            let line = serde_json::json!({ "id": id.as_ref(), "text": text.as_ref() });
            lines.extend(line.to_string().into_bytes());
            lines.push(b'\n');
        }
        Self::Stream(Box::new(io::Cursor::new(lines)))
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Path(path) => f.debug_tuple("Path").field(path).finish(),
            Input::Stdin => f.write_str("Stdin"),
            Input::PathList { nul } => f.debug_struct("PathList").field("nul", nul).finish(),
            Input::Stream(_) => f.write_str("Stream"),
            Input::PathStream { nul, .. } => f.debug_struct("PathStream").field("nul", nul).finish_non_exhaustive(),
            #[cfg(feature = "tables")]
            Input::Batches { name, .. } => f.debug_struct("Batches").field("name", name).finish_non_exhaustive(),
        }
    }
}

/// Some inputs, checked and ready to be read.
pub struct Corpus {
    context: Arc<ReadContext>,
    inputs: Vec<Mutex<PendingInput>>,
    /// What patterns match and is not read.
    left_out: Vec<Skipped>,
    /// The beginnings of the ids of their documents: paths, and `-` for streams.
    named: BTreeSet<String>,
    total_bytes: Option<u64>,
}

/// Something that a walk through the inputs meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    /// A file.
    File(PathBuf),
    /// An archive that `Options::include` does not name: it is read for the files in it that are included.
    Archive(PathBuf),
    /// A file or folder that is not read, and why.
    LeftOut(Skipped),
}

/// An input on its way to become a source.
enum PendingInput {
    Path(PathBuf),
    Lines(Box<dyn Read + Send>),
    Paths {
        from: Box<dyn Read + Send>,
        nul: bool,
    },
    #[cfg(feature = "tables")]
    Batches {
        name: PathBuf,
        from: Box<dyn arrow_array::RecordBatchReader + Send>,
    },
    /// A stream that a reader has taken.
    Consumed,
}

impl Corpus {
    /// Checks that the paths exist, that the globs compile, and that the options do not contradict each other.
    pub fn open(inputs: Vec<Input>, options: Options) -> Result<Corpus, Error> {
        options.check()?;
        let (globs, own_files) = (Globs::new(&options)?, OwnFiles::new(&options.own));
        let stdin = |input: &&Input| matches!(input, Input::Stdin | Input::PathList { .. });
        if inputs.iter().filter(stdin).count() > 1 {
            return Err(Error::StdinNamedTwice);
        }
        let (mut expanded, mut left_out) = (Vec::with_capacity(inputs.len()), Vec::new());
        for input in inputs {
            match input {
                Input::Path(path) => {
                    let matched = expand(path, options.hidden, &own_files)?;
                    expanded.extend(matched.found.into_iter().map(Input::Path));
                    left_out.extend(matched.left_out);
                }
                other => expanded.push(other),
            }
        }
        let inputs = expanded;
        let shard_files = ShardFiles::default();
        let mut total_bytes = Some(0u64);
        let mut pending = Vec::with_capacity(inputs.len());
        let mut named = BTreeSet::new();
        for input in inputs {
            match &input {
                Input::Path(path) => named.insert(id_of(path).into_owned()),
                Input::Stdin | Input::Stream(_) => named.insert("-".to_owned()),
                Input::PathList { .. } | Input::PathStream { .. } => false,
                #[cfg(feature = "tables")]
                Input::Batches { name, .. } => named.insert(id_of(name).into_owned()),
            };
            let (input, bytes) = match input {
                Input::Path(path) => {
                    let metadata = fs::metadata(&path)
                        .map_err(|source| Error::Missing { path: id_of(&path).into_owned(), source })?;
                    let shard = metadata.is_file() && shard::is_shard(&path, &options);
                    if shard {
                        // Numbered now, so that its lines can be fetched by a corpus that has not read it.
                        shard_files.number(&path);
                    }
                    let read = shard || warc::is_wacz(&path) || options.check_size(metadata.len()).is_ok();
                    let bytes = if read { metadata.len() } else { 0 };
                    let known = metadata.is_file() && !(options.archives && is_archive(&path));
                    (PendingInput::Path(path), known.then_some(bytes))
                }
                Input::Stdin => (PendingInput::Lines(Box::new(io::stdin())), None),
                Input::Stream(from) => (PendingInput::Lines(from), None),
                Input::PathList { nul } => (PendingInput::Paths { from: Box::new(io::stdin()), nul }, None),
                Input::PathStream { from, nul } => (PendingInput::Paths { from, nul }, None),
                #[cfg(feature = "tables")]
                Input::Batches { name, from } => {
                    shard_files.number(&name);
                    (PendingInput::Batches { name, from }, None)
                }
            };
            total_bytes = total_bytes.zip(bytes).map(|(total, bytes)| total.saturating_add(bytes));
            pending.push(Mutex::new(input));
        }
        Ok(Corpus {
            context: Arc::new(ReadContext {
                options,
                globs,
                own_files,
                shard_files,
                line_counts: LineCounts::default(),
                unpack_cache: UnpackCache::default(),
                known: Known::new(),
            }),
            inputs: pending,
            left_out,
            named,
            total_bytes,
        })
    }

    /// Readers do not read files that somebody knows: their documents have what was kept of them. Others have their stamps.
    pub fn know(&self, known: Arc<dyn KnownFiles>) {
        let _ = self.context.known.set(known);
    }

    /// A file that was read, to be kept.
    pub fn kept(&self, file: InputFile) -> KeptFile {
        let shard = self.context.shard_files.find(&file.path);
        let counts = shard.and_then(|number| {
            let records = self.context.shard_files.records_of(number);
            serde_json::to_string(&(self.context.line_counts.of(&id_of(&file.path)), records)).ok()
        });
        KeptFile { file, shard, counts }
    }

    /// The number of a shard, if it has one.
    pub fn shard_number(&self, path: &Path) -> Option<u32> {
        self.context.shard_files.find(path)
    }

    /// Reads all inputs, one after the other in the order given. Paths can be read any number of times; a stream
    /// goes to the first reader that is made.
    pub fn reader(&self) -> Box<dyn Reader> {
        self.reader_with(None)
    }

    /// The same for a caller that keeps what it made of files: batches say which part of a file they are, and where it ends. Files that
    /// the caller has kept are not read, if they are as they were.
    pub fn following_reader(&self, kept: Vec<KeptFile>) -> Box<dyn Reader> {
        let kept = kept.into_iter().map(|kept| (kept.file.path.clone(), kept)).collect();
        self.reader_with(Some(Arc::new(kept)))
    }

    fn reader_with(&self, followed: Option<Arc<FollowedFiles>>) -> Box<dyn Reader> {
        let take = |input: &Mutex<PendingInput>| {
            let mut start = input.lock().unwrap_or_else(PoisonError::into_inner);
            if let PendingInput::Path(path) = &*start {
                return PendingInput::Path(path.clone());
            }
            std::mem::replace(&mut *start, PendingInput::Consumed)
        };
        let pending: VecDeque<PendingInput> = self.inputs.iter().map(take).collect();
        let several = pending.len() > 1 || pending.iter().any(|start| matches!(start, PendingInput::Paths { .. }));
        self.context.shard_files.reset_records();
        let state = WalkState { followed, ..self.state(several, false) };
        let left_out = self.left_out.clone().into_iter();
        let inputs = InputSource { is_alone: pending.len() == 1, left_out, pending };
        Box::new(Walker::new(state, Box::new(inputs)))
    }

    /// Walks the inputs that are paths as a reader does, and opens no file. Calls `each` with every file that a reader reads, and with
    /// everything that it leaves out.
    pub fn list(&self, mut each: impl FnMut(Listed)) {
        let mut state = self.state(self.inputs.len() > 1, true);
        let pending = self.paths().into_iter().map(PendingInput::Path).collect();
        let first = InputSource { pending, left_out: self.left_out.clone().into_iter(), is_alone: false };
        let mut open: Vec<Box<dyn Source>> = vec![Box::new(first)];
        while let Some(source) = open.last_mut() {
            match source.next(&mut state) {
                None => {
                    open.pop();
                }
                Some(Ok(Piece::Enter(inner))) => open.push(inner),
                Some(Ok(Piece::File(Entry { origin: Origin::Disk(path), .. }))) => each(Listed::File(path)),
                Some(Ok(Piece::Archive(archive))) => each(Listed::Archive(archive.into_path())),
                Some(Ok(Piece::Skip(skipped))) => each(Listed::LeftOut(skipped)),
                Some(Ok(Piece::File(_) | Piece::Batch(_) | Piece::Begin | Piece::End(_)) | Err(_)) => {}
            }
        }
    }

    /// The inputs that are paths, with those that a pattern matches in its place.
    pub fn paths(&self) -> Vec<PathBuf> {
        let path = |input: &Mutex<PendingInput>| match &*input.lock().unwrap_or_else(PoisonError::into_inner) {
            PendingInput::Path(path) => Some(path.clone()),
            _ => None,
        };
        self.inputs.iter().filter_map(path).collect()
    }

    /// The state of a walk through several inputs, or one.
    fn state(&self, several: bool, lists: bool) -> WalkState {
        // With one folder and no links followed, only hard links can lead to the same file twice.
        let seen = SeenFiles::new(several || self.context.options.follow_links);
        let unit = UnitLimit::new(self.context.options.unit_bytes);
        WalkState { context: Arc::clone(&self.context), seen, unit, lists, followed: None }
    }

    /// Of a reader that meets no file twice, for tests.
    #[cfg(test)]
    pub(crate) fn walk_state(&self) -> WalkState {
        self.state(false, false)
    }

    pub(crate) fn context(&self) -> &ReadContext {
        &self.context
    }

    /// Whether something of this id is an input itself, not found in one.
    pub fn is_named(&self, id: &str) -> bool {
        self.named.contains(id)
    }

    /// The names of the inputs, which the ids of their documents begin with. None if a list names more of them while it is read.
    pub fn names(&self) -> Option<Vec<&str>> {
        let is_list = |input: &Mutex<PendingInput>| {
            matches!(*input.lock().unwrap_or_else(PoisonError::into_inner), PendingInput::Paths { .. })
        };
        (!self.inputs.iter().any(is_list)).then(|| self.named.iter().map(String::as_str).collect())
    }

    /// Looks at the first records of every shard, before anything is read: a field that was asked for by another name than the usual one, and
    /// that no shard has, is an error. With `needs_text` the usual field of the text must be there too, if there are shards. The fields that only
    /// some shards lack are returned. Streams and tables in memory are checked when they are read.
    pub fn check_fields(&self, needs_text: bool) -> Result<Vec<MissingField>, Error> {
        let asked = AskedFields::of(&self.context.options, needs_text);
        let mut check = FieldCheck::default();
        let mut are_all_paths = true;
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        for input in &self.inputs {
            let PendingInput::Path(path) = &*input.lock().unwrap_or_else(PoisonError::into_inner) else {
                are_all_paths = false;
                continue;
            };
            if !check.look(path, &asked, &self.context) {
                return Ok(Vec::new());
            }
        }
        match check.finish() {
            Err(missing) if are_all_paths => Err(Error::MissingField(missing)),
            // The other inputs may have it.
            Err(missing) => Ok(vec![*missing]),
            Ok(some) => Ok(some),
        }
    }

    /// The input that holds what has this id: a file, a line of a file, a member of an archive, something in a folder. None for what
    /// a list of paths names.
    pub fn input_of<'a>(&self, id: &'a str) -> Option<&'a str> {
        let ends = id.match_indices(['/', ':', '!']).map(|(at, _)| at).chain([id.len()]);
        // a folder may be named with a slash at its end
        let parts = ends.flat_map(|end| [Some(&id[..end]), id.get(..=end)]).flatten();
        parts.rev().find(|part| self.is_named(part))
    }

    /// How many bytes the batches will stand for, where that is known without reading: when all inputs are files and none is an
    /// archive to be entered. Good
    /// enough for a progress bar; files may change until they are read.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    /// The shards that [`Place::Line`] and [`Place::Row`] count: those among the inputs, in their order, then those that lists
    /// named, as they were read.
    pub fn sources(&self) -> Vec<PathBuf> {
        self.context.shard_files.paths()
    }

    /// The records that the last reader met in each of [`Corpus::sources`].
    pub fn records(&self) -> Vec<ShardRecords> {
        self.context.shard_files.records()
    }

    /// Numbers shards as another reader did that met them in this order, with these records: its places are valid here too.
    pub fn number_sources(&self, shards: &[(PathBuf, ShardRecords)]) {
        for (path, records) in shards {
            let number = self.context.shard_files.number(path);
            self.context.shard_files.set_records(number, *records);
        }
    }

    /// What was read as a shard, but has no record that is a document; why its first record is none.
    pub fn without_documents(&self) -> Vec<Skipped> {
        self.context.line_counts.without_documents()
    }

    /// What was read as a shard and has a record that is a document.
    pub fn with_documents(&self) -> Vec<String> {
        self.context.line_counts.with_documents()
    }

    /// Whether what was read as shards has the ids that were asked for. One that has none in any line was probably named wrongly; only the
    /// usual field may be missing.
    pub fn check_ids(&self) -> Result<(), Error> {
        let field = &self.context.options.id_field;
        if *field == Options::default().id_field {
            return Ok(());
        }
        match self.context.line_counts.without_ids() {
            Some((path, fields)) => Err(Error::NoIds { path, field: field.clone(), fields }),
            None => Ok(()),
        }
    }

    /// Reads one document again, with the same checks as the first time; calls `sink` exactly once. Whether it is
    /// still the same is for the caller to find out. A line that has no id of its own is now called
    /// `file@offset`, as nobody counts lines here.
    pub fn fetch(&self, place: &Place, sink: &mut dyn FnMut(Item<'_>)) {
        match place {
            // a whole file is handed over: who keeps it does not copy it
            Place::File(path) => sink(fetch::file(&self.context, path)),
            _ => fetch::fetch(&self.context, place, &mut Vec::new(), sink),
        }
    }

    /// Reads many documents again, in the order in which they lie on the disk rather than the order asked for; `sink`
    /// is called once for each, with its index in `places`.
    pub fn fetch_all(&self, places: &[Place], sink: &mut dyn FnMut(usize, Item<'_>)) {
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&index| &places[index]);
        let mut buffer = Vec::new();
        for index in order {
            fetch::fetch(&self.context, &places[index], &mut buffer, &mut |item| {
                sink(index, item);
            });
        }
    }
}

impl fmt::Debug for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Corpus").field("options", &self.context.options).finish_non_exhaustive()
    }
}

/// The inputs themselves as a source.
struct InputSource {
    left_out: std::vec::IntoIter<Skipped>,
    pending: VecDeque<PendingInput>,
    /// It is a single input.
    is_alone: bool,
}

impl Source for InputSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        if let Some(skipped) = self.left_out.next() {
            return Some(Ok(Piece::Skip(skipped)));
        }
        Some(Ok(match self.pending.pop_front()? {
            PendingInput::Path(path) => input_path::piece(path, state),
            PendingInput::Lines(from) => Piece::Enter(Box::new(StreamSource::Waiting(from, self.is_alone))),
            PendingInput::Paths { from, nul } => Piece::Enter(Box::new(PathListSource::new(from, nul))),
            #[cfg(feature = "tables")]
            PendingInput::Batches { name, from } => {
                let missing = field_check::missing_in_schema(&name, &from.schema(), &state.context.options);
                if let Some(missing) = missing {
                    return Some(Err(Error::MissingField(Box::new(missing))));
                }
                match ArrowSource::in_memory(&name, from, &state.context) {
                    Ok(rows) => Piece::Enter(Box::new(rows)),
                    Err(reason) => Piece::Skip(Skipped { id: id_of(&name).into_owned(), reason }),
                }
            }
            PendingInput::Consumed => return Some(Err(Error::StreamConsumed)),
        }))
    }
}

/// JSONL from a stream, which is not touched before its turn: whoever writes it may not have begun.
enum StreamSource {
    /// With whether its fields are checked.
    Waiting(Box<dyn Read + Send>, bool),
    Open(Box<JsonlSource>),
    Failed,
}

impl Source for StreamSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        if let StreamSource::Waiting(from, is_checked) = self {
            let from = std::mem::replace(from, Box::new(io::empty()));
            *self = match JsonlSource::stream(from, *is_checked, &state.context) {
                Ok(lines) => StreamSource::Open(Box::new(lines)),
                Err(reason) => {
                    *self = StreamSource::Failed;
                    return Some(Ok(Piece::Skip(Skipped { id: "-".into(), reason })));
                }
            };
        }
        match self {
            StreamSource::Open(lines) => lines.next(state),
            StreamSource::Waiting(..) | StreamSource::Failed => None,
        }
    }
}
