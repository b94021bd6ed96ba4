//! Which objects an address stands for.

use crate::Error;
use crate::client::Client;
use crate::location::{Kind, Location, Service};
use crate::service_error::from_store;
use crate::transfer::Watch;
use futures_util::TryStreamExt;
use globset::{GlobBuilder, GlobMatcher};
use object_store::path::Path as ObjectPath;
use object_store::{ObjectMeta, ObjectStoreExt};
use std::path::{Path, PathBuf};

/// Longer names of files are refused by most file systems.
const MAX_PART: usize = 255;

/// An object as it is now.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) location: Location,
    pub(crate) meta: ObjectMeta,
    /// Its key, as the address of it is written.
    pub(crate) key: String,
}

impl Object {
    pub(crate) fn url(&self) -> String {
        self.location.url_of(&self.key)
    }

    /// Where its file is below the folder of all.
    pub(crate) fn file(&self) -> PathBuf {
        folder(&self.location).join(&self.key)
    }
}

/// The folder of a bucket, below the folder of all.
pub(crate) fn folder(location: &Location) -> PathBuf {
    Path::new(location.scheme).join(&location.bucket)
}

/// What an address stands for: the objects, and the files and folders that they are read as, below the folder of all.
pub(crate) fn list(
    client: &Client,
    location: &Location,
    hidden: bool,
    watch: &dyn Watch,
) -> Result<(Vec<Object>, Vec<PathBuf>), Error> {
    let kind = location.kind();
    if location.service == Service::Web && kind != Kind::Object {
        let reason = "a web server tells no list of its files; name each file";
        return Err(Error::Address { url: location.url(), reason });
    }
    let (objects, inputs) = match kind {
        Kind::Object => (vec![head(client, location, watch)?], vec![folder(location).join(&location.key)]),
        Kind::Prefix => {
            let objects = below(client, location, location.key.trim_end_matches('/'), watch)?;
            // with the slash, as a folder may be named
            (objects, vec![folder(location).join(&location.key).join("")])
        }
        Kind::Pattern => {
            let glob = pattern(location)?;
            let all = below(client, location, location.folder_of_pattern(), watch)?;
            let (mut objects, mut inputs) = (Vec::new(), Vec::new());
            for object in all {
                let Some(name) = matched(&glob, location, &object.key, hidden) else { continue };
                inputs.push(folder(location).join(name));
                objects.push(object);
            }
            inputs.sort();
            inputs.dedup();
            (objects, inputs)
        }
    };
    if objects.is_empty() {
        return Err(Error::Nothing { url: location.url() });
    }
    objects.iter().try_for_each(check_name)?;
    Ok((objects, inputs))
}

fn head(client: &Client, location: &Location, watch: &dyn Watch) -> Result<Object, Error> {
    let store = client.store(location)?;
    let bad = |_| Error::Address { url: location.url(), reason: "its name has empty parts, . or .." };
    let path = match location.service {
        Service::Web => ObjectPath::from_url_path(&location.key),
        _ => ObjectPath::parse(&location.key),
    };
    let path = path.map_err(bad)?;
    let found = client
        .wait(watch, async { store.head(&path).await.map_err(|error| from_store(location, &location.key, &error)) });
    match found {
        Ok(meta) => Ok(Object { location: location.clone(), meta, key: location.key.clone() }),
        Err(Error::Missing { url, .. }) => {
            let is_prefix = location.service != Service::Web
                && below(client, location, &location.key, watch).is_ok_and(|found| !found.is_empty());
            let hint = if is_prefix { "; for all that is below it end it with /" } else { "" };
            Err(Error::Missing { url, hint })
        }
        Err(error) => Err(error),
    }
}

/// All objects whose keys begin with a folder.
pub(crate) fn below(
    client: &Client,
    location: &Location,
    folder: &str,
    watch: &dyn Watch,
) -> Result<Vec<Object>, Error> {
    let store = client.store(location)?;
    let bad = |_| Error::Address { url: location.url(), reason: "its name has empty parts, . or .." };
    let prefix = ObjectPath::parse(folder).map_err(bad)?;
    let all: Vec<ObjectMeta> = client.wait(watch, async {
        let listed = store.list((!folder.is_empty()).then_some(&prefix));
        listed.try_collect().await.map_err(|error| from_store(location, folder, &error))
    })?;
    let mut objects: Vec<Object> = all
        .into_iter()
        .map(|meta| Object { location: location.clone(), key: meta.location.to_string(), meta })
        .collect();
    objects.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(without_folders(objects))
}

/// Consoles make empty objects to show folders. They are none, and no file can be where a folder is.
fn without_folders(objects: Vec<Object>) -> Vec<Object> {
    let is_folder = |object: &Object| {
        let inside = format!("{}/", object.key);
        let next = objects.partition_point(|other| other.key.as_str() < inside.as_str());
        object.meta.size == 0 && objects.get(next).is_some_and(|other| other.key.starts_with(&inside))
    };
    let kept: Vec<bool> = objects.iter().map(|object| !is_folder(object)).collect();
    objects.into_iter().zip(kept).filter_map(|(object, kept)| kept.then_some(object)).collect()
}

fn pattern(location: &Location) -> Result<GlobMatcher, Error> {
    let glob = GlobBuilder::new(location.key.trim_end_matches('/')).literal_separator(true).build();
    let wrong = |error: globset::Error| Error::Pattern { url: location.url(), message: error.kind().to_string() };
    Ok(glob.map_err(wrong)?.compile_matcher())
}

/// The shortest beginning of a key that a pattern matches: the object itself, or a folder that it is in.
fn matched<'a>(glob: &GlobMatcher, location: &Location, key: &'a str, hidden: bool) -> Option<&'a str> {
    let ends = key.match_indices('/').map(|(at, _)| at).chain([key.len()]);
    let name = ends.map(|end| &key[..end]).find(|name| glob.is_match(name))?;
    let named = &location.key[location.folder_of_pattern().len()..];
    let shows_hidden = hidden || named.contains("/.") || named.starts_with('.');
    let found = name[location.folder_of_pattern().len()..].split('/');
    (shows_hidden || !found.into_iter().any(|part| part.starts_with('.'))).then_some(name)
}

/// Whether a key can be the path of a file, and leads nowhere else.
fn check_name(object: &Object) -> Result<(), Error> {
    let wrong = |reason| Err(Error::Name { url: object.url(), reason });
    for part in object.key.split('/') {
        if part.is_empty() || part == "." || part == ".." {
            return wrong("it has empty parts, . or ..");
        }
        if part.len() > MAX_PART {
            return wrong("a part of it is longer than 255 bytes");
        }
        if part.contains('\0') || cfg!(windows) && part.contains(['\\', ':', '<', '>', '"', '|', '?', '*']) {
            return wrong("it has characters that a file cannot have");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
