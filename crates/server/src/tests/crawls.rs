//! What a crawl inserts becomes visible, or vanishes, as one.

use super::{Served, text};
use axum::http::Method;
use serde_json::{Value, json};

async fn insert(served: &Served, id: &str, seed: u64, crawl: Option<&str>) -> Value {
    let (status, answer) = served
        .post("/v1/collections/seen/check-and-insert", json!({ "id": id, "text": text(seed, 120), "crawl": crawl }))
        .await;
    assert_eq!(status, 200, "{answer}");
    answer
}

async fn is_new(served: &Served, seed: u64, crawl: Option<&str>) -> bool {
    let (status, answer) =
        served.post("/v1/collections/seen/check", json!({ "text": text(seed, 120), "crawl": crawl })).await;
    assert_eq!(status, 200, "{answer}");
    answer["new"].as_bool().unwrap()
}

async fn end(served: &Served, id: &str, how: &str) -> (u16, Value) {
    served.ask(Method::POST, &format!("/v1/collections/seen/crawls/{id}/{how}"), None).await
}

#[tokio::test]
async fn a_crawl_sees_itself_and_what_all_see() {
    let served = Served::store();
    insert(&served, "main", 1, None).await;
    assert_eq!(insert(&served, "again", 1, Some("may")).await["matches"][0]["id"], "main");
    assert_eq!(insert(&served, "page", 2, Some("may")).await["new"], true);
    assert_eq!(insert(&served, "page-2", 2, Some("may")).await["new"], false);
    assert_eq!((is_new(&served, 2, None).await, is_new(&served, 2, Some("june")).await), (true, true));
    assert!(!is_new(&served, 2, Some("may")).await);
    assert_eq!(
        served.get("/v1/collections/seen/crawls/may").await.1,
        json!({ "id": "may", "entries": 1, "committed": false })
    );
    assert_eq!(end(&served, "may", "commit").await.0, 200);
    assert_eq!((is_new(&served, 2, None).await, is_new(&served, 2, Some("june")).await), (false, false));
    assert_eq!(end(&served, "june", "commit").await.0, 404);
}

#[tokio::test]
async fn a_crawl_that_is_cancelled_was_never_there() {
    let mut served = Served::store();
    insert(&served, "page", 2, Some("may")).await;
    assert_eq!(end(&served, "may", "cancel").await.0, 200);
    assert!(is_new(&served, 2, None).await && is_new(&served, 2, Some("may")).await);
    assert_eq!(insert(&served, "page", 2, None).await["new"], true);
    served.reopen();
    assert_eq!(served.get("/v1/collections/seen/crawls").await.1, json!({ "crawls": [] }));
}

/// A crawl goes on after the server; and what was committed is moved on, whatever of it was moved before.
#[tokio::test]
async fn crawls_survive() {
    let mut served = Served::store();
    for page in 0..50 {
        insert(&served, &format!("page-{page}"), page, Some("may")).await;
    }
    served.reopen();
    assert!(is_new(&served, 7, None).await && !is_new(&served, 7, Some("may")).await);
    served.server.close();
    // as a process leaves it that is killed when it has committed and moved nothing
    let folder = served.folder.path().join("seen/crawls/crawl-may");
    std::fs::write(folder.join("COMMITTED"), "").unwrap();
    served.reopen();
    for page in 0..50 {
        assert!(!is_new(&served, page, None).await, "{page}");
    }
    for _ in 0..600 {
        if !folder.exists() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(!folder.exists(), "all of it is in the main store");
    served.reopen();
    let (_, found) = served.post("/v1/collections/seen/check", json!({ "text": text(7, 120) })).await;
    assert_eq!((&found["count"], &found["matches"][0]["id"]), (&json!(1), &json!("page-7")));
}
