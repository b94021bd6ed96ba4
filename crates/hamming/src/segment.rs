//! Hamming tables in a segment, and what is needed to open them again.
//!
//! The first table has all rows, the others each fingerprint once; an id goes with each row of the first. Section 0 has the ids,
//! and table `t` its rows in section `1 + 2t` and its directory in section `2 + 2t`; all of them further on, if other things lie in
//! the same segment.

#[cfg(test)]
mod tests;

use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::{
    Bytes, Design, Packed, Packer, Shape, Table, TableBuilder, Tables, packed_bytes, width_of,
};
use lookalike_store::{Error, ExternalSort, Segment, SegmentFile, SegmentWriter, Sequence, TempSpace};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// Bytes that are collected before they are written.
const WRITE_BUFFER: usize = 1 << 18;
/// More rows than any disk has: numbers below this can be counted on without overflow.
const MAX_ROWS: u64 = 1 << 48;

/// Where in a segment tables lie: the section of the ids, behind which all others are.
#[derive(Clone, Copy, Debug)]
pub struct SectionOffset(pub u32);

impl SectionOffset {
    fn ids(self) -> u32 {
        self.0
    }

    /// The section of the rows of a table.
    fn rows(self, table: usize) -> u32 {
        self.0 + 1 + 2 * table as u32
    }

    /// The section of the directory of a table.
    fn directory(self, table: usize) -> u32 {
        self.0 + 2 + 2 * table as u32
    }
}

/// What a manifest knows of tables in a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablesMeta {
    /// The segment; not told where the segment itself keeps this.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// The design, as it prints: `1of2`.
    pub design: String,
    /// Bits of a fingerprint.
    pub width: u32,
    /// Bits of an id.
    pub id_bits: u32,
    /// The tables, in the order of the design.
    pub tables: Vec<TableMeta>,
}

/// The shape of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableMeta {
    /// Bits that the directory knows.
    pub prefix: u32,
    /// Bits of a place in the directory.
    pub places: u32,
    /// How many rows there are.
    pub rows: u64,
}

impl From<Shape> for TableMeta {
    fn from(shape: Shape) -> Self {
        Self { prefix: shape.prefix, places: shape.places, rows: shape.rows }
    }
}

impl TablesMeta {
    /// Bytes of the tables, without ids.
    pub fn table_bytes(&self) -> u64 {
        let shape = |table: &TableMeta| Shape { prefix: table.prefix, places: table.places, rows: table.rows };
        self.tables.iter().map(shape).map(|shape| shape.directory_bytes() + shape.rows_bytes(self.width)).sum()
    }

    /// How many fingerprints there are, repeats included.
    pub fn rows(&self) -> u64 {
        self.tables.first().map_or(0, |table| table.rows)
    }
}

/// A section of a segment: its bytes are checked when they are first touched.
#[derive(Clone, Debug)]
pub struct Section {
    segment: Arc<Segment>,
    kind: u32,
}

impl Bytes for Section {
    type Error = Error;

    #[inline]
    fn bytes(&self, range: Range<u64>) -> Result<&[u8], Error> {
        self.segment.bytes(self.kind, range)
    }
}

/// Opens tables. Nothing of `meta` is believed: it may come from anywhere.
pub fn open<F: FingerprintBits>(segment: &Arc<Segment>, meta: &TablesMeta) -> Result<Tables<F, Section>, Error> {
    open_at(segment, SectionOffset(0), meta)
}

/// The same, of tables that lie further on in the segment.
pub fn open_at<F: FingerprintBits>(
    segment: &Arc<Segment>,
    from: SectionOffset,
    meta: &TablesMeta,
) -> Result<Tables<F, Section>, Error> {
    let damaged = |found: String| Error::Damaged { what: segment.path().display().to_string(), offset: 0, found };
    let design: Design = meta.design.parse().map_err(|problem: lookalike_core::Error| damaged(problem.to_string()))?;
    let orders = design.orders(F::WIDTH);
    if meta.width != F::WIDTH || meta.id_bits > u64::BITS || orders.len() != meta.tables.len() {
        let (width, tables) = (meta.width, meta.tables.len());
        return Err(damaged(format!(
            "expected {} tables of {} bits, the manifest names {tables} of {width}",
            orders.len(),
            F::WIDTH
        )));
    }
    let section = |kind: u32, bytes: u64| {
        let found = segment.len_of(kind);
        if found != bytes {
            return Err(damaged(format!("expected {bytes} bytes in section {kind}, found {found}")));
        }
        Ok(Section { segment: Arc::clone(segment), kind })
    };
    let mut tables = Vec::with_capacity(orders.len());
    for (at, (order, shape)) in orders.iter().zip(&meta.tables).enumerate() {
        let TableMeta { prefix, places, rows } = *shape;
        if prefix > order.lead.min(48) || places > u64::BITS || rows > meta.rows().min(MAX_ROWS) {
            return Err(damaged(format!("table {at} has an impossible shape: {shape:?}")));
        }
        let shape = Shape { prefix, places, rows };
        let directory = section(from.directory(at), shape.directory_bytes())?;
        tables.push(Table::new(shape, directory, section(from.rows(at), shape.rows_bytes(F::WIDTH))?));
    }
    let ids = section(from.ids(), packed_bytes(meta.id_bits, meta.rows()))?;
    Ok(Tables::new(design, tables, Packed::new(ids, meta.id_bits, meta.rows())))
}

