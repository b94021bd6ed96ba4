//! The journal of an index: damage, other servers, what an index refuses, and disks that are full.

use super::{Served, new_index, request, text};
use crate::living::{LivingIndex, Record};
use crate::{Server, ServerOptions};
use axum::body::Body;
use axum::http::Method;
use lookalike::index::IndexWriter;
use lookalike::{ChunksOptions, Index, Input, PassagesOptions, Resources, ShinglesOptions, SimhashOptions};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

async fn put(served: &Served, id: &str, text: &str, parameters: &str) -> (u16, Value) {
    served
        .ask(Method::PUT, &format!("/v1/collections/pages/documents/{id}{parameters}"), Some(json!({ "text": text })))
        .await
}

async fn metric(served: &Served, name: &str) -> u64 {
    let metrics = request(Method::GET, "/metrics").body(Body::empty()).unwrap();
    let numbers = String::from_utf8(served.send(metrics).await.1).unwrap();
    let line = numbers.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {numbers}"));
    line.rsplit_once(' ').unwrap().1.parse().unwrap()
}

/// The lock of an index: while a test holds it, changes stay in the journal.
fn hold(index: &Path) -> File {
    let lock = File::options().write(true).open(index.join("lock")).unwrap();
    lock.lock().unwrap();
    lock
}

fn index(served: &Served) -> PathBuf {
    served.folder.path().join("pages")
}

