//! Every fingerprint of one file that is near one of another (the paper's §3.3): the smaller side in memory, the other passes by.

mod aside;
mod found;

use self::aside::Aside;
use self::found::{Found, Same};
use super::input::{PrintFile, Shared, Taken, Whose};
use super::pieces::{Piece, Touch, Way, way};
use super::{Options, Print, possible};
use crate::progress::{Cancel, Progress, Unit};
use crate::{Error, resources};
use bytemuck::{Pod, Zeroable};
use lookalike_corpus::prints::{Ids, Names, Prints};
use lookalike_store::{Records, TempSpace};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A query and a fingerprint that is near it. By query, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Pair {
    /// The id of the query.
    pub query: u64,
    /// In how many bits the two differ.
    pub distance: u64,
    /// The id of the fingerprint.
    pub print: u64,
}

/// What a batch found.
#[derive(Debug)]
pub struct Batch {
    /// Fingerprints that were looked through.
    pub prints: u64,
    /// Queries.
    pub queries: u64,
    /// Pairs there are; those that are listed may be fewer, with a limit.
    pub pairs: u64,
    /// Which side was held in memory: whether the queries were.
    pub queries_held: bool,
    /// How often the other passed by.
    pub passes: u64,
    /// The design of the side in memory.
    pub design: String,
    pairs_listed: Records<Pair>,
    /// What queries are called.
    pub query_names: Whose,
    /// What fingerprints are called.
    pub print_names: Whose,
}

impl Batch {
    /// The pairs, by query, the nearest first.
    pub fn pairs(&self) -> impl Iterator<Item = Result<Pair, Error>> + '_ {
        self.pairs_listed.iter().map(|pair| Ok(pair?))
    }

    /// How many pairs are listed.
    pub fn listed(&self) -> u64 {
        self.pairs_listed.len()
    }
}

/// Finds all pairs of a query and a fingerprint that differ in at most `k` bits.
pub fn batch<F: Print>(
    prints: &PrintFile,
    queries: &PrintFile,
    options: &Options,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Batch, Error> {
    possible(options.k)?;
    if prints.is_stream() && queries.is_stream() {
        return Err(Error::Options("both files are standard input; name one of them".into()));
    }
    resources::pool(options.threads)?.install(|| {
        let (of_prints, of_queries) = (prints.open::<F>()?, queries.open::<F>()?);
        // a stream is read once only: the other side passes by, perhaps several times
        let queries_held = match (of_prints.len(), of_queries.len()) {
            _ if queries.is_stream() => true,
            _ if prints.is_stream() => false,
            (Some(prints), Some(queries)) => queries <= prints,
            _ => true,
        };
        let run =
            Run { options, progress, cancel, queries_held, space: Arc::new(TempSpace::new(options.tmp.as_deref())?) };
        if queries_held {
            run.run(queries, of_queries, prints, of_prints)
        } else {
            run.run(prints, of_prints, queries, of_queries)
        }
    })
}

struct Run<'a> {
    options: &'a Options,
    progress: &'a dyn Progress,
    cancel: &'a Cancel,
    queries_held: bool,
    space: Arc<TempSpace>,
}

/// The side in memory while it is read: fingerprints and whose they are.
struct Held<F: Print> {
    file: Prints<F>,
    rest: Vec<(F, u64)>,
    read: u64,
}

impl<F: Print> Held<F> {
    /// Up to so many more, sorted; none at the end.
    fn next(&mut self, most: u64) -> Result<Vec<(F, u64)>, Error> {
        let mut some = Taken::default();
        while (self.rest.len() as u64) < most {
            let read = some.next(&mut self.file)?;
            if read == 0 {
                break;
            }
            self.read += read as u64;
            self.rest.extend(some.entries());
        }
        let later = self.rest.split_off(self.rest.len().min(most as usize));
        let mut piece = std::mem::replace(&mut self.rest, later);
        piece.sort_unstable();
        Ok(piece)
    }
}

