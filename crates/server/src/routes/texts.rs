//! Texts, to lay them side by side.

use crate::app::App;
use crate::content::{Answer, Content, Params};
use crate::problem::Problem;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Which text.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct TextRequest {
    /// The index; without it, the first.
    index: Option<String>,
    /// What the name had with this content id; without it, what it had last.
    content: Option<String>,
}

/// A file that is read.
#[derive(Debug, Default, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct ReadRequest {
    /// The index by whose recipe it is read; without it, the first.
    index: Option<String>,
    /// What it is called: the ending of a name tells the format.
    id: Option<String>,
    /// The document, as text.
    text: Option<String>,
}

/// A text.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TextAnswer {
    /// What the document is called.
    id: String,
    /// Its content id, if the index has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    /// What a reader of it sees.
    text: String,
}

const WHAT: &str = "an index of documents";

/// The text of a document that can still be read where it was indexed, and is what it was: an index keeps none. Only where the server was
/// told to show texts.
#[utoipa::path(get, path = "/v1/documents/{id}/text", tag = "documents", params(TextRequest, ("id" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, body = TextAnswer), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn document_text(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Params(request): Params<TextRequest>,
) -> Result<Answer, Problem> {
    if !app.texts {
        return Err(Problem::forbidden("this server shows no texts of documents; whoever runs it can allow it"));
    }
    app.block(move |app| {
        let open = app.collections.pick(request.index.as_deref(), WHAT, |collection| collection.index())?.open();
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
        Answer::plain(&TextAnswer { id, content: Some(content), text: text.visible })
    })
    .await
}

/// What a reader of a file sees: its text, as an index would read it. Nothing is kept.
#[utoipa::path(post, path = "/v1/text", tag = "query", params(ReadRequest),
    request_body(content((ReadRequest = "application/json"), (String = "text/plain"), (String = "text/html"), (Vec<u8> = "application/octet-stream"))),
    responses((status = 200, body = TextAnswer), (status = "4XX", body = Problem), (status = 503, body = Problem)))]
pub(super) async fn read_text(
    State(app): State<Arc<App>>,
    Params(params): Params<ReadRequest>,
    content: Content<ReadRequest>,
) -> Result<Answer, Problem> {
    let (request, raw) = match content {
        Content::Json(body) => {
            let (index, id) = (body.index.or(params.index), body.id.or(params.id));
            (ReadRequest { index, id, ..body }, None)
        }
        Content::Document(bytes) => (params, Some(bytes)),
    };
    app.block(move |app| {
        let open = app.collections.pick(request.index.as_deref(), WHAT, |collection| collection.index())?.open();
        let id = request.id.unwrap_or_else(|| "document".into());
        let bytes = match (&raw, &request.text) {
            (Some(bytes), None) => &bytes[..],
            (None, Some(text)) => text.as_bytes(),
            _ => return Err(Problem::meaningless("expected \"text\", or a document as the body")),
        };
        let text = open.index.read_text(&id, bytes)?;
        Answer::plain(&TextAnswer { id, content: None, text: text.visible })
    })
    .await
}
