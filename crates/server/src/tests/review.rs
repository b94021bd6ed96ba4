//! Verdicts that all reviewers share.

use super::{Served, text};
use axum::http::Method;
use serde_json::{Value, json};

async fn put(served: &Served, body: Value) -> (u16, Value) {
    served.ask(Method::PUT, "/v1/collections/pages/verdicts", Some(body)).await
}

#[tokio::test]
async fn the_newest_verdict_holds_for_all_and_survives() {
    let words = text(1, 300);
    let mut served = Served::index(&[("old", &words), ("copy", &format!("{words} and an end"))]);
    let (_, clusters) = served.get("/v1/collections/pages/clusters").await;
    let cluster = clusters["listed"][0]["representative"].as_str().unwrap().to_owned();
    assert_eq!(served.get("/v1/collections/pages/verdicts").await, (200, json!({ "verdicts": [], "last": 0 })));
    let keep = json!({ "cluster": cluster, "verdict": "keep", "keep": ["old"], "who": "ann", "note": "the longer", "documents": [{ "id": "old", "content": cluster }] });
    let (status, first) = put(&served, keep).await;
    assert_eq!((status, &first["number"], &first["who"]), (200, &json!(1), &json!("ann")));
    assert!(first["when"].as_u64().unwrap() > 1_700_000_000);
    put(&served, json!({ "cluster": cluster, "verdict": "not-duplicates", "who": "ben" })).await;
    let (_, seen) = served.get("/v1/collections/pages/verdicts?after=1").await;
    assert_eq!((&seen["last"], &seen["verdicts"][0]["who"]), (&json!(2), &json!("ben")));
    assert_eq!(
        served.get("/v1/collections/pages/verdicts").await.1["verdicts"].as_array().unwrap().len(),
        1,
        "one for each cluster"
    );
    assert_eq!(served.get("/v1/collections/pages/verdicts?after=2").await.1["verdicts"], json!([]));
    served.reopen();
    let (_, kept) = served.get("/v1/collections/pages/verdicts").await;
    assert_eq!((&kept["verdicts"][0]["verdict"], &kept["last"]), (&json!("not-duplicates"), &json!(2)));
    let (_, back) = put(&served, json!({ "cluster": cluster, "verdict": null, "who": "ann" })).await;
    assert_eq!((&back["number"], &back["verdict"]), (&json!(3), &Value::Null));
}

#[tokio::test]
async fn what_is_no_verdict() {
    let served = Served::index(&[("a", "some words that are here")]);
    let long = "x".repeat(5000);
    for body in [
        json!({}),
        json!({ "cluster": "a" , "verdict": "burn" }),
        json!({ "cluster": "", "verdict": "keep" }),
        json!({ "cluster": "a", "verdict": "keep", "colour": "red" }),
        json!({ "cluster": "a", "verdict": "keep", "note": long }),
        json!({ "cluster": "a", "verdict": "keep", "who": long }),
    ] {
        assert_eq!(put(&served, body.clone()).await.0, 422, "{body}");
    }
    assert_eq!(served.get("/v1/collections/pages/verdicts?after=x").await.0, 400);
    assert_eq!(Served::store().get("/v1/collections/seen/verdicts").await.0, 422);
}
