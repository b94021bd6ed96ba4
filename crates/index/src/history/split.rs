//! Whether a document was split: several places hold different parts of it.

use crate::history::archive::Archive;
use crate::history::rank::Candidate;
use lookalike_engine::Error;

/// The parts of a document that was split.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Split {
    /// Where they are, the largest first.
    pub(crate) urls: Vec<String>,
    /// The share that they hold together at least.
    pub(crate) together: f64,
}

/// Least share of the document in a part.
const MIN_PART_SHARE: f64 = 0.15;
/// A part that mostly lies inside the document, or else holds so much of it, is no passing quotation.
const MIN_INSIDE_SHARE: f64 = 0.5;
const MIN_SUBSTANTIAL_SHARE: f64 = 0.25;
/// A place that resembles the document so much is the document, whatever was taken out of it.
const MAX_PART_RESEMBLANCE: f64 = 0.7;
/// What a further part must add.
const MIN_ADDED_SHARE: f64 = 0.1;
/// What all further parts must add together.
const MIN_TOTAL_ADDED_SHARE: f64 = 0.15;
/// Places that are looked at.
const MAX_PARTS: usize = 20;

/// Takes the largest part, then every part that adds to what is held so far. Only text that arrived after the loss counts: a
/// sibling that shared a paragraph all along is no part of a split.
pub(crate) fn split(archive: &dyn Archive, current: &[&Candidate]) -> Result<Option<Split>, Error> {
    let mut parts: Vec<(&Candidate, f64, f64)> = Vec::new();
    for candidate in current {
        let held = candidate.scores.held().value;
        let Some(inside) = candidate.scores.document_in_query.map(|e| e.value) else { continue };
        if candidate.arrived()
            && held >= MIN_PART_SHARE
            && (inside >= MIN_INSIDE_SHARE || held >= MIN_SUBSTANTIAL_SHARE)
        {
            parts.push((candidate, held, inside));
        }
    }
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    parts.truncate(MAX_PARTS);
    let Some(&(best, alone, _)) = parts.first() else { return Ok(None) };
    if parts.iter().any(|(c, ..)| c.same || c.scores.resemblance.value >= MAX_PART_RESEMBLANCE) {
        return Ok(None);
    }
    let mut chosen = vec![best];
    let mut together = alone;
    for (candidate, held, inside) in &parts[1..] {
        // what two parts have in common is at most counted twice; as a share of the document that was split
        let size = held / inside;
        let mut adds = *held;
        for other in &chosen {
            let both = archive.resemblance(candidate.document, other.document)?.a_in_b;
            adds -= both.map_or(*held, |both| both.value * size);
        }
        if adds >= MIN_ADDED_SHARE {
            chosen.push(candidate);
            together += adds;
        }
    }
    let doubt = best.scores.held().high - alone;
    let enough = chosen.len() > 1 && together >= alone + doubt.max(MIN_TOTAL_ADDED_SHARE);
    let urls = chosen.iter().map(|c| c.url.clone()).collect();
    Ok(enough.then(|| Split { urls, together: together.min(1.0) }))
}
