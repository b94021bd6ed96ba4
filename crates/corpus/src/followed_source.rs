//! A shard or an archive between marks, and the mark of a file that is not read because the caller has kept it.

use std::fs::Metadata;
use std::path::Path;

use crate::document::Item;
use crate::error::Error;
use crate::input_file::{InputFile, Part};
use crate::known::FileStamp;
use crate::member::Container;
use crate::names::id_of;
use crate::reader::Batch;
use crate::shard_files::ShardRecords;
use crate::source::{Piece, ReadAhead, Source, WalkState};
use crate::warc::is_wacz;

/// A file in the place of its documents, if the caller has them: it is as it was.
pub(crate) fn kept(path: &Path, metadata: &Metadata, state: &WalkState) -> Option<Piece> {
    let (kept, context) = (state.followed.as_ref()?.get(path)?, &state.context);
    if FileStamp::of(metadata) != Some(kept.file.stamp) {
        return None;
    }
    if kept.shard.is_some() {
        let number = context.shard_files.number(path);
        let counts = kept.counts.as_deref().unwrap_or_default();
        if let Ok((lines, records)) = serde_json::from_str::<(Option<String>, ShardRecords)>(counts) {
            context.shard_files.set_records(number, records);
            if let Some(lines) = &lines {
                context.line_counts.restore(&id_of(path), lines);
            }
        }
    }
    Some(Piece::Batch(Box::new(MarkBatch { part: Part::Kept(kept.file.clone()), bytes: metadata.len() })))
}

/// The stamp of a file that is read as one document, if files are followed.
pub(crate) fn stamp(metadata: &Metadata, state: &WalkState) -> Option<FileStamp> {
    state.followed.as_ref().and_then(|_| FileStamp::of(metadata))
}

/// An archive or a shard, with marks where it begins and ends if files are followed.
pub(crate) fn followed(piece: Piece, path: &Path, metadata: &Metadata, state: &WalkState) -> Piece {
    // one WACZ is many shards
    let Some(stamp) = stamp(metadata, state).filter(|_| !is_wacz(path)) else { return piece };
    let content = match piece {
        Piece::Enter(source) => Content::Source(source),
        Piece::Archive(container) => Content::Archive(Some(container)),
        other => return other,
    };
    Piece::Enter(Box::new(FollowedSource {
        begun: false,
        content,
        end: Some(InputFile { path: path.to_owned(), stamp }),
    }))
}

enum Content {
    Source(Box<dyn Source>),
    Archive(Option<Container>),
}

/// A source between two marks.
struct FollowedSource {
    begun: bool,
    content: Content,
    /// None after the end.
    end: Option<InputFile>,
}

impl Source for FollowedSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        if !std::mem::replace(&mut self.begun, true) {
            return Some(Ok(Piece::Begin));
        }
        let next = match &mut self.content {
            Content::Source(source) => self.end.as_ref().and_then(|_| source.next(state)),
            Content::Archive(archive) => archive.take().map(|archive| Ok(Piece::Archive(archive))),
        };
        next.or_else(|| self.end.take().map(|file| Ok(Piece::End(file))))
    }

    fn read_ahead(&self) -> ReadAhead {
        match &self.content {
            Content::Source(source) => source.read_ahead(),
            Content::Archive(_) => ReadAhead::Wait,
        }
    }
}

/// A place in the input without documents.
pub(crate) struct MarkBatch {
    pub(crate) part: Part,
    pub(crate) bytes: u64,
}

impl Batch for MarkBatch {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn size(&self) -> u64 {
        0
    }

    fn read(self: Box<Self>, _: &mut dyn FnMut(Item<'_>)) {}

    fn part(&self) -> Part {
        self.part.clone()
    }
}

/// A batch between the marks of a file.
pub(crate) struct PartBatch(pub(crate) Box<dyn Batch>);

impl Batch for PartBatch {
    fn bytes(&self) -> u64 {
        self.0.bytes()
    }

    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        self.0.read(sink);
    }

    fn part(&self) -> Part {
        Part::Inside
    }
}
