//! Many operations in one request.

use super::{Served, request, text};
use crate::Limits;
use axum::body::Body;
use axum::http::Method;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use std::time::Duration;
use tower::ServiceExt;

async fn batch(served: &Served, body: impl Into<Body>) -> Vec<Value> {
    let request = request(Method::POST, "/v1/collections/seen/batch").header("content-type", "application/x-ndjson");
    let (status, bytes) = served.send(request.body(body.into()).unwrap()).await;
    assert_eq!(status, 200);
    String::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn answers_keep_the_order_of_lines() {
    let served = Served::store();
    let mut lines: Vec<String> = Vec::new();
    for number in 0..300u64 {
        // some are long, and worked on elsewhere
        let words = if number % 7 == 0 { 9000 } else { 100 };
        lines.push(json!({ "op": "check-and-insert", "id": number, "text": text(number % 100, words) }).to_string());
    }
    lines.insert(150, "no JSON".into());
    lines.insert(100, String::new());
    let answers = batch(&served, lines.join("\r\n")).await;
    assert_eq!(answers.len(), 301);
    let wrong = answers.iter().position(|answer| answer.get("error").is_some());
    assert_eq!(wrong, Some(150));
    assert_eq!((&answers[150]["line"], &answers[150]["error"]["status"]), (&json!(152), &json!(400)));
    for (number, answer) in answers.iter().filter(|answer| answer.get("error").is_none()).enumerate() {
        assert_eq!(answer["id"], number as u64);
    }
    // the first of equal lines is the new one
    assert!(answers[..100].iter().all(|answer| answer["new"] == json!(true)));
}

/// Batches whose clients send nothing, or empty lines, keep nobody out, and end.
#[tokio::test(start_paused = true)]
async fn idle_batches_keep_nobody_out() {
    let served = Served::store();
    let mut idle = Vec::new();
    for _ in 0..64 {
        let empty = futures_util::stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Some((Ok::<_, std::io::Error>("\n"), ()))
        });
        let request =
            request(Method::POST, "/v1/collections/seen/batch").header("content-type", "application/x-ndjson");
        let response = served.server.router().oneshot(request.body(Body::from_stream(empty)).unwrap()).await.unwrap();
        assert_eq!(response.status(), 200);
        idle.push(tokio::spawn(response.into_body().collect()));
    }
    assert_eq!(batch(&served, "{\"fingerprint\":\"0123456789abcdef\"}").await[0]["new"], true);
    for ended in idle {
        let answer: Value = serde_json::from_slice(&ended.await.unwrap().unwrap().to_bytes()).unwrap();
        assert_eq!(answer["error"]["status"], 408);
    }
}

#[tokio::test]
async fn a_line_that_is_too_long_costs_itself() {
    let served = Served::limited(Limits { body: 1000, ..Limits::default() });
    let long = json!({ "text": "x".repeat(2000) });
    let short = json!({ "fingerprint": "0123456789abcdef" });
    let answers =
        batch(&served, format!("{short}\n{long}\n{short}\n{{\"op\":\"dance\"}}\n{{\"op\":\"put\",\"text\":\"a\"}}"))
            .await;
    assert_eq!(answers.len(), 5, "{answers:?}");
    let status = |at: usize| answers[at]["error"]["status"].clone();
    assert_eq!((status(0), status(1), status(2)), (Value::Null, json!(413), Value::Null));
    assert_eq!((status(3), status(4), &answers[4]["line"]), (json!(422), json!(422), &json!(5)));
}
