//! Archives: each file in a zip or tar is a document, also where archives lie in each other.
//!
//! The file `path/in/it` of `x.zip` is called `x.zip!/path/in/it`, and in an archive inside that `x.zip!/y.tar.gz!/name`.
//! A name is only ever a name: nothing in an archive is opened as a path, whatever it is called. What one archive can
//! cost is bounded by its own size, and how deep they nest by [`MAX_NESTED_ARCHIVES`].

mod member_names;
#[cfg(feature = "archives")]
mod tar_source;
#[cfg(feature = "archives")]
mod zip_source;

#[cfg(feature = "archives")]
use std::sync::Arc;

pub(crate) use member_names::display_name;
#[cfg(feature = "archives")]
pub(crate) use zip_source::name_of as zip_name;

#[cfg(feature = "archives")]
use crate::member::ArchiveKind;
use crate::member::Container;
use crate::skipped::{Reason, Skipped};
use crate::source::Source;
use crate::step::MAX_NESTED_ARCHIVES;

/// The members of an archive as a source, or why it is not entered.
pub(crate) fn enter(container: Container) -> Result<Box<dyn Source>, Skipped> {
    let id = container.id();
    if container.depth > MAX_NESTED_ARCHIVES {
        let message = format!("an archive inside {MAX_NESTED_ARCHIVES} others; unpack those and name the folder");
        return Err(Skipped { id, reason: Reason::Packed(message) });
    }
    open(container).map_err(|reason| Skipped { id, reason })
}

#[cfg(feature = "archives")]
fn open(container: Container) -> Result<Box<dyn Source>, Reason> {
    let kind = container.kind;
    let container = Arc::new(container);
    match kind {
        ArchiveKind::Zip => zip_source::ZipSource::open(container).map(|zip| Box::new(zip) as _),
        ArchiveKind::Tar => tar_source::TarSource::open(container).map(|tar| Box::new(tar) as _),
    }
}

#[cfg(not(feature = "archives"))]
fn open(_: Container) -> Result<Box<dyn Source>, Reason> {
    Err(Reason::Unreadable(WITHOUT_ARCHIVES.into()))
}

/// Why an archive is not read by a small build.
#[cfg(not(feature = "archives"))]
pub(crate) const WITHOUT_ARCHIVES: &str = lookalike_core::built_without!("archives", "archives");
