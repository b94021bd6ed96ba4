//! Uploads. They are written to the disk while they arrive, so that memory does not grow with them.

use crate::jobs::Upload;
use crate::pace::Pace;
use crate::problem::Problem;
use axum::extract::multipart::Field;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

/// Files of an upload.
const MAX_FILES: usize = 100_000;

/// An upload on its way.
pub(super) struct Uploading<'a> {
    upload: &'a Upload,
    left: u64,
    limit: u64,
    files: usize,
    pace: Pace,
}

impl<'a> Uploading<'a> {
    pub(super) fn new(upload: &'a Upload, limit: u64, time: Duration) -> Self {
        Self { upload, left: limit, limit, files: 0, pace: Pace::new(time) }
    }

    /// One file, as the body.
    pub(super) async fn file<E: Display>(
        &mut self,
        name: &str,
        bytes: impl Stream<Item = Result<Bytes, E>> + Unpin,
    ) -> Result<(), Problem> {
        self.write(&self.upload.path().join(name), bytes).await
    }

    /// One of several files: a submission, or with the name `base`, what was given to all.
    pub(super) async fn field(&mut self, field: Field<'_>) -> Result<(), Problem> {
        self.files += 1;
        if self.files > MAX_FILES {
            return Err(Problem::too_large(MAX_FILES as u64));
        }
        let folder = match field.name() {
            Some("base") => "base",
            Some("file" | "files" | "submission" | "submissions") => "submissions",
            other => {
                return Err(Problem::meaningless(format!("expected fields \"file\" and \"base\", found {other:?}")));
            }
        };
        let name = field.file_name().unwrap_or_default().to_owned();
        let path = self.upload.path().join(folder).join(inside(&name)?);
        if let Some(parent) = path.parent() {
            tokio::fs::create_dir_all(parent).await.map_err(|error| match error.kind() {
                ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
                    Problem::meaningless(format!("{name:?} is in a folder that has the name of a file; rename one"))
                }
                _ => Problem::of_io(&error),
            })?;
        }
        if tokio::fs::try_exists(&path).await.unwrap_or(true) {
            return Err(Problem::meaningless(format!("two files are called {name:?}; rename one")));
        }
        self.write(&path, field).await
    }

    async fn write<E: Display>(
        &mut self,
        path: &Path,
        mut bytes: impl Stream<Item = Result<Bytes, E>> + Unpin,
    ) -> Result<(), Problem> {
        let mut file = File::create(path).await.map_err(|error| Problem::of_io(&error))?;
        loop {
            let Some(piece) = self.pace.wait(bytes.next()).await? else { break };
            let piece = piece.map_err(|error| Problem::malformed(format!("the body broke off: {error}")))?;
            self.pace.count(piece.len());
            self.left = self.left.checked_sub(piece.len() as u64).ok_or_else(|| Problem::too_large(self.limit))?;
            file.write_all(&piece).await.map_err(|error| Problem::of_io(&error))?;
        }
        file.flush().await.map_err(|error| Problem::of_io(&error))
    }
}

/// Bytes of the longest path in an upload: with the folder around it, systems take 4096.
const MAX_PATH: usize = 1024;

/// A path that stays where it is put.
fn inside(name: &str) -> Result<PathBuf, Problem> {
    if name.len() > MAX_PATH {
        return Err(Problem::meaningless(format!(
            "a file name: expected at most {MAX_PATH} bytes, found {}",
            name.len()
        )));
    }
    let wrong = || Problem::meaningless(format!("expected the name of a file, such as anna/main.c, found {name:?}"));
    let plain = |part: &str| !["", ".", ".."].contains(&part) && !part.contains(['\0', ':']) && part.len() <= 255;
    let path: PathBuf = name
        .split(['/', '\\'])
        .map(|part| if plain(part) { Ok(part) } else { Err(wrong()) })
        .collect::<Result<_, _>>()?;
    if path.components().all(|part| matches!(part, Component::Normal(_))) && path.components().count() <= 32 {
        return Ok(path);
    }
    Err(wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_folder() {
        for name in ["", "/", "/etc/passwd", "../x", "a/../../x", "a//b", "..\\x", "C:\\x", "a/.", ".", "a\0b"] {
            assert!(inside(name).is_err(), "{name:?}");
        }
        assert_eq!(inside("anna/main.c").unwrap(), Path::new("anna/main.c"));
        let long = format!("{}/x", "f".repeat(250));
        assert!(inside(&long).is_ok());
        let longer = inside(&[&*long; 18].join("/")).unwrap_err();
        assert_eq!(longer.status().as_u16(), 422);
        assert_eq!(inside("anna\\main.c").unwrap(), Path::new("anna/main.c"));
    }
}
