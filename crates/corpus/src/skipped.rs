//! What was not read, and why.

use std::fmt;

/// Something that could have been a document and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// What it is called: a path, the id of a JSON line, or `file:line`.
    pub id: String,
    /// Why it was skipped.
    pub reason: Reason,
}

/// Why something was skipped. `Display` gives the rest of a sentence that begins with the id.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// More bytes than `Options::max_size`.
    TooLarge {
        /// Its size when it was measured.
        bytes: u64,
        /// The limit it passed.
        limit: u64,
    },
    /// Fewer bytes than `Options::min_size`.
    TooSmall {
        /// Its size when it was measured.
        bytes: u64,
        /// The limit it did not reach.
        limit: u64,
    },
    /// A record batch or a page that takes more memory than `Options::unit_bytes`; the rest of the file is not read.
    Memory {
        /// Bytes that it takes.
        bytes: u64,
        /// Bytes that it may take.
        limit: u64,
    },
    /// A FIFO, a socket or a device; never opened.
    Special(&'static str),
    /// A symbolic link that was not followed.
    Link,
    /// A file or folder whose name begins with a dot.
    Hidden,
    /// A file or folder that a `.gitignore` or `.ignore` file leaves out.
    Ignored,
    /// A file or folder of an operating system, by its name.
    System,
    /// Written by this run or by an earlier one; says which.
    Own(&'static str),
    /// A symbolic link that leads back to the folder it is in; holds that folder.
    Loop(String),
    /// Another name of a file or folder that was already read; holds the first name.
    SameFile(String),
    /// The system refused; holds its message.
    Unreadable(String),
    /// A record that is not like the others of its table, or cannot be told from them; one of a web archive that is not laid out as one.
    /// Says why.
    BadRecord(String),
    /// A line that is not a JSON object; holds the parser's message with the column.
    NotJson(String),
    /// The text or the features are missing or of another type; says which.
    NoText(String),
    /// The id is neither a string nor a number, or is too long to be a name.
    BadId(String),
    /// The input broke off: a damaged or cut `.gz`, `.zst` or archive, or a read that failed on the way.
    Truncated(String),
    /// Something that holds no text; says what it is: a media type.
    NotText(String),
    /// What a file holds beside its documents, such as the requests in a web archive; says what and how many.
    NotDocument(String),
    /// Something in an archive, or an archive, that is left as it is; says why and what would help.
    Packed(String),
}

impl Reason {
    /// A short stable word to count by.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::TooLarge { .. } => "too large",
            Reason::TooSmall { .. } => "too small",
            Reason::Memory { .. } => "too much memory",
            Reason::Special(_) => "special file",
            Reason::Link => "symbolic link",
            Reason::Hidden => "hidden",
            Reason::Ignored => "ignored",
            Reason::System => "system file",
            Reason::Own(_) => "own result",
            Reason::Loop(_) => "link loop",
            Reason::SameFile(_) => "same file",
            Reason::Unreadable(_) => "unreadable",
            Reason::BadRecord(_) => "bad record",
            Reason::NotJson(_) => "not JSON",
            Reason::NoText(_) => "no text",
            Reason::BadId(_) => "bad id",
            Reason::Truncated(_) => "truncated",
            Reason::NotText(_) => "not text",
            Reason::NotDocument(_) => "no documents",
            Reason::Packed(_) => "not unpacked",
        }
    }

    /// Whether the input itself is broken: documents are missing that the input should have held.
    ///
    /// What the options, the system's permissions or the other fields of a well-formed line leave out is no damage.
    pub fn is_damage(&self) -> bool {
        matches!(self, Reason::BadRecord(_) | Reason::NotJson(_) | Reason::Truncated(_))
    }
}

/// The beginning of [`Reason::SameFile`] in words; the id of the first file is behind it.
pub const SAME_FILE: &str = "same file as ";

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::TooLarge { bytes, limit } => {
                write!(f, "too large: {bytes} bytes, the limit is {limit}")
            }
            Reason::TooSmall { bytes, limit } => write!(f, "too small: {bytes} bytes, at least {limit} are asked for"),
            Reason::Memory { bytes, limit } => {
                write!(f, "too much memory: decoding a part of it takes {bytes} bytes, and {limit} are allowed")
            }
            Reason::Special(what) => write!(f, "{what}, not a file"),
            Reason::Link => f.write_str("a symbolic link, not followed"),
            Reason::Hidden => f.write_str("hidden: its name begins with a dot"),
            Reason::Ignored => f.write_str("ignored: a .gitignore or .ignore file leaves it out"),
            Reason::System => f.write_str("its name is that of a file of an operating system"),
            Reason::Own(what) => write!(f, "written by lookalike: {what}"),
            Reason::Loop(ancestor) => write!(f, "a symbolic link that leads back to {ancestor}"),
            Reason::SameFile(first) => write!(f, "{SAME_FILE}{first}"),
            Reason::Unreadable(message) => write!(f, "unreadable: {message}"),
            Reason::NotJson(message) => write!(f, "not a JSON object: {message}"),
            Reason::NoText(message) => write!(f, "no text: {message}"),
            Reason::BadId(message) => write!(f, "no usable id: {message}"),
            Reason::Truncated(message) => write!(f, "breaks off: {message}"),
            Reason::BadRecord(message) => write!(f, "bad record: {message}"),
            Reason::NotText(media) => write!(f, "not text: its media type is {media}"),
            Reason::NotDocument(what) => write!(f, "no documents: {what}"),
            Reason::Packed(message) => write!(f, "not unpacked: {message}"),
        }
    }
}
