//! Sets of identical files as fdupes and fclones write them, for programs that read that.

use crate::identical::sets;
use crate::renderer::{Renderer, Source, unsupported};
use crate::section::Findings;
use std::borrow::Cow;
use std::io::{self, Write};

/// One name a line, and an empty line after each set.
///
/// A name is written byte by byte as it is on disk. A line break in a name is written too, as fdupes does: who reads it cannot tell it
/// from the end of the name.
pub(crate) struct Fdupes;

impl Renderer for Fdupes {
    fn render(&self, source: &Source<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Findings::Clusters(report) = source.findings else { return Err(unsupported("fdupes")) };
        for set in sets(report) {
            for (id, _) in set.files {
                out.write_all(&path_bytes(id))?;
                out.write_all(b"\n")?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

/// The bytes of the path that an id stands for: `\xNN` is a byte that is no UTF-8, or a backslash before what only looks like that.
#[cfg(unix)]
fn path_bytes(id: &str) -> Cow<'_, [u8]> {
    if !id.contains("\\x") {
        return Cow::Borrowed(id.as_bytes());
    }
    let (mut rest, mut path) = (id.as_bytes(), Vec::with_capacity(id.len()));
    while let [first, tail @ ..] = rest {
        let byte = match tail {
            [b'x', high, low, ..] if *first == b'\\' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = byte {
            path.push(16 * high + low);
            rest = &rest[4..];
        } else {
            path.push(*first);
            rest = tail;
        }
    }
    Cow::Owned(path)
}

#[cfg(unix)]
fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

/// Elsewhere ids have no escapes.
#[cfg(not(unix))]
fn path_bytes(id: &str) -> Cow<'_, [u8]> {
    Cow::Borrowed(id.as_bytes())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn ids_become_the_bytes_of_the_path() {
        let bytes = |id| path_bytes(id).into_owned();
        assert_eq!(bytes("a/größe.txt"), "a/größe.txt".as_bytes());
        assert_eq!(bytes("caf\\xE9.txt"), b"caf\xe9.txt");
        assert_eq!(bytes("\\x5CxE9"), b"\\xE9");
        assert_eq!(bytes("C:\\temp\\xyz\\x4"), b"C:\\temp\\xyz\\x4");
        assert_eq!(bytes("a\\xff\\xFE"), b"a\xff\xfe");
    }
}
