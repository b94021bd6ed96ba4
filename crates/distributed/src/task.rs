//! One step on all rows of one partition.

use crate::Error;
use crate::output::schema;
use crate::packing::{Packer, unpack};
use crate::sorted_rows::{SortedRows, project};
use crate::step::Step;
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use std::collections::VecDeque;

/// Sorted rows that a step has still to take.
type Sorted = Box<dyn Iterator<Item = Result<RecordBatch, Error>> + Send>;

/// What a step makes of the rows of a partition, batch by batch. The rows come in any order, packed or not; if they are to be sorted, this
/// does it within the memory that is allowed.
pub struct Task<I> {
    rows: I,
    step: Box<dyn Step>,
    /// What of the rows the step looks at, if they come from several sides.
    columns: Option<SchemaRef>,
    /// Until all rows are there.
    sort: Option<SortedRows>,
    sorted: Option<Sorted>,
    packer: Option<Packer>,
    ready: VecDeque<RecordBatch>,
    /// The step has all rows.
    has_ended: bool,
    is_done: bool,
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> Task<I> {
    pub(crate) fn new(rows: I, step: Box<dyn Step>, sort: Option<SortedRows>, packer: Option<Packer>) -> Self {
        let columns = step.shuffle().columns;
        let columns = (!columns.is_empty()).then(|| schema(columns));
        Self {
            rows,
            step,
            columns,
            sort,
            sorted: None,
            packer,
            ready: VecDeque::new(),
            has_ended: false,
            is_done: false,
        }
    }

    /// The rows that come out.
    pub fn schema(&self) -> SchemaRef {
        self.packer.as_ref().map_or_else(|| self.step.schema(), Packer::schema)
    }

    /// Takes a batch, or the end.
    fn advance(&mut self) -> Result<(), Error> {
        if let Some(mut sort) = self.sort.take() {
            for batch in &mut self.rows {
                unpack(&batch?, |rows| sort.push(rows))?;
            }
            self.sorted = Some(sort.finish()?);
        }
        let mut made = Vec::new();
        if self.has_ended {
        } else if let Some(sorted) = &mut self.sorted {
            match sorted.next().transpose()? {
                Some(batch) => made = self.step.push(&batch)?,
                None => self.has_ended = true,
            }
        } else {
            match self.rows.next().transpose()? {
                Some(batch) => unpack(&batch, |rows| {
                    made.extend(match &self.columns {
                        Some(columns) => self.step.push(&project(rows, columns)?)?,
                        None => self.step.push(rows)?,
                    });
                    Ok(())
                })?,
                None => self.has_ended = true,
            }
        }
        if self.has_ended {
            made = self.step.finish()?;
            self.is_done = made.is_empty();
        }
        match &mut self.packer {
            None => self.ready.extend(made),
            Some(packer) => {
                for batch in made {
                    self.ready.extend(packer.push(&batch)?);
                }
                if self.is_done {
                    self.ready.extend(packer.finish()?);
                }
            }
        }
        Ok(())
    }
}

impl<I: Iterator<Item = Result<RecordBatch, ArrowError>>> Iterator for Task<I> {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.ready.pop_front() {
                return Some(Ok(batch));
            }
            if self.is_done {
                return None;
            }
            if let Err(error) = self.advance() {
                self.is_done = true;
                return Some(Err(error));
            }
        }
    }
}
