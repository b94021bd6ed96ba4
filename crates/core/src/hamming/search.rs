//! The walk through all tables of a design. Places in memory are fetched many at a time, of many tables and many queries: the machine waits
//! once for all of them, not for each.

use super::near::{Ask, flips};
use super::packed::Bytes;
use super::tables::{Hit, Tables};
use crate::bits::FingerprintBits;
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};

/// Buckets that are fetched together.
const PROBES: usize = 64;
/// Hits that are looked up together.
const HITS: usize = 64;

impl<F: FingerprintBits> Tables<F, Vec<u8>> {
    /// As [`Tables::near`], where nothing can go wrong.
    pub fn near_in_memory(&self, query: F, k: u32, each: impl FnMut(Hit<F>) -> ControlFlow<()>) {
        let Ok::<(), Infallible>(()) = self.near(query, k, each);
    }
}

impl<F: FingerprintBits, B: Bytes> Tables<F, B> {
    /// Calls `each` with every fingerprint within `k` of the query, each once.
    ///
    /// A fingerprint may be within reach of several tables: the first of them reports it.
    pub fn near(&self, query: F, k: u32, mut each: impl FnMut(Hit<F>) -> ControlFlow<()>) -> Result<(), B::Error> {
        self.near_each(&[query], k, |_, hit| each(hit))
    }

    /// The same for many queries, which is faster than one after the other: `each` is told the place of the query, too. What is near the first
    /// query comes first.
    pub fn near_each(
        &self,
        queries: &[F],
        k: u32,
        each: impl FnMut(usize, Hit<F>) -> ControlFlow<()>,
    ) -> Result<(), B::Error> {
        Search::new(self, queries, k, each).run(0..self.sorted.len())
    }

    /// What one of the tables reports of [`Tables::near`]: for a [`super::NeighbourTable`] whose line was full.
    pub fn near_of(
        &self,
        table: usize,
        query: F,
        k: u32,
        mut each: impl FnMut(Hit<F>) -> ControlFlow<()>,
    ) -> Result<(), B::Error> {
        Search::new(self, &[query], k, |_, hit| each(hit)).run(table..table + 1)
    }
}

/// A bucket that may have rows near a query.
struct Probe<F> {
    /// The place of the query.
    query: usize,
    table: usize,
    ask: Ask<F>,
    prefix: u64,
    rows: Range<u64>,
}

/// A search that is under way.
struct Search<'a, F, B, E> {
    tables: &'a Tables<F, B>,
    queries: &'a [F],
    k: u32,
    radii: &'a [Option<u32>],
    probes: Vec<Probe<F>>,
    /// What the probes found; the rows of the first table are not known yet if they are none.
    hits: Vec<(usize, Hit<F>)>,
    each: E,
}

impl<'a, F: FingerprintBits, B: Bytes, E: FnMut(usize, Hit<F>) -> ControlFlow<()>> Search<'a, F, B, E> {
    /// For all within `k` of the queries. `each` is called with the place of a query and what is near it.
    fn new(tables: &'a Tables<F, B>, queries: &'a [F], k: u32, each: E) -> Self {
        let radii = tables.radii(k);
        Self { tables, queries, k, radii, probes: Vec::with_capacity(PROBES), hits: Vec::new(), each }
    }

    /// Looks into some of the tables for each query.
    fn run(&mut self, tables: Range<usize>) -> Result<(), B::Error> {
        for (at, query) in self.queries.iter().enumerate() {
            for table in tables.clone() {
                let Some(radius) = self.radii[table] else { continue };
                let order = &self.tables.orders[table];
                let ask = Ask { query: order.permute(*query), k: self.k, lead: order.lead, radius };
                let sorted = &self.tables.sorted[table];
                let prefix = sorted.prefix(ask.query);
                for flip in flips(sorted.shape.prefix.min(ask.lead), radius.min(self.k)) {
                    self.probes.push(Probe { query: at, table, ask, prefix: prefix ^ flip, rows: 0..0 });
                    if self.probes.len() == PROBES && self.visit()?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
        self.visit().map(|_| ())
    }

    /// Looks at the probes' buckets and hands on what is there.
    fn visit(&mut self) -> Result<ControlFlow<()>, B::Error> {
        let mut probes = std::mem::take(&mut self.probes);
        for probe in &mut probes {
            probe.rows = self.tables.sorted[probe.table].bucket(probe.prefix)?;
        }
        for probe in &probes {
            self.tables.sorted[probe.table].touch(&probe.rows)?;
        }
        for probe in &probes {
            if self.look(probe)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        probes.clear();
        self.probes = probes;
        self.hand_on()
    }

    /// The rows of a bucket that are near, but for those that an earlier table has reported.
    fn look(&mut self, probe: &Probe<F>) -> Result<ControlFlow<()>, B::Error> {
        let Probe { table: at, query, .. } = *probe;
        let (tables, radii) = (self.tables, self.radii);
        let mut failed = None;
        let flow = tables.sorted[at].among(&probe.ask, probe.prefix, probe.rows.clone(), &mut |row, rows| {
            let fingerprint = tables.orders[at].restore(row);
            let apart = fingerprint ^ self.queries[query];
            let reached = |j: usize| radii[j].is_some_and(|radius| (apart & tables.leads[j]).ones() <= radius);
            if (0..at).any(reached) {
                return ControlFlow::Continue(());
            }
            let rows = if at == 0 { rows } else { 0..0 };
            self.hits.push((query, Hit { fingerprint, distance: apart.ones(), rows }));
            if self.hits.len() < HITS {
                return ControlFlow::Continue(());
            }
            self.hand_on().unwrap_or_else(|error| {
                failed = Some(error);
                ControlFlow::Break(())
            })
        })?;
        failed.map_or(Ok(flow), Err)
    }

    /// Finds the rows of what was found, and hands it on.
    fn hand_on(&mut self) -> Result<ControlFlow<()>, B::Error> {
        let first = &self.tables.sorted[0];
        let unknown = |hit: &Hit<F>| hit.rows.is_empty();
        for (_, hit) in self.hits.iter().filter(|(_, hit)| unknown(hit)) {
            std::hint::black_box(first.bucket(first.prefix(hit.fingerprint))?);
        }
        for (_, hit) in self.hits.iter().filter(|(_, hit)| unknown(hit)) {
            first.touch(&first.bucket(first.prefix(hit.fingerprint))?)?;
        }
        for (_, hit) in &mut self.hits {
            if unknown(hit) {
                hit.rows = first.find(hit.fingerprint)?;
            }
            // the caller will ask whose they are
            if !hit.rows.is_empty() {
                std::hint::black_box(self.tables.id(hit.rows.start)?);
            }
        }
        for (query, hit) in self.hits.drain(..) {
            if (self.each)(query, hit).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
