//! Jobs: submissions are uploaded, and compared.

use super::upload::Uploading;
use crate::app::App;
use crate::content::{Answer, IdPath, InPath, Params};
use crate::jobs::{JobInfo, JobOptions};
use crate::problem::Problem;
use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use lookalike::{PassageRecipe, Reading};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io;
use std::sync::Arc;
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use utoipa::IntoParams;

/// Bytes of a file that are sent at once.
const PIECE: usize = 64 << 10;

/// How submissions are compared.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub(super) struct JobRequest {
    /// Each folder is one submission; otherwise each file is.
    per_folder: bool,
    /// Regular expression whose first group, in the name of a submission, is its owner.
    owner: Option<String>,
    /// `auto`, `text`, `bytes` or a language.
    lang: Option<String>,
}

/// The jobs of a server.
#[derive(Serialize, JsonSchema)]
pub(super) struct JobList {
    jobs: Vec<JobInfo>,
}

/// Uploads submissions, as a zip or as files of a form, and starts a job that compares them.
#[utoipa::path(post, path = "/v1/copies/jobs", tag = "copies", params(JobRequest),
    request_body(content((Vec<u8> = "application/zip"), (String = "multipart/form-data")), description = "A zip; or fields `file` with names such as anna/main.c, and `base` for what was given to all"),
    responses((status = 202, body = ref("#/components/schemas/JobInfo"))))]
pub(super) async fn begin_job(
    State(app): State<Arc<App>>,
    Params(asked): Params<JobRequest>,
    request: Request,
) -> Result<Response, Problem> {
    let reading = match asked.lang.as_deref() {
        None | Some("" | "auto") => Reading::Auto,
        Some("text") => Reading::Prose,
        Some("bytes") => Reading::Bytes,
        Some(name) => Reading::Language(name.to_lowercase()),
    };
    let recipe = PassageRecipe::new(&reading, None, None).map_err(lookalike::Error::from)?;
    let options = JobOptions { per_folder: asked.per_folder, owner: asked.owner, recipe };
    let upload = app.jobs.begin()?;
    let mut uploading = Uploading::new(&upload, app.limits.upload, app.limits.body_time);
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        let mut form =
            Multipart::from_request(request, &()).await.map_err(|error| Problem::malformed(error.body_text()))?;
        while let Some(field) = form.next_field().await.map_err(|error| Problem::malformed(error.body_text()))? {
            uploading.field(field).await?;
        }
    } else if kind.starts_with("application/zip") {
        uploading.file("submissions.zip", request.into_body().into_data_stream()).await?;
    } else {
        let detail = "Content-Type: expected application/zip or multipart/form-data";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", detail));
    }
    let info = app.jobs.submit(upload, options)?;
    Ok((StatusCode::ACCEPTED, Answer::plain(&info)?).into_response())
}

/// All jobs, the oldest first.
#[utoipa::path(get, path = "/v1/copies/jobs", tag = "copies", responses((status = 200, body = ref("#/components/schemas/JobList"))))]
pub(super) async fn list_jobs(State(app): State<Arc<App>>) -> Result<Answer, Problem> {
    Answer::plain(&JobList { jobs: app.jobs.list() })
}

/// How far a job is.
#[utoipa::path(get, path = "/v1/copies/jobs/{id}", tag = "copies", params(("id" = String, Path)), responses((status = 200, body = ref("#/components/schemas/JobInfo"))))]
pub(super) async fn get_job(
    State(app): State<Arc<App>>,
    InPath(IdPath { id }): InPath<IdPath>,
) -> Result<Answer, Problem> {
    Answer::plain(&app.jobs.info(&id)?)
}

/// Forgets a job and its report.
#[utoipa::path(delete, path = "/v1/copies/jobs/{id}", tag = "copies", params(("id" = String, Path)), responses((status = 204)))]
pub(super) async fn delete_job(
    State(app): State<Arc<App>>,
    InPath(IdPath { id }): InPath<IdPath>,
) -> Result<StatusCode, Problem> {
    app.block(move |app| app.jobs.delete(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The report of a job that is done.
#[utoipa::path(get, path = "/v1/copies/jobs/{id}/report", tag = "copies", params(("id" = String, Path)),
    responses((status = 200, description = "As `lookalike copies --json`", body = ref("#/components/schemas/Report"))))]
pub(super) async fn job_report(
    State(app): State<Arc<App>>,
    InPath(IdPath { id }): InPath<IdPath>,
) -> Result<Response, Problem> {
    send(&app, &id, "report.json", "application/json").await
}

/// The page of a job that is done.
#[utoipa::path(get, path = "/v1/copies/jobs/{id}/page", tag = "copies", params(("id" = String, Path)),
    responses((status = 200, description = "As `lookalike copies --html`", body = String, content_type = "text/html")))]
pub(super) async fn job_page(
    State(app): State<Arc<App>>,
    InPath(IdPath { id }): InPath<IdPath>,
) -> Result<Response, Problem> {
    let mut response = send(&app, &id, "report.html", "text/html; charset=utf-8").await?;
    // its policy is in the page, where this part of it has no effect
    let frames = HeaderValue::from_static("frame-ancestors 'none'");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, frames);
    Ok(response)
}

async fn send(app: &App, id: &str, name: &str, kind: &'static str) -> Result<Response, Problem> {
    let path = app.jobs.result(id, name)?;
    let file = File::open(&path).await.map_err(|error| Problem::internal(&error))?;
    let pieces = stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, io::Error>((read > 0).then(|| (Bytes::from(piece), file)))
    });
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(pieces)).into_response())
}
