//! Members of archives: where their bytes are, what unpacking them may cost, and how they are read again.

mod container;
mod kind;
mod meter;
mod stream;
mod unpack_cache;
mod zip_extent;
mod zip_member;

pub(crate) use container::{Container, Handle, member_id};
pub use kind::is_archive;
pub(crate) use kind::{ArchiveKind, archive_kind};
pub(crate) use meter::Meter;
pub(crate) use stream::Stream;
pub(crate) use unpack_cache::{UnpackCache, read_again};
pub(crate) use zip_extent::check_zip_extent;
pub(crate) use zip_member::{Inflater, ZipEntry, ZipMember, data_start};