impl Run<'_> {
    fn run<F: Print>(
        &self,
        held_file: &PrintFile,
        held: Prints<F>,
        passing_file: &PrintFile,
        passing: Prints<F>,
    ) -> Result<Batch, Error> {
        let (held_ids, passing_ids) = (held.ids(), passing.ids());
        // what is not known is taken for much: a net that is larger than need be costs little
        let expected = passing.len().unwrap_or(1 << 26);
        let way = way::<F>(held.len().unwrap_or(1 << 20), expected, self.options.k, self.options.memory);
        let mut held = Held { file: held, rest: Vec::new(), read: 0 };
        let found = Found::new(&self.space, self.options.memory, self.queries_held, self.options.limit);
        let (mut passed, mut passes, mut first) = (0, 0, Some(passing));
        let mut passing_names = None;
        self.progress.begin("batch", Unit::Bytes, None);
        loop {
            let piece = held.next(way.piece)?;
            if piece.is_empty() && passes > 0 {
                break;
            }
            let passing = match first.take() {
                Some(passing) => passing,
                None if passing_file.is_stream() => {
                    return Err(Error::Options("standard input passes by once only, and the other side does not fit in memory; allow more --memory, or give a file".into()));
                }
                None => passing_file.open()?,
            };
            let (count, names) = self.pass(&piece, way, passing, &found)?;
            passed = count;
            passing_names = names.or(passing_names);
            passes += 1;
        }
        self.progress.end();
        let (held_read, held_names) = (held.read, held.file.into_names());
        let (pairs_listed, pairs) = found.finish()?;
        let (query_side, print_side) = ((held_file, held_ids, held_names), (passing_file, passing_ids, passing_names));
        let (query_side, print_side) =
            if self.queries_held { (query_side, print_side) } else { (print_side, query_side) };
        let ids_of = |pick: fn(&Pair) -> u64, ids: Ids| -> Result<Vec<u64>, Error> {
            if ids == Ids::Names { pairs_listed.iter().map(|pair| Ok(pick(&pair?))).collect() } else { Ok(Vec::new()) }
        };
        let names =
            |(file, ids, read): (&PrintFile, Ids, Option<Names>), pick| file.whose::<F>(ids, read, ids_of(pick, ids)?);
        let query_names = names(query_side, |pair| pair.query)?;
        let print_names = names(print_side, |pair| pair.print)?;
        let (queries, prints) = if self.queries_held { (held_read, passed) } else { (passed, held_read) };
        let design = way.design.to_string();
        let queries_held = self.queries_held;
        Ok(Batch { prints, queries, pairs, queries_held, passes, design, pairs_listed, query_names, print_names })
    }

    /// All that passes by is held against a piece. How many those are, and their names if they had to be kept.
    fn pass<F: Print>(
        &self,
        piece: &[(F, u64)],
        way: Way,
        passing: Prints<F>,
        found: &Found,
    ) -> Result<(u64, Option<Names>), Error> {
        let (mut prints, mut starts) = (Vec::new(), Vec::new());
        for (at, (print, _)) in piece.iter().enumerate() {
            if prints.last() != Some(print) {
                prints.push(*print);
                starts.push(at);
            }
        }
        starts.push(piece.len());
        let same = |place: usize| Same { place, entries: &piece[starts[place]..starts[place + 1]] };
        let asked = Piece::new(prints, way, self.options.k)?;
        let (shared, passed) = (Shared::new(passing), AtomicU64::new(0));
        let aside = Aside::new(&self.space, self.options.memory);
        let work = || -> Result<(), Error> {
            let (mut some, mut pairs, mut crowded) = (Taken::default(), Vec::new(), Vec::new());
            while shared.next(&mut some)? > 0 {
                self.cancel.check()?;
                let mut added = Ok(());
                let touched = |at: usize, touch: Touch| {
                    if added.is_ok() {
                        added = found.add(&[some.id(at)], &same(touch.held), touch.distance, &mut pairs);
                    }
                };
                asked.pass(&some.prints, touched, |at, which| {
                    crowded.push(Aside::entry(some.prints[at], which, some.id(at)));
                });
                added?;
                found.take(&mut pairs)?;
                aside.take(&mut crowded)?;
                passed.fetch_add(some.prints.len() as u64, Relaxed);
                self.progress.advance((some.prints.len() * size_of::<F>()) as u64);
            }
            Ok(())
        };
        (0..rayon::current_num_threads()).into_par_iter().with_max_len(1).try_for_each(|_| work())?;
        aside.each(|print: F, which, ids| {
            self.cancel.check()?;
            let (mut pairs, mut added) = (Vec::new(), Ok(()));
            asked.ask(print, which, |touch| {
                if added.is_ok() {
                    added = found.add(ids, &same(touch.held), touch.distance, &mut pairs);
                }
            });
            added?;
            found.take(&mut pairs)
        })?;
        found.end_of_piece(|place| same(place).entries)?;
        Ok((passed.into_inner(), shared.into_inner().into_names()))
    }
}
