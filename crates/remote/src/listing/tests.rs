//! Against a store in memory.

use super::*;
use crate::transfer::Quiet;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use std::sync::Arc;

fn client(keys: &[(&str, &str)]) -> Client {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let client = Client::with_store("s3://b", Arc::clone(&store));
    for (key, body) in keys {
        let (key, body) = (ObjectPath::parse(key).unwrap(), (*body).to_owned());
        let put = async { store.put(&key, body.into()).await.map(drop).map_err(|_| Error::Cancelled) };
        client.wait(&Quiet, put).unwrap();
    }
    client
}

fn listed(client: &Client, url: &str) -> Result<(Vec<String>, Vec<String>), Error> {
    let (objects, inputs) = list(client, &Location::parse(url).unwrap(), false, &Quiet)?;
    let inputs = inputs.iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    Ok((objects.iter().map(Object::url).collect(), inputs))
}

const KEYS: [(&str, &str); 7] = [
    ("a/x.jsonl", "1"),
    ("a/y.jsonl", "2"),
    ("a/.hidden.jsonl", "3"),
    ("a/sub/z.jsonl", "4"),
    ("a/sub", ""),
    ("ab.jsonl", "5"),
    ("c.txt", "6"),
];

#[test]
fn an_object_a_prefix_and_a_pattern() {
    let client = client(&KEYS);
    let (objects, inputs) = listed(&client, "s3://b/a/x.jsonl").unwrap();
    assert_eq!((objects, inputs), (vec!["s3://b/a/x.jsonl".to_owned()], vec!["s3/b/a/x.jsonl".to_owned()]));
    let (objects, inputs) = listed(&client, "s3://b/a/").unwrap();
    assert_eq!(inputs, ["s3/b/a/"]);
    let all = ["s3://b/a/.hidden.jsonl", "s3://b/a/sub/z.jsonl", "s3://b/a/x.jsonl", "s3://b/a/y.jsonl"];
    assert_eq!(objects, all, "an empty object in place of a folder is none");
    let (objects, inputs) = listed(&client, "s3://b/a/*.jsonl").unwrap();
    assert_eq!(objects, ["s3://b/a/x.jsonl", "s3://b/a/y.jsonl"]);
    assert_eq!(inputs, ["s3/b/a/x.jsonl", "s3/b/a/y.jsonl"]);
    assert_eq!(listed(&client, "s3://b/**/*.jsonl").unwrap().0.len(), 4);
    assert_eq!(listed(&client, "s3://b/a/.*").unwrap().0, ["s3://b/a/.hidden.jsonl"]);
    assert_eq!(listed(&client, "s3://b").unwrap().0.len(), 6);
}

#[test]
fn a_folder_that_matches_is_taken_whole() {
    let client = client(&KEYS);
    let (objects, inputs) = listed(&client, "s3://b/a/s*").unwrap();
    assert_eq!((objects, inputs), (vec!["s3://b/a/sub/z.jsonl".to_owned()], vec!["s3/b/a/sub".to_owned()]));
}

#[test]
fn what_is_not_there_is_told() {
    let client = client(&KEYS);
    let told = |url: &str| listed(&client, url).unwrap_err().to_string();
    assert!(told("s3://b/none.jsonl").starts_with("s3://b/none.jsonl: no such object"));
    assert!(told("s3://b/a").contains("end it with /"), "{}", told("s3://b/a"));
    assert!(told("s3://b/none/").starts_with("s3://b/none/: no object is there"));
    assert!(told("s3://b/*.parquet").contains("no object is there"));
    assert!(told("s3://b/[a").contains("no pattern"));
    assert!(told("https://h/a/").contains("name each file"));
    assert!(told("s3://b/a/../c.txt").contains("empty parts, . or .."));
}

#[test]
fn a_name_that_no_file_can_have_is_refused() {
    let long = "x".repeat(MAX_PART + 1);
    let client = client(&[(&long, "1"), ("fine", "2")]);
    assert!(matches!(listed(&client, "s3://b/"), Err(Error::Name { .. })));
    assert!(listed(&client, "s3://b/f*").is_ok());
    let object = |key: &str| {
        let (objects, _) = list(&client, &Location::parse("s3://b/fine").unwrap(), false, &Quiet).unwrap();
        Object { key: key.to_owned(), ..objects[0].clone() }
    };
    for key in ["../x", "a/../../x", "/x", "a//b", "a/", "a\0b"] {
        assert!(check_name(&object(key)).is_err(), "{key:?}");
    }
}
