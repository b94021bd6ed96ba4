//! A store of fingerprints over HTTP.

use super::{Served, request, text};
use crate::Limits;
use axum::body::Body;
use axum::http::Method;
use serde_json::json;
use std::sync::Arc;

#[tokio::test]
async fn what_was_inserted_is_near_and_goes() {
    let served = Served::store();
    let page = text(1, 200);
    let (status, first) =
        served.post("/v1/collections/seen/check-and-insert", json!({ "id": "http://a.example/", "text": page })).await;
    assert_eq!((status, &first["new"], &first["id"]), (200, &json!(true), &json!("http://a.example/")));
    let fingerprint = first["fingerprint"].as_str().unwrap().to_owned();
    let (_, again) =
        served.post("/v1/collections/seen/check-and-insert", json!({ "id": "http://b.example/", "text": page })).await;
    let hit = json!({ "id": "http://a.example/", "fingerprint": fingerprint, "distance": 0 });
    assert_eq!((&again["new"], &again["count"], &again["matches"]), (&json!(false), &json!(1), &json!([hit])));
    let (_, checked) = served.get(&format!("/v1/collections/seen/check?fingerprint={fingerprint}")).await;
    let expected = json!({ "fingerprint": fingerprint, "new": false, "count": 1, "complete": true, "matches": [hit] });
    assert_eq!(checked, expected);
    // the same as a document, as HTML and as a file
    for (kind, body) in [
        ("text/plain", page.clone()),
        ("text/html", format!("<p>{page}</p>")),
        ("application/octet-stream", page.clone()),
    ] {
        let request = request(Method::POST, "/v1/collections/seen/check")
            .header("content-type", kind)
            .body(Body::from(body))
            .unwrap();
        let (_, bytes) = served.send(request).await;
        let answer: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(answer["matches"], json!([hit]), "{kind}");
    }
    let name = "/v1/collections/seen/documents/http%3A%2F%2Fa.example%2F";
    assert_eq!(served.get(&format!("{name}?fingerprint={fingerprint}")).await, (200, hit));
    assert_eq!(served.get(name).await.0, 422);
    let delete = format!("{name}?fingerprint={fingerprint}");
    assert_eq!(served.ask(Method::DELETE, &delete, None).await, (200, json!({ "deleted": true })));
    assert_eq!(served.ask(Method::DELETE, &delete, None).await, (200, json!({ "deleted": false })));
    assert_eq!(served.get(&delete).await.0, 404);
    let put = async |id: &str| {
        served.ask(Method::PUT, &format!("/v1/collections/seen/documents/{id}"), Some(json!({ "text": page }))).await.1
    };
    assert_eq!(
        (put("x").await, put("x").await, put("y").await),
        (json!({ "inserted": true }), json!({ "inserted": false }), json!({ "inserted": true }))
    );
    assert_eq!(served.get(&format!("/v1/collections/seen/check?fingerprint={fingerprint}")).await.1["count"], 2);
}

/// Of pages that come at the same moment, and are equal, exactly one is new.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_of_equal_pages_is_new() {
    let served = Arc::new(Served::limited(Limits { requests: 1000, ..Limits::default() }));
    let mut asked = Vec::new();
    for number in 0..400u64 {
        let served = Arc::clone(&served);
        asked.push(tokio::spawn(async move {
            let page = json!({ "id": format!("page-{number}"), "text": text(number % 20, 150) });
            let (status, answer) = served.post("/v1/collections/seen/check-and-insert", page).await;
            assert_eq!(status, 200, "{answer}");
            (number % 20, answer["new"].as_bool().unwrap())
        }));
    }
    let mut new = [0; 20];
    for answer in asked {
        let (page, is_new) = answer.await.unwrap();
        new[page as usize] += usize::from(is_new);
    }
    assert_eq!(new, [1; 20]);
}

