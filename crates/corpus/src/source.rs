//! Sources and the pieces they come across. Every kind of input is a source; none needs to know another.

use std::path::PathBuf;
use std::sync::Arc;

use crate::context::ReadContext;
use crate::error::Error;
use crate::input_file::{FollowedFiles, InputFile};
use crate::known::FileStamp;
use crate::member::{Container, ZipMember};
use crate::place::Place;
use crate::reader::Batch;
use crate::seen_files::SeenFiles;
use crate::skipped::Skipped;
use crate::unit_limit::UnitLimit;

/// A folder, a list of paths, a JSONL file, an archive, or the inputs that name them.
pub(crate) trait Source: Send {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>>;

    /// What may be done with it before its turn.
    fn read_ahead(&self) -> ReadAhead {
        ReadAhead::Wait
    }
}

/// What may be done with a source before its turn.
pub(crate) enum ReadAhead {
    /// It names other sources and files, at little cost: they can be listed.
    List,
    /// It has much to decode and needs nothing but itself: a thread can do it.
    Decode,
    /// Nothing.
    Wait,
}

/// What all sources of one reader share.
pub(crate) struct WalkState {
    pub(crate) context: Arc<ReadContext>,
    pub(crate) seen: SeenFiles,
    /// Set if the caller follows files: those that it has kept.
    pub(crate) followed: Option<Arc<FollowedFiles>>,
    /// What may be decoded at once.
    pub(crate) unit: UnitLimit,
    /// The walk names the files only: none is opened.
    pub(crate) lists: bool,
}

/// What a source comes across.
pub(crate) enum Piece {
    /// A file to read as one document.
    File(Entry),
    /// Something that is not read.
    Skip(Skipped),
    /// Work that is a batch of its own.
    Batch(Box<dyn Batch>),
    /// A source inside this one, to be read before going on.
    Enter(Box<dyn Source>),
    /// An archive inside this one, to be entered before going on.
    Archive(Container),
    /// A file that is followed begins.
    Begin,
    /// It ends.
    End(InputFile),
}

/// A file that is to be read as one document.
pub(crate) struct Entry {
    pub(crate) origin: Origin,
    /// Its size, as far as it is known.
    pub(crate) bytes: u64,
    /// Set if the file is followed.
    pub(crate) stamp: Option<FileStamp>,
}

/// Where a file is.
pub(crate) enum Origin {
    Disk(PathBuf),
    Zip(ZipMember),
    /// It was read on the way, for its archive is a stream.
    Memory {
        id: String,
        place: Place,
        bytes: Vec<u8>,
    },
}
