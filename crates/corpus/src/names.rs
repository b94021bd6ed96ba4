//! From paths to ids.

use std::borrow::Cow;
use std::path::Path;

/// The id of a file: its path as given, without a leading `./`.
///
/// Bytes that are no UTF-8 are shown as `\xNN`. So that no two paths share an id, a backslash that already looks like
/// the beginning of such an escape is shown as `\x5C`. Control characters stay: who prints an id makes it safe.
#[cfg(unix)]
pub fn id_of(path: &Path) -> Cow<'_, str> {
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

/// The id of a file: its path as given, without a leading `./`; what is no Unicode is replaced.
#[cfg(not(unix))]
pub fn id_of(path: &Path) -> Cow<'_, str> {
    path.strip_prefix(".").unwrap_or(path).to_string_lossy()
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

    /// The way back, to show that nothing is lost.
    fn unescaped(id: &str) -> Vec<u8> {
        let bytes = id.as_bytes();
        let (mut out, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            if looks_escaped(&bytes[at..]) {
                out.push(u8::from_str_radix(&id[at + 2..at + 4], 16).unwrap());
                at += 4;
            } else {
                out.push(bytes[at]);
                at += 1;
            }
        }
        out
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
