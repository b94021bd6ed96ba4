//! What the caller can choose.

use crate::error::Error;
use crate::skipped::Reason;
use std::path::PathBuf;

/// What is read, and how. Fill in what differs from `Options::default()`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent switch")]
pub struct Options {
    /// Read hidden files and folders too.
    pub hidden: bool,
    /// Do not respect `.gitignore`, `.ignore` and `.git/info/exclude`.
    pub no_ignore: bool,
    /// Follow symbolic links inside folders.
    pub follow_links: bool,
    /// Do not enter folders on another file system.
    pub one_fs: bool,
    /// Enter `.zip`, `.tar`, `.tar.gz`, `.tgz`, `.tar.zst` and `.tzst`, also inside each other: each file in them is a
    /// document. Otherwise such a file is one document, like any other.
    pub archives: bool,
    /// Inside folders, a file of JSONL or a table (see [`crate::Input::Path`]) is a shard of a corpus: each record is a document. Otherwise such a
    /// file is one document, like its neighbours.
    pub shards: bool,
    /// A file of CSV or TSV without the column of the text is a shard without documents. Otherwise it is one document, unless the column has
    /// another name than the usual one.
    pub strict_tables: bool,
    /// Inside folders, read only files whose path relative to the folder, or whose name, matches one of these globs.
    /// `*` stays within a folder, `**` does not, `dir/` is everything below that folder. Archives are like folders: only
    /// their files are asked, by the path in the archive, or from the folder on `sub/x.zip!/path/in/it`.
    pub include: Vec<String>,
    /// Inside folders, do not read files or enter folders that match one of these globs. Stronger than `include`.
    pub exclude: Vec<String>,
    /// Files and folders that the run writes or that belong to it. Found in a folder they are left out and reported; as inputs they are
    /// refused.
    pub own: Vec<PathBuf>,
    /// Skip smaller documents: bytes of the file, or of the text of a record (features are not measured).
    pub min_size: u64,
    /// Skip larger documents: bytes of the file, of the JSON line or CSV record, or of the text in a table. Also bounds what one document holds in memory.
    pub max_size: u64,
    /// The field of a JSON line that holds the id. Of this and the fields below, `a.b` is the field `b` of the object `a`, or a field that
    /// is called so. In a web archive they are named fields of the record, such as `WARC-Record-ID` or `WARC-Date`; one without the id is
    /// called by its address.
    pub id_field: String,
    /// The field of a record that holds the text.
    pub text_field: String,
    /// The field of a record that holds ready-made features; when given, the text is not looked at.
    pub features_field: Option<String>,
    /// The field of a record that tells to which category the document belongs, if anybody asks.
    pub category_field: Option<String>,
    /// The field of a record by which documents are ranked, if anybody asks.
    pub rank_field: Option<String>,
    /// Lines of a stream that are no JSON objects are documents too: each is its own text.
    pub plain_lines: bool,
    /// Hand over the lines of a stream as soon as they are there: whoever writes them may wait for an answer. Changes
    /// speed, never the documents.
    pub prompt: bool,
    /// The most memory, in bytes, that a record batch of Arrow or a page of a Parquet column may take while it is decoded. A larger one ends
    /// the reading of its file ([`Reason::Memory`]).
    pub unit_bytes: u64,
    /// How many bytes go into one batch, by what is known before reading. Changes speed, never the documents.
    pub batch_bytes: usize,
    /// How many files go into one batch. Changes speed, never the documents.
    pub batch_files: usize,
    /// How many compressed or columnar shards behind the one that is being read are decoded at the same time, each by a thread of its own; 0:
    /// everything is decoded by whoever asks for batches. Changes speed, never the documents.
    pub read_ahead: usize,
    /// How many bytes of such shards wait in memory at most, unpacked; beside them each thread holds the batch it is at.
    pub read_ahead_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            hidden: false,
            no_ignore: false,
            follow_links: false,
            one_fs: false,
            archives: false,
            shards: true,
            strict_tables: false,
            include: Vec::new(),
            exclude: Vec::new(),
            own: Vec::new(),
            min_size: 0,
            max_size: 64 << 20,
            id_field: "id".into(),
            text_field: "text".into(),
            features_field: None,
            category_field: None,
            rank_field: None,
            plain_lines: false,
            prompt: false,
            unit_bytes: u64::MAX,
            batch_bytes: 1 << 20,
            batch_files: 64,
            read_ahead: std::thread::available_parallelism().map_or(0, |threads| threads.get() - 1),
            read_ahead_bytes: 64 << 20,
        }
    }
}

impl Options {
    /// The field that holds the content.
    pub(crate) fn body_field(&self) -> &str {
        self.features_field.as_deref().unwrap_or(&self.text_field)
    }

    /// The fields that are asked for.
    fn fields(&self) -> impl Iterator<Item = &str> {
        let more = [&self.category_field, &self.rank_field].into_iter().filter_map(Option::as_deref);
        [self.id_field.as_str(), self.body_field()].into_iter().chain(more)
    }

    /// Whether one of them may be inside another.
    pub(crate) fn has_nested_fields(&self) -> bool {
        self.fields().any(|field| field.contains('.'))
    }

    /// Whether one of them may be inside this one.
    pub(crate) fn is_parent(&self, path: &str) -> bool {
        self.fields().any(|field| field.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
    }

    /// Refuses choices that contradict each other.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.min_size > self.max_size {
            return Err(Error::SizeRange { min: self.min_size, max: self.max_size });
        }
        if self.id_field == self.body_field() {
            return Err(Error::IdIsContent { field: self.id_field.clone() });
        }
        if let Some(field) = self.category_field.as_deref().filter(|field| *field == self.body_field()) {
            return Err(Error::CategoryIsContent { field: field.to_owned() });
        }
        Ok(())
    }

    /// Refuses a document of so many bytes, if its size is out of bounds.
    pub(crate) fn check_size(&self, bytes: u64) -> Result<(), Reason> {
        if bytes > self.max_size {
            Err(Reason::TooLarge { bytes, limit: self.max_size })
        } else if bytes < self.min_size {
            Err(Reason::TooSmall { bytes, limit: self.min_size })
        } else {
            Ok(())
        }
    }
}