#[tokio::test]
async fn entries_are_there_when_it_is_opened_again() {
    let mut served = Served::store();
    let (_, first) =
        served.post("/v1/collections/seen/check-and-insert", json!({ "id": "a", "text": text(1, 100) })).await;
    served.reopen();
    let (_, checked) =
        served.get(&format!("/v1/collections/seen/check?fingerprint={}", first["fingerprint"].as_str().unwrap())).await;
    assert_eq!(checked["matches"][0]["id"], "a");
    let (_, listed) = served.get("/v1/collections").await;
    assert_eq!(
        (&listed["collections"][0]["kind"], &listed["collections"][0]["entries"]),
        (&json!("fingerprints"), &json!(1))
    );
}

/// A flipped bit in the log costs one entry, and the store is served and written on.
#[tokio::test]
async fn a_store_with_a_damaged_log_is_served() {
    let mut served = Served::store();
    let insert = async |served: &Served, seed: u64| {
        let page = json!({ "id": format!("page-{seed}"), "text": text(seed, 100) });
        served.post("/v1/collections/seen/check-and-insert", page).await.1["new"].clone()
    };
    for seed in 0..5 {
        assert_eq!(insert(&served, seed).await, true);
    }
    let log = served.folder.path().join("seen/log-000001");
    let mut bytes = std::fs::read(&log).unwrap();
    let length = bytes.len();
    bytes[length - 1] ^= 1;
    // as a process that is killed leaves it
    let copy = tempfile::tempdir().unwrap();
    let kept: Vec<_> =
        std::fs::read_dir(served.folder.path().join("seen")).unwrap().map(|entry| entry.unwrap()).collect();
    for entry in kept.iter().filter(|entry| entry.file_type().unwrap().is_file()) {
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    served.server.close();
    let seen = served.folder.path().join("seen");
    served.server = crate::Server::open(&crate::ServerOptions::default()).unwrap();
    std::fs::remove_dir_all(&seen).unwrap();
    std::fs::rename(copy.path(), &seen).unwrap();
    std::fs::write(seen.join("log-000001"), &bytes).unwrap();
    served.reopen();
    let metrics = async |served: &Served| {
        let metrics = request(Method::GET, "/metrics").body(Body::empty()).unwrap();
        String::from_utf8(served.send(metrics).await.1).unwrap()
    };
    let numbers = metrics(&served).await;
    for line in ["lookalike_damaged_records{collection=\"seen\"} 1\n", "lookalike_entries{collection=\"seen\"} 4\n"] {
        assert!(numbers.contains(line), "{line} {numbers}");
    }
    assert_eq!((insert(&served, 3).await, insert(&served, 4).await), (false.into(), true.into()));
    served.reopen();
    assert_eq!(insert(&served, 4).await, false);
    assert!(metrics(&served).await.contains("lookalike_damaged_records{collection=\"seen\"} 1\n"));
    assert_eq!(std::fs::read(seen.join("log-000001.damaged")).unwrap(), bytes);
}

/// While one store is closed after a failure, the numbers of the server and the list of collections are still there.
#[tokio::test]
async fn a_closed_store_is_listed() {
    let served = Served::store();
    let seen = served.folder.path().join("seen");
    // a store that can neither write nor be opened
    let in_the_way = seen.join("log-000001");
    std::fs::create_dir(&in_the_way).unwrap();
    let page = json!({ "id": "a", "text": text(1, 100) });
    assert_eq!(served.post("/v1/collections/seen/check-and-insert", page.clone()).await.0, 500);
    let metrics = request(Method::GET, "/metrics").body(Body::empty()).unwrap();
    let (status, numbers) = served.send(metrics).await;
    let numbers = String::from_utf8(numbers).unwrap();
    assert!(status.is_success() && numbers.contains("lookalike_closed{collection=\"seen\"} 1\n"), "{numbers}");
    assert!(!numbers.contains("lookalike_entries"), "{numbers}");
    let (status, listed) = served.get("/v1/collections").await;
    assert_eq!((status, &listed["collections"][0]["entries"]), (200, &serde_json::Value::Null));
    std::fs::remove_dir(&in_the_way).unwrap();
    // the request that finds it closed opens it
    assert_eq!(served.post("/v1/collections/seen/check-and-insert", page.clone()).await.0, 503);
    assert_eq!(served.post("/v1/collections/seen/check-and-insert", page).await.1["new"], true);
    assert_eq!(served.get("/v1/collections").await.1["collections"][0]["entries"], 1);
}
