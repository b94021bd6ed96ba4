//! Against a store in memory.

use super::*;
use crate::transfer::Quiet;
use object_store::memory::InMemory;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt};
use std::sync::Arc;

struct Bucket {
    store: Arc<dyn ObjectStore>,
    client: Client,
    dir: tempfile::TempDir,
}

impl Bucket {
    fn new() -> Self {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        let client = Client::with_store("s3://b", Arc::clone(&store));
        let bucket = Self { store, client, dir: tempfile::tempdir().unwrap() };
        for at in 0..20 {
            bucket.put(&format!("in/{at:02}"), &at.to_string().repeat(at));
        }
        bucket
    }

    fn put(&self, key: &str, body: &str) {
        let (key, body) = (ObjectPath::from(key), body.to_owned());
        let put = async { self.store.put(&key, body.into()).await.map(drop).map_err(|_| Error::Cancelled) };
        self.client.wait(&Quiet, put).unwrap();
    }

    fn open(&self, resume: bool) -> Result<Staging, Error> {
        Staging::open(&self.dir.path().join("staging"), resume)
    }

    fn fetch(&self, staging: &Staging, urls: &[&str]) -> Result<Staged, Error> {
        let locations: Vec<Location> = urls.iter().map(|url| Location::parse(url).unwrap()).collect();
        staging.fetch(&self.client, &locations, false, &Quiet)
    }
}

#[test]
fn objects_become_files() {
    let bucket = Bucket::new();
    let staging = bucket.open(false).unwrap();
    let staged = bucket.fetch(&staging, &["s3://b/in/", "s3://b/in/03"]).unwrap();
    let root = staging.path().join("s3/b");
    assert_eq!(staged.names, [(root.clone(), "s3://b".to_owned())]);
    assert_eq!(staged.inputs, [vec![root.join("in").join("")], vec![root.join("in/03")]]);
    for at in 0..20 {
        let file = fs::read_to_string(root.join(format!("in/{at:02}"))).unwrap();
        assert_eq!(file, at.to_string().repeat(at));
    }
    let names: Vec<_> = fs::read_dir(staging.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "nothing unfinished is left: {names:?}");
    let path = staging.path().to_owned();
    drop(staging);
    assert!(!path.exists());
}

#[test]
fn a_run_goes_on_with_what_it_has_if_nothing_changed() {
    let bucket = Bucket::new();
    let mut staging = bucket.open(false).unwrap();
    let staged = bucket.fetch(&staging, &["s3://b/in/"]).unwrap();
    let file = staging.path().join("s3/b/in/07");
    staging.stay(true);
    drop(staging);
    assert!(matches!(bucket.open(false), Err(Error::Stopped { .. })));
    // one is missing, and one has been fetched: it is not fetched again
    fs::remove_file(&file).unwrap();
    fs::write(file.with_file_name("01"), "x").unwrap();
    let mut staging = bucket.open(true).unwrap();
    assert_eq!(bucket.fetch(&staging, &["s3://b/in/"]).unwrap(), staged);
    assert_eq!(fs::read_to_string(&file).unwrap(), "7777777");
    assert_eq!(fs::read_to_string(file.with_file_name("01")).unwrap(), "x");
    staging.stay(true);
    bucket.put("in/07", "8888888");
    let error = bucket.fetch(&staging, &["s3://b/in/"]).unwrap_err();
    assert_eq!(error.to_string(), "s3://b/in/07: it changed since the run was begun; begin again");
    bucket.put("in/07", "7777777");
    bucket.put("in/99", "more");
    assert!(matches!(bucket.fetch(&staging, &["s3://b/in/"]), Err(Error::Changed { .. })));
}

#[test]
fn a_folder_of_somebody_else_stays() {
    let bucket = Bucket::new();
    let mine = bucket.dir.path().join("staging/mine");
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, "x").unwrap();
    assert!(bucket.open(false).is_err() && bucket.open(true).is_err());
    assert!(mine.exists());
}

#[test]
fn a_large_object_comes_in_parts() {
    let bucket = Bucket::new();
    let large = (0..140_000_001u32).map(|at| char::from(b'a' + (at % 23) as u8)).collect::<String>();
    bucket.put("large/object", &large);
    let staging = bucket.open(false).unwrap();
    bucket.fetch(&staging, &["s3://b/large/object"]).unwrap();
    assert!(fs::read(staging.path().join("s3/b/large/object")).unwrap() == large.as_bytes());
}

#[cfg(unix)]
#[test]
fn a_folder_of_somebody_else_is_not_taken() {
    let bucket = Bucket::new();
    let path = bucket.dir.path().join("staging");
    fs::create_dir(&path).unwrap();
    assert!(matches!(bucket.open(true), Err(Error::Damaged { .. })), "an empty folder");
    fs::remove_dir(&path).unwrap();
    let mut real = Staging::open(&bucket.dir.path().join("real"), false).unwrap();
    real.stay(true);
    std::os::unix::fs::symlink(real.path(), &path).unwrap();
    assert!(matches!(bucket.open(true), Err(Error::Damaged { .. })), "a link");
    assert!(real.path().join(IGNORE_FILE).exists());
}
