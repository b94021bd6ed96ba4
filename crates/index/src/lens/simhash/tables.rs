//! The Hamming tables of a segment: the fingerprint and number of each of its documents. They lie in the segment's own file, so that
//! they come, are checked and go with it.

use crate::segment::build::{LensSections, WriteBudget};
use crate::segment::layout::{FIRST_TABLE, TABLES};
use crate::segment::segment_set::SegmentSet;
use lookalike_core::hamming::plan::{PlanRequest, candidates};
use lookalike_core::hamming::{Design, Tables};
use lookalike_hamming::FingerprintBits;
use lookalike_hamming::segment::{ScratchBudget, Section, SectionOffset, TablesMeta, open_at, write_at};
use lookalike_store::{Error, ExternalSort, Records, Segment, SegmentWriter, TempSpace};
use std::sync::Arc;

/// The distance that tables are made for. They answer for others too, only less fast.
const DESIGN_DISTANCE: u32 = 3;
const FROM: SectionOffset = SectionOffset(FIRST_TABLE);

/// The bytes of a fingerprint as a document keeps it.
pub(super) fn encode(fingerprint: impl FingerprintBits) -> Vec<u8> {
    let mut bytes = Vec::new();
    fingerprint.put_le_bytes(&mut bytes);
    bytes
}

/// The fingerprint that [`encode`] wrote; nothing if it is of another width.
pub(super) fn decode<F: FingerprintBits>(bytes: &[u8]) -> Option<F> {
    let (words, rest) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    (words.len() == F::WORDS && rest.is_empty()).then(|| F::from_words(&words))
}

/// The fingerprints of a segment, until all of its documents are there.
pub(crate) struct TableBuilder {
    /// High half, low half, document.
    sort: ExternalSort<[u64; 3]>,
    bits: u32,
}

impl TableBuilder {
    pub(crate) fn new(budget: WriteBudget<'_>, bits: u32) -> Self {
        Self { sort: ExternalSort::new(budget.space, "the fingerprints of a segment", budget.memory / 4), bits }
    }
}

impl LensSections for TableBuilder {
    fn push(&mut self, fingerprint: &[u8], document: u32) -> Result<(), Error> {
        let halves = match self.bits {
            128 => decode(fingerprint).map(u128::halves),
            _ => decode(fingerprint).map(u64::halves),
        };
        let [high, low] = halves.ok_or_else(|| Error::Damaged {
            what: "the index".into(),
            offset: 0,
            found: format!("document {document} of a new segment has no fingerprint of {} bits", self.bits),
        })?;
        self.sort.push([high, low, u64::from(document)])
    }

    /// Writes the tables, and what describes them.
    fn write(self: Box<Self>, budget: WriteBudget<'_>, out: &mut SegmentWriter) -> Result<(), Error> {
        let sorted = self.sort.finish()?;
        let meta = match self.bits {
            128 => write::<u128>(&sorted, budget.space, budget.memory / 4, out),
            _ => write::<u64>(&sorted, budget.space, budget.memory / 4, out),
        }?;
        out.section(TABLES)?;
        out.write(&serde_json::to_vec(&meta).expect("plain data"))
    }
}

fn write<F: FingerprintBits>(
    sorted: &Records<[u64; 3]>,
    space: &Arc<TempSpace>,
    memory: usize,
    out: &mut SegmentWriter,
) -> Result<TablesMeta, Error> {
    let fingerprints = sorted.len();
    let entries = sorted.iter().map(|entry| {
        let [high, low, document] = entry?;
        Ok((F::from_halves([high, low]), document))
    });
    write_at(
        out,
        FROM,
        design(F::WIDTH, fingerprints),
        fingerprints,
        entries,
        &ScratchBudget { space: Arc::clone(space), memory },
    )
}

/// The fastest design for so many fingerprints, within the room of about five times the fingerprints themselves. Only of those that
/// reach any distance: what is asked for is not known yet.
fn design(width: u32, fingerprints: u64) -> Design {
    let memory = fingerprints.max(1024) * u64::from(width / 8 * 5 + 8);
    let wanted = PlanRequest { width, fingerprints, k: DESIGN_DISTANCE, id_bits: 32, memory };
    let mut designs = candidates(&wanted).into_iter().map(|candidate| candidate.design);
    designs.find(|design| matches!(design, Design::Choose { .. })).expect("there is always one table of all")
}

/// The tables of each segment.
pub(super) enum OpenTables {
    Narrow(Vec<Tables<u64, Section>>),
    Wide(Vec<Tables<u128, Section>>),
}

impl OpenTables {
    pub(super) fn open(segments: &SegmentSet, bits: u32) -> Result<Self, Error> {
        let segments = segments.views.iter().map(|view| &view.segment);
        Ok(match bits {
            128 => Self::Wide(segments.map(open).collect::<Result<_, _>>()?),
            _ => Self::Narrow(segments.map(open).collect::<Result<_, _>>()?),
        })
    }
}

/// Opens the tables of a segment.
fn open<F: FingerprintBits>(segment: &Arc<Segment>) -> Result<Tables<F, Section>, Error> {
    let bytes = segment.bytes(TABLES, 0..segment.len_of(TABLES))?;
    let meta: TablesMeta = serde_json::from_slice(bytes).map_err(|error| Error::Damaged {
        what: segment.path().display().to_string(),
        offset: 0,
        found: format!("tables of fingerprints that are not described: {error}"),
    })?;
    open_at(segment, FROM, &meta)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_hamming::MAX_DISTANCE;

    #[test]
    fn fingerprints_come_back() {
        assert_eq!(decode::<u64>(&encode(0x0123_4567_89ab_cdef_u64)), Some(0x0123_4567_89ab_cdef));
        let wide = 0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978_u128;
        assert_eq!(decode::<u128>(&encode(wide)), Some(wide));
        assert_eq!((decode::<u128>(&[0; 8]), decode::<u64>(&[0; 16]), decode::<u64>(&[])), (None, None, None));
    }

    #[test]
    fn any_distance_may_be_asked_for() {
        for width in [64, 128] {
            for fingerprints in [0, 1, 1000, 100_000, 1 << 24] {
                let design = design(width, fingerprints);
                assert!((0..=MAX_DISTANCE).all(|k| design.radii(k).is_some()), "{design}");
                assert!(u64::from(FIRST_TABLE) + 2 * design.tables() < 256, "{design}");
            }
        }
    }
}
