//! An index over HTTP: asked, changed while it is asked, and the journal.

use super::{Served, new_index, request, text};
use crate::ServerOptions;
use axum::body::Body;
use axum::http::Method;
use serde_json::{Value, json};

fn served() -> Served {
    let (old, other) = (text(1, 300), text(2, 300));
    Served::index(&[("old", &old), ("copy", &format!("{old} and an end")), ("other", &other)])
}

#[tokio::test]
async fn what_an_index_is_asked() {
    let served = served();
    let (status, found) = served.post("/v1/collections/pages/query", json!({ "text": text(1, 300) })).await;
    assert_eq!((status, &found["lens"], &found["known"]), (200, &json!("shingles"), &json!(true)), "{found}");
    assert_eq!(found["matches"][0]["seen"][0]["url"], "old");
    let (_, checked) = served.post("/v1/collections/pages/check", json!({ "text": text(9, 300) })).await;
    assert_eq!((&checked["new"], &checked["matches"]), (&json!(true), &json!([])));
    assert_eq!(served.post("/v1/collections/pages/query", json!({ "url": "nobody" })).await.0, 404);
    assert_eq!(served.post("/v1/collections/pages/query", json!({ "text": "a b", "threshold": 7 })).await.0, 422);
    assert_eq!(served.post("/v1/collections/pages/check", json!({ "fingerprint": "0123456789abcdef" })).await.0, 422);
    let (_, holders) = served.get("/v1/collections/pages/holders?url=old").await;
    assert_eq!((&holders["asked"], &holders["holders"][0]["url"]), (&json!("name"), &json!("copy")));
    let (_, collapsed) =
        served.post("/v1/collections/pages/collapse", json!({ "urls": ["copy", "other", "old", "unknown"] })).await;
    assert_eq!((&collapsed["groups"][0]["others"][0]["url"], &collapsed["unknown"]), (&json!("old"), &json!(1)));
    let (_, clusters) = served.get("/v1/collections/pages/clusters?limit=1").await;
    assert_eq!((&clusters["clusters"], &clusters["listed"][0]["documents"]), (&json!(1), &json!(2)));
    assert_eq!(served.get("/v1/collections/pages/lost?url=old").await.1["status"], "unchanged");
    assert_eq!(served.get("/v1/collections/pages/lost?url=never").await.0, 404);
    assert_eq!(served.get("/v1/collections/pages/changes").await.0, 200);
    let (status, compared) = served.post("/v1/compare", json!({ "a": text(1, 50), "b": text(1, 60), "w": 3 })).await;
    assert_eq!((status, &compared["class"]), (200, &json!("near")), "{compared}");
    assert_eq!(served.post("/v1/compare", json!({ "a": "x", "b": "y", "w": 0 })).await.0, 422);
}

#[tokio::test]
async fn bytes_are_asked_of_an_index_of_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let (old, other) = (text(1, 3000), text(2, 3000));
    let documents = [("old", &*old), ("other", &*other)];
    let indexes = vec![new_index(&folder, "files", lookalike::ChunksOptions::default(), &documents)];
    let served = Served::with(folder, &ServerOptions { indexes, ..ServerOptions::default() });
    let newer = format!("{} \u{0} and an end", text(1, 3000));
    let (status, found) = served.post("/v1/collections/files/query", json!({ "text": newer })).await;
    assert_eq!((status, &found["lens"], &found["known"]), (200, &json!("chunks"), &json!(false)), "{found}");
    assert_eq!(
        (&found["matches"][0]["seen"][0]["url"], &found["matches"][0]["class"]),
        (&json!("old"), &json!("near"))
    );
    let least = json!({ "text": newer, "min_shared": 1_000_000 });
    assert_eq!(served.post("/v1/collections/files/query", least).await.1["matches"], json!([]));
    let raw = request(Method::POST, "/v1/collections/files/query").header("Content-Type", "application/octet-stream");
    let (status, answer) = served.send(raw.body(Body::from(newer.into_bytes())).unwrap()).await;
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    assert_eq!((status.as_u16(), &answer["matches"]), (200, &found["matches"]));
    put_to(&served, "files", "new", 5, "?wait=true").await;
    assert_eq!(served.post("/v1/collections/files/query", json!({ "url": "new" })).await.1["known"], true);
    let (status, refused) = served.get("/v1/collections/files/lost?url=old").await;
    assert_eq!(status, 422, "{refused}");
    assert_eq!(served.get("/v1/collections").await.1["collections"][0]["kind"], "chunks");
}

