//! One object becomes one file: under another name until all of it is there.

use crate::Error;
use crate::client::Client;
use crate::listing::Object;
use crate::location::Service;
use crate::service_error::from_store;
use crate::transfer::Watch;
use futures_util::TryStreamExt;
use object_store::GetOptions;
use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// What is asked for at once: each part has its own tries, so that a long file survives a connection that breaks.
const PART: u64 = 64 << 20;

/// Fetches an object, unless its file is there. What has another size or is another one now is an error.
pub(crate) fn fetch(
    client: &Client,
    object: &Object,
    unfinished: &Path,
    target: &Path,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let io = |source| Error::Io { path: target.to_owned(), source };
    if fs::metadata(target).is_ok_and(|metadata| metadata.is_file() && metadata.len() == object.meta.size) {
        watch.advance(object.meta.size);
        return Ok(());
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(io)?;
    }
    let mut file = File::create(unfinished).map_err(io)?;
    for range in parts(object) {
        fetch_part(client, object, range, &mut file, unfinished, watch)?;
    }
    file.sync_all().map_err(io)?;
    fs::rename(unfinished, target).map_err(io)
}

/// The parts of an object; None for all of it, where parts cannot be asked for or need not be.
fn parts(object: &Object) -> Vec<Option<Range<u64>>> {
    let size = object.meta.size;
    if size <= PART || object.location.service == Service::Web {
        return vec![None];
    }
    (0..size.div_ceil(PART)).map(|at| Some(at * PART..size.min((at + 1) * PART))).collect()
}

fn fetch_part(
    client: &Client,
    object: &Object,
    range: Option<Range<u64>>,
    file: &mut File,
    path: &Path,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let store = client.store(&object.location)?;
    let wanted = range.as_ref().map_or(object.meta.size, |range| range.end - range.start);
    // a weak tag says nothing of bytes, and no server takes one
    let tag = object.meta.e_tag.clone().filter(|tag| !tag.starts_with("W/"));
    let options = GetOptions::new().with_if_match(tag).with_range(range);
    let failed = |error: object_store::Error| from_store(&object.location, &object.key, &error);
    client.wait(watch, async {
        let found = store.get_opts(&object.meta.location, options).await.map_err(failed)?;
        let (mut body, mut read) = (found.into_stream(), 0);
        while let Some(bytes) = body.try_next().await.map_err(failed)? {
            read += bytes.len() as u64;
            if read > wanted {
                break;
            }
            file.write_all(&bytes).map_err(|source| Error::Io { path: path.to_owned(), source })?;
            watch.advance(bytes.len() as u64);
        }
        if read == wanted { Ok(()) } else { Err(Error::Changed { url: object.url() }) }
    })
}
