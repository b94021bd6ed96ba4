//! What all steps of one scan share: options, spill space, progress, the clock.

use crate::Error;
use crate::progress::{Cancel, Progress, Unit};
use crate::report::{Phase, Usage};
use crate::run::memory::{MIN_DOCUMENT, MemoryBudget};
use crate::run::options::ScanOptions;
use crate::run::order::RepresentativeOrder;
use crate::run::parsers;
use crate::run::processor_time::ProcessorTime;
use lookalike_store::{Spool, TempSpace, WorkFolder};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

pub struct Session<'a> {
    pub options: &'a ScanOptions,
    pub order: Arc<RepresentativeOrder>,
    pub space: Arc<TempSpace>,
    /// Where finished steps are kept, if the run can go on after it was stopped.
    pub work: Option<WorkFolder>,
    /// For documents that are read, or read again.
    pub memory: Arc<MemoryBudget>,
    /// For what some documents take beside that while they are parsed.
    pub parsing: Arc<MemoryBudget>,
    pub progress: &'a dyn Progress,
    pub cancel: &'a Cancel,
    phases: Mutex<Vec<Phase>>,
    begun: (Instant, ProcessorTime),
}

impl<'a> Session<'a> {
    pub fn new(options: &'a ScanOptions, progress: &'a dyn Progress, cancel: &'a Cancel) -> Result<Self, Error> {
        parsers::limit_memory(options.resources.memory);
        Ok(Self {
            order: Arc::new(RepresentativeOrder::new(&options.keep)?),
            space: Arc::new(options.resources.temp_space()?),
            work: None,
            memory: MemoryBudget::new(options.resources.memory / 4),
            parsing: MemoryBudget::new(options.resources.memory / 4),
            options,
            progress,
            cancel,
            phases: Mutex::default(),
            begun: (Instant::now(), ProcessorTime::now()),
        })
    }

    /// A run that can go on after it was stopped: what finished steps made is kept in a folder.
    #[must_use]
    pub fn in_folder(self, work: WorkFolder) -> Self {
        Self { work: Some(work), ..self }
    }

    /// A spool that stays while the run can go on.
    pub fn spool(&self, name: &'static str, file: &str) -> Result<Spool, Error> {
        Ok(match &self.work {
            Some(work) => work.spool(file)?,
            None => Spool::spill(&self.space, name)?,
        })
    }

    /// A part of the memory that the user allows: one of `parts` equal parts.
    pub fn share(&self, parts: u64) -> usize {
        share(self.options, parts)
    }

    /// Runs a step under the watch of progress and clock; it tells what it counted.
    pub fn phase<T>(
        &self,
        name: &'static str,
        unit: Unit,
        total: Option<u64>,
        step: impl FnOnce(&mut BTreeMap<&'static str, u64>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.cancel.check()?;
        let (wall, cpu) = (Instant::now(), ProcessorTime::now());
        let mut counts = BTreeMap::new();
        self.progress.begin(name, unit, total);
        let result = step(&mut counts);
        self.progress.end();
        self.phases.lock().expect("no step panics with the lock").push(Phase {
            name,
            counts,
            seconds: self.options.stats.then(|| wall.elapsed().as_secs_f64()),
            cpu_seconds: self.options.stats.then(|| cpu.elapsed().as_secs_f64()),
        });
        result
    }

    pub fn phases(&self) -> Vec<Phase> {
        self.phases.lock().expect("no step panics with the lock").clone()
    }

    pub fn usage(&self) -> Option<Usage> {
        let usage = || Usage {
            seconds: self.begun.0.elapsed().as_secs_f64(),
            cpu_seconds: self.begun.1.elapsed().as_secs_f64(),
            spilled_bytes: self.space.spilled(),
            peak_memory: lookalike_store::resources::peak_memory(),
        };
        self.options.stats.then(usage)
    }
}

fn share(options: &ScanOptions, parts: u64) -> usize {
    usize::try_from(options.resources.memory / parts).unwrap_or(usize::MAX)
}

/// How documents are read. Batches wait in memory too, four for each thread. What is larger than the memory is not read: the step of
/// reading tells it from what the user left out.
pub fn reading(options: &ScanOptions) -> lookalike_corpus::Options {
    let batch_bytes = options.corpus.batch_bytes.min((options.resources.memory / 512) as usize).max(1 << 16);
    let lookalike_corpus::Options { min_size, max_size, .. } = options.corpus;
    let largest = max_size.min(MAX_DOCUMENT).min(options.resources.memory.max(MIN_DOCUMENT));
    // what the user asks for is refused as it was asked
    let (min_size, max_size) =
        if min_size > max_size { (min_size, max_size) } else { (min_size.min(largest), largest) };
    // what is decoded before its turn waits in memory too
    let read_ahead_bytes = options.corpus.read_ahead_bytes.min(options.resources.memory / 16);
    let unit_bytes = options.corpus.unit_bytes.min(options.resources.memory / UNITS_SHARE);
    let read_ahead = match options.resources.threads {
        0 => options.corpus.read_ahead,
        threads => options.corpus.read_ahead.min(threads - 1),
    };
    lookalike_corpus::Options {
        batch_bytes,
        min_size,
        max_size,
        unit_bytes,
        read_ahead,
        read_ahead_bytes,
        ..options.corpus.clone()
    }
}

/// The part of the memory that a record batch or a page may take while it is decoded: a quarter, for its rows are still in use when the next
/// one is decoded.
pub(super) const UNITS_SHARE: u64 = 4;

/// The largest document that any lens can take: sizes and places in documents are 32-bit numbers.
pub const MAX_DOCUMENT: u64 = u32::MAX as u64;