fn journal(served: &Served) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(index(served).join("journal"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A second server that writes is refused while the first one lives; one that reads is not, and the command takes turns with both.
#[tokio::test]
async fn one_server_writes() {
    let served = Served::index(&[("old", &text(1, 300))]);
    let options = ServerOptions { indexes: vec![index(&served)], ..ServerOptions::default() };
    let refused = Server::open(&options).map(drop).unwrap_err().to_string();
    assert!(refused.contains("pages is being written by another process"), "{refused}");
    let reader = Server::open(&ServerOptions { read_only: true, ..options.clone() }).unwrap();
    assert_eq!(put(&served, "new", &text(2, 300), "?wait=true").await.1["visible"], true);
    IndexWriter::new(index(&served)).add(vec![Input::documents([("third", text(3, 300))])], None).unwrap();
    assert_eq!(put(&served, "last", &text(4, 300), "?wait=true").await.1["visible"], true);
    assert_eq!(served.get("/v1/collections/pages/documents/third").await.0, 200);
    reader.close();
    let mut served = served;
    served.reopen();
    assert_eq!(served.get("/v1/collections/pages/documents/last").await.0, 200);
}

/// A saved run has one server that writes its verdicts, too.
#[test]
fn one_server_writes_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    fs::create_dir(&site).unwrap();
    for (name, seed) in [("a", 1), ("b", 1), ("c", 2)] {
        fs::write(site.join(name), text(seed, 3000)).unwrap();
    }
    let run = folder.path().join("run");
    let scan = lookalike::Scanner::new(ChunksOptions::default()).run(vec![Input::Path(site)]).unwrap();
    scan.save(&run).unwrap();
    let options = ServerOptions { indexes: vec![run], ..ServerOptions::default() };
    let first = Server::open(&options).unwrap();
    let refused = Server::open(&options).map(drop).unwrap_err().to_string();
    assert!(refused.contains("run is being written by another process"), "{refused}");
    Server::open(&ServerOptions { read_only: true, ..options.clone() }).unwrap().close();
    first.close();
    drop(first);
    Server::open(&options).unwrap().close();
}

/// A flipped bit costs the change that it hits. The others are folded, and the file is kept.
#[tokio::test]
async fn damage_in_the_journal_costs_one_change() {
    let mut served = Served::index(&[("old", &text(1, 300))]);
    let lock = hold(&index(&served));
    for number in 0..10 {
        put(&served, &format!("d{number}"), &text(10 + number, 60), "").await;
    }
    served.server.close();
    let path = index(&served).join("journal/log-000001");
    let mut bytes = fs::read(&path).unwrap();
    let second = bytes.windows(9).position(|word| word == b"\"id\":\"d1\"").unwrap();
    bytes[second + 6] ^= 1;
    fs::write(&path, &bytes).unwrap();
    drop(lock);
    served.reopen();
    assert_eq!(put(&served, "last", &text(30, 60), "?wait=true").await.1["visible"], true);
    for number in 0..10 {
        let found = served.get(&format!("/v1/collections/pages/documents/d{number}")).await.0;
        assert_eq!(found, if number == 1 { 404 } else { 200 }, "{number}");
    }
    assert_eq!(
        (metric(&served, "lookalike_damaged_records").await, metric(&served, "lookalike_backlog").await),
        (1, 0)
    );
    assert_eq!(served.get("/v1/collections").await.1["collections"][0]["damaged"], 1);
    assert_eq!(journal(&served), ["log-000001.damaged"]);
    assert_eq!(fs::read(index(&served).join("journal/log-000001.damaged")).unwrap(), bytes);
}

#[tokio::test]
async fn the_format_before_is_refused() {
    let served = Served::index(&[("old", &text(1, 300))]);
    served.server.close();
    let path = index(&served).join("journal/000001.log");
    fs::write(&path, b"LKJ1").unwrap();
    let options = ServerOptions { indexes: vec![index(&served)], ..ServerOptions::default() };
    let mut served = served;
    served.server = Server::open(&ServerOptions::default()).unwrap();
    let refused = Server::open(&options).map(drop).unwrap_err().to_string();
    assert!(refused.contains("000001.log has format 1, expected 2"), "{refused}");
    assert!(path.is_file());
}

/// What an index would not take is refused before it is acknowledged.
#[tokio::test]
async fn what_cannot_be_indexed_is_refused_at_once() {
    let served = Served::index(&[("old", &text(1, 300))]);
    for empty in [" ", "", "... !"] {
        let (status, problem) = put(&served, "old", empty, "?wait=true").await;
        assert_eq!(status, 422, "{empty:?}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains("empty"), "{problem}");
    }
    let line = Body::from("{\"op\":\"put\",\"id\":\"old\",\"text\":\" \"}\n");
    let lines = request(Method::POST, "/v1/collections/pages/batch")
        .header("Content-Type", "application/x-ndjson")
        .body(line)
        .unwrap();
    let answer: Value = serde_json::from_slice(&served.send(lines).await.1).unwrap();
    assert_eq!(answer["error"]["status"], 422, "{answer}");
    assert_eq!(served.get("/v1/collections/pages/documents/old").await.1["pending"], Value::Null);
}

/// A text that is too short to be compared replaces what its page had, by every lens: what is acknowledged is found.
#[tokio::test]
async fn a_short_text_is_kept() {
    let words = ["page", "page not found", "page not found here now we are so very"];
    let lenses: [lookalike::LensOptions; 4] = [
        ShinglesOptions::default().into(),
        ChunksOptions::default().into(),
        SimhashOptions::default().into(),
        PassagesOptions::default().into(),
    ];
    for lens in lenses {
        let folder = tempfile::tempdir().unwrap();
        let old = text(1, 300);
        let indexes = vec![new_index(&folder, "pages", lens, &[("old", &old)])];
        let served = Served::with(folder, &ServerOptions { indexes, ..ServerOptions::default() });
        let page = async || served.get("/v1/collections/pages/documents/old").await;
        let before = page().await;
        assert_eq!(put(&served, "old", "", "?wait=true").await.0, 422);
        assert_eq!(page().await, before);
        let mut contents = vec![before.1["content"].clone()];
        for short in words {
            let (status, written) = put(&served, "old", short, "?wait=true").await;
            assert_eq!((status, &written["visible"]), (200, &json!(true)), "{short}: {written}");
            let (status, found) = page().await;
            assert_eq!((status, &found["pending"]), (200, &Value::Null), "{short}");
            assert!(!contents.contains(&found["content"]), "{short}: {found}");
            contents.push(found["content"].clone());
        }
        assert_eq!(metric(&served, "lookalike_refused_changes").await, 0);
    }
}

fn passages(resources: Resources) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let first = text(1, 300);
    let indexes = vec![new_index(&folder, "pages", PassagesOptions::default(), &[("old", &first)])];
    Served::with(folder, &ServerOptions { indexes, resources, ..ServerOptions::default() })
}

/// A document that takes more memory than is allowed is refused with the memory that it takes.
#[tokio::test]
async fn what_takes_too_much_memory_is_refused_at_once() {
    // a quarter of which is for changes
    let served = passages(Resources { memory: 64 << 20, ..Resources::default() });
    let large = "large words ".repeat(200_000);
    let (status, problem) = put(&served, "large", &large, "").await;
    assert_eq!(status, 413, "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("bytes of memory") && detail.contains(&(16u64 << 20).to_string()), "{detail}");
    assert_eq!(put(&served, "small", &text(2, 300), "?wait=true").await.1["visible"], true);
}

/// A server with less memory than the one that acknowledged a document: the document is set aside, and everything else is folded.
#[tokio::test]
async fn only_what_the_index_refuses_is_set_aside() {
    let mut served = passages(Resources::default());
    let lock = hold(&index(&served));
    let large = "large words ".repeat(200_000);
    for number in 0..9 {
        let id = format!("d{number}");
        assert_eq!(put(&served, &id, if number == 4 { &large } else { "other words " }, "").await.0, 200);
        if number != 4 {
            assert_eq!(put(&served, &id, &text(10 + number, 100), "").await.0, 200);
        }
    }
    served.server.close();
    drop(lock);
    let resources = Resources { memory: 16 << 20, ..Resources::default() };
    let options = ServerOptions { indexes: vec![index(&served)], resources, ..ServerOptions::default() };
    served.server = Server::open(&ServerOptions::default()).unwrap();
    served.server = Server::open(&options).unwrap();
    assert_eq!(put(&served, "last", &text(30, 100), "?wait=true").await.1["visible"], true);
    for number in 0..9 {
        assert_eq!(
            served.get(&format!("/v1/collections/pages/documents/d{number}")).await.0,
            if number == 4 { 404 } else { 200 }
        );
    }
    assert_eq!(journal(&served), ["log-000001.refused"]);
    assert_eq!(
        (metric(&served, "lookalike_refused_changes").await, metric(&served, "lookalike_backlog").await),
        (1, 0)
    );
    // the file is lines for a batch, for a server with more memory
    let lines = fs::read(index(&served).join("journal/log-000001.refused")).unwrap();
    served.server.close();
    served.server = Server::open(&ServerOptions::default()).unwrap();
    served.server = Server::open(&ServerOptions { resources: Resources::default(), ..options }).unwrap();
    assert_eq!(metric(&served, "lookalike_refused_changes").await, 1, "also after a start");
    let again = request(Method::POST, "/v1/collections/pages/batch").header("Content-Type", "application/x-ndjson");
    let answer: Value = serde_json::from_slice(&served.send(again.body(Body::from(lines)).unwrap()).await.1).unwrap();
    assert_eq!((&answer["id"], &answer["durable"]), (&json!("d4"), &json!(true)), "{answer}");
    assert_eq!(put(&served, "very-last", &text(31, 100), "?wait=true").await.1["visible"], true);
    assert_eq!(served.get("/v1/collections/pages/documents/d4").await.0, 200);
}

/// A request that waits is answered with the reason why the index did not take its change, and the index keeps what it had.
#[tokio::test]
async fn a_refused_change_is_not_visible() {
    let folder = tempfile::tempdir().unwrap();
    let (old, other) = (text(1, 300), text(2, 300));
    let path = new_index(&folder, "pages", ShinglesOptions::default(), &[("old", &old), ("other", &other)]);
    let open = || Index::open(&path, "").unwrap();
    let living = LivingIndex::new(&path, open(), "", &Resources::default(), false).unwrap();
    // nothing that the check refuses comes this far, but what can be read may change
    let empty = Record::Put { id: "old".into(), text: " ".into(), sweep: None };
    let number = living.submit(empty).unwrap().await.unwrap().unwrap();
    let reason = living.wait_until_visible(number).await.unwrap();
    assert!(reason.as_ref().is_some_and(|reason| reason.contains("no words")), "{reason:?}");
    let number = living.submit(Record::Delete { id: "none".into(), sweep: None }).unwrap().await.unwrap().unwrap();
    assert_eq!(living.wait_until_visible(number).await.unwrap(), None);
    assert_eq!((living.backlog(), living.refused_and_missing()), (0, (1, 0)));
    living.close();
    assert_eq!((open().find("old").unwrap().len(), open().find("other").unwrap().len()), (1, 1));
}

/// A file in the way stands for a disk that takes no file: what is refused leaves nothing behind, and is neither counted nor folded later.
#[tokio::test]
async fn refused_changes_do_not_pile_up() {
    let served = Served::index(&[("old", &text(1, 300))]);
    let in_the_way: Vec<_> = (1..=20).map(|number| index(&served).join(format!("journal/log-{number:06}"))).collect();
    for path in &in_the_way {
        fs::create_dir(path).unwrap();
    }
    for number in 0..20 {
        assert_eq!(put(&served, &format!("d{number}"), &text(10 + number, 60), "").await.0, 500);
        assert_eq!(metric(&served, "lookalike_backlog").await, 0);
    }
    for path in &in_the_way {
        fs::remove_dir(path).unwrap();
    }
    assert_eq!(journal(&served), Vec::<String>::new());
    assert_eq!(put(&served, "last", &text(40, 60), "?wait=true").await.1["visible"], true);
    assert_eq!(journal(&served), Vec::<String>::new());
    for number in 0..20 {
        assert_eq!(served.get(&format!("/v1/collections/pages/documents/d{number}")).await.0, 404);
    }
}

/// However many files processes that ended left, they are folded together.
#[tokio::test]
async fn closed_files_are_folded_in_one_round() {
    let mut served = Served::index(&[("old", &text(1, 300))]);
    let lock = hold(&index(&served));
    for number in 0..6 {
        assert_eq!(put(&served, &format!("d{number}"), &text(10 + number, 60), "").await.0, 200);
        served.reopen();
    }
    assert_eq!(journal(&served).len(), 6);
    let manifest = fs::read(index(&served).join("manifest.json")).unwrap();
    let generation = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap()["generation"].as_u64().unwrap();
    drop(lock);
    assert_eq!(put(&served, "last", &text(40, 60), "?wait=true").await.1["visible"], true);
    let folded = fs::read(index(&served).join("manifest.json")).unwrap();
    assert!(generation(&folded) <= generation(&manifest) + 2, "one round for the files, or another for the last");
    assert_eq!((journal(&served), metric(&served, "lookalike_backlog").await), (Vec::new(), 0));
    for number in 0..6 {
        assert_eq!(served.get(&format!("/v1/collections/pages/documents/d{number}")).await.0, 200);
    }
}

/// The damage of earlier processes still counts.
#[tokio::test]
async fn damaged_files_count_after_a_restart() {
    let mut served = Served::index(&[("old", &text(1, 300))]);
    let lock = hold(&index(&served));
    for number in 0..10 {
        put(&served, &format!("d{number}"), &text(10 + number, 60), "").await;
    }
    served.server.close();
    let path = index(&served).join("journal/log-000001");
    let length = fs::metadata(&path).unwrap().len();
    fs::write(&path, vec![0; usize::try_from(length).unwrap()]).unwrap();
    drop(lock);
    for _ in 0..2 {
        served.reopen();
        assert_eq!(put(&served, "last", &text(30, 60), "?wait=true").await.1["visible"], true);
        assert_eq!(metric(&served, "lookalike_damaged_records").await, 1);
        assert_eq!(journal(&served), ["log-000001.damaged"]);
    }
}
