//! The description of the routes, as `OpenAPI` 3.1. Parameters and bodies are described beside their handlers; answers by the schemas of the
//! types that are written, wherever those are defined. What all routes have in common is added here.

use super::about::{CollectionList, Health, Served};
use super::batch::BatchError;
use super::check::{IndexCheck, StoreCheck};
use super::clusters::RunAnswer;
use super::copies::JobList;
use super::crawls::Crawls;
use super::documents::EntryChanged;
use super::history::AskedHolders;
use super::texts::Text;
use super::verdicts::VerdictList;
use crate::content::Of;
use crate::jobs::JobInfo;
use crate::living::{ClusterPage, DocumentState, Written};
use crate::problem::{PROBLEM, Problem};
use crate::store::{CrawlInfo, NearMatch};
use crate::verdicts::KeptVerdict;
use lookalike::index::{Changes, CollapseResult, LostResult, SearchResult};
use lookalike::templates::{MarkedTemplate, TemplateList};
use lookalike::{ByteSides, Comparison, Report, ShingleComparison};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};
use utoipa::openapi::OpenApi as Description;
use utoipa::{OpenApi, PartialSchema, ToSchema};

/// Routes that need no token.
const PUBLIC: [&str; 2] = ["/healthz", "/v1/openapi.json"];
const METHODS: [&str; 4] = ["get", "put", "post", "delete"];

#[derive(OpenApi)]
#[openapi(
    info(
        title = "lookalike",
        description = "Near-duplicates over HTTP. Answers have the shapes of the command's --json, and name the collection that gave them. A refusal is a problem (RFC 9457)."
    ),
    servers((url = "/", description = "This server"))
)]
struct Head;

pub(super) fn head() -> Description {
    Head::openapi()
}

/// The description with all that its routes have in common.
pub(super) fn complete(routes: &Description) -> Value {
    let mut all = json!(routes);
    for (path, item) in all["paths"].as_object_mut().into_iter().flatten() {
        if path.contains("{collection}") {
            let about = "The collection: the last part of the path of an index, a store or a run";
            item["parameters"] = json!([{
                "name": "collection", "in": "path", "required": true, "description": about, "schema": { "type": "string" },
            }]);
        }
        for method in METHODS {
            let Some(operation) = item.get_mut(method) else { continue };
            if PUBLIC.contains(&path.as_str()) {
                operation["security"] = json!([]);
            }
            describe_body(operation);
            describe_responses(operation);
        }
    }
    let mut schemas = answers();
    // no annotation refers to them
    schemas.insert(Problem::name().into_owned(), json!(Problem::schema()));
    schemas.insert(BatchError::name().into_owned(), json!(BatchError::schema()));
    if let Some(known) = all["components"]["schemas"].as_object_mut() {
        known.append(&mut schemas);
    }
    all["components"]["securitySchemes"] = json!({ "token": { "type": "http", "scheme": "bearer" } });
    // a server without tokens asks for none
    all["security"] = json!([{}, { "token": [] }]);
    all
}

fn describe_body(operation: &mut Value) {
    let binary = json!({ "type": "string", "format": "binary" });
    let Some(contents) = operation.pointer_mut("/requestBody/content").and_then(Value::as_object_mut) else { return };
    for (kind, content) in contents {
        match kind.as_str() {
            // a line of it is described
            "application/json" | "application/x-ndjson" => {}
            "multipart/form-data" => {
                let files = json!({ "type": "array", "items": binary });
                content["schema"] = json!({ "type": "object", "properties": { "file": files, "base": files } });
            }
            // a document as it is, in any encoding
            _ => content["schema"] = binary.clone(),
        }
    }
}

fn describe_responses(operation: &mut Value) {
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for response in responses.values_mut() {
        response.as_object_mut().map(|fields| fields.entry("description").or_insert_with(|| json!("The answer")));
    }
    let problem = json!({ "$ref": format!("#/components/schemas/{}", Problem::name()) });
    for (status, description) in [("4XX", "Why the request was refused"), ("5XX", "Why there is no answer")] {
        responses.insert(
            status.into(),
            json!({ "description": description, "content": { PROBLEM: { "schema": problem } } }),
        );
    }
}

