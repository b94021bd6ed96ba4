//! From paths to ids, and back.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folders whose files have other names for people, and what these begin with.
static NAMED_FOLDERS: OnceLock<Vec<(PathBuf, String)>> = OnceLock::new();

/// Files below these folders are called by other names from now on: by the addresses that they were fetched from. Once in a process, before
/// anything is read; false if it was done before.
pub fn name_folders(names: Vec<(PathBuf, String)>) -> bool {
    NAMED_FOLDERS.set(names).is_ok()
}

/// Whether a file has another name than its path.
pub fn is_renamed(path: &Path) -> bool {
    NAMED_FOLDERS.get().is_some_and(|all| all.iter().any(|(folder, _)| path.starts_with(folder)))
}

/// The id of a file: its path as given, without a leading `./`, or the address that it was fetched from.
///
/// Bytes that are no UTF-8 are shown as `\xNN`. So that no two paths share an id, a backslash that already looks like
/// the beginning of such an escape is shown as `\x5C`. Control characters stay: who prints an id makes it safe.
pub fn id_of(path: &Path) -> Cow<'_, str> {
    for (folder, name) in NAMED_FOLDERS.get().into_iter().flatten() {
        if let Ok(inside) = path.strip_prefix(folder) {
            let between = if inside.as_os_str().is_empty() { "" } else { "/" };
            // a folder may be named with a slash at its end
            let end = if path.as_os_str().as_encoded_bytes().ends_with(b"/") { "/" } else { "" };
            return Cow::Owned(format!("{name}{between}{}{end}", id_of_path(inside)));
        }
    }
    id_of_path(path)
}

#[cfg(unix)]
fn id_of_path(path: &Path) -> Cow<'_, str> {
    use std::fmt::Write;
    use std::os::unix::ffi::OsStrExt;

    let bytes = without_dot(path.as_os_str().as_bytes());
    if let Ok(plain) = std::str::from_utf8(bytes)
        && !memchr::memchr_iter(b'\\', bytes).any(|at| looks_escaped(&bytes[at..]))
    {
        return Cow::Borrowed(plain);
    }
    let mut id = String::with_capacity(bytes.len() + 16);
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid();
        let mut done = 0;
        for (at, _) in valid.match_indices('\\').filter(|&(at, _)| looks_escaped(&valid.as_bytes()[at..])) {
            id.push_str(&valid[done..at]);
            id.push_str("\\x5C");
            done = at + 1;
        }
        id.push_str(&valid[done..]);
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(id, "\\x{byte:02X}");
        }
    }
    Cow::Owned(id)
}

/// Here, what is no Unicode is replaced.
#[cfg(not(unix))]
fn id_of_path(path: &Path) -> Cow<'_, str> {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy()
}

/// The path of a file that has this id: the way back from [`id_of`], without the leading `./` that an id does not keep.
pub fn path_of(id: &str) -> PathBuf {
    for (folder, name) in NAMED_FOLDERS.get().into_iter().flatten() {
        match id.strip_prefix(name.as_str()) {
            Some("") => return folder.clone(),
            Some(inside) if inside.starts_with('/') => return folder.join(path_of_id(inside.trim_start_matches('/'))),
            _ => {}
        }
    }
    path_of_id(id)
}

#[cfg(unix)]
fn path_of_id(id: &str) -> PathBuf {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let mut rest = id.as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some(at) = memchr::memchr(b'\\', rest) {
        bytes.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        if looks_escaped(rest) {
            let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_default() as u8;
            bytes.push(digit(rest[2]) << 4 | digit(rest[3]));
            rest = &rest[4..];
        } else {
            bytes.push(b'\\');
            rest = &rest[1..];
        }
    }
    bytes.extend_from_slice(rest);
    PathBuf::from(OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn path_of_id(id: &str) -> PathBuf {
    PathBuf::from(id)
}

/// Whether these bytes begin with what reads as `\xNN`.
#[cfg(unix)]
fn looks_escaped(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\\', b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// Removes every leading `./`, also `.//`, but leaves something of the name.
#[cfg(unix)]
fn without_dot(mut bytes: &[u8]) -> &[u8] {
    while let Some(rest) = bytes.strip_prefix(b"./") {
        let slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
        if slashes == rest.len() {
            break;
        }
        bytes = &rest[slashes..];
    }
    bytes
}

#[cfg(all(test, unix))]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use proptest::prelude::*;

    use super::*;

    fn id(bytes: &[u8]) -> Cow<'_, str> {
        id_of(Path::new(OsStr::from_bytes(bytes)))
    }

    fn unescaped(id: &str) -> Vec<u8> {
        path_of(id).into_os_string().into_encoded_bytes()
    }

    #[test]
    fn plain_names_stay() {
        assert_eq!(id(b"a/b c.txt"), "a/b c.txt");
        assert_eq!(id("größe\n\x1b[1m".as_bytes()), "größe\n\x1b[1m");
        assert_eq!(id(b"C:\\temp\\xyz"), "C:\\temp\\xyz");
    }

    #[test]
    fn a_leading_dot_goes() {
        assert_eq!(id(b"./a"), "a");
        assert_eq!(id(b".//././/a/./b"), "a/./b");
        assert_eq!(id(b"./"), "./");
        assert_eq!(id(b"."), ".");
        assert_eq!(id(b"../a"), "../a");
        assert_eq!(id(b"./.hidden"), ".hidden");
    }

    #[test]
    fn what_is_no_utf8_is_escaped() {
        assert_eq!(id(b"caf\xe9.txt"), "caf\\xE9.txt");
        assert_eq!(id(b"\\xE9"), "\\x5CxE9");
    }

    #[test]
    fn ids_lead_back() {
        assert_eq!(unescaped("a/b c.txt"), b"a/b c.txt");
        assert_eq!(unescaped("caf\\xE9\\x5CxE9"), b"caf\xe9\\xE9");
        assert_eq!(unescaped("\\xe9\\x\\x4\\xg0\\"), b"\xe9\\x\\x4\\xg0\\");
        assert_eq!(unescaped(&id(b"./caf\xe9")), b"caf\xe9", "a leading dot is not kept");
    }

    #[test]
    fn files_of_a_named_folder_have_its_name() {
        let named = |folder: &str, name: &str| (PathBuf::from(folder), name.to_owned());
        assert!(name_folders(vec![named("/fetched/s3/b", "s3://b"), named("/fetched/s3/bc", "s3://bc")]));
        for (path, expected) in [
            ("/fetched/s3/b/x/y.jsonl", "s3://b/x/y.jsonl"),
            ("/fetched/s3/bc/x/", "s3://bc/x/"),
            ("/fetched/s3/b", "s3://b"),
            ("/fetched/s3/bcd/x", "/fetched/s3/bcd/x"),
        ] {
            assert_eq!(id_of(Path::new(path)), expected);
            assert_eq!(path_of(expected), Path::new(path));
            assert_eq!(is_renamed(Path::new(path)), expected.starts_with("s3:"));
        }
        assert!(!name_folders(Vec::new()), "once");
    }

    proptest! {
        #[test]
        fn no_two_paths_share_an_id(
            name in prop::collection::vec(prop_oneof![prop::sample::select(b"\\x5C\xe9".to_vec()), any::<u8>()], 0..16)
        ) {
            prop_assume!(!name.starts_with(b"./"));
            prop_assert_eq!(unescaped(&id(&name)), name);
        }
    }
}
