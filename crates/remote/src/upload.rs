//! A folder becomes objects below a prefix. The one that says that all is there is put last.

use crate::Error;
use crate::client::Client;
use crate::listing::below;
use crate::location::{Kind, Location, Service};
use crate::service_error::from_store;
use crate::transfer::{Watch, for_each};
use bytes::Bytes;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt, WriteMultipart};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is larger is put in parts of this size or more.
const PART: u64 = 8 << 20;
/// No service takes more parts than this.
const MAX_PARTS: u64 = 9_000;
/// Parts of one file under way at the same time.
const PARTS_AT_ONCE: usize = 2;

/// A file and the key that it gets.
struct Outgoing {
    path: PathBuf,
    key: String,
    bytes: u64,
}

impl Client {
    /// Makes sure that a result can go to an address: it can be written to, and nothing is there.
    pub fn check_target(&self, target: &Location, watch: &dyn Watch) -> Result<(), Error> {
        self.check_free(target, &BTreeSet::new(), watch)
    }

    /// Puts all files of a folder below an address. `last` is put when all others are there. What a stopped run has put there already is put
    /// again; anything else that is there is an error.
    pub fn put_folder(&self, folder: &Path, target: &Location, last: &str, watch: &dyn Watch) -> Result<(), Error> {
        let mut files = Vec::new();
        collect(folder, &target.key, &mut files)?;
        let last = format!("{}{last}", target.key);
        let ours: BTreeSet<&str> = files.iter().map(|file| file.key.as_str()).filter(|key| *key != last).collect();
        self.check_free(target, &ours, watch)?;
        let (end, others): (Vec<Outgoing>, Vec<Outgoing>) = files.into_iter().partition(|file| file.key == last);
        watch.begin("upload", others.iter().chain(&end).map(|file| file.bytes).sum());
        for some in [others, end] {
            for_each(&some, |file| self.put(target, file, watch))?;
        }
        watch.end();
        Ok(())
    }

    fn check_free(&self, target: &Location, ours: &BTreeSet<&str>, watch: &dyn Watch) -> Result<(), Error> {
        let url = target.url();
        if target.service == Service::Web {
            return Err(Error::ReadOnly { url });
        }
        if target.kind() != Kind::Prefix || target.key.is_empty() {
            return Err(Error::Address { url, reason: "a result is put below a name that ends with /" });
        }
        let there = below(self, target, target.key.trim_end_matches('/'), watch)?;
        match there.iter().find(|object| !ours.contains(object.key.as_str())) {
            None => Ok(()),
            Some(found) => Err(Error::Exists { url, found: found.url() }),
        }
    }

    fn put(&self, target: &Location, file: &Outgoing, watch: &dyn Watch) -> Result<(), Error> {
        let store = self.store(target)?;
        let bad = |_| Error::Name { url: target.url_of(&file.key), reason: "it has empty parts, . or .." };
        let key = ObjectPath::parse(&file.key).map_err(bad)?;
        let failed = |error: object_store::Error| from_store(target, &file.key, &error);
        let unread = |source| Error::Io { path: file.path.clone(), source };
        let mut from = File::open(&file.path).map_err(unread)?;
        self.wait(watch, async {
            if file.bytes <= PART {
                let bytes = read_part(&mut from, PART + 1).map_err(unread)?;
                store.put(&key, bytes.into()).await.map_err(failed)?;
                watch.advance(file.bytes);
                return Ok(());
            }
            let part = PART.max(file.bytes.div_ceil(MAX_PARTS));
            let mut upload = multipart(&store, &key, part).await.map_err(failed)?;
            loop {
                upload.wait_for_capacity(PARTS_AT_ONCE).await.map_err(failed)?;
                let bytes = read_part(&mut from, part).map_err(unread)?;
                if bytes.is_empty() {
                    break;
                }
                watch.advance(bytes.len() as u64);
                upload.put(bytes);
            }
            upload.finish().await.map_err(failed)?;
            Ok(())
        })
    }
}

async fn multipart(store: &Arc<dyn ObjectStore>, key: &ObjectPath, part: u64) -> object_store::Result<WriteMultipart> {
    Ok(WriteMultipart::new_with_chunk_size(store.put_multipart(key).await?, part as usize))
}

fn read_part(from: &mut File, most: u64) -> io::Result<Bytes> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

/// All files below a folder, with keys that begin with `prefix`.
fn collect(folder: &Path, prefix: &str, found: &mut Vec<Outgoing>) -> Result<(), Error> {
    let io = |source| Error::Io { path: folder.to_owned(), source };
    let mut entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(io)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, metadata) = (entry.path(), entry.metadata().map_err(io)?);
        let Ok(name) = entry.file_name().into_string() else {
            return Err(Error::Name { url: path.display().to_string(), reason: "it is no Unicode" });
        };
        let key = format!("{prefix}{name}");
        if metadata.is_dir() {
            collect(&path, &format!("{key}/"), found)?;
        } else {
            found.push(Outgoing { path, key, bytes: metadata.len() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
