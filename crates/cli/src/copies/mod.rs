//! `lookalike copies` and `lookalike moss`: who copied what?

mod flags;
mod job;
mod moss;
mod moss_languages;
mod page;
mod values;
mod verb;
mod written;

pub(crate) use flags::ReadingFlags;
pub(crate) use job::corpus;
pub(crate) use moss::Moss;
pub(crate) use values::share;
pub(crate) use verb::Copies;
