//! The handlers, one file for each subject. The router and its description are made of the same annotations.

#![expect(unused_qualifications, reason = "the macro that describes handlers writes them")]

mod about;
mod batch;
mod check;
mod clusters;
mod compare;
mod copies;
mod crawls;
mod documents;
mod history;
mod query;
mod templates;
mod texts;
mod upload;
mod verdicts;

use crate::app::App;
use crate::guard::only_writers_change;
use crate::problem::PROBLEM;
use axum::middleware;
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa::openapi::{Content, RefOr};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const JSON: &str = "application/json";

#[derive(OpenApi)]
#[openapi(info(
    title = "lookalike",
    description = "Near-duplicates over HTTP. Answers have the shapes of the command's --json; what is refused is a problem (RFC 9457)."
))]
struct Description;

/// All routes.
pub(crate) fn all() -> OpenApiRouter<Arc<App>> {
    let reads = OpenApiRouter::new()
        .routes(routes!(about::healthz))
        .routes(routes!(about::metrics))
        .routes(routes!(about::openapi))
        .routes(routes!(about::indexes))
        .routes(routes!(check::get_check, check::post_check))
        .routes(routes!(query::query))
        .routes(routes!(compare::compare))
        .routes(routes!(texts::document_text))
        .routes(routes!(texts::read_text))
        .routes(routes!(history::lost))
        .routes(routes!(history::get_holders, history::post_holders))
        .routes(routes!(history::changes))
        .routes(routes!(history::collapse))
        .routes(routes!(clusters::clusters))
        .routes(routes!(copies::copies))
        .routes(routes!(batch::batch));
    let writes = OpenApiRouter::new()
        .routes(routes!(check::check_and_insert))
        .routes(routes!(documents::get_document, documents::put_document, documents::delete_document))
        .routes(routes!(templates::list_templates, templates::mark_template))
        .routes(routes!(verdicts::list_verdicts, verdicts::put_verdict))
        .routes(routes!(templates::get_template, templates::unmark_template))
        .routes(routes!(crawls::list_crawls))
        .routes(routes!(crawls::get_crawl))
        .routes(routes!(crawls::commit_crawl))
        .routes(routes!(crawls::cancel_crawl))
        .routes(routes!(copies::list_jobs, copies::begin_job))
        .routes(routes!(copies::get_job, copies::delete_job))
        .routes(routes!(copies::job_report))
        .routes(routes!(copies::job_page))
        .route_layer(middleware::from_fn(only_writers_change));
    let mut all = OpenApiRouter::with_openapi(Description::openapi()).merge(reads).merge(writes);
    describe_problems(all.get_openapi_mut());
    all
}

/// Problems have a media type of their own, whichever route tells them.
fn describe_problems(description: &mut utoipa::openapi::OpenApi) {
    let items = description.paths.paths.values_mut();
    let operations = items.flat_map(|item| {
        [&mut item.get, &mut item.put, &mut item.post, &mut item.delete].into_iter().filter_map(Option::as_mut)
    });
    for response in operations.flat_map(|operation| operation.responses.responses.values_mut()) {
        let RefOr::T(response) = response else { continue };
        let is_problem = |content: &RefOr<Content>| {
            let RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) = content else { return false };
            schema.ref_location.ends_with("/Problem")
        };
        if response.content.get(JSON).is_some_and(is_problem)
            && let Some(content) = response.content.shift_remove(JSON)
        {
            response.content.insert(PROBLEM.to_owned(), content);
        }
    }
}
