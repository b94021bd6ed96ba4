//! Which members are wanted, by their names alone.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use super::Kind;
use super::container::Container;
use crate::Reason;
use crate::corpus::Shared;

/// No file system has longer paths.
const LONGEST: usize = 4096;

/// What is to be done with a member.
pub(super) enum Wanted {
    /// Neither a document nor a loss, as hidden files are in a folder.
    No,
    Not(Reason),
    Document,
    Archive,
}

/// The names in one archive.
#[derive(Default)]
pub(super) struct Names {
    /// Their hashes, for names may be long; the key of the hashes is secret, so nobody can make two meet.
    met: HashSet<u64>,
    state: RandomState,
}

impl Names {
    pub(super) fn ask(&mut self, name: &str, container: &Container, shared: &Shared) -> Wanted {
        let options = &shared.options;
        if !options.hidden && is_hidden(name) {
            return Wanted::No;
        }
        if name.len() > LONGEST {
            return Wanted::Not(Reason::Packed(format!("its name has {} bytes; at most {LONGEST} can be", name.len())));
        }
        let relative = container.relative(name);
        // A folder that is excluded is not entered.
        let folders = || Path::new(&relative).ancestors().take_while(|folder| !folder.as_os_str().is_empty());
        if folders().any(|folder| shared.globs.excludes(folder)) {
            return Wanted::No;
        }
        let archive = Kind::of_name(name.as_bytes()).is_some();
        if !archive && !shared.globs.includes(Path::new(&relative)) {
            return Wanted::No;
        }
        if !self.met.insert(self.state.hash_one(name)) {
            return Wanted::Not(Reason::Packed("a member before it has the same name".into()));
        }
        if archive { Wanted::Archive } else { Wanted::Document }
    }
}

/// Whether a path leads to or through something hidden, or what a system left behind when it packed.
fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| (part.starts_with('.') && part != "." && part != "..") || is_rubbish(part))
}

/// What macOS and Windows put into folders and archives: nobody wrote it.
pub(crate) fn is_rubbish(name: &str) -> bool {
    const RUBBISH: [&str; 4] = ["__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"];
    RUBBISH.iter().any(|rubbish| rubbish.eq_ignore_ascii_case(name))
}

/// The name as an id shows it: without a leading `./`, and what is no UTF-8 escaped as in the id of a file.
#[cfg(unix)]
pub(super) fn shown(name: &[u8]) -> String {
    use std::os::unix::ffi::OsStrExt;
    crate::id_of(Path::new(std::ffi::OsStr::from_bytes(name))).into_owned()
}

/// The name as an id shows it: without a leading `./`, and what is no UTF-8 replaced.
#[cfg(not(unix))]
pub(super) fn shown(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    name.strip_prefix("./").unwrap_or(&name).to_owned()
}

/// As much of a name that is too long as a message can take.
pub(super) fn short(name: &str) -> &str {
    &name[..name.floor_char_boundary(LONGEST)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_wrote() {
        for name in [".git/x", "a/.b", "__MACOSX/._a.py", "x/thumbs.DB", "x/.DS_Store", "Desktop.ini"] {
            assert!(is_hidden(name), "{name}");
        }
        for name in ["a", "../a", "./a", "a/../b.c", "MACOSX/a", "thumbs.db.py"] {
            assert!(!is_hidden(name), "{name}");
        }
    }
}
