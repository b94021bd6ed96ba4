//! The side that is held in memory, in as many pieces as it takes, each ready to be asked.

use super::Print;
use crate::Error;
use lookalike_core::hamming::plan::{Wanted, candidates};
use lookalike_core::hamming::{Design, Hit, NeighbourTable, Probed, Tables, UnfilledTable, neighbour_table_bytes};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Nanoseconds for each fingerprint that is held against a net, as measured.
const NET: f64 = 40.0;
/// Fingerprints of a piece, at most: an entry of a net has no room for more.
const MOST: u64 = 1 << 23;

/// How the side in memory is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) design: Design,
    /// Fingerprints of a piece.
    pub(super) piece: u64,
    pub(super) net: bool,
}

/// The fastest way for so many in memory, so many that pass by, and so many bytes.
pub(super) fn way<F: Print>(held: u64, passing: u64, k: u32, memory: u64) -> Way {
    let mut best: Option<(f64, Way)> = None;
    let mut offer = |cost: f64, way: Way| {
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, way));
        }
    };
    for blocks in 1..=4 {
        let design = Design::Choose { blocks, lead: 1 };
        for piece in (8..=23).map(|bits| 1u64 << bits) {
            // beside the net: the fingerprints, whose they are, and what sorts them
            let bytes =
                neighbour_table_bytes::<F>(design, k, piece.min(held)).map(|bytes| bytes + piece.min(held) * 64);
            if bytes.is_some_and(|bytes| bytes <= memory / 2) {
                let bytes = bytes.unwrap_or(0) as f64;
                let passes = held.div_ceil(piece).max(1) as f64;
                offer(passes * (passing as f64 * NET + bytes * 2.0), Way { design, piece, net: true });
            }
        }
    }
    let piece = (memory / 2 / 100).clamp(1 << 8, MOST.max(held));
    let wanted = Wanted { width: F::WIDTH, prints: held.min(piece).max(1), k, id_bits: 32, memory: memory / 2 };
    for candidate in candidates(&wanted).iter().filter(|candidate| candidate.fits) {
        let passes = held.div_ceil(piece).max(1) as f64;
        offer(passes * passing as f64 * candidate.micros * 1000.0, Way { design: candidate.design, piece, net: false });
    }
    best.map_or(Way { design: Design::Choose { blocks: 1, lead: 1 }, piece: 1 << 8, net: false }, |(_, way)| way)
}

/// Distinct fingerprints in memory, sorted, and a way to ask who is near.
pub(super) struct Piece<F: Print> {
    prints: Vec<F>,
    k: u32,
    design: Design,
    net: Option<NeighbourTable<F, Lines>>,
    /// Made when first needed: with a net, only by fingerprints that crowd together.
    tables: OnceLock<Tables<F, Vec<u8>>>,
}

/// One that passed by and is near one in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// The place of the one in memory.
    pub(super) held: usize,
    pub(super) distance: u32,
}

/// Which tables of a piece may know more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    All,
    One(usize),
}

/// Memory for a net: in large pages where the system has them, since it is looked at here and there.
type Lines = memmap2::MmapMut;

fn lines(bytes: usize) -> Result<Lines, Error> {
    let failed = |e: std::io::Error| Error::Options(format!("--memory: no {bytes} bytes can be had ({e}); allow less"));
    let map = Lines::map_anon(bytes.max(1)).map_err(failed)?;
    // advice: nothing depends on it being heard
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(map)
}

impl<F: Print> Piece<F> {
    /// Fingerprints that are sorted, each once.
    pub(super) fn new(prints: Vec<F>, way: Way, k: u32) -> Result<Self, Error> {
        let at_once = |parts: Vec<UnfilledTable<'_, F, Lines>>| parts.into_par_iter().for_each(UnfilledTable::fill);
        let net = if way.net { NeighbourTable::new(way.design, k, prints.clone(), lines, at_once)? } else { None };
        Ok(Self { prints, k, design: way.design, net, tables: OnceLock::new() })
    }

    fn tables(&self) -> &Tables<F, Vec<u8>> {
        self.tables.get_or_init(|| Tables::build(self.design, self.prints.iter().copied().zip(0..).collect()))
    }

    /// Calls `each` with the place of a fingerprint among these and what it touches. Where many crowd together, and without a net, that is
    /// not known at once: then `later` is told which tables to ask.
    pub(super) fn pass(&self, prints: &[F], mut each: impl FnMut(usize, Touch), mut later: impl FnMut(usize, Which)) {
        let Some(net) = &self.net else { return (0..prints.len()).for_each(|at| later(at, Which::All)) };
        net.probe(prints, |at, probed| match probed {
            Probed::Query(held, distance) => each(at, Touch { held, distance }),
            Probed::Table(table) => later(at, Which::One(table)),
        });
    }

    /// What a fingerprint touches, as these tables know.
    pub(super) fn ask(&self, print: F, which: Which, mut each: impl FnMut(Touch)) {
        let mut each = |hit: Hit<F>| {
            each(Touch { held: hit.rows.start as usize, distance: hit.distance });
            ControlFlow::Continue(())
        };
        match which {
            Which::All => self.tables().near_in_memory(print, self.k, each),
            Which::One(table) => {
                let Ok(()) = self.tables().near_of(table, print, self.k, &mut each);
            }
        }
    }
}
