//! Which design for so many fingerprints: what each takes and what it costs to ask.

use super::{Design, MAX_DISTANCE, Shape, ball, packed_bytes};

/// What is known before a design is chosen.
#[derive(Clone, Copy, Debug)]
pub struct PlanRequest {
    /// Bits of a fingerprint.
    pub width: u32,
    /// How many fingerprints.
    pub fingerprints: u64,
    /// The greatest distance that will be asked for.
    pub k: u32,
    /// Bits of an id.
    pub id_bits: u32,
    /// Bytes that the tables may take.
    pub memory: u64,
}

/// A design and what can be expected of it, if fingerprints are spread evenly.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The design.
    pub design: Design,
    /// How many tables there are.
    pub tables: u64,
    /// Bits that lead in a table: the fewest and the most (the paper's p).
    pub lead: (u32, u32),
    /// The greatest radius within which leads are looked at.
    pub radius: u32,
    /// Bytes of all tables and the ids.
    pub bytes: u64,
    /// Places in memory that a question looks at.
    pub probes: f64,
    /// Rows that a question compares.
    pub compared: f64,
    /// What a question takes, in microseconds, from memory.
    pub micros: f64,
    /// Whether it is one of the paper's four designs.
    pub paper: bool,
    /// Whether the bytes are within what may be taken.
    pub fits: bool,
}

/// Nanoseconds for a place in memory, when many are waited for at once, and for a row beside others.
const PROBE_NANOS: f64 = 30.0;
const COMPARE_NANOS: f64 = 2.2;

/// The designs of the paper's example 3.1.
pub const PAPER_DESIGNS: [Design; 4] = [
    Design::Choose { blocks: 6, lead: 3 },
    Design::Nested { outer: 4, inner: 4 },
    Design::Choose { blocks: 5, lead: 2 },
    Design::Choose { blocks: 4, lead: 1 },
];

/// The designs that reach the distance with at most twenty tables, the one to take first: the fastest of those that fit. One that is slower
/// than another and takes more room is left out, but for the paper's.
pub fn candidates(request: &PlanRequest) -> Vec<Candidate> {
    let lead = |blocks: u32| (1..=3u32.min(blocks)).filter(move |lead| *lead < blocks || blocks == 1);
    let choose =
        (1..=MAX_DISTANCE + 3).flat_map(|blocks| lead(blocks).map(move |lead| Design::Choose { blocks, lead }));
    let choose = choose.filter(|design| design.tables() <= 20 && !PAPER_DESIGNS.contains(design));
    let all: Vec<Candidate> =
        PAPER_DESIGNS.into_iter().chain(choose).filter_map(|design| candidate(design, request)).collect();
    let worse = |a: &Candidate| all.iter().any(|b| b.micros < a.micros && b.bytes <= a.bytes);
    let mut best: Vec<Candidate> = all.iter().filter(|a| a.paper || !worse(a)).copied().collect();
    best.sort_by(|a, b| (!a.fits, a.micros).partial_cmp(&(!b.fits, b.micros)).expect("costs are numbers"));
    best
}

/// What can be expected of a design; nothing if it does not reach the distance.
pub fn candidate(design: Design, request: &PlanRequest) -> Option<Candidate> {
    let PlanRequest { width, fingerprints, k, .. } = *request;
    let (orders, radii) = (design.orders(width), design.radii(k)?);
    let (mut bytes, mut probes, mut compared) = (packed_bytes(request.id_bits, fingerprints), 0.0, 0.0);
    for (order, radius) in orders.iter().zip(&radii) {
        let shape = Shape::of(fingerprints, order.lead);
        bytes += shape.directory_bytes() + shape.rows_bytes(width);
        if let Some(radius) = radius {
            let buckets = ball(shape.prefix.into(), u64::from(*radius));
            probes += 2.0 * buckets;
            compared += buckets * (fingerprints as f64 / (1u64 << shape.prefix) as f64).max(1.0);
        }
    }
    let lead = |pick: fn(u32, u32) -> u32| orders.iter().map(|order| order.lead).reduce(pick).unwrap_or(0);
    Some(Candidate {
        design,
        tables: design.tables(),
        lead: (lead(u32::min), lead(u32::max)),
        radius: radii.iter().flatten().copied().max().unwrap_or(0),
        bytes,
        probes,
        compared,
        micros: (probes * PROBE_NANOS + compared * COMPARE_NANOS) / 1000.0,
        paper: width == 64 && k == 3 && PAPER_DESIGNS.contains(&design),
        fits: bytes <= request.memory,
    })
}
