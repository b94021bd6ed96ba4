//! Verdicts that people gave before, held against the submissions of this cohort.

use crate::report::pair_decisions::{DecidedSubmission, PairDecision, PairVerdict};
use crate::report::passages::{PairDecided, Passages, ReviewedPairs, Submission};
use rustc_hash::FxHashMap;

/// Tells of each listed pair what was decided, and how far the review has come. Nothing without decisions.
pub fn apply(decisions: &[PairDecision], section: &mut Passages) {
    if decisions.is_empty() {
        return;
    }
    let known: FxHashMap<DecidedSubmission, usize> =
        section.submissions.iter().enumerate().map(|(at, submission)| (as_decided(submission), at)).collect();
    let listed: FxHashMap<[usize; 2], usize> =
        section.pairs.iter().enumerate().map(|(at, pair)| (ordered(pair.a, pair.b), at)).collect();
    let mut reviewed = ReviewedPairs { decisions: decisions.len() as u64, ..ReviewedPairs::default() };
    for decision in decisions {
        let (Some(a), Some(b)) = (known.get(&decision.a), known.get(&decision.b)) else {
            reviewed.stale += 1;
            continue;
        };
        let Some(at) = listed.get(&ordered(*a, *b)) else {
            reviewed.unlisted += 1;
            continue;
        };
        // the last one counts
        section.pairs[*at].decision = Some(PairDecided { verdict: decision.verdict, note: decision.note.clone() });
    }
    for pair in &section.pairs {
        match pair.decision.as_ref().and_then(|decided| decided.verdict) {
            Some(PairVerdict::Copied) => reviewed.copied += 1,
            Some(PairVerdict::NotCopied) => reviewed.not_copied += 1,
            Some(PairVerdict::Again) => reviewed.again += 1,
            None => {}
        }
    }
    reviewed.decided = reviewed.copied + reviewed.not_copied;
    reviewed.undecided = section.pairs.len() as u64 - reviewed.decided;
    section.reviewed = Some(reviewed);
}

fn as_decided(submission: &Submission) -> DecidedSubmission {
    let content = submission.files.iter().map(|file| file.content.clone()).collect();
    DecidedSubmission { submission: submission.name.clone(), content }
}

fn ordered(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
