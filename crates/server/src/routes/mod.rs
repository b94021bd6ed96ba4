//! The handlers, one file for each subject. Router and description are made of the same annotations.

#![expect(unused_qualifications, reason = "the macro that describes handlers writes them")]

mod about;
mod batch;
mod check;
mod clusters;
mod compare;
mod copies;
mod crawls;
mod description;
mod documents;
mod history;
mod query;
mod templates;
mod texts;
mod upload;
mod verdicts;

use crate::app::App;
use crate::guard::only_writers_change;
use axum::{Router, middleware};
use serde_json::Value;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// All routes, and their description. Most are of one collection, which their path names.
pub(crate) fn all() -> (Router<Arc<App>>, Value) {
    let reads = OpenApiRouter::new()
        .routes(routes!(about::get_collection))
        .routes(routes!(check::get_check, check::post_check))
        .routes(routes!(query::query))
        .routes(routes!(texts::document_text))
        .routes(routes!(texts::read_text))
        .routes(routes!(history::lost))
        .routes(routes!(history::get_holders, history::post_holders))
        .routes(routes!(history::changes))
        .routes(routes!(history::collapse))
        .routes(routes!(clusters::clusters))
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
        .routes(routes!(crawls::cancel_crawl));
    let jobs = OpenApiRouter::new()
        .routes(routes!(copies::list_jobs, copies::begin_job))
        .routes(routes!(copies::get_job, copies::delete_job))
        .routes(routes!(copies::job_report))
        .routes(routes!(copies::job_page));
    let (router, description) = OpenApiRouter::with_openapi(description::head())
        .routes(routes!(about::healthz))
        .routes(routes!(about::metrics))
        .routes(routes!(about::openapi))
        .routes(routes!(about::list_collections))
        .routes(routes!(compare::compare))
        .merge(jobs.route_layer(middleware::from_fn(only_writers_change)))
        .nest("/v1/collections/{collection}", reads.merge(writes.route_layer(middleware::from_fn(only_writers_change))))
        .split_for_parts();
    (router, description::complete(&description))
}
