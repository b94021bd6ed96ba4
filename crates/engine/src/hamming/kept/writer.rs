//! Writes Hamming tables into a segment, whatever their number, within a budget of memory.

use super::{LevelMeta, Place};
use crate::hamming::Print;
use lookalike_core::hamming::xor_delta::Places;
use lookalike_core::hamming::{Design, Packer, TableBuilder, width_of};
use lookalike_store::{Error, ExternalSort, SegmentFile, SegmentWriter, Sequence, TempSpace};
use std::sync::Arc;

/// Bytes that pile up before they are written.
const PILE: usize = 1 << 18;

/// Where rows wait while they are sorted.
#[derive(Clone, Debug)]
pub struct Room {
    /// Where to spill.
    pub space: Arc<TempSpace>,
    /// Bytes of memory.
    pub memory: usize,
}

/// Writes the tables of a design: at most `most` entries, which come sorted, none twice.
///
/// Ids wait until the rows of the first table are written, and fingerprints are sorted for the other tables, both within the room.
/// The directory of a table, two bits a row, is in memory while its rows are written.
pub fn write<F: Print>(
    mut to: SegmentWriter,
    design: Design,
    most: u64,
    entries: impl IntoIterator<Item = Result<(F, u64), Error>>,
    room: &Room,
) -> Result<(SegmentFile, LevelMeta), Error> {
    let mut meta = write_at(&mut to, Place(0), design, most, entries, room)?;
    let file = to.finish()?;
    meta.file.clone_from(&file.name);
    Ok((file, meta))
}

/// The same into a segment where other things lie too.
pub(crate) fn write_at<F: Print>(
    to: &mut SegmentWriter,
    from: Place,
    design: Design,
    most: u64,
    entries: impl IntoIterator<Item = Result<(F, u64), Error>>,
    room: &Room,
) -> Result<LevelMeta, Error> {
    let orders = design.orders(F::WIDTH);
    let share = room.memory / orders.len().max(1);
    let mut ids = Sequence::new(&room.space, "ids", share);
    let mut others: Vec<ExternalSort<F>> =
        orders[1..].iter().map(|_| ExternalSort::new(&room.space, "fingerprints", share)).collect();
    let (mut largest, mut distinct, mut last) = (0, 0, None);
    let mut tables = Vec::with_capacity(orders.len());

    // what the paper's code would take is counted on the way
    let (mut places, mut paper_bytes) = (Places::default(), 0);
    let mut builder = TableBuilder::new(most, orders[0].lead);
    to.section(from.rows(0))?;
    for entry in entries {
        let (print, id) = entry?;
        debug_assert!(last.is_none_or(|last| last <= print), "entries come sorted");
        builder.push(print);
        places.push(print);
        drain(to, builder.ready())?;
        ids.push(id)?;
        largest = id.max(largest);
        if last != Some(print) {
            for (order, sort) in orders[1..].iter().zip(&mut others) {
                sort.push(order.permute(print))?;
            }
            (distinct, last) = (distinct + 1, Some(print));
        }
    }
    tables.push(finish(to, from.directory(0), builder)?);
    paper_bytes += places.bytes();

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
        let mut places = Places::default();
        let mut builder = TableBuilder::new(distinct, orders[at + 1].lead);
        to.section(from.rows(at + 1))?;
        for row in sort.merged()? {
            let row = row?;
            builder.push(row);
            places.push(row);
            drain(to, builder.ready())?;
        }
        tables.push(finish(to, from.directory(at + 1), builder)?);
        paper_bytes += places.bytes();
    }
    Ok(LevelMeta {
        file: String::new(),
        design: design.to_string(),
        width: F::WIDTH,
        id_bits,
        tables: tables.into_iter().map(Into::into).collect(),
        paper_bytes,
    })
}

/// The last rows and the directory.
fn finish<F: Print>(
    to: &mut SegmentWriter,
    directory: u32,
    builder: TableBuilder<F>,
) -> Result<lookalike_core::hamming::Shape, Error> {
    let (shape, places, rest) = builder.finish();
    to.write(&rest)?;
    to.section(directory)?;
    to.write(&places)?;
    Ok(shape)
}

#[inline]
fn drain(to: &mut SegmentWriter, ready: &mut Vec<u8>) -> Result<(), Error> {
    if ready.len() >= PILE {
        to.write(ready)?;
        ready.clear();
    }
    Ok(())
}
