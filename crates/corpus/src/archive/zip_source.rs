//! Zip archives. The directory is read at once; members are unpacked where their batch is read.

use std::collections::VecDeque;
use std::sync::Arc;

use zip::read::{Config, ZipFileEntry};
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, System};

use super::member_names::{MemberNames, MemberUse, display_name, short};
use crate::context::ReadContext;
use crate::error::Error;
use crate::member::{Container, Handle, Inflater, ZipEntry, ZipMember, check_zip_extent};
use crate::skipped::{Reason, Skipped};
use crate::source::{Entry, Origin, Piece, Source, WalkState};

pub(super) struct ZipSource {
    container: Arc<Container>,
    handle: Handle,
    inflater: Inflater,
    listed: bool,
    members: VecDeque<Result<ZipEntry, Skipped>>,
}

impl ZipSource {
    pub(super) fn open(container: Arc<Container>) -> Result<ZipSource, Reason> {
        let handle = container.open()?;
        Ok(ZipSource { container, handle, inflater: Inflater::default(), listed: false, members: VecDeque::new() })
    }

    /// Reads the directory, which is at the end of the archive.
    fn list(&mut self, context: &ReadContext) {
        let mut names = MemberNames::default();
        let failed = |error: &dyn std::fmt::Display| {
            let reason = Reason::Truncated(format!("the directory of the zip is damaged or cut off: {error}"));
            Err(Skipped { id: self.container.id(), reason })
        };
        let extent = check_zip_extent(&mut self.handle);
        let mut zip = match ZipIterable::try_new(&mut self.handle, Config::default()) {
            Ok(zip) => zip,
            Err(error) => return self.members.push_back(failed(&error)),
        };
        // The members that are listed are read all the same.
        if let Err(error) = extent {
            let reason = Reason::Truncated(format!("the zip is damaged: {error}"));
            self.members.push_back(Err(Skipped { id: self.container.id(), reason }));
        }
        let entries = match zip.files() {
            Ok(entries) => entries,
            Err(error) => return self.members.push_back(failed(&error)),
        };
        for entry in entries {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => return self.members.push_back(failed(&error)),
            };
            if !self.container.meter.list(entry.name_raw().len()) {
                return;
            }
            self.members.extend(member(&entry, &mut names, &self.container, context));
        }
    }

    fn piece(&mut self, entry: ZipEntry) -> Option<Piece> {
        if !self.container.meter.spend(entry.size) {
            self.members.clear();
            return None;
        }
        if !entry.archive {
            let bytes = entry.size;
            let member = ZipMember { container: Arc::clone(&self.container), entry };
            return Some(Piece::File(Entry { origin: Origin::Zip(member), bytes, stamp: None }));
        }
        let mut bytes = Vec::new();
        Some(match entry.read(&mut self.handle, &mut self.inflater, &mut bytes) {
            Ok(steps) => Piece::Archive(self.container.inner(&entry.name, self.container.steps(&steps), bytes)),
            Err(reason) => Piece::Skip(Skipped { id: self.container.member_id(&entry.name), reason }),
        })
    }
}

impl Source for ZipSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        if !self.listed {
            self.listed = true;
            self.list(&state.context);
        }
        let piece = match self.members.pop_front() {
            Some(Ok(entry)) => self.piece(entry),
            Some(Err(skipped)) => Some(Piece::Skip(skipped)),
            None => None,
        };
        piece.or_else(|| self.container.limit_reached().map(Piece::Skip)).map(Ok)
    }
}

/// What is to be done with a member; `None` if it is neither a document nor a loss.
fn member(
    entry: &ZipFileEntry<'_>,
    names: &mut MemberNames,
    container: &Container,
    context: &ReadContext,
) -> Option<Result<ZipEntry, Skipped>> {
    if entry.is_dir() {
        return None;
    }
    let name = name_of(entry);
    let archive = match names.classify(&name, container, context) {
        MemberUse::Ignore => return None,
        MemberUse::Skip(reason) => return Some(Err(Skipped { id: container.member_id(short(&name)), reason })),
        MemberUse::Document => false,
        MemberUse::Archive => true,
    };
    let listed = ZipEntry {
        archive,
        header: entry.header_start(),
        packed: entry.compressed_size(),
        size: entry.size(),
        crc: entry.crc32(),
        deflated: entry.compression() == CompressionMethod::Deflated,
        name: name.into(),
    };
    Some(match refusal(entry, archive, context) {
        None => Ok(listed),
        Some(reason) => Err(Skipped { id: container.member_id(&listed.name), reason }),
    })
}

fn refusal(entry: &ZipFileEntry<'_>, archive: bool, context: &ReadContext) -> Option<Reason> {
    const KIND: u32 = 0o170_000;
    const REGULAR: u32 = 0o100_000;
    let size = entry.size();
    if entry.is_symlink() {
        Some(Reason::Link)
    } else if entry.unix_mode().is_some_and(|mode| ![0, REGULAR].contains(&(mode & KIND))) {
        Some(Reason::Special("something special"))
    } else if entry.encrypted() {
        Some(Reason::Packed("it is encrypted; unpack it with its password and name the folder".into()))
    } else if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        let how = entry.compression();
        Some(Reason::Packed(format!("its compression ({how}) is not known here; pack it again with deflate")))
    } else if archive {
        // Its bytes are held in memory, as those of a document.
        let limit = context.options.max_size;
        (size > limit).then_some(Reason::TooLarge { bytes: size, limit })
    } else {
        context.options.check_size(size).err()
    }
}

/// UTF-8 if it is, and otherwise code page 437, as the format has it. Some programs on Windows separate folders by
/// backslashes, against the format.
pub(crate) fn name_of(entry: &ZipFileEntry<'_>) -> String {
    let name = entry.name().map_or_else(|_| display_name(entry.name_raw()), |name| display_name(name.as_bytes()));
    if entry.system() == System::Dos && !name.contains('/') { name.replace('\\', "/") } else { name }
}
