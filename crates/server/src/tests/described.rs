//! The description is of what is there.

use super::Served;
use serde_json::Value;

const METHODS: [&str; 4] = ["get", "put", "post", "delete"];

/// Every route that is described answers something else than "nothing is here", and every method that is not is refused.
#[tokio::test]
async fn every_route_is_described_and_there() {
    let served = Served::store();
    let (status, description) = served.get("/v1/openapi.json").await;
    assert_eq!(status, 200);
    let paths = description["paths"].as_object().unwrap();
    let expected = [
        "/healthz",
        "/metrics",
        "/v1/openapi.json",
        "/v1/collections",
        "/v1/collections/{collection}",
        "/v1/collections/{collection}/batch",
        "/v1/collections/{collection}/changes",
        "/v1/collections/{collection}/check",
        "/v1/collections/{collection}/check-and-insert",
        "/v1/collections/{collection}/clusters",
        "/v1/collections/{collection}/collapse",
        "/v1/collections/{collection}/crawls",
        "/v1/collections/{collection}/crawls/{id}",
        "/v1/collections/{collection}/crawls/{id}/cancel",
        "/v1/collections/{collection}/crawls/{id}/commit",
        "/v1/collections/{collection}/documents/{id}",
        "/v1/collections/{collection}/documents/{id}/text",
        "/v1/collections/{collection}/holders",
        "/v1/collections/{collection}/lost",
        "/v1/collections/{collection}/query",
        "/v1/collections/{collection}/templates",
        "/v1/collections/{collection}/templates/{name}",
        "/v1/collections/{collection}/text",
        "/v1/collections/{collection}/verdicts",
        "/v1/compare",
        "/v1/copies/jobs",
        "/v1/copies/jobs/{id}",
        "/v1/copies/jobs/{id}/report",
        "/v1/copies/jobs/{id}/page",
    ];
    let mut known: Vec<&str> = paths.keys().map(String::as_str).collect();
    known.sort_unstable();
    let mut all = expected.to_vec();
    all.sort_unstable();
    assert_eq!(known, all);
    for (path, methods) in paths {
        let path = path.replace("{id}", "some").replace("{name}", "some").replace("{collection}", "seen");
        for method in METHODS {
            let described = methods.get(method).is_some();
            let (status, _) = served.ask(method.to_ascii_uppercase().parse().unwrap(), &path, None).await;
            assert_eq!(status == 405, !described, "{method} {path}: {status}");
        }
    }
}

/// What the description refers to is in it.
#[tokio::test]
async fn every_reference_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let (_, description) = Served::store().get("/v1/openapi.json").await;
    let mut found = Vec::new();
    references(&description, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let place = reference.strip_prefix('#').expect("inside");
        assert!(description.pointer(place).is_some(), "{reference}");
    }
}

/// Everything that generators of clients and validators ask for: a description of each response, and a schema of each answer.
#[tokio::test]
async fn every_response_is_described() {
    let (_, description) = Served::store().get("/v1/openapi.json").await;
    assert_eq!(description["components"]["securitySchemes"]["token"]["scheme"], "bearer");
    for (path, item) in description["paths"].as_object().unwrap() {
        for method in METHODS {
            for (status, response) in item[method]["responses"].as_object().into_iter().flatten() {
                assert!(response["description"].is_string(), "{method} {path} {status}");
                let schema = &response["content"]["application/json"]["schema"];
                let is_whole = schema.is_null() || schema["$ref"].is_string() || path == "/v1/openapi.json";
                assert!(is_whole, "{method} {path} {status}: {schema}");
            }
        }
    }
    let schemas = &description["components"]["schemas"];
    let lenses: Vec<&Value> = schemas["SearchResultAnswer"]["anyOf"].as_array().unwrap().iter().collect();
    assert_eq!(lenses.len(), 4);
    for lens in lenses {
        for field in ["collection", "query", "lens", "matches"] {
            assert!(lens["properties"][field].is_object(), "{field}: {lens}");
        }
    }
}

#[tokio::test]
async fn numbers_for_prometheus() {
    let served = Served::store();
    served.get("/v1/collections/seen/check?fingerprint=0123456789abcdef").await;
    served.get("/nowhere").await;
    let (status, text) =
        served.send(super::request("GET".parse().unwrap(), "/metrics").body(axum::body::Body::empty()).unwrap()).await;
    let text = String::from_utf8(text).unwrap();
    assert_eq!(status.as_u16(), 200);
    for line in [
        "lookalike_requests_total{route=\"/v1/collections/{collection}/check\",status=\"2xx\"} 1",
        "lookalike_requests_total{route=\"other\",status=\"4xx\"} 1",
        "lookalike_request_seconds_count{route=\"/v1/collections/{collection}/check\"} 1",
        "lookalike_entries{collection=\"seen\"} 0",
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}
