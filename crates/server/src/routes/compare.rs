//! Two documents, side by side.

use crate::app::App;
use crate::content::{Answer, Json};
use crate::memory::{MIN_MEMORY, RequestMemory};
use crate::problem::Problem;
use axum::Extension;
use axum::extract::State;
use lookalike::report::Policy;
use lookalike::{CompareOptions, Resources, ShingleRecipe};
use lookalike_report::ComparisonView;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

const MAX_SHINGLE: usize = lookalike::MAX_WINDOW;

/// Bytes of memory that a byte of the texts takes at most while they are compared.
const MEMORY_PER_BYTE: u64 = 52;
/// Bytes of memory in which two texts are compared by all lenses that look at them.
const MAX_MEMORY: u64 = 256 << 20;

/// Two texts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompareRequest {
    /// The first text.
    a: String,
    /// The second text.
    b: String,
    /// Words of a shingle.
    #[schema(default = 10, minimum = 1)]
    w: Option<usize>,
    /// From which resemblance on they are near.
    threshold: Option<f64>,
    /// From which containment on one is inside the other.
    contained: Option<f64>,
}

/// Compares two texts exactly, and tells where they differ.
#[utoipa::path(post, path = "/v1/compare", tag = "query", request_body = CompareRequest,
    responses((status = 200, description = "As `lookalike compare --json`", body = ref("#/components/schemas/Comparison"))))]
pub(super) async fn compare(
    State(app): State<Arc<App>>,
    Extension(memory): Extension<RequestMemory>,
    Json(request): Json<CompareRequest>,
) -> Result<Answer, Problem> {
    // what is aligned beyond that is not in the answer
    let bytes = (request.a.len() + request.b.len()) as u64;
    let work = memory.work_within(bytes.saturating_mul(MEMORY_PER_BYTE).min(MAX_MEMORY))?;
    app.block(move |_| {
        let usual = CompareOptions::default();
        let recipe = match request.w {
            None => usual.recipe.clone(),
            Some(w) if (1..=MAX_SHINGLE).contains(&w) => ShingleRecipe::words(w),
            Some(w) => return Err(Problem::meaningless(format!("w: expected 1 to {MAX_SHINGLE} words, found {w}"))),
        };
        let policy = Policy {
            threshold: request.threshold.unwrap_or(usual.policy.threshold),
            contained: request.contained.or(usual.policy.contained),
            ..usual.policy
        };
        let resources = Resources { memory: work.amount().max(MIN_MEMORY), ..usual.resources };
        let options = CompareOptions { recipe, policy, resources, ..usual };
        let comparison = lookalike::compare_texts(&request.a, &request.b, &options)?;
        Answer::shown(&ComparisonView { comparison: &comparison, top: 0 })
    })
    .await
}
