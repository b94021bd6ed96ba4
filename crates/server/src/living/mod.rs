//! An index that is changed while it is asked: changes are kept in a journal, which is folded into the index in the background.

mod clusters;
mod fold;
mod journal;
mod living_index;
mod record;

pub(crate) use clusters::ClusterPage;
pub(crate) use journal::report;
pub(crate) use living_index::{DocumentState, LivingIndex, Written};
pub(crate) use record::Record;