/// The schemas of all answers, and of what they hold.
fn answers() -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let of = &mut generator;
    let any_of = |schemas: &[schemars::Schema]| json!({ "anyOf": schemas });
    let check = any_of(&[schema::<Of<'_, StoreCheck>>(of), schema::<Of<'_, IndexCheck>>(of)]);
    let document = any_of(&[schema::<Of<'_, NearMatch>>(of), schema::<Of<'_, DocumentState>>(of)]);
    let changed = any_of(&[schema::<Of<'_, Written>>(of), schema::<Of<'_, EntryChanged>>(of)]);
    let clusters = any_of(&[schema::<Of<'_, ClusterPage>>(of), schema::<RunAnswer<'_>>(of)]);
    let refused = schemars::json_schema!({ "$ref": "#/components/schemas/BatchError" });
    let searched = schema::<Of<'_, SearchResult>>(of);
    let batch = json!({ "anyOf": [refused, searched, check, changed] });
    for one in [
        schema::<Health>,
        schema::<CollectionList>,
        schema::<Comparison>,
        schema::<JobInfo>,
        schema::<JobList>,
        schema::<Report>,
        schema::<Of<'_, Served>>,
        schema::<Of<'_, AskedHolders>>,
        schema::<Of<'_, Changes>>,
        schema::<Of<'_, CollapseResult>>,
        schema::<Of<'_, CrawlInfo>>,
        schema::<Of<'_, Crawls>>,
        schema::<Of<'_, KeptVerdict>>,
        schema::<Of<'_, LostResult>>,
        schema::<Of<'_, MarkedTemplate>>,
        schema::<Of<'_, TemplateList>>,
        schema::<Of<'_, Text>>,
        schema::<Of<'_, VerdictList>>,
    ] {
        one(of);
    }
    let sides = [schema::<ShingleComparison>(of), schema::<ByteSides>(of)];
    let mut all = generator.take_definitions(true);
    // it has the fields of one of the two
    all["Comparison"]["oneOf"] = json!(sides);
    let unions = [
        ("Check", check),
        ("Document", document),
        ("DocumentChanged", changed),
        ("Clusters", clusters),
        ("Batch", batch),
    ];
    all.extend(unions.map(|(name, schema)| (format!("{name}Answer"), schema)));
    let names: Vec<String> = all.keys().cloned().collect();
    for name in names {
        let plain = words(&all[&name]).unwrap_or_else(|| flatten(&all[&name], &all));
        all[&name] = plain;
    }
    all
}

fn schema<T: schemars::JsonSchema>(generator: &mut SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<T>()
}

/// One of some words, as generators of clients understand it. Words with a description each are variants of their own.
fn words(schema: &Value) -> Option<Value> {
    let variants = schema["oneOf"].as_array()?.iter();
    let words = variants
        .map(|variant| variant["enum"].as_array().cloned().or_else(|| Some(vec![variant.get("const")?.clone()])));
    let words = words.collect::<Option<Vec<_>>>()?.concat();
    Some(json!({ "description": schema["description"].as_str().unwrap_or_default(), "type": "string", "enum": words }))
}

/// A schema whose variants are whole: generators of clients look at the fields of an object or at its variants, never at both.
fn flatten(schema: &Value, all: &Map<String, Value>) -> Value {
    let Some(object) = schema.as_object().filter(|object| object.contains_key("properties")) else {
        return schema.clone();
    };
    let mut object = object.clone();
    let Some(variants) = object.remove("oneOf").or_else(|| object.remove("anyOf")) else { return schema.clone() };
    let variants = variants.as_array().into_iter().flatten().map(|variant| {
        let mut whole = object.clone();
        whole.remove("description");
        let target = variant["$ref"].as_str().and_then(|place| place.rsplit('/').next());
        for part in target.and_then(|name| all.get(name)).into_iter().chain([variant]) {
            add_fields(&mut whole, part);
        }
        Value::Object(whole)
    });
    json!({ "description": schema["description"].as_str().unwrap_or_default(), "anyOf": variants.collect::<Vec<_>>() })
}

fn add_fields(object: &mut Map<String, Value>, part: &Value) {
    if let (Some(Value::Object(fields)), Some(more)) = (object.get_mut("properties"), part["properties"].as_object()) {
        fields.extend(more.clone());
    }
    if let (Some(Value::Array(names)), Some(more)) = (object.get_mut("required"), part["required"].as_array()) {
        names.extend(more.iter().filter(|name| !names.contains(name)).cloned().collect::<Vec<_>>());
    }
}
