//! All tables of a design, asked together.

use super::packed::{Bytes, Packed, Packer, width_of};
use super::table::{Table, TableBuilder};
use super::{Design, MAX_DISTANCE, Order};
use crate::bits::FingerprintBits;
use std::convert::Infallible;
use std::ops::Range;

/// A fingerprint near a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit<F> {
    /// The fingerprint.
    pub fingerprint: F,
    /// In how many bits it differs.
    pub distance: u32,
    /// Its rows in the first table, by which [`Tables::id`] tells whose it is.
    pub rows: Range<u64>,
}

/// Fingerprints, sorted in several ways.
#[derive(Clone, Debug)]
pub struct Tables<F, B> {
    design: Design,
    pub(super) orders: Vec<Order>,
    pub(super) leads: Vec<F>,
    /// For each distance.
    radii: Vec<Option<Vec<Option<u32>>>>,
    pub(super) sorted: Vec<Table<F, B>>,
    ids: Packed<B>,
}

impl<F: FingerprintBits> Tables<F, Vec<u8>> {
    /// Tables in memory, of fingerprints and whose they are.
    pub fn build(design: Design, fingerprints: Vec<(F, u64)>) -> Self {
        let Ok::<Self, Infallible>(tables) = Self::try_build(design, fingerprints, Ok);
        tables
    }
}

impl<F: FingerprintBits, B: Bytes> Tables<F, B> {
    /// Tables in memory of any kind: `place` is given the bytes of each table when it is made, and may stop it all.
    pub fn try_build<E>(
        design: Design,
        mut fingerprints: Vec<(F, u64)>,
        mut place: impl FnMut(Vec<u8>) -> Result<B, E>,
    ) -> Result<Self, E> {
        fingerprints.sort_unstable();
        let id_bits = width_of(fingerprints.iter().map(|(_, id)| *id).max().unwrap_or(0));
        let mut ids = Packer::new(id_bits);
        for (_, id) in &fingerprints {
            ids.push(*id);
        }
        let rows = fingerprints.len() as u64;
        let ids = Packed::new(place(ids.finish())?, id_bits, rows);
        let mut tables = Vec::new();
        for (at, order) in design.orders(F::WIDTH).iter().enumerate() {
            let mut permuted: Vec<F> =
                fingerprints.iter().map(|(fingerprint, _)| order.permute(*fingerprint)).collect();
            if at > 0 {
                permuted.sort_unstable();
                permuted.dedup();
            }
            let mut builder = TableBuilder::new(rows, order.lead);
            for row in permuted {
                builder.push(row);
            }
            let (shape, directory, rest) = builder.finish();
            tables.push(Table::new(shape, place(directory)?, place(rest)?));
        }
        Ok(Self::new(design, tables, ids))
    }

    /// The tables of a design in its order, the first with all rows, the others with each fingerprint once; and for each row of the
    /// first whose it is.
    pub fn new(design: Design, tables: Vec<Table<F, B>>, ids: Packed<B>) -> Self {
        let orders = design.orders(F::WIDTH);
        debug_assert_eq!(orders.len(), tables.len());
        let leads = orders.iter().map(Order::lead_mask).collect();
        let radii = (0..=MAX_DISTANCE).map(|k| design.radii(k)).collect();
        Self { design, orders, leads, radii, sorted: tables, ids }
    }

    /// The design.
    pub fn design(&self) -> Design {
        self.design
    }

    /// One of the tables, its bits in the order that the design gives it.
    pub fn table(&self, at: usize) -> &Table<F, B> {
        &self.sorted[at]
    }

    /// How many fingerprints there are, repeats included.
    pub fn len(&self) -> u64 {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Whose row it is.
    #[inline]
    pub fn id(&self, row: u64) -> Result<u64, B::Error> {
        self.ids.get(row)
    }

    /// The rows of a fingerprint.
    pub fn find(&self, fingerprint: F) -> Result<Range<u64>, B::Error> {
        self.sorted[0].find(fingerprint)
    }

    /// All fingerprints and whose they are, in order.
    pub fn entries(&self) -> impl Iterator<Item = Result<(F, u64), B::Error>> + '_ {
        self.sorted[0].all().zip(0..).map(|(fingerprint, row)| Ok((fingerprint?, self.ids.get(row)?)))
    }

    /// How far each table is looked at for a distance.
    pub(super) fn radii(&self, k: u32) -> &[Option<u32>] {
        let radii = self.radii.get(k as usize).and_then(Option::as_deref);
        radii.unwrap_or_else(|| panic!("the design {} does not reach a distance of {k}", self.design))
    }
}
