//! Parquet: column by column, so that any schema stays as it is. Columns of a row group in which nothing changes are copied byte for byte.

mod annotations;
mod column;
mod original;
mod output;
mod properties;
mod write_error;

use std::fs::File;
use std::path::Path;

use self::original::Original;
use self::output::Output;
use super::rulings::Rulings;
use super::{Copied, CopyError, CopyOptions, Rule, unreadable, unsupported};
use crate::columns::guard;

pub(super) fn copy(from: &Path, to: File, options: &CopyOptions, rule: &mut Rule<'_>) -> Result<Copied, CopyError> {
    let step = || {
        let original = Original::open(from, options)?;
        let mut output = Output::create(to, &original, options.annotate)?;
        let (mut copied, mut first) = (Copied::default(), 0);
        for index in 0..original.metadata.num_row_groups() {
            let rows = original.rows(index)?;
            let rulings = Rulings::ask(first, rows, options.annotate, rule, &mut copied)?;
            first += rows;
            if rulings.has_cuts() && original.text.is_none() {
                let field = &options.text_field;
                return Err(unsupported(from, format!("there is no column of text {field:?} to cut from")));
            }
            if rulings.kept > 0 {
                output.copy_group(&original, index, &rulings)?;
            }
        }
        output.finish(&original)?;
        Ok(copied)
    };
    guard(step, |what| unreadable(from, None, what))
}
