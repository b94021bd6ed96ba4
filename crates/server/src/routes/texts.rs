//! Texts of documents, to be shown side by side.

use crate::app::App;
use crate::content::{Answer, Content, IdPath, InPath, Named, Params};
use crate::problem::Problem;
use axum::extract::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// The version of a text.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct TextRequest {
    /// The content id of a version; without it, the last is meant.
    content: Option<String>,
}

/// A file that is read.
#[derive(Debug, Default, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct ReadRequest {
    /// Its name, whose ending tells the format.
    id: Option<String>,
    /// The document, as text.
    text: Option<String>,
}

/// A text.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "the name in the answer")]
pub(super) struct Text {
    /// The name of the document.
    id: String,
    /// Its content id, if the index has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    /// The text that a reader of it sees.
    text: String,
}

/// The text of a document that can still be read where it was indexed, and is what it was: an index keeps none. Only where the server was
/// told to show texts.
#[utoipa::path(get, path = "/documents/{id}/text", tag = "documents", params(TextRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, body = ref("#/components/schemas/TextAnswer"))))]
pub(super) async fn document_text(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    InPath(IdPath { id }): InPath<IdPath>,
    Params(request): Params<TextRequest>,
) -> Result<Answer, Problem> {
    if !app.texts {
        return Err(Problem::forbidden("this server shows no texts of documents; whoever runs it can allow it"));
    }
    app.block(move |app| {
        let open = collection.index()?.open();
        let index = &open.index;
        let mut found = None;
        for (_, document) in index.find(&id)?.into_iter().rev() {
            let content = index.content(document)?;
            if request.content.as_ref().is_none_or(|wanted| *wanted == content) {
                found = Some((document, content));
                break;
            }
        }
        let unknown = || Problem::not_found(format!("the index has no such document called {id:?}; check its spelling"));
        let (document, content) = found.ok_or_else(unknown)?;
        let text = index.text(document, app.limits.body as u64)?.ok_or_else(|| {
            Problem::not_found(format!(
                "an index keeps no texts, and the original of {id:?} is gone, was changed, is too large, or came over the network"
            ))
        })?;
        Answer::of(&collection, Text { id, content: Some(content), text: text.visible })
    })
    .await
}

/// The text of a file, as an index would read it. Nothing is kept.
#[utoipa::path(post, path = "/text", tag = "query", params(ReadRequest),
    request_body(content((ReadRequest = "application/json"), (String = "text/plain"), (String = "text/html"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, body = ref("#/components/schemas/TextAnswer"))))]
pub(super) async fn read_text(
    State(app): State<Arc<App>>,
    Named(collection): Named,
    Params(params): Params<ReadRequest>,
    content: Content<ReadRequest>,
) -> Result<Answer, Problem> {
    let (request, raw) = match content {
        Content::Json(body) => {
            let id = body.id.or(params.id);
            (ReadRequest { id, ..body }, None)
        }
        Content::Document(bytes) => (params, Some(bytes)),
    };
    app.block(move |_| {
        let open = collection.index()?.open();
        let id = request.id.unwrap_or_else(|| "document".into());
        let bytes = match (&raw, &request.text) {
            (Some(bytes), None) => &bytes[..],
            (None, Some(text)) => text.as_bytes(),
            _ => return Err(Problem::meaningless("expected \"text\", or a document as the body")),
        };
        let text = open.index.read_text(&id, bytes)?;
        Answer::of(&collection, Text { id, content: None, text: text.visible })
    })
    .await
}
