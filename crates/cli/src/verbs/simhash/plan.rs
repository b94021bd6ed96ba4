//! `lookalike simhash plan`: which design, before anything is built.

use crate::args::{Args, Spec};
use crate::lens::Lens;
use crate::output;
use crate::verb::Verb;
use anyhow::Result;
use lookalike::Resources;
use lookalike::hamming::plan::{PlanRequest, candidates};
use lookalike_report::DesignPlan;

pub(in crate::verbs) const SPEC: Spec = Spec::new(
    Verb::SimhashPlan,
    "simhash plan",
    "Plan tables for a number of fingerprints: what they take, and what a query costs",
    run,
)
.lenses(&[Lens::Simhash])
.long(
    "A design says into how many blocks the bits are split and which of them lead in which table: 1of2 has two tables, each led by \
     one of two blocks, which are looked at within a small radius. The designs of the paper (Manku et al. 2007, example 3.1) are \
     among them.",
)
.after(
    "Examples:
  lookalike simhash plan --n 8e9 --distance 3
  lookalike simhash plan --n 1e6 --distance 6
  lookalike simhash plan --n 100e6 --memory 2G --json",
);

fn run(args: &Args) -> Result<u8> {
    let request = PlanRequest {
        width: args.value("bits"),
        fingerprints: args.value("n"),
        k: args.value("distance"),
        id_bits: args.value("id-bits"),
        memory: args.get("memory").unwrap_or_else(|| Resources::default().memory),
    };
    let candidates = candidates(&request);
    output::answer(args, &DesignPlan { request: &request, candidates: &candidates })?;
    if !candidates.iter().any(|candidate| candidate.fits) {
        output::message(
            "note: no design fits in that memory; from memory-mapped files on a fast disk the smallest still answers",
        );
    }
    Ok(crate::SUCCESS)
}