async fn put(served: &Served, id: &str, seed: u64, parameters: &str) -> Value {
    put_to(served, "pages", id, seed, parameters).await
}

async fn put_to(served: &Served, collection: &str, id: &str, seed: u64, parameters: &str) -> Value {
    let path = format!("/v1/collections/{collection}/documents/{id}{parameters}");
    let (status, written) = served.ask(Method::PUT, &path, Some(json!({ "text": text(seed, 300) }))).await;
    assert_eq!(status, 200, "{written}");
    written
}

#[tokio::test]
async fn documents_come_and_go_while_it_is_asked() {
    let served = served();
    assert_eq!(put(&served, "new", 5, "?wait=true").await, json!({ "id": "new", "durable": true, "visible": true }));
    let (_, found) = served.post("/v1/collections/pages/query", json!({ "text": text(5, 300) })).await;
    assert_eq!(found["matches"][0]["seen"][0]["url"], "new");
    let (_, entry) = served.get("/v1/collections/pages/documents/new").await;
    assert_eq!((&entry["url"], &entry["pending"]), (&json!("new"), &Value::Null));
    let metrics = request(Method::GET, "/metrics").body(Body::empty()).unwrap();
    let numbers = String::from_utf8(served.send(metrics).await.1).unwrap();
    assert!(numbers.contains("lookalike_pages_inserted_total 1\n"), "{numbers}");
    let delete = async |name: &str| {
        served.ask(Method::DELETE, &format!("/v1/collections/pages/documents/{name}"), None).await.1["removed"].clone()
    };
    assert_eq!(delete("new?sweep=2026-01-01").await, 0, "it was not seen then");
    assert_eq!(delete("new?wait=true").await, 1);
    assert_eq!(served.get("/v1/collections/pages/documents/new").await.0, 404);
    assert_eq!((delete("new").await, delete("never").await), (0.into(), 0.into()));
    assert_eq!(
        served
            .ask(Method::PUT, "/v1/collections/pages/documents/x?sweep=tomorrow", Some(json!({ "text": "a" })))
            .await
            .0,
        422
    );
    assert_eq!(
        served
            .ask(Method::PUT, "/v1/collections/pages/documents/x", Some(json!({ "fingerprint": "0123456789abcdef" })))
            .await
            .0,
        422
    );
}

/// What was acknowledged is there after the server ended without having folded it.
#[tokio::test]
async fn the_journal_is_replayed() {
    let mut served = served();
    assert_eq!(put(&served, "new", 5, "").await["visible"], false);
    served.ask(Method::DELETE, "/v1/collections/pages/documents/other", None).await;
    assert_eq!(served.get("/v1/collections/pages/documents/new").await.1["pending"], "put");
    served.server.close();
    assert!(std::fs::read_dir(served.folder.path().join("pages/journal")).unwrap().count() > 0, "it ended before that");
    served.reopen();
    // behind the rest of the journal
    put(&served, "last", 6, "?wait=true").await;
    assert_eq!(
        (
            served.get("/v1/collections/pages/documents/new").await.0,
            served.get("/v1/collections/pages/documents/other").await.0
        ),
        (200, 404)
    );
    let (_, found) = served.post("/v1/collections/pages/query", json!({ "text": text(5, 300) })).await;
    assert_eq!(found["matches"][0]["seen"][0]["url"], "new");
}