/// Holds tables against each other: rows are in order, and every fingerprint is in every table. Checksums find damage; this finds
/// what was written wrongly. `what` is for messages.
pub fn check<F: FingerprintBits>(tables: &Tables<F, Section>, what: &str) -> Result<(), Error> {
    let wrong = |found: String| Error::Damaged { what: what.to_owned(), offset: 0, found };
    // order does not matter for a sum
    let (mut distinct, mut sum, mut last) = (0u64, 0u64, None);
    for entry in tables.entries() {
        let (fingerprint, id) = entry?;
        if last.is_some_and(|last| last >= (fingerprint, id)) {
            return Err(wrong(format!("the entry {fingerprint:x} {id} is not in order")));
        }
        if last.is_none_or(|(last, _)| last != fingerprint) {
            distinct += 1;
            sum = sum.wrapping_add(hash(fingerprint));
        }
        last = Some((fingerprint, id));
    }
    for (at, order) in tables.design().orders(F::WIDTH).iter().enumerate().skip(1) {
        let (mut rows, mut other, mut last) = (0u64, 0u64, None);
        for row in tables.table(at).all() {
            let row = row?;
            if last.is_some_and(|last| last >= row) {
                return Err(wrong(format!("row {rows} of table {at} is not in order")));
            }
            (rows, other, last) = (rows + 1, other.wrapping_add(hash(order.restore(row))), Some(row));
        }
        if (rows, other) != (distinct, sum) {
            return Err(wrong(format!("table {at} has other fingerprints than the first: {rows} and {distinct}")));
        }
    }
    Ok(())
}

fn hash<F: FingerprintBits>(fingerprint: F) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytemuck::bytes_of(&fingerprint))
}

/// Where rows wait while they are sorted.
#[derive(Clone, Debug)]
pub struct ScratchBudget {
    /// Where to spill.
    pub space: Arc<TempSpace>,
    /// Bytes of memory.
    pub memory: usize,
}

/// Writes the tables of a design: at most `most` entries, which come sorted, none twice.
///
/// Ids wait until the rows of the first table are written, and fingerprints are sorted for the other tables, both within the budget.
/// The directory of a table, two bits a row, is in memory while its rows are written.
pub fn write<F: FingerprintBits>(
    mut to: SegmentWriter,
    design: Design,
    most: u64,
    entries: impl IntoIterator<Item = Result<(F, u64), Error>>,
    scratch: &ScratchBudget,
) -> Result<(SegmentFile, TablesMeta), Error> {
    let mut meta = write_at(&mut to, SectionOffset(0), design, most, entries, scratch)?;
    let file = to.finish()?;
    meta.file.clone_from(&file.name);
    Ok((file, meta))
}

/// The same into a segment where other things lie too.
pub fn write_at<F: FingerprintBits>(
    to: &mut SegmentWriter,
    from: SectionOffset,
    design: Design,
    most: u64,
    entries: impl IntoIterator<Item = Result<(F, u64), Error>>,
    scratch: &ScratchBudget,
) -> Result<TablesMeta, Error> {
    let orders = design.orders(F::WIDTH);
    let share = scratch.memory / orders.len().max(1);
    let mut ids = Sequence::new(&scratch.space, "ids", share);
    let mut others: Vec<ExternalSort<F>> =
        orders[1..].iter().map(|_| ExternalSort::new(&scratch.space, "fingerprints", share)).collect();
    let (mut largest, mut distinct, mut last) = (0, 0, None);
    let mut tables = Vec::with_capacity(orders.len());

    let mut builder = TableBuilder::new(most, orders[0].lead);
    to.section(from.rows(0))?;
    for entry in entries {
        let (fingerprint, id) = entry?;
        // what is merged may have been forged
        if last.is_some_and(|last| last > fingerprint) {
            let found = format!("{fingerprint:x} comes behind a larger fingerprint");
            return Err(Error::Damaged { what: "the levels".into(), offset: 0, found });
        }
        builder.push(fingerprint);
        drain(to, builder.ready())?;
        ids.push(id)?;
        largest = id.max(largest);
        if last != Some(fingerprint) {
            for (order, sort) in orders[1..].iter().zip(&mut others) {
                sort.push(order.permute(fingerprint))?;
            }
            (distinct, last) = (distinct + 1, Some(fingerprint));
        }
    }
    tables.push(finish(to, from.directory(0), builder)?);

    let ids = ids.finish()?;
    let id_bits = width_of(largest);
    let mut packer = Packer::new(id_bits);
    to.section(from.ids())?;
    for id in ids.iter() {
        packer.push(id?);
        drain(to, packer.ready())?;
    }
    to.write(&packer.finish())?;

    for (at, sort) in others.into_iter().enumerate() {
        let mut builder = TableBuilder::new(distinct, orders[at + 1].lead);
        to.section(from.rows(at + 1))?;
        for row in sort.merged()? {
            let row = row?;
            builder.push(row);
            drain(to, builder.ready())?;
        }
        tables.push(finish(to, from.directory(at + 1), builder)?);
    }
    Ok(TablesMeta {
        file: String::new(),
        design: design.to_string(),
        width: F::WIDTH,
        id_bits,
        tables: tables.into_iter().map(Into::into).collect(),
    })
}

/// The last rows and the directory.
fn finish<F: FingerprintBits>(
    to: &mut SegmentWriter,
    directory: u32,
    builder: TableBuilder<F>,
) -> Result<Shape, Error> {
    let (shape, places, rest) = builder.finish();
    to.write(&rest)?;
    to.section(directory)?;
    to.write(&places)?;
    Ok(shape)
}

#[inline]
fn drain(to: &mut SegmentWriter, ready: &mut Vec<u8>) -> Result<(), Error> {
    if ready.len() >= WRITE_BUFFER {
        to.write(ready)?;
        ready.clear();
    }
    Ok(())
}
