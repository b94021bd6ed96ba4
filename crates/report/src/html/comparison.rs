//! A page with two documents only.

use super::texts::TextPlaces;
use crate::answers::evidence_lines;
use lookalike::{Comparison, Lens, ShingleComparison, ShingleRelation, Side};
use serde_json::{Value, json};

/// `all` is what all lenses say, if they were asked.
pub(super) fn data(comparison: &ShingleComparison, all: Option<&Comparison>, texts: &TextPlaces, made: u64) -> Value {
    let sides = [&comparison.a, &comparison.b];
    let of = |field: fn(&Side) -> Value| sides.map(field);
    let same = comparison.class == ShingleRelation::Identical;
    json!({
        "kind": "comparison",
        "name": "comparison",
        "made": made,
        "inputs": of(|side| json!(side.id)),
        "command": [],
        "report": {
            "lookalike": comparison.lookalike,
            "lens": Lens::Shingles,
            "recipe": comparison.recipe,
            "compared_by": comparison.recipe,
            "policy": { "threshold": 1, "contained": null, "linkage": "star" },
            "documents": 2,
            "bytes": comparison.a.bytes + comparison.b.bytes,
            "repeated_ids": 0,
            "summary": {},
            "shingles": {
                "candidates": "shingles",
                "max_df": 0,
                "include_boilerplate": true,
                "estimate": false,
                "unsampled": 0,
                "frame": { "pages": 0, "bytes": 0 },
                "thinned": 0,
            },
        },
        "skipped": [],
        "skipped_all": 0,
        "templates": [],
        "documents": {
            "id": of(|side| json!(side.id)),
            "bytes": of(|side| json!(side.bytes)),
            "size": of(|side| json!(side.shingles)),
            "length": of(|side| json!(side.shingles)),
            "modified": [null, null],
            "content": [0, i32::from(!same)],
            "canonical": [0, 1],
            "same": ["identical", "identical"],
            "rank": [0, 1],
        },
        "contents": ["a", "b"],
        "clusters": [],
        "left_out": { "clusters": 0, "documents": 0 },
        "pairs": {
            "from": 1, "all": 0, "a": [], "b": [], "of_a": [], "of_b": [], "shared": [],
            "sample_a": [], "sample_b": [], "sample_shared": [], "sample_exhaustive": [],
        },
        "texts": texts,
        "decisions": [],
        "comparison": {
            "class": comparison.class,
            "resemblance": comparison.resemblance,
            "a_in_b": comparison.a_in_b,
            "b_in_a": comparison.b_in_a,
            "sentence": all.map(|all| &all.sentence),
            "evidence": all.map(evidence_lines).unwrap_or_default(),
        },
    })
}
