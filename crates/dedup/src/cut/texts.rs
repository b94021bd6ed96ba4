//! Texts that are read again.

use crate::Error;
use lookalike_corpus::Body;
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::session::Session;
use lookalike_store::Error as StoreError;
use rayon::prelude::*;

/// Jobs that are done between two looks at whether the user has stopped the run, for each thread.
const JOBS_PER_THREAD: usize = 64;

/// The text of a document, which must be what it was.
pub(crate) fn text_of(documents: &Documents, document: u32) -> Result<String, Error> {
    if let Some((_, Body::Text(text))) = documents.loader().body(document)? {
        return Ok(text.into_owned());
    }
    let reason = "it changed since it was read".to_owned();
    Err(Error::Damaged { id: documents.catalogue.id(document)?, reason })
}

/// Does jobs on documents on all threads, and hands over what they made in the order of the jobs. `bytes` tells what a job may take in
/// memory; no more jobs are under way than there is memory for, and no more results wait than their share of it.
pub(crate) fn for_each_job<J: Send + Sync, T: Send>(
    session: &Session<'_>,
    mut jobs: impl Iterator<Item = Result<J, Error>>,
    bytes: impl Fn(&J) -> Result<u64, Error> + Sync,
    work: impl Fn(J) -> Result<T, Error> + Sync,
    mut each: impl FnMut(T) -> Result<(), Error>,
) -> Result<(), Error> {
    let (most, limit) = (rayon::current_num_threads() * JOBS_PER_THREAD, session.share(8) as u64);
    loop {
        session.cancel.check().map_err(lookalike_engine::Error::from)?;
        let (mut some, mut size) = (Vec::new(), 0u64);
        while some.len() < most && size < limit {
            let Some(job) = jobs.next() else { break };
            let job = job?;
            let taken = bytes(&job)?;
            size = size.saturating_add(taken);
            some.push((job, taken));
        }
        if some.is_empty() {
            return Ok(());
        }
        let made: Vec<Result<T, Error>> = some
            .into_par_iter()
            .with_max_len(1)
            .map(|(job, taken)| {
                let _permit = session.memory.take(taken);
                work(job)
            })
            .collect();
        made.into_iter().try_for_each(|made| each(made?))?;
    }
}

/// Sorted records by document: all of one at a time.
pub(crate) struct Grouped<T, I, F> {
    records: I,
    document: F,
    next: Option<T>,
}

impl<T, I: Iterator<Item = Result<T, StoreError>>, F: Fn(&T) -> u32> Grouped<T, I, F> {
    pub(crate) fn new(records: I, document: F) -> Self {
        Self { records, document, next: None }
    }
}

impl<T, I: Iterator<Item = Result<T, StoreError>>, F: Fn(&T) -> u32> Iterator for Grouped<T, I, F> {
    type Item = Result<(u32, Vec<T>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let first = match self.next.take().map(Ok).or_else(|| self.records.next())? {
            Ok(first) => first,
            Err(error) => return Some(Err(error.into())),
        };
        let document = (self.document)(&first);
        let mut group = vec![first];
        for record in self.records.by_ref() {
            match record {
                Ok(record) if (self.document)(&record) == document => group.push(record),
                Ok(record) => {
                    self.next = Some(record);
                    break;
                }
                Err(error) => return Some(Err(error.into())),
            }
        }
        Some(Ok((document, group)))
    }
}
