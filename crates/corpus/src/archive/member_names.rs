//! Which members are wanted, by their names alone.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use crate::context::ReadContext;
use crate::hidden::is_hidden;
use crate::member::{ArchiveKind, Container};
use crate::skipped::Reason;

/// No file system has longer paths.
const MAX_NAME_BYTES: usize = 4096;

/// What is to be done with a member.
pub(super) enum MemberUse {
    /// Neither a document nor a loss, as hidden files are in a folder.
    Ignore,
    Skip(Reason),
    Document,
    Archive,
}

/// The names in one archive.
#[derive(Default)]
pub(super) struct MemberNames {
    /// Their hashes, for names may be long; the key of the hashes is secret, so nobody can make two meet.
    met: HashSet<u64>,
    state: RandomState,
}

impl MemberNames {
    pub(super) fn classify(&mut self, name: &str, container: &Container, context: &ReadContext) -> MemberUse {
        let options = &context.options;
        if !options.hidden && is_hidden(name) {
            return MemberUse::Ignore;
        }
        if name.len() > MAX_NAME_BYTES {
            return MemberUse::Skip(Reason::Packed(format!(
                "its name has {} bytes; at most {MAX_NAME_BYTES} can be",
                name.len()
            )));
        }
        let relative = container.relative(name);
        // A folder that is excluded is not entered.
        let folders = || Path::new(&relative).ancestors().take_while(|folder| !folder.as_os_str().is_empty());
        if folders().any(|folder| context.globs.excludes(folder)) {
            return MemberUse::Ignore;
        }
        let archive = ArchiveKind::of_name(name.as_bytes()).is_some();
        if !archive && !context.globs.includes(Path::new(&relative)) {
            return MemberUse::Ignore;
        }
        if !self.met.insert(self.state.hash_one(name)) {
            return MemberUse::Skip(Reason::Packed("a member before it has the same name".into()));
        }
        if archive { MemberUse::Archive } else { MemberUse::Document }
    }
}

/// The name as an id shows it: without a leading `./`, and what is no UTF-8 escaped as in the id of a file.
#[cfg(unix)]
pub(crate) fn display_name(name: &[u8]) -> String {
    use std::os::unix::ffi::OsStrExt;
    crate::names::id_of(Path::new(std::ffi::OsStr::from_bytes(name))).into_owned()
}

/// The name as an id shows it: without a leading `./`, and what is no UTF-8 replaced.
#[cfg(not(unix))]
pub(crate) fn display_name(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    name.strip_prefix("./").unwrap_or(&name).to_owned()
}

/// As much of a name that is too long as a message can take.
pub(super) fn short(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME_BYTES)]
}
