//! Sorted records that a step leaves for the next: in the folder of the run, if it has one.

use bytemuck::Pod;
use lookalike_engine::Error as EngineError;
use lookalike_engine::run::session::Session;
use lookalike_store::{ExternalSort, Records};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The records of a finished step. In a folder they are opened only by the step that needs them.
pub(crate) struct StepRecords<T> {
    name: &'static str,
    /// None while they are in the folder only.
    records: Option<Records<T>>,
}

impl<T: Pod + Ord + Send> StepRecords<T> {
    /// Sorts records and finishes the step, with what else is to be known of it.
    pub(crate) fn sorted(
        session: &Session<'_>,
        name: &'static str,
        sort: ExternalSort<T>,
        contents: impl Serialize,
    ) -> Result<Self, EngineError> {
        let Some(work) = &session.work else { return Ok(Self { name, records: Some(sort.finish()?) }) };
        work.save(name, sort.merged()?)?;
        work.finish_step(name, contents)?;
        Ok(Self { name, records: None })
    }

    /// Of a step that was finished before, with what else is known of it.
    pub(crate) fn finished<C: Serialize + DeserializeOwned>(
        session: &Session<'_>,
        name: &'static str,
    ) -> Result<Option<(Self, C)>, EngineError> {
        let Some(work) = &session.work else { return Ok(None) };
        Ok(work.finished_step(name)?.map(|contents| (Self { name, records: None }, contents)))
    }

    /// For reading, any number of times.
    pub(crate) fn open(&mut self, session: &Session<'_>) -> Result<&Records<T>, EngineError> {
        let records = match (self.records.take(), &session.work) {
            (None, Some(work)) => work.load(self.name)?,
            (records, _) => records.expect("without a folder records are here"),
        };
        Ok(self.records.insert(records))
    }
}

/// Forgets the records of steps that no later step needs. What is known of the steps stays.
pub(crate) fn discard(session: &Session<'_>, names: &[&str]) {
    if let Some(work) = &session.work {
        work.discard(names);
    }
}
