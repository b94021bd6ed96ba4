//! Everything that can go wrong.

use std::io;
use std::path::PathBuf;

/// What went wrong with object storage.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An address cannot be understood.
    #[error("{url}: {reason}")]
    Address {
        /// As it was written.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A pattern cannot be understood.
    #[error("{url}: no pattern: {message}")]
    Pattern {
        /// As it was written.
        url: String,
        /// What is wrong with it.
        message: String,
    },
    /// There is no such object.
    #[error("{url}: no such object; check bucket and name{hint}")]
    Missing {
        /// Its address.
        url: String,
        /// What may have been meant.
        hint: &'static str,
    },
    /// There is no such bucket.
    #[error("{url}: no such bucket; check its name and the endpoint")]
    NoBucket {
        /// What was asked for.
        url: String,
    },
    /// Nothing is below an address, or matches it.
    #[error("{url}: no object is there; check bucket, name and pattern")]
    Nothing {
        /// As it was written.
        url: String,
    },
    /// Something is where a result should go.
    #[error("{url}: expected nothing there, found {found}; choose another address, or remove what is there")]
    Exists {
        /// Where the result should go.
        url: String,
        /// The first object that is there.
        found: String,
    },
    /// The service refuses.
    #[error("{url}: the service refuses it: {message}; {help}")]
    Denied {
        /// What was asked for.
        url: String,
        /// What the service says.
        message: String,
        /// Where credentials come from.
        help: &'static str,
    },
    /// The service cannot be reached, or does something unexpected.
    #[error("{url}: {message}; {help}")]
    Failed {
        /// What was asked for.
        url: String,
        /// What happened.
        message: String,
        /// What may help.
        help: &'static str,
    },
    /// An object is not what it was.
    #[error("{url}: it changed since the run was begun; begin again")]
    Changed {
        /// Its address.
        url: String,
    },
    /// An object has a name that no file can have.
    #[error("{url}: its name cannot be that of a file: {reason}; rename it, or leave it out with a pattern")]
    Name {
        /// Its address.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A web server can only be read from.
    #[error("{url}: results cannot be put on a web server; expected s3://, gs:// or az://")]
    ReadOnly {
        /// Where the result should go.
        url: String,
    },
    /// A run was stopped and left what it fetched.
    #[error("{}: a run was stopped here; go on with it, or remove the folder", path.display())]
    Stopped {
        /// What it left.
        path: PathBuf,
    },
    /// A file or folder of this machine cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What a stopped run left is damaged.
    #[error("{}: expected the list of a stopped run, found something else; remove the folder and begin again", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
    },
    /// The user asked to stop.
    #[error("stopped")]
    Cancelled,
}
