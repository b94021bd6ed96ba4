//! What the manifest says of a folder that is written online, and which design a level has.

use crate::Error;
use crate::hamming::kept::LevelMeta;
use lookalike_core::hamming::Design;
use lookalike_core::hamming::plan::{Wanted, candidates};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What kind of folder it is.
const KIND: &str = "hamming online 1";

/// The folder. What a folder of another kind does not have is empty here, so that the kind can be told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Meta {
    kind: String,
    /// Bits of a fingerprint.
    width: u32,
    /// The greatest distance that is asked for.
    pub(super) k: u32,
    /// The last operation that is in the levels; those after it are in the log.
    pub(super) done: u64,
    pub(super) levels: Vec<Both>,
}

/// A level: what came and what went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Both {
    pub(super) added: LevelMeta,
    pub(super) removed: Option<LevelMeta>,
}

impl Meta {
    pub(super) fn new(width: u32, k: u32, done: u64, levels: Vec<Both>) -> Self {
        Self { kind: KIND.into(), width, k, done, levels }
    }

    /// Refuses a folder of another kind, of other fingerprints, or for smaller distances.
    pub(super) fn check(&self, path: &Path, width: u32, k: u32) -> Result<(), Error> {
        let refuse = |reason: String| Err(Error::Index { path: path.display().to_string(), reason });
        if self.kind != KIND {
            return refuse(format!("expected a folder of kind {KIND:?}, found {:?}; choose another folder", self.kind));
        }
        if self.width != width {
            return refuse(format!(
                "has fingerprints of {} bits, asked for {width}; say so, or choose another folder",
                self.width
            ));
        }
        if self.k < k {
            let most = self.k;
            return refuse(format!(
                "was made for distances up to {most}, asked for {k}; ask for less, or make it again"
            ));
        }
        Ok(())
    }
}

/// The fastest design for so many fingerprints, within the room of about five times the fingerprints themselves.
pub(super) fn design_for(width: u32, prints: u64, k: u32) -> Design {
    let memory = prints.max(1024) * u64::from(width / 8 * 5 + 8);
    candidates(&Wanted { width, prints, k, id_bits: 32, memory })[0].design
}
