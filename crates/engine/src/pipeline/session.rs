//! What all steps of one scan share: options, spill space, progress, the clock.

use crate::front::FrontEnd;
use crate::progress::{Cancel, Progress, Unit};
use crate::report::{Phase, Usage};
use crate::{Error, ScanOptions, resources};
use cpu_time::ProcessTime;
use lookalike_store::TempSpace;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

pub(crate) struct Session<'a> {
    pub(crate) options: &'a ScanOptions,
    pub(crate) front: FrontEnd,
    pub(crate) space: Arc<TempSpace>,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
    phases: Mutex<Vec<Phase>>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(options: &'a ScanOptions, progress: &'a dyn Progress, cancel: &'a Cancel) -> Result<Self, Error> {
        Ok(Self {
            front: FrontEnd::new(&options.recipe, &options.key).map_err(Error::Options)?,
            space: Arc::new(TempSpace::new(options.tmp.as_deref())?),
            options,
            progress,
            cancel,
            phases: Mutex::default(),
        })
    }

    /// A part of the memory that the user allows: one of `parts` equal parts.
    pub(crate) fn share(&self, parts: u64) -> usize {
        usize::try_from(self.options.memory / parts).unwrap_or(usize::MAX)
    }

    /// Runs a step under the watch of progress and clock; it tells what it counted.
    pub(crate) fn phase<T>(
        &self,
        name: &'static str,
        unit: Unit,
        total: Option<u64>,
        step: impl FnOnce(&mut BTreeMap<&'static str, u64>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.cancel.check()?;
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
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

    pub(crate) fn phases(&self) -> Vec<Phase> {
        self.phases.lock().expect("no step panics with the lock").clone()
    }

    pub(crate) fn usage(&self) -> Option<Usage> {
        let usage = || Usage { spilled_bytes: self.space.spilled(), peak_memory: resources::peak_memory() };
        self.options.stats.then(usage)
    }
}
