//! Submissions are uploaded and compared.

use super::{Served, request, text};
use axum::body::Body;
use axum::http::{Method, header};
use http_body_util::BodyExt;
use serde_json::Value;
use std::time::Duration;
use tower::ServiceExt;

async fn upload(served: &Served, files: &[(&str, &str, &str)]) -> (u16, Value) {
    let part = |(field, name, content): &(&str, &str, &str)| {
        let head = format!("--x\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"");
        format!("{head}\r\n\r\n{content}\r\n")
    };
    let mut body: String = files.iter().map(part).collect();
    body += "--x--\r\n";
    let request =
        request(Method::POST, "/v1/copies/jobs?lang=text").header("content-type", "multipart/form-data; boundary=x");
    let (status, bytes) = served.send(request.body(Body::from(body)).unwrap()).await;
    (status.as_u16(), serde_json::from_slice(&bytes).unwrap())
}

#[tokio::test]
async fn a_job_makes_a_report_and_a_page() {
    let served = Served::store();
    let essay = text(1, 400);
    let files = [
        ("file", "anna.txt", essay.as_str()),
        ("file", "bert.txt", essay.as_str()),
        ("file", "carla.txt", "something else entirely"),
    ];
    let (status, job) = upload(&served, &files).await;
    assert_eq!(status, 202, "{job}");
    let place = format!("/v1/copies/jobs/{}", job["id"].as_str().unwrap());
    let mut info = Value::Null;
    for _ in 0..1500 {
        info = served.get(&place).await.1;
        if info["status"] == "done" || info["status"] == "failed" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(
        (&info["status"], &info["submissions"], &info["pairs"]),
        (&"done".into(), &3.into(), &1.into()),
        "{info}"
    );
    let (status, report) = served.get(&format!("{place}/report")).await;
    assert_eq!((status, &report["lens"]), (200, &"passages".into()));
    let folder = std::env::temp_dir().display().to_string();
    assert!(!report.to_string().contains(&folder), "where the server keeps it is nobody's business");
    let asked = request(Method::GET, &format!("{place}/page")).body(Body::empty()).unwrap();
    let response = served.server.router().oneshot(asked).await.unwrap();
    assert_eq!(response.headers()[header::CONTENT_SECURITY_POLICY], "frame-ancestors 'none'");
    let page = response.into_body().collect().await.unwrap().to_bytes();
    assert!(page.starts_with(b"<!"));
    assert_eq!(served.ask(Method::DELETE, &place, None).await.0, 204);
    assert_eq!(served.get(&place).await.0, 404);
}

#[tokio::test]
async fn what_is_no_upload() {
    let served = Served::store();
    for (field, name) in [("file", "../../x"), ("file", "/etc/x"), ("file", ""), ("virus", "a.txt")] {
        assert_eq!(upload(&served, &[(field, name, "x")]).await.0, 422, "{field} {name}");
    }
    let nested = upload(&served, &[("file", "a", "x"), ("file", "a/b", "y")]).await;
    assert_eq!(nested.0, 422, "{nested:?}");
    let twice = [("file", "a.txt", "x"), ("file", "a.txt", "y")];
    assert_eq!(upload(&served, &twice).await.0, 422);
    let request =
        request(Method::POST, "/v1/copies/jobs").header("content-type", "text/plain").body(Body::from("x")).unwrap();
    assert_eq!(served.send(request).await.0, 415);
}
