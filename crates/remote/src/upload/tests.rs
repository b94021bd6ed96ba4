//! Against a store in memory.

use super::*;
use crate::transfer::Quiet;
use object_store::memory::InMemory;

fn keys(client: &Client, target: &Location) -> Vec<(String, u64)> {
    let found = below(client, target, "", &Quiet).unwrap();
    found.into_iter().map(|object| (object.key, object.meta.size)).collect()
}

#[test]
fn a_folder_is_put_below_a_prefix() {
    let dir = tempfile::tempdir().unwrap();
    let large = (0..20_000_000u32).map(|byte| (byte % 251) as u8).collect::<Vec<u8>>();
    fs::create_dir_all(dir.path().join("corpus/en")).unwrap();
    fs::write(dir.path().join("corpus/en/large"), &large).unwrap();
    fs::write(dir.path().join("corpus/empty"), "").unwrap();
    fs::write(dir.path().join("summary.json"), "{}").unwrap();
    let store = Arc::new(InMemory::new());
    let client = Client::with_store("s3://b", Arc::clone(&store) as Arc<dyn ObjectStore>);
    let target = Location::parse("s3://b/out/").unwrap();
    client.check_target(&target, &Quiet).unwrap();
    client.put_folder(dir.path(), &target, "summary.json", &Quiet).unwrap();
    let expected = [("out/corpus/empty", 0), ("out/corpus/en/large", large.len() as u64), ("out/summary.json", 2)];
    assert_eq!(keys(&client, &target), expected.map(|(key, size)| (key.to_owned(), size)));
    let found = client.wait(&Quiet, async {
        let found = store.get(&ObjectPath::from("out/corpus/en/large")).await.expect("it is there");
        Ok(found.bytes().await.expect("its bytes"))
    });
    assert!(found.unwrap() == large);
    // it is complete now
    for again in [client.check_target(&target, &Quiet), client.put_folder(dir.path(), &target, "summary.json", &Quiet)]
    {
        assert!(matches!(again, Err(Error::Exists { .. })), "{again:?}");
    }
}

#[test]
fn what_a_stopped_run_put_is_put_again_and_nothing_else_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    for (name, body) in [("a", "whole"), ("summary.json", "{}")] {
        fs::write(dir.path().join(name), body).unwrap();
    }
    let store = Arc::new(InMemory::new());
    let client = Client::with_store("s3://b", Arc::clone(&store) as Arc<dyn ObjectStore>);
    let target = Location::parse("s3://b/out/").unwrap();
    let put = |key: &str| {
        let put = async { store.put(&ObjectPath::from(key), "x".into()).await.map(drop).map_err(|_| Error::Cancelled) };
        client.wait(&Quiet, put).unwrap();
    };
    put("out/a");
    put("output");
    client.put_folder(dir.path(), &target, "summary.json", &Quiet).unwrap();
    assert_eq!(keys(&client, &target)[0], ("out/a".to_owned(), 5));
    put("other/b");
    let other = Location::parse("s3://b/other/").unwrap();
    let refused = client.put_folder(dir.path(), &other, "summary.json", &Quiet).unwrap_err();
    assert!(refused.to_string().contains("found s3://b/other/b"), "{refused}");
}

#[test]
fn some_addresses_take_no_result() {
    let client = Client::new().unwrap();
    for url in ["https://h/out", "s3://b", "s3://b/out", "s3://b/o*/"] {
        assert!(client.check_target(&Location::parse(url).unwrap(), &Quiet).is_err(), "{url}");
    }
}
