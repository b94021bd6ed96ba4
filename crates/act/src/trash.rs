//! The trash, as freedesktop.org describes it: a file lies below `files`, and below `info` it is told where it came from.

use crate::context::{ActContext, cannot};
use crate::log::Intent;
use crate::options::ActionKind;
use crate::paths::check_folders;
use lookalike_core::date::utc;
use lookalike_corpus::id_of;
use std::fmt::Write;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Names that are tried for a file.
const MAX_NAMES: u32 = 10_000;

/// What the trash calls a file: its name, and something of its path, so that files of many folders have different ones.
fn name(path: &Path, number: u32) -> String {
    let hash = blake3::hash(path.as_os_str().as_bytes()).to_hex();
    let name = path.file_name().map(|name| id_of(Path::new(name)).into_owned()).unwrap_or_default();
    let again = if number == 0 { String::new() } else { format!("-{number}") };
    // names of files have 255 bytes at most
    let short: String = name.chars().take(40).collect();
    format!("{short}.{}{again}", &hash[..8])
}

/// Where it is told where a file of the trash came from.
fn info_path(file: &Path) -> Option<PathBuf> {
    let folder = file.parent().filter(|folder| folder.ends_with("files"))?;
    let mut name = file.file_name()?.to_owned();
    name.push(".trashinfo");
    Some(folder.parent()?.join("info").join(name))
}

/// How such a note begins.
fn info_start(path: &Path) -> String {
    let mut start = String::from("[Trash Info]\nPath=");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => start.push(char::from(*byte)),
            byte => {
                let _ = write!(start, "%{byte:02X}");
            }
        }
    }
    start.push('\n');
    start
}

impl ActContext<'_> {
    /// A place in the trash that is free.
    pub(crate) fn trash_place(&self, trash: &Path, path: &Path) -> Result<PathBuf, String> {
        for number in 0..MAX_NAMES {
            let place = trash.join("files").join(name(path, number));
            let info = info_path(&place).unwrap_or_default();
            if self.look(&place)?.is_none() && self.look(&info)?.is_none() {
                return Ok(place);
            }
        }
        Err(format!("has been put in the trash {MAX_NAMES} times; empty {}", id_of(trash)))
    }

    /// Tells the trash where a file comes from, before it comes.
    pub(crate) fn write_info(&self, intent: &Intent, trash: &Path) -> Result<(), String> {
        let Some(info) = intent.to.as_deref().and_then(info_path) else {
            return Err("has no place in the trash".to_owned());
        };
        check_folders(self.files, trash, &info, true)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let text = format!("{}DeletionDate={}\n", info_start(&intent.path), utc(now.cast_signed()));
        let mut file = self.files.create(&info).map_err(cannot("make", &info))?;
        self.files.write(&mut file, text.as_bytes()).map_err(cannot("write", &info))?;
        self.files.sync(&file).map_err(cannot("write", &info))
    }

    /// Takes that back when the file is at its old place again. Only what act wrote goes: all of it, or its beginning.
    pub(crate) fn remove_info(&self, intent: &Intent) -> Result<(), String> {
        let Some(info) = intent.to.as_deref().and_then(info_path).filter(|_| intent.action == ActionKind::Trash) else {
            return Ok(());
        };
        if self.look(&info)?.is_none() {
            return Ok(());
        }
        let start = info_start(&intent.path);
        let (file, _) = self.open(&info)?;
        let mut found = Vec::new();
        file.take(start.len() as u64).read_to_end(&mut found).map_err(cannot("read", &info))?;
        if start.as_bytes().starts_with(&found) { self.remove_name(&info) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_trash_is_told() {
        assert_eq!(info_start(Path::new("/a b/ü%.txt")), "[Trash Info]\nPath=/a%20b/%C3%BC%25.txt\n");
        let info = info_path(Path::new("/t/files/x")).unwrap();
        assert_eq!(info, Path::new("/t/info/x.trashinfo"));
        assert_eq!(info_path(Path::new("/t/other/x")), None);
    }
}
